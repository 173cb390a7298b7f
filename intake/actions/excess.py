"""A measured rate above the hard limit is closed by the Director's words on what was done (§ 329-7 F(3))."""

from datetime import datetime

from intake.models import Excess
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.plants import Plant
from ordinances.reader import Law
from ordinances.refusal import Refusal


@act("settle_excess", roles=(Role.DIRECTOR,))
def settle_excess(plant: Plant, excess_id: int, done: str, *, by: Actor, at: datetime, law: Law) -> Excess | Refusal:
    """Write what was done about a rate above the limit; it stays on the ticket and in the hauler's record.

    Refusals: no_excess, settled, no_words.
    """
    row = db.session.get(Excess, excess_id)
    if row is None or row.plant_id != plant.id:
        return Refusal("no_excess", "There is no such rate above the limit at this plant.", "")
    row = lock(Excess, row.id)
    if row.settled_at is not None:
        return Refusal("settled", f"{row.settled_by} has written already what was done.", row.cite)
    if not done.strip():
        return Refusal("no_words", "Enter what was done.", row.cite)
    row.done, row.settled_at, row.settled_by = done.strip(), at, by.name
    because(done.strip(), row.cite)
    return row
