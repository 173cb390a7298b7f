"""An application on paper after it is entered: its company may have no sign-in, so the clerk enters what it sends.

Each is marked as paper and entered by the clerk. What a hauler with a sign-in does online stays theirs to do.
"""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

from sqlalchemy import select

from haulers.actions.change_basis import basis_of, both_texts, no_basis
from haulers.actions.sources import put_sources
from haulers.models import Application, ApplicationChange, Decision
from haulers.queries import SourceLine, fees_of, party_of_business
from haulers.queries.answers import Answers
from haulers.queries.changes import waiting_change
from haulers.queries.opened import Wish, after_close, window_for
from haulers.queries.opened import ended as ended_with
from haulers.queries.words import ended
from haulers.states import APPLICATION_MOVES, STATE_WORDS, ApplicationState
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.formats import date_only
from office.journal import because
from office.notices import tell_party
from office.plants import Plant
from ordinances.reader import Law
from ordinances.refusal import Refusal


@act("change_on_paper", roles=(Role.CLERK,))
def change_on_paper(
    plant: Plant, application_id: int, received_on: date, words: str, lines: Sequence[SourceLine], answers: Answers,
    wish: Wish | None = None, *, by: Actor, at: datetime, law: Law,
) -> ApplicationChange | Refusal:  # fmt: skip
    """Enter the changed answers a company sent on paper: those asked for, or of its own wish; both texts are kept.

    ``words`` say what is changed where nothing was asked for; ``wish`` who of the committee asked, for a paper that
    came after the close and answers nothing it asked for. Refused: ``not_paper``, ``future_date``, ``before_it``,
    ``not_open`` and ``decided`` (past changing), ``no_words``, ``nothing_changed``, ``no_basis``, ``not_opened``, and
    what the answers lack.
    """
    found = _on_paper(plant, application_id, received_on, law, at)
    if isinstance(found, Refusal):
        return found
    refusal = _past_changing(found)
    waiting = waiting_change(found.id)
    basis = refusal or _rests_on(plant, found, waiting, received_on, wish, by, at, law)
    if isinstance(basis, Refusal):
        return basis
    texts = both_texts(waiting, found, lines, answers, law, at, received_on)
    if isinstance(texts, Refusal):
        return texts
    before, after = texts
    made = waiting or _begun(found, words, by, at)
    if isinstance(made, Refusal):
        return made
    made = lock(ApplicationChange, made.id)
    if made.opened_at is None:
        made.opened_at, made.opened_by = at, by.name
    put_sources(found, lines)
    found.answers = {**found.answers, **after["answers"]}
    made.basis = made.basis or basis
    paper = {"received_on": date_only(received_on), "on": received_on.isoformat(), "entered_by": by.name}
    made.before, made.after, made.answered_at = before, after | {"paper": paper}, at
    because(f"Changed on paper received {received_on}: {made.words}")
    came = date_only(received_on)
    tell_party(party_of_business(found.business_id), "change",
               f"We received the change to your application {found.number}",
               ended(f"Your application {found.number} was changed by your paper received on {came}")
               + " What it said before stays on record beside it.", at, plant_id=plant.id)  # fmt: skip
    return made


@act("withdraw_on_paper", roles=(Role.CLERK,))
def withdraw_on_paper(plant: Plant, application_id: int, received_on: date, *, by: Actor, at: datetime,
                      law: Law) -> Application | Refusal:  # fmt: skip
    """Enter that a company took its application back on paper. It stays on record; another may be sent in the window.

    Refused: ``not_paper``, ``future_date``, ``before_it``, ``not_open`` (decided, or withdrawn already).
    """
    found = _on_paper(plant, application_id, received_on, law, at)
    if isinstance(found, Refusal):
        return found
    refusal = _gone(found, {"received_on": date_only(received_on), "entered_by": by.name}, at)
    if refusal is not None:
        return refusal
    because(f"Withdrawn by the hauler on paper received {received_on}")
    tell_party(party_of_business(found.business_id), "application", f"You withdrew your application {found.number}",
               ended(f"Your application {found.number} was withdrawn by your paper received on "
                     f"{date_only(received_on)}"), at, plant_id=plant.id)  # fmt: skip
    return found


@act("take_back_entry", roles=(Role.CLERK,))
def take_back_entry(plant: Plant, application_id: int, reason: str, *, by: Actor, at: datetime,
                    law: Law) -> Application | Refusal:  # fmt: skip
    """Take back an entry that is wrong (the wrong company, season or paper), saying why. It stays on record.

    Refused: ``not_paper``, ``no_reason``, ``fee_recorded``, ``not_open`` (decided, or withdrawn already).
    """
    found = _on_paper(plant, application_id, None, law, at)
    if isinstance(found, Refusal):
        return found
    if not reason.strip():
        return Refusal("no_reason", "Enter what is wrong with the entry.", "")
    fee = fees_of([found.id]).get(found.id)
    if fee is not None and fee.holds and not fee.waived:
        said = f"The filing fee of application {found.number} is recorded. Take the payment back first."
        return Refusal("fee_recorded", said, "")
    refusal = _gone(found, {"wrong_entry": reason.strip(), "entered_by": by.name}, at)
    if refusal is not None:
        return refusal
    because(f"Entered by mistake: {reason.strip()}")
    tell_party(party_of_business(found.business_id), "application",
               f"Application {found.number} was entered by mistake",
               f"Application {found.number} was entered under your name by mistake and does not count. What was wrong: "
               f"{reason.strip()}\n\nQuestions: {plant.name}, {plant.phone}", at, plant_id=plant.id)  # fmt: skip
    return found


def _rests_on(plant: Plant, found: Application, waiting: ApplicationChange | None, received_on: date, wish: Wish | None,
              by: Actor, at: datetime, law: Law) -> str | Refusal:  # fmt: skip
    """What a paper's change rests on: "" in the window; after the close what the committee asked for."""
    window = window_for(found, law)
    basis = basis_of(plant, found, wish, None, by, at, law)
    if isinstance(basis, Refusal) or basis or window is None or not after_close(window, at, received_on):
        return basis
    asked = waiting is not None and waiting.opened_at is not None
    if waiting is not None and asked and ended_with(waiting, found, law, at, received_on) is None:
        return waiting.basis
    return no_basis(found, window)


def _on_paper(plant: Plant, application_id: int, received_on: date | None, law: Law,
              at: datetime) -> Application | Refusal:  # fmt: skip
    """The application on paper, locked; for a paper about it, whether its day can be."""
    query = select(Application).filter_by(id=application_id, plant_id=plant.id, channel="paper")
    found = db.session.scalars(query).one_or_none()
    if found is None or found.received_on is None:
        return Refusal("not_paper", "Only an application that came on paper is changed on paper.", "")
    if received_on is not None and received_on > at.astimezone(law.zone).date():
        return Refusal("future_date", "The date received must be today or earlier.", "")
    if received_on is not None and received_on < found.received_on:
        said = f"The application itself was received on {date_only(found.received_on)}. Enter that day or a later one."
        return Refusal("before_it", said, "")
    return lock(Application, found.id)


def _past_changing(found: Application) -> Refusal | None:
    if found.state not in (ApplicationState.FILED.value, ApplicationState.ASKED_LATE.value):
        words = STATE_WORDS[ApplicationState(found.state)].lower()
        return Refusal("not_open", f"Application {found.number} cannot be changed: {words}.", "")
    if db.session.scalars(select(Decision.id).filter_by(application_id=found.id)).first() is not None:
        said = f"The committee has voted on application {found.number}: it stays as it is."
        return Refusal("decided", said, "")
    return None


def _begun(found: Application, words: str, by: Actor, at: datetime) -> ApplicationChange | Refusal:
    if not words.strip():
        return Refusal("no_words", "Enter what is changed.", "")
    made = ApplicationChange(plant_id=found.plant_id, application_id=found.id, side="hauler", words=words.strip(),
                             asked_by=f"{found.business_name} on paper, entered by {by.name}"[:200], asked_at=at,
                             opened_at=at, opened_by=by.name)  # fmt: skip
    db.session.add(made)
    db.session.flush()
    return made


def _gone(found: Application, how: dict[str, Any], at: datetime) -> Refusal | None:
    """Make it withdrawn, with how it came to that; or why it cannot be any more."""
    state = ApplicationState(found.state)
    if ApplicationState.WITHDRAWN not in APPLICATION_MOVES[state]:
        words = STATE_WORDS[state].lower()
        return Refusal("not_open", f"Application {found.number} cannot be withdrawn: {words}.", "")
    found.state, found.withdrawn_at = ApplicationState.WITHDRAWN.value, at
    found.answers = {**found.answers, "withdrawn": how}
    return None
