"""Expense, loss and damage: charged with its evidence, read by the hauler, disputed by itself."""

from typing import Any

from flask import abort

from billing import actions, queries
from billing.forms import DamageDisputeForm, DamageForm, EvidenceForm
from billing.routes.base import account_here, bp, my_account
from office.access import Role
from office.db import db
from office.files import hand_over
from office.pages import Page, page
from office.people import Party
from ordinances.refusal import Refusal

BOTH = ("GET", "POST")
FIELDS = {"date_in_future": "happened_on", "not_liable": "happened_on", "nothing_said": "cause",
          "amount_not_positive": "amount", "bad_file": "file", "no_note": "note"}  # fmt: skip
DISPUTED_AT = {"no_fees": "why", "date_in_future": "asked_on", "too_long_ago": "asked_on"}
LIABLE = "violations.liability"


@page(bp, "/clerk/accounts/<int:account_id>/damage", Role.CLERK, methods=BOTH, asks_again=True)
def new_damage(here: Page, account_id: int) -> Any:
    """Charge a hauler an expense, loss or damage, with the first file of evidence."""
    account, form = account_here(here, account_id), DamageForm()
    if form.validate_on_submit():
        made = actions.charge_damage(
            here.plant, account, int(form.amount.data * 100), form.what.data, form.cause.data, form.happened_on.data,
            (form.file.data, form.note.data), by=here.by, at=here.at, law=here.law,
        )  # fmt: skip
        if not isinstance(made, Refusal):
            return here.done("billing.damage", said="It is charged, and the hauler is told.", damage_id=made.id)
        form.refuse(FIELDS.get(made.code), made.why)
    row = here.law.row(LIABLE, here.today) if here.law.has(LIABLE, here.today) else None
    return here.show("billing/new_damage.html", form=form, account=account, rule=row,
                     party=db.session.get_one(Party, account.party_id))  # fmt: skip


@page(bp, "/clerk/damages/<int:damage_id>", Role.CLERK, methods=BOTH)
def damage(here: Page, damage_id: int) -> Any:
    """One damage with its evidence; add another file."""
    found, form = _found(here, damage_id), EvidenceForm()
    if form.validate_on_submit():
        made = actions.add_evidence(here.plant, found.row, form.file.data, form.note.data, by=here.by, at=here.at,
                                    law=here.law)  # fmt: skip
        if not isinstance(made, Refusal):
            return here.done("billing.damage", said="The file is kept.", damage_id=damage_id)
        form.refuse(FIELDS.get(made.code, "note"), made.why)
    return here.show("billing/damage.html", one=found, form=form, mine=False)


@page(bp, "/clerk/damages/<int:damage_id>/dispute", Role.CLERK, methods=BOTH)
def damage_dispute(here: Page, damage_id: int) -> Any:
    """Record that the hauler disputes it, by itself."""
    found, form = _found(here, damage_id), DamageDisputeForm(asked_on=here.today)
    if form.validate_on_submit():
        made = actions.dispute_damage(here.plant, found.row, found.charge, form.why.data, form.asked_on.data,
                                      by=here.by, at=here.at, law=here.law)  # fmt: skip
        if not isinstance(made, Refusal):
            return here.done("billing.damage", said=f"Dispute {made.number} is recorded.", damage_id=damage_id)
        form.refuse(DISPUTED_AT.get(made.code), made.why)
    return here.show("billing/damage_dispute.html", one=found, form=form)


@page(bp, "/clerk/damages/<int:damage_id>/evidence/<int:file_id>", Role.CLERK)
def evidence(here: Page, damage_id: int, file_id: int) -> Any:
    """One file of evidence."""
    return _file(_found(here, damage_id), file_id)


@page(bp, "/hauler/damages/<int:damage_id>", Role.HAULER)
def my_damage(here: Page, damage_id: int) -> Any:
    """A damage charged to the hauler, with its evidence."""
    return here.show("billing/damage.html", one=_mine(here, damage_id), form=None, mine=True)


@page(bp, "/hauler/damages/<int:damage_id>/evidence/<int:file_id>", Role.HAULER)
def my_evidence(here: Page, damage_id: int, file_id: int) -> Any:
    """One file of evidence of a damage charged to the hauler."""
    return _file(_mine(here, damage_id), file_id)


def _found(here: Page, damage_id: int) -> queries.DamageView:
    row = queries.damage_named(here.plant.id, damage_id) or abort(404)
    return queries.damages(here.plant.id, row.account_id, damage_id)[0]


def _mine(here: Page, damage_id: int) -> queries.DamageView:
    account = my_account(here) or abort(404)
    return next(iter(queries.damages(here.plant.id, account.id, damage_id)), None) or abort(404)


def _file(found: queries.DamageView, file_id: int) -> Any:
    return hand_over(next((file for one, file in found.files if one.id == file_id), None) or abort(404))
