"""What taking in a file of readings would do, day by day: the page shows it before, the act does just that."""

from bisect import bisect_left, insort
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from statistics import median

from intake.models import FlowReading
from intake.queries.flow import MIDDLE_OF, accepted, held_why
from intake.states import FlowState

Reading = tuple[date, int | str]


@dataclass(frozen=True)
class Outcome:
    """One row of a file: gallons or words, and what becomes of it.

    ``kind``: accepted, held (``why``), same (recorded before), differing (``kept`` stays).
    """

    day: date
    value: int | str
    kind: str
    why: str | None = None
    kept: int | None = None

    @property
    def written(self) -> bool:
        return self.kind in ("accepted", "held")


@dataclass(frozen=True)
class Summary:
    """A file at a glance, so that a wrong unit or column is seen: days, and gallons of those with a figure."""

    first: date
    last: date
    days: int
    lowest: int | None
    middle: int | None
    highest: int | None


@dataclass(frozen=True)
class _Kept:
    gallons: int | None
    state: str
    why: str | None


def outcomes(recorded: Sequence[FlowReading], wanted: Sequence[Reading], stated: int | None) -> Iterator[Outcome]:
    """What becomes of each row of a file, in the order of days.

    Odd figures and words wait for a person. A day already accepted with another figure keeps what it has; one that
    waits or was a slip takes the mended figure, but not from the same file twice. ``stated``: see ``held_why``.
    """
    known = {row.day: _Kept(row.gallons, row.state, row.held_why) for row in recorded}
    good, fresh = accepted(recorded), set[date]()
    for day, value in sorted(wanted, key=lambda one: one[0]):
        why = held_why(value, [gallons for _, gallons in good[: bisect_left(good, (day, 0))][-MIDDLE_OF:]], stated)
        kept = known.get(day)
        if kept is not None and (day in fresh or not _mends(kept, value)):
            same = kept.gallons == value or (kept.gallons is None and kept.why == why)
            yield Outcome(day, value, "same" if same else "differing", None, kept.gallons)
            continue
        state = FlowState.HELD if why else FlowState.ACCEPTED
        known[day] = _Kept(None if isinstance(value, str) else value, state.value, why)
        fresh.add(day)
        if why is None and not isinstance(value, str):
            insort(good, (day, value))
        yield Outcome(day, value, state.value, why)


def _mends(kept: _Kept, value: int | str) -> bool:
    """A figure for a day that has none that counts."""
    return kept.state != FlowState.ACCEPTED.value and not isinstance(value, str) and kept.gallons != value


def summary(wanted: Sequence[Reading]) -> Summary:
    """A file at a glance. At least one row."""
    days = [day for day, _ in wanted]
    figures = [value for _, value in wanted if isinstance(value, int)]
    if not figures:
        return Summary(min(days), max(days), len(days), None, None, None)
    return Summary(min(days), max(days), len(days), min(figures), int(median(figures)), max(figures))
