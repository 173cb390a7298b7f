"""What this room asks of the room above it: who is approved at a plant and so must be told before a fee rises."""

from datetime import datetime
from typing import Protocol

from office.people import Party
from office.plants import Plant


class Approved(Protocol):
    """Who may come now or on a day to come, suspended ones too, each once, by name."""

    def __call__(self, plant: Plant, at: datetime) -> list[Party]:
        """Their parties."""


class _Provided:
    approved: Approved | None = None


def provide(approved: Approved) -> None:
    """Hand the implementation in; the application does so at start-up."""
    _Provided.approved = approved


def approved(plant: Plant, at: datetime) -> list[Party]:
    """Who is approved. Raises RuntimeError when nobody was handed in: a missing one is never an empty list."""
    if _Provided.approved is None:
        raise RuntimeError("billing.ports.provide(approved) was not called when the application started")
    return _Provided.approved(plant, at)
