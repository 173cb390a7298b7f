"""Laboratory results: what was typed is kept, and below detection is never 0 (§ 329-7 F(1), § 329-6 J)."""

import re
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from sqlalchemy import select

from intake.actions import charging
from intake.models import Load, Result
from intake.queries.results import NAMES, as_typed
from intake.states import LoadState
from office import formats
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.law import law_in_force
from office.plants import Plant
from ordinances.reader import Law
from ordinances.refusal import Refusal

UNIT = "mg/L"
NUMBER = r"(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]{1,4})?"
# A liter of water weighs a million milligrams: more cannot be in it, and no lab writes it.
MOST = Decimal(1_000_000)
NOT_A_NUMBER = "Result must be a number, like 4,200, or <2 if not detected"
RARE = "0 is a rare result. If nothing was found, enter it as <2"
NO_LIMIT = "'ND' needs a detection limit. Enter it as <2"


@dataclass(frozen=True)
class Reading:
    """A result as read: ``<``, ``>`` or no qualifier, and the figure in mg/L."""

    qualifier: str
    value: Decimal


def read_result(typed: str) -> Reading | Refusal:
    """Read what a laboratory writes: ``4200``, ``4,200``, ``<2``, ``> 9000``. ``ND`` alone says too little."""
    text = typed.strip()
    if not text:
        return Refusal("empty", "Enter the result, like 4,200, or <2 if not detected", "")
    if re.fullmatch(r"(?i)n\.?d\.?|not detected|bdl|<\s*(lod|dl|mdl)", text):
        return Refusal("no_limit", NO_LIMIT, "")
    unit = re.fullmatch(r"(.*?)\s*([a-zµμ%/]+)", text, re.IGNORECASE)
    if unit and unit[1] and unit[2].lower() not in ("mg/l", "ppm") and re.fullmatch(rf"[<>]?\s*{NUMBER}", unit[1]):
        return Refusal("unit", f"Results are in {UNIT}. You entered {unit[2]}. Enter the result in {UNIT}", "")
    found = re.fullmatch(rf"([<>]?)\s*({NUMBER})(?:\s*(?:mg/l|ppm))?", text, re.IGNORECASE)
    if not found:
        return Refusal("not_a_number", NOT_A_NUMBER, "")
    return _in_range(Reading(found[1], Decimal(found[2].replace(",", ""))), found[2])


def _in_range(reading: Reading, typed: str) -> Reading | Refusal:
    if reading.value > MOST:
        why = f"Result must be {formats.number(MOST)} {UNIT} or less. You entered {typed}. Check the number"
        return Refusal("too_much", why, "")
    if reading.qualifier and reading.value == 0:
        return Refusal("no_limit", "The limit after < or > must be above 0, like <2", "")
    return reading


def _same(reading: Reading, again: str) -> bool:
    return read_result(again) == reading


@act("enter_result", roles=(Role.OPERATOR, Role.MANAGER))
def enter_result(
    load: Load, parameter: str, typed: str, *, reason: str = "", again: str = "", by: Actor, at: datetime, law: Law
) -> Result | Refusal:
    """Enter one result of a load's sample (``BOD5`` or ``TSS``); changing one needs a reason, and both are kept.

    The same text again changes nothing. A 0 is kept when it is typed ``again``, or with a reason. Refusals: empty,
    no_limit, unit, not_a_number, too_much, zero, not_tested, changed.
    """
    if parameter not in NAMES:
        raise ValueError(f"{parameter!r} is not tested here: {', '.join(NAMES)}")
    reading = read_result(typed)
    if isinstance(reading, Refusal):
        return reading
    if not reading.qualifier and not reading.value and not reason.strip() and not _same(reading, again):
        return Refusal("zero", RARE, "")
    load = lock(Load, load.id)
    if load.state != LoadState.ACCEPTED.value or not load.tested:
        return Refusal("not_tested", f"Load {load.ticket} has no sample to test.", "")
    result = db.session.scalars(select(Result).filter_by(load_id=load.id, parameter=parameter)).one_or_none()
    if result is None:
        result = Result(plant_id=load.plant_id, load_id=load.id, parameter=parameter)
        db.session.add(result)
    elif (result.qualifier, result.value) == (reading.qualifier, reading.value):
        return result
    elif not reason.strip():
        why = f"{NAMES[parameter]} of load {load.ticket} is {as_typed(result)} already. Say why it changes."
        return Refusal("changed", why, "")
    result.typed, result.qualifier, result.value, result.unit = typed.strip(), reading.qualifier, reading.value, UNIT
    result.entered_at, result.entered_by = at, by.name
    db.session.flush()
    words = f"{NAMES[parameter]} is {as_typed(result)}"
    refused = charging.results_changed(load, words, by=by, at=at, law=law_in_force(_plant(load), load.day))
    because(reason.strip() or None, law.cite("fees.test_parameters", load.day))
    return refused or result


def _plant(load: Load) -> Plant:
    return db.session.get_one(Plant, load.plant_id)
