"""What charges go by beside their price, in plain words: classes of strength, mixed loads, loads not tested."""

from __future__ import annotations

from datetime import date

from ordinances.rows import Law
from ordinances.schedule import Mixed, StrengthClass, Untested
from ordinances.schedule_law import schedule_of
from ordinances.schedule_words import ChargeRow, parameter_words

MIXED, UNTESTED = "A load of several kinds", "A load that is not tested"
_MIXED = {"highest_rate": "all of it at the rate of its dearest kind", "by_part": "each kind by its part"}


def class_title(one: StrengthClass) -> str:
    """ "Class of strength: high"."""
    return f"Class of strength: {one.code.replace('_', ' ')}"


def class_words(one: StrengthClass | None) -> str:
    """ "BOD5 above 6,000 mg/L and TSS above 20,000 mg/L"; "" where there is no such class."""
    if one is None:
        return ""
    above = [f"{parameter_words(name)} above {strength.normalize():,f} mg/L" for name, strength in one.above]
    return (" and " if one.needs == "all" else " or ").join(above)


def mixed_words(one: Mixed | None) -> str:
    """How a mixed load is priced; "" where no rule says."""
    return _MIXED[one.rule] if one else ""


def untested_words(one: Untested | None) -> str:
    """What a load counts as that is not tested; "" where no rule says."""
    return f"counts as of {one.strength_class.replace('_', ' ')} strength" if one else ""


def rule_rows(law: Law, day: date) -> list[ChargeRow]:
    """What the charges of a day go by, to stand beside them."""
    schedule = schedule_of(law)
    said: list[tuple[str, str, StrengthClass | Mixed | Untested]]
    said = [(class_title(one), class_words(one), one) for one in schedule.classes_on(day)]
    mixed, untested = schedule.mixed_on(day), schedule.untested_on(day)
    said += [(MIXED, mixed_words(mixed), mixed)] if mixed else []
    said += [(UNTESTED, untested_words(untested), untested)] if untested else []
    return [
        ChargeRow(one.code, "rule", what, words, "", (), one.since, one.cite, one.reading, "")
        for what, words, one in said
    ]
