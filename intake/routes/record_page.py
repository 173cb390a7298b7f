"""The page of a load's written record: for the hauler and its drivers, and for the plant that writes it for them."""

from typing import Any

from haulers import queries as haulers
from intake.actions.records import correct_record, file_record
from intake.forms.records import record_form
from intake.models import Load
from intake.queries import loads
from intake.queries.records_due import as_filed, prefilled
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


def correct_step(here: Page, load: Load, by: Actor, back: str, *, for_hauler: bool) -> Any:
    """Correct a written record that is in: the form begins with what it says now."""
    record = loads.record_of(load.id)
    if record is None:
        return here.refuse(Refusal("not_filed", f"Load {load.ticket} has no written record that could be corrected.",
                                   "", next_step="Write the record first."))  # fmt: skip
    approved = haulers.approved_places(load.approval_id, load.discharged_at)
    form: Any = record_form(sorted(approved, key=lambda one: one.waste != load.waste),
                            as_filed(record.versions[-1], approved), correcting=True)  # fmt: skip
    if form.is_submitted() and form.edited_rows():
        pass
    elif form.validate_on_submit() and form.agreed(load.gallons):
        result = correct_record(load, form.sources.data, form.places(), form.why.data, by=by, at=here.at, law=here.law)
        if not isinstance(result, Refusal):
            return here.done(back, f"The record of load {load.ticket} is corrected. The first stays beside it.",
                             ticket=load.ticket)  # fmt: skip
        if result.code not in ("not_listed", "same"):
            return here.refuse(result)
        form.refuse("sources" if result.code == "same" else None, result.why)
    return here.show("intake/loads/record_correct.html", form=form, load=load, for_hauler=for_hauler, record=record)
