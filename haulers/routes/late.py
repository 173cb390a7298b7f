"""After the close: what a hauler may do, for everybody; asking the committee to take an application late."""

from typing import Any

from flask import redirect, request, url_for

from haulers import actions, queries
from haulers.forms import ConfirmForm
from haulers.forms.changes import LateForm
from haulers.models import Business
from haulers.queries.tasks import task_list
from haulers.queries.windows import Working, working_season
from haulers.routes.answers import change_pages
from haulers.routes.application import sent_before, usable_last
from haulers.routes.base import bp, own_business
from office.access import Role
from office.pages import Page, page
from office.standing import standing
from ordinances.calendar import filing_status
from ordinances.refusal import Refusal


@page(bp, "/late", Role.PUBLIC)
@standing()
def late_how(here: Page) -> Any:
    """What can be done after the applications close, and whom to call."""
    status = filing_status(here.law, here.at)
    if isinstance(status, Refusal):
        return here.show("haulers/apply_not_here.html", refusal=status)
    shut = queries.shut_window(here.law, here.at)
    return here.show("haulers/late_how.html", shut=shut, late=shut.late if shut else None)


@page(bp, "/hauler/apply/late", Role.HAULER, methods=("GET", "POST"), asks_again=True)
@standing()
def late(here: Page) -> Any:
    """The tasks of a late application, and the request itself. It starts with a button: nothing is made by looking."""
    business = own_business(here)
    work = working_season(here.plant.id, business.id, here.law, here.at, late=True)
    if isinstance(work, Refusal):
        return redirect(url_for("haulers.late_how"))
    form, start = LateForm(), ConfirmForm()
    if "start" in request.form:
        if start.validate_on_submit():
            begun = actions.start_late(here.plant, business.id, by=here.by, at=here.at, law=here.law)
            return here.done("haulers.late") if not isinstance(begun, Refusal) else _not_taken(here, begun)
    elif form.validate_on_submit():
        made = actions.ask_late(here.plant, business.id, form.reason.data, by=here.by, at=here.at, law=here.law)
        return here.done("haulers.sent", application_id=made.id) if not isinstance(made, Refusal) else _not_taken(
            here, made)  # fmt: skip
    return _shown(here, business, work, form, start)


def _not_taken(here: Page, refusal: Refusal) -> Any:
    if refusal.code == "already_filed":
        return sent_before(refusal)
    return here.refuse(refusal, title="Nothing was sent")


def _shown(here: Page, business: Business, work: Working, form: LateForm, start: ConfirmForm) -> Any:
    draft = queries.application_for(here.plant.id, business.id, work.season.name)
    if draft is not None and draft.filed_at is not None:
        return redirect(url_for("haulers.sent", application_id=draft.id))
    shut = queries.shut_window(here.law, here.at)
    return here.show("haulers/late.html", form=form, start=start, work=work, draft=draft, pages=change_pages(),
                     late=shut.late if shut else None, last=usable_last(here, business, draft, work.season.name),
                     tasks=task_list(business, draft, work.season, here.law, here.today))  # fmt: skip
