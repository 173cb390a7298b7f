"""Send an invoice once more, as it was made."""

from datetime import datetime

from billing.models import Account, Invoice
from billing.queries import InvoiceState, asked_cents, invoice_view, unpaid_cents
from office import formats
from office.access import Actor, Role, party_signs_in
from office.acts import act
from office.db import db
from office.journal import because
from office.notices import Notice, tell_party
from office.people import Party
from office.plants import Plant
from ordinances.reader import Law
from ordinances.refusal import Refusal

COPY = "Download it where a copy is wanted."


@act("send_invoice_again", roles=(Role.CLERK,))
def send_invoice_again(plant: Plant, invoice: Invoice, *, by: Actor, at: datetime, law: Law) -> Notice | Refusal:
    """Send an invoice to its hauler once more: the document as it was made, with what is to be paid of it now.

    Refused: ``taken_back`` and ``written_off``, as nobody is to pay it.
    """
    if asked_cents(invoice.id) <= 0:
        why = f"Nothing is to be paid of invoice {invoice.number}: it was taken back."
        return Refusal("taken_back", why, "", next_step=COPY)
    if invoice_view(invoice, at.astimezone(plant.tz).date()).state is InvoiceState.WRITTEN_OFF:
        why = f"Nothing is to be paid of invoice {invoice.number}: what was unpaid of it is written off."
        return Refusal("written_off", why, "", next_step=COPY)
    party = db.session.get_one(Party, db.session.get_one(Account, invoice.account_id).party_id)
    total, unpaid = formats.money(invoice.total_cents), unpaid_cents(invoice.id)
    due = f", due {formats.date_only(invoice.due_on)}" if invoice.due_on else ""
    left = f"{formats.money(unpaid)} is still to be paid." if unpaid else "Nothing of it is still to be paid."
    where = "The lines and the printed invoice are on your Money page after you sign in."
    if not party_signs_in(party.id, at):
        questions = formats.full_stop(f"Questions: {plant.phone}, {plant.help_hours}")
        where = f"The invoice with its lines is enclosed. {questions}"
    because(f"Invoice {invoice.number} is sent again")
    return tell_party(
        party, "invoice", f"Invoice {invoice.number} once more: {total}{due}",
        f"Invoice {invoice.number} of {plant.city} for unloading septage is {total}{due}.\n{left}\n{where}",
        at, plant_id=plant.id, letter_id=invoice.letter_id,
    )  # fmt: skip
