"""Written records that are due (§ 329-7 C(3)): what one is filled in with, and whether a late one bars a booking."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from haulers.queries import ApprovedPlace
from intake.models import Load
from intake.queries import loads
from office import formats
from ordinances.reader import Law
from ordinances.refusal import Refusal

BARS = "record.bars_booking"


def barred(plant_id: int, business_id: int, law: Law, at: datetime) -> Refusal | None:
    """Why this hauler books nothing new now, where the law says so: a written record is overdue. One query at most."""
    today = at.astimezone(law.zone).date()
    if not (law.has(BARS, today) and law.value(BARS, today)):
        return None
    late = loads.overdue(plant_id, at, business_id=business_id)
    if not late:
        return None
    first = late[0]
    due = formats.day(first.record_due.astimezone(law.zone)) if first.record_due else ""
    more = f" So are those of {formats.plural(len(late) - 1, 'more load')}." if len(late) > 1 else ""
    return Refusal("record_overdue", f"The written record of load {first.ticket} was due by the end of {due}.{more}",
                   law.cite(BARS, today), law.row(BARS, today).reading, next_step="Send it, then book.",
                   details={"ticket": first.ticket})  # fmt: skip


@dataclass(frozen=True)
class Prefilled:
    """What the form of a record begins with, and where that is from; "" when it begins empty."""

    data: dict[str, Any]
    words: str = ""


def prefilled(load: Load, approved: Sequence[ApprovedPlace]) -> Prefilled:
    """What the driver named at the gate; else, where the approval covers one source only, the whole load from there."""
    if load.pickups:
        words = "Filled in with what the driver named at the gate. Mend it where it is not so."
        return Prefilled(_named(load, approved), words)
    if len(approved) == 1:
        words = "Filled in with the one source the approval covers. Mend it if the load came from elsewhere."
        return Prefilled({f"from_{approved[0].key}": load.gallons}, words)
    return Prefilled({})


def _named(load: Load, approved: Sequence[ApprovedPlace]) -> dict[str, Any]:
    """The pick-ups by the fields of the form: an approved source by its place, another place, the rest in words."""
    by_place = {one.place.casefold(): one for one in approved}
    data: dict[str, Any] = {}
    others, words = list[dict[str, Any]](), list[str]()
    for one in load.pickups:
        place, gallons = one["place"], one["gallons"]
        known = by_place.get(place.casefold())
        if not approved or gallons is None:
            words.append(place if gallons is None else f"{place}: {formats.volume(gallons)}")
        elif known is not None:
            data[f"from_{known.key}"] = data.get(f"from_{known.key}", 0) + gallons
        else:
            others.append({"place": place, "gallons": gallons})
    return data | ({"others": others} if others else {}) | ({"sources": "\n".join(words)} if words else {})
