"""The page of a load's written record: for the hauler and its drivers, and for the plant that writes it for them."""

from typing import Any

from haulers import queries as haulers
from intake.actions.records import file_record
from intake.forms.records import record_form
from intake.models import Load
from intake.queries import loads
from intake.queries.records_due import prefilled
from office.access import Actor
from office.pages import Page
from ordinances.refusal import Refusal


def record_step(here: Page, load: Load, by: Actor, back: str, *, for_hauler: bool) -> Any:
    """Write where a load came from, each source the approval covers with its gallons, or read what is written."""
    approved = haulers.approved_places(load.approval_id, load.discharged_at)
    filled = prefilled(load, approved)
    form = record_form(sorted(approved, key=lambda one: one.waste != load.waste), filled.data)
    if form.is_submitted() and form.edited_rows():
        pass
    elif form.validate_on_submit() and form.agreed(load.gallons):
        result = file_record(load, form.sources.data, form.places(), by=by, at=here.at, law=here.law)
        if not isinstance(result, Refusal):
            said = f"The record of load {load.ticket} is in."
            if result.unapproved:
                said += " It names a place that the approval does not cover: the city reads it."
            return here.done(back, said, ticket=load.ticket)
        if result.code != "not_listed":
            return here.refuse(result)
        form.refuse(None, result.why)
    return here.show("intake/loads/record.html", form=form, load=load, for_hauler=for_hauler, back_to=back,
                     filled=filled.words if not form.is_submitted() else "",
                     record=loads.record_of(load.id))  # fmt: skip
