"""A source asked for after the approval, as an application states one, with its tier (§ 329-7 B(1), NR 205.07)."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import Select, select

from haulers.models import Amendment, Approval
from haulers.queries.applications import ASKS, SourceLine, sources_of
from haulers.states import AmendmentState
from office.db import db
from office.letters import Letter
from ordinances.allocation import AREAS, Tier, tier_of
from ordinances.reader import Law
from ordinances.screening import WASTE_TYPES


def source_asked(asked: Amendment, granted: bool = False) -> SourceLine:
    """The source of a request, with the gallons asked for on top, or those ``granted``."""
    winter, rest = asked.extra_winter, asked.extra_rest
    if granted:
        winter, rest = asked.granted_winter, asked.granted_rest
    return line_of(asked.new, winter, rest)


def line_of(new: Mapping[str, Any], winter: int = 0, rest: int = 0) -> SourceLine:
    """The source a request names. Requests made before this was asked say neither area nor tank."""
    return SourceLine(str(new.get("waste", "")), str(new.get("place", "")).strip(), str(new.get("area", "")),
                      str(new.get("frequency", "")).strip(), None, winter, rest,
                      existing=bool(new.get("existing", True)),
                      replaces_failed=bool(new.get("replaces_failed", False)))  # fmt: skip


def lacking(new: Mapping[str, Any], law: Law, day: date) -> list[str]:
    """What the law asks of a source and this one does not say; gallons are asked for on top and a load's are not."""
    asks: Collection[str] = law.value("application.asks", day) if law.has("application.asks", day) else ASKS
    return line_of(new).missing([one for one in asks if one != "quantity"])


def tier_asked(new: Mapping[str, Any], law: Law | None = None, on: date | None = None) -> Tier | None:
    """The tier of a source asked for; None where its request names no area."""
    one = line_of(new)
    if one.area not in AREAS:
        return None
    return tier_of(one.area, one.waste, one.existing, one.replaces_failed, law=law, on=on)


def source_words(new: Mapping[str, Any]) -> str:
    """ "holding tank waste from Cabins, outside the planning area, a new tank, twice a year (tier 4)" """
    one, tier = line_of(new), tier_asked(new)
    said = f"{WASTE_TYPES[one.waste].lower()} waste from {one.place}"
    if tier is None:
        return said
    tank = "a tank that is there already" if one.existing else "a new tank"
    tank = "a holding tank that replaced a failed system" if one.replaces_failed else tank
    area = AREAS[one.area]
    parts = filter(None, (said, area[:1].lower() + area[1:], tank, one.frequency))
    return f"{', '.join(parts)} (tier {tier.number})"


def sources_granted(application_id: int) -> list[SourceLine]:
    """The sources granted by letter under the approvals of an application, first granted first."""
    return [source_asked(one, granted=True) for one in db.session.scalars(_granted(application_id))]


def _granted(application_id: int) -> Select[Amendment]:
    return (
        select(Amendment).join(Approval, Approval.id == Amendment.approval_id)
        .where(Approval.application_id == application_id, Amendment.kind == "source",
               Amendment.state == AmendmentState.GRANTED.value, Amendment.letter_id.is_not(None))
        .order_by(Amendment.decided_at, Amendment.id)
    )  # fmt: skip


@dataclass(frozen=True)
class ApprovedPlace:
    """A source an approval covers: its key among them, the place as it was applied for, and the type of waste."""

    key: str
    place: str
    waste: str

    @property
    def words(self) -> str:
        """ "Homes along County Road J: septic tank waste"."""
        return f"{self.place}: {WASTE_TYPES.get(self.waste, self.waste).lower()} waste"


def approved_places(approval_id: int | None, at: datetime | None = None) -> list[ApprovedPlace]:
    """The sources an approval covers: those of its application, then those granted by letter, until ``at`` if given."""
    found = db.session.get(Approval, approval_id) if approval_id is not None else None
    if found is None:
        return []
    said = [ApprovedPlace(f"s{row.id}", row.place, row.waste)
            for row in sources_of([found.application_id]).get(found.application_id, [])]  # fmt: skip
    query = _granted(found.application_id)
    if at is not None:
        query = query.join(Letter, Letter.id == Amendment.letter_id).where(Letter.written_at <= at)
    for one in db.session.scalars(query):
        line = source_asked(one, granted=True)
        said.append(ApprovedPlace(f"c{one.id}", line.place, line.waste))
    return list({one.words: one for one in reversed(said) if one.place}.values())[::-1]


def approved_sources(approval_id: int | None) -> list[str]:
    """The sources an approval covers, in words."""
    return [one.words for one in approved_places(approval_id)]
