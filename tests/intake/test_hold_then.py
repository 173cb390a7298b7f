"""Whether an account was on hold is asked as of a load's own time: money that came in since opens no gate before."""

from datetime import date
from typing import Any

import pytest

from billing.actions import make_invoice, record_payment
from billing.queries import account_of
from haulers import queries as haulers
from tests import world
from tests.intake.gatehouse import good, kept, log
from tests.intake.offline import body, device, enrolled, send
from tests.intake.offline import kept as row_of
from tests.intake.plant import Hauler, hauler
from tests.intake.test_records_due import adopt
from tests.ordinances.common import row_text

SEVEN, NOON = "2026-11-10T07:10", "2026-11-10T12:00"
NO = "The gate would have said no: invoice 2026-00001, $48.16 unpaid, was due October 21, 2026."


@pytest.fixture
def who(app: Any, clock_at: Any, tmp_path: Any) -> Hauler:
    """A hauler whose invoice was due on October 21, where the gate waits ten days."""
    adopt(tmp_path, row_text("billing.gate_hold_days", "10", "2026-10-01", "§ 9"))
    made = hauler()
    good(log(made, 1_500, "2026-10-01T07:00"))
    good(kept(make_invoice(world.plant(), _account(made), by=world.staff("clerk"), at=world.at("2026-10-01T12:00"),
                           law=world.law())))  # fmt: skip
    clock_at(NOON)
    enrolled()
    return made


def _account(who: Hauler) -> Any:
    return account_of(world.plant().id, haulers.party_of_business(who.business_id).id)


def pay(who: Hauler, received: str, entered: str) -> None:
    good(kept(record_payment(world.plant(), _account(who), 4_816, "check", "1042", date.fromisoformat(received),
                             by=world.staff("clerk"), at=world.at(entered), law=world.law())))  # fmt: skip


def told(app: Any, who: Hauler) -> list[str]:
    """What stands against a load of 7:10 that a tablet tells of at noon."""
    sent = body(who, 300, at=SEVEN, now=NOON)
    assert send(device(app), sent)["state"] == "taken"
    return [one["said"] for one in row_of(sent).flags if one["code"] == "account_hold"]


@pytest.mark.parametrize("paid", [None, ("2026-11-10", "2026-11-10T09:00"), ("2026-11-10", "2026-11-10T11:00")])
def test_money_that_came_after_the_load_leaves_it_flagged(app, who, paid):
    if paid is not None:
        pay(who, *paid)
    assert told(app, who) == [NO]


@pytest.mark.parametrize("paid", [("2026-11-09", "2026-11-10T09:00"), ("2026-11-10", "2026-11-10T07:05")])
def test_money_that_had_come_by_then_opens_the_gate_also_where_it_was_entered_later(app, who, paid):
    pay(who, *paid)
    assert told(app, who) == []


def test_now_the_gate_opens_with_the_payment(app, who):
    answer = log(who, 300, SEVEN)
    assert answer.code == "account_hold"
    pay(who, "2026-11-10", "2026-11-10T07:05")
    good(log(who, 300, SEVEN))
