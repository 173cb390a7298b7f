"""A plant whose schedule charges by strength: awaited results hold a load's charges back, results add to them."""

from datetime import date
from typing import Any

import pytest

from billing.actions import credit_charge, make_invoice
from billing.queries import balance_cents, check_ledger, held_back, invoice_lines, standing_of, unpaid_cents
from haulers.queries import party_of_business
from intake.actions.lab import enter_result
from intake.queries import pounds
from office.access import system
from office.db import db
from office.law import adopt_law
from ordinances.refusal import Refusal
from tests import world
from tests.billing import books
from tests.billing.test_fees_pages import words
from tests.billing.test_routes import signed_in
from tests.intake.gatehouse import good, kept, log
from tests.intake.plant import MORNING, hauler
from tests.ordinances.common import changed, without_items
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


CLASSES = (
    '\n[[strength_class]]\ncode = "high"\nabove = { bod = "6000", tss = "20000" }\nneeds = "all"\n'
    'from = 1992-01-01\ncite = "§ 9-1"\n'
    + "".join(
        item(
            name,
            "per_gallons",
            f'price = "{price}"\nbasis = ["measured", "declared"]\nstrength_class = ["{name}"]',
            "1992-01-01",
        )
        for name, price in (("normal", "0.05"), ("high", "0.08"))
    )
)
COUNTS_AS = '\n[[untested]]\nstrength_class = "normal"\nfrom = 1992-01-01\ncite = "§ 9-2"\nreading = "Silent."\n'


def priced_by_class(folder: Any, extra: str = "", **given: Any) -> Any:
    path = changed(folder)
    path.write_text(without_items(path.read_text(encoding="utf-8")) + CLASSES + extra, encoding="utf-8")
    adopt_law(world.plant(), path, date(2026, 10, 1), "Ord. 1", by=system(), at=MORNING)
    db.session.commit()
    return good(log(hauler(), 1500, **given))


UNTESTED: dict[str, Any] = {"tested": False, "bottle": "", "untested": "The sampler is broken"}
WAITS = "Price by strength, awaits the result of BOD5 and TSS"


def standing(load: Any) -> list[tuple[str, int]]:
    return [(entry.what, entry.amount_cents) for entry in standing_of("load", [load.id])]


@pytest.mark.parametrize(("given", "why"), [
    (UNTESTED, "Not tested, and its price goes by BOD5 and TSS: a laboratory's result is awaited"),
    ({}, "Results are awaited: BOD5 and TSS"),
])  # fmt: skip
def test_a_load_priced_by_its_strength_is_held_until_a_result_says_which(
    app: Any, clock_at: Any, tmp_path: Any, given: dict[str, Any], why: str
) -> None:
    clock_at("2026-10-09T10:00")
    load = priced_by_class(tmp_path, **given)
    assert (owed(load), standing(load)) == (0, [(WAITS, 0)])
    (waiting,) = held_back(world.plant().id)
    assert (waiting.label, waiting.cents, waiting.reasons) == ("Load 2026-00001", 0, (why,))
    preview = words(signed_in(app, "clerk").get("/bayfield/clerk/invoices/run").get_data(as_text=True))
    assert f"Load 2026-00001: {why}" in preview and "There is nothing new to put on an invoice." in preview
    # The laboratory's page asks for it, also where no sample was taken.
    assert "2026-00001" in words(signed_in(app, "operator").get("/bayfield/plant/lab").get_data(as_text=True))
    entered(load, "6,001")
    assert (owed(load), standing(load)) == (0, [("Price by strength, awaits the result of TSS", 0)])
    kept(enter_result(load, "TSS", "20,001", by=world.staff("operator"), at=world.at("2026-10-09T09:00"),
                      law=world.law(), sure=True))  # fmt: skip
    assert (owed(load), standing(load), held_back(world.plant().id)) == (12000, [("High", 12000)], [])
    entered(load, "6,000", reason="The laboratory mended it")
    assert (owed(load), standing(load)) == (7500, [("Normal", 7500)])


def test_a_load_nobody_tested_is_priced_by_what_the_law_says_of_such_a_load(
    app: Any, clock_at: Any, tmp_path: Any
) -> None:
    clock_at("2026-10-09T10:00")
    load = priced_by_class(tmp_path, COUNTS_AS, **UNTESTED)
    assert (owed(load), standing(load), held_back(world.plant().id)) == (7500, [("Normal", 7500)], [])
    (entry,) = standing_of("load", [load.id])
    assert entry.how == (
        "1,500 gallons measured at $0.05 a gallon. Not tested: it counts as of normal strength (§ 9-2). Silent."
    )
    # It has its price, so no result is asked for.
    refused = enter_result(load, "BOD5", "6,480", by=world.staff("operator"), at=world.at("2026-10-09T09:00"),
                           law=world.law())  # fmt: skip
    assert isinstance(refused, Refusal) and refused.code == "not_tested"
    page = words(app.test_client().get("/bayfield/fees").get_data(as_text=True))
    assert "A load that is not tested counts as of normal strength" in page
    assert "Class of strength: high BOD5 above 6,000 mg/L and TSS above 20,000 mg/L" in page
