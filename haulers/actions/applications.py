"""A hauler's application: saved as a draft, sent in the window to the second, withdrawn (§ 329-7 B(1))."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import select

from haulers.actions.receipts import write_receipt
from haulers.actions.registration import NOT_YOURS, stands_for
from haulers.models import Application, ApplicationSource, Business
from haulers.queries import SourceLine, application_for, business, licence_of, party_of_business, sources_of, totals
from haulers.queries.bars import reapply_barred
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
from ordinances.calendar import filing_status, may_file
from ordinances.reader import Law
from ordinances.refusal import Refusal
from ordinances.screening import waste_allowed

APPLICATION = numbers.series("application", "application", "number")
LONGEST_LIST = 60


@act("save_draft", roles=(Role.HAULER,))
def save_draft(
    plant: Plant, business_id: int, sources: Sequence[SourceLine], *, by: Actor, at: datetime, law: Law
) -> Application | Refusal:
    """Keep what was typed so far for the season now filed for. A draft may be incomplete; it outlives the close."""
    status = filing_status(law, at)
    if isinstance(status, Refusal):
        return status
    owner = business(business_id)
    if owner is None or not stands_for(owner, by):
        return NOT_YOURS
    if len(sources) > LONGEST_LIST:
        return Refusal("too_many", f"An application may list {LONGEST_LIST} sources or fewer.", "")
    lock(Business, owner.id)
    draft = application_for(plant.id, owner.id, status.season.name, fresh=True)
    if draft is None and status.state == "before_form":
        return Refusal("form_not_open", status.sentence, status.cite, status.reading)
    if draft is not None and draft.state != ApplicationState.DRAFT.value:
        return already_sent(draft, law)
    party = party_of_business(owner.id)
    if draft is None:
        draft = Application(plant_id=plant.id, business_id=owner.id, season=status.season.name,
                            state=ApplicationState.DRAFT.value, business_name=party.name,
                            business_address=party.address, saved_at=at)  # fmt: skip
        db.session.add(draft)
        db.session.flush()
    draft.saved_at = at
    _put_sources(draft, sources)
    return draft


def _put_sources(draft: Application, sources: Sequence[SourceLine]) -> None:
    rows = {row.position: row for row in sources_of([draft.id], fresh=True).get(draft.id, [])}
    for position, line in enumerate(sources, start=1):
        row = rows.pop(position, None)
        if row is None:
            row = ApplicationSource(plant_id=draft.plant_id, application_id=draft.id, position=position)
            db.session.add(row)
        row.waste, row.place, row.area, row.tank_kind = line.waste, line.place, line.area, line.waste
        row.existing, row.replaces_failed, row.frequency = line.existing, line.replaces_failed, line.frequency
        row.gallons_a_load, row.gallons_winter = line.gallons_a_load, line.gallons_winter
        row.gallons_rest = line.gallons_rest
    for row in rows.values():
        db.session.delete(row)
    db.session.flush()


def already_sent(application: Application, law: Law) -> Refusal:
    """The answer to sending again: the number and instant of the first time."""
    assert application.filed_at is not None
    when = day_time(application.filed_at, law.zone)
    return Refusal("already_filed", ended(f"Application {application.number} was sent on {when}"), "",
                   details={"application_id": application.id, "number": application.number})  # fmt: skip


@act("file_application", roles=(Role.HAULER,))
def file_application(plant: Plant, business_id: int, *, by: Actor, at: datetime, law: Law) -> Application | Refusal:
    """Send the draft: in the window to its last second, complete, once; with a numbered receipt.

    Refused: before and after the window, ``barred`` after a revocation where the law bars it (§ 329-7 G has no bar),
    ``no_draft``, ``already_filed``, ``incomplete`` and what else the application does not say.
    """
    status = may_file(law, at)
    if isinstance(status, Refusal):
        return status
    owner = business(business_id)
    if owner is None or not stands_for(owner, by):
        return NOT_YOURS
    lock(Business, owner.id)
    draft = application_for(plant.id, owner.id, status.season.name, fresh=True)
    if draft is None:
        return Refusal("no_draft", "There is nothing to send yet. Fill in the application first.", "")
    if draft.state != ApplicationState.DRAFT.value:
        return already_sent(draft, law)
    sources = sources_of([draft.id], fresh=True).get(draft.id, [])
    refusal = reapply_barred(plant, owner.id, law, at) or _incomplete(owner, sources, law, at)
    if refusal is not None:
        return refusal
    party, licence = party_of_business(owner.id), licence_of(owner.id)
    number = numbers.numbered_in_season(plant.id, APPLICATION, status.season.name)
    draft.state, draft.number, draft.filed_at = ApplicationState.FILED.value, number, at
    draft.business_name, draft.business_address = party.name, party.address
    if licence is not None:
        draft.licence_number, draft.licence_ends_on = f"{licence.state} {licence.number}".strip(), licence.ends_on
    draft.late_for_state, draft.declared_by, draft.law_version = status.late_for_state, by.name, law.version
    because(f"Application for season {status.season.name}", status.cite)
    letter = write_receipt(plant, party, draft, sources, status, law)
    draft.letter_id = letter.id
    tell_party(
        party, "application", f"We received your application {number}",
        f"On {day_time(at, law.zone)}, your application {number} to unload septage at {plant.name} in season "
        f"{status.season.name} was received. The receipt is in your account under Letters. You will hear by "
        f"{status.decide_by:%B} {status.decide_by.day}.",
        at, plant_id=plant.id, letter_id=letter.id,
    )  # fmt: skip
    return draft


def incomplete_sources(sources: Sequence[ApplicationSource]) -> list[str]:
    """What the sources do not say yet, one sentence a source."""
    found = []
    for source in sources:
        missing = as_line(source).missing
        if missing:
            found.append(f"Source {source.position}: enter {', '.join(missing)}.")
    return found


def as_line(row: ApplicationSource) -> SourceLine:
    """A stored source as the hauler states it."""
    return SourceLine(row.waste, row.place, row.area, row.frequency, row.gallons_a_load, row.gallons_winter,
                      row.gallons_rest, row.existing, row.replaces_failed)  # fmt: skip


def _incomplete(owner: Business, sources: list[ApplicationSource], law: Law, at: datetime) -> Refusal | None:
    day = at.astimezone(law.zone).date()
    cite = law.cite("application.asks", day)
    if not sources:
        return Refusal("no_sources", "Enter at least one source you plan to bring septage from.", cite)
    missing = incomplete_sources(sources)
    if missing:
        return Refusal("incomplete", " ".join(missing), cite)
    if totals(sources).asked == 0:
        return Refusal("no_gallons", "Enter the gallons you ask for: the application asks for none.", cite)
    refused = next((found for source in sources if (found := waste_allowed(law, day, source.waste))), None)
    if refused is not None:
        return refused
    if law.has("approval.licence", day) and law.value("approval.licence", day) and licence_of(owner.id) is None:
        return Refusal("no_licence", "Enter your state license first.", law.cite("approval.licence", day))
    return None


@act("withdraw_application", roles=(Role.HAULER,))
def withdraw_application(
    plant: Plant, application_id: int, *, by: Actor, at: datetime, law: Law
) -> Application | Refusal:
    """Take an application back before it is decided. It stays on record; another may be sent in the window."""
    found = db.session.scalars(select(Application).filter_by(id=application_id, plant_id=plant.id)).one_or_none()
    owner = business(found.business_id) if found else None
    if found is None or owner is None or not stands_for(owner, by):
        return NOT_YOURS
    lock(Application, found.id)
    state = ApplicationState(found.state)
    if ApplicationState.WITHDRAWN not in APPLICATION_MOVES[state]:
        words = STATE_WORDS[state].lower()
        return Refusal("not_open", f"This application cannot be withdrawn: {words}.", "")
    found.state, found.withdrawn_at = ApplicationState.WITHDRAWN.value, at
    because("Withdrawn by the hauler")
    tell_party(party_of_business(owner.id), "application", f"You withdrew your application {found.number}",
               ended(f"Your application {found.number} was withdrawn on {day_time(at, law.zone)}"), at,
               plant_id=plant.id)  # fmt: skip
    return found
