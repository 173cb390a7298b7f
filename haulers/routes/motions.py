"""Motions of the committee: what any of them reads back, and a recorded one with its votes, dates and minutes."""

from datetime import datetime
from typing import Any

from flask import abort, g, request
from sqlalchemy import select

from haulers import queries
from haulers.actions.meetings import began_at, early_notice, meeting_on, short_notice
from haulers.actions.minutes import minutes
from haulers.actions.motions import READERS, RECORDERS
from haulers.models import Application, Decision
from haulers.queries.unissued import issued_letters, to_issue
from haulers.routes.base import bp
from haulers.routes.clerk import letter_href
from haulers.states import Ballot
from office.access import Role
from office.db import db
from office.formats import date_only
from office.law import law_now
from office.letters import Letter
from office.pages import Page, page
from ordinances.calendar import Deadline, decision_deadline, season_named
from ordinances.refusal import Refusal

UNSENT = ("once", "csrf_token", "whose", "step")
FIELDS = {
    "meeting_before": "held_on", "meeting_before_change": "held_on", "no_wrong": "wrong", "nothing_changed": "wrong",
    "takes_away": "misrecorded", "future_meeting": "held_on",
    "meeting_before_filing": "held_on", "no_motion": "words", "one_mover": "seconder",
    "not_a_member": "mover", "mover_away": "mover", "over_capacity": "over_capacity", "agenda_after": "agenda_on",
    "agenda_recorded": "agenda_on", "began_recorded": "began", "not_begun": "began",
    "no_conflict": "conflicts",
    "changed_since": "as_changed", "too_long": "until", "past_day": "due_on", "no_words": "why",
}  # fmt: skip


def say_of_motion(form: Any, refusal: Refusal) -> None:
    """Put what an act answered about the motion at its field, or above the form."""
    field = FIELDS.get(refusal.code)
    form.refuse(field if field in form else None, f"{refusal.why} {refusal.next_step or ''}".strip())


def read_back_values(form: Any) -> dict[str, Any]:
    """What the read-back of any motion shows, and what its form sends on."""
    kept = [(name, value) for name, value in request.form.items(multi=True) if name not in UNSENT]
    kept += [(field.name, field.data) for field in form.vote_fields() if not request.form.get(field.name)]
    names = dict(form.mover.choices)
    # What was entered of the meeting with an earlier motion of the evening stands for all of them.
    meeting, roll, law = meeting_on(g.plant.id, form.held_on.data), form.roll(g.plant.tz), law_now(g.plant, g.at)
    posted = roll.agenda_posted_at or (meeting.agenda_posted_at if meeting is not None else None)
    began = began_at(roll, law) or (meeting.began_at if meeting is not None else None)
    recused = "Who is recused acts for one of these haulers" if roll.count(Ballot.RECUSED) else "None stated"
    return {"agenda": posted, "began": began, "short": short_notice(roll.held_on, began, posted, law),
            "early": early_notice(roll.held_on, posted, law),
            "conflicts": form.conflicts.data or recused, "kept": kept, "votes": form.vote_fields(),
            "mover": names[form.mover.data], "seconder": names[form.seconder.data]}  # fmt: skip


@page(bp, "/committee/motions/<int:motion_id>", *READERS)
def motion(here: Page, motion_id: int) -> Any:
    """A recorded motion: meeting, roll call, what it decided, both dates, its letters, words for the minutes."""
    found = queries.recorded(here.plant.id, motion_id) or abort(404)
    current = {one.id for one in queries.current_decisions([one.id for _, one in found.decisions]).values()}
    may_issue = here.by.capacity((Role.CLERK,)) is not None
    waiting = {decision.id for decision, _ in queries.waiting_decisions(here.plant.id, motion_id)}
    return here.show(
        "haulers/motion.html", recorded=found, letter_href=letter_href, minutes=minutes(found, here.law),
        current=current, waiting=waiting, issued=issued_on([decision for decision, _ in found.decisions], here),
        due=due_words(here, [one for _, one in found.decisions]), may_issue=may_issue,
        may_record=here.by.capacity(RECORDERS) is not None,
        printable=len(issued_letters(here.plant.id, motion_id)) if may_issue else 0,
        unissued=sum(len(one.rows) for one in to_issue(here.plant.id, here.today, motion_id)),
    )  # fmt: skip


def issued_on(decisions: list[Decision], here: Page) -> dict[int, str]:
    """The day the letter of each decision was issued, by decision."""
    ids = {one.letter_id: one.id for one in decisions if one.letter_id is not None}
    rows = db.session.execute(select(Letter.id, Letter.written_at).where(Letter.id.in_(set(ids))))
    return {ids[ident]: _day(written, here) for ident, written in rows}


def _day(moment: datetime, here: Page) -> str:
    return date_only(moment, here.plant.tz)


def due_words(here: Page, applications: list[Application]) -> str:
    """The day both the vote and the letter are due by; "" where the law names none."""
    if not applications:
        return ""
    deadline = decision_deadline(here.law, season_named(here.law, applications[0].season))
    return date_only(deadline.day) if isinstance(deadline, Deadline) else ""
