"""Approvals: who may unload at a plant at an instant, and how much. What depends on the date is computed here."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, Integer, Select, bindparam, cast, exists, func, or_, select, union_all
from sqlalchemy.orm import aliased

from haulers.models import (
    AllowanceLine,
    Amendment,
    Application,
    Approval,
    Business,
    CarryOver,
    Decision,
    Revocation,
    Suspension,
)
from haulers.queries.enforcement import suspension_holds
from haulers.states import AmendmentState, Outcome
from office import facts
from office.asked import hold_row
from office.db import db, lock
from office.facts import fact
from office.formats import date_only
from office.people import Party
from office.plants import plant_of
from ordinances.reader import Law


def _revoked(at: Any, day: Any = None) -> ColumnElement[bool]:
    """SQL: revoked at an instant, or, with ``day``, revoked by now from a day no later than that on."""
    when: Any = Revocation.at <= at
    if day is not None:
        when = or_(when, Revocation.from_day <= day)
    # Also of a day that stands outside the query these approvals are asked in.
    return exists().where(Revocation.approval_id == Approval.id, when).correlate_except(Revocation)


def suspended_on(at: Any, day: Any) -> ColumnElement[bool]:
    """SQL over Approval: as things stand at an instant, held for a day."""
    return exists().where(
        Suspension.approval_id == Approval.id, Suspension.at <= at,
        or_(Suspension.lifted_at.is_(None), Suspension.lifted_at > at),
        or_(Suspension.until.is_(None), Suspension.until >= day),
    ).correlate_except(Suspension)  # fmt: skip


def _turned_down() -> ColumnElement[bool]:
    """SQL over Approval: its hauler was turned down for a later season, by letter."""
    later = aliased(Application)
    return exists().where(
        Decision.application_id == later.id, later.plant_id == Approval.plant_id,
        later.business_id == Approval.business_id, later.season > Approval.season,
        Decision.outcome == Outcome.REJECTED.value, Decision.letter_id.is_not(None),
    )  # fmt: skip


def _carries() -> ColumnElement[bool]:
    """SQL over Approval and CarryOver: this one carries all approvals of the season before its own over, as one did
    before each kept its own last day.
    """
    first_year: Any = cast(func.substr(Approval.season, 1, 4), Integer)
    return (
        (CarryOver.plant_id == Approval.plant_id)
        & CarryOver.each.is_(False)
        & (cast(func.substr(CarryOver.season, 1, 4), Integer) == first_year + 1)
    )


def _carried(day: Any) -> ColumnElement[bool]:
    """SQL over Approval: carried over to a day into the season after its own.

    The letter on its hauler's new application ends that, whatever it says, and for good.
    """
    of_all = exists().where(_carries(), CarryOver.until >= day).correlate_except(CarryOver) & ~_turned_down()
    return or_(Approval.carried_until >= day, of_all)


def still_runs(day: Any) -> ColumnElement[bool]:
    """SQL over Approval: its last day, its own or the one it was carried over to, is a day or later."""
    return or_(Approval.ends >= day, _carried(day))


def carried_until(approval_ids: Collection[int]) -> dict[int, date]:
    """The last day of those approvals that a motion of the committee carried over. One query."""
    found: dict[int, date] = {}
    for ident, until in db.session.execute(_carried_until(), {"ids": list(set(approval_ids))}):
        found[ident] = max(until, found.get(ident, until))
    return found


# Statements that stand in a function of their own under `cache` are made once: making one costs more than running it.
@cache
def _carried_until() -> Any:
    ids = Approval.id.in_(bindparam("ids", expanding=True))
    of_all = select(Approval.id, CarryOver.until).join(CarryOver, _carries()).where(ids, ~_turned_down())
    own = select(Approval.id, Approval.carried_until).where(ids, Approval.carried_until.is_not(None))
    return union_all(own, of_all)


def approval_in_force(at: Any, day: Any, held: bool = False) -> Select[tuple[int]]:
    """Ids of the approvals that hold on a day, carried over or not, not revoked or suspended: to join in SQL.

    ``at`` is an instant, ``day`` a date or a column; both may be parameters. ``held`` counts suspended ones too: what
    they booked keeps its room.
    """
    query = select(Approval.id).where(Approval.starts <= day, still_runs(day), ~_revoked(at, day))
    return query if held else query.where(~suspended_on(at, day))


def lock_approval(approval_id: int, shared: bool = False) -> Approval:
    """Lock an approval until the transaction ends: exclusive for using its allowance and for revoking."""
    locked: Approval = lock(Approval, approval_id, shared=shared)
    return locked


def hold_approval(approval_id: int) -> None:
    """The same exclusive lock for who reads nothing of the row."""
    hold_row(Approval, approval_id)


def approval(plant_id: int, approval_id: int) -> Approval | None:
    """One approval of a plant; None for another plant's."""
    return db.session.scalars(select(Approval).filter_by(id=approval_id, plant_id=plant_id)).one_or_none()


def allowance(approval: Approval, in_winter: bool) -> int:
    """Gallons the approval allows in its winter, or in the rest of its season, with what was granted on top."""
    return granted(approval)[0 if in_winter else 1]


def allowances_of(approvals: Collection[Approval]) -> dict[int, tuple[int, int]]:
    """Winter and rest gallons of approvals as they stand, with granted changes whose letter is out. One query."""
    rows: Any = db.session.execute(_granted(), {"ids": list({one.id for one in approvals})})
    more = {ident: (int(winter), int(rest)) for ident, winter, rest in rows}
    return {
        one.id: (one.gallons_winter + more.get(one.id, (0, 0))[0], one.gallons_rest + more.get(one.id, (0, 0))[1])
        for one in approvals
    }


@cache
def _granted() -> Any:
    return (
        select(Amendment.approval_id, func.sum(Amendment.granted_winter), func.sum(Amendment.granted_rest))
        .where(Amendment.approval_id.in_(bindparam("ids", expanding=True)),
               Amendment.state == AmendmentState.GRANTED.value, Amendment.letter_id.is_not(None))
        .group_by(Amendment.approval_id)
    )  # fmt: skip


def granted(approval: Approval) -> tuple[int, int]:
    """Winter and rest gallons of one approval as it stands."""
    found: tuple[int, int] = _granted_to(approval.plant_id, approval.id)
    return found


@fact
def _granted_to(plant_id: int, approval_id: int) -> tuple[int, int]:
    return allowances_of([db.session.get_one(Approval, approval_id)])[approval_id]


def lines_of(approval: Approval) -> list[AllowanceLine]:
    """The limits of an approval as ``limits_of``, kept between requests."""
    found: list[AllowanceLine] = _lines(approval.plant_id, approval.id)
    return found


@fact
def _lines(_plant_id: int, approval_id: int) -> list[AllowanceLine]:
    return facts.rows(AllowanceLine, _limits(), approval_id=approval_id)


def limits_of(approval_id: int) -> list[AllowanceLine]:
    """The limits of an approval by type of waste and day, week or part of the season, as they were written."""
    return list(db.session.scalars(_limits(), {"approval_id": approval_id}))


@cache
def _limits() -> Any:
    query = select(AllowanceLine).where(AllowanceLine.approval_id == bindparam("approval_id"))
    return query.order_by(AllowanceLine.waste, AllowanceLine.id)


def with_replaced(approval: Approval) -> list[int]:
    """The id of an approval and of those it came in the place of, as ``replaced_by``, kept between requests."""
    return [approval.id, *_replaced(approval.plant_id, approval.id)]


@fact
def _replaced(_plant_id: int, approval_id: int) -> list[int]:
    return replaced_by(approval_id)


def replaced_by(approval_id: int) -> list[int]:
    """The ids of the revoked approvals this one came in the place of: what was unloaded under them counts on."""
    found: list[int] = []
    approval = db.session.get_one(Approval, approval_id)
    while approval.replaces_id is not None:
        found.append(approval.replaces_id)
        approval = db.session.get_one(Approval, approval.replaces_id)
    return found


def begins_words(approval: Approval) -> str:
    """ "Approval A-2026-27-003 begins October 7, 2026." """
    return f"Approval {approval.number} begins {date_only(approval.starts)}."


def replacement_of(approval_id: int) -> Approval | None:
    """The approval that came in the place of a revoked one, if there is one."""
    return db.session.scalars(select(Approval).filter_by(replaces_id=approval_id)).one_or_none()


def suspension_of(approval_id: int, at: datetime, day: date) -> Suspension | None:
    """The suspension that holds an approval for a day, as things stand at an instant; the longest of several."""
    held = db.session.scalars(_suspensions(), {"approval_id": approval_id, "at": at, "day": day})
    return max(held, key=lambda one: (one.until is None, one.until or date.min), default=None)


@cache
def _suspensions() -> Any:
    at: Any = bindparam("at")
    return (
        select(Suspension).join(Approval, Approval.id == Suspension.approval_id)
        .where(Suspension.approval_id == bindparam("approval_id"), Suspension.at <= at,
               or_(Suspension.lifted_at.is_(None), Suspension.lifted_at > at),
               or_(Suspension.until.is_(None), Suspension.until >= bindparam("day")))
    )  # fmt: skip


def suspended_words(approval: Approval, suspension: Suspension) -> str:
    """ "Approval A-2026-27-001 is suspended to October 30, 2026." """
    until = f" to the end of {date_only(suspension.until)}" if suspension.until else " until it is lifted"
    return f"Approval {approval.number} is suspended{until}."


def approvals_in_force(plant_id: int, at: datetime, law: Law,
                       until: datetime | None = None) -> list[tuple[Approval, Business, Party]]:  # fmt: skip
    """Every approval that holds now at a plant, suspended ones too, with its business and party, by name.

    With ``until`` also those that begin before that instant: their haulers can book by then.
    """
    day = at.astimezone(law.zone).date()
    holds = Approval.id.in_(approval_in_force(at, day, held=True))
    if until is not None:
        begins = Approval.starts.between(day + timedelta(days=1), until.astimezone(law.zone).date())
        holds = or_(holds, begins & ~_revoked(at, Approval.starts))
    query = (
        select(Approval, Business, Party)
        .join(Business, Business.id == Approval.business_id).join(Party, Party.id == Business.party_id)
        .where(Approval.plant_id == plant_id, holds).order_by(Party.name, Approval.id)
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
    suspended: bool = False


def listed(plant_id: int, season: str, at: datetime) -> list[Listed]:
    """The haulers approved for a season, the revoked and suspended ones marked, by name; a reinstated one once."""
    newer = aliased(Approval)
    held: Any = suspended_on(at, at.astimezone(plant_of(plant_id).tz).date())
    query = (
        select(Party, Approval, Revocation.at, held)
        .join(Business, Business.party_id == Party.id).join(Approval, Approval.business_id == Business.id)
        .outerjoin(Revocation, (Revocation.approval_id == Approval.id) & (Revocation.at <= at))
        .where(Approval.plant_id == plant_id, Approval.season == season,
               ~exists().where(newer.replaces_id == Approval.id))
        .order_by(Party.name, Approval.id)
    )  # fmt: skip
    rows = db.session.execute(query)
    return [Listed(party.name, party.phone, season, found, revoked, bool(stopped) and revoked is None)
            for party, found, revoked, stopped in rows]  # fmt: skip


def revocation_of(approval_id: int) -> Revocation | None:
    """The revocation of an approval, if there is one."""
    found: Revocation | None = db.session.scalars(_revocation(), {"approval_id": approval_id}).one_or_none()
    return found


@cache
def _revocation() -> Any:
    return select(Revocation).where(Revocation.approval_id == bindparam("approval_id"))


def revocations_of(business_ids: Collection[int], plant_id: int | None = None) -> dict[int, list[Revocation]]:
    """Revocations of businesses, newest first, for the committee that sees them next year. One query."""
    found: dict[int, list[Revocation]] = {}
    for business_id, revocation in db.session.execute(_revocations(), {"ids": list(set(business_ids))}):
        if plant_id in (None, revocation.plant_id):
            found.setdefault(business_id, []).append(revocation)
    return found


@cache
def _revocations() -> Any:
    return (
        select(Approval.business_id, Revocation).join(Approval, Approval.id == Revocation.approval_id)
        .where(Approval.business_id.in_(bindparam("ids", expanding=True))).order_by(Revocation.at.desc())
    )  # fmt: skip


def last_of(approval: Approval) -> date:
    """The last day of an approval, its own or the one it was carried over to."""
    return max(approval.ends, _carried_to(approval.plant_id, approval.id) or approval.ends)


@fact
def _carried_to(_plant_id: int, approval_id: int) -> date | None:
    return carried_until([approval_id]).get(approval_id)


def revoked(approval: Approval) -> Revocation | None:
    """The revocation of an approval as ``revocation_of``, kept between requests."""
    found: Revocation | None = _revocation_from(approval.plant_id, approval.id)
    return found


def taken_away(revocation: Revocation | None, at: datetime, day: date) -> bool:
    """Whether a revocation takes an approval away on a day, as things stand at an instant: ``_revoked`` of one row."""
    if revocation is None:
        return False
    return revocation.at <= at or (revocation.from_day is not None and revocation.from_day <= day)


@fact
def _revocation_from(_plant_id: int, approval_id: int) -> Revocation | None:
    return next(iter(facts.rows(Revocation, _revocation(), approval_id=approval_id)), None)


def held_on(approval: Approval, at: datetime, day: date) -> Suspension | None:
    """The suspension that holds an approval for a day as ``suspension_of``, from what is kept between requests."""
    several = [one for one in _all_suspensions(approval.plant_id, approval.id) if suspension_holds(one, at, day)]
    return max(several, key=lambda one: (one.until is None, one.until or date.min), default=None)


@fact
def _all_suspensions(_plant_id: int, approval_id: int) -> list[Suspension]:
    return facts.rows(Suspension, _suspended(), approval_id=approval_id)


@cache
def _suspended() -> Any:
    return select(Suspension).where(Suspension.approval_id == bindparam("approval_id"))


def in_force_on(approval: Approval, at: datetime, day: date) -> bool:
    """Whether an approval holds on a day as things stand at an instant: ``approval_in_force`` for one, without asking
    the database each time."""
    out = taken_away(revoked(approval), at, day)
    return approval.starts <= day <= last_of(approval) and not out and held_on(approval, at, day) is None


def approved_gallons(plant_id: int, season: str, at: datetime) -> tuple[int, int]:
    """Winter and rest gallons already approved for a season, revoked approvals not counted."""
    rows: Any = db.session.execute(
        select(Approval.gallons_winter, Approval.gallons_rest)
        .where(Approval.plant_id == plant_id, Approval.season == season, ~_revoked(at))
    ).all()  # fmt: skip
    return sum(row[0] for row in rows), sum(row[1] for row in rows)


def last_approvals(plant_id: int, business_id: int) -> list[Approval]:
    """Approvals of a business at a plant, newest first, kept between requests."""
    return list(_known(plant_id, business_id))


@fact
def _known(plant_id: int, business_id: int) -> list[Approval]:
    return facts.rows(Approval, _of_business(), plant_id=plant_id, business_id=business_id)


@cache
def _of_business() -> Any:
    query = select(Approval).where(Approval.plant_id == bindparam("plant_id"),
                                   Approval.business_id == bindparam("business_id"))  # fmt: skip
    return query.order_by(Approval.starts.desc(), Approval.id.desc())
