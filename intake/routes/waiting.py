"""The waiting list: a hauler's own places and offers, the plant's whole list, asking, answering, leaving."""

from datetime import date, timedelta
from typing import Any

from flask import abort, redirect, request, url_for

from haulers import queries as haulers
from intake.actions.booking_rules import STAFF
from intake.actions.waiting import answer_offer, ask_to_wait, leave_waiting
from intake.forms.booking import ConfirmForm
from intake.forms.waiting import DaysForm
from intake.models import Booking, Wait
from intake.queries import waiting
from intake.queries.kept_rooms import Offer
from intake.queries.placing import lost_refusal, out_refusal, why_lost
from intake.routes.base import bp, business_of, price_of
from intake.routes.booking import Asked, asked
from intake.routes.phone import way_of
from intake.routes.ways import Way, own_way
from office import formats
from office.access import Role
from office.pages import Page, page
from office.standing import standing
from ordinances.booking_terms import answer_time
from ordinances.refusal import Refusal
from ordinances.screening import WASTE_TYPES

BOTH = (Role.HAULER, *STAFF)
A_WEEK = timedelta(days=6)


@page(bp, "/hauler/waiting", Role.HAULER)
def my_waiting(here: Page) -> Any:
    """Your places in the waiting list, what is yours to answer, and how the list works."""
    rows = waiting.of_business(here.plant, business_of(here), here.at)
    return here.show("intake/waiting/mine.html", rows=rows, time=answer_time(here.law, here.today), wastes=WASTE_TYPES)


@page(bp, "/plant/waiting", *STAFF)
@standing()
def plant_waiting(here: Page) -> Any:
    """Everybody who waits, in order, and who is asked now."""
    rows = waiting.of_plant(here.plant, here.at)
    return here.show("intake/waiting/plant.html", rows=rows, time=answer_time(here.law, here.today), wastes=WASTE_TYPES,
                     names=haulers.business_names({one.wait.business_id for one in rows}))  # fmt: skip


@page(bp, "/hauler/waiting/ask", Role.HAULER, methods=("GET", "POST"))
@standing()
def ask_waiting(here: Page) -> Any:
    """For which days do you wait?"""
    return ask_step(here, own_way(here))


@page(bp, "/plant/phone/<int:business_id>/wait", *STAFF, methods=("GET", "POST"))
def phone_waiting(here: Page, business_id: int) -> Any:
    """For which days do they wait?"""
    return ask_step(here, way_of(here, business_id))


def ask_step(here: Page, way: Way) -> Any:
    """The days somebody waits for, with the load as it was entered."""
    load = asked(here, way)
    if load is None:
        return redirect(way.url("load"))
    first = min(max(load.day or here.today, here.today), here.today + waiting.FURTHEST)
    form = DaysForm(data={"first": first, "last": first + A_WEEK})
    if form.validate_on_submit():
        done = ask_to_wait(here.plant, way.business_id, load.truck.id, load.waste, load.gallons, form.first.data,
                           form.last.data, by=here.by, at=here.at, law=here.law)  # fmt: skip
        if not isinstance(done, Refusal):
            endpoint = "intake.plant_waiting" if way.by_phone else "intake.my_waiting"
            return here.done(endpoint, f"On the waiting list for {formats.volume(done.gallons)}.")
        if done.code != "dates":
            return not_waiting(here, load, done)
        form.refuse("last", done.why)
    return here.show("intake/waiting/ask.html", form=form, load=load, way=way, waste=WASTE_TYPES[load.waste],
                     time=answer_time(here.law, here.today))  # fmt: skip


def not_waiting(here: Page, load: Asked, why: Refusal) -> Any:
    """There is nothing to wait for, or no waiting: why, and where to go on."""
    day: date | None = why.details.get("day") if why.details else None
    times = load.way.url("times", day=day.isoformat() if day else None, **load.args)
    links = [("See times" if day else "See the ways on", times)]
    return here.refuse(why, title="Not on the waiting list", next=links)


@page(bp, "/waiting/<int:wait_id>/leave", *BOTH, methods=("GET", "POST"))
def leave(here: Page, wait_id: int) -> Any:
    """Leave the waiting list?"""
    row = waiting.wait_of(here.plant.id, wait_id)
    if row is None or not may_see(here, row):
        abort(404)
    form = ConfirmForm()
    if form.validate_on_submit():
        done = leave_waiting(here.plant, row.id, by=here.by, at=here.at, law=here.law)
        if isinstance(done, Refusal):
            return here.refuse(done, title="Nothing to leave", next=[("Waiting list", list_of(here))])
        return here.done(_endpoint(here), "The place in the waiting list is given up.")
    return here.show("intake/waiting/leave.html", form=form, row=row, back=list_of(here), waste=WASTE_TYPES[row.waste])


@page(bp, "/waiting/offers/<int:offer_id>", *BOTH, methods=("GET", "POST"))
def answer(here: Page, offer_id: int) -> Any:
    """Room for a load: take it, or pass it on."""
    found = waiting.offer_of(here.plant.id, offer_id)
    if found is None or not may_see(here, found.wait):
        abort(404)
    form = ConfirmForm()
    if form.validate_on_submit():
        yes = request.form.get("step") == "yes"
        done = answer_offer(here.plant, offer_id, yes, by=here.by, at=here.at, law=here.law)
        if isinstance(done, Refusal):
            return here.refuse(done, title="This offer cannot be answered", next=[("Waiting list", list_of(here))])
        if isinstance(done, Booking):
            booked = "intake.booked" if here.by.capacity(STAFF) is None else "intake.plant_booking"
            return here.done(booked, number=done.number)
        return here.done(_endpoint(here), "The room is passed on. You stay in line for other room.")
    return here.show("intake/waiting/answer.html", form=form, found=found, waste=WASTE_TYPES[found.wait.waste],
                     back=list_of(here), state=_state(here, found), lost=_lost(here, found),
                     hauler=haulers.party_of_business(found.wait.business_id),
                     price=price_of(here, [found.session], found.wait.waste, truck_id=found.wait.truck_id,
                                    business_id=found.wait.business_id))  # fmt: skip


def may_see(here: Page, row: Wait) -> bool:
    """Staff see every place of their plant, a hauler its own."""
    return here.by.capacity(STAFF) is not None or row.business_id == business_of(here)


def list_of(here: Page) -> str:
    """The list this person reads."""
    return url_for(_endpoint(here))


def _endpoint(here: Page) -> str:
    return "intake.my_waiting" if here.by.capacity(STAFF) is None else "intake.plant_waiting"


def _lost(here: Page, found: Offer) -> Refusal | None:
    """Why an offer that would be theirs to answer cannot be had now."""
    if found.row.lost_at is not None:
        return lost_refusal(here.plant, found, here.at)
    if found.gone:
        return None
    if found.is_out(here.at):
        return out_refusal(found, here.law)
    return why_lost(here.plant, found, here.at, here.law) if found.is_open(here.at) else None


def _state(here: Page, found: Offer) -> str:
    """open, answered, lapsed, or not yet theirs."""
    if found.gone:
        return "answered"
    if found.is_open(here.at):
        return "open"
    return "lapsed" if found.turn.is_over(here.at) else "later"
