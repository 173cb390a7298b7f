"""What this room asks of the rooms above it: whether a fee may rise on a day, by itself or by another law."""

from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Protocol

from ordinances.refusal import Refusal

if TYPE_CHECKING:
    from office.plants import Plant
    from ordinances.rows import Profile


class MayStart(Protocol):
    """Whether an amount of the plant's own may rise from a day on."""

    def __call__(self, plant: "Plant", key: str, value: Any, since: date, at: datetime) -> Refusal | None:
        """Why not, with the first day on which it may; None for what may, and for what is no rise."""


class MayAdopt(Protocol):
    """Whether another version of the law may hold from a day on, for all that it raises."""

    def __call__(self, plant: "Plant", profile: "Profile", since: date, at: datetime) -> Refusal | None:
        """Why not, with the first day on which it may; None for one that may, and for the first of a plant."""


class _Provided:
    may_start: MayStart | None = None
    may_adopt: MayAdopt | None = None


def provide(may_start: MayStart, may_adopt: MayAdopt) -> None:
    """Hand the implementations in; the application does so at start-up."""
    _Provided.may_start, _Provided.may_adopt = may_start, may_adopt


def may_start(plant: "Plant", key: str, value: Any, since: date, at: datetime) -> Refusal | None:
    """Ask it. Raises RuntimeError when nobody was handed in: a missing one never says yes."""
    if _Provided.may_start is None:
        raise RuntimeError("office.ports.provide(may_start) was not called when the application started")
    return _Provided.may_start(plant, key, value, since, at)


def may_adopt(plant: "Plant", profile: "Profile", since: date, at: datetime) -> Refusal | None:
    """Ask it. Raises RuntimeError when nobody was handed in."""
    if _Provided.may_adopt is None:
        raise RuntimeError("office.ports.provide(…, may_adopt) was not called when the application started")
    return _Provided.may_adopt(plant, profile, since, at)
