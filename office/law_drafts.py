"""Another version of a town's law before it is in force: its text, its day, and who was told what it raises."""

from datetime import date, datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from office.db import Json, Model, Utc


class LawDraft(Model):
    """A version brought in by a resolution, with the costs its charges rest on; then put in force or taken back."""

    __tablename__ = "law_draft"
    __table_args__ = (
        CheckConstraint("resolution <> ''", name="by_resolution"),
        CheckConstraint("basis <> ''", name="basis_given"),
        CheckConstraint("(ended_at IS NULL) = (ended_by = '')", name="ended_by_whom"),
        CheckConstraint("ended_at IS NULL OR adoption_id IS NULL", name="ended_or_adopted"),
    )
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"), index=True)
    law_text_id: Mapped[int] = mapped_column(ForeignKey("law_text.id"))
    since: Mapped[date]
    resolution: Mapped[str] = mapped_column(Text)
    basis: Mapped[str] = mapped_column(Text)
    entered_at: Mapped[datetime] = mapped_column(Utc)
    entered_by: Mapped[str] = mapped_column(String(200))
    adoption_id: Mapped[int | None] = mapped_column(ForeignKey("adoption.id"))
    ended_at: Mapped[datetime | None] = mapped_column(Utc)
    ended_by: Mapped[str] = mapped_column(String(200), default="")

    @property
    def open(self) -> bool:
        return self.adoption_id is None and self.ended_at is None


class LawTold(Model):
    """One hauler told which charges a version raises, on which day and by which letter.

    `rises` holds each charge's name, words, day (ISO) and amount (text or null), as the letter has them.
    """

    __tablename__ = "law_told"
    __table_args__ = (UniqueConstraint("draft_id", "party_id", "letter_id"),)
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"), index=True)
    draft_id: Mapped[int] = mapped_column(ForeignKey("law_draft.id"), index=True)
    party_id: Mapped[int] = mapped_column(ForeignKey("party.id"))
    told_on: Mapped[date]
    letter_id: Mapped[int] = mapped_column(ForeignKey("letter.id"))
    rises: Mapped[Any] = mapped_column(Json)
