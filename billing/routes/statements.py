"""Statements of an account between two days: on a page, as PDF, and sent to the hauler."""

from datetime import date, timedelta
from typing import Any

from flask import Response, abort, redirect, request, url_for

from billing import actions, queries
from billing.actions.statements import earlier_words
from billing.forms import ConfirmForm, SpanForm
from billing.models import Account
from billing.routes.base import account_here, bp, days_asked, days_kept, my_account
from office import letters
from office.access import Role
from office.db import db
from office.documents import send_letter
from office.pages import Page, page
from office.people import Party
from ordinances.refusal import Refusal

NO_DAYS = "There is no statement of these days"
CLERKS, OWN = "billing.statement", "billing.my_statement"


@page(bp, "/clerk/accounts/<int:account_id>/statement", Role.CLERK, methods=("GET", "POST"))
def statement(here: Page, account_id: int) -> Any:
    """One account between two days, to print; a post sends it to the hauler as it stands."""
    account, form = account_here(here, account_id), ConfirmForm()
    if form.validate_on_submit():
        days = days_asked(here, days_kept(here))
        if isinstance(days, Refusal):
            return here.refuse(days, title=NO_DAYS, next=[])
        first, last = days
        sent = actions.send_statement(here.plant, account, first, last, by=here.by, at=here.at, law=here.law)
        if isinstance(sent, Refusal):
            return here.refuse(sent, title="This statement cannot be sent", next=[])
        said = f"Statement {sent.number} is sent."
        return here.done(CLERKS, said=said, account_id=account.id, **_span(first, last))
    return _shown(here, account, form)


@page(bp, "/hauler/statement", Role.HAULER)
def my_statement(here: Page) -> Any:
    """The hauler's own account between two days."""
    return _shown(here, my_account(here) or abort(404), None)


def _shown(here: Page, account: Account, form: ConfirmForm | None) -> Any:
    """``form`` sends the statement; None: it is the hauler's own page."""
    mine = form is None
    address = OWN if mine else CLERKS
    of: dict[str, Any] = {} if mine else {"account_id": account.id}
    days, kept = SpanForm(request.args, meta={"csrf": False}) if "first-year" in request.args else None, days_kept(here)
    if days is not None:
        days.only(kept[0], here.today, kept[1])
        if days.validate():
            return redirect(url_for(address, **of, **_span(days.first.data, days.last.data)))
    asked = days_asked(here, kept)
    if isinstance(asked, Refusal):
        return here.refuse(asked, title=NO_DAYS, next=[])
    first, last = asked
    party, sent = db.session.get_one(Party, account.party_id), queries.statements_sent(account)
    found = queries.statement(account.id, first, last, sent)
    return here.show(
        "billing/statement.html", account=account, party=party, mine=mine, form=form,
        days=days or SpanForm(None, first=first, last=last, meta={"csrf": False}),
        found=found, earlier_words=earlier_words(found), ages=queries.AGES, sent=sent,
        aging=queries.aging_of(account.id, party.name, last),
        years=[(name, url_for(address, **of, **_span(*days))) for name, *days in _years(here, kept[0])],
        action=url_for(address, **of), span=_span(first, last),
        pdf=url_for(f"{address}_pdf", **of, **_span(first, last)),
    )  # fmt: skip


def _span(first: date, last: date) -> dict[str, Any]:
    return {"from": first.isoformat(), "to": last.isoformat()}


def _years(here: Page, since: date) -> list[tuple[str, date, date]]:
    """The spans that are offered: this year, last year where it is kept, everything."""
    start = here.today.replace(month=1, day=1)
    begun = queries.first_day(here.plant.id) or start
    before = start - timedelta(days=1)
    last = [(str(before.year), before.replace(month=1, day=1), before)] if since <= before else []
    return [(str(start.year), start, here.today), *last, ("everything", min(begun, here.today), here.today)]


@page(bp, "/clerk/accounts/<int:account_id>/statement.pdf", Role.CLERK)
def statement_pdf(here: Page, account_id: int) -> Any:
    """The statement of one account between two days as PDF, as it stands now; nothing is sent or kept."""
    return _drawn(here, account_here(here, account_id))


@page(bp, "/hauler/statement.pdf", Role.HAULER)
def my_statement_pdf(here: Page) -> Any:
    """The hauler's own statement between two days as PDF, as it stands now."""
    return _drawn(here, my_account(here) or abort(404))


def _drawn(here: Page, account: Account) -> Any:
    plant, asked = here.plant, days_asked(here, days_kept(here))
    if isinstance(asked, Refusal):
        return here.refuse(asked, title=NO_DAYS, next=[])
    first, last = asked
    party = db.session.get_one(Party, account.party_id)
    frame = {
        "plant": {"name": plant.name, "city": plant.city, "address": plant.address.splitlines(), "phone": plant.phone,
                  "hours": plant.help_hours},
        "number": "", "title": "Statement of account", "addressee": [party.name, *party.address.splitlines()],
    }  # fmt: skip
    words = actions.statement_words(account, party, first, last, here.today)
    name = f"attachment; filename=statement-{plant.slug}-{account.id}-{first}-{last}.pdf"
    return Response(letters.render("statement", frame | words), mimetype="application/pdf",
                    headers={"Content-Disposition": name})  # fmt: skip


@page(bp, "/clerk/accounts/<int:account_id>/statements/<number>.pdf", Role.CLERK)
def sent_statement(here: Page, account_id: int, number: str) -> Any:
    """A statement as it was sent."""
    return send_letter(queries.statement_sent(account_here(here, account_id), number) or abort(404))


@page(bp, "/hauler/statements/<number>.pdf", Role.HAULER)
def my_sent_statement(here: Page, number: str) -> Any:
    """One of the hauler's own statements as it was sent."""
    account = my_account(here) or abort(404)
    return send_letter(queries.statement_sent(account, number) or abort(404))
