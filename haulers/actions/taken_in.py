"""A change made after the vote: taken in by a correction of the decision, or said in the letter not to be part of it.

The application stays as it was voted on until the letter of a correction that takes the change in (§ 329-7 B(2)).
"""

from haulers.actions.meeting_order import not_before_begun
from haulers.actions.sources import put_sources
from haulers.models import Application, ApplicationChange, Decision
from haulers.queries.answers import Answers
from haulers.queries.held import change_lines, held_change
from haulers.queries.motion_lines import DecisionLine, RollCall
from haulers.states import Outcome
from office.db import db
from office.formats import date_only
from ordinances.reader import Law
from ordinances.refusal import Refusal


def check_change(line: DecisionLine, application: Application, roll: RollCall, law: Law) -> Refusal | None:
    """Why a motion cannot take in the change its line names: another one waits, or it came after the meeting."""
    if line.change_id is None:
        return None
    held = held_change(application)
    if held is None or held.id != line.change_id or held.answered_at is None:
        why = f"The change of application {application.number} that you read is not the one that waits any more."
        return Refusal("no_such_change", why, "", next_step="Read the application again.")
    if roll.held_on < held.answered_at.astimezone(law.zone).date():
        why = f"The change of application {application.number} came after {date_only(roll.held_on)}."
        return Refusal("meeting_before_change", f"{why} Check the meeting date.", "")
    if application.received_on is not None:
        return None
    what = f"The change of application {application.number} was sent"
    return not_before_begun(application.plant_id, roll, held.answered_at, what, law, "meeting_before_change")


def change_put(line: DecisionLine, law: Law) -> str:
    """What a motion says of the change it takes in; "" for none."""
    made = db.session.get(ApplicationChange, line.change_id) if line.change_id is not None else None
    return f"It takes in the change of {_day(made, law)}." if made is not None else ""


def take_in(application: Application, decision: Decision) -> None:
    """Give an application the answers of the change its decision took in, as the letter is issued."""
    held = held_change(application) if decision.change_id is not None else None
    if held is None or held.id != decision.change_id or held.after is None:
        return
    put_sources(application, change_lines(held))
    said = Answers(**held.after["answers"])
    application.answers = {**application.answers, **vars(said)}
    db.session.flush()


def change_words(application: Application, decision: Decision, law: Law) -> str:
    """What the letter of a decision says of a change made after the vote: taken in, or no part of it; "" for none."""
    if decision.change_id is not None:
        made = db.session.get_one(ApplicationChange, decision.change_id)
        return f"This decision takes in the change of your answers of {_day(made, law)}."
    held = held_change(application)
    if held is None:
        return ""
    said = (f"The change of your answers of {_day(held, law)} came after the committee had voted and is no part of "
            "this decision.")  # fmt: skip
    if decision.outcome == Outcome.REJECTED.value:
        return said
    return f"{said} If you need it, ask for a change of the approval."


def _day(made: ApplicationChange, law: Law) -> str:
    assert made.answered_at is not None
    return date_only(made.answered_at, law.zone)
