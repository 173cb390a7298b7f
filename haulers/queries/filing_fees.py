"""Filing fees as the ledger has them: received, taken back since, or owed again."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date

from sqlalchemy import select
from sqlalchemy.orm import aliased

from billing.models import Entry, Payment
from billing.queries import invoice_with, paid_parts, unpaid_cents
from haulers.models import Application, Approval, FilingFee
from office.db import db

SOURCE = "application"


@dataclass(frozen=True)
class Fee:
    """A filing fee as the ledger has it: received on a day under a receipt, and perhaps taken back since, and why.

    ``invoice`` is the number of the invoice that a charge without its money is on by now, "" for none. ``waived`` is
    the resolution of the Council that waived it: then there is no receipt and no account.
    """

    paid_on: date
    receipt: str
    account_id: int
    taken_back_on: date | None = None
    why: str = ""
    invoice: str = ""
    waived: str = ""

    @property
    def holds(self) -> bool:
        """Whether the money received still counts for the fee."""
        return self.taken_back_on is None


def fees_of(application_ids: Collection[int]) -> dict[int, Fee]:
    """Filing fees received or waived, by application, with what the ledger says of each since."""
    back = aliased(Entry)
    rows = db.session.execute(
        select(FilingFee, Payment, back.on_day, back.reason)
        .join(Payment, Payment.id == FilingFee.payment_id).outerjoin(back, back.reverses_id == Payment.entry_id)
        .where(FilingFee.application_id.in_(set(application_ids)))
    ).all()  # fmt: skip
    charges = _charges({fee.application_id for fee, *_ in rows})
    found = {fee.application_id: _fee(fee, payment, (day, reason or ""), charges[fee.application_id])
             for fee, payment, day, reason in rows}  # fmt: skip
    return found | _waived(application_ids)


def _waived(application_ids: Collection[int]) -> dict[int, Fee]:
    query = select(FilingFee).where(FilingFee.application_id.in_(set(application_ids)), FilingFee.resolution != "")
    return {fee.application_id: Fee(fee.paid_on, "", 0, waived=fee.resolution) for fee in db.session.scalars(query)}


Charge = tuple[Entry, date | None, str]


def _charges(application_ids: Collection[int]) -> dict[int, Charge]:
    """The newest charge of each application's fee, with the day and reason it was taken back, if it was."""
    back = aliased(Entry)
    query = select(Entry, back.on_day, back.reason).outerjoin(back, back.reverses_id == Entry.id)
    query = query.where(Entry.source_kind == SOURCE, Entry.source_id.in_(application_ids)).order_by(Entry.id)
    return {entry.source_id or 0: (entry, day, reason or "") for entry, day, reason in db.session.execute(query)}


def _fee(fee: FilingFee, payment: Payment, gone: tuple[date | None, str], charge: Charge) -> Fee:
    entry, charge_gone_on, charge_why = charge
    if charge_gone_on is not None:
        # Without its charge the money is credit for invoices, and no longer the fee.
        return Fee(fee.paid_on, payment.number, payment.account_id, gone[0] or charge_gone_on, gone[1] or charge_why)
    if gone[0] is None:
        return Fee(fee.paid_on, payment.number, payment.account_id)
    invoice = invoice_with(entry.id)
    if invoice is not None and unpaid_cents(invoice.id) == 0 and (parts := paid_parts(invoice.id)):
        return Fee(max(part.since for part in parts), parts[-1].payment.number, payment.account_id)
    return Fee(fee.paid_on, payment.number, payment.account_id, gone[0], gone[1],
               invoice.number if invoice is not None else "")  # fmt: skip


def standing_charge(application_id: int) -> Entry | None:
    """The charge of an application's fee that was not taken back, or None."""
    found = _charges({application_id}).get(application_id)
    return found[0] if found is not None and found[1] is None else None


def filed_before(application: Application) -> bool:
    """Whether its business was approved here for an earlier season: what a renewal costs is then asked."""
    query = select(Approval.id).where(
        Approval.plant_id == application.plant_id, Approval.business_id == application.business_id,
        Approval.season < application.season,
    )  # fmt: skip
    return db.session.scalars(query.limit(1)).first() is not None
