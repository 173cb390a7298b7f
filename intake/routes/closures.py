"""The closure calendar: the year by month, a day closed, changed, opened or taken off, the holidays of a year."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from flask import abort, request

from haulers import queries as haulers
from intake.actions import closures as acts
from intake.forms.closures import AT_FIELD, ClosureForm, HolidaysForm, RemoveForm
from intake.queries import closures, two_weeks
from intake.queries.calendar_met import Effect, effect_of
from intake.routes.base import bp
from intake.routes.director import lines
from office import formats
from office.access import Role
from office.forms import Form
from office.pages import Page, page
from office.plants import closure_of
from ordinances.reader import Closure
from ordinances.refusal import Refusal

KEEPERS = (Role.MANAGER, Role.DIRECTOR, Role.CLERK, Role.ADMINISTRATOR)
TICK = "Tick the box to go on, or change the day"


@page(bp, "/director/schedule", *KEEPERS)
def closure_calendar(here: Page) -> Any:
    """Schedule: the next two weeks, and every holiday, closure and opened day of a year, with who and when."""
    typed = request.args.get("year", "").strip()[:80]
    years = closures.years(here.plant.id, here.today)
    year = int(typed) if typed.isdecimal() and len(typed) == 4 else 0
    known = year in years or (year and closures.removed_in(here.plant.id, year))
    year = year if known else here.today.year
    return here.show(
        "intake/director/schedule.html", table=two_weeks.two_weeks(here.plant, here.law, here.at), year=year,
        months=closures.by_month(here.plant.id, year), years=years,
        wrong="" if known else typed,
        removed=closures.removed_in(here.plant.id, year), what=closures.what_words,
    )  # fmt: skip


@page(bp, "/director/close", *KEEPERS, methods=("GET", "POST"))
def close(here: Page) -> Any:
    """Close, open or mark a day: what that meets is shown before, and told after."""
    form, effect = ClosureForm(), None
    if form.validate_on_submit():
        day = form.day.data
        changes = {day: _closure(form)}
        effect = _effect(here, form, changes)
        if effect is not None and _agreed(form, effect):
            done = acts.close_day(here.plant, day, form.name.data, form.kind.data, form.shut, seen=effect.key,
                                  by=here.by, at=here.at, law=here.law)  # fmt: skip
            if not isinstance(done, Refusal):
                said = f"{formats.day(done.day)}, {done.name}, is on the calendar."
                return here.done("intake.closure", closure_id=done.id, said=said)
            if not _said_at(form, done):
                return here.refuse(done)
    return here.show("intake/director/close.html", form=form, **_shown(effect))


@page(bp, "/director/closures/<int:closure_id>", *KEEPERS, methods=("GET", "POST"))
def closure(here: Page, closure_id: int) -> Any:
    """One day of the calendar: change it, with its history; a change asks and tells the same as a new day."""
    row = closure_of(here.plant.id, closure_id) or abort(404)
    form, effect = ClosureForm(obj=row), None
    if form.validate_on_submit():
        effect = _effect(here, form, {row.day: closures.beneath(row), form.day.data: _closure(form)})
        if effect is not None and _agreed(form, effect):
            done = acts.change_closure(here.plant, row.id, form.day.data, form.name.data, form.kind.data, form.shut,
                                       seen=effect.key, by=here.by, at=here.at, law=here.law)  # fmt: skip
            if not isinstance(done, Refusal):
                return here.done("intake.closure", closure_id=done.id, said="The calendar is changed.")
            if not _said_at(form, done):
                return here.refuse(done)
    return here.show("intake/director/closure.html", form=form, row=row, what=closures.what_words(row),
                     history=closures.history(row), **_shown(effect))  # fmt: skip


@page(bp, "/director/closures/<int:closure_id>/remove", *KEEPERS, methods=("GET", "POST"))
def remove_closure(here: Page, closure_id: int) -> Any:
    """Take a day off the calendar: what that meets is shown before."""
    row = closure_of(here.plant.id, closure_id) or abort(404)
    will_be = closures.without_words(here.law, row)
    form, effect = RemoveForm(), effect_of(here.plant, here.law, {row.day: closures.beneath(row)}, here.at)
    if form.validate_on_submit() and _agreed(form, effect):
        done = acts.remove_closure(here.plant, row.id, form.reason.data, seen=effect.key, by=here.by, at=here.at,
                                   law=here.law)  # fmt: skip
        if not isinstance(done, Refusal):
            return here.done("intake.closure_calendar", f"It is off the calendar. {will_be}", year=done.year)
        if done.code == "past" or not _said_at(form, done):
            return here.refuse(done)
    return here.show("intake/director/closure_remove.html", form=form, row=row, what=closures.what_words(row),
                     will_be=will_be, **_shown(effect))  # fmt: skip


@page(bp, "/director/holidays", *KEEPERS, methods=("GET", "POST"))
def holidays(here: Page) -> Any:
    """The holidays of a year as the city lists them: all of them or none, each wrong line named."""
    form, effect = HolidaysForm(), None
    if form.validate_on_submit():
        changes = {day: Closure(day, name, "holiday") for day, name in form.found.items()}
        effect = _effect(here, form, changes)
        if effect is not None and _agreed(form, effect):
            done = acts.list_holidays(here.plant, form.found, seen=effect.key, by=here.by, at=here.at, law=here.law)
            if not isinstance(done, Refusal):
                said = f"{formats.plural(done, 'holiday')} put on the calendar."
                return here.done("intake.closure_calendar", said, year=min(form.found).year)
            form.refuse("days", done.why)
            effect = _effect(here, form, changes)
    return here.show("intake/director/holidays.html", form=form, **_shown(effect))


def _closure(form: ClosureForm) -> Closure:
    return Closure(form.day.data, form.name.data, form.kind.data, *(form.shut or (None, None)))


def _effect(here: Page, form: Form, changes: Mapping[date, Closure | None]) -> Effect | None:
    """What a change meets; None when the change itself cannot be, which is said at its field."""
    refused = acts.cannot_change(here.law, changes, here.at)
    if refused is None:
        return effect_of(here.plant, here.law, changes, here.at)
    form.refuse(AT_FIELD.get(refused.code, "day") if "day" in form else "days", refused.why)
    return None


def _agreed(form: Any, effect: Effect) -> bool:
    """Nothing is met, or the person has seen just this and ticked the box."""
    if effect.key == "none":
        return True
    if request.form.get("seen") == effect.key and form.sure.data:
        return True
    form.refuse("sure", TICK)
    return False


def _said_at(form: Form, refused: Refusal) -> bool:
    """Say what an act answered at its field; False where it has none."""
    name = AT_FIELD.get(refused.code, "")
    if name in form:
        form.refuse(name, refused.why)
    return name in form


def _shown(effect: Effect | None) -> dict[str, Any]:
    """What the page shows of an effect: bookings with their haulers, due times, times open again."""
    if effect is None:
        return {"effect": None, "losers": [], "dues": []}
    ids = {due.load.business_id for due in effect.dues} | {one.business_id for one in effect.again}
    names = haulers.business_names({one for one in ids if one is not None})
    return {"effect": effect, "losers": lines([one.group for one in effect.lost]), "names": names,
            "dues": effect.dues}  # fmt: skip
