"""Accidents: report one from any page, read it, add to it, close it (§ 329-6 L)."""

from typing import Any

from flask import abort, redirect, url_for

from haulers import queries as haulers
from intake.actions.incident import CLOSERS, REPORTERS, add_incident_words, close_incident, report_incident
from intake.forms.incident import AT_FIELD, CloseForm, IncidentForm, WordsForm
from intake.models import Incident, Load
from intake.queries import incidents
from intake.routes.base import bp
from office.access import Role
from office.db import db
from office.pages import Page, page
from office.plants import all_plants
from ordinances.refusal import Refusal


@page(bp, "/account/accident", Role.PUBLIC, anywhere=True)
def accident_where(here: Page) -> Any:
    """From a page that belongs to no plant: the one plant's page, else whose phone to call first."""
    several = all_plants()
    to = "intake.accident" if here.by.person_id is not None else "intake.accident_call"
    if len(several) == 1:
        return redirect(url_for(to, plant_slug=several[0].slug))
    return here.show("intake/incident/where.html", plants=several, to=to)


@page(bp, "/accident/call", Role.PUBLIC)
def accident_call(here: Page) -> Any:
    """For everybody: whom to call at once; who has an account signs in and writes the report."""
    return here.show("intake/incident/call.html", **_law(here))


@page(bp, "/accident", *REPORTERS, methods=("GET", "POST"), asks_again=True)
def accident(here: Page) -> Any:
    """Report an accidental discharge: the plant's phone first, then the report."""
    form = IncidentForm(data={"day": here.today, "clock": here.local.time()})
    if form.validate_on_submit():
        result = report_incident(
            here.plant, form.what.data, form.place.data, form.known(here.plant.tz), gallons=form.gallons.data,
            steps=form.steps.data, phone=form.phone.data, ticket=form.ticket.data, by=here.by, at=here.at,
            law=here.law,
        )  # fmt: skip
        if not isinstance(result, Refusal):
            return here.done("intake.accident_report", "Your report is in, and the plant is told.",
                             number=result.number)  # fmt: skip
        form.refuse(AT_FIELD[result.code], result.why)
    own = _own(here)
    return here.show("intake/incident/report.html", form=form, **_law(here),
                     mine=incidents.of_business(here.plant.id, own) if own is not None else [])  # fmt: skip


def _own(here: Page) -> int | None:
    business = haulers.business_of_party(here.by.party_id)
    return business.id if business is not None else None


def _law(here: Page) -> dict[str, Any]:
    """What the law of the town says of reporting."""
    has = here.law.has(incidents.REPORT, here.today)
    return {
        "to": here.law.value(incidents.REPORT, here.today) if has else "",
        "by_whom": here.law.value(incidents.BY, here.today) if here.law.has(incidents.BY, here.today) else "",
        "cite": incidents.cite_of(here.law, here.today),
    }


@page(bp, "/accidents/<number>", *REPORTERS, methods=("GET", "POST"))
def accident_report(here: Page, number: str) -> Any:
    """One accident: what was reported, what was written since."""
    row = _row(here, number)
    form = WordsForm()
    if form.validate_on_submit():
        result = add_incident_words(here.plant, number, form.words.data, written=bool(form.written.data), by=here.by,
                                    at=here.at, law=here.law)  # fmt: skip
        if not isinstance(result, Refusal):
            return here.done("intake.accident_report", "It is added, and the plant is told.", number=number)
        form.refuse(AT_FIELD.get(result.code), result.why)
    return here.show("intake/incident/one.html", form=form, row=row, words=incidents.words_of([row.id]).get(row.id, []),
                     load=db.session.get(Load, row.load_id or 0), staff=here.by.capacity(incidents.READERS) is not None,
                     name=haulers.party_of_business(row.business_id).name if row.business_id else "", **_law(here),
                     may_close=here.by.capacity(CLOSERS) is not None and row.closed_at is None)  # fmt: skip


def _row(here: Page, number: str) -> Incident:
    row = incidents.numbered(here.plant.id, number)
    if row is None or not incidents.may_read(row, here.by, _own(here)):
        abort(404)
    return row


@page(bp, "/plant/accidents", *incidents.READERS)
def accidents(here: Page) -> Any:
    """Every accident reported, the open ones first."""
    rows = incidents.of_plant(here.plant.id)
    written = {ident for ident, words in incidents.words_of([one.id for one in rows]).items()
               if any(one.written for one in words)}  # fmt: skip
    return here.show("intake/incident/list.html", open_rows=[one for one in rows if one.closed_at is None],
                     closed_rows=[one for one in rows if one.closed_at is not None], written=written)  # fmt: skip


@page(bp, "/plant/accidents/<number>/close", *CLOSERS, methods=("GET", "POST"))
def accident_close(here: Page, number: str) -> Any:
    """Close an accident with what was done."""
    row, form = _row(here, number), CloseForm()
    if form.validate_on_submit():
        result = close_incident(here.plant, number, form.words.data, by=here.by, at=here.at, law=here.law)
        if not isinstance(result, Refusal):
            return here.done("intake.accident_report", "The accident is closed.", number=number)
        form.refuse("words", result.why)
    return here.show("intake/incident/close.html", form=form, row=row)
