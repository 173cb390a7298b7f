"""Septage businesses, their state licences, trucks, drivers and insurance. They belong to no plant."""

from datetime import date, datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, Integer, String, text
from sqlalchemy.orm import Mapped, mapped_column

from office.db import Model, Utc, born


class Business(Model):
    """A hauling business; its name and addresses are its party's."""

    __tablename__ = "business"
    party_id: Mapped[int] = mapped_column(ForeignKey("party.id"), unique=True)
    contact: Mapped[str] = mapped_column(String(200), default="")
    created_at: Mapped[datetime] = mapped_column(Utc)


class Licence(Model):
    """One dated state licence as claimed; unique only once verified, so that a false claim shuts nobody out.

    One taken back was entered by mistake: it stays on record and counts for nothing.
    """

    __tablename__ = "licence"
    __table_args__ = (
        CheckConstraint("number <> ''", name="number_given"),
        CheckConstraint(
            "(verified_at IS NULL) = (verified_by IS NULL) AND (verified_at IS NULL) = (verified_against IS NULL)",
            name="verified_whole",
        ),
        Index("uq_licence_verified", "state", "number", "ends_on", unique=True,
              sqlite_where=text("verified_at IS NOT NULL"), postgresql_where=text("verified_at IS NOT NULL")),
    )  # fmt: skip
    business_id: Mapped[int] = mapped_column(ForeignKey("business.id"), index=True)
    state: Mapped[str] = mapped_column(String(40))
    number: Mapped[str] = mapped_column(String(40))
    ends_on: Mapped[date]
    verified_at: Mapped[datetime | None] = mapped_column(Utc)
    verified_by: Mapped[str | None] = mapped_column(String(200))
    verified_against: Mapped[str | None] = mapped_column(String(200))
    taken_back_at: Mapped[datetime | None] = mapped_column(Utc, info=born(None))


class Truck(Model):
    """A tank truck. ``capacity`` in gallons; ``sticker`` is the state's vehicle number."""

    __tablename__ = "truck"
    __table_args__ = (
        CheckConstraint("capacity > 0", name="capacity_positive"),
        CheckConstraint("plate <> ''", name="plate_given"),
    )
    plate: Mapped[str] = mapped_column(String(20), index=True)
    name: Mapped[str] = mapped_column(String(100), default="")
    capacity: Mapped[int] = mapped_column(Integer)
    sticker: Mapped[str] = mapped_column(String(40), default="")
    retired_at: Mapped[datetime | None] = mapped_column(Utc)


class TruckOfBusiness(Model):
    """Which businesses use which truck: a truck may be shared.

    ``since`` is when it came on the list with its plate and tank size; None: before approvals kept their trucks.
    ``ended_at``: when it was taken off this list while others kept it; what it brought before then is judged by it.
    """

    __tablename__ = "truck_of_business"
    __table_args__ = (
        Index("uq_truck_of_business_now", "truck_id", "business_id", unique=True,
              sqlite_where=text("ended_at IS NULL"), postgresql_where=text("ended_at IS NULL")),
    )  # fmt: skip
    truck_id: Mapped[int] = mapped_column(ForeignKey("truck.id"))
    business_id: Mapped[int] = mapped_column(ForeignKey("business.id"), index=True)
    since: Mapped[datetime | None] = mapped_column(Utc, info=born(None))
    ended_at: Mapped[datetime | None] = mapped_column(Utc, info=born(None))


class Driver(Model):
    """Somebody who drives for a business, with the state certificate they hold; one may be its operator-in-charge.

    ``person_id`` only when they sign in themselves.
    """

    __tablename__ = "driver"
    __table_args__ = (
        CheckConstraint("name <> ''", name="name_given"),
        Index("uq_driver_in_charge", "business_id", unique=True,
              sqlite_where=text("in_charge AND retired_at IS NULL"),
              postgresql_where=text("in_charge AND retired_at IS NULL")),
    )  # fmt: skip
    business_id: Mapped[int] = mapped_column(ForeignKey("business.id"), index=True)
    name: Mapped[str] = mapped_column(String(200))
    certificate: Mapped[str] = mapped_column(String(40), default="")
    certificate_number: Mapped[str] = mapped_column(String(40), default="")
    certificate_ends_on: Mapped[date | None]
    in_charge: Mapped[bool] = mapped_column(default=False)
    person_id: Mapped[int | None] = mapped_column(ForeignKey("person.id"))
    retired_at: Mapped[datetime | None] = mapped_column(Utc)


class Insurance(Model):
    """A dated liability insurance of a business as it stated it. A later one stands beside it, never in its place.

    One taken back was entered by mistake: it stays on record and counts for nothing.
    """

    __tablename__ = "insurance"
    __table_args__ = (CheckConstraint("insurer <> ''", name="insurer_given"),)
    business_id: Mapped[int] = mapped_column(ForeignKey("business.id"), index=True)
    insurer: Mapped[str] = mapped_column(String(200))
    policy: Mapped[str] = mapped_column(String(80), default="")
    ends_on: Mapped[date]
    stated_at: Mapped[datetime] = mapped_column(Utc)
    taken_back_at: Mapped[datetime | None] = mapped_column(Utc, info=born(None))
