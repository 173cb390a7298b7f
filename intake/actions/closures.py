"""The closure calendar: holidays as the city keeps them, closed days and parts of days, opened days (§ 329-7 C(1)).

Every change asks and tells the same: bookings that no longer fit, written records whose due time moves.
"""

from collections.abc import Mapping
from datetime import date, datetime, time

from intake.actions.listing import list_lost, tell_open_again
from intake.actions.turning_down import tell_shut
from intake.queries import capacity
from intake.queries.calendar_met import Changes, Effect, effect_of, with_days
from intake.queries.closures import beneath
from intake.queries.restrictions import full_stop
from office import formats
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.plants import ClosureDay, Plant, closure_of, set_closure
from ordinances.calendar import dump_hours
from ordinances.reader import Closure, Law
from ordinances.refusal import Refusal
from ordinances.values import weekdays_words

KEEPERS = (Role.MANAGER, Role.DIRECTOR, Role.CLERK, Role.ADMINISTRATOR)
Shut = tuple[time, time] | None
NO_NAME = "Enter the name or the reason: haulers and the public read it"
UNCHANGED = "The calendar says just this already: nothing was changed"
OTHERS = "What this meets is not what you were shown. Look at it again."


@act("close_day", roles=KEEPERS)
def close_day(
    plant: Plant, day: date, name: str, kind: str = "closed", shut: Shut = None, *, seen: str | None = None,
    by: Actor, at: datetime, law: Law,
) -> ClosureDay | Refusal:  # fmt: skip
    """Put a day on the calendar, or change what it says of it (§ 329-7 C(1): times are the manager's).

    ``kind`` closed, holiday, or opened although a rule closes it; ``shut`` the hours of a closure of part of the day.
    Bookings that no longer fit lose their time, and their haulers are told. ``seen`` is what the person was shown
    (``Effect.key``). Refusals: past, no_name, not_open (the law's hours have no such day, § 329-7 F(4)), unchanged,
    wrong_part, others (it is not that any more).
    """
    law = _locked(plant, at)
    changes = {day: _closure(day, name, kind, shut)}
    effect = _asked(plant, law, changes, seen, at)
    if isinstance(effect, Refusal):
        return effect
    row = set_closure(plant, day, name, kind, shut, by=by, at=at)
    if isinstance(row, Refusal):
        return row
    _told(plant, law, effect, name, _cite(law, day), at)
    return row


@act("change_closure", roles=KEEPERS)
def change_closure(
    plant: Plant, closure_id: int, day: date, name: str, kind: str, shut: Shut = None, *, seen: str | None = None,
    by: Actor, at: datetime, law: Law,
) -> ClosureDay | Refusal:  # fmt: skip
    """Change a day of the calendar, or move it to another day: both days are asked about.

    Refusals: no_closure, day_taken (the other day is on the calendar too), and those of ``close_day``.
    """
    law = _locked(plant, at)
    row = closure_of(plant.id, closure_id)
    if row is None:
        return Refusal("no_closure", "This day is not on the calendar any more.", "")
    if day != row.day and day in law.closures:
        why = f"{formats.day(day)} is on the calendar already: {law.closures[day].name}. Change that day instead"
        return Refusal("day_taken", why, _cite(law, day))
    changes: dict[date, Closure | None] = {row.day: beneath(row), day: _closure(day, name, kind, shut)}
    effect = _asked(plant, law, changes, seen, at)
    if isinstance(effect, Refusal):
        return effect
    _leave(row, day, by, at)
    done = set_closure(plant, day, name, kind, shut, by=by, at=at)
    if isinstance(done, Refusal):
        return done
    _told(plant, law, effect, name, _cite(law, day), at)
    return done


@act("remove_closure", roles=KEEPERS)
def remove_closure(
    plant: Plant, closure_id: int, reason: str, *, seen: str | None = None, by: Actor, at: datetime, law: Law
) -> date | Refusal:
    """Take a day off the calendar: it is the holiday again that it stood over, or its weekday's hours hold again.

    The day it was is returned.

    Refusals: no_closure, no_reason, past, others.
    """
    law = _locked(plant, at)
    row = closure_of(plant.id, closure_id)
    if row is None:
        return Refusal("no_closure", "This day is not on the calendar any more.", "")
    if not reason.strip():
        return Refusal("no_reason", "Enter why the day is taken off the calendar", "")
    day, holiday = row.day, row.over_holiday
    effect = _asked(plant, law, {day: beneath(row)}, seen, at)
    if isinstance(effect, Refusal):
        return effect
    if holiday:
        row.name, row.kind, row.over_holiday, row.set_at, row.set_by = holiday, "holiday", None, at, by.name
        row.shut_from = row.shut_until = None
    else:
        db.session.delete(row)
    db.session.flush()
    _told(plant, law, effect, reason, _cite(law, day), at)
    return day


@act("list_holidays", roles=KEEPERS)
def list_holidays(
    plant: Plant, days: Mapping[date, str], *, seen: str | None = None, by: Actor, at: datetime, law: Law
) -> int | Refusal:
    """Put a year's holidays on the calendar as the city keeps them, all or none: only the days listed, none guessed.

    A day that is a holiday already keeps or changes its name; how many are new or renamed. Refusals: none_listed,
    past, no_name, day_taken (it is on the calendar as something else), others.
    """
    law = _locked(plant, at)
    if not days:
        return Refusal("none_listed", "Enter at least one holiday, like November 26, 2026 Thanksgiving Day", "")
    taken = [law.closures[day] for day in sorted(days) if day in law.closures and law.closures[day].kind != "holiday"]
    if taken:
        why = f"{formats.day(taken[0].day)} is on the calendar already: {taken[0].name}. Change that day by itself"
        return Refusal("day_taken", why, law.cite("hours.holidays", taken[0].day))
    new = {day: name.strip() for day, name in sorted(days.items()) if _name_of(law, day) != name.strip()}
    effect = _asked(plant, law, {day: _closure(day, name, "holiday", None) for day, name in new.items()}, seen, at)
    if isinstance(effect, Refusal):
        return effect
    for day, name in new.items():
        row = set_closure(plant, day, name, "holiday", by=by, at=at)
        if isinstance(row, Refusal):
            return row
    _told(plant, law, effect, "Holidays as the city keeps them", law.cite("hours.holidays", min(days)), at)
    return len(new)


def _leave(row: ClosureDay, day: date, by: Actor, at: datetime) -> None:
    """Move a row to another day; the holiday it stood over is on its own day again."""
    old, holiday = row.day, row.over_holiday
    if day == old:
        return
    # It takes no holiday along, neither the one it was nor the one it stood over.
    row.day, row.kind, row.over_holiday, row.shut_from, row.shut_until = day, "closed", None, None, None
    db.session.flush()
    if holiday:
        db.session.add(ClosureDay(plant_id=row.plant_id, day=old, name=holiday, kind="holiday", set_at=at,
                                  set_by=by.name))  # fmt: skip


def cannot_change(law: Law, changes: Changes, at: datetime) -> Refusal | None:
    """What is wrong with a change itself, before what it meets is looked at: a day gone by, no name, a day that the
    law's hours do not have, nothing changed."""
    today = at.astimezone(law.zone).date()
    for day, closure in changes.items():
        if day < today:
            return Refusal("past", f"{formats.day(day)} is past: the day must be today or later",
                           law.cite("hours.days", day))  # fmt: skip
        if closure is not None and not closure.name:
            return Refusal("no_name", NO_NAME, "")
        if closure is not None and closure.kind == "opened" and (shut := _stays_shut(law, changes, day)):
            return shut
    if changes and all(law.closures.get(day) == closure for day, closure in changes.items()):
        return Refusal("unchanged", UNCHANGED, _cite(law, next(iter(changes))))
    return None


def _stays_shut(law: Law, changes: Changes, day: date) -> Refusal | None:
    """Why the calendar cannot open a day: it opens what a holiday closes, never a day the law's hours leave out."""
    hours = dump_hours(with_days(law, changes), day)
    if not isinstance(hours, Refusal):
        return None
    why = hours.why.rstrip(".")
    if hours.code == "closed":
        why = f"{formats.day(day)} cannot be opened: unloading is {weekdays_words(law.value('hours.days', day))} only"
    return Refusal("not_open", f"{why} ({hours.cite})", hours.cite, hours.reading)


def _cite(law: Law, day: date) -> str:
    """Times are the plant manager's to specify."""
    return law.cite("approval.points_by", day) if law.has("approval.points_by", day) else ""


def _locked(plant: Plant, at: datetime) -> Law:
    lock(Plant, plant.id)
    return capacity.law_under_lock(plant, at)


def _closure(day: date, name: str, kind: str, shut: Shut) -> Closure | None:
    """The day as the law will have it; hours that cannot be are refused by ``set_closure``."""
    good = shut is None or (kind == "closed" and shut[0] < shut[1])
    return Closure(day, name.strip(), kind, *(shut if shut and good else (None, None)))


def _name_of(law: Law, day: date) -> str | None:
    return law.closures[day].name if day in law.closures else None


def _asked(plant: Plant, law: Law, changes: Changes, seen: str | None, at: datetime) -> Effect | Refusal:
    refused = cannot_change(law, changes, at)
    if refused is not None:
        return refused
    effect = effect_of(plant, law, changes, at)
    if seen is not None and seen != effect.key:
        return Refusal("others", OTHERS, _cite(law, next(iter(changes), at.date())))
    return effect


def _told(plant: Plant, before: Law, effect: Effect, why: str, cite: str, at: datetime) -> None:
    """Tell everybody concerned, under the calendar as it is now; ``before`` is the law with the one it was."""
    because(full_stop(why.strip()), cite)
    law = capacity.law_under_lock(plant, at)
    list_lost(plant, law, effect.lost, at, effect.dues)
    tell_shut(plant, before, law, at)
    tell_open_again(plant, effect.again, at)
