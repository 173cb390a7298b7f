"""What a recorded decision has to keep to. Each check returns a Refusal with its section, or None."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

from haulers.models import Application
from haulers.queries import Totals, approved_gallons, fees_of, interests, members
from haulers.states import ApplicationState, Ballot, Outcome
from office.access import Actor
from office.formats import date_only, gallons
from office.people import Person
from office.plants import Plant
from ordinances.calendar import Season
from ordinances.fees import fee_before_decision
from ordinances.rate_cap import season_capacity
from ordinances.reader import Law
from ordinances.refusal import Refusal


@dataclass(frozen=True)
class DecisionLine:
    """What is decided about one application. Gallons for the winter and for the rest of the season."""

    application_id: int
    outcome: Outcome
    gallons_winter: int = 0
    gallons_rest: int = 0
    reason_code: str | None = None
    reason: str = ""
    conditions: Sequence[str] = field(default=())


@dataclass(frozen=True)
class RollCall:
    """The motion as it was put and each member's vote, by the member's person id."""

    held_on: date
    words: str
    mover_id: int
    seconder_id: int
    votes: Mapping[int, Ballot]

    @property
    def carried(self) -> bool:
        """More ayes than noes. A tie carries nothing."""
        cast = list(self.votes.values())
        return cast.count(Ballot.AYE) > cast.count(Ballot.NO)

    @property
    def voted(self) -> int:
        """How many members voted aye or no."""
        return sum(1 for vote in self.votes.values() if vote in (Ballot.AYE, Ballot.NO))

    @property
    def few(self) -> bool:
        """Whether fewer than half of the members voted. The law here sets no quorum, so it is only said."""
        return 2 * self.voted < len(self.votes)


def check_applications(
    applications: Sequence[Application | None], roll: RollCall, law: Law, at: datetime
) -> Refusal | None:
    """All of this plant, of one season, sent and not decided, before a meeting that has been."""
    found = [one for one in applications if one is not None]
    if not found or len(found) != len(applications):
        return Refusal("nothing_selected", "Select the applications the motion is about.", "")
    if len({one.id for one in found}) != len(found):
        return Refusal("twice", "An application is listed twice.", "")
    if len({one.season for one in found}) > 1:
        return Refusal("two_seasons", "Decide the applications of one season at a time.", "")
    for one in found:
        if one.state != ApplicationState.FILED.value:
            why = f"Application {one.number} of {one.business_name} is not open for a decision."
            return Refusal("not_open", why, "")
    return _check_meeting(found, roll, law, at) or _check_fees(found, law, at)


def _check_fees(found: Sequence[Application], law: Law, at: datetime) -> Refusal | None:
    """Where the law has the decision wait for the filing fee: which one was not received, or was taken back."""
    row = fee_before_decision(law, at.astimezone(law.zone).date())
    if row is None:
        return None
    paid = {ident for ident, fee in fees_of([one.id for one in found]).items() if fee.holds}
    missing = [f"{one.number} of {one.business_name}" for one in found if one.id not in paid]
    if not missing:
        return None
    why = f"Nothing is decided before the filing fee is paid. It was not received for {', '.join(missing)}."
    return Refusal("fee_unpaid", why, row.cite, row.reading, "Decide the others now, and these once the fee is in.")


def _check_meeting(found: Sequence[Application], roll: RollCall, law: Law, at: datetime) -> Refusal | None:
    if roll.held_on > at.astimezone(law.zone).date():
        return Refusal("future_meeting", "The meeting date must be today or earlier: votes are recorded as taken.", "")
    for one in found:
        assert one.filed_at is not None
        if roll.held_on < one.filed_at.astimezone(law.zone).date():
            why = f"Application {one.number} came after {date_only(roll.held_on)}. Check the meeting date."
            return Refusal("meeting_before_filing", why, "")
    return None


def check_roll(plant: Plant, roll: RollCall, at: datetime) -> Refusal | None:
    """Motion words, two people behind it, a vote recorded for every member and nobody else."""
    sitting = {person.id: person for person in members(plant.id, at)}
    if not roll.words.strip():
        return Refusal("no_motion", "Enter the words of the motion.", "")
    if roll.mover_id == roll.seconder_id:
        return Refusal("one_mover", "Moved by and seconded by must be different people.", "")
    if not {roll.mover_id, roll.seconder_id} <= set(sitting):
        return Refusal("not_a_member", "Moved by and seconded by must be members of the committee.", "")
    if set(roll.votes) != set(sitting):
        return Refusal("votes_missing", "Record a vote for every member.", "")
    for person_id in (roll.mover_id, roll.seconder_id):
        if roll.votes[person_id] in (Ballot.ABSENT, Ballot.RECUSED):
            name = sitting[person_id].name
            return Refusal("mover_away", f"{name} was {roll.votes[person_id].value}, so cannot move or second.", "")
    return None


def check_interests(applications: Sequence[Application], roll: RollCall, people: Mapping[int, Person], by: Actor,
                    law: Law, at: datetime) -> Refusal | None:  # fmt: skip
    """Nobody decides on their own business: a member with an interest is recorded as recused or absent."""
    day = at.astimezone(law.zone).date()
    cite = law.cite("decision.conflict", day) if law.has("decision.conflict", day) else law.cite("decision.body", day)
    ids = {one.business_id: one.business_name for one in applications}
    everyone = {*roll.votes, *({by.person_id} if by.person_id else set())}
    for person_id, businesses in interests(everyone, set(ids), at).items():
        name = ids[min(businesses)]
        if person_id in roll.votes and roll.votes[person_id] not in (Ballot.RECUSED, Ballot.ABSENT):
            why = f"{people[person_id].name} acts for {name} and cannot vote on its application."
            return Refusal("own_business", why, cite, next_step="Record the vote as recused.")
        if person_id == by.person_id:
            why = f"You act for {name}, so another person has to record this decision."
            return Refusal("own_business", why, cite)
    return None


def check_line(line: DecisionLine, application: Application, asked: Totals, season: Season, law: Law) -> Refusal | None:
    """Gallons fit the outcome and the ask; reasons are given, in winter one of the state's."""
    who, given = application.business_name, line.gallons_winter + line.gallons_rest
    cite = law.cite("decision.body", season.start)
    if min(line.gallons_winter, line.gallons_rest) < 0:
        return Refusal("below_nought", f"{who}: approved gallons must be 0 or more.", "")
    if line.gallons_winter > asked.asked_winter or line.gallons_rest > asked.asked_rest:
        why = (f"{who}: approved gallons must not be more than asked for ({gallons(asked.asked_winter)} in winter, "
               f"{gallons(asked.asked_rest)} in the rest of the year).")  # fmt: skip
        return Refusal("above_ask", why, cite, details={"application_id": application.id})
    expected = Outcome.APPROVED if given == asked.asked else Outcome.IN_PART if given else Outcome.REJECTED
    if line.outcome is not expected:
        return Refusal("outcome_differs", f"{who}: {_OUTCOME_WORDS[line.outcome]}", cite,
                       details={"application_id": application.id})  # fmt: skip
    if line.outcome is Outcome.APPROVED:
        return None
    return _check_reason(line, application, asked, season, law)


_OUTCOME_WORDS = {
    Outcome.APPROVED: "to approve in full, the approved gallons must be all that is asked for.",
    Outcome.IN_PART: "to approve a part, the approved gallons must be more than 0 and less than asked for.",
    Outcome.REJECTED: "to reject, the approved gallons must be 0.",
}


def _check_reason(
    line: DecisionLine, application: Application, asked: Totals, season: Season, law: Law
) -> Refusal | None:
    who, details = application.business_name, {"application_id": application.id}
    if not line.reason.strip():
        what = "was rejected" if line.outcome is Outcome.REJECTED else "is approved in part only"
        why = f"{who}: enter why the application {what}."
        return Refusal("no_reason", why, law.cite("decision.body", season.start), details=details)
    codes = exception_codes(law, season)
    if line.reason_code and line.reason_code not in codes:
        return Refusal("unknown_code", f"{who}: select one of the reasons shown.", "", details=details)
    if codes and line.gallons_winter < asked.asked_winter and not line.reason_code:
        why = f"{who}: in winter, select which of the state's reasons applies."
        return Refusal("no_state_reason", why, law.cite("state.exceptions", season.start), details=details)
    return None


def exception_codes(law: Law, season: Season) -> dict[str, str]:
    """The state's reasons for not accepting septage in winter, code to words; empty where there is none."""
    has = law.has("state.exceptions", season.start) and law.has("winter.from", season.start)
    return dict(law.value("state.exceptions", season.start)) if has else {}


def check_review_block(lines: Sequence[DecisionLine], law: Law, day: date) -> Refusal | None:
    """A rejection or part approval carries the review rights; without their text no such letter is made."""
    if all(line.outcome is Outcome.APPROVED for line in lines):
        return None
    return review_block_missing(law, day)


def review_block_missing(law: Law, day: date) -> Refusal | None:
    """The refusal while the text on review rights is empty, for every letter that must carry it."""
    if law.has("review.block", day) and str(law.value("review.block", day)).strip():
        return None
    key = "revocation.review"
    cite = law.cite(key, day) if law.has(key, day) else law.cite("programme.kind", day)
    return Refusal("no_review_block", "The text on review rights is empty, so this letter cannot be made.", cite,
                   next_step="Ask the administrator to set it: the city attorney approves the text.")  # fmt: skip


def check_capacity(plant: Plant, lines: Sequence[DecisionLine], season: Season, accepted: bool, law: Law,
                   at: datetime) -> Refusal | bool:  # fmt: skip
    """Whether the season's approvals pass what the plant can take; a Refusal unless the committee accepts it."""
    capacity = season_capacity(law, season)
    winter, rest = approved_gallons(plant.id, season.name, at)
    over = [
        max(0, winter + sum(line.gallons_winter for line in lines) - capacity.winter),
        max(0, rest + sum(line.gallons_rest for line in lines) - capacity.rest),
    ]
    if not any(over) or accepted:
        return any(over)
    parts = [f"{gallons(more)} in {name}" for more, name in zip(over, ("winter", "the rest of the year"), strict=True)
             if more]  # fmt: skip
    why = (f"Approved gallons are {gallons(sum(over))} more than the plant can take ({' and '.join(parts)}). "
           "Lower them, or tick 'The committee accepts this'.")  # fmt: skip
    return Refusal("over_capacity", why, law.cite("rate.plan_gph", season.start),
                   details={"winter": over[0], "rest": over[1]})  # fmt: skip
