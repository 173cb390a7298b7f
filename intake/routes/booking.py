"""A booking is made: how much, when, check, booked. Only the last step writes.

The steps serve the hauler's own pages here and the desk's for somebody on the telephone (``intake.routes.phone``).
"""

from dataclasses import dataclass, field, replace
from datetime import date, time
from typing import Any

from flask import flash, redirect, request, url_for

from haulers import queries as haulers
from haulers.queries.awaiting import awaiting
from intake.actions.booking import book_discharge
from intake.forms.booking import MOST, ConfirmForm, LoadForm, StartForm, TimeForm
from intake.models import Booking
from intake.queries import bookings, no_fit, offered, other_start, point_words, statements
from intake.queries.allowance import limits
from intake.queries.asked_day import other_day
from intake.queries.named_driver import choices as driver_choices
from intake.queries.named_driver import driver_refused, driver_told, drivers_named
from intake.queries.named_driver import usual as usual_driver
from intake.queries.records_due import barred
from intake.queries.restrictions import full_stop
from intake.queries.terms import Terms, terms_of
from intake.routes.base import booking_of, bp, business_of, price_of, slip
from intake.routes.ways import Way, own_way
from office import formats
from office.access import Role
from office.db import only_read
from office.pages import SENT_BEFORE, Page, page
from office.standing import standing
from ordinances.booking_terms import answer_time
from ordinances.offers import Session
from ordinances.refusal import Refusal
from ordinances.screening import WASTE_TYPES

# Refusals that lead to fresh times, and the heading of each.
NOT_NOW = {
    "taken": "That time was just taken",
    "past": "That time has passed",
    "over_limit": "That is more than the limit allows",
    "changed": "That time has changed",
    "not_offered": "That time is not offered",
    "truck_taken": "The truck is taken at that time",
}


# Refusals of the load itself, which no other time mends.
WASTE = ("not_septage", "waste_not_covered", "truck_not_approved", "no_point", "point_closed", "point_waste", "manhole",
         "driver")  # fmt: skip


@dataclass(frozen=True)
class Asked:
    """What the hauler brings, as the address carries it from step to step."""

    way: Way
    truck: Any
    gallons: int
    waste: str
    day: date | None
    point: int | None = None
    driver_key: str = ""
    drivers: dict[str, str] = field(default_factory=dict)

    @property
    def driver(self) -> str:
        """Who is named to drive, "" for nobody yet."""
        return self.drivers.get(self.driver_key, "")

    @property
    def business_id(self) -> int:
        return self.way.business_id

    @property
    def args(self) -> dict[str, Any]:
        given = {"truck": self.truck.id, "gallons": self.gallons, "waste": self.waste}
        given |= {"driver": self.driver_key} if self.driver_key else {}
        return given if self.point is None else given | {"point": self.point}


@page(bp, "/hauler/book", Role.HAULER, methods=("GET", "POST"))
@standing()
def book(here: Page) -> Any:
    """How much will you bring?"""
    return load_step(here, own_way(here))


def load_step(here: Page, way: Way) -> Any:
    """What is brought, with the truck used last filled in."""
    stopped = may_book(here, way.business_id)
    if stopped is not None:
        return cannot_book(here, way, stopped)
    standing = haulers.standing(here.plant.id, way.business_id, here.at, here.law)
    begins = standing.later.starts if standing.later is not None and standing.state != "approved" else None
    trucks = haulers.trucks_of(way.business_id)
    form = load_form(here, way.business_id, trucks)
    if form.validate_on_submit() and holds(form, trucks):
        args = {"truck": form.truck.data, "gallons": form.gallons.data, "waste": form.waste.data}
        if "where" in form and form.where.data != "any":
            args["point"] = form.where.data
        if "driver" in form:
            args["driver"] = form.driver.data
        return redirect(way.url("times", day=request.args.get("day"), **args), 303)
    return here.show("intake/hauler/book.html", form=form, trucks=trucks, begins=begins, way=way,
                     unstated=statements.missing(here.plant.id, here.law,
                                                 business_ids=[way.business_id]))  # fmt: skip


@page(bp, "/hauler/book/times", Role.HAULER, methods=("GET", "POST"))
def book_times(here: Page) -> Any:
    """When will you unload? Only the times that fit."""
    return times_step(here, own_way(here))


def times_step(here: Page, way: Way) -> Any:
    """The times that fit, the earliest chosen; or why none does, and the ways on."""
    load = asked(here, way)
    if load is None:
        return redirect(way.url("load"))
    stopped = may_book(here, way.business_id)
    if stopped is not None:
        return cannot_book(here, way, stopped)
    terms = load_terms(here, load)
    wrong = terms.waste_wrong()
    if wrong is not None:
        return refused(here, load, wrong)
    found = fresh(here, load, terms, load.day)
    if not found.fits:
        return no_time(here, load, terms, found)
    start, typed = typed_start(here, found, load.gallons)
    form = time_form(found, request.args.get("time"), typed)
    if form.validate_on_submit():
        return redirect(way.url("check", s=form.time.data, **load.args), 303)
    mine = [one for one in (*found.fits, typed) if one and offered.to_key(one) == form.time.data] or found.fits[:1]
    return here.show("intake/hauler/times.html", form=form, start=start, load=load, found=found, mine=mine, way=way,
                     other=other_day(here.law, here.today, load.day, found.day),
                     full_days=any(not (one.fits or one.why or one.over) for one in found.days),
                     waits_too=waits_too(here),
                     waste=WASTE_TYPES[load.waste])  # fmt: skip


@page(bp, "/hauler/book/check", Role.HAULER, methods=("GET", "POST"))
def book_check(here: Page) -> Any:
    """Check and confirm your booking."""
    return check_step(here, own_way(here))


def check_step(here: Page, way: Way) -> Any:
    """What would be booked and what it costs; the button books it."""
    load, sessions = asked(here, way), offered.from_keys(request.args.getlist("s"), here.law)
    if load is None or not sessions:
        return redirect(way.url("load"))
    days = [one.start.astimezone(here.plant.tz).date() for one in sessions]
    form, made = ConfirmForm(), None
    booked_page = "intake.plant_booking" if way.by_phone else "intake.booked"
    if form.validate_on_submit():
        made = book_discharge(here.plant, load.business_id, load.truck.id, load.waste, load.gallons, sessions,
                              driver=load.driver, by_phone=way.by_phone, by=here.by, at=here.at,
                              law=here.law)  # fmt: skip
        if isinstance(made, Booking):
            said = f"Booked by phone for {way.name}: {made.number}." if way.by_phone else None
            return here.done(booked_page, said, number=made.number)
    # The act looks at the waste itself, so a booking that is made needs no second look.
    terms = load_terms(here, load)
    wrong = terms.waste_wrong(days) or driver_refused(load.business_id, load.driver, days, here.law)
    if wrong is not None:
        return refused(here, load, wrong)
    if made is not None:
        before = bookings.same_booking(here.plant.id, load.business_id, load.truck.id, load.waste, sessions)
        if before is not None:
            flash(SENT_BEFORE, "info")
            return redirect(url_for(booked_page, number=before.number), 303)
        return fresh_times(here, load, terms, sessions, made) if made.code in NOT_NOW else refused(here, load, made)
    again = again_args(here, load, sessions)
    return here.show(
        "intake/hauler/check.html", form=form, load=load, sessions=sessions, waste=WASTE_TYPES[load.waste],
        price=price_of(here, sessions, load.waste, truck_id=load.truck.id, business_id=load.business_id),
        again=again,
        note=limit_note(here, load, sessions),
        way=way, where=point_words.places_told(here.plant, sessions),
        told=driver_told(load.business_id, load.driver, days, here.law),
        unstated=statements.missing(here.plant.id, here.law, truck_id=load.truck.id),
    )  # fmt: skip


def limit_note(here: Page, load: Asked, sessions: list[Session]) -> str:
    """What limits that refuse nothing say of the load."""
    days = [one.start.astimezone(here.plant.tz).date() for one in sessions]
    found = bookings.approval_for(here.plant.id, load.business_id, days, here.at)
    parts = [(day, one.gallons) for day, one in zip(days, sessions, strict=True)]
    return limits(found, here.law, here.at).note(parts, load.waste) if found is not None else ""


@page(bp, "/hauler/book/again", Role.HAULER)
def book_again(here: Page) -> Any:
    """The last load once more, at the first time it fits: straight to the check page."""
    business_id = business_of(here)
    last = bookings.last_of_business(here.plant.id, business_id)
    truck = haulers.truck(last.truck_id) if last is not None else None
    if last is None or truck is None or may_book(here, business_id) is not None:
        return redirect(url_for("intake.book"))
    drivers = drivers_named(business_id, here.at)
    key = usual_driver(here.plant.id, business_id, drivers) if drivers else ""
    load = Asked(Way(business_id), truck, last.gallons, last.waste, None, driver_key=key, drivers=drivers)
    found = fresh(here, load, load_terms(here, load))
    if not found.fits:
        return redirect(url_for("intake.book_times", **load.args))
    return redirect(url_for("intake.book_check", s=offered.to_key(found.fits[0]), **load.args))


@page(bp, "/hauler/booked/<number>", Role.HAULER)
def booked(here: Page, number: str) -> Any:
    """Booked: the number, the times, what comes next."""
    found = booking_of(here, number)
    if not found.is_live:
        return redirect(url_for("intake.hauler_booking", number=number))
    waste = WASTE_TYPES[found.booking.waste]
    return here.show("intake/hauler/booked.html", view=found, waste=waste, **slip(here, found))


def may_book(here: Page, business_id: int) -> Refusal | None:
    """Why this hauler cannot book at all, said before anything is typed."""
    standing = haulers.standing(here.plant.id, business_id, here.at, here.law)
    if standing.state in ("approved", "not_begun") or (standing.state == "revoked" and standing.later is not None):
        if haulers.trucks_of(business_id):
            return barred(here.plant.id, business_id, here.law, here.at)
        return Refusal("no_truck", "Add a truck with its plate and tank size before you book.", "")
    return Refusal(str(standing.state), standing.why, standing.cite)


def cannot_book(here: Page, way: Way, stopped: Refusal) -> Any:
    """Why this hauler cannot book at all, and the next step."""
    waits = None
    if stopped.code == "not_approved":
        waits = awaiting(here.plant.id, way.business_id, here.law, here.at)
    return here.show("intake/hauler/cannot_book.html", refusal=stopped, waits=waits, way=way)


def load_form(here: Page, business_id: int, trucks: list[Any]) -> LoadForm:
    """The first step, filled with the truck used last and what its tank holds."""
    last = bookings.last_of_business(here.plant.id, business_id)
    first = next((one for one in trucks if last is not None and one.id == last.truck_id), trucks[0])
    usual = last.gallons if last is not None and last.truck_id == first.id else first.capacity
    kinds = terms_of(here.plant.id, business_id, here.law, here.at).kinds
    waste = last.waste if last is not None and last.waste in kinds else kinds[0] if kinds else None
    drivers = drivers_named(business_id, here.at)
    driver = usual_driver(here.plant.id, business_id, drivers) if drivers else None
    form = LoadForm(data={"truck": first.id, "gallons": usual, "waste": waste, "driver": driver})
    form.driver.choices = driver_choices(drivers)
    if not drivers:
        del form.driver
    form.waste.choices = [(kind, WASTE_TYPES[kind]) for kind in kinds]
    form.where.choices = point_words.choices(here.plant, business_id, here.today)
    if not form.where.choices:
        del form.where
    form.truck.choices = [
        (one.id, one.name or one.plate, f"{one.plate}, {formats.volume(one.capacity)}") for one in trucks
    ]
    return form


def holds(form: LoadForm, trucks: list[Any]) -> bool:
    """Whether the truck holds so many gallons; says so at the field when it does not."""
    truck = next(one for one in trucks if one.id == form.truck.data)
    if form.gallons.data <= truck.capacity:
        return True
    form.refuse("gallons", f"Gallons must be {truck.capacity:,} or fewer: truck {truck.plate} holds no more")
    return False


def asked(here: Page, way: Way) -> Asked | None:
    """What the address says is brought, if it makes sense for this hauler."""
    truck = next((one for one in haulers.trucks_of(way.business_id) if str(one.id) == request.args.get("truck")), None)
    gallons, waste = request.args.get("gallons", 0, type=int), request.args.get("waste", "")
    if truck is None or waste not in WASTE_TYPES or not 0 < gallons <= min(MOST, truck.capacity):
        return None
    try:
        day = date.fromisoformat(request.args.get("day", ""))
    except ValueError:
        day = None
    driver = request.args.get("driver", "")
    return Asked(way, truck, gallons, waste, day, request.args.get("point", type=int), driver,
                 drivers_named(way.business_id, here.at) if driver else {})  # fmt: skip


def load_terms(here: Page, load: Asked) -> Terms:
    """What the hauler may book this waste under."""
    terms = terms_of(here.plant.id, load.business_id, here.law, here.at, load.waste, truck=load.truck)
    return replace(terms, named=load.way.name) if load.way.by_phone else terms


def fresh(here: Page, load: Asked, terms: Terms, day: date | None = None) -> offered.Offered:
    """The times for a load on the days the hauler may book."""
    return offered.find(here.plant, terms, here.at, load.gallons, day, truck=load.truck,
                        point_id=load.point)  # fmt: skip


def again_args(here: Page, load: Asked, sessions: list[Session]) -> dict[str, Any]:
    """The way back to the times, with the one chosen still checked."""
    if len(sessions) > 1:
        return load.args
    day = sessions[0].start.astimezone(here.plant.tz).date()
    return load.args | {"day": day.isoformat(), "time": offered.to_key(sessions[0])}


def typed_start(here: Page, found: offered.Offered, gallons: int) -> tuple[StartForm, Session | None]:
    """The little form for another start, and the session of the one typed, or of the one chosen before; where none
    begins then, the form says why."""
    typed = "start" in request.args
    form = StartForm(request.args if typed else None, meta={"csrf": False})
    clock: time | None = None
    if typed:
        clock = form.start.data if form.validate() else None
    else:
        before = offered.from_key(request.args.get("time", ""), here.law)
        clock = before.start.time() if before is not None and before.start.date() == found.day else None
    one = other_start.start_on(here.law, found, gallons, clock) if clock is not None else None
    if isinstance(one, str):
        if typed:
            form.refuse("start", one)
        return form, None
    return form, one


def time_form(found: offered.Offered, wanted: str | None = None, typed: Session | None = None, *, sent: bool = True
              ) -> TimeForm:  # fmt: skip
    """The times that fit, with the one typed; the typed or wanted one is chosen, else the earliest. ``sent`` is False
    where it answers another form than its own, which chose nothing here."""
    by_start = {one.start: one for one in (*found.fits, typed) if one is not None}
    several = [by_start[start] for start in sorted(by_start)]
    keys = [offered.to_key(one) for one in several]
    mine = offered.to_key(typed) if typed else wanted
    chosen = {"time": mine if mine in keys else keys[0]}
    form = TimeForm(data=chosen) if sent else TimeForm(None, data=chosen)
    form.time.choices = [
        (
            offered.to_key(one),
            formats.span(one.start, one.end),
            ", ".join(filter(None, (formats.rate(one.gph), found.where(one)))),
            "Earliest" if not n else None,
        )
        for n, one in enumerate(several)
    ]
    return form


def no_time(here: Page, load: Asked, terms: Terms, found: offered.Offered) -> Any:
    """Nothing fits: why, and the three ways on."""
    parts = offered.split_over(here.plant, terms, here.at, load.gallons, truck=load.truck)
    needs = no_fit.needs(found, load.gallons)
    keys = [offered.to_key(one) for one in parts] if not isinstance(parts, Refusal) else []
    return here.show("intake/hauler/no_time.html", load=load, way=load.way, found=found, pieces=parts, keys=keys,
                     waits_too=waits_too(here), other=other_day(here.law, here.today, load.day, found.day),
                     needs=needs, against=no_fit.against(found, load.gallons),
                     too_long=bool(needs) and load.gallons > max(one.whole for one in needs),
                     licensed=found.day is None or terms.licensed(found.day))  # fmt: skip


def waits_too(here: Page) -> bool:
    """Whether this plant keeps a waiting list."""
    return answer_time(here.law, here.today) is not None


def refused(here: Page, load: Asked, why: Refusal) -> Any:
    """The booking cannot be made: why, and back to the load, which is kept."""
    way = load.way
    times = ("Choose another time", way.url("times", **load.args))
    back = ("Change the load", way.url("load")) if why.code in WASTE else times
    title = f"Tell {way.name}: this booking cannot be made" if way.by_phone else "This booking cannot be made"
    home = ("Bookings" if way.by_phone else "Home", way.url("home"))
    return here.refuse(why, title=title, next=[back, home])


def fresh_times(here: Page, load: Asked, terms: Terms, sessions: list[Session], why: Refusal) -> Any:
    """The time chosen cannot be had: why in true words, the fresh times, everything typed kept."""
    only_read()
    day = sessions[0].start.astimezone(here.plant.tz).date()
    found = fresh(here, load, terms, None if len(sessions) > 1 else day)
    if not found.fits:
        found = fresh(here, load, terms)
    form = time_form(found, sent=False) if found.fits else None
    return here.show("intake/hauler/not_now.html", 409, times=form, load=load, found=found, refusal=why,
                     start=StartForm(None, meta={"csrf": False}),
                     heading=NOT_NOW[why.code], waste=WASTE_TYPES[load.waste],
                     action=load.way.url("times", day=found.day.isoformat() if found.day else None, **load.args),
                     way=load.way,
                     help=full_stop(f"Call {here.plant.phone}, {here.plant.help_hours}"))  # fmt: skip
