"""The ledger as a file for the city's books: each is recorded as handed out, and holds what was known then."""

from collections.abc import Callable
from io import BytesIO
from typing import Any

from flask import abort, request, send_file

from billing import queries
from billing.forms import ExportForm
from billing.queries import files
from billing.routes.base import account_here, bp
from office import tables
from office.access import Role
from office.exports import LEDGER, Export, export_of, hand_out, handed_out, kept_since
from office.pages import Page, page
from office.people import named_then
from ordinances.refusal import Refusal

MAKE: dict[str, Callable[..., bytes]] = {"csv": files.as_csv, "xlsx": files.as_xlsx}


@page(bp, "/clerk/ledger/export", Role.CLERK, methods=("GET", "POST"))
def export_ledger(here: Page) -> Any:
    """Hand out the ledger of some days, of every hauler or of one."""
    form = ExportForm(account=request.args.get("account", 0, type=int), first=here.today.replace(month=1, day=1),
                      last=here.today)  # fmt: skip
    form.only(kept_since(here.plant, queries.first_day(here.plant.id)), here.today)
    accounts = [(one.account_id, one.name) for one in queries.accounts(here.plant.id)]
    form.account.choices = [(0, "Every hauler"), *accounts]
    if form.validate_on_submit():
        party_id = account_here(here, form.account.data).party_id if form.account.data else None
        made = hand_out(here.plant, LEDGER, form.first.data, form.last.data, party_id=party_id, by=here.by, at=here.at)
        if not isinstance(made, Refusal):
            return here.done("billing.exported", export_id=made.id)
        form.refuse("last" if made.code == "days_to_come" else "first", made.why)
    before = [(one, named_then(one.party_id, one.at) if one.party_id is not None else "Every hauler")
              for one in handed_out(here.plant.id, LEDGER)]  # fmt: skip
    return here.show("billing/export.html", form=form, made=before)


def _export(here: Page, ident: int) -> tuple[Export, Export | None]:
    """A ledger that was handed out, and the one it goes on from."""
    made = export_of(here.plant.id, LEDGER, ident) or abort(404)
    return made, export_of(here.plant.id, LEDGER, made.after_id) if made.after_id is not None else None


@page(bp, "/clerk/ledger/exports/<int:export_id>", Role.CLERK)
def exported(here: Page, export_id: int) -> Any:
    """A ledger that was handed out, to download."""
    made, after = _export(here, export_id)
    name = named_then(made.party_id, made.at) if made.party_id is not None else ""
    return here.show(
        "billing/exported.html", made=made, name=name, after=after, form=None, earlier=files.earlier_entries(made)
    )


@page(bp, "/clerk/ledger/exports/<int:export_id>/<kind>", Role.CLERK)
def ledger_file(here: Page, export_id: int, kind: str) -> Any:
    """The lines of a ledger that was handed out, as CSV or as a workbook."""
    (made, _), make = _export(here, export_id), MAKE.get(kind) or abort(404)
    rows = files.handed_out_rows(made)
    name = f"ledger-{here.plant.slug}-{made.first_day}-{made.last_day}.{kind}"
    return send_file(BytesIO(make(rows, made.at)), mimetype=tables.SORTS[kind], as_attachment=True, download_name=name)
