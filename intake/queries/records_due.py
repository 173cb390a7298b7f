"""Written records that are due (§ 329-7 C(3)): what one is filled in with, and whether a late one bars a booking."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from haulers.queries import ApprovedPlace
from intake.models import Load
from intake.models.loads import RecordVersion
from intake.queries import loads
from office import formats
from ordinances.reader import Law
from ordinances.refusal import Refusal
from ordinances.screening import WASTE_TYPES

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


def as_filed(version: RecordVersion, approved: Sequence[ApprovedPlace]) -> dict[str, Any]:
    """What the form of a correction begins with: the record as it stands, each place in its own field."""
    by_place = {one.place.casefold(): one for one in approved}
    data: dict[str, Any] = {}
    others = list[dict[str, Any]]()
    for one in version.places if approved else ():
        known = by_place.get(one["place"].casefold())
        if known is not None and f"from_{known.key}" not in data:
            data[f"from_{known.key}"] = one["gallons"]
        else:
            others.append({"place": one["place"], "gallons": one["gallons"]})
    words = version.sources.removeprefix(in_words(version.places, "")).lstrip("\n") if approved else version.sources
    return data | {"sources": words} | ({"others": others} if others else {})


def in_words(named: Sequence[dict[str, Any]], words: str) -> str:
    """The record in words: a line for each place, then what was written besides."""
    lines = []
    for one in named:
        waste = f", {WASTE_TYPES.get(one['waste'], one['waste']).lower()} waste" if one["waste"] else ""
        lines.append(f"{one['place']}{waste}{'' if one['approved'] else ' (not approved)'}: "
                     f"{formats.volume(one['gallons'])}")  # fmt: skip
    return "\n".join(filter(None, (*lines, words.strip())))


def record_changes(before: str, now: str) -> list[str]:
    """Which lines of a record were taken out by a correction, and which it added."""
    old, new = before.splitlines(), now.splitlines()
    out, added = [one for one in old if one not in new], [one for one in new if one not in old]
    return [formats.full_stop(f"{head}: {'; '.join(some)}")
            for head, some in (("Taken out", out), ("Added", added)) if some]  # fmt: skip
