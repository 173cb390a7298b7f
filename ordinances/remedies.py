"""What may follow where a waste is judged: four outcomes, told by the law in its own words (§ 329-6 E of Bayfield)."""

from __future__ import annotations

from ordinances.refusal import Refusal

REJECT, PRETREAT, CONTROL, PAY = "reject", "pretreat", "control", "pay"
# How the law's words of each outcome are known; the first that fits.
_MARKS = ((REJECT, "reject"), (PRETREAT, "pretreat"), (PAY, "payment"), (PAY, "cost"), (CONTROL, "control"))


def outcome(words: str) -> str:
    """Which of the four outcomes the law's words name; "" for another one, which is kept in words only."""
    return next((kind for kind, mark in _MARKS if mark in words.lower()), "")


def outcomes_wrong(chosen: tuple[str, ...], *, pretreatment: str, gph: int | None, cents: int | None, cite: str
                   ) -> Refusal | None:  # fmt: skip
    """What a finding lacks for the outcomes it names, or None: something must follow, and each says what it asks."""
    kinds = {outcome(words) for words in chosen}
    if not chosen:
        return Refusal("outcomes", "Select what is to follow.", cite)
    if REJECT in kinds and len(chosen) > 1:
        return Refusal("outcomes", "A waste that is rejected is not taken: nothing else follows with it.", cite)
    if PRETREAT in kinds and not pretreatment.strip():
        return Refusal("pretreatment", "Enter what must be done before the waste is taken.", cite)
    if CONTROL in kinds and not gph:
        return Refusal("gph", "Enter the highest rate, in gallons an hour.", cite)
    if PAY in kinds and not cents:
        return Refusal("cents", "Enter the added cost.", cite)
    asked = ((PRETREAT, "pretreatment", pretreatment.strip(), "what must be done first"),
             (CONTROL, "gph", gph, "the highest rate"), (PAY, "cents", cents, "the added cost"))  # fmt: skip
    # What is typed for an outcome that is not selected would be kept by nobody.
    return next((Refusal(code, f"Select the outcome that {named} belongs to, or leave this empty.", cite)
                 for kind, code, typed, named in asked if typed and kind not in kinds), None)  # fmt: skip
