"""What the plant itself paid for a load, which a schedule passes on: a laboratory, cleaning up, a repair."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Integer, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from office.db import Model, Utc


class LoadCost(Model):
    """One cost by its name in the schedule, with the bill it was paid by; taken back it stays, with who did so."""

    __tablename__ = "load_cost"
    __table_args__ = (
        CheckConstraint("cents > 0", name="cents_positive"),
        CheckConstraint("bill <> ''", name="bill_named"),
        CheckConstraint("(ended_at IS NULL) = (ended_by = '')", name="ended_by_whom"),
    )
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    load_id: Mapped[int] = mapped_column(ForeignKey("load.id"), index=True)
    name: Mapped[str] = mapped_column(String(60))
    cents: Mapped[int] = mapped_column(Integer)
    bill: Mapped[str] = mapped_column(Text)
    entered_at: Mapped[datetime] = mapped_column(Utc)
    entered_by: Mapped[str] = mapped_column(String(200))
    ended_at: Mapped[datetime | None] = mapped_column(Utc)
    ended_by: Mapped[str] = mapped_column(String(200), default="")
