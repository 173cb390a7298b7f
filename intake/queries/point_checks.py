"""For ``verify``: what each point was set to, held against the rows again by code of its own (§ 329-7 C(1))."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import date, datetime, time, timedelta
from typing import Any

from sqlalchemy import select

from intake.models import PlannedSession, Point, PointTerms, Run
from office.db import db
from office.plants import Plant

# start, end, gallons an hour, and the row it comes from: as ``intake.queries.checks`` has found them
Piece = tuple[datetime, datetime, int, str]


def check_points(plant: Plant, pieces: dict[date, list[Piece]], arranged: Iterable[str]) -> list[str]:
    """Findings with table and row id: a plan outside its point's hours, above its rate, or without a place there.

    A plan is held against the terms that were set before it was over; what was run was run.
    """
    terms: dict[int, list[PointTerms]] = defaultdict(list)
    query = select(PointTerms).filter_by(plant_id=plant.id).order_by(PointTerms.since, PointTerms.id)
    for row in db.session.scalars(query):
        terms[row.point_id].append(row)
    if not terms:
        return []
    where, names = _where(plant), {one.id: one.name for one in db.session.execute(select(Point.id, Point.name))}
    free, findings, trucks = set(arranged), list[str](), _trucks(plant)
    for day in sorted(pieces):
        here: dict[int, list[Piece]] = defaultdict(list)
        for piece in pieces[day]:
            here[where[piece[3]]].append(piece)
        for point_id, several in sorted(here.items()):
            for piece in several:
                known = [row for row in terms[point_id] if row.since <= day and row.set_at < piece[1]]
                if known and piece[3].startswith("planned"):
                    said = _wrong(plant, known[-1], piece, several, trucks, in_hours=piece[3] not in free)
                    findings += [f"{piece[3]}: {said} at {names[point_id]}."] if said else []
    return findings


def _where(plant: Plant) -> dict[str, int]:
    """The point of each planned session and run."""
    found: dict[str, int] = {}
    for table, word in ((PlannedSession, "planned_session"), (Run, "run")):
        rows: Any = db.session.execute(select(table.id, table.point_id).where(table.plant_id == plant.id))
        found |= {f"{word} {ident}": point_id for ident, point_id in rows}
    return found


def _trucks(plant: Plant) -> dict[str, str]:
    """The load of each run: its pieces are one truck."""
    rows: Any = db.session.execute(select(Run.id, Run.load_id).where(Run.plant_id == plant.id))
    return {f"run {ident}": f"load {load_id}" for ident, load_id in rows}


def _wrong(plant: Plant, terms: PointTerms, piece: Piece, several: list[Piece], names: dict[str, str], *,
           in_hours: bool) -> str:  # fmt: skip
    """What of the terms a plan breaks beside the others there; "" where it keeps them."""
    start, end, *_ = piece
    first, last = start.astimezone(plant.tz).time(), end.astimezone(plant.tz).time()
    if not terms.is_open:
        return "closed"
    if in_hours and terms.opens and first < time.fromisoformat(terms.opens):
        return "before it opens"
    if in_hours and terms.closes and last > time.fromisoformat(terms.closes):
        return "after it closes"
    gap = timedelta(minutes=terms.changeover)
    # The draw and the number of trucks rise only where one begins.
    for at in [start, *(one[0] for one in several if start < one[0] < end + gap)]:
        draw = sum(one[2] for one in several if one[0] <= at < one[1])
        if terms.max_gph is not None and at < end and draw > terms.max_gph:
            return f"{draw} gallons an hour, {terms.max_gph} are set"
        trucks = len({names.get(one[3], one[3]) for one in several if one[0] <= at < one[1] + gap})
        if terms.trucks is not None and trucks > terms.trucks:
            return f"{trucks} trucks, {terms.trucks} may be there with the change of hoses"
    return ""
