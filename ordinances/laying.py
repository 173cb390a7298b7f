"""What is left of a load in the pipe laid out anew: how far its rate goes beside the times of others (§ 329-7 F(3)).

Pure and exact, as `ordinances.offers`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction

from ordinances.offers import Draw, Step
from ordinances.ticks import HOUR, MINUTE, instant, tick, up


@dataclass(frozen=True)
class Piece:
    """How far a load goes on from now: until ``end`` with so many gallons; 0 gallons where it must stop at once.

    ``left`` are the gallons still in the truck then.
    """

    end: datetime
    gallons: int
    left: int


def goes_on(
    free: Sequence[Step], others: Sequence[Draw], at: datetime, gallons: int, gph: int, *, pressing: bool = False
) -> Piece:
    """How far gallons run on from an instant at one rate, until they are out or it must give way.

    It gives way where the free rate falls below its own, and where another's time begins that leaves it too little.
    `free` and `others` leave the load itself out. `pressing`: a rate as measured is in the pipe and goes on though it
    does not fit now. All in whole minutes as offers are; the end is never later than where it gives way.
    """
    now, until = tick(at), _gives_way(free, others, at, gph, pressing=pressing)
    whole = now + -(-gallons * HOUR // gph)
    if until is None or whole <= until:
        end = now + up(whole - now, MINUTE)
        return Piece(instant(end if until is None else min(end, until), at.tzinfo), gallons, 0)
    out = int(Fraction((until - now) * gph, HOUR))
    return Piece(instant(until, at.tzinfo), out, gallons - out)


def _gives_way(free: Sequence[Step], others: Sequence[Draw], at: datetime, gph: int, *, pressing: bool) -> int | None:
    """The first instant from now at which this rate must end; None where nothing ends it."""
    now = tick(at)
    steps = [(tick(one.start), tick(one.end), one.free) for one in free]

    def free_at(when: int) -> Fraction:
        return Fraction(next((rate for start, end, rate in steps if start <= when < end), 0))

    here = free_at(now)
    if here < gph and not pressing:
        return now
    begin = {tick(one.start) for one in others}
    edges = sorted({edge for start, end, _ in steps for edge in (start, end)} | begin)
    before = here
    for edge in edges:
        if edge <= now:
            continue
        rate = free_at(edge)
        if rate < gph and (rate < before or edge in begin):
            return edge
        before = rate
    return None if steps else now
