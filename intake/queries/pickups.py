"""The pick-ups of one load, as the driver names them at the gate: compared with the whole, never in its way."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from office import formats

# "12 Lake Road 600", "600 gal, 12 Lake Road": the gallons are the last number of the line, else the first before "gal".
_FIRST = re.compile(r"^\s*([0-9][0-9,]*)\s*(?:gallons?|gals?)\b[\s,:;-]*(.+)$", re.IGNORECASE)
_LAST = re.compile(r"^(.*?)[\s,:;-]+([0-9][0-9,]*)\s*(?:gallons?|gals?)?\.?\s*$", re.IGNORECASE)


@dataclass(frozen=True)
class PickUp:
    """One place of a load with its gallons, None where the driver named none."""

    place: str
    gallons: int | None

    def stored(self) -> dict[str, Any]:
        """As the load keeps it."""
        return {"place": self.place, "gallons": self.gallons}


def read(typed: str) -> tuple[PickUp, ...]:
    """One pick-up a line, its place and its gallons in either order."""
    return tuple(_line(line.strip()) for line in typed.splitlines() if line.strip())


def as_typed(several: Sequence[PickUp]) -> str:
    """The same as lines to be read again."""
    return "\n".join(f"{one.place} {one.gallons or ''}".strip() for one in several)


def _line(line: str) -> PickUp:
    first = _FIRST.match(line)
    if first:
        return PickUp(first[2].strip(), _number(first[1]))
    last = _LAST.match(line)
    return PickUp(last[1].strip(), _number(last[2])) if last else PickUp(line, None)


def _number(digits: str) -> int:
    return int(digits.replace(",", "")[:9] or 0)


def pickup_words(several: Sequence[PickUp], whole: int) -> list[str]:
    """The pick-ups in a line, and where they do not make the whole what they make."""
    parts = [f"{one.place}, {formats.volume(one.gallons)}" if one.gallons is not None else one.place for one in several]
    said = [f"Picked up: {'; '.join(parts)}."]
    if all(one.gallons is not None for one in several):
        named = sum(one.gallons or 0 for one in several)
        if named != whole:
            said.append(f"The pick-ups add up to {formats.volume(named)}; the load has {formats.gallons(whole)}.")
    return said
