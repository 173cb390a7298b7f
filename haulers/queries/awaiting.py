"""What stands between a hauler without an approval and one, in true words: no application, a draft, sent, rejected."""

from dataclasses import dataclass
from datetime import datetime

from haulers.models import Application
from haulers.queries.applications import application_for
from haulers.queries.late_votes import late_vote_words
from haulers.queries.windows import Shut, shut_window
from haulers.states import ApplicationState
from office.formats import clock_time, date_only, day
from ordinances.calendar import FilingStatus, Season, decision_deadline, filing_status, season_of
from ordinances.reader import Law
from ordinances.refusal import Refusal

UNTIL_APPROVED = "You cannot book until the committee approves it."


@dataclass(frozen=True)
class Awaiting:
    """Where a hauler's application stands: a title, sentences, and the page that is the next step.

    ``next`` is one of application, letters, late (ask the committee to take it late), how (who may apply and when),
    or none.
    """

    title: str
    lines: tuple[str, ...]
    next: str


def awaiting(plant_id: int, business_id: int, law: Law, at: datetime) -> Awaiting:
    """For a hauler who has no approval at a plant (§ 329-7 A, B): what is true and what comes next."""
    status = filing_status(law, at)
    if isinstance(status, Refusal):
        return Awaiting(status.why, (status.next_step,) if status.next_step else (), "none")
    # Before the form of the coming season is there, the season now running is the one spoken of.
    running = season_of(law, at.astimezone(law.zone).date())
    season = running if status.state == "before_form" else status.season
    found = application_for(plant_id, business_id, season.name)
    if found is None or found.state == ApplicationState.DRAFT.value:
        return _not_sent(law, at, status, season, found)
    if found.state == ApplicationState.FILED.value:
        return _undecided(law, at, season, found)
    if found.state == ApplicationState.ASKED_LATE.value:
        waits = late_vote_words(found) or (
            "The committee votes on whether to take it late; nothing is decided before that.")  # fmt: skip
        return Awaiting(f"Your late request {found.number} is not taken yet", (waits, UNTIL_APPROVED), "application")
    if found.state == ApplicationState.REJECTED.value:
        lines = ("Your letter says why.", *_coming(shut_window(law, at)))
        return Awaiting(f"Your application {found.number} was not approved", lines, "letters")
    return Awaiting(f"You have no approval for season {season.name}", _coming(shut_window(law, at)), "application")


def _not_sent(law: Law, at: datetime, status: FilingStatus, season: Season, draft: Application | None) -> Awaiting:
    title = f"You have not applied for season {season.name}"
    if draft is not None:
        title = f"Your application for season {season.name} is a draft and was not sent"
    if status.state == "open":
        last = f"Send it by {clock_time(status.closes, law.zone)} on {day(status.closes, law.zone)}."
        return Awaiting(title, (last, UNTIL_APPROVED), "application")
    if status.state == "draft":
        first = f"You can fill it in now and send it from {day(status.opens, law.zone)}."
        return Awaiting(title, (first, UNTIL_APPROVED), "application")
    shut = shut_window(law, at)
    lines: tuple[str, ...] = ()
    if shut is not None and shut.closed is not None:
        lines = (f"Applications for season {shut.closed.season.name} closed on {day(shut.closed.closes, law.zone)}.",)
        if shut.late is not None and shut.late.asked:
            lines += ("The committee may be asked to take a late application.",)
            return Awaiting(title, (*lines, *_coming(shut)), "late")
    return Awaiting(title, (*lines, *_coming(shut)), "application" if draft is not None else "how")


def _undecided(law: Law, at: datetime, season: Season, found: Application) -> Awaiting:
    deadline = decision_deadline(law, season)
    title = f"Your application {found.number} is not decided yet"
    sent = f"It was sent on {day(found.filed_at, law.zone)}." if found.filed_at else ""
    if isinstance(deadline, Refusal):
        return Awaiting(title, (sent, UNTIL_APPROVED), "application")
    due = f"The committee decides by {date_only(deadline.day)}."
    if deadline.overdue(at):
        due = f"The decision was due {date_only(deadline.day)} and is late. No answer is not an approval."
    return Awaiting(title, (sent, due, UNTIL_APPROVED), "application")


def _coming(shut: Shut | None) -> tuple[str, ...]:
    """When one can apply next, where the window is not open."""
    if shut is None or shut.coming is shut.closed or shut.coming.state == "closed":
        return ()
    coming = shut.coming
    return (f"For season {coming.season.name} forms open {date_only(coming.form_opens)}, and applications are taken "
            f"from {date_only(coming.opens)} to {date_only(coming.closes)}.",)  # fmt: skip
