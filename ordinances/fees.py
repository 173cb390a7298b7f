"""Charges as cited lines, each rounded half up to the cent once (§ 329-7 F, § 329-2 of Bayfield)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import ROUND_CEILING, ROUND_HALF_UP, Decimal

from ordinances.other_times import other_day
from ordinances.refusal import Refusal
from ordinances.rows import Law, Row
from ordinances.screening import RESIDENTIAL, waste_allowed

_CENT = Decimal("0.01")
_TABLES = {"older": ("bod", "tss"), "table_2007": ("bod", "tss", "p")}
_PREFIX = {"older": "older", "table_2007": "2007"}
_PARAMETERS = {"bod": "BOD5", "tss": "TSS", "p": "phosphorus"}
_MILLION = 1_000_000


@dataclass(frozen=True)
class FeeLine:
    """One charge: words for the invoice, what it was reckoned from, and the section and law it rests on."""

    code: str
    what: str
    quantity: Decimal
    unit: str
    unit_price: Decimal
    amount: Decimal
    cite: str
    reading: str | None
    law_version: str

    @property
    def cents(self) -> int:
        return int(self.amount * 100)


@dataclass(frozen=True)
class Late:
    """A late charge: the last day in time, the day the charge is dated, and its line."""

    due_last_day: date
    charged_on: date
    line: FeeLine


def volume_line(law: Law, day: date, gallons: int) -> FeeLine:
    """Gallons unloaded on a day at that day's price."""
    if gallons < 0:
        raise ValueError("gallons cannot be below zero")
    row = law.row("fees.volume_per_gal", day)
    return _line(law, row, "volume", "Septage unloaded", (gallons, "gallon"))


def for_load(
    law: Law,
    parts: Sequence[tuple[date, int]],
    waste: str,
    *,
    tested: bool = True,
    extra_tests: int = 0,
    after_hours_minutes: int = 0,
    wage: Decimal | None = None,
) -> tuple[FeeLine, ...] | Refusal:
    """The charges of one load, or why it has no price.

    `parts` are (day, gallons), one for each morning, priced by the law of its own day; tests and special time by
    the law of the first. `wage` is dollars an hour, else the plant's own row.
    """
    if not parts:
        raise ValueError("a load needs at least one part")
    if extra_tests < 0 or after_hours_minutes < 0:
        raise ValueError("tests and minutes cannot be below zero")
    day = parts[0][0]
    refusal = waste_allowed(law, day, waste)
    if refusal:
        return refusal
    lines = [volume_line(law, on, gallons) for on, gallons in parts]
    tests = _tests(law, day, waste, tested, extra_tests)
    special = special_lines(law, day, after_hours_minutes, sum((line.quantity for line in tests), Decimal(0)), wage)
    return special if isinstance(special, Refusal) else (*lines, *tests, *special)


def strength_lines(law: Law, day: date, gallons: int, results: Mapping[str, Decimal]) -> tuple[FeeLine, ...]:
    """Surcharges on strength where the law in force sets a table for septage; none at Bayfield.

    `results` are mg/L by "bod", "tss", "p"; only what passes normal strength is charged, by the pound.
    """
    table: str = law.value("fees.strength_surcharge", day)
    factor: Decimal = law.value("strength.lb_factor", day)
    lines = []
    for name in _TABLES.get(table, ()):
        if name not in results:
            continue
        excess = max(Decimal(0), results[name] - law.value(f"strength.normal_{name}", day))
        pounds = excess * gallons / _MILLION * factor
        row = law.row(f"fees.surcharge_{_PREFIX[table]}_{name}", day)
        what = f"{_PARAMETERS[name]} above normal strength"
        lines.append(_line(law, row, "surcharge", what, (pounds, "pound")))
    return tuple(lines)


def total(lines: Iterable[FeeLine]) -> Decimal:
    """The sum of lines that are each already rounded."""
    return sum((line.amount for line in lines), Decimal("0.00"))


def filing_fee(law: Law, day: date) -> FeeLine | Refusal:
    """The filing fee from the Council's dated resolution; none set is said so and keeps nobody from filing."""
    setter = law.row("application.fee_set_by", day) if law.has("application.fee_set_by", day) else None
    cite, reading = (setter.cite, setter.reading) if setter else (law.cite("programme.kind", day), None)
    if not law.has("fees.filing", day):
        why = "The filing fee is not set: no resolution with its amount is in force."
        return Refusal("fee_not_set", why, cite, reading, "The application can be filed; the fee follows.")
    row = law.row("fees.filing", day)
    line = _line(law, row, "filing", "Filing fee, not refunded", (1, "application"))
    return replace(line, cite=cite, reading=reading)


def appeal_fee(law: Law, day: date) -> FeeLine | Refusal | None:
    """What an appeal costs by the plant's dated resolution; a Refusal where the law names the fee and none is set.

    None where the law names no such fee. It may be given back where ``appeal_fee_refundable`` says so.
    """
    key, rule = "review.fee_refundable", "fees.appeal"
    if not law.has(key, day) and not law.has(rule, day):
        return None
    named = law.row(key if law.has(key, day) else rule, day)
    if not law.has(rule, day):
        why = "The fee of an appeal is not set: no resolution with its amount is in force."
        return Refusal("fee_not_set", why, named.cite, named.reading, "The appeal is entered; the fee follows.")
    back = "may be refunded if sustained" if appeal_fee_refundable(law, day) else "not refunded"
    line = _line(law, law.row(rule, day), "appeal", f"Fee of an appeal, {back}", (1, "appeal"))
    return replace(line, cite=named.cite, reading=named.reading)


def appeal_fee_refundable(law: Law, day: date) -> Row | None:
    """The row by which the fee of a sustained appeal may be given back; None where there is none."""
    key = "review.fee_refundable"
    return law.row(key, day) if law.has(key, day) and law.value(key, day) else None


def fee_before_decision(law: Law, day: date) -> Row | None:
    """The row by which nothing is decided before the filing fee is paid; None where the law lets it follow.

    A fee that no resolution has set keeps nothing back: there is nothing to pay.
    """
    key = "application.fee_blocks_filing"
    if not law.has(key, day) or not law.value(key, day) or isinstance(filing_fee(law, day), Refusal):
        return None
    return law.row(key, day)


def late_dates(law: Law, issued_on: date) -> tuple[date, date]:
    """The last day on which a payment is in time, and the day a late charge is dated; the day of issue not counted."""
    last = issued_on + timedelta(days=law.value("billing.late_days", issued_on))
    return last, last + timedelta(days=1)


def late_charge(law: Law, issued_on: date, unpaid_cents_end_of_last_day: int) -> Late | Refusal:
    """The one late charge of an invoice, on what was unpaid of its own charges at the end of the last day in time."""
    if not law.has("billing.late_percent", issued_on):
        why = "The law has no late charge."
        return Refusal("no_late_charge", why, law.cite("programme.kind", issued_on))
    last, charged_on = late_dates(law, issued_on)
    percent = law.row("billing.late_percent", issued_on)
    if unpaid_cents_end_of_last_day <= 0:
        return Refusal("nothing_unpaid", "The invoice was paid in time.", percent.cite)
    unpaid = Decimal(unpaid_cents_end_of_last_day) / 100
    share = percent.value / 100
    line = FeeLine(
        "late", f"Late charge of {percent.value.normalize():f} % on ${unpaid:.2f}", unpaid, "dollars unpaid", share,
        _cents(unpaid * share), law.cite("billing.late_days", issued_on),
        law.row("billing.late_days", issued_on).reading, law.version,
    )  # fmt: skip
    return Late(last, charged_on, line)


def _tests(law: Law, day: date, waste: str, tested: bool, extra_tests: int) -> list[FeeLine]:
    lines = []
    parameters: tuple[str, ...] = law.value("fees.test_parameters", day)
    applies = not law.has("fees.test_applies_to", day) or law.value("fees.test_applies_to", day) == "all"
    if tested and (applies or waste not in RESIDENTIAL):
        unit: str = law.value("fees.test_unit", day)
        count = 1 if unit == "load" else len(parameters)
        what = f"Testing for {' and '.join(parameters)}"
        row = law.row("fees.test", day)
        lines.append(_line(law, row, "test", what, (count, unit)))
    if extra_tests:
        row = law.row("fees.extra_test", day)
        lines.append(_line(law, row, "extra_test", "Further tests", (extra_tests, "test")))
    return lines


def special_lines(
    law: Law, day: date, minutes: int, tests: Decimal, wage: Decimal | None = None
) -> list[FeeLine] | Refusal:
    """The additional charge for other times of the day: hours of the supervisor's wage, and so much for each test.

    `minutes` are those supervised outside the unloading hours: none, no charge. Refused: ``no_special_day``,
    ``wage_not_set``.
    """
    if not minutes:
        return []
    refusal = other_day(law, day)
    if refusal is not None:
        return refusal
    hours_row = law.row("fees.special_round_hours", day)
    per_test = law.row("fees.special_per_test", day)
    if wage is None and law.has("fees.wage", day):
        wage = law.value("fees.wage", day)
    if wage is None:
        why = "No hourly wage is set for unloading at other times."
        return Refusal("wage_not_set", why, per_test.cite, None, "Set the wage, or give it with the load.")
    hours = special_hours(law, day, minutes)
    what = f"Supervision at another time of the day, {_minutes_words(minutes)}"
    lines = [
        FeeLine(
            "special_wage", what, hours, _counted(hours, "hour"), wage,
            _cents(hours * wage), hours_row.cite, hours_row.reading, law.version,
        )
    ]  # fmt: skip
    if tests:
        what = "Testing at another time of the day"
        lines.append(_line(law, per_test, "special_test", what, (tests, "test")))
    return lines


def special_hours(law: Law, day: date, minutes: int) -> Decimal:
    """The hours charged for minutes of supervision: rounded up to the law's part of an hour, at least its least."""
    step: Decimal = law.value("fees.special_round_hours", day)
    exact = Decimal(minutes) / 60
    rounded = (exact / step).to_integral_value(ROUND_CEILING) * step if step else exact
    return max(law.value("fees.special_min_hours", day), rounded)


def _minutes_words(minutes: int) -> str:
    hours, rest = divmod(minutes, 60)
    parts = [f"{hours} {_counted(Decimal(hours), 'hour')}"] if hours else []
    parts += [f"{rest} {_counted(Decimal(rest), 'minute')}"] if rest or not hours else []
    return " ".join(parts)


def _line(law: Law, row: Row, code: str, what: str, counted: tuple[Decimal | int, str]) -> FeeLine:
    """A line from a row that holds a price, and what is counted: (quantity, one of them)."""
    quantity = Decimal(counted[0])
    unit = _counted(quantity, counted[1])
    price: Decimal = row.value
    return FeeLine(
        code, what, quantity, unit, price, _cents(quantity * price), row.cite, row.reading, law.version
    )  # fmt: skip


def _counted(quantity: Decimal, one: str) -> str:
    """The unit as it reads beside a quantity: "gallon" after 1, else "gallons"."""
    return one if quantity == 1 else f"{one}s"


def _cents(amount: Decimal) -> Decimal:
    return amount.quantize(_CENT, ROUND_HALF_UP)
