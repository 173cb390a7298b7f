"""What the jobs owe: late charges, dated as if posted the morning after the last day in time, and due invoices."""

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from functools import cache, partial
from typing import Any

from sqlalchemy import bindparam, func, select
from sqlalchemy.orm import aliased

from billing.actions import add_late_charge, correct_all_late_charges, make_invoices
from billing.models import Entry, Invoice, Payment
from billing.queries import billed_before, returned_payments, runs_by_itself
from billing.queries.invoices import unpaid
from office.access import system
from office.db import db
from office.jobs import job
from office.law import Adoption, LawText, law_in_force
from office.once import Claim
from office.plants import Plant
from ordinances.late import late_days_after
from ordinances.rows import Law, NoLaw

# Raised by one whenever what a late charge is taken of (``late._base_cents``) comes to something else than before.
WAY = 1
LOOK_BACK = timedelta(days=400)
# Rows of a law as its canonical text has them.
AGAIN = '"key": "billing.late_once",\n   "value": false'
BY_THEMSELVES = '"key": "billing.automatic",\n   "value": true'


@job("late_charges")
def late_charges(at: datetime) -> Iterator[tuple[str, Callable[[], object]]]:
    """Invoices past their last day, at their own plant's midnight, that were not paid in full by its end.

    Where the law takes the charge again each period, each further one is owed once too. A payment that was taken back
    since, as a returned check, has each invoice of its account looked at once more.
    """
    latest = at.astimezone(UTC).date() + timedelta(days=1)
    rows = db.session.execute(_past_due(), {"latest": latest, "earliest": latest - LOOK_BACK}).all()
    laws: dict[tuple[int, date], Law] = {}
    returned: dict[int, int] = {}
    for ident, due_on, issued_on, before, plant, own_cents, account_id in rows:
        today = at.astimezone(plant.tz).date()
        if due_on is None or due_on >= today:
            continue
        if (plant.id, issued_on) not in laws:
            laws[plant.id, issued_on] = law_in_force(plant, issued_on)
        law = laws[plant.id, issued_on]
        owed = len(late_days_after(law, issued_on, today))
        if account_id not in returned:
            returned[account_id] = returned_payments(account_id)
        times = returned[account_id]
        if times or (own_cents > 0 and owed > before):
            # A check that came back since makes it another piece, whatever the first look came to.
            again = f"/returned {times}" if times else ""
            yield f"invoice {ident}" + (f"/{owed}" if owed > 1 else "") + again, partial(_charge, ident, at)


@cache
def _past_due() -> Any:
    """Built once: it is asked every minute."""
    made = select(Entry.id).where(
        Entry.source_kind == "invoice", Entry.source_id == Invoice.id, ~Entry.line_code.contains("#")
    )
    known = made.with_only_columns(func.count(Entry.id)).correlate(Invoice).scalar_subquery()
    back = aliased(Entry)
    returned = select(Payment.account_id).join(back, back.reverses_id == Payment.entry_id)
    return (
        select(Invoice.id, Invoice.due_on, Invoice.issued_on, known, Plant)
        .add_columns(unpaid(Invoice.due_on, own=True), Invoice.account_id)
        .join(Plant, Plant.id == Invoice.plant_id)
        .where(Invoice.due_on < bindparam("latest"), Invoice.due_on >= bindparam("earliest"))
        .where(
            (unpaid(Invoice.due_on, own=True) > 0)
            & (~made.correlate(Invoice).exists() | Invoice.plant_id.in_(_plants_saying(AGAIN)))
            | Invoice.account_id.in_(returned)
        )
        .order_by(Invoice.id)
    )


@job("late_charges_corrected")
def late_charges_corrected(at: datetime) -> Iterator[tuple[str, Callable[[], object]]]:
    """Each plant once for each way the product has taken late charges: what an older one took too much goes back."""
    done = set(db.session.scalars(select(Claim.period).where(Claim.job == "late_charges_corrected")))
    for plant_id in db.session.scalars(select(Plant.id).order_by(Plant.id)):
        if (period := f"plant {plant_id}/way {WAY}") not in done:
            yield period, partial(_correct, plant_id, at)


def _correct(plant_id: int, at: datetime) -> object:
    return correct_all_late_charges(db.session.get_one(Plant, plant_id), by=system("Late charges"), at=at)


@job("invoices")
def invoices(at: datetime) -> Iterator[tuple[str, Callable[[], object]]]:
    """Invoices of plants whose law makes them without the clerk, once their period is over; of loads, the day after."""
    may = select(Plant).where(Plant.id.in_(_plants_saying(BY_THEMSELVES))).order_by(Plant.id)
    for plant in list(db.session.scalars(may)):
        today = at.astimezone(plant.tz).date()
        try:
            law = law_in_force(plant, today)
        except NoLaw:
            continue
        if runs_by_itself(plant.id, law, today):
            yield f"plant {plant.id} {today}", partial(_make, plant.id, at)


def _plants_saying(words: str) -> Any:
    """SQL: ids of the plants that ever adopted a law with these words, so that no other's law is read each minute."""
    query = select(Adoption.plant_id).join(LawText, LawText.id == Adoption.law_text_id)
    return query.where(LawText.text.contains(words, autoescape=True))


def _make(plant_id: int, at: datetime) -> object:
    plant = db.session.get_one(Plant, plant_id)
    today = at.astimezone(plant.tz).date()
    law = law_in_force(plant, today)
    return make_invoices(plant, before=billed_before(law, today), by=system("Invoices"), at=at, law=law)


def _charge(invoice_id: int, at: datetime) -> object:
    invoice = db.session.get_one(Invoice, invoice_id)
    plant = db.session.get_one(Plant, invoice.plant_id)
    law = law_in_force(plant, invoice.issued_on)
    return add_late_charge(invoice, by=system("Late charges"), at=at, law=law)
