"""Files and statements that go on from one another: which lines of earlier days are in none of them yet.

Each holds every line of its own days, whatever was handed out before. Of days before its first it also holds what was
entered since the last of those before it that had them: so no line is missed, and none is there twice.
"""

from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from itertools import pairwise
from typing import NamedTuple

_DAY = timedelta(days=1)


class Out(NamedTuple):
    """One that was handed out: its days, both counted, and the mark up to which lines were known to it."""

    first: date
    last: date
    mark: int


def missing_since(out: Sequence[Out], first: date) -> tuple[Out, ...]:
    """Spans of days before ``first`` that some handed out before had, each with the mark after which its lines are in
    none; ``out`` in the order they were handed out. Days that none had are in no span: nobody asked for them yet."""
    edges = sorted({first, *(one.first for one in out), *(one.last + _DAY for one in out)})
    found: list[Out] = []
    for start, end in pairwise(edges):
        mark = _mark(out, start) if end <= first else None
        if mark is None:
            continue
        if found and found[-1].mark == mark and found[-1].last + _DAY == start:
            found[-1] = Out(found[-1].first, end - _DAY, mark)
        else:
            found.append(Out(start, end - _DAY, mark))
    return tuple(found)


def _mark(out: Iterable[Out], day: date) -> int | None:
    """Up to where the lines of a day are in some of these; None where none had the day."""
    mark: int | None = None
    for one in out:
        # Who comes after one that had the day has what was entered of it meanwhile.
        if one.first <= day <= one.last or (day < one.first and mark is not None):
            mark = max(mark or 0, one.mark)
    return mark
