"""What opening a sent application rests on: after the close the committee's request alone (§ 329-7 B(1))."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

from haulers.actions.sources import wanting
from haulers.models import Application, ApplicationChange, Meeting, Motion
from haulers.queries import SourceLine
from haulers.queries.answers import Answers, as_data, stated
from haulers.queries.files import lines_at
from haulers.queries.opened import Wish, after_close, ended, not_opened, opened_words, window_for
from haulers.queries.sitting import members_on, span_of
from office.access import Actor, Role
from office.db import db
from office.formats import date_only
from office.plants import Plant
from ordinances.calendar import FilingStatus
from ordinances.reader import Law
from ordinances.refusal import Refusal


def check_opening(plant: Plant, application: Application, due_on: date | None, wish: Wish | None, motion_id: int | None,
                  by: Actor, at: datetime, law: Law) -> tuple[str, date | None] | Refusal:  # fmt: skip
    """What an opening rests on ("" for nobody of the committee), and the last day it holds.

    Refused: ``no_basis`` after the close; ``past_close`` for a day after it that nobody of the committee asked for;
    ``no_such_member``, ``wish_day``. Opened in the window on nobody's request it ends with the window.
    """
    basis = basis_of(plant, application, wish, motion_id, by, at, law)
    window = window_for(application, law)
    if isinstance(basis, Refusal) or basis or window is None:
        return basis if isinstance(basis, Refusal) else (basis, due_on)
    if after_close(window, at):
        return no_basis(application, window)
    if due_on is not None and due_on > window.closes.date():
        closes = date_only(window.closes)
        why = f"The window closes {closes}. After it an answer changes only on the committee's request."
        step = "Enter that day or an earlier one, or who of the committee asks for it."
        return Refusal("past_close", why, window.cite, window.reading, step)
    return "", due_on or window.closes.date()


def no_basis(application: Application, window: FilingStatus) -> Refusal:
    """Why nothing is opened after the close on nobody's request."""
    why = (f"The window for season {application.season} closed {date_only(window.closes)}. After it an application "
           "changes only on the committee's request.")  # fmt: skip
    step = "Enter who of the committee asked for it, and on which day, or record the committee's motion."
    return Refusal("no_basis", why, window.cite, window.reading, step)


def basis_of(plant: Plant, application: Application, wish: Wish | None, motion_id: int | None, by: Actor, at: datetime,
             law: Law) -> str | Refusal:  # fmt: skip
    """Who of the committee asked, in words kept with the change: a motion, a member by name and day, or "" for none."""
    today = at.astimezone(law.zone).date()
    if motion_id is not None:
        held_on = db.session.get_one(Meeting, db.session.get_one(Motion, motion_id).meeting_id).held_on
        return f"The committee's motion of {date_only(held_on)}"
    if wish is not None:
        sent = application.filed_at.astimezone(law.zone).date() if application.filed_at is not None else today
        if not sent <= wish.on <= today:
            why = f"The day must be {date_only(sent)}, when it was sent, or later, and not after today."
            return Refusal("wish_day", why, "")
        named = {one.id: one.name for one in members_on(plant, span_of(wish.on, None, law.zone))}.get(wish.member_id)
        if named is None:
            why = f"Select who of the committee asked for it: a member on {date_only(wish.on)}."
            return Refusal("no_such_member", why, "")
        return f"{named} of the committee asked for it on {date_only(wish.on)}"
    if by.capacity((Role.MEMBER,)) is not None:
        return f"{by.name} of the committee asked for it on {date_only(today)}"
    return ""


def both_texts(
    made: ApplicationChange | None, application: Application, lines: Sequence[SourceLine], answers: Answers, law: Law,
    at: datetime, received_on: date | None = None,
) -> tuple[dict[str, Any], dict[str, Any]] | Refusal:  # fmt: skip
    """What an application said and is to say: sources, answers, files. ``made`` is the opened change, if one is open.

    Refused: ``ended`` (with the window), what the answers lack, ``nothing_changed``, ``not_opened``.
    """
    refusal = (over(made, application, law, at) if made is not None and received_on is None else None) or wanting(
        lines, answers, law, at)  # fmt: skip
    if refusal is not None:
        return refusal
    since = made.opened_at if made is not None and made.opened_at is not None else at
    before = stated(application, fresh=True) | {"files": lines_at(application.id, since)}
    after = as_data(lines, answers) | {"files": lines_at(application.id)}
    if before == after:
        known = "those you sent" if received_on is None else "those entered before"
        return Refusal("nothing_changed", f"Nothing is changed yet: the answers are {known}, and no file is added.", "")
    return (_outside(made, before, after) if made is not None else None) or (before, after)


def over(made: ApplicationChange, application: Application, law: Law, at: datetime) -> Refusal | None:
    """Why an opened change cannot be made any more: it ended with the window (§ 329-7 B(1))."""
    window = ended(made, application, law, at)
    if window is None:
        return None
    why = (f"The window for season {application.season} closed {date_only(window.closes)}, and the change of "
           f"application {application.number} ended with it.")  # fmt: skip
    step = "After the close an application changes only on the committee's request. Ask the clerk."
    return Refusal("ended", why, window.cite, window.reading, step)


def _outside(made: ApplicationChange, before: dict[str, Any], after: dict[str, Any]) -> Refusal | None:
    """Why answers are not taken that were not opened: each with what it said before."""
    rows = not_opened(made.opens, before, after)
    if not rows:
        return None
    said = "; ".join(f"{name}: {old or '(blank)'}" for name, old, _ in rows)
    return Refusal("not_opened", f"Only this is open: {opened_words(made.opens)}. Put back what is not: {said}.", "")
