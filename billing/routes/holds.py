"""Charges that wait: what is held, why and since when; a wait for results that will not come is ended here."""

from typing import Any

from flask import abort

from billing import actions, queries
from billing.forms import ReleaseForm
from billing.routes.base import bp
from billing.states import HoldKind
from office import formats
from office.access import Role
from office.pages import Page, page


@page(bp, "/clerk/holds", Role.CLERK)
def holds(here: Page) -> Any:
    """Every charge that is held, the longest held first."""
    return here.show("billing/holds.html", found=queries.held_charges(here.plant.id), form=None)


@page(bp, "/clerk/holds/<int:hold_id>/release", Role.CLERK, methods=("GET", "POST"))
def release(here: Page, hold_id: int) -> Any:
    """Let a charge that waits for results go on the next invoice; one in dispute waits for the end of it."""
    found = next(iter(queries.held_charges(here.plant.id, hold_id)), None) or abort(404)
    if found.hold.kind != HoldKind.RESULTS:
        abort(404)
    form, entry = ReleaseForm(), found.entry
    if form.validate_on_submit():
        let_go = actions.release_charges([entry], HoldKind.RESULTS, form.reason.data, by=here.by, at=here.at)
        said = "It goes on the next invoice" if let_go else "Its wait was ended before"
        return here.done("billing.holds", said=f"{said}: {entry.what}.")
    return here.show(
        "billing/change.html", form=form, title="End the wait for results", button="Let it go on the next invoice",
        back=("billing.holds", {}),
        facts=[("Hauler", found.name), ("Day", formats.day(entry.day)), ("What", entry.what),
               ("For", entry.source_label), ("Amount", formats.money(entry.amount_cents)),
               ("Held because", found.hold.reason), ("Since", formats.day(found.hold.on_day))],
        words="The charge goes on the next invoice as it stands. What results change later is charged or credited.",
    )  # fmt: skip
