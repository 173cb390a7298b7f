"""Credits, write-offs, void invoices made again, returned checks, deposits, a chosen spread."""

from datetime import date
from typing import Any

import pytest
from sqlalchemy import select

from billing import actions
from billing.models import Entry, Invoice
from billing.queries import (
    balance_cents,
    check_ledger,
    invoice_lines,
    invoice_states,
    late_entries,
    left_of,
    parts_of_payment,
    unpaid_cents,
)
from office.access import system
from office.db import db
from office.notices import Notice
from ordinances.refusal import Refusal
from tests import world
from tests.billing import books
from tests.ordinances.common import changed
from tests.ordinances.town import item

OCT_1, OCT_8, OCT_22, NOV_3 = date(2026, 10, 1), date(2026, 10, 8), date(2026, 10, 22), date(2026, 11, 3)


def given(day: date) -> dict[str, Any]:
    return {"by": system(), "at": books.noon(day), "law": world.law(day)}


def billed() -> tuple[Any, Invoice]:
    who = books.party()
    books.load(who)
    invoice = books.bill(who, OCT_1)
    db.session.commit()
    return who, invoice


def charges(invoice: Invoice) -> list[Entry]:
    return [entry for entry, _ in invoice_lines(invoice.id)]


def whole(who: Any) -> int:
    """The balance, after the separate check of the whole ledger found nothing."""
    db.session.commit()
    assert check_ledger() == []
    return balance_cents(books.account(who).id)


def test_part_of_a_line_is_credited_and_then_what_is_left_of_it(app: Any) -> None:
    who, invoice = billed()
    volume, _test = charges(invoice)
    part: Any = actions.credit_charge(volume, 1000, "200 gallons too many", **given(OCT_8))
    assert (part.kind, part.amount_cents, part.what, part.on_day) == (
        "credit",
        -1000,
        "Credit: Septage unloaded",
        OCT_8,
    )
    assert (whole(who), unpaid_cents(invoice.id), left_of(volume)) == (3816, 3816, 2600)
    rest: Any = actions.credit_charge(volume, None, "All of it", **given(OCT_8))
    assert (rest.amount_cents, left_of(volume), whole(who)) == (-2600, 0, 1216)
    more: Any = actions.credit_charge(volume, 1, "More", **given(OCT_8))
    assert (more.code, more.why) == ("nothing_left", "Nothing is left of this charge.")


def test_a_whole_invoice_is_credited_to_exactly_nothing_and_what_was_paid_is_credit(app: Any) -> None:
    who, invoice = billed()
    books.pay(who, "20.00", OCT_8)
    actions.credit_charge(charges(invoice)[0], 333, "Part", **given(OCT_8))
    made: Any = actions.credit_invoice(invoice, "Wrong hauler", **given(OCT_8))
    assert [entry.amount_cents for entry in made] == [-3267, -1216]
    assert (unpaid_cents(invoice.id), whole(who)) == (0, -2000)
    assert [left_of(entry) for entry in charges(invoice)] == [0, 0]
    again: Any = actions.credit_invoice(invoice, "Again", **given(OCT_8))
    assert again.code == "nothing_left"


def test_the_hauler_is_told_of_each_credit_once_with_the_reason(app: Any) -> None:
    _who, invoice = billed()
    actions.credit_charge(charges(invoice)[0], 1000, "Too many gallons", **given(OCT_8))
    actions.credit_invoice(invoice, "Wrong hauler", **given(OCT_8))
    db.session.commit()
    told = db.session.scalars(select(Notice).filter_by(kind="credit").order_by(Notice.id))
    assert [(one.subject, one.body) for one in told] == [
        ("$10.00 credited: Credit: Septage unloaded",
         "Credit: Septage unloaded: $10.00 is credited to you.\nWhy: Too many gallons\n"
         "$38.16 is still owed after this."),
        ("$38.16 credited: invoice 2026-00001",
         "$38.16 is credited to you: all that was left of invoice 2026-00001.\nWhy: Wrong hauler\n"
         "Nothing is owed after this."),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("cents", "reason", "code", "why"),
    [
        (3601, "x", "too_much", "Amount must be $36.00 or less: no more is left of it."),
        (0, "x", "amount_not_positive", "Amount must be more than $0.00."),
        (100, " ", "no_reason", "Enter why this is credited."),
    ],
)
def test_a_credit_that_cannot_be_is_refused(app: Any, cents: int, reason: str, code: str, why: str) -> None:
    _who, invoice = billed()
    refused: Any = actions.credit_charge(charges(invoice)[0], cents, reason, **given(OCT_8))
    assert (refused.code, refused.why) == (code, why)


def test_a_charge_on_no_invoice_is_taken_back_instead_of_credited(app: Any) -> None:
    (volume, _) = books.load(books.party())
    refused: Any = actions.credit_charge(volume, None, "x", **given(OCT_8))
    assert refused.code == "not_invoiced"


def test_a_credited_line_is_not_taken_back_too_and_a_credit_may_be(app: Any) -> None:
    who, invoice = billed()
    volume = charges(invoice)[0]
    credit: Any = actions.credit_charge(volume, 1000, "Wrong", **given(OCT_8))
    refused: Any = actions.reverse_entry(volume, "x", **given(OCT_8))
    assert refused.code == "credited"
    actions.reverse_entry(credit, "The credit was wrong", **given(OCT_8))
    assert (whole(who), unpaid_cents(invoice.id), left_of(volume)) == (4816, 4816, 3600)


def test_a_credit_of_a_later_day_leaves_the_late_charge_as_it_was(app: Any) -> None:
    who, invoice = billed()
    actions.add_late_charge(invoice, **given(NOV_3))
    assert whole(who) == 4816 + 482
    actions.credit_invoice(invoice, "Wrong hauler", **given(NOV_3))
    assert whole(who) == 482  # on day 20 it was owed: a credit of a later day changes nothing then
    assert [entry.amount_cents for entry in late_entries(invoice.id)] == [482]


def test_what_is_unpaid_is_written_off(app: Any) -> None:
    who, invoice = billed()
    books.pay(who, "20.00", OCT_8)
    made: Any = actions.write_off(invoice, "The company was dissolved", **given(NOV_3))
    assert [(entry.kind, entry.amount_cents) for entry in made] == [("write_off", -2816)]
    assert (unpaid_cents(invoice.id), whole(who)) == (0, 0)
    refused: Any = actions.write_off(invoice, "Again", **given(NOV_3))
    assert (refused.code, refused.why) == ("nothing_unpaid", "Nothing is unpaid of this invoice.")


def test_a_void_invoice_is_made_again_with_the_same_balance_and_another_number(app: Any) -> None:
    who, invoice = billed()
    books.pay(who, "20.00", OCT_8)
    before = [(entry.what, entry.amount_cents, entry.day, entry.how, entry.law_version) for entry in charges(invoice)]
    made: Any = actions.void_invoice(world.plant(), invoice, "Wrong address", **given(OCT_22))
    assert isinstance(made, Invoice)
    assert whole(who) == 2816
    assert (invoice.number, made.number, made.total_cents) == ("2026-00001", "2026-00002", 4816)
    assert [(e.what, e.amount_cents, e.day, e.how, e.law_version) for e in charges(made)] == before
    assert (unpaid_cents(invoice.id), unpaid_cents(made.id)) == (0, 2816)
    states = [(view.invoice.number, view.state.value) for view in invoice_states(world.plant().id, OCT_22)]
    assert states == [("2026-00002", "Open"), ("2026-00001", "Taken back")]
    again: Any = actions.void_invoice(world.plant(), invoice, "Again", **given(OCT_22))
    assert (again.code, again.why) == ("already_void", "Invoice 2026-00001 is void already.")


def test_a_void_invoice_has_no_late_charge_any_more(app: Any) -> None:
    who, invoice = billed()
    actions.add_late_charge(invoice, **given(NOV_3))
    assert actions.void_invoice(world.plant(), invoice, "Not theirs", again=False, **given(NOV_3)) is None
    assert (whole(who), late_entries(invoice.id)) == (0, [])


def test_a_late_charge_partly_credited_goes_with_its_void_invoice(app: Any) -> None:
    who, invoice = billed()
    late: Any = actions.add_late_charge(invoice, **given(NOV_3))
    second = books.bill(who, NOV_3)
    actions.credit_charge(late, 100, "Goodwill", **given(NOV_3))
    actions.void_invoice(world.plant(), invoice, "Not theirs", again=False, **given(NOV_3))
    assert (left_of(late), unpaid_cents(second.id), whole(who)) == (0, 0, 0)


def test_a_returned_check_is_owed_again_and_costs_what_the_schedule_says(app: Any, tmp_path: Any) -> None:
    from ordinances.reader import Law, load_profile

    who, _invoice = billed()
    payment = books.pay(who, "48.16", OCT_8)
    fee = item("returned", "per_event", 'price = "25.00"\nevent = "returned_check"')
    law = Law(load_profile(changed(tmp_path, extra=fee)))
    actions.return_check(world.plant(), payment, "No funds", **(given(OCT_22) | {"law": law}))
    assert whole(who) == 4816 + 2500
    last = db.session.scalars(select(Entry).order_by(Entry.id.desc())).first()
    assert last is not None
    assert (last.what, last.amount_cents, last.cite, last.how) == ("Returned", 2500, "§ 1-1", "1 time at $25.00.")


def test_a_returned_check_costs_nothing_where_no_item_is_for_it(app: Any) -> None:
    who, invoice = billed()
    payment = books.pay(who, "48.16", OCT_8)
    actions.return_check(world.plant(), payment, "No funds", **given(OCT_22))
    assert (whole(who), unpaid_cents(invoice.id)) == (4816, 4816)


def test_what_is_paid_ahead_is_drawn_down_by_the_loads_that_follow(app: Any) -> None:
    who = books.party()
    books.load(who, 1000, day=date(2026, 9, 29))
    first = books.bill(who, date(2026, 9, 30))
    deposit: Any = actions.record_payment(
        world.plant(), books.account(who), 10_000, "check", "ten tickets", OCT_1, ahead=True, **given(OCT_1)
    )
    entry = db.session.get_one(Entry, deposit.entry_id)
    assert (entry.kind, entry.what) == ("deposit", "Paid ahead by check, no. ten tickets")
    assert whole(who) == 3616 - 10_000
    books.load(who, 1500, day=OCT_8)
    second = books.bill(who, OCT_8)
    assert (unpaid_cents(first.id), unpaid_cents(second.id), whole(who)) == (0, 0, 3616 + 4816 - 10_000)
    assert [(one.number, cents) for one, cents in parts_of_payment(deposit.id)] == [
        ("2026-00001", 3616), ("2026-00002", 4816),
    ]  # fmt: skip


def three() -> tuple[Any, list[Invoice], Any]:
    """Three invoices of $24.00, $24.00 and $24.00, and a payment of $30.00."""
    who, invoices = books.party(), []
    for day in (date(2026, 9, 1), date(2026, 9, 8), date(2026, 9, 15)):
        books.load(who, 1000, day=day, tested=False)
        invoices.append(books.bill(who, day))
    return who, invoices, books.pay(who, "30.00", date(2026, 9, 20))


def parts(payment: Any) -> list[int]:
    return [cents for _, cents in parts_of_payment(payment.id)]


def test_a_payment_is_set_against_the_invoices_that_are_named_and_back(app: Any) -> None:
    who, invoices, payment = three()
    assert parts(payment) == [2400, 600]
    actions.spread_payment(world.plant(), payment, {invoices[2].id: 2000}, **given(OCT_1))
    assert [(one.id, cents) for one, cents in parts_of_payment(payment.id)] == [
        (invoices[0].id, 1000), (invoices[2].id, 2000),
    ]  # fmt: skip
    assert whole(who) == 7200 - 3000 + 140 + 240  # late on $14.00 and $24.00 by now
    actions.spread_payment(world.plant(), payment, {}, **given(OCT_1))
    assert parts(payment) == [2400, 600]
    assert whole(who) == 7200 - 3000 + 180


def test_a_chosen_payment_takes_the_place_of_one_that_came_there_by_itself(app: Any) -> None:
    who, invoices, first = three()
    second = books.pay(who, "24.00", date(2026, 9, 21))
    actions.spread_payment(world.plant(), second, {invoices[0].id: 2400}, **given(OCT_1))
    assert [(one.id, cents) for one, cents in parts_of_payment(second.id)] == [(invoices[0].id, 2400)]
    assert [(one.id, cents) for one, cents in parts_of_payment(first.id)] == [
        (invoices[1].id, 2400), (invoices[2].id, 600),
    ]  # fmt: skip
    assert whole(who) == 7200 - 5400


def test_a_spread_that_cannot_be_is_refused(app: Any) -> None:
    _who, invoices, payment = three()
    much: Any = actions.spread_payment(world.plant(), payment, {invoices[0].id: 3001}, **given(OCT_1))
    assert (much.code, much.why) == (
        "too_much", "The amounts must come to $30.00 or less: that is what was received.",
    )  # fmt: skip
    more: Any = actions.spread_payment(world.plant(), payment, {invoices[0].id: 2401}, **given(OCT_1))
    assert (more.code, more.why, more.details) == (
        "too_much", f"Invoice {invoices[0].number} asks for $24.00: enter that or less.", {"invoice": invoices[0].id},
    )  # fmt: skip
    other = books.party("Other Septic")
    books.load(other)
    theirs = books.bill(other, OCT_1)
    wrong: Any = actions.spread_payment(world.plant(), payment, {theirs.id: 100}, **given(OCT_1))
    assert isinstance(wrong, Refusal)
    assert wrong.code == "other_account"


def test_what_was_paid_back_of_a_payment_is_spread_over_nothing(app: Any) -> None:
    who = books.party()
    books.load(who, 1000, tested=False)
    invoice = books.bill(who, OCT_1)
    payment = books.pay(who, "30.00", OCT_1)
    paid_back: Any = actions.refund_credit(
        world.plant(),
        books.account(who),
        None,
        "check",
        "88",
        "Asked for it",
        **given(OCT_1) | {"by": world.staff("clerk")},
    )
    assert not isinstance(paid_back, Refusal), paid_back
    much: Any = actions.spread_payment(world.plant(), payment, {invoice.id: 2500}, **given(OCT_1))
    assert (
        much.why == "The amounts must come to $24.00 or less: that is what was received, less what was paid back of it."
    )


@pytest.mark.parametrize(("paid", "subject", "words"), [
    ("100.00", "Invoice 2026-00002: $24.00, paid from your credit: nothing is left to pay",
     "Invoice 2026-00002 of City of Bayfield for unloading septage is $24.00, paid from your credit: nothing is "
     "left to pay."),
    ("34.00", "Invoice 2026-00002: $24.00, paid from your credit: $14.00 is left to pay, due October 28, 2026", None),
])  # fmt: skip
def test_an_invoice_paid_ahead_is_not_sent_as_owed(app: Any, paid: str, subject: str, words: str | None) -> None:
    who = books.party()
    books.load(who, 1000, tested=False)
    books.bill(who, OCT_1)
    books.pay(who, paid, OCT_1)
    books.load(who, 1000, day=OCT_8, tested=False)
    books.bill(who, OCT_8)
    told = db.session.query(Notice).filter_by(kind="invoice").order_by(Notice.id.desc()).first()
    assert told.subject == subject
    assert words is None or told.body.split("\n")[0] == words


def test_a_payment_that_was_taken_back_is_spread_over_nothing(app: Any) -> None:
    _who, invoices, payment = three()
    actions.return_check(world.plant(), payment, "No funds", **given(OCT_1))
    refused: Any = actions.spread_payment(world.plant(), payment, {invoices[0].id: 100}, **given(OCT_1))
    assert (refused.code, refused.why) == ("taken_back", "This payment was taken back: it pays nothing.")
    again: Any = actions.return_check(world.plant(), books.pay(_who, "1.00", OCT_1, method="cash"), "x", **given(OCT_1))
    assert (again.code, again.why) == ("not_a_check", "This payment was not a check. Take it back instead.")


def test_the_hauler_is_told_of_a_returned_check(app: Any) -> None:
    who, _invoice = billed()
    payment = books.pay(who, "48.16", OCT_8)
    actions.return_check(world.plant(), payment, "No funds", **given(OCT_22))
    db.session.commit()
    told = db.session.scalars(select(Notice).filter_by(kind="check_returned")).one()
    assert (told.subject, told.body) == (
        f"Check returned: receipt {payment.number}",
        "The bank returned your check of $48.16: No funds\nWhat it paid is owed again.",
    )


def test_a_void_invoice_is_made_again_with_what_was_credited_of_it(app: Any) -> None:
    _who, invoice = billed()
    volume = charges(invoice)[0]
    actions.credit_charge(volume, 500, "Too many gallons", **given(OCT_8))
    made: Any = actions.void_invoice(world.plant(), invoice, "Wrong address", **given(OCT_8))
    assert (unpaid_cents(invoice.id), made.total_cents, unpaid_cents(made.id)) == (0, 4816, 4316)
    assert balance_cents(invoice.account_id) == 4316
    actions.credit_invoice(made, "All of it", **given(OCT_8))
    empty: Any = actions.void_invoice(world.plant(), made, "Once more", **given(OCT_8))
    assert (empty.code, empty.why) == ("nothing_left", "Nothing is left of invoice 2026-00002: it asks for nothing.")
    assert check_ledger() == []
