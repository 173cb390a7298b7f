"""The roll call of a motion: who sat, who voted how, whether enough did, and whether it carried."""

from collections.abc import Collection, Mapping
from datetime import date, datetime

from haulers.actions.meetings import agenda_after, began_at
from haulers.queries import business_names
from haulers.queries.motion_lines import RollCall
from haulers.queries.sitting import Span, instant, interests, span_of
from haulers.queries.words import ended
from haulers.states import Ballot
from office.access import Actor
from office.formats import plural
from office.people import Person
from ordinances.reader import Law
from ordinances.refusal import Refusal

AWAY = (Ballot.ABSENT, Ballot.RECUSED)


def quorum_of(law: Law, day: date, sitting: int) -> int:
    """How many members it takes to decide: more than half of those sitting; 0 where the law names no quorum."""
    return sitting // 2 + 1 if law.has("decision.quorum", day) else 0


def lost_why(roll: RollCall, law: Law) -> str:
    """Why a motion did not carry, in words for the record; "" when it carried. More ayes than noes carry it."""
    needed, ayes, noes = quorum_of(law, roll.held_on, len(roll.votes)), roll.count(Ballot.AYE), roll.count(Ballot.NO)
    if roll.present < needed:
        return (f"No quorum: {roll.present} of {plural(len(roll.votes), 'member')} present and not recused, "
                f"{needed} needed.")  # fmt: skip
    if ayes > noes:
        return ""
    return f"Tie: {ayes} aye, {noes} no." if ayes == noes else f"Voted down: {ayes} aye, {noes} no."


def check_past(roll: RollCall, law: Law, at: datetime) -> Refusal | None:
    """A meeting that has been."""
    if roll.held_on > at.astimezone(law.zone).date():
        return Refusal("future_meeting", "The meeting date must be today or earlier: votes are recorded as taken.", "")
    began = began_at(roll, law)
    if began is not None and began > at:
        return Refusal("not_begun", "The meeting must have begun by now: votes are recorded as taken.", "")
    return None


def check_roll(sitting: Mapping[int, Person], roll: RollCall, law: Law) -> Refusal | None:
    """An agenda before the meeting, motion words, two people behind it, a vote for every member and nobody else."""
    late = agenda_after(roll.held_on, began_at(roll, law), roll.agenda_posted_at, law)
    if late is not None:
        return late
    if not roll.words.strip():
        return Refusal("no_motion", "Enter the words of the motion.", "")
    refusal = _check_behind(sitting, roll)
    if refusal is None and set(roll.votes) != set(sitting):
        return Refusal("votes_missing", "Record a vote for every member.", "")
    return refusal or _check_away(sitting, roll)


def _check_behind(sitting: Mapping[int, Person], roll: RollCall) -> Refusal | None:
    if roll.mover_id == roll.seconder_id:
        return Refusal("one_mover", "Moved by and seconded by must be different people.", "")
    if not {roll.mover_id, roll.seconder_id} <= set(sitting):
        return Refusal("not_a_member", "Moved by and seconded by must be members of the committee.", "")
    return None


def _check_away(sitting: Mapping[int, Person], roll: RollCall) -> Refusal | None:
    for person_id in (roll.mover_id, roll.seconder_id):
        if roll.votes[person_id] in AWAY:
            name = sitting[person_id].name
            return Refusal("mover_away", f"{name} was {roll.votes[person_id].value}, so cannot move or second.", "")
    return None


def check_conflicts(roll: RollCall, sitting: Mapping[int, Person], interested: Mapping[int, str], law: Law,
                    at: datetime) -> str | Refusal:  # fmt: skip
    """What the record says of conflicts of interest: what was stated, or whom a recused member acts for.

    A member is recused for a conflict: with none stated and none known the roll call is not whole.
    """
    if roll.conflicts.strip():
        return roll.conflicts.strip()
    recused = [person_id for person_id, ballot in sorted(roll.votes.items()) if ballot is Ballot.RECUSED]
    for person_id in recused:
        if person_id not in interested:
            why = f"{sitting[person_id].name} is recused. Enter the conflict of interest as it was stated."
            return Refusal("no_conflict", why, _conflict_cite(law, at))
    return " ".join(f"{sitting[one].name} acts for {ended(interested[one])}" for one in recused)


def interested_members(business_ids: Collection[int], roll: RollCall, span: Span) -> dict[int, str]:
    """The members who acted for one of these businesses when the meeting was, with its name."""
    found = interests(set(roll.votes), set(business_ids), span)
    names = business_names(business_ids) if found else {}
    return {person_id: names[min(businesses)] for person_id, businesses in found.items()}


def _conflict_cite(law: Law, at: datetime) -> str:
    day = at.astimezone(law.zone).date()
    return law.cite("decision.conflict", day) if law.has("decision.conflict", day) else law.cite("decision.body", day)


def check_interests(business_ids: Collection[int], roll: RollCall, sitting: Mapping[int, Person], by: Actor,
                    law: Law, at: datetime) -> Refusal | None:  # fmt: skip
    """Nobody decides on their own business: a member with an interest on the day of the meeting is recorded as recused
    or absent. Nor does anybody record a motion on a business they act for then or now.
    """
    cite = _conflict_cite(law, at)
    me = {by.person_id} if by.person_id else set()
    span = span_of(roll.held_on, roll.began, law.zone)
    found = interests(me, set(business_ids), instant(at)) | interests({*roll.votes, *me}, set(business_ids), span)
    names = business_names(business_ids) if found else {}
    for person_id, businesses in found.items():
        name = names[min(businesses)]
        voted = person_id in roll.votes and roll.votes[person_id] not in AWAY
        if voted and interests({person_id}, businesses, span):
            why = f"{sitting[person_id].name} acts for {name} and cannot vote on its application."
            return Refusal("own_business", why, cite, next_step="Record the vote as recused.")
        if person_id == by.person_id:
            why = f"You act for {name}, so another person has to record this decision."
            return Refusal("own_business", why, cite)
    return None
