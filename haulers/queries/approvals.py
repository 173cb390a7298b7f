"""Approvals: who may unload at a plant at an instant, and how much. What depends on the date is computed here."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, exists, select

from haulers.models import Approval, Business, Licence, Revocation
from haulers.queries.businesses import licence_holds, licence_of, party_of_business
from haulers.states import StandingState
from office.db import db, lock
from office.formats import date_only
from office.people import Party
from ordinances.calendar import season_of
from ordinances.reader import Law


@dataclass(frozen=True)
class Standing:
    """One answer with one reason. ``why`` is a whole sentence for the gate; empty when approved."""

    state: StandingState
    approval: Approval | None
    why: str
    cite: str
    licence: Licence | None
    licence_ok: bool

    @property
    def approved(self) -> bool:
        return self.state is StandingState.APPROVED


def _revoked(at: datetime) -> ColumnElement[bool]:
    return exists().where(Revocation.approval_id == Approval.id, Revocation.at <= at)


def approval_in_force(at: datetime, day: date) -> Select[tuple[int]]:
    """Ids of the approvals that hold on a day and are not revoked at an instant: to join in SQL."""
    return select(Approval.id).where(Approval.starts <= day, Approval.ends >= day, ~_revoked(at))


def lock_approval(approval_id: int, shared: bool = False) -> Approval:
    """Lock an approval until the transaction ends: exclusive for using its allowance and for revoking."""
    locked: Approval = lock(Approval, approval_id, shared=shared)
    return locked


def approval(plant_id: int, approval_id: int) -> Approval | None:
    """One approval of a plant; None for another plant's."""
    return db.session.scalars(select(Approval).filter_by(id=approval_id, plant_id=plant_id)).one_or_none()


def allowance(approval: Approval, in_winter: bool) -> int:
    """Gallons the approval allows in its winter, or in the rest of its season."""
    return approval.gallons_winter if in_winter else approval.gallons_rest


def standing(plant_id: int, business_id: int, at: datetime, law: Law) -> Standing:
    """Whether a business may unload at a plant at an instant (§ 329-7 A-B, G), with its licence that day."""
    day = at.astimezone(law.zone).date()
    licence = licence_of(business_id)
    needs = law.has("approval.licence", day) and law.value("approval.licence", day)
    state, approval, why, cite = _state(plant_id, business_id, at, day, law)
    return Standing(state, approval, why, cite, licence, licence_holds(licence, day) or not needs)


def _state(
    plant_id: int, business_id: int, at: datetime, day: date, law: Law
) -> tuple[StandingState, Approval | None, str, str]:
    rows: Any = db.session.execute(
        select(Approval, Revocation)
        .outerjoin(Revocation, (Revocation.approval_id == Approval.id) & (Revocation.at <= at))
        .where(Approval.plant_id == plant_id, Approval.business_id == business_id, Approval.ends >= day)
        .order_by(Approval.starts, Approval.id)
    ).all()  # fmt: skip
    given = _cite(law, "approval.from", day)
    for found, revocation in reversed(rows):
        if revocation is None and found.starts <= day:
            return StandingState.APPROVED, found, "", given
    for found, revocation in reversed(rows):
        if revocation is not None and found.starts <= day:
            when = date_only(revocation.at, law.zone)
            why = f"Approval {found.number} was revoked on {when}."
            return StandingState.REVOKED, found, why, _cite(law, "revocation.immediate", day)
    for found, revocation in rows:
        if revocation is None:
            why = f"Approval {found.number} begins {date_only(found.starts)}."
            return StandingState.NOT_BEGUN, found, why, given
    name = party_of_business(business_id).name
    why = f"{name} has no approval for season {season_of(law, day).name}."
    return StandingState.NOT_APPROVED, None, why, given


def _cite(law: Law, key: str, day: date) -> str:
    return law.cite(key, day) if law.has(key, day) else law.cite("programme.kind", day)


def approvals_in_force(plant_id: int, at: datetime, law: Law) -> list[tuple[Approval, Business, Party]]:
    """Every approval that holds now at a plant, with its business and party, by name."""
    day = at.astimezone(law.zone).date()
    query = (
        select(Approval, Business, Party)
        .join(Business, Business.id == Approval.business_id).join(Party, Party.id == Business.party_id)
        .where(Approval.plant_id == plant_id, Approval.id.in_(approval_in_force(at, day)))
        .order_by(Party.name, Approval.id)
    )  # fmt: skip
    return [(found, business, party) for found, business, party in db.session.execute(query)]


@dataclass(frozen=True)
class Listed:
    """A line of the public list of approved haulers."""

    name: str
    phone: str
    season: str
    approval: Approval
    revoked_at: datetime | None


def listed(plant_id: int, season: str, at: datetime) -> list[Listed]:
    """The haulers approved for a season, the revoked ones marked, by name."""
    query = (
        select(Party, Approval, Revocation.at)
        .join(Business, Business.party_id == Party.id).join(Approval, Approval.business_id == Business.id)
        .outerjoin(Revocation, (Revocation.approval_id == Approval.id) & (Revocation.at <= at))
        .where(Approval.plant_id == plant_id, Approval.season == season).order_by(Party.name, Approval.id)
    )  # fmt: skip
    rows = db.session.execute(query)
    return [Listed(party.name, party.phone, season, found, revoked) for party, found, revoked in rows]


def revocation_of(approval_id: int) -> Revocation | None:
    """The revocation of an approval, if there is one."""
    return db.session.scalars(select(Revocation).filter_by(approval_id=approval_id)).one_or_none()


def revocations_of(business_ids: Collection[int], plant_id: int | None = None) -> dict[int, list[Revocation]]:
    """Revocations of businesses, newest first, for the committee that sees them next year. One query."""
    query = (
        select(Approval.business_id, Revocation).join(Approval, Approval.id == Revocation.approval_id)
        .where(Approval.business_id.in_(set(business_ids))).order_by(Revocation.at.desc())
    )  # fmt: skip
    if plant_id is not None:
        query = query.where(Revocation.plant_id == plant_id)
    found: dict[int, list[Revocation]] = {}
    for business_id, revocation in db.session.execute(query):
        found.setdefault(business_id, []).append(revocation)
    return found


def approved_gallons(plant_id: int, season: str, at: datetime) -> tuple[int, int]:
    """Winter and rest gallons already approved for a season, revoked approvals not counted."""
    rows: Any = db.session.execute(
        select(Approval.gallons_winter, Approval.gallons_rest)
        .where(Approval.plant_id == plant_id, Approval.season == season, ~_revoked(at))
    ).all()  # fmt: skip
    return sum(row[0] for row in rows), sum(row[1] for row in rows)


def last_approvals(plant_id: int, business_id: int) -> list[Approval]:
    """Approvals of a business at a plant, newest first."""
    query = select(Approval).filter_by(plant_id=plant_id, business_id=business_id)
    return list(db.session.scalars(query.order_by(Approval.starts.desc(), Approval.id.desc())))
