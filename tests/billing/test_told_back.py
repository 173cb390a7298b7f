"""What the clerk takes back is told to the hauler once, with the reason; the page says who owes what afterwards."""

from datetime import date, datetime
from typing import Any

import pytest

from billing import actions
from billing.models import Entry
from billing.queries import invoice_lines, payment_of
from office.access import Actor, Role
from office.acts import act
from office.db import db
from office.notices import Notice
from ordinances.reader import Law
from ordinances.refusal import Refusal
from tests import world
from tests.billing import books
from tests.billing.test_routes import send, signed_in, text_of, two

__all__ = ["two"]
OCT_6, OCT_8 = date(2026, 10, 6), date(2026, 10, 8)
KNOWN = {"receipt", "invoice"}


def given() -> dict[str, Any]:
    return {"by": world.staff("clerk"), "at": books.noon(OCT_8), "law": world.law(OCT_8)}


def told() -> list[tuple[str, str, str]]:
    return [(one.kind, one.subject, one.body) for one in db.session.query(Notice).order_by(Notice.id)
            if one.kind not in KNOWN]  # fmt: skip


def made(what: str) -> Entry:
    """A line of each kind on an account that owes $48.16 on one invoice."""
    who = books.party()
    books.load(who)
    invoice = books.bill(who, OCT_6)
    charge, account = invoice_lines(invoice.id)[0][0], books.account(who)
    if what == "charge":
        return charge
    if what == "credit":
        found: Any = actions.credit_charge(charge, 1000, "Too many", **given())
    elif what == "write_off":
        (found, _) = actions.write_off(invoice, "Gone", **given())  # type: ignore[misc]
    else:
        paid = books.pay(who, "60.00", OCT_6)
        found = db.session.get_one(Entry, paid.entry_id)
    if what == "refund":
        (found,) = actions.refund_credit(world.plant(), account, None, "check", "7", "Asked", **given())  # type: ignore[misc]
    db.session.query(Notice).delete()
    return found  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("what", "subject", "body", "page"),
    [
        ("charge", "Taken back: Septage unloaded, $36.00",
         "Septage unloaded: $36.00 is taken back. You do not owe it; what you paid for it is your credit.\n"
         "Why: A slip\n$12.16 is still owed after this.",
         "The hauler owes as much less. An invoice that holds the charge asks for so much less"),
        ("credit", "Taken back: Credit: Septage unloaded, $10.00",
         "Credit: Septage unloaded: $10.00 is taken back, and is owed again on invoice 2026-00001.\n"
         "Why: A slip\n$48.16 is still owed after this.",
         "A line of $10.00 is added, dated today; the line itself stays. The hauler owes as much more: the charge "
         "stands as if this had not been credited."),
        ("write_off", "Taken back: Written off: Septage unloaded, $36.00",
         "Written off: Septage unloaded: $36.00 is taken back, and is owed again on invoice 2026-00001.\n"
         "Why: A slip\n$36.00 is still owed after this.",
         "The hauler owes as much more: the city asks again for what it had given up."),
        ("payment", "Taken back: Payment by check, no. 1042, $60.00",
         "Payment by check, no. 1042, $60.00, is taken back: what it paid is owed again.\n"
         "Why: A slip\n$48.16 is still owed after this.",
         "What it paid is owed again, and what was paid back of it."),
        ("refund", "Taken back: Paid back by check, no. 7, $11.84",
         "Paid back by check, no. 7, Receipt 2026-00001, $11.84, is taken back: it counts as your credit again.\n"
         "Why: A slip\nAfter this $11.84 is left as credit.",
         "What was paid back is credit again, and pays what is unpaid."),
    ],
)  # fmt: skip
def test_each_line_taken_back_is_told_once_and_the_page_says_what_it_does(
    app: Any, what: str, subject: str, body: str, page: str
) -> None:
    entry = made(what)
    db.session.commit()
    address = f"/clerk/accounts/{entry.account_id}/reverse/{entry.id}"
    shown = text_of(signed_in(app, "clerk").get(f"/bayfield{address}"))
    assert page in shown and "It stays on the record, and the hauler is told." in shown
    assert ("It stays taken back when the load is corrected later." in shown) == (what == "charge")
    assert send(signed_in(app, "clerk"), address, reason="A slip").status_code == 303
    assert told() == [("taken_back", subject, body)]


@act("test_told_replace", roles=(Role.CLERK,))
def _replace(entry: Entry, lines: list[Entry], *, by: Actor, at: datetime, law: Law) -> Entry:
    taken: Any = actions.take_back(entry, "Less", by=by, at=at, law=law)
    actions.pass_on(taken, lines, by=by, at=at)
    return entry


def test_credit_that_is_kept_and_taken_back_is_owed_again(app: Any) -> None:
    """Left over of a charge made again for less: no charge can take it."""
    who = books.party()
    (entry, *_) = books.load(who)
    books.bill(who, OCT_6)
    credit: Any = actions.credit_charge(entry, None, "All of it", **given())
    assert not isinstance(credit, Refusal)
    _replace(entry, books.load(who, 500, tested=False), **given())
    kept = db.session.query(Entry).filter_by(kind="credit", credits_id=None).one()
    assert payment_of(kept.id) is not None
    db.session.query(Notice).delete()
    db.session.commit()
    page = text_of(signed_in(app, "clerk").get(f"/bayfield/clerk/accounts/{kept.account_id}/reverse/{kept.id}"))
    assert "What it paid is owed again" in page and "The hauler owes as much" not in page
    assert not isinstance(actions.take_back_line(kept, "A slip", **given()), Refusal)
    ((_, subject, said),) = told()
    assert subject.startswith("Taken back: Credit kept, left over of Septage unloaded, ")
    assert "is taken back: what it paid is owed again.\nWhy: A slip\n" in said
    assert db.session.query(Notice).count() == 1


def test_what_a_payment_pays_is_told_where_the_clerk_changes_it(app: Any) -> None:
    who = books.party()
    books.load(who)
    books.bill(who, OCT_6)
    books.load(who, tested=False)
    last = books.bill(who, OCT_6)
    paid = books.pay(who, "36.00", OCT_6)
    db.session.query(Notice).delete()
    actions.spread_payment(world.plant(), paid, {last.id: 3600}, **given())
    actions.spread_payment(world.plant(), paid, {last.id: 3600}, **given())
    (one,) = db.session.query(Notice)
    assert (one.subject, one.body) == (
        "What receipt 2026-00001 pays has changed",
        "Your payment of $36.00, receipt 2026-00001, counts now for:\nInvoice 2026-00002: $36.00",
    )
