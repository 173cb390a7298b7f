"""One application whole, as the committee reads it: sources by tier, pounds a day, trucks and drivers (NR 205.07)."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import select

from haulers.models import ApplicationSource, Driver, Truck, TruckOfBusiness
from haulers.queries.applications import Totals, sources_of
from haulers.queries.review import ReviewRow, ReviewTable
from office.db import db
from ordinances.allocation import Recommendation, Tier, tier_numbered, tier_of
from ordinances.calendar import Season, winter
from ordinances.loading import Loading, large_source, loadings
from ordinances.rate_cap import cap_on
from ordinances.reader import Law
from ordinances.rows import Row


@dataclass(frozen=True)
class SourceView:
    """One source with its tier; ``large`` is the state's row where its holding tank waste reaches it."""

    row: ApplicationSource
    tier: Tier
    large: Row | None


@dataclass(frozen=True)
class TierView:
    """One tier of an application: gallons asked for and suggested in winter and in the rest of the year."""

    tier: Tier
    winter: int
    winter_suggested: int
    rest: int
    rest_suggested: int


@dataclass(frozen=True)
class Dossier:
    """What the committee reads of one application besides its row of the table. Loadings are of an open day."""

    sources: tuple[SourceView, ...]
    tiers: tuple[TierView, ...]
    winter: tuple[Loading, ...]
    rest: tuple[Loading, ...]
    trucks: tuple[Truck, ...]
    drivers: tuple[Driver, ...]

    @property
    def strong(self) -> list[Loading]:
        """Parameters in which this waste at the full rate would make the plant's inflow a slug; each once."""
        found = {one.parameter: one for one in (*self.rest, *self.winter) if one.strong is not None}
        return list(found.values())


def dossiers(table: ReviewTable, rows: Sequence[ReviewRow], law: Law) -> dict[int, Dossier]:
    """The dossiers of some rows of a table, by application. A constant number of queries."""
    sources = sources_of([row.application.id for row in rows])
    businesses = [row.application.business_id for row in rows]
    trucks, drivers = trucks_by(businesses), drivers_by(businesses)
    return {
        row.application.id: _dossier(table, row, sources.get(row.application.id, []), law,
                                     trucks.get(row.application.business_id, []),
                                     drivers.get(row.application.business_id, []))
        for row in rows
    }  # fmt: skip


def _dossier(table: ReviewTable, row: ReviewRow, sources: Sequence[ApplicationSource], law: Law,
             trucks: Sequence[Truck], drivers: Sequence[Driver]) -> Dossier:  # fmt: skip
    start, capacity = table.season.start, table.capacity
    cap = cap_on(law, start)
    winter_of, rest_of = ({one.waste: 0 for one in sources} for _ in range(2))
    for one in sources:
        winter_of[one.waste] += one.gallons_winter or 0
        rest_of[one.waste] += one.gallons_rest or 0
    means = row.track.means
    return Dossier(
        source_views(sources, table.season, law), _tiers(table, row, law),
        loadings(law, start, winter_of, capacity.winter_days, means, cap),
        loadings(law, start, rest_of, capacity.rest_days, means, cap), tuple(trucks), tuple(drivers),
    )  # fmt: skip


def source_views(sources: Sequence[ApplicationSource], season: Season, law: Law) -> tuple[SourceView, ...]:
    """Sources of an application for a season with their tier and the look at large ones."""
    days = _calendar_days(season, law)
    found = []
    for one in sources:
        tier = tier_of(one.area, one.waste, one.existing, one.replaces_failed, law=law, on=season.start)
        asked = (one.gallons_winter or 0, one.gallons_rest or 0)
        large = [large_source(law, season.start, one.waste, gallons, count)
                 for gallons, count in zip(asked, days, strict=True)]  # fmt: skip
        found.append(SourceView(one, tier, next(filter(None, large), None)))
    return tuple(found)


def _calendar_days(season: Season, law: Law) -> tuple[int, int]:
    """All days of the winter and of the rest of a season: a tank fills on closed days too."""
    first, last = winter(law, season)
    inside = (last - first).days + 1
    return inside, (season.end - season.start).days + 1 - inside


def _tiers(table: ReviewTable, row: ReviewRow, law: Law) -> tuple[TierView, ...]:
    sums: Totals = row.totals
    given = [_share(part, str(row.application.number)) for part in (table.winter, table.rest)]
    return tuple(
        TierView(tier_numbered(number, law, table.season.start), sums.winter.get(number, 0), given[0].get(number, 0),
                 sums.rest.get(number, 0), given[1].get(number, 0))
        for number in sorted({*sums.winter, *sums.rest})
    )  # fmt: skip


def _share(part: Recommendation, ref: str) -> dict[int, int]:
    return next((dict(share.by_tier) for share in part.shares if share.ref == ref), {})


def trucks_by(business_ids: Collection[int]) -> dict[int, list[Truck]]:
    """The trucks each business uses now. One query."""
    rows = db.session.execute(
        select(TruckOfBusiness.business_id, Truck).join(Truck, Truck.id == TruckOfBusiness.truck_id)
        .where(TruckOfBusiness.business_id.in_(set(business_ids)), TruckOfBusiness.ended_at.is_(None),
               Truck.retired_at.is_(None)).order_by(Truck.id)
    )  # fmt: skip
    found: dict[int, list[Truck]] = {}
    for business_id, truck in rows:
        found.setdefault(business_id, []).append(truck)
    return found


def drivers_by(business_ids: Collection[int]) -> dict[int, list[Driver]]:
    """The drivers of each business that have not left, the operator-in-charge first. One query."""
    query = select(Driver).where(Driver.business_id.in_(set(business_ids)), Driver.retired_at.is_(None))
    found: dict[int, list[Driver]] = {}
    for driver in db.session.scalars(query.order_by(Driver.in_charge.desc(), Driver.name, Driver.id)):
        found.setdefault(driver.business_id, []).append(driver)
    return found
