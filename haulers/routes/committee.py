"""The committee's pages: all applications against what the plant can take, one application, one recorded motion."""

from typing import Any

from flask import abort, request

from haulers import queries
from haulers.actions import exception_codes
from haulers.queries import ReviewRow, ReviewTable
from haulers.routes.base import bp, source_rows, winter_words
from haulers.routes.clerk import letter_href
from haulers.states import STATE_WORDS, ApplicationState
from office.access import Role
from office.pages import Page, page
from ordinances.allocation import tier_of
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

READERS = (Role.MEMBER, Role.CLERK, Role.DIRECTOR)


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
    """The season's table; a place without a yearly window has none."""
    if isinstance(decision_deadline(here.law, season), Refusal):
        abort(404)
    return queries.review_table(here.plant, season, here.law, here.at)


@page(bp, "/committee", *READERS)
def committee(here: Page) -> Any:
    """All applications of the season, inside the service area first, with a suggested share."""
    season = season_of_page(here, request.args.get("season"))
    table = table_of(here, season)
    deadline = decision_deadline(here.law, season)
    assert isinstance(deadline, Deadline)
    opens = here.law.row("decision.opens", season.start)
    return here.show(
        "haulers/committee.html", table=table, season=season, deadline=deadline,
        days_left=(deadline.day - here.today).days, overdue=deadline.overdue(here.at) and bool(table.undecided),
        early=here.today < opens.value.on(deadline.day.year), opens=opens,
        seasons=queries.seasons_with_applications(here.plant.id), winter=winter_words(here, season),
        motions=queries.motions_of(here.plant.id),
    )  # fmt: skip


@page(bp, "/committee/<season>/<int:no>", *READERS)
def one_application(here: Page, season: str, no: int) -> Any:
    """One whole application on one page, with last season's record."""
    named = season_of_page(here, season)
    found = queries.application_numbered(here.plant.id, f"{named.name}/{no:04d}")
    if found is None or found.filed_at is None:
        abort(404)
    table = table_of(here, named)
    row, before, after = _neighbours(table, found.id)
    stored = queries.sources_of([found.id]).get(found.id, [])
    tiers = {one.id: tier_of(one.area, one.waste, one.existing, one.replaces_failed, law=here.law, on=named.start)
             for one in stored}  # fmt: skip
    return here.show(
        "haulers/one_application.html", application=found, row=row, before=before, after=after, season=named,
        sources=[(one, source_rows(one), tiers[one.id]) for one in stored], totals=queries.totals(stored),
        state=STATE_WORDS[ApplicationState(found.state)], trucks=queries.trucks_of(found.business_id),
        codes=exception_codes(here.law, named), letter_href=letter_href,
    )  # fmt: skip


def _neighbours(table: ReviewTable, application_id: int) -> tuple[ReviewRow | None, ReviewRow | None, ReviewRow | None]:
    at = next((n for n, row in enumerate(table.rows) if row.application.id == application_id), None)
    if at is None:
        return None, None, None
    return (table.rows[at], table.rows[at - 1] if at else None,
            table.rows[at + 1] if at + 1 < len(table.rows) else None)  # fmt: skip


@page(bp, "/committee/motions/<int:motion_id>", *READERS)
def motion(here: Page, motion_id: int) -> Any:
    """A recorded motion: meeting, roll call, what it decided, its letters, words for the minutes."""
    found = queries.recorded(here.plant.id, motion_id) or abort(404)
    return here.show("haulers/motion.html", recorded=found, letter_href=letter_href)
