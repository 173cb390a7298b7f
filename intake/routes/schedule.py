"""The schedule: two weeks in a table, one day's times for everybody, the same day with names for staff."""

from datetime import date, timedelta
from typing import Any

from flask import abort, url_for

from haulers import queries as haulers
from intake.queries import bookings, capacity, pictures, pounds, two_weeks
from intake.queries.largest import largest_at
from intake.queries.restrictions import full_stop
from intake.queries.results import NAMES
from intake.queries.strength import in_tank, rule_of
from intake.queries.tank_level import level_now
from intake.queries.terms import Terms, terms_of
from intake.routes.base import bp
from office import formats
from office.access import Role
from office.pages import Page, page
from office.standing import standing
from ordinances.calendar import Hours
from ordinances.offers import Session
from ordinances.reader import NoLaw

STAFF = (Role.OPERATOR, Role.MANAGER, Role.DIRECTOR, Role.CLERK)
# How far back and ahead a day has a page.
PAST, AHEAD = timedelta(days=400), timedelta(days=400)


@page(bp, "/week", Role.PUBLIC)
@standing()
def week(here: Page) -> Any:
    """This week and next: gallons still free by quarter hour; who may book does it from here."""
    table = two_weeks.two_weeks(here.plant, here.law, here.at)
    terms, staff = hauler_terms(here), here.by.capacity(STAFF) is not None
    times, book = {}, {}
    for row in table.rows:
        if staff:
            times[row.day] = url_for("intake.day_sheet", day=row.day.isoformat())
        elif not row.closed:
            times[row.day] = url_for("intake.day_times", day=row.day.isoformat())
        if not row.closed and may_book(here, row.day, row.largest, terms):
            book[row.day] = url_for("intake.book", day=row.day.isoformat())
    return here.show("intake/public/week.html", table=table, times=times, book=book, staff=staff)


@page(bp, "/day/<day>", Role.PUBLIC)
def day_times(here: Page, day: str) -> Any:
    """One day: its hours, what is free in each quarter hour, and, for a hauler, its own bookings striped."""
    picture = capacity.day_picture(here.plant, here.law, day_named(here, day), here.at)
    own = own_sessions(here, picture.day)
    href = None
    if picture.is_open and may_book(here, picture.day, picture.largest, hauler_terms(here)):
        href = url_for("intake.book", day=day)
    return here.show("intake/public/day.html", picture=picture, where=largest_at(picture), own=own, href=href,
                     why=why_closed(here, picture), around=around(here, picture.day, "intake.day_times"))  # fmt: skip


@page(bp, "/plant/day/<day>", *STAFF)
def day_sheet(here: Page, day: str) -> Any:
    """The day with names, as it is planned and as it ran; printed, the sheet for the wall."""
    sheet = pictures.staff_day(here.plant, here.law, day_named(here, day), here.at)
    weighed = pounds.of_day(here.plant, here.law, sheet.picture.day)
    level = level_now(here.plant, here.law, here.at) if sheet.picture.day == here.today else None
    mixture = in_tank(here.law, here.at, level) if level is not None else []
    return here.show("intake/station/day.html", sheet=sheet, pounds=weighed, names=NAMES,
                     mixture=mixture, tank=level, tank_rule=rule_of(mixture), picture=sheet.picture,
                     why=why_closed(here, sheet.picture), around=around(here, sheet.picture.day, "intake.day_sheet"),
                     ticket_href=lambda ticket: url_for("intake.load_ticket", ticket=ticket))  # fmt: skip


def day_named(here: Page, typed: str) -> date:
    """The day of an address; one that is none, too far off, or before the first law has no page."""
    try:
        day = date.fromisoformat(typed)
        if day.isoformat() != typed or not here.today - PAST <= day <= here.today + AHEAD:
            abort(404)
        here.law.has("programme.kind", day)
    except (ValueError, NoLaw):
        abort(404)
    return day


def around(here: Page, day: date, endpoint: str) -> list[tuple[str, str]]:
    """The days before and after as links, weekends left out."""
    found = two_weeks.neighbours(here.law, day)
    return [(formats.day_short(one), url_for(endpoint, day=one.isoformat())) for one in found]


def why_closed(here: Page, picture: capacity.DayPicture) -> str:
    """Why a day is closed, as a sentence; "" for a day with hours."""
    if isinstance(picture.hours, Hours):
        return ""
    return full_stop(two_weeks.why_shut(here.law, picture, here.at))


def may_book(here: Page, day: date, largest: int, terms: Terms | None) -> bool:
    """Whether this person is led from a day to booking it: the public and haulers who may bring something then."""
    asks = here.by.person_id is None or Role.HAULER in here.by.roles
    return asks and largest > 0 and (terms is None or terms.gallons_on(day) > 0)


def hauler_terms(here: Page) -> Terms | None:
    """What a signed-in hauler may still book; None for everybody else."""
    business = haulers.business_of_party(here.by.party_id) if Role.HAULER in here.by.roles else None
    return None if business is None else terms_of(here.plant.id, business.id, here.law, here.at)


def own_sessions(here: Page, day: date) -> list[Session]:
    """The sessions a signed-in hauler has booked on a day: its own, to be striped."""
    business = haulers.business_of_party(here.by.party_id) if Role.HAULER in here.by.roles else None
    if business is None:
        return []
    found = bookings.of_business(here.plant.id, business.id, here.at)
    return [Session(one.starts, one.ends, one.gph, one.gallons) for view in found for one in view.sessions
            if one.day == day and (view.is_live or view.state == "held")]  # fmt: skip
