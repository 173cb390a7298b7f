"""What is enforced against a business, the reviews asked for, and the changes asked for after an approval."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import exists, func, select
from sqlalchemy.orm import aliased

from haulers.models import (
    Amendment,
    Application,
    Approval,
    Decision,
    Review,
    ReviewStep,
    Revocation,
    Suspension,
    Violation,
)
from haulers.states import AmendmentState
from office.db import db


def violations_of(plant_id: int, business_ids: Collection[int]) -> dict[int, list[Violation]]:
    """Notices of violation of businesses at a plant, newest first. One query."""
    query = select(Violation).where(Violation.plant_id == plant_id, Violation.business_id.in_(set(business_ids)))
    found: dict[int, list[Violation]] = {}
    for row in db.session.scalars(query.order_by(Violation.at.desc(), Violation.id.desc())):
        found.setdefault(row.business_id, []).append(row)
    return found


def violations(plant_id: int) -> list[Violation]:
    """Every notice of violation of a plant: those not corrected first, by the day to correct them."""
    rows = db.session.scalars(select(Violation).filter_by(plant_id=plant_id).order_by(Violation.correct_by.desc()))
    return sorted(rows, key=lambda one: one.corrected_on is not None)


def violation(plant_id: int, violation_id: int) -> Violation | None:
    """One notice of a plant; None for another plant's."""
    return db.session.scalars(select(Violation).filter_by(id=violation_id, plant_id=plant_id)).one_or_none()


def suspensions_of(plant_id: int, business_ids: Collection[int]) -> dict[int, list[Suspension]]:
    """Suspensions of businesses at a plant, lifted ones too, newest first. One query."""
    rows = db.session.execute(
        select(Approval.business_id, Suspension).join(Approval, Approval.id == Suspension.approval_id)
        .where(Suspension.plant_id == plant_id, Approval.business_id.in_(set(business_ids)))
        .order_by(Suspension.at.desc(), Suspension.id.desc())
    )  # fmt: skip
    found: dict[int, list[Suspension]] = {}
    for business_id, row in rows:
        found.setdefault(business_id, []).append(row)
    return found


def suspension_holds(one: Suspension, at: datetime, day: date) -> bool:
    """Whether a suspension holds on a day, as things stand at an instant."""
    lifted = one.lifted_at is not None and one.lifted_at <= at
    return one.at <= at and not lifted and (one.until is None or one.until >= day)


def suspension(plant_id: int, suspension_id: int) -> Suspension | None:
    """One suspension of a plant; None for another plant's."""
    return db.session.scalars(select(Suspension).filter_by(id=suspension_id, plant_id=plant_id)).one_or_none()


@dataclass(frozen=True)
class ReviewOf:
    """A review with the hauler it is about and what is reviewed, such as "Revocation of approval A-2026-27-001"."""

    review: Review
    business_id: int
    about: str


def reviews(plant_id: int, review_id: int | None = None) -> list[ReviewOf]:
    """The reviews of a plant, open ones first, newest first; or only the one of an id."""
    approved = func.coalesce(Revocation.approval_id, Amendment.approval_id, Suspension.approval_id)
    query = (
        select(Review, Application.business_id, Application.number, Approval.business_id, Approval.number,
               Violation.business_id)
        .outerjoin(Decision, Decision.id == Review.decision_id)
        .outerjoin(Application, Application.id == Decision.application_id)
        .outerjoin(Revocation, Revocation.id == Review.revocation_id)
        .outerjoin(Amendment, Amendment.id == Review.amendment_id)
        .outerjoin(Suspension, Suspension.id == Review.suspension_id)
        .outerjoin(Violation, Violation.id == Review.violation_id)
        .outerjoin(Approval, Approval.id == approved)
        .where(Review.plant_id == plant_id).order_by(Review.asked_on.desc(), Review.id.desc())
    )  # fmt: skip
    if review_id is not None:
        query = query.where(Review.id == review_id)
    rows: Any = db.session.execute(query).all()
    found = [ReviewOf(row[0], row[1] or row[3] or row[5], _about(row[0], row[2], row[4])) for row in rows]
    return sorted(found, key=lambda one: one.review.closed_on is not None)


def _about(review: Review, application: str, approval: str) -> str:
    if review.decision_id is not None:
        return f"Decision on application {application}"
    if review.violation_id is not None:
        return "Notice of violation"
    what = ("Revocation" if review.revocation_id is not None else
            "Change" if review.amendment_id is not None else "Suspension")  # fmt: skip
    return f"{what} of approval {approval}"


def steps_of(review_id: int) -> list[ReviewStep]:
    """The steps of a review in their order; the last one not done is the one that waits."""
    return list(db.session.scalars(select(ReviewStep).filter_by(review_id=review_id).order_by(ReviewStep.position)))


def waiting_step(review_id: int) -> ReviewStep | None:
    """The step a review waits for, or None."""
    return next((one for one in steps_of(review_id) if one.done_on is None), None)


def review_of(**of: int | None) -> Review | None:
    """The review asked for of one thing, such as ``decision_id=3``, that is not closed, or the last one."""
    query = select(Review).filter_by(**{key: value for key, value in of.items() if value is not None})
    rows = list(db.session.scalars(query.order_by(Review.id.desc())))
    return next((one for one in rows if one.closed_on is None), rows[0] if rows else None)


def amendments_of(approval_ids: Collection[int]) -> list[Amendment]:
    """The changes asked for after approvals, newest first."""
    query = select(Amendment).where(Amendment.approval_id.in_(set(approval_ids))).order_by(Amendment.id.desc())
    return list(db.session.scalars(query))


def amendment(plant_id: int, amendment_id: int) -> Amendment | None:
    """One change asked for at a plant; None for another plant's."""
    return db.session.scalars(select(Amendment).filter_by(id=amendment_id, plant_id=plant_id)).one_or_none()


def amendments_waiting(plant_id: int) -> list[tuple[Amendment, Approval]]:
    """The changes the committee has still to decide, oldest first, each with its approval."""
    query = (
        select(Amendment, Approval).join(Approval, Approval.id == Amendment.approval_id)
        .where(Amendment.plant_id == plant_id, Amendment.state == AmendmentState.ASKED.value).order_by(Amendment.id)
    )  # fmt: skip
    return [(row, approval) for row, approval in db.session.execute(query)]


def revoked_now(plant_id: int, day: date) -> list[tuple[Approval, Revocation]]:
    """The revoked approvals of a plant that would still run and were not given back, newest revocation first.

    One voted to be given back, its letter not issued, is among them.
    """
    newer = aliased(Approval)
    query = (
        select(Approval, Revocation).join(Revocation, Revocation.approval_id == Approval.id)
        .where(Approval.plant_id == plant_id, Approval.ends >= day, ~exists().where(newer.replaces_id == Approval.id))
        .order_by(Revocation.at.desc(), Revocation.id.desc())
    )  # fmt: skip
    return [(approval, revocation) for approval, revocation in db.session.execute(query)]
