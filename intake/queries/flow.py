"""The plant's measured flow: recorded days, and whether a new figure is far from what the plant usually sees."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from statistics import median

from sqlalchemy import select

from intake.models import FlowReading, Load, Run
from intake.queries import capacity
from intake.queries.flow_recorded import recorded_for
from intake.queries.tank_flow import bled_on
from intake.states import FlowState, LoadState, RunKind
from office.db import db
from office.plants import Plant
from ordinances.calendar import open_days
from ordinances.offers import Draw
from ordinances.rate_cap import cap_on
from ordinances.reader import Law

FLOW_KEY = "rate.flow_in_force_gpd"
# A figure this many times over or under the middle of the readings before it is a slip until a person says otherwise.
FAR, NEEDED, MIDDLE_OF = 3, 5, 30


def held_why(gallons: int | str, before: Sequence[int], stated: int | None) -> str | None:
    """Why a reading waits for a person, or None.

    ``gallons`` a day, or the words that stand where a figure should. ``before``: accepted readings, the latest last.
    ``stated``: the flow the law states; while fewer than five readings are known, a figure must be near both.
    """
    if isinstance(gallons, str):
        return f"The file says {gallons}, which is no measured figure." if gallons else "The file has no figure."
    if gallons <= 0:
        return f"{gallons:,} gallons: the meter stood still." if gallons == 0 else f"{gallons:,} gallons is below 0."
    usual = far(gallons, int(median(before[-MIDDLE_OF:])), "usual {:,}") if before else None
    if usual is None and len(before) < NEEDED and stated is not None:
        return far(gallons, stated, "{:,} the ordinance states")
    return usual


def far(gallons: int, middle: int, words: str) -> str | None:
    """How a figure is far from another, or None. ``words`` name the other, with ``{:,}`` where it stands."""
    if gallons > FAR * middle:
        return f"{gallons:,} gallons is more than {FAR} times the {words.format(middle)}."
    if gallons * FAR < middle:
        return f"{gallons:,} gallons is less than a third of the {words.format(middle)}."
    return None


def may_count(row: FlowReading) -> bool:
    """Whether a person can say that a held reading is right: it has a figure, and not one below nothing."""
    return row.gallons is not None and row.gallons >= 0


def readings(plant_id: int, first: date | None = None, last: date | None = None) -> list[FlowReading]:
    """Recorded days in order."""
    query = select(FlowReading).filter_by(plant_id=plant_id)
    if first is not None:
        query = query.where(FlowReading.day >= first)
    if last is not None:
        query = query.where(FlowReading.day <= last)
    return list(db.session.scalars(query.order_by(FlowReading.day)))


def accepted(rows: Sequence[FlowReading]) -> list[tuple[date, int]]:
    """(day, gallons) of the readings that count."""
    return [(row.day, row.gallons) for row in rows if row.state == FlowState.ACCEPTED.value and row.gallons is not None]


def waiting(plant_id: int) -> list[FlowReading]:
    """Readings held for a person."""
    query = select(FlowReading).filter_by(plant_id=plant_id, state=FlowState.HELD.value)
    return list(db.session.scalars(query.order_by(FlowReading.day)))


def latest(plant_id: int, until: date | None = None, count: int = 60) -> list[FlowReading]:
    """Recorded days up to one day, the newest first, at most so many."""
    query = select(FlowReading).filter_by(plant_id=plant_id)
    if until is not None:
        query = query.where(FlowReading.day <= until)
    return list(db.session.scalars(query.order_by(FlowReading.day.desc()).limit(count)))


def reading_of(plant_id: int, reading_id: int) -> FlowReading | None:
    """One recorded day of this plant, or None."""
    row = db.session.get(FlowReading, reading_id)
    return row if row is not None and row.plant_id == plant_id else None


def stated_flow(law: Law, day: date) -> int | None:
    """The flow the law states, in gallons a day; None where it states none."""
    return int(law.value("rate.flow_gpd", day)) if law.has("rate.flow_gpd", day) else None


@dataclass(frozen=True)
class FlowDay:
    """A column of the flow-against-limit picture: gallons an hour; ``own`` is what that day's meter would allow."""

    day: date
    busiest: Decimal
    limit: int
    own: Decimal | None


def flow_days(plant: Plant, law: Law, last: date, at: datetime, count: int = 14) -> list[FlowDay]:
    """The open days up to one day: the busiest hour in the sewer until now, the limit, the share of the metered flow.

    Of what goes into a receiving tank its valve's bleed counts, as it was reckoned.
    """
    days = open_days(law, last - timedelta(days=count * 2 + 10), last)[-count:]
    if not days:
        return []
    draws: dict[date, list[Draw]] = {day: [] for day in days}
    for day, draw in (*_flowed(plant.id, days), *bled_on(plant, law, days, at)):
        if draw.start < at:
            draws[day].append(Draw(draw.start, min(draw.end, at), draw.gph))
    counted = recorded_for(plant.id, law, days[0], days[-1])
    metered = dict(counted)
    made = []
    for day in days:
        cap = cap_on(law, day, readings=counted)
        own = metered[day] * cap.percent / 100 / 24 if day in metered else None
        made.append(FlowDay(day, busiest_hour(draws[day]), cap.plan_gph, own))
    return made


def _flowed(plant_id: int, days: Sequence[date]) -> list[tuple[date, Draw]]:
    """What went straight into the sewer: each run at its rate until its gallons are out, in its last minute."""
    found = []
    for one in capacity.runs_on(plant_id, days, rests=False, sewer=True):
        out = one.starts + timedelta(seconds=one.gallons * 3600 // one.gph)
        found.append((one.day, Draw(one.starts, min(one.ends, out), one.gph)))
    return found


def unloaded(plant_id: int, day: date, at: datetime) -> int:
    """Whole gallons that ran on a day until an instant; what is still to run does not count."""
    query = (
        select(Run).join(Load, Load.id == Run.load_id)
        .where(Run.plant_id == plant_id, Run.day == day, Run.starts < at, Run.kind == RunKind.RAN.value,
               Load.state == LoadState.ACCEPTED.value)
    )  # fmt: skip
    gallons = Decimal(0)
    for run in db.session.scalars(query):
        so_far = _within(Draw(run.starts, run.ends, run.gph), run.starts, at)
        gallons += run.gallons if run.ends <= at else min(Decimal(run.gallons), so_far)
    return int(gallons)


def busiest_hour(draws: Sequence[Draw]) -> Decimal:
    """The most gallons unloaded within any sixty minutes: it begins at a start, or ends at an end."""
    hour = timedelta(hours=1)
    starts = {draw.start for draw in draws} | {draw.end - hour for draw in draws}
    return max((sum((_within(draw, at, at + hour) for draw in draws), Decimal(0)) for at in starts), default=Decimal(0))


def _within(draw: Draw, first: datetime, last: datetime) -> Decimal:
    seconds = (min(draw.end, last).astimezone(UTC) - max(draw.start, first).astimezone(UTC)).total_seconds()
    return Decimal(draw.gph) * max(0, int(seconds)) / 3600
