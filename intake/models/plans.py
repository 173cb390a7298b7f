"""Plans: receiving points, bookings and their planned sessions."""

from datetime import date, datetime

from sqlalchemy import CheckConstraint, ForeignKey, Integer, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from intake.states import BookingState
from office.db import Json, Model, Utc, born
from office.seals import sealed, sealed_id


class Point(Model):
    """A place where a truck may unload (§ 329-7 C(1): as the plant manager specifies)."""

    __tablename__ = "point"
    __table_args__ = (CheckConstraint("kind IN ('station', 'manhole', 'tank')", name="kind_known"),)
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"), index=True)
    name: Mapped[str] = mapped_column(String(100))
    kind: Mapped[str] = mapped_column(String(10))


class PointTerms(Model):
    """What the plant manager has set for a point from a day on; earlier rows stay (§ 329-7 C(1)).

    ``opens`` and ``closes`` are wall times ("07:30"), None as the plant's; ``trucks`` and ``max_gph`` None as many, and
    as fast, as the plant's limit lets in; ``wastes`` [] every type.
    """

    __tablename__ = "point_terms"
    __table_args__ = (
        CheckConstraint("trucks IS NULL OR trucks > 0", name="trucks_positive"),
        CheckConstraint("max_gph IS NULL OR max_gph > 0", name="rate_positive"),
        CheckConstraint("changeover >= 0", name="changeover_not_negative"),
    )
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    point_id: Mapped[int] = mapped_column(ForeignKey("point.id"), index=True)
    since: Mapped[date]
    is_open: Mapped[bool]
    opens: Mapped[str | None] = mapped_column(String(5))
    closes: Mapped[str | None] = mapped_column(String(5))
    trucks: Mapped[int | None] = mapped_column(Integer)
    max_gph: Mapped[int | None] = mapped_column(Integer)
    changeover: Mapped[int] = mapped_column(Integer)
    wastes: Mapped[list[str]] = mapped_column(Json)
    conditions: Mapped[str] = mapped_column(Text)
    set_at: Mapped[datetime] = mapped_column(Utc)
    set_by: Mapped[str] = mapped_column(String(200))


class ManholePermission(Model):
    """The written approval without which nothing is unloaded into a manhole (§ 329-7 D). No business: every hauler."""

    __tablename__ = "manhole_permission"
    __table_args__ = (
        CheckConstraint("words <> ''", name="in_writing"),
        CheckConstraint("until >= since", name="until_after_since"),
        CheckConstraint("(ended_at IS NULL) = (end_reason IS NULL)", name="ended_with_reason"),
    )
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    point_id: Mapped[int] = mapped_column(ForeignKey("point.id"), index=True)
    business_id: Mapped[int | None] = mapped_column(ForeignKey("business.id"), index=True)
    words: Mapped[str] = mapped_column(Text)
    written_on: Mapped[date]
    written_by: Mapped[str] = mapped_column(String(200))
    since: Mapped[date]
    until: Mapped[date]
    made_at: Mapped[datetime] = mapped_column(Utc)
    ended_at: Mapped[datetime | None] = mapped_column(Utc)
    end_reason: Mapped[str | None] = mapped_column(Text)


@sealed
class DayRow(Model):
    """One row a plant and day, locked in date order by whoever plans or runs discharges on it."""

    __tablename__ = "day_row"
    __journal__ = False
    __table_args__ = (UniqueConstraint("plant_id", "day"),)
    id: Mapped[int] = sealed_id()
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    day: Mapped[date]
    seal: Mapped[str] = mapped_column(String(64))


class Booking(Model):
    """A hauler's reserved discharge. Live while booked, its approval in force, not held and no load opened."""

    __tablename__ = "booking"
    __table_args__ = (
        UniqueConstraint("plant_id", "number"),
        CheckConstraint(f"state IN {tuple(s.value for s in BookingState)}", name="state_known"),
        CheckConstraint("(state = 'booked') = (ended_at IS NULL)", name="ended_when"),
        CheckConstraint("gallons > 0", name="gallons_positive"),
    )
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"), index=True)
    number: Mapped[str] = mapped_column(String(20))
    approval_id: Mapped[int] = mapped_column(ForeignKey("approval.id"), index=True)
    business_id: Mapped[int] = mapped_column(ForeignKey("business.id"), index=True)
    truck_id: Mapped[int] = mapped_column(ForeignKey("truck.id"))
    waste: Mapped[str] = mapped_column(String(30))
    gallons: Mapped[int] = mapped_column(Integer)
    state: Mapped[str] = mapped_column(String(10), default=BookingState.BOOKED.value)
    made_at: Mapped[datetime] = mapped_column(Utc)
    made_by: Mapped[str] = mapped_column(String(200))
    ended_at: Mapped[datetime | None] = mapped_column(Utc)
    end_reason: Mapped[str | None] = mapped_column(Text)
    law_version: Mapped[str] = mapped_column(String(64))
    # Entered by staff for somebody on the telephone.
    by_phone: Mapped[bool] = mapped_column(default=False, info=born(False))
    moved_at: Mapped[datetime | None] = mapped_column(Utc, info=born(None))
    moves: Mapped[int] = mapped_column(Integer, default=0, info=born(0))
    # Who is to drive, as the hauler named them; "" while nobody is named.
    driver: Mapped[str] = mapped_column(String(200), default="", info=born(""))
    # Cancelled so late that the law keeps a record of it.
    ended_late: Mapped[bool] = mapped_column(default=False, info=born(False))


class PlannedSession(Model):
    """One planned steady bleed of a booking: point, start, end, gallons an hour, gallons."""

    __tablename__ = "planned_session"
    __table_args__ = (
        CheckConstraint("ends > starts", name="ends_after_start"),
        CheckConstraint("gph > 0 AND gallons > 0", name="rate_and_gallons_positive"),
    )
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    booking_id: Mapped[int] = mapped_column(ForeignKey("booking.id"), index=True)
    point_id: Mapped[int] = mapped_column(ForeignKey("point.id"))
    day: Mapped[date] = mapped_column(index=True)
    starts: Mapped[datetime] = mapped_column(Utc)
    ends: Mapped[datetime] = mapped_column(Utc)
    gph: Mapped[int] = mapped_column(Integer)
    gallons: Mapped[int] = mapped_column(Integer)
