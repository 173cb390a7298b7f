"""What may come at all: kinds of waste, and limits checked at the truck (§ 329-6 C-D, § 329-7 A of Bayfield)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from ordinances.programme import not_served
from ordinances.refusal import Refusal
from ordinances.rows import Law, Row
from ordinances.schema import KEYS, WASTES
from ordinances.values import Limit

_TITLES = ("Septic tank", "Holding tank", "Portable toilet", "Grease interceptor", "Other hauled waste")
WASTE_TYPES: dict[str, str] = dict(zip(WASTES, _TITLES, strict=True))
RESIDENTIAL = ("septic_tank", "holding_tank", "portable_toilet")
REMEDIES = "limits.remedies"
# What is found where nothing has to follow.
AS_IT_IS = "take it as it is"
_NAMES = {"ph": "pH", "temp_f": "Temperature"}


@dataclass(frozen=True)
class Finding:
    """One limit a load does not keep: reject it, ask who judges, or warn."""

    severity: str
    parameter: str
    sentence: str
    cite: str
    reading: str | None


def screen(
    law: Law, day: date, *, ph: Decimal | None = None, temp_f: Decimal | None = None, flags: Collection[str] = ()
) -> tuple[Finding, ...]:
    """Every limit in force that a load does not keep, the gravest first.

    `ph` and `temp_f` are field measurements (None: not measured); `flags` names what was seen or smelled, by the
    parameters of the limits ("flammable", "toxic", "solids", "grease", ...).
    """
    measured = {"ph": ph, "temp_f": temp_f}
    found = []
    for row in law.rows(day):
        if KEYS[row.key].type == "limit":
            finding = _check(row, measured, flags)
            if finding is not None:
                found.append(finding)
    return tuple(sorted(found, key=lambda one: ("reject", "ask", "warn").index(one.severity)))


def seen(law: Law, day: date) -> tuple[tuple[str, str], ...]:
    """What may be seen or smelled of a load, by the limits in force that no meter is read for: name and words."""
    rows = [row for row in law.rows(day) if KEYS[row.key].type == "limit" and row.value.parameter not in _NAMES]
    return tuple((row.value.parameter, row.schema.title) for row in rows)


def remedies(law: Law, day: date) -> tuple[str, ...]:
    """What may follow where a waste is judged (§ 329-6 E), in the law's words; none where it names nothing."""
    return tuple(law.value(REMEDIES, day)) if law.has(REMEDIES, day) else ()


def rejects(remedy: str) -> bool:
    """Whether what was found is that the waste is not taken."""
    return remedy.startswith("reject")


def waste_allowed(law: Law, day: date, waste: str) -> Refusal | None:
    """Why an approval cannot cover a kind of waste, or None: grease interceptor waste is not septage (§ 281.49)."""
    if waste not in WASTE_TYPES:
        raise ValueError(f"{waste!r} is not a kind of waste: {', '.join(WASTE_TYPES)}")
    refusal = not_served(law, day)
    if refusal:
        return refusal
    row = law.row("approval.covers", day)
    if waste in row.value:
        return None
    covered = ", ".join(WASTE_TYPES[one].lower() for one in row.value)
    why = f"{WASTE_TYPES[waste]} waste is not septage, and no approval covers it."
    if waste == "other":
        why = "Waste of another kind is not septage, and no approval covers it."
    return Refusal("not_septage", why, row.cite, row.reading, f"What can be unloaded: {covered}.", {"waste": waste})


def _check(row: Row, measured: dict[str, Decimal | None], flags: Collection[str]) -> Finding | None:
    limit: Limit = row.value
    value = measured.get(limit.parameter)
    name = _NAMES.get(limit.parameter, row.schema.title)
    unit = f" {limit.unit}" if limit.unit else ""
    sentence = None
    if value is not None and limit.below is not None and value < limit.below:
        sentence = f"{name} {value}{unit} is below {limit.below}{unit}."
    elif value is not None and limit.above is not None and value > limit.above:
        sentence = f"{name} {value}{unit} is above {limit.above}{unit}."
    elif limit.parameter in flags:
        sentence = f"{name}: seen or smelled in this load."
    return Finding(limit.severity, limit.parameter, sentence, row.cite, row.reading) if sentence else None
