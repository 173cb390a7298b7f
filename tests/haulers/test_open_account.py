"""A hauler who was never charged gets an account from the clerk, for a damage or a payment made ahead."""

import io
from typing import Any

from billing.models import Account
from billing.queries import account_of, balance_cents, damages
from haulers.queries import party_of_business
from tests import world
from tests.billing.test_routes import signed_in, text_of
from tests.haulers.builders import filed, hauler

NEW = "/bayfield/clerk/accounts/new"
DAY = {"{}-month": "10", "{}-day": "6", "{}-year": "2026"}


def on(name: str) -> dict[str, str]:
    return {key.format(name): value for key, value in DAY.items()}


def test_a_hauler_never_charged_gets_an_account_for_a_damage_and_a_payment_made_ahead(app: Any, clock_at: Any) -> None:
    clock_at("2026-10-06T12:00")
    party = party_of_business(filed(hauler()).business_id)
    assert account_of(world.plant().id, party.id) is None
    clerk = signed_in(app, "clerk")
    for page in ("ledger", "payments/new"):
        assert f'href="{NEW}"' in clerk.get(f"/bayfield/clerk/{page}").get_data(as_text=True)
    assert clerk.post(NEW, data={"once": "a" * 32}).status_code == 422
    assert clerk.post(NEW, data={"once": "b" * 32, "party": str(party.id)}).status_code == 303
    account = account_of(world.plant().id, party.id)
    assert isinstance(account, Account)
    assert "Every hauler this plant knows has an account." in text_of(clerk.get(NEW))
    damage = on("happened_on") | {"amount": "450.00", "what": "Pump", "cause": "Rags in the load broke it",
              "note": "The bill", "once": "c" * 32, "file": (io.BytesIO(b"%PDF-1.4 bill"), "bill.pdf")}  # fmt: skip
    assert clerk.post(f"/bayfield/clerk/accounts/{account.id}/damage", data=damage).status_code == 303
    assert [one.charge.amount_cents for one in damages(world.plant().id, account.id)] == [45000]
    paid = on("received_on") | {"account": str(account.id), "amount": "500.00", "method": "check", "reference": "7",
            "ahead": "y", "once": "d" * 32}  # fmt: skip
    assert clerk.post("/bayfield/clerk/payments/new", data=paid).status_code == 303
    assert balance_cents(account.id) == -5000


def test_only_the_haulers_without_an_account_are_offered(app: Any, clock_at: Any) -> None:
    clock_at("2026-10-06T12:00")
    first, second = (party_of_business(filed(hauler(name, f"{name[0]}@hauler.example")).business_id)
                     for name in ("Apostle Example", "Birch Example"))  # fmt: skip
    clerk = signed_in(app, "clerk")
    assert clerk.post(NEW, data={"once": "a" * 32, "party": str(first.id)}).status_code == 303
    page = clerk.get(NEW).get_data(as_text=True)
    assert (f'value="{first.id}"' in page, f'value="{second.id}"' in page) == (False, True)
    assert clerk.post(NEW, data={"once": "b" * 32, "party": str(first.id)}).status_code == 422
