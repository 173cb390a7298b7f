"""Pounds of BOD5 and TSS that hauled waste would bring, and what they do to the plant's inflow (§ 329-2 B(2)(b)).

Strengths are a hauler's own mean results where there are any, else typical figures, which are said to be typical.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING

from ordinances.rows import Law, Row

if TYPE_CHECKING:  # the limit itself may rest on pounds, so it enters this file
    from ordinances.rate_cap import Cap

PARAMETERS = {"bod": "BOD5", "tss": "TSS"}


_MILLION = 1_000_000
_HOURS_A_DAY = 24
_TENTH = Decimal("0.1")


@dataclass(frozen=True)
class Mean:
    """The mean of a hauler's own results for one parameter: mg/L, how many, and how many were no exact figure."""

    mg_l: Decimal
    results: int
    inexact: int = 0


@dataclass(frozen=True)
class Strength:
    """How strong one kind of waste is in one parameter, mg/L, and how that is known."""

    mg_l: Decimal
    typical: bool
    words: str
    cite: str = ""


@dataclass(frozen=True)
class Part:
    """What one kind of waste brings on an open day: gallons, pounds of one parameter (None: strength not known)."""

    waste: str
    gallons: Decimal
    strength: Strength | None
    pounds: Decimal | None


@dataclass(frozen=True)
class Loading:
    """Pounds of one parameter on an open day, to a tenth, with the plant's design figure where it is known.

    ``strong`` is the inflow's strength (mg/L) at the full planned rate when that alone would be a slug, else None.
    """

    parameter: str
    pounds: Decimal
    parts: tuple[Part, ...]
    design: int | None
    strong: Decimal | None

    @property
    def typical(self) -> bool:
        """Whether a typical strength stands for one not measured."""
        return any(part.strength is not None and part.strength.typical for part in self.parts)

    @property
    def unknown(self) -> tuple[str, ...]:
        """Kinds of waste without any strength: they are not in the sum."""
        return tuple(part.waste for part in self.parts if part.strength is None)

    @property
    def percent(self) -> Decimal | None:
        """The share of the design figure, to a tenth of a percent."""
        return None if not self.design else _tenth(100 * self.pounds / self.design)


def loadings(
    law: Law, day: date, gallons: Mapping[str, int], days: int, own: Mapping[tuple[str, str], Mean], cap: Cap
) -> tuple[Loading, ...]:
    """BOD5 and TSS of `gallons` by kind of waste spread evenly over so many open `days`.

    `own` holds mean results by (waste, parameter), the parameter "BOD5" or "TSS". Nothing where no day is open.
    """
    if days < 1 or not law.has("strength.lb_factor", day):
        return ()
    return tuple(_loading(law, day, name, gallons, days, own, cap) for name in PARAMETERS)


def typical(law: Law, day: date, waste: str, name: str) -> Row | None:
    """The row of the typical strength of a kind of waste in "bod" or "tss", or None: no law, and never for billing."""
    key = f"strength.typical_{waste}_{name}"
    return law.row(key, day) if law.has(key, day) else None


def source_words(row: Row) -> str:
    """Where a typical strength is from, as its note has it, and that nobody has confirmed it."""
    source = row.note or row.cite
    return f"{source}, not confirmed" if row.unconfirmed else source


def strength(law: Law, day: date, waste: str, name: str, own: Mean | None) -> Strength | None:
    """The strength of a kind of waste in "bod" or "tss": the hauler's own mean, else the typical one, else None."""
    if own is not None:
        counted = f"mean of {own.results} {'result' if own.results == 1 else 'results'}"
        if own.inexact:
            counted += f", {own.inexact} of them outside what the test can measure and counted at its limit"
        return Strength(own.mg_l, False, counted)
    row = typical(law, day, waste, name)
    return None if row is None else Strength(Decimal(row.value), True, "typical", source_words(row))


def pounds(law: Law, day: date, gallons: Decimal, mg_l: Decimal) -> Decimal:
    """mg/L × million gallons × the law's factor; not rounded."""
    factor: Decimal = law.value("strength.lb_factor", day)
    return mg_l * gallons / _MILLION * factor


def large_source(law: Law, day: date, waste: str, gallons: int, days: int) -> Row | None:
    """The row on large sources when one source of holding tank waste reaches it, spread over all `days`; else None."""
    key = "state.large_source_gpd"
    if waste != "holding_tank" or days < 1 or not law.has(key, day):
        return None
    row = law.row(key, day)
    return row if gallons >= row.value * days else None


def _loading(
    law: Law, day: date, name: str, gallons: Mapping[str, int], days: int, own: Mapping[tuple[str, str], Mean], cap: Cap
) -> Loading:
    parts = []
    for waste, amount in gallons.items():
        known = strength(law, day, waste, name, own.get((waste, PARAMETERS[name])))
        a_day = Decimal(amount) / days
        parts.append(Part(waste, a_day, known, None if known is None else pounds(law, day, a_day, known.mg_l)))
    total = sum((part.pounds for part in parts if part.pounds is not None), Decimal(0))
    key = f"plant.design_{name}"
    design = law.value(key, day) if law.has(key, day) else None
    strongest = max((part.strength.mg_l for part in parts if part.strength is not None), default=Decimal(0))
    return Loading(PARAMETERS[name], _tenth(total), tuple(parts), design, slug(law, day, name, strongest, cap))


def slug(law: Law, day: date, name: str, mg_l: Decimal, cap: Cap) -> Decimal | None:
    """The blended strength of the inflow, mg/L, while such waste comes at the full planned rate: None when no slug."""
    normal_key = f"strength.normal_{name}"
    if not (law.has(normal_key, day) and law.has("slug.times", day)):
        return None
    normal: int = law.value(normal_key, day)
    flow = Decimal(cap.flow_gpd) / _HOURS_A_DAY
    blended = (flow * normal + cap.plan_gph * mg_l) / (flow + cap.plan_gph)
    return blended.quantize(Decimal(1), ROUND_HALF_UP) if blended > normal * law.value("slug.times", day) else None


def strong_results(law: Law, day: date, own: Mapping[tuple[str, str], Mean], cap: Cap) -> bool:
    """Whether a hauler's own mean results alone make a slug at the full rate."""
    names = {parameter: name for name, parameter in PARAMETERS.items()}
    return any(slug(law, day, names[parameter], mean.mg_l, cap) is not None
               for (_, parameter), mean in own.items())  # fmt: skip


def _tenth(value: Decimal) -> Decimal:
    return value.quantize(_TENTH, ROUND_HALF_UP)
