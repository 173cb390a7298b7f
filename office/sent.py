"""The same form sent again: by going back in the browser, from a second window, or because two alike are meant.

A form's key (``office.once``) tells a double click. A page opened anew by going back has a new key, and where the
script is off nothing gives it the old one; so each answer also keeps a digest of what was sent. On a page where a
second one alike is nearly always a slip (``asks_again``), who sends the same again, with nothing sent between but more
records of such pages (going back twice, and sending the first of two again), is shown what it did the first time and
asked whether a second one is meant. Everywhere else it is simply done again: what stands may have changed in between,
and a stop or a restriction must not wait for an answer.
"""

import hashlib
import json
from datetime import datetime, timedelta
from functools import cache
from itertools import groupby
from typing import Any

from flask import current_app, g, render_template, request, session
from sqlalchemy import bindparam, select

from office import draft_files, journal, kept
from office.db import READING, db
from office.formats import clock_time, date_only
from office.once import Answered
from office.plants import only_plant

SHORT = timedelta(minutes=30)
# How many of one person's forms are looked through.
MOST = 50
# The field of the button that sends it once more, holding the digest of what is sent.
AGAIN = "again"


def digest() -> str:
    """The digest of what this request sends: address, fields without ours and without passwords, bytes of files."""
    fields = [pair for pair in kept.typed_fields() if pair[0] != "once"]
    files = []
    for name, one in request.files.items(multi=True):
        content = one.stream.read()
        one.stream.seek(0)
        if content:
            files.append((name, hashlib.sha256(content).hexdigest()))
    return hashlib.sha256(json.dumps([kept.here(), fields, files]).encode()).hexdigest()


def asks_again() -> bool:
    """Whether the page of this request asks before it makes a second record alike."""
    return bool(getattr(current_app.view_functions.get(request.endpoint or ""), "asks_again", False))


def made() -> bool:
    """Whether this request, not yet committed, made a record; what it changed and whom it told do not count."""
    return any(table != "notice" for table in journal.added())


def in_a_row(mine: Answered) -> Answered | None:
    """The form this person sent a short time ago that made something of the same content, if whatever they sent since
    made a record on such a page too; None for a visitor, who can make nothing twice.
    """
    if mine.person_id is None:
        return None
    given = {"who": mine.person_id, "since": mine.at - SHORT, "mine": mine.id}
    # Several at one instant have no order: then each of them counts as sent before the others and after them.
    for _, together in groupby(db.session.scalars(_lately(), given), key=lambda one: one.at):
        several = list(together)
        if not all(one.made for one in several):
            return None
        same = [one for one in several if one.sent == mine.sent]
        if same:
            return same[0]
    return None


@cache
def _lately() -> Any:
    query = select(Answered).where(Answered.person_id == bindparam("who"), Answered.at >= bindparam("since"),
                                   Answered.id != bindparam("mine"))  # fmt: skip
    return query.order_by(Answered.at.desc()).limit(MOST)


def meant_again(content: str) -> bool:
    """The person was shown what it did the first time, and sends it once more all the same."""
    return content in (request.form.get(AGAIN), session.pop(AGAIN, None))


def ask(first: Answered, content: str) -> tuple[str, int]:
    """The page "You already sent this": what it did, and the way to send it once more. Nothing is done now."""
    shown = {"to": first.location, "when": _when(first.at, g.at), "same": first.sent == content, "content": content}
    typed = kept.answers()
    db.session.rollback()
    files = draft_files.keep_offered(g.at)
    carried = [pair for pair in kept.typed_fields() if pair[0] != "once" and pair[0] not in dict(files)] + files
    lost = [name for name, one in request.files.items() if one.filename and f"{name}-kept" not in dict(files)]
    whole = not lost and not any("password" in name and text for name, text in request.form.items())
    if not whole:
        session[AGAIN] = content
    return render_template("errors/sent-before.html", typed=typed, carried=carried, whole=whole, address=kept.here(),
                           opens=_can_be_opened(), **shown), 409  # fmt: skip


def _when(at: datetime, now: datetime) -> str:
    plant = g.get("plant") or only_plant()
    if plant is None:
        return ""
    said = f"at {clock_time(at, plant.tz)}"
    same_day = at.astimezone(plant.tz).date() == now.astimezone(plant.tz).date()
    return said if same_day else f"on {date_only(at, plant.tz)} {said}"


def _can_be_opened() -> bool:
    rule = request.url_rule
    return rule is not None and bool(READING & set(rule.methods or ()))
