"""Charges that are held back, fee disputes with their stages, and what neither is late nor invoiced meanwhile."""

import re
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from billing import actions
from billing.models import ChargeHold, DisputeStep, Entry, FeeDispute
from billing.queries import (
    account_hold,
    balance_cents,
    check_ledger,
    credit_cents,
    disputed_cents,
    disputes,
    held_back,
    held_charges,
    invoice_lines,
    invoice_view,
    late_entries,
    parts_of_payment,
    unbilled,
    unpaid_cents,
)
from billing.states import HoldKind
from office.access import system
from office.db import db
from office.jobs import tick
from office.letters import Letter
from office.notices import Notice
from ordinances.rows import Row
from tests import world
from tests.billing import books
from tests.billing.test_routes import signed_in, text_of

OCT_1, OCT_8, OCT_20, OCT_22 = date(2026, 10, 1), date(2026, 10, 8), date(2026, 10, 20), date(2026, 10, 22)


def given(day: date) -> dict[str, Any]:
    return {"by": system(), "at": books.noon(day), "law": world.law(day)}


def opened(
    who: Any, entries: list[Any], day: date = OCT_8, fees: str = "The gallons of this load", asked: date | None = None
) -> Any:
    return actions.open_dispute(world.plant(), books.account(who), entries, fees, gallons=1500, waste="septic_tank",
                                asked_on=asked or day, **given(day))  # fmt: skip


def test_charges_whose_results_are_awaited_are_held_back_and_named_until_they_are_released(app: Any) -> None:
    who = books.party()
    first = books.load(who, label="Load 2026-00001")
    second = books.load(who, 1000, label="Load 2026-00002")
    actions.hold_charges(second, HoldKind.RESULTS, "Results are awaited: BOD5", by=system(), at=books.noon(OCT_1))
    actions.hold_charges(second, HoldKind.RESULTS, "Again", by=system(), at=books.noon(OCT_1))
    db.session.commit()
    assert db.session.query(ChargeHold).count() == 2
    assert [one.entries for one in unbilled(world.plant().id)] == [tuple(first)]
    assert [(one.name, one.label, one.cents, one.reasons) for one in held_back(world.plant().id)] == [
        ("Example Septic", "Load 2026-00002", 3616, ("Results are awaited: BOD5",)),
    ]  # fmt: skip
    invoice = books.bill(who, OCT_1)
    assert invoice.total_cents == 4816
    actions.release_charges(second, HoldKind.RESULTS, "Results are in", by=system(), at=books.noon(OCT_8))
    db.session.commit()
    assert held_back(world.plant().id) == []
    assert books.bill(who, OCT_8).total_cents == 3616


def test_what_is_in_dispute_is_neither_late_nor_kept_for_ever(app: Any) -> None:
    who = books.party()
    books.load(who)
    invoice = books.bill(who, OCT_1)
    volume, _test = [entry for entry, _ in invoice_lines(invoice.id)]
    dispute: Any = opened(who, [volume])
    assert (dispute.number, dispute.gallons, dispute.waste) == ("2026-00001", 1500, "septic_tank")
    late: Any = actions.add_late_charge(invoice, **given(OCT_22))
    assert late.amount_cents == 122  # of the test's $12.16 alone
    ended: Any = actions.take_dispute_on(dispute, "", "The fees are reasonable", OCT_22, **given(OCT_22))
    assert isinstance(ended, DisputeStep)
    db.session.commit()
    (found,) = disputes(world.plant().id)
    assert (found.row.id, found.name, found.ended) == (dispute.id, "Example Septic", True)
    assert ([entry.id for entry in found.charges], found.cents) == ([volume.id], 3600)
    assert [(step.stage, step.outcome) for step in found.steps] == [
        ("review by the municipal system", ""), ("", "The fees are reasonable"),
    ]  # fmt: skip
    assert balance_cents(invoice.account_id) == 4816 + 122


@pytest.mark.parametrize(
    ("paid", "ended", "before", "after"),
    [("", 20, [122], [482]), ("", 21, [122], [482]), ("", 22, [122], [122]), ("12.16", 20, [], [360]),
     ("12.16", 22, [], [])],
)  # fmt: skip
def test_a_dispute_ends_on_the_day_it_ended_whenever_that_is_entered(
    app: Any, paid: str, ended: int, before: list[int], after: list[int]
) -> None:
    who = books.party()
    books.load(who)
    invoice = books.bill(who, OCT_1)
    dispute = opened(who, [invoice_lines(invoice.id)[0][0]])
    if paid:
        books.pay(who, paid, OCT_8)
    db.session.commit()
    tick(books.noon(OCT_22))
    assert [one.amount_cents for one in late_entries(invoice.id)] == before
    oct_25 = date(2026, 10, 25)
    actions.take_dispute_on(dispute, "", "The fees are reasonable", date(2026, 10, ended), **given(oct_25))
    db.session.commit()
    tick(books.noon(oct_25))
    assert [one.amount_cents for one in late_entries(invoice.id)] == after
    assert disputed_cents(invoice.id, date(2026, 10, 21)) == (0 if ended <= 21 else 3600)


def test_the_end_of_a_dispute_frees_its_charges_and_each_step_is_told(app: Any) -> None:
    who = books.party()
    entries = books.load(who)
    dispute: Any = opened(who, entries)
    later: Any = actions.take_dispute_on(dispute, "The council", "", OCT_20, **given(OCT_8))
    assert (later.code, later.why) == ("date_in_future", "Date must be October 8, 2026 or earlier.")
    actions.take_dispute_on(dispute, "The council", "", OCT_8, **given(OCT_8))
    db.session.commit()
    assert unbilled(world.plant().id) == []
    actions.take_dispute_on(dispute, "", "The fees are reasonable", OCT_20, **given(OCT_20))
    db.session.commit()
    assert [one.entries for one in unbilled(world.plant().id)] == [tuple(entries)]
    assert held_back(world.plant().id) == []
    told = db.session.query(Notice).filter_by(kind="dispute").order_by(Notice.id)
    assert [one.body for one in told] == [
        "The city has recorded that you dispute: The gallons of this load\n"
        "No late charge is taken of what is in dispute.",
        "It is now before: The council",
        "It ended: The fees are reasonable\n$48.16 of these charges goes on your next invoice.",
    ]


@pytest.mark.parametrize(("asked", "late"), [(date(2026, 10, 21), 0), (OCT_22, 482)])
def test_a_dispute_asked_by_the_last_day_in_time_takes_the_late_charge_back_whenever_it_is_entered(
    app: Any, asked: date, late: int
) -> None:
    who = books.party()
    books.load(who)
    invoice = books.bill(who, OCT_1)
    actions.add_late_charge(invoice, **given(OCT_22))
    opened(who, [entry for entry, _ in invoice_lines(invoice.id)], OCT_22, asked=asked)
    db.session.commit()
    for day in (OCT_22, date(2026, 12, 1)):
        tick(books.noon(day))
        assert sum(one.amount_cents for one in late_entries(invoice.id)) == late
    assert balance_cents(invoice.account_id) == 4816 + late


def test_what_was_in_dispute_on_the_last_day_in_time_is_not_late_though_it_ended_before_the_job_ran(app: Any) -> None:
    who = books.party()
    books.load(who)
    invoice = books.bill(who, OCT_1)
    volume, test = [entry for entry, _ in invoice_lines(invoice.id)]
    first: Any = opened(who, [volume])
    actions.take_dispute_on(first, "", "The fees are reasonable", OCT_22, **given(OCT_22))
    opened(who, [test], OCT_22)  # asked on day 21: that part was late by then
    db.session.commit()
    tick(books.noon(date(2026, 11, 5)))
    (late,) = late_entries(invoice.id)
    assert (late.on_day, late.amount_cents) == (OCT_22, 122)


def test_a_disputed_late_charge_that_is_made_smaller_stays_in_dispute(app: Any) -> None:
    who = books.party()
    books.load(who)
    invoice = books.bill(who, OCT_1)
    late: Any = actions.add_late_charge(invoice, **given(OCT_22))
    dispute: Any = opened(who, [late], OCT_22)
    books.pay(who, "20.00", OCT_20, date(2026, 10, 25))
    db.session.commit()
    (now,) = late_entries(invoice.id)
    assert now.amount_cents == 282
    assert [(one.entry.id, one.dispute) for one in held_charges(world.plant().id)] == [(now.id, dispute.number)]
    assert unbilled(world.plant().id) == []
    (found,) = disputes(world.plant().id)
    assert ([one.id for one in found.charges], found.cents) == ([now.id], 282)


def test_a_dispute_without_words_or_charges_is_refused(app: Any) -> None:
    who = books.party()
    entries = books.load(who)
    silent, empty = opened(who, entries, fees=" "), opened(who, [])
    later = actions.open_dispute(world.plant(), books.account(who), entries, "x", gallons=1, waste="other",
                                 asked_on=OCT_20, **given(OCT_8))  # fmt: skip
    assert [(one.code, one.why) for one in (silent, empty, later)] == [  # type: ignore[union-attr]
        ("no_fees", "Enter which fees are disputed, and why."),
        ("no_charges", "Select the charges that are disputed."),
        ("date_in_future", "Date asked must be October 8, 2026 or earlier."),
    ]
    assert db.session.query(FeeDispute).count() == 0


def test_the_gate_is_shut_after_so_many_days_and_opens_with_the_payment(app: Any) -> None:
    who = books.party()
    books.load(who)
    invoice = books.bill(who, OCT_1)
    account, law = books.account(who).id, world.law(OCT_1)
    assert account_hold(account, law, date(2027, 6, 1)) is None  # this law waits for ever
    row = Row("billing.gate_hold_days", 10, date(1992, 1, 1), None, "§ 9-9")
    law = replace(law, profile=replace(law.profile, rows=(*law.profile.rows, row)))
    assert account_hold(account, law, date(2026, 10, 31)) is None
    assert account_hold(account, law, date(2026, 11, 1)) == (invoice, 4816)
    books.pay(who, "48.15", OCT_22)
    assert account_hold(account, law, date(2026, 11, 1)) == (invoice, 1)
    opened(who, [entry for entry, _ in invoice_lines(invoice.id)], OCT_22)
    assert account_hold(account, law, date(2026, 11, 1)) is None
    books.pay(who, "0.01", OCT_22)
    assert account_hold(account, law, date(2026, 11, 1)) is None


@pytest.mark.parametrize("credited", [OCT_8, OCT_22])
def test_what_is_credited_of_a_disputed_charge_is_not_in_dispute_any_more(app: Any, credited: date) -> None:
    who = books.party()
    books.load(who)
    invoice = books.bill(who, OCT_1)
    volume = invoice_lines(invoice.id)[0][0]
    opened(who, [volume])
    actions.credit_charge(volume, 3500, "Too many gallons", **given(credited))
    assert disputed_cents(invoice.id) == 100
    assert disputed_cents(invoice.id, date(2026, 10, 21)) == (100 if credited == OCT_8 else 3600)
    late: Any = actions.add_late_charge(invoice, **given(OCT_22))
    assert late.amount_cents == 122
    row = Row("billing.gate_hold_days", 10, date(1992, 1, 1), None, "§ 9-9")
    law = world.law(OCT_1)
    law = replace(law, profile=replace(law.profile, rows=(*law.profile.rows, row)))
    assert account_hold(invoice.account_id, law, date(2026, 11, 1)) == (invoice, 1216)


def test_a_disputed_invoice_made_void_and_again_stays_in_dispute_until_it_ends(app: Any) -> None:
    who = books.party()
    books.load(who)
    invoice = books.bill(who, OCT_1)
    volume = invoice_lines(invoice.id)[0][0]
    dispute: Any = opened(who, [volume])
    made: Any = actions.void_invoice(world.plant(), invoice, "Wrong address", **given(OCT_8))
    again = invoice_lines(made.id)[0][0]
    assert (disputed_cents(made.id), disputed_cents(invoice.id)) == (3600, 0)
    (found,) = disputes(world.plant().id)
    assert ([entry.id for entry in found.charges], found.cents) == ([again.id], 3600)
    assert [(one.entry.id, one.dispute) for one in held_charges(world.plant().id)] == [(again.id, dispute.number)]
    late: Any = actions.add_late_charge(made, **given(date(2026, 10, 29)))
    assert late.amount_cents == 122
    actions.take_dispute_on(dispute, "", "The fees are reasonable", date(2026, 10, 29), **given(date(2026, 10, 29)))
    assert disputed_cents(made.id) == 0


def test_a_dispute_that_ended_goes_no_further_and_no_step_is_before_it_was_asked(app: Any) -> None:
    who = books.party()
    entries = books.load(who)
    dispute: Any = opened(who, entries)
    before: Any = actions.take_dispute_on(dispute, "The council", "", date(2026, 10, 7), **given(OCT_8))
    assert (before.code, before.why) == ("too_long_ago", "Date must be October 8, 2026 or later.")
    actions.take_dispute_on(dispute, "", "The fees are reasonable", OCT_8, **given(OCT_8))
    for stage, outcome in (("The council", ""), ("", "Half is credited")):
        over: Any = actions.take_dispute_on(dispute, stage, outcome, OCT_20, **given(OCT_20))
        assert (over.code, over.why) == (
            "ended", "Fee dispute 2026-00001 ended on October 8, 2026: The fees are reasonable",
        )  # fmt: skip
    assert db.session.query(DisputeStep).count() == 2
    early: Any = opened(who, entries, OCT_20, asked=date(2026, 9, 29))
    words = "Date asked must be September 30, 2026 or later: the day of the charge."
    assert (early.code, early.why) == ("too_long_ago", words)


def two_bills(asked: date | None = OCT_8, entered: date = OCT_8) -> tuple[Any, Any, Any, Any]:
    """$48.16 of October 1, of which $36.00 are in dispute, and $24.00 of October 8."""
    who = books.party()
    entries = books.load(who)
    first = books.bill(who, OCT_1)
    books.load(who, 1000, day=OCT_8, tested=False)
    second = books.bill(who, OCT_8)
    dispute = opened(who, entries[:1], entered, asked=asked) if asked is not None else None
    return who, first, second, dispute


def parts(payment: Any) -> list[tuple[str, int]]:
    return [(one.number, cents) for one, cents in parts_of_payment(payment.id)]


def test_money_passes_what_is_in_dispute_by_until_that_has_ended(app: Any) -> None:
    who, first, second, dispute = two_bills()
    payment = books.pay(who, "40.00", OCT_20)
    assert parts(payment) == [("2026-00001", 1216), ("2026-00002", 2400)]
    letter: Any = db.session.get_one(Letter, payment.letter_id).data
    assert letter["rows"][-1] == {"what": "Kept as credit for the next invoice", "amount": "$3.84"}
    assert (balance_cents(first.account_id), credit_cents(first.account_id)) == (7216 - 4000, 0)
    actions.take_dispute_on(dispute, "", "It stands", OCT_22, **given(OCT_22))
    assert parts(payment) == [("2026-00001", 1600), ("2026-00002", 2400)]
    assert (unpaid_cents(first.id), unpaid_cents(first.id, OCT_20), unpaid_cents(second.id)) == (3216, 3600, 0)
    assert check_ledger() == []


@pytest.mark.parametrize(("paid", "credited", "words"), [
    ("", 0, "$36.00 is to be paid of invoice 2026-00001, which was due on October 21, 2026."),
    ("40.00", 0, "$32.16 is to be paid of invoice 2026-00001, which was due on October 21, 2026."),
    ("", 3600, "Nothing is left to pay of these charges."),
])  # fmt: skip
def test_the_end_of_a_dispute_says_what_is_to_be_paid_of_which_invoice(
    app: Any, paid: str, credited: int, words: str
) -> None:
    who, _first, _second, dispute = two_bills()
    _ = paid and books.pay(who, paid, OCT_20)
    if credited:
        charge = db.session.query(Entry).order_by(Entry.id).first()
        actions.credit_charge(charge, credited, "The city gives it up", **given(OCT_20))
    actions.take_dispute_on(dispute, "", "It is decided", OCT_22, **given(OCT_22))
    told = db.session.query(Notice).filter_by(kind="dispute").order_by(Notice.id.desc()).first()
    assert told.body.split("\n") == ["It ended: It is decided", words]
    assert check_ledger() == []


def test_what_is_disputed_is_not_past_due_and_only_the_rest_is_to_be_paid(app: Any) -> None:
    who, first, second, _dispute = two_bills()
    db.session.commit()
    late = date(2026, 11, 10)
    found = invoice_view(first, late)
    assert (found.state.value, found.unpaid_cents, found.disputed_cents, found.to_pay_cents) == (
        "Past due", 4816, 3600, 1216)  # fmt: skip
    books.pay(who, "36.16", OCT_20)
    assert (invoice_view(first, late).state.value, invoice_view(second, late).state.value) == ("In dispute", "Paid")
    db.session.commit()
    page = text_of(signed_in(app, "clerk").get(f"/bayfield/clerk/invoices/{first.number}"))
    assert "$36.00 in dispute: nothing is to be paid now" in page
    words = " ".join(re.sub("<[^>]+>", " ", page).split())
    assert "Unpaid, in dispute $36.00 To pay $0.00" in words


def test_the_clerk_may_choose_that_money_is_for_what_is_in_dispute(app: Any) -> None:
    who, first, _second, _dispute = two_bills()
    payment = books.pay(who, "40.00", OCT_20)
    actions.spread_payment(world.plant(), payment, {first.id: 2000}, **given(OCT_20))
    assert parts(payment) == [("2026-00001", 2000), ("2026-00002", 2000)]
    actions.spread_payment(world.plant(), payment, {first.id: 4000}, **given(OCT_20))
    assert parts(payment) == [("2026-00001", 4000)]
    actions.spread_payment(world.plant(), payment, {}, **given(OCT_20))
    assert parts(payment) == [("2026-00001", 1216), ("2026-00002", 2400)]
    assert check_ledger() == []


def test_what_was_paid_before_it_was_disputed_stays_paid(app: Any) -> None:
    who = books.party()
    entries = books.load(who)
    books.bill(who, OCT_1)
    payment = books.pay(who, "48.16", OCT_8)
    opened(who, entries[:1], OCT_20)
    books.load(who, 1000, day=OCT_20, tested=False)
    second = books.bill(who, OCT_20)
    assert (parts(payment), unpaid_cents(second.id)) == ([("2026-00001", 4816)], 2400)


def test_a_dispute_entered_later_frees_what_came_since_it_was_asked_and_the_late_charge_follows(app: Any) -> None:
    who, first, second, _ = two_bills(None)
    payment = books.pay(who, "40.00", OCT_20)
    assert parts(payment) == [("2026-00001", 4000)]
    known = given(date(2026, 10, 30))
    made: Any = actions.add_late_charge(second, **known)
    assert made.amount_cents == 240
    dispute: Any = opened(who, [invoice_lines(first.id)[0][0]], date(2026, 10, 30), asked=OCT_8)
    # By the day it was asked $24.00 of the $40.00 were for the second invoice, which was in time then.
    assert parts(payment) == [("2026-00001", 1216), ("2026-00002", 2400)]
    assert (late_entries(second.id), balance_cents(first.account_id)) == ([], 7216 - 4000)
    # It had ended the day before that money came: then it was for the first, and the second was late.
    actions.take_dispute_on(dispute, "", "Withdrawn", date(2026, 10, 19), **given(date(2026, 10, 31)))
    assert parts(payment) == [("2026-00001", 4000)]
    assert [entry.amount_cents for entry in late_entries(second.id)] == [240]
    assert check_ledger() == []
