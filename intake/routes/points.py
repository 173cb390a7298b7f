"""Receiving points: where trucks may unload, as the plant manager specifies (§ 329-7 C(1)); manholes (§ 329-7 D)."""

from typing import Any

from flask import abort, request

from haulers import queries as haulers
from intake.actions import open_point
from intake.actions.points import (
    end_manhole_permission,
    manhole_cite,
    permit_manhole,
    point_refused,
    set_point,
)
from intake.forms.points import EndPermitForm, PermitForm, PointForm, TermsForm, filled
from intake.models import ManholePermission, Point
from intake.queries.bookings import Group, numbers_of
from intake.queries.places import permissions, place_of, places_on, terms_of
from intake.queries.point_met import Change, no_longer_fits, other_terms, permit_ended, place_now
from intake.queries.point_words import facts, told_of
from intake.queries.priced import points_charged_nowhere
from intake.queries.tank import TANK
from intake.routes.base import bp
from intake.routes.director import lines
from office import formats
from office.access import Role
from office.db import db
from office.pages import Page, page
from office.standing import standing
from ordinances.refusal import Refusal

SEERS = (Role.MANAGER, Role.DIRECTOR, Role.ADMINISTRATOR)
WRITERS = (Role.DIRECTOR, Role.MANAGER)
AT_FIELD = {"past": "since", "hours": "opens", "no_name": "name", "no_words": "words",
            "no_hauler": "hauler", "order": "until", "no_reason": "reason", "others": "sure"}  # fmt: skip


@page(bp, "/director/points", *SEERS, methods=("GET", "POST"))
@standing()
def receiving_points(here: Page) -> Any:
    """The plant's receiving points as they are today; open another."""
    form = PointForm()
    if form.validate_on_submit():
        result = open_point(here.plant, form.name.data, form.kind.data, by=here.by, at=here.at, law=here.law)
        if not isinstance(result, Refusal):
            return here.done("intake.receiving_point", f"{result.name} is open.", point_id=result.id)
        form.refuse("name", result.why)
    places = places_on(here.plant.id, [here.today])[here.today]
    return here.show("intake/director/points.html", form=form, points=[(one, facts(one)) for one in places],
                     missing=points_charged_nowhere(here.plant, here.law, here.today))  # fmt: skip


@page(bp, "/director/points/<int:point_id>", *SEERS, methods=("GET", "POST"))
def receiving_point(here: Page, point_id: int) -> Any:
    """One point: what it takes, from which day on, and what was set before; the manager sets it anew."""
    point = _point(here, point_id)
    now = place_now(point, here.today)
    form = TermsForm(data=filled(now) | {"since": here.today})
    if point.kind == TANK:
        form.trucks.hint = "Blank: one"
    losers: list[Group] = []
    if form.validate_on_submit() and _may_be(here, form):
        wanted, since = form.wanted(), form.since.data
        losers = _losers(here, other_terms(point, wanted, since))
        if losers and not (_seen(losers) and form.sure.data):
            form.refuse("sure", "Tick the box to take these times away, or change the point")
        else:
            done = set_point(here.plant, point.id, form.name.data, wanted, since, seen=numbers_of(losers), by=here.by,
                             at=here.at, law=here.law)  # fmt: skip
            if not isinstance(done, Refusal):
                said = f"{form.name.data} is set from {formats.day(since)}.{told_of(len(losers))}"
                return here.done("intake.receiving_point", said, point_id=point.id)
            if done.code == "not_your_role":
                return here.refuse(done)
            form.refuse(AT_FIELD.get(done.code), done.why)
            losers = _losers(here, other_terms(point, wanted, since))
    rows = [(row, facts(place_of(point, row, tank=now.tank))) for row in reversed(terms_of([point.id])[point.id])]
    given = permissions(here.plant.id, point.id)
    names = haulers.business_names({one.business_id for one in given if one.business_id is not None})
    return here.show("intake/director/point.html", form=form, point=point, facts=facts(now), rows=rows, given=given,
                     tank_set=now.tank is not None, names=names,
                     missing=points_charged_nowhere(here.plant, here.law, here.today), losers=lines(losers),
                     numbers=numbers_of(losers), cite=manhole_cite(here.law, here.today))  # fmt: skip


def _point(here: Page, point_id: int) -> Point:
    point = db.session.get(Point, point_id)
    return point if point is not None and point.plant_id == here.plant.id else abort(404)


def _may_be(here: Page, form: TermsForm) -> bool:
    refused = point_refused(here.plant, here.law, form.name.data, form.wanted(), form.since.data, here.at)
    if refused is not None:
        form.refuse(AT_FIELD.get(refused.code), refused.why)
    return refused is None


def _losers(here: Page, change: Change) -> list[Group]:
    return [group for group, _ in no_longer_fits(here.plant, here.law, change, here.at)]


def _seen(losers: list[Group]) -> bool:
    """Whether just these bookings were shown before."""
    return request.form.get("seen") == numbers_of(losers)


@page(bp, "/director/points/<int:point_id>/approve", *WRITERS, methods=("GET", "POST"))
def manhole_approval(here: Page, point_id: int) -> Any:
    """Approve in writing that a hauler unloads into a manhole."""
    point = _point(here, point_id)
    if point.kind != "manhole":
        abort(404)
    form = PermitForm(data={"hauler": "", "written_on": here.today, "since": here.today})
    mine = haulers.approvals_in_force(here.plant.id, here.at, here.law)
    names = sorted({(business.id, party.name) for _, business, party in mine}, key=lambda one: one[1])
    form.hauler.choices = [("all", "Every approved hauler"), *((str(ident), name) for ident, name in names)]
    if form.validate_on_submit():
        whom = None if form.hauler.data == "all" else int(form.hauler.data)
        done = permit_manhole(here.plant, point.id, whom, form.words.data, form.written_on.data, form.since.data,
                              form.until.data, by=here.by, at=here.at, law=here.law)  # fmt: skip
        if not isinstance(done, Refusal):
            said = "The approval is on record, and who may use it is told."
            return here.done("intake.receiving_point", said, point_id=point.id)
        if done.code == "not_your_role":
            return here.refuse(done)
        form.refuse(AT_FIELD.get(done.code), done.why)
    return here.show("intake/director/approve.html", form=form, point=point, cite=manhole_cite(here.law, here.today))


@page(bp, "/director/points/approvals/<int:permission_id>/end", *WRITERS, methods=("GET", "POST"))
def end_manhole_approval(here: Page, permission_id: int) -> Any:
    """Take a written approval for a manhole back."""
    row = db.session.get(ManholePermission, permission_id)
    if row is None or row.plant_id != here.plant.id:
        abort(404)
    point, form = db.session.get_one(Point, row.point_id), EndPermitForm()
    losers = _losers(here, permit_ended(point, row.id))
    if form.validate_on_submit():
        if losers and not (_seen(losers) and form.sure.data):
            form.refuse("sure", "Tick the box to take these times away, or keep the approval")
        else:
            done = end_manhole_permission(here.plant, row.id, form.reason.data, seen=numbers_of(losers), by=here.by,
                                          at=here.at, law=here.law)  # fmt: skip
            if not isinstance(done, Refusal):
                said = f"The approval is taken back.{told_of(len(losers))}"
                return here.done("intake.receiving_point", said, point_id=point.id)
            if done.code != "others":
                return here.refuse(done)
            form.refuse("sure", done.why)
            losers = _losers(here, permit_ended(point, row.id))
    return here.show("intake/director/unapprove.html", form=form, point=point, row=row, losers=lines(losers),
                     numbers=numbers_of(losers), names=haulers.business_names({row.business_id or 0}))  # fmt: skip
