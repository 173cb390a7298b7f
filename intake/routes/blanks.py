"""Pages of blank tickets: print some, see which are outstanding, enter one from paper, mark one spoiled."""

from datetime import datetime
from typing import Any

from flask import abort, request

from intake.actions.blanks import enter_paper_load, issue_blanks, spoil_blank
from intake.forms.blanks import IssueForm, SpoilForm
from intake.forms.tablets import PaperForm
from intake.models import BlankTicket
from intake.queries import blanks, outbox
from intake.queries.outbox import Written, moment
from intake.routes.base import bp
from intake.routes.tablets import late_form, when, whose
from office.access import Role
from office.db import db
from office.documents import send_letter
from office.letters import Letter
from office.pages import Page, page
from office.standing import standing
from ordinances.refusal import Refusal

GATE = (Role.OPERATOR, Role.MANAGER, Role.DIRECTOR)
AT_TIME = {"ahead": "time", "before": "time", "signed_when": "signed_time"}


@page(bp, "/station/blank-tickets", *GATE, methods=("GET", "POST"))
@standing()
def blank_tickets(here: Page) -> Any:
    """The blank tickets: outstanding, used, spoiled; print more."""
    form = IssueForm(data={"count": 20})
    if form.validate_on_submit():
        result = issue_blanks(here.plant, form.count.data, by=here.by, at=here.at, law=here.law)
        if not isinstance(result, Refusal):
            return here.done("intake.blank_tickets", f"{result.title}: print them below, before the power is gone.")
        form.refuse("count", result.why)
    return here.show("intake/tablets/blanks.html", form=form, out=blanks.listed(here.plant.id, outstanding=True),
                     done=blanks.listed(here.plant.id, outstanding=False), state=blanks.state,
                     count=blanks.count_outstanding(here.plant.id))  # fmt: skip


@page(bp, "/station/blank-tickets/<number>/print.pdf", *GATE)
def blank_tickets_pdf(here: Page, number: str) -> Any:
    """The sheets a blank ticket was printed with."""
    return send_letter(db.session.get(Letter, _blank(here, number).letter_id or 0))


@page(bp, "/station/blank-tickets/<number>", *GATE, methods=("GET", "POST"))
@standing()
def paper_load(here: Page, number: str) -> Any:
    """Enter what was written on a blank ticket, with its own time."""
    row, visitor = _blank(here, number), outbox.visitor(here.plant, request.args, here.at)
    form = late_form(here, {"day": here.today}, PaperForm)
    if form.validate_on_submit() and form.complete():
        visitor = outbox.visitor(here.plant, request.args, when(here, form))
        how = (f"Written on paper, blank ticket {row.number}, {moment(here.plant, when(here, form))} by "
               f"{form.on_duty.data}; entered by {here.by.name}, {moment(here.plant, here.at)}")  # fmt: skip
        written = Written(form.client_id.data, row.number, form.on_duty.data, when(here, form), visitor, form.values(),
                          how)  # fmt: skip
        result = enter_paper_load(here.plant, row, written, _signed_at(here, form), by=here.by, at=here.at,
                                  law=here.law)  # fmt: skip
        if not isinstance(result, Refusal):
            return here.done("intake.load_ticket", ticket=result.ticket)
        if result.code in ("used", "spoiled"):
            return here.refuse(result)
        if result.code in AT_TIME:
            form.refuse(AT_TIME[result.code], " ".join(filter(None, (result.why, result.next_step))))
        else:
            form.show_refusal(result)
    return here.show("intake/tablets/paper.html", form=form, row=row, state=blanks.state(row),
                     **whose(here, visitor))  # fmt: skip


@page(bp, "/station/blank-tickets/<number>/spoiled", *GATE, methods=("GET", "POST"))
@standing()
def blank_spoiled(here: Page, number: str) -> Any:
    """Say that a blank ticket is not used any more."""
    row, form = _blank(here, number), SpoilForm()
    if form.validate_on_submit():
        result = spoil_blank(row, form.reason.data, by=here.by, at=here.at)
        if isinstance(result, Refusal):
            return here.refuse(result)
        return here.done("intake.blank_tickets", f"Blank ticket {number} is marked spoiled.")
    return here.show("intake/tablets/spoiled.html", form=form, row=row)


def _signed_at(here: Page, form: PaperForm) -> datetime | None:
    """When the driver signed the paper, None where they did not; in the minute it began it is after that."""
    if form.signed.data != "yes" or form.signed_time.data is None:
        return None
    return datetime.combine(form.signed_day.data or form.day.data, form.signed_time.data, tzinfo=here.plant.tz)


def _blank(here: Page, number: str) -> BlankTicket:
    return blanks.blank(here.plant.id, number) or abort(404)
