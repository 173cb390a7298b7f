"""The states of what haulers bring, and the moves allowed between them."""

from enum import StrEnum


class BookingState(StrEnum):
    """What was done with a booking. Whether it is live also depends on the approval and on holds: see queries."""

    BOOKED = "booked"
    CANCELLED = "cancelled"
    NO_SHOW = "no_show"


class LoadState(StrEnum):
    """What became of a truck at the gate."""

    ACCEPTED = "accepted"
    REFUSED = "refused"
    VOID = "void"


class RunKind(StrEnum):
    """Whether a piece of a load ran, or its gallons wait in the truck and keep their room."""

    RAN = "ran"
    REST = "rest"


class Basis(StrEnum):
    """How the gallons of a load were found (§ 329-7 F(2): measured where there is a meter, else declared)."""

    METER = "meter"
    SIGHT_GLASS = "sight_glass"
    DECLARED = "declared"
    CAPACITY = "capacity"
    WEIGHT = "weight"


class RefusalReason(StrEnum):
    """Why a truck was turned away."""

    PERMISSION = "permission"
    PAPER = "paper"
    FIELD_TEST = "field_test"
    PLANT = "plant"
    OTHER = "other"


BASIS_WORDS = {
    Basis.METER: "Meter",
    Basis.SIGHT_GLASS: "Sight glass",
    Basis.DECLARED: "Driver's word",
    Basis.CAPACITY: "Full tank",
    Basis.WEIGHT: "Weight",
}
# Why no result of a sample will come.
NO_RESULT_WORDS = {
    "laboratory": "Accident in the laboratory",
    "bottle": "Bottle broken or lost",
    "old": "Kept too long before it was tested",
    "other": "Another reason",
}
REFUSAL_WORDS = {
    RefusalReason.PERMISSION: "No approval or license",
    RefusalReason.PAPER: "Papers missing or unclear",
    RefusalReason.FIELD_TEST: "Fails a field test",
    RefusalReason.PLANT: "Plant restricted or full",
    RefusalReason.OTHER: "Another reason",
}


# Answers of the gate about the plant, about a paper, or about what is in the load; all others are about the permission.
_OF_THE_PLANT = ("restricted", "closed", "outside_hours", "no_point", "no_rate", "no_room", "not_now")
_OF_PAPERS = ("sticker", "insurance", "certificates", "driver", "statement_open")
_OF_A_TEST = ("screening", "rejected")
# What is said of a load as typed that may be put right at the gate; all else may turn the truck away.
_PUT_RIGHT = (
    "goes_on", "no_gallons", "basis", "weights", "weighs", "gallons_over_tank", "full_tank", "flush", "ph_impossible",
    "temp_impossible", "ask", "say_what", "untested_why", "more_by", "no_bottle", "bottle_used", "bottle_odd",
    "supervision", "circumstances", "pretreated", "origin_missing", "same_time",
)  # fmt: skip


def gate_reason(code: str) -> RefusalReason:
    """Why a truck is refused to which the gate gives this answer."""
    if code in _OF_A_TEST:
        return RefusalReason.FIELD_TEST
    if code in _OF_THE_PLANT:
        return RefusalReason.PLANT
    if code == "waste_rejected":
        return RefusalReason.OTHER
    return RefusalReason.PAPER if code in _OF_PAPERS else RefusalReason.PERMISSION


def turns_away(code: str) -> bool:
    """Whether an answer to a load as typed is a reason to turn its truck away."""
    return code not in _PUT_RIGHT


class HoldEnd(StrEnum):
    """How a hold ended when the restriction was lifted."""

    RELEASED = "released"
    LISTED = "listed"
    MISSED = "missed"


class FlowState(StrEnum):
    """A flow reading counts only once it is accepted; an odd one waits for a person."""

    ACCEPTED = "accepted"
    HELD = "held"
    DISMISSED = "dismissed"


class WaitEnd(StrEnum):
    """How a place in the waiting list ended before its days were past."""

    BOOKED = "booked"
    LEFT = "left"


class Answer(StrEnum):
    """What was answered to an offer of freed room."""

    YES = "yes"
    NO = "no"


class SpecialState(StrEnum):
    """What was done with a request for a special time. Whether its time has passed is seen from the clock."""

    ASKED = "asked"
    ACCEPTED = "accepted"
    ARRANGED = "arranged"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"


class CustodyKind(StrEnum):
    """A step of a sample's way: taken at the truck, handed on, received by the laboratory."""

    TAKEN = "taken"
    HANDED = "handed"
    RECEIVED = "received"


class PlanState(StrEnum):
    """A sampling plan as the hauler proposes it and the Director answers."""

    PROPOSED = "proposed"
    APPROVED = "approved"
    RETURNED = "returned"


class RetestState(StrEnum):
    """New tests somebody asked for: answered, then done; or ended before that, taken back or with a voided load."""

    ASKED = "asked"
    ACCEPTED = "accepted"
    REFUSED = "refused"
    DONE = "done"
    ENDED = "ended"


PLAN_MOVES = {
    PlanState.PROPOSED: (PlanState.APPROVED, PlanState.RETURNED), PlanState.APPROVED: (), PlanState.RETURNED: (),
}  # fmt: skip
RETEST_MOVES = {
    RetestState.ASKED: (RetestState.ACCEPTED, RetestState.REFUSED, RetestState.ENDED),
    RetestState.ACCEPTED: (RetestState.DONE, RetestState.ENDED),
    RetestState.REFUSED: (), RetestState.DONE: (), RetestState.ENDED: (),
}  # fmt: skip
# What the added cost of a waste is reckoned by, and what the Common Council has said of a recommendation.
COSTS_PER = ("load", "1,000 gallons")
COUNCIL = ("", "adopted", "declined")
CUSTODY_WORDS = {
    CustodyKind.TAKEN: "Taken",
    CustodyKind.HANDED: "Handed over",
    CustodyKind.RECEIVED: "Received by the laboratory",
}
SPECIAL_MOVES = {
    SpecialState.ASKED: (SpecialState.ACCEPTED, SpecialState.DECLINED, SpecialState.WITHDRAWN),
    # A new quote has to be accepted anew.
    SpecialState.ACCEPTED: (SpecialState.ASKED, SpecialState.ARRANGED, SpecialState.DECLINED, SpecialState.WITHDRAWN),
    SpecialState.ARRANGED: (),
    SpecialState.DECLINED: (),
    SpecialState.WITHDRAWN: (),
}
BOOKING_MOVES = {
    BookingState.BOOKED: (BookingState.CANCELLED, BookingState.NO_SHOW),
    BookingState.CANCELLED: (),
    # A truck that came after all, as long as its room is still free.
    BookingState.NO_SHOW: (BookingState.BOOKED,),
}
LOAD_MOVES = {LoadState.ACCEPTED: (LoadState.VOID,), LoadState.REFUSED: (LoadState.VOID,), LoadState.VOID: ()}
FLOW_MOVES = {
    FlowState.HELD: (FlowState.ACCEPTED, FlowState.DISMISSED),
    # A corrected figure is judged again.
    FlowState.ACCEPTED: (FlowState.HELD,),
    FlowState.DISMISSED: (FlowState.ACCEPTED, FlowState.HELD),
}
