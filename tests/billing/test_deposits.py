"""Money that a deposit frees pays what is overdue, never what is in dispute."""

from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from billing import actions
from billing.actions.deposits import draw_deposit
from billing.models import Entry
from billing.queries import (
    balance_cents,
    check_ledger,
    credit_cents,
    invoice_with,
    left_of,
    open_invoices,
    reversal_of,
    unpaid_cents,
)
from office.access import system
from office.db import db
from office.law import adopt_law
from office.notices import Notice
from ordinances.fee_line import FeeLine
from ordinances.refusal import Refusal
from tests import world
from tests.billing import books
from tests.billing.test_routes import signed_in, text_of
from tests.ordinances.common import changed
from tests.ordinances.town import item

SEPT_1, SEPT_2, SEPT_3, SEPT_30 = (date(2026, 9, day) for day in (1, 2, 3, 30))
OCT_1, OCT_2, OCT_31 = (date(2026, 10, day) for day in (1, 2, 31))


def given(day: date) -> dict[str, Any]:
    return {"by": world.staff("clerk"), "at": books.noon(day), "law": world.law(day)}


def town(tmp_path: Path) -> None:
    path = changed(tmp_path, extra=item("bond", "deposit", 'price = "50.00"'))
    adopt_law(world.plant(), path, date(2026, 1, 1), "Ord. 1", by=system(), at=world.START)


def bond(who: Any, day: date, truck: int = 1, *, paid: bool = True) -> Any:
    """A deposit of $50.00 left for a truck on a day, invoiced, and paid unless said otherwise."""
    line = FeeLine("bond", "Bond", Decimal(1), "deposit", Decimal(50), Decimal(50), "§ 1-1", None,
                   world.law(day).version)  # fmt: skip
    made: Any = actions.post_charges(world.plant(), who.id, [line], "truck", truck, day, **given(day))
    books.bill(who, day)
    if paid:
        books.pay(who, "50.00", day)
    return made[0]


def drawn(entry: Any, day: date) -> Any:
    made: Any = draw_deposit(entry, "Unpaid", **given(day))
    return made


def draws_of(entry: Any) -> list[Entry]:
    return list(db.session.query(Entry).filter_by(credits_id=entry.id).order_by(Entry.id))


def told() -> list[tuple[str, str]]:
    return [(one.kind, one.subject) for one in db.session.query(Notice).order_by(Notice.id)
            if one.kind not in ("invoice", "receipt", "late_charge")]  # fmt: skip


def test_a_draw_passes_the_oldest_invoice_by_while_that_is_in_dispute(app: Any, tmp_path: Path) -> None:
    town(tmp_path)
    who = books.party()
    made = [bond(who, SEPT_1)]
    doubted = books.load(who, 1000, day=SEPT_2, tested=False)  # $24.00
    first = books.bill(who, SEPT_2)
    books.load(who, 1500, day=SEPT_3, tested=False)  # $36.00
    second = books.bill(who, SEPT_3)
    dispute: Any = actions.open_dispute(world.plant(), books.account(who), doubted, "Not ours", gallons=1000,
                                        waste="septic_tank", asked_on=SEPT_3, **given(SEPT_3))  # fmt: skip
    (one,) = draw_deposit(made[0], "Unpaid", **given(SEPT_30))
    assert (one.amount_cents, left_of(made[0])) == (3600, 1400)
    assert (unpaid_cents(first.id), unpaid_cents(second.id), balance_cents(first.account_id)) == (2400, 0, 6000)
    assert credit_cents(first.account_id) == 0
    # Once the dispute has ended what is left of the deposit pays it.
    actions.take_dispute_on(dispute, "", "It stands", OCT_1, **given(OCT_1))
    (rest,) = draw_deposit(made[0], "Unpaid", **given(OCT_1))
    assert (rest.amount_cents, left_of(made[0]), unpaid_cents(first.id)) == (1400, 0, 1000)
    assert (balance_cents(first.account_id), check_ledger()) == (6000, [])


def test_a_draw_pays_the_overdue_invoices_and_no_older_one_that_asks_for_a_deposit(app: Any, tmp_path: Path) -> None:
    town(tmp_path)
    who = books.party()
    left = bond(who, SEPT_1)
    bond(who, SEPT_2, 2, paid=False)
    second = books.account(who).id
    oldest = open_invoices(world.plant().id, second)[0][0]
    books.load(who, 1000, day=SEPT_3, tested=False)
    first = books.bill(who, SEPT_3)
    books.load(who, 500, day=SEPT_3, tested=False)
    last = books.bill(who, SEPT_3)
    pair = drawn(left, SEPT_30)
    assert [one.amount_cents for one in pair] == [2400, 1200]
    assert [unpaid_cents(one.id) for one in (oldest, first, last)] == [5000, 0, 0]
    assert (left_of(left), balance_cents(second), check_ledger()) == (1400, 8600, [])
    assert told() == [("deposit_drawn", "$36.00 is drawn on your deposit")]


def test_a_draw_taken_back_leaves_deposit_and_invoice_as_they_were(app: Any, tmp_path: Path) -> None:
    town(tmp_path)
    who = books.party()
    left = bond(who, SEPT_1)
    books.load(who, 1000, day=SEPT_2, tested=False)
    first = books.bill(who, SEPT_2)
    books.load(who, 500, day=SEPT_3, tested=False)
    last = books.bill(who, SEPT_3)
    before = balance_cents(first.account_id)
    pair = drawn(left, SEPT_30)
    one, other = draws_of(left)
    assert not isinstance(actions.take_back_line(one, "A slip", **given(OCT_1)), Refusal)
    assert (left_of(left), [left_of(new) for new in pair]) == (3800, [0, 1200])
    assert (unpaid_cents(first.id), unpaid_cents(last.id), balance_cents(first.account_id)) == (2400, 0, before)
    again = books.bill(who, OCT_1)  # what stands of the pair is on an invoice, and taken back all the same
    assert again.total_cents == 1200
    assert not isinstance(actions.take_back_line(other, "A slip", **given(OCT_2)), Refusal)
    assert (left_of(left), [left_of(new) for new in pair]) == (5000, [0, 0])
    assert [unpaid_cents(invoice.id) for invoice in (first, last, again)] == [2400, 1200, 0]
    assert (balance_cents(first.account_id), check_ledger()) == (before, [])
    assert credit_cents(first.account_id) == 0


def test_what_was_drawn_of_the_deposit_left_anew_stays_drawn_when_the_first_draw_is_taken_back(
    app: Any, tmp_path: Path
) -> None:
    town(tmp_path)
    who = books.party()
    left = bond(who, SEPT_1)
    books.load(who, 1000, day=SEPT_2, tested=False)
    first = books.bill(who, SEPT_2)
    (anew,) = drawn(left, SEPT_30)
    books.bill(who, SEPT_30)
    books.pay(who, "24.00", SEPT_30)
    books.load(who, 500, day=OCT_1, tested=False)
    last = books.bill(who, OCT_1)
    (third,) = drawn(anew, OCT_31)
    before = balance_cents(first.account_id)
    assert (left_of(left), left_of(anew), third.amount_cents, unpaid_cents(last.id)) == (2600, 1200, 1200, 0)
    assert not isinstance(actions.take_back_line(draws_of(left)[0], "A slip", **given(OCT_31)), Refusal)
    # The deposit of $50.00 with the second draw alone: $38.00 of it, and $12.00 left anew.
    assert (left_of(left), left_of(anew), left_of(third)) == (3800, 0, 1200)
    assert (balance_cents(first.account_id), check_ledger()) == (before, [])
    newest = [one for one in draws_of(left) if reversal_of(one.id) is None]
    assert not isinstance(actions.take_back_line(newest[0], "A slip", **given(OCT_31)), Refusal)
    assert (left_of(left), left_of(third), balance_cents(first.account_id)) == (5000, 0, before)
    assert check_ledger() == []


@pytest.mark.parametrize("again", [True, False])
def test_a_draw_goes_with_the_invoice_of_its_deposit_when_that_is_void(app: Any, tmp_path: Path, again: bool) -> None:
    town(tmp_path)
    who = books.party()
    left = bond(who, SEPT_1)
    books.load(who, 1000, day=SEPT_2, tested=False)
    first = books.bill(who, SEPT_2)
    (anew,) = drawn(left, SEPT_30)
    invoice: Any = invoice_with(left.id)
    made: Any = actions.void_invoice(world.plant(), invoice, "Wrong name", again=again, **given(OCT_1))
    standing = [one for one in db.session.query(Entry).filter_by(code="bond", kind="charge")
                if left_of(one)]  # fmt: skip
    if again:
        assert sorted(left_of(one) for one in standing) == [2400, 2600]
        whole = next(one for one in standing if one.id != anew.id)
        assert invoice_with(whole.id) == made
        taken: Any = actions.take_back_line(draws_of(whole)[0], "A slip", **given(OCT_2))
        assert not isinstance(taken, Refusal), taken
        assert (left_of(whole), left_of(anew), unpaid_cents(first.id)) == (5000, 0, 2400)
    else:
        assert standing == []
    assert check_ledger() == []


def test_a_deposit_is_drawn_on_as_the_law_it_was_left_under_says(app: Any, clock_at: Any, tmp_path: Path) -> None:
    """The law of today may ask no deposits: what was left is a deposit all the same."""
    town(tmp_path)
    who = books.party()
    left = bond(who, SEPT_1)
    books.load(who, 1000, day=SEPT_2, tested=False)
    first = books.bill(who, SEPT_2)
    later = tmp_path / "later"
    later.mkdir()
    adopt_law(world.plant(), changed(later), OCT_1, "Ord. 2", by=system(), at=world.START)
    db.session.commit()
    clock_at("2026-10-02T12:00")
    clerk = signed_in(app, "clerk")
    page = text_of(clerk.get(f"/bayfield/clerk/accounts/{first.account_id}"))
    assert page.count(f'/draw/{left.id}"') == 1
    asked = text_of(clerk.get(f"/bayfield/clerk/accounts/{first.account_id}/draw/{left.id}"))
    assert f"<dt>Overdue of {first.number}</dt>" in asked and "$24.00" in asked
    assert "What is overdue and not in dispute is paid out of the deposit, as far as it goes" in asked
    (anew,) = drawn(left, OCT_2)
    books.bill(who, OCT_2)
    books.pay(who, "24.00", OCT_2)
    assert (anew.law_version, drawn(anew, OCT_2).code) == (left.law_version, "nothing_owed")
