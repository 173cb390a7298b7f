"""Violations, suspensions, revocations and their review (§§ 329-7 G, 329-10, Wis. Stat. ch. 68)."""

from datetime import date, datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Integer, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from office.db import Json, Model, Utc, born

# What a review may be of: the columns of ``review`` of which one is filled.
REVIEWED = ("decision_id", "revocation_id", "amendment_id", "suspension_id", "violation_id")


class Revocation(Model):
    """An approval revoked in writing with its reason, from an instant on (§ 329-7 G).

    ``loads`` are the tickets it rests on. ``from_day`` is the first day without the approval where the revocation was
    set for a day to come, None where it took effect at once.
    """

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
    loads: Mapped[Any] = mapped_column(Json, default=list, info=born([]))
    certified_mail: Mapped[str] = mapped_column(String(40), default="", info=born(""))
    from_day: Mapped[date | None] = mapped_column(info=born(None))
    by_name: Mapped[str] = mapped_column(String(200))
    capacity: Mapped[str] = mapped_column(String(30))
    letter_id: Mapped[int | None] = mapped_column(ForeignKey("letter.id"))


class Suspension(Model):
    """An approval held for a time, where the profile allows it. ``until`` is the last day; None until it is lifted."""

    __tablename__ = "suspension"
    __table_args__ = (
        CheckConstraint("reason <> '' AND rule <> ''", name="reason_given"),
        CheckConstraint("lifted_at IS NULL OR lifted_why <> ''", name="lifted_why"),
    )
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    approval_id: Mapped[int] = mapped_column(ForeignKey("approval.id"), index=True)
    at: Mapped[datetime] = mapped_column(Utc)
    until: Mapped[date | None]
    rule: Mapped[str] = mapped_column(Text)
    reason: Mapped[str] = mapped_column(Text)
    by_name: Mapped[str] = mapped_column(String(200))
    letter_id: Mapped[int | None] = mapped_column(ForeignKey("letter.id"))
    lifted_at: Mapped[datetime | None] = mapped_column(Utc)
    lifted_why: Mapped[str] = mapped_column(Text, default="")


class Violation(Model):
    """A written notice of violation with a reasonable day to correct it by (§ 329-10).

    ``days`` are the days it went on: each is its own offence. ``loads`` are the tickets it rests on.
    """

    __tablename__ = "violation"
    __table_args__ = (
        CheckConstraint("facts <> '' AND rule <> ''", name="facts_given"),
        CheckConstraint("(corrected_on IS NULL) = (corrected_how = '')", name="corrected_whole"),
    )
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"), index=True)
    business_id: Mapped[int] = mapped_column(ForeignKey("business.id"), index=True)
    approval_id: Mapped[int | None] = mapped_column(ForeignKey("approval.id"))
    rule: Mapped[str] = mapped_column(Text)
    facts: Mapped[str] = mapped_column(Text)
    days: Mapped[Any] = mapped_column(Json)
    loads: Mapped[Any] = mapped_column(Json, default=list)
    correct_by: Mapped[date]
    at: Mapped[datetime] = mapped_column(Utc)
    by_name: Mapped[str] = mapped_column(String(200))
    letter_id: Mapped[int | None] = mapped_column(ForeignKey("letter.id"))
    corrected_on: Mapped[date | None]
    corrected_how: Mapped[str] = mapped_column(Text, default="")


class Review(Model):
    """A review asked for of what a letter told, step by step with the clocks the profile states (ch. 68).

    It is of one thing: a decision, a revocation, a change not granted, a suspension or a notice of violation.
    ``letter_id`` is the letter of its outcome.
    """

    __tablename__ = "review"
    __table_args__ = (
        CheckConstraint(" + ".join(f"(CASE WHEN {one} IS NULL THEN 0 ELSE 1 END)" for one in REVIEWED) + " = 1",
                        name="of_one"),
        CheckConstraint("words <> ''", name="words_given"),
        CheckConstraint("outcome IN ('', 'upheld', 'changed', 'reversed', 'withdrawn')", name="outcome_known"),
        CheckConstraint("(outcome = '') = (closed_on IS NULL)", name="closed_when"),
        CheckConstraint("fee_refund_id IS NULL OR (fee_payment_id IS NOT NULL AND closed_on IS NOT NULL)",
                        name="refunded_what_was_paid"),
    )  # fmt: skip
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"), index=True)
    decision_id: Mapped[int | None] = mapped_column(ForeignKey("decision.id"))
    revocation_id: Mapped[int | None] = mapped_column(ForeignKey("revocation.id"))
    amendment_id: Mapped[int | None] = mapped_column(ForeignKey("amendment.id"), info=born(None))
    suspension_id: Mapped[int | None] = mapped_column(ForeignKey("suspension.id"), info=born(None))
    violation_id: Mapped[int | None] = mapped_column(ForeignKey("violation.id"), info=born(None))
    asked_on: Mapped[date]
    asked_by: Mapped[str] = mapped_column(String(200))
    words: Mapped[str] = mapped_column(Text)
    entered_at: Mapped[datetime] = mapped_column(Utc)
    fee_payment_id: Mapped[int | None] = mapped_column(ForeignKey("payment.id"))
    fee_refund_id: Mapped[int | None] = mapped_column(ForeignKey("entry.id"), info=born(None))
    closed_on: Mapped[date | None]
    outcome: Mapped[str] = mapped_column(String(10), default="")
    outcome_words: Mapped[str] = mapped_column(Text, default="")
    letter_id: Mapped[int | None] = mapped_column(ForeignKey("letter.id"), info=born(None))


class ReviewStep(Model):
    """One step of a review: due by a day, done on a day."""

    __tablename__ = "review_step"
    __table_args__ = (UniqueConstraint("review_id", "position"),)
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    review_id: Mapped[int] = mapped_column(ForeignKey("review.id"))
    position: Mapped[int] = mapped_column(Integer)
    name: Mapped[str] = mapped_column(String(200))
    cite: Mapped[str] = mapped_column(String(100))
    due_on: Mapped[date]
    done_on: Mapped[date | None]
    note: Mapped[str] = mapped_column(Text, default="")
