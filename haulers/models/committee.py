"""The committee's meetings, motions, roll calls and decisions. Append-only: a correction names what it corrects."""

from datetime import date, datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Index, Integer, String, Text, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from haulers.states import Ballot, MotionKind, Outcome, values
from office.db import Json, Model, Utc, born


class Meeting(Model):
    """One meeting of the deciding body on a day, when it began and when its agenda was posted.

    Both are kept as first recorded, or as last corrected (``MeetingCorrection``); ``…_noted_at`` is when they were
    first recorded, so that the minutes of an earlier motion stay what they were.
    """

    __tablename__ = "meeting"
    __table_args__ = (UniqueConstraint("plant_id", "held_on", "body"),)
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    held_on: Mapped[date]
    body: Mapped[str] = mapped_column(String(200))
    agenda_posted_at: Mapped[datetime | None] = mapped_column(Utc, info=born(None))
    agenda_noted_at: Mapped[datetime | None] = mapped_column(Utc, info=born(None))
    began_at: Mapped[datetime | None] = mapped_column(Utc, info=born(None))
    began_noted_at: Mapped[datetime | None] = mapped_column(Utc, info=born(None))


class MeetingCorrection(Model):
    """What was recorded of a meeting and what it was corrected to: None for not known. Never edited."""

    __tablename__ = "meeting_correction"
    __table_args__ = (CheckConstraint("reason <> ''", name="reason_given"),)
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    meeting_id: Mapped[int] = mapped_column(ForeignKey("meeting.id"), index=True)
    agenda_before: Mapped[datetime | None] = mapped_column(Utc)
    agenda_after: Mapped[datetime | None] = mapped_column(Utc)
    began_before: Mapped[datetime | None] = mapped_column(Utc)
    began_after: Mapped[datetime | None] = mapped_column(Utc)
    reason: Mapped[str] = mapped_column(Text)
    corrected_at: Mapped[datetime] = mapped_column(Utc)
    corrected_by: Mapped[str] = mapped_column(String(200))


class Motion(Model):
    """A motion as it was put, who moved and seconded it, and whether it carried.

    ``conflicts`` is what the members said of conflicts of interest. ``lost`` says why it did not carry. ``about`` is
    what was put to the vote, a sentence for each application or approval: so a lost motion says it too.
    """

    __tablename__ = "motion"
    __table_args__ = (
        CheckConstraint("words <> ''", name="words_given"),
        CheckConstraint("mover_id <> seconder_id", name="two_people"),
        CheckConstraint(f"kind IN {values(MotionKind)}", name="kind_known"),
        CheckConstraint("NOT passed OR lost = ''", name="lost_why"),
    )
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    meeting_id: Mapped[int] = mapped_column(ForeignKey("meeting.id"), index=True)
    words: Mapped[str] = mapped_column(Text)
    mover_id: Mapped[int] = mapped_column(ForeignKey("person.id"))
    seconder_id: Mapped[int] = mapped_column(ForeignKey("person.id"))
    passed: Mapped[bool]
    kind: Mapped[str] = mapped_column(String(12), default=MotionKind.DECIDE.value, info=born("decide"))
    conflicts: Mapped[str] = mapped_column(Text, default="", info=born(""))
    lost: Mapped[str] = mapped_column(String(200), default="", info=born(""))
    recorded_at: Mapped[datetime | None] = mapped_column(Utc, info=born(None))
    about: Mapped[Any] = mapped_column(Json, default=list, info=born([]))


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
    """What a carried motion decided about one application. Gallons are what is approved of what was asked.

    Never edited: a correction is a decision of its own that names the one it corrects. The hauler hears nothing of it
    until its letter is issued: ``letter_id`` is None before. ``departure`` is why its gallons are not those suggested,
    ``wrong`` what was wrong with the one it corrects.
    """

    __tablename__ = "decision"
    __table_args__ = (
        CheckConstraint(f"outcome IN {values(Outcome)}", name="outcome_known"),
        CheckConstraint("outcome = 'approved' OR reason <> ''", name="reason_given"),
        CheckConstraint("gallons_winter >= 0 AND gallons_rest >= 0", name="gallons_not_negative"),
        CheckConstraint("outcome <> 'rejected' OR gallons_winter + gallons_rest = 0", name="rejected_means_none"),
        Index("uq_decision_first", "application_id", unique=True, sqlite_where=text("corrects_id IS NULL"),
              postgresql_where=text("corrects_id IS NULL")),
    )  # fmt: skip
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    application_id: Mapped[int] = mapped_column(ForeignKey("application.id"), index=True)
    motion_id: Mapped[int] = mapped_column(ForeignKey("motion.id"), index=True)
    corrects_id: Mapped[int | None] = mapped_column(ForeignKey("decision.id"), unique=True, info=born(None))
    outcome: Mapped[str] = mapped_column(String(10))
    gallons_winter: Mapped[int] = mapped_column(Integer)
    gallons_rest: Mapped[int] = mapped_column(Integer)
    reason_code: Mapped[str | None] = mapped_column(String(40))
    reason: Mapped[str] = mapped_column(Text, default="")
    conditions: Mapped[Any] = mapped_column(Json)
    over_capacity: Mapped[bool] = mapped_column(default=False)
    decided_at: Mapped[datetime] = mapped_column(Utc)
    allowances: Mapped[Any] = mapped_column(Json, default=list, info=born([]))
    letter_id: Mapped[int | None] = mapped_column(ForeignKey("letter.id"))
    law_version: Mapped[str] = mapped_column(String(64))
    departure: Mapped[str] = mapped_column(Text, default="", info=born(""))
    wrong: Mapped[str] = mapped_column(Text, default="", info=born(""))
    # Winter and rest gallons that were suggested when it was decided, kept for a correction; None where they were not.
    suggested: Mapped[Any | None] = mapped_column(Json, info=born(None))
    # A correction that decides on the application as its hauler changed it after the vote.
    change_id: Mapped[int | None] = mapped_column(ForeignKey("application_change.id"), info=born(None))


class Referral(Model):
    """What a carried motion did with an application short of deciding it: tabled, sent back for changes, taken late."""

    __tablename__ = "referral"
    __table_args__ = (
        UniqueConstraint("motion_id", "application_id"),
        CheckConstraint("kind IN ('table', 'ask_changes', 'take_late')", name="kind_known"),
    )
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    motion_id: Mapped[int] = mapped_column(ForeignKey("motion.id"), index=True)
    application_id: Mapped[int] = mapped_column(ForeignKey("application.id"), index=True)
    kind: Mapped[str] = mapped_column(String(12))
    words: Mapped[str] = mapped_column(Text, default="")


class CarryOver(Model):
    """Last season's approvals carried over by a motion while the committee is overdue, to ``until`` inclusive.

    ``each``: every approval it was about keeps its own last day. One voted before that was so carries all of them.
    """

    __tablename__ = "carry_over"
    __table_args__ = (UniqueConstraint("plant_id", "season"),)
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    motion_id: Mapped[int] = mapped_column(ForeignKey("motion.id"), unique=True)
    season: Mapped[str] = mapped_column(String(10))
    until: Mapped[date]
    each: Mapped[bool] = mapped_column(default=False, info=born(False))


class MemberNote(Model):
    """A member's own note on an application. No other person is shown it."""

    __tablename__ = "member_note"
    __table_args__ = (UniqueConstraint("application_id", "person_id"),)
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    application_id: Mapped[int] = mapped_column(ForeignKey("application.id"))
    person_id: Mapped[int] = mapped_column(ForeignKey("person.id"), index=True)
    words: Mapped[str] = mapped_column(Text, info={"private": True})
    written_at: Mapped[datetime] = mapped_column(Utc)
