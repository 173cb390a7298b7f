"""The kinds of ledger entries and the ways people pay."""

from enum import StrEnum


class EntryKind(StrEnum):
    """What a line of the ledger does: charges, late charges and refunds make an account owe more, the others less.

    A reversal does the opposite of what it takes back. A deposit is money paid ahead, such as for a book of tickets,
    drawn down by what is charged; a write-off is what the city gives up asking for; a refund is credit of one payment
    that was paid back, and is owed again once that payment is taken back.
    """

    CHARGE = "charge"
    LATE = "late"
    PAYMENT = "payment"
    CREDIT = "credit"
    REVERSAL = "reversal"
    DEPOSIT = "deposit"
    WRITE_OFF = "write_off"
    REFUND = "refund"


class Method(StrEnum):
    """How a payment was made; by ``CREDIT`` no money came, but what was left of a credit."""

    CASH = "cash"
    CHECK = "check"
    CARD = "card"
    CREDIT = "credit"


class HoldKind(StrEnum):
    """Why a charge is kept off invoices, or off what is late."""

    RESULTS = "results"
    DISPUTE = "dispute"


OWING = (EntryKind.CHARGE, EntryKind.LATE)
# What may stand on an invoice: charges, and money paid back of a payment that was itself taken back since.
ASKED = (*OWING, EntryKind.REFUND)
RECEIVED = (EntryKind.PAYMENT, EntryKind.DEPOSIT)
# What money comes and goes by.
METHOD_WORDS = {Method.CASH: "cash", Method.CHECK: "check", Method.CARD: "card"}
