"""Laboratory results: the grid, and changing one result."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from flask import abort, request, url_for

from intake.actions.lab import LAB, Facts, Typed, enter_result, enter_results
from intake.actions.lab_back import take_back_result
from intake.actions.lab_lost import give_up_sample
from intake.forms import lab as forms
from intake.forms.lab import LostForm, ResultBackForm, again, cell, grid, number, place, result_form, sure
from intake.models import Load, Result
from intake.queries import loads, results
from intake.routes.base import bp
from office import formats
from office.forms import fresh
from office.pages import Done, Page, page
from ordinances.refusal import Refusal

Wrong = list[tuple[Load, str, Refusal]]


@page(bp, "/plant/lab", *LAB, methods=("GET", "POST"))
def lab(here: Page) -> Any:
    """The samples whose results are waited for; each row is saved whole, and a row that is wrong stays as typed."""
    samples = _samples(here)
    form = grid(samples)(data=_methods(here))
    if form.validate_on_submit():
        saved, wrong = _enter(here, form, samples)
        if saved and not wrong:
            return here.done("intake.lab", _said(saved), show=request.args.get("show"))
        if saved:
            return _rest(here, saved, wrong)
        _show_wrong(form, wrong)
        if not wrong:
            form.refuse(None, "Enter at least one result")
    return _grid(here, form, samples)


def _samples(here: Page) -> list[results.Waiting]:
    return results.waiting(here.plant.id, here.today, everything=request.args.get("show") == "all")


def _methods(here: Page) -> dict[str, str]:
    return {f"method_{key}": words for key, words in results.last_methods(here.plant.id).items()}


def _grid(here: Page, form: Any, samples: Sequence[results.Waiting], saved: Sequence[Load] = ()) -> Any:
    return here.show("intake/lab/grid.html", form=form, samples=samples, names=results.columns(samples), boxes=forms,
                     in_words=results.in_words, everything=request.args.get("show") == "all", saved=saved,
                     wrong=shown if (shown := request.args.get("show", "").strip()[:80]) not in ("", "all") else "",
                     rules=results.rules_of(samples), left=_left(here, samples),
                     tests=[key for key in results.NAMES if f"method_{key}" in form])  # fmt: skip


def _left(here: Page, samples: Sequence[results.Waiting]) -> int:
    """How many samples wait that the page has no room for."""
    return results.how_many_wait(here.plant.id) - results.MOST if len(samples) >= results.MOST else 0


def _rest(here: Page, saved: Sequence[Load], wrong: Wrong) -> Done:
    """What could not be taken is shown again as it was typed, under a key of its own; the rest is saved."""
    samples = _samples(here)
    form = grid(samples)()
    form.once.data = fresh()
    _show_wrong(form, wrong)
    return Done(url_for("intake.lab"), answer=_grid(here, form, samples, saved))


def _enter(here: Page, form: Any, samples: Sequence[results.Waiting]) -> tuple[list[Load], Wrong]:
    """Enter what was typed, a row at a time: the loads saved, and what is wrong with which box."""
    saved, wrong = list[Load](), list[tuple[Load, str, Refusal]]()
    for sample in samples:
        row = _typed(form, sample)
        if not row:
            continue
        made = enter_results(sample.load, row, by=here.by, at=here.at, law=here.law)
        if not isinstance(made, Refusal):
            saved.append(sample.load)
        else:
            wrong += [(sample.load, *one) for one in made.details.get("cells", ((row[0].parameter, made),))]
    return saved, wrong


def _typed(form: Any, sample: results.Waiting) -> list[Typed]:
    """The results of a row that were typed, with what is said of the whole sheet."""
    load, found = sample.load, list[Typed]()
    for key in sample.tests:
        box = form._fields.get(cell(load.id, key))
        if box is None or not box.data:
            continue
        facts = Facts(form[f"method_{key}"].data, form.analyst.data, form[number(load.id)].data, form.sampled.data,
                      form.received.data, form[f"analysed_{key}"].data, form[f"lod_{key}"].limit,
                      form[f"loq_{key}"].limit)  # fmt: skip
        found.append(Typed(key, box.data, form[again(load.id, key)].data, form[sure(load.id, key)].data, facts))
    return found


def _show_wrong(form: Any, wrong: Wrong) -> None:
    """Say at each box what is wrong with it, and draw what it is asked."""
    for load, key, refusal in wrong:
        box = form[cell(load.id, key)]
        box.place = place(load, key)
        form.refuse(box, refusal.why.rstrip("."))
        form[again(load.id, key)].asked = forms.ASKED.get(refusal.code, "")
        form[sure(load.id, key)].asked = refusal.reading or ""


def _said(saved: Sequence[Load]) -> str:
    return f"Results of {formats.plural(len(saved), 'load')} saved: {', '.join(load.ticket for load in saved)}."


@page(bp, "/plant/lab/<ticket>/<parameter>", *LAB, methods=("GET", "POST"))
def lab_change(here: Page, ticket: str, parameter: str) -> Any:
    """Change one result or what the laboratory says of it, with a reason; what was before stays in the history."""
    load = loads.with_ticket(here.plant.id, ticket) or abort(404)
    before = loads.results_of([load.id]).get(load.id, {}).get(parameter) or abort(404)
    kept, asked = _as_kept(before), ""
    form: Any = result_form(parameter)(data=kept)
    if form.validate_on_submit():
        result = _changed(here, load, before, form, kept)
        if not isinstance(result, Refusal):
            return here.done("intake.load_ticket", "The result is changed.", ticket=ticket)
        asked = result.code
        form.refuse("typed", result.why)
    return here.show("intake/lab/change.html", form=form, load=load, before=before, name=results.NAMES[parameter],
                     in_words=results.in_words, asked=asked in ("zero", "unusual"))  # fmt: skip


def _changed(here: Page, load: Load, before: Result, form: Any, kept: dict[str, Any]) -> Result | Refusal:
    """Change the result; the laboratory's own text that the form began with stays as it was read, with its file."""
    same = (form.typed.data, form.limit.data) == (kept["typed"], kept["limit"])
    facts = Facts(form.method.data, form.analyst.data, form.lab_number.data, form.sampled.data, form.received.data,
                  form.analysed.data, form.lod.limit, form.loq.limit, before.source if same else "", True)  # fmt: skip
    typed = f"{before.qualifier}{before.value:f}" if same else form.typed.data
    again = "" if same else form.limit.data or (typed if form.sure.data else "")
    said: dict[str, Any] = {"again": again, "sure": form.sure.data, "own": before.typed if same else ""}
    return enter_result(load, before.parameter, typed, reason=form.reason.data, facts=facts, by=here.by, at=here.at,
                        law=here.law, **said)  # fmt: skip


@page(bp, "/plant/lab/<ticket>/<parameter>/back", *LAB, methods=("GET", "POST"))
def lab_back(here: Page, ticket: str, parameter: str) -> Any:
    """Take a result off a load it does not belong to; what was stays in the history."""
    load = loads.with_ticket(here.plant.id, ticket) or abort(404)
    before, form = loads.results_of([load.id]).get(load.id, {}).get(parameter) or abort(404), ResultBackForm()
    if form.validate_on_submit():
        result = take_back_result(load, parameter, form.reason.data, by=here.by, at=here.at, law=here.law)
        if not isinstance(result, Refusal):
            return here.done("intake.load_ticket", "The result is taken back.", ticket=ticket)
        if result.code != "no_reason":
            return here.refuse(result)
        form.refuse("reason", result.why)
    return here.show("intake/lab/back.html", form=form, load=load, before=before, name=results.NAMES[parameter],
                     in_words=results.in_words)  # fmt: skip


@page(bp, "/plant/lab/<ticket>/no-result", *LAB, methods=("GET", "POST"))
def lab_lost(here: Page, ticket: str) -> Any:
    """Say that no result of a load's sample will come."""
    load, form = loads.with_ticket(here.plant.id, ticket) or abort(404), LostForm()
    if form.validate_on_submit():
        result = give_up_sample(load, form.code.data, form.words.data, by=here.by, at=here.at, law=here.law)
        if not isinstance(result, Refusal):
            return here.done("intake.lab", f"Load {ticket} counts as not tested; its test is not charged.")
        if result.code != "no_reason":
            return here.refuse(result)
        form.refuse("words", result.why)
    return here.show("intake/lab/lost.html", form=form, load=load)


def _as_kept(before: Result) -> dict[str, Any]:
    """What the form of a change begins with: the laboratory's own text, and the limit of ND apart."""
    text, _, limit = before.typed.partition(", limit ")
    return {"typed": text, "limit": limit, "method": before.method, "analyst": before.analyst,
            "lab_number": before.lab_number, "sampled": before.sampled_on, "received": before.received_on,
            "analysed": before.analysed_on, "lod": _figure(before.lod), "loq": _figure(before.loq)}  # fmt: skip


def _figure(limit: Decimal | None) -> str:
    return f"{limit:f}" if limit is not None else ""
