"""What the committee did so far about a late request that it has not taken (§ 329-7 B(1)-(2))."""

from sqlalchemy import select

from haulers.models import Application, Meeting, Motion, Referral
from haulers.states import MotionKind
from office.db import db
from office.formats import date_only


def late_vote_words(application: Application) -> str:
    """The last vote on taking it, in a sentence: it did not carry, or was put off; "" where there was none.

    Its hauler was told of that vote when it was recorded.
    """
    lost = select(Motion).where(Motion.plant_id == application.plant_id, Motion.kind == MotionKind.TAKE_LATE.value,
                                ~Motion.passed)  # fmt: skip
    named = f"{application.number}, "
    found = [one for one in db.session.scalars(lost) if any(words.startswith(named) for words in one.about)]
    put_off = select(Motion).join(Referral, Referral.motion_id == Motion.id).where(
        Referral.application_id == application.id, Referral.kind == MotionKind.TABLE.value)  # fmt: skip
    found += db.session.scalars(put_off)
    if not found:
        return ""
    last = max(found, key=lambda one: one.id)
    on = date_only(db.session.get_one(Meeting, last.meeting_id).held_on)
    if last.passed:
        return f"On {on} the committee put off its vote on taking it late. Nothing is decided before that vote."
    return (f"On {on} the committee voted on taking it late, and the motion did not carry. It is not before the "
            "committee unless a later vote takes it.")  # fmt: skip
