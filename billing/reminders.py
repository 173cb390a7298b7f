"""What the jobs owe: late charges, each once, dated as if posted the morning after the last day in time."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial

from sqlalchemy import select

from billing.actions import add_late_charge
from billing.models import Entry, Invoice
from billing.queries.invoices import unpaid
from office.access import system
from office.db import db
from office.jobs import job
from office.law import law_in_force
from office.plants import Plant

LOOK_BACK = timedelta(days=400)


@job("late_charges")
def late_charges(at: datetime) -> Iterator[tuple[str, Callable[[], object]]]:
    """Invoices past their last day, at their own plant's midnight, that were not paid in full by its end."""
    made_before = select(Entry.id).where(Entry.source_kind == "invoice", Entry.source_id == Invoice.id)
    latest = at.astimezone(UTC).date() + timedelta(days=1)
    query = (
        select(Invoice.id, Invoice.due_on, Plant)
        .join(Plant, Plant.id == Invoice.plant_id)
        .where(Invoice.due_on < latest, Invoice.due_on >= latest - LOOK_BACK)
        .where(~made_before.correlate(Invoice).exists(), unpaid(Invoice.due_on, own=True) > 0)
        .order_by(Invoice.id)
    )
    for ident, due_on, plant in db.session.execute(query):
        if due_on is not None and due_on < at.astimezone(plant.tz).date():
            yield f"invoice {ident}", partial(_charge, ident, at)


def _charge(invoice_id: int, at: datetime) -> object:
    invoice = db.session.get_one(Invoice, invoice_id)
    plant = db.session.get_one(Plant, invoice.plant_id)
    law = law_in_force(plant, invoice.issued_on)
    return add_late_charge(invoice, by=system("Late charges"), at=at, law=law)
