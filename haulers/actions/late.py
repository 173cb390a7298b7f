"""After the close: a hauler asks the committee to take an application late; the committee takes it by a motion.

It is another act than filing, in a series of its own, and stands in no table before the committee has voted.
"""

from collections.abc import Collection
from datetime import datetime, time

from sqlalchemy import select

from haulers.actions.applications import freeze, not_ready
from haulers.actions.motions import body_words
from haulers.actions.receipts import write_late_receipt, write_receipt
from haulers.actions.registration import NOT_YOURS, stands_for
from haulers.models import Application, Business, Meeting, Motion
from haulers.queries import application_for, business, party_of_business, shut_window, sources_of
from haulers.queries.came import came_words
from haulers.queries.registered import signs_in
from haulers.queries.windows import Working, working_season
from haulers.queries.words import ended
from haulers.states import APPLICATION_MOVES, ApplicationState, MotionKind
from office import numbers
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.formats import date_only
from office.journal import because
from office.notices import tell_party, tell_role
from office.plants import Plant
from ordinances.calendar import FilingStatus
from ordinances.reader import Law
from ordinances.refusal import Refusal

LATE = numbers.series("late_request", "application", "number", mark="/L")


@act("ask_late", roles=(Role.HAULER,))
def ask_late(plant: Plant, business_id: int, reason: str, *, by: Actor, at: datetime,
             law: Law) -> Application | Refusal:  # fmt: skip
    """Ask the committee to take the draft late, saying why (§ 329-7 B(1)). Nothing is filed by asking.

    Refused: ``not_late`` in the window, ``late_refused`` where the law takes none, ``no_reason``, and what keeps any
    application from being sent.
    """
    owner = business(business_id)
    if owner is None or not stands_for(owner, by):
        return NOT_YOURS
    lock(Business, owner.id)
    work = working_season(plant.id, owner.id, law, at, late=True)
    if isinstance(work, Refusal):
        return work
    draft = application_for(plant.id, owner.id, work.season.name, fresh=True)
    refusal = not_ready(plant, owner, draft, law, at)
    if refusal is not None or draft is None:
        return refusal or NOT_YOURS
    if not reason.strip():
        return Refusal("no_reason", "Enter why the application comes late.", "")
    request_late(plant, owner, draft, reason, work, by.name, at, law)
    return draft


def request_late(plant: Plant, owner: Business, draft: Application, reason: str, work: Working,
                 declared_by: str, at: datetime, law: Law) -> None:  # fmt: skip
    """Number and freeze a late request, and tell the hauler and the clerk."""
    draft.late_reason = reason.strip()
    number = numbers.marked_in_season(plant.id, LATE, draft.season)
    freeze(owner, draft, ApplicationState.ASKED_LATE, number, declared_by, at, law)
    draft.late_for_state = work.status.late_for_state
    because(f"Asked the committee to take it late: {draft.late_reason}", work.status.cite)
    party, sources = party_of_business(owner.id), sources_of([draft.id], fresh=True).get(draft.id, [])
    draft.letter_id = write_late_receipt(plant, party, draft, sources, work.status.cite, law).id
    tell_party(party, "application", f"We received your late request {draft.number}",
               f"On {came_words(draft, law)}, you asked the committee to take your application for season "
               f"{draft.season} late. It is not filed by asking: the committee votes on whether to take it. "
               + ("The receipt is in your account under Letters." if signs_in(party.id, at)
                  else "The receipt is enclosed."), at, plant_id=plant.id, letter_id=draft.letter_id)  # fmt: skip
    tell_role(Role.CLERK, "application", f"{draft.business_name} asks to be taken late: {draft.number}",
              f"Why: {draft.late_reason}\n\nThe committee votes on whether to take it.", at,
              plant_id=plant.id)  # fmt: skip


@act("take_late", roles=(Role.CLERK, Role.MEMBER, Role.DIRECTOR))
def take_late(plant: Plant, application_ids: Collection[int], motion_id: int, *, by: Actor, at: datetime,
              law: Law) -> list[Application] | Refusal:  # fmt: skip
    """Put late requests before the committee, by the carried motion that took them. Their numbers stay.

    Refused: ``no_motion`` for one of another kind or plant or one that did not carry, ``not_late_request``.
    """
    motion = db.session.scalars(select(Motion).filter_by(id=motion_id, plant_id=plant.id)).one_or_none()
    if motion is None or motion.kind != MotionKind.TAKE_LATE.value or not motion.passed:
        return Refusal("no_motion", "No motion to take them late was carried.", "")
    query = select(Application.id).where(Application.plant_id == plant.id, Application.id.in_(set(application_ids)))
    found = [lock(Application, one) for one in sorted(db.session.scalars(query))]
    moves = [ApplicationState.FILED in APPLICATION_MOVES[ApplicationState(one.state)] and one.filed_at is not None
             for one in found]  # fmt: skip
    if not found or len(found) < len(set(application_ids)) or not all(moves):
        return Refusal("not_late_request", "One of them is no late request that waits to be taken.", "")
    for one in found:
        one.state, one.taken_by_id = ApplicationState.FILED.value, motion.id
        _tell_taken(plant, one, at, law)
    because(f"Taken late: {motion.words}")
    return found


def tell_not_taken(plant: Plant, asked: Application, motion: Motion, words: str, at: datetime, law: Law) -> None:
    """Tell a hauler what became of the vote on a late request that was not taken: lost, or put off with ``words``.

    The request stays as it is, and the committee may vote on it again (§ 329-7 B(1)-(2)).
    """
    held_on = db.session.get_one(Meeting, motion.meeting_id).held_on
    window, body = _window_of(asked, law), body_words(law, held_on)
    cites = ", ".join(filter(None, (window.cite if window is not None else "", law.cite("decision.body", held_on))))
    number, on = asked.number, date_only(held_on)
    if motion.passed:
        subject = f"The vote on your late request {number} is put off"
        said = f"On {on} the {body} put off its vote on taking your application {number} late ({cites})."
        said += f" {ended(words.strip())}" if words.strip() else ""
    else:
        subject = f"Your late request {number} is not taken"
        said = f"On {on} the {body} voted on taking your application {number} late ({cites}). The motion did not carry."
    tell_party(
        party_of_business(asked.business_id), "application", subject,
        f"{said}\n\nYour request stays on record as you sent it, and nothing is decided about it. It is not before the "
        f"{body} for a decision unless a later vote takes it.\n\nQuestions: {plant.name}, {plant.phone}",
        at, plant_id=plant.id,
    )  # fmt: skip


def _tell_taken(plant: Plant, taken: Application, at: datetime, law: Law) -> None:
    """The receipt of an application that is filed from now on, and the message of it."""
    party, window = party_of_business(taken.business_id), _window_of(taken, law)
    if window is not None:
        sources = sources_of([taken.id], fresh=True).get(taken.id, [])
        taken.letter_id = write_receipt(plant, party, taken, sources, window, law, taken=at).id
    tell_party(party, "application", f"The committee takes your application {taken.number}",
               ended(f"The committee voted to take your application {taken.number} late. It will now decide on it"),
               at, plant_id=plant.id, letter_id=taken.letter_id)  # fmt: skip


def _window_of(taken: Application, law: Law) -> FilingStatus | None:
    """The window it came after."""
    assert taken.filed_at is not None
    came = taken.filed_at
    if taken.received_on is not None:
        came = datetime.combine(taken.received_on, time(0), law.zone)
    shut = shut_window(law, came)
    return shut.closed if shut is not None else None
