"""What the plant itself is like: restrictions with their holds, and the flow it measured."""

from datetime import date, datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Integer, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from intake.states import FlowState, HoldEnd
from office.db import Json, Model, Utc, born


class Restriction(Model):
    """Septage restricted at once by the Director (§ 329-7 B(3)), until what was done is recorded.

    ``wastes`` are the types of waste it stops, ``points`` the ids of the receiving points it shuts. Several may be in
    force at once, of any scope.
    """

    __tablename__ = "restriction"
    __table_args__ = (
        CheckConstraint("scope IN ('everything', 'types', 'points', 'rate')", name="scope_known"),
        CheckConstraint("(scope = 'types') = (wastes <> '[]')", name="wastes_when_types"),
        CheckConstraint("(scope = 'points') = (points <> '[]')", name="points_when_points"),
        CheckConstraint("(scope = 'rate') = (gph IS NOT NULL)", name="rate_when_lowered"),
        CheckConstraint("(lifted_at IS NULL) = (done IS NULL)", name="lifted_with_what_was_done"),
        CheckConstraint("done IS NULL OR done <> ''", name="done_given"),
        CheckConstraint("planning_end > starts", name="planning_end_after_start"),
    )
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"), index=True)
    starts: Mapped[datetime] = mapped_column(Utc)
    reason: Mapped[str] = mapped_column(String(40))
    note: Mapped[str] = mapped_column(Text, default="")
    scope: Mapped[str] = mapped_column(String(12))
    gph: Mapped[int | None] = mapped_column(Integer)
    next_update: Mapped[datetime] = mapped_column(Utc)
    planning_end: Mapped[datetime] = mapped_column(Utc)
    started_by: Mapped[str] = mapped_column(String(200))
    act_id: Mapped[str] = mapped_column(String(32))
    lifted_at: Mapped[datetime | None] = mapped_column(Utc)
    lifted_by: Mapped[str | None] = mapped_column(String(200))
    done: Mapped[str | None] = mapped_column(Text)
    law_version: Mapped[str] = mapped_column(String(64))
    wastes: Mapped[Any] = mapped_column(Json, default=list, info=born([]))
    points: Mapped[Any] = mapped_column(Json, default=list, info=born([]))


class RestrictionUpdate(Model):
    """What the Director said while a restriction was in force. Only added to: each keeps its time and its words."""

    __tablename__ = "restriction_update"
    __table_args__ = (CheckConstraint("words <> ''", name="words_given"),)
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    restriction_id: Mapped[int] = mapped_column(ForeignKey("restriction.id"), index=True)
    posted_at: Mapped[datetime] = mapped_column(Utc)
    posted_by: Mapped[str] = mapped_column(String(200))
    words: Mapped[str] = mapped_column(Text)


class Hold(Model):
    """A booking stopped by a restriction, which keeps its room until that ends; or one that lost its time for good.

    ``why`` and ``day`` (its first day that is met) are those of a closure or a lower limit, which list it at once.
    """

    __tablename__ = "hold"
    __table_args__ = (
        UniqueConstraint("restriction_id", "booking_id"),
        CheckConstraint("(ended_at IS NULL) = (outcome IS NULL)", name="ended_with_outcome"),
        CheckConstraint(f"outcome IS NULL OR outcome IN {tuple(s.value for s in HoldEnd)}", name="outcome_known"),
        CheckConstraint("(restriction_id IS NULL) = (why IS NOT NULL)", name="by_restriction_or_why"),
        CheckConstraint("why IS NULL OR ended_at IS NOT NULL", name="listed_at_once"),
    )
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    restriction_id: Mapped[int | None] = mapped_column(ForeignKey("restriction.id"), index=True)
    booking_id: Mapped[int] = mapped_column(ForeignKey("booking.id"), index=True)
    made_at: Mapped[datetime] = mapped_column(Utc)
    ended_at: Mapped[datetime | None] = mapped_column(Utc)
    outcome: Mapped[str | None] = mapped_column(String(10))
    why: Mapped[str | None] = mapped_column(Text, info=born(None))
    day: Mapped[date | None] = mapped_column(info=born(None))


class FlowReading(Model):
    """The plant's measured flow of one day, in gallons or without a figure. An odd one is held for a person."""

    __tablename__ = "flow_reading"
    __table_args__ = (
        UniqueConstraint("plant_id", "day"),
        CheckConstraint("state <> 'accepted' OR (gallons IS NOT NULL AND gallons >= 0)", name="accepted_with_figure"),
        CheckConstraint(f"state IN {tuple(s.value for s in FlowState)}", name="state_known"),
    )
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    day: Mapped[date]
    gallons: Mapped[int | None] = mapped_column(Integer)
    source: Mapped[str] = mapped_column(String(200))
    state: Mapped[str] = mapped_column(String(10))
    held_why: Mapped[str | None] = mapped_column(Text)
