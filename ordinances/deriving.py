"""Minimums and percents of a load: lines that count from other lines, of each day and kind of waste they are for.

A percent goes by the law and the time of the day of each line it names. Of a line that counts more kinds than it is
for, it takes the part that falls on its own kinds by their gallons.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from ordinances.counted import counted as words_of
from ordinances.fee_line import rounded
from ordinances.hauled import Load, Part, for_day, for_part, shared, spared, strength_class
from ordinances.refusal import Refusal
from ordinances.schedule import Item, Schedule
from ordinances.schedule_graph import in_order
from ordinances.schedule_lines import Counted, ScheduleLine, dollars, line, single
from ordinances.values import day_words


@dataclass(frozen=True)
class Made:
    """A line with the parts of the load it counts; its `gallons` where they are those of one day of several."""

    line: ScheduleLine
    parts: tuple[Part, ...]
    gallons: int | None = None


@dataclass
class _Deriving:
    """What minimums and percents are taken of: the lines of a load made so far, and the codes asked of it."""

    schedule: Schedule
    day: date
    load: Load
    made: list[Made]
    asked_of: set[str]
    awaited: list[str] = field(default_factory=list)

    def takes(self, item: Item, day: date) -> bool:
        """Whether a minimum or a percent is for the load on a day: its time and place, its kinds, its strength."""
        if not for_day(item, day, self.load) or not any(for_part(item, part) for part in self.load.parts):
            return False
        found, missing = strength_class(self.schedule, day, self.load)
        if item.strength_class and found is None and not spared(item, self.load):
            self.awaited += missing
        return not item.strength_class or found in item.strength_class

    def of_part(self, item: Item, one: Made) -> tuple[Decimal, str] | Refusal:
        """What of a line falls on the kinds an item is for, and its name with the gallons that are of them."""
        mine = tuple(part for part in one.parts if for_part(item, part))
        whole = one.gallons if one.gallons is not None else self.load.by("measured", "declared")
        if len(mine) == len(one.parts) or whole == 0:
            return one.line.amount, one.line.what
        own, all_of_it = (shared(whole or 0, self.load, parts) for parts in (mine, one.parts))
        if own is None or all_of_it is None:
            why = "The load is mixed, and how many gallons are of each kind is not known."
            return Refusal("quantity_missing", why, item.cite, item.reading, "Give the gallons of each kind.")
        said = f"{one.line.what}, {own:,} of {words_of(all_of_it, 'gallon')}"
        return (rounded(one.line.amount * own / all_of_it) if all_of_it else Decimal(0)), said

    def only_on(self, item: Item, days: Sequence[date]) -> str:
        """Of which days of a load over several a percent is, where the lines it names are of others too."""
        named = {one.line.day or self.day for one in self.made if one.line.code in item.of}
        return f"Only of what was unloaded on {' and '.join(map(day_words, days))}." if named - set(days) else ""


def derived(
    schedule: Schedule, day: date, load: Load, made: Sequence[Made], asked_of: set[str], done: set[str]
) -> tuple[list[ScheduleLine], list[str]] | Refusal:
    """The minimums and percents of a load, each counted from the lines it names, and the results they still await.

    A minimum is reached from nothing too, where an item it names is `asked_of` the load but counts nothing of it; of a
    load of which nothing came out there is a least charge only of what was `done` for it.
    """
    task = _Deriving(schedule, day, load, list(made), asked_of | {one.line.code for one in made})
    before = len(task.made)
    for item in _items(schedule, [on for on, _ in load.sessions] or [day]):
        if item.kind == "minimum" and load.nothing_out and set(item.of) - done:
            continue
        found = _percents(task, item.code) if item.kind == "percent" else _minimum(task, item)
        if isinstance(found, Refusal):
            return found
        task.made += found
    return [one.line for one in task.made[before:]], task.awaited


def _items(schedule: Schedule, days: Sequence[date]) -> list[Item]:
    """The minimums of the first day and the percents of any of them, once each, after those they count from."""
    first, *later = (schedule.items_on(on) for on in days)
    known = {item.code: item for item in first}
    for items in later:
        known |= {item.code: item for item in items if item.kind == "percent" and item.code not in known}
    return in_order(list(known.values())) or []


def _minimum(task: _Deriving, item: Item) -> list[Made] | Refusal:
    if not task.asked_of & set(item.of) or not task.takes(item, task.day) or item.price is None:
        return []
    task.asked_of.add(item.code)
    parts = tuple(part for part in task.load.parts if for_part(item, part))
    found = [task.of_part(item, one) for one in task.made if one.line.code in item.of]
    refusal = next((one for one in found if isinstance(one, Refusal)), None)
    if refusal is not None:
        return refusal
    amount = sum((one[0] for one in found if not isinstance(one, Refusal)), Decimal(0))
    if amount >= item.price:
        return []
    how = f"{dollars(item.price)} at least" + (f", less {dollars(amount)}" if amount else "")
    counted = single(item.price - amount, "load", how)
    return [Made(line(item, counted, task.schedule, task.day), parts)]


def _percents(task: _Deriving, code: str) -> list[Made] | Refusal:
    """A percent of the lines it names, of those of each day by the law and time of that day; alike days together."""
    alike: dict[Item, list[Made]] = {}
    for on in [on for on, _ in task.load.sessions] or [task.day]:
        item = task.schedule.item(code, on)
        if item is None or item.kind != "percent" or not task.asked_of & set(item.of) or not task.takes(item, on):
            continue
        task.asked_of.add(code)
        named = [one for one in task.made if one.line.code in item.of and (one.line.day or task.day) == on]
        if named:
            alike.setdefault(item, []).extend(named)
    made: list[Made] = []
    for item, ones in alike.items():
        found = _percent(task, item, ones)
        if isinstance(found, Refusal):
            return found
        made.append(found)
    return made


def _percent(task: _Deriving, item: Item, named: Sequence[Made]) -> Made | Refusal:
    parts = tuple(part for part in task.load.parts if for_part(item, part))
    amount, words = Decimal(0), list[str]()
    for one in named:
        mine = task.of_part(item, one)
        if isinstance(mine, Refusal):
            return mine
        amount, words = amount + mine[0], [*words, mine[1]]
    days = list(dict.fromkeys(one.line.day or task.day for one in named))
    how = f"{item.percent.normalize():f} % of {dollars(amount)} ({' and '.join(dict.fromkeys(words))})"
    share = item.percent / 100
    counted = Counted(amount, "dollars", share, amount * share, how)
    return Made(line(item, counted, task.schedule, min(days), task.only_on(item, days)), parts)
