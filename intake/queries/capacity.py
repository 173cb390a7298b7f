"""What is taken and what is free: rate over time, plant-wide (§ 329-7 F(3), F(4) of Bayfield).

At an instant the plant's draw is the runs as they are, and the planned sessions of bookings that are live or held and
whose load has not opened. Everything else is computed from that when asked.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any

from intake.models import Restriction
from intake.queries import day_locks, kept_rooms, restrictions, tank_room
from intake.queries.flow_recorded import recorded_for
from intake.queries.places import Place, for_all, places_on
from intake.queries.special_spans import span_of, whole_day
from intake.queries.taken import (
    Planned,
    Ran,
    held,
    keeps_room,
    opened,
    planned,
    running,
    running_at,
    runs_on,
    stopped,
    turned_away,
    turned_away_since,
)
from intake.queries.tank_room import Basin
from office.law import law_now
from office.plants import Plant
from ordinances import offers
from ordinances.calendar import Hours, dump_hours, open_days
from ordinances.flows import Reading, reads_meter
from ordinances.offers import Draw, Session, Step
from ordinances.other_times import arranged
from ordinances.points import point_steps, together
from ordinances.rate_cap import Cap, cap_on
from ordinances.reader import Law
from ordinances.refusal import Refusal
from ordinances.screening import WASTE_TYPES, waste_allowed
from ordinances.ticks import HOUR, Rate, tick

# What is planned and what runs is asked for here too.
__all__ = ["Planned", "Ran", "held", "keeps_room", "opened", "planned", "running", "running_at", "runs_on", "stopped",
           "turned_away", "turned_away_since"]  # fmt: skip
MINUTE = timedelta(minutes=1)
LONG_AGO = datetime.min.replace(tzinfo=UTC)
# How many days are remembered under one law, and answers with each of them, before that begins anew.
MOST_PICTURES, MOST_ANSWERS = 500, 20
# What is taken: the point, from when to when, gallons an hour, and of which load.
Part = tuple[int, datetime, datetime, Rate, int | None]
lock_days = day_locks.lock_days
Span = tuple[date, date]


@dataclass(frozen=True)
class FreeQuarter:
    """A quarter hour of the picture.

    `free` is the gallons still free in it from now on, not rounded; `shut` says that nothing is taken in it any more by
    a restriction; `taken` and `cap` are what is taken and the limit over the whole of it, mean gallons an hour.
    With a receiving tank `free` is the largest load that may begin to unload then, into it or at a station beside it,
    `taken` counts what its valve lets through, and `tank` is what it holds.
    """

    start: datetime
    end: datetime
    free: Fraction
    shut: bool
    taken: Fraction
    cap: Fraction
    tank: int = 0


@dataclass(frozen=True)
class DayPicture:
    """One day at the plant: its hours (or why it is closed), its limit, what is taken and what is free.

    `room` is gallons from `now` on, `largest` of one load that begins in a minute to come; `whole` is what it holds
    when empty. `restriction` is the widest that stops or slows all unloading, `narrower` those of some waste or
    some points, which `shut_at` and `shut_to` spread out. Of a receiving tank (`tank`) its valve is among what is
    `taken`.
    """

    day: date
    now: datetime
    hours: Hours | Refusal
    cap: Cap | None
    whole: int
    limits: tuple[Draw, ...]
    taken: tuple[Draw, ...]
    steps: tuple[Step, ...]
    restriction: Restriction | None
    places: tuple[Place, ...] = ()
    taken_at: Mapping[int, Sequence[Draw]] = field(default_factory=dict)
    narrower: tuple[Restriction, ...] = ()
    shut_at: Mapping[int, Sequence[Draw]] = field(default_factory=dict)
    shut_to: Mapping[str, Sequence[Draw]] = field(default_factory=dict)
    tank: Basin | None = None
    known: dict[Any, Any] | None = field(default=None, init=False, compare=False, repr=False)

    def at(self, now: datetime) -> "DayPicture":
        """The same day, looked at later. For two weeks of every page: `replace` takes longer."""
        made = object.__new__(DayPicture)
        made.__dict__.update(self.__dict__, now=now)
        return made

    def once(self, question: Any, now: datetime, answer: Callable[[], Any]) -> Any:
        """An answer that is the same for all who ask before the day begins, reckoned once and kept with what is taken
        of it and its points. Nothing else may go into it but what the question names."""
        if self.known is None or not self.steps or now > self.steps[0].start:
            return answer()
        found = self.known.get(question)
        if found is None:
            if len(self.known) >= MOST_ANSWERS:
                self.known.clear()
            found = self.known[question] = answer()
        return found

    def steps_at(self, place: Place, waste: str = "") -> tuple[Step, ...]:
        """The rate free for one more truck at a point: the plant's steps, as far as the point's own rule lets them and
        no restriction shuts it, or stops this waste ("" stands for any); at a tank the rate of its trucks."""
        shut = [*self.shut_at.get(place.id, ()), *self.shut_to.get(waste, ())]
        if (place.rule is None and not shut) or not isinstance(self.hours, Hours):
            return self.steps
        steps = self.steps if place.tank is None else tank_room.into(place.tank, self.steps)
        steps = lowered(self.hours, steps, shut) if shut else steps
        return point_steps(place.rule, self.hours, steps, self.taken_at.get(place.id, ())) if place.rule else steps

    def holds(self, point_id: int, one: Session) -> bool:
        """Whether a session has its rate at the plant and its place at its point, as each is set; what restrictions of
        some waste or points say of it is not asked."""
        place = next((place for place in self.places if place.id == point_id), None)
        if place is None or place.rule is None or not isinstance(self.hours, Hours):
            return fits(self.steps, one)
        if place.tank is not None and self.tank is not None:
            whole = replace(self, shut_at={}, shut_to={}).steps_at(place)
            # A truck that is late has all its gallons yet.
            return fits(whole, one) and one.gallons <= self.tank.plan.course.most(max(one.start, self.now))
        return fits(point_steps(place.rule, self.hours, self.steps, self.taken_at.get(point_id, ())), one)

    @cached_property
    def each(self) -> tuple[tuple[Step, ...], ...]:
        """The steps of every station that is open; a manhole is for whom it is permitted (§ 329-7 D), not for all."""
        if not self.places:
            return (self.steps,)
        return tuple(self.steps_at(one) for one in self.places if one.is_station)

    @cached_property
    def at_tank(self) -> tuple[Step, ...]:
        """When a truck may unload into the receiving tank, at its trucks' rate; empty where there is none."""
        place = next((one for one in self.places if one.is_open and one.tank is not None), None)
        return self.steps_at(place) if place is not None and self.tank is not None else ()

    @cached_property
    def earliest(self) -> datetime:
        """The first minute in which a load can be booked to begin: the one now running is not."""
        return next_minute(self.now)

    def largest_at(self, place: Place) -> int:
        """The largest single load that can be booked at a point from now on."""
        if place.tank is None:
            return offers.largest_single(self.steps_at(place), self.earliest)
        return self.tank.plan.largest(self.at_tank, self.earliest) if self.tank is not None and place.is_open else 0

    @cached_property
    def usable(self) -> tuple[Step, ...]:
        """What is free at the plant, as far as its stations can take it between them."""
        return self.steps if any(one is self.steps for one in self.each) else together(self.steps, self.each)

    @property
    def is_open(self) -> bool:
        return isinstance(self.hours, Hours)

    def shut_whole(self, law: Law) -> Restriction | None:
        """The restriction that stops everything, or the last of narrower ones that together leave nothing to accept."""
        if self.restriction is not None and self.restriction.scope == "everything":
            return self.restriction
        return restrictions.shutting(law, self.day, self.narrower, for_all(self.places))

    @cached_property
    def room(self) -> int:
        found: int = self.once("room", self.now, lambda: offers.room(self.usable, self.now) + self._room_in_tank)
        return found

    @cached_property
    def _room_in_tank(self) -> int:
        return self.tank.plan.room(self.at_tank, self.now) if self.tank is not None else 0

    @cached_property
    def largest(self) -> int:
        into_tank = self.tank.plan.largest(self.at_tank, self.earliest) if self.tank is not None else 0
        return max([into_tank, *(offers.largest_single(steps, self.earliest) for steps in self.each)])

    @cached_property
    def next_free(self) -> datetime | None:
        """The first start at which the largest single load that fits can be booked to begin."""
        if not self.largest:
            return None
        found = [one for steps in self.each for one in offers.offers(steps, self.largest, self.earliest)[0]]
        if self.tank is not None:
            found += self.tank.plan.offers(self.at_tank, self.largest, self.earliest)[0]
        return min(one.start for one in found)

    @cached_property
    def limit_gph(self) -> int | None:
        """The lowest limit from now on, gallons an hour: 0 while nothing is taken; None when the day is over.

        A part that the calendar closes, or for which an order says nought, is none of the limit while others are open.
        """
        found = [int(step.cap) for step in self.steps if step.end > self.now]
        stopped = self.restriction is not None and self.restriction.scope == "everything"
        return min(found if stopped else [one for one in found if one] or found, default=None)

    @cached_property
    def quarters(self) -> list[FreeQuarter]:
        """The picture's columns; of the quarter hour now running only what is left of it is free."""
        first = whole_minute(self.now)
        if self.tank is None and self.usable is self.steps and self.steps and first <= self.steps[0].start:
            # Nothing of a day to come is over yet: its columns are those of its steps.
            return list(offers.once(self.steps, "columns", lambda: self._columns(self.steps[0].start)))
        made = self._columns(first)
        return made if self.tank is None else [self._with_tank(one, self.tank, first) for one in made]

    def _columns(self, first: datetime) -> list[FreeQuarter]:
        made = []
        for q in offers.quarters(self.steps):
            start = min(max(q.start, first), q.end) if q.end > self.now else q.start
            shut = not any(step.cap for step in self.steps if step.start < q.end and step.end > start)
            free = offers.gallons_between(self.usable, max(q.start, first), q.end)
            made.append(FreeQuarter(q.start, q.end, free, shut, q.cap - q.free, q.cap))
        return made

    def _with_tank(self, one: FreeQuarter, basin: Basin, first: datetime) -> FreeQuarter:
        """A quarter hour with the largest load that may begin to unload in it, into the tank or at a station beside it,
        and what the tank's valve lets through instead of its share."""
        begin = max(one.start, first, basin.read_at)
        tried = [at for at in {begin, *(step.start for step in self.at_tank)} if begin <= at < one.end]
        most = [basin.plan.most(self.at_tank, at) for at in tried]
        most += [gallons for at, gallons in self._beginning if max(one.start, first) <= at < one.end]
        idle = basin.idle(self.day, one.start, one.end) * HOUR / (tick(one.end) - tick(one.start))
        return replace(one, free=Fraction(max(most, default=0)), taken=one.taken - idle, tank=basin.tank.gallons)

    @cached_property
    def _beginning(self) -> list[tuple[datetime, int]]:
        """The starts tried at each station from now on, with the largest load that may begin there then."""
        first = whole_minute(self.now)
        return [(at, offers.most_from(steps, at)) for steps in self.each for at in offers.starts(steps, first)]


def whole_minute(at: datetime) -> datetime:
    """The instant, or the next whole minute after it."""
    cut = at.replace(second=0, microsecond=0)
    return cut if cut == at else cut + MINUTE


def next_minute(at: datetime) -> datetime:
    """The first minute that has not begun: the earliest a booking can start, for a truck in it is not late yet."""
    return at.replace(second=0, microsecond=0) + MINUTE


def day_picture(plant: Plant, law: Law, day: date, at: datetime, except_booking: int | None = None,
                except_load: int | None = None) -> DayPicture:  # fmt: skip
    """One day as it stands now."""
    return day_pictures(plant, law, [day], at, except_booking, except_load=except_load)[day]


def day_pictures(
    plant: Plant, law: Law, days: Iterable[date], at: datetime, except_booking: int | None = None,
    other: Mapping[date, tuple[datetime, datetime]] | None = None, except_room: int | None = None,
    except_load: int | None = None, but: Collection[int] | None = None,
) -> dict[date, DayPicture]:  # fmt: skip
    """Several days in three queries beside what is kept between requests, however many bookings there are; two more
    where the law reads the meter, one more for a booking left out, five more with a receiving tank.

    Freed room that is kept for those in line is taken, but for ``except_room``, whose offer is answered.

    ``other`` gives days another span than their hours (§ 329-7 F(4)): that of the special time asked about. A booking
    made by special arrangement finds its own. ``except_load`` is one that runs and is laid out anew.

    ``but`` leaves out several bookings, and with them all room kept for those in line: who booked comes before these.
    """
    wanted = list(days)
    if other is None:
        other = span_of(except_booking) if except_booking is not None else {}
    stops, places = restrictions.in_force(plant.id, at), whole_day(places_on(plant.id, wanted), other)
    sunk = next((one for several in places.values() for one in several if one.tank is not None), None)
    asked = tank_room.Asked(wanted, except_load, except_room, lines=but is None)
    ahead = _without(planned(plant.id, at, since=at, except_booking=except_booking), but) if sunk is not None else []
    basin = tank_room.basin(plant, law, at, sunk, ahead, asked) if sunk is not None else None
    tank_id = sunk.id if sunk is not None else None
    parts: dict[date, list[Part]] = {day: [] for day in wanted}
    for one in _without(planned(plant.id, at, wanted, except_booking=except_booking), but):
        parts[one.day].append((one.point_id, one.starts, one.ends, one.gph, None))
    for day, point_id, draw in running_at(plant.id, wanted, except_load):
        parts[day].append((point_id, draw.start, draw.end, draw.gph, draw.who))
    kept = kept_rooms.kept(plant.id, wanted if but is None else (), at, except_room, tank_id)
    kept |= {day: kept_rooms.Kept() for day in wanted if day not in kept}
    reads = wanted and any(reads_meter(law, day) for day in wanted)
    flows = recorded_for(plant.id, law, min(wanted), max(wanted)) if reads else []
    if not (stops or other or flows or basin):
        return {day: _usual(law, day, tuple(parts[day]), kept[day], places[day]).at(at) for day in wanted}
    taken = {day: _draws(several) for day, several in parts.items()}
    made = {
        day: replace(_picture(law, day, at, [*(draw for point_id, draw in taken[day] if point_id != tank_id),
                                             *kept[day].wide, *(basin.on(day) if basin else ())], stops, flows,
                              other.get(day)),
                     places=places[day], taken_at=_by_point([*taken[day], *kept[day].at_point]))
        for day in wanted
    }  # fmt: skip
    if basin is not None:
        made = {day: _with_tank(one, basin) for day, one in made.items()}
    return {day: _narrowed(one, law, stops) for day, one in made.items()} if stops else made


def _without(plans: list[Planned], but: Collection[int] | None) -> list[Planned]:
    return [one for one in plans if one.booking_id not in but] if but else plans


def _draws(parts: Iterable[Part]) -> list[tuple[int, Draw]]:
    return [(point_id, Draw(start, end, gph, who)) for point_id, start, end, gph, who in parts]


def _usual(law: Law, day: date, parts: tuple[Part, ...], kept: kept_rooms.Kept, places: tuple[Place, ...]
           ) -> DayPicture:  # fmt: skip
    """A day of which only the law, the points and what is taken say what is free: reckoned once for these, whoever asks
    when."""
    known: dict[Any, DayPicture] = law.known.setdefault(_usual, {})
    found = known.get((day, parts, kept))
    if found is None or found.places is not places:
        if len(known) >= MOST_PICTURES:
            known.clear()
        taken = _draws(parts)
        made = _picture(law, day, LONG_AGO, [*(draw for _, draw in taken), *kept.wide], (), ())
        found = replace(made, places=places, taken_at=_by_point([*taken, *kept.at_point]))
        # Whatever is made of it by `replace` is another day, which knows nothing.
        vars(found)["known"] = {}
        known[day, parts, kept] = found
    return found


def _by_point(taken: Iterable[tuple[int, Draw]]) -> dict[int, list[Draw]]:
    found: dict[int, list[Draw]] = {}
    for point_id, draw in taken:
        found.setdefault(point_id, []).append(draw)
    return found


def _picture(law: Law, day: date, at: datetime, taken: list[Draw], stops: Sequence[Restriction],
             flows: Sequence[Reading], other: tuple[datetime, datetime] | None = None) -> DayPicture:  # fmt: skip
    hours = arranged(law, *other) if other is not None else dump_hours(law, day)
    if isinstance(hours, Refusal):
        shown = cap_on(law, day, readings=flows) if law.has("rate.plan_gph", day) else None
        return DayPicture(day, at, hours, shown, 0, (), tuple(taken), (), _widest(stops))
    cap = cap_on(law, day, readings=flows, span=hours if other is not None else None)
    if cap.shut is not None:
        return DayPicture(day, at, cap.shut, cap, 0, (), tuple(taken), (), _widest(stops))
    window = (hours.start, hours.end)
    limits = list(cap.limits)
    wide = [row for row in stops if row.scope in ("everything", "rate")]
    # The lowest limit counts where two meet.
    limits += restrictions.limits(wide, law, at)
    steps = offers.free_steps(window, limits, taken)
    return DayPicture(day, at, hours, cap, cap.gallons, tuple(limits), tuple(taken), steps, _widest(stops))


def _with_tank(picture: DayPicture, basin: Basin) -> DayPicture:
    """A day with its receiving tank: empty in the morning it holds its gallons and what its valve lets through."""
    hours, cap = picture.hours, picture.cap
    if not isinstance(hours, Hours) or cap is None:
        return replace(picture, tank=basin)
    whole = picture.whole
    if not any(one.is_station for one in picture.places):
        window = (hours.start, hours.end)
        whole = offers.room(offers.free_steps(window, [*cap.limits, Draw(*window, basin.tank.bleed_gph)], ()))
    return replace(picture, tank=basin, whole=whole + basin.tank.gallons)


def _widest(stops: Sequence[Restriction]) -> Restriction | None:
    """The restriction that stops or slows all unloading, if there is one: it comes first."""
    return stops[0] if stops and stops[0].scope in ("everything", "rate") else None


def _narrowed(picture: DayPicture, law: Law, stops: Sequence[Restriction]) -> DayPicture:
    """The day with the restrictions that are only about some waste or some points."""
    narrower = [row for row in stops if row.scope in ("types", "points")]
    points: dict[int, list[Draw]] = {}
    wastes: dict[str, list[Draw]] = {}
    for row in narrower:
        for point_id in row.points:
            points.setdefault(point_id, []).extend(restrictions.limits([row], law, picture.now))
        for waste in row.wastes:
            wastes.setdefault(waste, []).extend(restrictions.limits([row], law, picture.now))
    for place in picture.places if wastes else ():
        points.setdefault(place.id, []).extend(_all_stopped(law, picture.day, place, wastes))
    return replace(picture, narrower=tuple(narrower), shut_at=points, shut_to=wastes) if narrower else picture


def _all_stopped(law: Law, day: date, place: Place, wastes: Mapping[str, Sequence[Draw]]) -> list[Draw]:
    """When a point is idle because all that it takes is stopped: each of it from now on, so until the first is free."""
    taken = [one for one in WASTE_TYPES if place.takes(one) and waste_allowed(law, day, one) is None]
    if not taken or any(one not in wastes for one in taken):
        return []
    start = max(min(draw.start for draw in wastes[one]) for one in taken)
    return [Draw(start, min(max(draw.end for draw in wastes[one]) for one in taken), 0)]


def lowered(hours: Hours, steps: Sequence[Step], limits: Sequence[Draw]) -> tuple[Step, ...]:
    """Free steps under further limits of nought; what is free elsewhere stays to the gallon."""
    made: list[Step] = []
    edges = {at.astimezone(UTC) for one in limits for at in (one.start, one.end)}
    for step in steps:
        first, last = step.start.astimezone(UTC), step.end.astimezone(UTC)
        cuts = [first, *sorted(at for at in edges if first < at < last), last]
        for start, end in pairwise(cuts):
            shut = any(one.start.astimezone(UTC) <= start < one.end.astimezone(UTC) for one in limits)
            zone = hours.start.tzinfo
            made.append(Step(start.astimezone(zone), end.astimezone(zone), 0 if shut else step.free,
                             0 if shut else step.cap))  # fmt: skip
    return tuple(made)


def fits(steps: Sequence[Step], session: Session) -> bool:
    """Whether a session's rate is free at every instant of it."""
    reached = session.start
    for step in steps:
        if step.end <= reached:
            continue
        if step.start > reached or step.free < session.gph:
            return False
        reached = step.end
        if reached >= session.end:
            return True
    return False


def law_under_lock(plant: Plant, at: datetime) -> Law:
    """The law once more, after the plant's lock was had: a closure or a flow may have come while this waited for it."""
    return law_now(plant, at)


def days_ahead(law: Law, at: datetime, count: int = 10, spans: Sequence[Span] | None = None) -> list[date]:
    """The next open days from today on, at most so many; with `spans` (first and last day) only those inside one."""
    today = at.astimezone(law.zone).date()
    if spans is None:
        spans = [(today, date.max)]
    first = max(today, min((start for start, end in spans if end >= today), default=date.max))
    if first == date.max:
        return []
    days = open_days(law, first, first + timedelta(days=count * 3 + 14))
    return [day for day in days if any(start <= day <= end for start, end in spans)][:count]
