"""A place a written record names."""

from dataclasses import dataclass


@dataclass(frozen=True)
class NamedPlace:
    """One place a load came from, with its gallons. ``key`` is that of an approved source, "" for another place."""

    place: str
    gallons: int
    key: str = ""
