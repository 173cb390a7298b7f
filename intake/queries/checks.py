"""For ``verify``: the capacity of every day again from the rows, by code that shares nothing with the offers."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import UTC, date, datetime
from typing import Any

from sqlalchemy import select

from haulers.queries import revocations_of
from intake.models import Booking, Hold, Load, PlannedSession, Run, SpecialTime
from intake.queries.flow_recorded import recorded_for
from intake.queries.limits_then import Before, caps_before, set_rows, still
from intake.queries.point_checks import check_points
from intake.queries.run_checks import Facts, facts_of
from intake.queries.tank_checks import TankRows
from office.db import db
from office.journal import JournalEntry
from office.law import law_in_force
from office.plants import ClosureDay, Plant, all_plants
from ordinances.calendar import Hours, dump_hours, shut_part
from ordinances.flows import reads_meter
from ordinances.rate_cap import cap_on
from ordinances.reader import Law, NoLaw

# start, end, gallons an hour, and the row it comes from
Piece = tuple[datetime, datetime, int, str]


def check_capacity(plants: Iterable[Plant] | None = None) -> list[str]:
    """Findings with table and row id: a session outside the hours or not whole, an instant over the limit."""
    findings: list[str] = []
    for plant in plants if plants is not None else all_plants():
        findings += _check_plant(plant)
    return findings


def _check_plant(plant: Plant) -> list[str]:
    findings, pieces = _sessions(plant)
    arranged, facts, tank, rows = _arranged(plant), facts_of(plant), TankRows(plant), set_rows(plant)
    calendar = _calendar(plant)
    for day, found in _runs(plant).items():
        pieces[day] += found
    for day in sorted(pieces):
        try:
            law = law_in_force(plant, day)
        except NoLaw:
            continue
        findings += _outside(law, day, pieces[day], arranged, calendar.get(day))
        before = caps_before(law, day, rows)
        findings += _over(plant, law, day, tank.outside(pieces[day]), facts, tank, before)
    return findings + check_points(plant, pieces, arranged) + tank.findings(pieces)


def _sessions(plant: Plant) -> tuple[list[str], dict[date, list[Piece]]]:
    """Planned sessions whose booking stands and whose load has not run: each whole, by day."""
    gone = set(db.session.scalars(select(Hold.booking_id).where(Hold.outcome.in_(("missed", "listed")))))
    ran: dict[int, set[date]] = defaultdict(set)
    query = select(Load.booking_id, Run.day).join(Run, Run.load_id == Load.id)
    for booking_id, day in db.session.execute(query.where(Load.plant_id == plant.id, Load.state == "accepted")):
        ran[booking_id or 0].add(day)
    refused = set(db.session.scalars(select(Load.booking_id).filter_by(plant_id=plant.id, state="refused")))
    findings, void = list[str](), _void_since(plant)
    pieces: dict[date, list[Piece]] = defaultdict(list)
    rows: Any = db.session.execute(
        select(PlannedSession, Booking).join(Booking, Booking.id == PlannedSession.booking_id)
        .where(PlannedSession.plant_id == plant.id).order_by(PlannedSession.id)
    ).all()  # fmt: skip
    revoked = _revoked(plant, rows)
    totals: dict[int, list[int]] = {}
    for session, booking in rows:
        totals.setdefault(booking.id, [booking.gallons, 0])[1] += session.gallons
        if session.gallons * 60 > session.gph * ((session.ends - session.starts).total_seconds() / 60):
            findings.append(f"planned_session {session.id}: {session.gallons} gallons do not run out in its time.")
        ended = (booking.state != "booked" or booking.id in gone | refused
                 or session.day >= revoked.get(booking.approval_id, date.max))  # fmt: skip
        # What was over when its load was made void stayed as the load had it: others may have had its time since.
        over = any(void.get((booking.id, day), session.starts) >= session.ends for day in (session.day, None))
        if not ended and not over and session.day not in ran[booking.id]:
            name = f"planned_session {session.id}"
            pieces[session.day].append((session.starts, session.ends, session.gph, name))
    for booking_id, (whole, parts) in totals.items():
        if whole != parts:
            findings.append(f"booking {booking_id}: {whole} gallons, but its sessions hold {parts}.")
    return findings, pieces


def _void_since(plant: Plant) -> dict[tuple[int, date | None], datetime]:
    """By booking and day of a load that ran and is void: when it was made void; at the end of time where no history
    says it yet. A truck that was turned away had given up every day of its booking: its day is None."""
    query = select(Load.id, Load.booking_id, Run.day).outerjoin(Run, Run.load_id == Load.id)
    rows: Any = db.session.execute(query.where(Load.plant_id == plant.id, Load.state == "void")).all()
    told: Any = db.session.execute(
        select(JournalEntry.record_id, JournalEntry.at)
        .where(JournalEntry.table_name == "load", JournalEntry.act == "void_load",
               JournalEntry.record_id.in_({load_id for load_id, *_ in rows}))
    ) if rows else ()  # fmt: skip
    since = {load_id: at for load_id, at in told}  # noqa: C416 - rows are no pairs to mypy
    never = datetime.max.replace(tzinfo=UTC)
    found: dict[tuple[int, date | None], datetime] = {}
    for load_id, booking_id, day in rows:
        if booking_id is not None:
            at = since.get(load_id, never)
            found[booking_id, day] = max(found.get((booking_id, day), at), at)
    return found


def _revoked(plant: Plant, rows: list[Any]) -> dict[int, date]:
    """The revoked approvals of these bookings, and from which day on what they booked keeps no room."""
    found = revocations_of({booking.business_id for _, booking in rows}, plant.id)
    return {one.approval_id: one.from_day or date.min for several in found.values() for one in several}


def _runs(plant: Plant) -> dict[date, list[Piece]]:
    query = select(Run).join(Load, Load.id == Run.load_id).where(Run.plant_id == plant.id, Load.state == "accepted")
    pieces: dict[date, list[Piece]] = defaultdict(list)
    for run in db.session.scalars(query):
        pieces[run.day].append((run.starts, run.ends, run.gph, f"run {run.id}"))
    return pieces


def _arranged(plant: Plant) -> set[str]:
    """The planned sessions that lie in the span arranged for them in writing (§ 329-7 F(4))."""
    query = (
        select(PlannedSession.id, PlannedSession.starts, PlannedSession.ends, SpecialTime.starts, SpecialTime.until)
        .join(SpecialTime, SpecialTime.booking_id == PlannedSession.booking_id)
        .where(PlannedSession.plant_id == plant.id, SpecialTime.letter_id.is_not(None))
    )  # fmt: skip
    rows: Any = db.session.execute(query)
    return {f"planned_session {ident}" for ident, starts, ends, first, last in rows if first <= starts < ends <= last}


def _outside(law: Law, day: date, pieces: list[Piece], arranged: set[str], since: datetime | None) -> list[str]:
    """Plans must lie inside the hours of their day and outside a closed part of it, or a special time in the span
    arranged for it.

    What was run was run, and is not a fault of the rows; nor is what was over when the day came on the calendar
    (``since``).
    """
    plans = [piece for piece in pieces if piece[3] not in arranged and piece[3].startswith("planned")
             and (since is None or piece[1] > since)]  # fmt: skip
    hours = dump_hours(law, day)
    if not isinstance(hours, Hours):
        return [f"{name}: the plant is closed on {day}." for *_, name in plans]
    out = [name for start, end, _, name in plans if not hours.start <= start < end <= hours.end]
    found, part = [f"{name}: outside the hours of {day}." for name in out], shut_part(law, day)
    if part is None:
        return found
    # The limit says nothing of what goes into a tank, so what meets a closed part is looked for here.
    shut, name_of = part
    when = f"{shut.start.astimezone(law.zone):%H:%M} to {shut.end.astimezone(law.zone):%H:%M}"
    return found + [f"{name}: the plant is closed on {day} from {when} ({name_of})."
                    for start, end, _, name in plans
                    if name not in out and start < shut.end and shut.start < end]  # fmt: skip


def _calendar(plant: Plant) -> dict[date, datetime]:
    """Since when each day of the calendar says what it says."""
    rows: Any = db.session.execute(select(ClosureDay.day, ClosureDay.set_at).filter_by(plant_id=plant.id))
    return {day: at for day, at in rows}  # noqa: C416 - rows are no pairs to mypy


def _over(plant: Plant, law: Law, day: date, pieces: list[Piece], facts: Facts, tank: TankRows,
          before: list[Before]) -> list[str]:  # fmt: skip
    """The draw changes only where something starts: it is added up there. Plans keep to the planning limit, less what
    the valve of a tank has of it.

    A measured rate may pass it; above the hard limit it is a fault of the rows only where no excess is kept.
    """
    # Flow recorded since may have lowered or raised the limit: what fits one of the two was right when it was made.
    caps = [cap_on(law, day)]
    if reads_meter(law, day):
        caps.append(cap_on(law, day, readings=recorded_for(plant.id, law, day, day)))
    for at in sorted({start for start, *_ in pieces}):
        here = [(gph, name) for start, end, gph, name in pieces if start <= at < end]
        # What runs was right by the limit it began under, whatever was put in force for its day since; what waits in a
        # truck keeps the room of its load.
        begun = min(facts.begun.get(name, start) for start, end, _, name in pieces if start <= at < end)
        known = [*caps, *still(before, begun)]
        own, hard = facts.planned(here), max(one.hard_at(at) for one in known)
        limit = max(one.plan_at(at) for one in known) if any(name.startswith("planned") for _, name in own) else hard
        limit = max(0, limit - tank.valve(law, day, at))
        for several, most in ((own, limit), (facts.untold(here), hard)):
            draw, names = sum(gph for gph, _ in several), ", ".join(name for _, name in several)
            if draw > most:
                when = f"{at.astimezone(law.zone):%Y-%m-%d %H:%M}"
                return [f"{names}: {draw} gallons an hour at {when}, the limit is {most}."]
    return []
