"""A motion as it was put and what it says of each application: what forms hand to the acts of the committee."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time

from haulers.states import Ballot, Outcome, Period


@dataclass(frozen=True)
class RollCall:
    """The motion as it was put and each member's vote, by the member's person id.

    ``conflicts`` is what was said of conflicts of interest; ``agenda_posted_at`` when the agenda was posted and
    ``began`` the wall time at which the meeting began, if known.
    """

    held_on: date
    words: str
    mover_id: int
    seconder_id: int
    votes: Mapping[int, Ballot]
    conflicts: str = ""
    agenda_posted_at: datetime | None = None
    began: time | None = None

    def count(self, ballot: Ballot) -> int:
        """How many members did so."""
        return list(self.votes.values()).count(ballot)

    @property
    def present(self) -> int:
        """Members who were there and not recused: those a quorum is made of."""
        return len(self.votes) - self.count(Ballot.ABSENT) - self.count(Ballot.RECUSED)


@dataclass(frozen=True)
class Limit:
    """No more than so many gallons of a type of waste ("" for all) in a day, a week or a part of the season.

    ``hard``: what passes it is refused; otherwise it is only said.
    """

    waste: str
    period: Period
    gallons: int
    hard: bool = True


@dataclass(frozen=True)
class DecisionLine:
    """What is decided about one application. Gallons for the winter and for the rest of the season.

    ``departure`` is why they are not those suggested, for the record. ``change_id``: a correction decides on the
    application as its hauler changed it after the vote (``ApplicationChange``).
    """

    application_id: int
    outcome: Outcome
    gallons_winter: int = 0
    gallons_rest: int = 0
    reason_code: str | None = None
    reason: str = ""
    conditions: Sequence[str] = field(default=())
    allowances: Sequence[Limit] = field(default=())
    departure: str = ""
    change_id: int | None = None


@dataclass(frozen=True)
class AmendLine:
    """What the committee did with one change: granted with so many gallons of those asked for, or refused and why."""

    amendment_id: int
    granted: bool
    winter: int = 0
    rest: int = 0
    reason: str = ""
