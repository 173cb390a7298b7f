"""Special times as people see them: a hauler's own, what waits for the Director, one by its number (§ 329-7 F(4))."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from sqlalchemy import select

from haulers import queries as haulers
from haulers.queries import fleet
from intake.models import Booking, Load, SpecialTime
from intake.queries.bookings import BookingView, views
from intake.states import LoadState, SpecialState
from office.db import db
from office.plants import PlantRow
from ordinances.reader import plant_row

OPEN = (SpecialState.ASKED.value, SpecialState.ACCEPTED.value)
STATE_WORDS = {
    "asked": "A quote follows",
    "quoted": "Quoted: waits for the hauler",
    "accepted": "Waits for the Director",
    "declined": "Declined",
    "withdrawn": "Withdrawn",
    "lapsed": "Its time has passed without an arrangement",
    "unloaded": "Unloaded and charged",
    "booked": "Approved and booked",
}


@dataclass(frozen=True)
class QuoteLine:
    """A line of a quote as it was worked out when it was quoted."""

    what: str
    quantity: Decimal
    unit: str
    unit_price: Decimal
    amount: Decimal
    cite: str
    reading: str | None


@dataclass(frozen=True)
class SpecialView:
    """One special time as it stands: ``state`` of the request, then that of its booking."""

    row: SpecialTime
    state: str
    hauler: str
    truck: Any
    booking: BookingView | None = None
    load: Load | None = None

    @property
    def words(self) -> str:
        known = STATE_WORDS.get(self.state)
        return known or (self.booking.words if self.booking is not None else self.state)

    @property
    def own_words(self) -> str:
        """The same for its hauler."""
        return "Quoted: accept the charge" if self.state == "quoted" else self.words

    @property
    def lines(self) -> tuple[QuoteLine, ...]:
        """The quote line by line; none before it is quoted."""
        return quoted_lines(self.row.quote)

    @property
    def waits(self) -> bool:
        """Whether something is still to be done about the request."""
        return self.state in ("asked", "quoted", "accepted")


def quoted_lines(quote: Sequence[dict[str, Any]]) -> tuple[QuoteLine, ...]:
    """The lines of a stored quote."""
    return tuple(
        QuoteLine(one["what"], Decimal(one["quantity"]), one["unit"], Decimal(one["unit_price"]),
                  Decimal(one["amount"]), one["cite"], one["reading"])
        for one in quote
    )  # fmt: skip


def numbered(plant_id: int, number: str) -> SpecialTime | None:
    """A plant's special time by its number, read fresh."""
    query = select(SpecialTime).filter_by(plant_id=plant_id, number=number)
    return db.session.scalars(query.execution_options(populate_existing=True)).one_or_none()


def view(row: SpecialTime, at: datetime) -> SpecialView:
    """One special time as it stands at an instant."""
    return special_views([row], at)[0]


def special_views(rows: Sequence[SpecialTime], at: datetime) -> list[SpecialView]:
    """Special times as they stand, in a number of queries that does not grow with them."""
    made = db.session.scalars(select(Booking).where(Booking.id.in_([one.booking_id for one in rows]))).all()
    booked = {one.booking.id: one for one in views(made, at)}
    query = select(Load).where(Load.booking_id.in_(booked), Load.state == LoadState.ACCEPTED.value)
    loads = {one.booking_id: one for one in db.session.scalars(query)}
    names = haulers.business_names({one.business_id for one in rows})
    trucks = fleet.trucks({one.truck_id for one in rows})
    found = []
    for row in rows:
        booking = booked.get(row.booking_id or 0)
        state = booking.state if booking is not None else _state(row, at)
        found.append(SpecialView(row, state, names[row.business_id], trucks[row.truck_id], booking,
                                 loads.get(row.booking_id)))  # fmt: skip
    return found


def _state(row: SpecialTime, at: datetime) -> str:
    if row.state not in OPEN:
        return row.state
    if row.starts <= at:
        return "lapsed"
    return "quoted" if row.state == SpecialState.ASKED.value and row.quote_cents is not None else row.state


def of_business(plant_id: int, business_id: int, at: datetime, limit: int = 20) -> list[SpecialView]:
    """A hauler's special times, newest first."""
    query = select(SpecialTime).filter_by(plant_id=plant_id, business_id=business_id)
    return special_views(db.session.scalars(query.order_by(SpecialTime.id.desc()).limit(limit)).all(), at)


def waiting_of(plant_id: int, business_id: int, at: datetime) -> list[SpecialView]:
    """A hauler's requests about which something is still to be done, first time first."""
    return special_views(_waiting(plant_id, at, SpecialTime.business_id == business_id), at)


def waiting(plant_id: int, at: datetime) -> list[SpecialView]:
    """What the Director has to decide or to quote, first time first; what waits for the hauler comes last."""
    found = special_views(_waiting(plant_id, at), at)
    return sorted(found, key=lambda one: one.state == "quoted")


def for_director(plant_id: int, at: datetime) -> list[SpecialView]:
    """Those of them that need somebody of the plant: to be decided, or to be quoted."""
    return [one for one in waiting(plant_id, at) if one.state != "quoted"]


def _waiting(plant_id: int, at: datetime, *only: Any) -> Sequence[SpecialTime]:
    query = select(SpecialTime).where(SpecialTime.plant_id == plant_id, SpecialTime.state.in_(OPEN),
                                      SpecialTime.starts > at, *only)  # fmt: skip
    return db.session.scalars(query.order_by(SpecialTime.starts, SpecialTime.id)).all()


def unsettled(after: datetime, until: datetime, *, asked_before: timedelta | None = None) -> list[int]:
    """The requests of all plants that nobody has settled and whose time begins after one instant and by another; with
    ``asked_before`` only those asked and quoted so long before their time."""
    query = select(SpecialTime).where(SpecialTime.state.in_(OPEN), SpecialTime.starts > after,
                                      SpecialTime.starts <= until)  # fmt: skip
    found = db.session.scalars(query.order_by(SpecialTime.starts, SpecialTime.id))
    return [one.id for one in found
            if asked_before is None or (one.quoted_at or one.asked_at) < one.starts - asked_before]  # fmt: skip


def settled(plant_id: int, at: datetime, limit: int = 30) -> list[SpecialView]:
    """What was arranged, declined, withdrawn or has passed, newest first."""
    query = select(SpecialTime).where(SpecialTime.plant_id == plant_id)
    query = query.where(SpecialTime.state.not_in(OPEN) | (SpecialTime.starts <= at))
    return special_views(db.session.scalars(query.order_by(SpecialTime.starts.desc()).limit(limit)).all(), at)


@dataclass(frozen=True)
class Entered:
    """A row the plant has entered, and its value in words."""

    row: PlantRow
    words: str


def own_rows(plant_id: int, *keys: str) -> list[Entered]:
    """What the plant has entered under some keys, with who did it and from when, newest first."""
    query = select(PlantRow).where(PlantRow.plant_id == plant_id, PlantRow.key.in_(keys))
    rows = db.session.scalars(query.order_by(PlantRow.since.desc(), PlantRow.id.desc()))
    return [Entered(row, plant_row(row.key, row.value, row.since, row.resolution).words) for row in rows]
