"""A hauler's own pages: home, one booking, cancel it."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

from flask import url_for

from haulers import queries as haulers
from haulers.queries.awaiting import awaiting
from haulers.queries.to_do import owed, pending_words, to_apply_for
from haulers.queries.windows import unfinished
from intake.actions.booking import cancel_booking, time_begun
from intake.actions.booking_rules import STAFF
from intake.forms.booking import WHOLE, CancelForm
from intake.models import PlannedSession
from intake.queries import bookings, special, waiting
from intake.queries.allowance import limit_words, limits, used_and_booked
from intake.queries.loads import of_business, record_missing
from intake.queries.named_driver import drivers_named
from intake.routes.base import booking_of, bp, business_of, price_of, slip
from office import formats
from office.access import Role
from office.formats import gallons
from office.pages import Page, page
from ordinances.booking_terms import late_cancel
from ordinances.offers import Session
from ordinances.refusal import Refusal
from ordinances.screening import WASTE_TYPES

LICENCE_SOON = timedelta(days=30)


@page(bp, "/hauler", Role.HAULER)
def hauler_home(here: Page) -> Any:
    """Your company: what is to do, the next booking, the gallons left."""
    business_id = business_of(here)
    standing = haulers.standing(here.plant.id, business_id, here.at, here.law)
    found = bookings.of_business(here.plant.id, business_id, here.at)
    ahead = [one for one in found if one.is_live or one.state == "held"]
    gone = [one for one in found if one.state in ("not_approved", "missed", "listed")]
    counts = standing.later if standing.state == "revoked" and standing.later is not None else standing.approval
    used = used_and_booked(counts.id, here.law, here.at) if counts else None
    granted = haulers.allowances_of([counts])[counts.id] if counts else None
    offers = waiting.open_offers(here.plant, business_id, here.at)
    waits = None
    if standing.state == "not_approved":
        waits = awaiting(here.plant.id, business_id, here.law, here.at)
    last_day = haulers.last_day(standing.approval) if standing.approval is not None else None
    return here.show(
        "intake/hauler/home.html", waits=waits, offers=offers, standing=standing, last_day=last_day, ahead=ahead,
        gone=gone, used=used, party=haulers.party_of_business(business_id), granted=granted,
        last=bookings.last_of_business(here.plant.id, business_id),
        todo=todo(here, business_id, standing), pending=pending_words(here.plant.id, business_id),
        limits_left=limits_left(here, standing),
        asked=special.waiting_of(here.plant.id, business_id, here.at), **ahead_of(standing),
    )  # fmt: skip


def ahead_of(standing: haulers.Standing) -> dict[str, Any]:
    """What the next approval of the hauler says, where one begins on a day to come."""
    if standing.later is None:
        return {"begins": "", "later_granted": (0, 0)}
    return {"begins": haulers.begins_words(standing.later),
            "later_granted": haulers.allowances_of([standing.later])[standing.later.id]}  # fmt: skip


def limits_left(here: Page, standing: haulers.Standing) -> list[tuple[str, str]]:
    """The limits of the approval that count today, each with the gallons left."""
    if standing.approval is None or not standing.approved:
        return []
    found = limits(standing.approval, here.law, here.at)
    return [(limit_words(one), gallons(found.left(one, here.today))) for one in found.on(here.today, "")]


def todo(here: Page, business_id: int, standing: haulers.Standing) -> list[dict[str, Any]]:
    """What the hauler owes: changes and corrections asked for, the application not sent yet, written records, the
    licence that ends."""
    rows: list[dict[str, Any]] = [{"kind": one.kind, "one": one} for one in owed(here.plant, business_id, here.law,
                                                                                 here.at)]  # fmt: skip
    draft = unfinished(here.plant.id, business_id, here.law, here.at)
    if draft is not None:
        rows.append({"kind": "application", "work": draft})
    window = to_apply_for(here.plant, business_id, here.law, here.at) if standing.state != "not_approved" else None
    if window is not None:
        rows.append({"kind": "apply", "work": window})
    for line in of_business(here.plant.id, business_id, 50):
        if record_missing(line.load, line.record):
            rows.append({"kind": "record", "ticket": line.load.ticket, "due": line.load.record_due,
                         "late": line.load.record_due is not None and line.load.record_due < here.at})  # fmt: skip
    if standing.licence is not None and standing.licence.ends_on <= here.today + LICENCE_SOON:
        rows.append(
            {"kind": "licence", "ends": standing.licence.ends_on, "late": standing.licence.ends_on < here.today}
        )
    return rows


@page(bp, "/hauler/bookings", Role.HAULER)
def hauler_bookings(here: Page) -> Any:
    """Every booking of yours: the next one first, then the later ones, then what is past or cancelled."""
    business_id = business_of(here)
    still = bookings.of_business(here.plant.id, business_id, here.at)
    ahead = [one for one in still if one.is_live or one.state == "held"]
    known = {one.booking.id for one in ahead}
    rest = bookings.of_business(here.plant.id, business_id, here.at, ahead=False)
    past = sorted((one for one in rest if one.booking.id not in known), key=lambda one: one.starts, reverse=True)
    return here.show("intake/hauler/bookings.html", ahead=ahead, past=past)


@page(bp, "/hauler/bookings/<number>", Role.HAULER)
def hauler_booking(here: Page, number: str) -> Any:
    """One booking: times, truck, charge, what has become of it."""
    found = booking_of(here, number)
    parts = [Session(one.starts, one.ends, one.gph, one.gallons) for one in found.sessions]
    price, waste = price_of(here, parts, found.booking.waste, found.booking), WASTE_TYPES[found.booking.waste]
    return here.show("intake/hauler/booking.html", view=found, waste=waste, price=price,
                     names_drivers=found.is_live and bool(drivers_named(found.booking.business_id, here.at)),
                     **slip(here, found))  # fmt: skip


@page(bp, "/hauler/bookings/<number>/cancel", Role.HAULER, methods=("GET", "POST"))
def cancel(here: Page, number: str) -> Any:
    """Cancel this booking, or one time of it?"""
    return cancel_step(here, booking_of(here, number), "intake.hauler_booking")


def cancel_step(here: Page, found: bookings.BookingView, back: str) -> Any:
    """Cancel a booking or a part of it; ``back`` is the page of the booking, the hauler's own or the plant's."""
    number = found.booking.number
    if (refused := not_theirs(here, found, found.left, "cancel")) is not None:
        return not_cancelled(here, number, refused, back)
    form = CancelForm()
    if len(found.left) > 1 and not found.lost_rest:
        form.part.choices = part_choices(here, found)
    else:
        del form.part
    if form.validate_on_submit():
        chosen = form.part.data if form.part else WHOLE
        part = None if chosen == WHOLE else date.fromisoformat(chosen)
        done = cancel_booking(here.plant, found.booking.id, form.reason.data, part=part, by=here.by, at=here.at,
                              law=here.law)  # fmt: skip
        if isinstance(done, Refusal) and done.code != "no_reason":
            return not_cancelled(here, number, done, back)
        if isinstance(done, Refusal):
            form.refuse("reason", done.why)
            return here.show("intake/hauler/cancel.html", form=form, view=found, late=None,
                             back=url_for(back, number=number))  # fmt: skip
        said = f"Booking {number} is cancelled."
        if found.opened:
            said = f"What was left of booking {number} is cancelled."
        if part is not None:
            said = f"One time of booking {number} is cancelled."
        return here.done(back, number=number, said=said)
    late = None if found.lost_rest else late_cancel(here.law, found.left[0].starts, here.at)
    return here.show("intake/hauler/cancel.html", form=form, view=found, late=late, back=url_for(back, number=number))


def part_choices(here: Page, found: bookings.BookingView) -> list[tuple[str, str, str]]:
    """The whole booking, or what is left of it, and each of its times with what stays booked without it."""
    left = sum(one.gallons for one in found.left)
    theirs = [one for one in found.left if here.by.capacity(STAFF) is not None or one not in found.begun]
    name = "All that is left of it" if found.opened else "The whole booking"
    made = [(WHOLE, name, f"All of its times, {formats.volume(left)}")] if len(theirs) == len(found.left) else []
    for one in theirs:
        rest = [other for other in found.left if other is not one]
        kept = formats.volume(left - one.gallons)
        label = f"{formats.day_short(one.starts, here.plant.tz)}, {formats.span(one.starts, one.ends, here.plant.tz)}"
        stays = f"{kept} on {' and '.join(formats.day_short(other.starts, here.plant.tz) for other in rest)}"
        made.append((one.day.isoformat(), label, f"{formats.volume(one.gallons)}. The rest stays booked: {stays}"))
    return made


def not_theirs(here: Page, found: bookings.BookingView, given_up: Sequence[PlannedSession], verb: str
               ) -> Refusal | None:  # fmt: skip
    """Why none of some times can be given up by this person: staff may cancel one whose day has passed too."""
    staff = here.by.capacity(STAFF) is not None
    if staff and verb == "cancel" and found.state == "passed":
        return None
    if not staff and given_up and set(given_up) <= set(found.begun):
        return time_begun(here.plant, found.booking, given_up, verb, here.by, here.at, here.law)
    return None if found.may_end else cannot_end(found)


def cannot_end(found: bookings.BookingView) -> Refusal:
    """Why there is nothing to cancel about a booking."""
    number = found.booking.number
    why = {
        "cancelled": f"Booking {number} is cancelled already.",
        "unloaded": f"The load of booking {number} is at the plant or unloaded already.",
        "refused": f"The truck of booking {number} was turned away at the gate.",
    }
    words = why.get(found.state, f"Booking {number} keeps no time any more, so nothing has to be cancelled.")
    return Refusal("nothing_to_cancel", words, "")


def not_cancelled(here: Page, number: str, why: Refusal, back: str = "intake.hauler_booking") -> Any:
    """The booking cannot be cancelled: why, and back to it."""
    links = [("Back to the booking", url_for(back, number=number))]
    return here.refuse(why, title="This booking cannot be cancelled", next=links)
