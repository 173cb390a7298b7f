"""Whether a charge of one schedule asks more of anybody than the same charge of another (§ 281.49(12)).

A charge that is new, costs more, counts more or reaches more loads has risen. What cannot be compared at all (another
kind of charge, another way of finding the gallons) counts as risen: nobody is charged more than they were told.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from datetime import date, timedelta
from decimal import Decimal

from ordinances.schedule import Item

# What a charge is called, and how it is explained: no part of what it costs.
EXPLAINED = frozenset({"code", "what", "cite", "reading", "note", "unit", "since", "until", "comes_from"})
_CHOICES = ("waste", "origin", "when", "point", "strength_class", "test")
_LEAP_YEAR = 2024
_NEVER_LESS = Decimal("Infinity")
_ROUNDED_UP = {"down": 0, "half_up": 1, "up": 2}


def risen(was: Item | None, now: Item | None) -> bool:
    """Whether somebody may pay more by `now` than by `was`; both with their multiples reckoned, None where there is
    no such charge.

    What only other charges count from is never charged itself.
    """
    if now is None or now.base:
        return False
    if was is None or was.base:
        return _costs(now)
    if was.kind != now.kind:
        return True
    changed = {one.name for one in fields(Item) if getattr(was, one.name) != getattr(now, one.name)} - EXPLAINED
    return any(_RISES.get(name, _always)(was, now) for name in changed)


def unit_price(item: Item) -> Decimal | None:
    """The price of one of what is counted, where that is the whole of it: to set beside another."""
    if item.kind == "percent":
        return item.percent
    if item.price is None or item.renewal is not None or item.kind == "size_band":
        return None
    return item.price / item.each if item.parts == "exact" else item.price


def same_but_price(was: Item, now: Item) -> bool:
    """Whether two charges differ in nothing but their price."""
    changed = {one.name for one in fields(Item) if getattr(was, one.name) != getattr(now, one.name)} - EXPLAINED
    return was.kind == now.kind and changed <= {"price", "percent"}


def _costs(item: Item) -> bool:
    if item.kind == "size_band":
        return any(price for _, price in item.bands)
    if item.kind == "percent":
        return bool(item.percent)
    return item.price is None or bool(item.price) or bool(item.renewal)


def _always(was: Item, now: Item) -> bool:
    return True


def _more(name: str) -> Callable[[Item, Item], bool]:
    return lambda was, now: bool(getattr(now, name) > getattr(was, name))


def _less(name: str) -> Callable[[Item, Item], bool]:
    return lambda was, now: bool(getattr(now, name) < getattr(was, name))


def _price(was: Item, now: Item) -> bool:
    """Of one unit where each is charged by its share, else of the whole lot, which then must be the same one."""
    if was.parts == now.parts == "exact" and was.price is not None and now.price is not None:
        return now.price / now.each > was.price / was.each
    if was.each != now.each or was.price is None or now.price is None:
        return True
    return now.price > was.price


def _started(was: Item, now: Item) -> bool:
    return now.parts == "started" or was.each != now.each


def _up_to(was: Item, now: Item) -> bool:
    return (now.up_to or _NEVER_LESS) > (was.up_to or _NEVER_LESS)


def _bands(was: Item, now: Item) -> bool:
    """Whether any load that had a price pays more; larger ones that now have one had none before."""
    return any(
        price > before
        for size in sorted({size for size, _ in (*was.bands, *now.bands)})
        if (before := _band(was, size)) is not None and (price := _band(now, size)) is not None
    )


def _band(item: Item, gallons: int) -> Decimal | None:
    return next((price for size, price in item.bands if gallons <= size), None)


def _renewal(was: Item, now: Item) -> bool:
    before, after = (one.renewal if one.renewal is not None else one.price for one in (was, now))
    return before is None or after is None or after > before


def _wider(name: str) -> Callable[[Item, Item], bool]:
    """Whether a choice takes in more than before; an empty one takes in all."""

    def check(was: Item, now: Item) -> bool:
        before, after = set(getattr(was, name)), set(getattr(now, name))
        return bool(before) and (not after or not after <= before)

    return check


def _season(was: Item, now: Item) -> bool:
    days = [date(_LEAP_YEAR, 1, 1) + timedelta(days=one) for one in range(366)]
    return any(_holds(now, day) and not _holds(was, day) for day in days)


def _holds(item: Item, day: date) -> bool:
    return item.season is None or item.season.holds(day)


def _rounding(was: Item, now: Item) -> bool:
    return _ROUNDED_UP[now.rounding] > _ROUNDED_UP[was.rounding]


_RISES: dict[str, Callable[[Item, Item], bool]] = {
    "price": _price,
    "each": _price,
    "parts": _started,
    "over": _less("over"),
    "up_to": _up_to,
    "lb_per_gallon": _always,
    "bands": _bands,
    "above": _less("above"),
    "lb_factor": _more("lb_factor"),
    "renewal": _renewal,
    "percent": _more("percent"),
    "times": _more("times"),
    "min_hours": _more("min_hours"),
    "round_hours": lambda was, now: bool(now.round_hours),
    "at_least": _more("at_least"),
    "metered": lambda was, now: was.metered is not None,
    "weighed": lambda was, now: was.weighed is not None,
    "season": _season,
    "rounding": _rounding,
    "base": _always,
    **{name: _wider(name) for name in _CHOICES},
}
