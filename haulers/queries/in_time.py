"""What an application asked for in time: gallons raised after the close do not count before the committee takes them.

§ 329-7 B(1): applications are made in the window. The committee takes a higher figure by its motion: one that asked for
the gallons, or the decision itself.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from haulers.models import ApplicationChange
from haulers.queries.answers import differences
from haulers.queries.applications import SourceLine, Totals, totals
from haulers.queries.opened import GALLONS, after_close
from office.formats import gallons, volume
from ordinances.calendar import FilingStatus

CHANGED = "Changed after it was sent"


@dataclass(frozen=True)
class Changed:
    """What was changed after an application was sent; ``counted`` are the gallons the suggestion goes by.

    ``rows`` are (answer, before, after) of every change made, oldest first. ``raised`` says the gallons that came up
    after the close, by part of the year.
    """

    counted: Totals
    rows: tuple[tuple[str, str, str], ...] = ()
    raised: tuple[str, ...] = ()

    @property
    def checks(self) -> list[str]:
        """For the table: what a member should look at."""
        return ([CHANGED] if self.rows else []) + (
            ["More gallons after the close"] if self.raised else [])  # fmt: skip

    @property
    def lines(self) -> list[str]:
        """Each changed answer with what it said before; then what was raised."""
        said = [f"{name}: {old or '(blank)'} → {new or '(blank)'}" for name, old, new in self.rows]
        return [*said, *self.raised]


def changed_since(now: Totals, changes: Sequence[ApplicationChange], window: FilingStatus | None) -> Changed:
    """What was changed of an application whose sources come to ``now``; ``changes`` oldest first."""
    made = [one for one in changes if one.answered_at is not None]
    rows = tuple(row for one in made for row in differences(one.before or {}, one.after or {}))
    base: Totals | None = None
    for one in made:
        if not _late(one, window):
            continue
        if one.motion_id is not None and (not one.opens or GALLONS in one.opens):
            base = None
        elif base is None:
            base = totals([SourceLine(**source) for source in (one.before or {}).get("sources", ())])
    if base is None:
        return Changed(now, rows)
    counted = Totals(_counted(now.winter, base.winter), _counted(now.rest, base.rest))
    parts = (("in winter", now.asked_winter, counted.asked_winter, now.winter, counted.winter),
             ("in the rest of the year", now.asked_rest, counted.asked_rest, now.rest, counted.rest))  # fmt: skip
    said = tuple(f"Asked for {part} after the close: {volume(asked)}. In time, and counted: {gallons(kept)}."
                 for part, asked, kept, tiers, old in parts if tiers != old)  # fmt: skip
    return Changed(counted, rows, said)


def _late(one: ApplicationChange, window: FilingStatus | None) -> bool:
    paper: Mapping[str, Any] = (one.after or {}).get("paper", {})
    came = date.fromisoformat(paper["on"]) if "on" in paper else None
    assert one.answered_at is not None
    return after_close(window, one.answered_at, came)


def _counted(now: dict[int, int], base: dict[int, int]) -> dict[int, int]:
    """Gallons by tier: what is asked now unless a tier was raised; then what was asked in time, cut to the sum of now
    from the last tier on.
    """
    if all(asked <= base.get(tier, 0) for tier, asked in now.items()):
        return now
    room, kept = sum(now.values()), {}
    for tier in sorted(base):
        kept[tier] = min(base[tier], room)
        room -= kept[tier]
    return kept
