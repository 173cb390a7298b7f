"""Pages of special times (§ 329-7 F(4)): the hauler asks, staff ask for one on the telephone, the Director decides."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

from flask import abort, flash, redirect, request, url_for

from haulers import queries as haulers
from intake.actions.booking_rules import STAFF, shaped_wrongly
from intake.actions.special import (
    ARRANGERS,
    Ask,
    accept_special,
    arrange_special,
    ask_special,
    decline_special,
    quote_special,
    withdraw_special,
)
from intake.actions.special_charge import record_supervision
from intake.actions.special_rules import not_arranger
from intake.actions.special_terms import WAGE_KEY, set_special_terms
from intake.forms.special import AskForm, DecideForm, SupervisedForm, TermsForm
from intake.models import SpecialTime
from intake.queries import loads, special
from intake.queries.records_due import barred
from intake.queries.special_quote import Worked, work_out
from intake.queries.station import trucks_known
from intake.queries.terms import terms_of
from intake.queries.truck_times import truck_taken
from intake.routes.base import bp, business_of
from office import formats
from office.access import Role
from office.db import db
from office.documents import send_letter
from office.letters import Letter
from office.pages import Page, page
from office.standing import standing
from ordinances.other_times import WORK_KEYS, arranged_by, no_other_time
from ordinances.refusal import Refusal
from ordinances.schedule_words import charge_rows, left_out, zones
from ordinances.screening import WASTE_TYPES

NONE = "none"
GATE = (Role.OPERATOR, Role.MANAGER, Role.DIRECTOR)
# Where a refusal of the wage and the hours is shown.
TERMS_AT = {"hours_order": "closes", "hours_both": "closes", "not_told": "since", "told_too_late": "since"}


@page(bp, "/hauler/special", Role.HAULER, methods=("GET", "POST"))
@standing()
def special_ask(here: Page) -> Any:
    """Ask for a special time: what it adds, the form, the quote to accept; and the requests so far."""
    return _ask(here, business_of(here), phone=False)


@page(bp, "/director/special/new/<int:business_id>", *STAFF, methods=("GET", "POST"))
@standing()
def special_phone(here: Page, business_id: int) -> Any:
    """The same for a hauler on the telephone."""
    if business_id not in {business.id for business, _ in haulers.businesses_at(here.plant.id)}:
        abort(404)
    return _ask(here, business_id, phone=True)


@page(bp, "/director/special/new", *STAFF)
@standing()
def special_whose(here: Page) -> Any:
    """Who is on the telephone?"""
    words = request.args.get("find", "").strip()
    known = trucks_known(here.plant, here.law, here.at, words)
    return here.show("intake/special/whose.html", known=known, words=words)


def _ask(here: Page, business_id: int, *, phone: bool) -> Any:
    stopped = _stopped(here, business_id)
    mine = special.of_business(here.plant.id, business_id, here.at)
    name = haulers.party_of_business(business_id).name
    facts: dict[str, Any] = {
        "phone": phone,
        "mine": mine,
        "name": name,
        "prices": _prices(here),
        "business_id": business_id,
    }
    if stopped is not None:
        return here.show("intake/special/stopped.html", refusal=stopped, **facts)
    form, worked, refusal = _ask_form(here, business_id), None, None
    if form.validate_on_submit():
        ask = Ask(business_id, form.truck.data, form.waste.data, form.gallons.data, form.day.data, form.begins.data,
                  form.reason.data, form.origin.data if "origin" in form else "")  # fmt: skip
        worked = look(here, ask)
        if isinstance(worked, Worked) and request.form.get("step") in ("send", "open"):
            made = _send(here, form, ask, worked)
            if isinstance(made, SpecialTime):
                end = "intake.special_decide" if phone else "intake.special_one"
                return here.done(end, number=made.number, said=f"Request {made.number} is sent.")
            if isinstance(made, Refusal):
                worked = made
        if isinstance(worked, Refusal):
            refusal, worked = worked, None
            form.show_refusal(refusal)
        form.shown.data = _shown(worked)
    without = left_out(here.law, form.day.data, form.waste.data) if worked else ()
    return here.show("intake/special/ask.html", form=form, worked=worked, refusal=refusal, without=without, **facts)


def _send(here: Page, form: AskForm, ask: Ask, worked: Worked) -> SpecialTime | Refusal | None:
    """The request as it is sent: only at the charge the page has shown; None when that is another by now."""
    if form.shown.data != _shown(worked):
        form.refuse(None, "The charge or the time is another than shown before. Look at it and send it again")
        return None
    accepts = worked.cents if request.form.get("step") == "send" else None
    return ask_special(here.plant, ask, accepts=accepts, by=here.by, at=here.at, law=here.law)


def _shown(worked: Worked | None) -> str:
    """What of a quote is looked at before it is sent: the span and the charge."""
    if worked is None:
        return ""
    one = worked.session
    return f"{one.start:%H%M}-{one.end:%H%M}-{worked.cents if worked.cents is not None else NONE}"


def look(here: Page, ask: Ask) -> Worked | Refusal:
    """What a request comes to, without sending it: every rule the act checks again under its locks."""
    worked = work_out(here.plant, here.law, here.at, ask.day, ask.begins, ask.gallons, ask.waste,
                      truck_id=ask.truck_id, origin=ask.origin)  # fmt: skip
    if isinstance(worked, Refusal):
        return worked
    one = worked.session
    terms = terms_of(here.plant.id, ask.business_id, here.law, here.at, ask.waste,
                     truck=haulers.truck(ask.truck_id))  # fmt: skip
    refused = (
        shaped_wrongly(here.law, ask.truck_id, ask.business_id, ask.gallons, [one], waste=ask.waste)
        or terms.waste_wrong([ask.day])
        or truck_taken(here.plant, haulers.truck(ask.truck_id), ask.business_id, [one], here.at)
    )
    if refused is None and (why := terms.why_not(ask.day, ask.gallons)):
        cite = here.law.cite("decision.settles", ask.day) if here.law.has("decision.settles", ask.day) else ""
        refused = Refusal("not_yours_to_bring", f"{why}.", cite)
    return refused or worked


def _stopped(here: Page, business_id: int) -> Refusal | None:
    """Why nothing can be asked for at all: no such times here, no approval, no truck."""
    if arranged_by(here.law, here.today) is None:
        return no_other_time(here.law, here.today)
    standing = haulers.standing(here.plant.id, business_id, here.at, here.law)
    if standing.state not in ("approved", "not_begun") and standing.later is None:
        return Refusal(str(standing.state), standing.why, standing.cite)
    if not haulers.trucks_of(business_id):
        return Refusal("no_truck", "Add a truck with its plate and tank size first.", "")
    return barred(here.plant.id, business_id, here.law, here.at)


def _ask_form(here: Page, business_id: int) -> AskForm:
    trucks = haulers.trucks_of(business_id)
    kinds = terms_of(here.plant.id, business_id, here.law, here.at).kinds
    asked = request.args
    first = next((one for one in trucks if str(one.id) == asked.get("truck")), trucks[0])
    gallons = asked.get("gallons", first.capacity, type=int)
    waste = asked.get("waste") if asked.get("waste") in kinds else next(iter(kinds), None)
    form = AskForm(data={"truck": first.id, "gallons": gallons, "waste": waste, "day": _day(asked.get("day", ""))})
    form.truck.choices = [
        (one.id, one.name or one.plate, f"{one.plate}, {formats.volume(one.capacity)}") for one in trucks
    ]
    form.waste.choices = [(kind, WASTE_TYPES[kind]) for kind in kinds]
    form.origin.choices = zones(here.law, here.today)
    if not form.origin.choices:
        del form["origin"]
    return form


def _day(typed: str) -> date | None:
    try:
        return date.fromisoformat(typed)
    except ValueError:
        return None


def _prices(here: Page) -> list[tuple[str, str, str, str | None]]:
    """(title, words, §, reading) of what a special time adds, and of the hours that bound it, as far as set."""
    added = [row for row in charge_rows(here.law, here.today) if row.when]
    rows = [here.law.row(key, here.today) for key in (WAGE_KEY, *WORK_KEYS) if here.law.has(key, here.today)]
    return [*((row.what, row.words, row.cite, row.reading) for row in added),
            *((row.schema.title, row.words, row.cite, row.reading) for row in rows)]  # fmt: skip


@page(bp, "/hauler/special/<number>", Role.HAULER, methods=("GET", "POST"))
def special_one(here: Page, number: str) -> Any:
    """One request of yours: its state, its quote; accept the charge, or withdraw it."""
    row = special.numbered(here.plant.id, number)
    if row is None or row.business_id != business_of(here):
        abort(404)
    if request.method == "POST":
        return _hauler_step(here, row, "intake.special_one")
    return here.show("intake/special/one.html", view=special.view(row, here.at), wastes=WASTE_TYPES)


def _hauler_step(here: Page, row: SpecialTime, back: str) -> Any:
    """Accept or withdraw, by the hauler or by staff for one on the telephone."""
    done: SpecialTime | Refusal
    if request.form.get("step") == "withdraw":
        done = withdraw_special(here.plant, row.number, by=here.by, at=here.at, law=here.law)
        said = f"Request {row.number} is withdrawn."
    elif request.form.get("step") != "accept":
        return redirect(url_for(back, number=row.number), 303)
    else:
        cents = request.form.get("cents", -1, type=int)
        done = accept_special(here.plant, row.number, cents, by=here.by, at=here.at, law=here.law)
        said = f"The charge of request {row.number} is accepted."
    if isinstance(done, Refusal):
        return here.refuse(done, next=[("Look at the request", url_for(back, number=row.number))])
    return here.done(back, number=row.number, said=said)


@page(bp, "/director/special", *STAFF)
@standing()
def special_list(here: Page) -> Any:
    """The requests: what waits, what was decided, what the plant has entered for them."""
    return here.show(
        "intake/special/list.html", waiting=special.waiting(here.plant.id, here.at),
        settled=special.settled(here.plant.id, here.at),
        entered=special.own_rows(here.plant.id, WAGE_KEY, *WORK_KEYS), missing=_missing(here, here.today),
        may_decide=not_arranger(here.law, here.today, here.by) is None,
    )  # fmt: skip


def _missing(here: Page, day: date) -> list[str]:
    """What has to be entered before a special time of a day can be quoted and approved."""
    found = [] if here.law.has(WAGE_KEY, day) else ["the supervisor's hourly wage"]
    return found if all(here.law.has(key, day) for key in WORK_KEYS) else [*found, "the normal working hours"]


@page(bp, "/director/special/<number>", *STAFF, methods=("GET", "POST"))
def special_decide(here: Page, number: str) -> Any:
    """One request with its charge worked out: approve, decline with reason, send a new quote."""
    row = special.numbered(here.plant.id, number) or abort(404)
    form, found = DecideForm(), special.view(row, here.at)
    step = request.form.get("step", "")
    if step in ("accept", "withdraw"):
        return _hauler_step(here, row, "intake.special_decide")
    refusal = None
    if form.validate_on_submit():
        done = _decide(here, row, step, form.reason.data)
        if isinstance(done, SpecialTime):
            return here.done("intake.special_decide", number=number, said=f"Request {number} {SAID[step]}.")
        refusal = done
        if done.code == "no_reason":
            form.refuse("reason", done.why)
        else:
            form.refuse(None, " ".join(filter(None, (done.why, done.next_step))))
        db.session.rollback()
        row = special.numbered(here.plant.id, number) or abort(404)
        found = special.view(row, here.at)
    stands = not_arranger(here.law, row.day, here.by) is None
    return here.show("intake/special/decide.html", form=form, view=found, refusal=refusal, wastes=WASTE_TYPES,
                     missing=_missing(here, row.day), may_decide=stands,
                     entered=special.own_rows(here.plant.id, WAGE_KEY)[:1])  # fmt: skip


def _decide(here: Page, row: SpecialTime, step: str, reason: str) -> SpecialTime | Refusal:
    if step == "decline":
        return decline_special(here.plant, row.number, reason, by=here.by, at=here.at, law=here.law)
    decide = {"quote": quote_special, "approve": arrange_special}.get(step)
    if decide is None:
        return Refusal("no_step", "Select Approve or Decline", "")
    return decide(here.plant, row.number, by=here.by, at=here.at, law=here.law)


SAID = {"decline": "is declined", "quote": "has a new quote, sent to the hauler", "approve": "is approved in writing"}


@page(bp, "/director/special/<number>/letter.pdf", *STAFF)
def special_letter(here: Page, number: str) -> Any:
    """The letter that arranges a special time."""
    row = special.numbered(here.plant.id, number) or abort(404)
    return send_letter(db.session.get(Letter, row.letter_id or 0))


@page(bp, "/director/special/terms", *ARRANGERS, methods=("GET", "POST"))
@standing()
def special_terms(here: Page) -> Any:
    """The supervisor's wage and the normal working hours, from a day on."""
    law, keys = here.law, (WAGE_KEY, *WORK_KEYS)
    names = ("wage", "opens", "closes")
    now = {name: law.value(key, here.today) if law.has(key, here.today) else None
           for name, key in zip(names, keys, strict=True)}  # fmt: skip
    form = TermsForm(data=now | {"since": here.today})
    if form.validate_on_submit():
        done = set_special_terms(here.plant, form.since.data, form.order.data, wage=form.wage.data,
                                 opens=form.opens.data, closes=form.closes.data, by=here.by, at=here.at,
                                 law=law)  # fmt: skip
        if not isinstance(done, Refusal):
            return here.done("intake.special_list", said="The wage and the hours are entered.")
        form.refuse(TERMS_AT.get(done.code), f"{done.why} {done.next_step or ''}".strip())
    return here.show("intake/special/terms.html", form=form, entered=special.own_rows(here.plant.id, *keys))


@page(bp, "/station/special/<number>/supervised", *GATE, methods=("GET", "POST"))
def special_supervised(here: Page, number: str) -> Any:
    """From when to when the load was in fact supervised: its charge follows."""
    row = special.numbered(here.plant.id, number) or abort(404)
    found = special.view(row, here.at)
    if found.load is None:
        flash(f"No load has come under {row.number} yet.", "info")
        return redirect(url_for("intake.special_decide", number=number))
    runs = loads.runs_of(found.load.id)
    form = SupervisedForm(data=_span_now(here, row, runs))
    if form.validate_on_submit():
        first, last = (datetime.combine(row.day, one, here.plant.tz) for one in (form.first.data, form.last.data))
        done = record_supervision(here.plant, number, first, last, by=here.by, at=here.at, law=here.law)
        if not isinstance(done, Refusal):
            return here.done("intake.load_ticket", ticket=found.load.ticket, said="The supervised time is entered.")
        form.refuse("last" if done.code == "wrong_span" else None, done.why)
    return here.show("intake/special/supervised.html", form=form, view=found, runs=runs)


def _span_now(here: Page, row: SpecialTime, runs: Sequence[Any]) -> dict[str, Any]:
    """What counts now: the time entered, else that of the run."""
    if row.supervised_from is not None and row.supervised_to is not None:
        first, last = row.supervised_from, row.supervised_to
    elif runs:
        first, last = runs[0].starts, runs[-1].ends
    else:
        return {}
    return {"first": first.astimezone(here.plant.tz).time(), "last": last.astimezone(here.plant.tz).time()}
