"""The plant's desk: its bookings, one of them, book for somebody on the telephone, cancel, nobody came."""

from typing import Any

from flask import abort, request, url_for

from haulers import queries as haulers
from intake.actions.booking_rules import STAFF
from intake.actions.no_show import cannot_miss, cannot_undo, record_no_show, undo_no_show
from intake.forms.booking import ConfirmForm, NoShowForm
from intake.queries import bookings
from intake.queries.bookings import BookingView
from intake.queries.named_driver import drivers_named
from intake.routes.base import bp, price_of, slip
from intake.routes.booking import check_step, load_step, times_step
from intake.routes.hauler import cancel_step
from intake.routes.ways import Way, phone_way
from office.pages import Page, page
from office.standing import standing
from ordinances.offers import Session
from ordinances.refusal import Refusal
from ordinances.screening import WASTE_TYPES

SHOWN = 60


@page(bp, "/plant/bookings", *STAFF)
def plant_bookings(here: Page) -> Any:
    """The bookings to come with their haulers; with words, those whose number or hauler holds them, old ones too."""
    words = request.args.get("find", "").strip()
    rows = bookings.of_plant(here.plant.id, here.at, words, limit=SHOWN)
    names = haulers.business_names({one.booking.business_id for one in rows})
    return here.show("intake/phone/bookings.html", rows=rows, names=names, words=words, most=SHOWN)


@page(bp, "/plant/bookings/<number>", *STAFF)
def plant_booking(here: Page, number: str) -> Any:
    """One booking: what was booked, by whom, what has become of it, what can be done with it."""
    found = one_of(here, number)
    parts = [Session(one.starts, one.ends, one.gph, one.gallons) for one in found.sessions]
    return here.show(
        "intake/phone/booking.html", view=found, waste=WASTE_TYPES[found.booking.waste],
        price=price_of(here, parts, found.booking.waste, found.booking), may_miss=may_miss(here, found),
        names_drivers=found.is_live and bool(drivers_named(found.booking.business_id, here.at)),
        **slip(here, found),
    )  # fmt: skip


@page(bp, "/plant/bookings/<number>/cancel", *STAFF, methods=("GET", "POST"))
def plant_cancel(here: Page, number: str) -> Any:
    """Cancel a booking, or one time of it, for somebody on the telephone."""
    return cancel_step(here, one_of(here, number), "intake.plant_booking")


@page(bp, "/plant/bookings/<number>/no-show", *STAFF, methods=("GET", "POST"))
def no_show(here: Page, number: str) -> Any:
    """Did nobody come? Your judgement; the hauler is told."""
    found, form = one_of(here, number), NoShowForm()
    refused = cannot_miss(here.plant, found, here.at, here.law)
    if refused is not None:
        return not_done(here, number, refused, "A no-show cannot be recorded")
    if form.validate_on_submit():
        done = record_no_show(here.plant, found.booking.id, form.note.data, by=here.by, at=here.at, law=here.law)
        if isinstance(done, Refusal):
            return not_done(here, number, done, "A no-show cannot be recorded")
        return here.done("intake.plant_booking", f"It is recorded that nobody came for {number}.", number=number)
    return here.show("intake/phone/no_show.html", form=form, view=found, **slip(here, found))


@page(bp, "/plant/bookings/<number>/came", *STAFF, methods=("GET", "POST"))
def undo(here: Page, number: str) -> Any:
    """The no-show was a mistake: the booking stands again, if its room is still free."""
    found, form = one_of(here, number), ConfirmForm()
    refused = cannot_undo(found, here.law)
    if refused is not None:
        return not_done(here, number, refused, "Nothing to take back")
    if form.validate_on_submit():
        done = undo_no_show(here.plant, found.booking.id, by=here.by, at=here.at, law=here.law)
        if isinstance(done, Refusal):
            return not_done(here, number, done, "The no-show stays recorded")
        held = ", held by a restriction" if bookings.view(done, here.at).state == "held" else ""
        return here.done("intake.plant_booking", f"Booking {number} stands again{held}.", number=number)
    return here.show("intake/phone/undo.html", form=form, view=found, **slip(here, found))


@page(bp, "/plant/phone", *STAFF)
@standing()
def phone(here: Page) -> Any:
    """Who is on the phone?"""
    words = request.args.get("find", "").strip()
    if words:
        known = [(business.id, party) for business, party in haulers.find_businesses(here.plant.id, words)]
    else:
        found = haulers.approvals_in_force(here.plant.id, here.at, here.law)
        known = list({business.id: party for _, business, party in found}.items())
    return here.show("intake/phone/who.html", known=known, words=words)


@page(bp, "/plant/phone/<int:business_id>", *STAFF, methods=("GET", "POST"))
@standing()
def phone_load(here: Page, business_id: int) -> Any:
    """How much will they bring?"""
    return load_step(here, way_of(here, business_id))


@page(bp, "/plant/phone/<int:business_id>/times", *STAFF, methods=("GET", "POST"))
@standing()
def phone_times(here: Page, business_id: int) -> Any:
    """When will they unload? Only the times that fit."""
    return times_step(here, way_of(here, business_id))


@page(bp, "/plant/phone/<int:business_id>/check", *STAFF, methods=("GET", "POST"))
@standing()
def phone_check(here: Page, business_id: int) -> Any:
    """Read it back, then confirm."""
    return check_step(here, way_of(here, business_id))


def way_of(here: Page, business_id: int) -> Way:
    """The desk's way for a hauler this plant knows; another reads as not found."""
    if business_id not in {business.id for business, _ in haulers.businesses_at(here.plant.id)}:
        abort(404)
    return phone_way(business_id)


def one_of(here: Page, number: str) -> BookingView:
    """A booking of this plant as it stands."""
    booking = bookings.booking_numbered(here.plant.id, number) or abort(404)
    return bookings.view(booking, here.at)


def may_miss(here: Page, found: BookingView) -> bool:
    """Whether it can be said that nobody came: its time has begun and no load was opened."""
    return found.state in ("booked", "passed") and found.starts <= here.at


def not_done(here: Page, number: str, why: Refusal, title: str) -> Any:
    """What was asked cannot be done: why, and back to the booking."""
    links = [("Back to the booking", url_for("intake.plant_booking", number=number))]
    return here.refuse(why, title=title, next=links)
