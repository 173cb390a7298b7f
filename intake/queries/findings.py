"""What was found of a hauler's waste, which of it holds on a day, and what it does there (§ 329-6 D, E)."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from typing import Any

from sqlalchemy import bindparam, select

from intake.models import WasteFinding
from office import facts, formats
from office.db import db
from office.facts import fact
from office.plants import Plant
from ordinances.fee_line import CENT, rounded
from ordinances.reader import Law
from ordinances.remedies import CONTROL, PAY, PRETREAT, REJECT, outcome
from ordinances.schedule_lines import ScheduleLine
from ordinances.screening import REMEDIES, WASTE_TYPES

ADDED, ADOPTED, DECLINED = "added_cost", "adopted", "declined"


@fact
def _findings(plant_id: int | None, business_id: int) -> list[WasteFinding]:
    return facts.rows(WasteFinding, _made(), plant_id=plant_id, business_id=business_id)


@cache
def _made() -> Any:
    query = select(WasteFinding).where(
        WasteFinding.plant_id == bindparam("plant_id"), WasteFinding.business_id == bindparam("business_id")
    )
    return query.order_by(WasteFinding.id)


def of_business(plant_id: int, business_id: int) -> list[WasteFinding]:
    """Every finding on a hauler's waste, in the order they were made."""
    found: list[WasteFinding] = _findings(plant_id, business_id)
    return found


def holding(plant_id: int, business_id: int, waste: str, day: date) -> list[WasteFinding]:
    """The findings on a waste of a hauler that hold on a day; one the Council declined holds no more."""
    return [one for one in of_business(plant_id, business_id) if one.waste == waste and holds(one, day)]


def holds(row: WasteFinding, day: date) -> bool:
    """Whether a finding holds on a day: from its first day until its last, or until it was ended or declined."""
    return _spans(row, day) and (row.ended_at is None or day < _ended_on(row, row.ended_at))


def _spans(row: WasteFinding, day: date) -> bool:
    """Whether a day is one of a finding's own days, whether or not it was ended."""
    if row.since > day or (row.until is not None and row.until < day):
        return False
    return row.council != DECLINED or (row.council_on is not None and row.council_on > day)


def _ended_on(row: WasteFinding, ended_at: datetime) -> date:
    return ended_at.astimezone(db.session.get_one(Plant, row.plant_id).tz).date()


def _adds(row: WasteFinding, waste: str, day: date, began: datetime) -> bool:
    """Whether a finding adds to what a load of a day costs: adopted by then, and not ended when it was unloaded."""
    if row.waste != waste or not row.cents or not asks(row, PAY) or row.council != ADOPTED or not _spans(row, day):
        return False
    adopted = row.council_on is not None and row.council_on <= day
    return adopted and (row.ended_at is None or began < row.ended_at)


def asks(row: WasteFinding, kind: str) -> str:
    """The law's words of one of its outcomes; "" where it is not among them."""
    return next((words for words in row.outcomes if outcome(words) == kind), "")


def rejecting(rows: Iterable[WasteFinding]) -> WasteFinding | None:
    """The finding that keeps the waste out."""
    return next((one for one in rows if asks(one, REJECT)), None)


def pretreating(rows: Iterable[WasteFinding]) -> WasteFinding | None:
    """The finding that lets the waste in only once something was done to it."""
    return next((one for one in rows if asks(one, PRETREAT)), None)


def highest_rate(rows: Iterable[WasteFinding]) -> int | None:
    """The lowest of the highest rates set, gallons an hour; None where none is controlled."""
    return min((one.gph for one in rows if one.gph and asks(one, CONTROL)), default=None)


def slowest(plant_id: int, business_id: int | None, waste: str, day: date) -> int | None:
    """The highest rate at which a hauler's waste may run on a day; None where nothing is found."""
    if not plant_id or business_id is None or not waste:
        return None
    return highest_rate(holding(plant_id, business_id, waste, day))


def note(rows: Iterable[WasteFinding], cite: str) -> str:
    """What the operator reads beside a yes: what must have been done, how fast it may run."""
    several = list(rows)
    said = [f"Take it only once this is done: {one.pretreatment.rstrip('.')} ({cite})."
            for one in several if asks(one, PRETREAT)]  # fmt: skip
    most = highest_rate(several)
    return " ".join(said + ([f"At most {formats.rate(most)} ({cite})."] if most else []))


def added_lines(plant_id: int, business_id: int, waste: str, parts: Iterable[tuple[date, int]], began: datetime,
                law: Law) -> tuple[ScheduleLine, ...]:  # fmt: skip
    """The added cost of a load: a line for each finding the Council adopted, by the load or by its gallons.

    ``parts``: day and gallons of each morning; the findings of the first day hold, as adopted on or before it. One
    ended during that day counts for what ``began`` to be unloaded before its end, whenever that is logged or charged.
    """
    mornings = [one for one in parts if one[1]]
    if not mornings:
        return ()
    day, gallons = mornings[0][0], sum(count for _, count in mornings)
    cite = law.cited(REMEDIES, day)
    return tuple(
        _line(one, gallons, day, cite, law) for one in of_business(plant_id, business_id)
        if _adds(one, waste, day, began)
    )  # fmt: skip


def _line(row: WasteFinding, gallons: int, day: date, cite: str, law: Law) -> ScheduleLine:
    price = (Decimal(row.cents or 0) / 100).quantize(CENT)
    by_load = row.cost_per == "load"
    quantity = Decimal(1) if by_load else Decimal(gallons) / 1000
    unit = "load" if by_load else "1,000 gallons"
    what = f"Added cost of handling {WASTE_TYPES[row.waste].lower()} waste"
    adopted = f"Adopted by the Common Council on {formats.date_only(row.council_on or day)}: {row.council_words}"
    return ScheduleLine(f"{ADDED}_{row.id}", what, quantity, unit, price, rounded(quantity * price), cite, None,
                        law.version, also=formats.full_stop(adopted), day=day)  # fmt: skip


@dataclass(frozen=True)
class Listed:
    """A finding with whether it holds now."""

    row: WasteFinding
    now: bool


def of_plant(plant_id: int, day: date, limit: int = 200) -> list[Listed]:
    """Every finding at a plant, the newest first, in one query."""
    query = select(WasteFinding).filter_by(plant_id=plant_id).order_by(WasteFinding.id.desc()).limit(limit)
    return [Listed(one, holds(one, day)) for one in db.session.scalars(query)]


def finding(plant_id: int, finding_id: int) -> WasteFinding | None:
    """One finding of this plant."""
    return db.session.scalars(select(WasteFinding).filter_by(plant_id=plant_id, id=finding_id)).one_or_none()
