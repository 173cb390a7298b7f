"""Mechanical rows that carry their own seal instead of journal entries: answered forms, job claims, sign-in tries."""

from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import ForeignKey, Index, Integer, String, UniqueConstraint, bindparam, insert, select, update
from sqlalchemy.orm import Mapped, mapped_column

from office.asked import cells, put
from office.db import Model, Utc, born, db
from office.seals import new_id, seal_of, sealed, sealed_id


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
    """The first answer to this form, if it was answered before by the same person or the same visitor's browser.

    To be read; ``finish`` writes what it becomes when the form is done after all.
    """
    found = cells(_answered(bool(person_id)), once=once, who=person_id or visitor)
    return Answered(**dict(zip(Answered.__table__.c.keys(), found[0], strict=True))) if found else None


@cache
def _answered(signed_in: bool) -> Any:
    row = db.metadata.tables["answered"].c
    return select(*row).where(
        row.once == bindparam("once"), (row.person_id if signed_in else row.visitor) == bindparam("who")
    )


def begin(once: str, person_id: int | None, visitor: str | None, at: datetime, sent: str) -> Answered:
    """Take the key of a form before its act, so that the same form sent twice at once waits here for its first answer.

    Raises IntegrityError where that was given meanwhile.
    """
    mine = Answered(id=new_id(), once=once, person_id=person_id, visitor=None if person_id else visitor, location="",
                    at=at, sent=sent, made=False)  # fmt: skip
    put(_begun(), **_sealed(mine))
    return mine


def finish(mine: Answered) -> None:
    """Write what a form was answered with."""
    row = _sealed(mine)
    put(_finished(), ident=row.pop("id"), **{f"new_{name}": row[name] for name in CHANGES})


# What changes between the first sending of a form and its answer.
CHANGES = ("location", "at", "sent", "made", "seal")


def _sealed(mine: Answered) -> dict[str, Any]:
    table = Answered.__table__
    row = {one.name: getattr(mine, one.name) for one in table.c if one.name != "seal"}
    return row | {"seal": seal_of(table, row)}


@cache
def _begun() -> Any:
    return insert(db.metadata.tables["answered"])


@cache
def _finished() -> Any:
    table = db.metadata.tables["answered"]
    return update(table).where(table.c.id == bindparam("ident")).values(
        {name: bindparam(f"new_{name}") for name in CHANGES})  # fmt: skip
