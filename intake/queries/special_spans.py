"""The spans arranged at other times of the day (§ 329-7 F(4)): asked by the day's picture, the gate, the checks."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import date, datetime
from functools import cache
from typing import Any

from sqlalchemy import bindparam, exists, select

from intake.models import Booking, SpecialTime
from intake.queries.places import Place
from intake.states import BookingState
from office.db import db

Span = tuple[datetime, datetime]


def span_of(booking_id: int) -> dict[date, Span]:
    """The day and span in which a booking made by special arrangement may run; none for any other booking."""
    rows = db.session.execute(_spans(), {"booking_id": booking_id})
    return {day: (starts, until) for day, starts, until in rows if until is not None}


@cache
def _spans() -> Any:
    columns = (SpecialTime.day, SpecialTime.starts, SpecialTime.until)
    return select(*columns).where(SpecialTime.booking_id == bindparam("booking_id"))


def arranged_ids() -> Any:
    """SQL: the bookings made by special arrangement."""
    return select(SpecialTime.booking_id).where(SpecialTime.booking_id.is_not(None))


def is_arranged() -> Any:
    """SQL over Booking: it was made by special arrangement."""
    return exists().where(SpecialTime.booking_id == Booking.id)


def arrangements(booking_ids: Collection[int]) -> dict[int, SpecialTime]:
    """The special times of some bookings, in one query."""
    rows = db.session.scalars(_arrangements(), {"ids": list(booking_ids)})
    return {row.booking_id: row for row in rows if row.booking_id is not None}


@cache
def _arrangements() -> Any:
    return select(SpecialTime).where(SpecialTime.booking_id.in_(bindparam("ids", expanding=True)))


def arrangement(booking_id: int | None) -> SpecialTime | None:
    """The special time a booking was made by, or None."""
    return arrangements([booking_id]).get(booking_id) if booking_id is not None else None


def now_for(plant_id: int, at: datetime, business_id: int, truck_id: int | None) -> list[Booking]:
    """The bookings by special arrangement in whose span this truck of this business is now, first begun first."""
    query = (
        select(Booking).join(SpecialTime, SpecialTime.booking_id == Booking.id)
        .where(Booking.plant_id == plant_id, Booking.business_id == business_id, Booking.truck_id == truck_id,
               Booking.state == BookingState.BOOKED.value, SpecialTime.starts <= at, SpecialTime.until > at)
        .order_by(SpecialTime.starts, SpecialTime.id)
    )  # fmt: skip
    return list(db.session.scalars(query))


def whole_day(places: Mapping[date, tuple[Place, ...]], days: Collection[date]) -> dict[date, tuple[Place, ...]]:
    """The points on some days without hours of their own: a special arrangement is about another time of the day."""
    return {
        day: tuple(replace(one, rule=replace(one.rule, opens=None, closes=None)) if one.rule else one
                   for one in several) if day in days else several
        for day, several in places.items()
    }  # fmt: skip
