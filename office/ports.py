"""What this room asks of the rooms above it: whether a fee may rise on a day."""

from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Protocol

from ordinances.refusal import Refusal

if TYPE_CHECKING:
    from office.plants import Plant


class MayStart(Protocol):
    """Whether an amount of the plant's own may rise from a day on."""

    def __call__(self, plant: "Plant", key: str, value: Any, since: date, at: datetime) -> Refusal | None:
        """Why not, with the first day on which it may; None for what may, and for what is no rise."""


class _Provided:
    may_start: MayStart | None = None


def provide(may_start: MayStart) -> None:
    """Hand the implementation in; the application does so at start-up."""
    _Provided.may_start = may_start


def may_start(plant: "Plant", key: str, value: Any, since: date, at: datetime) -> Refusal | None:
    """Ask it. Raises RuntimeError when nobody was handed in: a missing one never says yes."""
    if _Provided.may_start is None:
        raise RuntimeError("office.ports.provide(may_start) was not called when the application started")
    return _Provided.may_start(plant, key, value, since, at)
