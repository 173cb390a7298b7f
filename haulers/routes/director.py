"""The Director's pages: approvals in force, and revoking one in writing (§ 329-7 G)."""

from typing import Any

from flask import abort, request
from sqlalchemy import select

from haulers import actions, queries
from haulers.forms import RevokeForm
from haulers.models import Approval
from haulers.ports import track_record
from haulers.routes.base import bp
from haulers.routes.clerk import letter_href
from office.access import Role
from office.db import db
from office.journal import JournalEntry
from office.notices import of_act
from office.pages import Page, page
from ordinances.refusal import Refusal


@page(bp, "/director/approvals", Role.DIRECTOR)
def approvals(here: Page) -> Any:
    """The approvals that hold now."""
    rows = queries.approvals_in_force(here.plant.id, here.at, here.law)
    wastes = queries.covered_of([approval.id for approval, _, _ in rows])
    covers = {approval.id: queries.waste_words(wastes.get(approval.id, ())) for approval, _, _ in rows}
    return here.show("haulers/approvals.html", rows=rows, covers=covers)


def _approval(here: Page, approval_id: int) -> Approval:
    return queries.approval(here.plant.id, approval_id) or abort(404)


@page(bp, "/director/approvals/<int:approval_id>/revoke", Role.DIRECTOR, methods=("GET", "POST"))
def revoke(here: Page, approval_id: int) -> Any:
    """Reason, then the letter as it will go out, then revoked and sent."""
    approval = _approval(here, approval_id)
    form = RevokeForm().fit(queries.revocation_rules(here.law, here.today, approval))
    step = request.form.get("step", "")
    if step in ("check", "send") and form.validate_on_submit():
        rule, reason = form.rule.data, form.reason.data
        if step == "send":
            result = actions.revoke_approval(here.plant, approval.id, rule, reason, by=here.by, at=here.at,
                                             law=here.law)  # fmt: skip
            if isinstance(result, Refusal):
                return here.refuse(result, title="The approval was not revoked")
            return here.done("haulers.revoked", approval_id=approval.id)
        checked = actions.check_revocation(here.plant, approval.id, rule, reason, here.by, here.at, here.law)
        if isinstance(checked, Refusal):
            return here.refuse(checked, title="The approval cannot be revoked")
        return _letter(here, form, approval)
    party = queries.party_of_business(approval.business_id)
    return here.show("haulers/revoke.html", form=form, approval=approval, party=party,
                     revocation=queries.revocation_of(approval.id))  # fmt: skip


def _letter(here: Page, form: RevokeForm, approval: Approval) -> Any:
    party = queries.party_of_business(approval.business_id)
    bookings = track_record().bookings_of(approval.id, here.at)
    title, data = actions.letter_data(here.plant, party, approval, form.rule.data, form.reason.data, bookings, here.by,
                                      here.at, here.law)  # fmt: skip
    return here.show("haulers/revoke_check.html", form=form, approval=approval, party=party, letter_title=title,
                     data=data, bookings=bookings)  # fmt: skip


@page(bp, "/director/approvals/<int:approval_id>/revoked", Role.DIRECTOR, Role.CLERK)
def revoked(here: Page, approval_id: int) -> Any:
    """What was done: the letter, and who was told and how it went."""
    approval = _approval(here, approval_id)
    revocation = queries.revocation_of(approval.id) or abort(404)
    act_id = db.session.scalars(
        select(JournalEntry.act_id).filter_by(table_name="revocation", record_id=revocation.id).limit(1)
    ).first()  # fmt: skip
    return here.show("haulers/revoked.html", approval=approval, revocation=revocation,
                     party=queries.party_of_business(approval.business_id), letter_href=letter_href,
                     told=of_act(act_id) if act_id else [])  # fmt: skip
