"""Flow: readings taken in from a plant's file, and the flow in force that sets the limit (§ 329-7 F(3) of Bayfield)."""

from bisect import bisect_left, insort
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import date, datetime

from haulers import queries as haulers
from intake.actions.booking import when_words
from intake.models import Booking, FlowReading, Point
from intake.queries import bookings, capacity
from intake.queries.bookings import Group, grouped
from intake.queries.flow import FLOW_KEY, MIDDLE_OF, accepted, held_why, may_count, readings
from intake.queries.met import lower_limit
from intake.queries.restrictions import full_stop
from intake.states import BookingState, FlowState
from office import formats
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.notices import tell_party
from office.plants import ClosureDay, Plant, PlantRow, set_closure, set_plant_row
from ordinances.offers import Draw
from ordinances.rate_cap import cap_on
from ordinances.reader import Law, NoLaw
from ordinances.refusal import Refusal

Reading = tuple[date, int | str]
# What the column of gallons can hold.
MOST = 2_000_000_000


@dataclass
class FlowTaken:
    """What an import took: days accepted, held for a person, the same as before, and differing from what is kept."""

    accepted: int = 0
    same: int = 0
    held: list[FlowReading] = field(default_factory=list)
    differing: list[tuple[date, int | None, int | str]] = field(default_factory=list)


@act("import_flow", roles=(Role.DIRECTOR, Role.MANAGER, Role.OPERATOR, Role.ADMINISTRATOR, Role.SYSTEM))
def import_flow(plant: Plant, rows: Iterable[Reading], source: str, *, by: Actor, at: datetime,
                progress: Callable[[int], object] | None = None) -> FlowTaken | Refusal:  # fmt: skip
    """Take in (day, gallons) readings, words where there is no figure; a second import of the same adds nothing.

    Odd figures and words wait for a person. A day already accepted with another figure keeps what it has and is
    listed; one that waits or was a slip takes the mended figure. Refusals: no_rows, future, too_large.
    """
    wanted = sorted(rows, key=lambda one: one[0])
    refused = _not_readings(wanted, at.astimezone(plant.tz).date())
    if refused is not None:
        return refused
    lock(Plant, plant.id)
    known = {row.day: row for row in readings(plant.id)}
    good = accepted(list(known.values()))
    stated, taken, fresh = _stated(plant, at), FlowTaken(), set[date]()
    for count, (day, gallons) in enumerate(wanted, 1):
        why = held_why(gallons, [value for _, value in good[: bisect_left(good, (day, 0))][-MIDDLE_OF:]], stated)
        row = known.get(day)
        if row is not None and not _mends(row, gallons, fresh):
            _seen_before(taken, row, gallons, why)
        else:
            known[day] = _take(taken, row or FlowReading(plant_id=plant.id, day=day), gallons, why, source)
            fresh.add(day)
            if why is None and not isinstance(gallons, str):
                insort(good, (day, gallons))
        if progress:
            progress(count)
    because(source)
    return taken


def _not_readings(wanted: list[Reading], today: date) -> Refusal | None:
    if not wanted:
        return Refusal("no_rows", "The file holds no readings of this plant.", "")
    late = [day.isoformat() for day, _ in wanted if day > today]
    if late:
        why = f"A flow is measured, not foreseen. These days are still to come: {', '.join(late)}."
        return Refusal("future", why, "")
    large = next(((day, gallons) for day, gallons in wanted if isinstance(gallons, int) and abs(gallons) > MOST), None)
    if large is not None:
        return Refusal("too_large", f"No plant has a flow of {large[1]:,} gallons, as on {large[0]}.", "")
    return None


def _stated(plant: Plant, at: datetime) -> int | None:
    """The flow the law states, in gallons a day; none where it states none or none is adopted."""
    try:
        law, today = capacity.law_under_lock(plant, at), at.astimezone(plant.tz).date()
    except NoLaw:
        return None
    return int(law.value("rate.flow_gpd", today)) if law.has("rate.flow_gpd", today) else None


def _mends(row: FlowReading, gallons: int | str, fresh: set[date]) -> bool:
    """A figure for a day that has none that counts, from a later file; the same day twice in one file is no mend."""
    waits = row.state != FlowState.ACCEPTED.value and row.day not in fresh
    return waits and not isinstance(gallons, str) and row.gallons != gallons


def _take(taken: FlowTaken, row: FlowReading, gallons: int | str, why: str | None, source: str) -> FlowReading:
    row.gallons, row.source, row.held_why = None if isinstance(gallons, str) else gallons, source, why
    row.state = (FlowState.HELD if why else FlowState.ACCEPTED).value
    db.session.add(row)
    if why:
        taken.held.append(row)
    else:
        taken.accepted += 1
    return row


def _seen_before(taken: FlowTaken, row: FlowReading, gallons: int | str, why: str | None) -> None:
    if row.gallons == gallons or (row.gallons is None and row.held_why == why):
        taken.same += 1
    else:
        taken.differing.append((row.day, row.gallons, gallons))


@act("settle_reading", roles=(Role.DIRECTOR, Role.MANAGER))
def settle_reading(plant: Plant, reading_id: int, accept: bool, *, by: Actor, at: datetime) -> FlowReading | Refusal:
    """A person says whether an odd reading is right. A dismissed one stays on record and never counts.

    Refusals: not_held, no_figure (nothing is there to count).
    """
    lock(Plant, plant.id)
    row = db.session.get(FlowReading, reading_id)
    if row is None or row.plant_id != plant.id or row.state != FlowState.HELD.value:
        return Refusal("not_held", "This reading does not wait for anybody.", "")
    if accept and not may_count(row):
        return Refusal("no_figure", "This reading has no figure that can count. Say that it is a slip.", "")
    row.state = (FlowState.ACCEPTED if accept else FlowState.DISMISSED).value
    return row


def no_longer_fits(plant: Plant, law: Law, gpd: int, since: date, at: datetime) -> list[Group]:
    """The bookings that lose their place when a flow comes in force on a day: those booked last."""
    groups = grouped(capacity.planned(plant.id, at, since=at))
    days = {one.day for group in groups for one in group.sessions}
    lower = {}
    for day in days:
        hours = capacity.day_picture(plant, law, day, at).hours
        plan = cap_on(law, day, gpd).plan_gph
        lower[day] = [Draw(hours.start, hours.end, plan)] if day >= since and not isinstance(hours, Refusal) else []
    return lower_limit(plant, law, groups, days, lower)


def flow_refused(plant: Plant, law: Law, gpd: int, since: date, at: datetime) -> Refusal | None:
    """Why a flow cannot come in force on a day: it is past, or no whole gallon an hour is left."""
    today = at.astimezone(plant.tz).date()
    if since < today:
        return Refusal("past", "The flow must be in force from today or a later day", law.cite("rate.flow_gpd", today))
    if cap_on(law, since, gpd).plan_gph < 1:
        why = f"{gpd:,} gallons a day leave no whole gallon an hour"
        return Refusal("too_low", why, law.cite("rate.percent", since))
    return None


@act("put_flow_in_force", roles=(Role.DIRECTOR,))
def put_flow_in_force(
    plant: Plant, gpd: int, since: date, order: str, *, by: Actor, at: datetime, law: Law
) -> PlantRow | Refusal:
    """Put a flow in force from a day on; it sets the limit. Bookings that no longer fit end, their haulers are told.

    Refusals: too_low (no whole gallon an hour is left), past, no_resolution.
    """
    lock(Plant, plant.id)
    law = capacity.law_under_lock(plant, at)
    refused = flow_refused(plant, law, gpd, since, at)
    if refused is not None:
        return refused
    losers = no_longer_fits(plant, law, gpd, since, at)
    row = set_plant_row(plant, FLOW_KEY, gpd, since, order, by=by, at=at)
    if isinstance(row, Refusal):
        return row
    limit = cap_on(law, since, gpd).plan_gph
    for group in losers:
        _end(plant, group, f"The limit is {limit:,} gallons an hour now, and this booking no longer fits.", at)
    because(order, law.cite("rate.flow_gpd", since))
    return row


def _end(plant: Plant, group: Group, reason: str, at: datetime) -> None:
    booking = lock(Booking, group.booking_id)
    booking.state, booking.ended_at, booking.end_reason = BookingState.CANCELLED.value, at, reason
    when = when_words(plant, bookings.sessions_of([booking.id])[booking.id])
    ended = f"Booking {booking.number}, {when}, {booking.gallons:,} gallons, is cancelled by the plant."
    again = full_stop(f"Book another time, or call {plant.phone}, {plant.help_hours}")
    body = f"{reason}\n\n{ended} {again}"
    party = haulers.party_of_business(booking.business_id)
    tell_party(
        party, "booking_ended", f"Cancelled by the plant: {when} ({booking.number})", body, at, plant_id=plant.id
    )


@act("open_point", roles=(Role.MANAGER, Role.DIRECTOR, Role.ADMINISTRATOR, Role.SYSTEM))
def open_point(
    plant: Plant, name: str, kind: str = "station", *, by: Actor, at: datetime, law: Law | None = None
) -> Point | Refusal:
    """Open a place to unload, as the plant manager specifies (§ 329-7 C(1))."""
    if not name.strip():
        return Refusal("no_name", "Enter the name of the receiving point.", "")
    if kind not in ("station", "manhole"):
        return Refusal("unknown_kind", "Select station or manhole.", "")
    lock(Plant, plant.id)
    point = Point(plant_id=plant.id, name=name.strip(), kind=kind)
    db.session.add(point)
    return point


def booked_on(plant: Plant, day: date, at: datetime) -> list[Group]:
    """The bookings with a morning on a day that keep their room: closing the day ends them."""
    ids = {one.booking_id for one in capacity.planned(plant.id, at, [day], since=at)}
    return [group for group in grouped(capacity.planned(plant.id, at, since=at)) if group.booking_id in ids]


@act("close_day", roles=(Role.MANAGER, Role.DIRECTOR, Role.CLERK, Role.ADMINISTRATOR))
def close_day(
    plant: Plant, day: date, name: str, kind: str = "closed", *, by: Actor, at: datetime, law: Law
) -> ClosureDay | Refusal:
    """Put a day on the closure calendar (§ 329-7 C(1): times are the manager's).

    ``kind`` closed, holiday, or opened although a rule closes it. Bookings on a day that closes end, and their
    haulers are told why.

    Refusals: past, no_name.
    """
    lock(Plant, plant.id)
    if day < at.astimezone(plant.tz).date():
        return Refusal("past", "The day must be today or later", law.cite("hours.days", day))
    losers = booked_on(plant, day, at) if kind != "opened" else []
    row = set_closure(plant, day, name, kind, by=by, at=at)
    if isinstance(row, Refusal):
        return row
    for group in losers:
        _end(plant, group, full_stop(f"The plant is closed on {formats.day(day)}: {name.strip()}"), at)
    return row
