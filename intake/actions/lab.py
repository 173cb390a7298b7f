"""Laboratory results: what was typed is kept, and below detection is never 0 (§ 329-7 F(1), § 329-6 J)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal

from sqlalchemy import select

from haulers import queries as haulers
from intake.actions import charging
from intake.models import Load, Result
from intake.queries import loads
from intake.queries.results import NAMES, as_typed, band_words, in_words, may_have, missing_of
from intake.states import LoadState
from office import formats
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.law import law_in_force
from office.notices import tell_party
from office.plants import Plant
from ordinances.lab_words import Reading, is_not_found, limits_wrong, read_result, unusual
from ordinances.reader import Law
from ordinances.refusal import Refusal
from ordinances.strength import MG_L, PARAMETERS, TESTS, parameters_of

__all__ = ["LAB", "Facts", "Typed", "enter_result", "enter_results", "questioned", "read_result", "tell_results"]

LAB = (Role.OPERATOR, Role.MANAGER)
RARE = "Result is 0: check it, or enter <2 if nothing was found"


@dataclass(frozen=True)
class Facts:
    """What the laboratory says of a result besides the figure. ``source``: the file it came in. ``lod`` and ``loq`` are
    its limits of detection and of quantitation, in the unit of the test.

    ``whole``: nothing said takes back what was said before.
    """

    method: str = ""
    analyst: str = ""
    lab_number: str = ""
    sampled_on: date | None = None
    received_on: date | None = None
    analysed_on: date | None = None
    lod: Decimal | None = None
    loq: Decimal | None = None
    source: str = ""
    whole: bool = False

    def given(self) -> dict[str, str | date | Decimal | None]:
        """What is said, by the names of a result's columns."""
        said = {name: value for name, value in vars(self).items() if name not in ("source", "whole")}
        return said if self.whole else {name: value for name, value in said.items() if value}


@dataclass(frozen=True)
class Typed:
    """One result of a row as it was typed: ``again`` is a 0 once more or the limit of ND, ``sure`` the tick of a
    result outside what is usual. ``own``: the laboratory's own text where it says more.
    """

    parameter: str
    text: str
    again: str = ""
    sure: bool = False
    facts: Facts = field(default_factory=Facts)
    own: str = ""


@act("enter_results", roles=LAB)
def enter_results(load: Load, row: Sequence[Typed], *, tell: bool = True, by: Actor, at: datetime, law: Law
                  ) -> list[Result] | Refusal:  # fmt: skip
    """Enter the results of one sample together, or none of them; with the last one the hauler is told, if ``tell``.

    A refusal carries every cell's own in ``details["cells"]``, (parameter, refusal) each.
    """
    load = lock(Load, load.id)
    before, wrong, made = loads.results_of([load.id]).get(load.id, {}), list[tuple[str, Refusal]](), list[Result]()
    for one in row:
        result = enter_result(load, one.parameter, one.text, again=one.again, sure=one.sure, facts=one.facts,
                              own=one.own, by=by, at=at, law=law)  # fmt: skip
        if isinstance(result, Refusal):
            wrong.append((one.parameter, result))
        else:
            made.append(result)
    if wrong:
        return Refusal(wrong[0][1].code, wrong[0][1].why, wrong[0][1].cite, details={"cells": tuple(wrong)})
    if tell and any(one.parameter not in before for one in made) and not missing_of(load):
        tell_results([load], at)
    return made


@act("enter_result", roles=LAB)
def enter_result(
    load: Load, parameter: str, typed: str, *, reason: str = "", again: str = "", sure: bool = False,
    facts: Facts | None = None, own: str = "", by: Actor, at: datetime, law: Law,
) -> Result | Refusal:  # fmt: skip
    """Enter one result of a load's sample, such as ``BOD5``; changing one needs a reason, and both are kept.

    The same text again changes nothing. A 0 is kept when it is typed ``again``, ND when that is its detection limit,
    what lies outside the usual band, also a limit below it, when one is ``sure``: the reason of a change says why it
    changes, not that an odd figure is right. A figure that stays is asked about no more.
    Refusals: empty, no_limit, unit, not_a_number, too_much, zero, unusual, days, limits, below_limit, not_tested,
    changed.
    """
    test = PARAMETERS.get(parameter)
    if test is None:
        raise ValueError(f"{parameter!r} is not tested here: {', '.join(PARAMETERS)}")
    facts = facts or Facts()
    # The limit of the sheet is the one ND stands for, where none is typed beside it.
    again = again or (f"{facts.lod:f}" if facts.lod is not None and is_not_found(typed) else "")
    reading = read_result(typed, parameter, again)
    if isinstance(reading, Refusal):
        return reading
    load = lock(Load, load.id)
    if load.state != LoadState.ACCEPTED.value or not may_have(load):
        return Refusal("not_tested", f"Load {load.ticket} has no sample to test.", "")
    result = db.session.scalars(select(Result).filter_by(load_id=load.id, parameter=parameter)).one_or_none()
    old = as_typed(result) if result is not None else ""
    stays = result is not None and (result.qualifier, result.value) == (reading.qualifier, reading.value)
    if result is not None:
        if stays and not _says_more(result, facts):
            return result
        if not reason.strip():
            why = f"{NAMES[parameter]} of load {load.ticket} is {old} already. Say why it changes."
            return Refusal("changed", why, "")
    wrong = wrong_days(load, facts, at.astimezone(law.zone).date()) or limits_wrong(reading, facts.lod, facts.loq)
    if wrong is None and not stays:
        wrong = questioned(load, parameter, reading, again, sure=sure)
    if wrong is not None:
        return wrong
    result = result or Result(plant_id=load.plant_id, load_id=load.id, parameter=parameter)
    db.session.add(result)
    _write(result, own or typed, again, reading, facts, at, by)
    band = unusual(load.waste, parameter, reading)
    result.asked = f"outside {band_words(band, parameter)}" if band is not None else ""
    db.session.flush()
    words = f"{NAMES[parameter]} is {as_typed(result)}"
    refused = charging.results_changed(load, words, by=by, at=at, law=law_in_force(_plant(load), load.day))
    because(reason.strip() or None, law.cited(TESTS, load.day) or None)
    if refused is None and old and old != as_typed(result):
        _tell_changed(load, result, old, reason.strip(), at)
    return refused or result


def _write(result: Result, typed: str, again: str, reading: Reading, facts: Facts, at: datetime, by: Actor) -> None:
    limit = f", limit {again.strip()}" if is_not_found(typed) else ""
    result.typed, result.unit = f"{typed.strip()}{limit}"[:60], PARAMETERS[result.parameter].unit
    result.qualifier, result.value = reading.qualifier, reading.value
    for name, value in facts.given().items():
        setattr(result, name, value)
    result.source = facts.source
    result.entered_at, result.entered_by = at, by.name


def _says_more(result: Result, facts: Facts) -> bool:
    """Whether the laboratory says something else of a result than is kept."""
    return any(getattr(result, name) != value for name, value in facts.given().items())


def questioned(load: Load, parameter: str, reading: Reading, again: str, *, sure: bool) -> Refusal | None:
    """What is asked about a result before it is kept. Refusals: zero (typed ``again`` it is kept), unusual."""
    unit = PARAMETERS[parameter].unit
    if not reading.qualifier and not reading.value and unit == MG_L:
        return None if read_result(again, parameter) == reading else Refusal("zero", RARE, "")
    band = unusual(load.waste, parameter, reading)
    if band is None or sure:
        return None
    what = f"{reading.qualifier}{formats.number(reading.value)} {unit}"
    return Refusal("unusual", f"Check {what}: usual is {band.low:,f} to {band.high:,f}", "", reading=band.source,
                   next_step="Tick that it is right as the laboratory has it.")  # fmt: skip


def wrong_days(load: Load, facts: Facts, today: date) -> Refusal | None:
    """Why the days of a laboratory cannot be: before the load came, out of order, or still to come."""
    known = [("sampled", facts.sampled_on), ("received", facts.received_on), ("analyzed", facts.analysed_on)]
    said, last = "the load came", load.day
    for name, day in known:
        if day is None:
            continue
        if day < last:
            why = f"The day it was {name}, {formats.date_only(day)}, is before {said} ({formats.date_only(last)})"
            return Refusal("days", f"{why}. Check the days", "")
        if day > today:
            return Refusal("days", f"The day it was {name}, {formats.date_only(day)}, is still to come", "")
        said, last = f"the day it was {name}", day
    return None


def tell_results(several: Sequence[Load], at: datetime) -> None:
    """Tell the hauler of these loads, all one hauler's, that their results are in: one message for all of them."""
    plant, found = _plant(several[0]), loads.results_of([one.id for one in several])
    if several[0].business_id is None:
        return
    lines = []
    for load in several:
        law, mine = law_in_force(plant, load.day), found.get(load.id, {})
        said = "; ".join(
            f"{NAMES[name]}: {in_words(mine[name])}" for name in parameters_of(law, load.day) if name in mine
        )
        lines.append(f"Load {load.ticket}, {formats.volume(load.gallons)} on {formats.day(load.day)}: {said}.")
    many = f"{len(several)} loads" if len(several) > 1 else f"load {several[0].ticket}"
    tell_party(haulers.party_of_business(several[0].business_id), "results", f"The results of {many} are in",
               "\n".join(lines), at, plant_id=plant.id)  # fmt: skip


def _tell_changed(load: Load, result: Result, old: str, reason: str, at: datetime) -> None:
    if load.business_id is None:
        return
    plant, name = _plant(load), NAMES[result.parameter]
    body = formats.full_stop(f"{name} of load {load.ticket} is {in_words(result)} now; it was {old}. Why: {reason}")
    tell_party(haulers.party_of_business(load.business_id), "result_changed",
               f"{name} of load {load.ticket} is changed", body, at, plant_id=plant.id)  # fmt: skip


def _plant(load: Load) -> Plant:
    return db.session.get_one(Plant, load.plant_id)
