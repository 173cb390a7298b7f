"""What is known of each hauler when the committee reads: last season, results, papers, what was enforced."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime

from sqlalchemy import select

from haulers.models import (
    Decision,
    Insurance,
    Licence,
    Meeting,
    MemberNote,
    Motion,
    Revocation,
    Suspension,
    Violation,
)
from haulers.ports import Record, track_record
from haulers.queries.approvals import revocations_of
from haulers.queries.businesses import licence_holds, licences_of
from haulers.queries.enforcement import suspension_holds, suspensions_of, violations_of
from haulers.queries.papers import insurance_needed, insurances_of
from haulers.queries.undone import Undone, check_words, undone_of
from office.db import db
from office.formats import plural
from office.letters import Letter
from ordinances.calendar import Season
from ordinances.loading import Mean, strong_results
from ordinances.rate_cap import cap_on
from ordinances.reader import Law


@dataclass(frozen=True)
class Track:
    """One hauler's record at a plant; ``means`` are mean results of last season by (waste, parameter), mg/L.

    ``strong``: such waste at the full rate would be a slug. ``suspended_now``: one of the suspensions holds today.
    ``undone`` is what undid a revocation, by its id.
    """

    last: Record | None
    means: Mapping[tuple[str, str], Mean]
    revocations: tuple[Revocation, ...]
    violations: tuple[Violation, ...]
    suspensions: tuple[Suspension, ...]
    licence: Licence | None
    licence_ok: bool
    insurance: Insurance | None
    insurance_ok: bool
    strong: bool = False
    suspended_now: bool = False
    undone: dict[int, Undone] = field(default_factory=dict)

    @property
    def checks(self) -> list[str]:
        """What a member should look at, in words; empty when all is well."""
        found = [] if self.licence_ok else ["License ends before the season" if self.licence else "No license"]
        found += [] if self.insurance_ok else ["Insurance ends before the season" if self.insurance else "No insurance"]
        found += check_words(self.revocations, self.undone)
        found += ["Suspended now" if self.suspended_now else "Suspended before"] if self.suspensions else []
        if open_ones := sum(1 for one in self.violations if one.corrected_on is None):
            found.append(plural(open_ones, "violation not corrected", "violations not corrected"))
        elif self.violations:
            found.append(plural(len(self.violations), "violation"))
        if self.last and self.last.refused:
            found.append(plural(self.last.refused, "refused load"))
        if self.last and self.last.late_records:
            found.append(plural(self.last.late_records, "late record"))
        if self.last and self.last.no_shows:
            found.append(plural(self.last.no_shows, "no-show"))
        if self.last and self.last.late_cancels:
            found.append(plural(self.last.late_cancels, "late cancellation"))
        if self.last and self.last.over_limit:
            found.append(plural(self.last.over_limit, "rate above the limit", "rates above the limit"))
        if self.last and self.last.set_aside:
            found.append(plural(self.last.set_aside, "answer of the gate set aside", "answers of the gate set aside"))
        if self.last and self.last.elsewhere:
            found.append(
                plural(self.last.elsewhere, "load from a place not approved", "loads from places not approved")
            )
        found += ["Strong results"] if self.strong else []
        return found


def tracks(
    plant_id: int, business_ids: Collection[int], before: str | None, season: Season, law: Law, at: datetime
) -> dict[int, Track]:
    """The record of each business in the season named ``before`` (None: none), its papers when ``season`` begins.

    A constant number of queries.
    """
    port = track_record()
    records = port.last_season(plant_id, business_ids, before) if before else {}
    means = port.means(plant_id, business_ids, before) if before else {}
    revoked, held = revocations_of(business_ids, plant_id), suspensions_of(plant_id, business_ids)
    violations = violations_of(plant_id, business_ids)
    undone = undone_of([row for rows in revoked.values() for row in rows])
    licences, insurances = licences_of(business_ids), insurances_of(business_ids)
    needed, cap = insurance_needed(law, season.start), cap_on(law, season.start)
    today = at.astimezone(law.zone).date()
    found = {}
    for one in set(business_ids):
        insurance = insurances.get(one)
        covered = insurance is not None and insurance.ends_on >= season.start
        # Insurance that ended is a thing to look at even where the law does not ask for one.
        found[one] = Track(
            records.get(one), means.get(one, {}), tuple(revoked.get(one, ())), tuple(violations.get(one, ())),
            tuple(held.get(one, ())), licences.get(one), licence_holds(licences.get(one), season.start),
            insurance, covered or (insurance is None and not needed),
            strong_results(law, season.start, means.get(one, {}), cap),
            any(suspension_holds(held_one, at, today) for held_one in held.get(one, ())),
            {row.id: undone[row.id] for row in revoked.get(one, ()) if row.id in undone},
        )  # fmt: skip
    return found


def notes_of(person_id: int | None, application_ids: Collection[int]) -> dict[int, MemberNote]:
    """A person's own notes by application; nobody else's. One query."""
    rows = db.session.scalars(
        select(MemberNote).where(MemberNote.person_id == person_id, MemberNote.application_id.in_(set(application_ids)))
    )
    return {row.application_id: row for row in rows}


@dataclass(frozen=True)
class Dates:
    """When a decision was voted on (§ 329-7 B(2)), and when its letter was issued (NR 113.07); None while it waits."""

    voted: date
    issued: datetime | None


def dates_of(decision_ids: Collection[int]) -> dict[int, Dates]:
    """Both dates of decisions, in one query."""
    rows = db.session.execute(
        select(Decision.id, Meeting.held_on, Letter.written_at)
        .join(Motion, Motion.id == Decision.motion_id).join(Meeting, Meeting.id == Motion.meeting_id)
        .outerjoin(Letter, Letter.id == Decision.letter_id).where(Decision.id.in_(set(decision_ids)))
    )  # fmt: skip
    return {ident: Dates(held_on, written_at) for ident, held_on, written_at in rows}
