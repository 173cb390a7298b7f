"""Signatures under loads, and what a signature may be made of."""

import re

from sqlalchemy import select

from intake.models import Signature
from office.db import db

WIDTH, HEIGHT = 600, 200
LONGEST = 20_000
# Only whole numbers between the marks of a path: it is drawn into pages and documents as it is.
_PATH = re.compile(r"(?:M\d{1,4} \d{1,4}(?:L\d{1,4} \d{1,4})+)+")


def of_load(load_id: int) -> Signature | None:
    """The driver's signature under a load, once it is there."""
    return db.session.scalars(select(Signature).filter_by(load_id=load_id)).one_or_none()


def is_written(strokes: str) -> bool:
    """Whether these are strokes of a finger, and no more of them than a signature has."""
    return len(strokes) <= LONGEST and _PATH.fullmatch(strokes) is not None


def picture(strokes: str) -> str:
    """The strokes as an SVG document for the printed ticket."""
    box, pen = f"0 0 {WIDTH} {HEIGHT}", 'fill="none" stroke="#000" stroke-width="4" stroke-linecap="round"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}"><path d="{strokes}" {pen}/></svg>'
