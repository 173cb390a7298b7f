"""What this room asks of the rooms above it: who is approved at a plant, and which points of a law it has not."""

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


class _Provided:
    approved: Approved | None = None
    no_such_point: NoSuchPoint | None = None


def provide(approved: Approved, no_such_point: NoSuchPoint) -> None:
    """Hand the implementations in; the application does so at start-up."""
    _Provided.approved, _Provided.no_such_point = approved, no_such_point


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
