"""Which load is sampled: a draw nobody can foretell and everybody can check afterwards (§ 329-7 F(5) of Bayfield).

The letter that tells a hauler its rule holds the fingerprint of a secret. Each load that comes under it has a number;
secret and number together decide. When the rule ends the secret is shown: whoever has the letter can draw again.

One load in N is exactly one of each N that follow each other, at a place drawn anew for each N. Rules written before
that was so drew each load by itself, with the chance of one in N: those draws stay as they were made.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from ordinances.refusal import Refusal

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


def figure_wrong(kind: str, figure: int | None, cite: str) -> Refusal | None:
    """Why a rule cannot be put so, or None. One load in 2 to 100, or 1 to 99 percent of them."""
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


def drawn(secret: str, number: int, kind: str, figure: int | None, *, blocks: bool = False) -> bool:
    """Whether the load of this number (from 1) is drawn.

    By ``blocks``, one load in ``figure``: loads 1 to N are block 1, and so on; of each block the load at the place that
    its own draw gives. Otherwise each load by itself, so that one just tested says nothing of the next.
    """
    if blocks and kind == ONE_IN and figure is not None:
        block, place = divmod(number - 1, figure)
        return place == int(_share(secret, f"block {block + 1}") * figure)
    return _share(secret, str(number)) < chance(kind, figure)


def _share(secret: str, words: str) -> Fraction:
    """The first 8 bytes of HMAC-SHA256(secret, words) as a share of 1."""
    code = hmac.new(secret.encode(), words.encode(), hashlib.sha256).digest()
    return Fraction(int.from_bytes(code[:8], "big"), _WHOLE)


def wrong_draws(
    secret: str, told: str, draws: Iterable[Draw], kind: str, figure: int | None, *, blocks: bool = False
) -> list[str]:
    """Every draw that does not follow from the secret whose fingerprint was told, a sentence each; [] when all do."""
    if commitment(secret) != told:
        return ["The secret is not the one whose fingerprint stands in the letter."]
    found, wanted = [], 1
    for draw in sorted(draws, key=lambda one: one.number):
        if draw.number != wanted:
            found.append(f"Load {wanted} under this rule is missing.")
            wanted = draw.number
        if drawn(secret, draw.number, kind, figure, blocks=blocks) != draw.drawn:
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


def meant_words(kind: str, figure: int | None, *, blocks: bool) -> str:
    """What a drawn rule means for one load and the next, a sentence; "" where every load is tested."""
    if kind == EVERY:
        return ""
    if blocks and kind == ONE_IN:
        return f"Of each {figure} loads that follow each other exactly one is tested, at a place drawn anew each time."
    mean = "It is so on average: each" if kind == ONE_IN else "Each"
    return f"{mean} load is drawn by itself, and one just tested says nothing of the next."


def how_words(kind: str, figure: int | None, *, blocks: bool) -> str:
    """How the draw is done again by whoever has the secret."""
    first = "the first 8 bytes of HMAC-SHA256(secret"
    if blocks and kind == ONE_IN:
        return (f"Loads 1 to {figure} are block 1, the next {figure} block 2, and so on. For block b, {first}, "
                f"\"block b\"), read as a whole number, divided by 2 to the power of 64 and multiplied by {figure}, "
                "are rounded down: the load after so many others of its block is drawn.")  # fmt: skip
    return (f"The load of number k is drawn where {first}, k), read as a whole number and divided by 2 to the power of "
            "64, are below the share of loads the rule states.")  # fmt: skip
