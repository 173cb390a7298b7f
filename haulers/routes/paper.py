"""The clerk enters an application that came on paper, and records that the Council waived a filing fee."""

from typing import Any

from flask import request

from haulers import actions, queries
from haulers.forms.application import answers_in
from haulers.forms.desk import WaiveForm
from haulers.forms.paper import NEW, PaperForm
from haulers.queries.answers import PaperCompany
from haulers.queries.registered import find_registered, registered
from haulers.routes.base import application_here, bp
from haulers.states import FileKind
from office.access import Role
from office.db import lapsed
from office.formats import date_only
from office.pages import Page, page
from office.standing import standing
from ordinances.calendar import filing_season, winter
from ordinances.paper import paper_filing, unlikely_day
from ordinances.refusal import Refusal
from ordinances.screening import WASTE_TYPES

FIELDS = {
    "future_date": "received_on", "window_closed": "received_on", "window_not_open": "received_on", "known": "name",
    "no_law": "received_on", "confirm_date": "sure",
    "no_licence": "licence_number", "season_differs": "season", "not_known": "company", "bad_file": "scan",
}  # fmt: skip


@page(bp, "/clerk/filings/paper", Role.CLERK, methods=("GET", "POST"), asks_again=True)
@standing()
def paper(here: Page) -> Any:
    """Everything a paper says, entered for the hauler: marked so, and signed in nobody's name."""
    form = PaperForm(received_on=here.today)
    _list_companies(form)
    _doubt_day(here, form)
    _fit(here, form)
    _need(here, form)
    if form.is_submitted() and (form.edited_rows() or ("find_now" in request.form and not lapsed())):
        _fit(here, form)
    elif form.relaxed().validate_on_submit():
        result = _enter(here, form)
        if not isinstance(result, Refusal):
            said = f"Application {result.number} of {result.business_name} is entered."
            return here.done("haulers.filing", said, application_id=result.id)
        _say(form, result)
    return here.show("haulers/paper.html", form=form)


def _say(form: PaperForm, refusal: Refusal) -> None:
    """Show what the act answered at the box it is about."""
    field = FIELDS.get(refusal.code)
    if refusal.code == "no_licence" and form.company.data != NEW:
        field = None
    if refusal.code == "known":
        # The company is listed from now on, whatever was searched for.
        form.find.process_data(None)
        _list_companies(form)
        field = "licence_number" if refusal.details["licence"] else "name"
    form.refuse(field, f"{refusal.why} {refusal.next_step or ''}".strip())


def _list_companies(form: PaperForm) -> None:
    """The companies that answer to what was searched for; one already picked stays among them."""
    found = find_registered(form.find.data)
    picked = [one for one in registered() if str(one.id) == form.company.data and one not in found]
    form.known([*picked, *found])


def _doubt_day(here: Page, form: PaperForm) -> None:
    day = form.received_on.data
    found = unlikely_day(here.law, day, here.today) if day is not None else None
    if found is not None and found.code == "confirm_date":
        form.doubt(day, found.details["season"])


def _need(here: Page, form: PaperForm) -> None:
    """What a new company needs here, and whether the paper came after the close and needs to say why."""
    key, day = "approval.licence", form.received_on.data
    form.licensed = here.law.has(key, here.today) and bool(here.law.value(key, here.today))
    doubt = unlikely_day(here.law, day, here.today) if day is not None and day <= here.today else None
    if day is None or day > here.today or (doubt is not None and doubt.code == "no_law"):
        return
    status = paper_filing(here.law, day)
    if isinstance(status, Refusal) and status.code == "window_closed":
        form.came_late = status.why


def _fit(here: Page, form: PaperForm) -> None:
    season = filing_season(here.law, here.at)
    first, last = winter(here.law, season)
    words = f"{date_only(first)}, to {date_only(last)}"
    wastes = [(waste, WASTE_TYPES[waste]) for waste in here.law.value("approval.covers", here.today)]
    form.fit(wastes, words, here.law.value("application.asks", here.today))
    form.fit_season(words, ())


def _enter(here: Page, form: PaperForm) -> Any:
    who = form.who()
    made = _application(here, form, who)
    business = None if isinstance(made, Refusal) else queries.business(made.business_id)
    if business is None or form.scan.data is None:
        return made
    kept = actions.add_file(here.plant, business, FileKind.PAPER, form.scan.data, application_id=made.id, by=here.by,
                            at=here.at)  # fmt: skip
    return kept if isinstance(kept, Refusal) else made


def _application(here: Page, form: PaperForm, who: int | PaperCompany) -> Any:
    name = queries.party_of_business(who).name if isinstance(who, int) else who.name
    return actions.enter_application(here.plant, who, form.lines(), answers_in(form), form.received_on.data,
                                     late_reason=form.late_reason.data, confirmed=form.confirmed(),
                                     by=here.by.for_(name), at=here.at, law=here.law)  # fmt: skip


@page(bp, "/clerk/filings/<int:application_id>/waive", Role.CLERK, methods=("GET", "POST"))
def waive_fee(here: Page, application_id: int) -> Any:
    """Record the resolution by which the Council waived a filing fee."""
    application, form = application_here(here, application_id), WaiveForm(resolved_on=here.today)
    if form.validate_on_submit():
        result = actions.waive_filing_fee(here.plant, application.id, form.resolution.data, form.resolved_on.data,
                                          by=here.by, at=here.at, law=here.law)  # fmt: skip
        if not isinstance(result, Refusal):
            said = f"The filing fee of application {application.number} is waived."
            return here.done("haulers.filing", said, application_id=application.id)
        form.refuse({"future_date": "resolved_on", "no_resolution": "resolution"}.get(result.code), result.why)
    return here.show("haulers/fee_waive.html", form=form, application=application,
                     cite=here.law.row("application.fee_set_by", here.today))  # fmt: skip
