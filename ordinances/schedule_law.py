"""The fee schedule of a law: the items written in its file, and those its rows of prices stand for.

A profile writes its charges as items; one adopted before it could, or a plant's own resolution (filing fee, wage),
holds them as rows of one number each. Both are items here, so that one engine counts every charge.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from ordinances.rows import Law, NoLaw, Row
from ordinances.schedule import Item, Mixed, Schedule, StrengthClass, Untested, Wage, in_force
from ordinances.schema import WASTES
from ordinances.screening import RESIDENTIAL

PAIR, EXTRA = "pair", "extra"  # the usual tests of a load taken as one, and those beyond
SUPERVISOR = "supervisor"
# The rows of one number by the item each is read as: a profile that writes the item does without them.
READ_AS = {
    "fees.volume_per_gal": "volume", "fees.volume_basis": "volume", "fees.test": "test", "fees.test_unit": "test",
    "fees.test_applies_to": "test", "fees.extra_test": "extra_test", "fees.special_per_test": "special_test",
    "fees.special_min_hours": "special_wage", "fees.special_round_hours": "special_wage", "fees.filing": "filing",
}  # fmt: skip
_BASES = {"measured_else_declared": ("measured", "declared"), "declared": ("declared",), "capacity": ("capacity",)}
_SURCHARGES = {"older": ("bod", "tss"), "table_2007": ("bod", "tss", "p")}
_TABLES = {"older": "older", "table_2007": "2007"}
SURCHARGE = "fees.surcharge_"  # what the keys of both tables begin with
_PARAMETERS = {"bod": "BOD5", "tss": "TSS", "p": "phosphorus"}


@dataclass(frozen=True)
class LawSchedule(Schedule):
    """A schedule whose rows of one number are asked of the law on each day; its version is that of the law."""

    law: Law | None = field(default=None, repr=False, compare=False)

    def items_on(self, day: date) -> tuple[Item, ...]:
        """The items in force on a day; raises NoLaw where there is none."""
        written = self._written_on(day)
        codes = {item.code for item in written}
        found = (*written, *(item for item in self._read_on(day) if item.code not in codes))
        if not found:
            raise NoLaw(f"{self.name} has no charge in force on {day}")
        return found

    def has_items(self, day: date) -> bool:
        """Whether anything at all is charged on a day."""
        return bool(self._written_on(day) or self._read_on(day))

    def item(self, code: str, day: date) -> Item | None:
        return next((item for item in (*self._written_on(day), *self._read_on(day)) if item.code == code), None)

    def wage(self, role: str, day: date) -> Wage | None:
        """What an hour of a role costs: that of the file, else the plant's own row; the charge's § is cited for it."""
        written = super().wage(role, day)
        if written is not None or self.law is None or not self.law.has("fees.wage", day):
            return written
        row = self.law.row("fees.wage", day)
        return Wage(role, row.value, row.since, "", row.until, row.reading)

    def _written_on(self, day: date) -> list[Item]:
        return in_force(self.items, day)

    def _read_on(self, day: date) -> list[Item]:
        law = self.law
        return [item for read in _READERS for item in read(law, day)] if law is not None else []


def schedule_of(law: Law) -> LawSchedule:
    """The schedule of a law, made once for each."""
    known: dict[str, LawSchedule] = law.__dict__
    if "_schedule" not in known:
        known["_schedule"] = _schedule(law)
    return known["_schedule"]


@dataclass(frozen=True)
class Succession(Schedule):
    """The schedules of a load's days where another law was adopted between them: each day is asked of its own."""

    days: Mapping[date, Schedule] = field(default_factory=dict, repr=False, compare=False)

    def items_on(self, day: date) -> tuple[Item, ...]:
        return self.days[day].items_on(day)

    def item(self, code: str, day: date) -> Item | None:
        return self.days[day].item(code, day)

    def wage(self, role: str, day: date) -> Wage | None:
        return self.days[day].wage(role, day)

    def mixed_on(self, day: date) -> Mixed | None:
        return self.days[day].mixed_on(day)

    def classes_on(self, day: date) -> list[StrengthClass]:
        return self.days[day].classes_on(day)

    def untested_on(self, day: date) -> Untested | None:
        return self.days[day].untested_on(day)

    def version_on(self, day: date) -> str:
        return self.days[day].version_on(day)


def schedule_over(laws: Mapping[date, Law]) -> Schedule:
    """The schedule of the laws of some days, the first day's name; one law for all of them is its own schedule."""
    first, *others = (schedule_of(laws[day]) for day in sorted(laws))
    if all(one.version == first.version for one in others):
        return first
    return Succession(
        first.id, first.name, first.source, first.wastes, first.origins, first.points, first.tests, first.items,
        version=first.version, days={day: schedule_of(law) for day, law in laws.items()},
    )  # fmt: skip


def _schedule(law: Law) -> LawSchedule:
    profile, written = law.profile, law.profile.schedule
    if written is None:
        return LawSchedule(profile.id, profile.name, profile.name, WASTES, (), (), (), (), version=law.version, law=law)
    return LawSchedule(
        profile.id, profile.name, profile.name, written.wastes, written.origins, written.points, written.tests,
        written.items, written.wages, written.classes, written.mixed, written.untested,
        version=law.version, law=law,
    )  # fmt: skip


def _volume(law: Law, day: date) -> list[Item]:
    row = _row(law, "fees.volume_per_gal", day)
    if row is None:
        return []
    basis = law.value("fees.volume_basis", day) if law.has("fees.volume_basis", day) else "measured_else_declared"
    return [_item(row, "volume", "Septage unloaded", "per_gallons", basis=_BASES[basis])]


def _tests(law: Law, day: date) -> list[Item]:
    items = []
    row = _row(law, "fees.test", day)
    if row is not None:
        parameters: tuple[str, ...] = law.value("fees.test_parameters", day)
        by_load = law.value("fees.test_unit", day) == "load"
        only = law.has("fees.test_applies_to", day) and law.value("fees.test_applies_to", day) != "all"
        items.append(_item(
            row, "test", f"Testing for {' and '.join(parameters)}", "per_test",
            test=(PAIR,) if by_load else parameters, unit="load" if by_load else "",
            waste=tuple(one for one in WASTES if one not in RESIDENTIAL) if only else (),
        ))  # fmt: skip
    extra = _row(law, "fees.extra_test", day)
    return items + ([_item(extra, "extra_test", "Further tests", "per_test", test=(EXTRA,))] if extra else [])


def _other_times(law: Law, day: date) -> list[Item]:
    """Hours of the supervisor and so much for each test, at other times of the day (§ 329-7 F(4) of Bayfield)."""
    items, hours, tests = [], _row(law, "fees.special_round_hours", day), _row(law, "fees.special_per_test", day)
    least = _row(law, "fees.special_min_hours", day)
    if hours is not None:
        items.append(_item(
            hours, "special_wage", "Supervision at another time of the day", "staff_hours", price=None,
            role=SUPERVISOR, when=("after_hours",), round_hours=hours.value,
            min_hours=least.value if least else Decimal(0),
        ))  # fmt: skip
    if tests is not None:
        what = "Testing at another time of the day"
        items.append(_item(tests, "special_test", what, "per_test", when=("after_hours",)))
    return items


def _strength(law: Law, day: date) -> list[Item]:
    """Surcharges on strength where the law says which table reaches septage; none at Bayfield."""
    table = law.value("fees.strength_surcharge", day) if law.has("fees.strength_surcharge", day) else "none"
    items = []
    for name in _SURCHARGES.get(table, ()):
        row = law.row(f"{SURCHARGE}{_TABLES[table]}_{name}", day)
        items.append(_item(
            row, f"surcharge_{name}", f"{_PARAMETERS[name]} above normal strength", "per_pound_over", parameter=name,
            above=Decimal(law.value(f"strength.normal_{name}", day)), lb_factor=law.value("strength.lb_factor", day),
            basis=_BASES["measured_else_declared"],
        ))  # fmt: skip
    return items


def charged_by_table(law: Law, day: date, key: str) -> bool:
    """Whether the surcharge of a row reaches septage; else it is what other customers pay (§ 329-2 of Bayfield)."""
    table = law.value("fees.strength_surcharge", day) if law.has("fees.strength_surcharge", day) else "none"
    return table in _TABLES and key.startswith(f"{SURCHARGE}{_TABLES[table]}_")


def _filing(law: Law, day: date) -> list[Item]:
    """The Council's filing fee, cited by the section that leaves it to the Council."""
    row = _row(law, "fees.filing", day)
    if row is None:
        return []
    setter = _row(law, "application.fee_set_by", day)
    cite, reading = (setter.cite, setter.reading) if setter else (law.cite("programme.kind", day), None)
    return [_item(row, "filing", "Filing fee, not refunded", "per_application", cite=cite, reading=reading)]


_READERS: tuple[Callable[[Law, date], list[Item]], ...] = (_volume, _tests, _other_times, _strength, _filing)


def _row(law: Law, key: str, day: date) -> Row | None:
    return law.row(key, day) if law.has(key, day) else None


def _item(row: Row, code: str, what: str, kind: str, **more: object) -> Item:
    fields = {"price": row.value, "cite": row.cite, "reading": row.reading} | more
    return Item(code=code, what=what, kind=kind, since=row.since, until=row.until, **fields)
