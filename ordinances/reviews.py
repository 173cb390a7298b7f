"""The steps of a review and their clocks: the state's municipal procedure or the ordinance's own, as the law states.

Days are counted as § 990.001(4), Wis. Stats., has it: the first is left out, the last counts, and a last day on a
Sunday or a holiday moves to the next working day.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from ordinances.rows import Law

_SATURDAY, _SUNDAY = 5, 6
APPEAL = "Appeal asked for"
# Each step of a procedure: the key its days are under, what is done, and whether the hauler does it.
_STATE = (
    ("state.review_request_days", "Review asked for", True),
    ("state.review_done_days", "Review decided", False),
    ("state.appeal_days", APPEAL, True),
    ("state.hearing_days", "Hearing held", False),
    ("state.hearing_decided_days", "Appeal decided", False),
    ("state.court_days", "Court review asked for", True),
)
_OWN = (
    ("review.reconsider_days", "Reconsideration asked for", True),
    ("review.decided_days", "Reconsideration decided", False),
    ("review.appeal_days", APPEAL, True),
)


@dataclass(frozen=True)
class Clock:
    """One step: what is done, within how many days of the step before it, by whom, under which section.

    ``unconfirmed`` marks a row not yet checked against the official text: shown as such, never printed as law.
    """

    key: str
    name: str
    days: int
    by_hauler: bool
    cite: str
    unconfirmed: bool

    def due(self, law: Law, after: date) -> date:
        """The last day of this step when the step before it was done on ``after``."""
        return last_day(law, after, self.days)


def of_everything(law: Law, day: date) -> bool:
    """Whether the ordinance's own procedure is of any decision, action or determination, not only those of ch. 68."""
    key = "revocation.review"
    return law.value(key, day) == "own_procedure" if law.has(key, day) else law.has(_OWN[0][0], day)


def clocks(law: Law, day: date) -> tuple[Clock, ...]:
    """The steps of a review in their order; empty where the law in force names none.

    Where a text does not say which procedure it follows, one of its own goes before the state's.
    """
    steps = _OWN if of_everything(law, day) else _STATE
    found = []
    for key, name, by_hauler in steps:
        if law.has(key, day):
            row = law.row(key, day)
            found.append(Clock(key, name, int(row.value), by_hauler, row.cite, bool(row.unconfirmed)))
    return tuple(found)


def last_day(law: Law, after: date, days: int) -> date:
    """The last day of so many days after a day, moved off a Sunday or a holiday to the next working day."""
    last = after + timedelta(days=days)
    if last.weekday() != _SUNDAY and not _holiday(law, last):
        return last
    while last.weekday() in (_SATURDAY, _SUNDAY) or _holiday(law, last):
        last += timedelta(days=1)
    return last


def _holiday(law: Law, day: date) -> bool:
    closure = law.closures.get(day)
    return closure is not None and closure.kind == "holiday"
