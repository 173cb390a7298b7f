"""Approvals with their disposal plans, and revocations."""

from datetime import date, datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Integer, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from office.db import Json, Model, Utc


class Approval(Model):
    """The right to unload so many gallons from ``starts`` to ``ends``, both days included, under a disposal plan.

    ``plan`` holds the six items of NR 113.07. Whether it is in force at an instant is computed when asked.
    """

    __tablename__ = "approval"
    __table_args__ = (
        UniqueConstraint("plant_id", "number"),
        CheckConstraint("ends >= starts", name="ends_after_start"),
        CheckConstraint("gallons_winter >= 0 AND gallons_rest >= 0", name="gallons_not_negative"),
    )
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"), index=True)
    application_id: Mapped[int] = mapped_column(ForeignKey("application.id"), unique=True)
    decision_id: Mapped[int] = mapped_column(ForeignKey("decision.id"), unique=True)
    business_id: Mapped[int] = mapped_column(ForeignKey("business.id"), index=True)
    number: Mapped[str] = mapped_column(String(30))
    season: Mapped[str] = mapped_column(String(10))
    starts: Mapped[date]
    ends: Mapped[date]
    gallons_winter: Mapped[int] = mapped_column(Integer)
    gallons_rest: Mapped[int] = mapped_column(Integer)
    plan: Mapped[Any] = mapped_column(Json)
    law_version: Mapped[str] = mapped_column(String(64))


class Revocation(Model):
    """An approval revoked in writing with its reason, from an instant on (§ 329-7 G)."""

    __tablename__ = "revocation"
    __table_args__ = (
        CheckConstraint("reason <> ''", name="reason_given"),
        CheckConstraint("rule <> ''", name="rule_given"),
    )
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    approval_id: Mapped[int] = mapped_column(ForeignKey("approval.id"), unique=True)
    at: Mapped[datetime] = mapped_column(Utc)
    rule: Mapped[str] = mapped_column(Text)
    reason: Mapped[str] = mapped_column(Text)
    by_name: Mapped[str] = mapped_column(String(200))
    capacity: Mapped[str] = mapped_column(String(30))
    letter_id: Mapped[int | None] = mapped_column(ForeignKey("letter.id"))
