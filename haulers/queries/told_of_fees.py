"""Who must be told before a fee rises: every hauler approved now or from a day to come (§ 281.49(12))."""

from datetime import datetime, timedelta

from haulers.queries.approvals import approvals_in_force
from office.law import law_now
from office.people import Party
from office.plants import Plant
from ordinances.rows import NoLaw

# Approvals that are issued begin within a season.
AHEAD = timedelta(days=400)


def approved(plant: Plant, at: datetime) -> list[Party]:
    """The parties of all who are approved, suspended ones too, each once, by name."""
    try:
        law = law_now(plant, at)
    except NoLaw:
        # Where no law holds yet, nobody can have been approved.
        return []
    found = approvals_in_force(plant.id, at, law, until=at + AHEAD)
    return list({party.id: party for _, _, party in found}.values())
