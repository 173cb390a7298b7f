"""The drivers of a company."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from office.access import Grant, Role
from office.db import db
from office.people import Person


@dataclass(frozen=True)
class Driver:
    """One driver: the grant that is ended to remove them, name, e-mail, since when."""

    grant_id: int
    name: str
    email: str
    since: datetime


def drivers_of(party_id: int, at: datetime) -> list[Driver]:
    """The drivers of a company at an instant, by name."""
    query = (
        select(Grant, Person).join(Person, Person.id == Grant.person_id)
        .where(Grant.party_id == party_id, Grant.role == Role.DRIVER.value, Grant.since <= at,
               Grant.until.is_(None) | (Grant.until > at))
        .order_by(Person.name, Grant.id)
    )  # fmt: skip
    return [Driver(grant.id, person.name, person.email, grant.since) for grant, person in db.session.execute(query)]
