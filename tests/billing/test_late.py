from dataclasses import replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import select

from billing import actions
from billing.models import Entry
from billing.queries import (
    balance_cents,
    check_ledger,
    invoice_lines,
    late_entries,
    ledger,
    left_of,
    unpaid_cents,
)
from office.access import system
from office.db import db
from office.jobs import JOBS, tick
from office.law import adopt_law
from office.notices import Notice
from ordinances.refusal import Refusal
from ordinances.rows import Row
from tests import world
from tests.billing import books
from tests.ordinances.common import changed, law_of

OCT_1, OCT_10, OCT_20, OCT_22 = (date(2026, 10, day) for day in (1, 10, 20, 22))


@pytest.fixture(autouse=True)
def only_late_charges(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other rooms' jobs have their own tests."""
    from billing import reminders

    monkeypatch.setattr("office.jobs.JOBS", {"late_charges": reminders.late_charges})
    assert "late_charges" in JOBS


def late_lines() -> list[Entry]:
    return list(db.session.scalars(select(Entry).filter_by(kind="late").order_by(Entry.id)))


def billed(paid: str = "20.00") -> Any:
    who = books.party()
    books.load(who)
    invoice = books.bill(who, OCT_1)
    if paid:
        books.pay(who, paid, OCT_10)
    db.session.commit()
    return who, invoice


def hours(first: str, last: str) -> list[datetime]:
    start, end = world.at(first), world.at(last)
    return [start + timedelta(hours=n) for n in range(int((end - start).total_seconds() // 3600) + 1)]


def test_hourly_job_charges_once_dated_the_day_after_the_last_in_time(app: Any) -> None:
    _who, invoice = billed()
    for at in hours("2026-10-20T00:00", "2026-10-21T23:00"):
        tick(at)
    assert late_lines() == []
    for at in hours("2026-10-22T00:00", "2026-11-21T23:00"):
        tick(at)
    late = late_lines()
    assert [(e.amount_cents, e.on_day, e.quantity, e.cite) for e in late] == [
        (282, OCT_22, Decimal("28.16"), "§ 329-2 A(3)(g)")
    ]
    assert late[0].what == "Late charge of 10 % on $28.16"
    assert balance_cents(invoice.account_id) == 2816 + 282


def test_last_second_in_time_and_the_next(app: Any) -> None:
    billed()
    assert tick(world.at("2026-10-21T23:59:59"))["late_charges"] == 0
    assert tick(world.at("2026-10-22T00:00:00"))["late_charges"] == 1


def test_job_running_a_month_late_charges_what_was_unpaid_on_the_last_day(app: Any) -> None:
    who, _invoice = billed()
    books.pay(who, "28.16", date(2026, 10, 22))
    db.session.commit()
    tick(world.at("2026-11-20T08:00"))
    assert [(e.amount_cents, e.on_day) for e in late_lines()] == [(282, OCT_22)]


def test_invoice_paid_on_its_last_day_has_no_late_charge(app: Any) -> None:
    who, _invoice = billed()
    books.pay(who, "28.16", date(2026, 10, 21))
    db.session.commit()
    assert tick(world.at("2026-10-22T09:00"))["late_charges"] == 0
    assert late_lines() == []


def test_no_late_charge_on_the_late_charge(app: Any) -> None:
    who, _invoice = billed()
    tick(world.at("2026-10-22T09:00"))
    second = books.bill(who, date(2026, 11, 2))
    db.session.commit()
    assert second.total_cents == 282
    assert tick(world.at("2026-12-15T09:00"))["late_charges"] == 0
    assert len(late_lines()) == 1


def test_late_charge_of_the_next_invoice_is_of_its_own_loads_only(app: Any) -> None:
    who, _invoice = billed()
    tick(world.at("2026-10-22T09:00"))
    books.load(who, 1000, date(2026, 10, 26))
    second = books.bill(who, date(2026, 11, 2))
    db.session.commit()
    assert second.total_cents == 282 + 2400 + 1216
    tick(world.at("2026-11-23T09:00"))
    assert [e.amount_cents for e in late_lines()] == [282, 362]


def test_void_load_has_no_late_charge(app: Any) -> None:
    who, _invoice = billed(paid="")
    for entry in db.session.scalars(select(Entry).filter_by(kind="charge")).all():
        actions.reverse_entry(entry, "Load is void", by=world.staff("clerk"), at=books.noon(OCT_20))
    db.session.commit()
    assert tick(world.at("2026-10-23T09:00"))["late_charges"] == 0
    assert balance_cents(books.account(who).id) == 0


def test_payment_received_in_time_but_entered_later_takes_it_back(app: Any) -> None:
    who, invoice = billed()
    tick(world.at("2026-10-22T09:00"))
    books.pay(who, "28.16", OCT_20, entered=date(2026, 10, 27))
    db.session.commit()
    assert [(one.entry.kind, one.entry.on_day, one.balance_cents) for one in ledger(invoice.account_id)][3:] == [
        ("payment", OCT_20, 0), ("late", OCT_22, 282), ("reversal", date(2026, 10, 27), 0)
    ]  # fmt: skip
    assert late_entries(invoice.id) == []
    assert tick(world.at("2026-11-27T09:00"))["late_charges"] == 0


def test_part_received_in_time_makes_it_smaller(app: Any) -> None:
    who, invoice = billed()
    tick(world.at("2026-10-22T09:00"))
    books.pay(who, "10.00", OCT_20, entered=date(2026, 10, 27))
    (standing,) = late_entries(invoice.id)
    assert (standing.amount_cents, standing.day, standing.what) == (182, OCT_22, "Late charge of 10 % on $18.16")
    assert balance_cents(invoice.account_id) == 1816 + 182


def test_late_money_entered_first_does_not_hide_money_in_time(app: Any) -> None:
    who, invoice = billed()
    tick(world.at("2026-10-22T09:00"))
    books.pay(who, "28.16", date(2026, 10, 25))
    books.pay(who, "28.16", OCT_20, entered=date(2026, 10, 27))
    assert late_entries(invoice.id) == []
    assert unpaid_cents(invoice.id, date(2026, 10, 21)) == 0
    assert balance_cents(invoice.account_id) == -2816


def test_money_received_on_day_21_takes_nothing_back(app: Any) -> None:
    who, invoice = billed()
    tick(world.at("2026-10-22T09:00"))
    books.pay(who, "28.16", OCT_22)
    assert late_entries(invoice.id)


@pytest.mark.parametrize(("at", "code"), [("2026-10-21T23:59:59", "not_late_yet"), ("2026-10-22T00:00:00", None)])
def test_act_keeps_to_the_day_itself(app: Any, at: str, code: str | None) -> None:
    _who, invoice = billed()
    answer = actions.add_late_charge(invoice, by=world.staff("clerk"), at=world.at(at), law=world.law())
    assert (answer.code if isinstance(answer, Refusal) else None) == code


def test_reversed_late_charge_is_not_made_again(app: Any) -> None:
    _who, invoice = billed()
    tick(world.at("2026-10-22T09:00"))
    clerk, at = world.staff("clerk"), books.noon(date(2026, 10, 23))
    actions.reverse_entry(late_lines()[0], "The mail was slow", by=clerk, at=at)
    db.session.commit()
    answer: Any = actions.add_late_charge(invoice, by=clerk, at=at, law=world.law())
    assert answer.code == "late_charged"
    assert tick(world.at("2026-10-24T09:00"))["late_charges"] == 0


def test_hauler_is_told(app: Any) -> None:
    billed()
    tick(world.at("2026-10-22T09:00"))
    notice = db.session.scalars(select(Notice).filter_by(kind="late_charge")).one()
    assert notice.subject == "Overdue: invoice 2026-00001, $2.82 added"
    assert notice.body == (
        "Invoice 2026-00001 was not paid in full by the end of October 21, 2026.\n"
        "Late charge of 10 % on $28.16 is $2.82 (§ 329-2 A(3)(g)). It is added once and will be on your next invoice."
    )


def law_with(**values: Any) -> Any:
    """The law of October with other rows of billing: late_once=False, late_base="unpaid", due_day=15."""
    law = world.law(OCT_1)
    rows = [replace(row, value=values.pop(row.key[8:])) if row.key[8:] in values and row.key.startswith("billing.")
            else row for row in law.profile.rows]  # fmt: skip
    rows += [Row(f"billing.{name}", value, date(1992, 1, 1), None, "§ 9-9") for name, value in values.items()]
    return replace(law, profile=replace(law.profile, rows=tuple(rows)))


def late_by(law: Any, invoice: Any, day: date) -> Any:
    return actions.add_late_charge(invoice, by=system(), at=books.noon(day), law=law)


def test_a_late_charge_that_comes_each_period_comes_once_a_period(app: Any) -> None:
    who = books.party()
    books.load(who)
    invoice, law = books.bill(who, OCT_1), law_with(late_once=False, period="monthly")
    for day in (date(2026, 10, 22), date(2026, 11, 21), date(2026, 11, 22), date(2027, 1, 5), date(2027, 1, 6)):
        late_by(law, invoice, day)
    assert [(one.day, one.amount_cents) for one in late_entries(invoice.id)] == [
        (date(2026, 10, 22), 482), (date(2026, 11, 22), 482), (date(2026, 12, 22), 482),
    ]  # fmt: skip
    assert check_ledger() == []
    told = db.session.scalars(select(Notice).filter_by(kind="late_charge"))
    again = "It will be added again while it is unpaid, and is on your next invoice."
    assert [one.body.endswith(again) for one in told] == [True] * 3


@pytest.mark.parametrize("base", ["unpaid", "unpaid_current_period"])
def test_no_late_charge_is_taken_of_a_late_charge_whatever_the_law_calls_unpaid(app: Any, base: str) -> None:
    who = books.party()
    books.load(who)
    late_by(world.law(OCT_1), books.bill(who, OCT_1), date(2026, 10, 22))
    books.load(who, 1000, day=date(2026, 10, 23))
    second = books.bill(who, date(2026, 11, 1))
    assert second.total_cents == 3616 + 482
    assert late_by(law_with(late_base=base), second, date(2026, 11, 22)).amount_cents == 362


def test_the_job_takes_a_late_charge_again_where_an_adopted_law_says_so(app: Any, tmp_path: Any) -> None:
    again = ("[[billing.late_once]]\nvalue = true", "[[billing.late_once]]\nvalue = false")
    adopt_law(world.plant(), changed(tmp_path, again), date(2026, 9, 1), "Ord. 1", by=system(), at=world.START)
    who = books.party()
    books.load(who)
    invoice = books.bill(who, OCT_1)
    db.session.commit()
    for day in (OCT_20, OCT_22, date(2026, 12, 21), date(2026, 12, 22), date(2026, 12, 23)):
        tick(books.noon(day))
    assert [(one.day, one.amount_cents) for one in late_entries(invoice.id)] == [
        (OCT_22, 482), (date(2026, 12, 22), 482),
    ]  # fmt: skip


def test_an_invoice_made_void_before_the_job_ran_is_not_late(app: Any) -> None:
    who = books.party()
    books.load(who)
    invoice = books.bill(who, OCT_1)
    given: dict[str, Any] = {"by": system(), "at": books.noon(OCT_22), "law": world.law(OCT_22)}
    actions.void_invoice(world.plant(), invoice, "Not theirs", again=False, **given)
    db.session.commit()
    tick(books.noon(date(2026, 10, 30)))
    assert late_lines() == []
    refused: Any = actions.add_late_charge(invoice, **given)
    assert (refused.code, refused.why) == ("void", "Invoice 2026-00001 is void: nothing of it is late.")


@pytest.mark.parametrize("way", ["credit", "write_off"])
def test_a_late_charge_partly_credited_is_never_made_again_and_loses_only_what_is_too_much(app: Any, way: str) -> None:
    who, _invoice = billed(paid="")
    tick(books.noon(OCT_22))
    (late,) = late_lines()
    second = books.bill(who, date(2026, 10, 23))
    given: dict[str, Any] = {"by": system(), "at": books.noon(date(2026, 10, 23)), "law": world.law(OCT_22)}
    if way == "credit":
        actions.credit_charge(late, 100, "Goodwill", **given)
    else:
        books.pay(who, "51.98", date(2026, 10, 23))
        actions.write_off(second, "Goodwill", **given)
    assert (late.amount_cents, left_of(late)) == (482, 382)
    left = []
    for dollars in ("5.00", "5.00", "10.00", "28.16"):
        books.pay(who, dollars, OCT_20, entered=date(2026, 10, 27))
        left.append(left_of(late))
    assert left == [382, 382, 282, 0]
    assert [entry.id for entry in late_lines()] == [late.id]
    last = db.session.scalars(select(Entry).filter_by(credits_id=late.id).order_by(Entry.id.desc())).first()
    assert last is not None
    assert (last.kind, last.amount_cents, last.reason) == (
        "credit", -282, "A payment received in time was entered later.",
    )  # fmt: skip
    db.session.commit()
    assert check_ledger() == []


def took_back(payment: Any, day: date, reason: str = "No funds") -> Any:
    made = actions.return_check(world.plant(), payment, reason, by=system(), at=books.noon(day), law=world.law(day))
    db.session.commit()
    return made


def standing(invoice: Any) -> list[tuple[date, int]]:
    assert check_ledger() == []
    return [(one.day, left_of(one)) for one in late_entries(invoice.id)]


def test_a_check_in_time_that_bounced_leaves_the_invoice_as_late_as_if_never_paid(app: Any) -> None:
    who, invoice = billed(paid="")
    check = books.pay(who, "48.16", date(2026, 10, 10))
    db.session.commit()
    tick(books.noon(date(2026, 10, 30)))
    assert standing(invoice) == []
    took_back(check, date(2026, 11, 2))
    for day in (2, 3, 20):
        tick(books.noon(date(2026, 11, day)))
        assert standing(invoice) == [(OCT_22, 482)]
    assert balance_cents(invoice.account_id) == 4816 + 482


def test_a_late_charge_made_smaller_by_a_check_that_bounced_is_whole_again(app: Any) -> None:
    who, invoice = billed(paid="")
    tick(books.noon(OCT_22))
    check = books.pay(who, "20.00", OCT_20, date(2026, 10, 25))
    assert standing(invoice) == [(OCT_22, 282)]
    took_back(check, date(2026, 11, 2))
    tick(books.noon(date(2026, 11, 2)))
    assert standing(invoice) == [(OCT_22, 482)]
    # Entered anew with the day it did come in, it counts from that day.
    books.pay(who, "48.16", OCT_20, date(2026, 11, 3))
    db.session.commit()
    assert standing(invoice) == []
    tick(books.noon(date(2026, 11, 4)))
    assert (standing(invoice), balance_cents(invoice.account_id)) == ([], 0)


def test_a_late_charge_the_clerk_took_back_stays_so_after_a_check_bounced(app: Any) -> None:
    who, invoice = billed(paid="")
    tick(books.noon(OCT_22))
    (late,) = late_entries(invoice.id)
    actions.reverse_entry(late, "The Council waived it", by=system(), at=books.noon(OCT_22))
    took_back(books.pay(who, "20.00", OCT_20), date(2026, 11, 2))
    tick(books.noon(date(2026, 11, 2)))
    assert standing(invoice) == []


def test_late_charges_follow_how_the_clerk_spreads_money_in_time_and_back(app: Any) -> None:
    who = books.party()
    invoices = []
    for _ in range(2):
        books.load(who)
        invoices.append(books.bill(who, OCT_1))
    check = books.pay(who, "28.16", OCT_10)
    db.session.commit()
    tick(books.noon(OCT_22))
    found = [[standing(one) for one in invoices]]
    for day, chosen in ((25, {invoices[1].id: 2816}), (26, {}), (27, {invoices[1].id: 1000}), (28, {})):
        at: dict[str, Any] = {"by": system(), "at": books.noon(date(2026, 10, day)), "law": world.law(OCT_1)}
        actions.spread_payment(world.plant(), check, chosen, **at)
        db.session.commit()
        tick(books.noon(date(2026, 10, day)))
        found.append([standing(one) for one in invoices])
    by_x = [200, 482, 200, 300, 200]
    by_y = [482, 200, 482, 382, 482]
    assert found == [[[(OCT_22, x)], [(OCT_22, y)]] for x, y in zip(by_x, by_y, strict=True)]
    assert balance_cents(books.account(who).id) == 2 * 4816 - 2816 + 682


def test_a_late_charge_a_spread_takes_back_is_made_again_when_the_spread_is_given_up(app: Any) -> None:
    who, first = billed(paid="")
    books.load(who)
    second = books.bill(who, OCT_1)
    check = books.pay(who, "48.16", OCT_10)
    db.session.commit()
    tick(books.noon(OCT_22))
    found = [(standing(first), standing(second))]
    for chosen in ({second.id: 4816}, {}):
        at: dict[str, Any] = {"by": system(), "at": books.noon(date(2026, 10, 25)), "law": world.law(OCT_1)}
        actions.spread_payment(world.plant(), check, chosen, **at)
        db.session.commit()
        found.append((standing(first), standing(second)))
    whole = [(OCT_22, 482)]
    assert found == [([], whole), (whole, []), ([], whole)]
    last = late_lines()[-1]
    actions.reverse_entry(last, "The Council waived it", by=system(), at=books.noon(date(2026, 10, 26)))
    at = {"by": system(), "at": books.noon(date(2026, 10, 27)), "law": world.law(OCT_1)}
    actions.spread_payment(world.plant(), check, {first.id: 4816}, **at)
    assert (standing(first), standing(second)) == ([], [])


def test_a_check_that_bounced_on_a_bill_in_dispute_in_part_is_late_for_the_rest(app: Any) -> None:
    who, invoice = billed(paid="")
    volume = invoice_lines(invoice.id)[0][0]
    oct_8: dict[str, Any] = {"by": system(), "at": books.noon(date(2026, 10, 8)), "law": world.law(OCT_1)}
    actions.open_dispute(world.plant(), books.account(who), [volume], "The gallons", gallons=1500, waste="septic_tank",
                         asked_on=date(2026, 10, 8), **oct_8)  # fmt: skip
    check = books.pay(who, "12.16", OCT_10)
    db.session.commit()
    tick(books.noon(OCT_22))
    assert standing(invoice) == []
    took_back(check, date(2026, 11, 2))
    for day in (2, 3):
        tick(books.noon(date(2026, 11, day)))
        assert standing(invoice) == [(OCT_22, 122)]


def test_a_charge_taken_back_after_it_was_late_takes_its_late_charge_along(app: Any) -> None:
    who, invoice = billed(paid="")
    tick(books.noon(OCT_22))
    volume = invoice_lines(invoice.id)[0][0]
    nov_2: dict[str, Any] = {"by": system(), "at": books.noon(date(2026, 11, 2)), "law": world.law(OCT_1)}
    actions.take_back_line(volume, "Another hauler's load", **nov_2)
    assert standing(invoice) == [(OCT_22, 122)]  # of the test's $12.16
    assert balance_cents(books.account(who).id) == 1216 + 122
    db.session.commit()
    tick(books.noon(date(2026, 11, 3)))
    assert standing(invoice) == [(OCT_22, 122)]


@pytest.mark.parametrize(
    ("town", "due", "late"), [("bayfield", OCT_22, 482), ("gillett", OCT_22, 144), ("lawrence", None, 0)]
)
def test_each_towns_late_charge(app: Any, town: str, due: date | None, late: int) -> None:
    who, law = books.party(), law_of(town)
    books.load(who)
    known: dict[str, Any] = {"by": system(), "at": books.noon(OCT_1), "law": law}
    invoice: Any = actions.make_invoice(world.plant(), books.account(who), **known)
    made = late_by(law, invoice, date(2026, 10, 30))
    if due is None:
        assert (invoice.due_on, made.code) == (None, "no_late_charge")
    else:
        assert (invoice.due_on, made.on_day, made.amount_cents) == (date(2026, 10, 21), due, late)
