"""New tests at the asker's cost: ask, answer, enter what they found (§ 329-6 J)."""

from decimal import Decimal
from typing import Any

from flask import abort

from intake.actions.lab import Facts
from intake.actions.retest import (
    ASKERS,
    DECIDERS,
    answer_retest,
    ask_retest,
    correct_retest,
    finish_retest,
    names,
    take_back_retest,
)
from intake.forms.retest import AnswerRetestForm, AskRetestForm, TakeBackForm, filled, finish_form
from intake.models import Load, Retest
from intake.queries import loads, retests
from intake.queries.results import NAMES
from intake.routes.base import bp
from intake.routes.loads import own_load
from intake.states import RetestState
from office.access import Role
from office.law import law_in_force
from office.pages import Page, page
from ordinances.refusal import Refusal

SEERS = (Role.OPERATOR, Role.MANAGER, Role.DIRECTOR, Role.CLERK)


@page(bp, "/loads/<ticket>/retest", *ASKERS, methods=("GET", "POST"))
def ask_new_tests(here: Page, ticket: str) -> Any:
    """Ask for new tests of a load, at the hauler's cost."""
    staff = here.by.capacity(SEERS) is not None
    load = loads.with_ticket(here.plant.id, ticket) if staff else own_load(here, ticket)
    if load is None:
        abort(404)
    known, law = loads.results_of([load.id]).get(load.id, {}), law_in_force(here.plant, load.day)
    form = AskRetestForm(data={"parameters": list(known)})
    form.parameters.choices = [(one, NAMES[one]) for one in known]
    back = "intake.load_ticket" if staff else "intake.hauler_load"
    if form.validate_on_submit():
        by = here.by.for_(load.business_name) if staff else here.by
        result = ask_retest(load, form.parameters.data, form.reason.data, by=by, at=here.at, law=here.law)
        if not isinstance(result, Refusal):
            return here.done(back, "New tests are asked for. You read here what they cost before they are made.",
                             ticket=ticket)  # fmt: skip
        if result.code not in ("parameters", "no_reason"):
            return here.refuse(result)
        form.refuse("parameters" if result.code == "parameters" else "reason", result.why)
    return here.show("intake/sampling/ask_retest.html", form=form, load=load, back=back, known=known,
                     hours=retests.hours_of(law, load.day), price=_price(here, load, len(known)),
                     cite=law.cited(retests.HOURS, load.day))  # fmt: skip


def _price(here: Page, load: Load, tests: int) -> Decimal | None:
    return retests.usual_price(law_in_force(here.plant, load.day), load.day, tests)


@page(bp, "/loads/<ticket>/retest/<int:retest_id>/back", *ASKERS, methods=("GET", "POST"))
def take_back_new_tests(here: Page, ticket: str, retest_id: int) -> Any:
    """Take back new tests of a load before they are made."""
    staff = here.by.capacity(SEERS) is not None
    load = loads.with_ticket(here.plant.id, ticket) if staff else own_load(here, ticket)
    row = retests.retest(here.plant.id, retest_id)
    if load is None or row is None or row.load_id != load.id:
        abort(404)
    form, back = TakeBackForm(), "intake.load_ticket" if staff else "intake.hauler_load"
    if form.validate_on_submit():
        by = here.by.for_(load.business_name) if staff else here.by
        result = take_back_retest(here.plant, retest_id, form.reason.data, by=by, at=here.at, law=here.law)
        if not isinstance(result, Refusal):
            return here.done(back, "The new tests are taken back. Nothing is charged for them.", ticket=ticket)
        if result.code != "no_reason":
            return here.refuse(result)
        form.refuse("reason", result.why)
    return here.show("intake/sampling/take_back.html", form=form, load=load, row=row, what=names(row), back=back,
                     states={state.value: words for state, words in retests.STATE_WORDS.items()})  # fmt: skip


@page(bp, "/plant/retests", *SEERS)
def new_tests(here: Page) -> Any:
    """New tests that were asked for, the newest first."""
    return here.show("intake/sampling/retests.html", rows=retests.of_plant(here.plant.id), names=names,
                     states={state.value: words for state, words in retests.STATE_WORDS.items()},
                     may=here.by.capacity(DECIDERS) is not None,
                     cite=here.law.cited(retests.HOURS, here.today))  # fmt: skip


@page(bp, "/plant/retests/<int:retest_id>", *DECIDERS, methods=("GET", "POST"))
def one_new_test(here: Page, retest_id: int) -> Any:
    """Answer a request for new tests, enter what they found, or put that right."""
    row = retests.retest(here.plant.id, retest_id) or abort(404)
    load = loads.load(row.load_id)
    if row.state in (RetestState.ACCEPTED.value, RetestState.DONE.value):
        return _finish(here, row, load)
    form = AnswerRetestForm(data={"cost": _price(here, load, len(row.parameters)), "hours": row.hours})
    if form.validate_on_submit():
        result = answer_retest(here.plant, retest_id, form.accepted.data == "yes", cost=form.cost.data,
                               hours=form.hours.data, words=form.words.data, by=here.by, at=here.at,
                               law=here.law)  # fmt: skip
        if not isinstance(result, Refusal):
            return here.done("intake.new_tests", "The hauler is told.")
        if result.code not in ("cost", "hours", "no_words"):
            return here.refuse(result)
        form.refuse("words" if result.code == "no_words" else result.code, result.why)
    return _show(here, row, load, form)


def _show(here: Page, row: Retest, load: Load, form: Any) -> Any:
    beside = retests.beside(row, loads.results_of([load.id]).get(load.id, {}))
    cite = law_in_force(here.plant, load.day).cited(retests.HOURS, load.day)
    return here.show("intake/sampling/retest.html", form=form, row=row, load=load, beside=beside, what=names(row),
                     cite=cite, parameters={one: NAMES[one] for one in row.parameters})  # fmt: skip


def _finish(here: Page, row: Retest, load: Load) -> Any:
    done = row.state == RetestState.DONE.value
    before = filled(row.found) if done else {}
    form: Any = finish_form({one: NAMES[one] for one in row.parameters}, done=done)(
        data=before | ({"prevails": "yes" if row.prevails else "no"} if done else {}))  # fmt: skip
    if form.validate_on_submit():
        typed = {one: form[one].data for one in row.parameters}
        act = correct_retest if done else finish_retest
        result = act(here.plant, row.id, typed, form.prevails.data == "yes", form.why.data, sure=form.sure.data,
                     facts={one: _facts(form, one) for one in row.parameters}, by=here.by, at=here.at,
                     law=here.law)  # fmt: skip
        if not isinstance(result, Refusal):
            said = "The new results are corrected." if done else "The new results stand beside the first."
            return here.done("intake.load_ticket", said, ticket=load.ticket)
        if result.code not in form._fields and result.code != "no_why":
            return here.refuse(result)
        form.refuse("why" if result.code == "no_why" else result.code, result.why)
        form.sure.asked = result.reading or ""
    return _show(here, row, load, form)


def _facts(form: Any, parameter: str) -> Facts:
    """What is typed of what the laboratory says of one test."""
    return Facts(form[f"method_{parameter}"].data, form.analyst.data, form.lab_number.data,
                 form.sampled.data, form.received.data, form[f"analysed_{parameter}"].data,
                 form[f"lod_{parameter}"].limit, form[f"loq_{parameter}"].limit)  # fmt: skip
