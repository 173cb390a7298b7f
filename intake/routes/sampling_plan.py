"""Sampling plans: proposed by haulers or entered from paper, approved or returned by the Director (§ 329-7 E)."""

from typing import Any

from flask import abort, request

from haulers import queries as haulers
from intake.actions.sampling_plan import approve_sampling_plan, propose_sampling_plan, return_sampling_plan
from intake.forms.sampling import ApproveForm, PlanForm, ReturnForm
from intake.models import SamplingPlan
from intake.queries import sampling_plan as plans
from intake.routes.base import bp, business_of, hauler_named
from office.access import Role
from office.pages import Page, page
from ordinances.refusal import Refusal

SEERS = (Role.OPERATOR, Role.MANAGER, Role.DIRECTOR, Role.CLERK)


def _law(here: Page) -> dict[str, Any]:
    return {"cite": plans.cite(here.law, here.today), "law_methods": plans.methods(here.law, here.today),
            "access": here.law.has(plans.ACCESS, here.today) and here.law.value(plans.ACCESS, here.today)}  # fmt: skip


@page(bp, "/hauler/sampling", Role.HAULER)
def my_sampling(here: Page) -> Any:
    """The company's plan in force, the one that waits, and those before."""
    return here.show("intake/sampling/my_plan.html", **_plans(here, business_of(here)), **_law(here))


def _plans(here: Page, business_id: int) -> dict[str, Any]:
    rows = plans.of_business(here.plant.id, business_id)
    later = [one for one in rows if one.since is not None and one.since > here.today]
    return {"rows": rows, "now": plans.in_force(rows, here.today), "waits": plans.proposed(rows), "told": plans.told,
            "later": later, "next": plans.next_after(rows, here.today)}  # fmt: skip


@page(bp, "/hauler/sampling/propose", Role.HAULER, methods=("GET", "POST"))
def propose_plan(here: Page) -> Any:
    """Propose a plan; the one in force is filled in."""
    return _propose(here, business_of(here), "intake.my_sampling", {})


def _propose(here: Page, business_id: int, back: str, where: dict[str, Any]) -> Any:
    known = _plans(here, business_id)
    filled = known["waits"] or known["now"]
    form = PlanForm(data={name: getattr(filled, name) for name, _ in plans.PARTS} if filled is not None else None)
    if form.validate_on_submit():
        result = propose_sampling_plan(here.plant, business_id, form.parts(), by=here.by, at=here.at, law=here.law)
        if not isinstance(result, Refusal):
            return here.done(back, "The plan is sent. The Director decides on it.", **where)
        if result.code not in form._fields:
            return here.refuse(result)
        form.refuse(result.code, result.why)
    name = haulers.party_of_business(business_id).name
    return here.show("intake/sampling/propose.html", form=form, name=name, back=back, where=where, waits=known["waits"],
                     **_law(here))  # fmt: skip


@page(bp, "/director/sampling", *SEERS)
def sampling_plans(here: Page) -> Any:
    """Plans that wait, and the one in force of each hauler."""
    known, rows = haulers.businesses_at(here.plant.id), plans.of_plant(here.plant.id)
    mine = {one.id: [row for row in rows if row.business_id == one.id] for one, _ in known}
    lines = [(one.id, party.name, plans.in_force(mine[one.id], here.today)) for one, party in known]
    return here.show("intake/sampling/plans.html", lines=lines, names={one.id: party.name for one, party in known},
                     waiting=[row for row in reversed(rows) if row.state == "proposed"], **_law(here))  # fmt: skip


@page(bp, "/director/sampling/<int:business_id>", *SEERS)
def sampling_plan_of(here: Page, business_id: int) -> Any:
    """One hauler's plan and those before."""
    return here.show("intake/sampling/plan_of.html", name=hauler_named(here, business_id), business_id=business_id,
                     **_plans(here, business_id), **_law(here))  # fmt: skip


@page(bp, "/clerk/sampling/<int:business_id>/enter", Role.CLERK, methods=("GET", "POST"))
def enter_plan(here: Page, business_id: int) -> Any:
    """Enter a hauler's plan from paper."""
    hauler_named(here, business_id)
    return _propose(here, business_id, "intake.sampling_plan_of", {"business_id": business_id})


@page(bp, "/director/sampling/plans/<int:plan_id>", Role.DIRECTOR, methods=("GET", "POST"))
def decide_plan(here: Page, plan_id: int) -> Any:
    """Approve a plan from a day on, or return it with the reason."""
    row: SamplingPlan = plans.plan(here.plant.id, plan_id) or abort(404)
    returning = request.form.get("step") == "return"
    # The form that was not sent is shown as it was.
    approve = ApproveForm(data={"since": here.today}, **({"formdata": None} if returning else {}))
    back = ReturnForm(**({} if returning else {"formdata": None}))
    form = back if returning else approve
    result: Any = None
    if form.validate_on_submit():
        if returning:
            result = return_sampling_plan(here.plant, plan_id, back.reason.data, by=here.by, at=here.at, law=here.law)
        elif approve.since.data is not None:
            result = approve_sampling_plan(here.plant, plan_id, approve.since.data, note=approve.note.data,
                                           sure=approve.sure.data, by=here.by, at=here.at, law=here.law)  # fmt: skip
        if not isinstance(result, Refusal):
            said = "The plan is returned." if returning else "The plan is approved."
            return here.done("intake.sampling_plan_of", f"{said} The hauler has the letter.",
                             business_id=row.business_id)  # fmt: skip
        if result.code not in ("since", "no_reason", "later"):
            return here.refuse(result)
        form.refuse("reason" if result.code == "no_reason" else "since", result.why)
        approve.sure.asked = result.why if result.code == "later" else ""
    rows = plans.of_business(here.plant.id, row.business_id)
    return here.show("intake/sampling/decide.html", form=form, approve=approve, back=back, row=row,
                     now=plans.in_force(rows, here.today), later=plans.next_after(rows, here.today),
                     told=plans.told(row), name=haulers.party_of_business(row.business_id).name,
                     **_law(here))  # fmt: skip
