"""Make invoices: every charge on exactly one, numbers without a gap."""

from dataclasses import replace
from datetime import date, datetime

from billing.actions.documents import write_invoice
from billing.actions.settle import settle
from billing.models import Account, Entry, Invoice, InvoiceLine
from billing.queries import Unbilled, by_load, unbilled, unpaid_cents
from office import formats, numbers
from office.access import Actor, Role, party_signs_in
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.notices import tell_party
from office.people import Party, parties
from office.plants import Plant
from ordinances.late import is_due, late_dates
from ordinances.reader import Law
from ordinances.refusal import Refusal

INVOICE = numbers.series("invoice", "invoice", "number")


@act("make_invoice", roles=(Role.CLERK, Role.SYSTEM))
def make_invoice(plant: Plant, account: Account, *, by: Actor, at: datetime, law: Law) -> Invoice | Refusal:
    """Put all charges of one account that are on no invoice yet on one. Refused: ``nothing_to_bill``."""
    made = _make(plant, [account.id], None, at=at, law=law)
    return made[0] if made else Refusal("nothing_to_bill", "There is nothing new to put on an invoice.", "")


@act("make_invoices", roles=(Role.CLERK, Role.SYSTEM))
def make_invoices(
    plant: Plant, *, before: date | None = None, most: int | None = None, by: Actor, at: datetime, law: Law
) -> list[Invoice]:
    """One invoice for each account with charges that are on no invoice yet; run again it makes none.

    Where the law bills each load by itself, one for each load. What is held stays off, and with ``before`` the charges
    of that day and later ones. ``most``: only for the first so many accounts, by name; run again for the next. Until
    the last of them the run is not over: broken off, it is none of its period.
    """
    waiting = [one.account_id for one in unbilled(plant.id, before=before)]
    rest = most is not None and len(waiting) > most
    return _make(plant, waiting[:most], before, others_wait=rest, at=at, law=law)


def _make(
    plant: Plant, account_ids: list[int], before: date | None, *, others_wait: bool = False, at: datetime, law: Law
) -> list[Invoice]:
    # All accounts are locked before the first number is taken, so that two runs never wait for each other in a ring;
    # what waits is then read again, as another run may have taken it meanwhile.
    accounts = {ident: lock(Account, ident) for ident in sorted(account_ids)}
    waiting = unbilled(plant.id, list(accounts), before=before)
    people = parties(one.party_id for one in waiting)
    if by_load(law, at.astimezone(plant.tz).date()):
        waiting = [part for one in waiting for part in _by_source(one)]
    return [
        issue(plant, accounts[one.account_id], people[one.party_id], one, others_wait=others_wait, at=at, law=law)
        for one in waiting
    ]


def _by_source(waiting: Unbilled) -> list[Unbilled]:
    """The charges of each load by themselves, in the order of their first."""
    parts: dict[tuple[str | None, int | None], list[Entry]] = {}
    for entry in waiting.entries:
        parts.setdefault((entry.source_kind, entry.source_id), []).append(entry)
    return [replace(waiting, entries=tuple(entries)) for entries in parts.values()]


def issue(
    plant: Plant, account: Account, party: Party, waiting: Unbilled, *, replaces: Invoice | None = None,
    others_wait: bool = False, at: datetime, law: Law,
) -> Invoice:  # fmt: skip
    """The invoice of some charges of a locked account, numbered, written and told. Inside an act only.

    ``replaces``: the void invoice it is made again for. ``others_wait``: the run goes on after it.
    """
    today = at.astimezone(plant.tz).date()
    invoice = Invoice(
        plant_id=plant.id, account_id=account.id, number=numbers.numbered(plant.id, INVOICE, today.year),
        issued_on=today, issued_at=at, party_name=party.name, party_address=party.address,
        due_on=late_dates(law, today)[0] if is_due(law, today) else None,
        total_cents=waiting.total_cents, law_version=law.version,
        replaces_id=replaces.id if replaces is not None else None, others_wait=others_wait,
    )  # fmt: skip
    db.session.add(invoice)
    db.session.flush()
    for entry in waiting.entries:
        db.session.add(InvoiceLine(plant_id=plant.id, invoice_id=invoice.id, entry_id=entry.id))
    settle(account, at)
    letter = write_invoice(plant, party, invoice, waiting.entries, law=law, at=at)
    invoice.letter_id = letter.id
    cite = law.cite("billing.period", today) if law.has("billing.period", today) else None
    because(f"Invoice {invoice.number}", cite)
    total, unpaid = formats.money(invoice.total_cents), unpaid_cents(invoice.id)
    due = f", due {formats.date_only(invoice.due_on)}" if invoice.due_on else ""
    owed = total + due
    if unpaid < invoice.total_cents:
        # What was paid ahead has paid it, or a part of it.
        left = f"{formats.money(unpaid)} is left to pay{due}" if unpaid else "nothing is left to pay"
        owed = f"{total}, paid from your credit: {left}"
    where = "The lines and the printed invoice are on your Money page after you sign in."
    if not party_signs_in(party.id, at):
        questions = formats.full_stop(f"Questions: {plant.phone}, {plant.help_hours}")
        where = f"The invoice with its lines is enclosed. {questions}"
    tell_party(
        party, "invoice", f"Invoice {invoice.number}: {owed}",
        f"Invoice {invoice.number} of {plant.city} for unloading septage is {owed}.\n{where}",
        at, plant_id=plant.id, letter_id=letter.id,
    )  # fmt: skip
    return invoice
