"""The driver's signature under a load, as it was written with a finger."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from office.db import Model, Utc


class Signature(Model):
    """What a driver wrote on the tablet: ``strokes`` are SVG path data in a box of 600 by 200."""

    __tablename__ = "signature"
    __table_args__ = (
        CheckConstraint("name <> ''", name="named"),
        CheckConstraint("strokes <> ''", name="written"),
    )
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    load_id: Mapped[int] = mapped_column(ForeignKey("load.id"), unique=True)
    name: Mapped[str] = mapped_column(String(200))
    strokes: Mapped[str] = mapped_column(Text)
    signed_at: Mapped[datetime] = mapped_column(Utc)
    taken_by: Mapped[str] = mapped_column(String(200))
