"""Tablets at the receiving station, the loads they kept while there was no network, and blank tickets of paper."""

from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Integer, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from office.db import Json, Model, Utc, born
from office.seals import sealed, sealed_id


class OfflineState(StrEnum):
    """What became of a load a tablet sent: taken as it came, or it waits for a person, who enters it or gives it up."""

    TAKEN = "taken"
    WAITS = "waits"
    ENTERED = "entered"
    GIVEN_UP = "given_up"


OFFLINE_MOVES = {
    OfflineState.TAKEN: (), OfflineState.WAITS: (OfflineState.ENTERED, OfflineState.GIVEN_UP),
    OfflineState.ENTERED: (), OfflineState.GIVEN_UP: (),
}  # fmt: skip


class Tablet(Model):
    """A device that may keep loads of this plant while there is no network, and send them.

    ``number`` is given without a gap and never again: the slips of tablet 3 begin with T3. The link that enrols it
    follows from ``nonce`` and the secret key of the server; of the word the device then keeps only the digest is here.
    """

    __tablename__ = "tablet"
    __table_args__ = (
        UniqueConstraint("plant_id", "number"),
        UniqueConstraint("link_sha256"),
        UniqueConstraint("token_sha256"),
        CheckConstraint("name <> ''", name="named"),
        CheckConstraint("number > 0", name="number_positive"),
        CheckConstraint("(enrolled_at IS NULL) = (token_sha256 IS NULL)", name="enrolled_with_word"),
        CheckConstraint("(revoked_at IS NULL) = (revoked_by IS NULL)", name="revoked_by_somebody"),
        CheckConstraint("(revoked_at IS NULL) OR (reason <> '')", name="revoked_with_reason"),
    )
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    number: Mapped[int] = mapped_column(Integer)
    name: Mapped[str] = mapped_column(String(60))
    nonce: Mapped[str] = mapped_column(String(32))
    link_sha256: Mapped[str] = mapped_column(String(64))
    link_until: Mapped[datetime] = mapped_column(Utc)
    made_at: Mapped[datetime] = mapped_column(Utc)
    made_by: Mapped[str] = mapped_column(String(200))
    enrolled_at: Mapped[datetime | None] = mapped_column(Utc)
    token_sha256: Mapped[str | None] = mapped_column(String(64))
    revoked_at: Mapped[datetime | None] = mapped_column(Utc)
    revoked_by: Mapped[str | None] = mapped_column(String(200))
    reason: Mapped[str] = mapped_column(Text, default="")

    @property
    def mark(self) -> str:
        """What its slips begin with."""
        return f"T{self.number}"

    @property
    def called(self) -> str:
        """How pages name it, "Gate tablet (T1)"."""
        return f"{self.name} ({self.mark})"


@sealed
class TabletSeen(Model):
    """When a tablet was heard last, how far its clock was off (seconds to add to it), and its last slip."""

    __tablename__ = "tablet_seen"
    __journal__ = False
    __table_args__ = (UniqueConstraint("tablet_id"),)
    id: Mapped[int] = sealed_id()
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    tablet_id: Mapped[int] = mapped_column(ForeignKey("tablet.id"))
    seen_at: Mapped[datetime] = mapped_column(Utc)
    offset_seconds: Mapped[int] = mapped_column(Integer)
    last_slip: Mapped[int] = mapped_column(Integer)
    waiting: Mapped[int] = mapped_column(Integer)
    seal: Mapped[str] = mapped_column(String(64))


class OfflineLoad(Model):
    """A load as a tablet sent it, kept as received, and what became of it.

    ``device_at`` by the tablet's own clock, ``offset_seconds`` what that clock lacked, ``logged_at`` both together.
    ``flags`` are what stood against it, each with code, words and §; ``why`` what it waits for.
    """

    __tablename__ = "offline_load"
    __table_args__ = (
        UniqueConstraint("plant_id", "client_id"),
        CheckConstraint(f"state IN {tuple(s.value for s in OfflineState)}", name="state_known"),
        CheckConstraint(
            "(state IN ('taken', 'entered')) = (load_id IS NOT NULL OR stopped IS NOT NULL)",
            name="load_of_what_was_taken",
        ),
        CheckConstraint("(state <> 'waits') OR (why <> '')", name="waits_with_reason"),
        CheckConstraint("(state <> 'given_up') OR (settled_why <> '')", name="given_up_with_reason"),
        CheckConstraint("(settled_at IS NULL) = (settled_by IS NULL)", name="settled_by_somebody"),
    )
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    tablet_id: Mapped[int] = mapped_column(ForeignKey("tablet.id"), index=True)
    client_id: Mapped[str] = mapped_column(String(64))
    slip: Mapped[str] = mapped_column(String(20), index=True)
    on_duty: Mapped[str] = mapped_column(String(200))
    person_id: Mapped[int | None] = mapped_column(ForeignKey("person.id"))
    device_at: Mapped[datetime | None] = mapped_column(Utc)
    offset_seconds: Mapped[int] = mapped_column(Integer)
    logged_at: Mapped[datetime] = mapped_column(Utc)
    received_at: Mapped[datetime] = mapped_column(Utc)
    sent: Mapped[Any] = mapped_column(Json)
    flags: Mapped[Any] = mapped_column(Json, default=list)
    state: Mapped[str] = mapped_column(String(10))
    why: Mapped[str] = mapped_column(Text, default="")
    cite: Mapped[str] = mapped_column(String(200), default="")
    load_id: Mapped[int | None] = mapped_column(ForeignKey("load.id"), index=True)
    settled_at: Mapped[datetime | None] = mapped_column(Utc)
    settled_by: Mapped[str | None] = mapped_column(String(200))
    settled_why: Mapped[str] = mapped_column(Text, default="")
    # Where everything was stopped at once: the loads that were stopped by it, [] where none flowed then.
    stopped: Mapped[Any] = mapped_column(Json, nullable=True, info=born(None))


class BlankTicket(Model):
    """A ticket printed ahead without a load: outstanding, used for one load or morning, or void with a reason."""

    __tablename__ = "blank_ticket"
    __table_args__ = (
        UniqueConstraint("plant_id", "number"),
        CheckConstraint("(void_at IS NULL) = (void_by IS NULL)", name="void_by_somebody"),
        CheckConstraint("(void_at IS NULL) OR (void_reason <> '')", name="void_with_reason"),
        CheckConstraint("(void_at IS NULL) OR (load_id IS NULL)", name="void_or_used"),
    )
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    number: Mapped[str] = mapped_column(String(20))
    letter_id: Mapped[int | None] = mapped_column(ForeignKey("letter.id"), index=True)
    issued_at: Mapped[datetime] = mapped_column(Utc)
    issued_by: Mapped[str] = mapped_column(String(200))
    load_id: Mapped[int | None] = mapped_column(ForeignKey("load.id"), index=True)
    void_at: Mapped[datetime | None] = mapped_column(Utc)
    void_by: Mapped[str | None] = mapped_column(String(200))
    void_reason: Mapped[str] = mapped_column(Text, default="")
