"""A company's drivers: who may see today's bookings and write the load record, and nothing else of the company."""

from datetime import datetime

from sqlalchemy import select

from haulers.actions.registration import NOT_YOURS, SHORTEST_PASSWORD, stands_for
from haulers.models import Business
from office.access import Actor, Grant, Role, grants_in_force
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.signin import new_person, person_with_email
from ordinances.refusal import Refusal


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
    person = person_with_email(email)
    if person is not None and grants_in_force(person.id, at):
        # One person stands for one company at a time: otherwise a driver of one could act as owner of another.
        return Refusal("email_taken", "This e-mail signs in for a company or a city already. Use another.", "")
    if person is None:
        if len(password) < SHORTEST_PASSWORD:
            return Refusal("short_password", f"Enter a password of {SHORTEST_PASSWORD} characters or more.", "")
        person = new_person(email, name, password)
    grant = Grant(person_id=person.id, plant_id=None, party_id=business.party_id, role=Role.DRIVER.value, since=at)
    db.session.add(grant)
    because(f"Driver {person.name}")
    return grant


@act("end_driver", roles=(Role.HAULER,))
def end_driver(business: Business, grant_id: int, *, by: Actor, at: datetime) -> Grant | Refusal:
    """End a driver's access at once; what they wrote keeps their name."""
    query = select(Grant).filter_by(id=grant_id, party_id=business.party_id, role=Role.DRIVER.value)
    if not stands_for(business, by) or db.session.scalars(query).one_or_none() is None:
        return NOT_YOURS
    grant: Grant = lock(Grant, grant_id)
    if grant.until is not None:
        return Refusal("already_ended", "This driver is off your list already.", "")
    grant.until = at
    return grant
