"""Whose turn it is to answer an offer of freed room: it follows from the clock and the answers alone.

Each in line has so many hours once it is their turn, never past the start of their time. A no, no answer, or leaving
the line passes the room on to the next; a yes ends it for everybody behind.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta


@dataclass(frozen=True)
class Place:
    """One in line for a room: when their time would start, when they answered or left (None: not yet), whether yes.

    ``outs`` are the times in which they may not unload at all (None: without end): a turn that meets one ends with its
    begin, and does not come back when it is over.
    """

    starts: datetime
    over: datetime | None = None
    took: bool = False
    outs: tuple[tuple[datetime, datetime | None], ...] = ()


@dataclass(frozen=True)
class Turn:
    """From when to when it is, was or would be somebody's turn; empty where they were passed over. Instants in UTC."""

    begins: datetime
    ends: datetime

    def holds(self, at: datetime) -> bool:
        """Whether an instant lies in it: the first counts, the last does not."""
        return self.begins <= at < self.ends

    def is_over(self, at: datetime) -> bool:
        """Whether it is past, or never came."""
        return self.ends <= at


def turns(freed: datetime, hours: int, line: Iterable[Place]) -> list[Turn]:
    """The turns of those in line, in order, from the instant the room was freed; ``hours`` each has to answer."""
    made: list[Turn] = []
    begins, taken = freed.astimezone(UTC), False
    for one in line:
        ends = min(begins + timedelta(hours=hours), one.starts.astimezone(UTC))
        if one.over is not None:
            ends = min(ends, one.over.astimezone(UTC))
        met = [first.astimezone(UTC) for first, last in one.outs if last is None or last.astimezone(UTC) > begins]
        ends = min([ends, *met])
        ends = begins if taken else max(begins, ends)
        made.append(Turn(begins, ends))
        begins, taken = ends, taken or one.took
    return made
