"""The packets and worksheets made for a season."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from office.db import db
from office.letters import Letter

PACKET, WORKSHEET = "packet", "worksheet"
TITLES = {PACKET: "Committee packet, season {}", WORKSHEET: "Worksheet, season {}"}


@dataclass(frozen=True)
class Made:
    """One kept paper: the letter it is, its number, when it was made; ``file_id`` None while its PDF is being made."""

    letter_id: int
    number: str
    at: datetime
    file_id: int | None


def papers_made(plant_id: int, kind: str, season: str) -> list[Made]:
    """The papers of a kind made for a season, newest first."""
    query = select(Letter.id, Letter.number, Letter.written_at, Letter.file_id).where(
        Letter.plant_id == plant_id, Letter.kind == kind, Letter.title == TITLES[kind].format(season)
    )
    return [Made(*row) for row in db.session.execute(query.order_by(Letter.id.desc()))]
