"""A hauler's application: sent in the window to the second, once, and withdrawn (§ 329-7 B(1))."""

from datetime import datetime

from sqlalchemy import select

from haulers.actions.carry_over import end_carried
from haulers.actions.drafts import already_sent
from haulers.actions.receipts import write_receipt
from haulers.actions.registration import NOT_YOURS, stands_for
from haulers.actions.sources import wanting
from haulers.models import Application, Business
from haulers.queries import application_for, business, licence_of, party_of_business
from haulers.queries.answers import answers_of
from haulers.queries.applications import as_line, sources_of
from haulers.queries.bars import reapply_barred
from haulers.queries.completeness import TASK_WORDS
from haulers.queries.registered import sent_on_paper, signs_in
from haulers.queries.snapshot import snapshot
from haulers.queries.words import ended
from haulers.states import APPLICATION_MOVES, STATE_WORDS, ApplicationState
from office import numbers
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.formats import day_time
from office.journal import because
from office.notices import tell_party
from office.plants import Plant
from ordinances.calendar import FilingStatus, may_file
from ordinances.reader import Law
from ordinances.refusal import Refusal

APPLICATION = numbers.series("application", "application", "number")


@act("file_application", roles=(Role.HAULER,))
def file_application(plant: Plant, business_id: int, *, by: Actor, at: datetime, law: Law) -> Application | Refusal:
    """Send the draft: in the window to its last second, complete, once; with a numbered receipt.

    Refused: before and after the window, ``barred`` after a revocation where the law bars it (§ 329-7 G has no bar),
    ``no_draft``, ``already_filed``, ``unchecked`` (earlier answers), ``incomplete`` and what else it does not say.
    """
    status = may_file(law, at)
    if isinstance(status, Refusal):
        return status
    owner = business(business_id)
    if owner is None or not stands_for(owner, by):
        return NOT_YOURS
    lock(Business, owner.id)
    draft = application_for(plant.id, owner.id, status.season.name, fresh=True)
    refusal = not_ready(plant, owner, draft, law, at)
    if refusal is not None or draft is None:
        return refusal or NOT_YOURS
    number = numbers.numbered_in_season(plant.id, APPLICATION, status.season.name)
    freeze(owner, draft, ApplicationState.FILED, number, by.name, at, law)
    draft.late_for_state = status.late_for_state
    because(f"Application for season {status.season.name}", status.cite)
    tell_received(plant, draft, status, law, at)
    return draft


def not_ready(plant: Plant, owner: Business, draft: Application | None, law: Law, at: datetime) -> Refusal | None:
    """Why a draft cannot be sent yet, or again; None when it can. Reads it anew, so call it under its lock."""
    if draft is None:
        return Refusal("no_draft", "There is nothing to send yet. Fill in the application first.", "")
    if draft.state != ApplicationState.DRAFT.value:
        return already_sent(draft, law)
    check = draft.answers.get("check", [])
    if check:
        words = " and ".join(TASK_WORDS[task] for task in check)
        return Refusal("unchecked", f"Check your earlier answers first: {words}.", "")
    lines = [as_line(row) for row in sources_of([draft.id], fresh=True).get(draft.id, [])]
    day = at.astimezone(law.zone).date()
    refusal = _on_paper(plant, owner, draft) or reapply_barred(plant, owner.id, law, at)
    refusal = refusal or wanting(lines, answers_of(draft), law, at)
    if refusal is not None:
        return refusal
    if law.has("approval.licence", day) and law.value("approval.licence", day) and licence_of(owner.id) is None:
        return Refusal("no_licence", "Enter your state license first.", law.cite("approval.licence", day))
    return None


def _on_paper(plant: Plant, owner: Business, draft: Application) -> Refusal | None:
    paper = sent_on_paper(plant.id, owner.id, draft.season)
    if paper is None:
        return None
    said = f"Application {paper.number} came on paper under your name and license already."
    return Refusal("already_on_paper", said, "", next_step=f"Call {plant.name} at {plant.phone}.")


def freeze(owner: Business, application: Application, state: ApplicationState, number: str, declared_by: str,
           at: datetime, law: Law) -> None:  # fmt: skip
    """Make the draft the application as it stands now, under this law: names, license and every answer are kept."""
    party, licence, sent = party_of_business(owner.id), licence_of(owner.id), snapshot(owner, application)
    application.number, application.declared_by, application.sent = number, declared_by, sent
    application.state, application.filed_at, application.law_version = state.value, at, law.version
    application.business_name, application.business_address = party.name, party.address
    if licence is not None:
        application.licence_number = f"{licence.state} {licence.number}".strip()
        application.licence_ends_on = licence.ends_on


def tell_received(plant: Plant, application: Application, status: FilingStatus, law: Law, at: datetime) -> None:
    """The numbered receipt, and the message that it is there."""
    party = party_of_business(application.business_id)
    sources = sources_of([application.id], fresh=True).get(application.id, [])
    letter = write_receipt(plant, party, application, sources, status, law)
    application.letter_id = letter.id
    assert application.filed_at is not None
    came = day_time(application.filed_at, law.zone)
    if application.received_on is not None:
        came = f"{application.received_on:%A, %B} {application.received_on.day}, {application.received_on.year}"
    kept = "The receipt is in your account under Letters." if signs_in(party.id, at) else "The receipt is enclosed."
    tell_party(
        party, "application", f"We received your application {application.number}",
        f"On {came}, your application {application.number} to unload septage at {plant.name} in season "
        f"{application.season} was received. {kept} You will hear by "
        f"{status.decide_by:%B} {status.decide_by.day}.",
        at, plant_id=plant.id, letter_id=letter.id,
    )  # fmt: skip


@act("withdraw_application", roles=(Role.HAULER,))
def withdraw_application(
    plant: Plant, application_id: int, *, by: Actor, at: datetime, law: Law
) -> Application | Refusal:
    """Take an application back before it is decided. It stays on record; another may be sent in the window.

    What was carried over of the season before ends with this day: it was to bridge the wait for the decision.
    """
    found = db.session.scalars(select(Application).filter_by(id=application_id, plant_id=plant.id)).one_or_none()
    owner = business(found.business_id) if found else None
    if found is None or owner is None or not stands_for(owner, by):
        return NOT_YOURS
    lock(Plant, plant.id, shared=True)
    lock(Application, found.id)
    state = ApplicationState(found.state)
    if ApplicationState.WITHDRAWN not in APPLICATION_MOVES[state]:
        words = STATE_WORDS[state].lower()
        return Refusal("not_open", f"This application cannot be withdrawn: {words}.", "")
    found.state, found.withdrawn_at = ApplicationState.WITHDRAWN.value, at
    end_carried(plant, owner.id, at.astimezone(law.zone).date(), None, at, law)
    because("Withdrawn by the hauler")
    tell_party(party_of_business(owner.id), "application", f"You withdrew your application {found.number}",
               ended(f"Your application {found.number} was withdrawn on {day_time(at, law.zone)}"), at,
               plant_id=plant.id)  # fmt: skip
    return found
