"""A message to a company without an e-mail goes as a letter: the clerk prints and posts it."""

from datetime import datetime

from haulers.queries.to_print import letter_to_print
from office.access import Actor, Role
from office.acts import act
from office.db import lock
from office.journal import because
from office.notices import Notice
from office.plants import Plant
from ordinances.refusal import Refusal


@act("note_posted", roles=(Role.CLERK,))
def note_posted(plant: Plant, notice_id: int, *, by: Actor, at: datetime) -> Notice | Refusal:
    """Note that the letter of a message was posted: then it counts as sent. Refused: ``not_waiting``."""
    found = letter_to_print(plant.id, notice_id)
    if found is None:
        return Refusal("not_waiting", "This letter does not wait to be posted.", "")
    locked: Notice = lock(Notice, found.id)
    locked.state, locked.sent_at, locked.trouble = "sent", at, f"Posted as a letter by {by.name}"
    because("Posted as a letter")
    return locked
