"""Notices of violation, suspensions, and what is open of them and of reviews, for the Director and the clerk."""

from datetime import date
from typing import Any

from flask import abort, request

from haulers import queries
from haulers.actions.suspension import (
    check_suspension,
    held_bookings,
    lift_suspension,
    suspend_approval,
    suspension_letter,
)
from haulers.actions.violations import (
    add_violation_days,
    check_violation,
    correct_violation,
    far_days,
    issue_violation,
    violation_letter,
)
from haulers.forms.revocation import CorrectedForm, LiftForm, MoreDaysForm, SuspendForm, ViolationForm
from haulers.models import Business, Violation
from haulers.queries import enforcement as enforced
from haulers.queries.reviewed import letter_day, reviewable
from haulers.routes.base import bp
from haulers.routes.clerk import letter_href
from haulers.routes.director import act_of, approval_here, fitted, kept
from office.access import Role
from office.formats import date_only
from office.pages import Page, page
from ordinances.refusal import Refusal

CITY = (Role.DIRECTOR, Role.CLERK)


@page(bp, "/director/enforcement", *CITY)
def enforcement(here: Page) -> Any:
    """Notices of violation and reviews, open ones first, and the haulers a notice can be written to."""
    notices = enforced.violations(here.plant.id)
    found = enforced.reviews(here.plant.id)
    waiting = {one.review.id: enforced.waiting_step(one.review.id) for one in found if one.review.closed_on is None}
    ids = {one.business_id for one in notices} | {one.business_id for one in found}
    return here.show("haulers/enforcement.html", notices=notices, reviews=found, waiting=waiting,
                     reviewable=reviewable(here.plant, here.law, here.today),
                     names=queries.business_names(ids), known=queries.businesses_at(here.plant.id))  # fmt: skip


def _business(here: Page, business_id: int) -> Business:
    """A hauler this plant knows; not found otherwise."""
    known = {business.id: business for business, _ in queries.businesses_at(here.plant.id)}
    return known.get(business_id) or abort(404)


@page(bp, "/director/haulers/<int:business_id>/violation", *CITY, methods=("GET", "POST"))
def new_violation(here: Page, business_id: int) -> Any:
    """What was broken, the notice as it will go out, then sent."""
    business = _business(here, business_id)
    party = queries.party_of_business(business.id)
    held = next((one for one in queries.last_approvals(here.plant.id, business.id)), None)
    form: ViolationForm = fitted(here, ViolationForm(), business.id, held)
    step, asked = request.form.get("step", ""), ""
    if step in ("check", "send") and form.validate_on_submit():
        said = (form.rule.data, form.reason.data, form.days(), form.loads.data, form.correct_by.data)
        asked = far_days(form.days(), form.correct_by.data, here.today)
        form.sure.data = form.sure.data and request.form.get("seen") == asked
        checked = check_violation(here.plant, business.id, *said, form.sure.data, here.by, here.at, here.law)
        far = isinstance(checked, Refusal) and checked.code == "far_days"
        if step == "send" and not far:
            made = issue_violation(here.plant, business.id, *said, form.sure.data, by=here.by, at=here.at, law=here.law)
            if not isinstance(made, Refusal):
                return here.done("haulers.violation", "The notice is sent.", violation_id=made.id)
            return here.refuse(made, title="The notice was not sent")
        if not isinstance(checked, Refusal):
            title, data = violation_letter(here.plant, business.id, *said, here.by, here.at, here.law)
            return here.show("haulers/violation_check.html", form=form, party=party, letter_title=title, data=data,
                             kept=kept(form), business=business)  # fmt: skip
        field = {"no_day": "first", "no_time": "correct_by", "far_days": "sure"}.get(checked.code)
        form.refuse(field, f"{checked.why} {checked.next_step or ''}".strip().rstrip("."))
    return here.show("haulers/new_violation.html", form=form, party=party, business=business, asked=asked)


@page(bp, "/director/violations/<int:violation_id>", *CITY, methods=("GET", "POST"))
def violation(here: Page, violation_id: int) -> Any:
    """One notice: its days, each its own offense; adding days; saying that it was corrected."""
    row = enforced.violation(here.plant.id, violation_id) or abort(404)
    step = request.form.get("step", "")
    days, done = _forms(step)
    if step == "days" and days.validate_on_submit():
        result = add_violation_days(here.plant, row.id, days.days(), by=here.by, at=here.at, law=here.law)
        if not isinstance(result, Refusal):
            return here.done("haulers.violation", "The days are in the record.", violation_id=row.id)
        days.refuse("first", result.why.rstrip("."))
    if step == "corrected" and done.validate_on_submit():
        result = correct_violation(here.plant, row.id, done.on.data, done.how.data, by=here.by, at=here.at,
                                   law=here.law)  # fmt: skip
        if not isinstance(result, Refusal):
            return here.done("haulers.violation", "The violation is marked as corrected.", violation_id=row.id)
        done.refuse("on", result.why.rstrip("."))
    return _show_violation(here, row, days, done, done if step == "corrected" else days)


def _forms(step: str) -> tuple[MoreDaysForm, CorrectedForm]:
    """The two forms of the page; the one that was not sent starts empty."""
    days = MoreDaysForm(formdata=request.form if step == "days" else None)
    return days, CorrectedForm(formdata=request.form if step == "corrected" else None)


def _show_violation(here: Page, row: Violation, days: MoreDaysForm, done: CorrectedForm, form: Any) -> Any:
    return here.show("haulers/violation.html", row=row, days=days, done=done, form=form, letter_href=letter_href,
                     party=queries.party_of_business(row.business_id), told=act_of("violation", row.id),
                     may_review=letter_day(here.plant, here.law, violation_id=row.id) is not None,
                     dates=[date_only(date.fromisoformat(one)) for one in row.days],
                     overdue=row.corrected_on is None and row.correct_by < here.today)  # fmt: skip


@page(bp, "/director/approvals/<int:approval_id>/suspend", Role.DIRECTOR, methods=("GET", "POST"))
def suspend(here: Page, approval_id: int) -> Any:
    """Reason, then the letter as it will go out, then suspended. Where the law knows no suspension the page says so."""
    approval = approval_here(here, approval_id)
    party = queries.party_of_business(approval.business_id)
    form: SuspendForm = fitted(here, SuspendForm(), approval.business_id, approval)
    step = request.form.get("step", "")
    if step in ("check", "send") and form.validate_on_submit():
        said = (form.rule.data, form.reason.data, form.until.data)
        if step == "send":
            made = suspend_approval(here.plant, approval.id, *said, by=here.by, at=here.at, law=here.law)
            if isinstance(made, Refusal):
                return here.refuse(made, title="The approval was not suspended")
            return here.done("haulers.approvals", f"Approval {approval.number} is suspended.")
        checked = check_suspension(here.plant, approval.id, *said, here.by, here.at, here.law)
        if isinstance(checked, Refusal) and checked.code != "over":
            return here.refuse(checked, title="The approval cannot be suspended")
        if not isinstance(checked, Refusal):
            title, data = suspension_letter(approval, *said, here.by, here.at, here.law)
            return here.show("haulers/suspend_check.html", form=form, approval=approval, party=party, data=data,
                             letter_title=title, kept=kept(form),
                             bookings=held_bookings(approval.id, form.until.data, here.at, here.law))  # fmt: skip
        form.refuse("until", checked.why.rstrip("."))
    return here.show("haulers/suspend.html", form=form, approval=approval, party=party)


@page(bp, "/director/suspensions/<int:suspension_id>/lift", Role.DIRECTOR, methods=("GET", "POST"))
def lift_hold(here: Page, suspension_id: int) -> Any:
    """Lift a suspension, with the reason."""
    row = enforced.suspension(here.plant.id, suspension_id) or abort(404)
    approval = approval_here(here, row.approval_id)
    form = LiftForm()
    if form.validate_on_submit():
        result = lift_suspension(here.plant, row.id, form.why.data, by=here.by, at=here.at, law=here.law)
        if isinstance(result, Refusal):
            return here.refuse(result)
        return here.done("haulers.approvals", f"The suspension of approval {approval.number} is lifted.")
    return here.show("haulers/lift_hold.html", form=form, row=row, approval=approval,
                     party=queries.party_of_business(approval.business_id))  # fmt: skip
