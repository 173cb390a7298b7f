"""What a motion puts to the vote, in the words its record and the minutes keep."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from haulers.actions.plans import limit_words
from haulers.models import Application
from haulers.queries.motion_lines import DecisionLine
from haulers.queries.words import ended
from haulers.states import Outcome
from office.formats import gallons, volume

# Kept with a motion that passes what the plant can take.
ACCEPTED = "The committee accepts that more is approved than the plant can take."
_PUT = {Outcome.APPROVED: "approve", Outcome.IN_PART: "approve a part", Outcome.REJECTED: "reject"}


def amount_words(winter: int, rest: int, more: str = "") -> str:
    """ "1,500 gallons in winter and 0 in the rest of the year"; with ``more`` " more": "1,500 gallons more in …"."""
    return f"{volume(winter)}{more} in winter and {gallons(rest)} in the rest of the year"


def line_words(line: DecisionLine, one: Application, codes: Mapping[str, str]) -> str:
    """What a motion puts about one application; ``codes`` are the state's reasons."""
    said = f"{one.number}, {one.business_name}: {_PUT[line.outcome]}"
    if line.outcome is not Outcome.REJECTED:
        said += f", {amount_words(line.gallons_winter, line.gallons_rest)}"
    limits = [asdict(limit) for limit in line.allowances]
    conditions = line.conditions if line.outcome is not Outcome.REJECTED else ()
    return f"{said}. {reason_words(line.reason, line.reason_code, conditions, limits, codes)}".strip()


def reason_words(reason: str, code: str | None, conditions: Sequence[str], limits: Sequence[dict[str, object]],
                 codes: Mapping[str, str]) -> str:  # fmt: skip
    """Why, the state's reason, the conditions added and the limits, each by its own words; "" for none of them."""
    said = [ended(reason.strip())] if reason.strip() else []
    if code:
        said.append(ended(f"The state's reason: {codes.get(code, code)}"))
    added = [words.strip() for words in conditions if words.strip()]
    if added:
        said.append(f"Conditions added: {' '.join(f'({n}) {ended(words)}' for n, words in enumerate(added, start=1))}")
    if limits:
        said.append(limit_words(limits))
    return " ".join(said)
