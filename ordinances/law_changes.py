"""What another version of a law changes, in words, old against new, and which charges it raises (§ 281.49(12))."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from ordinances.charge_rises import EXPLAINED, risen, same_but_price, unit_price
from ordinances.pricing import resolved
from ordinances.refusal import Refusal
from ordinances.rows import Law, NoLaw, Row
from ordinances.rule_words import MIXED, UNTESTED, class_title, class_words, mixed_words, untested_words
from ordinances.schedule import Item
from ordinances.schedule_law import READ_AS, schedule_of
from ordinances.schedule_lines import dollars
from ordinances.schedule_words import item_words, whom_words
from ordinances.schema import KEYS, ORDER
from ordinances.values import day_words

LATE_PERCENT, LATE_ONCE, APPEAL = "billing.late_percent", "billing.late_once", "fees.appeal"
_DAY = timedelta(days=1)


@dataclass(frozen=True)
class Change:
    """One thing that another version changes from a day on: what it said and says ("" where nothing).

    `name` is the key of a row, or that of a charge ("charge volume"). `rises`: somebody may pay more; `amount` is then
    the price of one where nothing but the price differs, in dollars or percent.
    """

    name: str
    what: str
    was: str
    becomes: str
    since: date
    cite: str
    charge: bool = False
    rises: bool = False
    amount: Decimal | None = None


@dataclass(frozen=True)
class _Side:
    """The law of one version on a day, with its charges by their code."""

    law: Law
    day: date

    @property
    def items(self) -> dict[str, Item]:
        schedule = schedule_of(self.law)
        found = schedule.items_on(self.day) if schedule.has_items(self.day) else ()
        return {item.code: item for item in found}


def changes(old: Law, new: Law, since: date) -> list[Change]:
    """All that differs from a day on, charges first, each from the first day it does; again where it differs anew."""
    found: list[Change] = []
    said: dict[str, tuple[str, str]] = {}
    for day in _days((old, new), since):
        for one in (*_charges(_Side(old, day), _Side(new, day)), *_rows(old, new, day)):
            if said.get(one.name) != (one.was, one.becomes):
                said[one.name] = (one.was, one.becomes)
                found.append(one)
    return sorted(found, key=lambda one: not one.charge)


def covers(told: Iterable[Change], rise: Change) -> bool:
    """Whether who was told of some rises was told of this one: of the same words, or of as much, by its day."""
    return any(
        one.name == rise.name and one.since <= rise.since and one.rises
        and (one.becomes == rise.becomes
             or (one.amount is not None and rise.amount is not None and rise.amount <= one.amount))
        for one in told
    )  # fmt: skip


def _days(laws: Iterable[Law], since: date) -> list[date]:
    """The days from which on something may differ: that one, and each later one on which a row begins or has ended."""
    dated: list[Any] = []
    for law in laws:
        schedule = schedule_of(law)
        dated += [*law.profile.rows, *law.plant_rows, *schedule.items, *schedule.wages]
        dated += [*schedule.classes, *schedule.mixed, *schedule.untested]
    begun = {one.since for one in dated} | {one.until + _DAY for one in dated if one.until is not None}
    return sorted({since, *(day for day in begun if day > since)})


def _charges(before: _Side, after: _Side) -> list[Change]:
    """The charges of a day that differ, and what they count by: wages, classes of strength, mixed loads."""
    was, now = before.items, after.items
    found = [_charge(before, after, was, now, code) for code in dict.fromkeys([*was, *now])]
    return [one for one in (*found, *_wages(before, after), *_classes(before, after), _mixed(before, after),
                            _untested(before, after)) if one]  # fmt: skip


def _charge(before: _Side, after: _Side, old: Mapping[str, Item], new: Mapping[str, Item], code: str) -> Change | None:
    was, now = old.get(code), new.get(code)
    mine, theirs = _reckoned(was, before), _reckoned(now, after)
    said, says = _words(was, old), _words(now, new)
    rises = risen(mine, theirs)
    if said == says and mine is not None and theirs is not None:
        if not rises and _alike(mine, theirs):
            return None
        said, says = _whole(mine, said, theirs), _whole(theirs, says, mine)
    alike = mine is not None and theirs is not None and same_but_price(mine, theirs)
    what, cite = (now.what, now.cite) if now else (was.what, was.cite) if was else ("", "")
    return Change(f"charge {code}", what, said, says, after.day, cite, True, rises,
                  unit_price(theirs) if alike and theirs is not None else None)  # fmt: skip


def _reckoned(item: Item | None, side: _Side) -> Item | None:
    """A charge with what it multiplies; None where that is not in force, so that it cannot be charged."""
    try:
        return resolved(schedule_of(side.law), item, side.day) if item is not None else None
    except NoLaw:
        return None


def _words(item: Item | None, items: Mapping[str, Item]) -> str:
    if item is None:
        return ""
    counted = "" if not item.base else "counted from by other charges"
    return ", ".join(filter(None, [item_words(item, tuple(items.values())), whom_words(item), counted]))


def _alike(was: Item, now: Item) -> bool:
    return all(getattr(was, one.name) == getattr(now, one.name) for one in fields(Item) if one.name not in _APART)


_APART = EXPLAINED - {"what", "cite", "reading", "note"}


def _whole(item: Item, said: str, other: Item) -> str:
    """The words of a charge with what its words do not say, where that is what differs."""
    names = [one.name for one in fields(Item) if getattr(item, one.name) != getattr(other, one.name)]
    more = [f"{_FIELDS.get(name, name.replace('_', ' '))}: {_shown(getattr(item, name))}" for name in names
            if name not in _APART]  # fmt: skip
    return "; ".join([said, *more])


_FIELDS = {
    "what": "called", "cite": "by", "reading": "read as", "note": "noted", "basis": "gallons", "round_to": "rounded to",
    "rounding": "rounded", "lb_per_gallon": "pounds in a gallon", "lb_factor": "pounds in a gallon",
}  # fmt: skip


def _shown(value: Any) -> str:
    if isinstance(value, tuple):
        return ", ".join(str(one).replace("_", " ") for one in value) or "all"
    return "none" if value in (None, "") else str(value).replace("_", " ")


def _wages(before: _Side, after: _Side) -> list[Change]:
    """The wages a schedule dates itself; those a plant sets are no part of a version."""
    roles = dict.fromkeys(one.code for side in (before, after) for one in schedule_of(side.law).wages)
    found = []
    for role in roles:
        was, now = (schedule_of(side.law).wage(role, side.day) for side in (before, after))
        if (was and was.price) == (now and now.price):
            continue
        rises = now is not None and (was is None or now.price > was.price)
        said, says = (f"{dollars(one.price)} an hour" if one else "" for one in (was, now))
        what, cite = f"Wage of the {role.replace('_', ' ')}", (now or was).cite  # type: ignore[union-attr]
        found.append(Change(f"wage {role}", what, said, says, after.day, cite, True, rises, now.price if now else None))
    return found


def _classes(before: _Side, after: _Side) -> list[Change]:
    """Classes of strength. Whose load is of another class may pay more, so each change of one counts as a rise."""
    was, now = ({one.code: one for one in schedule_of(side.law).classes_on(side.day)} for side in (before, after))
    found = []
    for code in dict.fromkeys([*was, *now]):
        said, says = class_words(was.get(code)), class_words(now.get(code))
        if said != says:
            one = now.get(code) or was[code]
            found.append(Change(f"class {code}", class_title(one), said, says, after.day, one.cite, True, True))
    return found


def _mixed(before: _Side, after: _Side) -> Change | None:
    was, now = (schedule_of(side.law).mixed_on(side.day) for side in (before, after))
    if (was and was.rule) == (now and now.rule):
        return None
    cite = (now or was).cite  # type: ignore[union-attr]
    # Without a rule a mixed load has no price at all, so the first one raises nothing.
    rises = was is not None and now is not None
    return Change("mixed", MIXED, mixed_words(was), mixed_words(now), after.day, cite, True, rises)


def _untested(before: _Side, after: _Side) -> Change | None:
    was, now = (schedule_of(side.law).untested_on(side.day) for side in (before, after))
    if (was and was.strength_class) == (now and now.strength_class):
        return None
    cite = (now or was).cite  # type: ignore[union-attr]
    # Without a rule such a load waits for its result, so the first one raises nothing.
    rises = was is not None and now is not None
    said, says = (untested_words(one) for one in (was, now))
    return Change("untested", UNTESTED, said, says, after.day, cite, True, rises)


def _rows(old: Law, new: Law, day: date) -> list[Change]:
    """The rows that differ on a day; those a charge is read from are told as that charge."""
    was, now = ({row.key: row for row in law.rows(day)} for law in (old, new))
    keys = sorted((set(was) | set(now)) - set(READ_AS), key=lambda key: ORDER[key])
    return [one for one in (_row(old, new, was.get(key), now.get(key), day) for key in keys) if one is not None]


def _row(old: Law, new: Law, was: Row | None, now: Row | None, day: date) -> Change | None:
    said, says = old.words(was, day) if was else "", new.words(now, day) if now else ""
    if was is not None and now is not None and was.value == now.value:
        if (was.cite, was.reading) == (now.cite, now.reading):
            return None
        said, says = (" ".join(filter(None, [f"{words} ({row.cite}).", row.reading]))
                      for words, row in ((said, was), (says, now)))  # fmt: skip
    row = now or was
    assert row is not None
    money = row.key in (LATE_PERCENT, LATE_ONCE, APPEAL)
    amount = now.value if now is not None and row.key in (LATE_PERCENT, APPEAL) else None
    return Change(row.key, KEYS[row.key].title, said, says, day, row.cite, money, money and _dearer(was, now), amount)


def _dearer(was: Row | None, now: Row | None) -> bool:
    """Whether a late charge or the fee of an appeal rises by this: in percent or dollars, or by coming again."""
    if now is None:
        # Without a row a late charge comes once.
        return False
    if now.key == LATE_ONCE:
        return not now.value and (was is None or bool(was.value))
    return bool(now.value) and (was is None or bool(now.value > was.value))


def cannot_hold(law: Law, since: date) -> Refusal | None:
    """Why a version cannot be the law of a day: it says nothing then of what its programme cannot do without.

    Refused: ``nothing_yet``.
    """
    kind = "programme.kind"
    needed = [key for key in KEYS.values() if law.has(kind, since) and law.value(kind, since) in key.needed_by]
    written = set(READ_AS) if law.profile.schedule is not None else set()
    missing = [key.title for key in needed if key.name not in written and not law.has(key.name, since)]
    if not law.has(kind, since):
        missing = [KEYS[kind].title]
    if not missing:
        return None
    some = "; ".join(missing[:4]) + (f"; and {len(missing) - 4} more" if len(missing) > 4 else "")
    why = f"On {day_words(since)} this version says nothing of: {some}."
    return Refusal("nothing_yet", why, "", None, "Give those rows an earlier first day, or start the version later.")
