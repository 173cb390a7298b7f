"""Amounts a council sets, and when one may rise: so many days after every approved hauler was told (§ 281.49(12))."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from ordinances.programme import not_served
from ordinances.refusal import Refusal
from ordinances.rows import Law
from ordinances.schedule_law import schedule_of

NOTICE = "state.fee_notice_days"
FILING, WAGE, APPEAL = "fees.filing", "fees.wage", "fees.appeal"


def council_amounts(law: Law, day: date) -> list[str]:
    """The keys of the amounts a law leaves to the council on a day: only what it charges somebody by."""
    staffed = schedule_of(law).has_items(day) and any(
        item.kind == "staff_hours" for item in schedule_of(law).items_on(day)
    )
    asked = {
        FILING: law.has("application.fee_set_by", day),
        WAGE: staffed,
        APPEAL: law.has("review.fee_refundable", day),
    }
    # Where anybody may come, what was set once is charged, whoever the law names to set it.
    served = not_served(law, day) is None
    return [key for key, needed in asked.items() if needed or (served and law.has(key, day))]


@dataclass(frozen=True)
class Rise:
    """An amount that goes up from a day on, in dollars."""

    key: str
    was: Decimal
    becomes: Decimal
    since: date


def rise_of(law: Law, key: str, value: Decimal, since: date) -> Rise | None:
    """The rise it would be to set an amount from a day on; None for one that falls, stays or was not set before."""
    if not key.startswith("fees.") or not law.has(key, since):
        return None
    was = Decimal(law.value(key, since))
    return Rise(key, was, value, since) if value > was else None


def earliest_start(law: Law, told_on: date) -> date | None:
    """The first day a rise may start that was told on a day; None where the law asks for no notice."""
    return told_on + timedelta(days=law.value(NOTICE, told_on)) if law.has(NOTICE, told_on) else None


def cannot_start(law: Law, since: date, untold: Sequence[str], told_on: date | None, today: date) -> Refusal | None:
    """Why a rise may not start on a day, with the first day it may.

    ``untold`` are the approved haulers no notice went to, ``told_on`` the day of the last notice that did. Refusals:
    ``not_told``, ``told_too_late``. None where nobody is approved, and where the law asks for no notice.
    """
    if not law.has(NOTICE, since) or (not untold and told_on is None):
        return None
    row, days = law.row(NOTICE, since), timedelta(days=law.value(NOTICE, since))
    least = f"A fee rises {days.days} days after every approved hauler was told, or later."
    if untold:
        some = ", ".join(untold[:3]) + (f" and {len(untold) - 3} more" if len(untold) > 3 else "")
        why = f"{least} Not told of this yet: {some}. Told today, it can start on {_words(today + days)}."
        return Refusal("not_told", why, row.cite, row.reading, "The city clerk sends the notices first, from Settings.")
    assert told_on is not None
    if told_on + days > since:
        why = f"{least} The last notice went out on {_words(told_on)}: it can start on {_words(told_on + days)}."
        return Refusal("told_too_late", why, row.cite, row.reading)
    return None


def _words(day: date) -> str:
    return f"{day:%B} {day.day}, {day.year}"
