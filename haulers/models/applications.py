"""Applications for a season, the sources they name, and the filing fee."""

from datetime import date, datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, Integer, String, Text, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from haulers.states import DECIDED, ApplicationState, values
from office.db import Model, Utc

_DRAFT = "(state = 'draft')"
_DECIDED = tuple(state.value for state in DECIDED)


class Application(Model):
    """One business's application to one plant for one season, with the name and address it was made with."""

    __tablename__ = "application"
    __table_args__ = (
        UniqueConstraint("plant_id", "number"),
        CheckConstraint(f"state IN {values(ApplicationState)}", name="state_known"),
        CheckConstraint(f"{_DRAFT} = (filed_at IS NULL) AND {_DRAFT} = (number IS NULL)", name="filed_when"),
        CheckConstraint(f"{_DRAFT} OR declared_by <> ''", name="declared"),
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


class FilingFee(Model):
    """The nonrefundable filing fee of an application, paid (§ 329-7 B(1)). The money itself is billing's."""

    __tablename__ = "filing_fee"
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    application_id: Mapped[int] = mapped_column(ForeignKey("application.id"), unique=True)
    payment_id: Mapped[int] = mapped_column(ForeignKey("payment.id"))
    paid_on: Mapped[date]
