"""Findings on waste that is somebody's to judge: record one, what the Council said of it, end it (§ 329-6 D, E)."""

from typing import Any

from flask import abort

from haulers import queries as haulers
from intake.actions.finding import COUNCIL, FINDERS, end_finding, record_council_answer, record_finding, told
from intake.forms.finding import AT_FIELD, CouncilForm, EndForm, FindingForm
from intake.models import WasteFinding
from intake.queries import findings
from intake.routes.base import bp, hauler_named
from office.access import Role
from office.pages import Page, page
from ordinances.refusal import Refusal
from ordinances.screening import REMEDIES, WASTE_TYPES, remedies

SEERS = (Role.OPERATOR, Role.MANAGER, Role.DIRECTOR, Role.CLERK)


@page(bp, "/director/findings", *SEERS)
def waste_findings(here: Page) -> Any:
    """Every finding, those that hold first."""
    rows = findings.of_plant(here.plant.id, here.today)
    return here.show("intake/sampling/findings.html", rows=sorted(rows, key=lambda one: not one.now), told=told,
                     names=haulers.business_names({one.row.business_id for one in rows}), wastes=WASTE_TYPES,
                     haulers=[(one.id, party.name) for one, party in haulers.businesses_at(here.plant.id)],
                     may=here.by.capacity(FINDERS) is not None and bool(remedies(here.law, here.today)),
                     cite=here.law.cited(REMEDIES, here.today))  # fmt: skip


@page(bp, "/director/findings/new/<int:business_id>", *FINDERS, methods=("GET", "POST"), asks_again=True)
def new_finding(here: Page, business_id: int) -> Any:
    """Find what a hauler's waste may do, and what follows."""
    name, cite = hauler_named(here, business_id), here.law.cited(REMEDIES, here.today)
    form = FindingForm(data={"since": here.today})
    form.outcomes.choices = [(one, one.capitalize()) for one in remedies(here.law, here.today)]
    if form.validate_on_submit() and form.since.data is not None:
        cents = int(form.cost.data * 100) if form.cost.data is not None else None
        result = record_finding(
            here.plant, business_id, form.waste.data, form.facts.data, form.outcomes.data, form.since.data,
            until=form.until.data, pretreatment=form.pretreatment.data, gph=form.gph.data, cents=cents,
            cost_per=form.cost_per.data or "", by=here.by, at=here.at, law=here.law,
        )  # fmt: skip
        if not isinstance(result, Refusal):
            return here.done("intake.waste_finding", "It is recorded, and the hauler has the letter.",
                             finding_id=result.id)  # fmt: skip
        if result.code not in AT_FIELD:
            return here.refuse(result)
        form.refuse(AT_FIELD[result.code], result.why)
    return here.show("intake/sampling/new_finding.html", form=form, name=name, cite=cite)


def _row(here: Page, finding_id: int) -> WasteFinding:
    return findings.finding(here.plant.id, finding_id) or abort(404)


@page(bp, "/director/findings/<int:finding_id>", *SEERS)
def waste_finding(here: Page, finding_id: int) -> Any:
    """One finding: what was found, what follows, what the Council said, until when it holds."""
    row = _row(here, finding_id)
    return here.show("intake/sampling/finding.html", row=row, now=findings.holds(row, here.today), told=told(row),
                     name=haulers.party_of_business(row.business_id).name, waste=WASTE_TYPES[row.waste],
                     cite=here.law.cited(REMEDIES, here.today), may_end=here.by.capacity(FINDERS) is not None,
                     may_answer=here.by.capacity(COUNCIL) is not None)  # fmt: skip


@page(bp, "/director/findings/<int:finding_id>/council", *COUNCIL, methods=("GET", "POST"))
def finding_council(here: Page, finding_id: int) -> Any:
    """What the Common Council said of a finding."""
    row, form = _row(here, finding_id), CouncilForm(data={"on": here.today})
    if form.validate_on_submit() and form.on.data is not None:
        result = record_council_answer(here.plant, finding_id, form.adopted.data == "yes", form.on.data,
                                       form.words.data, by=here.by, at=here.at, law=here.law)  # fmt: skip
        if not isinstance(result, Refusal):
            return here.done("intake.waste_finding", "It is recorded, and the hauler is told.", finding_id=row.id)
        if result.code not in AT_FIELD:
            return here.refuse(result)
        form.refuse(AT_FIELD[result.code], result.why)
    return here.show("intake/sampling/council.html", form=form, row=row, told=told(row),
                     cite=here.law.cited(REMEDIES, here.today))  # fmt: skip


@page(bp, "/director/findings/<int:finding_id>/end", *FINDERS, methods=("GET", "POST"))
def finding_end(here: Page, finding_id: int) -> Any:
    """End a finding from now on."""
    row, form = _row(here, finding_id), EndForm()
    if form.validate_on_submit():
        result = end_finding(here.plant, finding_id, form.reason.data, by=here.by, at=here.at, law=here.law)
        if not isinstance(result, Refusal):
            return here.done("intake.waste_finding", "It has ended, and the hauler is told.", finding_id=row.id)
        if result.code not in AT_FIELD:
            return here.refuse(result)
        form.refuse("reason", result.why)
    return here.show("intake/sampling/end_finding.html", form=form, row=row, told=told(row))
