"""New tests that somebody asked for: which wait, what they found beside the first, which counts (§ 329-6 J)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from sqlalchemy import select

from intake.models import Load, Result, Retest
from intake.queries.counting import new_result
from intake.queries.results import NAMES, facts_of, in_words
from intake.states import RetestState
from office.db import db
from ordinances.reader import Law
from ordinances.schedule_law import EXTRA, schedule_of

HOURS = "testing.retest_hours"
OPEN = (RetestState.ASKED.value, RetestState.ACCEPTED.value)
STATE_WORDS = {RetestState.ASKED: "Waits for an answer", RetestState.ACCEPTED: "Accepted, not tested yet",
               RetestState.REFUSED: "Refused", RetestState.DONE: "Done", RetestState.ENDED: "Not made"}  # fmt: skip


def hours_of(law: Law, day: date) -> int | None:
    """How long a test somebody asks for runs at least; None where the town's law has no such test."""
    return int(law.value(HOURS, day)) if law.has(HOURS, day) else None


def usual_price(law: Law, day: date, tests: int) -> Decimal | None:
    """What so many further tests cost by the schedule, dollars; None where it has no price: then as they cost."""
    schedule = schedule_of(law)
    items = schedule.items_on(day) if schedule.has_items(day) else ()
    price = next((item.price for item in items if item.kind == "per_test" and EXTRA in item.test), None)
    return price * tests if price is not None else None


def of_loads(load_ids: Iterable[int]) -> dict[int, list[Retest]]:
    """New tests by load, the first at the top, in one query."""
    found: dict[int, list[Retest]] = {}
    for row in db.session.scalars(select(Retest).where(Retest.load_id.in_(list(load_ids))).order_by(Retest.id)):
        found.setdefault(row.load_id, []).append(row)
    return found


def retest(plant_id: int, retest_id: int) -> Retest | None:
    """One of this plant."""
    return db.session.scalars(select(Retest).filter_by(plant_id=plant_id, id=retest_id)).one_or_none()


def held_open(load_id: int) -> list[Retest]:
    """New tests of a load that are neither refused nor done, locked and read fresh."""
    query = select(Retest).where(Retest.load_id == load_id, Retest.state.in_(OPEN)).order_by(Retest.id)
    return list(db.session.scalars(query.with_for_update().execution_options(populate_existing=True)))


def of_plant(plant_id: int, *, open_only: bool = False, limit: int = 200) -> list[tuple[Retest, Load]]:
    """New tests asked for at a plant with their loads, the newest first."""
    query = select(Retest, Load).join(Load, Load.id == Retest.load_id).where(Retest.plant_id == plant_id)
    if open_only:
        query = query.where(Retest.state.in_(OPEN))
    rows = db.session.execute(query.order_by(Retest.id.desc()).limit(limit))
    return [(row, load) for row, load in rows]


@dataclass(frozen=True)
class Beside:
    """One test of both rounds: its name, the first result and the new one in words, which of them counts; ``facts`` are
    what the laboratory says of the new one.
    """

    name: str
    first: str
    new: str
    counts: str
    facts: Sequence[tuple[str, str]] = ()


def beside(row: Retest, results: dict[str, Result]) -> list[Beside]:
    """The results of a new test beside the first ones."""
    said = []
    for parameter in row.parameters:
        first = in_words(results[parameter]) if parameter in results else "Not in"
        found = row.found.get(parameter)
        made = new_result(parameter, found) if found else None
        counts = "" if row.prevails is None else "New" if row.prevails else "First"
        said.append(Beside(NAMES[parameter], first, in_words(made) if made is not None else "Not in yet", counts,
                           facts_of(made) if made is not None else ()))  # fmt: skip
    return said
