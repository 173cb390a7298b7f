"""A company's drivers: their certificates, who is the operator-in-charge, and who signs in to see today's bookings.

A driver who signs in may see today's bookings and write the load record, and nothing else of the company.
"""

from datetime import datetime
from zoneinfo import ZoneInfo

from sqlalchemy import select

from haulers.actions.own import NOT_YOURS, stands_for
from haulers.actions.registration import SHORTEST_PASSWORD
from haulers.models import Business, Driver
from haulers.queries.drivers import DriverLine, driver, in_charge, roster
from haulers.queries.saves import mark_of, saved_since
from office.access import Actor, Grant, Role, grants_in_force
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.people import Person
from office.signin import new_person, person_with_email
from ordinances.refusal import Refusal

NO_NAME = Refusal("incomplete", "Enter the driver's name.", "")


@act("list_driver", roles=(Role.HAULER,))
def list_driver(business: Business, line: DriverLine, email: str = "", password: str = "", *, by: Actor,
                at: datetime) -> Driver | Refusal:  # fmt: skip
    """Put a driver on a company's list, with a sign-in if an e-mail is given. One is the operator-in-charge at a time.

    Refusals: not_yours, incomplete, short_password, email_taken.
    """
    if not stands_for(business, by):
        return NOT_YOURS
    if not line.name.strip():
        return NO_NAME
    lock(Business, business.id)
    made = Driver(business_id=business.id, name=line.name.strip())
    if email.strip():
        grant = _sign_in(business, line.name, email, password, at)
        if isinstance(grant, Refusal):
            return grant
        made.person_id = grant.person_id
    _state(made, line)
    db.session.add(made)
    return made


@act("add_driver", roles=(Role.HAULER,))
def add_driver(business: Business, name: str, email: str, password: str, *, by: Actor, at: datetime) -> Grant | Refusal:
    """Give a person the driver's pages of a company. Somebody who had an account keeps its password.

    Refusals: not_yours, incomplete, short_password, email_taken (the person acts for a city or for a company now).
    """
    if not stands_for(business, by):
        return NOT_YOURS
    if not (name.strip() and email.strip()):
        return Refusal("incomplete", "Enter the driver's name and e-mail.", "")
    lock(Business, business.id)
    grant = _sign_in(business, name, email, password, at)
    if not isinstance(grant, Refusal):
        db.session.add(Driver(business_id=business.id, name=name.strip(), person_id=grant.person_id))
    return grant


@act("change_driver", roles=(Role.HAULER,))
def change_driver(business: Business, driver_id: int, line: DriverLine, email: str = "", password: str = "", *,
                  seen: str = "", zone: ZoneInfo | None = None, by: Actor,
                  at: datetime) -> Driver | Refusal:  # fmt: skip
    """Change what is said of a driver; an e-mail gives one without a sign-in theirs. ``seen``: the ``driver_mark``.

    Refusals: as ``list_driver``, saved_since, and name_another: a company is not left without operator-in-charge.
    """
    if not stands_for(business, by):
        return NOT_YOURS
    lock(Business, business.id)
    row = driver(business.id, driver_id)
    if row is None:
        return NOT_YOURS
    row = lock(Driver, row.id)
    newer = saved_since(seen, driver_mark(row), (row,), zone)
    wrong = newer or (None if line.name.strip() else NO_NAME)
    if row.in_charge and not line.in_charge:
        wrong = wrong or _name_another(row)
    if wrong is not None:
        return wrong
    if email.strip():
        grant = _sign_in(business, line.name, email, password, at)
        if isinstance(grant, Refusal):
            return grant
        row.person_id = grant.person_id
    _state(row, line)
    return row


@act("retire_driver", roles=(Role.HAULER,))
def retire_driver(business: Business, driver_id: int, *, by: Actor, at: datetime) -> Driver | Refusal:
    """Take a driver off the list and end their sign-in at once; what they wrote keeps their name.

    Refusals: not_yours, name_another (the operator-in-charge, while other drivers are there to take their place).
    """
    if not stands_for(business, by):
        return NOT_YOURS
    lock(Business, business.id)
    row = driver(business.id, driver_id)
    if row is None:
        return NOT_YOURS
    others = [one for one in roster(business, at) if one.row is not None and one.row.id != row.id]
    if row.in_charge and others:
        return _name_another(row)
    row.retired_at, row.in_charge = at, False
    if row.person_id is not None:
        _end_sign_in(business, row.person_id, at)
    return row


@act("end_driver", roles=(Role.HAULER,))
def end_driver(business: Business, grant_id: int, *, by: Actor, at: datetime) -> Grant | Refusal:
    """End a driver's sign-in at once and take them off the list; what they wrote keeps their name."""
    query = select(Grant).filter_by(id=grant_id, party_id=business.party_id, role=Role.DRIVER.value)
    if not stands_for(business, by) or db.session.scalars(query).one_or_none() is None:
        return NOT_YOURS
    lock(Business, business.id)
    grant: Grant = lock(Grant, grant_id)
    if grant.until is not None:
        return Refusal("already_ended", "This driver is off your list already.", "")
    row = db.session.scalars(select(Driver).filter_by(business_id=business.id, person_id=grant.person_id,
                                                      retired_at=None)).first()  # fmt: skip
    if row is not None:
        ended = retire_driver(business, row.id, by=by, at=at)
        if isinstance(ended, Refusal):
            return ended
    grant.until = at
    return grant


def driver_mark(row: Driver) -> str:
    """What a form carries to know which state of a driver it was filled from."""
    return mark_of(row.name, row.certificate, row.certificate_number, row.certificate_ends_on, row.in_charge)


def _state(row: Driver, line: DriverLine) -> None:
    """Write what is stated. A new operator-in-charge takes the place of the former one."""
    former = in_charge(row.business_id) if line.in_charge else None
    if former is not None and former is not row:
        former.in_charge = False
        db.session.flush()
    row.name, row.certificate = line.name.strip(), line.certificate
    row.certificate_number, row.certificate_ends_on = line.number.strip(), line.ends_on
    row.in_charge = line.in_charge


def _name_another(row: Driver) -> Refusal:
    return Refusal("name_another", f"{row.name} is your operator-in-charge.", "",
                   next_step="Open another driver and make them the operator-in-charge first.")  # fmt: skip


def _sign_in(business: Business, name: str, email: str, password: str, at: datetime) -> Grant | Refusal:
    person = person_with_email(email)
    if person is not None and grants_in_force(person.id, at):
        # One person stands for one company at a time: otherwise a driver of one could act as owner of another.
        return Refusal("email_taken", "This e-mail signs in for a company or a city already. Use another.", "")
    if person is None:
        if len(password) < SHORTEST_PASSWORD:
            return Refusal("short_password", f"Enter a password of {SHORTEST_PASSWORD} characters or more.", "")
        person = new_person(email, name, password)
    return _grant(business, person, at)


def _grant(business: Business, person: Person, at: datetime) -> Grant:
    grant = Grant(person_id=person.id, plant_id=None, party_id=business.party_id, role=Role.DRIVER.value, since=at)
    db.session.add(grant)
    because(f"Driver {person.name}")
    return grant


def _end_sign_in(business: Business, person_id: int, at: datetime) -> None:
    query = select(Grant).filter_by(person_id=person_id, party_id=business.party_id, role=Role.DRIVER.value, until=None)
    for grant in db.session.scalars(query):
        grant.until = at
