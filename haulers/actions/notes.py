"""A committee member's own note on an application: kept for that member alone."""

from datetime import datetime

from sqlalchemy import select

from haulers.models import Application, MemberNote
from haulers.states import ApplicationState
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.plants import Plant
from ordinances.refusal import Refusal

LONGEST = 4_000


@act("keep_note", roles=(Role.MEMBER,))
def keep_note(plant: Plant, application_id: int, words: str, *, by: Actor, at: datetime) -> MemberNote | Refusal:
    """Keep a member's own note on a sent application in place of the one before; "" empties it.

    Refused: ``not_filed``, ``too_long``. Pages show it to nobody but its member.
    """
    application = db.session.scalars(select(Application).filter_by(id=application_id, plant_id=plant.id)).one_or_none()
    if application is None or application.state == ApplicationState.DRAFT.value or by.person_id is None:
        return Refusal("not_filed", "There is no such application.", "")
    if len(words) > LONGEST:
        return Refusal("too_long", f"The note must be {LONGEST:,} characters or less.", "")
    # Two windows of one member at once would both find no note yet.
    lock(Application, application.id)
    query = select(MemberNote).filter_by(application_id=application.id, person_id=by.person_id)
    note = db.session.scalars(query).one_or_none()
    if note is None:
        note = MemberNote(plant_id=plant.id, application_id=application.id, person_id=by.person_id)
        db.session.add(note)
    note.words, note.written_at = words.strip(), at
    return note
