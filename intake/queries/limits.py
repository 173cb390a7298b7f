"""Every input of the limit: its value, from when, by whom or which §, whether it counts today, and what came before."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Any

from sqlalchemy import select

from intake.models import Booking, Hold
from intake.queries.flow_recorded import recorded_before
from intake.queries.limit_met import limit_on
from office import formats
from office.db import db
from office.journal import JournalEntry
from office.notices import Notice, of_act
from office.plants import Plant, PlantRow
from ordinances.bounds import HOURS_A_DAY
from ordinances.calendar import Hours, dump_hours, next_open_day
from ordinances.rate_cap import Cap
from ordinances.reader import Law, NoLaw, Row, plant_row
from ordinances.schema import KEYS

# The Director's own orders, by the word in their address.
OWN = {
    "ceiling": "rate.own_ceiling_gph", "lower": "rate.own_lower", "high-flow": "rate.own_high_flow_gpd",
    "low-flow": "rate.own_low_flow_gpd", "pounds": "rate.own_bod_lb_day",
}  # fmt: skip
FLOW = "rate.flow_in_force_gpd"
MEASURED_DAYS = 30
ORDER = (
    "rate.flow_gpd", FLOW, "rate.basis", "rate.basis_days", "rate.basis_short", "rate.percent", "rate.rounding",
    "rate.plan_gph", "rate.hard_gph", "rate.own_ceiling_gph", "rate.lower", "rate.own_lower", "rate.high_flow_gpd",
    "rate.own_high_flow_gpd", "rate.low_flow_gpd", "rate.own_low_flow_gpd", "rate.bod_lb_day", "rate.own_bod_lb_day",
    "rate.bod_mg_l",
)  # fmt: skip


@dataclass(frozen=True)
class Input:
    """One input in force on a day. ``signed`` is the plant's row with who set it; None where the law states it."""

    row: Row
    signed: PlantRow | None
    binds: bool

    @property
    def word(self) -> str:
        """The word of its own order in an address; "" where it is not the Director's to change there."""
        return next((word for word, key in OWN.items() if key == self.row.key), "")


@dataclass(frozen=True)
class Change:
    """One order of the Director, and the bookings that lost their time by it."""

    row: PlantRow
    title: str
    words: str
    lost: tuple[Booking, ...]
    act_id: str | None

    @property
    def told(self) -> list[Notice]:
        return of_act(self.act_id) if self.act_id else []


def day_shown(law: Law, today: date) -> date:
    """Today while it has hours, else the next open day: there the inputs can be seen at work."""
    if isinstance(dump_hours(law, today), Hours):
        return today
    try:
        return next_open_day(law, today)
    except NoLaw:
        return today


def inputs(plant: Plant, law: Law, day: date) -> tuple[Cap, list[Input]]:
    """The limit of a day and every input it is made of, those that set some part of it marked."""
    cap = limit_on(plant, law, day)
    binding = {part.binding.key for part in cap.parts}
    if cap.stop is not None:
        binding = {row.key for key in ORDER if law.has(key, day) and (row := law.row(key, day)).cite == cap.stop.cite}
    if "rate.percent" in binding and law.has(FLOW, day):
        binding.add(FLOW)
    signed = {row.key: row for row in reversed(orders(plant.id)) if row.since <= day}
    found = []
    for key in ORDER:
        if law.has(key, day):
            row = law.row(key, day)
            own = signed.get(key) if row.source == "plant" else None
            found.append(Input(row, own, key in binding))
    return cap, found


def warnings(plant: Plant, law: Law, day: date, cap: Cap) -> list[str]:
    """What to look at beside the limit: the text's other figure, and what the meter of the last days would allow."""
    found = []
    printed = law.value("rate.hard_gph", day)
    if printed != law.value("rate.plan_gph", day):
        found.append(f"The text also prints {formats.rate(printed)}: a measured rate is a violation above it, and no "
                     f"time is offered above {formats.rate(law.value('rate.plan_gph', day))}.")  # fmt: skip
    recorded = [gallons for _, gallons in recorded_before(plant.id, day, MEASURED_DAYS)]
    if recorded:
        mean = sum(recorded) // len(recorded)
        share = int(Fraction(mean) * Fraction(cap.percent) / (100 * HOURS_A_DAY))
        word = "below" if share < cap.plan_gph else "not below"
        found.append(f"The mean of the {formats.plural(len(recorded), 'day')} recorded last is {mean:,} gallons a day: "
                     f"{cap.percent} % of it is {formats.rate(share)}, {word} the limit.")  # fmt: skip
    return found


def orders(plant_id: int) -> Sequence[PlantRow]:
    """The Director's orders on the limit, newest first; of two from one day the one entered later first."""
    keys = (FLOW, *OWN.values())
    query = select(PlantRow).where(PlantRow.plant_id == plant_id, PlantRow.key.in_(keys))
    return db.session.scalars(query.order_by(PlantRow.since.desc(), PlantRow.id.desc())).all()


def history(plant_id: int, only: int | None = None) -> list[Change]:
    """Every order on the limit, newest first, with the bookings that lost their time. ``only``: the one of this id."""
    rows = [row for row in orders(plant_id) if only in (None, row.id)]
    acts = _acts([row.id for row in rows])
    lost = _lost(list(acts.values()))
    return [Change(row, KEYS[row.key].title, value_words(row), tuple(lost.get(acts.get(row.id, ""), ())),
                   acts.get(row.id)) for row in rows]  # fmt: skip


def value_words(row: PlantRow) -> str:
    """The value of an order in words with its unit."""
    if row.withdrawn:
        return "Withdrawn"
    return plant_row(row.key, row.value, row.since, row.resolution).words


def _acts(row_ids: Sequence[int]) -> dict[int, str]:
    query = select(JournalEntry.record_id, JournalEntry.act_id).where(
        JournalEntry.table_name == PlantRow.__tablename__, JournalEntry.record_id.in_(row_ids))  # fmt: skip
    return {record_id: act_id for record_id, act_id in db.session.execute(query)}  # noqa: C416 - rows are no pairs


def _lost(act_ids: Sequence[str]) -> dict[str, list[Booking]]:
    """By act: those listed by it, and (before times were listed) those it cancelled."""
    query = select(JournalEntry.act_id, JournalEntry.table_name, JournalEntry.record_id).where(
        JournalEntry.act_id.in_(act_ids),
        JournalEntry.table_name.in_((Hold.__tablename__, Booking.__tablename__)),
    ).order_by(JournalEntry.id)  # fmt: skip
    rows: Any = db.session.execute(query).all()
    holds = {one.id: one.booking_id for one in db.session.scalars(
        select(Hold).where(Hold.id.in_([ident for _, name, ident in rows if name == Hold.__tablename__])))}  # fmt: skip
    ids = [(act, holds[ident] if name == Hold.__tablename__ else ident) for act, name, ident in rows]
    known = {one.id: one for one in db.session.scalars(select(Booking).where(Booking.id.in_([one for _, one in ids])))}
    found: dict[str, list[Booking]] = {}
    for act, ident in ids:
        if known[ident] not in found.setdefault(act, []):
            found[act].append(known[ident])
    return found
