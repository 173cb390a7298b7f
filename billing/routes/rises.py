"""Rises of fees: tell the approved haulers ahead, then put the amount in force (§ 281.49(12))."""

from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any

from flask import abort, request

from billing import actions, ports, queries
from billing.forms import ConfirmForm, RiseForm
from billing.routes.base import bp
from office import formats
from office.access import Role
from office.documents import send_letter
from office.pages import Page, page
from office.plants import set_plant_row
from ordinances.fee_rise import council_amounts, earliest_start
from ordinances.refusal import Refusal
from ordinances.schema import KEYS

WHO, BOTH = (Role.ADMINISTRATOR, Role.CLERK), ("GET", "POST")
FIELDS = {"no_resolution": "resolution", "no_basis": "basis", "told_too_late": "since"}


@page(bp, "/admin/fee-notices", *WHO)
def rises(here: Page) -> Any:
    """Every rise that was told, the newest first."""
    return here.show("billing/rises.html", found=queries.told(here.plant.id), form=None, **_first(here))


@page(bp, "/admin/fee-notices/new", *WHO, methods=BOTH)
def announce(here: Page) -> Any:
    """Tell every approved hauler of a rise; the address may carry what was typed on the page of amounts."""
    form = RiseForm(key=request.args.get("key"), value=_money(), since=_since(), resolution=request.args.get("by"),
                    basis=request.args.get("basis"))  # fmt: skip
    form.key.choices = [(key, _with_amount(here, key)) for key in council_amounts(here.law, here.today)]
    if form.validate_on_submit():
        made = actions.announce_rise(here.plant, form.key.data, form.value.data, form.since.data, form.resolution.data,
                                     form.basis.data, by=here.by, at=here.at, law=here.law)  # fmt: skip
        if not isinstance(made, Refusal):
            return here.done("billing.rise", notice_id=made.id, said="The haulers are told. Now set the amount.")
        form.refuse(FIELDS.get(made.code, "value"), made.why)
    return here.show("billing/announce.html", form=form, people=ports.approved(here.plant, here.at), **_first(here))


def _with_amount(here: Page, key: str) -> str:
    """An amount with what it is now: "Filing fee, $75.00 now"."""
    known = here.law.has(key, here.today)
    return f"{KEYS[key].title}, {formats.money(here.law.value(key, here.today)) + ' now' if known else 'not set yet'}"


def _first(here: Page) -> dict[str, Any]:
    """The first day a rise told today may start, with the § that says so."""
    key = "state.fee_notice_days"
    row = here.law.row(key, here.today) if here.law.has(key, here.today) else None
    return {"first": earliest_start(here.law, here.today), "notice": row}


def _money() -> Decimal | None:
    try:
        return Decimal(request.args.get("value", ""))
    except InvalidOperation:
        return None


def _since() -> date | None:
    try:
        return date.fromisoformat(request.args.get("since", ""))
    except ValueError:
        return None


@page(bp, "/admin/fee-notices/<int:notice_id>", *WHO, methods=BOTH)
def rise(here: Page, notice_id: int) -> Any:
    """One rise: who was told, by which letter; put it in force."""
    found, form = _found(here, notice_id), ConfirmForm()
    row = found.row
    if form.validate_on_submit():
        made = set_plant_row(here.plant, row.key, f"{row.becomes:.2f}", row.since, row.resolution, basis=row.basis,
                             by=here.by, at=here.at)  # fmt: skip
        if isinstance(made, Refusal):
            return here.refuse(made, title="This amount cannot be set", next=[])
        return here.done("billing.rise", notice_id=row.id, said="The amount is set.")
    return here.show("billing/rise.html", one=found, form=form,
                     untold=queries.untold(here.plant, row.key, row.becomes, row.since, here.at))  # fmt: skip


@page(bp, "/admin/fee-notices/<int:notice_id>/others", *WHO, methods=("POST",))
def tell_others(here: Page, notice_id: int) -> Any:
    """Tell those who were approved since."""
    done = actions.tell_of_rise(here.plant, _found(here, notice_id).row, by=here.by, at=here.at, law=here.law)
    if isinstance(done, Refusal):
        return here.refuse(done, title="Nobody is left to be told", next=[])
    return here.done("billing.rise", notice_id=notice_id, said="They are told.")


@page(bp, "/admin/fee-notices/<int:notice_id>/<number>.pdf", *WHO)
def rise_letter(here: Page, notice_id: int, number: str) -> Any:
    """The letter to one hauler as it was sent."""
    letters = [letter for _, _, letter in _found(here, notice_id).to if letter.number == number]
    return send_letter(letters[0] if letters else abort(404))


def _found(here: Page, notice_id: int) -> queries.Told:
    return next(iter(queries.told(here.plant.id, notice_id)), None) or abort(404)
