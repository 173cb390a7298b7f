"""Applications for a season, the sources they name, their files and changes, and the filing fee."""

from datetime import date, datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Index, Integer, String, Text, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from haulers.states import DECIDED, ApplicationState, FileKind, values
from office.db import Json, Model, Utc, born

_DRAFT = "(state = 'draft')"
_DECIDED = tuple(state.value for state in DECIDED)


class Application(Model):
    """One business's application to one plant for one season, with the name and address it was made with.

    ``answers`` is what was typed beyond the sources (``queries.answers.Answers``), whether the hauler calls the sources
    ``complete``, the tasks taken over that are still to ``check``, who saved last, the draft that ``gave_way`` to a
    paper and how a paper was ``withdrawn``. ``sent`` keeps company, licence, trucks, drivers, insurance,
    sources and answers as they were sent. An application on paper has ``channel`` "paper", the clerk who entered it and
    the day it was received.
    """

    __tablename__ = "application"
    __table_args__ = (
        UniqueConstraint("plant_id", "number"),
        CheckConstraint(f"state IN {values(ApplicationState)}", name="state_known"),
        CheckConstraint(f"{_DRAFT} = (filed_at IS NULL) AND {_DRAFT} = (number IS NULL)", name="filed_when"),
        CheckConstraint(f"{_DRAFT} OR declared_by <> '' OR channel = 'paper'", name="declared"),
        CheckConstraint("channel IN ('online', 'paper')", name="channel_known"),
        CheckConstraint("(channel = 'paper') = (received_on IS NOT NULL)", name="paper_received"),
        CheckConstraint("channel = 'online' OR entered_by <> ''", name="paper_entered"),
        CheckConstraint("state <> 'asked_late' OR late_reason <> ''", name="late_reason_given"),
        CheckConstraint("taken_by_id IS NULL OR late_reason <> ''", name="taken_was_late"),
        CheckConstraint(f"(state IN {_DECIDED}) = (decided_at IS NOT NULL)", name="decided_when"),
        CheckConstraint("(state = 'withdrawn') = (withdrawn_at IS NOT NULL)", name="withdrawn_when"),
        Index("uq_application_season", "plant_id", "business_id", "season", unique=True,
              sqlite_where=text("state <> 'withdrawn'"), postgresql_where=text("state <> 'withdrawn'")),
    )  # fmt: skip
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"), index=True)
    business_id: Mapped[int] = mapped_column(ForeignKey("business.id"), index=True)
    season: Mapped[str] = mapped_column(String(10))
    state: Mapped[str] = mapped_column(String(10), default=ApplicationState.DRAFT.value)
    number: Mapped[str | None] = mapped_column(String(20))
    filed_at: Mapped[datetime | None] = mapped_column(Utc)
    late_for_state: Mapped[bool] = mapped_column(default=False)
    business_name: Mapped[str] = mapped_column(String(200))
    business_address: Mapped[str] = mapped_column(Text)
    licence_number: Mapped[str] = mapped_column(String(40), default="")
    licence_ends_on: Mapped[date | None]
    declared_by: Mapped[str] = mapped_column(String(200), default="")
    answers: Mapped[Any] = mapped_column(Json, default=dict, info=born({}))
    sent: Mapped[Any | None] = mapped_column(Json, info=born(None))
    channel: Mapped[str] = mapped_column(String(10), default="online", info=born("online"))
    received_on: Mapped[date | None] = mapped_column(info=born(None))
    entered_by: Mapped[str] = mapped_column(String(200), default="", info=born(""))
    late_reason: Mapped[str] = mapped_column(Text, default="", info=born(""))
    taken_by_id: Mapped[int | None] = mapped_column(ForeignKey("motion.id"), info=born(None))
    saved_at: Mapped[datetime] = mapped_column(Utc)
    withdrawn_at: Mapped[datetime | None] = mapped_column(Utc)
    decided_at: Mapped[datetime | None] = mapped_column(Utc)
    law_version: Mapped[str | None] = mapped_column(String(64))
    letter_id: Mapped[int | None] = mapped_column(ForeignKey("letter.id"))


class ApplicationSource(Model):
    """One source of septage: type, frequency, quantity and location as § 329-7 B(1) asks. Quantities in gallons.

    In a draft a quantity may still be None ("not yet answered"); nought is an answer.
    """

    __tablename__ = "application_source"
    __table_args__ = (
        UniqueConstraint("application_id", "position"),
        CheckConstraint("gallons_a_load IS NULL OR gallons_a_load >= 0", name="load_not_negative"),
        CheckConstraint("gallons_winter IS NULL OR gallons_winter >= 0", name="winter_not_negative"),
        CheckConstraint("gallons_rest IS NULL OR gallons_rest >= 0", name="rest_not_negative"),
    )
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    application_id: Mapped[int] = mapped_column(ForeignKey("application.id"), index=True)
    position: Mapped[int] = mapped_column(Integer)
    waste: Mapped[str] = mapped_column(String(30), default="")
    place: Mapped[str] = mapped_column(String(300), default="")
    area: Mapped[str] = mapped_column(String(30), default="")
    tank_kind: Mapped[str] = mapped_column(String(30), default="")
    existing: Mapped[bool] = mapped_column(default=True)
    replaces_failed: Mapped[bool] = mapped_column(default=False)
    frequency: Mapped[str] = mapped_column(String(200), default="")
    gallons_a_load: Mapped[int | None] = mapped_column(Integer)
    gallons_winter: Mapped[int | None] = mapped_column(Integer)
    gallons_rest: Mapped[int | None] = mapped_column(Integer)
    months: Mapped[str] = mapped_column(String(200), default="", info=born(""))


class ApplicationFile(Model):
    """A file a business handed in: its licence, insurance, a certificate, a lab sheet, a paper form.

    With ``application_id`` it belongs to that application, else to the business. Taken away it stays on record.
    """

    __tablename__ = "application_file"
    __table_args__ = (CheckConstraint(f"kind IN {values(FileKind)}", name="kind_known"),)
    plant_id: Mapped[int | None] = mapped_column(ForeignKey("plant.id"))
    business_id: Mapped[int] = mapped_column(ForeignKey("business.id"), index=True)
    application_id: Mapped[int | None] = mapped_column(ForeignKey("application.id"), index=True)
    kind: Mapped[str] = mapped_column(String(20))
    file_id: Mapped[int] = mapped_column(ForeignKey("file.id"), unique=True)
    added_at: Mapped[datetime] = mapped_column(Utc)
    added_by: Mapped[str] = mapped_column(String(200))
    removed_at: Mapped[datetime | None] = mapped_column(Utc)


class ApplicationChange(Model):
    """A change to a sent application: who asked for it, what it is about, what the answers were before and after.

    Asked by the hauler it waits until the clerk opens the application; asked by the committee it is open at once. While
    it is open the hauler may change answers; ``before`` and ``after`` keep both texts. ``basis`` is who of the
    committee asked for it, "" for nobody; ``opens`` are the keys of ``queries.opened.PARTS`` that may change, none for
    all of them.
    """

    __tablename__ = "application_change"
    __table_args__ = (
        CheckConstraint("side IN ('hauler', 'committee')", name="side_known"),
        CheckConstraint("words <> ''", name="words_given"),
        CheckConstraint("(answered_at IS NULL) = (after IS NULL)", name="answered_whole"),
        CheckConstraint("answered_at IS NULL OR opened_at IS NOT NULL", name="opened_first"),
        CheckConstraint("refused_at IS NULL OR (answered_at IS NULL AND refusal <> '')", name="refused_why"),
        Index("uq_application_change_open", "application_id", unique=True,
              sqlite_where=text("answered_at IS NULL AND refused_at IS NULL"),
              postgresql_where=text("answered_at IS NULL AND refused_at IS NULL")),
    )  # fmt: skip
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    application_id: Mapped[int] = mapped_column(ForeignKey("application.id"), index=True)
    side: Mapped[str] = mapped_column(String(10))
    asked_by: Mapped[str] = mapped_column(String(200))
    asked_at: Mapped[datetime] = mapped_column(Utc)
    words: Mapped[str] = mapped_column(Text)
    due_on: Mapped[date | None]
    motion_id: Mapped[int | None] = mapped_column(ForeignKey("motion.id"))
    opened_at: Mapped[datetime | None] = mapped_column(Utc)
    opened_by: Mapped[str] = mapped_column(String(200), default="")
    before: Mapped[Any | None] = mapped_column(Json)
    after: Mapped[Any | None] = mapped_column(Json)
    answered_at: Mapped[datetime | None] = mapped_column(Utc)
    refused_at: Mapped[datetime | None] = mapped_column(Utc)
    refusal: Mapped[str] = mapped_column(Text, default="")
    letter_id: Mapped[int | None] = mapped_column(ForeignKey("letter.id"))
    basis: Mapped[str] = mapped_column(Text, default="", info=born(""))
    opens: Mapped[Any] = mapped_column(Json, default=list, info=born([]))


class FilingFee(Model):
    """The nonrefundable filing fee of an application, paid, or waived by the Council's resolution (§ 329-7 B(1)).

    The money itself is billing's.
    """

    __tablename__ = "filing_fee"
    __table_args__ = (CheckConstraint("(payment_id IS NULL) = (resolution <> '')", name="paid_or_waived"),)
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    application_id: Mapped[int] = mapped_column(ForeignKey("application.id"), unique=True)
    payment_id: Mapped[int | None] = mapped_column(ForeignKey("payment.id"))
    resolution: Mapped[str] = mapped_column(String(200), default="", info=born(""))
    paid_on: Mapped[date]
