"""The committee's papers: the packet and the worksheet as numbered, kept PDFs, and the worksheet as a page."""

from typing import Any

from flask import make_response

from haulers.actions.motions import READERS
from haulers.actions.packet import make_packet, make_worksheet
from haulers.forms.notes import MakeForm
from haulers.queries import dossier_words
from haulers.queries.papers_made import PACKET, WORKSHEET, papers_made
from haulers.queries.review import method_of
from haulers.routes.base import bp, winter_words
from haulers.routes.committee import season_of_page, table_of
from office.documents import WAIT_SECONDS
from office.pages import Page, page
from ordinances.refusal import Refusal
from ordinances.worksheet import capacity_lines


@page(bp, "/committee/<season>/packet", *READERS, methods=("GET", "POST"))
def packet(here: Page, season: str) -> Any:
    """Make the packet of a season, and those made before."""
    named = season_of_page(here, season)
    table = table_of(here, named)
    form = MakeForm()
    if form.validate_on_submit():
        made = make_packet(here.plant, named, by=here.by, at=here.at, law=here.law)
        if isinstance(made, Refusal):
            return here.refuse(made)
        return here.done("haulers.packet", f"Packet {made.number} is kept.", season=named.name)
    return _waiting(here, "haulers/committee_packet.html", PACKET, form=form, season=named, table=table)


@page(bp, "/committee/<season>/worksheet", *READERS, methods=("GET", "POST"))
def worksheet(here: Page, season: str) -> Any:
    """How the suggested shares are worked out, each step in words; and kept as a PDF."""
    named = season_of_page(here, season)
    table = table_of(here, named)
    form = MakeForm()
    if form.validate_on_submit():
        made = make_worksheet(here.plant, named, by=here.by, at=here.at, law=here.law)
        if isinstance(made, Refusal):
            return here.refuse(made)
        return here.done("haulers.worksheet", f"Worksheet {made.number} is kept.", season=named.name)
    lines = capacity_lines(here.law, named)
    key = "decision.allocation_method"
    parts = [("Winter", lines.winter, table.winter, table.approved_winter),
             ("Rest of the year", lines.rest, table.rest, table.approved_rest)]  # fmt: skip
    return _waiting(
        here, "haulers/worksheet.html", WORKSHEET, form=form, season=named, table=table, lines=lines, parts=parts,
        rows={str(row.application.number): row for row in table.rows}, words=dossier_words,
        winter=winter_words(here, named), method=method_of(here.law, named),
        how=here.law.row(key, named.start) if here.law.has(key, named.start) else None,
    )  # fmt: skip


def _waiting(here: Page, template: str, kind: str, **values: Any) -> Any:
    """A page that looks again by itself while one of its PDFs is being made."""
    made = papers_made(here.plant.id, kind, values["season"].name)
    response = make_response(here.show(template, made=made, **values))
    if any(one.file_id is None for one in made):
        response.headers["Refresh"] = str(WAIT_SECONDS)
    return response
