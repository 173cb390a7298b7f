"""The blueprint of intake's pages, and what all of its audiences share."""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any, NamedTuple

from flask import Blueprint, abort, url_for

from haulers import queries as haulers
from intake.actions.special_charge import supervision
from intake.models import Booking, Load
from intake.queries import bookings, loads, more_tests, own_sheets, restrictions, retests
from intake.queries.bookings import BookingView
from intake.queries.findings import added_lines
from intake.queries.point_words import places_told
from intake.queries.priced import scheduled_point
from intake.queries.restriction_words import point_names, stop_words
from intake.states import LoadState
from office import formats
from office.law import law_in_force, law_of_day
from office.pages import Page
from office.plants import Plant
from ordinances.fees import FeeLine, for_load, total
from ordinances.offers import Session
from ordinances.refusal import Refusal
from ordinances.schedule_words import left_out, zones

bp = Blueprint("intake", __name__)


def business_of(here: Page) -> int:
    """The business the signed-in hauler acts for; a hauler without one has no such page."""
    business = haulers.business_of_party(here.by.party_id)
    if business is None:
        abort(404)
    return int(business.id)


def hauler_named(here: Page, business_id: int) -> str:
    """The name of a hauler of this plant; another's reads as not found."""
    known = {one.id: party.name for one, party in haulers.businesses_at(here.plant.id)}
    return str(known.get(business_id) or abort(404))


def restriction_banner(plant: Plant, at: datetime) -> dict[str, str] | None:
    """The red line on every page while a restriction is in force."""
    rows = restrictions.in_force(plant.id, at)
    if not rows:
        return None
    found = rows[0]
    since = formats.clock_time(found.starts, plant.tz)
    if found.starts.astimezone(plant.tz).date() != at.astimezone(plant.tz).date():
        since = f"{formats.day_short(found.starts, plant.tz)}, {since}"
    names = point_names(rows)
    # What stops everything says it all; else each is said, the widest first.
    said = "; ".join(stop_words(row, names) for row in (rows[:1] if found.scope == "everything" else rows))
    href = url_for("intake.notice", restriction_id=found.id) if len(rows) == 1 else url_for("intake.notices")
    return {"kind": "restricted", "text": f"Restricted since {since}: {said}", "href": href}


def booking_of(here: Page, number: str) -> BookingView:
    """The hauler's own booking of this number as it stands; another's reads as not found."""
    booking = bookings.booking_numbered(here.plant.id, number)
    if booking is None or booking.business_id != business_of(here):
        abort(404)
    return bookings.view(booking, here.at)


def slip(here: Page, found: BookingView) -> dict[str, Any]:
    """What the gate looks for on the slip beside the booking: the hauler, its licence, the truck, where it unloads."""
    business_id = found.booking.business_id
    return {"party": haulers.party_of_business(business_id), "licence": haulers.licence_of(business_id),
            "truck": haulers.truck(found.booking.truck_id),
            "where": places_told(here.plant, found.sessions)}  # fmt: skip


def new_tests_of(here: Page, load: Load) -> dict[str, Any]:
    """What a load's page shows beside its results: new tests asked for, whether some may be, the hauler's sheets."""
    several = retests.of_loads([load.id]).get(load.id, [])
    results = loads.results_of([load.id]).get(load.id, {})
    law = law_in_force(here.plant, load.day)
    may = (load.state == LoadState.ACCEPTED.value and bool(results) and law.has(retests.HOURS, load.day)
           and not any(one.state in retests.OPEN for one in several))  # fmt: skip
    return {"several": several, "may": may, "beside": lambda row: retests.beside(row, results),
            "more": more_tests.of_loads([load.id]).get(load.id, []), "sheets": own_sheets.of_load(load.id),
            "counts": own_sheets.counts(here.law, load.day)}  # fmt: skip


class Price(NamedTuple):
    """What a load will cost: its lines and their sum. Where that hangs on its zone the same for each, by its words.

    ``without`` is what only shows when it unloads, in words: nothing of it is in the sum.
    """

    lines: tuple[FeeLine, ...]
    total: Decimal
    zones: tuple[tuple[str, tuple[FeeLine, ...], Decimal], ...] = ()
    without: tuple[str, ...] = ()


def price_of(here: Page, sessions: Sequence[Session], waste: str, booking: Booking | None = None,
             truck_id: int | None = None, business_id: int | None = None) -> Price | None:  # fmt: skip
    """What a load will cost by the law in force, where its zone decides for each zone; None where it has no price.

    ``booking``: the one it comes under, for what a special time adds; ``truck_id`` whose tank may be charged by.
    What the Common Council adopted for the waste of ``business_id``, or of the booking's, is added.
    """
    parts = [(one.start.astimezone(here.plant.tz).date(), one.gallons) for one in sessions]
    truck_id = booking.truck_id if booking is not None else truck_id
    truck = haulers.truck(truck_id) if truck_id is not None else None
    laws = {day: law_of_day(here.plant, day, here.law, here.today) for day, _ in parts}
    point = scheduled_point(here.plant.id, sessions[0].point)
    known = supervision(laws[parts[0][0]], booking, sessions[0]) | {"laws": laws, "point": point}
    known |= {"capacity": truck.capacity if truck else None}
    whose = (booking.business_id if booking is not None else business_id) or 0
    added = added_lines(here.plant.id, whose, waste, parts, sessions[0].start, here.law)
    lines = for_load(here.law, parts, waste, **known)
    without = left_out(laws[parts[0][0]], parts[0][0], waste)
    if not isinstance(lines, Refusal):
        return Price((*lines, *added), total((*lines, *added)), without=without)
    if lines.code == "quantity_missing" and without:
        return Price((), Decimal(0), without=without)
    if lines.code != "origin_missing":
        return None
    found = [(words, for_load(here.law, parts, waste, origin=zone, **known))
             for zone, words in zones(laws[parts[0][0]], parts[0][0])]  # fmt: skip
    by_zone = tuple((words, (*one, *added), total((*one, *added))) for words, one in found
                    if not isinstance(one, Refusal))  # fmt: skip
    return Price((), Decimal(0), by_zone, without) if by_zone or without else None
