"""What went wrong or is judged: accidental discharges, and what was found of a waste that is somebody's to judge."""

from datetime import date, datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Integer, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from intake.states import COSTS_PER, COUNCIL
from office.db import Json, Model, Utc


class Incident(Model):
    """An accidental discharge of banned waste, reported at once (§ 329-6 L); open until it is closed with a reason.

    ``gallons`` None: nobody knows. ``written_due`` where the law of the town asks for a written report.
    """

    __tablename__ = "incident"
    __table_args__ = (
        UniqueConstraint("plant_id", "number"),
        CheckConstraint("what <> ''", name="told"),
        CheckConstraint("place <> ''", name="place_given"),
        CheckConstraint("gallons IS NULL OR gallons >= 0", name="gallons_not_negative"),
        CheckConstraint("(closed_at IS NULL) = (closed_why IS NULL)", name="closed_with_reason"),
    )
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"), index=True)
    number: Mapped[str] = mapped_column(String(20))
    known_at: Mapped[datetime] = mapped_column(Utc)
    place: Mapped[str] = mapped_column(String(300))
    what: Mapped[str] = mapped_column(Text)
    gallons: Mapped[int | None] = mapped_column(Integer)
    steps: Mapped[str] = mapped_column(Text, default="")
    phone: Mapped[str] = mapped_column(String(60), default="")
    business_id: Mapped[int | None] = mapped_column(ForeignKey("business.id"), index=True)
    load_id: Mapped[int | None] = mapped_column(ForeignKey("load.id"))
    reported_at: Mapped[datetime] = mapped_column(Utc)
    reported_by: Mapped[str] = mapped_column(String(200))
    person_id: Mapped[int | None] = mapped_column(ForeignKey("person.id"))
    written_due: Mapped[datetime | None] = mapped_column(Utc)
    closed_at: Mapped[datetime | None] = mapped_column(Utc)
    closed_by: Mapped[str | None] = mapped_column(String(200))
    closed_why: Mapped[str | None] = mapped_column(Text)
    law_version: Mapped[str] = mapped_column(String(64))


class IncidentWord(Model):
    """What was written later of an accident: more facts, or the written report itself. Only added to."""

    __tablename__ = "incident_word"
    __table_args__ = (CheckConstraint("words <> ''", name="words_given"),)
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    incident_id: Mapped[int] = mapped_column(ForeignKey("incident.id"), index=True)
    words: Mapped[str] = mapped_column(Text)
    written: Mapped[bool]
    posted_at: Mapped[datetime] = mapped_column(Utc)
    posted_by: Mapped[str] = mapped_column(String(200))


class WasteFinding(Model):
    """What the Superintendent found of a hauler's waste and recommends to the Common Council (§ 329-6 E).

    ``outcomes`` in the law's words; ``gph`` where the rate is controlled, ``cents`` for each ``cost_per`` where the
    added cost is paid: charged only once the Council has adopted it (``council``).
    """

    __tablename__ = "waste_finding"
    __table_args__ = (
        CheckConstraint("facts <> ''", name="facts_given"),
        CheckConstraint("outcomes <> '[]'", name="something_follows"),
        CheckConstraint("gph IS NULL OR gph > 0", name="rate_positive"),
        CheckConstraint("cents IS NULL OR cents > 0", name="cost_positive"),
        CheckConstraint("(cents IS NULL) = (cost_per = '')", name="cost_per_something"),
        CheckConstraint(f"cost_per IN {('', *COSTS_PER)}", name="cost_per_known"),
        CheckConstraint("until IS NULL OR until >= since", name="until_after_since"),
        CheckConstraint(f"council IN {COUNCIL}", name="council_known"),
        CheckConstraint("(council = '') = (council_on IS NULL)", name="council_when"),
        CheckConstraint("(ended_at IS NULL) = (end_reason IS NULL)", name="ended_with_reason"),
    )
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    business_id: Mapped[int] = mapped_column(ForeignKey("business.id"), index=True)
    waste: Mapped[str] = mapped_column(String(30))
    facts: Mapped[str] = mapped_column(Text)
    outcomes: Mapped[Any] = mapped_column(Json)
    pretreatment: Mapped[str] = mapped_column(Text, default="")
    gph: Mapped[int | None] = mapped_column(Integer)
    cents: Mapped[int | None] = mapped_column(Integer)
    cost_per: Mapped[str] = mapped_column(String(20), default="")
    since: Mapped[date]
    until: Mapped[date | None]
    made_at: Mapped[datetime] = mapped_column(Utc)
    made_by: Mapped[str] = mapped_column(String(200))
    letter_id: Mapped[int | None] = mapped_column(ForeignKey("letter.id"))
    council: Mapped[str] = mapped_column(String(10), default="")
    council_on: Mapped[date | None]
    council_words: Mapped[str] = mapped_column(Text, default="")
    ended_at: Mapped[datetime | None] = mapped_column(Utc)
    ended_by: Mapped[str | None] = mapped_column(String(200))
    end_reason: Mapped[str | None] = mapped_column(Text)
    law_version: Mapped[str] = mapped_column(String(64))
