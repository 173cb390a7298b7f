"""What hauled waste is tested for, how strong it can be, and the pounds a load brings (§ 329-7 F(1), § 329-2 B(2)(b)).

How strong such waste usually is nobody's ordinance states: the bands only ask about a slip of the pen or of a unit,
and nothing is charged or refused by them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, Decimal

from ordinances import loading
from ordinances.counted import counted
from ordinances.rows import Law, Row, once
from ordinances.schedule_law import schedule_of

MG_L, SU = "mg/L", "SU"
BELOW, ABOVE = "<", ">"
_TENTH = Decimal("0.1")
_MILLION = 1_000_000
_HOURS_A_DAY = 24
_A_DAY = timedelta(days=1)


@dataclass(frozen=True)
class Parameter:
    """One test: its name in the law, in words, its unit, the most it can be, and what a schedule calls it."""

    name: str
    words: str
    unit: str
    most: Decimal
    scheduled: str = ""


# A liter of water weighs a million milligrams: more cannot be in it, and no lab writes it.
_ALL = Decimal(1_000_000)
PARAMETERS = {one.name: one for one in (
    Parameter("BOD5", "BOD", MG_L, _ALL, "bod"), Parameter("TSS", "Suspended solids", MG_L, _ALL, "tss"),
    Parameter("P", "Phosphorus", MG_L, _ALL, "p"), Parameter("TN", "Total nitrogen", MG_L, _ALL, "tn"),
    Parameter("NH3-N", "Ammonia nitrogen", MG_L, _ALL), Parameter("pH", "pH", SU, Decimal(14)),
)}  # fmt: skip
# Where a law does not say what a load is tested for: the pair every schedule of such waste knows.
_PAIR = ("BOD5", "TSS")
TESTS, DAYS = "fees.test_parameters", "testing.result_days"
# Days after which a result that is not in is looked for, where the law has no row of its own.
OWN_DAYS = 8
OWN_DAYS_WORDS = f"No § says when: BOD is read five days after it is set up, so this plant asks after {OWN_DAYS} days."
BELOW_WORDS = ("A result below the detection limit, such as <2, counts as its limit; one above the test counts as the "
               "figure after >. No § says how: this is how the plant reads it.")  # fmt: skip


ESTIMATE_WORDS = "between the laboratory's limits of detection and of quantitation: an estimate"
CHARGED_WORDS = ("Where a charge goes by strength, a result below the detection limit counts as 0 and one above the "
                 "test as the figure after >: nothing that is not sure is charged.")  # fmt: skip


@once
def charged_by(law: Law, day: date) -> frozenset[str]:
    """By the strength of which parameters, in the names of the schedule, loads of a day are charged."""
    schedule = schedule_of(law)
    items = schedule.items_on(day) if schedule.has_items(day) else ()
    charged = {item.parameter for item in items if item.kind == "per_pound_over"}
    return frozenset(charged | {name for one in schedule.classes_on(day) for name, _ in one.above})


@once
def parameters_of(law: Law, day: date) -> tuple[str, ...]:
    """What a load of a day is tested for: what the law names, and by what strength its schedule charges."""
    named: tuple[str, ...] = law.value(TESTS, day) if law.has(TESTS, day) else ()
    charged = charged_by(law, day)
    more = tuple(one.name for one in PARAMETERS.values() if one.scheduled and one.scheduled in charged)
    return tuple(dict.fromkeys((*(named or _PAIR), *more)))


@once
def changing(law: Law) -> tuple[date, ...]:
    """The days from which on loads may be tested for something else."""
    schedule = schedule_of(law)
    spans = [(row.since, row.until) for row in law.profile.rows if row.key == TESTS]
    spans += [(item.since, item.until) for item in schedule.items]
    spans += [(one.since, one.until) for one in schedule.classes]
    ends = {until + _A_DAY for _, until in spans if until is not None and until < date.max}
    return tuple(sorted({since for since, _ in spans} | ends))


@dataclass(frozen=True)
class Awaited:
    """After how many days a result is missing, and whose rule that is."""

    days: int
    words: str
    cite: str = ""


def awaited(law: Law, day: date) -> Awaited:
    """When a result is missing: the law's number of days, else the plant's own."""
    if not law.has(DAYS, day):
        return Awaited(OWN_DAYS, OWN_DAYS_WORDS)
    row = law.row(DAYS, day)
    return Awaited(row.value, f"A result is looked for after {counted(row.value, 'day')}.", row.cite)


# ---------------------------------------------------------------- How strong it can be


@dataclass(frozen=True)
class Band:
    """From `low` to `high` (mg/L, or SU for pH), with where that is from."""

    low: Decimal
    high: Decimal
    source: str


_EPA = "EPA 832-F-99-068, septage; not confirmed"
_USUAL = "half the least to twice the most that is usually said of it; no Wisconsin table was found"


def _bands(source: str, **ends: tuple[str, str]) -> dict[str, Band]:
    return {name: Band(Decimal(low), Decimal(high), source) for name, (low, high) in ends.items()}


# Septic tanks: least and most of the septage table of the United States Environmental Protection Agency.
BANDS = {
    "septic_tank": _bands(_EPA, BOD5=("440", "78600"), TSS=("310", "93378"), P=("20", "760"), TN=("66", "1060"),
                          pH=("1.5", "12.6")),
    "holding_tank": _bands(_USUAL, BOD5=("100", "1200"), TSS=("100", "1400"), P=("3", "30"), TN=("20", "200"),
                           pH=("5", "9")),
    "portable_toilet": _bands(_USUAL, BOD5=("1500", "30000"), TSS=("1500", "40000"), P=("50", "800"),
                              TN=("500", "10000"), pH=("5", "11")),
}  # fmt: skip


def outside(waste: str, parameter: str, qualifier: str, value: Decimal) -> Band | None:
    """The band a result lies outside of; None where it lies inside or nobody knows.

    A result below the detection limit is none of the pen's slips and is never asked about.
    """
    band = BANDS.get(waste, {}).get(parameter)
    if band is None or qualifier == BELOW:
        return None
    too_low = value < band.low and qualifier != ABOVE
    return band if too_low or value > band.high else None


# ---------------------------------------------------------------- Pounds


@dataclass(frozen=True)
class Pounds:
    """Pounds of one parameter, to a tenth: "<" is less than so much, ">" more. `row` gives the factor."""

    parameter: str
    amount: Decimal
    qualifier: str
    row: Row

    @property
    def words(self) -> str:
        """ "54.2 pounds", "less than 0.1 pounds"."""
        before = {BELOW: "less than ", ABOVE: "more than "}.get(self.qualifier, "")
        return f"{before}{self.amount:,.1f} pounds"


def pounds_of(law: Law, day: date, parameter: str, qualifier: str, value: Decimal, gallons: int) -> Pounds | None:
    """mg/L × million gallons × the law's factor; None for what has no weight, or where the law has no factor.

    "Less than" is rounded up and "more than" down, so that both stay true; the rest half up.
    """
    if PARAMETERS[parameter].unit != MG_L or not law.has("strength.lb_factor", day):
        return None
    exact = loading.pounds(law, day, Decimal(gallons), value)
    rounding = {BELOW: ROUND_CEILING, ABOVE: ROUND_FLOOR}.get(qualifier, ROUND_HALF_UP)
    return Pounds(parameter, exact.quantize(_TENTH, rounding), qualifier, law.row("strength.lb_factor", day))


def steps_words(pounds: Pounds, value: Decimal, gallons: int) -> str:
    """ "4,200 mg/L × 0.0015 million gallons × 8.34": how the pounds come about."""
    millions = f"{(Decimal(gallons) / _MILLION).normalize():f}"
    return f"{value:,f} mg/L × {millions} million gallons × {pounds.row.value}"


def added(several: Iterable[Pounds]) -> dict[str, Decimal]:
    """Sums by parameter: "less than" counts as its bound, "more than" too (``BELOW_WORDS``)."""
    sums: dict[str, Decimal] = {}
    for one in several:
        sums[one.parameter] = sums.get(one.parameter, Decimal(0)) + one.amount
    return sums


# ---------------------------------------------------------------- Strength while it is bled


@dataclass(frozen=True)
class Blend:
    """The inflow while waste runs at a rate: its strength and the law's slug (mg/L), the pounds an hour it adds.

    `too_strong` is a slug by the law's measure (`row`), or, `own`, more an hour than the plant is built for.
    """

    parameter: str
    gph: int
    pounds_hour: Decimal
    mg_l: Decimal | None
    bound: Decimal | None
    too_strong: bool
    row: Row | None
    own: bool = False

    @property
    def words(self) -> str:
        """What it is, a sentence."""
        return blend_words(self)


def blend(law: Law, day: date, parameter: str, mg_l: Decimal, gph: int, flow_gpd: int | None) -> Blend | None:
    """What waste of a strength makes of the inflow (gallons a day) at a rate; None where nobody has a measure."""
    name = PARAMETERS[parameter].scheduled
    if not name or not law.has("strength.lb_factor", day):
        return None
    exact = loading.pounds(law, day, Decimal(gph), mg_l)
    an_hour = exact.quantize(_TENTH, ROUND_HALF_UP)
    if flow_gpd is not None and law.has(f"strength.normal_{name}", day) and law.has("slug.times", day):
        flow, normal = Decimal(flow_gpd) / _HOURS_A_DAY, Decimal(law.value(f"strength.normal_{name}", day))
        mixed, row = (flow * normal + gph * mg_l) / (flow + gph), law.row("slug.times", day)
        bound = normal * row.value
        return Blend(parameter, gph, an_hour, mixed.quantize(Decimal(1), ROUND_HALF_UP), bound, mixed > bound, row)
    key = f"plant.design_{name}"
    if not law.has(key, day):
        return None
    bound = Decimal(law.value(key, day)) / _HOURS_A_DAY
    shown = bound.quantize(_TENTH, ROUND_HALF_UP)
    return Blend(parameter, gph, an_hour, None, shown, exact > bound, law.row(key, day), own=True)


def lasting(law: Law, day: date, runs: Sequence[tuple[datetime, datetime, int]]) -> int | None:
    """The highest rate that a load kept up long enough to be a slug: its runs in order, (start, end, gallons an hour).

    A rate is kept up while it is not lower, from one run to the next without a pause.
    """
    least = timedelta(minutes=law.value("slug.minutes", day) if law.has("slug.minutes", day) else 0)
    for gph in sorted({gph for _, _, gph in runs}, reverse=True):
        lasted, last = timedelta(0), None
        for start, end, rate in runs:
            lasted = (lasted if start == last else timedelta(0)) + (end - start) if rate >= gph else timedelta(0)
            last = end
            if lasted > least:
                return gph
    return None


def mixed(several: Iterable[tuple[int, Decimal | None]]) -> tuple[Decimal | None, int]:
    """The strength of gallons put together, each weighted by its gallons, in mg/L, and the gallons of unknown strength.

    None where no strength is known at all.
    """
    known = total = unknown = Decimal(0)
    for gallons, mg_l in several:
        if mg_l is None:
            unknown += gallons
        else:
            known, total = known + gallons, total + gallons * mg_l
    return ((total / known).quantize(Decimal(1), ROUND_HALF_UP) if known else None), int(unknown)


def blend_words(found: Blend) -> str:
    """What a blend is in words, a sentence."""
    name = PARAMETERS[found.parameter].words
    rate = f"At {counted(found.gph, 'gallon')} an hour it brings {found.pounds_hour:,.1f} pounds of {name} an hour"
    if found.own:
        limit = f"the plant is built for {found.bound:,.1f} pounds an hour"
        return f"{rate}; {limit}. No § says what a slug is here: this is the plant's own measure."
    makes = f"and makes the plant's inflow {found.mg_l:,} mg/L"
    if found.too_strong:
        return f"{rate} {makes}: more than the {found.bound:,} mg/L above which it is a slug."
    return f"{rate} {makes}; above {found.bound:,} mg/L it is a slug."
