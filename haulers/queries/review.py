"""The committee's table: every application against what the plant can take, with a suggested share (§ 329-7 B(2))."""

from dataclasses import dataclass
from datetime import datetime

from haulers.models import Application, Decision, Licence, Revocation
from haulers.ports import Record, track_record
from haulers.queries.applications import Totals, filed, sources_of, totals
from haulers.queries.approvals import revocations_of
from haulers.queries.businesses import licence_holds, licences_of
from haulers.queries.decisions import current_decisions, taken_gallons
from haulers.queries.filing_fees import Fee, fees_of
from haulers.states import ApplicationState
from office.formats import plural
from office.plants import Plant
from ordinances.allocation import Ask, Method, Recommendation, recommend
from ordinances.calendar import Season, season_of
from ordinances.rate_cap import Capacity, season_capacity
from ordinances.reader import Law


@dataclass(frozen=True)
class ReviewRow:
    """One application as the committee sees it; gallons. Suggestions are nought once it is decided."""

    application: Application
    totals: Totals
    suggested_winter: int
    suggested_rest: int
    last: Record | None
    revocations: tuple[Revocation, ...]
    fee: Fee | None
    licence: Licence | None
    licence_ok: bool
    decision: Decision | None

    @property
    def suggested(self) -> int:
        return self.suggested_winter + self.suggested_rest

    @property
    def inside_share(self) -> float:
        """Only for the order of the table."""
        return self.totals.inside / self.totals.asked if self.totals.asked else 0.0

    @property
    def decided(self) -> bool:
        return self.decision is not None or self.application.state != ApplicationState.FILED.value

    @property
    def checks(self) -> list[str]:
        """What a member should look at, in words; empty when all is well."""
        found = ["Fee not received"] if self.fee is None else [] if self.fee.holds else ["Fee taken back"]
        found += [] if self.licence_ok else ["License ends before the season"]
        found += ["Revoked before"] if self.revocations else []
        found += ["Filed on the state's date"] if self.application.late_for_state else []
        if self.last and self.last.late_records:
            found.append(plural(self.last.late_records, "late record"))
        return found


@dataclass(frozen=True)
class ReviewTable:
    """All applications of a season, first those with the largest share from inside the service area."""

    season: Season
    capacity: Capacity
    approved_winter: int
    approved_rest: int
    rows: tuple[ReviewRow, ...]
    winter: Recommendation
    rest: Recommendation

    @property
    def undecided(self) -> list[ReviewRow]:
        return [row for row in self.rows if not row.decided]

    def asked(self, part: str, *, inside: bool) -> int:
        """Gallons all applications ask for in ``winter`` or ``rest``, inside the service area or elsewhere."""
        by_tier = [getattr(row.totals, part) for row in self.rows]
        return sum(gallons for tiers in by_tier for tier, gallons in tiers.items() if (tier == 1) is inside)


def review_table(plant: Plant, season: Season, law: Law, at: datetime) -> ReviewTable:
    """The table of a season. A constant number of queries, however many applications."""
    applications = filed(plant.id, season.name)
    ids, businesses = [one.id for one in applications], [one.business_id for one in applications]
    sources = sources_of(ids)
    sums = {one.id: totals(sources.get(one.id, [])) for one in applications}
    capacity = season_capacity(law, season)
    taken_winter, taken_rest = taken_gallons(plant.id, season.name, at)
    decisions = current_decisions(ids)
    open_ones = [one for one in applications if one.state == ApplicationState.FILED.value and one.id not in decisions]
    asks = [[_ask(one, part) for one, part in _parts(open_ones, sums, name)] for name in ("winter", "rest")]
    method = _method(law, season)
    winter = recommend(asks[0], max(0, capacity.winter - taken_winter), method)
    rest = recommend(asks[1], max(0, capacity.rest - taken_rest), method)
    shares = [{share.ref: share.gallons for share in part.shares} for part in (winter, rest)]
    before = season_of(law, season.start.replace(year=season.start.year - 1))
    records = track_record().last_season(plant.id, businesses, before.name)
    revoked, fees = revocations_of(businesses, plant.id), fees_of(ids)
    licences = licences_of(businesses)
    rows = [
        ReviewRow(
            one, sums[one.id], shares[0].get(str(one.number), 0), shares[1].get(str(one.number), 0),
            records.get(one.business_id), tuple(revoked.get(one.business_id, ())), fees.get(one.id),
            licences.get(one.business_id), licence_holds(licences.get(one.business_id), season.start),
            decisions.get(one.id),
        )
        for one in applications
    ]  # fmt: skip
    rows.sort(key=lambda row: (-row.inside_share, row.application.filed_at, row.application.id))
    return ReviewTable(season, capacity, taken_winter, taken_rest, tuple(rows), winter, rest)


def _method(law: Law, season: Season) -> Method:
    key = "decision.allocation_method"
    method: Method = law.value(key, season.start) if law.has(key, season.start) else "pro_rata"
    return method


def _parts(
    applications: list[Application], sums: dict[int, Totals], name: str
) -> list[tuple[Application, dict[int, int]]]:
    return [(one, getattr(sums[one.id], name)) for one in applications]


def _ask(application: Application, by_tier: dict[int, int]) -> Ask:
    assert application.filed_at is not None
    return Ask(str(application.number), application.filed_at, by_tier)
