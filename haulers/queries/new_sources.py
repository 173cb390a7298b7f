"""A source asked for after the approval, as an application states one, with its tier (§ 329-7 B(1), NR 205.07)."""

from collections.abc import Collection, Mapping
from datetime import date
from typing import Any

from sqlalchemy import select

from haulers.models import Amendment, Approval
from haulers.queries.applications import ASKS, SourceLine, as_line, sources_of
from haulers.states import AmendmentState
from office.db import db
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
    query = (
        select(Amendment).join(Approval, Approval.id == Amendment.approval_id)
        .where(Approval.application_id == application_id, Amendment.kind == "source",
               Amendment.state == AmendmentState.GRANTED.value, Amendment.letter_id.is_not(None))
        .order_by(Amendment.decided_at, Amendment.id)
    )  # fmt: skip
    return [source_asked(one, granted=True) for one in db.session.scalars(query)]


def approved_sources(approval_id: int | None) -> list[str]:
    """The sources an approval covers, in words: those of its application, then those granted since by letter."""
    found = db.session.get(Approval, approval_id) if approval_id is not None else None
    if found is None:
        return []
    said = [as_line(row) for row in sources_of([found.application_id]).get(found.application_id, [])]
    return [f"{one.place}: {WASTE_TYPES.get(one.waste, one.waste).lower()} waste"
            for one in (*said, *sources_granted(found.application_id)) if one.place]  # fmt: skip
