"""Post what tests besides the usual one cost: asked for by somebody, or ordered (§ 329-6 J, § 329-7 F(1)).

Each is a charge of its own row, beside the charges of the load it is of.
"""

from datetime import datetime
from decimal import Decimal

from billing.actions import locked_account, post_charges
from haulers import queries as haulers
from intake.models import Load
from office.access import Actor
from office.plants import Plant
from ordinances.fee_line import CENT
from ordinances.reader import Law
from ordinances.refusal import Refusal
from ordinances.schedule_lines import ScheduleLine


def post_tests(
    plant: Plant, load: Load, source: tuple[str, int], what: str, cents: int, cite: str, *, tests: int = 0,
    also: str = "", by: Actor, at: datetime, law: Law,
) -> Refusal | None:  # fmt: skip
    """Charge a load's hauler for further tests, today; nothing for a free one or a load of nobody known.

    ``source`` names the row, its kind and id. ``tests`` are counted on the line where the price parts evenly; 0 counts
    them as one time.
    """
    if not cents or load.business_id is None:
        return None
    party, amount = haulers.party_of_business(load.business_id), (Decimal(cents) / 100).quantize(CENT)
    each = (amount / tests).quantize(CENT) if tests else amount
    parts = tests if tests and each * tests == amount else 1
    unit = "time" if not tests else "test" if parts == 1 else "tests"
    line = ScheduleLine(source[0], what, Decimal(parts), unit, amount if parts == 1 else each, amount, cite, None,
                        law.version, also=also)  # fmt: skip
    locked_account(plant, party.id, by=by, at=at)
    made = post_charges(plant, party.id, [line], *source, at.astimezone(plant.tz).date(), label=f"Load {load.ticket}",
                        by=by, at=at, law=law)  # fmt: skip
    return made if isinstance(made, Refusal) else None
