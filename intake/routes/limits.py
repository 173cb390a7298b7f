"""The limit's inputs: what each is, who signed it, which one counts; the Director's orders on it (§ 329-7 F(3))."""

from typing import Any

from flask import abort, request

from intake.actions import limits as acts
from intake.forms.limits import AT_FIELD, LowerForm, NumberForm, WithdrawForm
from intake.queries import flow_in_force as force
from intake.queries import limits
from intake.queries.limit_met import key_of, limit_on, lost_under, over_now, trucks_over, with_order
from intake.queries.tank_met import tank_place
from intake.routes.base import bp
from intake.routes.director import BOTH, NO_SEPTAGE, lines
from office.access import Role
from office.pages import Page, page
from office.standing import standing
from ordinances.refusal import Refusal
from ordinances.schema import KEYS

BACK = ("intake.limit_inputs", "Limit and its inputs")


@page(bp, "/director/capacity", *BOTH)
@standing()
def limit_inputs(here: Page) -> Any:
    """Every input of the limit: from when, by whom or which §, and which one sets the limit today; the history."""
    if not here.law.has("rate.plan_gph", here.today):
        return here.refuse(NO_SEPTAGE)
    day = limits.day_shown(here.law, here.today)
    cap, found = limits.inputs(here.plant, here.law, day)
    return here.show(
        "intake/director/capacity.html", day=day, cap=cap, inputs=found, history=limits.history(here.plant.id),
        own=[(word, KEYS[key].title) for word, key in limits.OWN.items()],
        warnings=limits.warnings(here.plant, here.law, day, cap),
        over=lines([one.group for one in over_now(here.plant, here.law, here.at)]),
    )  # fmt: skip


@page(bp, "/director/capacity/<word>", Role.DIRECTOR, methods=("GET", "POST"))
@standing()
def limit_order(here: Page, word: str) -> Any:
    """An order of the Director on the limit: what it makes of it and whom it meets are shown first."""
    if not here.law.has("rate.plan_gph", here.today):
        return here.refuse(NO_SEPTAGE)
    key = limits.OWN.get(word) or abort(404)
    form = _form(here, word, key)
    edited = {"add_row", "remove_row"} & set(request.form)
    preview = _preview(here, form, key) if not edited and form.validate_on_submit() else None
    if preview is not None and _agreed(form, preview):
        done = acts.set_limit(here.plant, key, preview["value"], preview["since"], form.order.data,
                              seen=key_of(preview["lost"]), by=here.by, at=here.at, law=here.law)  # fmt: skip
        if not isinstance(done, Refusal):
            return here.done("intake.limit_change", row_id=done.id, said="The order is in force from that day.")
        if not _said_at(form, done):
            return here.refuse(done)
    lost = [one.group for one in preview["lost"]] if preview else []
    return here.show("intake/director/limit.html", form=form, title=KEYS[key].title, word=word, losers=lines(lost),
                     preview=preview, in_force=_in_force(here, key),
                     history=[one for one in limits.history(here.plant.id) if one.row.key == key])  # fmt: skip


def _preview(here: Page, form: Any, key: str) -> dict[str, Any] | None:
    """What an order would make of the limit and whom it would meet; None where it cannot be, said at its field."""
    value, since = form.raw(), form.since.data
    refused = acts.limit_refused(here.law, key, value, since, here.at)
    if refused is not None:
        _said_at(form, refused)
        return None
    changed = with_order(here.law, key, value, since)
    lost, day = lost_under(here.plant, changed, since, here.at), limits.day_shown(changed, since)
    return {"key": f"{value} {since} {key_of(lost)}", "value": value, "since": since, "lost": lost, "day": day,
            "limit": limit_on(here.plant, changed, day), "now": limit_on(here.plant, here.law, day),
            "trucks": trucks_over(here.plant, changed, since, here.at),
            "tank": tank_place(here.plant.id) is not None}  # fmt: skip


def _agreed(form: Any, preview: dict[str, Any]) -> bool:
    """The Director has seen just this, and ticked the box where somebody is met."""
    if request.form.get("seen") != preview["key"]:
        return False
    if preview["lost"] and not form.sure.data:
        form.refuse("sure", "Tick the box to take these times away, or change the order")
        return False
    return True


@page(bp, "/director/capacity/<word>/withdraw", Role.DIRECTOR, methods=("GET", "POST"))
def limit_withdraw(here: Page, word: str) -> Any:
    """End an order from a day on."""
    key = limits.OWN.get(word) or abort(404)
    form = WithdrawForm(data={"since": here.today})
    if form.validate_on_submit():
        done = acts.withdraw_limit(here.plant, key, form.since.data, form.order.data, by=here.by, at=here.at,
                                   law=here.law)  # fmt: skip
        if not isinstance(done, Refusal):
            return here.done("intake.limit_change", row_id=done.id, said="The order is withdrawn from that day.")
        if not _said_at(form, done):
            return here.refuse(done)
    return here.show("intake/director/limit_withdraw.html", form=form, title=KEYS[key].title, word=word,
                     in_force=_in_force(here, key))  # fmt: skip


@page(bp, "/director/capacity/changes/<int:row_id>", *BOTH)
def limit_change(here: Page, row_id: int) -> Any:
    """One order on the limit: who signed it, which bookings lost their time, who was told and reached."""
    found = next(iter(limits.history(here.plant.id, only=row_id)), None) or abort(404)
    return here.show("intake/flow/change.html", found=found, told=found.told, ended=force.ended_lines(found),
                     title=found.title, back=BACK)  # fmt: skip


def _form(here: Page, word: str, key: str) -> Any:
    """The form of a kind of order, filled in with what is in force."""
    now = here.law.value(key, here.today) if here.law.has(key, here.today) else None
    form: Any = LowerForm(data={"since": here.today}) if word == "lower" else NumberForm(
        data={"since": here.today, "value": now})  # fmt: skip
    if word != "lower":
        form.value.label.text = f"{KEYS[key].title}, {KEYS[key].unit}"
    elif request.method == "POST":
        form.edited_rows()
    elif now:
        form.show(now)
    return form


def _in_force(here: Page, key: str) -> str | None:
    return here.law.row(key, here.today).words if here.law.has(key, here.today) else None


def _said_at(form: Any, refused: Refusal) -> bool:
    """Say what an act answered at its field; False where it has none."""
    name = AT_FIELD.get(refused.code, "")
    name = "parts" if name == "value" and "parts" in form else name
    if name in form:
        form.refuse(name, refused.why)
    return name in form
