from datetime import date, timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from billing.actions.spread import Step, spread
from tests.ordinances.common import FIXED

OCT_1 = date(2026, 10, 1)


def day(n: int) -> date:
    return OCT_1 + timedelta(days=n)


def test_oldest_payment_pays_oldest_invoice() -> None:
    steps = [Step(day(0), 4816, invoice=1), Step(day(3), 1000, invoice=2), Step(day(5), 5000, payment=7),
             Step(day(9), 816, payment=8)]  # fmt: skip
    assert spread(steps) == {(7, 1, day(5)): 4816, (7, 2, day(5)): 184, (8, 2, day(9)): 816}


def test_credit_waits_for_the_next_invoice() -> None:
    steps = [Step(day(0), 500, payment=1), Step(day(4), 300, invoice=1), Step(day(9), 300, invoice=2)]
    assert spread(steps) == {(1, 1, day(4)): 300, (1, 2, day(9)): 200}


def test_charge_taken_back_frees_the_newest_money_first() -> None:
    steps = [Step(day(0), 500, invoice=1), Step(day(1), 300, payment=1), Step(day(2), 200, payment=2),
             Step(day(5), -250, invoice=1), Step(day(8), 100, invoice=2)]  # fmt: skip
    assert spread(steps) == {
        (1, 1, day(1)): 300, (2, 1, day(2)): 200, (2, 1, day(5)): -200, (1, 1, day(5)): -50,
        (1, 2, day(8)): 50, (2, 2, day(8)): 50,
    }  # fmt: skip


def test_payment_taken_back_frees_its_invoice_for_the_next_payment() -> None:
    steps = [Step(day(0), 500, invoice=1), Step(day(1), 500, payment=1), Step(day(4), -500, payment=1),
             Step(day(6), 600, payment=2)]  # fmt: skip
    assert spread(steps) == {(1, 1, day(1)): 500, (1, 1, day(4)): -500, (2, 1, day(6)): 500}


def test_what_is_asked_less_on_the_day_a_payment_is_gone_is_what_that_payment_paid() -> None:
    """A check comes back and what it paid is written off the same day: other money stays where it lies."""
    steps = [Step(day(0), 150, invoice=5), Step(day(0), 350, payment=1), Step(day(1), 500, invoice=1),
             Step(day(2), 300, payment=2), Step(day(9), -350, payment=1), Step(day(9), -200, invoice=1)]  # fmt: skip
    assert spread(steps) == {
        (1, 5, day(0)): 150, (1, 1, day(1)): 200, (2, 1, day(2)): 300, (1, 5, day(9)): -150, (1, 1, day(9)): -200,
    }  # fmt: skip


EVENTS = st.lists(
    st.one_of(
        st.builds(lambda d, c: ("invoice", d, c), st.integers(0, 40), st.integers(1, 9000)),
        st.builds(lambda d, c: ("payment", d, c), st.integers(0, 40), st.integers(1, 9000)),
    ),
    max_size=14,
)


def steps_of(events: Any, gone: Any) -> list[Step]:
    steps = []
    for n, (kind, on, cents) in enumerate(events, start=1):
        steps.append(Step(day(on), cents, **{kind: n}))
        if n in gone:
            steps.append(Step(day(on + gone[n]), -cents, **{kind: n}))
    return steps


@FIXED
@given(EVENTS, st.dictionaries(st.integers(1, 14), st.integers(0, 20), max_size=4), st.randoms())
def test_every_day_nothing_is_paid_twice_and_nothing_lies_idle(events: Any, gone: Any, random: Any) -> None:
    steps = steps_of(events, gone)
    moves = spread(steps)
    shuffled = list(steps)
    random.shuffle(shuffled)
    assert spread(shuffled) == moves
    for n in range(62):
        until = [step for step in steps if step.day <= day(n)]
        asked = {s.invoice: sum(t.cents for t in until if t.invoice == s.invoice) for s in until if s.invoice}
        worth = {s.payment: sum(t.cents for t in until if t.payment == s.payment) for s in until if s.payment}
        held = {key: cents for key, cents in moves.items() if key[2] <= day(n)}
        on_invoice = {i: sum(c for (_, j, _), c in held.items() if j == i) for i in asked}
        of_payment = {p: sum(c for (q, _, _), c in held.items() if q == p) for p in worth}
        assert all(0 <= on_invoice[i] <= asked[i] for i in asked)
        assert all(0 <= of_payment[p] <= worth[p] for p in worth)
        assert sum(on_invoice.values()) == min(sum(asked.values()), sum(worth.values()))
