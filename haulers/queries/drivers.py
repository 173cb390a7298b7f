"""The drivers of a company, and the people who act for it."""

from dataclasses import dataclass
from datetime import date, datetime

from sqlalchemy import Select, select

from haulers.models import Business
from haulers.models import Driver as DriverRow
from office.access import Grant, Role
from office.db import db
from office.people import Person


@dataclass(frozen=True)
class DriverLine:
    """A driver as a hauler states them: the state's certificate, whether they are the operator-in-charge."""

    name: str
    certificate: str = ""
    number: str = ""
    ends_on: date | None = None
    in_charge: bool = False


@dataclass(frozen=True)
class Signed:
    """Somebody who signs in for a company: the grant that is ended to stop them, name, e-mail, since when."""

    grant_id: int
    person_id: int
    name: str
    email: str
    since: datetime


@dataclass(frozen=True)
class OnRoster:
    """One driver of the list: the record, and their sign-in if they have one. Either may be missing, not both."""

    row: DriverRow | None
    signed: Signed | None

    @property
    def name(self) -> str:
        return self.row.name if self.row is not None else self.signed.name if self.signed is not None else ""


def drivers_of(party_id: int, at: datetime) -> list[Signed]:
    """The drivers of a company who sign in themselves, at an instant, by name."""
    return _signed(party_id, Role.DRIVER, at)


def people_of(party_id: int, at: datetime) -> list[Signed]:
    """Those who act for a company and see all of it, at an instant, by name."""
    return _signed(party_id, Role.HAULER, at)


def roster(business: Business, at: datetime) -> list[OnRoster]:
    """Every driver of a business, by name; those who only sign in and have no record of their own are among them."""
    signed = {one.person_id: one for one in drivers_of(business.party_id, at)}
    found = [OnRoster(row, signed.pop(row.person_id, None) if row.person_id else None)
             for row in db.session.scalars(_rows(business.id))]  # fmt: skip
    found += [OnRoster(None, one) for one in signed.values()]
    return sorted(found, key=lambda one: (one.name.casefold(), one.row.id if one.row else 0))


def driver(business_id: int, driver_id: int) -> DriverRow | None:
    """One driver of a business who has not left; None for anybody else's."""
    return db.session.scalars(_rows(business_id).where(DriverRow.id == driver_id)).one_or_none()


def in_charge(business_id: int) -> DriverRow | None:
    """The operator-in-charge of a business."""
    return db.session.scalars(_rows(business_id).where(DriverRow.in_charge)).one_or_none()


def _rows(business_id: int) -> Select[DriverRow]:
    return (select(DriverRow).where(DriverRow.business_id == business_id, DriverRow.retired_at.is_(None))
            .order_by(DriverRow.name, DriverRow.id))  # fmt: skip


def _signed(party_id: int, role: Role, at: datetime) -> list[Signed]:
    query = (
        select(Grant, Person).join(Person, Person.id == Grant.person_id)
        .where(Grant.party_id == party_id, Grant.role == role.value, Grant.since <= at,
               Grant.until.is_(None) | (Grant.until > at))
        .order_by(Person.name, Grant.id)
    )  # fmt: skip
    return [Signed(grant.id, person.id, person.name, person.email, grant.since)
            for grant, person in db.session.execute(query)]  # fmt: skip
