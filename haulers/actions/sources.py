"""The sources and answers of an application: kept row by row, and what keeps them from being sent."""

from collections.abc import Sequence
from datetime import datetime

from haulers.models import Application, ApplicationSource
from haulers.queries.answers import Answers
from haulers.queries.applications import SourceLine, sources_of
from haulers.queries.completeness import season_differs
from office.db import db
from ordinances.reader import Law
from ordinances.refusal import Refusal
from ordinances.screening import waste_allowed

LONGEST_LIST = 60
TOO_MANY = Refusal("too_many", f"An application may list {LONGEST_LIST} sources or fewer.", "")


def put_sources(application: Application, lines: Sequence[SourceLine]) -> None:
    """Make the stored sources those of the list, in its order."""
    rows = {row.position: row for row in sources_of([application.id], fresh=True).get(application.id, [])}
    for position, line in enumerate(lines, start=1):
        row = rows.pop(position, None)
        if row is None:
            row = ApplicationSource(plant_id=application.plant_id, application_id=application.id, position=position)
            db.session.add(row)
        row.waste, row.place, row.area, row.tank_kind = line.waste, line.place, line.area, line.waste
        row.existing, row.replaces_failed, row.frequency = line.existing, line.replaces_failed, line.frequency
        row.gallons_a_load, row.gallons_winter = line.gallons_a_load, line.gallons_winter
        row.gallons_rest, row.months = line.gallons_rest, line.months
    for row in rows.values():
        db.session.delete(row)
    db.session.flush()


def wanting(lines: Sequence[SourceLine], answers: Answers, law: Law, at: datetime) -> Refusal | None:
    """Why these answers cannot be sent (§ 329-7 B(1)); None when they say all that is asked."""
    day = at.astimezone(law.zone).date()
    cite, asks = law.cite("application.asks", day), law.value("application.asks", day)
    if not lines:
        return Refusal("no_sources", "Enter at least one source you plan to bring septage from.", cite)
    if len(lines) > LONGEST_LIST:
        return TOO_MANY
    blank = [(at, line.missing(asks)) for at, line in enumerate(lines, start=1)]
    missing = [f"Source {at}: enter {', '.join(words)}." for at, words in blank if words]
    if missing:
        return Refusal("incomplete", " ".join(missing), cite)
    if not sum((line.gallons_winter or 0) + (line.gallons_rest or 0) for line in lines):
        return Refusal("no_gallons", "Enter the gallons you ask for: the application asks for none.", cite)
    refused = next((found for line in lines if (found := waste_allowed(law, day, line.waste))), None)
    if refused is not None:
        return refused
    said = season_differs(answers.season, lines)
    return Refusal("season_differs", said, "") if said else None
