"""The figures of a load that can be put right, and in words what differs between two sets of them."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from intake.models import Load
from intake.states import BASIS_WORDS, Basis
from office import formats
from ordinances.screening import WASTE_TYPES


@dataclass(frozen=True)
class Figures:
    """What can be corrected of a load, as it should be: gallons in all and of that flush water, the rest as logged."""

    gallons: int
    flush: int
    basis: str
    waste: str
    driver: str
    ph: Decimal | None
    bottle: str


def figures(load: Load) -> Figures:
    """The figures of a load as they are."""
    return Figures(load.gallons, load.flush_gallons, load.basis, load.waste, load.driver, load.ph, load.bottle)


def differences(old: Figures, new: Figures) -> Iterator[str]:
    """Each figure that is another one now, with what it was."""
    named = (
        ("gallons", formats.volume(new.gallons), formats.gallons(old.gallons)),
        ("flush", f"{formats.gallons(new.flush)} of it flush water", formats.gallons(old.flush)),
        ("basis", f"gallons by {_basis(new)}", _basis(old)),
        ("waste", f"waste {WASTE_TYPES[new.waste].lower()}", WASTE_TYPES[old.waste].lower()),
        ("driver", f"driver {new.driver.strip()}", old.driver or "nobody"),
        ("ph", f"pH {_ph(new)}", _ph(old)),
        ("bottle", f"bottle {new.bottle.strip() or 'none'}", old.bottle or "none"),
    )
    for name, now, before in named:
        if getattr(old, name) != getattr(new, name):
            yield f"{now}, not {before}"


def _basis(one: Figures) -> str:
    return BASIS_WORDS[Basis(one.basis)].lower()


def _ph(one: Figures) -> str:
    return formats.number(one.ph) if one.ph is not None else "not measured"
