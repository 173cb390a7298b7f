"""What a review may be asked of: everything a letter with the words on review rights told a hauler (ch. 68).

Where an ordinance has a procedure of its own for any decision, action or determination, a notice of violation too.
"""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import select

from haulers.models import (
    Amendment,
    Application,
    Approval,
    Decision,
    Review,
    Revocation,
    Suspension,
    Violation,
)
from haulers.models.enforcement import REVIEWED
from haulers.queries.businesses import business_names
from haulers.states import AmendmentState, Outcome
from office.db import db
from office.formats import date_only
from office.letters import Letter
from office.plants import Plant
from ordinances.reader import Law
from ordinances.reviews import of_everything

Told = Decision | Revocation | Amendment | Suspension | Violation
MODELS: dict[str, type[Told]] = {
    "decision": Decision, "revocation": Revocation, "amendment": Amendment, "suspension": Suspension,
    "violation": Violation,
}  # fmt: skip
MOST = 40


def what_of(review: Review) -> dict[str, int]:
    """What a review is of, as the acts and queries take it: {"decision_id": 3}."""
    return {key: getattr(review, key) for key in REVIEWED if getattr(review, key) is not None}


def kind_of(review: Review) -> str:
    """The kind of what a review is of: decision, revocation, amendment, suspension or violation."""
    return next(iter(what_of(review))).removesuffix("_id")


def reviewed(plant_id: int, **of: int | None) -> Told | None:
    """The row that is reviewed, by its one id; None for another plant's, or where nothing is named."""
    key, row_id = next(((key, value) for key, value in of.items() if value is not None), ("", 0))
    model: Any = MODELS.get(key.removesuffix("_id"))
    found: Told | None = db.session.get(model, row_id) if model is not None else None
    return found if found is not None and found.plant_id == plant_id else None


def letter_day(plant: Plant, law: Law, **of: int | None) -> date | None:
    """The day of the letter a review may be asked of; None where none was sent, or the law gives no review of it."""
    row = reviewed(plant.id, **of)
    if row is None or row.letter_id is None:
        return None
    written: datetime = db.session.get_one(Letter, row.letter_id).written_at
    told = written.astimezone(plant.tz).date()
    return None if isinstance(row, Violation) and not of_everything(law, told) else told


def business_of(row: Told) -> int:
    """The business that was told."""
    if isinstance(row, Violation):
        return row.business_id
    if isinstance(row, Decision):
        return db.session.get_one(Application, row.application_id).business_id
    return db.session.get_one(Approval, row.approval_id).business_id


@dataclass(frozen=True)
class Reviewable:
    """What a review may be entered of: its kind and id for the address, and how a list names it."""

    kind: str
    id: int
    words: str


def reviewable(plant: Plant, law: Law, day: date) -> list[Reviewable]:
    """What haulers were told and may ask a review of, but for revocations, newest first; at most 40 of each kind."""
    notices = _violations(plant) if of_everything(law, day) else []
    return [*_decisions(plant.id), *_amendments(plant.id), *_suspensions(plant), *notices]


def _decisions(plant_id: int) -> list[Reviewable]:
    query = (
        select(Decision.id, Application.number, Application.business_name)
        .join(Application, Application.id == Decision.application_id)
        .where(Decision.plant_id == plant_id, Decision.letter_id.is_not(None),
               Decision.outcome != Outcome.APPROVED.value)
        .order_by(Decision.id.desc()).limit(MOST)
    )  # fmt: skip
    return [Reviewable("decision", row_id, f"Application {number}, {name}")
            for row_id, number, name in db.session.execute(query)]  # fmt: skip


def _amendments(plant_id: int) -> list[Reviewable]:
    """Changes not granted, or not whole."""
    less = (Amendment.granted_winter < Amendment.extra_winter) | (Amendment.granted_rest < Amendment.extra_rest)
    query = (
        select(Amendment.id, Approval.number, Application.business_name)
        .join(Approval, Approval.id == Amendment.approval_id)
        .join(Application, Application.id == Approval.application_id)
        .where(Amendment.plant_id == plant_id, Amendment.letter_id.is_not(None),
               (Amendment.state == AmendmentState.REFUSED.value) | less)
        .order_by(Amendment.id.desc()).limit(MOST)
    )  # fmt: skip
    return [Reviewable("amendment", row_id, f"Change of approval {number}, {name}")
            for row_id, number, name in db.session.execute(query)]  # fmt: skip


def _suspensions(plant: Plant) -> list[Reviewable]:
    query = (
        select(Suspension, Approval.number, Application.business_name)
        .join(Approval, Approval.id == Suspension.approval_id)
        .join(Application, Application.id == Approval.application_id)
        .where(Suspension.plant_id == plant.id, Suspension.letter_id.is_not(None))
        .order_by(Suspension.id.desc()).limit(MOST)
    )  # fmt: skip
    return [Reviewable("suspension", row.id, f"Suspension of {date_only(row.at, plant.tz)}, approval {number}, {name}")
            for row, number, name in db.session.execute(query)]  # fmt: skip


def _violations(plant: Plant) -> list[Reviewable]:
    query = select(Violation).where(Violation.plant_id == plant.id, Violation.letter_id.is_not(None))
    rows = list(db.session.scalars(query.order_by(Violation.id.desc()).limit(MOST)))
    names = business_names({one.business_id for one in rows})
    return [Reviewable("violation", one.id, f"Notice of violation of {date_only(one.at, plant.tz)}, "
                                            f"{names[one.business_id]}") for one in rows]  # fmt: skip
