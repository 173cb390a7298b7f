"""Changing an application already sent: asked for, opened or refused, made; what it said before is kept."""

from collections.abc import Collection, Sequence
from datetime import date, datetime

from sqlalchemy import select

from haulers.actions.change_basis import both_texts, check_opening
from haulers.actions.change_letters import how_to_answer, write_more_information
from haulers.actions.registration import NOT_YOURS, stands_for
from haulers.actions.sources import put_sources
from haulers.models import Application, ApplicationChange
from haulers.queries import SourceLine, business, party_of_business
from haulers.queries.answers import Answers
from haulers.queries.changes import change, waiting_change
from haulers.queries.held import voted_on
from haulers.queries.opened import PARTS, Wish, opened_words
from haulers.queries.opened import ended as ended_with
from haulers.queries.registered import signs_in
from haulers.queries.words import ended
from haulers.states import STATE_WORDS, ApplicationState
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.formats import date_only, day_time
from office.journal import because
from office.notices import tell_party, tell_role
from office.plants import Plant
from ordinances.reader import Law
from ordinances.refusal import Refusal

CHANGEABLE = (ApplicationState.FILED.value, ApplicationState.ASKED_LATE.value)
HAULER, COMMITTEE = "hauler", "committee"
AFTER_THE_VOTE = ("The committee had voted by then: the application stays as it was voted on, and the change is shown "
                  "beside it. The letter will say that it is no part of the decision, unless the committee corrects "
                  "its decision and takes the change in.")  # fmt: skip


@act("ask_change", roles=(Role.HAULER,))
def ask_change(plant: Plant, application_id: int, words: str, *, by: Actor, at: datetime,
               law: Law) -> ApplicationChange | Refusal:  # fmt: skip
    """Ask to change an answer of a sent application. Nothing changes before the clerk opens it."""
    found = _own(plant, application_id, by)
    if isinstance(found, Refusal):
        return found
    made = _begun(found, HAULER, words, by, at, law)
    if isinstance(made, ApplicationChange):
        tell_role(Role.CLERK, "change", f"{found.business_name} asks to change application {found.number}",
                  f"{words.strip()}\n\nOpen the application for the change, or say why not.", at,
                  plant_id=plant.id)  # fmt: skip
    return made


@act("open_change", roles=(Role.CLERK, Role.MEMBER, Role.DIRECTOR))
def open_change(
    plant: Plant,
    application: Application,
    side: str,
    words: str,
    due_on: date | None,
    motion_id: int | None = None,
    opens: Collection[str] = (),
    wish: Wish | None = None,
    *,
    by: Actor,
    at: datetime,
    law: Law,
) -> ApplicationChange | Refusal:
    """Open a sent application so that its hauler can change answers, by a day where one is set, and tell them.

    ``side`` is whose wish it is: "committee" (more information), or "hauler" who asked by word of mouth. ``opens`` are
    the parts of ``queries.opened.PARTS`` that may change, none for all; ``wish`` who of the committee asked for it.
    Refused: ``no_words``, ``past_day``, ``decided``, ``not_open`` (no longer waiting for a decision),
    ``change_waiting``, and after the close ``no_basis`` (``change_basis.check_opening``).
    """
    if due_on is not None and due_on < at.astimezone(law.zone).date():
        return Refusal("past_day", "The day must be today or later.", "")
    if application.plant_id != plant.id:
        return Refusal("not_filed", "There is no such application.", "")
    made = _begun(application, side, words, by, at, law)
    if isinstance(made, Refusal):
        return made
    rests = check_opening(plant, application, due_on, wish, motion_id, by, at, law)
    if isinstance(rests, Refusal):
        return rests
    made.motion_id, made.opens, made.basis = motion_id, [one for one in PARTS if one in opens], rests[0]
    return _opened(plant, application, made, rests[1], by, at, law)


@act("open_asked_change", roles=(Role.CLERK,))
def open_asked_change(plant: Plant, change_id: int, due_on: date | None, opens: Collection[str] = (),
                      wish: Wish | None = None, *, by: Actor, at: datetime,
                      law: Law) -> ApplicationChange | Refusal:  # fmt: skip
    """Let the hauler make the change they asked for; after the close only where the committee asks for it too."""
    found = _asked(plant, change_id)
    if isinstance(found, Refusal):
        return found
    made, application = found
    if due_on is not None and due_on < at.astimezone(law.zone).date():
        return Refusal("past_day", "The day must be today or later.", "")
    rests = _refused_state(application) or check_opening(plant, application, due_on, wish, None, by, at, law)
    if isinstance(rests, Refusal):
        return rests
    made.opens, made.basis = [one for one in PARTS if one in opens], rests[0]
    return _opened(plant, application, made, rests[1], by, at, law)


@act("refuse_change", roles=(Role.CLERK,))
def refuse_change(plant: Plant, change_id: int, reason: str, *, by: Actor, at: datetime,
                  law: Law) -> ApplicationChange | Refusal:  # fmt: skip
    """Answer that the application stays as it was sent, and why."""
    found = _asked(plant, change_id)
    if isinstance(found, Refusal):
        return found
    made, application = found
    if not reason.strip():
        return Refusal("no_reason", "Enter why the application stays as it is.", "")
    made.refused_at, made.refusal = at, reason.strip()
    because(made.refusal)
    tell_party(party_of_business(application.business_id), "change",
               f"Your application {application.number} stays as you sent it",
               f"You asked: {made.words}\n\nThe answer: {made.refusal}", at, plant_id=plant.id)  # fmt: skip
    return made


@act("answer_change", roles=(Role.HAULER,))
def answer_change(plant: Plant, change_id: int, lines: Sequence[SourceLine], answers: Answers, *, by: Actor,
                  at: datetime, law: Law) -> ApplicationChange | Refusal:  # fmt: skip
    """Make an opened change: answers and files as they are from now on, beside what they were. Once, and complete.

    A file handed in, or taken away, since it was opened is a change by itself. Made after the committee has voted it is
    kept and shown to the city, and the application stays as it was voted on: its hauler is not to learn of the vote
    before the letter.
    """
    made = change(plant.id, change_id)
    application = _own(plant, made.application_id, by) if made is not None else NOT_YOURS
    if made is None or isinstance(application, Refusal):
        return NOT_YOURS
    made = lock(ApplicationChange, made.id)
    if made.opened_at is None or made.answered_at is not None:
        said = "It was answered already." if made.answered_at else "The clerk has not opened it yet."
        return Refusal("not_open", f"Application {application.number} is not open for a change. {said}", "")
    if _closed(application) is not None:
        return Refusal("not_open", f"Application {application.number} can no longer be changed.", "")
    texts = both_texts(made, application, lines, answers, law, at)
    if isinstance(texts, Refusal):
        return texts
    before, after = texts
    late = voted_on(application)
    if not late:
        put_sources(application, lines)
        application.answers = {**application.answers, **after["answers"]}
    made.before, made.after, made.answered_at = before, after, at
    because(f"Changed: {made.words}")
    _tell_changed(plant, application, late, at, law)
    if late and made.side == COMMITTEE:
        tell_role(Role.MEMBER, "change", f"{application.business_name} answered after your vote",
                  f"You asked: {made.words}\n\n{AFTER_THE_VOTE}", at, plant_id=plant.id)  # fmt: skip
    return made


def _tell_changed(plant: Plant, application: Application, late: bool, at: datetime, law: Law) -> None:
    when = day_time(at, law.zone)
    tell_party(party_of_business(application.business_id), "change",
               f"We received the change to your application {application.number}",
               ended(f"Your application {application.number} was changed on {when}")
               + " What it said before stays on record beside it.", at, plant_id=plant.id)  # fmt: skip
    tell_role(Role.CLERK, "change", f"Application {application.number} was changed",
              ended(f"{application.business_name} changed application {application.number} on {when}")
              + (f" {AFTER_THE_VOTE}" if late else ""), at,
              plant_id=plant.id)  # fmt: skip


def _own(plant: Plant, application_id: int, by: Actor) -> Application | Refusal:
    found = db.session.scalars(select(Application).filter_by(id=application_id, plant_id=plant.id)).one_or_none()
    owner = business(found.business_id) if found else None
    if found is None or owner is None or not stands_for(owner, by):
        return NOT_YOURS
    return found


def _asked(plant: Plant, change_id: int) -> tuple[ApplicationChange, Application] | Refusal:
    """A change the hauler asked for and nobody has answered, with its application."""
    made = change(plant.id, change_id)
    if made is None:
        return Refusal("no_change", "There is no such request.", "")
    made = lock(ApplicationChange, made.id)
    if made.opened_at is not None or made.refused_at is not None:
        return Refusal("answered", "This request was answered already.", "")
    return made, db.session.get_one(Application, made.application_id)


def _begun(application: Application, side: str, words: str, by: Actor, at: datetime,
           law: Law) -> ApplicationChange | Refusal:  # fmt: skip
    if not words.strip():
        return Refusal("no_words", "Enter what is to be changed.", "")
    locked: Application = lock(Application, application.id)
    refusal = _closed(locked) if side == HAULER and by.capacity((Role.HAULER,)) else _refused_state(locked)
    if refusal is not None:
        return refusal
    waiting = waiting_change(locked.id)
    if waiting is not None and (gone := ended_with(waiting, locked, law, at)) is not None:
        waiting.refused_at, waiting.refusal = at, f"It ended with the window on {date_only(gone.closes)}."
        db.session.flush()
        waiting = None
    if waiting is not None:
        return Refusal("change_waiting", f"A change of application {locked.number} is waiting already: {waiting.words}",
                       "", details={"change_id": waiting.id})  # fmt: skip
    made = ApplicationChange(plant_id=locked.plant_id, application_id=locked.id, side=side, asked_by=by.name,
                             asked_at=at, words=words.strip())  # fmt: skip
    db.session.add(made)
    db.session.flush()
    return made


def _closed(application: Application) -> Refusal | None:
    """Why an application is past changing, as its hauler may know it."""
    if application.state in CHANGEABLE:
        return None
    words = STATE_WORDS[ApplicationState(application.state)].lower()
    step = "After an approval, ask for a change of the approval." if application.decided_at else None
    return Refusal("not_open", f"Application {application.number} cannot be changed: {words}.", "", next_step=step)


def _refused_state(application: Application) -> Refusal | None:
    refusal = _closed(application)
    if refusal is not None:
        return refusal
    if voted_on(application):
        said = f"The committee has voted on application {application.number}: it stays as it is."
        return Refusal("decided", said, "")
    return None


def _opened(plant: Plant, application: Application, made: ApplicationChange, due_on: date | None, by: Actor,
            at: datetime, law: Law) -> ApplicationChange:  # fmt: skip
    made.opened_at, made.opened_by, made.due_on = at, by.name, due_on
    because(f"Open for a change: {made.words}")
    subject = f"You can change your application {application.number} now"
    if made.side == COMMITTEE:
        short = f" by {due_on:%B} {due_on.day}" if due_on is not None else ""
        subject = f"We need more information for application {application.number}{short}"
        made.letter_id = write_more_information(plant, application, made, by, at, law).id
    party = party_of_business(application.business_id)
    how = how_to_answer(plant, signs_in(party.id, at), date_only(due_on) if due_on is not None else "")
    only = f" Open for a change: {opened_words(made.opens)}." if opened_words(made.opens) else ""
    tell_party(party, "change", subject, f"{made.words}\n\n{how}{only} What you sent before stays on record.", at,
               plant_id=plant.id, letter_id=made.letter_id)  # fmt: skip
    return made
