"""A hauler's state licences and insurances, dated, kept beside the earlier ones; licences are looked up by the city."""

from datetime import date, datetime

from sqlalchemy import select

from haulers.actions.own import NOT_YOURS, stands_for
from haulers.models import Business, Insurance, Licence
from haulers.queries.us_states import NO_STATE, state_code
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.journal import because
from ordinances.refusal import Refusal

GONE = Refusal("taken_back", "This is off your list already.", "")


@act("add_licence", roles=(Role.HAULER,))
def add_licence(
    business: Business, *, state: str, number: str, ends_on: date, by: Actor, at: datetime
) -> Licence | Refusal:
    """Give a new state licence, as claimed. Earlier ones stay on record."""
    if not stands_for(business, by):
        return NOT_YOURS
    if not number.strip():
        return Refusal("incomplete", "Enter the license number.", "")
    code = state_code(state)
    if code is None:
        return Refusal("no_state", NO_STATE, "")
    licence = Licence(business_id=business.id, state=code, number=number.strip(), ends_on=ends_on)
    db.session.add(licence)
    return licence


@act("take_back_licence", roles=(Role.HAULER,))
def take_back_licence(business: Business, licence_id: int, *, by: Actor, at: datetime) -> Licence | Refusal:
    """Take back a licence entered by mistake: it stays on record and counts for nothing. Not one the city checked."""
    query = select(Licence).filter_by(id=licence_id, business_id=business.id)
    if not stands_for(business, by) or db.session.scalars(query).one_or_none() is None:
        return NOT_YOURS
    licence: Licence = lock(Licence, licence_id)
    if licence.taken_back_at is not None:
        return GONE
    if licence.verified_at is not None:
        return Refusal("verified", "The city has checked this license, so it stays on your list.", "",
                       next_step="Give the new license beside it, or call the city clerk.")  # fmt: skip
    licence.taken_back_at = at
    return licence


@act("add_insurance", roles=(Role.HAULER,))
def add_insurance(
    business: Business, *, insurer: str, policy: str, ends_on: date, by: Actor, at: datetime
) -> Insurance | Refusal:
    """State a liability insurance. Earlier ones stay on record."""
    if not stands_for(business, by):
        return NOT_YOURS
    if not insurer.strip():
        return Refusal("incomplete", "Enter the insurance company.", "")
    insurance = Insurance(business_id=business.id, insurer=insurer.strip(), policy=policy.strip(), ends_on=ends_on,
                          stated_at=at)  # fmt: skip
    db.session.add(insurance)
    return insurance


@act("take_back_insurance", roles=(Role.HAULER,))
def take_back_insurance(business: Business, insurance_id: int, *, by: Actor, at: datetime) -> Insurance | Refusal:
    """Take back an insurance entered by mistake: it stays on record and counts for nothing."""
    query = select(Insurance).filter_by(id=insurance_id, business_id=business.id)
    if not stands_for(business, by) or db.session.scalars(query).one_or_none() is None:
        return NOT_YOURS
    insurance: Insurance = lock(Insurance, insurance_id)
    if insurance.taken_back_at is not None:
        return GONE
    insurance.taken_back_at = at
    return insurance


@act("verify_licence", roles=(Role.CLERK, Role.DIRECTOR))
def verify_licence(licence_id: int, against: str, *, by: Actor, at: datetime) -> Licence | Refusal:
    """Record that a licence was looked up in a list, such as the state's list of septage businesses.

    Refusals: no_list, taken_back, verified (who did it first), verified_for_another.
    """
    if not against.strip():
        return Refusal("no_list", "Enter the list the license was checked against.", "")
    licence: Licence = lock(Licence, licence_id)
    if licence.taken_back_at is not None:
        return Refusal("taken_back", "The hauler has taken this license back.", "")
    if licence.verified_at is not None:
        return Refusal("verified", f"{licence.verified_by} has marked this license as checked already.", "")
    if _verified_for_another(licence):
        return Refusal("verified_for_another", "This license is verified for another business.", "",
                       next_step="Find out which of the two holds it.")  # fmt: skip
    licence.verified_at, licence.verified_by, licence.verified_against = at, by.name, against.strip()
    because(f"Checked against {against.strip()}")
    return licence


def _verified_for_another(licence: Licence) -> bool:
    same = select(Licence.id).where(Licence.state == licence.state, Licence.number == licence.number,
                                    Licence.ends_on == licence.ends_on, Licence.verified_at.is_not(None),
                                    Licence.id != licence.id)  # fmt: skip
    return db.session.scalars(same).first() is not None
