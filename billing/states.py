"""The kinds of ledger entries and the ways people pay."""

from enum import StrEnum


class EntryKind(StrEnum):
    """What a line of the ledger does: the first two make an account owe more, the next two less."""

    CHARGE = "charge"
    LATE = "late"
    PAYMENT = "payment"
    CREDIT = "credit"
    REVERSAL = "reversal"


class Method(StrEnum):
    """How a payment was made."""

    CASH = "cash"
    CHECK = "check"
    CARD = "card"


OWING = (EntryKind.CHARGE, EntryKind.LATE)
METHOD_WORDS = {Method.CASH: "cash", Method.CHECK: "check", Method.CARD: "card"}
