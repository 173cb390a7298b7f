"""The letter of a review's outcome: what was decided, why, and what its hauler may do next (§ 329-7 G, ch. 68)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from haulers.actions.decision_letters import review_block, signer
from haulers.actions.decision_rules import review_block_missing
from haulers.models import Review, ReviewStep
from haulers.queries.enforcement import ReviewOf
from haulers.states import REVIEW_OUTCOMES
from office.access import Actor, Role
from office.formats import date_only, day
from office.plants import Plant
from ordinances.reader import Law
from ordinances.refusal import Refusal
from ordinances.reviews import Clock, clocks

KEEPERS = (Role.CLERK, Role.DIRECTOR)
# After these the hauler may go on: what was asked for was not given, or not in whole.
GOES_ON = ("upheld", "changed")


@dataclass(frozen=True)
class Next:
    """The step a hauler may take after the outcome, and its last day."""

    clock: Clock
    due: date


def next_step(steps: Sequence[ReviewStep], told: date, on: date, law: Law) -> Next | None:
    """What a hauler may ask for next when a review ends on a day; None where the law names no such step.

    A step of the city's that waits is done by the outcome.
    """
    known = clocks(law, told)
    waiting = next((one for one in steps if one.done_on is None), None)
    at = waiting.position - 1 if waiting is not None else max((one.position for one in steps), default=0)
    if waiting is not None and at < len(known) and known[at].by_hauler:
        return Next(known[at], waiting.due_on)
    at += 1 if waiting is not None else 0
    if at >= len(known) or not known[at].by_hauler:
        return None
    return Next(known[at], known[at].due(law, on))


def outcome_data(found: ReviewOf, steps: Sequence[ReviewStep], told: date, outcome: str, words: str, on: date,
                 fee: str, by: Actor, at: datetime, law: Law) -> dict[str, object] | Refusal:  # fmt: skip
    """What the letter says beyond its head. Refused: ``no_review_block`` where it could not say what comes next.

    A day not yet confirmed is never printed: the profile's text on review rights stands in its place.
    """
    review: Review = found.review
    said: dict[str, object] = {
        "about": found.about, "asked_on": day(review.asked_on), "asked_by": review.asked_by,
        "outcome": REVIEW_OUTCOMES[outcome], "on": day(on), "words": words.strip().splitlines(), "fee": fee,
        "next": "", "next_cite": "", "review": "", "signature": signer(by, KEEPERS),
    }  # fmt: skip
    if outcome not in GOES_ON:
        return said
    step = next_step(steps, told, on, law)
    if step is not None and not step.clock.unconfirmed:
        name = step.clock.name.removesuffix(" asked for").lower()
        return said | {"next": f"You may ask for the {name} until the end of {date_only(step.due)}",
                       "next_cite": step.clock.cite}  # fmt: skip
    missing = review_block_missing(law, at.astimezone(law.zone).date())
    return missing or said | {"review": review_block(law, at)}


def plain_words(plant: Plant, data: dict[str, object]) -> str:
    """The letter in the words of its message."""
    nxt = f"{data['next']} ({data['next_cite']})." if data["next"] else str(data["review"])
    lines = data["words"]
    assert isinstance(lines, list)
    parts = (f"{data['about']}: {data['outcome']}.", "\n".join(lines), str(data["follows"]), str(data["fee"]), nxt,
             f"{plant.name}, {plant.phone}")  # fmt: skip
    return "\n\n".join(part for part in parts if part)
