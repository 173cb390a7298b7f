"""Reviews asked for of what a letter told: entered as they come in, step by step, closed with an outcome."""

from typing import Any

from flask import abort, render_template, request

from haulers import queries
from haulers.actions.appeal_fees import record_appeal_fee, refund_appeal_fee
from haulers.actions.motions import READERS
from haulers.actions.reviews import check_outcome, close_review, enter_review, finish_review_step, goes_on_at
from haulers.forms.desk import FEE_AT, FeeForm
from haulers.forms.enforcement import CloseForm, RefundForm, ReviewForm, StepForm
from haulers.models import Review, ReviewStep, Revocation
from haulers.queries import enforcement as enforced
from haulers.queries.appeal_fees import appeal_fee_of, may_refund, standing_appeal_charge
from haulers.queries.reviewed import kind_of, letter_day, what_of
from haulers.routes.base import bp
from haulers.routes.clerk import letter_href
from haulers.routes.motions import UNSENT
from haulers.states import REVIEW_OUTCOMES
from office.access import Role
from office.db import db
from office.pages import Page, page, who_may
from ordinances.fees import appeal_fee, appeal_fee_refundable
from ordinances.refusal import Refusal
from ordinances.reviews import APPEAL, clocks

# The two steps of closing a review: its letter is read back, then sent.
CLOSING = ("close", "send")
CITY = (Role.CLERK, Role.DIRECTOR)


def _reviewed(here: Page, kind: str, of_id: int) -> dict[str, int]:
    """What is reviewed, as the act takes it; not found for another plant's, and where no letter was sent."""
    what = {f"{kind}_id": of_id}
    if letter_day(here.plant, here.law, **what) is None:
        abort(404)
    return what


@page(bp, "/director/reviews/new/<kind>/<int:of_id>", *CITY, methods=("GET", "POST"))
def new_review(here: Page, kind: str, of_id: int) -> Any:
    """Enter a request for review as it came in."""
    what = _reviewed(here, kind, of_id)
    told = letter_day(here.plant, here.law, **what)
    steps = clocks(here.law, told or here.today)
    before = enforced.review_of(**what)
    at, since = goes_on_at(before, steps, told) if told else (0, here.today)
    form = ReviewForm(asked_on=here.today)
    if form.validate_on_submit():
        made = enter_review(here.plant, form.words.data, form.asked_on.data, form.asked_by.data, **what, by=here.by,
                            at=here.at, law=here.law)  # fmt: skip
        if not isinstance(made, Refusal):
            return here.done("haulers.review", "The request is entered.", review_id=made.id)
        form.refuse("asked_on" if made.code == "no_day" else None, made.why.rstrip("."))
    return here.show(
        "haulers/new_review.html", form=form, told=since, step=steps[at] if steps else None, outcomes=REVIEW_OUTCOMES,
        after=before if at else None, last=steps[at].due(here.law, since) if steps else None,
    )  # fmt: skip


@page(bp, "/director/reviews/<int:review_id>", *READERS, methods=("GET", "POST"))
def review(here: Page, review_id: int) -> Any:
    """One review: its steps with their days, the one it waits for, and closing it. The committee reads it."""
    found = (enforced.reviews(here.plant.id, review_id) or [abort(404)])[0]
    step, may = request.form.get("step", ""), here.by.capacity(CITY) is not None
    if request.method == "POST" and not may:
        return render_template("errors/403.html", who_may=who_may(CITY)), 403
    done = StepForm(formdata=request.form if step == "done" else None)
    close = CloseForm(formdata=request.form if step in (*CLOSING, "edit") else None)
    if step == "done" and done.validate_on_submit():
        result: Any = finish_review_step(here.plant, review_id, done.done_on.data, done.note.data, by=here.by,
                                         at=here.at, law=here.law)  # fmt: skip
        if not isinstance(result, Refusal):
            return here.done("haulers.review", f"{result.name}: done.", review_id=review_id)
        done.refuse("done_on", result.why.rstrip("."))
    if step in CLOSING and close.validate_on_submit():
        said = (close.outcome.data, close.words.data, close.on.data)
        if step == "close":
            result = check_outcome(here.plant, review_id, *said, here.by, here.at, here.law)
            if not isinstance(result, Refusal):
                return _read_back(here, found, close, result[1], result[2])
        else:
            result = close_review(here.plant, review_id, *said, by=here.by, at=here.at, law=here.law)
            if not isinstance(result, Refusal):
                return here.done("haulers.review", "The review is closed, and its letter sent.", review_id=review_id)
        close.refuse("on" if result.code == "no_day" else None, f"{result.why} {result.next_step or ''}".strip())
    steps = enforced.steps_of(review_id)
    told = letter_day(here.plant, here.law, **what_of(found.review))
    unsure = {one.cite for one in clocks(here.law, told or here.today) if one.unconfirmed}
    return here.show(
        "haulers/review.html", found=found, steps=steps, unsure=unsure, done=done, close=close,
        form=close if step in CLOSING else done, outcomes=REVIEW_OUTCOMES, letter_href=letter_href,
        waiting=next((one for one in steps if one.done_on is None), None), may=may,
        party=queries.party_of_business(found.business_id), counting=_counting(here),
        kind=kind_of(found.review), of_id=next(iter(what_of(found.review).values())),
        approval=_revoked_approval(here, found.review.revocation_id), **_fee_shown(here, found.review, steps),
    )  # fmt: skip


def _read_back(here: Page, found: Any, close: CloseForm, title: str, data: dict[str, object]) -> Any:
    """The letter of the outcome as it will go out."""
    kept = [(name, value) for name, value in request.form.items(multi=True) if name not in UNSENT]
    return here.show("haulers/review_check.html", found=found, form=close, letter_title=title, data=data, kept=kept,
                     party=queries.party_of_business(found.business_id))  # fmt: skip


def _fee_shown(here: Page, review: Review, steps: list[ReviewStep]) -> dict[str, Any]:
    """What an appeal costs and whether it is in, once there is an appeal and where the law names a fee."""
    line = appeal_fee(here.law, here.today) if any(step.name == APPEAL for step in steps) else None
    fee = appeal_fee_of(review)
    return {"line": line, "fee": fee, "refundable": may_refund(review, fee, here.law, here.today)}


@page(bp, "/clerk/reviews/<int:review_id>/fee", Role.CLERK, methods=("GET", "POST"), asks_again=True)
def appeal_fee_page(here: Page, review_id: int) -> Any:
    """Record the fee of an appeal, or give it back once the appeal is sustained."""
    found = (enforced.reviews(here.plant.id, review_id) or [abort(404)])[0]
    shown = _fee_shown(here, found.review, enforced.steps_of(review_id))
    if shown["line"] is None and shown["fee"] is None:
        abort(404)
    refundable = shown["refundable"]
    form: Any = RefundForm() if refundable else FeeForm(received_on=here.today)
    if form.validate_on_submit():
        keep: Any = {"by": here.by, "at": here.at, "law": here.law}
        how = (form.method.data, form.reference.data)
        result: Any = (refund_appeal_fee(here.plant, review_id, *how, **keep) if refundable
                       else record_appeal_fee(here.plant, review_id, *how, form.received_on.data,
                                                   another=form.another.data, **keep))  # fmt: skip
        if not isinstance(result, Refusal):
            said = "The fee is refunded. The hauler is written." if refundable else "The fee of the appeal is recorded."
            return here.done("haulers.review", said, review_id=review_id)
        form.refuse(FEE_AT.get(result.code), result.why.rstrip("."))
    return here.show(
        "haulers/appeal_fee.html", form=form, found=found, outcomes=REVIEW_OUTCOMES,
        party=queries.party_of_business(found.business_id), owed=standing_appeal_charge(review_id),
        unset=isinstance(shown["line"], Refusal), rule=appeal_fee_refundable(here.law, here.today), **shown,
    )  # fmt: skip


def _counting(here: Page) -> Any:
    """The row that says how days are counted, or None."""
    key = "state.day_counting"
    return here.law.row(key, here.today) if here.law.has(key, here.today) else None


def _revoked_approval(here: Page, revocation_id: int | None) -> Any:
    row = db.session.get(Revocation, revocation_id) if revocation_id is not None else None
    return queries.approval(here.plant.id, row.approval_id) if row is not None else None
