"""Print labels of sample bottles ahead, each number once; print some again, marked so (§ 329-7 E(1))."""

from datetime import datetime

from intake.models import LabelReprint, LabelRun
from intake.queries.labels import A_SHEET, as_bottle, last_printed
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.plants import Plant
from ordinances.refusal import Refusal

PRINTERS = (Role.OPERATOR, Role.MANAGER, Role.DIRECTOR)
MOST_SHEETS = 20


@act("print_labels", roles=PRINTERS)
def print_labels(plant: Plant, sheets: int, *, by: Actor, at: datetime) -> LabelRun | Refusal:
    """Give out the next numbers for whole sheets of 30 labels; none is left out and none given twice.

    Refused: sheets.
    """
    lock(Plant, plant.id)
    if not 1 <= sheets <= MOST_SHEETS:
        return Refusal("sheets", f"Sheets must be 1 to {MOST_SHEETS}.", "")
    first = last_printed(plant.id) + 1
    row = LabelRun(plant_id=plant.id, first=first, last=first + sheets * A_SHEET - 1, printed_at=at, printed_by=by.name)
    db.session.add(row)
    return row


@act("reprint_labels", roles=PRINTERS)
def reprint_labels(plant: Plant, first: int, last: int, reason: str, *, by: Actor, at: datetime
                   ) -> LabelReprint | Refusal:  # fmt: skip
    """Print labels once more, with the reason; each says that it is a reprint.

    Refusals: order, not_printed, no_reason.
    """
    highest = last_printed(plant.id)
    if last < first:
        return Refusal("order", "The last number must be the first one or higher.", "")
    if last - first >= MOST_SHEETS * A_SHEET:
        why = (
            f"The last number must be {first + MOST_SHEETS * A_SHEET - 1} or lower: more are not printed again at once."
        )
        return Refusal("order", why, "")
    if not 1 <= first <= last <= highest:
        printed = f"Printed are 0001 to {as_bottle(highest)}." if highest else "No label has been printed yet."
        return Refusal("not_printed", printed, "")
    if not reason.strip():
        return Refusal("no_reason", "Enter why they are printed again.", "")
    row = LabelReprint(plant_id=plant.id, first=first, last=last, reason=reason.strip(), printed_at=at,
                       printed_by=by.name)  # fmt: skip
    db.session.add(row)
    because(reason.strip())
    return row
