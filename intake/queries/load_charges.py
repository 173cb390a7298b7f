"""What loads were charged, by load and kind of charge, for files: also for tests somebody ordered or asked for."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from sqlalchemy import select

from billing.models import Entry
from billing.queries import standing_of
from intake.models import Booking, Load, MoreTests, PlannedSession, Retest, Run
from intake.states import BookingState, LoadState
from office import formats
from office.db import db

# Sources at a time, as there may be thousands of loads.
AT_ONCE = 500
# Charges of a load that are made under a row of their own: the row by which they are posted, and their heading.
BESIDE: dict[str, tuple[Any, str]] = {
    "retest": (Retest, "New tests asked for"), "more_tests": (MoreTests, "Further tests"),
}  # fmt: skip
# The kinds of source that are charged for what was unloaded.
CHARGED_FOR = ("load", *BESIDE)


@dataclass
class Charged:
    """Charges that stand, in cents by load and kind. ``names``: what each kind is called, in the order first met."""

    names: dict[str, str] = field(default_factory=dict)
    cents: dict[int, dict[str, int]] = field(default_factory=dict)

    def add(self, load_id: int, code: str, name: str, cents: int) -> None:
        """One charge more."""
        self.names.setdefault(code, name)
        mine = self.cents.setdefault(load_id, {})
        mine[code] = mine.get(code, 0) + cents


def beside(load_id: int, kind: str) -> list[Entry]:
    """The charges of a load that stand under rows of their own: of its new tests, or of its further tests."""
    row = BESIDE[kind][0]
    return standing_of(kind, db.session.scalars(select(row.id).where(row.load_id == load_id)).all())


def void_words(load_id: int) -> str:
    """What is charged of a load that is void: nothing, but for new tests its hauler asked for that are done."""
    done = beside(load_id, "retest")
    if not done:
        return "Nothing is charged for it."
    said = "; ".join(f"{one.what}, {formats.money(one.amount_cents)} ({one.cite})" for one in done)
    return f"Nothing is charged for it but the new tests that are done: {said}."


def goes_on(plant_id: int, day: date) -> set[tuple[str, int]]:
    """The loads with a morning on a day or later, run or still planned, as sources of charges."""
    ran = select(Load.id).join(Run, Run.load_id == Load.id).where(Load.plant_id == plant_id, Run.day >= day)
    planned = (
        select(Load.id)
        .join(Booking, Booking.id == Load.booking_id)
        .join(PlannedSession, PlannedSession.booking_id == Booking.id)
        .where(Load.plant_id == plant_id, Load.state == LoadState.ACCEPTED.value, PlannedSession.day >= day)
        .where(Booking.state == BookingState.BOOKED.value)
    )
    return {("load", ident) for query in (ran, planned) for ident in db.session.scalars(query)}


def of_loads(load_ids: Sequence[int]) -> Charged:
    """Every charge of some loads that was not taken back. Five queries for 500 loads."""
    found = Charged()
    for place in range(0, len(load_ids), AT_ONCE):
        some = load_ids[place : place + AT_ONCE]
        for entry in standing_of("load", some):
            found.add(entry.source_id or 0, entry.code, entry.what, entry.amount_cents)
        for source, (model, name) in BESIDE.items():
            whose = _loads_of(model, some)
            for entry in standing_of(source, whose) if whose else ():
                found.add(whose[entry.source_id or 0], source, name, entry.amount_cents)
    return found


def _loads_of(model: Any, load_ids: Collection[int]) -> dict[int, int]:
    query = select(model.id, model.load_id).where(model.load_id.in_(load_ids))
    return {int(row_id): int(load_id) for row_id, load_id in db.session.execute(query)}
