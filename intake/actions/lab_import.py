"""A laboratory's file taken in: whole or not at all, and a second time nothing (§ 329-7 F(1))."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby

from intake.actions.lab import LAB, Facts, Typed, enter_results, tell_results
from intake.models import Load
from intake.queries.lab_import import DIFFERS, NEW, SAME, LabLine, Outcome, outcomes
from intake.queries.results import missing_of
from office.access import Actor
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.plants import Plant
from ordinances.reader import Law
from ordinances.refusal import Refusal


@dataclass
class LabTaken:
    """What an import took: results new, the same as before, and differing from what is kept; the loads they are of."""

    new: int = 0
    same: int = 0
    differing: int = 0
    loads: list[Load] = field(default_factory=list)


@act("import_results", roles=LAB)
def import_results(plant: Plant, lines: Sequence[LabLine], source: str, *, sure: bool = False, by: Actor, at: datetime,
                   law: Law) -> LabTaken | Refusal:  # fmt: skip
    """Take in the results of a file. One that is recorded already stays as it is, whatever the file says.

    ``sure``: those outside what is usual, and each 0, are right as the laboratory has them. Refusals: no_results,
    bad_row (which row and why), unusual.
    """
    if not lines:
        return Refusal("no_results", "The file holds no results of this plant.", "")
    lock(Plant, plant.id, shared=True)
    found, wrong = outcomes(plant.id, lines, at.astimezone(plant.tz).date())
    if wrong:
        first = wrong[0]
        why = f"Nothing was taken. Row {first.row}, column {first.column}: {first.what}. {first.mend}."
        return Refusal("bad_row", why, "", details={"cells": tuple(wrong)})
    new = [one for one in found if one.kind == NEW]
    if not sure and any(one.band is not None or one.is_nought for one in new):
        return Refusal("unusual", "Some results are outside what is usual. Tick that they are right.", "")
    taken = LabTaken(len(new), sum(one.kind == SAME for one in found), sum(one.kind == DIFFERS for one in found))
    for load_id, several in groupby(sorted(new, key=lambda one: one.load.id), key=lambda one: one.load.id):
        load = db.session.get_one(Load, load_id)
        made = enter_results(load, [_typed(one, source) for one in several], tell=False, by=by, at=at,
                             law=law)  # fmt: skip
        if isinstance(made, Refusal):
            return Refusal("bad_row", f"Nothing was taken. Load {load.ticket}: {made.why}", made.cite)
        taken.loads.append(load)
    _tell(taken.loads, at)
    because(source)
    return taken


def _tell(several: Sequence[Load], at: datetime) -> None:
    """One message to each hauler, of all its loads whose results are in now."""
    whole = sorted((one for one in several if not missing_of(one)), key=lambda one: (one.business_id or 0, one.id))
    for _, mine in groupby(whole, key=lambda one: one.business_id):
        tell_results(list(mine), at)


def _typed(one: Outcome, source: str) -> Typed:
    line = one.line
    facts = Facts(line.method, line.analyst, line.lab_number, line.day("sampled"), line.day("received"),
                  line.day("analysed"), *line.limits, source[:200])  # fmt: skip
    return Typed(line.parameter, line.text, line.text if one.is_nought else line.limit, True, facts, line.own)
