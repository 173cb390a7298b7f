"""A suggested share when not all fits: the state's tiers first, then in proportion (NR 205.07(2)(e), § 329-7 B(2))."""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from fractions import Fraction
from functools import cache
from typing import Literal

from ordinances.counted import counted
from ordinances.reader import state_rows
from ordinances.rows import Law, Row

Method = Literal["pro_rata", "equal"]
Area = Literal["sewer_service", "holding_tank_service", "planning", "outside"]
AREAS: dict[str, str] = {
    "sewer_service": "Inside the sewer service area",
    "holding_tank_service": "Inside the holding tank service area",
    "planning": "Inside the planning area",
    "outside": "Outside the planning area",
}
_STATE = "wi-281.49"


@dataclass(frozen=True)
class Ask:
    """What one application asks for: gallons by tier (1 to 4)."""

    ref: str
    filed_at: datetime
    gallons_by_tier: Mapping[int, int]


@dataclass(frozen=True)
class Share:
    """What is suggested for one application: never more than asked."""

    ref: str
    asked: int
    gallons: int
    by_tier: Mapping[int, int]


@dataclass(frozen=True)
class TierLine:
    """One ask in one tier: wanted gallons, its even share before rounding (None where all fits), gallons given."""

    ref: str
    wanted: int
    even: Fraction | None
    given: int


@dataclass(frozen=True)
class TierStep:
    """One tier worked out: what it asks for of what is left, each ask in filing order, and what was done, in words."""

    number: int
    wanted: int
    left: int
    given: int
    lines: tuple[TierLine, ...]
    words: tuple[str, ...]


@dataclass(frozen=True)
class Recommendation:
    """Shares in the order the asks were given, the steps in words, the gallons left over, and each tier worked out."""

    shares: tuple[Share, ...]
    steps: tuple[str, ...]
    left: int
    tiers: tuple[TierStep, ...] = ()


@dataclass(frozen=True)
class Tier:
    """One tier of the state's order of priority."""

    number: int
    words: str
    cite: str


def recommend(asks: Sequence[Ask], capacity: int, method: Method = "pro_rata") -> Recommendation:
    """Share a capacity (gallons) among asks: tier 1 in full before tier 2, and so on.

    Within a tier that does not fit in full, "pro_rata" shares in proportion to the gallons asked (Sainte-Laguë, so
    that more capacity never lowers a share), "equal" gives each the same up to its ask. Ties: filed first, then ref.
    """
    if capacity < 0 or any(gallons < 0 for ask in asks for gallons in ask.gallons_by_tier.values()):
        raise ValueError("gallons cannot be below zero")
    share = {"pro_rata": _pro_rata, "equal": _equal}[method]
    ranks = sorted(range(len(asks)), key=lambda at: (asks[at].filed_at, asks[at].ref, at))
    given: list[dict[int, int]] = [{} for _ in asks]
    steps: list[str] = []
    tiers: list[TierStep] = []
    left = capacity
    for tier in sorted({tier for ask in asks for tier in ask.gallons_by_tier}):
        wants = [asks[at].gallons_by_tier.get(tier, 0) for at in ranks]
        parts = wants if sum(wants) <= left else share(wants, left)
        for at, want, part in zip(ranks, wants, parts, strict=True):
            if want:
                given[at][tier] = part
        steps.append(_step(tier, sum(wants), sum(parts), left, method))
        tiers.append(_tier(tier, [asks[at].ref for at in ranks], wants, parts, left, method, steps[-1]))
        left -= sum(parts)
    shares = (
        Share(ask.ref, sum(ask.gallons_by_tier.values()), sum(parts.values()), parts)
        for ask, parts in zip(asks, given, strict=True)
    )
    return Recommendation(tuple(shares), tuple(steps), left, tuple(tiers))


def tier_of(
    area: str,
    tank_kind: str,
    existing: bool,
    replaces_failed_system: bool,
    *,
    law: Law | None = None,
    on: date | None = None,
) -> Tier:
    """The tier of a source; words and section come from the state layer (of `law` on a day, else the shipped one).

    A tank that is not a holding tank counts as a septic tank. Raises ValueError for an area that is none.
    """
    if area not in AREAS:
        raise ValueError(f"{area!r} is not an area: {', '.join(AREAS)}")
    return tier_numbered(_number(area, tank_kind == "holding_tank", existing, replaces_failed_system), law, on)


def tier_numbered(number: int, law: Law | None = None, on: date | None = None) -> Tier:
    """A tier, 1 to 4, with the words and section of the state layer (of `law` on a day, else the shipped one)."""
    row = law.row("state.tiers", on) if law is not None and on is not None else _shipped_tiers()
    section, _, code = row.cite.partition(",")
    return Tier(number, row.value[number - 1], f"{section}{number}{',' if code else ''}{code}")


def _number(area: str, holding: bool, existing: bool, replaces: bool) -> int:
    if area == "sewer_service" or (area == "holding_tank_service" and holding):
        return 1
    if area == "outside":
        return 4
    return 2 if holding and existing and replaces else 3


@cache
def _shipped_tiers() -> Row:
    return next(row for row in reversed(state_rows(_STATE)) if row.key == "state.tiers")


def _pro_rata(wants: Sequence[int], seats: int) -> list[int]:
    """Sainte-Laguë: the gallons with the highest quotients want ÷ 1, 3, 5, ... ; `wants` in order of precedence.

    All quotients above a threshold are taken at once, then at most one gallon a party from the heap. No party can
    pass its ask: its last own gallon has a quotient above one half, the one after it below.
    """
    total = sum(wants)
    spare = 2 * seats - len(wants)
    parts = [(want * spare + total) // (2 * total) for want in wants] if spare > 0 else [0] * len(wants)
    queue = [(-Fraction(want, 2 * part + 1), at) for at, (want, part) in enumerate(zip(wants, parts, strict=True))]
    heapq.heapify(queue)
    for _ in range(seats - sum(parts)):
        _, at = queue[0]
        parts[at] += 1
        heapq.heapreplace(queue, (-Fraction(wants[at], 2 * parts[at] + 1), at))
    return parts


def _equal(wants: Sequence[int], seats: int) -> list[int]:
    """The same for each up to its ask; the gallons that do not divide go to the first in order."""
    level, left = 0, seats
    for at, want in enumerate(sorted(wants)):
        # All from here on still want more than the level.
        step = min(want - level, left // (len(wants) - at))
        level, left = level + step, left - step * (len(wants) - at)
        if level < want:
            break
    parts = [min(want, level) for want in wants]
    rest = seats - sum(parts)
    for at, want in enumerate(wants):
        if rest and want > parts[at]:
            parts[at] += 1
            rest -= 1
    return parts


def _step(tier: int, wanted: int, given: int, left: int, method: Method) -> str:
    if given == wanted:
        return f"Tier {tier} asks for {counted(wanted, 'gallon')} of {left:,}: all of it fits."
    if not left:
        return f"Tier {tier} asks for {counted(wanted, 'gallon')}: nothing is left."
    how = "in proportion to what is asked" if method == "pro_rata" else "the same for each, up to what is asked"
    are = "is" if given == 1 else "are"
    return f"Tier {tier} asks for {counted(wanted, 'gallon')} of {left:,}: {given:,} {are} shared, {how}."


def _tier(
    number: int, refs: Sequence[str], wants: Sequence[int], parts: Sequence[int], left: int, method: Method, step: str
) -> TierStep:
    wanted, given = sum(wants), sum(parts)
    shared = 0 < given < wanted
    words = [step]
    if shared and method == "pro_rata":
        words.append(
            f"Each even share is what it asks for × {left:,} ÷ {wanted:,}. Whole gallons go one by one to the largest "
            "ask ÷ 1, 3, 5 and so on (Sainte-Laguë), so that more room never gives anybody less."
        )
        if _tied(wants, parts):
            words.append("Claims to the last gallons are equal: the application filed first has them.")
    elif shared:
        level = max(parts)
        full = sum(1 for want, part in zip(wants, parts, strict=True) if want and part == want)
        words.append(f"Nobody gets more than {level:,}; {full} ask for no more than their share and get all of it.")
        if len({part for want, part in zip(wants, parts, strict=True) if part < want}) > 1:
            words.append("The gallons that do not divide go one each to the applications filed first.")
    lines = (
        TierLine(ref, want, Fraction(want * left, wanted) if shared and method == "pro_rata" else None, part)
        for ref, want, part in zip(refs, wants, parts, strict=True)
        if want
    )
    return TierStep(number, wanted, left, given, tuple(lines), tuple(words))


def _tied(wants: Sequence[int], parts: Sequence[int]) -> bool:
    """Whether the last gallon given and the first one not given had the same quotient."""
    last = min(Fraction(want, 2 * part - 1) for want, part in zip(wants, parts, strict=True) if part)
    following = max(Fraction(want, 2 * part + 1) for want, part in zip(wants, parts, strict=True))
    return last == following
