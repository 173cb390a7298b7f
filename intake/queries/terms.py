"""What a hauler may still book on a day: inside an approval and its limits, with papers that hold (§ 329-7 B, C)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cached_property

from haulers import queries as haulers
from intake.queries.allowance import Limits, limits, used_and_booked
from intake.queries.capacity import Span
from office import formats
from ordinances.booking_terms import too_far
from ordinances.calendar import in_winter, season_of, winter
from ordinances.offers import Session
from ordinances.reader import Law
from ordinances.refusal import Refusal
from ordinances.screening import WASTE_TYPES, waste_allowed

NOTHING_LEFT = "Your approvals allow no booking on this day"


@dataclass(frozen=True)
class Left:
    """The days of one approval and the gallons left in its winter and in the rest of its season.

    ``held`` says why it is held now, "" when it is not. ``covers`` are its types of waste; ``refused`` is why what is
    to be brought is none of them, or its truck none of the approval's.
    """

    first: date
    last: date
    winter: int
    rest: int
    limits: Limits
    held: str = ""
    covers: tuple[str, ...] = ()
    refused: Refusal | None = None


@dataclass(frozen=True)
class Terms:
    """A hauler's approvals that are not revoked, and the day their license ends (None: none on record).

    ``waste`` is what is to be brought; "" when that is not known yet. ``named`` is the hauler's name where staff read
    what stands against it; "" where the hauler reads it.
    """

    law: Law
    approvals: tuple[Left, ...]
    license_ends: date | None
    today: date
    business_id: int
    waste: str = ""
    named: str = ""

    @property
    def spans(self) -> list[Span]:
        """First and last day of each approval."""
        return [(one.first, one.last) for one in self.approvals]

    def gallons_on(self, day: date) -> int:
        """The most gallons that may still be booked on a day; 0 outside an approval or without papers that hold."""
        found, wrong = self._on(day)
        return 0 if found is None or wrong else self._left(found, day)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The types of waste that one of the approvals covers and the law allows."""
        covered = {waste for one in self.approvals for waste in one.covers}
        return tuple(waste for waste in WASTE_TYPES
                     if waste in covered and waste_allowed(self.law, self.today, waste) is None)  # fmt: skip

    def waste_wrong(self, days: Sequence[date] = ()) -> Refusal | None:
        """Why what is to be brought, or its truck, may not come on some days, or (without days) under any approval."""
        if (no := waste_allowed(self.law, days[0] if days else self.today, self.waste)) is not None:
            return no
        asked = [self._approval(day) for day in days] if days else list(self.approvals)
        refused = [one.refused for one in asked if one is not None and one.refused]
        return refused[0] if refused and (days or len(refused) == len(asked)) else None

    def _left(self, found: Left, day: date) -> int:
        left = found.winter if is_winter(self.law, day) else found.rest
        room = found.limits.room(day, self.waste) if self.waste else None
        return left if room is None else min(left, room)

    def _papers(self, day: date) -> str:
        wrong = haulers.papers_wrong(self.business_id, day, self.law)
        return wrong.why.rstrip(".") if wrong is not None else ""

    def licensed(self, day: date) -> bool:
        """Whether the license holds on a day, or none is needed."""
        needed = self.law.has("approval.licence", day) and self.law.value("approval.licence", day)
        return not needed or (self.license_ends is not None and self.license_ends >= day)

    def why_not(self, day: date, gallons: int) -> str:
        """Why so many gallons cannot be booked on a day whatever is free at the plant; "" when they can."""
        found, wrong = self._on(day)
        return wrong if wrong or found is None else self._short(found, day, gallons)

    def _on(self, day: date) -> tuple[Left | None, str]:
        """The approval of a day, and what stands against any gallons on it; looked at once for all who ask."""
        if day not in self._days:
            self._days[day] = self._looked_at(day)
        return self._days[day]

    @cached_property
    def _days(self) -> dict[date, tuple[Left | None, str]]:
        return {}

    def _looked_at(self, day: date) -> tuple[Left | None, str]:
        found = self._approval(day)
        if found is None:
            who = f"The approvals of {self.named} allow no booking on this day" if self.named else NOTHING_LEFT
            return None, who
        far = too_far(self.law, day, self.today)
        if far is not None:
            return found, far.why.rstrip(".")
        waste = found.refused.why.rstrip(".") if found.refused else ""
        return found, waste or self._license_wrong(day) or found.held or self._papers(day)

    def _license_wrong(self, day: date) -> str:
        if self.licensed(day):
            return ""
        if self.license_ends is None:
            return f"No state license of {self.named or 'yours'} is on record"
        ended = "ended" if self.license_ends < self.today else "ends"
        whose = f"The license of {self.named}" if self.named else "Your license"
        return f"{whose} {ended} on {formats.date_only(self.license_ends)}"

    def _short(self, found: Left, day: date, gallons: int) -> str:
        passed = found.limits.passed([(day, gallons)], self.waste) if self.waste else []
        if passed and passed[0].hard:
            return passed[0].sentence.rstrip(".")
        left = found.winter if is_winter(self.law, day) else found.rest
        if left >= gallons:
            return ""
        until = formats.date_only(self._until(day, found.last))
        who = f"{self.named} has" if self.named else "You have"
        return f"{who} {formats.plural(left, 'gallon')} left until {until}"

    def covers(self, parts: Sequence[Session]) -> bool:
        """Whether several sessions together stay inside what is left of both parts of the season."""
        asked: dict[tuple[Left | None, bool], int] = {}
        for one in parts:
            day = one.start.astimezone(self.law.zone).date()
            key = (self._approval(day), is_winter(self.law, day))
            asked[key] = asked.get(key, 0) + one.gallons
        whole = all(
            found is not None and total <= (found.winter if cold else found.rest)
            for (found, cold), total in asked.items()
        )
        return whole and all(self._within(found, parts) for found in {found for found, _ in asked})

    def _within(self, found: Left | None, parts: Sequence[Session]) -> bool:
        days = [(one.start.astimezone(self.law.zone).date(), one.gallons) for one in parts]
        mine = [(day, gallons) for day, gallons in days if self._approval(day) is found]
        return found is not None and found.limits.refusal(mine, self.waste) is None

    def _approval(self, day: date) -> Left | None:
        """The approval a day is booked under: the newer one where last season's was carried over into it."""
        return next((one for one in reversed(self.approvals) if one.first <= day <= one.last), None)

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


def terms_of(
    plant_id: int, business_id: int, law: Law, at: datetime, waste: str = "", except_booking: int | None = None,
    truck: haulers.Truck | None = None,
) -> Terms:  # fmt: skip
    """What a hauler may book under at an instant, approvals that are over left out; limits as for a type of waste.

    The gallons of ``except_booking``, the one that moves, count as left. ``truck`` is the one that is to come.
    """
    today = at.astimezone(law.zone).date()
    known = haulers.last_approvals(plant_id, business_id)
    rows = []
    for one in known:
        last, revocation = haulers.last_of(one), haulers.revoked(one)
        if revocation is not None:
            last = min(last, (revocation.from_day or today) - timedelta(days=1))
        if last < today:
            continue
        taken = used_and_booked(one.id, law, at, except_booking, haulers.with_replaced(one))
        held = haulers.held_on(one, at, today)
        winter, rest = haulers.granted(one)
        why_held = haulers.suspended_words(one, held).rstrip(".") if held else ""
        kinds = haulers.covered(one)
        refused = haulers.waste_covered(one, waste, law) if waste and waste not in kinds else None
        refused = refused or (haulers.truck_covered(one, truck, law) if truck is not None else None)
        rows.append(Left(one.starts, last, max(0, winter - taken.taken(True)), max(0, rest - taken.taken(False)),
                         limits(one, law, at, except_booking), why_held, kinds, refused))  # fmt: skip
    licence = haulers.licence_of(business_id)
    return Terms(law, tuple(sorted(rows, key=lambda row: row.first)), licence.ends_on if licence else None, today,
                 business_id, waste)  # fmt: skip
