"""Approvals with their disposal plans and allowances, and the changes asked for afterwards."""

from datetime import date, datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Index, Integer, String, Text, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from haulers.states import AmendmentState, Period, values
from office.db import Json, Model, Utc, born


class Approval(Model):
    """The right to unload so many gallons from ``starts`` to ``ends``, both days included, under a disposal plan.

    ``plan`` holds the six items of NR 113.07. Whether it is in force at an instant is computed when asked. One that
    reinstates a revoked approval names it in ``replaces_id``. ``trucks`` are plate and capacity of those it was given
    for; None where it was made before that was kept.
    """

    __tablename__ = "approval"
    __table_args__ = (
        UniqueConstraint("plant_id", "number"),
        CheckConstraint("ends >= starts", name="ends_after_start"),
        CheckConstraint("gallons_winter >= 0 AND gallons_rest >= 0", name="gallons_not_negative"),
        Index("uq_approval_first", "application_id", unique=True, sqlite_where=text("replaces_id IS NULL"),
              postgresql_where=text("replaces_id IS NULL")),
    )  # fmt: skip
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"), index=True)
    application_id: Mapped[int] = mapped_column(ForeignKey("application.id"), index=True)
    decision_id: Mapped[int] = mapped_column(ForeignKey("decision.id"), index=True)
    replaces_id: Mapped[int | None] = mapped_column(ForeignKey("approval.id"), unique=True, info=born(None))
    business_id: Mapped[int] = mapped_column(ForeignKey("business.id"), index=True)
    number: Mapped[str] = mapped_column(String(30))
    season: Mapped[str] = mapped_column(String(10))
    starts: Mapped[date]
    ends: Mapped[date]
    gallons_winter: Mapped[int] = mapped_column(Integer)
    gallons_rest: Mapped[int] = mapped_column(Integer)
    plan: Mapped[Any] = mapped_column(Json)
    law_version: Mapped[str] = mapped_column(String(64))
    trucks: Mapped[Any | None] = mapped_column(Json, info=born(None))
    # The last day a motion of the committee carried it over to, cut short by the letter on the new application.
    carried_until: Mapped[date | None] = mapped_column(info=born(None))


class AllowanceLine(Model):
    """One allowance of a disposal plan: gallons of a type of waste ("" for all) in a day, a week, a part of the season.

    ``hard`` ones are refused when passed, others are said. Counted together with the totals of the approval.
    """

    __tablename__ = "allowance_line"
    __table_args__ = (
        UniqueConstraint("approval_id", "waste", "period"),
        CheckConstraint(f"period IN {values(Period)}", name="period_known"),
        CheckConstraint("gallons >= 0", name="gallons_not_negative"),
    )
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    approval_id: Mapped[int] = mapped_column(ForeignKey("approval.id"), index=True)
    waste: Mapped[str] = mapped_column(String(30), default="")
    period: Mapped[str] = mapped_column(String(10))
    gallons: Mapped[int] = mapped_column(Integer)
    hard: Mapped[bool] = mapped_column(default=True)


class Amendment(Model):
    """A change asked for after the approval: more gallons, another source, a truck. Old and new stand side by side.

    ``extra_winter`` and ``extra_rest`` are gallons asked for on top; ``granted_winter`` and ``granted_rest`` what the
    committee gave of them: they count once ``letter_id`` is set, the letter that says so issued. One that came on paper
    has the day it was ``received_on`` and who of the city ``entered_by``.
    """

    __tablename__ = "amendment"
    __table_args__ = (
        CheckConstraint(f"state IN {values(AmendmentState)}", name="state_known"),
        CheckConstraint("kind IN ('gallons', 'source', 'truck')", name="kind_known"),
        CheckConstraint("words <> ''", name="words_given"),
        CheckConstraint("(state = 'asked') = (decided_at IS NULL)", name="decided_when"),
        CheckConstraint("state <> 'refused' OR reason <> ''", name="refused_why"),
        CheckConstraint("extra_winter >= 0 AND extra_rest >= 0", name="extra_not_negative"),
        CheckConstraint("granted_winter BETWEEN 0 AND extra_winter AND granted_rest BETWEEN 0 AND extra_rest",
                        name="granted_within"),
        CheckConstraint("state = 'granted' OR granted_winter + granted_rest = 0", name="granted_only"),
        CheckConstraint("(received_on IS NULL) = (entered_by = '')", name="paper_whole"),
    )  # fmt: skip
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    approval_id: Mapped[int] = mapped_column(ForeignKey("approval.id"), index=True)
    kind: Mapped[str] = mapped_column(String(10))
    words: Mapped[str] = mapped_column(Text)
    old: Mapped[Any] = mapped_column(Json)
    new: Mapped[Any] = mapped_column(Json)
    extra_winter: Mapped[int] = mapped_column(Integer, default=0)
    extra_rest: Mapped[int] = mapped_column(Integer, default=0)
    granted_winter: Mapped[int] = mapped_column(Integer, default=0)
    granted_rest: Mapped[int] = mapped_column(Integer, default=0)
    state: Mapped[str] = mapped_column(String(10), default=AmendmentState.ASKED.value)
    asked_by: Mapped[str] = mapped_column(String(200))
    asked_at: Mapped[datetime] = mapped_column(Utc)
    motion_id: Mapped[int | None] = mapped_column(ForeignKey("motion.id"))
    reason: Mapped[str] = mapped_column(Text, default="")
    decided_at: Mapped[datetime | None] = mapped_column(Utc)
    letter_id: Mapped[int | None] = mapped_column(ForeignKey("letter.id"))
    received_on: Mapped[date | None] = mapped_column(info=born(None))
    entered_by: Mapped[str] = mapped_column(String(200), default="", info=born(""))


class Reinstatement(Model):
    """A carried motion to give a revoked approval back from a day on, with the gallons it had.

    The new approval, which names the old in ``replaces_id``, is made when the clerk issues the letter (``letter_id``).
    """

    __tablename__ = "reinstatement"
    __table_args__ = (
        CheckConstraint("reason <> ''", name="reason_given"),
        CheckConstraint("gallons_winter >= 0 AND gallons_rest >= 0", name="gallons_not_negative"),
    )
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"), index=True)
    motion_id: Mapped[int] = mapped_column(ForeignKey("motion.id"), unique=True)
    approval_id: Mapped[int] = mapped_column(ForeignKey("approval.id"), unique=True)
    starts: Mapped[date]
    gallons_winter: Mapped[int] = mapped_column(Integer)
    gallons_rest: Mapped[int] = mapped_column(Integer)
    reason: Mapped[str] = mapped_column(Text)
    letter_id: Mapped[int | None] = mapped_column(ForeignKey("letter.id"))
