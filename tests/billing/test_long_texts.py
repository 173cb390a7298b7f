"""Texts as long as the forms let them be: charged, credited, taken back, and nothing is too long for its column."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from billing import actions
from billing.queries import check_ledger, entries_of, ledger
from office.db import db
from ordinances.reader import LawError, load_profile
from tests import world
from tests.billing import books
from tests.billing.test_damages import charge as charge_damage
from tests.intake.gatehouse import good, log
from tests.intake.plant import hauler
from tests.intake.test_more_tests import NOW
from tests.intake.test_station_pages import post, signed_in, text
from tests.ordinances.common import changed
from tests.ordinances.town import item

OCT_12, OCT_13 = date(2026, 10, 12), date(2026, 10, 13)
LONG = "The screen of the receiving station, its rake, the lid of the channel beside it and the fence " * 2


def test_a_credit_of_a_long_charge_is_taken_back_and_its_invoice_made_void(app: Any) -> None:
    who, what = books.party(), LONG[:160]
    books.load(who)
    damage = charge_damage(who, 12_000, what=what)
    (charge,) = entries_of("damage", damage.id)
    invoice = books.bill(who, OCT_12)
    later = {"by": world.staff("clerk"), "at": books.noon(OCT_13), "law": world.law(OCT_12)}
    credit: Any = actions.credit_charge(charge, 2_000, "Half of it was old", **later)
    back: Any = actions.take_back_line(credit, "It was not", **later)
    actions.write_off(invoice, "Gone", **later)
    actions.void_invoice(world.plant(), invoice, "Wrong address", **later)
    db.session.commit()
    assert check_ledger() == []
    assert charge.what.endswith(what)
    whole = f"Taken back: Credit: {charge.what}"
    assert back.what == (whole if len(whole) <= 200 else f"{whole[:199].rstrip()}…")
    assert max(len(line.entry.what) for line in ledger(invoice.account_id)) <= 200


@pytest.mark.parametrize(("letters", "status"), [(185, 303), (186, 422)])
def test_further_tests_are_named_in_as_many_letters_as_the_ledger_takes(
    app: Any, clock_at: Any, letters: int, status: int
) -> None:
    clock_at(NOW)
    load = good(log(hauler(), 100))
    sent = {"what": "m" * letters, "tests": "1", "office": "Department of Natural Resources", "ordered_by": "K. Berg",
            "reason": "Green"}  # fmt: skip
    answer = post(signed_in(app, "operator"), f"/station/load/{load.ticket}/tests", sent)
    assert answer.status_code == status
    if status == 422:
        assert "185 characters or fewer" in text(answer.text)


def test_what_is_too_long_for_its_column_is_refused_in_words_and_kept(
    app: Any, clock_at: Any, monkeypatch: Any
) -> None:
    """A form that lets in more than its column takes is a mistake; whoever meets one reads what to do."""
    clock_at(NOW)
    load = good(log(hauler(), 100))
    monkeypatch.setattr("office.fields.TextField.check", lambda *_: None)
    sent = {"what": "m" * 201, "tests": "1", "office": "Department of Natural Resources", "ordered_by": "K. Berg",
            "reason": "Green"}  # fmt: skip
    answer = post(signed_in(app, "operator"), f"/station/load/{load.ticket}/tests", sent)
    assert answer.status_code == 409
    said = text(answer.text)
    assert "A text is too long to be kept: it has 201 characters, 200 are the most." in said
    assert "Go back and write it shorter." in said
    assert "m" * 201 in said


@pytest.mark.parametrize(("code", "field", "letters", "most"), [
    ("c" * 31, "code", 31, 30), ("gate", "what", 121, 120), ("gate", "unit", 41, 40), ("gate", "cite", 96, 95),
])  # fmt: skip
def test_a_law_whose_words_no_charge_could_keep_is_named_wrong(
    tmp_path: Path, code: str, field: str, letters: int, most: int
) -> None:
    made = item(code, "per_test" if field == "unit" else "per_load", 'price = "7.00"', "1992-01-01")
    long = "§ 9-1 " + "x" * (letters - 6) if field == "cite" else "w" * letters
    if field == "unit":
        made += f'unit = "{long}"\n'
    elif field != "code":
        lines = [f'{field} = "{long}"' if one.startswith(f"{field} = ") else one for one in made.splitlines()]
        made = "\n".join(lines) + "\n"
    with pytest.raises(LawError) as raised:
        load_profile(changed(tmp_path, extra=made))
    found = [(one.key, one.what, one.mend) for one in raised.value.problems]
    assert any(
        key == f"item.{field}" and what.endswith(f"has {letters} letters") and mend == f"Write {most} letters or fewer"
        for key, what, mend in found
    ), found
