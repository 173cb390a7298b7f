"""The committee's meetings, motions, roll calls and decisions. Append-only: a correction names what it corrects."""

from datetime import date, datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Integer, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from haulers.states import Ballot, Outcome, values
from office.db import Json, Model, Utc


class Meeting(Model):
    """One meeting of the deciding body on a day."""

    __tablename__ = "meeting"
    __table_args__ = (UniqueConstraint("plant_id", "held_on", "body"),)
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    held_on: Mapped[date]
    body: Mapped[str] = mapped_column(String(200))


class Motion(Model):
    """A motion as it was put, who moved and seconded it, and whether it carried."""

    __tablename__ = "motion"
    __table_args__ = (
        CheckConstraint("words <> ''", name="words_given"),
        CheckConstraint("mover_id <> seconder_id", name="two_people"),
    )
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    meeting_id: Mapped[int] = mapped_column(ForeignKey("meeting.id"), index=True)
    words: Mapped[str] = mapped_column(Text)
    mover_id: Mapped[int] = mapped_column(ForeignKey("person.id"))
    seconder_id: Mapped[int] = mapped_column(ForeignKey("person.id"))
    passed: Mapped[bool]


class Vote(Model):
    """One member's vote at the roll call, with the name they had then."""

    __tablename__ = "vote"
    __table_args__ = (
        UniqueConstraint("motion_id", "person_id"),
        CheckConstraint(f"vote IN {values(Ballot)}", name="vote_known"),
    )
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    motion_id: Mapped[int] = mapped_column(ForeignKey("motion.id"), index=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("person.id"))
    person_name: Mapped[str] = mapped_column(String(200))
    vote: Mapped[str] = mapped_column(String(10))


class Decision(Model):
    """What a carried motion decided about one application. Gallons are what is approved of what was asked."""

    __tablename__ = "decision"
    __table_args__ = (
        CheckConstraint(f"outcome IN {values(Outcome)}", name="outcome_known"),
        CheckConstraint("outcome = 'approved' OR reason <> ''", name="reason_given"),
        CheckConstraint("gallons_winter >= 0 AND gallons_rest >= 0", name="gallons_not_negative"),
        CheckConstraint("outcome <> 'rejected' OR gallons_winter + gallons_rest = 0", name="rejected_means_none"),
    )
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    application_id: Mapped[int] = mapped_column(ForeignKey("application.id"), unique=True)
    motion_id: Mapped[int] = mapped_column(ForeignKey("motion.id"), index=True)
    outcome: Mapped[str] = mapped_column(String(10))
    gallons_winter: Mapped[int] = mapped_column(Integer)
    gallons_rest: Mapped[int] = mapped_column(Integer)
    reason_code: Mapped[str | None] = mapped_column(String(40))
    reason: Mapped[str] = mapped_column(Text, default="")
    conditions: Mapped[Any] = mapped_column(Json)
    over_capacity: Mapped[bool] = mapped_column(default=False)
    decided_at: Mapped[datetime] = mapped_column(Utc)
    letter_id: Mapped[int | None] = mapped_column(ForeignKey("letter.id"))
    law_version: Mapped[str] = mapped_column(String(64))
