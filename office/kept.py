"""What was typed into a form that could not be taken, because the sign-in or the page's token had lapsed.

Nothing is stored: the fields travel, signed, as one hidden field of the sign-in page and come back to the form's own
address, where the page is shown again with everything typed. Showing is all it does: acts refuse to run and the
database is held to reading (``office.db.lapsed``), so a forged form can change nothing. Passwords and keys are never
carried. A good file is kept for whom the form was shown to (``office.draft_files``) and its key carried; of any other
file the name is, to be said. A form carries a mark of the person it was shown to, and only that
person is shown its text again.
"""

import hashlib
import hmac
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from flask import current_app, g, request
from flask_security import current_user
from itsdangerous import BadData, URLSafeSerializer
from werkzeug.datastructures import ImmutableMultiDict

from office.db import READING
from office.files import shown_name

FIELD = "kept_form"
LONGEST = 100_000
MOST = 3000
DAY = timedelta(days=1)
OURS = frozenset({"once", "csrf_token", "whose", "again", FIELD})

LAPSED = "This page was open for a long time. Check it and press the button again."
AGAIN = "You are signed in again. Check what you typed and press the button again."
TOO_LONG = "What you typed is too long to be kept. Go back in your browser and copy it before you sign in."
GONE = "What was typed on this page cannot be shown again. Nothing was changed."


@dataclass(frozen=True)
class Kept:
    """The fields of one form as they were sent to ``address`` (path and query); ``whose`` marks their person."""

    address: str
    fields: list[tuple[str, str]]
    whose: str
    files: tuple[str, ...] = ()


def whose_of(person_id: int | None) -> str:
    """The mark of a person in the forms shown to them; "" for the public."""
    if person_id is None:
        return ""
    key = current_app.config["SECRET_KEY"].encode()
    return f"{hmac.new(key, f'form of person {person_id}'.encode(), hashlib.sha256).hexdigest()[:24]}-{person_id}"


def person_of(mark: str) -> int | None:
    """The person a mark in a form is of; None for one we did not write."""
    ident = mark.rpartition("-")[2]
    if not (ident.isascii() and ident.isdecimal() and len(ident) < 19):
        return None
    return int(ident) if hmac.compare_digest(mark.encode(), whose_of(int(ident)).encode()) else None


def whose() -> str:
    """The mark of who is signed in, for ``ui.form``."""
    person = current_user._get_current_object()
    return whose_of(person.id) if person.is_authenticated else ""


def another_persons(person_id: int | None) -> bool:
    """The posted form was shown to somebody else than who is signed in now."""
    mark = request.form.get("whose", "")
    return bool(mark) and person_id is not None and not hmac.compare_digest(mark.encode(), whose_of(person_id).encode())


def from_our_page() -> bool:
    """The browser says the form stood on our page, or says nothing; another site's text is never shown as typed."""
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        return False
    origin = request.headers.get("Origin")
    ours = {request.host, urlsplit(current_app.config["SEPTAGE_URL"]).netloc}
    return origin is None or urlsplit(origin).netloc in ours


def here() -> str:
    """This request's address with its query."""
    return request.full_path.rstrip("?")


def own_address(address: str) -> str:
    """An address of ours as it is; anything that leads elsewhere is ""."""
    return address if re.match(r"/(?![/\\])", address) else ""


def typed_fields() -> list[tuple[str, str]]:
    """The posted fields worth keeping: none of ours except the form's key, no password."""
    return [
        (name, value)
        for name, value in request.form.items(multi=True)
        if (name == "once" or name not in OURS) and "password" not in name
    ]


def anything_typed() -> bool:
    return any(value.strip() for name, value in typed_fields() if name != "once")


def chosen_files() -> list[str]:
    """The names of the files sent with this request's form and not kept with it, as they may be shown."""
    held = g.get("held_files", {})
    return [shown_name(one.filename) for name, one in request.files.items() if one.filename and name not in held]


def _held_fields() -> list[tuple[str, str]]:
    """The keys of the files kept with this request's form, as its own fields carry them."""
    return [(f"{name}-kept", key) for name, key in g.get("held_files", {}).items()]


def choose_again(names: Sequence[str]) -> str:
    """ " Choose licence.pdf again: a file is not kept." after another sentence; "" where no file was chosen."""
    if not names:
        return ""
    said = " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
    return f" Choose {said} again: {'a file is' if len(names) == 1 else 'files are'} not kept."


def _serializer() -> URLSafeSerializer:
    return URLSafeSerializer(current_app.config["SECRET_KEY"], salt="kept form")


def pack(at: datetime) -> str | None:
    """This request's form as the value of a hidden field; None when it is too long."""
    held = _held_fields()
    known = {name for name, _ in held}
    fields = [pair for pair in typed_fields() if pair[0] not in known] + held
    if len(fields) > MOST or sum(len(name) + len(value) for name, value in fields) > LONGEST:
        return None
    body = {"address": here(), "fields": fields, "whose": request.form.get("whose", ""), "at": int(at.timestamp()),
            "files": chosen_files()}  # fmt: skip
    packed = _serializer().dumps(body)
    return packed if isinstance(packed, str) else packed.decode()


def unpack(packed: str, person_id: int | None, at: datetime) -> Kept | None:
    """The form again, if we packed it within a day and it is this person's."""
    try:
        body: dict[str, Any] = _serializer().loads(packed)
    except BadData:
        return None
    if not 0 <= at.timestamp() - body["at"] <= DAY.total_seconds():
        return None
    if body["whose"] and body["whose"] != whose_of(person_id):
        return None
    return Kept(body["address"], [(name, value) for name, value in body["fields"]], body["whose"],
                tuple(body["files"]))  # fmt: skip


def put_back(kept: Kept) -> None:
    """Let this request read the kept fields as its form; from here on it only shows."""
    fields: ImmutableMultiDict[str, str] = ImmutableMultiDict(kept.fields)
    # werkzeug keeps the parsed form on the request; every reader, WTForms included, now finds the kept one.
    request.__dict__["form"] = fields
    request.__dict__.pop("values", None)
    g.lapsed = AGAIN + choose_again(kept.files)


def lapse() -> None:
    """From here on this request only shows its form again."""
    g.lapsed = LAPSED + choose_again(chosen_files())


def answers() -> list[tuple[str, str]]:
    """What was typed in this request, as (label, text), to be copied from a page that could not take it."""
    if request.method in READING:
        return []
    return [pair for form in g.get("forms", ()) for pair in form.answers()]
