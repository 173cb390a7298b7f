"""Who waits for a time, and the freed room that is offered to them one after the other."""

from datetime import date, datetime

from sqlalchemy import CheckConstraint, ForeignKey, Integer, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from intake.states import Answer, WaitEnd
from office.db import Model, Utc, born


class Wait(Model):
    """A load that waits for room on some days. In line by ``asked_at``; over once ended or its last day is past."""

    __tablename__ = "wait"
    __table_args__ = (
        CheckConstraint("gallons > 0", name="gallons_positive"),
        CheckConstraint("last_day >= first_day", name="last_day_after_first"),
        CheckConstraint("(ended_at IS NULL) = (outcome IS NULL)", name="ended_with_outcome"),
        CheckConstraint(f"outcome IS NULL OR outcome IN {tuple(s.value for s in WaitEnd)}", name="outcome_known"),
        CheckConstraint("booking_id IS NULL OR outcome = 'booked'", name="booked_with_booking"),
    )
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"), index=True)
    business_id: Mapped[int] = mapped_column(ForeignKey("business.id"), index=True)
    truck_id: Mapped[int] = mapped_column(ForeignKey("truck.id"))
    waste: Mapped[str] = mapped_column(String(30))
    gallons: Mapped[int] = mapped_column(Integer)
    first_day: Mapped[date]
    last_day: Mapped[date]
    asked_at: Mapped[datetime] = mapped_column(Utc)
    asked_by: Mapped[str] = mapped_column(String(200))
    ended_at: Mapped[datetime | None] = mapped_column(Utc)
    outcome: Mapped[str | None] = mapped_column(String(10))
    booking_id: Mapped[int | None] = mapped_column(ForeignKey("booking.id"))


class FreedRoom(Model):
    """Room of a day that became free, and the hours each in line has to answer (``answer_hours``)."""

    __tablename__ = "freed_room"
    __table_args__ = (CheckConstraint("answer_hours > 0", name="hours_positive"),)
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"), index=True)
    day: Mapped[date] = mapped_column(index=True)
    freed_at: Mapped[datetime] = mapped_column(Utc)
    answer_hours: Mapped[int] = mapped_column(Integer)
    law_version: Mapped[str] = mapped_column(String(64))


class RoomOffer(Model):
    """The session one in line would have of a freed room. Whose turn it is follows from the clock and the answers.

    ``place`` counts from 0 within the room; ``told_at`` is when the hauler was told that it is theirs to answer.
    ``lost_at`` is when an act took what it offers, ``lost_why`` the reason with its §: its gallons are free then.
    """

    __tablename__ = "room_offer"
    __table_args__ = (
        UniqueConstraint("room_id", "place"),
        UniqueConstraint("room_id", "wait_id"),
        CheckConstraint("ends > starts", name="ends_after_start"),
        CheckConstraint("gph > 0 AND gallons > 0", name="rate_and_gallons_positive"),
        CheckConstraint("(answered_at IS NULL) = (answer IS NULL)", name="answered_when"),
        CheckConstraint(f"answer IS NULL OR answer IN {tuple(s.value for s in Answer)}", name="answer_known"),
        CheckConstraint("(lost_at IS NULL) = (lost_why IS NULL)", name="lost_with_why"),
    )
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    room_id: Mapped[int] = mapped_column(ForeignKey("freed_room.id"))
    wait_id: Mapped[int] = mapped_column(ForeignKey("wait.id"), index=True)
    place: Mapped[int] = mapped_column(Integer)
    starts: Mapped[datetime] = mapped_column(Utc)
    ends: Mapped[datetime] = mapped_column(Utc)
    gph: Mapped[int] = mapped_column(Integer)
    gallons: Mapped[int] = mapped_column(Integer)
    told_at: Mapped[datetime | None] = mapped_column(Utc)
    answered_at: Mapped[datetime | None] = mapped_column(Utc)
    answer: Mapped[str | None] = mapped_column(String(3))
    point_id: Mapped[int | None] = mapped_column(ForeignKey("point.id"), info=born(None))
    lost_at: Mapped[datetime | None] = mapped_column(Utc, info=born(None))
    lost_why: Mapped[str | None] = mapped_column(Text, info=born(None))
