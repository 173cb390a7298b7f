"""Laboratory results: the grid, and changing one result."""

from typing import Any

from flask import abort, request

from intake.actions.lab import enter_result
from intake.forms.lab import ResultForm, again, cell, grid, place
from intake.queries import loads, results
from intake.routes.base import bp
from office import formats
from office.access import Role
from office.pages import Page, page
from ordinances.refusal import Refusal

LAB = (Role.OPERATOR, Role.MANAGER)


@page(bp, "/plant/lab", *LAB, methods=("GET", "POST"))
def lab(here: Page) -> Any:
    """The samples whose results are waited for; everything typed is saved together, or nothing."""
    everything = request.args.get("show") == "all"
    samples = results.waiting(here.plant.id, here.today, everything=everything)
    form = grid(samples)()
    if form.validate_on_submit() and (saved := _enter(here, form, samples)):
        return here.done("intake.lab", f"{formats.plural(saved, 'result')} saved.")
    return here.show("intake/lab/grid.html", form=form, samples=samples, names=results.NAMES, cell=cell, again=again,
                     in_words=results.in_words, everything=everything)  # fmt: skip


def _enter(here: Page, form: Any, samples: list[results.Waiting]) -> int:
    """Enter what was typed; 0 when something is wrong, said at its box, or when nothing was typed."""
    saved = 0
    for sample in samples:
        for parameter in results.NAMES:
            box = form._fields.get(cell(sample.load.id, parameter))
            if box is None or not box.data:
                continue
            twice = form._fields[again(sample.load.id, parameter)]
            result = enter_result(sample.load, parameter, box.data, again=twice.data, by=here.by, at=here.at,
                                  law=here.law)  # fmt: skip
            if isinstance(result, Refusal):
                said = f"{place(sample.load, parameter)}: {result.why}"
                form.refuse(box, said)
                twice.asked = result.code == "zero"
            saved += 1
    if not saved:
        form.refuse(None, "Enter at least one result")
    return 0 if form.errors else saved


@page(bp, "/plant/lab/<ticket>/<parameter>", *LAB, methods=("GET", "POST"))
def lab_change(here: Page, ticket: str, parameter: str) -> Any:
    """Change one result, with a reason; the one before stays in the load's history."""
    load = loads.with_ticket(here.plant.id, ticket) or abort(404)
    before = loads.results_of([load.id]).get(load.id, {}).get(parameter) or abort(404)
    form = ResultForm(data={"typed": before.typed})
    if form.validate_on_submit():
        result = enter_result(load, parameter, form.typed.data, reason=form.reason.data, by=here.by, at=here.at,
                              law=here.law)  # fmt: skip
        if not isinstance(result, Refusal):
            return here.done("intake.load_ticket", "The result is changed.", ticket=ticket)
        form.refuse("typed", result.why)
    return here.show("intake/lab/change.html", form=form, load=load, before=before, name=results.NAMES[parameter],
                     in_words=results.in_words)  # fmt: skip
