"""What the clerk takes home: aging, and the ledger as a file."""

from io import BytesIO
from typing import Any

from flask import abort, send_file

from billing import queries
from billing.queries import files
from billing.routes.base import bp, days_asked
from office.access import Role
from office.pages import Page, page

FILES = {
    "csv": (files.as_csv, "text/csv; charset=utf-8"),
    "xlsx": (files.as_xlsx, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
}


@page(bp, "/clerk/aging", Role.CLERK)
def aging(here: Page) -> Any:
    """What every hauler owes, by how long it is due."""
    found = queries.aging(here.plant.id, here.today)
    return here.show("billing/aging.html", found=found, ages=queries.AGES, form=None)


@page(bp, "/clerk/ledger/<kind>", Role.CLERK)
def ledger_file(here: Page, kind: str) -> Any:
    """The lines of the ledger between two days, as CSV or as a workbook."""
    make, sort = FILES.get(kind) or abort(404)
    first, last = days_asked(here)
    content = make(files.rows(here.plant.id, first, last))
    name = f"ledger-{here.plant.slug}-{first}-{last}.{kind}"
    return send_file(BytesIO(content), mimetype=sort, as_attachment=True, download_name=name)
