"""How long the short texts of a new law may be: each is printed on one line and kept with what is charged by it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

# Letters at most. Two sections may be cited together, and a charge says more after its own words.
LONGEST = {"id": 80, "name": 200, "code": 30, "role": 30, "cost": 60, "unit": 40, "what": 120, "cite": 95}
# Lists of names by the key of their row, or by their name under [schedule].
NAMES = {"testing.more_by": 200, "limits.remedies": 200, "restriction.reasons": 40, "restriction.scopes": 12,
         "schedule.wastes": 30, "schedule.origins": 60, "schedule.points": 100, "schedule.tests": 30}  # fmt: skip


def too_long(tables: Any, key: str = "") -> Iterator[tuple[str, str, str]]:
    """Where a text of parsed tables is too long, what is, and what to do."""
    for name, value in tables.items():
        here = f"{key}.{name}" if key else name
        if isinstance(value, dict):
            yield from too_long(value, here)
        for one in value if isinstance(value, list) else ():
            if isinstance(one, dict):
                yield from too_long(one, here)
            elif isinstance(one, str):
                yield from _one(here, one, NAMES.get(here.removesuffix(".value")))
        if isinstance(value, str):
            yield from _one(here, value, LONGEST.get(name))


def _one(key: str, text: str, most: int | None) -> Iterator[tuple[str, str, str]]:
    if most is not None and len(text) > most:
        yield key, f"{text[:20]}… has {len(text)} letters", f"Write {most} letters or fewer"
