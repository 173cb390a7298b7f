"""A hauling business registers and keeps its company up to date. None of this needs a vote."""

from collections.abc import Sequence
from datetime import date, datetime
from zoneinfo import ZoneInfo

from sqlalchemy.exc import IntegrityError

from haulers.actions.own import NOT_YOURS, stands_for
from haulers.actions.trucks import put_truck
from haulers.models import Business, Licence
from haulers.queries import TruckLine, business_of_party
from haulers.queries.saves import mark_of, saved_since
from haulers.queries.us_states import NO_STATE, state_code
from office.access import Actor, Grant, Role
from office.acts import act
from office.db import db, lock
from office.people import Party, PartyName
from office.signin import SHORTEST_PASSWORD, new_person, person_with_email
from ordinances.refusal import Refusal

EMAIL_TAKEN = Refusal("email_taken", "This e-mail has an account already. Sign in with it, or use another.", "")


@act("register_business", roles=(Role.PUBLIC, Role.SYSTEM))
def register_business(*, name: str, address: str, phone: str, email: str, contact: str, password: str,
                      licence_state: str, licence_number: str, licence_ends: date, trucks: Sequence[TruckLine] = (),
                      by: Actor, at: datetime) -> Business | Refusal:  # fmt: skip
    """Open an account for a hauler: the person who signs in, the business, its licence as claimed, its trucks."""
    wrong = _typed_wrong(name, contact, email, password, licence_state)
    if wrong is not None:
        return wrong
    try:
        with db.session.begin_nested():
            person = new_person(email, contact, password)
    except IntegrityError:  # somebody else took the address between our look and our insert
        return EMAIL_TAKEN
    party = Party(name=name.strip(), address=address.strip(), email=email.strip(), phone=phone.strip())
    db.session.add(party)
    db.session.flush()
    business = Business(party_id=party.id, contact=contact.strip(), created_at=at)
    db.session.add(business)
    db.session.flush()
    db.session.add(Grant(person_id=person.id, plant_id=None, party_id=party.id, role=Role.HAULER.value, since=at))
    db.session.add(Licence(business_id=business.id, state=state_code(licence_state), number=licence_number.strip(),
                           ends_on=licence_ends))  # fmt: skip
    for line in trucks:
        refusal = put_truck(business, line, at)
        if isinstance(refusal, Refusal):
            return refusal
    return business


def _typed_wrong(name: str, contact: str, email: str, password: str, licence_state: str) -> Refusal | None:
    if not (name.strip() and contact.strip() and email.strip()):
        return Refusal("incomplete", "Enter the company, the contact person and the e-mail.", "")
    if len(password) < SHORTEST_PASSWORD:
        return Refusal("short_password", f"Enter a password of {SHORTEST_PASSWORD} characters or more.", "")
    if state_code(licence_state) is None:
        return Refusal("no_state", NO_STATE, "")
    return EMAIL_TAKEN if person_with_email(email) is not None else None


@act("change_company", roles=(Role.HAULER,))
def change_company(business: Business, *, name: str, address: str, phone: str, email: str, contact: str,
                   seen: str = "", zone: ZoneInfo | None = None, by: Actor,
                   at: datetime) -> Business | Refusal:  # fmt: skip
    """Change name, address or how to reach a company. Papers already made keep the name they were made with.

    ``seen`` is the ``company_mark`` the form was filled from, ``zone`` for the words: a colleague's newer save is not
    overwritten unseen, refused ``saved_since``.
    """
    if not stands_for(business, by):
        return NOT_YOURS
    if not name.strip():
        return Refusal("incomplete", "Enter your company name.", "")
    party = lock(Party, business.party_id)
    business = lock(Business, business.id)
    newer = saved_since(seen, company_mark(business, party), (party, business), zone)
    if newer is not None:
        return newer
    if party.name != name.strip():
        db.session.add(PartyName(party_id=party.id, name=party.name, until=at))
    party.name, party.address = name.strip(), address.strip()
    party.phone, party.email, business.contact = phone.strip(), email.strip(), contact.strip()
    return business


def company_mark(business: Business, party: Party) -> str:
    """What a form carries to know which state of the company it was filled from."""
    return mark_of(party.name, party.address, party.phone, party.email, business.contact)


def acting_for(by: Actor) -> Business | None:
    """The business this person acts for."""
    return business_of_party(by.party_id)
