"""Pages of tablets: the manager's list, enrolling and revoking one, and loads that wait for a person."""

import secrets
from datetime import date, datetime
from typing import Any, TypeVar

from flask import abort, after_this_request, current_app, request, url_for
from werkzeug.datastructures import MultiDict

from haulers import queries as haulers
from intake.actions.offline import enter_offline_load, give_up_offline_load
from intake.actions.offline_gate import ACT, REFUSAL, kind_of
from intake.actions.tablets import enrol_tablet, link_gone, renew_tablet_link, revoke_tablet, take_up_tablet
from intake.forms.tablets import GiveUpForm, LateForm, RevokeForm, TabletForm
from intake.models import OfflineLoad, OfflineState, Tablet
from intake.queries import loads, outbox, station, tablets
from intake.queries.outbox import Visitor, Written
from intake.queries.places import places_on
from intake.routes.as_corrected import corrected_words
from intake.routes.base import bp
from intake.routes.outbox import COOKIE, choose, keep_word, sent_form
from intake.routes.waiting_act import act_page, stop_page
from intake.routes.waiting_refusal import refusal_page
from office import formats, qr
from office.access import Role
from office.db import db
from office.pages import Page, page
from office.standing import standing
from ordinances.refusal import Refusal
from ordinances.screening import WASTE_TYPES

Late = TypeVar("Late", bound=LateForm)
GATE = (Role.OPERATOR, Role.MANAGER, Role.DIRECTOR)


@page(bp, "/director/tablets", Role.MANAGER, Role.DIRECTOR, methods=("GET", "POST"))
@standing()
def tablet_list(here: Page) -> Any:
    """The plant's tablets: when each was heard last, its clock, its last slip; enrol another."""
    form = TabletForm()
    if form.validate_on_submit():
        result = enrol_tablet(here.plant, form.name.data, _key(), by=here.by, at=here.at)
        if not isinstance(result, Refusal):
            return here.done("intake.one_tablet", f"{result.called} has its number. Open its link on it.",
                             tablet_id=result.id)  # fmt: skip
        form.refuse("name", result.why)
    return here.show("intake/tablets/list.html", form=form, lines=tablets.of_plant(here.plant.id))


@page(bp, "/director/tablets/<int:tablet_id>", Role.MANAGER, Role.DIRECTOR, methods=("GET", "POST"))
@standing()
def one_tablet(here: Page, tablet_id: int) -> Any:
    """One tablet: its link while nobody has used it, what is known of it, and how it is revoked."""
    row, form = _tablet(here, tablet_id), RevokeForm()
    if request.form.get("do") == "link":
        result = renew_tablet_link(row, _key(), by=here.by, at=here.at)
        if isinstance(result, Refusal):
            return here.refuse(result)
        return here.done("intake.one_tablet", "This link works for a day, once. The one before has stopped working.",
                         tablet_id=tablet_id)  # fmt: skip
    if form.validate_on_submit():
        result = revoke_tablet(row, form.reason.data, by=here.by, at=here.at)
        if isinstance(result, Refusal):
            return here.refuse(result)
        return here.done("intake.tablet_list", f"{row.called} is revoked. Loads it still sends wait for a person.")
    word = tablets.shown_link(row, _key(), here.at)
    address = f"{_outside()}{url_for('intake.take_up', word=word)}" if word else ""
    line = next(one for one in tablets.of_plant(here.plant.id) if one.tablet.id == row.id)
    return here.show("intake/tablets/one.html", line=line, form=form, address=address,
                     code=qr.picture(address, f"QR code that enrols {row.called}") if address else None,
                     secure=address.startswith(("https://", "http://localhost", "http://127.0.0.1")))  # fmt: skip


@page(bp, "/station/enrol/<word>", Role.PUBLIC, methods=("GET", "POST"))
def take_up(here: Page, word: str) -> Any:
    """What the link of a tablet opens, on it: one button, and it is enrolled."""
    row = tablets.with_link(here.plant.id, word, here.at)
    if request.method == "POST":
        token = secrets.token_hex(32)
        result = take_up_tablet(here.plant, word, token, by=here.by, at=here.at)
        if isinstance(result, Refusal):
            return here.refuse(result)
        mark = result.mark

        @after_this_request
        def _remember(answer: Any) -> Any:
            keep_word(answer, token, mark)
            return answer

        return here.done("intake.on_tablet")
    mine = tablets.with_token(here.plant.id, request.cookies.get(COOKIE, ""))
    return here.show("intake/tablets/take_up.html", status=200 if row or mine else 404, row=row, mine=mine,
                     gone=link_gone())  # fmt: skip


@page(bp, "/station/waiting-loads", *GATE)
@standing()
def waiting_loads(here: Page) -> Any:
    """Loads that came from tablets: those that wait for a person first."""
    return here.show("intake/tablets/waiting.html", waits=outbox.listed(here.plant.id, waiting=True),
                     others=outbox.listed(here.plant.id, waiting=False, limit=50), states=STATE_WORDS)  # fmt: skip


STATE_WORDS = {OfflineState.TAKEN.value: "Taken", OfflineState.WAITS.value: "Waits for a person",
               OfflineState.ENTERED.value: "Entered", OfflineState.GIVEN_UP.value: "Given up"}  # fmt: skip


@page(bp, "/station/waiting-loads/<int:offline_id>", *GATE, methods=("GET", "POST"))
@standing()
def waiting_load(here: Page, offline_id: int) -> Any:
    """One load as it was sent, and why it waits: enter it as it is right."""
    row = _sent(here, offline_id)
    visitor = _visitor(here, row, row.logged_at)
    kind = kind_of(row.sent)
    if kind == REFUSAL:
        return refusal_page(here, row, _fields(row), visitor)
    if kind:
        return act_page(here, row, _fields(row)) if kind == ACT else stop_page(here, row, _fields(row))
    form = late_form(here, _as_sent(here, row), LateForm)
    if form.validate_on_submit():
        at = when(here, form)
        at = row.logged_at if at == row.logged_at.replace(second=0, microsecond=0) else at
        visitor = _visitor(here, row, at)
        tablet = db.session.get_one(Tablet, row.tablet_id)
        how = (f"Logged without network on {tablet.called}, slip {row.slip or 'without number'}; "
               f"entered by {here.by.name}. It had waited: {row.why}{_put_right(here, row, form, at)}")  # fmt: skip
        how = " ".join((how, *_corrected(here, row)))
        written = Written(row.client_id, row.slip, form.on_duty.data, at, visitor, form.values(), how)
        result = enter_offline_load(row, written, form.reason.data, by=here.by, at=here.at, law=here.law)
        if not isinstance(result, Refusal):
            return here.done("intake.load_ticket", ticket=loads.load(result.load_id or 0).ticket)
        if result.code == "settled":
            return here.refuse(result)
        form.show_refusal(result)
    return here.show("intake/tablets/waiting_one.html", form=form, row=row, states=STATE_WORDS,
                     tablet=db.session.get_one(Tablet, row.tablet_id), fields=_told(here, row),
                     corrected=_corrected(here, row), load=loads.load(row.load_id) if row.load_id else None,
                     **whose(here, visitor))  # fmt: skip


@page(bp, "/station/waiting-loads/<int:offline_id>/give-up", *GATE, methods=("GET", "POST"))
@standing()
def give_up_load(here: Page, offline_id: int) -> Any:
    """Say why a load that waits is not entered."""
    row, form = _sent(here, offline_id), GiveUpForm()
    if form.validate_on_submit():
        result = give_up_offline_load(row, form.reason.data, by=here.by, at=here.at, law=here.law)
        if isinstance(result, Refusal):
            return here.refuse(result)
        return here.done("intake.waiting_loads", f"Slip {row.slip} is not entered. What was sent stays here.")
    return here.show("intake/tablets/give_up.html", form=form, row=row)


def late_form(here: Page, data: dict[str, Any], kind: type[Late]) -> Late:
    """The form of a load that is entered afterwards, with what there was to choose on the day it was unloaded."""
    form = kind(data=data)
    form.start.choices = []
    day = form.day.data or here.today
    choose(form, here.plant, min(day, here.today))
    if len(form.point.choices) < 2:
        form.point.choices = []
    form.manhole = any(one.is_manhole for one in places_on(here.plant.id, [day])[day])
    _ask_why_so_late(here, form, day)
    return form


def _ask_why_so_late(here: Page, form: LateForm, day: date) -> None:
    """The box of the reason asks it as the page opens: who has said why there is not asked once more."""
    most, _ = outbox.told_within(here.law, here.today)
    form.reason.hint = f"Also why it is told of only now, where that is more than {formats.plural(most, 'day')} later"
    if (here.today - day).days > most:
        form.about.data = ",".join(dict.fromkeys((*form.asked_about(), "long_ago")))
        form.reason.optional = False


def when(here: Page, form: LateForm) -> datetime:
    """When the load was unloaded, by the plant's clock."""
    return datetime.combine(form.day.data, form.time.data, tzinfo=here.plant.tz)


def whose(here: Page, visitor: Visitor) -> dict[str, Any]:
    """The truck a late load came in, or the trucks to choose from."""
    known = station.trucks_known(here.plant, here.law, here.at, request.args.get("find", "").strip()[:200])
    mine = _mine(visitor)
    return {"mine": mine, "known": known, "words": request.args.get("find", ""), "visitor": visitor,
            "wastes": WASTE_TYPES}  # fmt: skip


def _mine(visitor: Visitor) -> dict[str, Any] | None:
    """The hauler's name and the truck, also one that was taken off the list since."""
    if visitor.business_id is None or visitor.truck_id is None:
        return None
    return {"name": haulers.party_of_business(visitor.business_id).name, "truck": haulers.truck(visitor.truck_id)}


def _visitor(here: Page, row: OfflineLoad, at: datetime) -> Visitor:
    """Who was chosen on the page, else who was sent."""
    if request.args.get("truck"):
        return outbox.visitor(here.plant, request.args, at)
    visit = row.sent.get("visit") if isinstance(row.sent, dict) else None
    args = {str(k): str(v) for k, v in visit.items()} if isinstance(visit, dict) else {}
    return outbox.visitor(here.plant, args, at)


def _fields(row: OfflineLoad) -> list[tuple[str, str]]:
    said = row.sent.get("fields") if isinstance(row.sent, dict) else None
    pairs = said if isinstance(said, list) else []
    return [(str(one[0]), str(one[1])) for one in pairs if isinstance(one, list) and len(one) == 2]


def _as_sent(here: Page, row: OfflineLoad) -> dict[str, Any]:
    """What of it the form can show as it was typed."""
    local = row.logged_at.astimezone(here.plant.tz)
    form = sent_form(here.plant, MultiDict(_fields(row)), row.logged_at)
    form.validate()
    read = {field.short_name: field.data for field in form if not field.errors and field.short_name != "client_id"}
    return read | {"day": local.date(), "time": local.time().replace(second=0, microsecond=0), "on_duty": row.on_duty}


def _put_right(here: Page, row: OfflineLoad, form: LateForm, at: datetime) -> str:
    """What a person entered that was not so sent, each with what was sent; "" where all is as it came."""
    sent, typed = _as_sent(here, row), dict(_fields(row))
    changed = [f"{field.label.text}: {_shown(field, field.data)}, sent {_shown(field, sent.get(name, typed.get(name)))}"
               for name, field in form._fields.items()
               if name in sent.keys() | typed.keys() and name not in UNSAID
               and (field.data or "") != (sent.get(name, typed.get(name)) or "")]  # fmt: skip
    if at != row.logged_at:
        changed.append(f"Unloaded {outbox.moment(here.plant, at)}, sent as {outbox.moment(here.plant, row.logged_at)}")
    return f" Put right: {formats.full_stop('; '.join(changed))}" if changed else ""


# Which page, why and when: not what was measured.
UNSAID = ("client_id", "once", "start", "about", "reason", "untested", "day", "time", "csrf_token")


def _shown(field: Any, value: Any) -> str:
    """A value as a person reads it, "none" for nothing."""
    if isinstance(value, (list, tuple)):
        return " and ".join(_shown(field, one) for one in value) or "none"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return _chosen(field, str(value)) if value not in (None, "") else "none"


def _corrected(here: Page, row: OfflineLoad) -> tuple[str, ...]:
    """What was corrected on the tablet before it was sent."""
    if not isinstance(row.sent, dict):
        return ()
    form = sent_form(here.plant, None, row.logged_at)
    return corrected_words(here.plant, row.sent, form, row.offset_seconds)


def _told(here: Page, row: OfflineLoad) -> list[tuple[str, str]]:
    """The fields as they were sent, by their labels."""
    asked = {field.short_name: field for field in sent_form(here.plant, MultiDict(), row.logged_at)}
    return [(asked[name].label.text, _chosen(asked[name], value)) for name, value in _fields(row)
            if value and name in asked and name != "client_id"]  # fmt: skip


def _chosen(field: Any, value: str) -> str:
    """What was chosen by its label, what was typed as it was typed."""
    return next((str(one[1]) for one in getattr(field, "choices", ()) if str(one[0]) == value), value)


def _sent(here: Page, offline_id: int) -> OfflineLoad:
    return outbox.one(here.plant.id, offline_id) or abort(404)


def _tablet(here: Page, tablet_id: int) -> Tablet:
    return tablets.tablet(here.plant.id, tablet_id) or abort(404)


def _key() -> str:
    return str(current_app.config["SECRET_KEY"])


def _outside() -> str:
    return str(current_app.config["SEPTAGE_URL"]).rstrip("/")
