"""One account in a random month: what is on paper, and the acts that are played (tests/billing/month_acts.py)."""

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import count
from typing import Any

from billing.models import Account
from office.access import Actor
from office.db import db
from ordinances.refusal import Refusal
from tests import world
from tests.billing import books
from tests.billing.own_books import Books, day_of

SEED, FIRST = 6, date(2026, 10, 1)
SOURCES = count(1_000_000)


@dataclass
class Paper:
    """What must be, by what was put in: left of each charge, of each invoice's late charge, of each payment; cents."""

    left: dict[int, int] = field(default_factory=dict)
    late: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    money: dict[int, int] = field(default_factory=dict)

    @property
    def balance(self) -> int:
        return sum(self.left.values()) + sum(self.late.values()) - sum(self.money.values())


@dataclass(frozen=True)
class Stated:
    """A statement that was sent: its days, the newest line of the account then, what it closed with in cents."""

    first: date
    last: date
    newest: int
    closing: int


class Month:
    """One account and its paper, the day it is, and chance."""

    def __init__(self, number: int, account: Account, town: str, clerk: Actor) -> None:
        self.number, self.account, self.town, self.clerk = number, account, town, clerk
        self.lot, self.day, self.paper = random.Random(f"{SEED}-{number}"), FIRST, Paper()
        # Invoices whose hour came, and what the jobs did: each once.
        self.claimed: set[int] = set()
        self.claims: set[str] = set()
        self.chosen = False
        self.stated: list[Stated] = []
        self.done: Counter[str] = Counter()

    def __repr__(self) -> str:
        return f"month {self.number} on {self.day}"

    @property
    def known(self) -> dict[str, Any]:
        return {"by": self.clerk, "at": books.noon(self.day), "law": world.law(self.day)}

    @property
    def raw(self) -> Books:
        return Books(self.account.id, self.town)

    def not_stated(self, raw: Books, first: date) -> list[Any]:
        """The lines a statement from a day on lists of earlier days: those entered after the last one that had their
        day, of those that began before it."""
        before = [one for one in self.stated if one.first < first]

        def missing(line: Any) -> bool:
            had = [one.newest for one in before if day_of(line.on_day) <= one.last]
            return bool(had) and line.id > max(had)

        return [one for one in raw.within(date.min, first - timedelta(days=1)) if missing(one)]

    def some(self, model: Any, **more: Any) -> Any:
        rows = db.session.query(model).filter_by(account_id=self.account.id, **more).order_by(model.id).all()
        return self.lot.choice(rows) if rows else None

    def play(self, acts: Sequence[tuple[Callable[["Month"], Any], int]]) -> None:
        """``acts`` with their weights; the first logs a load, the second bills, with which each month begins."""
        (load, _), (bill, _), *_ = acts
        load(self)
        if self.lot.random() < 0.7:
            self.day += timedelta(days=1)
            bill(self)
        for place in range(self.lot.randint(5, 12)):
            self.day += timedelta(days=self.lot.choice([0, 0, 1, 2, 3, 8, 20, 21]))
            answer, name = None, ""
            while answer is None:
                move = self.lot.choices([one for one, _ in acts], [weight for _, weight in acts])[0]
                answer, name = move(self), move.__name__
            where = f"month {self.number}, act {place} ({name}) on {self.day}"
            self.done[f"{name} {'refused' if isinstance(answer, Refusal) else 'done'}"] += 1
            raw = self.raw
            assert list(raw.wrong(chosen=self.chosen)) == [], where
            self._late_now(raw)
            agrees(self.paper, raw, where)

    def _late_now(self, raw: Books) -> None:
        """A late charge gets smaller when the rule comes to less; larger only where a check came back."""
        for invoice, cents in self.paper.late.items():
            if raw.returned:
                self.paper.late[invoice] = sum(one.left() for one in raw.late_of(invoice))
            else:
                self.paper.late[invoice] = min(cents, raw.late_rule(invoice))


def agrees(paper: Paper, raw: Books, where: str) -> None:
    """The rows come to what was put in."""
    left = {one.id: one.left() for one in raw.charges.values() if one.kind != "late"}
    # A refund taken back before its check came back is owed by nobody: no paper ever knew it.
    assert {one: cents for one, cents in left.items() if cents} == {i: c for i, c in paper.left.items() if c}, where
    late = {invoice: sum(one.left() for one in raw.late_of(invoice)) for invoice in raw.invoices}
    assert {one: cents for one, cents in late.items() if cents} == {i: c for i, c in paper.late.items() if c}, where
    assert raw.balance() == paper.balance, where
