"""A change of an approval that a company without an account asks for on paper, entered by the clerk (§ 329-7 B(2)).

It is marked so and signed in nobody's name. A company with a sign-in asks on its own page.
"""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from sqlalchemy import select

from haulers.actions.amendments import KINDS, begun, new_words, take_back
from haulers.models import Amendment, Application, Approval
from haulers.queries import approval as approval_at
from haulers.queries import party_of_business
from haulers.queries.registered import signs_in
from haulers.queries.words import ended
from office.access import Actor, Role
from office.acts import act
from office.db import db
from office.formats import date_only
from office.journal import because
from office.notices import tell_party
from office.plants import Plant
from ordinances.reader import Law
from ordinances.refusal import Refusal

# What the acts say to a hauler, said to the clerk.
_FOR_THE_CLERK = {
    "no_words": "Enter why the company asks for the change.",
    "no_gallons": "Enter how many gallons more the company asks for.",
    "plate_listed": "This truck is approved already.",
}


def on_paper(found: Approval, at: datetime) -> bool:
    """Whether the clerk enters what this approval's company asks for: it came on paper, or has no sign-in now."""
    application = db.session.get_one(Application, found.application_id)
    return application.channel == "paper" or not signs_in(party_of_business(found.business_id).id, at)


@act("enter_amendment", roles=(Role.CLERK,))
def enter_amendment(
    plant: Plant, approval_id: int, kind: str, words: str, new: Mapping[str, Any], extra_winter: int, extra_rest: int,
    received_on: date, *, by: Actor, at: datetime, law: Law,
) -> Amendment | Refusal:  # fmt: skip
    """Enter a change of an approval a company asked for on paper received on a day; as ``ask_amendment`` otherwise.

    Refused: ``no_approval``, ``not_paper`` (the company asks online), ``future_date``, ``before_it``, and what the
    request lacks. The company is told that it came; the approval stays as it is.
    """
    found = approval_at(plant.id, approval_id)
    if found is None:
        return Refusal("no_approval", "There is no such approval.", "")
    party = party_of_business(found.business_id)
    if not on_paper(found, at):
        return Refusal("not_paper", f"{party.name} has an account and asks there.", "")
    wrong = _day_wrong(found, received_on, law, at)
    if wrong is not None:
        return wrong
    asked_by = f"{party.name} on paper, entered by {by.name}"
    asked = begun(plant, found, kind, words, new, extra_winter, extra_rest, asked_by, at, law)
    if isinstance(asked, Refusal):
        return Refusal(asked.code, _FOR_THE_CLERK.get(asked.code, asked.why), asked.cite)
    asked.received_on, asked.entered_by = received_on, by.name
    because(f"Asked for on paper received {received_on}: {asked.words}")
    tell_party(party, "amendment", f"We received the change you ask for of approval {found.number}",
               f"{KINDS[kind]}: {ended(new_words(asked))} Your paper was received on {date_only(received_on)}.\n\n"
               "Your approval stays as it is until the committee has decided and a letter says so.\n\n"
               f"{plant.name}, {plant.phone}", at, plant_id=plant.id)  # fmt: skip
    return asked


def _day_wrong(found: Approval, received_on: date, law: Law, at: datetime) -> Refusal | None:
    if received_on > at.astimezone(law.zone).date():
        return Refusal("future_date", "The date received must be today or earlier.", "")
    application = db.session.get_one(Application, found.application_id)
    assert application.filed_at is not None
    filed = application.received_on or application.filed_at.astimezone(law.zone).date()
    if received_on < filed:
        return Refusal("before_it", f"The application itself came on {date_only(filed)}. Enter that day or a later "
                       "one.", "")  # fmt: skip
    return None


@act("withdraw_amendment_on_paper", roles=(Role.CLERK,))
def withdraw_amendment_on_paper(plant: Plant, amendment_id: int, received_on: date, *, by: Actor, at: datetime,
                                law: Law) -> Amendment | Refusal:  # fmt: skip
    """Enter that a company took its request back on paper, before its letter is issued.

    Refused: ``no_amendment``, ``not_paper``, ``decided_before``, ``future_date``, ``before_it`` (the request itself).
    """
    query = select(Amendment).filter_by(id=amendment_id, plant_id=plant.id)
    asked = db.session.scalars(query).one_or_none()
    if asked is None:
        return Refusal("no_amendment", "There is no such request.", "")
    found = db.session.get_one(Approval, asked.approval_id)
    if not on_paper(found, at):
        name = party_of_business(found.business_id).name
        return Refusal("not_paper", f"{name} has an account and withdraws there.", "")
    wrong = _day_wrong(found, received_on, law, at)
    if wrong is None and asked.received_on is not None and received_on < asked.received_on:
        said = f"The request itself came on {date_only(asked.received_on)}. Enter that day or a later one."
        wrong = Refusal("before_it", said, "")
    gone = wrong or take_back(plant, asked.id, at)
    if isinstance(gone, Refusal):
        return gone
    because(f"Withdrawn by the hauler on paper received {received_on}")
    tell_party(party_of_business(found.business_id), "amendment",
               f"You withdrew the change you asked for of approval {found.number}",
               f"{KINDS[asked.kind]}: {ended(new_words(asked))} It was withdrawn by your paper received on "
               f"{date_only(received_on)}. Your approval stays as it is.\n\n{plant.name}, {plant.phone}", at,
               plant_id=plant.id)  # fmt: skip
    return gone
