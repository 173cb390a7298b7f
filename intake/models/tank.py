"""A receiving tank: what the plant manager has set for it, and what was read of its level."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Integer, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from office.db import Model, Utc


class TankTerms(Model):
    """What a receiving tank holds and how fast it fills and is bled; the newest row counts, earlier ones stay.

    ``gallons`` are usable ones; a truck unloads at ``unload_gph``, the valve is set to ``bleed_gph`` (gallons an hour).
    """

    __tablename__ = "tank_terms"
    __table_args__ = (
        CheckConstraint("gallons > 0 AND bleed_gph > 0", name="holds_and_bleeds"),
        CheckConstraint("unload_gph >= bleed_gph", name="fills_faster"),
    )
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    point_id: Mapped[int] = mapped_column(ForeignKey("point.id"), index=True)
    gallons: Mapped[int] = mapped_column(Integer)
    unload_gph: Mapped[int] = mapped_column(Integer)
    bleed_gph: Mapped[int] = mapped_column(Integer)
    set_at: Mapped[datetime] = mapped_column(Utc)
    set_by: Mapped[str] = mapped_column(String(200))


class TankReading(Model):
    """Gallons read in a receiving tank at an instant; from the newest on its level is reckoned.

    ``reckoned`` is what was reckoned for that instant, None for the first; ``reason`` why one far from it was kept.
    """

    __tablename__ = "tank_reading"
    __table_args__ = (CheckConstraint("gallons >= 0", name="gallons_not_negative"),)
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    point_id: Mapped[int] = mapped_column(ForeignKey("point.id"), index=True)
    read_at: Mapped[datetime] = mapped_column(Utc)
    gallons: Mapped[int] = mapped_column(Integer)
    reckoned: Mapped[int | None] = mapped_column(Integer)
    reason: Mapped[str] = mapped_column(Text, default="")
    entered_at: Mapped[datetime] = mapped_column(Utc)
    entered_by: Mapped[str] = mapped_column(String(200))
