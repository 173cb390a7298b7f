"""Laboratory results as pages say them, and the loads whose results are waited for (§ 329-7 F(1))."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from itertools import pairwise
from typing import Any

from sqlalchemy import and_, exists, false, func, or_, select

from billing.queries import unpriced
from intake.models import Load, Result
from intake.queries import loads
from intake.queries.counting import Figure, Figures, estimated
from intake.states import LoadState
from office import formats
from office.db import db
from office.law import adopted_since, law_in_force
from office.plants import Plant
from ordinances.reader import NoLaw
from ordinances.schedule_law import schedule_of
from ordinances.strength import (
    ABOVE,
    BELOW,
    ESTIMATE_WORDS,
    PARAMETERS,
    Awaited,
    Band,
    awaited,
    changing,
    parameters_of,
)

# Samples at most on one page.
MOST = 200
NAMES = {name: one.words for name, one in PARAMETERS.items()}


@dataclass(frozen=True)
class Waiting:
    """A sample of the grid: the load, what it is tested for, its results so far and the figures that count, its days,
    whether it is late.
    """

    load: Load
    results: dict[str, Result]
    missing: bool
    tests: tuple[str, ...] = ()
    days: int = 0
    rule: Awaited | None = None
    figures: Figures = field(default_factory=dict)


def as_typed(result: Result | Figure) -> str:
    """The result as exports and boxes show it: ``4,200``, ``<2``, ``>9,000``."""
    return f"{result.qualifier}{formats.number(result.value)}"


def in_words(result: Result | Figure) -> str:
    """The result in words: ``4,200 mg/L``, ``Not detected (below 2 mg/L)``."""
    amount = f"{formats.number(result.value)} {result.unit}"
    if result.qualifier == BELOW:
        return f"Not detected (below {amount})"
    if result.qualifier == ABOVE:
        return f"Above what the test can measure ({amount})"
    estimate = result.estimate if isinstance(result, Figure) else estimated(result)
    return f"{amount}, {ESTIMATE_WORDS}" if estimate else amount


def band_words(band: Band, parameter: str) -> str:
    """What is usual of a test: "440 to 78,600 mg/L"."""
    return f"{band.low:,f} to {band.high:,f} {PARAMETERS[parameter].unit}"


def facts_of(result: Result) -> list[tuple[str, str]]:
    """What the laboratory says of a result besides the figure, as label and words."""
    days = (("Sampled", result.sampled_on), ("Received", result.received_on), ("Analyzed", result.analysed_on))
    limits = (("Limit of detection", result.lod), ("Limit of quantitation", result.loq))
    said = [("As the laboratory wrote it", result.typed), ("Method", result.method), ("Analyst", result.analyst),
            ("Number at the laboratory", result.lab_number),
            *((name, formats.date_only(day)) for name, day in days if day is not None),
            *((name, f"{formats.number(limit)} {result.unit}") for name, limit in limits if limit is not None),
            ("Asked about", result.asked), ("File", result.source)]  # fmt: skip
    return [(name, words) for name, words in said if words]


def columns(samples: Iterable[Waiting]) -> dict[str, str]:
    """The tests of some samples in their fixed order, with their names."""
    wanted = {name for one in samples for name in (*one.tests, *one.results)}
    return {name: words for name, words in NAMES.items() if name in wanted}


def tests_of_load(load: Load) -> tuple[str, ...]:
    """What a load is tested for, by the law of its day."""
    return parameters_of(law_in_force(db.session.get_one(Plant, load.plant_id), load.day), load.day)


def missing_of(load: Load) -> list[str]:
    """The tests of a load whose result is not in."""
    known = loads.results_of([load.id]).get(load.id, {})
    return [one for one in tests_of_load(load) if one not in known]


def _tested(plant_id: int, what: Any) -> Any:
    plant = db.session.get_one(Plant, plant_id)
    by_class = any(schedule_of(law_in_force(plant, since)).classes for since in adopted_since(plant_id))
    # Where a price goes by a class of strength, a load nobody tested may wait for a result too.
    wanted = or_(Load.tested.is_(True), Load.id.in_(unpriced("load"))) if by_class else Load.tested.is_(True)
    return select(what).where(Load.plant_id == plant_id, wanted, Load.state == LoadState.ACCEPTED.value)


def may_have(load: Load) -> bool:
    """Whether results are entered for a load: it was tested, or it is charged by them."""
    if load.tested or loads.results_of([load.id]).get(load.id):
        return True
    return load.id in set(db.session.scalars(unpriced("load", load.id)))


def how_many_wait(plant_id: int) -> int:
    """How many tested loads still lack a result."""
    return db.session.scalars(_tested(plant_id, func.count(Load.id)).where(lacking(plant_id))).one()


def waiting(plant_id: int, today: date, *, everything: bool = False) -> list[Waiting]:
    """Tested loads that still lack a result, oldest first; with ``everything`` the newest ones, finished or not."""
    query = _tested(plant_id, Load)
    query = query.order_by(Load.id.desc()) if everything else query.where(lacking(plant_id)).order_by(Load.id)
    plant = db.session.get_one(Plant, plant_id)
    return [_sample(plant, line, today) for line in loads.lines(query.limit(MOST))]


def _sample(plant: Plant, line: loads.Line, today: date) -> Waiting:
    law, load = law_in_force(plant, line.load.day), line.load
    tests, rule = parameters_of(law, load.day), awaited(law, load.day)
    late = (today - load.day).days >= rule.days and any(one not in line.results for one in tests)
    return Waiting(load, line.results, late, tests, (today - load.day).days, rule, dict(line.figures))


def lacking(plant_id: int) -> Any:
    """Loads without a result of a test that the law of their day names."""
    return or_(false(), *(
        and_(Load.day >= since, Load.day < until, or_(*(~_has(name) for name in tests)))
        for since, until, tests in _spans(db.session.get_one(Plant, plant_id))
    ))  # fmt: skip


def _has(parameter: str) -> Any:
    return exists().where(Result.load_id == Load.id, Result.parameter == parameter)


def _spans(plant: Plant) -> list[tuple[date, date, tuple[str, ...]]]:
    """What loads were tested for, from a day on until another: it changes with a law adopted and with its rows."""
    found: list[tuple[date, date, tuple[str, ...]]] = []
    for since, until in pairwise([*adopted_since(plant.id), date.max]):
        law = law_in_force(plant, since)
        inside = [one for one in changing(law) if since < one < until]
        for first, end in pairwise([since, *inside, until]):
            try:
                tests = parameters_of(law, first)
            except NoLaw:
                continue
            same = bool(found) and found[-1][1:] == (first, tests)
            found.append((found.pop()[0] if same else first, end, tests))
    return found


def last_methods(plant_id: int) -> dict[str, str]:
    """The method each test was last done by at a plant."""
    newest = select(func.max(Result.id)).where(Result.plant_id == plant_id, Result.method != "")
    query = select(Result.parameter, Result.method).where(Result.id.in_(newest.group_by(Result.parameter)))
    return {name: words for name, words in db.session.execute(query)}  # noqa: C416 - rows, not pairs


def rules_of(samples: Iterable[Waiting]) -> list[Awaited]:
    """By whose rule results of some samples are looked for, each once."""
    return list(dict.fromkeys(one.rule for one in samples if one.rule is not None))
