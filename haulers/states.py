"""The states of an application and of a decision, and the moves allowed between them."""

from enum import StrEnum


class ApplicationState(StrEnum):
    """Where an application is. "Overdue" and "revoked" are derived when read, never stored here.

    ``asked_late``: asked after the close; the committee has not voted to take it, so it is in no table yet.
    """

    DRAFT = "draft"
    FILED = "filed"
    ASKED_LATE = "asked_late"
    WITHDRAWN = "withdrawn"
    APPROVED = "approved"
    IN_PART = "in_part"
    REJECTED = "rejected"


class Outcome(StrEnum):
    """What a decision says about one application."""

    APPROVED = "approved"
    IN_PART = "in_part"
    REJECTED = "rejected"


class MotionKind(StrEnum):
    """What a motion is about."""

    DECIDE = "decide"
    TABLE = "table"
    ASK_CHANGES = "ask_changes"
    TAKE_LATE = "take_late"
    CARRY_OVER = "carry_over"
    AMEND = "amend"
    CORRECT = "correct"
    REINSTATE = "reinstate"


class Period(StrEnum):
    """What stretch of time an allowance of a disposal plan counts over."""

    DAY = "day"
    WEEK = "week"
    WINTER = "winter"
    REST = "rest"
    SEASON = "season"


class FileKind(StrEnum):
    """What a file handed in by a hauler shows."""

    LICENCE = "licence"
    INSURANCE = "insurance"
    CERTIFICATE = "certificate"
    LAB = "lab"
    PAPER = "paper"


class AmendmentState(StrEnum):
    """Where a change asked for after the approval is. Until it is granted the approval stays as it was."""

    ASKED = "asked"
    GRANTED = "granted"
    REFUSED = "refused"
    WITHDRAWN = "withdrawn"


class Ballot(StrEnum):
    """What one member did when the motion was put."""

    AYE = "aye"
    NO = "no"
    ABSTAIN = "abstain"
    ABSENT = "absent"
    RECUSED = "recused"


class StandingState(StrEnum):
    """Whether a business may unload at a plant at an instant, computed when asked."""

    APPROVED = "approved"
    NOT_APPROVED = "not_approved"
    REVOKED = "revoked"
    SUSPENDED = "suspended"
    NOT_BEGUN = "not_begun"


APPLICATION_MOVES: dict[ApplicationState, tuple[ApplicationState, ...]] = {
    ApplicationState.DRAFT: (ApplicationState.FILED, ApplicationState.ASKED_LATE),
    ApplicationState.ASKED_LATE: (ApplicationState.FILED, ApplicationState.WITHDRAWN),
    ApplicationState.FILED: (
        ApplicationState.WITHDRAWN,
        ApplicationState.APPROVED,
        ApplicationState.IN_PART,
        ApplicationState.REJECTED,
    ),
    ApplicationState.WITHDRAWN: (),
    # A decided one moves only by a correction of what was recorded; an approval is taken away by revoking it.
    ApplicationState.APPROVED: (ApplicationState.IN_PART,),
    ApplicationState.IN_PART: (ApplicationState.APPROVED,),
    ApplicationState.REJECTED: (ApplicationState.APPROVED, ApplicationState.IN_PART),
}
DECIDED = (ApplicationState.APPROVED, ApplicationState.IN_PART, ApplicationState.REJECTED)
STATE_WORDS = {
    ApplicationState.DRAFT: "Draft, not sent",
    ApplicationState.FILED: "Sent, not decided",
    ApplicationState.ASKED_LATE: "Asked to be taken late, not filed yet",
    ApplicationState.WITHDRAWN: "Withdrawn",
    ApplicationState.APPROVED: "Approved",
    ApplicationState.IN_PART: "Approved in part",
    ApplicationState.REJECTED: "Not approved",
}

REVIEW_OUTCOMES = {
    "upheld": "the decision stands", "changed": "the decision is changed", "reversed": "the decision is reversed",
    "withdrawn": "the request was withdrawn",
}  # fmt: skip
# Those by which an appeal is sustained: its fee may be given back.
SUSTAINED = ("changed", "reversed")


def values(states: type[StrEnum]) -> tuple[str, ...]:
    """The stored words of an enum, for CHECK constraints."""
    return tuple(state.value for state in states)
