"""What a load costs by a fee schedule, and what is charged apart from any load: permits of trucks, filings, deposits.

The schedule in force on the day of discharge prices the load, whenever it is entered. Every charge of a plant is
counted here; ``fees`` asks for it by the plant's law.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal

from ordinances.deriving import Made, derived
from ordinances.fee_line import total
from ordinances.hauled import Load, Part, for_day, for_part, spared, strength_class
from ordinances.refusal import Refusal
from ordinances.rows import NoLaw
from ordinances.schedule import NORMAL, Item, Mixed, Schedule
from ordinances.schedule_fields import COUNTING, DONE, KINDS
from ordinances.schedule_lines import Asked, Awaited, ScheduleLine, count, divides, dollars, line, single
from ordinances.schedule_words import parameter_words
from ordinances.values import day_words

# The line of a price that waits for a result: of no cents, held, and replaced once the result is in.
AWAITS = "awaits_result"
NOT_SAID = "Not tested, and the schedule does not say what such a load pays: a laboratory's result decides."


@dataclass(frozen=True)
class Quote:
    """The lines of a load, and the results still `awaited` (by parameter) without which more may come."""

    lines: tuple[ScheduleLine, ...]
    awaited: tuple[str, ...] = ()

    @property
    def total(self) -> Decimal:
        return total(self.lines)


def price_load(schedule: Schedule, day: date, load: Load) -> Quote | Refusal:
    """The charges of a load discharged on a day, or why it has no price.

    A load over several days has its first day as `day`: what is counted by the gallon is priced by the law of each
    day, all else by that of the first. Refused: ``no_price``, ``origin_missing``, ``quantity_missing``,
    ``over_largest``, ``wage_not_set``, ``mixed_not_said``, ``days_differ``. Raises NoLaw before the first date.
    """
    if load.sessions and load.sessions[0][0] != day:
        raise ValueError("a load over several days is priced from its first")
    kinds = _kinds(load.parts)
    rule, mixed = schedule.mixed_on(day), _differ(schedule, day, load, kinds, _items)
    if rule is not None and rule.rule == "highest_rate":
        if mixed or _differ(schedule, day, load, kinds, _counting_from):
            return _dearest(schedule, day, load, kinds, rule)
    elif mixed and rule is None:
        why = "The load is mixed, and the schedule does not say how a mixed load is priced."
        return Refusal("mixed_not_said", why, schedule.items_on(day)[0].cite, None, "Bring each kind by itself.")
    said = f"Mixed load, each kind by its part ({rule.cite})." if mixed and rule is not None else ""
    return _priced(schedule, day, load, said)


def truck_lines(schedule: Schedule, day: date, trucks: int, *, renewal: bool = False) -> tuple[ScheduleLine, ...]:
    """The yearly charge of so many trucks, in their first year or renewed."""
    return _apart(schedule, day, "per_truck_year", trucks, renewal)


def application_lines(schedule: Schedule, day: date, *, renewal: bool = False) -> tuple[ScheduleLine, ...]:
    """What an application costs, the first or a renewal."""
    return _apart(schedule, day, "per_application", 1, renewal)


def deposit_lines(schedule: Schedule, day: date, trucks: int) -> tuple[ScheduleLine, ...]:
    """The deposits a hauler with so many trucks leaves; given back as the schedule says."""
    return _apart(schedule, day, "deposit", trucks, False)


def event_lines(schedule: Schedule, day: date, event: str) -> tuple[ScheduleLine, ...]:
    """What something that happened costs, such as a check that was returned; nothing where no item is for it."""
    return tuple(
        line(item, single(item.price, "time"), schedule, day)
        for item in schedule.items_on(day)
        if item.kind == "per_event" and item.event == event and item.price is not None
    )


def _apart(schedule: Schedule, day: date, kind: str, number: int, renewal: bool) -> tuple[ScheduleLine, ...]:
    if number < 0:
        raise ValueError("there cannot be fewer than no trucks")
    lines = []
    for item in schedule.items_on(day):
        price = item.renewal if renewal and item.renewal is not None else item.price
        if item.kind != kind or price is None or not number:
            continue
        word, how_many = _thing(item, number)
        lines.append(line(item, single(price, word, number=how_many), schedule, day))
    return tuple(lines)


def _thing(item: Item, trucks: int) -> tuple[str, int]:
    if item.kind == "per_application":
        return "application", 1
    return ("truck", trucks) if item.per == "truck" else ("hauler", 1)


def _kinds(parts: Iterable[Part]) -> list[Part]:
    """One part for each kind of waste and zone, in the order of their names."""
    found = {(part.waste, part.origin or ""): part for part in parts}
    return [found[name] for name in sorted(found)]


def _differ(
    schedule: Schedule, day: date, load: Load, kinds: list[Part], asked: Callable[[Schedule, date, Load], list[Item]]
) -> bool:
    """Whether on any of its days parts of a load are counted by different items: then it is a mixed load."""
    for on in [on for on, _ in load.sessions] or [day]:
        items = asked(schedule, on, load)
        if len({frozenset(item.code for item in items if for_part(item, part)) for part in kinds}) > 1:
            return True
    return False


def _counting_from(schedule: Schedule, day: date, load: Load) -> list[Item]:
    """The minimums and percents that are for a load of that day."""
    return [one for one in schedule.items_on(day) if KINDS[one.kind].asked == "derived" and for_day(one, day, load)]


def _dearest(schedule: Schedule, day: date, load: Load, kinds: list[Part], rule: Mixed) -> Quote | Refusal:
    """The whole load at the rate of whichever of its kinds makes it cost most."""
    quotes: list[tuple[Decimal, str, Quote]] = []
    for part in kinds:
        alone = replace(part, gallons=load.declared_gallons)
        name = f"{_words(part.waste)}{f' ({_words(part.origin)})' if part.origin else ''}"
        quote = _priced(schedule, day, replace(load, parts=(alone,)), f"Mixed load, all of it as {name} ({rule.cite}).")
        if isinstance(quote, Refusal):
            return quote
        quotes.append((quote.total, name, quote))
    awaited = dict.fromkeys(name for _, _, quote in quotes for name in quote.awaited)
    return replace(max(quotes, key=lambda one: (one[0], one[1]))[2], awaited=tuple(awaited))


def _priced(schedule: Schedule, day: date, load: Load, also: str = "") -> Quote | Refusal:
    """The lines of a load whose parts are all counted as they are."""
    made: list[Made] = []
    awaited: list[str] = []
    asked_of: set[str] = set()
    unpriced: list[Item] = []
    tasks = _tasks(schedule, load.sessions or ((day, None),), load)
    if isinstance(tasks, Refusal):
        return tasks
    for item, asked in tasks:
        strength, missing = strength_class(schedule, asked.day, load)
        if item.strength_class and strength not in item.strength_class:
            if strength is None and NORMAL in item.strength_class:
                unpriced.append(item)
            awaited += () if spared(item, load) else missing
            continue
        found = count(item, asked)
        if isinstance(found, Refusal):
            return found
        if isinstance(found, Awaited):
            awaited += () if spared(item, load) else (found.parameter,)
        elif found is not None:
            said = also if item.waste or item.origin else ""
            said = " ".join(filter(None, [said, _as_untested(schedule, asked.day, load, item)]))
            made.append(Made(line(item, found, schedule, asked.day, said), asked.parts, asked.gallons))
        elif item.kind in COUNTING:
            asked_of.add(item.code)
    done = {one.code for one in _with_load(schedule, day) if one.kind in DONE}
    more = derived(schedule, day, load, made, asked_of, done)
    if isinstance(more, Refusal):
        return more
    awaited += more[1]
    waits = [_waiting(schedule, day, load, unpriced[0], awaited)] if unpriced else []
    order = {item.code: at for at, item in enumerate(schedule.items_on(day))}
    lines = sorted((*(one.line for one in made), *more[0]), key=lambda one: order.get(one.code, len(order)))
    return Quote((*lines, *waits), tuple(dict.fromkeys(awaited)))


def _as_untested(schedule: Schedule, day: date, load: Load, item: Item) -> str:
    """By which rule a load that is not tested pays an item of its class, where no result says it."""
    rule = schedule.untested_on(day) if load.untested and item.strength_class else None
    if rule is None or strength_class(schedule, day, replace(load, untested=False))[0] is not None:
        return ""
    said = f"Not tested: it counts as of {_words(rule.strength_class)} strength ({rule.cite})."
    return " ".join(filter(None, [said, rule.reading]))


def _waiting(schedule: Schedule, day: date, load: Load, item: Item, awaited: Sequence[str]) -> ScheduleLine:
    """The line of a price that no result has settled yet: of nothing so far, so that it is seen and waits."""
    names = " and ".join(map(parameter_words, dict.fromkeys(awaited)))
    return ScheduleLine(
        AWAITS, f"Price by strength, awaits the result of {names}", Decimal(1), "load", Decimal(0), Decimal("0.00"),
        item.cite, item.reading, schedule.version_on(day), "not known yet", NOT_SAID if load.untested else "", day,
    )  # fmt: skip


def _tasks(
    schedule: Schedule, days: Sequence[tuple[date, int | None]], load: Load
) -> list[tuple[Item, Asked]] | Refusal:
    """Each item with what it is counted for: by the gallon for each day apart, all else once by the first day's law."""
    tasks: list[tuple[Item, Asked]] = []
    undivided: list[set[str]] = []
    ways: set[tuple[bool, bool]] = set()
    for at, (on, gallons) in enumerate(days):
        refusal = _uncovered(schedule, on, load)
        if refusal:
            return refusal
        undivided.append(set())
        ways.add(_ways(schedule, on, load))
        for item in _items(schedule, on, load):
            parts = tuple(part for part in load.parts if for_part(item, part))
            if not parts or (load.nothing_out and item.kind not in DONE):
                continue
            divided = gallons is not None and divides(item, load)
            if item.kind in COUNTING and not divided:
                undivided[-1].add(item.code)
            if not at or divided:
                tasks.append((item, Asked(schedule, on, load, parts, gallons if divided else None)))
    if any(codes != undivided[0] for codes in undivided) or {(True, False), (False, True)} <= ways:
        why = "The way of charging changed between the days of this load, and it cannot be priced as one."
        cite = schedule.items_on(days[0][0])[0].cite
        return Refusal("days_differ", why, cite, None, "Enter what was unloaded each day as a load of its own.")
    return tasks


def _ways(schedule: Schedule, day: date, load: Load) -> tuple[bool, bool]:
    """Whether at the time of a day a load is counted each day by itself, and whether as a whole."""
    items = [
        item for item in _with_load(schedule, day)
        if item.kind in COUNTING and for_day(item, day, load) and any(for_part(item, part) for part in load.parts)
    ]  # fmt: skip
    return any(divides(item, load) for item in items), any(not divides(item, load) for item in items)


def _items(schedule: Schedule, day: date, load: Load) -> list[Item]:
    """The items that are for a load of that day, point and meter, at their own times; a multiple at what it comes to.

    What is counted each day by itself goes by the time of its day, all else by that of the first one.
    """
    return [item for item in _with_load(schedule, day) if for_day(item, day, load, whole=not divides(item, load))]


def _with_load(schedule: Schedule, day: date) -> list[Item]:
    return [resolved(schedule, item, day) for item in schedule.items_on(day) if _asked_with_load(item)]


def _asked_with_load(item: Item) -> bool:
    return not item.base and KINDS[item.kind].asked == "load"


def resolved(schedule: Schedule, item: Item, day: date) -> Item:
    """A multiple as what it multiplies at so many times the price, for its own loads; any other item as it is."""
    if item.kind != "multiple":
        return item
    base = schedule.item(item.of[0], day)
    if base is None or base.price is None:
        raise NoLaw(f"{schedule.name}: {item.code} multiplies {item.of[0]}, which is not in force on {day}")
    taken = {name: getattr(base, name) for name in _TAKEN}
    times = f"{item.times.normalize():f} × {dollars(base.price)}, {base.what}"
    return replace(item, **taken, price=_tidy(base.price * item.times), comes_from=times)


def _tidy(price: Decimal) -> Decimal:
    """A price with two places where it has no parts of a cent: 11.25, not 11.250."""
    return price.quantize(Decimal("0.01")) if price == round(price, 2) else price


# What a multiple takes over from the item it multiplies.
_TAKEN = (
    "kind", "each", "parts", "over", "up_to", "basis", "lb_per_gallon", "test", "parameter", "above", "lb_factor",
    "role", "round_hours", "min_hours",
)  # fmt: skip


def _uncovered(schedule: Schedule, day: date, load: Load) -> Refusal | None:
    """Why a part of a load has no price: no item counts it, though others of the schedule would."""
    with_load = _with_load(schedule, day)
    counting = [item for item in with_load if item.kind in COUNTING] or with_load
    for_it = [
        item for item in counting
        if for_day(item, day, load) or (not divides(item, load) and for_day(item, day, load, whole=True))
    ]  # fmt: skip
    for part in _kinds(load.parts):
        if not any(for_part(item, part) for item in for_it):
            return _no_price(schedule, day, counting, part)
    return None


def _no_price(schedule: Schedule, day: date, counting: list[Item], part: Part) -> Refusal:
    mine = [item for item in counting if not item.waste or part.waste in item.waste]
    zones = sorted({zone for item in mine for zone in item.origin})
    cite = (counting or schedule.items_on(day))[0].cite
    if zones and part.origin is None:
        why = f"The price of {_words(part.waste)} waste depends on where it comes from."
        return Refusal("origin_missing", why, cite, None, f"Give the zone: {', '.join(map(_words, zones))}.")
    where = f" from {_words(part.origin)}" if part.origin else ""
    why = f"The schedule has no price for {_words(part.waste)} waste{where} on {day_words(day)}."
    return Refusal("no_price", why, cite, None, None, {"waste": part.waste})


def _words(name: str) -> str:
    return name.replace("_", " ")
