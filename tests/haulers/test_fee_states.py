"""The filing fee as the ledger has it: not set, received, taken back."""

from typing import Any

import pytest
from sqlalchemy import select

from billing.actions import reverse_entry
from billing.models import Entry, Payment
from haulers.models import Application
from haulers.queries import fees_of
from office.access import Role, system
from office.acts import act
from office.db import db
from office.plants import PlantRow
from tests import world
from tests.haulers.builders import filed, hauler
from tests.haulers.test_pages_hauler import once, signed_in, text

PAID = {"method": "check", "reference": "1042", "received_on-month": "8", "received_on-day": "19",
        "received_on-year": "2026"}  # fmt: skip


@act("test_fee_unset", roles=(Role.SYSTEM,))
def no_fee(*, by: Any, at: Any) -> bool:
    for row in db.session.scalars(select(PlantRow).filter_by(key="fees.filing")):
        row.since = row.since.replace(year=2028)
    return True


@pytest.fixture
def application(app: Any, clock_at: Any) -> Application:
    clock_at("2026-08-20T09:00")
    return filed(hauler())


def take_back() -> None:
    entry = db.session.scalars(select(Entry).join(Payment, Payment.entry_id == Entry.id)).one()
    when = world.at("2026-08-25T10:00")
    assert not isinstance(reverse_entry(entry, "Check returned", by=world.staff("clerk"), at=when), type(None))
    db.session.commit()


def test_a_fee_taken_back_in_the_ledger_is_taken_back_on_every_page(app: Any, application: Application,
                                                                    clock_at: Any) -> None:  # fmt: skip
    clerk = signed_in(app, "clerk")
    address = f"/bayfield/clerk/filings/{application.id}"
    clerk.post(f"{address}/fee", data=PAID | once())
    assert "Received Wed, Aug 19" in text(clerk.get("/bayfield/clerk/filings"))
    assert fees_of([application.id])[application.id].holds
    take_back()
    assert not fees_of([application.id])[application.id].holds
    filings = text(clerk.get("/bayfield/clerk/filings"))
    assert "Taken back August 25, 2026" in filings
    assert "Received" not in filings
    assert "Taken back August 25, 2026" in text(clerk.get(address))
    fee = text(clerk.get(f"{address}/fee"))
    assert "The fee was taken back Tuesday, August 25, 2026" in fee
    assert "Check returned" in fee
    assert "/bayfield/clerk/payments/new" in fee
    table = text(signed_in(app, "member1").get("/bayfield/committee"))
    assert "Fee taken back" in table
    theirs = text(signed_in(app).get("/bayfield/hauler/apply"))
    assert "taken back Tuesday, August 25, 2026. It is owed again" in theirs


def test_without_an_amount_the_clerk_is_led_to_it_and_the_hauler_is_not_told_to_pay(app: Any, application: Application,
                                                                                   ) -> None:  # fmt: skip
    assert "Pay it at City Hall" in text(signed_in(app).get("/bayfield/hauler/apply"))
    no_fee(by=system(), at=world.START)
    db.session.commit()
    page = text(signed_in(app, "clerk").get(f"/bayfield/clerk/filings/{application.id}/fee"))
    assert '<a href="/bayfield/admin/amounts">Settings: Amounts</a>' in page
    theirs = text(signed_in(app).get("/bayfield/hauler/apply"))
    assert "The filing fee is not set" in theirs
    assert "There is nothing to pay now." in theirs
    assert "City Hall" not in theirs
