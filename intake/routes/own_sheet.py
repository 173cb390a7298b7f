"""A hauler's own laboratory sheets: attach one to a load, read one."""

from typing import Any

from flask import abort

from intake.actions.own_sheet import attach_own_sheet
from intake.forms.own_sheet import SheetForm
from intake.queries import own_sheets
from intake.routes.base import bp, business_of
from intake.routes.loads import own_load
from office.access import Role
from office.db import db
from office.files import File, hand_over
from office.pages import Page, page
from ordinances.refusal import Refusal


@page(bp, "/hauler/loads/<ticket>/sheet", Role.HAULER, methods=("GET", "POST"))
def attach_sheet(here: Page, ticket: str) -> Any:
    """Attach a laboratory sheet to one of the company's loads."""
    load, form = own_load(here, ticket), SheetForm()
    if form.validate_on_submit() and form.file.data is not None:
        result = attach_own_sheet(load, form.file.data, form.note.data, by=here.by, at=here.at, law=here.law)
        if not isinstance(result, Refusal):
            return here.done("intake.hauler_load", "The sheet is kept with the load.", ticket=ticket)
        if result.code != "bad_file":
            return here.refuse(result)
        form.refuse("file", result.why)
    return here.show("intake/sampling/sheet.html", form=form, load=load, sheets=own_sheets.of_load(load.id),
                     counts=own_sheets.counts(here.law, load.day))  # fmt: skip


@page(bp, "/hauler/sheets/<int:sheet_id>", Role.HAULER)
def my_sheet(here: Page, sheet_id: int) -> Any:
    """One of the company's own sheets as a download."""
    found = own_sheets.sheet(here.plant.id, sheet_id)
    if found is None or found[1].business_id != business_of(here):
        abort(404)
    return hand_over(db.session.get_one(File, found[0].file_id))


@page(bp, "/plant/sheets/<int:sheet_id>", Role.OPERATOR, Role.MANAGER, Role.DIRECTOR, Role.CLERK)
def plant_sheet(here: Page, sheet_id: int) -> Any:
    """A hauler's sheet as a download, for the city's people."""
    found = own_sheets.sheet(here.plant.id, sheet_id) or abort(404)
    return hand_over(db.session.get_one(File, found[0].file_id))
