"""Money that a deposit frees pays what is overdue, never what is in dispute."""

from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

from billing import actions
from billing.actions.deposits import draw_deposit
from billing.queries import balance_cents, check_ledger, credit_cents, left_of, unpaid_cents
from office.access import system
from office.law import adopt_law
from ordinances.fee_line import FeeLine
from tests import world
from tests.billing import books
from tests.ordinances.common import changed
from tests.ordinances.town import item

SEPT_1, SEPT_2, SEPT_3, SEPT_30 = (date(2026, 9, day) for day in (1, 2, 3, 30))
OCT_1 = date(2026, 10, 1)


def given(day: date) -> dict[str, Any]:
    return {"by": world.staff("clerk"), "at": books.noon(day), "law": world.law(day)}


def test_a_draw_passes_the_oldest_invoice_by_while_that_is_in_dispute(app: Any, tmp_path: Path) -> None:
    path = changed(tmp_path, extra=item("bond", "deposit", 'price = "50.00"'))
    adopt_law(world.plant(), path, date(2026, 1, 1), "Ord. 1", by=system(), at=world.START)
    who = books.party()
    line = FeeLine("bond", "Bond", Decimal(1), "deposit", Decimal(50), Decimal(50), "§ 1-1", None,
                   world.law(SEPT_1).version)  # fmt: skip
    made: Any = actions.post_charges(world.plant(), who.id, [line], "truck", 1, SEPT_1, **given(SEPT_1))
    books.bill(who, SEPT_1)
    books.pay(who, "50.00", SEPT_1)
    doubted = books.load(who, 1000, day=SEPT_2, tested=False)  # $24.00
    first = books.bill(who, SEPT_2)
    books.load(who, 1500, day=SEPT_3, tested=False)  # $36.00
    second = books.bill(who, SEPT_3)
    dispute: Any = actions.open_dispute(world.plant(), books.account(who), doubted, "Not ours", gallons=1000,
                                        waste="septic_tank", asked_on=SEPT_3, **given(SEPT_3))  # fmt: skip
    drawn: Any = draw_deposit(made[0], "Unpaid", **given(SEPT_30))
    assert (drawn.amount_cents, left_of(made[0])) == (3600, 1400)
    assert (unpaid_cents(first.id), unpaid_cents(second.id), balance_cents(first.account_id)) == (2400, 0, 6000)
    assert credit_cents(first.account_id) == 0
    # Once the dispute has ended what is left of the deposit pays it.
    actions.take_dispute_on(dispute, "", "It stands", OCT_1, **given(OCT_1))
    rest: Any = draw_deposit(made[0], "Unpaid", **given(OCT_1))
    assert (rest.amount_cents, left_of(made[0]), unpaid_cents(first.id)) == (1400, 0, 1000)
    assert (balance_cents(first.account_id), check_ledger()) == (6000, [])
