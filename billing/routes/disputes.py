"""Fee disputes as the clerk keeps them: what is disputed, how far it went, how it ended (§ 281.49(11))."""

from typing import Any

from flask import abort

from billing import actions, queries
from billing.forms import DisputeForm, StepForm
from billing.routes.base import account_here, bp
from office import formats
from office.access import Role
from office.db import db
from office.pages import Page, page
from office.people import Party
from ordinances.refusal import Refusal

FIELDS = {"no_fees": "fees", "no_charges": "charges", "nothing_left": "charges", "date_in_future": "asked_on",
          "too_long_ago": "asked_on"}  # fmt: skip


@page(bp, "/clerk/disputes", Role.CLERK)
def disputes(here: Page) -> Any:
    """Every fee dispute with its stages, the newest first."""
    return here.show("billing/disputes.html", found=queries.disputes(here.plant.id), form=None)


@page(bp, "/clerk/accounts/<int:account_id>/dispute", Role.CLERK, methods=("GET", "POST"))
def new_dispute(here: Page, account_id: int) -> Any:
    """Record that a hauler disputes fees: the charges at issue are held and are not late meanwhile."""
    account = account_here(here, account_id)
    entries = {line.entry.id: line.entry for line in queries.ledger(account.id)
               if line.entry.kind in ("charge", "late") and line.reversed_by is None
               and line.entry.source_kind != "damage"}  # fmt: skip
    form = DisputeForm(asked_on=here.today)
    form.charges.choices = [
        (ident, f"{formats.date_only(one.day)}, {one.what}, {one.source_label}: {formats.money(one.amount_cents)}")
        for ident, one in reversed(entries.items())
    ]
    if form.validate_on_submit():
        result = actions.open_dispute(
            here.plant, account, [entries[ident] for ident in form.charges.data], form.fees.data,
            gallons=form.gallons.data, waste=form.waste.data, asked_on=form.asked_on.data, by=here.by, at=here.at,
            law=here.law,
        )  # fmt: skip
        if not isinstance(result, Refusal):
            return here.done("billing.disputes", said=f"Fee dispute {result.number} is recorded.")
        form.refuse(FIELDS.get(result.code), result.why)
    return here.show("billing/new_dispute.html", form=form, account=account,
                     party=db.session.get_one(Party, account.party_id))  # fmt: skip


@page(bp, "/clerk/disputes/<number>", Role.CLERK, methods=("GET", "POST"))
def dispute_step(here: Page, number: str) -> Any:
    """Record the next stage of a dispute, or how it ended."""
    found = queries.dispute_named(here.plant.id, number) or abort(404)
    form = StepForm(on_day=here.today)
    if form.validate_on_submit():
        result = actions.take_dispute_on(found, form.stage.data, form.outcome.data, form.on_day.data, by=here.by,
                                         at=here.at, law=here.law)  # fmt: skip
        if not isinstance(result, Refusal):
            return here.done("billing.disputes", said=f"Fee dispute {number} is kept up.")
        form.refuse("on_day" if result.code in ("date_in_future", "too_long_ago") else "stage", result.why)
    stages = (
        here.law.value("state.dispute_stages", here.today) if here.law.has("state.dispute_stages", here.today) else ()
    )
    (one,) = queries.disputes(here.plant.id, number=number)
    return here.show("billing/dispute.html", form=form, dispute=found, one=one, stages=stages)
