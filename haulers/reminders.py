"""What this room owes people as deadlines come near. Each message goes once; none goes when it is no longer true.

A job names who is at which mark now, not what was missed: after days without jobs one message makes up for several.
"""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from functools import partial

from sqlalchemy import select

from haulers.actions.decision_rules import review_block_missing
from haulers.actions.overdue import remind_committee
from haulers.actions.reminding import (
    mail_saved_draft,
    remind_of_information,
    remind_of_letters,
    remind_of_paper,
    remind_of_window,
    tell_clerk_of_paper,
    warn_of_review_block,
)
from haulers.models import Application
from haulers.queries import application_for
from haulers.queries.deadlines import (
    ENDING,
    closing,
    drafts_left,
    ending,
    information_due,
    not_applied,
    paper_asked,
    reminder_day,
)
from haulers.queries.decision_days import deciding, unready_seasons
from haulers.queries.written_days import issuing
from office import draft_files
from office.access import system
from office.db import db
from office.jobs import Owed, job
from office.law import law_now
from office.once import Claim
from office.plants import Plant, all_plants
from ordinances.calendar import filing_status
from ordinances.reader import Law, NoLaw
from ordinances.refusal import Refusal

# A draft untouched for so long was left: its hauler hears that it is kept.
LYING = timedelta(hours=1)
Pieces = Iterator[tuple[str, Callable[[], object]]]
BY = system("Reminders")


@job("window_reminders")
def window_reminders(at: datetime) -> Owed:
    """The window opens; 14, 3 and 1 days are left: to those approved this season or with a draft, who have not sent."""
    return _owed("window_reminders", _window, at)


@job("saved_drafts")
def saved_drafts(at: datetime) -> Owed:
    """A draft was left unsent."""
    return _owed("saved_drafts", _drafts, at)


@job("decision_reminders")
def decision_reminders(at: datetime) -> Owed:
    """Applications wait for the committee: weekly before the day, on it, and 0, 7, 14, 21 and 28 days overdue."""
    return _owed("decision_reminders", _deciding, at)


@job("review_block_warning")
def review_block_warning(at: datetime) -> Owed:
    """The text on review rights is still empty when letters will soon need it."""
    return _owed("review_block_warning", _unready, at)


@job("letters_unissued")
def letters_unissued(at: datetime) -> Owed:
    """Letters of decisions wait: weekly before the written decision is due, 3 days before, on it, and while overdue."""
    return _owed("letters_unissued", _issuing, at)


@job("ending_papers")
def ending_papers(at: datetime) -> Owed:
    """A state license or an insurance ends in 60, 30 or 7 days."""
    return _owed("ending_papers", _ending, at)


@job("information_due")
def information_reminders(at: datetime) -> Owed:
    """More information is due in 3 days or 1 day, or its day has passed."""
    return _owed("information_due", _information, at)


@job("draft_files")
def draft_files_gone(at: datetime) -> Owed:
    """Files kept with forms that nobody sent in the end."""
    if draft_files.old_ones(at):
        yield f"{at:%Y%m%dT%H%M%S}", partial(draft_files.let_go, at)


def _owed(name: str, pieces: Callable[[Plant, Law, datetime], Pieces], at: datetime) -> Owed:
    """The pieces of every plant that has a law now, without those claimed before."""
    found: list[tuple[str, Callable[[], object]]] = []
    for plant in all_plants():
        try:
            found += pieces(plant, law_now(plant, at), at)
        except NoLaw:
            continue
    periods = [period for period, _ in found]
    done = set(db.session.scalars(select(Claim.period).where(Claim.job == name, Claim.period.in_(periods))))
    return [piece for piece in found if piece[0] not in done]


def _here(plant_id: int, at: datetime) -> tuple[Plant, Law]:
    plant = db.session.get_one(Plant, plant_id)
    return plant, law_now(plant, at)


def _window(plant: Plant, law: Law, at: datetime) -> Pieces:
    found = closing(law, at)
    if found is not None:
        mark = f"{plant.id}:{found.status.season.name}:{found.mark}"
        for business_id in not_applied(plant, found, law):
            yield f"{mark}:{business_id}", partial(_tell_window, plant.id, business_id, at)


def _tell_window(plant_id: int, business_id: int, at: datetime) -> None:
    plant, law = _here(plant_id, at)
    found = closing(law, at)
    if found is not None and business_id in not_applied(plant, found, law):
        draft = application_for(plant.id, business_id, found.status.season.name)
        remind_of_window(plant, business_id, found, draft, by=BY, at=at, law=law)


def _drafts(plant: Plant, law: Law, at: datetime) -> Pieces:
    for draft in drafts_left(plant, law, at, LYING):
        yield f"{draft.id}", partial(_tell_draft, plant.id, draft.id, at)


def _tell_draft(plant_id: int, draft_id: int, at: datetime) -> None:
    plant, law = _here(plant_id, at)
    status = filing_status(law, at)
    draft = db.session.get_one(Application, draft_id)
    if not isinstance(status, Refusal) and draft in drafts_left(plant, law, at, LYING):
        mail_saved_draft(plant, draft, status, LYING, by=BY, at=at, law=law)


def _deciding(plant: Plant, law: Law, at: datetime) -> Pieces:
    for found in deciding(plant, law, at):
        yield f"{plant.id}:{found.season.name}:{found.mark}", partial(_tell_committee, plant.id, found.season.name, at)


def _tell_committee(plant_id: int, season: str, at: datetime) -> None:
    plant, law = _here(plant_id, at)
    for found in deciding(plant, law, at):
        if found.season.name == season:
            remind_committee(plant, found, by=BY, at=at, law=law)


def _unready(plant: Plant, law: Law, at: datetime) -> Pieces:
    if review_block_missing(law, at.astimezone(law.zone).date()) is not None:
        for season in unready_seasons(law, at):
            yield f"{plant.id}:{season.name}", partial(_tell_unready, plant.id, season.name, at)


def _tell_unready(plant_id: int, season: str, at: datetime) -> None:
    plant, law = _here(plant_id, at)
    missing = review_block_missing(law, at.astimezone(law.zone).date())
    if missing is not None:
        warn_of_review_block(plant, season, missing.why, missing.cite, by=BY, at=at, law=law)


def _issuing(plant: Plant, law: Law, at: datetime) -> Pieces:
    for found in issuing(plant, law, at):
        yield f"{plant.id}:{found.season}:{found.mark}", partial(_tell_unissued, plant.id, found.season, at)


def _tell_unissued(plant_id: int, season: str, at: datetime) -> None:
    plant, law = _here(plant_id, at)
    for found in issuing(plant, law, at):
        if found.season == season:
            remind_of_letters(plant, found, by=BY, at=at, law=law)


def _ending(plant: Plant, law: Law, at: datetime) -> Pieces:
    day = reminder_day(at, law)
    for found in ending(plant, law, at):
        # A hauler of several plants hears of their paper once; each plant's clerk hears of it.
        which = f"{found.kind}:{found.paper.id}"
        yield f"{which}:{found.mark}", partial(_tell_ending, plant.id, which, False, at)
        if found.mark == min(ENDING) and paper_asked(law, found.kind, day):
            yield f"{plant.id}:{which}:clerk", partial(_tell_ending, plant.id, which, True, at)


def _tell_ending(plant_id: int, which: str, clerk: bool, at: datetime) -> None:
    plant, law = _here(plant_id, at)
    for found in ending(plant, law, at):
        if f"{found.kind}:{found.paper.id}" == which:
            (tell_clerk_of_paper if clerk else remind_of_paper)(plant, found, by=BY, at=at, law=law)


def _information(plant: Plant, law: Law, at: datetime) -> Pieces:
    for found in information_due(plant, law, at):
        assert found.change.opened_at is not None
        if found.change.opened_at < found.since or found.mark == "late":
            yield f"{found.change.id}:{found.mark}", partial(_tell_information, plant.id, found.change.id, at)


def _tell_information(plant_id: int, change_id: int, at: datetime) -> None:
    plant, law = _here(plant_id, at)
    for found in information_due(plant, law, at):
        if found.change.id == change_id:
            remind_of_information(plant, found, by=BY, at=at, law=law)
