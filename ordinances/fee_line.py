"""One charge as a cited line, rounded half up to the cent once (§ 329-7 F, § 329-2 of Bayfield)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

CENT = Decimal("0.01")


@dataclass(frozen=True)
class FeeLine:
    """One charge: words for the invoice, what it was reckoned from, and the section and law it rests on."""

    code: str
    what: str
    quantity: Decimal
    unit: str
    unit_price: Decimal
    amount: Decimal
    cite: str
    reading: str | None
    law_version: str

    @property
    def cents(self) -> int:
        return int(self.amount * 100)


def total(lines: Iterable[FeeLine]) -> Decimal:
    """The sum of lines that are each already rounded."""
    return sum((line.amount for line in lines), Decimal("0.00"))


def rounded(amount: Decimal) -> Decimal:
    """Dollars to the whole cent, a half cent up."""
    return amount.quantize(CENT, ROUND_HALF_UP)
