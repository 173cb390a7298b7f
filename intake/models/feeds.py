"""Addresses under which people's calendars read a hauler's bookings."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, String, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from office.db import Model, Utc


class FeedAddress(Model):
    """The secret address of one hauler's calendar at one plant, until it is turned off.

    ``address_sha256`` is what an asked address is looked up by. ``nonce`` makes the address only together with the
    secret key of the server, which is not in the database: whoever reads the table cannot read a calendar.
    """

    __tablename__ = "feed_address"
    __table_args__ = (
        UniqueConstraint("address_sha256"),
        CheckConstraint("(ended_at IS NULL) = (ended_by IS NULL)", name="ended_by_somebody"),
        Index("uq_feed_address_live", "plant_id", "business_id", unique=True, sqlite_where=text("ended_at IS NULL"),
              postgresql_where=text("ended_at IS NULL")),
    )  # fmt: skip
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    business_id: Mapped[int] = mapped_column(ForeignKey("business.id"), index=True)
    nonce: Mapped[str] = mapped_column(String(32))
    address_sha256: Mapped[str] = mapped_column(String(64))
    made_at: Mapped[datetime] = mapped_column(Utc)
    made_by: Mapped[str] = mapped_column(String(200))
    ended_at: Mapped[datetime | None] = mapped_column(Utc)
    ended_by: Mapped[str | None] = mapped_column(String(200))
