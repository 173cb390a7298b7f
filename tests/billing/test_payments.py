from datetime import date
from typing import Any

import pytest
from sqlalchemy import select

from billing import actions
from billing.actions.invoices import make_invoices
from billing.models import Entry, Payment
from billing.queries import (
    balance_cents,
    check_ledger,
    invoice_states,
    open_invoices,
    paid_parts,
    parts_of_payment,
    unbilled,
    unpaid_cents,
)
from office.db import db
from office.letters import Letter
from office.notices import Notice
from ordinances import fees
from ordinances.refusal import Refusal
from tests import world
from tests.billing import books

OCT_1 = date(2026, 10, 1)


def test_three_payments_of_a_test_charge_leave_nothing(app: Any) -> None:
    who = books.party()
    for _ in range(3):
        line = next(line for line in lines(who) if line.code == "test")
        post(who, line)
    invoice = books.bill(who, OCT_1)
    assert invoice.total_cents == 3648
    for _ in range(3):
        books.pay(who, "12.16", date(2026, 10, 2))
    assert balance_cents(invoice.account_id) == 0
    assert unpaid_cents(invoice.id) == 0
    assert [view.state for view in invoice_states(world.plant().id, date(2027, 1, 1))] == ["Paid"]


def lines(who: Any) -> Any:
    return fees.for_load(world.law(OCT_1), [(OCT_1, 1)], "septic_tank")


def post(who: Any, line: Any) -> Any:
    return actions.post_charges(world.plant(), who.id, [line], "load", next(books.SOURCES), OCT_1,
                                by=world.staff("clerk"), at=books.noon(OCT_1), law=world.law(OCT_1))  # fmt: skip


def test_payment_goes_to_the_oldest_invoice_first(app: Any) -> None:
    who = books.party()
    books.load(who)
    first = books.bill(who, OCT_1)
    books.load(who, day=OCT_1)
    second = books.bill(who, date(2026, 10, 5))
    payment = books.pay(who, "60.00", date(2026, 10, 6))
    assert [(i.number, cents) for i, cents in parts_of_payment(payment.id)] == [
        (first.number, 4816), (second.number, 1184)
    ]  # fmt: skip
    assert [(i.number, cents) for i, cents in open_invoices(world.plant().id)] == [(second.number, 3632)]


def test_overpayment_stays_as_credit_and_pays_the_next_invoice(app: Any) -> None:
    who = books.party()
    books.load(who)
    books.bill(who, OCT_1)
    payment = books.pay(who, "50.00", date(2026, 10, 6))
    assert balance_cents(payment.account_id) == -184
    books.load(who, day=date(2026, 11, 2))
    second = books.bill(who, date(2026, 12, 1))
    assert unpaid_cents(second.id) == 4632
    letter = db.session.get_one(Letter, second.letter_id)
    assert (letter.data["total"], letter.data["credit"], letter.data["to_pay"]) == ("$48.16", "−$1.84", "$46.32")


@pytest.mark.parametrize(
    ("cents", "method", "received", "code", "why"),
    [
        (0, "cash", OCT_1, "amount_not_positive", "Amount must be more than $0.00."),
        (-500, "cash", OCT_1, "amount_not_positive", "Amount must be more than $0.00."),
        (500, "cash", date(2026, 10, 2), "date_in_future", "Date received must be October 1, 2026 or earlier."),
        (500, "gold", OCT_1, "method_unknown", "Select how it was paid: cash, check or card."),
    ],
)
def test_payment_is_refused_in_words(app: Any, cents: int, method: str, received: date, code: str, why: str) -> None:
    who = books.party()
    books.load(who)
    clerk, at = world.staff("clerk"), world.at("2026-10-01T23:59")
    answer = actions.record_payment(
        world.plant(), books.account(who), cents, method, "", received, by=clerk, at=at, law=world.law()
    )
    assert isinstance(answer, Refusal)
    assert (answer.code, answer.why) == (code, why)
    assert db.session.scalars(select(Payment)).all() == []


def fee(who: Any, source: int = 1) -> Any:
    line = fees.filing_fee(world.law(), date(2026, 8, 20))
    return actions.charge_and_pay(
        world.plant(), who.id, line, "application", source, "check", " 2201 ", date(2026, 8, 20),  # type: ignore[arg-type]
        label="Application 2026-27/0014", by=world.staff("clerk"), at=books.noon(date(2026, 8, 21)), law=world.law(),
    )  # fmt: skip


def test_fee_paid_at_the_desk_owes_nothing_and_is_on_no_invoice(app: Any) -> None:
    who = books.party()
    payment = fee(who)
    assert (payment.number, payment.received_on, payment.reference) == ("2026-00001", date(2026, 8, 20), "2201")
    assert balance_cents(payment.account_id) == 0
    assert unbilled(world.plant().id) == []
    letter = db.session.get_one(Letter, payment.letter_id)
    assert letter.number == "2026-00001"
    assert letter.data["rows"] == [
        {"what": "Filing fee, not refunded, Application 2026-27/0014 (§ 329-7 B(1))", "amount": "$75.00"}
    ]
    assert letter.data["balance"] == "Nothing is owed after this payment."


def test_a_charge_that_is_paid_takes_no_second_payment(app: Any) -> None:
    first = fee(books.party())
    charge = db.session.get_one(Entry, first.charge_id)
    said = actions.pay_charge(world.plant(), charge, "cash", "", date(2026, 8, 21), by=world.staff("clerk"),
                              at=books.noon(date(2026, 8, 21)), law=world.law())  # fmt: skip
    assert isinstance(said, Refusal)
    assert (said.code, said.why) == ("charge_settled", "This charge is paid or was taken back.")
    assert db.session.query(Payment).count() == 1


def test_fee_of_one_application_is_charged_once(app: Any) -> None:
    who = books.party()
    fee(who)
    again = fee(who)
    assert isinstance(again, Refusal)
    assert again.code == "already_charged"
    assert db.session.query(Payment).count() == 1


def test_fee_money_is_no_credit_for_invoices(app: Any) -> None:
    who = books.party()
    fee(who)
    books.load(who)
    assert unpaid_cents(books.bill(who, OCT_1).id) == 4816


def test_bounced_check_owes_again(app: Any) -> None:
    who = books.party()
    books.load(who)
    invoice = books.bill(who, OCT_1)
    payment = books.pay(who, "48.16", date(2026, 10, 6))
    entry = db.session.get_one(Entry, payment.entry_id)
    at = books.noon(date(2026, 10, 12))
    actions.reverse_entry(entry, "The bank returned check 1042", by=world.staff("clerk"), at=at)
    assert (unpaid_cents(invoice.id), balance_cents(invoice.account_id)) == (4816, 4816)
    assert unpaid_cents(invoice.id, date(2026, 10, 11)) == 0
    assert paid_parts(invoice.id) == []


def test_bounced_fee_is_put_on_the_next_invoice(app: Any) -> None:
    who = books.party()
    payment = fee(who)
    entry = db.session.get_one(Entry, payment.entry_id)
    actions.reverse_entry(entry, "Returned by the bank", by=world.staff("clerk"), at=books.noon(date(2026, 9, 1)))
    invoice = books.bill(who, OCT_1)
    assert (invoice.total_cents, unpaid_cents(invoice.id)) == (7500, 7500)


def test_charge_taken_back_after_it_was_paid_becomes_credit(app: Any) -> None:
    who = books.party()
    entries = books.load(who)
    invoice = books.bill(who, OCT_1)
    payment = books.pay(who, "48.16", date(2026, 10, 6))
    for entry in entries:
        actions.reverse_entry(entry, "Load is void", by=world.staff("clerk"), at=books.noon(date(2026, 10, 9)))
    assert parts_of_payment(payment.id) == []
    assert (unpaid_cents(invoice.id), balance_cents(invoice.account_id)) == (0, -4816)
    assert [v.state for v in invoice_states(world.plant().id, date(2026, 12, 1))] == ["Taken back"]
    books.load(who, gallons=3000, day=date(2026, 10, 12))
    assert unpaid_cents(books.bill(who, date(2026, 11, 2)).id) == 3600


def test_reversal_needs_a_reason_and_happens_once(app: Any) -> None:
    who = books.party()
    entry = books.load(who)[0]
    clerk, at = world.staff("clerk"), books.noon(OCT_1)
    blank: Any = actions.reverse_entry(entry, "  ", by=clerk, at=at)
    back: Any = actions.reverse_entry(entry, "Wrong truck", by=clerk, at=at)
    again: Any = actions.reverse_entry(entry, "Wrong truck", by=clerk, at=at)
    of_it: Any = actions.reverse_entry(back, "Wrong", by=clerk, at=at)
    assert [blank.code, again.code, of_it.code] == ["no_reason", "already_reversed", "is_reversal"]
    assert (back.amount_cents, back.what, back.reason) == (-3600, "Taken back: Septage unloaded", "Wrong truck")
    assert make_invoices(world.plant(), by=clerk, at=at, law=world.law())[0].total_cents == 1216


def test_payment_is_told_with_its_receipt(app: Any) -> None:
    who = books.party(email="owner@septic.example")
    books.load(who)
    payment = books.pay(who, "20.00", OCT_1)
    notice = db.session.scalars(select(Notice).filter_by(kind="receipt")).one()
    assert (notice.subject, notice.letter_id) == ("We received $20.00: receipt 2026-00001", payment.letter_id)
    assert "$28.16 is still owed after this payment." in notice.body


@pytest.mark.parametrize(
    ("received", "ahead", "why"),
    [
        (date(1900, 10, 1), False, "September 30, 2025 or later: the day the money came in."),
        (date(2025, 9, 29), True, "September 30, 2025 or later: the day the money came in."),
        (date(2025, 9, 29), False, "September 30, 2025 or later: the day the money came in."),
    ],
)
def test_money_that_came_in_more_than_a_year_ago_is_refused(app: Any, received: date, ahead: bool, why: str) -> None:
    who = books.party()
    books.load(who)
    known: dict[str, Any] = {"by": world.staff("clerk"), "at": books.noon(OCT_1), "law": world.law(OCT_1)}
    given = (world.plant(), books.account(who), 4816, "cash", "", received)
    refused: Any = actions.record_payment(*given, ahead=ahead, **known)
    assert (refused.code, refused.why) == ("too_long_ago", f"Date received must be {why}")
    assert isinstance(actions.record_payment(*given[:-1], date(2025, 9, 30), ahead=ahead, **known), Payment)


@pytest.mark.parametrize("ahead", [True, False])
def test_money_that_came_in_before_a_charge_entered_first_pays_it(app: Any, ahead: bool) -> None:
    who = books.party()
    books.load(who)
    known: dict[str, Any] = {"by": world.staff("clerk"), "at": books.noon(OCT_1), "law": world.law(OCT_1)}
    given = (world.plant(), books.account(who), 5000, "check", "", date(2026, 9, 1))
    paid: Any = actions.record_payment(*given, ahead=ahead, **known)
    assert (paid.received_on, balance_cents(paid.account_id)) == (date(2026, 9, 1), 4816 - 5000)
    assert unpaid_cents(books.bill(who, OCT_1).id) == 0
    assert check_ledger() == []
