"""A hauler's application for the season: the list of tasks, the sources, check and send, sent, withdrawn."""

from typing import Any

from flask import abort, flash, redirect, request, url_for
from werkzeug.wrappers import Response

from haulers import actions, queries
from haulers.forms import ConfirmForm, SourcesForm, as_fields
from haulers.models import Application, Business
from haulers.queries import SourceLine, Warned
from haulers.queries.bars import reapply_barred
from haulers.routes.base import bp, own_business, source_rows, winter_words
from haulers.states import DECIDED, STATE_WORDS, ApplicationState
from office.access import Role
from office.pages import SENT_BEFORE, Page, page
from ordinances.calendar import FilingStatus, filing_status
from ordinances.refusal import Refusal
from ordinances.screening import WASTE_TYPES


def _own(here: Page, application_id: int) -> tuple[Application, Business]:
    """The hauler's own sent application; another hauler's is not found."""
    business = own_business(here)
    found = queries.application(here.plant.id, application_id)
    if found is None or found.business_id != business.id or found.filed_at is None:
        abort(404)
    return found, business


@page(bp, "/hauler/apply", Role.HAULER)
def apply_season(here: Page) -> Any:
    """The season's application: its tasks while it is a draft, its state once it is sent, the dates when closed."""
    status = filing_status(here.law, here.at)
    if isinstance(status, Refusal):
        return here.show("haulers/apply_not_here.html", refusal=status)
    business = own_business(here)
    found = queries.application_for(here.plant.id, business.id, status.season.name)
    past = [one for one in queries.applications_of(here.plant.id, business.id) if one.filed_at and one is not found]
    if found is not None and found.state != ApplicationState.DRAFT.value:
        return _sent_page(here, found, past)
    if status.state in ("before_form", "closed"):
        shut = queries.shut_window(here.law, here.at)
        mine = [one for one in past if shut and shut.closed and one.season == shut.closed.season.name]
        return here.show("haulers/window_closed.html", window=status, draft=found, past=past, shut=shut,
                         mine=[one for one in mine if one.withdrawn_at is None])  # fmt: skip
    barred = reapply_barred(here.plant, business.id, here.law, here.at)
    if barred is not None:
        return here.show("haulers/apply_not_here.html", refusal=barred)
    return here.show("haulers/tasks.html", window=status, past=past, tasks=_tasks(here, business, found, status))


def _tasks(here: Page, business: Business, draft: Application | None, status: FilingStatus) -> list[dict[str, Any]]:
    sources = queries.sources_of([draft.id]).get(draft.id, []) if draft else []
    missing = queries.incomplete_sources(sources)
    trucks, licence = queries.trucks_of(business.id), queries.licence_of(business.id)
    said = "Not started" if not sources else "In progress" if missing else "Completed"
    ready = said == "Completed" and licence is not None
    return [
        {"title": "Your company", "tasks": [
            _task("Check your company details", "haulers.company", "Completed"),
            _task("Give your state license", "haulers.license_page", "Completed" if licence else "Not started"),
            _task("Add your trucks", "haulers.trucks", "Completed" if trucks else "Not started"),
        ]},
        {"title": "Your application", "tasks": [
            _task("Say what you plan to bring", "haulers.sources", said),
            _task("Check your answers and send", "haulers.check", "Not started" if ready else "Cannot start yet"),
        ]},
    ]  # fmt: skip


def _task(label: str, endpoint: str, status: str) -> dict[str, Any]:
    return {"label": label, "href": url_for(endpoint), "status": status, "hint": ""}


@page(bp, "/hauler/apply/sources", Role.HAULER, methods=("GET", "POST"))
def sources(here: Page) -> Any:
    """Every source with type, place, how often and gallons. Saved as often as one likes."""
    status = filing_status(here.law, here.at)
    if isinstance(status, Refusal):
        return here.show("haulers/apply_not_here.html", refusal=status)
    business = own_business(here)
    draft = queries.application_for(here.plant.id, business.id, status.season.name)
    if request.method == "GET" and (status.state == "before_form" or (draft and draft.filed_at)):
        return redirect(url_for("haulers.apply_season"))
    stored = queries.sources_of([draft.id]).get(draft.id, []) if draft else []
    form = SourcesForm(data={"sources": [as_fields(row) for row in stored]} if stored else None)
    return _save_sources(here, business, form, status)


def _save_sources(here: Page, business: Business, form: SourcesForm, status: FilingStatus) -> Any:
    wastes = [(waste, WASTE_TYPES[waste]) for waste in here.law.value("approval.covers", here.today)]
    season_words = winter_words(here, status.season)
    form.fit(wastes, season_words)
    later = request.form.get("then") == "later"
    if form.is_submitted() and form.edited_rows():
        form.fit(wastes, season_words)
    elif (form.lenient() if later else form).validate_on_submit():
        result = actions.save_draft(here.plant, business.id, form.lines(), by=here.by, at=here.at, law=here.law)
        if not isinstance(result, Refusal):
            return here.done("haulers.saved" if later else "haulers.check")
        form.refuse(None, f"{result.why} {result.next_step or ''}".strip())
    return here.show("haulers/sources.html", form=form, window=status,
                     warnings=_warnings(here, business, form.lines(), status))  # fmt: skip


def _warnings(here: Page, business: Business, lines: list[SourceLine], status: FilingStatus) -> list[Warned]:
    return queries.load_warnings(lines, queries.trucks_of(business.id), here.law, status.season)


@page(bp, "/hauler/apply/saved", Role.HAULER)
def saved(here: Page) -> Any:
    """Your answers are saved; come back by the close."""
    status = filing_status(here.law, here.at)
    return here.show("haulers/saved.html", window=status if isinstance(status, FilingStatus) else None)


@page(bp, "/hauler/apply/check", Role.HAULER, methods=("GET", "POST"))
def check(here: Page) -> Any:
    """All answers with their sums, the declaration, and the button that sends it when the window is open."""
    business = own_business(here)
    form = ConfirmForm()
    if form.validate_on_submit():
        return _send(here, business)
    status = filing_status(here.law, here.at)
    draft = None if isinstance(status, Refusal) else queries.application_for(here.plant.id, business.id,
                                                                              status.season.name)  # fmt: skip
    if isinstance(status, Refusal) or draft is None or draft.filed_at is not None:
        return redirect(url_for("haulers.apply_season"))
    stored = queries.sources_of([draft.id]).get(draft.id, [])
    return here.show(
        "haulers/check.html", form=form, window=status, party=queries.party_of_business(business.id),
        licence=queries.licence_of(business.id), trucks=queries.trucks_of(business.id), business=business,
        sources=[(row, source_rows(row, url_for("haulers.sources"))) for row in stored], totals=queries.totals(stored),
        missing=queries.incomplete_sources(stored), winter=winter_words(here, status.season),
        warnings=_warnings(here, business, [queries.as_line(row) for row in stored], status),
    )  # fmt: skip


def _send(here: Page, business: Business) -> Any:
    result = actions.file_application(here.plant, business.id, by=here.by, at=here.at, law=here.law)
    if not isinstance(result, Refusal):
        return here.done("haulers.sent", application_id=result.id)
    if result.code == "already_filed":
        return _sent_before(result)
    back = [("Back to your application, all answers kept", url_for("haulers.apply_season"))]
    return here.refuse(result, title="Your application was not sent", next=back)


def _sent_before(refusal: Refusal) -> Response:
    flash(SENT_BEFORE, "info")
    return redirect(url_for("haulers.sent", application_id=refusal.details["application_id"]), 303)


@page(bp, "/hauler/apply/sent/<int:application_id>", Role.HAULER)
def sent(here: Page, application_id: int) -> Any:
    """The number, what happens next, the receipt. Can be opened again."""
    found, business = _own(here, application_id)
    past = [one for one in queries.applications_of(here.plant.id, business.id) if one.filed_at and one is not found]
    return _sent_page(here, found, past)


def _sent_page(here: Page, found: Application, past: list[Application]) -> Any:
    stored = queries.sources_of([found.id]).get(found.id, [])
    status = filing_status(here.law, here.at)
    decided = ApplicationState(found.state) in DECIDED
    approval = queries.approval_of(found.id)
    return here.show(
        "haulers/sent.html", application=found, sources=[(row, source_rows(row)) for row in stored],
        totals=queries.totals(stored), past=past, state=STATE_WORDS[ApplicationState(found.state)],
        decision=queries.issued_decisions([found.id]).get(found.id), approval=approval,
        revocation=queries.revocation_of(approval.id) if approval else None,
        covers=queries.waste_words(queries.covered(approval)) if approval else "",
        fee=queries.fees_of([found.id]).get(found.id), can_withdraw=not decided and found.withdrawn_at is None,
        fee_words=actions.fee_due_words(here.law, here.today),
        window=status if isinstance(status, FilingStatus) else None,
    )  # fmt: skip


@page(bp, "/hauler/apply/withdraw/<int:application_id>", Role.HAULER, methods=("GET", "POST"))
def withdraw(here: Page, application_id: int) -> Any:
    """Take the application back, after asking."""
    found, _ = _own(here, application_id)
    form = ConfirmForm()
    if form.validate_on_submit():
        result = actions.withdraw_application(here.plant, found.id, by=here.by, at=here.at, law=here.law)
        if isinstance(result, Refusal):
            return here.refuse(result)
        return here.done("haulers.apply_season", f"Application {found.number} is withdrawn.")
    return here.show("haulers/withdraw.html", form=form, application=found)
