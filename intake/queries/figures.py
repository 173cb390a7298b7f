"""The figures of a load that can be put right, and in words what differs between two sets of them."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from intake.models import Load
from intake.states import BASIS_WORDS, Basis
from office import formats
from ordinances.hauled import Part
from ordinances.screening import WASTE_TYPES


@dataclass(frozen=True)
class Figures:
    """What can be corrected of a load, as it should be: gallons in all and of that flush water, the rest as logged.

    `origin` is its zone, "" where none is asked; `others` are the other kinds in it, each with its gallons and zone;
    `full_lb` and `empty_lb` are pounds as weighed, None where it was not.
    """

    gallons: int
    flush: int
    basis: str
    waste: str
    driver: str
    ph: Decimal | None
    bottle: str
    origin: str = ""
    others: tuple[Part, ...] = ()
    cubic_yards: Decimal | None = None
    full_lb: int | None = None
    empty_lb: int | None = None

    @property
    def weights(self) -> tuple[int | None, int | None]:
        """The truck weighed full and empty."""
        return self.full_lb, self.empty_lb


def figures(load: Load) -> Figures:
    """The figures of a load as they are."""
    return Figures(load.gallons, load.flush_gallons, load.basis, load.waste, load.driver, load.ph, load.bottle,
                   load.origin, load.others, load.cubic_yards, load.full_lb, load.empty_lb)  # fmt: skip


def differences(old: Figures, new: Figures) -> Iterator[str]:
    """Each figure that is another one now, with what it was."""
    named = (
        ("gallons", formats.volume(new.gallons), formats.gallons(old.gallons)),
        ("flush", f"{formats.gallons(new.flush)} of it flush water", formats.gallons(old.flush)),
        ("basis", f"gallons by {_basis(new)}", _basis(old)),
        ("weights", f"weighed {_pounds(new)}", _pounds(old)),
        ("waste", f"waste {WASTE_TYPES[new.waste].lower()}", WASTE_TYPES[old.waste].lower()),
        ("driver", f"driver {new.driver.strip()}", old.driver or "nobody"),
        ("ph", f"pH {_ph(new)}", _ph(old)),
        ("origin", f"from {_zone(new.origin)}", _zone(old.origin)),
        ("others", f"other kinds: {_kinds(new)}", _kinds(old)),
        ("cubic_yards", f"{_yards(new)} cubic yards", _yards(old)),
        ("bottle", f"bottle {new.bottle.strip() or 'none'}", old.bottle or "none"),
    )
    for name, now, before in named:
        if getattr(old, name) != getattr(new, name):
            yield f"{now}, not {before}"


def _basis(one: Figures) -> str:
    return BASIS_WORDS[Basis(one.basis)].lower()


def _pounds(one: Figures) -> str:
    if one.weights == (None, None):
        return "not at all"
    full, empty = ("nothing" if pounds is None else f"{pounds:,} pounds" for pounds in one.weights)
    return f"{full} full and {empty} empty"


def _zone(name: str) -> str:
    return name.replace("_", " ") or "no zone"


def _kinds(one: Figures) -> str:
    return " and ".join(map(_kind, one.others)) or "none"


def _kind(part: Part) -> str:
    zone = f" from {_zone(part.origin)}" if part.origin else ""
    return f"{formats.volume(part.gallons or 0)} of {WASTE_TYPES[part.waste].lower()}{zone}"


def _yards(one: Figures) -> str:
    return formats.number(one.cubic_yards) if one.cubic_yards is not None else "no"


def _ph(one: Figures) -> str:
    return formats.number(one.ph) if one.ph is not None else "not measured"
