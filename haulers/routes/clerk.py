"""The clerk's desk: applications as they come in, filing fees, licenses looked up, letters to print."""

from typing import Any

from flask import abort, request, url_for
from sqlalchemy import select

from haulers import actions, queries
from haulers.actions.amendments import KINDS as CHANGES
from haulers.actions.amendments import new_words, open_to_hauler
from haulers.actions.paper_amendments import on_paper
from haulers.actions.receipts import fee_day
from haulers.forms import FeeForm, VerifyForm
from haulers.forms.desk import FEE_AT
from haulers.models import Application
from haulers.queries.answers import answers_of, differences
from haulers.queries.applications import withdrawn
from haulers.queries.as_sent import AsSent, as_sent
from haulers.queries.changes import asked_changes, changes_shown
from haulers.queries.completeness import Missing, filed_or_complete, missing_of
from haulers.queries.enforcement import amendments_of
from haulers.queries.files import staff_files
from haulers.queries.filing_fees import filed_before
from haulers.queries.held import becomes, held_change
from haulers.queries.late_votes import late_vote_words
from haulers.queries.opened import waiting_now
from haulers.queries.to_print import how_many_to_print
from haulers.routes.base import application_here, bp, source_rows
from haulers.states import STATE_WORDS, ApplicationState
from office.access import Role
from office.db import db
from office.documents import send_letter
from office.letters import Letter
from office.pages import Page, page
from ordinances import fees
from ordinances.calendar import filing_season, season_named
from ordinances.refusal import Refusal

KINDS = (
    "amendment", "appeal_refund", "application_receipt", "approval", "late_receipt", "more_information", "overdue",
    "packet", "record_overdue", "reinstatement", "rejection", "review", "review_outcome", "revocation", "sampling_plan",
    "suspension", "testing_rule", "violation", "waste_finding", "worksheet",
)  # fmt: skip


@page(bp, "/clerk/filings", Role.CLERK)
def filings(here: Page) -> Any:
    """Every application sent for a season, with its fee and license: what is missing is listed first."""
    seasons = queries.seasons_with_applications(here.plant.id)
    season = _season(here, seasons)
    found = queries.filed(here.plant.id, season)
    paid = queries.fees_of([one.id for one in found])
    licences = queries.licences_of([one.business_id for one in found])
    twice = queries.claimed_by_others(list(licences.values()))
    rows = [(one, STATE_WORDS[ApplicationState(one.state)], paid.get(one.id), licences.get(one.business_id))
            for one in found]  # fmt: skip
    rows.sort(key=lambda row: (row[2] is not None and row[2].holds, row[0].filed_at))
    asked = [(change, queries.application(here.plant.id, change.application_id))
             for change in asked_changes(here.plant.id)]  # fmt: skip
    return here.show("haulers/filings.html", season=season, seasons=seasons, rows=rows, twice=twice, asked=asked,
                     late=queries.asked_late(here.plant.id, season), gone=withdrawn(here.plant.id, season),
                     to_print=how_many_to_print(here.plant.id, here.today),
                     wanted=request.args.get("season") or season,
                     fee=actions.fee_words(here.law, here.today))  # fmt: skip


def _season(here: Page, seasons: list[str]) -> str:
    asked = request.args.get("season", "")
    return asked if asked in seasons else seasons[0] if seasons else filing_season(here.law, here.at).name


@page(bp, "/clerk/filings/<int:application_id>", Role.CLERK, methods=("GET", "POST"))
def filing(here: Page, application_id: int) -> Any:
    """One application whole, and looking its license up."""
    application = application_here(here, application_id)
    licence = queries.licence_of(application.business_id)
    form = VerifyForm()
    if licence is not None and form.validate_on_submit():
        result = actions.verify_licence(licence.id, form.against.data, by=here.by, at=here.at)
        if not isinstance(result, Refusal):
            return here.done("haulers.filing", "The license is marked as checked.", application_id=application.id)
        form.refuse("against", result.why)
    stored = queries.sources_of([application.id]).get(application.id, [])
    held, decision = held_change(application), queries.current_decisions([application.id]).get(application.id)
    fee = queries.fees_of([application.id]).get(application.id)
    return here.show(
        "haulers/filing.html", form=form, application=application, licence=licence,
        state=STATE_WORDS[ApplicationState(application.state)], sources=[(row, source_rows(row)) for row in stored],
        totals=queries.totals(stored), fee=fee, answers=answers_of(application).rows(),
        standing=filed_or_complete(fee, here.law, here.today), changes=changes_shown(application.id),
        held=held, decision=decision, held_words=becomes(held, decision, application) if held else "",
        waiting=waiting_now(application, here.law, here.at),
        files=staff_files(here.plant.id, application.business_id, application.id),
        late_said=late_vote_words(application), may_pay=actions.may_pay_fee(application),
        asked_late=application.state == ApplicationState.ASKED_LATE.value,
        gave_way=[(name, was) for name, was, _ in differences(application.answers.get("gave_way", {}), {})],
        missing=_missing(here, application), whole=_whole(application),
        party=queries.party_of_business(application.business_id),
        twice=bool(licence and queries.claimed_by_others([licence])), **_after_approval(here, application),
    )  # fmt: skip


def _after_approval(here: Page, application: Application) -> dict[str, Any]:
    """The approval it led to, whether the clerk enters what its company asks for, and the changes asked for."""
    approval = queries.approval_of(application.id)
    if approval is None:
        return {"approval": None, "asked": []}
    holds = queries.last_day(approval) >= here.today and queries.revocation_of(approval.id) is None
    return {"approval": approval, "asked": amendments_of([approval.id]), "kinds": CHANGES, "new_words": new_words,
            "enters": on_paper(approval, here.at), "holds": holds, "open": open_to_hauler}  # fmt: skip


def _whole(application: Application) -> AsSent | None:
    business = queries.business(application.business_id)
    return as_sent(business, application) if business is not None else None


@page(bp, "/clerk/filings/<int:application_id>/fee", Role.CLERK, methods=("GET", "POST"), asks_again=True)
def filing_fee(here: Page, application_id: int) -> Any:
    """Record the nonrefundable filing fee; the amount is the Council's. None set: the page says so."""
    application = application_here(here, application_id)
    line = fees.filing_fee(here.law, fee_day(application, here.law, here.today), renewal=filed_before(application))
    form = FeeForm(received_on=here.today)
    if form.validate_on_submit():
        result = actions.record_filing_fee(here.plant, application.id, form.method.data, form.reference.data,
                                           form.received_on.data, another=form.another.data, by=here.by,
                                           at=here.at, law=here.law)  # fmt: skip
        if not isinstance(result, Refusal):
            return here.done("billing.receipt", f"The filing fee of application {application.number} is recorded.",
                             number=result.number)  # fmt: skip
        form.refuse(FEE_AT.get(result.code), result.why)
    paid = queries.fees_of([application.id]).get(application.id)
    owed = queries.standing_charge(application.id) if paid is not None and not paid.holds else None
    return here.show("haulers/fee.html", form=form, application=application, line=line, paid=paid, owed=owed,
                     unset=isinstance(line, Refusal), missing=_missing(here, application),
                     may_pay=actions.may_pay_fee(application))  # fmt: skip


def _missing(here: Page, application: Application) -> list[Missing]:
    """What the application lacks still, to be told before the fee is paid: it is not refunded."""
    business, season = queries.business(application.business_id), season_named(here.law, application.season)
    return missing_of(business, application, season, here.law, here.today) if business is not None else []


@page(bp, "/letters/<int:letter_id>", Role.CLERK, Role.MEMBER, Role.DIRECTOR)
def staff_letter(here: Page, letter_id: int) -> Any:
    """A receipt, decision or revocation as PDF, for the city's own people."""
    query = select(Letter).where(Letter.id == letter_id, Letter.plant_id == here.plant.id, Letter.kind.in_(KINDS))
    return send_letter(db.session.scalars(query).one_or_none() or abort(404))


def letter_href(letter_id: int | None) -> str:
    """Where the city's people read a letter; "" when there is none."""
    return url_for("haulers.staff_letter", letter_id=letter_id) if letter_id else ""
