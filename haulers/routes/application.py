"""A hauler's application for the season: the list of tasks, the sources, check and send, sent, withdrawn."""

from typing import Any

from flask import abort, flash, redirect, request, url_for
from werkzeug.wrappers import Response

from haulers import actions, queries
from haulers.actions.receipts import fee_day
from haulers.forms import ConfirmForm, SourcesForm, as_fields
from haulers.models import Application, Business
from haulers.queries import SourceLine, Warned
from haulers.queries.answers import answers_of
from haulers.queries.as_sent import as_sent, company_words
from haulers.queries.bars import reapply_barred
from haulers.queries.changes import changes_shown
from haulers.queries.completeness import filed_or_complete, missing_of
from haulers.queries.decisions import issued_decisions
from haulers.queries.files import files_of
from haulers.queries.held import seen_by_hauler
from haulers.queries.late_votes import late_vote_words
from haulers.queries.opened import waiting_now
from haulers.queries.snapshot import company_now
from haulers.queries.tasks import held_up_by, task_list
from haulers.queries.windows import Working, working_season
from haulers.routes.answers import change_pages, keep, working
from haulers.routes.back import back
from haulers.routes.base import bp, own_business, source_rows, winter_words
from haulers.states import DECIDED, STATE_WORDS, ApplicationState
from office.access import Role
from office.pages import SENT_BEFORE, Page, page
from office.standing import standing
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
@standing()
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
        return _closed_page(here, business, status, past)
    barred = reapply_barred(here.plant, business.id, here.law, here.at)
    if barred is not None:
        return here.show("haulers/apply_not_here.html", refusal=barred)
    return here.show("haulers/tasks.html", states=STATE_WORDS, window=status, past=past, draft=found,
                     tasks=task_list(business, found, status.season, here.law, here.today), pages=change_pages(),
                     form=ConfirmForm(), last=usable_last(here, business, found, status.season.name))  # fmt: skip


def usable_last(here: Page, business: Business, draft: Application | None, season: str) -> Application | None:
    """Last year's application, while nothing is in the draft that it would write over."""
    if draft is not None and queries.sources_of([draft.id]).get(draft.id):
        return None
    return queries.last_sent(here.plant.id, business.id, season)


def _closed_page(here: Page, business: Business, status: FilingStatus, past: list[Application]) -> Any:
    work = working_season(here.plant.id, business.id, here.law, here.at)
    draft = None if isinstance(work, Refusal) else queries.application_for(here.plant.id, business.id, work.season.name)
    shut = queries.shut_window(here.law, here.at)
    mine = [one for one in past if shut and shut.closed and one.season == shut.closed.season.name]
    return here.show("haulers/window_closed.html", states=STATE_WORDS, window=status, past=past, shut=shut,
                     draft=draft if draft is not None and draft.filed_at is None else None,
                     mine=[one for one in mine if one.withdrawn_at is None])  # fmt: skip


@page(bp, "/hauler/apply/last-year", Role.HAULER, methods=("POST",))
def use_last(here: Page) -> Any:
    """Take last year's answers into the empty draft, each part marked to be checked."""
    business = own_business(here)
    result = actions.use_last_answers(here.plant, business.id, by=here.by, at=here.at, law=here.law)
    if isinstance(result, Refusal):
        return here.refuse(result, title="Nothing was taken over")
    late = working_season(here.plant.id, business.id, here.law, here.at, late=True)
    return here.done(
        "haulers.apply_season" if isinstance(late, Refusal) else "haulers.late",
        "Your earlier answers are in your draft. Check each part of them.",
    )


@page(bp, "/hauler/apply/sources", Role.HAULER, methods=("GET", "POST"))
def sources(here: Page) -> Any:
    """Every source with type, place, how often and gallons. Saved as often as one likes."""
    business = own_business(here)
    work, draft = working(here, business)
    if isinstance(work, Response):
        return work
    stored = queries.sources_of([draft.id]).get(draft.id, []) if draft else []
    said = {True: "yes", False: "no"}.get(draft.answers.get("complete")) if draft else None
    kept = {"sources": [as_fields(row) for row in stored], "complete": said} if stored else {}
    form = SourcesForm(data=kept | {"seen": queries.mark_of(draft, "sources")})
    return _save_sources(here, business, form, work, draft)


def _save_sources(here: Page, business: Business, form: SourcesForm, work: Working, draft: Application | None) -> Any:
    fit = ([(waste, WASTE_TYPES[waste]) for waste in here.law.value("approval.covers", here.today)],
           winter_words(here, work.season), here.law.value("application.asks", here.today))  # fmt: skip
    form.fit(*fit)
    later = request.form.get("then") == "later"
    if form.is_submitted() and form.edited_rows():
        form.fit(*fit)
    elif (form.lenient() if later else form).validate_on_submit():
        result = actions.save_draft(here.plant, business.id, form.lines(), complete=form.whole(), later=later,
                                    seen=form.seen.data or "", by=here.by, at=here.at, law=here.law)  # fmt: skip
        if (done := keep(here, form, result, "haulers.season", later)) is not None:
            return done
    stored = queries.sources_of([draft.id]).get(draft.id, []) if draft and form.overtaken else []
    return here.show("haulers/sources.html", form=form, window=work.status, late=work.late, back=back(),
                     theirs=[(row, source_rows(row)) for row in stored],
                     check=draft is not None and "sources" in draft.answers.get("check", ()),
                     warnings=_warnings(here, business, form.lines(), work))  # fmt: skip


def _warnings(here: Page, business: Business, lines: list[SourceLine], work: Working) -> list[Warned]:
    return queries.load_warnings(lines, queries.trucks_of(business.id), here.law, work.season)


@page(bp, "/hauler/apply/saved", Role.HAULER)
@standing()
def saved(here: Page) -> Any:
    """Your answers are saved; come back by the close."""
    work = working_season(here.plant.id, own_business(here).id, here.law, here.at)
    return here.show("haulers/saved.html", work=None if isinstance(work, Refusal) else work)


@page(bp, "/hauler/apply/check", Role.HAULER, methods=("GET", "POST"))
def check(here: Page) -> Any:
    """All answers with their sums, the declaration, and the button that sends it when the window is open."""
    business = own_business(here)
    form = ConfirmForm()
    work, draft = working(here, business)
    waits = _waits(here, business, work, draft)
    if waits is not None:
        return waits
    if form.validate_on_submit():
        return _send(here, business)
    if isinstance(work, Response) or draft is None:
        return redirect(url_for("haulers.apply_season"))
    stored, pages = queries.sources_of([draft.id]).get(draft.id, []), change_pages(check=True)
    return here.show(
        "haulers/check.html", form=form, window=work.status, late=work.late,
        company=company_words(company_now(business)), answers=answers_of(draft).rows(),
        sheets=files_of(business.id, application_id=draft.id), pages=pages,
        sources=[(row, source_rows(row, pages["sources"])) for row in stored], totals=queries.totals(stored),
        missing=missing_of(business, draft, work.season, here.law, here.today), winter=winter_words(here, work.season),
        warnings=_warnings(here, business, [queries.as_line(row) for row in stored], work),
    )  # fmt: skip


def _waits(here: Page, business: Business, work: Working | Response, draft: Application | None) -> Any:
    """The task that cannot start yet, as the list of tasks says: what is missing first. A closed draft is only read."""
    if isinstance(work, Response) or work.late or draft is None or draft.filed_at is not None:
        return None
    missing = held_up_by(missing_of(business, draft, work.season, here.law, here.today))
    if not missing:
        return None
    return here.show("haulers/check_waits.html", 409, missing=missing, pages=change_pages(check=True),
                     window=work.status)  # fmt: skip


def _send(here: Page, business: Business) -> Any:
    result = actions.file_application(here.plant, business.id, by=here.by, at=here.at, law=here.law)
    if not isinstance(result, Refusal):
        return here.done("haulers.sent", application_id=result.id)
    if result.code == "already_filed":
        return sent_before(result)
    back = [("Back to your application, all answers kept", url_for("haulers.apply_season"))]
    return here.refuse(result, title="Your application was not sent", next=back)


def sent_before(refusal: Refusal) -> Response:
    """The page of what was sent the first time."""
    flash(SENT_BEFORE, "info")
    return redirect(url_for("haulers.sent", application_id=refusal.details["application_id"]), 303)


@page(bp, "/hauler/apply/sent/<int:application_id>", Role.HAULER)
def sent(here: Page, application_id: int) -> Any:
    """The number, what happens next, the receipt. Can be opened again."""
    found, business = _own(here, application_id)
    past = [one for one in queries.applications_of(here.plant.id, business.id) if one.filed_at and one is not found]
    return _sent_page(here, found, past)


def _sent_page(here: Page, found: Application, past: list[Application]) -> Any:
    seen = seen_by_hauler(found)
    stored = seen.sources
    status = filing_status(here.law, here.at)
    decided = ApplicationState(found.state) in DECIDED
    approval = queries.approval_of(found.id)
    fee, decision = queries.fees_of([found.id]).get(found.id), issued_decisions([found.id]).get(found.id)
    return here.show(
        "haulers/sent.html", application=found, whole=as_sent(own_business(here), found, seen.data),
        files=files_of(found.business_id, application_id=found.id),
        sources=[(row, source_rows(row)) for row in stored], totals=queries.totals(stored), past=past,
        state=STATE_WORDS[ApplicationState(found.state)], states=STATE_WORDS,
        answers=seen.answers.rows(), changes=changes_shown(found.id),
        waiting=waiting_now(found, here.law, here.at),
        decision=decision, approval=approval,
        held=actions.change_words(found, decision, here.law) if decision is not None else "",
        revocation=queries.revocation_of(approval.id) if approval else None,
        covers=queries.waste_words(queries.covered(approval)) if approval else "",
        until=queries.until_words(approval, queries.last_day(approval)) if approval else "",
        fee=fee, standing=filed_or_complete(fee, here.law, here.today),
        can_withdraw=not decided and found.withdrawn_at is None, late=found.state == ApplicationState.ASKED_LATE.value,
        late_said=late_vote_words(found),
        fee_words=actions.fee_due_words(here.law, fee_day(found, here.law, here.today)),
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
