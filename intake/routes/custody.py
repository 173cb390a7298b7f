"""Samples: those the laboratory has not received, and the way of each (§ 329-7 E(1))."""

from typing import Any

from intake.actions.custody import hand_over_samples
from intake.forms.custody import AT_FIELD, HandOverForm, SampleForm
from intake.queries import custody, labels
from intake.queries.sampling_plan import in_force, of_business, told
from intake.routes.base import bp
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
        number = labels.number_of(bottle)
        printed = number is not None and 1 <= number <= labels.last_printed(here.plant.id)
        return here.show("intake/custody/unknown.html", 404, bottle=bottle[:20], printed=printed,
                         near=custody.near(here.plant.id))  # fmt: skip
    form = SampleForm(data={"day": here.today, "clock": here.local.time()})
    if form.validate_on_submit() and _step(here, form, [load.bottle]):
        return here.done("intake.sample", "It is on record.", bottle=load.bottle)
    plan = in_force(of_business(here.plant.id, load.business_id or 0), here.today)
    return here.show("intake/custody/sample.html", form=form, sample=custody.sample_of(load),
                     plan=told(plan) if plan is not None else [],
                     may=here.by.capacity(KEEPERS) is not None)  # fmt: skip
