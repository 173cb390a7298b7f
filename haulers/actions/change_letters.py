"""The letter that asks a hauler for more about an application (§ 329-7 B(1)-(2))."""

from datetime import datetime

from haulers.actions.decision_letters import signer
from haulers.actions.motions import body_words
from haulers.models import Application, ApplicationChange, Meeting, Motion
from haulers.queries import party_of_business
from haulers.queries.opened import opened_words
from haulers.queries.registered import signs_in
from office import letters
from office.access import Actor
from office.db import db
from office.formats import date_only
from office.letters import Letter
from office.plants import Plant
from ordinances.reader import Law


def how_to_answer(plant: Plant, online: bool, until: str) -> str:
    """What a company does that is asked to change its answers; one without a sign-in writes."""
    by = f" by {until}" if until else ""
    if online:
        return f"Sign in, open Application, and change your answers{by}."
    address = ", ".join(plant.address.splitlines())
    return f"Write to us what is different{by}: {plant.name}, {address}. We enter it for you."


def write_more_information(plant: Plant, application: Application, change: ApplicationChange, by: Actor, at: datetime,
                           law: Law) -> Letter:  # fmt: skip
    """Freeze the letter of a change the committee asked for, by a motion or without one. Its e-mail is the change's."""
    day = at.astimezone(law.zone).date()
    party, meeting = party_of_business(application.business_id), None
    until = date_only(change.due_on) if change.due_on else ""
    if change.motion_id is not None:
        meeting = db.session.get_one(Meeting, db.session.get_one(Motion, change.motion_id).meeting_id)
    data = {
        "application": application.number, "season": application.season, "body": body_words(law, day),
        "held_on": date_only(meeting.held_on) if meeting else "", "words": change.words.splitlines(),
        "due_on": until, "how": how_to_answer(plant, signs_in(party.id, at), until),
        "cite": law.cite("decision.body", day), "signature": signer(by), "opens": opened_words(change.opens),
    }  # fmt: skip
    title = f"More information for application {application.number}"
    return letters.write(plant, party, "more_information", title, data, at, law_version=law.version)
