"""What an enrolled tablet asks and sends. Its own word is all it needs, and all that this word is good for.

No page of a person: the request carries no sign-in and no form's key, a load is known by the id it was given where it
was written. Another site cannot send here: the cookie never leaves ours, and a body of JSON is asked about first.
"""

import hashlib
import json
import logging
import math
import re
import uuid
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from flask import abort, current_app, g, jsonify, request
from itsdangerous import BadData, URLSafeSerializer
from sqlalchemy.exc import IntegrityError, OperationalError
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from intake.actions.offline import take_offline_load
from intake.actions.tablets import note_seen
from intake.forms.tablets import SentForm
from intake.models import OfflineLoad, OfflineState, Tablet
from intake.queries import loads, outbox, tablets
from intake.queries.outbox import Sent
from intake.queries.places import places_on
from intake.routes.base import bp
from office import clock
from office.access import NOBODY, Actor, Role
from office.db import db
from office.law import law_now
from office.plants import Plant, plant_at
from ordinances.screening import AS_IT_IS, remedies, seen

COOKIE = "septage_tablet"
LONGEST = 200_000
# A year and a month: longer no browser keeps a cookie.
KEPT = 400 * 24 * 3600
# Seconds a clock may lack: more, some thirty years, no clock does that can be put right.
FARTHEST = 10**9
CLOCK_LOST = "By the tablet's clock it is another age: enter it with the time it was taken."
TOO_LONG = "This is longer than a load may be. It stays on the tablet."
UNKNOWN = "This tablet is not enrolled here. What it keeps stays on it."


def of_device(rule: str, name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register an address that only an enrolled tablet is answered at, with JSON. One commit per good request."""

    def wrap(work: Callable[..., Any]) -> Callable[..., Any]:
        def run(plant_slug: str) -> Any:
            at, plant = clock.now(), plant_at(plant_slug) or abort(404)
            g.plant, g.at, g.by = plant, at, NOBODY
            tablet = tablets.with_token(plant.id, request.cookies.get(COOKIE, ""))
            if tablet is not None and request.is_json and _too_long():
                return jsonify(state="too_long", why=TOO_LONG), 413
            body = _body()
            if tablet is None or body is None:
                return jsonify(state="unknown", why=UNKNOWN), 409
            mark = tablet.mark
            return _kept(jsonify(work(plant, tablet, body, at)), mark)

        run.__name__, run.__doc__, run.__module__ = name, work.__doc__, work.__module__
        run.roles = (Role.PUBLIC,)  # type: ignore[attr-defined]
        bp.add_url_rule(f"/<plant_slug>{rule}", name, run, methods=["POST"])
        return run

    return wrap


def exempt(csrf: Any) -> None:
    """What a device sends carries no token of a form: the cookie is never sent from another site, nor JSON read."""
    for name in ("tablet_hello", "tablet_load"):
        csrf.exempt(f"{__name__}.{name}")


def _body() -> dict[str, Any] | None:
    """The JSON of the request, read only as such: a form of another site cannot look like it."""
    if not request.is_json or _too_long():
        return None
    try:
        found = _storable(json.loads(request.get_data(), parse_int=_number))
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _too_long() -> bool:
    return (request.content_length or LONGEST + 1) > LONGEST


def _number(said: str) -> int | str:
    """A whole number, as long as one is meant by it; else its digits."""
    return int(said) if len(said) < 20 else said


def _storable(said: Any) -> Any:
    """The same without what no database keeps: NULs and halves of letters; what is no number is a word."""
    if isinstance(said, float) and not math.isfinite(said):
        return str(said)
    if isinstance(said, str):
        return said.replace("\x00", "").encode("utf-8", "replace").decode()
    if isinstance(said, list):
        return [_storable(one) for one in said]
    return {_storable(name): _storable(one) for name, one in said.items()} if isinstance(said, dict) else said


def _kept(answer: Response, mark: str) -> Response:
    """The same word and mark for another year, so that a tablet in use never has to be enrolled again."""
    keep_word(answer, request.cookies.get(COOKIE, ""), mark)
    return answer


def keep_word(answer: Response, word: str, mark: str) -> None:
    """Let the browser keep a tablet's word, out of every script's reach; ``mark`` (T3) is for the scripts."""
    place = f"/{g.plant.slug}/station"
    answer.set_cookie(COOKIE, word, max_age=KEPT, path=place, httponly=True, samesite="Strict",
                      secure=request.is_secure)  # fmt: skip
    if mark:
        answer.set_cookie("septage_mark", mark, max_age=KEPT, path=place, samesite="Strict", secure=request.is_secure)


@of_device("/station/hello", "tablet_hello")
def _hello(plant: Plant, tablet: Tablet, body: Mapping[str, Any], at: datetime) -> dict[str, Any]:
    """A tablet says that it is there: its clock is compared, and it learns where its slips go on."""
    _hear(tablet, body, at)
    row = tablets.seen(tablet.id)
    db.session.commit()
    return {"state": "revoked" if tablet.revoked_at is not None else "in_use", "mark": tablet.mark,
            "called": tablet.called, "offset": _offset(body, at), "last": row.last_slip if row is not None else 0,
            "needs": outbox.count_waiting(plant.id), "off": tablets.off_words(_offset(body, at))}  # fmt: skip


@of_device("/station/outbox", "tablet_load")
def _load(plant: Plant, tablet: Tablet, body: Mapping[str, Any], at: datetime) -> dict[str, Any]:
    """One load a tablet kept: answered in the same words however often it is sent."""
    sent = _read(plant, body, at)
    by = Actor(None, tablet.called, frozenset({Role.SYSTEM}), on_behalf=sent.on_duty or None)
    tablet_id, plant_id = tablet.id, plant.id
    try:
        row = take_offline_load(plant, tablet, sent, by=by, at=at, law=law_now(plant, at))
        _hear(tablet, body, at, sent.slip)
        db.session.commit()
    except (OperationalError, IntegrityError):
        # Somebody else is at it: the tablet sends it again.
        db.session.rollback()
        raise
    except Exception as error:
        db.session.rollback()
        row = _set_apart(plant_id, tablet_id, sent, error, by, at)
    return _answer(row) | {"needs": outbox.count_waiting(plant_id)}


def _read(plant: Plant, body: Mapping[str, Any], at: datetime) -> Sent:
    """What was sent; where reading it is beyond us, as much as stays to be shown to a person."""
    try:
        return _sent(plant, body, at)
    except (OperationalError, IntegrityError):
        raise
    except Exception as error:
        db.session.rollback()
        person, named = on_duty(body.get("duty"))
        return Sent(_client_id(body), _slip(body.get("slip")), named or _words(body.get("on_duty"), 100), person,
                    _instant(body.get("at")), None, _offset(body, at), outbox.Visitor(None, None), named=bool(named),
                    raw={name: value for name, value in body.items() if name != "duty"},
                    wrong=_fault(error))  # fmt: skip


def _fault(error: Exception) -> str:
    """Write a fault of ours down, and say under which reference it is found."""
    reference = uuid.uuid4().hex[:8].upper()
    logging.getLogger("septage").error("Reference %s: %s", reference, error, exc_info=error)
    return f"It could not be registered: a fault of this program, reference {reference}."


def _set_apart(plant_id: int, tablet_id: int, sent: Sent, error: Exception, by: Actor, at: datetime) -> OfflineLoad:
    """A fault of ours must not keep a load on its tablet, nor those behind it: it waits for a person."""
    plant, tablet = db.session.get_one(Plant, plant_id), db.session.get_one(Tablet, tablet_id)
    row = take_offline_load(plant, tablet, replace(sent, wrong=_fault(error)), by=by, at=at, law=law_now(plant, at))
    db.session.commit()
    return row


def _answer(row: OfflineLoad) -> dict[str, Any]:
    """What the tablet is told: its load is here; what is to be done about it a person does here."""
    if row.state == OfflineState.WAITS.value:
        return {"state": "waits", "slip": row.slip, "why": row.why}
    ticket = loads.load(row.load_id).ticket if row.load_id is not None else ""
    return {"state": row.state, "slip": row.slip, "ticket": ticket, "flags": [one["said"] for one in row.flags]}


def _hear(tablet: Tablet, body: Mapping[str, Any], at: datetime, slip: str = "") -> None:
    last = max(_whole(body.get("last")), tablets.slip_count(slip))
    note_seen(tablet, _offset(body, at), last, _whole(body.get("waiting")), at)


def _offset(body: Mapping[str, Any], at: datetime) -> int:
    """Seconds the tablet's clock lacks now, as far as any is believed; 0 where it does not say."""
    theirs = _instant(body.get("now"))
    lacks = int((at - theirs).total_seconds()) if theirs is not None else 0
    return max(-FARTHEST, min(FARTHEST, lacks))


def _instant(said: Any) -> datetime | None:
    """An instant as JSON has it; None for anything else, and for years nobody means."""
    try:
        found = datetime.fromisoformat(str(said))
        return found.astimezone(UTC) if found.tzinfo is not None and 2000 < found.year < 2200 else None
    except (ValueError, OverflowError):
        return None


def _whole(said: Any) -> int:
    return said if isinstance(said, int) and not isinstance(said, bool) and 0 <= said < 10**9 else 0


def _sent(plant: Plant, body: Mapping[str, Any], at: datetime) -> Sent:
    """A load as it was sent, read as far as it can be; what cannot is kept and said."""
    form, wrong = _form(plant, body, at)
    person, named = on_duty(body.get("duty"))
    args = {str(name): str(value) for name, value in _pairs(body.get("visit"))}
    kept = body.get("offset")
    wrong = wrong or (CLOCK_LOST if abs(_offset(body, at)) == FARTHEST else "")
    return Sent(
        client_id=_client_id(body), slip=_slip(body.get("slip")), on_duty=named or _words(body.get("on_duty"), 100),
        person_id=person, device_at=_instant(body.get("at")), named=bool(named),
        offset=kept if isinstance(kept, int) and not isinstance(kept, bool) and abs(kept) < FARTHEST else None,
        offset_now=_offset(body, at), visitor=outbox.visitor(plant, args), wrong=wrong,
        # The mark has said who it was: nobody needs it again.
        raw={name: value for name, value in body.items() if name != "duty"},
        values=form.values() if form is not None and not wrong else {},
    )  # fmt: skip


def _form(plant: Plant, body: Mapping[str, Any], at: datetime) -> tuple[SentForm | None, str]:
    """The fields as the station's form reads them, and in words what it cannot read."""
    form = sent_form(plant, MultiDict([(str(name), str(value)) for name, value in _pairs(body.get("fields"))]), at)
    if form.validate():
        return form, ""
    return form, " ".join(f"{one.sentence.rstrip('.')}." for one in form.problems())


def sent_form(plant: Plant, fields: MultiDict[str, str] | None, at: datetime) -> SentForm:
    """The form of what a tablet sent, or will send, with every point and outcome there is to choose."""
    day, law = at.astimezone(plant.tz).date(), law_now(plant, at)
    form = SentForm(fields)
    form.point.choices = [(one.id, one.name) for one in places_on(plant.id, [day])[day]]
    form.flags.choices = seen(law, day)
    form.finding.choices = [(one, one) for one in (AS_IT_IS, *remedies(law, day))]
    return form


def _pairs(said: Any) -> list[tuple[Any, Any]]:
    """Pairs of a list of pairs or of an object, whatever else is in it left out."""
    rows = list(said.items()) if isinstance(said, dict) else said if isinstance(said, list) else []
    return [(row[0], row[1]) for row in rows[:200] if isinstance(row, (list, tuple)) and len(row) == 2]


def _words(said: Any, longest: int) -> str:
    return " ".join(said.split())[:longest] if isinstance(said, str) else ""


def _slip(said: Any) -> str:
    return said if isinstance(said, str) and re.fullmatch(r"T\d{1,6}-\d{1,9}", said) else ""


def _client_id(body: Mapping[str, Any]) -> str:
    """The id the load was given where it was written; without one what it says names it: it still counts once."""
    said = body.get("id")
    if isinstance(said, str) and re.fullmatch(r"[0-9A-Za-z-]{8,64}", said):
        return said
    same = {name: value for name, value in body.items() if name not in ("now", "waiting", "last")}
    return hashlib.sha256(json.dumps(same, sort_keys=True).encode()).hexdigest()


def _serializer() -> URLSafeSerializer:
    return URLSafeSerializer(current_app.config["SECRET_KEY"], salt="on duty")


def duty_mark() -> str:
    """Who is signed in, signed, for the tablet to say later who was on duty; "" for nobody."""
    by: Actor = g.get("by", NOBODY)
    return str(_serializer().dumps([by.person_id, by.name])) if by.person_id is not None else ""


def on_duty(said: Any) -> tuple[int | None, str]:
    """The person a mark of ours names, None and "" for any other."""
    try:
        person, name = _serializer().loads(str(said or ""))
        return int(person), str(name)
    except (BadData, ValueError, TypeError):
        return None, ""


bp.add_app_template_global(duty_mark, "duty_mark")
