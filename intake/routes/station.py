"""Pages of the receiving station: today, log a load, its ticket, go on with it, stop, refuse, void."""

from dataclasses import replace
from datetime import datetime
from typing import Any

from flask import abort, redirect, request, url_for

from billing.queries import entries_of, reversal_of, taken_back_by_choice
from haulers import queries as haulers
from intake.actions.running import pause_load
from intake.actions.station import continue_load, finish_load, log_load, refuse_load, void_load
from intake.actions.stop import stop_load
from intake.forms.station import ContinueForm, LoadForm, RefuseForm, StationForm, StopForm, VoidForm, offer_kinds
from intake.models import Booking, Load, Point
from intake.queries import (
    excess,
    load_history,
    loads,
    pounds,
    restrictions,
    set_aside,
    signatures,
    statements,
    station,
    taps,
)
from intake.queries.arrivals import weighed_alone
from intake.queries.bookings import sessions_of
from intake.queries.load_charges import void_words
from intake.queries.pieces import morning, told
from intake.queries.places import MANHOLE
from intake.queries.point_words import facts, names_told
from intake.queries.special_quote import ticket_words
from intake.queries.special_spans import arrangement
from intake.queries.testing_rule import asked_of, draw_of
from intake.routes.base import bp, new_tests_of
from intake.routes.record_page import correct_step, record_step
from intake.routes.running import tapped
from intake.routes.turning_away import refuse_args, refuse_values
from intake.states import REFUSAL_WORDS, BookingState, LoadState
from office import formats
from office.access import Role
from office.db import db
from office.documents import send_letter
from office.law import law_in_force
from office.letters import Letter
from office.pages import Page, page
from office.standing import standing
from ordinances.gate import may_set_aside
from ordinances.offers import Session
from ordinances.refusal import Refusal
from ordinances.schedule_words import costs_passed_on
from ordinances.screening import AS_IT_IS, WASTE_TYPES, remedies, seen

GATE = (Role.OPERATOR, Role.MANAGER, Role.DIRECTOR)


@page(bp, "/station", *GATE)
def station_today(here: Page) -> Any:
    """The day: what runs, who is expected, what waits for somebody."""
    today = station.today(here.plant, here.law, here.at)
    return here.show("intake/station/today.html", today=today, points=names_told(here.plant.id), offered=taps.offered,
                     undo=taps.undo(today, request.args))  # fmt: skip


@page(bp, "/station/load", *GATE, methods=("GET", "POST"))
@standing()
def station_load(here: Page) -> Any:
    """Log a load, or first say who is here."""
    visit = station.visit(here.plant, here.law, here.at, request.args)
    if visit is None:
        return _who(here, request.args.get("find", "").strip()[:200])
    if visit.asks and visit.opened is None and request.method == "GET":
        return here.show("intake/station/waste.html", visit=visit, wastes=WASTE_TYPES)
    form, may, refused = _load_form(here, visit), None, None
    if form.validate_on_submit():
        result = log_load(here.plant, form.client_id.data, business_id=visit.business_id, truck_id=visit.truck.id,
                          booking=visit.booking, start=form.start.data, by=here.by, at=here.at, law=here.law,
                          **form.values())  # fmt: skip
        if not isinstance(result, Refusal):
            return here.done("intake.load_ticket", ticket=result.ticket)
        _show_refusal(here, form, result)
        may, refused = may_set_aside(here.law, here.today, result.code), result
    aside = url_for("intake.station_set_aside", **visit.args | {"driver": form.driver.data or None})
    return here.show("intake/station/load.html", form=form, visit=_as_typed(here, form, visit),
                     others=_others(here, visit), may=may, aside_href=aside, refused=refused,
                     refuse_href=url_for("intake.station_refuse", **refuse_args(visit, form, refused)),
                     asked=asked_of(here.plant, visit.business_id, here.law, here.today))  # fmt: skip


def _who(here: Page, words: str) -> Any:
    """Who is here: what was typed or read from a slip leads on where it names one truck, or one load already told."""
    told = loads.with_slip(here.plant.id, words)
    if told is not None:
        return redirect(url_for("intake.load_ticket", ticket=told.ticket))
    known = station.trucks_known(here.plant, here.law, here.at, words)
    found = station.pointed_at(here.plant, words, known) if words else None
    if found is not None:
        return redirect(url_for("intake.station_load", **found))
    return here.show("intake/station/who.html", expected=loads.expected(here.plant, here.today, here.at), words=words,
                     known=known)  # fmt: skip


def _as_typed(here: Page, form: LoadForm, visit: station.Visit) -> station.Visit:
    """The visit with the gallons that were typed, so that the line above the form speaks of them."""
    typed = form.gallons.data
    if not form.is_submitted() or not visit.gate.ok or not typed or typed < 0 or typed == visit.gallons:
        return visit
    run = _fit(here, form, visit)
    _offer(here, form, run)
    if form.start.data is not None:
        run = _fit(here, form, visit, form.start.data)
    return replace(visit, gallons=typed, run=run)


def _fit(here: Page, form: LoadForm, visit: station.Visit, start: datetime | None = None) -> Session | Refusal:
    """How the gallons typed would run at the point chosen."""
    return station.how_it_runs(here.plant, here.law, here.at, visit.gate, form.gallons.data or 0, start=start,
                               waste=visit.waste, business_id=visit.business_id,
                               point_id=int(form.point.data) if form.point.data else None)  # fmt: skip


def _load_form(here: Page, visit: station.Visit) -> LoadForm:
    named = visit.booking.driver if visit.booking is not None else ""
    driver = visit.driver or named or loads.last_driver(visit.business_id)
    asked = asked_of(here.plant, visit.business_id, here.law, here.today)
    form = LoadForm(data={
        "tested": "yes" if asked.due else "no", "gallons": visit.gallons, "waste": visit.waste, "driver": driver,
        "bottle": loads.next_bottle(here.plant.id, here.today), "point": visit.place.id if visit.place else None,
    })  # fmt: skip
    _offer(here, form, visit.run)
    several = visit.places if len(visit.places) > 1 else ()
    form.point.choices = [(one.id, one.name, facts(one, "")) for one in several]
    form.flags.choices = seen(here.law, here.today)
    offer_kinds(form, here.law, here.today)
    outcomes = remedies(here.law, here.today)
    form.finding.choices = [(one, one.capitalize()) for one in (AS_IT_IS, *outcomes)] if outcomes else []
    return form


def _others(here: Page, visit: station.Visit) -> list[loads.Expected]:
    """The next expected trucks beside the one that is here."""
    mine = visit.booking.id if visit.booking else None
    return [one for one in loads.expected(here.plant, here.today, here.at) if one.session.booking_id != mine][:1]


def _offer(here: Page, form: Any, run: Any) -> None:
    """Later starts to choose from, when nothing fits now."""
    later = run.details.get("sessions", ()) if isinstance(run, Refusal) else ()
    form.start.choices = [
        (one.start.isoformat(), formats.span(one.start, one.end, here.plant.tz), f"{formats.rate(one.gph)}")
        for one in later
    ]


def _show_refusal(here: Page, form: StationForm, refusal: Refusal) -> None:
    if hasattr(form, "start"):
        _offer(here, form, refusal)
    if refusal.code == "weighs":
        form.gallons.process_data(refusal.details["gallons"])
    form.show_refusal(refusal)


@page(bp, "/station/load/<ticket>", *GATE, Role.CLERK, Role.STATE)
def load_ticket(here: Page, ticket: str) -> Any:
    """One load: its ticket, charges, record, results, history."""
    load = _load(here, ticket)
    entries = [(entry, reversal_of(entry.id) is not None) for entry in entries_of("load", load.id)]
    return here.show("intake/station/ticket.html", load=load, runs=told(loads.runs_of(load.id), here.plant.tz),
                     entries=entries, record=loads.record_of(load.id), found=pounds.of_load(load),
                     approved=haulers.approved_sources(load.approval_id),
                     history=load_history.lines(loads.history(load)), wastes=WASTE_TYPES,
                     refusals=REFUSAL_WORDS, points=names_told(here.plant.id),
                     runs_still=loads.run_to_stop(load, here.at),
                     signed=signatures.signed(load, here.plant.tz), rest=statements.rest_of(load.id),
                     missing=statements.wanted(load, here.law),
                     filed=statements.of_load(load.id), aside=set_aside.of_loads([load.id]).get(load.id, ()),
                     special=arrangement(load.booking_id), over=excess.of_loads([load.id]).get(load.id, ()),
                     special_words=ticket_words(here.law, load, loads.runs_of(load.id),
                                                sum(one.amount_cents for one, back in entries if not back)),
                     to_come=_to_come(here, load), draw=draw_of(load.id), again=new_tests_of(here, load),
                     void_words=void_words(load.id), stays_back=taken_back_by_choice("load", load.id),
                     costs=costs_passed_on(law_in_force(here.plant, load.day), load.day))  # fmt: skip


def _load(here: Page, ticket: str) -> Load:
    return loads.with_ticket(here.plant.id, ticket) or abort(404)


def _to_come(here: Page, load: Load) -> list[Any]:
    """Planned mornings of a load that have not run and are not past."""
    booking = db.session.get(Booking, load.booking_id) if load.booking_id else None
    if booking is None or booking.state != BookingState.BOOKED.value or load.state != LoadState.ACCEPTED.value:
        return []
    ran = {run.day for run in loads.runs_of(load.id)}
    planned = sessions_of([booking.id])[booking.id]
    return [one for one in planned if one.day not in ran and one.day >= here.today]


@page(bp, "/station/load/<ticket>/ticket.pdf", *GATE, Role.CLERK)
def ticket_pdf(here: Page, ticket: str) -> Any:
    """The ticket to print, two copies on one page."""
    load = _load(here, ticket)
    return send_letter(db.session.get(Letter, load.letter_id or 0))


@page(bp, "/station/load/<ticket>/continue", *GATE, methods=("GET", "POST"))
def load_continue(here: Page, ticket: str) -> Any:
    """Go on with a load that was booked over several mornings."""
    load = _load(here, ticket)
    planned = next((one for one in _to_come(here, load) if one.day == here.today), None)
    form = ContinueForm(data={"gallons": planned.gallons if planned else None})
    form.start.choices, may = [], None
    form.offer_drivers(loads.drivers_named(load, here.plant.tz))
    if form.validate_on_submit():
        result = continue_load(load, form.gallons.data, note=form.note.data, reason=form.reason.data,
                               start=form.start.data, driver=form.drove, supervised_by=form.supervised.data,
                               full_lb=form.full_lb.data, empty_lb=form.empty_lb.data, by=here.by, at=here.at,
                               law=here.law)  # fmt: skip
        if not isinstance(result, Refusal):
            return here.done("intake.load_ticket", ticket=ticket)
        _show_refusal(here, form, result)
        may = may_set_aside(here.law, here.today, result.code)
    booking = db.session.get(Booking, load.booking_id) if load.booking_id else None
    aside = url_for("intake.station_set_aside", booking=booking.number if booking else None, truck=load.truck_id,
                    driver=form.drove or None)  # fmt: skip
    manhole = planned is not None and db.session.get_one(Point, planned.point_id).kind == MANHOLE
    return here.show("intake/station/continue.html", form=form, load=load, planned=planned, manhole=manhole,
                     weighs=weighed_alone(load, here.plant), may=may, aside_href=aside)  # fmt: skip


@page(bp, "/station/load/<ticket>/finish", *GATE, methods=("POST",))
def load_finish(here: Page, ticket: str) -> Any:
    """Nothing is left in the truck: give later mornings back."""
    result = finish_load(_load(here, ticket), by=here.by, at=here.at, law=here.law)
    if isinstance(result, Refusal):
        return here.refuse(result)
    return here.done(
        "intake.load_ticket", "The load is finished. What was planned for it is free again.", ticket=ticket
    )


@page(bp, "/station/load/<ticket>/stop", *GATE, methods=("GET", "POST"))
def load_stop(here: Page, ticket: str) -> Any:
    """Stop a truck that unloads or waits: its gallons until now, and why."""
    load = _load(here, ticket)
    if tapped():
        return _flow_stopped(here, load)
    run, found = loads.run_to_stop(load, here.at), morning(load, here.at)
    waits = not any(one.starts < here.at for one in found.ran)
    form = StopForm(data={"gallons": 0 if waits else None, "reason": _why_stop(here, load)})
    if form.validate_on_submit():
        result = stop_load(load, form.gallons.data, form.reason.data, by=here.by, at=here.at, law=here.law)
        if not isinstance(result, Refusal):
            said = f"Load {ticket} is stopped: {formats.volume(form.gallons.data)} unloaded."
            return here.done("intake.load_ticket", said, ticket=ticket)
        if result.code == "not_running":
            return here.refuse(result)
        form.show_refusal(result)
    return here.show("intake/station/stop.html", form=form, load=load, run=run, waits=waits, found=found)


def _flow_stopped(here: Page, load: Load) -> Any:
    """One tap on the board: nothing flows from now on; then the gallons are typed, or it goes on again."""
    found = morning(load, here.at)
    if found.piece is None:
        return redirect(url_for("intake.load_stop", ticket=load.ticket), 303)
    result = pause_load(load, found.out, by=here.by, at=here.at, law=here.law)
    if isinstance(result, Refusal):
        return here.refuse(result)
    said = formats.full_stop(f"The flow is stopped at {formats.clock_time(here.at, here.plant.tz)}")
    if loads.run_to_stop(result, here.at) is None:
        return here.done("intake.load_ticket", f"{said} All of the load was out.", ticket=load.ticket)
    return here.done("intake.load_stop", f"{said} Enter the gallons, and why.", ticket=load.ticket)


def _why_stop(here: Page, load: Load) -> str:
    """The reason everybody knows of: a restriction, or a revocation."""
    run = loads.run_to_stop(load, here.at)
    rows = restrictions.in_force(here.plant.id, here.at)
    found = restrictions.stopping(rows, load.waste, run.point_id if run else None)
    if found is not None:
        return f"{restrictions.stopped_word(found)} because of {restrictions.words_of(found.reason)}"
    revoked = haulers.revocation_of(load.approval_id) if load.approval_id else None
    if revoked is not None and revoked.at <= here.at:
        return "The approval is revoked"
    held = haulers.suspension_of(load.approval_id, here.at, here.today) if load.approval_id else None
    return "The approval is suspended" if held is not None else ""


@page(bp, "/station/load/<ticket>/void", *GATE, methods=("GET", "POST"))
def load_void(here: Page, ticket: str) -> Any:
    """Take a ticket back, with a reason. Nothing is deleted."""
    load, form = _load(here, ticket), VoidForm()
    if form.validate_on_submit():
        result = void_load(load, form.reason.data, by=here.by, at=here.at, law=here.law)
        if isinstance(result, Refusal):
            return here.refuse(result)
        return here.done("intake.load_ticket", f"Load {ticket} is void. {void_words(load.id)}", ticket=ticket)
    return here.show("intake/station/void.html", form=form, load=load)


@page(bp, "/station/load/<ticket>/record", Role.OPERATOR, Role.MANAGER, methods=("GET", "POST"))
def load_record(here: Page, ticket: str) -> Any:
    """Write a load's record for the hauler; it is marked so."""
    load = _load(here, ticket)
    return record_step(here, load, here.by.for_(load.business_name), "intake.load_ticket", for_hauler=True)


@page(bp, "/station/load/<ticket>/record/correct", Role.OPERATOR, Role.MANAGER, methods=("GET", "POST"))
def load_record_correct(here: Page, ticket: str) -> Any:
    """Correct a load's record for the hauler, who reads of it."""
    load = _load(here, ticket)
    return correct_step(here, load, here.by.for_(load.business_name), "intake.load_record", for_hauler=True)


def _said_waste(visit: station.Visit | None) -> str:
    """What a truck that is turned away brings, as far as anybody said or its approval covers one type only."""
    return visit.waste if visit is not None and not visit.asks else "other"


@page(bp, "/station/refuse", *GATE, methods=("GET", "POST"))
def station_refuse(here: Page) -> Any:
    """Record a truck that is turned away."""
    visit = station.visit(here.plant, here.law, here.at, request.args)
    form = RefuseForm(data=refuse_values(visit, request.args), known=visit is not None)
    if form.validate_on_submit():
        result = refuse_load(
            here.plant, form.client_id.data, reason_code=form.reason_code.data, reason=form.reason.data,
            business_id=visit.business_id if visit else None, business_name=form.business_name.data,
            truck_id=visit.truck.id if visit else None, plate=form.plate.data, booking=visit.booking if visit else None,
            driver=form.driver.data, waste=_said_waste(visit), gallons=form.gallons.data,
            ph=form.ph.data, by=here.by, at=here.at, law=here.law,
        )  # fmt: skip
        if not isinstance(result, Refusal):
            return here.done("intake.load_ticket", ticket=result.ticket)
        form.show_refusal(result)
    return here.show("intake/station/refuse.html", form=form, visit=visit, wastes=WASTE_TYPES,
                     known=station.trucks_known(here.plant, here.law, here.at))  # fmt: skip
