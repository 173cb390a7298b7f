"""What an invoice and a receipt print, frozen as words in the act that makes them."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any

from billing.models import Account, Entry, Invoice, Payment
from billing.queries import balance_cents, parts_of_payment, refunded_cents, unpaid_cents
from billing.states import METHOD_WORDS, EntryKind, Method
from office import formats
from office.db import db
from office.letters import Letter, write
from office.notices import tell_party
from office.people import Party
from office.plants import Plant
from ordinances.late import due_cite, late_often
from ordinances.reader import Law
from ordinances.schedule_lines import more_than_price


def write_invoice(
    plant: Plant, party: Party, invoice: Invoice, entries: Sequence[Entry], *, law: Law, at: datetime
) -> Letter:
    """The printed invoice: lines by day and source, readings below, the last day in time, a slip to send back."""
    to_pay = unpaid_cents(invoice.id)
    data: dict[str, Any] = {
        "groups": [
            {"title": title, "lines": [line_words(entry) for entry in group]}
            for title, group in groupby(entries, group_title)
        ],
        "total": formats.money(invoice.total_cents),
        "credit": formats.money(to_pay - invoice.total_cents) if to_pay != invoice.total_cents else "",
        "to_pay": formats.money(to_pay),
        "due": formats.day(invoice.due_on) if invoice.due_on else "",
        "late": _late_words(invoice, law) if to_pay else "",
        "readings": _readings(entries),
    }
    return write(plant, party, "invoice", "Invoice", data, at, law_version=law.version,
                 number=invoice.number)  # fmt: skip


def group_title(entry: Entry) -> str:
    """The heading over the lines of one day and source, such as ``Tuesday, October 6, 2026 · Load 2026-00412``."""
    return " · ".join(part for part in (formats.day(entry.day), entry.source_label) if part)


def line_words(entry: Entry) -> dict[str, str]:
    """One charge as printed: what, quantity with unit, price each, amount, §."""
    late = entry.kind == EntryKind.LATE
    each = "" if late or entry.unit_price is None else formats.price(entry.unit_price)
    quantity = "" if late or entry.quantity is None else f"{formats.number(entry.quantity)} {entry.unit}"
    how = more_than_price(entry.how)
    # Money paid back is a line of an invoice only once its payment was taken back.
    gone = "; the payment it came from was taken back" if entry.kind == EntryKind.REFUND else ""
    return {"what": entry.what + gone, "quantity": quantity, "each": each, "amount": formats.money(entry.amount_cents),
            "cite": entry.cite} | ({"how": how} if how else {})  # fmt: skip


def _late_words(invoice: Invoice, law: Law) -> str:
    day = invoice.issued_on
    if invoice.due_on is None or not law.has("billing.late_percent", day):
        return ""
    percent, cite = law.row("billing.late_percent", day), due_cite(law, day).cite
    often = late_often(law, day)
    return (
        f"A late charge of {percent.value.normalize():f} % is added {often} to what is unpaid after that day ({cite})."
    )


def _readings(entries: Iterable[Entry]) -> list[str]:
    found = dict.fromkeys((entry.cite, entry.reading) for entry in entries if entry.reading)
    return [f"{cite}: {reading}" for cite, reading in found]


def write_receipt(
    plant: Plant, account: Account, payment: Payment, cents: int, at: datetime, *, charge: Entry | None = None,
    again: Sequence[tuple[Invoice, int]] = (),
) -> Letter:  # fmt: skip
    """The receipt, and a notice with it: who paid what, how, when, for what, and what is owed after it.

    ``again``: what it pays of invoices that was written off until now.
    """
    party = db.session.get_one(Party, account.party_id)
    amount, received = formats.money(cents), formats.date_only(payment.received_on)
    by = METHOD_WORDS[Method(payment.method)] + (f", no. {payment.reference}" if payment.reference else "")
    rows = set_against(payment, cents, charge)
    words = " ".join(f"{formats.money(part)} of invoice {one.number} had been written off; that is taken back."
                     for one, part in again)  # fmt: skip
    data = {"amount": amount, "received": received, "by": by, "rows": rows, "again": words,
            "balance": balance_words(account.id)}  # fmt: skip
    letter = write(plant, party, "receipt", "Receipt", data, at,
                   law_version=charge.law_version if charge else None, number=payment.number)  # fmt: skip
    tell_party(
        party, "receipt", f"We received {amount}: receipt {payment.number}",
        f"{plant.city} received {amount} by {by} on {received}.\n" + (f"{words}\n" if words else "")
        + f"{data['balance']}\nKeep this message as your receipt.",
        at, plant_id=plant.id, letter_id=letter.id,
    )  # fmt: skip
    return letter


def write_credit(plant: Plant, account: Account, payment: Payment, entry: Entry, at: datetime) -> Letter:
    """What was left of a credit and is kept, as a receipt is, and a notice with it."""
    party = db.session.get_one(Party, account.party_id)
    amount, rows = formats.money(-entry.amount_cents), set_against(payment, -entry.amount_cents)
    day, balance = formats.date_only(payment.received_on), balance_words(account.id, "it")
    data = {"amount": amount, "received": day, "by": "", "head": f"credited on {day}", "rows": rows, "again": "",
            "balance": f"{entry.what}. {balance}"}  # fmt: skip
    letter = write(plant, party, "receipt", "Credit", data, at, law_version=None, number=payment.number)
    tell_party(
        party, "credit", f"{amount} kept as your credit: receipt {payment.number}",
        f"{entry.what}: {amount}.\nWhy: {entry.reason}\n{balance}", at, plant_id=plant.id, letter_id=letter.id,
    )  # fmt: skip
    return letter


def set_against(payment: Payment, cents: int, charge: Entry | None = None) -> list[dict[str, str]]:
    """What a payment counts for now, as a receipt prints it: its invoices and what is left, or the charge it paid."""
    if charge is not None:
        what = ", ".join(part for part in (charge.what, charge.source_label) if part)
        return [{"what": f"{what} ({charge.cite})", "amount": formats.money(cents)}]
    parts = parts_of_payment(payment.id)
    rows = [{"what": f"Invoice {invoice.number}", "amount": formats.money(part)} for invoice, part in parts]
    paid_back = refunded_cents(payment.id)
    rest = cents - sum(part for _, part in parts) - paid_back
    if paid_back:
        rows.append({"what": "Paid back", "amount": formats.money(paid_back)})
    if rest:
        rows.append({"what": "Kept as credit for the next invoice", "amount": formats.money(rest)})
    return rows


def balance_words(account_id: int, after: str = "this payment") -> str:
    """What the account owes after this, in a sentence."""
    balance = balance_cents(account_id)
    if balance == 0:
        return f"Nothing is owed after {after}."
    if balance < 0:
        return f"After {after} {formats.money(-balance)} is left as credit."
    return f"{formats.money(balance)} is still owed after {after}."
