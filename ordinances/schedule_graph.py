"""Which items of a schedule count from which: what minimums, percents and multiples name, and in what order."""

from __future__ import annotations

from collections.abc import Sequence

from ordinances.schedule import Item
from ordinances.schedule_fields import KINDS


def follow(items: Sequence[Item]) -> list[tuple[str, str, str]]:
    """(key, what is wrong, how to mend it) of every name in `of` that leads nowhere, or in a circle."""
    codes = {item.code: item for item in items}
    wrong = []
    for item in items:
        for name in item.of:
            key = f"item {item.code}.of"
            if name not in codes:
                wrong.append((key, f"there is no item {name!r}", f"Name one of: {', '.join(sorted(codes))}"))
            elif item.kind == "multiple" and (codes[name].kind == "multiple" or codes[name].price is None):
                wrong.append((key, f"{name!r} has no price of its own", "Name an item with a price"))
            elif KINDS[codes[name].kind].asked == "apart":
                wrong.append((key, f"{name!r} is not charged with a load", "Name an item charged with a load"))
            elif item.kind != "multiple" and codes[name].base:
                wrong.append((key, f"{name!r} is never charged itself", "Name the item that is charged"))
    if not wrong and in_order(items) is None:
        mend = "Let each minimum and percent count from lines that do not count from it"
        wrong.append(("item", "minimums and percents count from one another in a circle", mend))
    return wrong


def in_order(items: Sequence[Item]) -> list[Item] | None:
    """Minimums and percents, each after those it counts from; None where they go in a circle.

    Those that do not depend on one another keep the order they were given in.
    """
    waiting = [item for item in items if KINDS[item.kind].asked == "derived"]
    ordered: list[Item] = []
    while waiting:
        open_codes = {item.code for item in waiting}
        ready = [item for item in waiting if not open_codes & set(item.of)]
        if not ready:
            return None
        ordered.extend(ready)
        waiting = [item for item in waiting if item not in ready]
    return ordered
