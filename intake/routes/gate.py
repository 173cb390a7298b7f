"""Pages beside a load at the gate: the slip with its code, an answer set aside, a rest refused, where a load went."""

from typing import Any

from flask import abort, current_app, request, url_for

from intake.actions.correcting import correct_load
from intake.actions.set_aside import set_aside_answer
from intake.actions.signing import sign_load
from intake.actions.turned_away import file_elsewhere, refuse_rest
from intake.forms.gate import CorrectForm, ElsewhereForm, RestForm, SetAsideForm, SignForm, StopRestForm
from intake.forms.kinds import typed
from intake.forms.station import offer_kinds
from intake.models import Load
from intake.queries import loads, signatures, statements, station
from intake.queries.figures import figures
from intake.queries.pickups import PickUp, as_typed
from intake.queries.pieces import morning
from intake.routes.base import booking_of, bp, business_of, slip
from office import qr
from office.access import Role
from office.db import db
from office.documents import send_together
from office.law import law_in_force
from office.letters import Letter, render
from office.pages import Page, page
from ordinances.refusal import Refusal
from ordinances.screening import WASTE_TYPES

GATE = (Role.OPERATOR, Role.MANAGER, Role.DIRECTOR)
NO_VISIT = Refusal("no_visit", "An answer of the gate is set aside for one load, and this address names none.", "",
                   next_step="Say who is at the gate, and follow the link below its answer.")  # fmt: skip
# Where a refusal of the rest is shown.
REST_AT = {"no_gallons": "gallons", "gallons_below": "out", "more_than_logged": "out", "not_begun": "out"}
# Where a refusal to correct is shown.
CORRECTED_AT = {"no_gallons": "gallons", "flush": "flush", "bottle_used": "bottle", "no_bottle": "bottle",
                "driver": "driver", "basis": "basis", "weights": "full_lb", "weighs": "gallons", "same": None,
                "origin_missing": "origin",
                "parts_over": "other_gallons", "quantity_missing": "cubic_yards", "waste_not_covered": "waste",
                "not_septage": "waste", "no_price": "waste", "gallons_over_tank": "gallons",
                "full_tank": "gallons", "ph_impossible": "ph", "bottle_odd": "bottle"}  # fmt: skip


@page(bp, "/hauler/bookings/<number>/slip", Role.HAULER, Role.DRIVER)
def gate_slip(here: Page, number: str) -> Any:
    """The slip to show at the gate: the number in large, its code, time, gallons, rate and what the plant asks."""
    found = booking_of(here, number)
    address = url_for("intake.station_load", booking=number)
    whole = f"{str(current_app.config['SEPTAGE_URL']).rstrip('/')}{address}"
    owner = Role.HAULER in here.by.roles
    return here.show("intake/station/slip.html", view=found, waste=WASTE_TYPES[found.booking.waste],
                     code=qr.picture(whole, f"QR code of booking {number}"),
                     back_to="intake.hauler_booking" if owner else "intake.driver_booking",
                     **slip(here, found))  # fmt: skip


@page(bp, "/station/load/<ticket>/ticket-80mm.pdf", *GATE, Role.CLERK)
def ticket_roll(here: Page, ticket: str) -> Any:
    """The ticket for an 80 mm roll, two copies to tear off: the data as frozen, drawn narrow."""
    letter = db.session.get(Letter, _load(here, ticket).letter_id or 0) or abort(404)
    return send_together([render("ticket_roll", letter.data)], f"ticket {ticket} 80 mm.pdf")


@page(bp, "/station/set-aside", Role.DIRECTOR, Role.MANAGER, methods=("GET", "POST"))
def station_set_aside(here: Page) -> Any:
    """Let one load in although a paper or a list says no: what the gate says, and why it is set aside."""
    visit = station.visit(here.plant, here.law, here.at, request.args)
    if visit is None:
        gate = [("Who is at the gate", url_for("intake.station_today"))]
        return here.refuse(NO_VISIT, title="Nothing to set aside", next=gate)
    form = SetAsideForm(data={"code": visit.gate.code})
    if form.validate_on_submit():
        result = set_aside_answer(
            here.plant, form.code.data, form.reason.data, business_id=visit.business_id, truck_id=visit.truck.id,
            waste=visit.waste, booking=visit.shown, driver=visit.driver, by=here.by, at=here.at, law=here.law,
        )  # fmt: skip
        if not isinstance(result, Refusal):
            return here.done("intake.station_load", "Set aside for this load.", **visit.args)
        if result.code != "no_reason":
            return here.refuse(result)
        form.refuse("reason", result.why)
    return here.show("intake/station/set_aside.html", form=form, visit=visit)


@page(bp, "/station/load/<ticket>/rest", *GATE, methods=("GET", "POST"))
def load_rest(here: Page, ticket: str) -> Any:
    """Refuse what is still in a truck whose load was taken in part."""
    load = _load(here, ticket)
    runs, found = loads.run_to_stop(load, here.at), morning(load, here.at)
    form = StopRestForm(data={"out": found.out}) if runs else RestForm()
    if form.validate_on_submit():
        result = refuse_rest(load, form.gallons.data, form.code.data, form.reason.data,
                             out=form.out.data if runs else None, by=here.by, at=here.at, law=here.law)  # fmt: skip
        if not isinstance(result, Refusal):
            return here.done("intake.load_ticket", f"The rest of load {ticket} is refused.", ticket=ticket)
        if result.code not in REST_AT:
            return here.refuse(result)
        form.refuse(REST_AT[result.code], " ".join(filter(None, (result.why, result.next_step))))
    return here.show("intake/station/rest.html", form=form, load=load, rest=statements.rest_of(load.id), found=found,
                     runs_still=runs)  # fmt: skip


@page(bp, "/station/load/<ticket>/correct", *GATE, methods=("GET", "POST"))
def load_correct(here: Page, ticket: str) -> Any:
    """Put right what was typed wrong of a load that is over."""
    load = _load(here, ticket)
    now = figures(load)
    form = CorrectForm(data=vars(now) | typed(now.others))
    offer_kinds(form, law_in_force(here.plant, load.day), load.day)
    if form.validate_on_submit():
        result = correct_load(load, form.figures(), form.reason.data, form.kept.data, form.asked_about(), by=here.by,
                              at=here.at, law=here.law)  # fmt: skip
        if not isinstance(result, Refusal):
            return here.done("intake.load_ticket", f"Load {ticket} is corrected.", ticket=ticket)
        at_field = form.kind_at(result) or CORRECTED_AT.get(result.code)
        if result.code not in CORRECTED_AT or at_field not in (None, *form._fields):
            return here.refuse(result)
        form.show_refusal(at_field, result)
    return here.show("intake/station/correct.html", form=form, load=load,
                     runs_still=loads.run_to_stop(load, here.at))  # fmt: skip


@page(bp, "/station/load/<ticket>/sign", *GATE, methods=("GET", "POST"))
def load_sign(here: Page, ticket: str) -> Any:
    """The driver signs on the tablet, or has signed the printed ticket: each morning of a load that has several."""
    load = _load(here, ticket)
    named = as_typed([PickUp(**one) for one in load.pickups])
    form = SignForm(data={"name": loads.driver_on(load), "places": named, "strokes": ""})
    if form.validate_on_submit():
        paper = "the printed ticket" if request.form.get("paper") else ""
        result = sign_load(load, form.name.data, form.strokes.data, form.places.data, paper=paper, by=here.by,
                           at=here.at, law=here.law)  # fmt: skip
        if not isinstance(result, Refusal):
            return here.done("intake.load_ticket", f"Load {ticket} is signed.", ticket=ticket)
        if result.code != "no_strokes":
            return here.refuse(result)
        form.refuse(None, result.why)
    return here.show("intake/station/sign.html", form=form, load=load, record=loads.record_of(load.id),
                     signed=signatures.signed(load, here.plant.tz),
                     goes_on=signatures.goes_on(load, here.at))  # fmt: skip


@page(bp, "/station/load/<ticket>/elsewhere", Role.OPERATOR, Role.MANAGER, Role.CLERK, methods=("GET", "POST"))
def load_elsewhere(here: Page, ticket: str) -> Any:
    """Write for the hauler where a refused load went."""
    load = _load(here, ticket)
    return _elsewhere(here, load, "intake.load_ticket", here.by.for_(load.business_name))


@page(bp, "/hauler/loads/<ticket>/elsewhere", Role.HAULER, Role.DRIVER, methods=("GET", "POST"))
def hauler_elsewhere(here: Page, ticket: str) -> Any:
    """State where a refused load of the company went."""
    load = _load(here, ticket)
    if load.business_id != business_of(here):
        abort(404)
    back = "intake.hauler_load" if Role.HAULER in here.by.roles else "intake.driver_load"
    return _elsewhere(here, load, back, here.by)


def _elsewhere(here: Page, load: Load, back: str, by: Any) -> Any:
    form = ElsewhereForm(data={"went_on": load.day})
    if form.validate_on_submit():
        result = file_elsewhere(load, form.went_to.data, form.went_on.data, form.signed_by.data, by=by, at=here.at,
                                law=here.law)  # fmt: skip
        if not isinstance(result, Refusal):
            return here.done(back, f"Where load {load.ticket} went is written down.", ticket=load.ticket)
        if result.code != "wrong_day":
            return here.refuse(result)
        form.refuse("went_on", result.why)
    return here.show("intake/station/elsewhere.html", form=form, load=load, back_to=back,
                     missing=statements.wanted(load, here.law), filed=statements.of_load(load.id))  # fmt: skip


def _load(here: Page, ticket: str) -> Load:
    return loads.with_ticket(here.plant.id, ticket) or abort(404)
