"""Signatures under loads, and what a signature may be made of."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime, tzinfo

from sqlalchemy import select

from intake.models import Booking, Load, Run, Signature
from intake.queries import bookings
from intake.queries.loads import runs_of
from intake.states import BookingState, RunKind
from office import formats
from office.db import db

WIDTH, HEIGHT = 600, 200
LONGEST = 20_000
# Only whole numbers between the marks of a path: it is drawn into pages and documents as it is.
_PATH = re.compile(r"(?:M\d{1,4} \d{1,4}(?:L\d{1,4} \d{1,4})+)+")


@dataclass(frozen=True)
class Signed:
    """The mornings of a load, and who signed for which: ``several`` in the order of the mornings.

    A signature stands for its morning and for those before it that nobody had signed: the ticket lists them all.
    """

    mornings: tuple[tuple[date, int], ...]
    several: tuple[Signature, ...]
    zone: tzinfo

    def until(self, row: Signature) -> date:
        """Up to which morning a signature stands."""
        return row.day or row.signed_at.astimezone(self.zone).date()

    @property
    def last(self) -> Signature | None:
        return self.several[-1] if self.several else None

    @property
    def unsigned(self) -> tuple[tuple[date, int], ...]:
        """The mornings nobody has signed for, each with its gallons."""
        return tuple(one for one in self.mornings if self.last is None or one[0] > self.until(self.last))

    @property
    def whole(self) -> bool:
        """Whether every morning that ran is signed."""
        return self.last is not None and not self.unsigned

    def morning(self, when: datetime) -> date:
        """The morning that is signed at an instant: the newest until then."""
        day = when.astimezone(self.zone).date()
        before = [one for one, _ in self.mornings if one <= day]
        return before[-1] if before else next((one for one, _ in self.mornings), day)

    def on(self, day: date) -> Signature | None:
        """Who has signed for a morning, None where nobody has."""
        return next((one for one in self.several if self.until(one) >= day), None)

    @property
    def words(self) -> str:
        """Whom it is signed by: "Ann Ames", of several mornings "Ann Ames (October 6, 2026) and Bo Berg (…)"."""
        if len(self.several) == 1:
            return self.several[0].name
        return " and ".join(f"{one.name} ({formats.date_only(self.until(one))})" for one in self.several)


def signed(load: Load, zone: tzinfo) -> Signed:
    """Who signed for which morning of a load."""
    rows = list(db.session.scalars(select(Signature).filter_by(load_id=load.id).order_by(Signature.id)))
    found = Signed(_mornings(runs_of(load.id)), (), zone)
    return Signed(found.mornings, tuple(sorted(rows, key=lambda one: (found.until(one), one.id))), zone)


def _mornings(runs: Collection[Run]) -> tuple[tuple[date, int], ...]:
    found: dict[date, int] = {}
    for one in runs:
        if one.kind == RunKind.RAN.value:
            found[one.day] = found.get(one.day, 0) + one.gallons
    return tuple(sorted(found.items()))


def goes_on(load: Load, at: datetime) -> bool:
    """Whether mornings of a load are still to come: planned, not run, and not past."""
    booking = db.session.get(Booking, load.booking_id) if load.booking_id is not None else None
    if booking is None or booking.state != BookingState.BOOKED.value:
        return False
    ran = bookings.opened_days(booking.id)
    return any(one.day not in ran and one.ends > at for one in bookings.sessions_of([booking.id])[booking.id])


def of_load(load_id: int) -> Signature | None:
    """The newest signature under a load, once one is there."""
    rows = db.session.scalars(select(Signature).filter_by(load_id=load_id)).all()
    return max(rows, key=lambda one: (one.day or date.min, one.id)) if rows else None


def is_written(strokes: str) -> bool:
    """Whether these are strokes of a finger, and no more of them than a signature has."""
    return len(strokes) <= LONGEST and _PATH.fullmatch(strokes) is not None


def picture(strokes: str) -> str:
    """The strokes as an SVG document for the printed ticket."""
    box, pen = f"0 0 {WIDTH} {HEIGHT}", 'fill="none" stroke="#000" stroke-width="4" stroke-linecap="round"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}"><path d="{strokes}" {pen}/></svg>'
