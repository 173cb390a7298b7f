"""Charges by the law of a plant: what it lets be charged at all, counted by the fee schedule of that law (§ 329-7 F).

``pricing`` counts; here stands what belongs to the law beside its schedule: which waste may come, which days have other
times, which tests are the usual ones, and the fees of filing and of an appeal.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from ordinances.fee_line import FeeLine, rounded, total
from ordinances.hauled import Load, Part, for_part, time_classes
from ordinances.other_times import began_outside, other_day
from ordinances.pricing import Quote, application_lines, deposit_lines, price_load, truck_lines
from ordinances.refusal import Refusal
from ordinances.rows import Law, Row
from ordinances.schedule import Item, Schedule
from ordinances.schedule_fields import COUNTING
from ordinances.schedule_law import EXTRA, PAIR, schedule_of, schedule_over
from ordinances.schedule_lines import ScheduleLine, staff_hours
from ordinances.schedule_words import by_time_of_day
from ordinances.screening import waste_allowed
from ordinances.values import WEEKDAYS, WEEKEND

__all__ = [
    "FeeLine", "after_hours", "appeal_fee", "appeal_fee_refundable", "charge_cite", "charged_for",
    "fee_before_decision", "filing_fee", "for_load", "load_of", "quote_for", "registration_lines", "special_hours",
    "total",
]  # fmt: skip


def for_load(
    law: Law, parts: Sequence[tuple[date, int]], waste: str, **known: Any
) -> tuple[ScheduleLine, ...] | Refusal:
    """The charges of one load, or why it has no price; ``known`` as of ``quote_for``."""
    found = quote_for(law, parts, waste, **known)
    return found if isinstance(found, Refusal) else found.lines


def quote_for(
    law: Law, parts: Sequence[tuple[date, int]], waste: str, *, laws: Mapping[date, Law] | None = None, **known: Any
) -> Quote | Refusal:
    """The charges of one load with the results still awaited, or why it has no price.

    `parts` are (day, gallons), one for each morning: what is counted by the gallon is priced by the law of its own day,
    all else by that of the first. `laws` are the laws of those days where they are not all `law`; what is `known` of
    the load stands at ``load_of``. Refused: as by ``waste_allowed``, ``other_day`` and ``price_load``.
    """
    if not parts:
        raise ValueError("a load needs at least one part")
    day = parts[0][0]
    law = laws[day] if laws else law
    kinds = dict.fromkeys([waste, *(part.waste for part in known.get("others", ()))])
    refusal = next(filter(None, (waste_allowed(law, day, one) for one in kinds)), None)
    refusal = refusal or _no_others(sum(gallons for _, gallons in parts), known.get("others", ()))
    if refusal is None and known.get("after_hours_minutes"):
        refusal = other_day(law, day)
    if refusal is not None:
        return refusal
    schedule = schedule_over(laws) if laws else schedule_of(law)
    found = price_load(schedule, day, load_of(law, schedule, parts, waste, laws=laws, **known))
    if isinstance(found, Refusal) and found.code == "wage_not_set" and known.get("after_hours_minutes"):
        return replace(found, why="No hourly wage is set for unloading at other times.")
    return found


def load_of(
    law: Law,
    schedule: Schedule,
    parts: Sequence[tuple[date, int]],
    waste: str,
    *,
    tested: bool = True,
    extra_tests: int = 0,
    after_hours_minutes: int = 0,
    after_hours: bool = False,
    outside: Collection[date] = (),
    laws: Mapping[date, Law] | None = None,
    measured: bool = False,
    origin: str | None = None,
    others: Sequence[Part] = (),
    **more: Any,
) -> Load:
    """A load as the schedule counts it, all of one kind of waste but for the gallons of `others`.

    `measured`: the gallons were measured, not declared. `after_hours_minutes` are those supervised outside the
    unloading hours; `after_hours`: it began outside them, supervised or not, and `outside` are the days after the first
    on which it did. `more` are fields of ``hauled.Load``: wage, capacity, point, metered, strengths, costs …
    """
    if extra_tests < 0 or after_hours_minutes < 0 or any(gallons < 0 for _, gallons in parts):
        raise ValueError("gallons, tests and minutes cannot be below zero")
    day, gallons = parts[0][0], sum(one for _, one in parts)
    kinds = (Part(waste, origin, max(0, gallons - sum(one.gallons or 0 for one in others))), *others)
    later = [(on, laws[on] if laws else law) for on, _ in parts[1:]]
    weekend, holiday = _kind_of_day(law, day)
    return Load(
        kinds, measured=gallons if measured else None, declared=gallons,
        tests=_tests(law, schedule, day, kinds, tested) | ({EXTRA: extra_tests} if extra_tests else {}),
        after_hours=after_hours or after_hours_minutes > 0, weekend=weekend, holiday=holiday,
        staff_minutes=after_hours_minutes, untested=not tested,
        sessions=tuple(parts) if len(parts) > 1 else (),
        other_times={on: time_classes(on in outside, *_kind_of_day(one, on)) for on, one in later},
        **more,
    )  # fmt: skip


def _kind_of_day(law: Law, day: date) -> tuple[bool, bool]:
    """Whether a day is of a weekend, and whether of a holiday by the plant's calendar."""
    closure = law.closures.get(day)
    return WEEKDAYS[day.weekday()] in WEEKEND, closure is not None and closure.is_holiday


def after_hours(law: Law, began: datetime) -> bool:
    """Whether a load that came by no arrangement pays for another time of the day, as when its unloading began.

    Where the law charges supervision at other times, what they cost more is of an arrangement only (§ 329-7 F(4) of
    Bayfield): nothing is added without one.
    """
    day = began.astimezone(law.zone).date()
    schedule = schedule_of(law)
    return schedule.has_items(day) and by_time_of_day(schedule.items_on(day)) and began_outside(law, began)


def _no_others(gallons: int, others: Sequence[Part]) -> Refusal | None:
    """Why a mixed load cannot be: its other kinds leave nothing of the first. A load of none so far may still grow."""
    mixed = sum(part.gallons or 0 for part in others)
    if not all(part.gallons for part in others):
        return Refusal("parts_over", "Give the gallons of each other kind in a mixed load.", "")
    if gallons <= 0 or mixed < gallons:
        return None
    why = f"Of {gallons:,} gallons {mixed:,} cannot be of another kind: the first kind is left nothing."
    return Refusal("parts_over", why, "", None, "Give the gallons of the whole load, and of the other kind the rest.")


def _tests(law: Law, schedule: Schedule, day: date, kinds: Sequence[Part], tested: bool) -> dict[str, int]:
    """The usual tests of a load, once each: the pair, or each by its name, where the schedule charges them so."""
    if not tested:
        return {}
    items = [item for item in schedule.items_on(day) if item.kind == "per_test"]
    named: tuple[str, ...] = law.value("fees.test_parameters", day) if law.has("fees.test_parameters", day) else ()
    usual = [name for name in (PAIR, *named) if any(name in item.test for item in items)]
    mine = [item for item in items if any(for_part(item, part) for part in kinds)]
    return {name: 1 for name in usual if any(name in item.test for item in mine)} if usual else {PAIR: 1}


def charged_for(law: Law, day: date, what: str) -> Item | None:
    """The item by which "gallons", "tests" or "supervision" are charged on a day; None where they are not."""
    schedule = schedule_of(law)
    items = schedule.items_on(day) if schedule.has_items(day) else ()
    return next((item for item in items if item.kind in _COUNTED[what] and not item.base), None)


def charge_cite(law: Law, day: date, what: str) -> str:
    """The section by which something is charged; that of the programme where it is not charged."""
    item = charged_for(law, day, what)
    return item.cite if item is not None else law.cite("programme.kind", day)


_COUNTED = {"gallons": (*COUNTING, "per_load"), "tests": ("per_test",), "supervision": ("staff_hours",)}


def special_hours(law: Law, day: date, minutes: int) -> Decimal:
    """The hours charged for minutes of supervision at another time; 0 where the law charges none."""
    item = charged_for(law, day, "supervision")
    return staff_hours(item, minutes) if item is not None else Decimal(0)


def registration_lines(
    law: Law, day: date, *, trucks: int = 0, renewal: bool = False, deposit: bool = False
) -> tuple[ScheduleLine, ...]:
    """What so many trucks of a hauler cost for a year, first or renewed, and the deposits left with them if asked."""
    schedule = schedule_of(law)
    if not schedule.has_items(day):
        return ()
    lines = truck_lines(schedule, day, trucks, renewal=renewal)
    return lines + (deposit_lines(schedule, day, trucks) if deposit else ())


def filing_fee(law: Law, day: date, *, renewal: bool = False) -> FeeLine | Refusal:
    """The filing fee: an item of the schedule, or the Council's dated resolution.

    None set is said so and keeps nobody from filing.
    """
    schedule = schedule_of(law)
    lines = application_lines(schedule, day, renewal=renewal) if schedule.has_items(day) else ()
    if lines:
        return lines[0]
    setter = law.row("application.fee_set_by", day) if law.has("application.fee_set_by", day) else None
    cite, reading = (setter.cite, setter.reading) if setter else (law.cite("programme.kind", day), None)
    why = "The filing fee is not set: no resolution with its amount is in force."
    return Refusal("fee_not_set", why, cite, reading, "The application can be filed; the fee follows.")


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


def _line(law: Law, row: Row, code: str, what: str, counted: tuple[Decimal | int, str]) -> FeeLine:
    """A line from a row that holds a price, and what is counted: (quantity, one of them)."""
    quantity = Decimal(counted[0])
    unit = counted[1] if quantity == 1 else f"{counted[1]}s"
    price: Decimal = row.value
    return FeeLine(
        code, what, quantity, unit, price, rounded(quantity * price), row.cite, row.reading, law.version
    )  # fmt: skip
