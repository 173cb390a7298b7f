"""No correction goes below what was unloaded or is booked under an approval (§ 329-7 G: that would take it away)."""

from datetime import datetime

from haulers.actions.motion_words import amount_words
from haulers.models import Approval
from haulers.ports import track_record
from haulers.queries.approvals import allowances_of
from office.formats import day_time, volume
from ordinances.reader import Law
from ordinances.refusal import Refusal

# So many bookings are named, the rest counted.
NAMED = 10


def below_taken(approval: Approval, winter: int, rest: int, law: Law, at: datetime) -> Refusal | None:
    """Why an issued approval is not corrected to so few gallons; the bookings still to come are listed.

    ``winter`` and ``rest`` are those of the decision: what was granted on top by letter counts beside them.
    """
    stand = allowances_of([approval])[approval.id]
    new = (winter + stand[0] - approval.gallons_winter, rest + stand[1] - approval.gallons_rest)
    taken = track_record().taken(approval.id, law, at)
    lower = [now > then for now, then in zip(stand, new, strict=True)]
    if not any(less and gone > left for less, gone, left in zip(lower, taken, new, strict=True)):
        return None
    booked = track_record().bookings_of(approval.id, at)
    listed = "; ".join(f"{one.number}, {day_time(one.starts, law.zone)}, {volume(one.gallons)}"
                       for one in booked[:NAMED])  # fmt: skip
    more = f"; and {len(booked) - NAMED} more" if len(booked) > NAMED else ""
    why = (f"Under approval {approval.number} {amount_words(*taken)} are unloaded or booked, and the correction would "
           f"leave {amount_words(*new)}.")  # fmt: skip
    if listed:
        why += f" Booked: {listed}{more}."
    cite = law.cite("revocation.by", at.astimezone(law.zone).date())
    return Refusal("below_taken", why, cite, next_step="Leave at least that much. What goes further is a revocation.",
                   details={"application_id": approval.application_id})  # fmt: skip
