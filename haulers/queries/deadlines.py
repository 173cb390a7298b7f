"""The deadlines before haulers on a day, and the mark each has passed: reminders are made of these."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from sqlalchemy import exists, select

from haulers.models import Application, ApplicationChange, Approval, Insurance, Licence, Revocation
from haulers.queries.approvals import still_runs
from haulers.queries.businesses import licences_of
from haulers.queries.papers import insurance_needed, insurances_of
from haulers.states import ApplicationState
from office.db import db
from office.plants import Plant
from ordinances.calendar import FilingStatus, filing_status, season_of
from ordinances.reader import Law
from ordinances.refusal import Refusal

# Nobody is woken by a reminder: a day's go out from this hour of the plant's own morning on.
MORNING = time(8)
# Days before or after a deadline at which people are reminded, each once.
CLOSING = (14, 3, 1)
ENDING = (60, 30, 7)
ANSWERING = (3, 1)
WAITING = (ApplicationState.FILED.value, ApplicationState.ASKED_LATE.value)


def reminder_day(at: datetime, law: Law) -> date:
    """The day whose reminders are out at an instant."""
    wall = at.astimezone(law.zone)
    return wall.date() if wall.time() >= MORNING else wall.date() - timedelta(days=1)


def mark_before(days_left: int, marks: Collection[int]) -> int | None:
    """The mark that counts with so many days left: of 14, 3 and 1 with 2 days left, 3. None before the first."""
    return min((mark for mark in marks if days_left <= mark), default=None) if days_left >= 0 else None


@dataclass(frozen=True)
class Closing:
    """The open window and the mark it has passed: "opens", or days left; ``since`` is when that mark was reached."""

    status: FilingStatus
    mark: str
    days_left: int
    since: datetime


def closing(law: Law, at: datetime) -> Closing | None:
    """The filing window while it is open; None else, or where there is none (§ 329-7 B(1))."""
    status = filing_status(law, at)
    day = reminder_day(at, law)
    if isinstance(status, Refusal) or status.state != "open" or day < status.opens.date():
        return None
    last = status.closes.date()
    passed = mark_before((last - day).days, CLOSING)
    first = status.opens.date() if passed is None else max(status.opens.date(), last - timedelta(days=passed))
    return Closing(status, "opens" if passed is None else str(passed), (last - at.astimezone(law.zone).date()).days,
                   datetime.combine(first, MORNING, law.zone))  # fmt: skip


def not_applied(plant: Plant, found: Closing, law: Law) -> list[int]:
    """Businesses to be reminded of the window: approved for the season now running, or with a draft left lying.

    Not those that have sent or withdrawn an application, nor those at work on a draft since the mark was reached.
    """
    season = found.status.season
    before = season_of(law, season.start - timedelta(days=1))
    revoked = exists().where(Revocation.approval_id == Approval.id)
    held = select(Approval.business_id).where(Approval.plant_id == plant.id, Approval.season == before.name, ~revoked)
    rows = select(Application.business_id, Application.state, Application.saved_at)
    made = db.session.execute(rows.filter_by(plant_id=plant.id, season=season.name)).all()
    lying = {
        ident for ident, state, saved_at in made if state == ApplicationState.DRAFT.value and saved_at < found.since
    }
    owed = set(db.session.scalars(held)) - {ident for ident, _, _ in made}
    return sorted(owed | lying)


def drafts_left(plant: Plant, law: Law, at: datetime, lying: timedelta) -> list[Application]:
    """Drafts for the season that can be filed for or prepared, not touched for a time and not mailed about yet."""
    status = filing_status(law, at)
    if isinstance(status, Refusal) or status.state not in ("draft", "open"):
        return []
    query = select(Application).filter_by(plant_id=plant.id, season=status.season.name, channel="online",
                                          state=ApplicationState.DRAFT.value)  # fmt: skip
    rows = db.session.scalars(query.where(Application.saved_at <= at - lying).order_by(Application.id))
    return [row for row in rows if not row.answers.get("mailed")]


@dataclass(frozen=True)
class Ending:
    """A license or an insurance that ends soon, the last of its kind a business has; ``mark`` is days left."""

    paper: Licence | Insurance
    kind: str
    mark: int
    days_left: int


def ending(plant: Plant, law: Law, at: datetime) -> list[Ending]:
    """What ends within the first mark, of businesses with an approval that is not over or an application waiting."""
    today, day = at.astimezone(law.zone).date(), reminder_day(at, law)
    ids = _in_business(plant, law, today)
    papers: list[tuple[str, Licence | Insurance]] = [("license", one) for one in licences_of(ids).values()]
    papers += [("insurance", one) for one in insurances_of(ids).values()]
    found = []
    for kind, paper in papers:
        mark = mark_before((paper.ends_on - day).days, ENDING)
        if mark is not None and paper.ends_on >= today:
            found.append(Ending(paper, kind, mark, (paper.ends_on - today).days))
    return found


def paper_asked(law: Law, kind: str, day: date) -> bool:
    """Whether the plant's law asks for the paper (§ 329-7 C(1) of Bayfield: the state license)."""
    if kind == "insurance":
        return insurance_needed(law, day)
    return law.has("approval.licence", day) and bool(law.value("approval.licence", day))


def _in_business(plant: Plant, law: Law, today: date) -> set[int]:
    revoked = exists().where(Revocation.approval_id == Approval.id)
    held = select(Approval.business_id).where(Approval.plant_id == plant.id, still_runs(today), ~revoked)
    running = season_of(law, today).name
    asked = select(Application.business_id).where(Application.plant_id == plant.id, Application.season >= running,
                                                  Application.state.in_(WAITING))  # fmt: skip
    return set(db.session.scalars(held)) | set(db.session.scalars(asked))


@dataclass(frozen=True)
class Asked:
    """More information the committee asked for and has not got; ``mark`` is "3", "1" or "late"."""

    change: ApplicationChange
    application: Application
    mark: str
    since: datetime


def information_due(plant: Plant, law: Law, at: datetime) -> list[Asked]:
    """Open requests of the committee with a day, near it or past it."""
    day = reminder_day(at, law)
    query = (
        select(ApplicationChange, Application).join(Application, Application.id == ApplicationChange.application_id)
        .where(ApplicationChange.plant_id == plant.id, ApplicationChange.side == "committee",
               ApplicationChange.opened_at.is_not(None), ApplicationChange.answered_at.is_(None),
               ApplicationChange.refused_at.is_(None), ApplicationChange.due_on.is_not(None),
               Application.state.in_(WAITING))
        .order_by(ApplicationChange.id)
    )  # fmt: skip
    found = []
    for change, application in db.session.execute(query):
        due: Any = change.due_on
        passed = mark_before((due - day).days, ANSWERING)
        if due < day or passed is not None:
            first = due + timedelta(days=1) if passed is None else due - timedelta(days=passed)
            found.append(Asked(change, application, "late" if passed is None else str(passed),
                               datetime.combine(first, MORNING, law.zone)))  # fmt: skip
    return found
