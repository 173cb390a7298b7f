"""Mechanical rows that carry their own seal instead of journal entries: answered forms, job claims, sign-in tries."""

from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import ForeignKey, Index, Integer, String, UniqueConstraint, bindparam, select
from sqlalchemy.orm import Mapped, mapped_column

from office.db import Model, Utc, born, db
from office.seals import sealed, sealed_id


@sealed
class Answered(Model):
    """A form that was answered: the same form sent again is led to the first answer and does nothing more.

    ``sent`` is the digest of what was sent (``office.sent``), ``made`` whether it made a record on a page
    that asks before it makes a second one alike.
    """

    __tablename__ = "answered"
    __journal__ = False
    __table_args__ = (
        UniqueConstraint("person_id", "once"),
        UniqueConstraint("visitor", "once"),
        Index("ix_answered_person_id_at", "person_id", "at"),
    )
    id: Mapped[int] = sealed_id()
    once: Mapped[str] = mapped_column(String(64))
    person_id: Mapped[int | None] = mapped_column(ForeignKey("person.id"))
    visitor: Mapped[str | None] = mapped_column(String(64))
    location: Mapped[str] = mapped_column(String(500))
    at: Mapped[datetime] = mapped_column(Utc)
    sent: Mapped[str | None] = mapped_column(String(64), info=born(None))
    made: Mapped[bool] = mapped_column(default=False, info=born(False))
    seal: Mapped[str] = mapped_column(String(64))


@sealed
class Claim(Model):
    """One job's work for one period, claimed in the transaction that does it: exactly once on any number of hosts."""

    __tablename__ = "claim"
    __journal__ = False
    __table_args__ = (UniqueConstraint("job", "period"),)
    id: Mapped[int] = sealed_id()
    job: Mapped[str] = mapped_column(String(60))
    period: Mapped[str] = mapped_column(String(120))
    at: Mapped[datetime] = mapped_column(Utc)
    seal: Mapped[str] = mapped_column(String(64))


@sealed
class Try(Model):
    """Failed tries to sign in with one address, for slowing guesses down."""

    __tablename__ = "sign_in_try"
    __journal__ = False
    id: Mapped[int] = sealed_id()
    email: Mapped[str] = mapped_column(String(255), unique=True)
    count: Mapped[int] = mapped_column(Integer)
    last: Mapped[datetime] = mapped_column(Utc)
    seal: Mapped[str] = mapped_column(String(64))


@sealed
class SignIn(Model):
    """One sign-in of one browser. A copied cookie is worth nothing once its sign-in has ended."""

    __tablename__ = "sign_in"
    __journal__ = False
    id: Mapped[int] = sealed_id()
    token: Mapped[str] = mapped_column(String(32), unique=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("person.id"), index=True)
    at: Mapped[datetime] = mapped_column(Utc)
    ended_at: Mapped[datetime | None] = mapped_column(Utc)
    seal: Mapped[str] = mapped_column(String(64))


def answered(once: str, person_id: int | None, visitor: str | None) -> Answered | None:
    """The first answer to this form, if it was answered before by the same person or the same visitor's browser."""
    given = {"once": once, "who": person_id or visitor}
    found: Answered | None = db.session.scalars(_answered(bool(person_id)), given).one_or_none()
    return found


@cache
def _answered(signed_in: bool) -> Any:
    who: Any = Answered.person_id if signed_in else Answered.visitor
    return select(Answered).where(Answered.once == bindparam("once"), who == bindparam("who"))
