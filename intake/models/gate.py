"""What is written at the gate beside a load: answers set aside, a rest turned away, where a refused load went."""

from datetime import date, datetime

from sqlalchemy import CheckConstraint, ForeignKey, Integer, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from intake.states import RefusalReason
from office.db import Model, Utc


class SetAside(Model):
    """One answer of the gate set aside in writing, for one load of one truck on one day (§ 329-7 C(1)).

    ``said`` is the answer as it was shown: only that is set aside. ``load_id`` once the truck came in under it.
    """

    __tablename__ = "set_aside"
    __table_args__ = (CheckConstraint("reason <> ''", name="reason_given"),)
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    business_id: Mapped[int] = mapped_column(ForeignKey("business.id"), index=True)
    truck_id: Mapped[int] = mapped_column(ForeignKey("truck.id"))
    day: Mapped[date] = mapped_column(index=True)
    code: Mapped[str] = mapped_column(String(40))
    said: Mapped[str] = mapped_column(Text)
    cite: Mapped[str] = mapped_column(String(200))
    reason: Mapped[str] = mapped_column(Text)
    given_at: Mapped[datetime] = mapped_column(Utc)
    given_by: Mapped[str] = mapped_column(String(200))
    load_id: Mapped[int | None] = mapped_column(ForeignKey("load.id"), index=True)
    law_version: Mapped[str] = mapped_column(String(64))


class RestRefused(Model):
    """The rest of a load that was taken in part: what was turned away, and why. ``gallons`` stayed in the truck."""

    __tablename__ = "rest_refused"
    __table_args__ = (
        CheckConstraint("gallons > 0", name="gallons_positive"),
        CheckConstraint("reason <> ''", name="reason_given"),
        CheckConstraint(f"code IN {tuple(one.value for one in RefusalReason)}", name="code_known"),
    )
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    load_id: Mapped[int] = mapped_column(ForeignKey("load.id"), unique=True)
    gallons: Mapped[int] = mapped_column(Integer)
    code: Mapped[str] = mapped_column(String(40))
    reason: Mapped[str] = mapped_column(Text)
    refused_at: Mapped[datetime] = mapped_column(Utc)
    refused_by: Mapped[str] = mapped_column(String(200))


class Elsewhere(Model):
    """The statement where a refused load, or the rest of one, went: asked before that truck comes again."""

    __tablename__ = "elsewhere"
    __table_args__ = (
        CheckConstraint("went_to <> ''", name="place_given"),
        CheckConstraint("signed_by <> ''", name="signed"),
    )
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    load_id: Mapped[int] = mapped_column(ForeignKey("load.id"), unique=True)
    went_to: Mapped[str] = mapped_column(Text)
    went_on: Mapped[date]
    signed_by: Mapped[str] = mapped_column(String(200))
    filed_at: Mapped[datetime] = mapped_column(Utc)
    filed_by: Mapped[str] = mapped_column(String(200))
    on_behalf: Mapped[bool]
