"""Pages of the flow: which is in force (the Director's), the daily readings (the operators'), and what all may see."""

from datetime import date, timedelta
from typing import Any

from flask import abort, current_app, request
from itsdangerous import BadData, URLSafeSerializer

from intake.actions import flow as acts
from intake.actions.flow_readings import (
    FlowTaken,
    correct_flow,
    enter_flow,
    import_flow,
    not_readings,
    settle_reading,
)
from intake.forms.flow import FlowForm, SettleForm
from intake.forms.flow_file import BadCell, NotReadableError, read_flow
from intake.forms.flow_readings import TOLD, CorrectFlowForm, EnterFlowForm, ImportFlowForm, TakeFlowForm
from intake.queries import flow as flows
from intake.queries import flow_in_force as force
from intake.queries.calendar_met import Lost
from intake.queries.flow_taken import Reading, outcomes, summary
from intake.queries.limit_met import key_of, limit_on, over_now, trucks_over
from intake.routes.base import bp
from intake.routes.director import BOTH, NO_SEPTAGE, lines
from office import formats
from office.access import Role
from office.pages import Page, page
from office.standing import standing
from ordinances.refusal import Refusal

DAILY = (Role.OPERATOR, Role.MANAGER, Role.DIRECTOR)
SHOWN, PICTURED = 60, 28
SIGNED = "The flow is in force from the day you gave."
# Eleven years of days: more than this makes the page of a preview too large.
MOST_ROWS = 4_000


@page(bp, "/flow", Role.PUBLIC)
@standing()
def public_flow(here: Page) -> Any:
    """Flow and limit, for everybody: the flow in force and who signed it, each day's busiest hour against the limit."""
    if not here.law.has("rate.plan_gph", here.today):
        return here.refuse(NO_SEPTAGE)
    return here.show("intake/flow/public.html", **_picture(here))


def _picture(here: Page) -> dict[str, Any]:
    return {"cap": limit_on(here.plant, here.law, here.today), "now": force.in_force(here.plant, here.law, here.today),
            "days": flows.flow_days(here.plant, here.law, here.today, here.at, PICTURED)}  # fmt: skip


@page(bp, "/director/flow", *BOTH, methods=("GET", "POST"))
@standing()
def flow(here: Page) -> Any:
    """Flow and limit: the flow in force, what it makes of the limit, readings that wait for a person."""
    if not here.law.has("rate.plan_gph", here.today):
        return here.refuse(NO_SEPTAGE)
    form, losers = FlowForm(), tuple[Lost, ...]()
    preview: dict[str, Any] | None = None
    if form.validate_on_submit() and may_come_in_force(here, form):
        gpd, since = form.flow.data, form.since.data
        losers, preview = _effect(here, gpd, since)
        seen = request.form.get("seen") == preview["key"]
        if seen and losers and not form.sure.data:
            form.refuse("sure", "Tick the box to take these times away, or change the flow")
        elif seen:
            done = acts.put_flow_in_force(here.plant, gpd, since, form.order.data, seen=key_of(losers), by=here.by,
                                          at=here.at, law=here.law)  # fmt: skip
            if not isinstance(done, Refusal):
                return here.done("intake.flow_change", row_id=done.id, said=SIGNED)
            if done.code == "not_your_role":
                return here.refuse(done)
            form.refuse("flow", done.why)
            losers, preview = _effect(here, gpd, since)
    over = over_now(here.plant, here.law, here.at)
    return here.show("intake/flow/in_force.html", form=form, losers=lines([one.group for one in losers]),
                     changes=force.changes(here.plant.id), over=lines([one.group for one in over]), preview=preview,
                     **_waiting(here), **_picture(here))  # fmt: skip


def _effect(here: Page, gpd: int, since: date) -> tuple[tuple[Lost, ...], dict[str, Any]]:
    """The bookings that a flow leaves no room for, and what else the Director is shown before it is in force."""
    losers = acts.no_longer_fits(here.plant, here.law, gpd, since, here.at)
    changed = force.with_flow(here.law, gpd, since)
    return losers, {"key": f"{gpd} {since} {key_of(losers)}", "since": since, "flow": gpd,
                    "trucks": trucks_over(here.plant, changed, since, here.at),
                    "limit": limit_on(here.plant, changed, since).plan_gph,
                    "now": limit_on(here.plant, here.law, since).plan_gph}  # fmt: skip


def may_come_in_force(here: Page, form: FlowForm) -> bool:
    """Whether the flow typed can come in force on its day; says at the field why not."""
    refused = acts.flow_refused(here.plant, here.law, form.flow.data, form.since.data, here.at)
    if refused is not None:
        form.refuse("since" if refused.code == "past" else "flow", refused.why)
    return refused is None


@page(bp, "/director/flow/over", Role.DIRECTOR, methods=("POST",))
@standing()
def end_over(here: Page) -> Any:
    """Take the time of the listed bookings that no longer fit under the limit; their haulers are told."""
    seen = set(request.form.getlist("number"))
    done = acts.end_over_limit(here.plant, seen, by=here.by, at=here.at, law=here.law)
    if isinstance(done, Refusal):
        return here.refuse(done)
    return here.done("intake.flow", said=f"{formats.plural(done, 'booking')} lost the time, and the haulers are told.")


@page(bp, "/director/flow/changes/<int:row_id>", *BOTH)
def flow_change(here: Page, row_id: int) -> Any:
    """One change of the flow in force: who signed it, which bookings it ended, who was told and reached."""
    found = next(iter(force.changes(here.plant.id, only=row_id)), None) or abort(404)
    return here.show("intake/flow/change.html", found=found, told=found.told, ended=force.ended_lines(found),
                     title="Flow in force", back=("intake.flow", "Flow and limit"))  # fmt: skip


def _waiting(here: Page) -> dict[str, Any]:
    return {"waiting": flows.waiting(here.plant.id), "may_count": flows.may_count, "settle": SettleForm(formdata=None)}


@page(bp, "/director/flow/readings/<int:reading_id>", *BOTH, methods=("POST",))
def settle(here: Page, reading_id: int) -> Any:
    """An odd reading is right, or it is not."""
    done = settle_reading(here.plant, reading_id, request.form.get("answer") == "accept", by=here.by, at=here.at)
    if isinstance(done, Refusal):
        return here.refuse(done)
    said = "counts now" if done.state == "accepted" else "does not count"
    return here.done("intake.daily_flow", said=f"The reading of {formats.day(done.day)} {said}.")


@page(bp, "/director/flow/unmeasured", *BOTH, methods=("POST",))
@standing()
def unmeasured(here: Page) -> Any:
    """None of the days that wait without a figure was measured: all of them at once."""
    days = [row for row in flows.waiting(here.plant.id) if row.gallons is None]
    for row in days:
        done = settle_reading(here.plant, row.id, False, by=here.by, at=here.at)
        if isinstance(done, Refusal):
            return here.refuse(done)
    return here.done("intake.daily_flow", said=f"{formats.plural(len(days), 'day')} without a figure settled.")


@page(bp, "/plant/flow", *DAILY, methods=("GET", "POST"))
def daily_flow(here: Page) -> Any:
    """Daily flow: enter a day, what waits for a person, the days recorded."""
    form = EnterFlowForm(data={"day": here.today - timedelta(days=1)})
    found: dict[str, Any] = {}
    if form.validate_on_submit():
        done = enter_flow(here.plant, form.day.data, form.value, by=here.by, at=here.at)
        if not isinstance(done, Refusal):
            return here.done("intake.flow_day", reading_id=done.id, said=f"{formats.day(done.day)} is recorded.")
        if done.code == "not_your_role":
            return here.refuse(done)
        form.refuse("flow" if done.code == "too_large" else "day", done.why)
        found = done.details
    until = _until(here)
    rows = flows.latest(here.plant.id, until, SHOWN + 1)
    return here.show("intake/flow/daily.html", form=form, recorded=found.get("reading_id"), rows=rows[:SHOWN],
                     until=until, earlier=rows[SHOWN].day if rows[SHOWN:] else None, words=force.STATE_WORDS,
                     **_waiting(here))  # fmt: skip


def _until(here: Page) -> date:
    """The last day of the list, as its address says it."""
    try:
        return date.fromisoformat(request.args.get("until", ""))
    except ValueError:
        return here.today


@page(bp, "/plant/flow/<int:reading_id>", *DAILY, methods=("GET", "POST"))
def flow_day(here: Page, reading_id: int) -> Any:
    """One recorded day: its figure, its history, and the form that corrects it."""
    row = flows.reading_of(here.plant.id, reading_id) or abort(404)
    form = CorrectFlowForm()
    if form.validate_on_submit():
        done = correct_flow(here.plant, row.id, form.value, form.reason.data, by=here.by, at=here.at)
        if not isinstance(done, Refusal):
            return here.done("intake.flow_day", reading_id=done.id, said="The figure is corrected.")
        if done.code == "not_your_role":
            return here.refuse(done)
        form.refuse("reason" if done.code == "no_reason" else "flow", done.why)
    return here.show("intake/flow/day.html", form=form, row=row, history=force.history_of(row),
                     words=force.STATE_WORDS, may_count=flows.may_count, settle=SettleForm(formdata=None))  # fmt: skip


@page(bp, "/plant/flow/import", *DAILY, methods=("GET", "POST"))
def flow_import(here: Page) -> Any:
    """A plant's file of flow: read whole and shown first, then taken in whole or not at all."""
    seen = TakeFlowForm()
    if seen.readings.data:
        return _take_in(here, seen)
    form = ImportFlowForm()
    cells: tuple[BadCell, ...] = ()
    if form.validate_on_submit():
        unit = None if form.unit.data == TOLD else form.unit.data
        try:
            rows = read_flow(form.file.data.content, unit, form.site.data or None).rows
        except NotReadableError as problem:
            form.refuse("file", problem.why.rstrip("."))
            cells = problem.cells
        else:
            refused = not_readings(rows, here.today)
            if refused is None and len(rows) <= MOST_ROWS:
                return _preview(here, TakeFlowForm(formdata=None), rows, form.file.data.name)
            many = f"The file has more than {MOST_ROWS:,} days. Import it in parts"
            form.refuse("file", refused.why.rstrip(".") if refused else many)
    return here.show("intake/flow/import.html", form=form, cells=cells)


def _preview(here: Page, form: TakeFlowForm, rows: list[Reading], name: str) -> Any:
    """What the rows would do, with the rows themselves signed in the form."""
    stated = flows.stated_flow(here.law, here.today)
    recorded = flows.readings(here.plant.id)
    found = list(outcomes(recorded, rows, stated))
    form.readings.data = _sealed(here).dumps([name, [(day.toordinal(), value) for day, value in rows]])
    kinds = {kind: [one for one in found if one.kind == kind] for kind in ("accepted", "held", "same", "differing")}
    ids = {row.day: row.id for row in recorded}
    return here.show("intake/flow/preview.html", form=form, name=name, about=summary(rows), kinds=kinds, ids=ids)


def _take_in(here: Page, form: TakeFlowForm) -> Any:
    """The rows that were shown, taken in under the lock; a form sent too late shows them again."""
    try:
        name, packed = _sealed(here).loads(form.readings.data)
    except BadData:
        return here.refuse(Refusal("not_shown", "These rows were not shown to you. Choose the file again.", ""))
    rows = [(date.fromordinal(day), value) for day, value in packed]
    if not form.validate_on_submit():
        return _preview(here, form, rows, name)
    taken = import_flow(here.plant, rows, name[:200], by=here.by, at=here.at)
    if isinstance(taken, Refusal):
        return here.refuse(taken)
    return here.done("intake.daily_flow", said=_said(taken))


def _sealed(here: Page) -> URLSafeSerializer:
    """Signs the rows for this person at this plant: what is taken in is what this person was shown."""
    return URLSafeSerializer(current_app.config["SECRET_KEY"], salt=f"flow {here.plant.id} {here.by.person_id}")


def _said(taken: FlowTaken) -> str:
    if not (taken.accepted or taken.held or taken.differing):
        return "Nothing is added: every reading of this file was recorded before."
    parts = [f"{formats.plural(taken.accepted, 'day')} taken in"]
    if taken.held:
        parts.append(f"{formats.plural(len(taken.held), 'waits', 'wait')} for a person")
    if taken.same:
        parts.append(f"{formats.plural(taken.same, 'was', 'were')} recorded before")
    if taken.differing:
        parts.append(f"{formats.plural(len(taken.differing), 'keeps', 'keep')} the figure recorded before")
    return f"{', '.join(parts)}."
