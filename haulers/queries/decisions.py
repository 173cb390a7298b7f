"""What was decided: the decision that holds now for the city, and the one a hauler may know of."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import aliased

from haulers.models import Amendment, Application, Approval, Decision, Reinstatement, Revocation
from haulers.states import AmendmentState, ApplicationState
from office.db import db


def current_decisions(application_ids: Collection[int]) -> dict[int, Decision]:
    """The decision of each application that no other corrects, issued or not: for the city only. One query."""
    return _newest(select(Decision).where(Decision.application_id.in_(set(application_ids))))


def issued_decisions(application_ids: Collection[int]) -> dict[int, Decision]:
    """The newest decision of each application whose letter is issued: what its hauler may see. One query."""
    query = select(Decision).where(Decision.application_id.in_(set(application_ids)))
    return _newest(query.where(Decision.letter_id.is_not(None)))


def _newest(query: Any) -> dict[int, Decision]:
    # Corrections are a chain and each is later than what it corrects, so the last row of a chain is the one that holds.
    return {row.application_id: row for row in db.session.scalars(query.order_by(Decision.id))}


def waiting_decisions(plant_id: int, motion_id: int | None = None) -> list[tuple[Decision, Application]]:
    """Decisions whose letter waits to be issued, of one motion or all, by application number.

    Not those corrected before they were issued, nor those whose application was withdrawn since.
    """
    later = aliased(Decision)
    query = (
        select(Decision, Application).join(Application, Application.id == Decision.application_id)
        .outerjoin(later, later.corrects_id == Decision.id)
        .where(Decision.plant_id == plant_id, Decision.letter_id.is_(None), later.id.is_(None),
               Application.state != ApplicationState.WITHDRAWN.value)
        .order_by(Application.number, Decision.id)
    )  # fmt: skip
    if motion_id is not None:
        query = query.where(Decision.motion_id == motion_id)
    return [(decision, one) for decision, one in db.session.execute(query)]


def late_requests(plant_id: int, season: str) -> list[Application]:
    """The late requests of a season that no motion has taken yet, in the order they came."""
    query = select(Application).filter_by(plant_id=plant_id, season=season, state=ApplicationState.ASKED_LATE.value)
    return list(db.session.scalars(query.order_by(Application.filed_at, Application.id)))


def taken_gallons(plant_id: int, season: str, at: datetime) -> tuple[int, int]:
    """Winter and rest gallons of a season that are spoken for at an instant: decided, issued or not, with what was
    granted on top. Withdrawn applications and revoked approvals are not counted; one given back is, its letter
    issued or not.
    """
    query = select(Application.id).where(Application.plant_id == plant_id, Application.season == season,
                                         Application.state != ApplicationState.WITHDRAWN.value)  # fmt: skip
    winter = rest = 0
    last = _last_approvals(plant_id, season)
    gone = set(db.session.scalars(select(Revocation.approval_id).where(Revocation.plant_id == plant_id,
                                                                       Revocation.at <= at)))  # fmt: skip
    voted = _voted_back(plant_id, gone)
    for application_id, decision in current_decisions(list(db.session.scalars(query))).items():
        approval = last.get(application_id)
        if approval is not None and approval.id in gone:
            back = voted.get(approval.id, (0, 0))
            winter, rest = winter + back[0], rest + back[1]
            continue
        holds: Any = approval if approval is not None and approval.replaces_id is not None else decision
        winter, rest = winter + holds.gallons_winter, rest + holds.gallons_rest
    for approval_id, extra_winter, extra_rest in _granted(plant_id, season):
        if approval_id not in gone:
            winter, rest = winter + extra_winter, rest + extra_rest
    return winter, rest


def _voted_back(plant_id: int, approval_ids: Collection[int]) -> dict[int, tuple[int, int]]:
    """Winter and rest gallons of revoked approvals that are voted to be given back, the letter not issued."""
    query = select(Reinstatement).where(Reinstatement.plant_id == plant_id, Reinstatement.letter_id.is_(None),
                                        Reinstatement.approval_id.in_(approval_ids))  # fmt: skip
    return {one.approval_id: (one.gallons_winter, one.gallons_rest) for one in db.session.scalars(query)}


def _last_approvals(plant_id: int, season: str) -> dict[int, Approval]:
    """The newest approval of each application: one that reinstates comes after the one it replaces."""
    query = select(Approval).filter_by(plant_id=plant_id, season=season).order_by(Approval.id)
    return {row.application_id: row for row in db.session.scalars(query)}


def _granted(plant_id: int, season: str) -> list[tuple[int, int, int]]:
    query = (
        select(Amendment.approval_id, Amendment.granted_winter, Amendment.granted_rest)
        .join(Approval, Approval.id == Amendment.approval_id)
        .where(Approval.plant_id == plant_id, Approval.season == season,
               Amendment.state == AmendmentState.GRANTED.value)
    )  # fmt: skip
    return [(row[0], row[1], row[2]) for row in db.session.execute(query)]
