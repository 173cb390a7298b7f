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


BOOKING_MOVES = {
    BookingState.BOOKED: (BookingState.CANCELLED, BookingState.NO_SHOW),
    BookingState.CANCELLED: (),
    BookingState.NO_SHOW: (),
}
LOAD_MOVES = {LoadState.ACCEPTED: (LoadState.VOID,), LoadState.REFUSED: (LoadState.VOID,), LoadState.VOID: ()}
FLOW_MOVES = {FlowState.HELD: (FlowState.ACCEPTED, FlowState.DISMISSED), FlowState.ACCEPTED: (), FlowState.DISMISSED: ()}
