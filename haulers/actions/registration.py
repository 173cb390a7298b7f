"""A hauling business registers and keeps its company, trucks and licence up to date. None of this needs a vote."""

from collections.abc import Sequence
from datetime import date, datetime

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from haulers.models import Business, Licence, Truck, TruckOfBusiness
from haulers.queries import TruckLine, business_of_party, folded, trucks_of
from office.access import Actor, Grant, Role
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.people import Party, PartyName
from office.signin import new_person, person_with_email
from ordinances.refusal import Refusal

SHORTEST_PASSWORD = 10
EMAIL_TAKEN = Refusal("email_taken", "This e-mail has an account already. Sign in with it, or use another.", "")
NOT_YOURS = Refusal("not_yours", "This belongs to another hauler.", "")


def stands_for(business: Business, by: Actor) -> bool:
    """Whether this person acts for the business."""
    return by.party_id is not None and by.party_id == business.party_id


@act("register_business", roles=(Role.PUBLIC, Role.SYSTEM))
def register_business(*, name: str, address: str, phone: str, email: str, contact: str, password: str,
                      licence_state: str, licence_number: str, licence_ends: date, trucks: Sequence[TruckLine] = (),
                      by: Actor, at: datetime) -> Business | Refusal:  # fmt: skip
    """Open an account for a hauler: the person who signs in, the business, its licence as claimed, its trucks."""
    if not (name.strip() and contact.strip() and email.strip()):
        return Refusal("incomplete", "Enter the company, the contact person and the e-mail.", "")
    if len(password) < SHORTEST_PASSWORD:
        return Refusal("short_password", f"Enter a password of {SHORTEST_PASSWORD} characters or more.", "")
    if person_with_email(email) is not None:
        return EMAIL_TAKEN
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
    db.session.add(Licence(business_id=business.id, state=licence_state.strip(), number=licence_number.strip(),
                           ends_on=licence_ends))  # fmt: skip
    for line in trucks:
        refusal = _put_truck(business, line)
        if isinstance(refusal, Refusal):
            return refusal
    return business


@act("change_company", roles=(Role.HAULER,))
def change_company(business: Business, *, name: str, address: str, phone: str, email: str, contact: str, by: Actor,
                   at: datetime) -> Business | Refusal:  # fmt: skip
    """Change name, address or how to reach a company. Papers already made keep the name they were made with."""
    if not stands_for(business, by):
        return NOT_YOURS
    if not name.strip():
        return Refusal("incomplete", "Enter your company name.", "")
    party = lock(Party, business.party_id)
    if party.name != name.strip():
        db.session.add(PartyName(party_id=party.id, name=party.name, until=at))
    party.name, party.address = name.strip(), address.strip()
    party.phone, party.email, business.contact = phone.strip(), email.strip(), contact.strip()
    return business


@act("add_truck", roles=(Role.HAULER,))
def add_truck(business: Business, line: TruckLine, *, by: Actor, at: datetime) -> Truck | Refusal:
    """Add a truck to a business's list."""
    if not stands_for(business, by):
        return NOT_YOURS
    lock(Business, business.id)
    return _put_truck(business, line)


def _put_truck(business: Business, line: TruckLine) -> Truck | Refusal:
    plate = line.plate.strip().upper()
    if not plate:
        return Refusal("no_plate", "Enter the truck's plate.", "")
    if line.capacity <= 0:
        return Refusal("no_capacity", "Tank size must be 1 gallon or more.", "")
    if any(folded(known.plate) == folded(plate) for known in trucks_of(business.id)):
        return Refusal("plate_listed", f"A truck with plate {plate} is on your list already.", "")
    truck = Truck(plate=plate, capacity=line.capacity, name=line.name.strip(), sticker=line.sticker.strip())
    db.session.add(truck)
    db.session.flush()
    db.session.add(TruckOfBusiness(truck_id=truck.id, business_id=business.id))
    return truck


@act("retire_truck", roles=(Role.HAULER,))
def retire_truck(business: Business, truck_id: int, *, by: Actor, at: datetime) -> Truck | Refusal:
    """Take a truck off the list; what it brought keeps naming it. A shared truck stays with the others."""
    owned = db.session.scalars(
        select(TruckOfBusiness).filter_by(truck_id=truck_id, business_id=business.id)
    ).one_or_none()  # fmt: skip
    if not stands_for(business, by) or owned is None:
        return NOT_YOURS
    truck: Truck = lock(Truck, truck_id)
    others = select(TruckOfBusiness.id).where(TruckOfBusiness.truck_id == truck_id,
                                              TruckOfBusiness.business_id != business.id)  # fmt: skip
    if db.session.scalars(others).first() is None:
        truck.retired_at = at
    else:
        db.session.delete(owned)
    return truck


@act("add_licence", roles=(Role.HAULER,))
def add_licence(
    business: Business, *, state: str, number: str, ends_on: date, by: Actor, at: datetime
) -> Licence | Refusal:
    """Give a new state licence, as claimed. Earlier ones stay on record."""
    if not stands_for(business, by):
        return NOT_YOURS
    if not number.strip():
        return Refusal("incomplete", "Enter the license number.", "")
    licence = Licence(business_id=business.id, state=state.strip(), number=number.strip(), ends_on=ends_on)
    db.session.add(licence)
    return licence


@act("verify_licence", roles=(Role.CLERK, Role.DIRECTOR))
def verify_licence(licence_id: int, against: str, *, by: Actor, at: datetime) -> Licence | Refusal:
    """Record that a licence was looked up in a list, such as the state's list of septage businesses."""
    if not against.strip():
        return Refusal("no_list", "Enter the list the license was checked against.", "")
    licence: Licence = lock(Licence, licence_id)
    same = select(Licence).where(Licence.state == licence.state, Licence.number == licence.number,
                                 Licence.ends_on == licence.ends_on, Licence.verified_at.is_not(None))  # fmt: skip
    if (first := db.session.scalars(same).first()) is not None and first.id != licence.id:
        return Refusal("verified_for_another", "This license is verified for another business.", "",
                       next_step="Find out which of the two holds it.")  # fmt: skip
    licence.verified_at, licence.verified_by, licence.verified_against = at, by.name, against.strip()
    because(f"Checked against {against.strip()}")
    return licence


def acting_for(by: Actor) -> Business | None:
    """The business this person acts for."""
    return business_of_party(by.party_id)
