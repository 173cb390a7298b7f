"""A restriction in words: what it stops, for pages, feeds and messages (§ 329-7 B(3) of Bayfield)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sqlalchemy import select

from haulers.queries import waste_words
from intake.models import Point, Restriction
from office import formats
from office.db import db

Names = Mapping[int, str]


@dataclass(frozen=True)
class Asked:
    """A restriction asked about before it is made: a lower limit ``gph``, the ``wastes`` or the ids of ``points``."""

    scope: str = "everything"
    gph: int | None = None
    wastes: tuple[str, ...] = ()
    points: tuple[int, ...] = ()

    def within(self, row: Restriction) -> bool:
        """Whether a restriction in force of the same kind does all of this already."""
        if row.scope != self.scope:
            return False
        if self.scope == "rate":
            return (row.gph or 0) <= (self.gph or 0)
        return set(self.wastes) <= set(row.wastes) and set(self.points) <= set(row.points)


def asked_of(row: Restriction) -> Asked:
    """What a restriction in force asks."""
    return Asked(row.scope, row.gph, tuple(row.wastes), tuple(row.points))


def point_names(rows: Iterable[Restriction | Asked]) -> dict[int, str]:
    """The names of the points that restrictions shut, by id. One query, none where no point is shut."""
    ids = {one for row in rows for one in row.points}
    query = select(Point.id, Point.name).where(Point.id.in_(ids))
    return {ident: str(name) for ident, name in db.session.execute(query)} if ids else {}


def kind_words(row: Restriction | Asked) -> str:
    """The waste it stops: "septage", "holding tank waste", "septic tank and other hauled waste"."""
    if row.scope != "types":
        return "septage"
    words = waste_words(row.wastes)
    return words if words.endswith("waste") else f"{words} waste"


def where_words(row: Restriction | Asked, names: Names) -> str:
    """ " at Manhole 4" for a restriction of points, else nothing."""
    found = [names[one] for one in row.points if one in names]
    return f" at {' and '.join(filter(None, [', '.join(found[:-1]), *found[-1:]]))}" if found else ""


def scope_words(row: Restriction | Asked, names: Names) -> str:
    """What is restricted, by itself: "All unloading", "Holding tank waste", "Unloading at Manhole 4"."""
    if row.scope == "rate":
        return f"At most {formats.rate(row.gph)}"
    if row.scope == "types":
        words = kind_words(row)
        return f"{words[:1].upper()}{words[1:]}"
    return f"Unloading{where_words(row, names)}" if row.scope == "points" else "All unloading"


def is_words(row: Restriction | Asked, names: Names) -> str:
    """After the plant's name: "is not taking septage", "is not taking septage at Manhole 4"."""
    if row.scope == "rate":
        return f"takes at most {formats.rate(row.gph)}"
    return f"is not taking {kind_words(row)}{where_words(row, names)}"


def again_words(row: Restriction, names: Names) -> str:
    """After the plant's name, once it is lifted."""
    return f"is taking {kind_words(row)} again{where_words(row, names)}"


def stop_words(row: Restriction, names: Names) -> str:
    """What is not taken, as a clause: "no septage is being accepted", "at most 300 gallons an hour"."""
    if row.scope == "rate":
        return f"at most {formats.rate(row.gph)}"
    return f"no {kind_words(row)} is being accepted{where_words(row, names)}"


def public_words(row: Restriction, names: Names) -> str:
    """A whole sentence, in the past once the restriction is lifted."""
    over = row.lifted_at is not None
    if row.scope == "rate":
        return f"Unloading {'was' if over else 'is'} reduced to {formats.rate(row.gph)}."
    return f"No {kind_words(row)} {'was' if over else 'is being'} accepted{where_words(row, names)}."


def effect_words(asked: Asked, names: Names) -> str:
    """What it does at once: "stops all unloading", "stops unloading at Manhole 4", "lowers the limit to ..."."""
    if asked.scope == "rate":
        return f"lowers the limit to {formats.rate(asked.gph)}"
    words = scope_words(asked, names)
    return f"stops {words[:1].lower()}{words[1:]}"
