"""The committee's pages: all applications against what the plant can take, one application, one recorded motion."""

from typing import Any

from flask import abort, make_response, request

from haulers import queries
from haulers.actions import exception_codes
from haulers.actions.changes import open_change
from haulers.actions.motions import READERS
from haulers.actions.notes import keep_note
from haulers.forms.notes import AskForm, NoteForm
from haulers.models import Application
from haulers.queries import ReviewRow, ReviewTable, dossier_words
from haulers.queries.answers import answers_of, differences, source_words
from haulers.queries.as_sent import as_sent
from haulers.queries.changes import changes_of
from haulers.queries.completeness import filed_or_complete
from haulers.queries.decisions import late_requests
from haulers.queries.dossier import dossiers, source_views
from haulers.queries.files import staff_files
from haulers.queries.held import becomes, held_change
from haulers.queries.opened import after_close, window_for
from haulers.queries.since import granted_words
from haulers.queries.sitting import members_since
from haulers.queries.sustained import waits_for_motion
from haulers.queries.windows import window_of
from haulers.routes.base import bp, winter_words
from haulers.routes.clerk import letter_href
from haulers.states import STATE_WORDS, ApplicationState
from office.access import Role
from office.pages import Page, page
from office.standing import TITLES, elsewhere, standing, unserved
from ordinances.calendar import (
    Deadline,
    Season,
    decision_deadline,
    filing_season,
    filing_status,
    season_named,
    season_of,
)
from ordinances.reader import NoLaw
from ordinances.refusal import Refusal

# The field of a form with ``forms.changes.Opening`` that a refusal is about.
OPENING_FIELDS = {"past_day": "due_on", "past_close": "due_on", "no_words": "words", "no_basis": "member",
                  "no_such_member": "member", "wish_day": "asked_on"}  # fmt: skip
# What a law without a yearly window says of hauled waste, those who decide about it and what may follow.
DUTIES = (
    "programme.kind", "programme.redirect", "programme.agreement_with", "programme.agreement_terms", "limits.judged_by",
    "limits.remedies", "fees.rates_by", "violations.notice_by", "programme.arbiter", "review.reconsider_to",
    "review.appeal_to", "review.appeal_heard_by", "programme.amended_by",
)  # fmt: skip


def season_of_page(here: Page, name: str | None = None) -> Season:
    """The season named in the address; else the running one while it has open applications or until forms open for
    the next (an empty table for nine months would help nobody), else the next.
    """
    if name:
        try:
            return season_named(here.law, name)
        except NoLaw:
            abort(404)
    running = season_of(here.law, here.today)
    waiting = [one for one in queries.filed(here.plant.id, running.name) if one.state == ApplicationState.FILED.value]
    status = filing_status(here.law, here.at)
    before = not isinstance(status, Refusal) and status.state == "before_form"
    if waiting or (before and running.name in queries.seasons_with_applications(here.plant.id)):
        return running
    return filing_season(here.law, here.at)


def table_of(here: Page, season: Season) -> ReviewTable:
    """The season's table with the reader's own notes; a place without a yearly window has none and says why."""
    no = decision_deadline(here.law, season)
    if isinstance(no, Refusal):
        abort(make_response(here.refuse(no, title=TITLES.get(no.code))))
    return queries.review_table(here.plant, season, here.law, here.at, here.by.person_id)


@page(bp, "/committee", *READERS)
@standing(leads="haulers.duties")
def committee(here: Page) -> Any:
    """All applications of the season, inside the service area first, with a suggested share. ``show``: a filter."""
    season = season_of_page(here, request.args.get("season"))
    table = table_of(here, season)
    deadline = decision_deadline(here.law, season)
    assert isinstance(deadline, Deadline)
    opens = here.law.row("decision.opens", season.start)
    which = request.args.get("show", "all")
    return here.show(
        "haulers/committee.html", table=table, rows=table.shown(which), which=which, season=season, deadline=deadline,
        days_left=(deadline.day - here.today).days, overdue=deadline.overdue(here.at) and bool(table.undecided),
        early=here.today < opens.value.on(deadline.day.year), opens=opens,
        seasons=queries.seasons_with_applications(here.plant.id), winter=winter_words(here, season),
        motions=queries.motions_of(here.plant.id), late_requests=late_requests(here.plant.id, season.name),
        sustained=waits_for_motion(here.plant.id, here.today),
        written=_cite(here, "state.decide_by", season), window=window_of(here.law, season),
    )  # fmt: skip


@page(bp, "/committee/duties", *READERS)
@elsewhere("haulers.committee")
def duties(here: Page) -> Any:
    """What the committee does at a place where no application comes before it: what the law itself says of it."""
    no, rows = unserved(here.plant, here.at), [here.law.row(key, here.today) for key in DUTIES
                                               if here.law.has(key, here.today)]  # fmt: skip
    return here.show("haulers/duties.html", no=no, rows=rows, motions=queries.motions_of(here.plant.id))


def _cite(here: Page, key: str, season: Season) -> str:
    return here.law.cite(key, season.start) if here.law.has(key, season.start) else ""


def application_numbered(here: Page, season: Season, no: str) -> Application:
    """The sent application of a page's address: "0014", also written "14", or "L-003"; not found otherwise."""
    number = f"{int(no):04d}" if no.isascii() and no.isdecimal() and len(no) < 10 else no
    found = queries.application_numbered(here.plant.id, f"{season.name}/{number}")
    return found if found is not None and found.filed_at is not None else abort(404)


@page(bp, "/committee/<season>/<no>", *READERS, methods=("GET", "POST"))
def one_application(here: Page, season: str, no: str) -> Any:
    """One whole application on one page, with last season's record and the reader's own note."""
    named = season_of_page(here, season)
    found = application_numbered(here, named, no)
    table = table_of(here, named)
    row, before, after = _neighbours(table, found.id)
    form = NoteForm(words=row.note.words if row is not None and row.note is not None else "")
    if form.validate_on_submit():
        kept = keep_note(here.plant, found.id, form.words.data, by=here.by, at=here.at)
        if not isinstance(kept, Refusal):
            return here.done("haulers.one_application", "Your note is kept.", season=named.name,
                             no=str(found.number).partition("/")[2])  # fmt: skip
        form.refuse("words", kept.why)
    stored = queries.sources_of([found.id]).get(found.id, [])
    company, held = queries.business(found.business_id), held_change(found)
    return here.show(
        "haulers/one_application.html", application=found, row=row, before=before, after=after, season=named, form=form,
        sources=[(one, dict(source_words(one.row))) for one in source_views(stored, named, here.law)],
        totals=queries.totals(stored), whole=dossiers(table, [row], here.law)[found.id] if row is not None else None,
        state=STATE_WORDS[ApplicationState(found.state)], codes=exception_codes(here.law, named), words=dossier_words,
        files=staff_files(here.plant.id, found.business_id, found.id),
        as_sent=as_sent(company, found) if company is not None else None, letter_href=letter_href,
        answers=answers_of(found).rows(), changes=changes_of([found.id]).get(found.id, []),
        held=held, held_words=becomes(held, row.decision if row is not None else None, found) if held else "",
        differences=lambda one: differences(one.before, one.after) if one.after else [],
        filed=filed_or_complete(row.fee, here.law, named.start) if row is not None else None,
        written=_cite(here, "state.decide_by", named), voted=here.law.cite("decision.body", named.start),
        granted_words=granted_words,
    )  # fmt: skip


def _neighbours(table: ReviewTable, application_id: int) -> tuple[ReviewRow | None, ReviewRow | None, ReviewRow | None]:
    at = next((n for n, row in enumerate(table.rows) if row.application.id == application_id), None)
    if at is None:
        return None, None, None
    return (table.rows[at], table.rows[at - 1] if at else None,
            table.rows[at + 1] if at + 1 < len(table.rows) else None)  # fmt: skip


@page(bp, "/committee/<season>/<no>/ask", *READERS, methods=("GET", "POST"))
def ask_more(here: Page, season: str, no: str) -> Any:
    """Ask the hauler for more information: the application opens for a change, and the hauler is told."""
    named = season_of_page(here, season)
    found = application_numbered(here, named, no)
    own = here.by.capacity((Role.MEMBER,)) is not None
    form = AskForm().fit(members_since(here.plant, found.filed_at, here.at),
                         not own and after_close(window_for(found, here.law), here.at))  # fmt: skip
    if own:
        form.without_member()
    if form.validate_on_submit():
        made = open_change(here.plant, found, "committee", form.words.data, form.due_on.data, opens=form.opens.data,
                           wish=None if own else form.wish(), by=here.by, at=here.at, law=here.law)  # fmt: skip
        if not isinstance(made, Refusal):
            return here.done("haulers.one_application", f"{found.business_name} is asked.", season=named.name,
                             no=str(found.number).partition("/")[2])  # fmt: skip
        form.refuse(OPENING_FIELDS.get(made.code), f"{made.why} {made.next_step or ''}".strip())
    return here.show("haulers/committee_ask.html", form=form, application=found, season=named)
