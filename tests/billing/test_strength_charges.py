"""A plant whose schedule charges by strength: awaited results hold a load's charges back, results add to them."""

from datetime import date
from typing import Any

from billing.actions import credit_charge, make_invoice
from billing.queries import balance_cents, check_ledger, held_back, invoice_lines, unpaid_cents
from haulers.queries import party_of_business
from intake.actions.lab import enter_result
from intake.queries import pounds
from office.access import system
from office.db import db
from office.law import adopt_law
from tests import world
from tests.billing import books
from tests.intake.gatehouse import good, kept, log
from tests.intake.plant import MORNING, hauler
from tests.ordinances.common import changed
from tests.ordinances.town import item

OCT_6 = date(2026, 10, 6)
BOD = item("bod", "per_pound_over", 'price = "0.16"\nparameter = "bod"\nabove = "200"\nlb_factor = "8.34"\n'
           'basis = ["measured", "declared"]')  # fmt: skip


def entered(load: Any, typed: str, **more: Any) -> Any:
    return kept(enter_result(load, "BOD5", typed, by=world.staff("operator"), at=world.at("2026-10-09T09:00"),
                             law=world.law(), sure=True, **more))  # fmt: skip


def strong_load(folder: Any) -> tuple[Any, Any]:
    made = adopt_law(world.plant(), changed(folder, extra=BOD), date(2026, 10, 1), "Ord. 1", by=system(), at=MORNING)
    assert made is not None
    db.session.commit()
    who = hauler()
    return who, good(log(who, 1500))


def owed(load: Any) -> int:
    db.session.commit()
    assert check_ledger() == []
    return balance_cents(books.account(party_of_business(load.business_id)).id)


def test_results_are_awaited_and_then_charged_by_the_pound(app: Any, tmp_path: Any) -> None:
    _who, load = strong_load(tmp_path)
    assert owed(load) == 4816
    (waiting,) = held_back(world.plant().id)
    assert (waiting.label, waiting.cents) == ("Load 2026-00001", 4816)
    assert waiting.reasons == ("Results are awaited: BOD5",)
    entered(load, "6,480")
    assert owed(load) == 4816 + 1257
    assert held_back(world.plant().id) == []
    entered(load, "<2", reason="The laboratory mended it")
    assert owed(load) == 4816
    found = pounds.of_load(load)
    assert found is not None
    assert found.rule.endswith(
        "Where a charge goes by strength, a result below the detection limit counts as 0 and one above the test as the "
        "figure after >: nothing that is not sure is charged.")  # fmt: skip


def test_a_result_that_changes_after_a_credit_is_charged_anew_less_the_credit(app: Any, tmp_path: Any) -> None:
    _who, load = strong_load(tmp_path)
    entered(load, "6,480")
    account = books.account(party_of_business(load.business_id))
    given: dict[str, Any] = {"by": world.staff("clerk"), "at": world.at("2026-10-09T10:00"), "law": world.law()}
    invoice: Any = make_invoice(world.plant(), account, **given)
    (bod,) = [entry for entry, _ in invoice_lines(invoice.id) if entry.code == "bod"]
    kept(credit_charge(bod, 500, "The laboratory was late", **given))
    assert owed(load) == 4816 + 1257 - 500
    entered(load, "5,000", reason="The laboratory mended it")
    assert owed(load) == 4816 + 961 - 500
    assert unpaid_cents(invoice.id) == 4816
    again: Any = make_invoice(world.plant(), account, **given)
    assert (again.total_cents, unpaid_cents(again.id)) == (961, 461)
    entered(load, "<2", reason="It was another load's")
    assert owed(load) == 4816
