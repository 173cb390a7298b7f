"""The kinds of ledger entries and the ways people pay."""

from enum import StrEnum


class EntryKind(StrEnum):
    """What a line of the ledger does: a charge and a late charge make an account owe more, all but a reversal less.

    A deposit is money paid ahead, such as for a book of tickets, drawn down by what is charged; a write-off is what the
    city gives up asking for.
    """

    CHARGE = "charge"
    LATE = "late"
    PAYMENT = "payment"
    CREDIT = "credit"
    REVERSAL = "reversal"
    DEPOSIT = "deposit"
    WRITE_OFF = "write_off"


class Method(StrEnum):
    """How a payment was made."""

    CASH = "cash"
    CHECK = "check"
    CARD = "card"


class HoldKind(StrEnum):
    """Why a charge is kept off invoices, or off what is late."""

    RESULTS = "results"
    DISPUTE = "dispute"


OWING = (EntryKind.CHARGE, EntryKind.LATE)
RECEIVED = (EntryKind.PAYMENT, EntryKind.DEPOSIT)
METHOD_WORDS = {Method.CASH: "cash", Method.CHECK: "check", Method.CARD: "card"}
