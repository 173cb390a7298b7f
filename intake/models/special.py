"""Special times: unloading at other times of the day, asked for, quoted, accepted and arranged (§ 329-7 F(4))."""

from datetime import date, datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Integer, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from intake.states import SpecialState
from office.db import Exact, Json, Model, Utc, born


class SpecialTime(Model):
    """A request for one truck at another time of the day, and the arrangement made of it.

    ``starts`` to ``ends`` at ``gph`` is how it would run; ``minutes`` of that lie outside the unloading hours.
    ``quote`` holds the lines quoted (money as text), ``quote_cents`` their sum, ``wage`` the dollars an hour they rest
    on: neither where no wage was entered yet, no wage where none is charged. Once arranged it has a booking, which may
    run until ``until``.
    ``supervised_from`` and ``supervised_to`` are entered only where the supervision was longer or shorter than the run.
    """

    __tablename__ = "special_time"
    __table_args__ = (
        UniqueConstraint("plant_id", "number"),
        CheckConstraint(f"state IN {tuple(s.value for s in SpecialState)}", name="state_known"),
        CheckConstraint("reason <> ''", name="reason_given"),
        CheckConstraint("ends > starts", name="ends_after_start"),
        CheckConstraint("gallons > 0 AND gph > 0", name="rate_and_gallons_positive"),
        CheckConstraint("wage IS NULL OR quote_cents IS NOT NULL", name="wage_with_quote"),
        CheckConstraint("(accepted_at IS NULL) OR (quote_cents IS NOT NULL)", name="accepted_a_quote"),
        CheckConstraint("state <> 'accepted' OR accepted_at IS NOT NULL", name="accepted_when"),
        CheckConstraint("(state = 'arranged') = (booking_id IS NOT NULL)", name="arranged_as_a_booking"),
        CheckConstraint("(state = 'arranged') = (until IS NOT NULL)", name="arranged_until"),
        CheckConstraint("state <> 'arranged' OR (letter_id IS NOT NULL AND accepted_at IS NOT NULL)",
                        name="arranged_in_writing"),
        CheckConstraint("state <> 'declined' OR answer <> ''", name="declined_with_reason"),
        CheckConstraint("(supervised_from IS NULL) = (supervised_to IS NULL)", name="supervised_whole"),
    )  # fmt: skip
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"), index=True)
    number: Mapped[str] = mapped_column(String(20))
    business_id: Mapped[int] = mapped_column(ForeignKey("business.id"), index=True)
    truck_id: Mapped[int] = mapped_column(ForeignKey("truck.id"))
    waste: Mapped[str] = mapped_column(String(30))
    # The zone of the schedule it comes from, where the charges hang on it.
    origin: Mapped[str] = mapped_column(String(60), default="", info=born(""))
    gallons: Mapped[int] = mapped_column(Integer)
    reason: Mapped[str] = mapped_column(Text)
    day: Mapped[date]
    starts: Mapped[datetime] = mapped_column(Utc)
    ends: Mapped[datetime] = mapped_column(Utc)
    gph: Mapped[int] = mapped_column(Integer)
    minutes: Mapped[int] = mapped_column(Integer)
    state: Mapped[str] = mapped_column(String(10), index=True)
    asked_at: Mapped[datetime] = mapped_column(Utc)
    asked_by: Mapped[str] = mapped_column(String(200))
    by_phone: Mapped[bool]
    wage: Mapped[Decimal | None] = mapped_column(Exact)
    quote: Mapped[Any] = mapped_column(Json, default=list)
    quote_cents: Mapped[int | None] = mapped_column(Integer)
    quoted_at: Mapped[datetime | None] = mapped_column(Utc)
    accepted_at: Mapped[datetime | None] = mapped_column(Utc)
    accepted_by: Mapped[str | None] = mapped_column(String(200))
    decided_at: Mapped[datetime | None] = mapped_column(Utc)
    decided_by: Mapped[str | None] = mapped_column(String(200))
    answer: Mapped[str] = mapped_column(Text, default="")
    until: Mapped[datetime | None] = mapped_column(Utc)
    booking_id: Mapped[int | None] = mapped_column(ForeignKey("booking.id"), unique=True)
    letter_id: Mapped[int | None] = mapped_column(ForeignKey("letter.id"))
    supervised_from: Mapped[datetime | None] = mapped_column(Utc)
    supervised_to: Mapped[datetime | None] = mapped_column(Utc)
    supervised_by: Mapped[str | None] = mapped_column(String(200))
    law_version: Mapped[str] = mapped_column(String(64))
