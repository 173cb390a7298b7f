"""The numbers of approvals: A-2026-27-001, without gaps in a season, taken last in the transaction that uses one."""

from office import numbers
from office.plants import Plant

APPROVAL = numbers.series("approval", "approval", "number")


def next_number(plant: Plant, season: str) -> str:
    """The next number of a season at a plant."""
    return f"A-{season}-{numbers.take(plant.id, APPROVAL, season):03d}"
