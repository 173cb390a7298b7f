"""A receiving tank: the manager sets it (§ 329-7 C(1)), who works at the station enters its level."""

from datetime import datetime
from typing import Any

from flask import abort, request

from intake.actions.tank import read_tank, set_tank, tank_refused
from intake.forms.tank import LevelForm, TankForm
from intake.models import Point
from intake.queries.bookings import Group, numbers_of
from intake.queries.point_words import told_of
from intake.queries.tank import TANK, readings, terms_of_tank
from intake.queries.tank_level import level_now, lost_with
from intake.routes.base import bp
from intake.routes.director import lines
from office import formats
from office.access import Role
from office.db import db
from office.pages import Page, page
from ordinances.refusal import Refusal

SEERS = (Role.MANAGER, Role.DIRECTOR, Role.ADMINISTRATOR)
GATE = (Role.OPERATOR, Role.MANAGER, Role.DIRECTOR)
SHOWN = 10
AT_FIELD = {"slower": "unload_gph", "over_limit": "bleed_gph", "held": "held", "numbers": "gallons",
            "future": "read_at", "earlier": "read_at", "gallons": "gallons", "far": "gallons"}  # fmt: skip


@page(bp, "/director/points/<int:point_id>/tank", *SEERS, methods=("GET", "POST"))
def receiving_tank(here: Page, point_id: int) -> Any:
    """What a receiving tank is set to, and what was set and read before; the manager sets it anew."""
    point = db.session.get(Point, point_id)
    if point is None or point.plant_id != here.plant.id or point.kind != TANK:
        abort(404)
    level, rows = level_now(here.plant, here.law, here.at), terms_of_tank(point.id)
    now = {"gallons": rows[0].gallons, "unload_gph": rows[0].unload_gph, "bleed_gph": rows[0].bleed_gph} if rows else {}
    form, losers = TankForm(data=now | {"held": level.gallons if level else 0}), list[Group]()
    if form.validate_on_submit() and _may_be(here, form):
        wanted = form.wanted()
        losers = lost_with(here.plant, here.law, wanted.tank, wanted.held, here.at)
        if losers and not (request.form.get("seen") == numbers_of(losers) and form.sure.data):
            form.refuse("sure", "Tick the box to take these times away, or change the tank")
        else:
            done = set_tank(here.plant, point.id, wanted, seen=numbers_of(losers), by=here.by, at=here.at, law=here.law)
            if not isinstance(done, Refusal):
                return here.done("intake.receiving_tank", f"{point.name} is set.{told_of(len(losers))}",
                                 point_id=point.id)  # fmt: skip
            if done.code != "others":
                return here.refuse(done)
            form.refuse("sure", done.why)
            losers = lost_with(here.plant, here.law, wanted.tank, wanted.held, here.at)
    return here.show("intake/director/tank.html", form=form, point=point, level=level, rows=rows,
                     readings=readings(point.id, SHOWN), losers=lines(losers), numbers=numbers_of(losers))  # fmt: skip


def _may_be(here: Page, form: TankForm) -> bool:
    refused = tank_refused(here.plant, here.law, form.wanted(), here.at)
    if refused is not None:
        form.refuse(AT_FIELD.get(refused.code), refused.why)
    return refused is None


@page(bp, "/station/tank", *GATE, methods=("GET", "POST"))
def station_tank(here: Page) -> Any:
    """Enter what was read of the tank's level; a figure far from the one reckoned is asked about."""
    level = level_now(here.plant, here.law, here.at)
    if level is None:
        abort(404)
    form, asks = LevelForm(data={"gallons": None, "read_at": here.at.astimezone(here.plant.tz).time()}), False
    if form.validate_on_submit():
        read_at = datetime.combine(here.today, form.read_at.data, here.plant.tz)
        result = read_tank(here.plant, form.gallons.data, _this_minute(here, read_at), reason=form.reason.data or "",
                           by=here.by, at=here.at, law=here.law)  # fmt: skip
        if not isinstance(result, Refusal):
            return here.done("intake.station_today", f"{level.name}: {formats.volume(result.gallons)} entered.")
        form.refuse(AT_FIELD.get(result.code), result.why)
        asks = result.code == "far"
    return here.show("intake/station/tank.html", form=form, level=level, asks=asks,
                     readings=readings(level.basin.point_id, SHOWN))  # fmt: skip


def _this_minute(here: Page, read_at: datetime) -> datetime:
    """A time typed as the minute that runs now is now: its seconds are not typed."""
    now = here.at.astimezone(here.plant.tz)
    return now if read_at.replace(second=0) == now.replace(second=0, microsecond=0) else read_at
