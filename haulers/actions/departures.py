"""A suggested share that the committee changes: the reason is recorded with what was suggested (§ 329-7 B(2))."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from haulers.actions.motion_words import amount_words
from haulers.models import Application, Decision
from haulers.queries import Totals, review_table
from haulers.queries.motion_lines import DecisionLine
from haulers.queries.words import ended
from office.plants import Plant
from ordinances.calendar import Season
from ordinances.reader import Law
from ordinances.refusal import Refusal

Suggested = Mapping[int, tuple[int, int]]


def suggestions(plant: Plant, season: Season, law: Law, at: datetime) -> Suggested:
    """The suggested winter and rest gallons of every application not decided, by application."""
    table = review_table(plant, season, law, at)
    return {row.application.id: (row.suggested_winter, row.suggested_rest) for row in table.undecided}


def suggested_before(one: Application, old: Decision, asked: Totals) -> Suggested:
    """What was suggested when an application was decided, kept with the decision a correction is about; no more than is
    asked for now.
    """
    if not old.suggested:
        return {}
    return {one.id: (min(int(old.suggested[0]), asked.asked_winter), min(int(old.suggested[1]), asked.asked_rest))}


def why_before(old: Decision) -> str:
    """Why the number of a decision was not the one suggested, as it was typed."""
    return old.departure.partition(WHY)[2]


WHY = " Why another number: "


def departs(line: DecisionLine, suggested: tuple[int, int] | None) -> bool:
    """Whether what is put to the vote is not what was suggested."""
    return suggested is not None and suggested != (line.gallons_winter, line.gallons_rest)


def check_departure(line: DecisionLine, one: Application, suggested: tuple[int, int] | None, season: Season,
                    law: Law) -> Refusal | None:  # fmt: skip
    """A number other than suggested has a reason: its own, or the one the hauler reads."""
    if suggested is None or not departs(line, suggested) or line.departure.strip() or line.reason.strip():
        return None
    why = f"{one.business_name}: {amount_words(*suggested)} are suggested. Enter why another number is put to the vote."
    return Refusal("no_departure", why, law.cite("decision.body", season.start), details={"application_id": one.id})


def check_departures(found: Sequence[Application], lines: Sequence[DecisionLine], suggested: Suggested, season: Season,
                     law: Law) -> Refusal | None:  # fmt: skip
    """The first line that departs without a reason."""
    checked = (check_departure(line, one, suggested.get(one.id), season, law)
               for line, one in zip(lines, found, strict=True))  # fmt: skip
    return next((refusal for refusal in checked if refusal is not None), None)


def departure_words(line: DecisionLine, suggested: tuple[int, int] | None) -> str:
    """ "Suggested: 9,000 gallons in winter and 0 in the rest of the year. Why another number: …"; "" as suggested.

    The reason the hauler reads stands beside it and is not said twice.
    """
    if suggested is None or not departs(line, suggested):
        return ""
    why = f"{WHY}{ended(line.departure.strip())}" if line.departure.strip() else ""
    return f"Suggested: {amount_words(*suggested)}.{why}"
