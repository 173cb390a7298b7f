"""Changing an application already sent: the hauler asks and changes, the clerk opens or says why not."""

from typing import Any

from flask import abort

from haulers import actions, queries
from haulers.actions.change_basis import over
from haulers.forms import as_fields
from haulers.forms.application import answers_in
from haulers.forms.changes import AskChangeForm, ChangeForm, OpenAskedForm, OpenChangeForm, RefuseChangeForm
from haulers.models import Application, ApplicationChange, Business
from haulers.queries.answers import answers_of
from haulers.queries.changes import change as change_of
from haulers.queries.files import files_of
from haulers.queries.held import seen_by_hauler
from haulers.queries.opened import after_close, opened_words, window_for
from haulers.queries.registered import signs_in
from haulers.queries.sitting import members_since
from haulers.routes.base import application_here, bp, own_business, winter_words
from haulers.routes.committee import OPENING_FIELDS
from haulers.states import FileKind
from office.access import Role
from office.pages import Page, page
from ordinances.calendar import season_named
from ordinances.refusal import Refusal
from ordinances.screening import WASTE_TYPES

OPENED = "The hauler is told and can change the answers."


def _mine(here: Page, application_id: int) -> tuple[Application, Business]:
    business = own_business(here)
    found = queries.application(here.plant.id, application_id)
    if found is None or found.business_id != business.id or found.filed_at is None:
        abort(404)
    return found, business


@page(bp, "/hauler/apply/change/<int:application_id>", Role.HAULER, methods=("GET", "POST"), asks_again=True)
def ask_change(here: Page, application_id: int) -> Any:
    """Ask to change an answer of a sent application."""
    found, _ = _mine(here, application_id)
    form = AskChangeForm()
    if form.validate_on_submit():
        result = actions.ask_change(here.plant, found.id, form.words.data, by=here.by, at=here.at, law=here.law)
        if not isinstance(result, Refusal):
            return here.done("haulers.sent", "The clerk reads what you asked and answers you.", application_id=found.id)
        form.refuse("words" if result.code == "no_words" else None, f"{result.why} {result.next_step or ''}".strip())
    return here.show("haulers/change_ask.html", form=form, application=found)


@page(bp, "/hauler/apply/changes/<int:change_id>", Role.HAULER, methods=("GET", "POST"))
def change(here: Page, change_id: int) -> Any:
    """Change a copy of the answers once it is opened; both stay on record."""
    made = change_of(here.plant.id, change_id) or abort(404)
    found, business = _mine(here, made.application_id)
    if made.answered_at is None and (gone := over(made, found, here.law, here.at)) is not None:
        return here.refuse(gone)
    seen = seen_by_hauler(found)
    said = seen.answers
    form = ChangeForm(data={"sources": [as_fields(row) for row in seen.sources], "season": said.season,
                            "unusual": said.unusual, "words": said.words}).leave_out(made.opens)  # fmt: skip
    _fit(here, form, found)
    if form.is_submitted() and form.edited_rows():
        _fit(here, form, found)
    elif form.validate_on_submit():
        result = _answer(here, business, found, made, form)
        if not isinstance(result, Refusal):
            return here.done("haulers.sent", f"Application {found.number} is changed.", application_id=found.id)
        form.refuse("sheet" if result.code == "bad_file" else None, f"{result.why} {result.next_step or ''}".strip())
    return here.show("haulers/change.html", form=form, application=found, change=made, only=opened_words(made.opens),
                     sheets=files_of(business.id, FileKind.LAB, application_id=found.id))  # fmt: skip


def _fit(here: Page, form: ChangeForm, found: Application) -> None:
    season = season_named(here.law, found.season)
    form.fit_season(winter_words(here, season), ())
    wastes = [(waste, WASTE_TYPES[waste]) for waste in here.law.value("approval.covers", here.today)]
    form.fit(wastes, winter_words(here, season), here.law.value("application.asks", here.today))


def _answer(here: Page, business: Business, found: Application, made: ApplicationChange, form: ChangeForm) -> Any:
    """The sheet first: a file can be added only while the change is open."""
    if "sheet" in form and form.sheet.data:
        kept = actions.add_file(here.plant, business, FileKind.LAB, form.sheet.data, application_id=found.id,
                                by=here.by, at=here.at)  # fmt: skip
        if isinstance(kept, Refusal):
            return kept
    given, said = answers_in(form), answers_of(found)
    season = given.season if "season" in form else said.season
    unusual, words = (given.unusual, given.words) if "unusual" in form else (said.unusual, said.words)
    stored = queries.sources_of([found.id]).get(found.id, [])
    lines = form.lines() if "sources" in form else [queries.as_line(row) for row in stored]
    return actions.answer_change(here.plant, made.id, lines, type(said)(season, unusual, words, said.fee, said.receipt),
                                 by=here.by, at=here.at, law=here.law)  # fmt: skip


def _closed(here: Page, found: Application) -> bool:
    """Whether the window of an application has closed: nothing is opened then without the committee's request."""
    return after_close(window_for(found, here.law), here.at)


@page(bp, "/clerk/filings/<int:application_id>/change", Role.CLERK, methods=("GET", "POST"))
def open_change(here: Page, application_id: int) -> Any:
    """Ask a hauler for more information: the application is open for the change at once."""
    found = application_here(here, application_id)
    form = OpenChangeForm().fit(members_since(here.plant, found.filed_at, here.at), _closed(here, found))
    if form.validate_on_submit():
        result = actions.open_change(here.plant, found, "committee", form.words.data, form.due_on.data,
                                     opens=form.opens.data, wish=form.wish(), by=here.by, at=here.at,
                                     law=here.law)  # fmt: skip
        if not isinstance(result, Refusal):
            return here.done("haulers.filing", OPENED, application_id=found.id)
        form.refuse(OPENING_FIELDS.get(result.code), f"{result.why} {result.next_step or ''}".strip())
    party = queries.party_of_business(found.business_id)
    return here.show("haulers/change_open.html", form=form, application=found, online=signs_in(party.id, here.at))


@page(bp, "/clerk/changes/<int:change_id>", Role.CLERK, methods=("GET", "POST"))
def asked_change(here: Page, change_id: int) -> Any:
    """Open the application for the change a hauler asked for."""
    made = change_of(here.plant.id, change_id) or abort(404)
    found = application_here(here, made.application_id)
    form = OpenAskedForm().fit(members_since(here.plant, found.filed_at, here.at), _closed(here, found))
    if form.validate_on_submit():
        result = actions.open_asked_change(here.plant, made.id, form.due_on.data, form.opens.data, form.wish(),
                                           by=here.by, at=here.at, law=here.law)  # fmt: skip
        if not isinstance(result, Refusal):
            return here.done("haulers.filing", OPENED, application_id=found.id)
        form.refuse(OPENING_FIELDS.get(result.code), f"{result.why} {result.next_step or ''}".strip())
    return here.show("haulers/change_asked.html", form=form, application=found, change=made)


@page(bp, "/clerk/changes/<int:change_id>/refuse", Role.CLERK, methods=("GET", "POST"))
def refuse_change(here: Page, change_id: int) -> Any:
    """Say why the application stays as it was sent."""
    made = change_of(here.plant.id, change_id) or abort(404)
    found, form = application_here(here, made.application_id), RefuseChangeForm()
    if form.validate_on_submit():
        result = actions.refuse_change(here.plant, made.id, form.reason.data, by=here.by, at=here.at, law=here.law)
        if not isinstance(result, Refusal):
            return here.done("haulers.filing", "The hauler is told why.", application_id=found.id)
        form.refuse("reason" if result.code == "no_reason" else None, result.why)
    return here.show("haulers/change_refuse.html", form=form, application=found, change=made)
