"""Which load is sampled: a draw nobody can foretell and everybody can check afterwards (§ 329-7 F(5) of Bayfield).

The letter that tells a hauler its rule holds the fingerprint of a secret. Each load that comes under it has a number;
secret and number together decide. When the rule ends the secret is shown: whoever has the letter can draw again.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from ordinances.refusal import Refusal
from ordinances.rows import Law

EVERY, ONE_IN, SHARE = "every", "one_in", "share"
KINDS = (EVERY, ONE_IN, SHARE)
MOST_LOADS = 100
_WHOLE = 2**64


@dataclass(frozen=True)
class Draw:
    """What was recorded of one load: its number under the rule and whether it was drawn."""

    number: int
    drawn: bool


def chance(kind: str, figure: int | None) -> Fraction:
    """How likely a load is drawn: always, one in ``figure`` loads, or ``figure`` percent of them."""
    if kind == EVERY:
        return Fraction(1)
    if figure is None:
        raise ValueError(f"a rule of the kind {kind} has a figure")
    return Fraction(1, figure) if kind == ONE_IN else Fraction(figure, 100)


def figure_wrong(law: Law, day: date, kind: str, figure: int | None) -> Refusal | None:
    """Why a rule cannot be put so, or None. One load in 2 to 100, or 1 to 99 percent of them."""
    cite = law.cite("testing.spot_by", day) if law.has("testing.spot_by", day) else ""
    if kind not in KINDS:
        return Refusal("kind", "Select which loads are tested.", cite)
    if kind == ONE_IN and not (figure is not None and 2 <= figure <= MOST_LOADS):
        return Refusal("figure", f"Enter one load in how many: 2 to {MOST_LOADS}.", cite)
    if kind == SHARE and not (figure is not None and 1 <= figure <= 99):
        return Refusal("figure", "Enter how many percent of the loads: 1 to 99.", cite)
    return None


def commitment(secret: str) -> str:
    """The fingerprint of a secret: 64 hex digits, printed in the letter before the first draw."""
    return hashlib.sha256(secret.encode()).hexdigest()


def drawn(secret: str, number: int, kind: str, figure: int | None) -> bool:
    """Whether the load of this number is drawn: the first 8 bytes of HMAC-SHA256(secret, number) as a share of 1.

    Each load is drawn by itself, so that one just tested says nothing of the next.
    """
    code = hmac.new(secret.encode(), str(number).encode(), hashlib.sha256).digest()
    share = Fraction(int.from_bytes(code[:8], "big"), _WHOLE)
    return share < chance(kind, figure)


def wrong_draws(secret: str, told: str, draws: Iterable[Draw], kind: str, figure: int | None) -> list[str]:
    """Every draw that does not follow from the secret whose fingerprint was told, a sentence each; [] when all do."""
    if commitment(secret) != told:
        return ["The secret is not the one whose fingerprint stands in the letter."]
    found, wanted = [], 1
    for draw in sorted(draws, key=lambda one: one.number):
        if draw.number != wanted:
            found.append(f"Load {wanted} under this rule is missing.")
            wanted = draw.number
        if drawn(secret, draw.number, kind, figure) != draw.drawn:
            found.append(f"Load {draw.number} under this rule was {'' if draw.drawn else 'not '}drawn; "
                         f"the secret says otherwise.")  # fmt: skip
        wanted += 1
    return found


def rule_words(kind: str, figure: int | None) -> str:
    """The rule as a letter and a page say it: "Every load is tested"."""
    if kind == EVERY:
        return "Every load is tested"
    if kind == ONE_IN:
        return f"One load in {figure} is tested"
    return f"{figure} percent of the loads are tested"
