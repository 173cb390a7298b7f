"""People who sign in, and parties: the names and addresses that letters, accounts and businesses point to."""

from datetime import datetime
from typing import TYPE_CHECKING, Any

from flask_security.core import RoleMixin, UserMixin
from sqlalchemy import ForeignKey, String, Text, func, select
from sqlalchemy.orm import Mapped, mapped_column

from office.db import Model, Utc, db

if TYPE_CHECKING:
    from collections.abc import Iterable


class SecurityRole(Model, RoleMixin):
    """Flask-Security wants a role table; ours are grants (office.access), so this one stays empty."""

    __tablename__ = "security_role"
    __journal__ = False
    name: Mapped[str] = mapped_column(String(80), unique=True)


class Person(Model, UserMixin):
    """Somebody who signs in. What a person may do is in their grants."""

    __tablename__ = "person"
    id: Mapped[int] = mapped_column(primary_key=True, sort_order=-1)
    email: Mapped[str] = mapped_column(String(255), unique=True)
    name: Mapped[str] = mapped_column(String(200), default="")
    password: Mapped[str | None] = mapped_column(String(255))
    active: Mapped[bool] = mapped_column(default=True)
    fs_uniquifier: Mapped[str] = mapped_column(String(64), unique=True)
    confirmed_at: Mapped[datetime | None] = mapped_column(Utc)
    # No role rows of Flask-Security are used: office.access.Grant says who may do what, where and until when.
    roles: Any = ()


class Party(Model):
    """A name and a mailing address: what letters are addressed to and accounts are kept for."""

    __tablename__ = "party"
    name: Mapped[str] = mapped_column(String(200))
    address: Mapped[str] = mapped_column(Text, default="")
    email: Mapped[str] = mapped_column(String(255), default="")
    phone: Mapped[str] = mapped_column(String(60), default="")


class PartyName(Model):
    """What a party was called before, so that old papers can be found by the name they carry."""

    __tablename__ = "party_name"
    party_id: Mapped[int] = mapped_column(ForeignKey("party.id"), index=True)
    name: Mapped[str] = mapped_column(String(200))
    until: Mapped[datetime] = mapped_column(Utc)


def name_then(at: datetime | None) -> Any:
    """SQL expression: the name a party of the query around it had at an instant; None: as it is called now."""
    if at is None:
        return Party.name
    before = select(PartyName.name).where(PartyName.party_id == Party.id, PartyName.until > at)
    first = before.order_by(PartyName.until, PartyName.id).limit(1).correlate(Party).scalar_subquery()
    return func.coalesce(first, Party.name)


def named_then(party_id: int, at: datetime) -> str:
    """What a party was called at an instant."""
    return str(db.session.scalars(select(name_then(at)).where(Party.id == party_id)).one())


def parties(ids: "Iterable[int]") -> dict[int, Party]:
    """Parties by id, in one query."""
    found = db.session.scalars(select(Party).where(Party.id.in_(set(ids))))
    return {party.id: party for party in found}
