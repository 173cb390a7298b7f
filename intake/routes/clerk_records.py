"""A records request: everything about one hauler between two days as one file, each request kept in the history."""

from io import BytesIO
from typing import Any

from flask import abort, render_template, send_file

from billing.queries import first_day
from haulers import queries as haulers
from intake.forms.records_request import RecordsForm
from intake.queries import records_request as records
from intake.routes.base import bp
from office.access import Role
from office.exports import RECORDS, Export, export_of, hand_out, handed_out, kept_since
from office.pages import Page, page
from office.people import named_then
from ordinances.refusal import Refusal


@page(bp, "/clerk/records", Role.CLERK, methods=("GET", "POST"))
def records_request(here: Page) -> Any:
    """Gather what somebody asks for."""
    form = RecordsForm(first=here.today.replace(month=1, day=1), last=here.today)
    form.only(kept_since(here.plant, first_day(here.plant.id), records.oldest_load(here.plant.id)), here.today)
    known = haulers.businesses_at(here.plant.id)
    form.business.choices = [(one.id, party.name) for one, party in known]
    if form.validate_on_submit():
        made = hand_out(
            here.plant, RECORDS, form.first.data, form.last.data, asked_by=form.asked_by.data,
            party_id=haulers.party_of_business(form.business.data).id, by=here.by, at=here.at,
        )  # fmt: skip
        if not isinstance(made, Refusal):
            return here.done("intake.records_made", export_id=made.id)
        form.refuse("last" if made.code == "days_to_come" else "first", made.why)
    before = [(one, named_then(one.party_id or 0, one.at)) for one in handed_out(here.plant.id, RECORDS)]
    return here.show("intake/clerk/records.html", form=form, known=known, before=before)


def _made(here: Page, ident: int) -> Export:
    return export_of(here.plant.id, RECORDS, ident) or abort(404)


@page(bp, "/clerk/records/<int:export_id>", Role.CLERK)
def records_made(here: Page, export_id: int) -> Any:
    """What was gathered, to look over and download."""
    made = _made(here, export_id)
    return here.show("intake/clerk/records_made.html", made=made, found=records.gather(here.plant, made), form=None)


@page(bp, "/clerk/records/<int:export_id>/zip", Role.CLERK)
def records_zip(here: Page, export_id: int) -> Any:
    """What was gathered as one file."""
    made = _made(here, export_id)
    found = records.gather(here.plant, made)
    index = render_template("intake/clerk/records_index.html", found=found, made=made, plant=here.plant)
    name = f"records-{here.plant.slug}-{made.party_id}-{made.first_day}-{made.last_day}.zip"
    return send_file(BytesIO(records.as_zip(found, index)), mimetype="application/zip", as_attachment=True,
                     download_name=name)  # fmt: skip
