"""What is planned and what runs, as the rows have it: what keeps its room, and what stands in its place.

``intake.queries.capacity`` hands all of it on and reckons with it.
"""

from collections.abc import Collection
from datetime import date, datetime
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import bindparam, exists, select

from haulers.queries import Spans, spans
from intake.models import Booking, Hold, Load, PlannedSession, Run
from intake.queries.special_spans import is_arranged
from intake.queries.tank import sewer_points
from intake.states import BookingState, HoldEnd, LoadState, RunKind
from office.asked import cells, made
from office.facts import seen
from ordinances.offers import Draw


class Planned(NamedTuple):
    """One planned session that keeps its room. Instants aware, rate in gallons an hour.

    ``special``: arranged for another time of the day than the unloading hours.
    """

    booking_id: int
    number: str
    business_id: int
    truck_id: int
    day: date
    starts: datetime
    ends: datetime
    gph: int
    gallons: int
    made_at: datetime
    held: bool
    point_id: int
    waste: str
    special: bool

    @property
    def draw(self) -> Draw:
        return Draw(self.starts, self.ends, self.gph)


class Ran(NamedTuple):
    """A run of a load that counts, with the truck and the business it is of. Instants aware, gallons an hour."""

    day: date
    point_id: int
    starts: datetime
    ends: datetime
    gph: Any
    load_id: int
    truck_id: int | None
    business_id: int | None
    ticket: str
    gallons: int


def running(plant_id: int, days: Collection[date], *, rests: bool = True) -> list[tuple[date, Draw]]:
    """Runs into the sewer as they are, of loads that count; without ``rests`` only what flows, not the room that waits.
    What goes into a receiving tank is not in the sewer yet."""
    return [(day, draw) for day, _, draw in running_at(plant_id, days, rests=rests, sewer=True)]


def running_at(plant_id: int, days: Collection[date], except_load: int | None = None, *, rests: bool = True,
               sewer: bool = False) -> list[tuple[date, int, Draw]]:  # fmt: skip
    """Runs as they are, of loads that count, with the point each is at. What waits in a truck keeps its room too.

    ``sewer``: only those at points from which it goes straight into the sewer.
    """
    return [(one.day, one.point_id, Draw(one.starts, one.ends, one.gph, one.load_id))
            for one in runs_on(plant_id, days, rests=rests, sewer=sewer) if one.load_id != except_load]  # fmt: skip


def runs_on(plant_id: int, days: Collection[date], *, rests: bool = True, sewer: bool = False) -> list[Ran]:
    """The runs of some days of loads that count, as ``running_at``."""
    return list(_ran(plant_id, tuple(sorted(set(days))), rests, sewer))


@seen
def _ran(plant_id: int, days: tuple[date, ...], rests: bool, sewer: bool) -> list[Ran]:
    return [Ran(*row) for row in cells(_running(rests, sewer), plant_id=plant_id, days=days)]


@cache
def _running(rests: bool, sewer: bool) -> Any:
    query = (
        select(Run.day, Run.point_id, Run.starts, Run.ends, Run.gph, Run.load_id, Load.truck_id, Load.business_id,
               Load.ticket, Run.gallons)
        .join(Load, Load.id == Run.load_id)
        .where(Run.plant_id == bindparam("plant_id"), Run.day.in_(bindparam("days", expanding=True)),
               Load.state == LoadState.ACCEPTED.value)
    )  # fmt: skip
    if sewer:
        query = query.where(sewer_points(Run.point_id))
    return query if rests else query.where(Run.kind == RunKind.RAN.value)


def opened() -> Any:
    """SQL: the load of this planned session has opened, so its run stands in its place."""
    return exists().where(
        Load.booking_id == PlannedSession.booking_id, Load.state == LoadState.ACCEPTED.value,
        Run.load_id == Load.id, Run.day == PlannedSession.day,
    )  # fmt: skip


def turned_away() -> Any:
    """SQL: the truck of this booking was refused at the gate."""
    return exists().where(Load.booking_id == Booking.id, Load.state == LoadState.REFUSED.value)


def held() -> Any:
    """SQL: a restriction holds this booking; it keeps its room."""
    return exists().where(Hold.booking_id == Booking.id, Hold.ended_at.is_(None))


def stopped() -> Any:
    """SQL: a restriction ended this booking: its time has passed, or it fits no longer."""
    ended = (HoldEnd.MISSED.value, HoldEnd.LISTED.value)
    return exists().where(Hold.booking_id == Booking.id, Hold.outcome.in_(ended))


def keeps_room() -> Any:
    """SQL over Booking and PlannedSession: the session keeps its room as long as its approval holds on its day."""
    return (Booking.state == BookingState.BOOKED.value) & ~opened() & ~turned_away() & ~stopped()


_SHOWN = (PlannedSession.booking_id, Booking.number, Booking.business_id, Booking.truck_id, PlannedSession.day,
          PlannedSession.starts, PlannedSession.ends, PlannedSession.gph, PlannedSession.gallons,
          Booking.made_at)  # fmt: skip


def planned(plant_id: int, at: datetime, days: Collection[date] | None = None, *, since: datetime | None = None,
            except_booking: int | None = None, truck_id: int | None = None) -> list[Planned]:  # fmt: skip
    """Planned sessions that keep their room, on some days or with an end after an instant, in time order."""
    on = None if days is None else tuple(sorted(set(days)))
    found = _seen(plant_id, at, on, since, except_booking)
    return [one for one in found if truck_id in (None, one.truck_id)]


@seen
def _seen(plant_id: int, at: datetime, days: tuple[date, ...] | None, since: datetime | None,
          except_booking: int | None) -> list[Planned]:  # fmt: skip
    asked = {"days": days, "since": since, "except_booking": except_booking}
    given: dict[str, Any] = {name: value for name, value in asked.items() if value is not None}
    rows = made(_of_row, _planned(frozenset(given)), plant_id=plant_id, **given)
    approvals = spans(plant_id) if rows else Spans()
    holds = {pair: approvals.hold(pair[0], at, pair[1]) for pair in {pair for pair, _ in rows}}
    return [one for pair, one in rows if holds[pair]]


def _of_row(row: Any) -> tuple[tuple[int, date], Planned]:
    """A row of ``_planned``: its approval and its day, and what is planned."""
    one = Planned(*row[1:])
    return (row[0], one.day), one


@cache
def _planned(given: frozenset[str]) -> Any:
    """The query of ``planned`` for what is given, made once: making it anew each time costs more than running it."""
    narrower: dict[str, Any] = {
        "days": PlannedSession.day.in_(bindparam("days", expanding=True)),
        "since": PlannedSession.ends > bindparam("since"),
        "except_booking": PlannedSession.booking_id != bindparam("except_booking"),
    }
    return _sessions(keeps_room(), *(narrower[name] for name in sorted(given)))


def _sessions(*narrower: Any) -> Any:
    return (
        select(Booking.approval_id, *_SHOWN, held().label("held"), PlannedSession.point_id, Booking.waste,
               is_arranged())
        .join(Booking, Booking.id == PlannedSession.booking_id)
        .where(PlannedSession.plant_id == bindparam("plant_id"), *narrower)
        .order_by(PlannedSession.starts, PlannedSession.id)
    )  # fmt: skip


def turned_away_since(plant_id: int, at: datetime, since: datetime) -> list[Planned]:
    """Planned sessions with an end after an instant that kept their room until their truck was refused after it."""
    rows = made(_of_row, _turned_away_since(), plant_id=plant_id, since=since)
    approvals = spans(plant_id) if rows else Spans()
    return [one for (approval_id, day), one in rows if approvals.hold(approval_id, at, day)]


@cache
def _turned_away_since() -> Any:
    refused = exists().where(Load.booking_id == Booking.id, Load.state == LoadState.REFUSED.value)
    before, after = refused.where(Load.logged_at <= bindparam("since")), refused.where(
        Load.logged_at > bindparam("since"))  # fmt: skip
    return _sessions(Booking.state == BookingState.BOOKED.value, ~opened(), ~stopped(), ~before, after,
                     PlannedSession.ends > bindparam("since"))  # fmt: skip
