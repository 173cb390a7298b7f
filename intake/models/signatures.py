"""Drivers' signatures under loads, written with a finger or on paper."""

from datetime import date, datetime

from sqlalchemy import CheckConstraint, ForeignKey, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from office.db import Model, Utc, born


class Signature(Model):
    """What a driver wrote on the tablet: ``strokes`` are SVG path data in a box of 600 by 200.

    It stands for what was unloaded on the morning ``day`` and on those before it that nobody had signed; None, of
    before each morning was signed: for all until the day it was signed on. What was signed on paper has none:
    ``paper`` says which, and ``taken_by`` who wrote it down here.
    """

    __tablename__ = "signature"
    __table_args__ = (
        UniqueConstraint("load_id", "day"),
        CheckConstraint("name <> ''", name="named"),
        CheckConstraint("(strokes = '') <> (paper = '')", name="written_or_on_paper"),
    )
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    load_id: Mapped[int] = mapped_column(ForeignKey("load.id"))
    name: Mapped[str] = mapped_column(String(200))
    strokes: Mapped[str] = mapped_column(Text)
    signed_at: Mapped[datetime] = mapped_column(Utc)
    taken_by: Mapped[str] = mapped_column(String(200))
    paper: Mapped[str] = mapped_column(String(60), default="", info=born(""))
    day: Mapped[date | None] = mapped_column(info=born(None))
