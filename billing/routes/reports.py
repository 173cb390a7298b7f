"""What the clerk and the hauler take home: aging, statements, the ledger as a file."""

from datetime import date, timedelta
from io import BytesIO
from typing import Any

from flask import abort, request, send_file

from billing import queries
from billing.models import Account
from billing.queries import files
from billing.routes.base import account_here, bp, my_account
from office.access import Role
from office.db import db
from office.pages import Page, page
from office.people import Party

FILES = {
    "csv": (files.as_csv, "text/csv; charset=utf-8"),
    "xlsx": (files.as_xlsx, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
}


@page(bp, "/clerk/aging", Role.CLERK)
def aging(here: Page) -> Any:
    """What every hauler owes, by how long it is due."""
    found = queries.aging(here.plant.id, here.today)
    return here.show("billing/aging.html", found=found, ages=queries.AGES, form=None)


@page(bp, "/clerk/accounts/<int:account_id>/statement", Role.CLERK)
def statement(here: Page, account_id: int) -> Any:
    """One account between two days, to print and send."""
    return _statement(here, account_here(here, account_id), mine=False)


@page(bp, "/hauler/statement", Role.HAULER)
def my_statement(here: Page) -> Any:
    """The hauler's own account between two days."""
    return _statement(here, my_account(here) or abort(404), mine=True)


def _statement(here: Page, account: Account, *, mine: bool) -> Any:
    first, last = _days(here)
    return here.show(
        "billing/statement.html", account=account, party=db.session.get_one(Party, account.party_id), mine=mine,
        found=queries.statement(account.id, first, last), years=_years(here), form=None,
        open=queries.open_invoices(here.plant.id, account.id),
    )  # fmt: skip


def _days(here: Page) -> tuple[date, date]:
    """The days asked for; without any this year until today."""
    try:
        first = date.fromisoformat(request.args.get("from", "") or here.today.replace(month=1, day=1).isoformat())
        last = date.fromisoformat(request.args.get("to", "") or here.today.isoformat())
    except ValueError:
        abort(404)
    return (first, last) if first <= last else abort(404)


def _years(here: Page) -> list[tuple[str, date, date]]:
    """The spans that are offered: this year, last year, everything."""
    start = here.today.replace(month=1, day=1)
    begun = queries.first_day(here.plant.id) or start
    before = start - timedelta(days=1)
    return [(str(start.year), start, here.today), (str(before.year), before.replace(month=1, day=1), before),
            ("everything", begun, here.today)]  # fmt: skip


@page(bp, "/clerk/ledger/<kind>", Role.CLERK)
def ledger_file(here: Page, kind: str) -> Any:
    """The lines of the ledger between two days, as CSV or as a workbook."""
    make, sort = FILES.get(kind) or abort(404)
    first, last = _days(here)
    content = make(files.rows(here.plant.id, first, last))
    name = f"ledger-{here.plant.slug}-{first}-{last}.{kind}"
    return send_file(BytesIO(content), mimetype=sort, as_attachment=True, download_name=name)
