"""Answers changed after a meeting that is recorded only now: asked about before a decision counts against them."""

from collections.abc import Sequence
from datetime import datetime

from haulers.actions.meetings import began_at, meeting_on
from haulers.models import Application, ApplicationChange
from haulers.queries.answers import differences
from haulers.queries.changes import changes_of
from haulers.queries.motion_lines import RollCall
from haulers.queries.sitting import span_of
from haulers.queries.words import ended
from office.formats import date_only, day_time
from office.plants import Plant
from ordinances.reader import Law
from ordinances.refusal import Refusal

# What the record and the minutes say of an application that was voted on as it is now.
AS_CHANGED = "Changed after the meeting began, and decided as it is now"
Changed = list[tuple[Application, ApplicationChange]]


def changed_since(plant: Plant, found: Sequence[Application], roll: RollCall, law: Law) -> Changed:
    """The changes made to applications since a meeting began; since its day did, where its hour is not known."""
    held = meeting_on(plant.id, roll.held_on)
    since: datetime = (began_at(roll, law) or (held.began_at if held is not None else None)
                       or span_of(roll.held_on, None, law.zone).since)  # fmt: skip
    made = changes_of([one.id for one in found])
    return [(one, change) for one in found for change in made.get(one.id, [])
            if change.answered_at is not None and change.answered_at >= since]  # fmt: skip


def check_changed(changed: Changed, roll: RollCall, law: Law) -> Refusal | None:
    """Whether the committee voted on these answers is asked first: nobody could have known of them at the meeting."""
    if not changed:
        return None
    said = "; ".join(f"application {one.number} of {one.business_name}, {day_time(made.answered_at, law.zone)}"
                     for one, made in changed if made.answered_at is not None)  # fmt: skip
    why = ended(f"Answers were changed after the meeting of {date_only(roll.held_on)} began: {said}")
    step = "Check the meeting date, or tick that the committee decided on the answers as they are now."
    return Refusal("changed_since", why, law.cite("decision.body", roll.held_on), next_step=step)


def changed_words(changed: Changed, law: Law) -> list[str]:
    """A sentence an application for the record, with what changed from what to what."""
    said = []
    for one, made in changed:
        rows = "; ".join(f"{name}: {old or '(blank)'}, now {new or '(blank)'}"
                         for name, old, new in differences(made.before or {}, made.after or {}))  # fmt: skip
        when = day_time(made.answered_at, law.zone) if made.answered_at is not None else ""
        said.append(ended(f"{AS_CHANGED}: {one.number}, {one.business_name}, {when}: {rows}"))
    return said
