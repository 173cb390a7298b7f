"""The committee's meetings: what is recorded of one, its motions, what was corrected, and correcting it."""

from datetime import datetime
from typing import Any

from flask import abort

from haulers.actions.meeting_record import correct_meeting
from haulers.actions.meetings import early_notice, short_notice
from haulers.actions.motions import READERS
from haulers.forms.meetings import MeetingForm
from haulers.models import Meeting
from haulers.queries import meetings as held
from haulers.routes.base import bp
from office.access import Role
from office.pages import Page, page
from ordinances.refusal import Refusal

FIELDS = {
    "no_words": "reason", "no_agenda": "agenda_on", "agenda_after": "agenda_on", "no_hour": "began",
    "not_begun": "began", "begun_late": "began", "other_roll": "began",
}  # fmt: skip


def meeting_here(here: Page, meeting_id: int) -> Meeting:
    """A meeting of this plant; not found otherwise."""
    return held.meeting(here.plant.id, meeting_id) or abort(404)


def _warnings(here: Page, one: Meeting) -> list[str]:
    posted, law = one.agenda_posted_at, here.law
    return [said for said in (short_notice(one.held_on, one.began_at, posted, law),
                              early_notice(one.held_on, posted, law)) if said]  # fmt: skip


@page(bp, "/committee/meetings/<int:meeting_id>", *READERS)
def meeting(here: Page, meeting_id: int) -> Any:
    """One meeting: when it began, when its agenda was posted, its motions, and every correction with both texts."""
    one = meeting_here(here, meeting_id)
    may, said = here.by.capacity((Role.CLERK,)) is not None, [
        held.correction_words(row, here.plant.tz) for row in held.corrections_of(one.id)]  # fmt: skip
    return here.show("haulers/meeting.html", meeting=one, motions=held.motions_at(one.id), corrected=said,
                     warnings=_warnings(here, one), may_correct=may)  # fmt: skip


@page(bp, "/clerk/meetings/<int:meeting_id>/correct", Role.CLERK, methods=("GET", "POST"))
def meeting_correct(here: Page, meeting_id: int) -> Any:
    """Put right when the agenda was posted or the meeting began: what stood before is kept and shown."""
    one = meeting_here(here, meeting_id)
    posted, began = (_wall(moment, here) for moment in (one.agenda_posted_at, one.began_at))
    form = MeetingForm(agenda_on=posted.date() if posted else None, agenda_at=posted.time() if posted else None,
                       began=began.time() if began else None)  # fmt: skip
    if form.validate_on_submit():
        made = correct_meeting(here.plant, one.id, form.agenda(here.plant.tz), form.began.data, form.reason.data,
                               by=here.by, at=here.at, law=here.law)  # fmt: skip
        if not isinstance(made, Refusal):
            return here.done("haulers.meeting", "The record of the meeting is corrected. The members are told.",
                             meeting_id=one.id)  # fmt: skip
        form.refuse(FIELDS.get(made.code), f"{made.why} {made.next_step or ''}".strip())
    return here.show("haulers/meeting_correct.html", form=form, meeting=one)


def _wall(moment: datetime | None, here: Page) -> datetime | None:
    return moment.astimezone(here.plant.tz) if moment is not None else None
