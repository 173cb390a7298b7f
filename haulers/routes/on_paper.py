"""The clerk acts for a company whose application came on paper: changed answers, withdrawn, a wrong entry."""

from typing import Any

from flask import abort

from haulers import actions, queries
from haulers.actions.on_paper import change_on_paper, take_back_entry, withdraw_on_paper
from haulers.forms import as_fields
from haulers.forms.application import answers_in
from haulers.forms.on_paper import PaperChangeForm, PaperWithdrawForm, WrongEntryForm
from haulers.models import Application
from haulers.queries.answers import Answers, answers_of
from haulers.queries.changes import waiting_change
from haulers.queries.opened import opened_words
from haulers.queries.sitting import members_since
from haulers.routes.base import application_here, bp, winter_words
from haulers.states import FileKind
from office.access import Actor, Role
from office.pages import Page, page
from ordinances.calendar import season_named
from ordinances.refusal import Refusal
from ordinances.screening import WASTE_TYPES

FIELDS = {"future_date": "received_on", "before_it": "received_on", "no_words": "wish", "no_reason": "reason",
          "season_differs": "season", "bad_file": "scan", "no_basis": "member", "no_such_member": "member",
          "wish_day": "asked_on", "not_opened": "sources"}  # fmt: skip


def _paper(here: Page, application_id: int) -> tuple[Application, Actor]:
    """An application that came on paper, and the clerk acting for its company."""
    found = application_here(here, application_id)
    if found.channel != "paper":
        abort(404)
    return found, here.by.for_(found.business_name)


@page(bp, "/clerk/filings/<int:application_id>/paper-change", Role.CLERK, methods=("GET", "POST"), asks_again=True)
def paper_change(here: Page, application_id: int) -> Any:
    """Enter the changed answers as the paper gives them."""
    found, by = _paper(here, application_id)
    waiting, said = waiting_change(found.id), answers_of(found)
    stored = queries.sources_of([found.id]).get(found.id, [])
    form = PaperChangeForm(data={"received_on": here.today, "sources": [as_fields(row) for row in stored],
                                 "season": said.season, "unusual": said.unusual, "words": said.words})  # fmt: skip
    form.asked(waiting is not None)
    form.member.choices = tuple((one.id, one.name) for one in members_since(here.plant, found.filed_at, here.at))
    _fit(here, form, found)
    if form.is_submitted() and form.edited_rows():
        _fit(here, form, found)
    elif form.validate_on_submit():
        result = _change(here, form, found, said, by)
        if not isinstance(result, Refusal):
            return here.done("haulers.filing", f"Application {found.number} is changed as the paper says.",
                             application_id=found.id)  # fmt: skip
        form.refuse(FIELDS.get(result.code), f"{result.why} {result.next_step or ''}".strip())
    return here.show("haulers/paper_change.html", form=form, application=found, waiting=waiting,
                     only=opened_words(waiting.opens) if waiting else "")  # fmt: skip


def _fit(here: Page, form: PaperChangeForm, found: Application) -> None:
    words = winter_words(here, season_named(here.law, found.season))
    wastes = [(waste, WASTE_TYPES[waste]) for waste in here.law.value("approval.covers", here.today)]
    form.fit(wastes, words, here.law.value("application.asks", here.today))
    form.fit_season(words, ())


def _change(here: Page, form: PaperChangeForm, found: Application, said: Answers, by: Actor) -> Any:
    """The scan first: a sheet sent in may be all that is new."""
    business = queries.business(found.business_id)
    if business is not None and form.scan.data is not None:
        kept = actions.add_file(here.plant, business, FileKind.PAPER, form.scan.data, application_id=found.id,
                                by=here.by, at=here.at)  # fmt: skip
        if isinstance(kept, Refusal):
            return kept
    given = answers_in(form)
    answers = Answers(given.season, given.unusual, given.words, said.fee, said.receipt)
    return change_on_paper(here.plant, found.id, form.received_on.data, form.wish.data, form.lines(), answers,
                           form.committee(), by=by, at=here.at, law=here.law)  # fmt: skip


@page(bp, "/clerk/filings/<int:application_id>/paper-withdraw", Role.CLERK, methods=("GET", "POST"))
def paper_withdraw(here: Page, application_id: int) -> Any:
    """Enter that the company took it back on paper."""
    found, by = _paper(here, application_id)
    form = PaperWithdrawForm(received_on=here.today)
    if form.validate_on_submit():
        result = withdraw_on_paper(here.plant, found.id, form.received_on.data, by=by, at=here.at, law=here.law)
        if not isinstance(result, Refusal):
            return here.done("haulers.filing", f"Application {found.number} is withdrawn.", application_id=found.id)
        form.refuse(FIELDS.get(result.code), result.why)
    return here.show("haulers/paper_withdraw.html", form=form, application=found)


@page(bp, "/clerk/filings/<int:application_id>/wrong-entry", Role.CLERK, methods=("GET", "POST"))
def wrong_entry(here: Page, application_id: int) -> Any:
    """Take back what was entered by mistake."""
    found, by = _paper(here, application_id)
    form = WrongEntryForm()
    if form.validate_on_submit():
        result = take_back_entry(here.plant, found.id, form.reason.data, by=by, at=here.at, law=here.law)
        if not isinstance(result, Refusal):
            return here.done("haulers.filing", f"The entry of application {found.number} is taken back.",
                             application_id=found.id)  # fmt: skip
        form.refuse(FIELDS.get(result.code), result.why)
    return here.show("haulers/wrong_entry.html", form=form, application=found)
