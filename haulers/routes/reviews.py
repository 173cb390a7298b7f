"""Reviews asked for of a decision or a revocation: entered as they come in, step by step, closed with an outcome."""

from typing import Any

from flask import abort, request

from haulers import queries
from haulers.actions.reviews import close_review, enter_review, finish_review_step, told_on
from haulers.forms.enforcement import CloseForm, ReviewForm, StepForm
from haulers.models import Decision, Revocation
from haulers.queries import enforcement as enforced
from haulers.routes.base import bp
from haulers.routes.clerk import letter_href
from haulers.states import REVIEW_OUTCOMES
from office.access import Role
from office.db import db
from office.pages import Page, page
from ordinances.refusal import Refusal
from ordinances.reviews import clocks

CITY = (Role.CLERK, Role.DIRECTOR)


def _reviewed(here: Page, kind: str, of_id: int) -> dict[str, int]:
    """What is reviewed, as the act takes it; not found for another plant's, and where no letter was sent."""
    model: Any = {"decision": Decision, "revocation": Revocation}.get(kind)
    row = db.session.get(model, of_id) if model is not None else None
    if row is None or row.plant_id != here.plant.id or row.letter_id is None:
        abort(404)
    return {f"{kind}_id": of_id}


@page(bp, "/director/reviews/new/<kind>/<int:of_id>", *CITY, methods=("GET", "POST"))
def new_review(here: Page, kind: str, of_id: int) -> Any:
    """Enter a request for review as it came in."""
    what = _reviewed(here, kind, of_id)
    told = told_on(here.plant, **what)
    steps = clocks(here.law, told or here.today)
    form = ReviewForm(asked_on=here.today)
    if form.validate_on_submit():
        made = enter_review(here.plant, form.words.data, form.asked_on.data, form.asked_by.data, **what, by=here.by,
                            at=here.at, law=here.law)  # fmt: skip
        if not isinstance(made, Refusal):
            return here.done("haulers.review", "The request is entered.", review_id=made.id)
        form.refuse("asked_on" if made.code == "no_day" else None, made.why.rstrip("."))
    return here.show("haulers/new_review.html", form=form, told=told, steps=steps,
                     last=steps[0].due(here.law, told) if steps and told else None)  # fmt: skip


@page(bp, "/director/reviews/<int:review_id>", *CITY, methods=("GET", "POST"))
def review(here: Page, review_id: int) -> Any:
    """One review: its steps with their days, the one it waits for, and closing it."""
    found = (enforced.reviews(here.plant.id, review_id) or [abort(404)])[0]
    step = request.form.get("step", "")
    done = StepForm(formdata=request.form if step == "done" else None)
    close = CloseForm(formdata=request.form if step == "close" else None)
    if step == "done" and done.validate_on_submit():
        result: Any = finish_review_step(here.plant, review_id, done.done_on.data, done.note.data, done.payment.data,
                                         by=here.by, at=here.at, law=here.law)  # fmt: skip
        if not isinstance(result, Refusal):
            return here.done("haulers.review", f"{result.name}: done.", review_id=review_id)
        done.refuse("payment" if result.code == "no_payment" else "done_on", result.why.rstrip("."))
    if step == "close" and close.validate_on_submit():
        result = close_review(here.plant, review_id, close.outcome.data, close.words.data, close.on.data, by=here.by,
                              at=here.at, law=here.law)  # fmt: skip
        if not isinstance(result, Refusal):
            return here.done("haulers.review", "The review is closed.", review_id=review_id)
        close.refuse("on", result.why.rstrip("."))
    steps = enforced.steps_of(review_id)
    told = told_on(here.plant, decision_id=found.review.decision_id, revocation_id=found.review.revocation_id)
    unsure = {one.cite for one in clocks(here.law, told or here.today) if one.unconfirmed}
    return here.show(
        "haulers/review.html", found=found, steps=steps, unsure=unsure, done=done, close=close,
        form=close if step == "close" else done, outcomes=REVIEW_OUTCOMES, letter_href=letter_href,
        waiting=next((one for one in steps if one.done_on is None), None),
        party=queries.party_of_business(found.business_id), counting=_counting(here),
        approval=_revoked_approval(here, found.review.revocation_id),
    )  # fmt: skip


def _counting(here: Page) -> Any:
    """The row that says how days are counted, or None."""
    key = "state.day_counting"
    return here.law.row(key, here.today) if here.law.has(key, here.today) else None


def _revoked_approval(here: Page, revocation_id: int | None) -> Any:
    row = db.session.get(Revocation, revocation_id) if revocation_id is not None else None
    return queries.approval(here.plant.id, row.approval_id) if row is not None else None
