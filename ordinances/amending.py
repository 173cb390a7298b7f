"""Other amounts in a law that is otherwise as it stands: which it has, and the version with new ones from a day on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from ordinances.reader import profile_of_tables, tables_of
from ordinances.rows import Law, Profile, Row
from ordinances.schedule import Item, in_force
from ordinances.schema import KEYS

_FIELDS = {"price": "", "renewal": "renewed", "percent": "", "at_least": "at least"}
_RATES = ("billing.late_percent",)
_WHICH = "fees.strength_surcharge"


@dataclass(frozen=True)
class Amount:
    """One amount of a law on a day, in dollars or, with `unit` "percent", in percent.

    `name` is where it stands in the file: table, key or code, field, and the band where there are several.
    """

    name: str
    title: str
    value: Decimal
    unit: str
    cite: str


def amounts(law: Law, day: date) -> list[Amount]:
    """Every amount a profile itself sets on a day, in its own order; those of the plant and of the state are not."""
    found = [one for item in _items(law.profile, day) for one in _of_item(item)]
    wages = law.profile.schedule.wages if law.profile.schedule else ()
    found += [
        Amount(f"wage {wage.code} price", f"Wage of the {_plain(wage.code)}, an hour", wage.price, "", wage.cite)
        for wage in in_force(wages, day)
    ]
    return found + [_of_row(row) for row in _rows(law.profile, day)]


def amended(law: Law, amounts_: Mapping[str, Decimal], since: date) -> Profile:
    """The profile with other amounts, by their names, from a day on. Raises LawError as any text does.

    What was in force before the day stays; a row that begins on it is changed itself.
    """
    tables = deepcopy(tables_of(law.profile))
    for name, value in amounts_.items():
        table, code, field, *band = name.split(" ")
        rows = _table(tables, table, code)
        row = _from_day(rows, table, code, since)
        if band:
            row["bands"] = [one | ({"price": f"{value:f}"} if str(one["up_to"]) == band[0] else {})
                            for one in row["bands"]]  # fmt: skip
        else:
            row[field] = f"{value:f}"
    return profile_of_tables(tables, (row for row in law.profile.rows if row.source == "state"))


def _items(profile: Profile, day: date) -> list[Item]:
    return in_force(profile.schedule.items, day) if profile.schedule else []


def _of_item(item: Item) -> Iterator[Amount]:
    for name, said in _FIELDS.items():
        value = getattr(item, name)
        if value is None or (not value and name in ("percent", "at_least")):
            continue
        title = ", ".join(filter(None, [item.what, said]))
        yield Amount(f"item {item.code} {name}", title, value, "percent" if name == "percent" else "", item.cite)
    for size, price in item.bands:
        yield Amount(f"item {item.code} bands {size}", f"{item.what}, up to {size:,} gallons", price, "", item.cite)


def _rows(profile: Profile, day: date) -> list[Row]:
    """The rows that hold an amount: the profile's own, without surcharges that reach nobody who hauls."""
    law = Law(profile)
    table = law.value(_WHICH, day) if law.has(_WHICH, day) else "none"
    return [
        row for row in law.rows(day)
        if row.source == "profile" and (row.schema.type == "money" or row.key in _RATES)
        and (table != "none" or not row.key.startswith("fees.surcharge_"))
    ]  # fmt: skip


def _of_row(row: Row) -> Amount:
    unit = "percent" if row.key in _RATES else ""
    each = f", {row.schema.unit}" if row.schema.unit and not unit else ""
    return Amount(f"row {row.key} value", f"{KEYS[row.key].title}{each}", row.value, unit, row.cite)


def _table(tables: dict[str, Any], table: str, code: str) -> list[dict[str, Any]]:
    if table != "row":
        rows: list[dict[str, Any]] = tables[table]
        return rows
    group, name = code.split(".", 1)
    found: list[dict[str, Any]] = tables[group][name]
    return found


def _from_day(rows: list[dict[str, Any]], table: str, code: str, since: date) -> dict[str, Any]:
    """The row that begins on a day: the one there is, or a copy of the one in force, put behind it."""
    key = {"item": "code", "wage": "role"}.get(table)
    mine = [row for row in rows if (key is None or row[key] == code) and row["from"] <= since]
    last = max(mine, key=lambda row: row["from"])
    if last["from"] == since:
        return last
    copy = deepcopy(last) | {"from": since}
    rows.insert(next(at for at, row in enumerate(rows) if row is last) + 1, copy)
    if key is None and "until" in last:
        # Rows of a key do not overlap; what the copy says holds in place of the rest of the old one.
        last.pop("until")
    return copy


def _plain(name: str) -> str:
    return name.replace("_", " ")
