"""Files: the hauler's own list and downloads, and downloads for the people of a plant where the hauler applied."""

from typing import Any

from flask import abort

from haulers.actions.files import add_file, remove_file
from haulers.forms import ConfirmForm
from haulers.forms.files import FileForm
from haulers.queries.files import files_of, own_file, staff_file, stored
from haulers.routes.base import bp, own_business
from office.access import Role
from office.files import hand_over
from office.pages import Page, page
from ordinances.refusal import Refusal


@page(bp, "/hauler/files", Role.HAULER, methods=("GET", "POST"))
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
    if form.validate_on_submit():
        result = remove_file(business, record_id, by=here.by, at=here.at)
        if isinstance(result, Refusal):
            return here.refuse(result)
        back = "haulers.files" if found.application_id is None else "haulers.apply_season"
        return here.done(back, f"{found.name} is off your list.")
    return here.show("haulers/remove_file.html", form=form, file=found)


@page(bp, "/files/<int:record_id>", Role.CLERK, Role.MEMBER, Role.DIRECTOR)
def staff_file_page(here: Page, record_id: int) -> Any:
    """One file as a download, for the city's people; of a hauler that never applied here it is not found."""
    found = staff_file(here.plant.id, record_id) or abort(404)
    return hand_over(stored(found.id))
