"""An application on paper, entered by the clerk for a hauler, who need not have an account (§ 329-7 B(1))."""

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta

from haulers.actions.applications import APPLICATION, freeze, tell_received
from haulers.actions.drafts import already_sent
from haulers.actions.late import request_late
from haulers.actions.registration import put_truck
from haulers.actions.sources import put_sources, wanting
from haulers.models import Application, Business, Licence
from haulers.queries import (
    SourceLine,
    application_for,
    business,
    licence_of,
    party_of_business,
)
from haulers.queries.answers import Answers, PaperCompany, as_data, stated
from haulers.queries.bars import reapply_barred
from haulers.queries.registered import same_company
from haulers.queries.windows import working_season
from haulers.queries.words import ended
from haulers.states import ApplicationState
from office import numbers
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.formats import day_time
from office.journal import because
from office.people import Party
from office.plants import Plant
from ordinances.calendar import FilingStatus
from ordinances.paper import paper_filing, unlikely_day
from ordinances.reader import Law
from ordinances.refusal import Refusal


@act("enter_application", roles=(Role.CLERK,))
def enter_application(plant: Plant, company: int | PaperCompany, sources: Sequence[SourceLine], answers: Answers,
                      received_on: date, *, late_reason: str = "", confirmed: date | None = None, by: Actor,
                      at: datetime, law: Law) -> Application | Refusal:  # fmt: skip
    """Enter a paper application as it was received on a day. It is marked so, and signed in nobody's name.

    ``company`` is the id of a registered business, or a new one. In time is what was received in the window; a later
    one needs the hauler's ``late_reason`` and waits for the committee's vote like any late request. A draft the hauler
    keeps online gives way to the paper; what it said is kept. ``confirmed`` is the unlikely day received the clerk said
    is right. Refused: ``future_date``, ``confirm_date``, ``window_closed``, ``window_not_open``, ``already_filed``,
    ``known`` (a company of that name or license is registered), ``no_licence``, and what is missing.
    """
    doubt = _unlikely(received_on, law, at)
    if doubt is not None and doubt.code != "confirm_date":
        return doubt
    status = paper_filing(law, received_on)
    refusal = _not_in_time(status, late_reason) or (doubt if confirmed != received_on else None)
    refusal = refusal or wanting(sources, answers, law, at)
    if refusal is not None:
        return refusal
    owner = _owner(company, at)
    if isinstance(owner, Refusal):
        return owner
    lock(Business, owner.id)
    barred = reapply_barred(plant, owner.id, law, at) or _unlicensed(owner, law, at)
    if barred is not None:
        return barred
    if isinstance(status, Refusal):
        return _late(plant, owner, sources, answers, received_on, late_reason, by, at, law)
    return _in_time(plant, owner, sources, answers, received_on, status, by, at, law)


def _unlikely(received_on: date, law: Law, at: datetime) -> Refusal | None:
    today = at.astimezone(law.zone).date()
    if received_on > today:
        return Refusal("future_date", "The date received must be today or earlier.", "")
    return unlikely_day(law, received_on, today)


def _not_in_time(status: FilingStatus | Refusal, late_reason: str) -> Refusal | None:
    return status if isinstance(status, Refusal) and not late_reason.strip() else None


def _in_time(plant: Plant, owner: Business, sources: Sequence[SourceLine], answers: Answers, received_on: date,
             status: FilingStatus, by: Actor, at: datetime, law: Law) -> Application | Refusal:  # fmt: skip
    made = _entered(plant, owner, status.season.name, received_on, by, at, law)
    if isinstance(made, Refusal):
        return made
    _put(made, sources, answers)
    number = numbers.numbered_in_season(plant.id, APPLICATION, made.season)
    # It came no later than the end of its day; the hour is not known.
    freeze(owner, made, ApplicationState.FILED, number, "", min(at, _end_of(received_on, law)), law)
    made.late_for_state = status.late_for_state
    because(f"Paper application received {received_on}", status.cite)
    tell_received(plant, made, status, law, at)
    return made


def _late(plant: Plant, owner: Business, sources: Sequence[SourceLine], answers: Answers, received_on: date,
          reason: str, by: Actor, at: datetime, law: Law) -> Application | Refusal:  # fmt: skip
    # The season is the one that was late on the day the paper came, not on the day it is entered.
    came = datetime.combine(received_on, time(0), law.zone)
    work = working_season(plant.id, owner.id, law, came, late=True)
    if isinstance(work, Refusal):
        return work
    made = _entered(plant, owner, work.season.name, received_on, by, at, law)
    if isinstance(made, Refusal):
        return made
    _put(made, sources, answers)
    request_late(plant, owner, made, reason, work, "", at, law)
    return made


def _entered(plant: Plant, owner: Business, season: str, received_on: date, by: Actor, at: datetime,
             law: Law) -> Application | Refusal:  # fmt: skip
    """The row of the application: the draft the business has online, or a new one."""
    found = application_for(plant.id, owner.id, season, fresh=True)
    if found is not None and found.state != ApplicationState.DRAFT.value:
        return already_sent(found, law)
    if found is None:
        party = party_of_business(owner.id)
        found = Application(plant_id=plant.id, business_id=owner.id, season=season, saved_at=at,
                            state=ApplicationState.DRAFT.value, business_name=party.name, answers={},
                            business_address=party.address)  # fmt: skip
        db.session.add(found)
    else:
        found.answers = {"gave_way": stated(found, fresh=True) | {
            "saved_at": day_time(found.saved_at, law.zone), "saved_by": found.answers.get("saved_by", "")}}  # fmt: skip
    found.channel, found.received_on, found.entered_by, found.saved_at = "paper", received_on, by.name, at
    db.session.flush()
    return found


def _put(made: Application, sources: Sequence[SourceLine], answers: Answers) -> None:
    put_sources(made, sources)
    kept = {name: said for name, said in made.answers.items() if name == "gave_way"}
    made.answers = kept | as_data((), answers)["answers"]


def _end_of(day: date, law: Law) -> datetime:
    return datetime.combine(day + timedelta(days=1), time(0), law.zone) - timedelta(seconds=1)


def _owner(company: int | PaperCompany, at: datetime) -> Business | Refusal:
    if isinstance(company, PaperCompany):
        return _new(company, at)
    return business(company) or Refusal("not_known", "Select a company from the list, or enter a new one.", "")


def _new(company: PaperCompany, at: datetime) -> Business | Refusal:
    if not (company.name.strip() and company.address.strip()):
        return Refusal("incomplete", "Enter the company's name and mailing address.", "")
    known = same_company(company.name, company.licence_state, company.licence_number)
    if known is not None:
        by_licence = known.holds(company.licence_state, company.licence_number)
        said = f"{known.name} has given this license already" if by_licence else f"{known.name} is listed already"
        return Refusal("known", ended(said) + " Select it from the list.", "",
                       details={"business_id": known.id, "licence": by_licence})  # fmt: skip
    party = Party(name=company.name.strip(), address=company.address.strip(), email=company.email.strip(),
                  phone=company.phone.strip())  # fmt: skip
    db.session.add(party)
    db.session.flush()
    made = Business(party_id=party.id, contact=company.contact.strip(), created_at=at)
    db.session.add(made)
    db.session.flush()
    if company.licence_number.strip() and company.licence_ends is not None:
        db.session.add(Licence(business_id=made.id, state=company.licence_state.strip(),
                               number=company.licence_number.strip(), ends_on=company.licence_ends))  # fmt: skip
    for line in company.trucks:
        truck = put_truck(made, line, at)
        if isinstance(truck, Refusal):
            return truck
    db.session.flush()
    return made


def _unlicensed(owner: Business, law: Law, at: datetime) -> Refusal | None:
    day = at.astimezone(law.zone).date()
    if law.has("approval.licence", day) and law.value("approval.licence", day) and licence_of(owner.id) is None:
        return Refusal("no_licence", "Enter the company's state license.", law.cite("approval.licence", day))
    return None
