"""What the committee sees of a hauler's last season and a revocation of its bookings: the port haulers asks through."""

from collections.abc import Collection
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from sqlalchemy import Float, and_, case, cast, distinct, func, or_, select

from haulers.ports import BookingLine, LoadLine, PlaceLine, Record
from intake.models import Booking, Hold, Load, PlannedSession, Result, Retest, Run, WrittenRecord
from intake.queries import allowance, excess, set_aside
from intake.queries.capacity import opened, stopped, turned_away
from intake.queries.counting import figures_of
from intake.queries.places import places_on
from intake.states import BookingState, LoadState
from office import clock
from office.db import db
from office.law import law_in_force
from office.plants import Plant
from ordinances.calendar import season_named
from ordinances.loading import Mean
from ordinances.reader import Law, NoLaw


class Records:
    """Implements ``haulers.ports.TrackRecord``."""

    def last_season(self, plant_id: int, business_ids: Collection[int], season_name: str) -> dict[int, Record]:
        """Loads, gallons, refusals, late written records, holds, no-shows and late cancellations of each business in a
        season it was seen in.

        A record not in yet is late once its time has passed. A season before any law has no record. Five queries
        besides the law's.
        """
        plant = db.session.get_one(Plant, plant_id)
        days = _days(plant, season_name)
        if days is None:
            return {}
        first, last = days
        held = {one: int(count) for one, count in db.session.execute(_holds(plant, business_ids, first, last))}
        rows = db.session.execute(_totals(plant_id, business_ids, first, last, clock.now()))
        found = {
            business: Record(
                int(loads), int(gallons), int(refused), int(late), held.get(business, 0), elsewhere=int(elsewhere)
            )
            for business, loads, gallons, refused, late, elsewhere in rows
        }
        found |= {one: Record(0, 0, 0, 0, count) for one, count in held.items() if one not in found}
        for one, over in excess.by_business(plant_id, business_ids, first, last).items():
            found[one] = replace(found[one], over_limit=over)
        for one, count in set_aside.by_business(plant_id, business_ids, first, last).items():
            found[one] = replace(found[one], set_aside=count)
        for one, missed, late in db.session.execute(_not_kept(plant_id, business_ids, first, last)):
            if missed or late:
                record = found.get(one, Record(0, 0, 0, 0, 0))
                found[one] = replace(record, no_shows=int(missed), late_cancels=int(late))
        return found

    def means(
        self, plant_id: int, business_ids: Collection[int], season_name: str
    ) -> dict[int, dict[tuple[str, str], Mean]]:
        """Mean results in mg/L by (waste, parameter); one outside what the test measures counts at its bound, a new
        test that prevails in place of the first (§ 329-6 J). Three queries at most.
        """
        days = _days(db.session.get_one(Plant, plant_id), season_name)
        found: dict[int, dict[tuple[str, str], Mean]] = {}
        if days is None:
            return found
        changed = _prevailed(plant_id, business_ids, *days)
        for business, waste, parameter, mean, count, inexact in db.session.execute(
            _means(plant_id, business_ids, *days)
        ):
            more, rough = changed.get((business, waste, parameter), (Decimal(0), 0))
            whole = (Decimal(str(mean)) + more / count).quantize(Decimal(1), ROUND_HALF_UP)
            found.setdefault(business, {})[waste, parameter] = Mean(whole, int(count), int(inexact) + rough)
        return found

    def bookings_of(self, approval_id: int, at: datetime) -> list[BookingLine]:
        """Bookings of an approval with a session still to come, by their first such session."""
        query = (
            select(Booking.number, func.min(PlannedSession.starts), Booking.gallons)
            .join(PlannedSession, PlannedSession.booking_id == Booking.id)
            .where(Booking.approval_id == approval_id, Booking.state == BookingState.BOOKED.value)
            .where(PlannedSession.ends > at, ~opened(), ~turned_away(), ~stopped())
            .group_by(Booking.id, Booking.number, Booking.gallons)
            .order_by(func.min(PlannedSession.starts), Booking.id)
        )
        return [BookingLine(number, starts, gallons) for number, starts, gallons in db.session.execute(query)]

    def loads_of(self, plant_id: int, business_id: int) -> list[LoadLine]:
        """A business's newest loads at a plant, newest first, void ones left out."""
        query = (
            select(Load, WrittenRecord.unapproved).outerjoin(WrittenRecord, WrittenRecord.load_id == Load.id)
            .where(Load.plant_id == plant_id, Load.business_id == business_id, Load.state != LoadState.VOID.value)
            .order_by(Load.day.desc(), Load.id.desc()).limit(60)
        )  # fmt: skip
        rows = db.session.execute(query).all()
        found, elsewhere = [one for one, _ in rows], {one.id: bool(unapproved) for one, unapproved in rows}
        over = {load_id: max(row.drawn_gph for row in rows)
                for load_id, rows in excess.of_loads(one.id for one in found).items()}  # fmt: skip
        return [LoadLine(one.ticket, one.day, one.waste, one.gallons, one.state == LoadState.REFUSED.value,
                         over.get(one.id, 0), elsewhere[one.id]) for one in found]  # fmt: skip

    def places(self, plant_id: int, business_id: int, first: date, last: date) -> list[PlaceLine]:
        """Open stations and tanks, and each manhole by the written approvals that let the business use it."""
        found: list[PlaceLine] = []
        for one in places_on(plant_id, [first])[first]:
            hours = (one.rule.opens, one.rule.closes) if one.rule is not None else (None, None)
            if one.is_open and not one.is_manhole:
                found.append(PlaceLine(one.name, one.kind, *hours, one.wastes))
            for permit in one.permits if one.is_open and one.is_manhole else ():
                since, until = max(first, permit.since), min(last, permit.until)
                if since <= until and permit.holds(since, business_id):
                    found.append(PlaceLine(one.name, one.kind, *hours, one.wastes, since, until))
        return found

    def taken(self, approval_id: int, law: Law, at: datetime) -> tuple[int, int]:
        """Gallons unloaded and still booked: days gone by count no more when nobody came."""
        found = allowance.used_and_booked(approval_id, law, at)
        return found.taken(True), found.taken(False)

    def used(self, approval_id: int) -> int:
        """Gallons unloaded under an approval so far."""
        return allowance.used(approval_id)


def _days(plant: Plant, season_name: str) -> tuple[date, date] | None:
    # The last day of the year a season is named after lies in it, whenever in the year it begins. A law adopted later
    # than that still says which days the season has, as far as its rows reach back.
    today = clock.now().astimezone(plant.tz).date()
    for day in (date(int(season_name[:4]), 12, 31), today):
        try:
            season = season_named(law_in_force(plant, day), season_name)
        except NoLaw:
            continue
        return season.start, season.end
    return None


def _totals(plant_id: int, business_ids: Collection[int], first: date, last: date, at: datetime) -> Any:
    accepted = Load.state == LoadState.ACCEPTED.value
    gallons = select(func.coalesce(func.sum(Run.gallons), 0)).where(Run.load_id == Load.id).scalar_subquery()
    late = and_(accepted, or_(WrittenRecord.filed_at > Load.record_due,
                              and_(WrittenRecord.id.is_(None), Load.record_due < at)))  # fmt: skip
    return (
        select(Load.business_id, func.count(case((accepted, 1))), func.coalesce(func.sum(case((accepted, gallons))), 0),
               func.count(case((Load.state == LoadState.REFUSED.value, 1))), func.count(case((late, 1))),
               func.count(case((and_(accepted, WrittenRecord.unapproved > 0), 1))))
        .outerjoin(WrittenRecord, WrittenRecord.load_id == Load.id)
        .where(Load.plant_id == plant_id, Load.business_id.in_(business_ids), Load.day.between(first, last))
        .where(Load.state != LoadState.VOID.value)
        .group_by(Load.business_id)
    )  # fmt: skip


def _means(plant_id: int, business_ids: Collection[int], first: date, last: date) -> Any:
    return (
        select(Load.business_id, Load.waste, Result.parameter, func.avg(cast(Result.value, Float)),
               func.count(Result.id), func.count(case((Result.qualifier != "", 1))))
        .join(Result, Result.load_id == Load.id)
        .where(Load.plant_id == plant_id, Load.business_id.in_(business_ids), Load.day.between(first, last))
        .where(Load.state == LoadState.ACCEPTED.value)
        .group_by(Load.business_id, Load.waste, Result.parameter)
    )  # fmt: skip


def _prevailed(
    plant_id: int, business_ids: Collection[int], first: date, last: date
) -> dict[tuple[int, str, str], tuple[Decimal, int]]:
    """By how much new tests that count change the sum of results and the number of inexact ones."""
    query = (
        select(Load.id, Load.business_id, Load.waste).join(Retest, Retest.load_id == Load.id).distinct()
        .where(Load.plant_id == plant_id, Load.business_id.in_(business_ids), Load.day.between(first, last))
        .where(Load.state == LoadState.ACCEPTED.value, Retest.prevails.is_(True))
    )  # fmt: skip
    whose = {load_id: (business, waste) for load_id, business, waste in db.session.execute(query)}
    found: dict[tuple[int, str, str], tuple[Decimal, int]] = {}
    for load_id, figures in figures_of(whose).items() if whose else ():
        for name, one in figures.items():
            if one.first is None:
                continue
            more, rough = found.get((*whose[load_id], name), (Decimal(0), 0))
            found[*whose[load_id], name] = (more + one.value - one.first.value,
                                            rough + bool(one.qualifier) - bool(one.first.qualifier))  # fmt: skip
    return found


def _not_kept(plant_id: int, business_ids: Collection[int], first: date, last: date) -> Any:
    """Bookings nobody came for and bookings cancelled late, each once, with a time planned in some days."""
    inside = select(PlannedSession.booking_id).where(PlannedSession.day.between(first, last))
    missed, late = Booking.state == BookingState.NO_SHOW.value, Booking.ended_late
    return (
        select(Booking.business_id, func.count(case((missed, 1))), func.count(case((late, 1))))
        .where(Booking.plant_id == plant_id, Booking.business_id.in_(business_ids), or_(missed, late),
               Booking.id.in_(inside))
        .group_by(Booking.business_id)
    )  # fmt: skip


def _holds(plant: Plant, business_ids: Collection[int], first: date, last: date) -> Any:
    since = datetime.combine(first, time(0), plant.tz)
    until = datetime.combine(last + timedelta(days=1), time(0), plant.tz)
    return (
        select(Booking.business_id, func.count(distinct(Hold.id)))
        .join(Hold, Hold.booking_id == Booking.id)
        .where(Hold.plant_id == plant.id, Booking.business_id.in_(business_ids))
        .where(Hold.made_at >= since, Hold.made_at < until)
        .group_by(Booking.business_id)
    )
