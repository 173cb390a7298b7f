"""What a laboratory found of a load as its pages show it: the results, the pounds they come to, and a slug."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from intake.models import Load, Point, Result, Run
from intake.queries import counting, loads
from intake.queries.counting import Figure
from intake.queries.results import NAMES, facts_of, in_words
from intake.queries.tank import TANK
from intake.states import LoadState, RunKind
from office.db import db
from office.law import law_in_force
from office.plants import Plant
from ordinances.rate_cap import cap_on
from ordinances.rows import Law, Row
from ordinances.strength import (
    BELOW_WORDS,
    CHARGED_WORDS,
    Blend,
    Pounds,
    added,
    blend,
    charged_by,
    lasting,
    parameters_of,
    pounds_of,
    steps_words,
)


@dataclass(frozen=True)
class Found:
    """One test of a load: the figure that counts in words or that none is in yet, its pounds with the steps, the facts.

    ``result`` is the first one, which stays beside a new test that counts; ``first`` is that in words then.
    """

    parameter: str
    name: str
    words: str
    result: Result | None = None
    pounds: Pounds | None = None
    steps: str = ""
    facts: Sequence[tuple[str, str]] = ()
    first: str = ""


@dataclass(frozen=True)
class Findings:
    """All a laboratory found of a load. ``factor`` is the row the pounds are reckoned by, ``slugs`` those it was.

    ``slug_row`` says how a slug is read; None where the law says nothing of it.
    """

    tests: list[Found] = field(default_factory=list)
    factor: Row | None = None
    slugs: list[Blend] = field(default_factory=list)
    slug_row: Row | None = None
    rule: str = ""


def findings(load: Load, results: Mapping[str, Result], figures: Mapping[str, Figure], runs: Iterable[Run]
             ) -> Findings:  # fmt: skip
    """What is known of a tested load, reckoned by the figures that count."""
    law = law_in_force(db.session.get_one(Plant, load.plant_id), load.day)
    tests = [
        _found(law, load, name, results.get(name), figures.get(name))
        for name in dict.fromkeys((*parameters_of(law, load.day), *results))
    ]
    weighed = [one.pounds for one in tests if one.pounds is not None]
    row = law.row("slug.reading", load.day) if law.has("slug.reading", load.day) else None
    rule = BELOW_WORDS if any(one.qualifier for one in weighed) else ""
    if rule and charged_by(law, load.day):
        rule = f"{rule} {CHARGED_WORDS}"
    return Findings(tests, weighed[0].row if weighed else None, slugs_of(law, load, figures, runs), row, rule)


def of_load(load: Load) -> Findings | None:
    """The same, read from the database; None where there is no sample and no result. Five queries at most."""
    results, figures = counting.both([load.id])
    if not load.tested and not results:
        return None
    return findings(load, results.get(load.id, {}), figures.get(load.id, {}), loads.runs_of(load.id))


def _found(law: Law, load: Load, name: str, result: Result | None, figure: Figure | None) -> Found:
    if result is None or figure is None:
        return Found(name, NAMES[name], "Not in yet")
    pounds = pounds_of(law, load.day, name, figure.qualifier, figure.value, load.gallons)
    steps = steps_words(pounds, figure.value, load.gallons) if pounds is not None else ""
    words, first = in_words(figure), in_words(figure.first) if figure.first is not None else ""
    if first:
        words = f"{words} ({counting.NEW_WORDS}; first: {first})"
    return Found(name, NAMES[name], words, result, pounds, steps, facts_of(result), first)


def slugs_of(law: Law, load: Load, figures: Mapping[str, Figure], runs: Iterable[Run]) -> list[Blend]:
    """By which figures a load was too strong for the rate it was let in at; what went into a tank is bled later."""
    if not figures:
        return []
    ran = [(run.starts, run.ends, run.gph) for run in runs if run.kind == RunKind.RAN.value and run.gallons
           and db.session.get_one(Point, run.point_id).kind != TANK]  # fmt: skip
    gph = lasting(law, load.day, sorted(ran))
    if gph is None:
        return []
    flow = cap_on(law, load.day).flow_gpd if law.has("rate.flow_gpd", load.day) else None
    blends = (blend(law, load.day, name, one.value, gph, flow) for name, one in figures.items())
    return [one for one in blends if one is not None and one.too_strong]


@dataclass(frozen=True)
class DayPounds:
    """The pounds of a day: each load's by parameter, their sums, and how many samples still wait."""

    parameters: tuple[str, ...]
    loads: list[tuple[Load, dict[str, Pounds]]]
    sums: dict[str, Decimal]
    waiting: int
    rule: str


def of_day(plant: Plant, law: Law, day: date) -> DayPounds:
    """The pounds that the loads of a day brought, as far as their results are in. Three queries."""
    return of_lines(plant, loads.of_day(plant.id, day), law)


def of_lines(plant: Plant, lines: Iterable[loads.Line], law: Law) -> DayPounds:
    """The pounds of some loads; one not tested has none and is left out."""
    found, waiting = list[tuple[Load, dict[str, Pounds]]](), 0
    for line in lines:
        load = line.load
        if not (load.tested or line.figures) or load.state != LoadState.ACCEPTED.value:
            continue
        mine = law if load.law_version == law.version else law_in_force(plant, load.day)
        pounds = {name: weight for name, one in line.figures.items()
                  if (weight := pounds_of(mine, load.day, name, one.qualifier, one.value, load.gallons))}  # fmt: skip
        waiting += any(name not in line.figures for name in parameters_of(mine, load.day))
        found.append((load, pounds))
    every = [one for _, pounds in found for one in pounds.values()]
    names = tuple(name for name in NAMES if any(one.parameter == name for one in every))
    rule = BELOW_WORDS if any(one.qualifier for one in every) else ""
    return DayPounds(names, found, added(every), waiting, rule)
