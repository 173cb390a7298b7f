"""A limit that falls or hours that close while trucks are at the plant: the operators are told which trucks to turn
down or to stop (§ 329-7 C(1), F(3))."""

from collections.abc import Collection, Sequence
from datetime import date, datetime

from intake.models import Point
from intake.queries.limit_met import limit_on, limit_words, trucks_over
from intake.queries.point_met import Terms
from intake.queries.restrictions import ToStop, full_stop, to_stop
from office import formats
from office.access import Role
from office.notices import tell_role
from office.plants import Plant
from ordinances.calendar import Hours, dump_hours, shut_part
from ordinances.reader import Closure, Law


def tell_turn_down(plant: Plant, law: Law, since: date, at: datetime, before: Collection[int] = ()) -> None:
    """Tell the operators which trucks draw more than the limit in force since this instant. ``law`` is with it;
    ``before`` are the loads that did already (``over_it``): of them alone nothing is new."""
    found, today = trucks_over(plant, law, since, at), at.astimezone(plant.tz).date()
    if {one.load.id for one in found} <= set(before):
        return
    words = limit_words(law, limit_on(plant, law, today), today)
    subject = f"Lower the rate of {formats.plural(len(found), 'truck')} at the plant"
    _tell(plant, subject, words, "Turn these down, so that together they stay within it:", found, at)


def over_it(plant: Plant, law: Law, at: datetime) -> frozenset[int]:
    """The loads at the plant that together draw more than the limit in force: ids."""
    return frozenset(one.load.id for one in trucks_over(plant, law, at.astimezone(plant.tz).date(), at))


def tell_shut(plant: Plant, before: Law, law: Law, at: datetime) -> None:
    """Tell the operators which trucks at the plant run into hours that a change of the calendar has closed today."""
    today = at.astimezone(plant.tz).date()
    found = [one for one in to_stop(plant.id, at) if one.run.day == today
             and _shut(law, one, at) and not _shut(before, one, at)]  # fmt: skip
    closure = law.closures.get(today)
    if not found or closure is None:
        return
    cite = f" ({law.cite('approval.points_by', today)})" if law.has("approval.points_by", today) else ""
    words = f"{formats.day(today)} is closed{_hours(plant, closure)}: {closure.name}{cite}."
    subject = f"Closed now, with {formats.plural(len(found), 'truck')} at the plant"
    _tell(plant, subject, words, "Stop these:", found, at)


def tell_point(plant: Plant, point: Point, wanted: Terms, cite: str, at: datetime) -> None:
    """Tell the operators which trucks at a point that was set anew today unload though it is closed, or faster than it
    takes now."""
    here = [one for one in to_stop(plant.id, at) if one.run.point_id == point.id]
    found = [one for one in here if not wanted.is_open or (wanted.max_gph and one.run.gph > wanted.max_gph)]
    if not found:
        return
    trucks = formats.plural(len(found), "truck")
    if wanted.is_open:
        words = f"{point.name} takes {formats.rate(wanted.max_gph or 0)} at most now ({cite})."
        _tell(plant, f"Lower the rate of {trucks} at {point.name}", words, "Turn these down:", found, at)
    else:
        _tell(plant, f"{point.name} is closed now, with {trucks} there", f"{point.name} is closed now ({cite}).",
              "Stop these:", found, at)  # fmt: skip


def _shut(law: Law, one: ToStop, at: datetime) -> bool:
    """Whether what is still to run of a load lies in closed hours of its day."""
    if not isinstance(dump_hours(law, one.run.day), Hours):
        return True
    part = shut_part(law, one.run.day)
    return part is not None and max(at, one.run.starts) < part[0].end and part[0].start < one.run.ends


def _hours(plant: Plant, closure: Closure) -> str:
    if closure.shut_from is None or closure.shut_until is None:
        return ""
    start, end = (datetime.combine(closure.day, one, plant.tz) for one in (closure.shut_from, closure.shut_until))
    return f" {formats.span(start, end, plant.tz)}"


def _tell(plant: Plant, subject: str, why: str, head: str, found: Sequence[ToStop], at: datetime) -> None:
    lines = [why, "", head, *(truck_words(plant, one) for one in found)]
    tell_role(Role.OPERATOR, "turn_down", subject, "\n".join(lines), at, plant_id=plant.id)


def truck_words(plant: Plant, one: ToStop) -> str:
    """A truck at the plant in a line: its load, its rate, and when it begins where it has not."""
    begins = "" if one.running else f", begins at {formats.clock_time(one.run.starts, plant.tz)}"
    return full_stop(
        f"{one.load.business_name}, {one.load.plate}, load {one.load.ticket}: {formats.rate(one.run.gph)}{begins}"
    )
