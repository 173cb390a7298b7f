"""What a hauler may still book on a day: inside an approval, its gallons left, a license that holds (§ 329-7 B, C)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from haulers import queries as haulers
from intake.queries.allowance import used_and_booked
from intake.queries.capacity import Span
from office import formats
from ordinances.calendar import in_winter, season_of, winter
from ordinances.offers import Session
from ordinances.reader import Law

NOTHING_LEFT = "Your approvals allow no booking on this day"


@dataclass(frozen=True)
class Left:
    """The days of one approval and the gallons left in its winter and in the rest of its season."""

    first: date
    last: date
    winter: int
    rest: int


@dataclass(frozen=True)
class Terms:
    """A hauler's approvals that are not revoked, and the day their license ends (None: none on record)."""

    law: Law
    approvals: tuple[Left, ...]
    license_ends: date | None
    today: date

    @property
    def spans(self) -> list[Span]:
        """First and last day of each approval."""
        return [(one.first, one.last) for one in self.approvals]

    def gallons_on(self, day: date) -> int:
        """The most gallons that may still be booked on a day; 0 outside an approval or past the license's end."""
        found = self._approval(day)
        if found is None or not self.licensed(day):
            return 0
        return found.winter if is_winter(self.law, day) else found.rest

    def licensed(self, day: date) -> bool:
        """Whether the license holds on a day, or none is needed."""
        needed = self.law.has("approval.licence", day) and self.law.value("approval.licence", day)
        return not needed or (self.license_ends is not None and self.license_ends >= day)

    def why_not(self, day: date, gallons: int) -> str:
        """Why so many gallons cannot be booked on a day whatever is free at the plant; "" when they can."""
        found = self._approval(day)
        if found is None:
            return NOTHING_LEFT
        if not self.licensed(day):
            if self.license_ends is None:
                return "No state license of yours is on record"
            ended = "ended" if self.license_ends < self.today else "ends"
            return f"Your license {ended} on {formats.date_only(self.license_ends)}"
        left = self.gallons_on(day)
        if left >= gallons:
            return ""
        until = formats.date_only(self._until(day, found.last))
        return f"You have {formats.plural(left, 'gallon')} left until {until}"

    def covers(self, parts: Sequence[Session]) -> bool:
        """Whether several sessions together stay inside what is left of both parts of the season."""
        asked: dict[tuple[Left | None, bool], int] = {}
        for one in parts:
            day = one.start.astimezone(self.law.zone).date()
            key = (self._approval(day), is_winter(self.law, day))
            asked[key] = asked.get(key, 0) + one.gallons
        return all(
            found is not None and total <= (found.winter if cold else found.rest)
            for (found, cold), total in asked.items()
        )

    def _approval(self, day: date) -> Left | None:
        return next((one for one in self.approvals if one.first <= day <= one.last), None)

    def _until(self, day: date, last: date) -> date:
        """The last day of the part of the season a day lies in."""
        if not self.law.has("winter.from", day):
            return last
        begins, ends = winter(self.law, season_of(self.law, day))
        edges = (begins - timedelta(days=1), ends, last)
        return min(edge for edge in edges if edge >= day)


def is_winter(law: Law, day: date) -> bool:
    """Whether a day counts against the winter's gallons."""
    return law.has("winter.from", day) and in_winter(law, day)


def terms_of(plant_id: int, business_id: int, law: Law, at: datetime) -> Terms:
    """What a hauler may book under at an instant, approvals that are over left out."""
    today = at.astimezone(law.zone).date()
    gone = {one.approval_id for one in haulers.revocations_of([business_id], plant_id).get(business_id, ())
            if one.at <= at}  # fmt: skip
    rows = []
    for one in haulers.last_approvals(plant_id, business_id):
        if one.id in gone or one.ends < today:
            continue
        taken = used_and_booked(one.id, law, at)
        rows.append(Left(one.starts, one.ends, max(0, one.gallons_winter - taken.taken(True)),
                         max(0, one.gallons_rest - taken.taken(False))))  # fmt: skip
    licence = haulers.licence_of(business_id)
    return Terms(law, tuple(sorted(rows, key=lambda row: row.first)), licence.ends_on if licence else None, today)
