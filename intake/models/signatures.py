"""The driver's signature under a load, written with a finger or on paper."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from office.db import Model, Utc, born


class Signature(Model):
    """What a driver wrote on the tablet: ``strokes`` are SVG path data in a box of 600 by 200.

    What was signed on paper has none: ``paper`` says which, and ``taken_by`` who wrote it down here.
    """

    __tablename__ = "signature"
    __table_args__ = (
        CheckConstraint("name <> ''", name="named"),
        CheckConstraint("(strokes = '') <> (paper = '')", name="written_or_on_paper"),
    )
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    load_id: Mapped[int] = mapped_column(ForeignKey("load.id"), unique=True)
    name: Mapped[str] = mapped_column(String(200))
    strokes: Mapped[str] = mapped_column(Text)
    signed_at: Mapped[datetime] = mapped_column(Utc)
    taken_by: Mapped[str] = mapped_column(String(200))
    paper: Mapped[str] = mapped_column(String(60), default="", info=born(""))
