"""The people who act for a company: invited by e-mail, each sees all of it; one always stays."""

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from haulers.actions.own import NOT_YOURS, stands_for
from haulers.models import Business
from haulers.queries import party_of_business
from haulers.queries.drivers import people_of
from office.access import Actor, Grant, Role, grants_in_force
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.notices import tell_person
from office.people import Person
from office.plants import Plant
from office.signin import new_person, person_with_email
from ordinances.refusal import Refusal

MOST = 20
TAKEN = Refusal("email_taken", "This e-mail signs in for a company or a city already. Use another.", "")
LAST = Refusal("last_person", "You are the last person who acts for your company. Invite somebody else first.", "")
WELCOME = """Dear {name},

{by} invited you to act for {company} at septage receiving. You see and do all that {by} does there: the application,
bookings, loads and money.

To sign in, open {url}/sign-in, choose "I do not know my password" and enter {email}. A link to set a
password comes to this address.

If you know nothing of this, do nothing: without a password of yours nobody signs in with this address.
"""


@act("invite_person", roles=(Role.HAULER,))
def invite_person(plant: Plant, business: Business, name: str, email: str, url: str, *, by: Actor,
                  at: datetime) -> Grant | Refusal:  # fmt: skip
    """Let one more person act for a company, told by e-mail how to sign in at ``url``.

    Refusals: not_yours, incomplete, too_many, email_taken (the person acts for a city or a company now).
    """
    if not stands_for(business, by):
        return NOT_YOURS
    if not (name.strip() and email.strip()):
        return Refusal("incomplete", "Enter the person's name and e-mail.", "")
    lock(Business, business.id)
    if len(people_of(business.party_id, at)) >= MOST:
        return Refusal("too_many", f"{MOST} people act for your company. End somebody's access first.", "")
    person = _person(name, email, at)
    if person is None:
        return TAKEN
    grant = Grant(person_id=person.id, plant_id=None, party_id=business.party_id, role=Role.HAULER.value, since=at)
    db.session.add(grant)
    company = party_of_business(business.id).name
    words = WELCOME.format(name=person.name, by=by.name, company=company, url=url, email=person.email)
    tell_person(person, "welcome", f"You can act for {company} at septage receiving", words, at, plant_id=plant.id)
    because(f"Invited {person.name}")
    return grant


@act("end_access", roles=(Role.HAULER,))
def end_access(business: Business, grant_id: int, *, by: Actor, at: datetime) -> Grant | Refusal:
    """End at once that a person acts for a company, oneself included; what they did keeps their name. One stays.

    Refusals: not_yours, already_ended, last_person.
    """
    query = select(Grant).filter_by(id=grant_id, party_id=business.party_id, role=Role.HAULER.value)
    if not stands_for(business, by) or db.session.scalars(query).one_or_none() is None:
        return NOT_YOURS
    # Two people ending each other's access at once wait here for one another.
    lock(Business, business.id)
    grant: Grant = lock(Grant, grant_id)
    if grant.until is not None:
        return Refusal("already_ended", "This person's access has ended already.", "")
    if all(one.grant_id == grant_id for one in people_of(business.party_id, at)):
        return LAST
    grant.until = at
    return grant


def _person(name: str, email: str, at: datetime) -> Person | None:
    """The person of an address, added when new; None when they act for somebody now."""
    known = person_with_email(email)
    if known is not None:
        return None if grants_in_force(known.id, at) else known
    try:
        with db.session.begin_nested():
            return new_person(email, name, None)
    except IntegrityError:  # somebody else took the address between our look and our insert
        return None
