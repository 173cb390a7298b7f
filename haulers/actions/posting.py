"""A message no e-mail takes to its company goes as a letter: the clerk prints and posts it."""

from datetime import datetime

from haulers.queries.to_print import certified_of, letter_to_print
from office.access import Actor, Role
from office.acts import act
from office.db import lock
from office.journal import because
from office.notices import UNMAILED, Notice
from office.plants import Plant
from ordinances.refusal import Refusal


@act("note_posted", roles=(Role.CLERK,))
def note_posted(plant: Plant, notice_id: int, number: str = "", *, by: Actor, at: datetime) -> Notice | Refusal:
    """Note that the letter of a message was posted: then it counts as sent. One by certified mail keeps its number.

    Refused: ``not_waiting``, ``no_number`` for a revocation (§ 329-7 G of Bayfield: in writing) without one.
    """
    found = letter_to_print(plant.id, notice_id, at.astimezone(plant.tz).date())
    if found is None:
        return Refusal("not_waiting", "This letter does not wait to be posted.", "")
    locked: Notice = lock(Notice, found.id)
    revocation = certified_of([locked]).get(locked.id)
    if revocation is not None and not (number.strip() or revocation.certified_mail):
        return Refusal("no_number", "Enter the number of the certified mail.", "")
    if revocation is not None and number.strip():
        revocation.certified_mail = number.strip()
    if locked.state in UNMAILED:
        locked.state, locked.sent_at, locked.trouble = "sent", at, f"Posted as a letter by {by.name}"
    because(f"Certified mail {number.strip()}" if number.strip() else "Posted as a letter")
    return locked
