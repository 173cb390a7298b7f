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
from datetime import UTC, date, datetime, timedelta
from typing import Any

from flask import abort, current_app, g, jsonify, request
from itsdangerous import BadData, URLSafeSerializer
from sqlalchemy.exc import IntegrityError, OperationalError
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from intake.actions.offline import take_offline_load
from intake.actions.offline_gate import ACT, REFUSAL, STOP_ALL, kind_of
from intake.actions.tablets import note_seen
from intake.forms.sent_act import SentAct, SentStop
from intake.forms.sent_refusal import SentRefusal
from intake.forms.station import LoadForm, offer_kinds
from intake.forms.tablets import SentForm
from intake.models import OfflineLoad, OfflineState, Tablet
from intake.queries import loads, outbox, tablets
from intake.queries.outbox import Sent
from intake.queries.places import places_on
from intake.routes.as_corrected import corrected_words
from intake.routes.base import bp
from office import clock
from office.access import NOBODY, Actor, Role
from office.db import db
from office.law import law_in_force, law_now
from office.plants import Plant, plant_at
from ordinances.reader import NoLaw
from ordinances.screening import AS_IT_IS, remedies, seen

COOKIE = "septage_tablet"
LONGEST = 200_000
# A year and a month: longer no browser keeps a cookie.
KEPT = 400 * 24 * 3600
# Seconds a clock may lack: more, some thirty years, no clock does that can be put right.
FARTHEST = 10**9
CLOCK_LOST = "By the tablet's clock it is another age: enter it with the time it was taken."
# How long after its page was shown a mark says who was on duty, and how far before.
DUTY_LASTS, FEW_MINUTES = timedelta(days=1), tablets.CLOCK_OFF
TOO_LONG = "This is longer than a load may be. It stays on the tablet."
UNREAD = "This could not be read as a load. It stays on the tablet; those behind it are taken."
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
            if tablet is None:
                return jsonify(state="unknown", why=UNKNOWN), 409
            body = _body()
            if body is None:
                return jsonify(state="unread", why=UNREAD), 400
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
    """Longer than a load may be, or of a length that nobody says ahead."""
    length = request.content_length
    return length > LONGEST if length is not None else bool(request.headers.get("Transfer-Encoding"))


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
        return replace(_bare(plant, body, at), wrong=_fault(error))


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
    if row.stopped is not None:
        ticket = ", ".join(loads.load(one).ticket for one in row.stopped)
    return {"state": row.state, "slip": row.slip, "ticket": ticket, "flags": [one["said"] for one in row.flags]}


def _hear(tablet: Tablet, body: Mapping[str, Any], at: datetime, slip: str = "") -> None:
    last = max(_whole(body.get("last")), tablets.slip_count(slip))
    note_seen(tablet, _offset(body, at), last, _whole(body.get("waiting")), at)


def _offset(body: Mapping[str, Any], at: datetime) -> int:
    """Seconds the tablet's clock lacks now, as far as any is believed; 0 where it does not say."""
    theirs = outbox.instant(body.get("now"))
    lacks = int((at - theirs).total_seconds()) if theirs is not None else 0
    return max(-FARTHEST, min(FARTHEST, lacks))


def _whole(said: Any) -> int:
    return said if isinstance(said, int) and not isinstance(said, bool) and 0 <= said < 10**9 else 0


def _sent(plant: Plant, body: Mapping[str, Any], at: datetime) -> Sent:
    """A load as it was sent, read as far as it can be; what cannot is kept and said."""
    args = {str(name): str(value) for name, value in _pairs(body.get("visit"))}
    bare = _bare(plant, body, at)
    taken = bare.logged_at(at)
    form, wrong = _form(plant, body, taken)
    wrong = wrong or (CLOCK_LOST if abs(bare.offset_now) == FARTHEST else "")
    corrected = corrected_words(plant, body, sent_form(plant, None, taken), bare.lacks) if not kind_of(body) else ()
    return replace(bare, visitor=outbox.visitor(plant, args, taken), wrong=wrong, corrected=corrected,
                   values=form.values() if form is not None and not wrong else {})  # fmt: skip


def _bare(plant: Plant, body: Mapping[str, Any], at: datetime) -> Sent:
    """Which load it is, when it was taken and who was on duty: what can be read of anything that was sent."""
    kept = body.get("offset")
    sent = Sent(
        client_id=_client_id(body), slip=_slip(body.get("slip")), on_duty=_words(body.get("on_duty"), 100),
        person_id=None, device_at=outbox.instant(body.get("at")), named=False, offset_now=_offset(body, at),
        offset=kept if isinstance(kept, int) and not isinstance(kept, bool) and abs(kept) < FARTHEST else None,
        visitor=outbox.Visitor(None, None),
        # The mark has said who it was: nobody needs it again.
        raw={name: value for name, value in body.items() if name != "duty"},
    )  # fmt: skip
    person, named = on_duty(body.get("duty"), plant, sent.logged_at(at))
    return replace(sent, on_duty=named or sent.on_duty, person_id=person, named=bool(named))


def _form(plant: Plant, body: Mapping[str, Any], taken: datetime) -> tuple[Any, str]:
    """The fields as the station's form reads them, and in words what it cannot read."""
    fields = MultiDict([(str(name), str(value)) for name, value in _pairs(body.get("fields"))])
    kind = kind_of(body)
    form: LoadForm | SentRefusal | SentAct | SentStop
    form = (
        {REFUSAL: SentRefusal, ACT: SentAct, STOP_ALL: SentStop}[kind](fields)
        if kind
        else sent_form(plant, fields, taken)
    )
    if form.validate():
        return form, ""
    return form, " ".join(f"{one.sentence.rstrip('.')}." for one in form.problems())


def sent_form(plant: Plant, fields: MultiDict[str, str] | None, taken: datetime) -> SentForm:
    """The form of a load a tablet took at an instant, or is to take, with what there was to choose on that day."""
    form = SentForm(fields)
    choose(form, plant, taken.astimezone(plant.tz).date())
    if not form.finding.choices:
        form.finding.choices = [(AS_IT_IS, AS_IT_IS)]
    return form


def choose(form: LoadForm, plant: Plant, day: date) -> None:
    """What there was to choose for a load unloaded on a day: by its points and its law, not by those of today."""
    try:
        law = law_in_force(plant, day)
    except NoLaw:
        # The act says so; until then the form shows what there is.
        law = law_now(plant, clock.now())
    outcomes = remedies(law, day)
    form.point.choices = [(one.id, one.name) for one in places_on(plant.id, [day])[day]]
    form.flags.choices = seen(law, day)
    offer_kinds(form, law, day)
    form.finding.choices = [(one, one.capitalize()) for one in (AS_IT_IS, *outcomes)] if outcomes else []


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


def _serializer(plant: Plant) -> URLSafeSerializer:
    return URLSafeSerializer(current_app.config["SECRET_KEY"], salt=f"on duty at {plant.slug}")


def duty_mark() -> str:
    """Who is signed in here, for the tablet to say later who was on duty; "" for nobody."""
    by: Actor = g.get("by", NOBODY)
    plant: Plant | None = g.get("plant")
    if by.person_id is None or plant is None:
        return ""
    return mark_of(plant, by.person_id, by.name, g.get("at") or clock.now())


def mark_of(plant: Plant, person_id: int, name: str, at: datetime) -> str:
    """A person, the plant and the time a page was shown at, signed."""
    return str(_serializer(plant).dumps([person_id, name, int(at.timestamp())]))


def on_duty(said: Any, plant: Plant, taken: datetime) -> tuple[int | None, str]:
    """The person a mark names that this plant gave within a day before an instant; None and "" for any other."""
    try:
        person, name, given = _serializer(plant).loads(str(said or ""))
        shown = datetime.fromtimestamp(int(given), UTC)
        return (int(person), str(name)) if shown - FEW_MINUTES <= taken <= shown + DUTY_LASTS else (None, "")
    except (BadData, ValueError, TypeError):
        return None, ""


bp.add_app_template_global(duty_mark, "duty_mark")
