"""What is put right later: money for what was written off, a credit larger than its charge, charges made anew."""

from datetime import date, datetime
from typing import Any

import pytest

from billing import actions, reminders
from billing.models import Entry, Invoice, Payment
from billing.queries import (
    InvoiceState,
    aging_of,
    balance_cents,
    check_ledger,
    credit_cents,
    invoice_lines,
    invoice_states,
    late_entries,
    parts_of_payment,
    unpaid_cents,
)
from office.access import Actor, Role, system
from office.acts import act
from office.db import db
from office.jobs import tick
from office.letters import Letter
from office.notices import Notice
from office.people import Party
from ordinances.refusal import Refusal
from tests import world
from tests.billing import books
from tests.billing.test_routes import signed_in, text_of

OCT_1, OCT_15, OCT_22, NOV_3 = date(2026, 10, 1), date(2026, 10, 15), date(2026, 10, 22), date(2026, 11, 3)
NOV_10, NOV_20, DEC_10 = date(2026, 11, 10), date(2026, 11, 20), date(2026, 12, 10)


def given(day: date) -> dict[str, Any]:
    return {"by": system(), "at": books.noon(day), "law": world.law(day)}


def billed(gallons: int = 1500) -> tuple[Any, Invoice]:
    who = books.party()
    books.load(who, gallons, label="Load 2026-00001")
    return who, books.bill(who, OCT_1)


def written_off(invoice: Invoice, day: date = NOV_3) -> list[Entry]:
    made: Any = actions.write_off(invoice, "Out of business", **given(day))
    assert isinstance(made, list), made
    return made


def state(who: Any, invoice: Invoice, day: date = DEC_10) -> tuple[InvoiceState, int, int]:
    """What is said of an invoice, its cents unpaid, and the balance, after the check of the whole ledger."""
    db.session.commit()
    assert check_ledger() == []
    (view,) = [one for one in invoice_states(world.plant().id, day) if one.invoice.id == invoice.id]
    return view.state, view.unpaid_cents, balance_cents(books.account(who).id)


def receipt_of(payment: Payment) -> dict[str, Any]:
    data: dict[str, Any] = db.session.get_one(Letter, payment.letter_id).data
    return data


def test_money_for_a_written_off_invoice_takes_the_write_off_back(app: Any) -> None:
    who, invoice = billed()
    written_off(invoice)
    assert state(who, invoice) == (InvoiceState.WRITTEN_OFF, 0, 0)
    paid = books.pay(who, "48.16", NOV_10, NOV_20)
    assert state(who, invoice) == (InvoiceState.PAID, 0, 0)
    assert [(one.number, cents) for one, cents in parts_of_payment(paid.id)] == [("2026-00001", 4816)]
    said = "$48.16 of invoice 2026-00001 had been written off; that is taken back."
    assert receipt_of(paid)["again"] == said
    assert receipt_of(paid)["balance"] == "Nothing is owed after this payment."
    assert said in db.session.query(Notice).order_by(Notice.id.desc()).first().body
    account = books.account(who)
    # On the day the money came it is asked for and paid; the day before nothing is.
    for day in (date(2026, 11, 9), NOV_10):
        old = aging_of(account.id, "", day)
        assert (old.balance_cents, old.unpaid_cents, old.credit_cents) == (0, 0, 0)
    words = actions.statement_words(account, db.session.get_one(Party, who.id), NOV_10, NOV_20, NOV_20)
    why = f"Receipt {paid.number} pays it"
    lines = [(one["day"], one["amount"], one["about"].endswith(why)) for one in words["rows"]]
    assert sorted(lines) == sorted([("November 10, 2026", "−$48.16", False), ("November 10, 2026", "$12.16", True),
                                    ("November 10, 2026", "$36.00", True)])  # fmt: skip


def test_part_of_it_takes_so_much_back_and_the_rest_when_it_comes(app: Any) -> None:
    who, invoice = billed()
    written_off(invoice)
    first = books.pay(who, "20.00", NOV_10)
    assert state(who, invoice) == (InvoiceState.WRITTEN_OFF, 0, 0)
    assert receipt_of(first)["again"] == "$20.00 of invoice 2026-00001 had been written off; that is taken back."
    second = books.pay(who, "30.00", NOV_20)
    assert state(who, invoice) == (InvoiceState.PAID, 0, -184)
    assert receipt_of(second)["again"] == "$28.16 of invoice 2026-00001 had been written off; that is taken back."
    assert [row["amount"] for row in receipt_of(second)["rows"]] == ["$28.16", "$1.84"]


def test_what_is_owed_goes_first_and_what_is_paid_ahead_stays_for_what_comes(app: Any) -> None:
    who, invoice = billed()
    written_off(invoice)
    books.load(who, 500, day=NOV_3)  # $24.16, on no invoice yet
    ahead: Any = actions.record_payment(world.plant(), books.account(who), 5000, "cash", "", NOV_10, ahead=True,
                                        **given(NOV_10))  # fmt: skip
    assert receipt_of(ahead)["again"] == ""
    assert state(who, invoice) == (InvoiceState.WRITTEN_OFF, 0, 2416 - 5000)
    other, theirs = billed()
    written_off(theirs)
    books.load(other, 500, day=NOV_3)
    paid = books.pay(other, "30.00", NOV_10)
    assert receipt_of(paid)["again"] == f"$5.84 of invoice {theirs.number} had been written off; that is taken back."
    assert state(other, theirs) == (InvoiceState.WRITTEN_OFF, 0, 0)


def test_what_is_in_dispute_stays_written_off(app: Any) -> None:
    who, invoice = billed()
    volume, _test = (entry for entry, _ in invoice_lines(invoice.id))
    made: Any = actions.open_dispute(world.plant(), books.account(who), [volume], "Too many gallons", gallons=1500,
                                     waste="septic_tank", asked_on=OCT_15, **given(OCT_15))  # fmt: skip
    assert not isinstance(made, Refusal)
    written_off(invoice)
    paid = books.pay(who, "48.16", NOV_10)
    assert receipt_of(paid)["again"] == "$12.16 of invoice 2026-00001 had been written off; that is taken back."
    assert state(who, invoice) == (InvoiceState.WRITTEN_OFF, 0, -3600)


def test_what_is_written_off_beside_a_paid_charge_in_dispute_stays_so(app: Any) -> None:
    """Money passes the invoice by: nothing would pay what was asked for again."""
    who, invoice = billed()
    books.pay(who, "36.00", OCT_15)
    written_off(invoice)
    volume, _test = (entry for entry, _ in invoice_lines(invoice.id))
    made: Any = actions.open_dispute(world.plant(), books.account(who), [volume], "Too many gallons", gallons=1500,
                                     waste="septic_tank", asked_on=NOV_3, **given(NOV_3))  # fmt: skip
    assert not isinstance(made, Refusal)
    paid = books.pay(who, "20.00", NOV_10)
    assert receipt_of(paid)["again"] == ""
    assert state(who, invoice) == (InvoiceState.WRITTEN_OFF, 0, -2000)


def test_money_that_had_come_before_it_was_written_off(app: Any) -> None:
    who, invoice = billed()
    written_off(invoice)
    paid = books.pay(who, "48.16", OCT_15, NOV_20)
    assert state(who, invoice) == (InvoiceState.PAID, 0, 0)
    assert late_entries(invoice.id) == []
    backs = db.session.query(Entry).filter(Entry.reason == f"Receipt {paid.number} pays it")
    assert {one.on_day for one in backs} == {NOV_3}
    for day, unpaid in ((OCT_15, 0), (NOV_3, 0), (NOV_20, 0)):
        assert aging_of(books.account(who).id, "", day).unpaid_cents == unpaid


def test_a_check_for_it_that_comes_back_is_owed(app: Any) -> None:
    who, invoice = billed()
    written_off(invoice)
    paid = books.pay(who, "48.16", NOV_10)
    assert isinstance(actions.return_check(world.plant(), paid, "No funds", **given(NOV_20)), Entry)
    assert state(who, invoice) == (InvoiceState.LATE, 4816, 4816)


def test_the_receipt_page_says_it(app: Any, clock_at: Any) -> None:
    clock_at("2026-11-20T10:00")
    who, invoice = billed()
    written_off(invoice)
    paid = books.pay(who, "48.16", NOV_10)
    db.session.commit()
    clerk = signed_in(app, "clerk")
    page = text_of(clerk.get(f"/bayfield/clerk/receipts/{paid.number}"))
    assert "$48.16 of invoice 2026-00001 had been written off; that is taken back." in page
    assert "counts for nothing yet" not in page
    assert clerk.get(f"/bayfield/clerk/receipts/{paid.number}/pdf").status_code in (200, 202)


@pytest.mark.parametrize("chosen", [False, True])
def test_a_write_off_beside_a_dispute_leaves_nothing_unpaid(app: Any, chosen: bool) -> None:
    """Money of the same day, which passes what is in dispute by: what is written off is what is unpaid."""
    who, invoice = billed()
    volume, _test = (entry for entry, _ in invoice_lines(invoice.id))
    actions.open_dispute(world.plant(), books.account(who), [volume], "Too many gallons", gallons=1500,
                         waste="septic_tank", asked_on=OCT_15, **given(OCT_15))  # fmt: skip
    paid = books.pay(who, "20.00", NOV_3)
    if chosen:
        actions.spread_payment(world.plant(), paid, {invoice.id: 1500}, **given(NOV_3))
    before = unpaid_cents(invoice.id)
    assert before == (3316 if chosen else 3600)
    written_off(invoice)
    assert (unpaid_cents(invoice.id), sum(cents for _, cents in parts_of_payment(paid.id))) == (0, 4816 - before)


def test_a_choice_that_has_no_room_takes_no_money_from_where_it_lies(app: Any) -> None:
    """Chosen for one that two payments fill, the rest of the second pays another; a dispute there comes after it."""
    who, first = billed()
    one, two = books.pay(who, "40.00", OCT_1), books.pay(who, "40.00", OCT_1)
    books.load(who, 1000, day=OCT_1, label="Load 2026-00002")
    second = books.bill(who, OCT_15)
    assert [unpaid_cents(one.id) for one in (first, second)] == [0, 432]
    for payment in (one, two):
        actions.spread_payment(world.plant(), payment, {first.id: 4000}, **given(OCT_15))
    assert [unpaid_cents(one.id) for one in (first, second)] == [0, 432]
    volume, _test = (entry for entry, _ in invoice_lines(second.id))
    actions.open_dispute(world.plant(), books.account(who), [volume], "Too many gallons", gallons=1000,
                         waste="septic_tank", asked_on=OCT_22, **given(OCT_22))  # fmt: skip
    assert unpaid_cents(second.id) == 432
    written_off(second)
    assert [unpaid_cents(one.id) for one in (first, second)] == [0, 0]
    assert state(who, second)[2] == 0


@act("test_put_right_replaced", roles=(Role.SYSTEM,))
def replaced(who: Any, entry: Entry, gallons: int, *, by: Actor, at: datetime) -> list[Entry]:
    """As a load whose gallons are corrected: the charge of its gallons in place of another."""
    day, law = at.astimezone(world.plant().tz).date(), world.law(OCT_1)
    taken: Any = actions.take_back(entry, "Load 2026-00001: corrected", by=by, at=at, law=law)
    lines = [books.volume(law, OCT_1, gallons)] if gallons else []
    made: Any = actions.post_charges(world.plant(), who.id, lines, "load", entry.source_id, day, for_day=entry.day,
                                     label="Load 2026-00001", by=by, at=at, law=law)  # fmt: skip
    actions.pass_on(taken, made, by=by, at=at)
    actions.void_late(entry.account_id, by=by, at=at)
    return list(made)


def volume_billed(gallons: int = 1500) -> tuple[Any, Invoice, Entry]:
    who, law = books.party(), world.law(OCT_1)
    posted: Any = actions.post_charges(world.plant(), who.id, [books.volume(law, OCT_1, gallons)], "load", 77, OCT_1,
                                       label="Load 2026-00001", **given(OCT_1))  # fmt: skip
    return who, books.bill(who, OCT_1), posted[0]


@pytest.mark.parametrize(("gallons", "owed", "kept"), [(1000, -600, 600), (250, -2400, 2400)])
def test_what_a_smaller_charge_leaves_of_a_credit_stays_the_haulers(app: Any, gallons: int, owed: int, kept: int
                                                                    ) -> None:  # fmt: skip
    who, first, charge = volume_billed()
    actions.credit_charge(charge, 3000, "Typed for the wrong gallons", **given(OCT_15))
    assert state(who, first)[2] == 600
    replaced(who, charge, gallons, by=system(), at=books.noon(OCT_22))
    assert state(who, first)[2] == owed
    account = books.account(who)
    assert credit_cents(account.id) == kept
    (payment,) = db.session.query(Payment).all()
    assert (payment.method, payment.number, payment.received_on) == ("credit", "2026-00001", OCT_22)
    assert receipt_of(payment)["head"] == "credited on October 22, 2026"
    told = db.session.query(Notice).filter_by(kind="credit").order_by(Notice.id.desc()).first()
    assert "Credit kept, left over of" in told.body and "Why: Typed for the wrong gallons" in told.body
    # It pays what comes next, to the cent, and the rest may be paid back.
    books.load(who, 500, day=OCT_22)
    books.bill(who, OCT_22)
    assert balance_cents(account.id) == owed + 2416
    assert credit_cents(account.id) == max(0, kept - 2416)


def test_with_a_charge_that_nothing_takes_the_place_of_goes_its_credit(app: Any) -> None:
    who, first, charge = volume_billed()
    actions.credit_charge(charge, 3000, "Typed for the wrong gallons", **given(OCT_15))
    books.pay(who, "6.00", OCT_15)
    replaced(who, charge, 0, by=system(), at=books.noon(OCT_22))
    assert state(who, first)[2] == -600


def test_a_kept_credit_is_taken_back_as_any_line(app: Any) -> None:
    who, first, charge = volume_billed()
    actions.credit_charge(charge, 3000, "Typed for the wrong gallons", **given(OCT_15))
    replaced(who, charge, 250, by=system(), at=books.noon(OCT_22))
    (payment,) = db.session.query(Payment).all()
    back: Any = actions.return_check(world.plant(), payment, "No", **given(OCT_22))
    assert back.code == "not_a_check"
    entry = db.session.get_one(Entry, payment.entry_id)
    assert isinstance(actions.take_back_line(entry, "It was for the gallons", **given(NOV_3)), Entry)
    assert state(who, first)[2] == 0


def balances(who: Any) -> list[int]:
    account = books.account(who)
    days = (OCT_1, OCT_15, NOV_3, NOV_20, DEC_10)
    found = [aging_of(account.id, "", day) for day in days]
    assert all(one.balance_cents == one.unpaid_cents + one.unbilled_cents - one.credit_cents for one in found)
    return [one.balance_cents for one in found]


def test_an_invoice_made_again_leaves_what_was_owed_on_earlier_days(app: Any) -> None:
    who, invoice = billed()
    before, account = balances(who), books.account(who)
    assert before == [4816] * 5
    again: Any = actions.void_invoice(world.plant(), invoice, "Wrong address", **given(DEC_10))
    assert balances(who) == before
    old = aging_of(account.id, "", NOV_20)
    assert (old.unbilled_cents, old.by_age["1 to 30 days"]) == (0, 4816)
    words = actions.statement_words(account, db.session.get_one(Party, who.id), OCT_1, NOV_20, DEC_10)
    assert (words["closing"], words["rows"], words["opening"]) == ("$48.16", [], "$48.16")
    # The new invoice says the day of the load, as the one before it.
    data: Any = db.session.get_one(Letter, again.letter_id).data
    assert [one["title"] for one in data["groups"]] == ["Wednesday, September 30, 2026 · Load 2026-00001"]
    rows = actions.statement_words(account, db.session.get_one(Party, who.id), DEC_10, DEC_10, DEC_10)["rows"]
    assert [one["amount"] for one in rows] == ["−$36.00", "−$12.16", "$36.00", "$12.16"]
    assert "in place of one of September 30, 2026" in rows[2]["about"]
    assert state(who, again)[2] == 4816


def test_corrected_gallons_leave_what_was_owed_on_earlier_days(app: Any) -> None:
    who, _invoice, charge = volume_billed()
    before = balances(who)
    replaced(who, charge, 1000, by=system(), at=books.noon(DEC_10))
    assert balances(who) == [*before[:-1], 2400]


def test_a_late_charge_made_smaller_leaves_what_was_owed_on_earlier_days(app: Any) -> None:
    who, invoice = billed()
    made: Any = actions.add_late_charge(invoice, **given(OCT_22))
    assert (made.amount_cents, made.on_day) == (482, OCT_22)
    books.pay(who, "20.00", OCT_15, DEC_10)  # received in time, entered later
    (late,) = late_entries(invoice.id)
    assert (late.amount_cents, late.on_day, late.day) == (282, DEC_10, OCT_22)
    assert balances(who) == [4816, 2816, 2816 + 482, 2816 + 482, 2816 + 282]


@pytest.mark.parametrize(("right", "left"), [(2816, 282), (0, 0)])
def test_what_an_older_rule_took_too_much_is_put_right_by_the_job_once(app: Any, monkeypatch: Any, right: int,
                                                                       left: int) -> None:  # fmt: skip
    who, invoice = billed()
    # As an older rule had it: of the whole invoice, whatever was paid of it.
    books.pay(who, f"{(4816 - right) / 100:.2f}", OCT_15)
    with monkeypatch.context() as older:
        older.setattr("billing.actions.late._base_cents", lambda *_: 4816)
        made: Any = actions.add_late_charge(invoice, **given(OCT_22))
        assert made.amount_cents == 482
    db.session.commit()
    monkeypatch.setattr("office.jobs.JOBS", {"late_charges_corrected": reminders.late_charges_corrected})
    done = [tick(books.noon(day))["late_charges_corrected"] for day in (NOV_3, NOV_3, NOV_10)]
    assert done == [1, 0, 0]
    assert [one.amount_cents for one in late_entries(invoice.id)] == ([left] if left else [])
    back = db.session.query(Entry).filter_by(reverses_id=made.id).one()
    assert (back.on_day, back.amount_cents) == (NOV_3, -482)
    assert back.reason == "It was more than the law sets: what it is taken of had been counted wrongly."
    told = db.session.query(Notice).filter_by(kind="late_charge").order_by(Notice.id.desc()).first()
    assert told.subject == f"Late charge on invoice {invoice.number}: " + ("$2.82 instead of $4.82" if left else
                                                                            "$4.82 taken back")  # fmt: skip
    assert told.body.endswith(f"Why: {back.reason}")
    assert state(who, invoice)[2] == right + left
    # One that is right stays, and nothing is done again.
    before = db.session.query(Entry).count()
    monkeypatch.setattr(reminders, "WAY", 2)
    assert tick(books.noon(NOV_20))["late_charges_corrected"] == 1
    assert db.session.query(Entry).count() == before
