"""What a hauler is told of a late charge that becomes smaller, larger, or is taken back."""

from datetime import date
from typing import Any

from sqlalchemy import select

from billing import actions
from billing.models import Entry
from office.access import system
from office.db import db
from office.jobs import tick
from office.notices import Notice
from tests import world
from tests.billing import books
from tests.billing.test_late import OCT_1, OCT_20, OCT_22, billed, late_lines, only_late_charges, standing, took_back

__all__ = ["only_late_charges"]
IN_TIME = "A payment received in time was entered later."


def told() -> list[tuple[str, str]]:
    """Subject and body of each notice of a late charge after the first."""
    found = db.session.scalars(select(Notice).filter_by(kind="late_charge").order_by(Notice.id))
    return [(one.subject, one.body) for one in found][1:]


def given(day: date) -> dict[str, Any]:
    return {"by": system(), "at": books.noon(day), "law": world.law(OCT_1)}


def test_one_made_smaller_and_then_taken_back_is_told_so_with_the_reason(app: Any) -> None:
    who, invoice = billed(paid="")
    tick(books.noon(OCT_22))
    books.pay(who, "20.00", OCT_20, date(2026, 10, 25))
    books.pay(who, "28.16", OCT_20, date(2026, 10, 26))
    assert standing(invoice) == []
    assert told() == [
        ("Late charge on invoice 2026-00001: $2.82 instead of $4.82",
         "The late charge of $4.82 on invoice 2026-00001 is taken back; it is $2.82 and will be on your next invoice.\n"
         f"Why: {IN_TIME}"),
        ("Late charge on invoice 2026-00001: $2.82 taken back",
         f"The late charge of $2.82 on invoice 2026-00001 is taken back.\nWhy: {IN_TIME}"),
    ]  # fmt: skip


def test_one_made_whole_again_after_a_check_bounced_is_told_with_what_it_was(app: Any) -> None:
    who, _invoice = billed(paid="")
    tick(books.noon(OCT_22))
    check = books.pay(who, "20.00", OCT_20, date(2026, 10, 25))
    took_back(check, date(2026, 11, 2))
    tick(books.noon(date(2026, 11, 2)))
    assert told()[1:] == [
        ("Late charge on invoice 2026-00001: $4.82 instead of $2.82",
         "The late charge of $2.82 on invoice 2026-00001 is taken back; it is $4.82 and will be on your next invoice.\n"
         "Why: A payment that made it smaller was taken back.")
    ]  # fmt: skip


def test_one_the_clerk_takes_back_is_told_once_by_itself_and_with_its_invoice(app: Any) -> None:
    _who, invoice = billed(paid="")
    tick(books.noon(OCT_22))
    (late,) = late_lines()
    actions.take_back_line(late, "The Council waived it", **given(date(2026, 10, 23)))
    words = "The late charge of $4.82 on invoice 2026-00001 is taken back.\nWhy: "
    assert [body for _, body in told()] == [f"{words}The Council waived it"]
    actions.void_invoice(world.plant(), invoice, "Another hauler's", **given(date(2026, 10, 24)))
    assert len(told()) == 1


def test_one_of_a_void_invoice_is_told_too(app: Any) -> None:
    _who, invoice = billed(paid="")
    tick(books.noon(OCT_22))
    actions.void_invoice(world.plant(), invoice, "Another hauler's", again=False, **given(date(2026, 10, 24)))
    words = "The late charge of $4.82 on invoice 2026-00001 is taken back.\nWhy: Invoice 2026-00001 is void: "
    assert [body for _, body in told()] == [f"{words}Another hauler's"]


def test_what_is_credited_of_one_is_told_as_a_credit(app: Any) -> None:
    who, invoice = billed(paid="")
    tick(books.noon(OCT_22))
    (late,) = late_lines()
    books.bill(who, date(2026, 10, 23))
    actions.credit_charge(late, 100, "Goodwill", **given(date(2026, 10, 23)))
    books.pay(who, "20.00", OCT_20, date(2026, 10, 25))
    assert standing(invoice) == [(OCT_22, 282)]
    assert told() == [
        ("Late charge on invoice 2026-00001: $1.00 credited",
         "Of the late charge on invoice 2026-00001 $1.00 is credited to you; $2.82 of it is left.\n"
         f"Why: {IN_TIME}")
    ]  # fmt: skip


def test_how_money_is_spread_has_its_own_words_in_the_ledger_and_to_the_hauler(app: Any) -> None:
    who, first = billed(paid="")
    books.load(who)
    second = books.bill(who, OCT_1)
    check = books.pay(who, "48.16", OCT_20)
    db.session.commit()
    tick(books.noon(OCT_22))
    assert (standing(first), standing(second)) == ([], [(OCT_22, 482)])
    for chosen in ({second.id: 4816}, {}, {second.id: 4816}):
        actions.spread_payment(world.plant(), check, chosen, **given(date(2026, 10, 25)))
    assert (standing(first), standing(second)) == ([(OCT_22, 482)], [])
    reasons = list(db.session.scalars(select(Entry.reason).filter_by(kind="reversal").order_by(Entry.id)))
    assert reasons == ["Money that came in time is set against this invoice."] * 3
    taken = [body for subject, body in told() if "taken back" in subject]
    assert taken == [
        f"The late charge of $4.82 on invoice {invoice.number} is taken back.\n"
        "Why: Money that came in time is set against this invoice." for invoice in (second, first, second)
    ]  # fmt: skip
