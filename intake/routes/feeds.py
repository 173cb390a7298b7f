"""The calendar of a hauler's bookings: its secret address, the file read under it, one booking as a file."""

import hashlib
from typing import Any

from flask import abort, current_app, request, url_for
from werkzeug.wrappers import Response

from haulers import queries as haulers
from intake.actions.feed import end_feed_address, make_feed_address
from intake.queries import feed, feed_address
from intake.queries.calendar_file import calendar_file
from intake.queries.feed import Event
from intake.routes.base import booking_of, bp, business_of
from office.access import Role
from office.pages import Page, page
from ordinances.refusal import Refusal


@page(bp, "/hauler/calendar", Role.HAULER, methods=("GET", "POST"))
def hauler_calendar(here: Page) -> Any:
    """Your calendar: its address, how a phone takes it up, a new address, off."""
    business_id, key = business_of(here), str(current_app.config["SECRET_KEY"])
    if request.method == "POST" and request.form.get("do") in ("make", "stop"):
        if request.form["do"] == "make":
            done = make_feed_address(here.plant, business_id, key, by=here.by, at=here.at)
            said = "This is the address of your calendar. Any address you had before has stopped working."
        else:
            done = end_feed_address(here.plant, business_id, by=here.by, at=here.at)
            said = "Your calendar is off. Its address has stopped working."
        return here.refuse(done) if isinstance(done, Refusal) else here.done("intake.hauler_calendar", said)
    row = feed_address.live(here.plant.id, business_id)
    word = feed_address.shown(row, key) if row is not None else None
    address = outside(url_for("intake.calendar_feed", word=word)) if word else None
    return here.show("intake/hauler/calendar.html", row=row, address=address)


@page(bp, "/calendar/<word>.ics", Role.PUBLIC)
def calendar_feed(here: Page, word: str) -> Any:
    """The bookings of the hauler whose calendar has this secret address, for calendars that look again each hour."""
    row = feed_address.asked(here.plant.id, word) or abort(404)
    name = f"{haulers.party_of_business(row.business_id).name}: unloading at {here.plant.city}"
    return _file(here, name, feed.events_of(here.plant, row.business_id, here.at), refresh=True)


@page(bp, "/hauler/bookings/<number>/calendar.ics", Role.HAULER)
def booking_file(here: Page, number: str) -> Any:
    """One booking of yours as a file that a calendar takes in once."""
    found = booking_of(here, number)
    answer = _file(here, f"Booking {number}", feed.events(here.plant, [found.booking], here.at), refresh=False)
    answer.headers["Content-Disposition"] = f'attachment; filename="{found.booking.number}.ics"'
    return answer


def outside(path: str) -> str:
    """An address as people outside write it, whatever name this request came by."""
    return f"{str(current_app.config['SEPTAGE_URL']).rstrip('/')}{path}"


def _file(here: Page, name: str, events: list[Event], *, refresh: bool) -> Response:
    links = {one.number: outside(url_for("intake.hauler_booking", number=one.number)) for one in events}
    content = calendar_file(here.plant, name, events, links, refresh=refresh)
    answer = Response(content, content_type="text/calendar; charset=utf-8")
    answer.set_etag(hashlib.sha256(content).hexdigest()[:32])
    return answer.make_conditional(request)
