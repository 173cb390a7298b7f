"""Changes asked for after an approval: the hauler's own approval, asking, and the committee's motions on them."""

from collections.abc import Collection
from typing import Any

from flask import abort, request

from haulers import queries
from haulers.actions.amendments import (
    KINDS,
    ask_amendment,
    check_amend_line,
    decide_amendments,
    new_words,
    old_words,
    open_to_hauler,
    stands,
    withdraw_amendment,
)
from haulers.actions.motions import READERS, RECORDERS
from haulers.actions.plans import limit_words
from haulers.actions.reinstatement import check_reinstatement, reinstate_approval
from haulers.forms import ConfirmForm
from haulers.forms.amendments import AmendForm, ReinstateForm, amend_form, ask_form, reinstate_form
from haulers.models import Amendment, Approval, Motion
from haulers.queries import enforcement as enforced
from haulers.queries.applications import ASKS
from haulers.queries.since import conditions_of
from haulers.queries.sustained import waits_for_motion
from haulers.queries.unissued import waiting_returns
from haulers.routes.base import bp, own_business
from haulers.routes.clerk import letter_href
from haulers.routes.director import approval_here
from haulers.routes.motions import read_back_values, say_of_motion
from haulers.routes.sitting import sitting_here
from haulers.states import AmendmentState
from office.access import Role
from office.db import db, lapsed
from office.pages import Page, page
from ordinances.refusal import Refusal

STATE_WORDS = {
    AmendmentState.ASKED: "Waits for the committee", AmendmentState.GRANTED: "Granted",
    AmendmentState.REFUSED: "Not granted", AmendmentState.WITHDRAWN: "Withdrawn",
}  # fmt: skip


def _words(one: Amendment) -> str:
    """The state as the hauler may know it: what was voted shows once its letter is issued."""
    return STATE_WORDS[AmendmentState.ASKED if open_to_hauler(one) else AmendmentState(one.state)]


@page(bp, "/hauler/approval", Role.HAULER)
def my_approval(here: Page) -> Any:
    """Your approvals as they stand, with plan and limits, and the changes asked for."""
    business = own_business(here)
    known = queries.last_approvals(here.plant.id, business.id)
    last = queries.last_days(known)
    rows = [one for one in known if last[one.id] >= here.today]
    limits = {one.id: _limits(one) for one in rows}
    asked = enforced.amendments_of([one.id for one in known])
    return here.show(
        "haulers/my_approval.html", rows=[(one, stands(one), queries.revocation_of(one.id)) for one in rows],
        limits=limits, asked=asked, kinds=KINDS, new_words=new_words, state=_words, old_words=old_words,
        until={one.id: queries.until_words(one, last[one.id]) for one in rows}, conditions=conditions_of(rows),
        may_withdraw=open_to_hauler,
    )  # fmt: skip


def _limits(found: Approval) -> str:
    return limit_words([{"waste": one.waste, "period": one.period, "gallons": one.gallons, "hard": one.hard}
                        for one in queries.limits_of(found.id)])  # fmt: skip


def _own_approval(here: Page, approval_id: int) -> Approval:
    """One of the hauler's own approvals; another's is not found."""
    found = queries.approval(here.plant.id, approval_id)
    return found if found is not None and found.business_id == own_business(here).id else abort(404)


def asks_of(here: Page) -> Collection[str]:
    """What the law asks of a source of waste today."""
    key = "application.asks"
    asks: Collection[str] = here.law.value(key, here.today) if here.law.has(key, here.today) else ASKS
    return asks


@page(bp, "/hauler/approval/<int:approval_id>/ask/<kind>", Role.HAULER, methods=("GET", "POST"), asks_again=True)
def amend(here: Page, approval_id: int, kind: str) -> Any:
    """Ask for more gallons, another source or another truck, the old beside the new."""
    found = _own_approval(here, approval_id)
    if kind not in KINDS:
        abort(404)
    truck = {"plate": request.args.get("plate", ""), "capacity": request.args.get("capacity", type=int)}
    form = ask_form(kind, here.law.value("approval.covers", found.starts), asks_of(here), truck)
    if form.validate_on_submit():
        new, winter, rest = form.asked()
        made = ask_amendment(here.plant, found.id, kind, form.words.data, new, winter, rest, by=here.by, at=here.at,
                             law=here.law)  # fmt: skip
        if not isinstance(made, Refusal):
            return here.done("haulers.my_approval", "The committee is asked. Your approval stays as it is until then.")
        field = {"no_gallons": "extra_winter", "plate_listed": "plate"}.get(made.code)
        form.refuse(field if field in form else None, f"{made.why.rstrip('.')}. {made.next_step or ''}".rstrip(". "))
    return here.show("haulers/amend.html", form=form, approval=found, kind=kind, title=KINDS[kind],
                     old=old_words(stands(found)))  # fmt: skip


@page(bp, "/hauler/approval/asked/<int:amendment_id>/withdraw", Role.HAULER, methods=("GET", "POST"))
def amend_withdraw(here: Page, amendment_id: int) -> Any:
    """Take a request back, after asking."""
    asked = enforced.amendment(here.plant.id, amendment_id) or abort(404)
    found = _own_approval(here, asked.approval_id)
    form = ConfirmForm()
    if form.validate_on_submit():
        result = withdraw_amendment(here.plant, asked.id, by=here.by, at=here.at)
        if isinstance(result, Refusal):
            return here.refuse(result)
        return here.done("haulers.my_approval", "Your request is withdrawn.")
    return here.show("haulers/amend_withdraw.html", form=form, asked=asked, approval=found, words=new_words(asked))


@page(bp, "/committee/changes", *READERS)
def asked_changes(here: Page) -> Any:
    """The changes haulers ask for, old and new side by side; revoked approvals that could be given back."""
    rows = enforced.amendments_waiting(here.plant.id)
    ids = {found.business_id for _, found in rows}
    revoked = enforced.revoked_now(here.plant.id, here.today)
    needs = waits_for_motion(here.plant.id, here.today)
    ids |= {found.business_id for found, _ in revoked} | {one.business_id for one in needs}
    voted = {found.id for _, found in waiting_returns(here.plant.id, here.today)}
    return here.show("haulers/asked_changes.html", rows=rows, voted=voted, revoked=revoked, needs=needs,
                     reviewed={one.approval_id: one for one in needs},
                     names=queries.business_names(ids), kinds=KINDS, new_words=new_words, old_words=old_words,
                     letter_href=letter_href,
                     may_record=here.by.capacity(RECORDERS) is not None)  # fmt: skip


@page(bp, "/committee/changes/decide", *RECORDERS, methods=("GET", "POST"))
def decide_changes(here: Page) -> Any:
    """Record the motion on changes asked for. ``step``: aye (all present voted aye: review), edit, review, record."""
    waiting = {asked.id: (asked, found) for asked, found in enforced.amendments_waiting(here.plant.id)}
    sitting = sitting_here(here)
    wanted = request.args.getlist("request")
    form: AmendForm = amend_form(sitting)(data={"rows": [
        {"amendment_id": ident, "winter": asked.extra_winter, "rest": asked.extra_rest}
        for ident, (asked, _) in waiting.items() if not wanted or str(ident) in wanted
    ]})  # fmt: skip
    form.offer(sitting)
    rows = [(waiting.get(int(entry.form.amendment_id.data or 0)), entry.form) for entry in form.rows.entries]
    if any(pair is None for pair, _ in rows):
        abort(404)
    names = queries.business_names({pair[1].business_id for pair, _ in rows if pair})
    form.rows.names = [names[pair[1].business_id] for pair, _ in rows if pair]

    def record() -> Motion | Refusal:
        lines = [entry.form.line() for entry in form.rows.entries]
        return decide_amendments(here.plant, form.roll(here.plant.tz), lines, form.over_capacity.data, by=here.by,
                                 at=here.at, law=here.law)  # fmt: skip

    def say_rows() -> list[Refusal]:
        return [wrong for pair, sub in rows if pair and not any(sub.errors.values())
                if (wrong := check_amend_line(*pair, sub.line(), here.law, here.today))]  # fmt: skip

    done = _motion(here, form, record, say_rows)
    if done is not None and not isinstance(done, Motion):
        return done
    shown: dict[str, Any] = {"form": form, "rows": rows, "names": names, "kinds": KINDS, "new_words": new_words,
                             "old_words": old_words}  # fmt: skip
    if done is None:
        return here.show("haulers/decide_changes.html", **shown)
    return _read_back(here, "haulers/decide_changes_check.html", form, done, shown)


def _motion(here: Page, form: Any, record: Any, row_refusals: Any = list) -> Any:
    """Answer the steps of a motion's form: None to show it, the motion to read it back, what is done otherwise.

    ``row_refusals``: what the act would answer to each row that could be read, so that all are named at once.
    """
    step = request.form.get("step", "")
    if step == "aye":
        form.all_aye()
    if step not in ("aye", "review", "record"):
        return None
    result = record() if form.validate_on_submit() else None
    if result is None or isinstance(result, Refusal):
        wrong = row_refusals() if not lapsed() else []
        for one in wrong:
            _say(form, one)
        if isinstance(result, Refusal) and result.code not in {one.code for one in wrong}:
            _say(form, result)
        return None
    if step == "record":
        return here.done("haulers.motion", "The motion is recorded.", motion_id=result.id)
    return result


def _say(form: Any, refusal: Refusal) -> None:
    """Put what the act answered at the row or field it is about."""
    ident = str(refusal.details.get("amendment_id", ""))
    entries = form.rows.entries if "rows" in form else []
    at = next((n for n, one in enumerate(entries) if str(one.form.amendment_id.data) == ident), None)
    row = entries[at].form if at is not None else None
    field = {"no_reason": "reason", "above_ask": "winter", "nothing_granted": "winter", "not_in_force": "answer"}.get(
        refusal.code
    )
    if at is not None and row is not None and field is not None:
        form.refuse(row[field], f"{form.rows.names[at]}: {refusal.why[:1].lower()}{refusal.why[1:].rstrip('.')}")
        form.rows.errors = [one.errors for one in entries]  # a list of rows keeps its own copy
    elif refusal.code == "no_day" and "starts" in form:
        form.refuse("starts", refusal.why.rstrip("."))
    else:
        say_of_motion(form, refusal)


def _read_back(here: Page, template: str, form: Any, motion: Motion, shown: dict[str, Any]) -> Any:
    # The act ran whole, so what is read back is what will be recorded; now it is taken back.
    carried, lost = motion.passed, motion.lost
    db.session.rollback()
    return here.show(template, carried=carried, lost=lost, **(shown | read_back_values(form)))


@page(bp, "/committee/approvals/<int:approval_id>/reinstate", *RECORDERS, methods=("GET", "POST"))
def reinstate(here: Page, approval_id: int) -> Any:
    """Record the motion that gives a revoked approval back."""
    old = approval_here(here, approval_id)
    revocation = queries.revocation_of(old.id) or abort(404)
    sitting = sitting_here(here)
    form: ReinstateForm = reinstate_form(sitting)(starts=here.today)
    form.offer(sitting)

    def record() -> Motion | Refusal:
        return reinstate_approval(here.plant, old.id, form.roll(here.plant.tz), form.reason.data, form.starts.data,
                                  form.over_capacity.data, by=here.by, at=here.at, law=here.law)  # fmt: skip

    done = _motion(here, form, record)
    if done is not None and not isinstance(done, Motion):
        return done
    party = queries.party_of_business(old.business_id)
    shown: dict[str, Any] = {"form": form, "old": old, "revocation": revocation, "party": party,
                             "stands": old_words(stands(old))}  # fmt: skip
    if done is not None:
        return _read_back(here, "haulers/reinstate_check.html", form, done, shown)
    first = max(here.today, old.starts)
    stopped = check_reinstatement(here.plant, old.id, "as the page says", first, here.at, here.law)
    return here.show("haulers/reinstate.html", stopped=stopped if isinstance(stopped, Refusal) else None, **shown)
