"""Readings of the daily flow: taken in from a plant's file, entered by hand, corrected, and settled by a person."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import date, datetime

from sqlalchemy import select

from intake.actions.over_limit import Before, over_before, tell_of_limit
from intake.models import FlowReading
from intake.queries import capacity
from intake.queries.flow import MIDDLE_OF, accepted, held_why, may_count, reading_of, readings, stated_flow
from intake.queries.flow_taken import Outcome, Reading, outcomes
from intake.states import FlowState
from office import formats
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.plants import Plant
from ordinances.reader import NoLaw
from ordinances.refusal import Refusal

# What the column of gallons can hold.
MOST = 2_000_000_000
ENTERED = "Entered by hand"


@dataclass
class FlowTaken:
    """What an import took: days accepted, held for a person, the same as before, and differing from what is kept."""

    accepted: int = 0
    same: int = 0
    held: list[FlowReading] = field(default_factory=list)
    differing: list[tuple[date, int | None, int | str]] = field(default_factory=list)


@act("import_flow", roles=(Role.DIRECTOR, Role.MANAGER, Role.OPERATOR, Role.ADMINISTRATOR, Role.SYSTEM))
def import_flow(plant: Plant, rows: Iterable[Reading], source: str, *, by: Actor, at: datetime,
                progress: Callable[[int], object] | None = None) -> FlowTaken | Refusal:  # fmt: skip
    """Take in (day, gallons) readings, words where there is no figure; a second import of the same adds nothing.

    Odd figures and words wait for a person. A day already accepted with another figure keeps what it has and is
    listed; one that waits or was a slip takes the mended figure. Refusals: no_rows, future, too_large.
    """
    wanted = list(rows)
    refused = not_readings(wanted, at.astimezone(plant.tz).date())
    if refused is not None:
        return refused
    lock(Plant, plant.id)
    recorded, over = readings(plant.id), over_before(plant, at)
    known, taken = {row.day: row for row in recorded}, FlowTaken()
    for count, one in enumerate(outcomes(recorded, wanted, _stated(plant, at)), 1):
        _take(taken, plant, known.get(one.day), one, source)
        if progress:
            progress(count)
    because(source)
    _moved(plant, over, at)
    return taken


def _moved(plant: Plant, over: Before | None, at: datetime) -> None:
    """Whoever a moved limit concerns is told in the same act."""
    db.session.flush()
    tell_of_limit(plant, over, at)


def not_readings(wanted: list[Reading], today: date) -> Refusal | None:
    """Why rows cannot be readings of a plant at all: none, of days still to come, or beyond any plant."""
    if not wanted:
        return Refusal("no_rows", "The file holds no readings of this plant.", "")
    late = sorted(day.isoformat() for day, _ in wanted if day > today)
    if late:
        why = f"A flow is measured, not foreseen. These days are still to come: {', '.join(late)}."
        return Refusal("future", why, "")
    large = next(((day, gallons) for day, gallons in wanted if isinstance(gallons, int) and abs(gallons) > MOST), None)
    if large is not None:
        return Refusal("too_large", f"No plant has a flow of {large[1]:,} gallons, as on {large[0]}.", "")
    return None


def _stated(plant: Plant, at: datetime) -> int | None:
    try:
        return stated_flow(capacity.law_under_lock(plant, at), at.astimezone(plant.tz).date())
    except NoLaw:
        return None


def _take(taken: FlowTaken, plant: Plant, row: FlowReading | None, one: Outcome, source: str) -> None:
    if not one.written:
        if one.kind == "same":
            taken.same += 1
        else:
            taken.differing.append((one.day, one.kept, one.value))
        return
    row = row or FlowReading(plant_id=plant.id, day=one.day)
    _write(row, one.value, one.why, source)
    if one.why:
        taken.held.append(row)
    else:
        taken.accepted += 1


def _write(row: FlowReading, value: int | str, why: str | None, source: str) -> None:
    row.gallons, row.source, row.held_why = None if isinstance(value, str) else value, source, why
    row.state = (FlowState.HELD if why else FlowState.ACCEPTED).value
    db.session.add(row)


@act("enter_flow", roles=(Role.OPERATOR, Role.MANAGER, Role.DIRECTOR))
def enter_flow(plant: Plant, day: date, value: int | str, *, by: Actor, at: datetime) -> FlowReading | Refusal:
    """Record one day's flow, gallons or the words that stand for none, by hand. An odd figure waits for a person.

    Refusals: future, too_large, recorded (with the reading's id: it is corrected, not entered again).
    """
    refused = not_readings([(day, value)], at.astimezone(plant.tz).date())
    if refused is not None:
        return refused
    lock(Plant, plant.id)
    row = db.session.scalars(select(FlowReading).filter_by(plant_id=plant.id, day=day)).one_or_none()
    if row is not None:
        why = f"{formats.day(day)} is recorded already. Open that day to correct it"
        return Refusal("recorded", why, "", details={"reading_id": row.id})
    row, over = FlowReading(plant_id=plant.id, day=day), over_before(plant, at)
    _write(row, value, _odd(plant, day, value, at), ENTERED)
    _moved(plant, over, at)
    return row


@act("correct_flow", roles=(Role.OPERATOR, Role.MANAGER, Role.DIRECTOR))
def correct_flow(
    plant: Plant, reading_id: int, value: int | str, reason: str, *, by: Actor, at: datetime
) -> FlowReading | Refusal:
    """Correct a recorded day; what stood there stays in its history. An odd figure waits for a person, and until then
    the day counts for nothing.

    Refusals: not_here, no_reason, same, too_large.
    """
    lock(Plant, plant.id)
    row = reading_of(plant.id, reading_id)
    if row is None:
        return Refusal("not_here", "No flow of that day is recorded.", "")
    if not reason.strip():
        return Refusal("no_reason", "Enter why the figure is corrected", "")
    refused = not_readings([(row.day, value)], row.day)
    if refused is not None:
        return refused
    why = _odd(plant, row.day, value, at)
    same = row.gallons == value or (row.gallons is None and row.held_why == why)
    if same and row.state != FlowState.DISMISSED.value:
        return Refusal("same", "This is what is recorded. Enter another figure, or go back", "")
    over = over_before(plant, at)
    _write(row, value, why, f"{ENTERED}: corrected")
    because(reason.strip())
    _moved(plant, over, at)
    return row


def _odd(plant: Plant, day: date, value: int | str, at: datetime) -> str | None:
    """Why a reading of a day waits for a person, judged by the days before it."""
    before = [gallons for on, gallons in accepted(readings(plant.id)) if on < day]
    return held_why(value, before[-MIDDLE_OF:], _stated(plant, at))


@act("settle_reading", roles=(Role.DIRECTOR, Role.MANAGER))
def settle_reading(plant: Plant, reading_id: int, accept: bool, *, by: Actor, at: datetime) -> FlowReading | Refusal:
    """A person says whether an odd reading is right. A dismissed one stays on record and never counts.

    Refusals: not_held, no_figure (nothing is there to count).
    """
    lock(Plant, plant.id)
    row = reading_of(plant.id, reading_id)
    if row is None or row.state != FlowState.HELD.value:
        return Refusal("not_held", "This reading does not wait for anybody.", "")
    if accept and not may_count(row):
        return Refusal("no_figure", "This reading has no figure that can count. Say that it is a slip.", "")
    over = over_before(plant, at)
    row.state = (FlowState.ACCEPTED if accept else FlowState.DISMISSED).value
    _moved(plant, over, at)
    return row
