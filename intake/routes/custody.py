"""Samples: those the laboratory has not received, and the way of each (§ 329-7 E(1))."""

from typing import Any

from intake.actions.custody import hand_over_samples
from intake.actions.custody_correction import GONE, correct_custody, take_back_custody
from intake.forms.custody import AT_FIELD, NOTHING, CorrectStepForm, HandOverForm, SampleForm, TakenForm
from intake.models import Load
from intake.queries import custody, labels
from intake.queries.sampling_plan import in_force, of_business, told
from intake.routes.base import bp
from intake.states import CustodyKind
from office import formats
from office.access import Role
from office.pages import Page, page
from ordinances.refusal import Refusal

KEEPERS = (Role.OPERATOR, Role.MANAGER)
SEERS = (*KEEPERS, Role.DIRECTOR)


@page(bp, "/plant/samples", *KEEPERS, methods=("GET", "POST"))
def samples(here: Page) -> Any:
    """Samples that have not reached the laboratory: hand them over, or say that it has them."""
    waiting = custody.not_received(here.plant.id)
    form = HandOverForm(data={"day": here.today, "clock": here.local.time()})
    form.bottles.choices = [(one.load.bottle, f"{one.load.bottle}, load {one.load.ticket}") for one in waiting]
    form.bottles.optional = form.typed.optional = False
    if form.validate_on_submit() and _step(here, form, form.wanted()):
        return here.done("intake.samples", f"{formats.plural(len(form.wanted()), 'sample')}: it is on record.")
    return here.show("intake/custody/samples.html", form=form, samples=waiting, left=labels.left(here.plant.id),
                     labels=bool(labels.runs(here.plant.id)))  # fmt: skip


def _step(here: Page, form: Any, bottles: list[str]) -> bool:
    """Do what was typed; what was wrong is said at its box."""
    done = hand_over_samples(here.plant, bottles, form.kind.data, form.to_name.data, form.when(here.plant.tz),
                             place=form.place.data, preserved=form.preserved.data, by=here.by, at=here.at,
                             law=here.law)  # fmt: skip
    if not isinstance(done, Refusal):
        return True
    name = AT_FIELD.get(done.code, "")
    form.refuse(name if name in form._fields else None, done.why)
    return False


@page(bp, "/plant/samples/<bottle>", *SEERS, methods=("GET", "POST"))
def sample(here: Page, bottle: str) -> Any:
    """The way of one sample, by the number of its bottle; a number no load has is asked about."""
    load = custody.with_bottle(here.plant.id, bottle)
    if load is None:
        return _unknown(here, bottle)
    form = SampleForm(data={"day": here.today, "clock": here.local.time()})
    if form.validate_on_submit() and _step(here, form, [load.bottle]):
        return here.done("intake.sample", "It is on record.", bottle=load.bottle)
    plan = in_force(of_business(here.plant.id, load.business_id or 0), load.day)
    return here.show("intake/custody/sample.html", form=form, sample=custody.sample_of(load), LOGGED=custody.LOGGED,
                     plan=told(plan) if plan is not None else [],
                     may=here.by.capacity(KEEPERS) is not None)  # fmt: skip


def _unknown(here: Page, bottle: str) -> Any:
    number = labels.number_of(bottle)
    printed = number is not None and 1 <= number <= labels.last_printed(here.plant.id)
    return here.show("intake/custody/unknown.html", 404, bottle=bottle[:20], printed=printed,
                     near=custody.near(here.plant.id))  # fmt: skip


@page(bp, "/plant/samples/<bottle>/steps/<int:step_id>", *KEEPERS, methods=("GET", "POST"))
def sample_step(here: Page, bottle: str, step_id: int) -> Any:
    """Put right one step of a sample's way, or take it back; what stood there stays beside it."""
    load = custody.with_bottle(here.plant.id, bottle)
    if load is None:
        return _unknown(here, bottle)
    known = custody.sample_of(load)
    step = next((one for one in known.links if one.step_id == step_id), None)
    if step is None:
        return here.refuse(Refusal("gone", GONE, ""))
    was = step.at.astimezone(here.plant.tz)
    taken = step.kind == CustodyKind.TAKEN.value
    filled = {"kind": step.kind, "to_name": step.to_name, "day": was.date(), "clock": was.time(), "place": step.place,
              "preserved": step.preserved}  # fmt: skip
    form = (TakenForm if taken else CorrectStepForm)(data=filled)
    if form.validate_on_submit():
        result = _correct(here, load, step, form)
        if not isinstance(result, Refusal):
            return here.done("intake.sample", "It is corrected. What stood there is shown beside it.",
                             bottle=load.bottle)  # fmt: skip
        name = AT_FIELD.get(result.code, "")
        if name not in form._fields:
            return here.refuse(result)
        form.refuse(name, result.why)
    return here.show("intake/custody/step.html", form=form, load=load, step=step, taken=taken)


def _correct(here: Page, load: Load, step: custody.Link, form: TakenForm | CorrectStepForm) -> Any:
    kind = form.kind.data if isinstance(form, CorrectStepForm) else step.kind
    if kind == NOTHING:
        return take_back_custody(here.plant, load, step.step_id, form.why.data, by=here.by, at=here.at, law=here.law)
    # Where the minute is left as it was, the step keeps its second.
    when, was = form.when(here.plant.tz), step.at.replace(second=0, microsecond=0)
    return correct_custody(here.plant, load, step.step_id, kind, form.to_name.data, step.at if when == was else when,
                           form.why.data, place=form.place.data, preserved=form.preserved.data, by=here.by, at=here.at,
                           law=here.law)  # fmt: skip
