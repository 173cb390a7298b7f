"""Move a booking: what moves, to when, check. The hauler's own, or any of the plant's for somebody on the telephone."""

from dataclasses import dataclass
from datetime import date
from typing import Any

from flask import abort, redirect, request, url_for

from haulers import queries as haulers
from intake.actions.booking_rules import STAFF
from intake.actions.moving import arranged_once, move_booking, parted
from intake.forms.booking import WHOLE, ConfirmForm, PartForm, StartForm
from intake.models import Booking, PlannedSession
from intake.queries import bookings, offered
from intake.queries.bookings import BookingView
from intake.queries.terms import Terms, terms_of
from intake.routes.base import booking_of, bp, price_of
from intake.routes.booking import NOT_NOW, time_form, typed_start
from intake.routes.hauler import not_theirs, part_choices
from office.access import Role
from office.db import db
from office.pages import Page, page
from ordinances.offers import Session
from ordinances.refusal import Refusal
from ordinances.screening import WASTE_TYPES

MOVERS = (Role.HAULER, *STAFF)


@dataclass(frozen=True)
class Moving:
    """What moves of a booking: its sessions, those that stay, and how an address carries it."""

    view: BookingView
    part: date | None
    leaves: list[PlannedSession]
    stays: list[PlannedSession]
    back: str

    @property
    def booking(self) -> Booking:
        return self.view.booking

    @property
    def gallons(self) -> int:
        return sum(one.gallons for one in self.leaves)

    def url(self, step: str, **args: Any) -> str:
        """The address of a step: times or check."""
        part = self.part.isoformat() if self.part else WHOLE
        return url_for(f"intake.move_{step}", number=self.booking.number, part=part, **args)


def any_booking(here: Page, number: str) -> tuple[BookingView, str]:
    """A booking as it stands, with the page it is read on: any of the plant for staff, a hauler's own."""
    if here.by.capacity(STAFF) is None:
        return booking_of(here, number), "intake.hauler_booking"
    booking = bookings.booking_numbered(here.plant.id, number) or abort(404)
    return bookings.view(booking, here.at), "intake.plant_booking"


def moving(here: Page, number: str) -> Moving:
    """What the address says is to move; all of it where the part is none of the booking's."""
    view, back = any_booking(here, number)
    days = {one.day.isoformat(): one.day for one in view.left}
    part = days.get(request.args.get("part", "")) if len(days) > 1 and not view.lost_rest else None
    leaves, stays = parted(view.booking, part)
    return Moving(view, part, leaves, stays, url_for(back, number=number))


@page(bp, "/bookings/<number>/move", *MOVERS, methods=("GET", "POST"))
def move(here: Page, number: str) -> Any:
    """What do you move? Asked only of a load that is split over several mornings."""
    found = moving(here, number)
    if (refused := cannot_leave(here, found)) is not None:
        return not_moved(here, found, refused)
    if len(found.view.left) == 1 or found.view.lost_rest:
        return redirect(found.url("times"))
    form = PartForm()
    form.part.choices = part_choices(here, found.view)
    if form.validate_on_submit():
        return redirect(url_for("intake.move_times", number=number, part=form.part.data), 303)
    return here.show("intake/moving/part.html", form=form, found=found)


@page(bp, "/bookings/<number>/move/times", *MOVERS, methods=("GET", "POST"))
def move_times(here: Page, number: str) -> Any:
    """To when? The room the booking has counts as free."""
    found = moving(here, number)
    if (refused := cannot_leave(here, found)) is not None:
        return not_moved(here, found, refused)
    offer = fresh(here, found, _day(request.args.get("day", "")))
    start, typed = typed_start(here, offer, found.gallons)
    form = time_form(offer, request.args.get("time"), typed) if offer.fits else None
    if form is not None and form.validate_on_submit():
        return redirect(found.url("check", s=form.time.data), 303)
    return shown(here, found, offer, form, start=start)


@page(bp, "/bookings/<number>/move/check", *MOVERS, methods=("GET", "POST"))
def move_check(here: Page, number: str) -> Any:
    """From when to when: check and confirm."""
    found = moving(here, number)
    sessions = offered.from_keys(request.args.getlist("s"), here.law)
    if not sessions:
        return redirect(found.url("times"))
    form = ConfirmForm()
    if form.validate_on_submit():
        done = move_booking(here.plant, found.booking.id, sessions, part=found.part, by=here.by, at=here.at,
                            law=here.law)  # fmt: skip
        if not isinstance(done, Refusal):
            endpoint = any_booking(here, number)[1]
            return here.done(endpoint, number=number, said=f"Booking {number} is moved.")
        return gone(here, found, done) if done.code in NOT_NOW else not_moved(here, found, done)
    return here.show("intake/moving/check.html", form=form, found=found, sessions=sessions,
                     price=price_of(here, [*sessions, *as_sessions(found.stays)], found.booking.waste,
                                    found.booking))  # fmt: skip


def cannot_leave(here: Page, found: Moving) -> Refusal | None:
    """Why what the address says cannot move: arranged once, begun already, or it keeps no time."""
    return arranged_once(found.booking) or not_theirs(here, found.view, found.leaves, "move")


def as_sessions(rows: list[PlannedSession]) -> list[Session]:
    """Planned sessions as the price is reckoned from them."""
    return [Session(one.starts, one.ends, one.gph, one.gallons) for one in rows]


def _terms(here: Page, found: Moving) -> Terms:
    booking = found.booking
    return terms_of(here.plant.id, booking.business_id, here.law, here.at, booking.waste, booking.id,
                    haulers.truck(booking.truck_id))  # fmt: skip


def fresh(here: Page, found: Moving, day: date | None = None) -> offered.Offered:
    """The times for what moves, its own room counted as free, on days the rest does not take."""
    return offered.find(here.plant, _terms(here, found), here.at, found.gallons, day,
                        truck=haulers.truck(found.booking.truck_id), booking_id=found.booking.id,
                        without=[one.day for one in found.stays])  # fmt: skip


def shown(here: Page, found: Moving, offer: offered.Offered, form: Any, why: Refusal | None = None,
          start: Any = None) -> Any:  # fmt: skip
    """The times that fit; where none does, the mornings it can be split over."""
    pieces: Any = () if offer.fits else offered.split_over(
        here.plant, _terms(here, found), here.at, found.gallons, truck=haulers.truck(found.booking.truck_id),
        booking_id=found.booking.id, without=[one.day for one in found.stays],
    )  # fmt: skip
    keys = [offered.to_key(one) for one in pieces] if not isinstance(pieces, Refusal) else []
    return here.show("intake/moving/times.html", 409 if why else 200, form=form, found=found, offer=offer, keys=keys,
                     start=start or StartForm(None, meta={"csrf": False}),
                     pieces=pieces, refusal=why, heading=NOT_NOW[why.code] if why else "To when do you move it?",
                     waste=WASTE_TYPES[found.booking.waste])  # fmt: skip


def gone(here: Page, found: Moving, why: Refusal) -> Any:
    """The new time cannot be had: why in true words, the fresh times; the old time is as it was."""
    db.session.rollback()
    found = moving(here, found.booking.number)
    offer = fresh(here, found)
    return shown(here, found, offer, time_form(offer, sent=False) if offer.fits else None, why)


def not_moved(here: Page, found: Moving, why: Refusal) -> Any:
    """The booking cannot be moved: why; its time is as it was."""
    links = [("Back to the booking", found.back)]
    return here.refuse(why, title="This booking cannot be moved", next=links)


def _day(typed: str) -> date | None:
    try:
        return date.fromisoformat(typed)
    except ValueError:
        return None
