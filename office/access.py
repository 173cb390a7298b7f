"""Who may do what, at which plant, in which capacity, from when until when. The grants are ours."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from functools import cache
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, String, bindparam, select
from sqlalchemy.orm import Mapped, mapped_column

from office import facts
from office.db import Model, Utc, db
from office.facts import fact


class Role(StrEnum):
    """The capacities people act in (design: roles, per plant), in the order a record names them."""

    PUBLIC = "public"
    PERSON = "person"
    HAULER = "hauler_owner"
    DRIVER = "driver"
    OPERATOR = "operator"
    MANAGER = "plant_manager"
    DIRECTOR = "director"
    MEMBER = "committee_member"
    CLERK = "clerk"
    ADMINISTRATOR = "administrator"
    STATE = "state_viewer"
    SYSTEM = "system"


TITLES = {
    Role.PUBLIC: "Public",
    Role.PERSON: "Signed-in person",
    Role.HAULER: "Hauler",
    Role.DRIVER: "Driver",
    Role.OPERATOR: "Plant operator",
    Role.MANAGER: "Plant manager",
    Role.DIRECTOR: "Public Works Director",
    Role.MEMBER: "Committee member",
    Role.CLERK: "City clerk",
    Role.ADMINISTRATOR: "Administrator",
    Role.STATE: "State viewer",
    Role.SYSTEM: "Septage Desk",
}
GRANTED = tuple(role.value for role in Role if role not in (Role.PUBLIC, Role.PERSON, Role.SYSTEM))
STAFF = (Role.OPERATOR, Role.MANAGER, Role.DIRECTOR, Role.CLERK, Role.ADMINISTRATOR)


class Grant(Model):
    """One role of one person, at one plant (none: wherever the party is known), for one party if it is a hauler's."""

    __tablename__ = "access_grant"
    __table_args__ = (CheckConstraint(f"role IN {GRANTED}", name="role_known"),)
    person_id: Mapped[int] = mapped_column(ForeignKey("person.id"), index=True)
    plant_id: Mapped[int | None] = mapped_column(ForeignKey("plant.id"))
    party_id: Mapped[int | None] = mapped_column(ForeignKey("party.id"), index=True)
    role: Mapped[str] = mapped_column(String(30))
    since: Mapped[datetime] = mapped_column(Utc)
    until: Mapped[datetime | None] = mapped_column(Utc)


@dataclass(frozen=True)
class Actor:
    """Who acts: the person, the roles they hold here now, the party they stand for, and on whose behalf."""

    person_id: int | None
    name: str
    roles: frozenset[Role]
    party_id: int | None = None
    on_behalf: str | None = None

    def capacity(self, allowed: Iterable[Role]) -> Role | None:
        """The first of the allowed roles this person holds: what the record says they acted as."""
        return next((role for role in allowed if role in self.roles), None)

    def for_(self, name: str) -> "Actor":
        """The same person acting on somebody's behalf (a clerk entering a paper application)."""
        return replace(self, on_behalf=name)


NOBODY = Actor(None, "Public", frozenset({Role.PUBLIC}))


def system(name: str = "Septage Desk") -> Actor:
    """The application itself: a job, a command or set-up."""
    return Actor(None, name, frozenset({Role.SYSTEM}))


def grants_in_force(person_id: int, at: datetime) -> list[Grant]:
    """Every grant of the person that holds at this instant."""
    return list(db.session.scalars(_in_force(), {"person_id": person_id, "at": at}))


@cache
def _in_force() -> Any:
    at: Any = bindparam("at")
    query = select(Grant).where(
        Grant.person_id == bindparam("person_id"), Grant.since <= at, (Grant.until.is_(None)) | (Grant.until > at)
    )
    return query.order_by(Grant.id)


def actor(person_id: int, name: str, plant_id: int | None, at: datetime) -> Actor:
    """The person as they may act at this plant now. A hauler's or driver's grant carries the party, at every plant.

    One person stands for one company at a time, their own first: a driver's party never lends an owner's rights.
    """
    here = [grant for grant in _grants(plant_id, person_id)
            if grant.since <= at and (grant.until is None or grant.until > at)]  # fmt: skip
    of_parties = [grant for grant in here if grant.party_id is not None]
    of_parties.sort(key=lambda grant: (grant.role != Role.HAULER.value, grant.id))
    party = of_parties[0].party_id if of_parties else None
    roles = {Role(grant.role) for grant in here if grant.party_id in (None, party)} | {Role.PERSON, Role.PUBLIC}
    return Actor(person_id, name, frozenset(roles), party)


@fact
def _grants(plant_id: int | None, person_id: int) -> list[Grant]:
    """What a person was ever granted at a plant, or everywhere."""
    return facts.rows(Grant, _granted(), person_id=person_id, plant_id=plant_id)


@cache
def _granted() -> Any:
    here = Grant.plant_id.is_(None) | (Grant.plant_id == bindparam("plant_id"))
    return select(Grant).where(Grant.person_id == bindparam("person_id"), here).order_by(Grant.id)


def people_with(role: Role, plant_id: int, at: datetime) -> list[int]:
    """Ids of the people who hold a role at a plant now, for notices to the committee or the operators."""
    query = select(Grant.person_id).where(
        Grant.role == role.value,
        (Grant.plant_id == plant_id) | (Grant.plant_id.is_(None)),
        Grant.since <= at,
        (Grant.until.is_(None)) | (Grant.until > at),
    )
    return list(db.session.scalars(query.distinct().order_by(Grant.person_id)))


def party_signs_in(party_id: int, at: datetime) -> bool:
    """Whether anybody can sign in for a party; a company known by its paper alone has nobody."""
    query = select(Grant.id).filter_by(party_id=party_id, role=Role.HAULER.value)
    return db.session.scalars(query.where(Grant.until.is_(None) | (Grant.until > at))).first() is not None
