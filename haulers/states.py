"""The states of an application and of a decision, and the moves allowed between them."""

from enum import StrEnum


class ApplicationState(StrEnum):
    """Where an application is. "Overdue" and "revoked" are derived when read, never stored here."""

    DRAFT = "draft"
    FILED = "filed"
    WITHDRAWN = "withdrawn"
    APPROVED = "approved"
    IN_PART = "in_part"
    REJECTED = "rejected"


class Outcome(StrEnum):
    """What a decision says about one application."""

    APPROVED = "approved"
    IN_PART = "in_part"
    REJECTED = "rejected"


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
    NOT_BEGUN = "not_begun"


APPLICATION_MOVES: dict[ApplicationState, tuple[ApplicationState, ...]] = {
    ApplicationState.DRAFT: (ApplicationState.FILED,),
    ApplicationState.FILED: (
        ApplicationState.WITHDRAWN,
        ApplicationState.APPROVED,
        ApplicationState.IN_PART,
        ApplicationState.REJECTED,
    ),
    ApplicationState.WITHDRAWN: (),
    ApplicationState.APPROVED: (),
    ApplicationState.IN_PART: (),
    ApplicationState.REJECTED: (),
}
DECIDED = (ApplicationState.APPROVED, ApplicationState.IN_PART, ApplicationState.REJECTED)
STATE_WORDS = {
    ApplicationState.DRAFT: "Draft, not sent",
    ApplicationState.FILED: "Sent, not decided",
    ApplicationState.WITHDRAWN: "Withdrawn",
    ApplicationState.APPROVED: "Approved",
    ApplicationState.IN_PART: "Approved in part",
    ApplicationState.REJECTED: "Not approved",
}


def values(states: type[StrEnum]) -> tuple[str, ...]:
    """The stored words of an enum, for CHECK constraints."""
    return tuple(state.value for state in states)
