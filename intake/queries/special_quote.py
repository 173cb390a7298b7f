"""What a special time would be and cost: how the load runs under the same limit, and the quote (§ 329-7 F(4))."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from haulers import queries as haulers
from intake.models import Load, Run, SpecialTime
from intake.queries import capacity, restrictions
from intake.queries.capacity import DayPicture
from intake.queries.places import Place
from intake.queries.point_room import nowhere, rooms
from intake.queries.priced import scheduled_point
from intake.queries.special_spans import arrangement
from intake.states import LoadState
from office import formats
from office.law import law_of_day
from office.plants import Plant
from ordinances.calendar import Hours
from ordinances.fees import FeeLine, for_load, total
from ordinances.offers import NoFit, Session
from ordinances.other_times import minutes_outside, no_other_time, work_hours, wrong_span
from ordinances.reader import Law
from ordinances.refusal import Refusal

ANOTHER = "Ask for another time, or bring less."


@dataclass(frozen=True)
class Worked:
    """A special time worked out: where and how the load runs, the minutes outside the hours, the latest end.

    ``quote`` is the whole charge of the load, or why none can be quoted yet (wage_not_set).
    """

    session: Session
    place: Place
    minutes: int
    until: datetime
    quote: tuple[FeeLine, ...] | Refusal

    @property
    def lines(self) -> tuple[FeeLine, ...]:
        return self.quote if isinstance(self.quote, tuple) else ()

    @property
    def cents(self) -> int | None:
        """The sum quoted, in cents; None where nothing can be quoted yet."""
        return int(total(self.lines) * 100) if self.lines else None

    @property
    def wage(self) -> Decimal | None:
        """Dollars an hour the quote rests on."""
        return next((one.unit_price for one in self.lines if one.code == "special_wage"), None)


def work_out(plant: Plant, law: Law, at: datetime, day: date, begins: time, gallons: int, waste: str, *,
             truck_id: int | None = None, origin: str = "") -> Worked | Refusal:  # fmt: skip
    """How a load of these gallons would run from a wall time on, beside what others have taken, and its charge.

    ``truck_id`` is whose tank may be charged by, ``origin`` the zone it comes from.

    Refusals: not_accepted, by_agreement, no_special, no_special_day, closed, no_such_time, past, inside_hours,
    outside_work, another_day, restricted, no_point, no_room, and those of the flow and of the waste.
    """
    span = _span(law, at, day, begins)
    if isinstance(span, Refusal):
        return span
    found = _session(plant, law, at, span, gallons, waste)
    if isinstance(found, Refusal):
        return found
    session, place = found
    minutes = minutes_outside(law, session.start, session.end)
    truck = haulers.truck(truck_id) if truck_id is not None else None
    known = {"capacity": truck.capacity if truck else None, "point": scheduled_point(plant.id, place.id or None)}
    priced = law_of_day(plant, day, law, at.astimezone(plant.tz).date())
    quote = for_load(priced, [(day, gallons)], waste, after_hours_minutes=minutes, origin=origin or None, **known)
    refused = wrong_span(law, session.start, session.end)
    if refused is None and isinstance(quote, Refusal) and quote.code != "wage_not_set":
        refused = quote
    return refused or Worked(session, place, minutes, span[1], quote)


def _span(law: Law, at: datetime, day: date, begins: time) -> tuple[datetime, datetime] | Refusal:
    """From when and until when a load asked for could run at all."""
    start = datetime.combine(day, begins, law.zone)
    refused = no_other_time(law, day) or _no_such_time(law, start) or _past(law, start, at)
    if refused is not None:
        return refused
    until = _latest(law, day, start)
    return until if isinstance(until, Refusal) else (start, until)


def _session(plant: Plant, law: Law, at: datetime, span: tuple[datetime, datetime], gallons: int, waste: str
             ) -> tuple[Session, Place] | Refusal:  # fmt: skip
    """How and where the load runs under the limit beside what others have taken."""
    start, day = span[0], span[0].date()
    picture = capacity.day_pictures(plant, law, [day], at, other={day: span})[day]
    if not isinstance(picture.hours, Hours):
        return picture.hours
    stop = restrictions.stopping(restrictions.in_force(plant.id, at), waste)
    if stop is not None and start < restrictions.planned_until(stop, law, at):
        why = f"No septage is being accepted: {restrictions.words_of(stop.reason)}."
        return Refusal("restricted", why, law.cite("restriction.by", day),
                       next_step="We will write when the restriction is lifted.")  # fmt: skip
    found = _runs(picture, waste, start, gallons)
    if isinstance(found, NoFit):
        return nowhere(law, picture, waste, None) or _no_room(law, picture, found, gallons, span[1])
    return found


def _no_such_time(law: Law, start: datetime) -> Refusal | None:
    """The hour the clock leaves out in spring is no time."""
    if start.astimezone(UTC).astimezone(law.zone).replace(tzinfo=None) == start.replace(tzinfo=None):
        return None
    why = f"{formats.clock_time(start)} does not exist on {formats.day(start)}: the clock is set forward."
    return Refusal("no_such_time", why, "", next_step="Enter another time.")


def _past(law: Law, start: datetime, at: datetime) -> Refusal | None:
    if start >= capacity.next_minute(at):
        return None
    why = formats.full_stop(f"{formats.day_time(start)} has passed or begun: it is {formats.day_time(at, law.zone)}")
    return Refusal("past", why, "", next_step="Enter a time to come.")


def _latest(law: Law, day: date, start: datetime) -> datetime | Refusal:
    """Until when a load may run: the end of the normal working hours; where none are entered, the end of the day."""
    work = work_hours(law, day)
    if isinstance(work, Refusal):
        return datetime.combine(day + timedelta(days=1), time(0), law.zone)
    if work.start <= start < work.end:
        return work.end
    why = f"{formats.clock_time(start)} is outside the normal working hours, {formats.span(work.start, work.end)}"
    return Refusal("outside_work", formats.full_stop(why), work.cite, work.reading, "Ask for a time within them.")


def _runs(picture: DayPicture, waste: str, start: datetime, gallons: int) -> tuple[Session, Place] | NoFit:
    """The session that ends first at any open station; why none fits at the one with the most room otherwise."""
    fits: list[tuple[Session, Place]] = []
    misses: list[NoFit] = [NoFit(start, 0, "")]
    for room in rooms(picture, waste):
        found = room.starting(start, gallons) or misses[0]
        if isinstance(found, Session):
            fits.append((found, room.place))
        else:
            misses.append(found)
    if fits:
        return min(fits, key=lambda one: (one[0].end, one[1].id))
    return max(misses, key=lambda one: one.free)


def _no_room(law: Law, picture: DayPicture, miss: NoFit, gallons: int, until: datetime) -> Refusal:
    cite, reading = (picture.cap.cite, picture.cap.reading) if picture.cap else (law.cite("rate.plan_gph", picture.day),
                                                                                 None)  # fmt: skip
    begins, ends = formats.clock_time(miss.start, law.zone), formats.clock_time(until, law.zone)
    room = f"a load has room for {formats.volume(miss.free)}" if miss.free else "nothing is free"
    load = f"{formats.volume(gallons)} {'does' if gallons == 1 else 'do'}"
    why = f"{load} not fit under the limit: from {begins} to {ends} {room}."
    return Refusal("no_room", why, cite, reading, ANOTHER, {"largest": miss.free})


def as_stored(lines: Sequence[FeeLine]) -> list[dict[str, Any]]:
    """A quote as it is kept: money and quantities as text."""
    return [
        {"code": one.code, "what": one.what, "quantity": format(one.quantity, "f"), "unit": one.unit,
         "unit_price": format(one.unit_price, "f"), "amount": format(one.amount, "f"), "cite": one.cite,
         "reading": one.reading}
        for one in lines
    ]  # fmt: skip


def supervised(law: Law, row: SpecialTime, runs: Sequence[Run]) -> int:
    """Minutes of supervision charged: those entered, else from the first run's start to the last one's end, pauses too.

    Inside the unloading hours none is charged.
    """
    if row.supervised_from is not None and row.supervised_to is not None:
        return minutes_outside(law, row.supervised_from, row.supervised_to)
    return minutes_outside(law, min(one.starts for one in runs), max(one.ends for one in runs)) if runs else 0


def ticket_words(law: Law, load: Load, runs: Sequence[Run], charged_cents: int) -> list[str]:
    """What a ticket says of the quote of its special time, and of what it came to where that is something else."""
    row = arrangement(load.booking_id)
    if row is None or row.quote_cents is None or load.state != LoadState.ACCEPTED.value:
        return []
    minutes = supervised(law, row, runs)
    quoted = f"{formats.money(row.quote_cents)} for {formats.minutes_words(row.minutes)}"
    if (minutes, charged_cents) == (row.minutes, row.quote_cents):
        return [f"Special time {row.number}: charged as quoted, {quoted}."]
    came = f"it came to {formats.money(charged_cents)} for {formats.minutes_words(minutes)}"
    return [f"Special time {row.number}: quoted {quoted}; {came}."]
