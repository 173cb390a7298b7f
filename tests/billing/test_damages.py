"""An expense, loss or damage is a cited charge with evidence, disputed by itself (§ 329-10 C)."""

import io
from datetime import date
from typing import Any

import pytest

from billing import actions
from billing.models import Damage, DamageFile, Entry, FeeDispute
from billing.queries import balance_cents, damages, disputes, invoice_lines
from office.access import system
from office.db import db
from office.files import Upload
from office.law import adopt_law
from office.notices import Notice
from ordinances.refusal import Refusal
from tests import world
from tests.billing import books
from tests.billing.test_routes import send, signed_in, text_of, two

__all__ = ["two"]
OCT_6, OCT_12 = date(2026, 10, 6), date(2026, 10, 12)
PDF = b"%PDF-1.4 the bill of the repair"
BILL = Upload("bill.pdf", len(PDF), PDF)
BOXES = {"happened_on-month": "10", "happened_on-day": "6", "happened_on-year": "2026"}


def charge(who: Any, cents: int = 123_450, day: date = OCT_6, **more: Any) -> Any:
    given = {"what": "Pump of the receiving station", "cause": "Rags in the load broke it (§ 329-6 C)"} | more
    evidence = given.pop("evidence", (BILL, "The bill of the repair"))
    return actions.charge_damage(world.plant(), books.account(who), cents, given["what"], given["cause"], day, evidence,
                                 by=world.staff("clerk"), at=books.noon(OCT_12), law=world.law(OCT_12))  # fmt: skip


def test_it_is_a_charge_under_its_section_with_the_file_kept_and_the_hauler_told(app: Any, two: Any) -> None:
    before = balance_cents(books.account(two[0]).id)
    made: Any = charge(two[0])
    assert isinstance(made, Damage), made
    entry = db.session.query(Entry).filter_by(source_kind="damage", source_id=made.id).one()
    assert (entry.kind, entry.what, entry.amount_cents, entry.cite, entry.on_day) == (
        "charge", "Expense, loss or damage: Pump of the receiving station", 123_450, "§ 329-10 C", OCT_6,
    )  # fmt: skip
    assert balance_cents(books.account(two[0]).id) == before + 123_450
    (found,) = damages(world.plant().id, made.account_id)
    assert [(one.note, file.name, file.content) for one, file in found.files] == [
        ("The bill of the repair", "bill.pdf", PDF),
    ]  # fmt: skip
    notice = db.session.query(Notice).filter_by(kind="damage").one()
    assert notice.subject == "$1,234.50 charged: Pump of the receiving station"
    assert notice.body == (
        "City of Bayfield charges you $1,234.50 for an expense, loss or damage of October 6, 2026 (§ 329-10 C): "
        "Pump of the receiving station.\nHow it came about: Rags in the load broke it (§ 329-6 C).\nThe evidence is on "
        "your Money page after you sign in. If you dispute it, write to the city: it is disputed by itself, and no "
        "late charge is taken of it meanwhile."
    )


@pytest.mark.parametrize(
    ("given", "code"),
    [({"cents": 0}, "amount_not_positive"), ({"day": date(2026, 10, 13)}, "date_in_future"),
     ({"what": " "}, "nothing_said"), ({"cause": " "}, "nothing_said"), ({"day": date(1990, 1, 1)}, "not_liable"),
     ({"evidence": (Upload("a.exe", 2, b"MZ"), "x")}, "bad_file"), ({"evidence": (BILL, " ")}, "no_note")],
)  # fmt: skip
def test_what_cannot_be_charged_leaves_nothing(app: Any, two: Any, given: dict[str, Any], code: str) -> None:
    assert charge(two[0], **given).code == code
    assert (db.session.query(Damage).count(), db.session.query(DamageFile).count()) == (0, 0)


@pytest.mark.parametrize(("town", "cite"), [("lawrence", "§ 216-10 B"), ("gillett", "§ 20-30 D")])
def test_each_town_charges_it_under_its_own_section(app: Any, two: Any, town: str, cite: str) -> None:
    adopt_law(world.plant(), town, date(2026, 10, 2), "Ordinance", by=system(), at=world.START)
    made: Any = charge(two[0])
    assert damages(world.plant().id, made.account_id)[0].charge.cite == cite


def test_it_is_disputed_by_itself_and_never_with_fees(app: Any, two: Any) -> None:
    made: Any = charge(two[0])
    account = books.account(two[0])
    known: Any = {"by": world.staff("clerk"), "at": books.noon(OCT_12), "law": world.law(OCT_12)}
    (found,) = damages(world.plant().id, account.id)
    mixed: Any = actions.open_dispute(world.plant(), account, [found.charge], "The pump", gallons=1, waste="other",
                                      asked_on=OCT_12, **known)  # fmt: skip
    assert mixed.code == "no_charges"
    own: Any = actions.dispute_damage(world.plant(), made, found.charge, "The pump was old", OCT_12, **known)
    assert isinstance(own, FeeDispute), own
    again: Any = actions.dispute_damage(world.plant(), made, found.charge, "The pump was old", OCT_12, **known)
    assert (again.code, again.why) == (
        "in_dispute", "One of these charges is in dispute already: take that dispute on.",
    )  # fmt: skip
    (one,) = disputes(world.plant().id)
    assert ([entry.id for entry in one.charges], one.cents) == ([found.charge.id], 123_450)
    assert [step.stage for step in one.steps] == ["The city reviews the charge"]
    invoice = books.bill(two[0], OCT_12)
    assert found.charge.id not in {entry.id for entry, _ in invoice_lines(invoice.id)}
    actions.take_dispute_on(own, "", "It stands", OCT_12, **known)
    assert [entry.id for entry, _ in invoice_lines(books.bill(two[0], OCT_12).id)] == [found.charge.id]


def test_clerk_and_hauler_read_it_on_pages_and_another_hauler_does_not(app: Any, two: Any) -> None:
    clerk, account = signed_in(app, "clerk"), books.account(two[0])
    address = f"/clerk/accounts/{account.id}/damage"
    assert "liable to the City and others for any expense, loss or damage, including repairs." in text_of(
        clerk.get(f"/bayfield{address}"))  # fmt: skip
    form = {"what": "Pump", "amount": "1,234.50", "cause": "Rags in the load", "note": "The bill", **BOXES}
    lacking = send(clerk, address, **form)
    assert "Choose the file of evidence" in text_of(lacking)
    done = send(clerk, address, **form, once="b" * 32, file=(io.BytesIO(PDF), "bill.pdf"))
    assert done.status_code == 303, text_of(done)
    page = text_of(clerk.get(done.location))
    assert "<dd>$1,234.50</dd>" in page
    assert ">The bill</a>, bill.pdf, added Monday, October 12, 2026, 10:00 a.m. by Clerk of the City" in page
    sent = send(clerk, f"{done.location.removeprefix('/bayfield')}/dispute", why="Old pump", once="c" * 32,
                **{"asked_on-month": "10", "asked_on-day": "12", "asked_on-year": "2026"})  # fmt: skip
    assert sent.location == done.location
    assert "In dispute" in text_of(clerk.get(done.location))
    mine, other = signed_in(app, "first@septic.example"), signed_in(app, "second@septic.example")
    made = db.session.query(Damage).one()
    assert f"Damage {made.id}</a>, October 6, 2026: Pump, $1,234.50" in text_of(mine.get("/bayfield/hauler/money"))
    own = text_of(mine.get(f"/bayfield/hauler/damages/{made.id}"))
    file_id = db.session.query(DamageFile).one().id
    assert "Total at issue" in own
    assert mine.get(f"/bayfield/hauler/damages/{made.id}/evidence/{file_id}").get_data() == PDF
    assert other.get(f"/bayfield/hauler/damages/{made.id}").status_code == 404
    assert other.get(f"/bayfield/hauler/damages/{made.id}/evidence/{file_id}").status_code == 404
    assert "Septage unloaded" in text_of(clerk.get(f"/bayfield/clerk/accounts/{account.id}/dispute"))
    assert "Expense, loss" not in text_of(clerk.get(f"/bayfield/clerk/accounts/{account.id}/dispute"))


def test_a_void_invoice_charges_the_damage_again_once(app: Any, two: Any) -> None:
    charge(two[0])
    invoice = books.bill(two[0], OCT_12)
    known: Any = {"by": world.staff("clerk"), "at": books.noon(OCT_12), "law": world.law(OCT_12)}
    assert not isinstance(actions.void_invoice(world.plant(), invoice, "Wrong", **known), Refusal)
    found = damages(world.plant().id, invoice.account_id)
    assert [(one.charge.line_code, one.charge.amount_cents) for one in found] == [("damage#2", 123_450)]


def test_one_taken_back_or_credited_says_what_is_left_of_it_on_every_page(app: Any, two: Any) -> None:
    made: Any = charge(two[0])
    account, clerk, mine = books.account(two[0]), signed_in(app, "clerk"), signed_in(app, "first@septic.example")
    known: Any = {"by": world.staff("clerk"), "at": books.noon(OCT_12), "law": world.law(OCT_12)}
    entry = db.session.query(Entry).filter_by(source_kind="damage").one()
    books.bill(two[0], OCT_12)
    pages = [(clerk, f"/bayfield/clerk/accounts/{account.id}"), (clerk, f"/bayfield/clerk/damages/{made.id}"),
             (mine, "/bayfield/hauler/money"), (mine, f"/bayfield/hauler/damages/{made.id}")]  # fmt: skip
    credit: Any = actions.credit_charge(entry, 23_450, "The pump was old", **known)
    db.session.commit()
    assert all("$1,000.00 left of $1,234.50" in text_of(who.get(page)) for who, page in pages)
    assert not isinstance(actions.take_back_line(credit, "A slip", **known), Refusal)
    assert not isinstance(actions.take_back_line(entry, "Not theirs", **known), Refusal)
    db.session.commit()
    assert all("nothing left of $1,234.50" in text_of(who.get(page)) for who, page in pages)
    said = text_of(mine.get(f"/bayfield/hauler/damages/{made.id}"))
    assert "Taken back: nothing is to be paid of it" in said and "If you dispute it" not in said
    assert "Record that it is disputed" not in text_of(clerk.get(f"/bayfield/clerk/damages/{made.id}"))
    gone: Any = actions.dispute_damage(world.plant(), made, entry, "The pump was old", OCT_12, **known)
    assert (gone.code, gone.why) == (
        "nothing_left", "Nothing is left of what is disputed: it was taken back or credited.",
    )  # fmt: skip


@pytest.mark.parametrize(("day", "why"), [
    ("5", "Date asked must be October 6, 2026 or later: the day of the charge."),
    ("30", "Date asked must be October 12, 2026 or earlier."),
])  # fmt: skip
def test_a_bad_date_of_a_dispute_is_said_at_the_date(app: Any, two: Any, day: str, why: str) -> None:
    made: Any = charge(two[0])
    db.session.commit()
    boxes = {"asked_on-month": "10", "asked_on-day": day, "asked_on-year": "2026"}
    page = text_of(send(signed_in(app, "clerk"), f"/clerk/damages/{made.id}/dispute", why="Old", **boxes))
    assert f'<a href="#asked_on-month">{why}</a>' in page
