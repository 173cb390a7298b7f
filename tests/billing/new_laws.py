"""Another version of the law in force at the plant of a test, its rises told to every approved hauler long before."""

from datetime import date, timedelta
from pathlib import Path
from typing import Any

from billing.actions import laws as acts
from office.access import Actor, Role, system
from office.law import Adoption, adopt_law
from ordinances.reader import load_profile
from ordinances.refusal import Refusal
from tests import world
from tests.billing import books

AHEAD = timedelta(days=90)
CLERK = Actor(1, "A clerk", frozenset({Role.CLERK}))


def told_and_adopted(path: str | Path, since: date, at: Any = world.START) -> Adoption:
    """Adopt a profile by the acts, a quarter of a year after the letters."""
    profile, early = load_profile(path), since - AHEAD
    row: Any = acts.draft_law(world.plant(), profile, since, "Ord. 400", "Costs of the year", by=CLERK,
                              at=books.noon(early), law=world.law(since))  # fmt: skip
    assert not isinstance(row, Refusal), row
    acts.tell_of_law(world.plant(), row, since, by=CLERK, at=books.noon(early), law=world.law(since))
    made = adopt_law(world.plant(), profile, since, "Ord. 400", by=system(), at=at)
    assert isinstance(made, Adoption), made
    return made
