"""The committee's table: every application against what the plant can take, with a suggested share (§ 329-7 B(2))."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from haulers.models import (
    Application,
    ApplicationChange,
    Decision,
    Insurance,
    Licence,
    MemberNote,
    Revocation,
    Suspension,
)
from haulers.ports import Record
from haulers.queries.applications import Totals, filed, sources_of, totals
from haulers.queries.changes import changes_of
from haulers.queries.decisions import current_decisions, taken_gallons
from haulers.queries.enforcement import suspension_holds
from haulers.queries.filing_fees import Fee, fees_of
from haulers.queries.in_time import CHANGED, Changed, changed_since
from haulers.queries.opened import ended
from haulers.queries.since import Since, since_of
from haulers.queries.track import Dates, Track, dates_of, notes_of, tracks
from haulers.queries.windows import window_of
from haulers.states import ApplicationState
from office.plants import Plant
from ordinances.allocation import Ask, Method, Recommendation, recommend
from ordinances.calendar import Season, season_of
from ordinances.rate_cap import Capacity, season_capacity
from ordinances.reader import Law, NoLaw

ASKED, AFTER_VOTE = "Change asked for", "Changed after the vote"
FILTERS = {
    "all": "All", "undecided": "Not decided", "inside": "From inside the service area", "problem": "Something to check",
}  # fmt: skip


@dataclass(frozen=True)
class ReviewRow:
    """One application as the committee sees it; gallons. Suggestions are nought once it is decided.

    ``note`` is the reader's own. ``dates`` are those of the decision: the vote and the letter. ``since`` is its
    approval, once that is out; ``suspended`` what holds that approval now. ``changed`` is what its hauler changed
    after it was sent: gallons raised after the close are not suggested (§ 329-7 B(1)). ``after_vote``: a change its
    newest decision knows nothing of.
    """

    application: Application
    totals: Totals
    suggested_winter: int
    suggested_rest: int
    track: Track
    fee: Fee | None
    decision: Decision | None
    dates: Dates | None
    note: MemberNote | None
    change: ApplicationChange | None
    since: Since | None = None
    suspended: Suspension | None = None
    changed: Changed | None = None
    after_vote: bool = False

    @property
    def approved(self) -> tuple[int, int]:
        """Winter and rest gallons approved, as they stand with what was granted on top; none while not decided."""
        if self.since is not None and not self.unissued:
            return self.since.winter, self.since.rest
        return (self.decision.gallons_winter, self.decision.gallons_rest) if self.decision is not None else (0, 0)

    @property
    def address(self) -> str:
        """What stands after the season in the address of its page."""
        return str(self.application.number).partition("/")[2]

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
    def unissued(self) -> bool:
        """Decided, and its hauler not told yet."""
        return self.decision is not None and self.decision.letter_id is None

    @property
    def last(self) -> Record | None:
        return self.track.last

    @property
    def revocations(self) -> tuple[Revocation, ...]:
        return self.track.revocations

    @property
    def revoked(self) -> tuple[Revocation, ...]:
        """Revocations since it was decided."""
        decided = self.decision
        return () if decided is None else tuple(one for one in self.revocations if one.at >= decided.decided_at)

    @property
    def licence(self) -> Licence | None:
        return self.track.licence

    @property
    def licence_ok(self) -> bool:
        return self.track.licence_ok

    @property
    def insurance(self) -> Insurance | None:
        return self.track.insurance

    @property
    def checks(self) -> list[str]:
        """What a member should look at, in words; empty when all is well."""
        found = ["Fee not received"] if self.fee is None else [] if self.fee.holds else ["Fee taken back"]
        found += self.track.checks
        one = self.application
        found += ["Filed on the state's date"] if one.late_for_state and not one.late_reason else []
        found += ["Taken late"] if self.application.taken_by_id is not None else []
        found += [AFTER_VOTE] if self.after_vote else self.changed.checks if self.changed is not None else []
        if self.change is not None:
            found.append(ASKED if self.change.side == "hauler" else "Waiting for more information")
        return found

    @property
    def said(self) -> list[str]:
        """``checks``, first that it is complete: its hauler's own wish for a change, or a change made, leaves it so."""
        return self.checks if set(self.checks) - {ASKED, CHANGED} else ["Complete", *self.checks]

    def shown(self, which: str) -> bool:
        """Whether a filter of the table keeps it."""
        return {"undecided": not self.decided, "inside": self.totals.inside > 0,
                "problem": bool(self.checks)}.get(which, True)  # fmt: skip


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

    @property
    def unissued(self) -> list[ReviewRow]:
        return [row for row in self.rows if row.unissued]

    def asked(self, part: str, *, inside: bool) -> int:
        """Gallons all applications ask for in ``winter`` or ``rest``, inside the service area or elsewhere."""
        by_tier = [getattr(row.totals, part) for row in self.rows]
        return sum(gallons for tiers in by_tier for tier, gallons in tiers.items() if (tier == 1) is inside)

    def shown(self, which: str) -> list[ReviewRow]:
        """The rows a filter keeps."""
        return [row for row in self.rows if row.shown(which)]

    def counts(self) -> list[tuple[str, str, int]]:
        """Each filter: its name, its words, how many rows it keeps."""
        return [(name, words, len(self.shown(name))) for name, words in FILTERS.items()]


def review_table(plant: Plant, season: Season, law: Law, at: datetime, person_id: int | None = None) -> ReviewTable:
    """The table of a season, with the notes of ``person_id``. A constant number of queries, however many there are."""
    applications = filed(plant.id, season.name)
    ids, businesses = [one.id for one in applications], [one.business_id for one in applications]
    sources = sources_of(ids)
    sums = {one.id: totals(sources.get(one.id, [])) for one in applications}
    fees, notes, changes = fees_of(ids), notes_of(person_id, ids), changes_of(ids)
    window = window_of(law, season)
    capacity = season_capacity(law, season)
    taken = taken_gallons(plant.id, season.name, at)
    decisions = current_decisions(ids)
    changed = {one.id: changed_since(sums[one.id], changes.get(one.id, ()), window) for one in applications}
    counted = {ident: one.counted for ident, one in changed.items()}
    open_ones = [one for one in applications if one.state == ApplicationState.FILED.value and one.id not in decisions]
    winter, rest = suggest(law, season, open_ones, counted, (capacity.winter - taken[0], capacity.rest - taken[1]))
    shares = [{share.ref: share.gallons for share in part.shares} for part in (winter, rest)]
    known = tracks(plant.id, businesses, _season_before(law, season), season, law, at)
    dates, since = dates_of([one.id for one in decisions.values()]), since_of(ids)
    rows = []
    for one in applications:
        decision = decisions.get(one.id)
        rows.append(ReviewRow(
            one, sums[one.id], shares[0].get(str(one.number), 0), shares[1].get(str(one.number), 0),
            known[one.business_id], fees.get(one.id), decision, dates.get(decision.id) if decision else None,
            notes.get(one.id), _waiting(one, changes.get(one.id, ()), law, at), since.get(one.id),
            _held(known[one.business_id], since.get(one.id), at, law), changed[one.id],
            _after_vote(decision, changes.get(one.id, ())),
        ))  # fmt: skip
    rows.sort(key=lambda row: (-row.inside_share, row.application.filed_at, row.application.id))
    return ReviewTable(season, capacity, *taken, tuple(rows), winter, rest)


def _waiting(one: Application, changes: Sequence[ApplicationChange], law: Law,
             at: datetime) -> ApplicationChange | None:  # fmt: skip
    """The change that is neither made nor refused yet and did not end with the window."""
    made = next((change for change in changes if change.answered_at is None and change.refused_at is None), None)
    return made if made is not None and ended(made, one, law, at) is None else None


def _after_vote(decision: Decision | None, changes: Sequence[ApplicationChange]) -> bool:
    """Whether its hauler changed it after the newest decision, which knows nothing of it."""
    return decision is not None and any(
        one.answered_at is not None and one.answered_at > decision.decided_at for one in changes
    )


def _held(track: Track, since: Since | None, at: datetime, law: Law) -> Suspension | None:
    """The suspension that holds the approval an application led to today; the longest of several."""
    today = at.astimezone(law.zone).date()
    mine = [
        one
        for one in track.suspensions
        if since is not None and one.approval_id == since.approval.id and suspension_holds(one, at, today)
    ]
    return max(mine, key=lambda one: (one.until is None, one.until or today), default=None)


def _season_before(law: Law, season: Season) -> str | None:
    """The name of the season before; None where the law does not reach back so far."""
    try:
        return season_of(law, season.start - timedelta(days=1)).name
    except NoLaw:
        return None


def suggest(
    law: Law, season: Season, applications: list[Application], sums: Mapping[int, Totals], room: tuple[int, int]
) -> tuple[Recommendation, Recommendation]:
    """The suggested shares of undecided applications in winter and the rest of the year, in what is left of each."""
    method = method_of(law, season)
    found = []
    for part, left in zip(("winter", "rest"), room, strict=True):
        asks = [Ask(str(one.number), one.filed_at, getattr(sums[one.id], part))
                for one in applications if one.filed_at is not None]  # fmt: skip
        found.append(recommend(asks, max(0, left), method))
    return found[0], found[1]


def method_of(law: Law, season: Season) -> Method:
    """How what fits is shared in a season: in proportion where the law does not say."""
    key = "decision.allocation_method"
    method: Method = law.value(key, season.start) if law.has(key, season.start) else "pro_rata"
    return method
