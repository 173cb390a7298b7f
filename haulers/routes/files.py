"""Files: the hauler's own list and downloads, and downloads for the people of a plant where the hauler applied."""

from typing import Any

from flask import abort, url_for

from haulers.actions.files import add_file, remove_file
from haulers.forms import ConfirmForm
from haulers.forms.files import FileForm
from haulers.queries.changes import waiting_change
from haulers.queries.files import KeptFile, files_of, own_file, staff_file, stored
from haulers.routes.base import bp, own_business
from office.access import Role
from office.files import hand_over
from office.pages import Page, page
from ordinances.refusal import Refusal


@page(bp, "/hauler/files", Role.HAULER, methods=("GET", "POST"), asks_again=True)
def files(here: Page) -> Any:
    """The company's files, and handing one in."""
    business, form = own_business(here), FileForm()
    if form.validate_on_submit():
        result = add_file(here.plant, business, form.kind.data, form.file.data, by=here.by, at=here.at)
        if not isinstance(result, Refusal):
            return here.done("haulers.files", f"{form.file.data.name} ({form.file.data.words}) is kept.")
        form.refuse("file", result.why)
    return here.show("haulers/files.html", form=form, files=files_of(business.id))


@page(bp, "/hauler/files/<int:record_id>", Role.HAULER)
def own_file_page(here: Page, record_id: int) -> Any:
    """One file as a download; another hauler's is not found."""
    found = own_file(own_business(here).id, record_id) or abort(404)
    return hand_over(stored(found.id))


@page(bp, "/hauler/files/<int:record_id>/remove", Role.HAULER, methods=("GET", "POST"))
def remove_file_page(here: Page, record_id: int) -> Any:
    """Take a file off the list, after asking."""
    business, form = own_business(here), ConfirmForm()
    found = own_file(business.id, record_id) or abort(404)
    endpoint, where = _listed(found)
    if form.validate_on_submit():
        result = remove_file(business, record_id, by=here.by, at=here.at)
        if isinstance(result, Refusal):
            return here.refuse(result)
        return here.done(endpoint, f"{found.name} is off your list.", **where)
    return here.show("haulers/remove_file.html", form=form, file=found, keep=url_for(endpoint, **where))


def _listed(file: KeptFile) -> tuple[str, dict[str, Any]]:
    """The page a file is listed on: the company's files, the draft's unusual waste, or the change it is part of."""
    if file.application_id is None:
        return "haulers.files", {}
    made = waiting_change(file.application_id)
    if made is not None and made.opened_at is not None:
        return "haulers.change", {"change_id": made.id}
    return "haulers.unusual", {}


@page(bp, "/files/<int:record_id>", Role.CLERK, Role.MEMBER, Role.DIRECTOR)
def staff_file_page(here: Page, record_id: int) -> Any:
    """One file as a download, for the city's people; of a hauler that never applied here it is not found."""
    found = staff_file(here.plant.id, record_id) or abort(404)
    return hand_over(stored(found.id))
