"""How strong it is what a receiving tank is bled with, by the loads that are in it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from sqlalchemy import select

from intake.models import Load, Run
from intake.queries import counting, loads
from intake.queries.results import NAMES
from intake.queries.tank_level import Level
from intake.states import LoadState, RunKind
from office.db import db
from ordinances import loading
from ordinances.rate_cap import cap_on
from ordinances.reader import Law
from ordinances.strength import BELOW_WORDS, PARAMETERS, Blend, blend, mixed

# So many loads at most are looked back for what fills a tank.
MOST_LOADS = 100
RULE = ("The gallons that came last are taken to be what is in the tank, each load weighed by its gallons. No § says "
        "how: this is how the plant reads it.")  # fmt: skip


@dataclass(frozen=True)
class Mixture:
    """One parameter of what is in the tank: mg/L (None: not known), gallons of which it is not known, and how much of
    it is the usual strength and no result. ``blend`` is the inflow while it is bled; ``inexact``: some result of it is
    no exact figure.
    """

    parameter: str
    name: str
    mg_l: Decimal | None
    unknown: int
    usual: int
    blend: Blend | None
    inexact: bool = False


def rule_of(several: Sequence[Mixture]) -> str:
    """How the strength of what is in a tank was reckoned."""
    return f"{RULE} {BELOW_WORDS}" if any(one.inexact for one in several) else RULE


def in_tank(law: Law, at: datetime, level: Level) -> list[Mixture]:
    """The strength of what is in a tank and of the inflow while its valve is open. Two queries."""
    day = at.astimezone(law.zone).date()
    parts = _parts(level.basin.point_id, at, level.gallons)
    figures = counting.figures_of({load.id for load, _ in parts})
    flow = cap_on(law, day).flow_gpd if law.has("rate.flow_gpd", day) else None
    found = []
    for name in loading.PARAMETERS.values():
        several = [(gallons, *_strength(law, load, name, figures.get(load.id, {}))) for load, gallons in parts]
        mg_l, unknown = mixed((gallons, strength) for gallons, strength, _ in several)
        usual = sum(gallons for gallons, _, typical in several if typical)
        gph = level.tank.bleed_gph
        made = blend(law, day, name, mg_l, gph, flow) if mg_l is not None and gph else None
        unknown += max(0, level.gallons - sum(gallons for _, gallons in parts))
        rough = any(figures.get(load.id, {})[name].qualifier for load, _ in parts if name in figures.get(load.id, {}))
        found.append(Mixture(name, NAMES[name], mg_l, unknown, usual, made, rough))
    return found


def _strength(law: Law, load: Load, name: str, figures: Mapping[str, counting.Figure]) -> tuple[Decimal | None, bool]:
    """A load's figure that counts, else the usual strength of such waste, and whether it is that."""
    if name in figures:
        return figures[name].value, False
    row = loading.typical(law, load.day, load.waste, PARAMETERS[name].scheduled)
    return (Decimal(row.value), True) if row is not None else (None, False)


def _parts(point_id: int, at: datetime, gallons: int) -> list[tuple[Load, int]]:
    """The loads that make up so many gallons of a tank, the newest first, with what of each is taken to be in it."""
    query = (
        select(Run, Load).join(Load, Load.id == Run.load_id)
        .where(Run.point_id == point_id, Run.kind == RunKind.RAN.value, Run.gallons > 0, Run.starts <= at,
               Load.state == LoadState.ACCEPTED.value)
        .order_by(Run.starts.desc(), Run.id.desc()).limit(MOST_LOADS)
    )  # fmt: skip
    return list(_until(((load, min(run.gallons, loads.out_so_far(run, at))) for run, load in db.session.execute(query)),
                       gallons))  # fmt: skip


def _until(parts: Iterable[tuple[Load, int]], gallons: int) -> Iterable[tuple[Load, int]]:
    left = gallons
    for load, amount in parts:
        if left <= 0:
            return
        yield load, min(amount, left)
        left -= amount
