"""The clerk enters a change of an approval that a company asks for on paper, and that it takes one back."""

from typing import Any

from flask import abort

from haulers import actions, queries
from haulers.actions.amendments import KINDS, new_words, old_words, open_to_hauler, stands
from haulers.actions.paper_amendments import enter_amendment, on_paper, withdraw_amendment_on_paper
from haulers.forms.amendments import AskForm, paper_ask_form
from haulers.forms.on_paper import PaperWithdrawForm
from haulers.models import Amendment, Approval
from haulers.queries import enforcement as enforced
from haulers.routes.amendments import asks_of
from haulers.routes.base import bp
from haulers.states import FileKind
from office.access import Role
from office.pages import Page, page
from ordinances.refusal import Refusal

FIELDS = {"future_date": "received_on", "before_it": "received_on", "no_words": "words", "no_gallons": "extra_winter",
          "plate_listed": "plate", "bad_file": "scan"}  # fmt: skip


def _paper(here: Page, approval_id: int) -> Approval:
    """An approval whose company asks on paper; not found for another's or one with an account."""
    found = queries.approval(here.plant.id, approval_id) or abort(404)
    return found if on_paper(found, here.at) else abort(404)


@page(bp, "/clerk/approvals/<int:approval_id>/paper/<kind>", Role.CLERK, methods=("GET", "POST"), asks_again=True)
def paper_amend(here: Page, approval_id: int, kind: str) -> Any:
    """What the paper asks for, the old beside the new."""
    found = _paper(here, approval_id)
    if kind not in KINDS:
        abort(404)
    form = paper_ask_form(kind, here.law.value("approval.covers", found.starts), here.today, asks_of(here))
    if form.validate_on_submit():
        made = _enter(here, form, found, kind)
        if not isinstance(made, Refusal):
            said = "The request is entered. The approval stays as it is until the committee decides."
            return here.done("haulers.filing", said, application_id=found.application_id)
        field = FIELDS.get(made.code)
        form.refuse(field if field in form else None, made.why.rstrip("."))
    return here.show("haulers/paper_amend.html", form=form, approval=found, kind=kind, title=KINDS[kind],
                     old=old_words(stands(found)), name=queries.party_of_business(found.business_id).name)  # fmt: skip


def _enter(here: Page, form: AskForm, found: Approval, kind: str) -> Amendment | Refusal:
    business, name = queries.business(found.business_id), queries.party_of_business(found.business_id).name
    by, scan = here.by.for_(name), form["scan"].data
    new, winter, rest = form.asked()
    made: Amendment | Refusal = enter_amendment(here.plant, found.id, kind, form.words.data, new, winter, rest,
                                                form["received_on"].data, by=by, at=here.at, law=here.law)  # fmt: skip
    if isinstance(made, Refusal) or business is None or scan is None:
        return made
    kept = actions.add_file(here.plant, business, FileKind.PAPER, scan, application_id=found.application_id, by=here.by,
                            at=here.at)  # fmt: skip
    return kept if isinstance(kept, Refusal) else made


@page(bp, "/clerk/approvals/asked/<int:amendment_id>/withdraw", Role.CLERK, methods=("GET", "POST"))
def paper_amend_withdraw(here: Page, amendment_id: int) -> Any:
    """Enter that the company took its request back on paper."""
    asked = enforced.amendment(here.plant.id, amendment_id) or abort(404)
    found = _paper(here, asked.approval_id)
    name, form = queries.party_of_business(found.business_id).name, PaperWithdrawForm(received_on=here.today)
    if form.validate_on_submit():
        result = withdraw_amendment_on_paper(here.plant, asked.id, form.received_on.data, by=here.by.for_(name),
                                             at=here.at, law=here.law)  # fmt: skip
        if not isinstance(result, Refusal):
            return here.done("haulers.filing", "The request is withdrawn.", application_id=found.application_id)
        form.refuse(FIELDS.get(result.code), result.why)
    return here.show("haulers/paper_amend_withdraw.html", form=form, asked=asked, approval=found, name=name,
                     words=new_words(asked), waits=open_to_hauler(asked))  # fmt: skip
