"""The Director's pages: approvals in force, and revoking one in writing (§ 329-7 G)."""

from typing import Any

from flask import abort, request
from sqlalchemy import select

from haulers import actions, queries
from haulers.actions.named_loads import ticket_words
from haulers.actions.revocation import ended_bookings, record_certified_mail
from haulers.actions.suspension import may_suspend
from haulers.forms.revocation import MailForm, RevokeForm, RuleForm
from haulers.models import Approval
from haulers.ports import track_record
from haulers.queries.enforcement import review_of, suspension_holds
from haulers.routes.base import bp
from haulers.routes.clerk import letter_href
from haulers.routes.motions import UNSENT
from office.access import Role
from office.db import db
from office.journal import JournalEntry
from office.notices import of_act
from office.pages import Page, page
from ordinances.refusal import Refusal


@page(bp, "/director/approvals", Role.DIRECTOR)
def approvals(here: Page) -> Any:
    """The approvals that hold now, suspended ones and those revoked from a day to come too."""
    rows = queries.approvals_in_force(here.plant.id, here.at, here.law)
    wastes = queries.covered_of([approval.id for approval, _, _ in rows])
    covers = {approval.id: queries.waste_words(wastes.get(approval.id, ())) for approval, _, _ in rows}
    businesses = [business.id for _, business, _ in rows]
    held = {one.approval_id: one for several in queries.suspensions_of(here.plant.id, businesses).values()
            for one in several if suspension_holds(one, here.at, here.today)}  # fmt: skip
    revoked = {one.approval_id: one for several in queries.revocations_of(businesses, here.plant.id).values()
               for one in several}  # fmt: skip
    granted = queries.allowances_of([approval for approval, _, _ in rows])
    last = queries.last_days([approval for approval, _, _ in rows])
    until = {one.id: queries.until_words(one, last[one.id]) for one, _, _ in rows}
    return here.show("haulers/approvals.html", rows=rows, until=until, covers=covers, held=held, revoked=revoked,
                     granted=granted, suspends=may_suspend(here.law, here.today) is None)  # fmt: skip


def approval_here(here: Page, approval_id: int) -> Approval:
    """An approval of this plant; not found otherwise."""
    return queries.approval(here.plant.id, approval_id) or abort(404)


def fitted(here: Page, form: Any, business_id: int, approval: Approval | None) -> Any:
    """A form of a broken rule with the provisions in force and the hauler's newest loads."""
    loads = track_record().loads_of(here.plant.id, business_id)
    return form.fit(queries.revocation_rules(here.law, here.today, approval), loads, ticket_words)


def kept(form: RuleForm) -> list[tuple[str, str]]:
    """What a form sends on from its check page."""
    return [(name, value) for name, value in request.form.items(multi=True) if name not in UNSENT]


def act_of(table: str, record_id: int) -> list[Any]:
    """What the act that made a row told people, for the page that shows who was reached."""
    query = select(JournalEntry.act_id).filter_by(table_name=table, record_id=record_id).order_by(JournalEntry.id)
    act_id = db.session.scalars(query.limit(1)).first()
    return of_act(act_id) if act_id else []


@page(bp, "/director/approvals/<int:approval_id>/revoke", Role.DIRECTOR, methods=("GET", "POST"))
def revoke(here: Page, approval_id: int) -> Any:
    """Reason, then the letter as it will go out, then revoked and sent."""
    approval = approval_here(here, approval_id)
    form: RevokeForm = fitted(here, RevokeForm(when="now"), approval.business_id, approval)
    step = request.form.get("step", "")
    if step in ("check", "send") and form.validate_on_submit():
        said = (form.rule.data, form.reason.data, form.loads.data, form.begins())
        if step == "send":
            result = actions.revoke_approval(here.plant, approval.id, *said, by=here.by, at=here.at, law=here.law)
            if isinstance(result, Refusal):
                return here.refuse(result, title="The approval was not revoked")
            return here.done("haulers.revoked", approval_id=approval.id)
        checked = actions.check_revocation(here.plant, approval.id, *said, here.by, here.at, here.law)
        if not isinstance(checked, Refusal):
            return _letter(here, form, approval)
        if checked.code != "not_to_come":
            return here.refuse(checked, title="The approval cannot be revoked")
        form.refuse("from_day", checked.why.rstrip("."))
    party = queries.party_of_business(approval.business_id)
    return here.show("haulers/revoke.html", form=form, approval=approval, party=party,
                     revocation=queries.revocation_of(approval.id))  # fmt: skip


def _letter(here: Page, form: RevokeForm, approval: Approval) -> Any:
    party = queries.party_of_business(approval.business_id)
    title, data = actions.letter_data(here.plant, party, approval, form.rule.data, form.reason.data, form.loads.data,
                                      form.begins(), here.by, here.at, here.law)  # fmt: skip
    bookings = ended_bookings(approval.id, form.begins(), here.at, here.law)
    return here.show("haulers/revoke_check.html", form=form, approval=approval, party=party, letter_title=title,
                     data=data, bookings=bookings, kept=kept(form), later=form.begins())  # fmt: skip


@page(bp, "/director/approvals/<int:approval_id>/revoked", Role.DIRECTOR, Role.CLERK, methods=("GET", "POST"))
def revoked(here: Page, approval_id: int) -> Any:
    """What was done: the letter, who was told and how it went, the certified mail, the review, what came after."""
    approval = approval_here(here, approval_id)
    revocation = queries.revocation_of(approval.id) or abort(404)
    form = MailForm(number=revocation.certified_mail)
    if form.validate_on_submit():
        result = record_certified_mail(here.plant, approval.id, form.number.data, by=here.by, at=here.at)
        if not isinstance(result, Refusal):
            return here.done("haulers.revoked", "The number of the certified mail is kept.", approval_id=approval.id)
        form.refuse("number", result.why)
    return here.show("haulers/revoked.html", form=form, approval=approval, revocation=revocation,
                     party=queries.party_of_business(approval.business_id), letter_href=letter_href,
                     told=act_of("revocation", revocation.id), review=review_of(revocation_id=revocation.id),
                     newer=queries.replacement_of(approval.id))  # fmt: skip
