"""The shorter tasks of an application: the season, unusual waste with its lab sheets, how the fee is paid."""

from dataclasses import asdict
from typing import Any

from flask import redirect, request, url_for
from werkzeug.wrappers import Response

from haulers import actions, queries
from haulers.forms.application import DraftForm, FeeWayForm, SeasonForm, UnusualForm, answers_in
from haulers.models import Application, Business
from haulers.queries.answers import answers_of
from haulers.queries.completeness import missing_of
from haulers.queries.files import files_of
from haulers.queries.windows import Working, working_season
from haulers.routes.back import CHECK, back
from haulers.routes.base import bp, own_business, winter_words
from haulers.states import FileKind
from office.access import Role
from office.pages import Page, page
from ordinances.refusal import Refusal

PAGES = {
    "company": "haulers.company", "license": "haulers.license_page", "insurance": "haulers.insurance",
    "trucks": "haulers.trucks", "drivers": "haulers.drivers", "sources": "haulers.sources",
    "season": "haulers.season", "tests": "haulers.unusual", "lab": "haulers.unusual", "fee": "haulers.fee_way",
    "check": "haulers.check",
}  # fmt: skip


def change_pages(*, check: bool = False) -> dict[str, str]:
    """Where each task is done; with ``check`` saving there leads back to the page the answers are checked on."""
    query: dict[str, Any] = CHECK if check else {}
    return {key: url_for(endpoint, **query) for key, endpoint in PAGES.items()}


def working(here: Page, business: Business) -> tuple[Working | Response, Application | None]:
    """The season worked on and its draft; the way back to the application where nothing can be filled in."""
    work = working_season(here.plant.id, business.id, here.law, here.at)
    if isinstance(work, Refusal):
        return redirect(url_for("haulers.apply_season")), None
    draft = queries.application_for(here.plant.id, business.id, work.season.name)
    if draft is not None and draft.filed_at is not None and request.method == "GET":
        return redirect(url_for("haulers.apply_season")), None
    return work, draft


def keep(here: Page, form: Any, result: Application | Refusal, then: str, later: bool) -> Any:
    """On to the next page once the draft is saved, or back to the check for who came from there.

    None, with the reason above the form, where it was not saved.
    """
    if not isinstance(result, Refusal):
        return here.done("haulers.saved" if later else back().onward(then))
    form.refuse(None, f"{result.why} {result.next_step or ''}".strip())
    if result.code == "saved_since":
        form.seen.data, form.overtaken = result.details["seen"], True
    return None


@page(bp, "/hauler/apply/season", Role.HAULER, methods=("GET", "POST"))
def season(here: Page) -> Any:
    """Winter, the rest of the year or both, held against the gallons of the sources."""
    business = own_business(here)
    work, draft = working(here, business)
    if isinstance(work, Response):
        return work
    rows = queries.sources_of([draft.id]).get(draft.id, []) if draft else []
    form = SeasonForm(season=answers_of(draft).season, seen=queries.mark_of(draft, "season"))
    form.fit_season(winter_words(here, work.season), [queries.as_line(row) for row in rows])
    return _task(here, business, draft, form, "season", "haulers.unusual", totals=queries.totals(rows), window=work)


@page(bp, "/hauler/apply/tests", Role.HAULER, methods=("GET", "POST"))
def unusual(here: Page) -> Any:
    """Whether any of it is unusual waste, what, and a lab sheet of it."""
    business = own_business(here)
    work, draft = working(here, business)
    if isinstance(work, Response):
        return work
    said = answers_of(draft)
    form = UnusualForm(unusual=said.unusual, words=said.words, seen=queries.mark_of(draft, "tests"))
    sheets = files_of(business.id, FileKind.LAB, application_id=draft.id) if draft else []
    return _task(here, business, draft, form, "tests", "haulers.fee_way", sheets=sheets)


@page(bp, "/hauler/apply/fee", Role.HAULER, methods=("GET", "POST"))
def fee_way(here: Page) -> Any:
    """How the fee is paid. What is missing stands first: the fee is not refunded."""
    business = own_business(here)
    work, draft = working(here, business)
    if isinstance(work, Response):
        return work
    said = answers_of(draft)
    form = FeeWayForm(fee=said.fee, receipt=said.receipt, seen=queries.mark_of(draft, "fee"))
    missing = [one for one in missing_of(business, draft, work.season, here.law, here.today) if one.task != "fee"]
    return _task(here, business, draft, form, "fee", "haulers.check", missing=missing, pages=change_pages(),
                 fee_words=actions.fee_words(here.law, here.today))  # fmt: skip


def _task(here: Page, business: Business, draft: Application | None, form: DraftForm, task: str, then: str,
          **shown: Any) -> Any:  # fmt: skip
    """One task: shown, or saved and on to the next."""
    later, given = request.form.get("then") == "later", {}
    if later:
        for field in form:
            field.empty = None
    if form.validate_on_submit():
        given = {name: value for name, value in asdict(answers_in(form)).items() if name in form._fields}
        result: Any = actions.save_answers(here.plant, business.id, task, given, later=later,
                                           seen=form.seen.data or "", by=here.by, at=here.at, law=here.law)  # fmt: skip
        if not isinstance(result, Refusal) and (upload := getattr(form, "sheet", None)) and upload.data:
            result = actions.add_file(here.plant, business, FileKind.LAB, upload.data, application_id=result.id,
                                      by=here.by, at=here.at)  # fmt: skip
        if (done := keep(here, form, result, then, later)) is not None:
            return done
    return here.show(f"haulers/{task if task != 'fee' else 'fee_way'}.html", form=form, draft=draft,
                     theirs=answers_of(draft).rows() if form.overtaken else [], back=back(),
                     check=draft is not None and task in draft.answers.get("check", ()), **shown)  # fmt: skip
