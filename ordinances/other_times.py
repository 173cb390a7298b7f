"""Other times of the day, by special arrangement: who makes it, on which days, in which hours (§ 329-7 F(4), C(2)).

The unloading hours are the narrower rule; the normal working hours of the plant bound what can be arranged beside them.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from ordinances.calendar import Hours, closed_by_calendar, dump_hours
from ordinances.programme import not_served
from ordinances.refusal import Refusal
from ordinances.rows import Law, Row
from ordinances.values import WEEKDAYS, WEEKEND, day_words, time_words, weekdays_words

_MINUTE = timedelta(minutes=1)
WORK_KEYS = ("hours.work_opens", "hours.work_closes")
# Whom "Who may arrange other times" lets arrange them, by their role here.
_ARRANGERS = {"director": ("director",), "plant_manager": ("plant_manager",),
              "director_or_manager": ("director", "plant_manager")}  # fmt: skip


def arranged_by(law: Law, day: date) -> Row | None:
    """The row that says who may arrange other times; None where the law knows none."""
    return law.row("hours.special_by", day) if law.has("hours.special_by", day) else None


def may_arrange(law: Law, day: date) -> tuple[str, ...]:
    """The roles that may arrange another time on a day; none where the law knows no other times."""
    row = arranged_by(law, day)
    return _ARRANGERS.get(row.value, ()) if row is not None else ()


def no_other_time(law: Law, day: date) -> Refusal | None:
    """Why no other time can be arranged on a day: not_accepted, by_agreement, no_special, no_special_day, closed."""
    refused = not_served(law, day)
    if refused is not None:
        return refused
    if arranged_by(law, day) is None:
        why = "The law of this plant knows no unloading at other times of the day."
        return Refusal("no_special", why, law.cite("hours.opens", day))
    return other_day(law, day) or closed_by_calendar(law, day)


def other_day(law: Law, day: date) -> Refusal | None:
    """Why unloading at another time has no price on a day: special times are of the same days, weekends by the flag."""
    weekends = law.row("fees.special_weekends", day)
    weekday = WEEKDAYS[day.weekday()]
    if weekday in law.value("hours.days", day) or (weekends.value and weekday in WEEKEND):
        return None
    days = (*law.value("hours.days", day), *(WEEKEND if weekends.value else ()))
    why = f"{day_words(day)} has no other times: they can be arranged {weekdays_words(days)} only."
    return Refusal("no_special_day", why, weekends.cite, weekends.reading, "Select another day.")


def work_hours(law: Law, day: date) -> Hours | Refusal:
    """The normal working hours of the plant's people, as the plant has entered them; work_not_set where it has not."""
    bound = law.row("hours.normal_hours", day) if law.has("hours.normal_hours", day) else None
    cite = bound.cite if bound else law.cite("hours.opens", day)
    if not all(law.has(key, day) for key in WORK_KEYS):
        why = f"The normal working hours at the plant are not entered for {day_words(day)}."
        return Refusal("work_not_set", why, cite, bound.reading if bound else None,
                       "The Public Works Director enters them.")  # fmt: skip
    opens, closes = (datetime.combine(day, law.value(key, day), law.zone) for key in WORK_KEYS)
    return Hours(opens, closes, cite, bound.reading if bound else None)


def arranged(law: Law, start: datetime, until: datetime) -> Hours | Refusal:
    """The span arranged for one truck, taken as its hours of that day; the closure by name where the day has closed."""
    day = start.astimezone(law.zone).date()
    row = arranged_by(law, day)
    cite = row.cite if row else law.cite("hours.opens", day)
    closed = closed_by_calendar(law, day)
    return closed or Hours(start.astimezone(law.zone), until.astimezone(law.zone), cite, None)


def wrong_span(law: Law, start: datetime, end: datetime) -> Refusal | None:
    """Why a span cannot be arranged on a day that could have one: inside_hours, another_day, outside_work.

    Without normal working hours entered only the day bounds it; the arrangement itself then waits for them.
    """
    day = start.astimezone(law.zone).date()
    hours = dump_hours(law, day)
    if isinstance(hours, Hours) and hours.start <= start and end <= hours.end:
        why = f"{_span(law, start, end)} is inside the unloading hours, {_span(law, hours.start, hours.end)}: book it."
        return Refusal("inside_hours", why, hours.cite, None, "Book it as any other time; nothing is added then.")
    work = work_hours(law, day)
    if isinstance(work, Hours) and not (work.start <= start and end <= work.end):
        # A time ends with its own full stop.
        when = f"{_span(law, start, end)} is outside the normal working hours, {_span(law, work.start, work.end)}"
        step = "Ask for an earlier or later time, or bring less."
        return Refusal("outside_work", when, work.cite, work.reading, step)
    if end.astimezone(law.zone).date() != day:
        return Refusal("another_day", "The load would still run on the next day.", law.cite("hours.opens", day), None,
                       "Ask for an earlier time, or bring less.")  # fmt: skip
    return None


def minutes_outside(law: Law, start: datetime, end: datetime) -> int:
    """Whole minutes of a span that lie outside the unloading hours of its day, a begun one counted."""
    first, last = start.astimezone(UTC), end.astimezone(UTC)
    left = max(timedelta(0), last - first)
    hours = dump_hours(law, start.astimezone(law.zone).date())
    if isinstance(hours, Hours):
        inside = min(last, hours.end.astimezone(UTC)) - max(first, hours.start.astimezone(UTC))
        left -= max(timedelta(0), inside)
    return -(-left // _MINUTE)


def began_outside(law: Law, start: datetime) -> bool:
    """Whether an instant lies outside the unloading hours of its day, on a closed day always; never without hours."""
    hours = dump_hours(law, start.astimezone(law.zone).date())
    if isinstance(hours, Refusal):
        return hours.code == "closed"
    return not hours.start.astimezone(UTC) <= start.astimezone(UTC) < hours.end.astimezone(UTC)


def _span(law: Law, start: datetime, end: datetime) -> str:
    first, last = (one.astimezone(law.zone).time() for one in (start, end))
    return f"{time_words(first)} to {time_words(last)}"
