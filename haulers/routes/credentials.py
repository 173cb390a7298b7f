"""State licenses and insurances: the hauler's own lists, and the licenses the clerk looks up."""

from datetime import timedelta
from typing import Any

from flask import abort
from sqlalchemy import select

from haulers import queries
from haulers.actions import credentials as acts
from haulers.actions.files import add_file
from haulers.forms import ConfirmForm, LicenseForm, VerifyForm
from haulers.forms.registration import InsuranceForm
from haulers.models import Business, Insurance, Licence
from haulers.queries.files import files_of, staff_files
from haulers.routes.back import back
from haulers.routes.base import bp, own_business
from haulers.states import FileKind
from office.access import Role
from office.db import db
from office.files import Upload
from office.pages import Page, page
from ordinances.refusal import Refusal


@page(bp, "/hauler/license", Role.HAULER, methods=("GET", "POST"), asks_again=True)
def license_page(here: Page) -> Any:
    """The state licenses given so far, and giving a new one."""
    business = own_business(here)
    held = queries.licence_of(business.id)
    form = LicenseForm(licence_state=held.state if held else None, licence_number=held.number if held else None)
    form.licence_ends.after = here.today - timedelta(days=1)
    if form.validate_on_submit():
        result: Any = acts.add_licence(business, state=form.licence_state.data, number=form.licence_number.data,
                                       ends_on=form.licence_ends.data, by=here.by, at=here.at)  # fmt: skip
        result = _with_copy(here, business, FileKind.LICENCE, form.copy.data, result)
        if not isinstance(result, Refusal):
            return here.done("haulers.license_page", f"Your new license is kept.{_and_copy(form.copy.data)}",
                             **back().query)  # fmt: skip
        field = {"bad_file": "copy", "too_many": "copy", "no_state": "licence_state"}.get(result.code, "licence_number")
        form.refuse(field, result.why)
    return here.show("haulers/license.html", form=form, licences=_on_list(Licence, business),
                     files=files_of(business.id, FileKind.LICENCE), back=back())  # fmt: skip


@page(bp, "/hauler/insurance", Role.HAULER, methods=("GET", "POST"), asks_again=True)
def insurance(here: Page) -> Any:
    """The insurances stated so far, and stating a new one."""
    business = own_business(here)
    form = InsuranceForm()
    form.ends.after = here.today - timedelta(days=1)
    if form.validate_on_submit():
        result: Any = acts.add_insurance(business, insurer=form.insurer.data, policy=form.policy.data,
                                         ends_on=form.ends.data, by=here.by, at=here.at)  # fmt: skip
        result = _with_copy(here, business, FileKind.INSURANCE, form.copy.data, result)
        if not isinstance(result, Refusal):
            return here.done("haulers.insurance", f"Your insurance is kept.{_and_copy(form.copy.data)}",
                             **back().query)  # fmt: skip
        form.refuse("copy" if result.code in ("bad_file", "too_many") else "insurer", result.why)
    return here.show("haulers/insurance.html", form=form, insurances=_on_list(Insurance, business),
                     files=files_of(business.id, FileKind.INSURANCE), back=back())  # fmt: skip


def _with_copy(here: Page, business: Business, kind: FileKind, copy: Upload | None, result: Any) -> Any:
    if isinstance(result, Refusal) or copy is None:
        return result
    return add_file(here.plant, business, kind, copy, by=here.by, at=here.at)


def _and_copy(copy: Upload | None) -> str:
    return f" So is {copy.name} ({copy.words})." if copy is not None else ""


def _on_list(model: Any, business: Business) -> list[Any]:
    query = select(model).filter_by(business_id=business.id, taken_back_at=None)
    return list(db.session.scalars(query.order_by(model.ends_on.desc(), model.id.desc())))


@page(bp, "/hauler/license/<int:licence_id>/remove", Role.HAULER, methods=("GET", "POST"))
def remove_license(here: Page, licence_id: int) -> Any:
    """Take back a license entered by mistake, after asking."""
    business = own_business(here)
    found = next((one for one in _on_list(Licence, business) if one.id == licence_id), None) or abort(404)
    form = ConfirmForm()
    if form.validate_on_submit():
        result = acts.take_back_licence(business, licence_id, by=here.by, at=here.at)
        if isinstance(result, Refusal):
            return here.refuse(result)
        return here.done("haulers.license_page", f"License {found.number} is off your list.")
    return here.show("haulers/remove_license.html", form=form, licence=found)


@page(bp, "/hauler/insurance/<int:insurance_id>/remove", Role.HAULER, methods=("GET", "POST"))
def remove_insurance(here: Page, insurance_id: int) -> Any:
    """Take back an insurance entered by mistake, after asking."""
    business = own_business(here)
    found = next((one for one in _on_list(Insurance, business) if one.id == insurance_id), None) or abort(404)
    form = ConfirmForm()
    if form.validate_on_submit():
        result = acts.take_back_insurance(business, insurance_id, by=here.by, at=here.at)
        if isinstance(result, Refusal):
            return here.refuse(result)
        return here.done("haulers.insurance", f"The insurance with {found.insurer} is off your list.")
    return here.show("haulers/remove_insurance.html", form=form, insurance=found)


@page(bp, "/clerk/licenses", Role.CLERK, Role.DIRECTOR)
def licenses(here: Page) -> Any:
    """The license of every hauler that applied here: who looked it up, when, in which list; those to do first."""
    known = queries.businesses_at(here.plant.id)
    held = queries.licences_of([business.id for business, _ in known])
    rows = [(party, held.get(business.id)) for business, party in known]
    rows.sort(key=lambda row: row[1] is not None and row[1].verified_at is not None)
    return here.show("haulers/licenses.html", rows=rows, twice=queries.claimed_by_others(list(held.values())))


@page(bp, "/clerk/licenses/<int:licence_id>", Role.CLERK, Role.DIRECTOR, methods=("GET", "POST"))
def one_license(here: Page, licence_id: int) -> Any:
    """One license with the copies handed in, and marking it as looked up."""
    licence = db.session.get(Licence, licence_id) or abort(404)
    known = {business.id: party for business, party in queries.businesses_at(here.plant.id)}
    if licence.business_id not in known:
        abort(404)
    form = VerifyForm()
    if form.validate_on_submit():
        result = acts.verify_licence(licence.id, form.against.data, by=here.by, at=here.at)
        if not isinstance(result, Refusal):
            return here.done("haulers.licenses", f"License {licence.number} is marked as checked.")
        form.refuse("against", " ".join(filter(None, [result.why, result.next_step])))
    return here.show("haulers/one_license.html", form=form, licence=licence, party=known[licence.business_id],
                     files=[one for one in staff_files(here.plant.id, licence.business_id)
                            if one.kind is FileKind.LICENCE],
                     twice=bool(queries.claimed_by_others([licence])))  # fmt: skip
