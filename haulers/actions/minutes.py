"""The words of a motion for the minutes of a meeting, to be copied."""

from haulers.actions.changed_since import AS_CHANGED
from haulers.actions.corrections import SAID, corrects_words
from haulers.actions.decision_rules import exception_codes
from haulers.actions.motion_words import ACCEPTED, amount_words, reason_words
from haulers.models import Amendment, Application, Decision
from haulers.queries import Recorded
from haulers.queries.words import ended
from haulers.states import AmendmentState, Ballot, MotionKind, Outcome
from office.db import db
from office.formats import date_only, day, volume
from ordinances.calendar import season_named
from ordinances.reader import Law
from ordinances.screening import WASTE_TYPES

REFERRED = {
    MotionKind.TABLE: "tabled", MotionKind.ASK_CHANGES: "sent back for changes", MotionKind.TAKE_LATE: "taken late",
}  # fmt: skip
BALLOT_WORDS = {
    Ballot.AYE: "aye", Ballot.NO: "no", Ballot.ABSTAIN: "abstained", Ballot.ABSENT: "absent", Ballot.RECUSED: "recused",
}  # fmt: skip


WHAT = {"source": "another source", "truck": "another truck"}


def named_words(asked: Amendment) -> str:
    """What was asked for besides gallons: the source with its waste, or the truck."""
    if asked.kind == "truck":
        return f"truck {asked.new['plate']}, {volume(int(asked.new['capacity']))}"
    return f"{WASTE_TYPES[asked.new['waste']].lower()} waste from {asked.new['place']}"


def minutes(found: Recorded, law: Law) -> list[str]:
    """What the minutes say of one motion: the meeting, the motion and its votes by name, then each application.

    Of a motion that did not carry, what was put to the vote.
    """
    said = [_meeting(found), _motion(found)]
    about = list(found.motion.about)
    if not found.motion.passed:
        return [*said, *(f"Put to the vote: {words}" for words in about)]
    if found.motion.kind == MotionKind.REINSTATE:
        return said + about
    kept = (words for words in about if words == ACCEPTED or words.startswith(AS_CHANGED))
    return [*said, *_results(found, law), *kept]


def _meeting(found: Recorded) -> str:
    began = f", {found.began}" if found.began is not None else ""
    said = f"{ended(f'{found.meeting.body}, {day(found.meeting.held_on)}{began}')} {_agenda(found)}"
    said = " ".join((said, *found.corrected))
    conflicts = found.motion.conflicts or "none stated"
    return f"{said} Conflicts of interest: {conflicts}{'' if conflicts.endswith('.') else '.'}"


def _agenda(found: Recorded) -> str:
    """When the agenda was posted. What was entered after the motion says so: its minutes stay what they were."""
    unknown = "When the agenda was posted is not recorded"
    if found.agenda_posted is None:
        return f"{unknown}."
    posted = f"The agenda was posted {found.agenda_posted}"
    if found.agenda_noted is None:
        return ended(posted)
    return ended(f"{unknown} with this motion. Entered {found.agenda_noted}: {posted[:1].lower()}{posted[1:]}")


def _motion(found: Recorded) -> str:
    words = found.motion.words
    counts = ", ".join(f"{found.count(ballot)} {said}" for ballot, said in BALLOT_WORDS.items())
    by_name = ". ".join(
        f"{said.capitalize()}: {', '.join(vote.person_name for vote in found.votes if vote.vote == ballot)}"
        for ballot, said in BALLOT_WORDS.items() if found.count(ballot)
    )  # fmt: skip
    result = "Motion carried." if found.motion.passed else f"Motion failed. {found.motion.lost}".strip()
    return (f"Moved by {found.mover}, seconded by {found.seconder}: {words}{'' if words.endswith('.') else '.'} "
            f"Roll call: {counts}. {by_name}. {result}")  # fmt: skip


def _results(found: Recorded, law: Law) -> list[str]:
    said = [_decided(decision, one, law) for decision, one in found.decisions]
    said += [f"{one.number}, {one.business_name}: {REFERRED[MotionKind(row.kind)]}."
             f"{' ' + row.words if row.words else ''}" for row, one in found.referrals]  # fmt: skip
    for at, (asked, approval, name) in enumerate(found.amended):
        if asked.state == AmendmentState.WITHDRAWN:
            # What was voted on it is kept with the motion only, in the same order.
            said.append(f"{found.motion.about[at]} The hauler withdrew the request before the letter was issued.")
            continue
        words = {"granted": "granted", "refused": "not granted"}[asked.state]
        more = asked.granted_winter + asked.granted_rest
        extra = f", {amount_words(asked.granted_winter, asked.granted_rest, ' more')}"
        what = f"{WHAT[asked.kind]} {words}: {named_words(asked)}" if asked.kind != "gallons" else f"change {words}"
        said.append(f"{approval.number}, {name}: {what}{extra if more else ''}."
                    f"{' ' + asked.reason if asked.reason else ''}")  # fmt: skip
    if found.carried_over is not None:
        until = date_only(found.carried_over.until)
        season = found.carried_over.season
        if not found.carried_over.each:
            return [*said, f"Approvals of the season before are carried over into season {season} to {until}."]
        said.append("Approvals of the season before, of haulers whose application waits, are carried over into season "
                    f"{season}: each until its letter is issued, to {until} at the latest.")  # fmt: skip
        said += found.motion.about
    return said


def _decided(decision: Decision, one: Application, law: Law) -> str:
    outcome = Outcome(decision.outcome)
    words = f"{one.number}, {one.business_name}: {SAID[outcome]}"
    if outcome is not Outcome.REJECTED:
        words += f", {amount_words(decision.gallons_winter, decision.gallons_rest)}"
    words += "."
    if decision.corrects_id is not None:
        words += f" {corrects_words(db.session.get_one(Decision, decision.corrects_id))}"
        words += f" What was wrong: {decision.wrong}" if decision.wrong else ""
    # Conditions for all were typed beside a rejection too; they are those of an approval.
    terms = decision.conditions if outcome is not Outcome.REJECTED else ()
    added = [term["text"] for term in terms if not term["cite"]]
    codes = exception_codes(law, season_named(law, one.season))
    why = reason_words(decision.reason, decision.reason_code, added, decision.allowances, codes)
    return " ".join(said for said in (words, why, decision.departure) if said)
