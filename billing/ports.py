"""What this room asks of the rooms above it: who is approved, which points a law names that are not, what goes on."""

from collections.abc import Collection
from datetime import date, datetime
from typing import Protocol

from office.people import Party
from office.plants import Plant
from ordinances.rows import Law


class Approved(Protocol):
    """Who may come now or on a day to come, suspended ones too, each once, by name."""

    def __call__(self, plant: Plant, at: datetime) -> list[Party]:
        """Their parties."""


class NoSuchPoint(Protocol):
    """The points a law charges by that no receiving point of a plant is called, as one would write them."""

    def __call__(self, plant: Plant, law: Law, day: date) -> tuple[str, ...]:
        """Their names."""


class GoesOn(Protocol):
    """The sources of charges that have a morning on a day or later, run or planned: what they come to may change."""

    def __call__(self, plant_id: int, day: date) -> set[tuple[str, int]]:
        """Their kinds and ids."""


class _Provided:
    approved: Approved | None = None
    no_such_point: NoSuchPoint | None = None
    goes_on: GoesOn | None = None
    of_loads: tuple[str, ...] = ()


def provide(approved: Approved, no_such_point: NoSuchPoint, goes_on: GoesOn, of_loads: Collection[str]) -> None:
    """Hand the implementations in; the application does so at start-up."""
    _Provided.approved, _Provided.no_such_point = approved, no_such_point
    _Provided.goes_on, _Provided.of_loads = goes_on, tuple(of_loads)


def approved(plant: Plant, at: datetime) -> list[Party]:
    """Who is approved. Raises RuntimeError when nobody was handed in: a missing one is never an empty list."""
    if _Provided.approved is None:
        raise RuntimeError("billing.ports.provide(approved, …) was not called when the application started")
    return _Provided.approved(plant, at)


def no_such_point(plant: Plant, law: Law, day: date) -> tuple[str, ...]:
    """Which points of a law a plant has not. Raises RuntimeError when nobody was handed in."""
    if _Provided.no_such_point is None:
        raise RuntimeError("billing.ports.provide(…, no_such_point) was not called when the application started")
    return _Provided.no_such_point(plant, law, day)


def goes_on(plant_id: int, day: date) -> set[tuple[str, int]]:
    """The sources that have a morning on a day or later. Raises RuntimeError when nobody was handed in."""
    if _Provided.goes_on is None:
        raise RuntimeError("billing.ports.provide(…, goes_on) was not called when the application started")
    return _Provided.goes_on(plant_id, day)


def of_loads() -> tuple[str, ...]:
    """The kinds of source that are charged for what was unloaded. Raises RuntimeError when none were handed in."""
    if not _Provided.of_loads:
        raise RuntimeError("billing.ports.provide(…, of_loads) was not called when the application started")
    return _Provided.of_loads
