"""Pages of the Director and the plant manager: the plant today, restrict and lift."""

from collections.abc import Sequence
from datetime import timedelta
from math import ceil
from typing import Any

from flask import abort, request

from haulers import queries as haulers
from intake.actions.restriction import cannot_restrict, lift_restriction, restrict_plant, update_restriction
from intake.forms.restriction import AT_FIELD, NEXT_UPDATE_HOURS, SCOPES, LiftForm, RestrictForm, UpdateForm
from intake.models import Restriction
from intake.queries import (
    bookings,
    excess,
    incidents,
    loads,
    public,
    restrictions,
    results,
    retests,
    sampling_plan,
    special,
)
from intake.queries import flow as flows
from intake.queries.bookings import Group
from intake.queries.limit_met import over_now
from intake.queries.lost_times import lost_times
from intake.queries.met import met
from intake.queries.pictures import StaffDay, staff_day
from intake.queries.restriction_words import Asked, asked_of, effect_words, point_names, scope_words
from intake.queries.restrictions import HeldBooking
from intake.routes.base import bp
from office.access import Role
from office.forms import Form
from office.pages import Page, page
from office.standing import standing
from ordinances.refusal import Refusal
from ordinances.screening import WASTE_TYPES

BOTH = (Role.DIRECTOR, Role.MANAGER)
NO_SEPTAGE = Refusal("not_here", "The law of this plant has no unloading hours and no limit.", "")


@page(bp, "/director", *BOTH)
def director_home(here: Page) -> Any:
    """The plant today: its state, four numbers, what needs you, the day with names."""
    now = public.plant_status(here.plant, here.law, here.at)
    days = flows.flow_days(here.plant, here.law, here.today, here.at)
    return here.show(
        "intake/director/home.html", now=now, days=days, expected=loads.expected(here.plant, here.today, here.at),
        running=loads.running_now(here.plant.id, here.at),
        waiting=len(results.waiting(here.plant.id, here.today)), overdue=len(loads.overdue(here.plant.id, here.at)),
        active=_in_force(here), over=len(over_now(here.plant, here.law, here.at)) if here.law.has(
            "rate.plan_gph", here.today) else 0, lost=[one for one in lost_times(here.plant, here.at) if not one.since],
        held=flows.waiting(here.plant.id), rates=excess.of_plant(here.plant.id, open_only=True),
        again=len(retests.of_plant(here.plant.id, open_only=True)), plans=sampling_plan.waiting(here.plant.id),
        accidents=incidents.of_plant(here.plant.id, open_only=True),
        special=special.for_director(here.plant.id, here.at),
        sheet=_sheet(here, now), **_busiest(days[-1] if days and days[-1].day == here.today else None, now,
                                              flows.unloaded(here.plant.id, here.today, here.at)),
    )  # fmt: skip


def _busiest(day: flows.FlowDay | None, now: public.Status, unloaded: int) -> dict[str, Any]:
    """Today's busiest hour in whole gallons, of what ran never more than was unloaded (a tank bleeds that of other days
    too), and the limit: that of the law while everything is restricted."""
    most = ceil(day.busiest) if day else 0
    most = most if day and int(day.busiest) > unloaded else min(most, unloaded)
    return {"busiest": most, "limit": now.limit_gph or (day.limit if day else None), "unloaded": unloaded}


@page(bp, "/director/lost", Role.OPERATOR, Role.MANAGER, Role.DIRECTOR, Role.CLERK)
def lost_bookings(here: Page) -> Any:
    """Bookings that lost their time: whom to call, and what each has booked since."""
    return here.show("intake/director/lost.html", rows=lost_times(here.plant, here.at))


def _sheet(here: Page, now: public.Status) -> StaffDay | None:
    """Today with names, while something of it is still to come."""
    if now.picture is None or now.picture.day != here.today:
        return None
    return staff_day(here.plant, here.law, here.today, here.at, now.picture)


def _in_force(here: Page) -> list[tuple[Restriction, str]]:
    """The restrictions in force with what each is about, the widest first."""
    rows = restrictions.in_force(here.plant.id, here.at)
    names = point_names(rows)
    return [(row, scope_words(row, names)) for row in rows]


@page(bp, "/director/restrict", Role.DIRECTOR, methods=("GET", "POST"))
@standing()
def restrict(here: Page) -> Any:
    """Why are you restricting septage? The button with the reason does it; less than everything is shown first."""
    if not here.law.has("restriction.by", here.today):
        return here.refuse(NO_SEPTAGE)
    rows, asked = restrictions.in_force(here.plant.id, here.at), Asked()
    form = _restrict_form(here, rows)
    if form.validate_on_submit():
        asked = form.asked()
        refused = cannot_restrict(here.plant, asked, here.at, here.law)
        shown = asked.scope == "everything" or request.form.get("seen") == _key(asked)
        if refused is None and form.reason.data and shown:
            refused = restrict_plant(
                here.plant, form.reason.data, scope=asked.scope, gph=asked.gph, wastes=asked.wastes,
                points=asked.points, note=form.note.data or "", by=here.by, at=here.at, law=here.law,
                next_update=here.at + timedelta(hours=form.hours.data or NEXT_UPDATE_HOURS),
            )  # fmt: skip
        if isinstance(refused, Restriction):
            return here.done("intake.restriction", restriction_id=refused.id)
        if refused is not None:
            if refused.code not in AT_FIELD:
                return here.refuse(refused)
            form.refuse(AT_FIELD[refused.code], refused.why)
            asked = Asked()
    found, names = met(here.plant, here.law, here.at, asked), point_names([asked, *rows])
    return here.show(
        "intake/director/restrict.html", form=form, met=found, lines=lines(list(found.groups)), asked=asked,
        effect=effect_words(asked, names), seen=_key(asked), active=[(row, scope_words(row, names)) for row in rows],
    )  # fmt: skip


def _restrict_form(here: Page, rows: list[Restriction]) -> RestrictForm:
    """The form with what the law lets be restricted, and what is not restricted whole already."""
    form = RestrictForm()
    reasons, scopes = (here.law.value(f"restriction.{key}", here.today) for key in ("reasons", "scopes"))
    whole = any(row.scope == "everything" for row in rows)
    form.reason.choices = [(one, restrictions.title_of(one)) for one in reasons]
    form.scope.choices = [one for one in SCOPES if one[0] in scopes and not (whole and one[0] == "everything")]
    form.wastes.choices = list(WASTE_TYPES.items())
    form.points.choices = [(one.id, one.name) for one in bookings.points(here.plant.id)]
    if "look" in request.form:
        form.reason.empty = None
    return form


def _key(asked: Asked) -> str:
    """What was shown before, so that it is just this that is done."""
    return f"{asked.scope} {asked.gph or ''} {','.join(asked.wastes)} {','.join(map(str, asked.points))}"


@page(bp, "/director/restrictions/<int:restriction_id>", *BOTH)
def restriction(here: Page, restriction_id: int) -> Any:
    """Septage is restricted: since when, why, whom it was told, what it holds, what must stop now."""
    row = restrictions.of_plant(here.plant.id, restriction_id) or abort(404)
    held = restrictions.held_by(row.id)
    sessions = bookings.sessions_of([one.booking.id for one in held])
    names, now = haulers.business_names({one.booking.business_id for one in held}), _now(here, held)
    return here.show(
        "intake/director/restriction.html", row=row, title=restrictions.title_of(row.reason), held=held,
        now=now, sessions=sessions, names=names, told=restrictions.told(row),
        said=restrictions.updates_of([row.id])[row.id],
        stop=restrictions.to_stop(here.plant.id, here.at, asked_of(row)), scope=scope_words(row, point_names([row])),
        just_now=here.at <= row.starts + restrictions.MISTAKE,
        outlasts=row.lifted_at is None and row.planning_end <= here.at,
    )  # fmt: skip


@page(bp, "/director/restrictions/<int:restriction_id>/update", Role.DIRECTOR, methods=("GET", "POST"))
def update(here: Page, restriction_id: int) -> Any:
    """How does it stand? Everybody is told, and the restriction is planned with further."""
    row = restrictions.of_plant(here.plant.id, restriction_id) or abort(404)
    form = UpdateForm()
    if form.validate_on_submit():
        following = here.at + timedelta(hours=form.hours.data or NEXT_UPDATE_HOURS)
        done = update_restriction(here.plant, row.id, form.note.data, following, by=here.by, at=here.at, law=here.law)
        if isinstance(done, Refusal):
            return here.refuse(done)
        return here.done("intake.restriction", restriction_id=row.id, said="The update is sent.")
    until = max(row.planning_end, restrictions.end_of_planning(here.law, here.at))
    found = met(here.plant, here.law, here.at, asked_of(row), until, held_by=row.id)
    return here.show("intake/director/update.html", form=form, row=row, met=found)


@page(bp, "/director/restrictions/<int:restriction_id>/lift", Role.DIRECTOR, methods=("GET", "POST"))
def lift(here: Page, restriction_id: int) -> Any:
    """What was done?"""
    row = restrictions.of_plant(here.plant.id, restriction_id) or abort(404)
    form = LiftForm()
    if form.validate_on_submit():
        done = lift_restriction(here.plant, row.id, form.done.data, by=here.by, at=here.at, law=here.law)
        if isinstance(done, Refusal):
            return here.refuse(done)
        return here.done("intake.restriction", restriction_id=row.id, said="The restriction is lifted.")
    return here.show("intake/director/lift.html", form=form, row=row, held=_still_held(here, row.id))


@page(bp, "/director/restrictions/<int:restriction_id>/mistake", Role.DIRECTOR, methods=("GET", "POST"))
def mistake(here: Page, restriction_id: int) -> Any:
    """Was this a mistake? Within some minutes it is taken back, and everybody told reads to ignore the message."""
    row = restrictions.of_plant(here.plant.id, restriction_id) or abort(404)
    form = Form()
    if form.validate_on_submit():
        done = lift_restriction(here.plant, row.id, "Restricted by mistake", mistaken=True, by=here.by, at=here.at,
                                law=here.law)  # fmt: skip
        if isinstance(done, Refusal):
            return here.refuse(done)
        return here.done("intake.restriction", restriction_id=row.id, said="The restriction is taken back.")
    return here.show("intake/director/mistake.html", form=form, row=row, held=_still_held(here, row.id))


def _now(here: Page, held: Sequence[HeldBooking]) -> dict[int, str]:
    """What has become of each booking a restriction held: one it holds still may have ended or lost its time since."""
    views = {one.booking.id: one for one in bookings.views([one.booking for one in held], here.at)}
    return {
        ident: one.words if view.state == "held" or (one.hold.ended_at and view.state != "cancelled") else view.words
        for one in held for ident, view in [(one.booking.id, views[one.booking.id])]
    }  # fmt: skip


def _still_held(here: Page, restriction_id: int) -> list[HeldBooking]:
    """The bookings a restriction holds and that have not lost their time or ended meanwhile."""
    held = [one for one in restrictions.held_by(restriction_id) if one.hold.ended_at is None]
    states = {one.booking.id: one.state for one in bookings.views([one.booking for one in held], here.at)}
    return [one for one in held if states[one.booking.id] == "held"]


def lines(groups: list[Group]) -> list[dict[str, Any]]:
    """Bookings that would end, with the hauler's name: number, first start, gallons."""
    names = haulers.business_names({group.sessions[0].business_id for group in groups})
    return [
        {"number": first.number, "hauler": names[first.business_id], "starts": first.starts,
         "gallons": sum(one.gallons for one in group.sessions)}
        for group in groups if (first := group.sessions[0])
    ]  # fmt: skip
