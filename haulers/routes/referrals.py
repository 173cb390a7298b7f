"""Recording the motions that decide nothing yet: tabled, sent back for changes, taken late, approvals carried over."""

from typing import Any

from flask import abort, request

from haulers import queries
from haulers.actions.carry_over import (
    carry_over_approvals,
    carry_over_opens,
    carry_over_reading,
    latest_carry_over,
)
from haulers.actions.referrals import ask_for_changes, table_applications, take_late_requests
from haulers.forms.motion import carry_form, refer_form
from haulers.models import Application, Motion
from haulers.queries.decisions import current_decisions, late_requests
from haulers.routes.base import bp
from haulers.routes.committee import season_of_page
from haulers.routes.motions import RECORDERS, read_back_values, say_of_motion
from haulers.routes.sitting import sitting_here
from haulers.states import ApplicationState
from office.db import db
from office.formats import date_only
from office.pages import Page, page
from office.standing import standing
from ordinances.calendar import Season
from ordinances.refusal import Refusal

TITLES = {
    "table": "Table applications", "ask-changes": "Ask for changes", "take-late": "Take late requests",
    "carry-over": "Carry last season's approvals over",
}  # fmt: skip
HINTS = {
    "table": "They stay open, and the date the decision is due by stays what it is. Late requests may be among them.",
    "ask-changes": "Each hauler gets a letter and may change answers.",
    "take-late": "Late requests stand in the committee's table once a motion takes them.",
    "carry-over": "When decisions are late: last season's haulers who wait may go on until their new letter is issued.",
}


@page(bp, "/committee/<season>/motion", *RECORDERS)
@standing()
def other_motions(here: Page, season: str) -> Any:
    """Which motion is to be recorded."""
    named = season_of_page(here, season)
    return here.show("haulers/motions.html", season=named, titles=TITLES, hints=HINTS)


@page(bp, "/committee/<season>/motion/<kind>", *RECORDERS, methods=("GET", "POST"))
@standing()
def other_motion(here: Page, season: str, kind: str) -> Any:
    """Record one of them. ``step``: aye (all present voted aye: review), edit, review, record."""
    named = season_of_page(here, season)
    if kind not in TITLES:
        abort(404)
    choices = _choices(here, named, kind)
    form = _form(here, kind, choices)
    step = request.form.get("step", "")
    if step == "aye":
        form.all_aye()
    if step in ("aye", "review", "record") and form.validate_on_submit():
        result = _record(here, named, kind, form)
        if isinstance(result, Refusal):
            say_of_motion(form, result)
        elif step == "record":
            return here.done("haulers.motion", "The motion is recorded.", motion_id=result.id)
        else:
            return _read_back(here, season, kind, form, result)
    last = latest_carry_over(here.law, named) if kind == "carry-over" else None
    opens = carry_over_opens(here.law, named) if kind == "carry-over" else None
    reading = carry_over_reading(here.law, named) if kind == "carry-over" else ""
    return here.show("haulers/motion_form.html", form=form, season=named, kind=kind, title=TITLES[kind],
                     hint=HINTS[kind], choices=choices, last=date_only(last) if last else "",
                     opens=date_only(opens) if opens else "", reading=reading)  # fmt: skip


def _choices(here: Page, season: Season, kind: str) -> list[Application]:
    """The applications a motion of a kind may be about."""
    if kind == "take-late":
        return late_requests(here.plant.id, season.name)
    found = [one for one in queries.filed(here.plant.id, season.name) if one.state == ApplicationState.FILED.value]
    decided = current_decisions([one.id for one in found])
    found = [one for one in found if one.id not in decided]
    return [*found, *late_requests(here.plant.id, season.name)] if kind == "table" else found


def _form(here: Page, kind: str, choices: list[Application]) -> Any:
    sitting = sitting_here(here)
    if kind == "carry-over":
        form: Any = carry_form(sitting)()
    else:
        chosen = [int(one) for one in request.args.getlist("application") if one.isdecimal()]
        form = refer_form(sitting, kind)(applications=chosen)
        form.applications.choices = tuple((one.id, one.business_name, one.number) for one in choices)
    form.offer(sitting)
    return form


def _record(here: Page, season: Season, kind: str, form: Any) -> Motion | Refusal:
    roll = form.roll(here.plant.tz)
    who: dict[str, Any] = {"by": here.by, "at": here.at, "law": here.law}
    if kind == "carry-over":
        return carry_over_approvals(here.plant, roll, season.name, form.until.data, **who)
    ids = form.applications.data
    if kind == "take-late":
        return take_late_requests(here.plant, roll, ids, **who)
    if kind == "table":
        return table_applications(here.plant, roll, ids, form.why.data, **who)
    return ask_for_changes(here.plant, roll, ids, form.why.data, form.due_on.data, form.opens.data, **who)


def _read_back(here: Page, season: str, kind: str, form: Any, motion: Motion) -> Any:
    # The act ran whole; now it is taken back.
    carried, lost, title = motion.passed, motion.lost, TITLES[kind]
    db.session.rollback()
    named = season_of_page(here, season)
    chosen = [one for one in _choices(here, named, kind) if kind != "carry-over" and one.id in form.applications.data]
    return here.show("haulers/motion_check.html", form=form, season=named, kind=kind, title=title, carried=carried,
                     lost=lost, chosen=chosen, **read_back_values(form))  # fmt: skip
