"""How much of an approval is used and booked, winter and the rest of the year apart (§ 329-7 B(2), § 281.49).

And of its limits by type of waste and day, week or part of the season (NR 113.07(2)(b)).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import cache
from typing import Any

from sqlalchemy import bindparam, func, literal, select, union_all

from haulers import queries as haulers
from haulers.queries import AllowanceLine, Approval
from intake.models import Booking, Load, PlannedSession, Run
from intake.queries.capacity import opened, stopped, turned_away
from intake.states import BookingState, LoadState
from office import formats
from office.asked import cells
from office.db import db
from office.facts import seen
from ordinances.calendar import in_winter, season_of
from ordinances.reader import Law
from ordinances.refusal import Refusal
from ordinances.screening import WASTE_TYPES


@dataclass(frozen=True)
class Allowance:
    """Whole gallons unloaded and gallons still planned under one approval."""

    winter_used: int = 0
    winter_booked: int = 0
    rest_used: int = 0
    rest_booked: int = 0

    def taken(self, winter: bool) -> int:
        """Gallons of one part of the season that nobody else may count on."""
        return self.winter_used + self.winter_booked if winter else self.rest_used + self.rest_booked


def used_and_booked(
    approval_id: int, law: Law, at: datetime | None = None, except_booking: int | None = None,
    ids: Sequence[int] = (),
) -> Allowance:  # fmt: skip
    """What an approval has unloaded and what is still planned under it.

    With ``at`` sessions of days gone by count no more: a truck that never came gives its gallons back. A booking
    held by a restriction keeps them. What was unloaded under an approval this one came in the place of counts on;
    what was booked under that does not. ``ids``: that approval and those it came in the place of, where they are known.
    """
    known = tuple(ids or [approval_id, *haulers.replaced_by(approval_id)])
    since = at.astimezone(law.zone).date() if at is not None else date.min
    rows = _taken(approval_id, known, since, except_booking or 0)
    used, booked = (_by_part(((day, gallons) for kind, day, gallons in rows if kind == which), law)
                    for which in ("used", "booked"))  # fmt: skip
    return Allowance(used[True], booked[True], used[False], booked[False])


@seen
def _taken(approval_id: int, ids: tuple[int, ...], since: date, except_booking: int) -> list[Any]:
    """Kind ("used", "booked"), day and gallons of what is unloaded and what is planned, in one query."""
    given = {"approval_id": approval_id, "ids": ids, "since": since, "except_booking": except_booking}
    return cells(_both(), **given)


@cache
def _both() -> Any:
    parts = []
    for kind, query in (("used", _unloaded(False)), ("booked", _planned(False))):
        day, gallons = query.selected_columns
        parts.append(query.with_only_columns(literal(kind).label("kind"), day, gallons))
    return union_all(*parts)


def used(approval_id: int) -> int:
    """Gallons unloaded under an approval so far."""
    return sum(gallons for _, gallons in _used([approval_id, *haulers.replaced_by(approval_id)]))


def _used(ids: Sequence[int], by_waste: bool = False) -> Sequence[Any]:
    """Gallons unloaded under some approvals by day, or by day and type of waste."""
    return db.session.execute(_unloaded(by_waste), {"ids": list(ids)}).all()


@cache
def _unloaded(by_waste: bool) -> Any:
    more = (Load.waste,) if by_waste else ()
    return (
        select(Run.day, *more, func.sum(Run.gallons))
        .join(Load, Load.id == Run.load_id)
        .where(Load.approval_id.in_(bindparam("ids", expanding=True)), Load.state == LoadState.ACCEPTED.value)
        .group_by(Run.day, *more)
    )


def _booked(approval_id: int, law: Law, at: datetime | None, except_booking: int | None, by_waste: bool = False
            ) -> Sequence[Any]:  # fmt: skip
    """Gallons planned by day, or by day and type of waste."""
    since = at.astimezone(law.zone).date() if at is not None else date.min
    values = {"approval_id": approval_id, "since": since, "except_booking": except_booking or 0}
    return db.session.execute(_planned(by_waste), values).all()


@cache
def _planned(by_waste: bool) -> Any:
    more = (Booking.waste,) if by_waste else ()
    return (
        select(PlannedSession.day, *more, func.sum(PlannedSession.gallons))
        .join(Booking, Booking.id == PlannedSession.booking_id)
        .where(Booking.approval_id == bindparam("approval_id"), Booking.state == BookingState.BOOKED.value)
        .where(PlannedSession.day >= bindparam("since"), Booking.id != bindparam("except_booking"))
        .where(~opened(), ~turned_away(), ~stopped())
        .group_by(PlannedSession.day, *more)
    )


def _by_part(rows: Iterable[Any], law: Law) -> dict[bool, int]:
    parts = {True: 0, False: 0}
    for day, gallons in rows:
        parts[_winter(law, day)] += int(gallons)
    return parts


def _winter(law: Law, day: date) -> bool:
    return law.has("winter.from", day) and in_winter(law, day)


PERIODS = {"day": "a day", "week": "a week", "winter": "in winter", "rest": "in the rest of the year",
           "season": "in the season"}  # fmt: skip


@dataclass(frozen=True)
class Passed:
    """A limit a load would pass: its sentence for people, whether it is refused or only said, gallons left."""

    hard: bool
    sentence: str
    left: int


@dataclass(frozen=True, eq=False)
class Limits:
    """The limits of one approval and what counts against them: gallons unloaded or planned, by day and waste."""

    approval: Approval
    law: Law
    lines: Sequence[AllowanceLine]
    taken: Sequence[tuple[date, str, int]] = field(default=())

    def left(self, line: AllowanceLine, day: date) -> int:
        """Gallons of a limit left for the stretch of time a day lies in; 0 when it is passed."""
        stretch = _stretch(self.law, line.period, day)
        gone = sum(gallons for on, waste, gallons in self.taken
                   if line.waste in ("", waste) and _stretch(self.law, line.period, on) == stretch)  # fmt: skip
        return max(0, line.gallons - gone)

    def on(self, day: date, waste: str) -> list[AllowanceLine]:
        """The limits a load of this waste counts against on a day; all of them with waste ""."""
        winter = _winter(self.law, day)
        return [one for one in self.lines if (not waste or one.waste in ("", waste))
                and (one.period not in ("winter", "rest") or (one.period == "winter") is winter)]  # fmt: skip

    def room(self, day: date, waste: str) -> int | None:
        """The most gallons of a waste the hard limits leave for a day; None where there is no such limit."""
        return min((self.left(one, day) for one in self.on(day, waste) if one.hard), default=None)

    def passed(self, parts: Sequence[tuple[date, int]], waste: str) -> list[Passed]:
        """The limits that a load in parts (day and gallons) would pass, refused ones first."""
        found: dict[tuple[int, Any], Passed] = {}
        for line in self.lines:
            for day, _ in parts:
                if line not in self.on(day, waste):
                    continue
                stretch = _stretch(self.law, line.period, day)
                asked = sum(gallons for on, gallons in parts if _stretch(self.law, line.period, on) == stretch)
                if asked > (left := self.left(line, day)):
                    found[line.id, stretch] = Passed(line.hard, self.words(line, day, left, asked), left)
        return sorted(found.values(), key=lambda one: not one.hard)

    def words(self, line: AllowanceLine, day: date, left: int, asked: int) -> str:
        """ "Approval A-2026-27-001 allows 2,000 gallons of holding tank waste a week: 500 are left ..., not 1,000." """
        are = "is" if left == 1 else "are"
        said = f"{limit_words(line)}: {formats.gallons(left)} {are} left {stretch_words(line.period, day)}"
        return f"Approval {self.approval.number} allows {said}, and this load has {formats.gallons(asked)}."

    def refusal(self, parts: Sequence[tuple[date, int]], waste: str) -> Refusal | None:
        """Why a load may not come at all under the hard limits, or None."""
        hard = next((one for one in self.passed(parts, waste) if one.hard), None)
        if hard is None:
            return None
        return Refusal("limit", hard.sentence, plan_cite(self.law, parts[0][0]), details={"left": hard.left})

    def note(self, parts: Sequence[tuple[date, int]], waste: str) -> str:
        """What the limits that refuse nothing say of a load; "" when it passes none."""
        return " ".join(one.sentence for one in self.passed(parts, waste) if not one.hard)


def limits(approval: Approval, law: Law, at: datetime | None = None, except_booking: int | None = None) -> Limits:
    """The limits of an approval with what counts against them; sessions of days gone by count as in
    ``used_and_booked``. One query where it has none.
    """
    lines = haulers.lines_of(approval)
    if not lines:
        return Limits(approval, law, ())
    used = _used(haulers.with_replaced(approval), by_waste=True)
    rows = [*used, *_booked(approval.id, law, at, except_booking, by_waste=True)]
    return Limits(approval, law, lines, [(day, waste, int(gallons)) for day, waste, gallons in rows])


def limit_words(line: AllowanceLine) -> str:
    """ "2,000 gallons of holding tank waste a week" """
    what = f" of {WASTE_TYPES[line.waste].lower()} waste" if line.waste else ""
    return f"{formats.volume(line.gallons)}{what} {PERIODS[line.period]}"


def stretch_words(period: str, day: date) -> str:
    """ "for Tuesday, October 6, 2026", "for the week from October 5, 2026", "for the winter" """
    if period == "week":
        return f"for the week from {formats.date_only(day - timedelta(days=day.weekday()))}"
    return f"for {formats.day(day)}" if period == "day" else PERIODS[period]


def plan_cite(law: Law, day: date) -> str:
    """The section the limits of a disposal plan rest on."""
    for key in ("state.plan_items", "decision.settles"):
        if law.has(key, day):
            return law.cite(key, day)
    return ""


def _stretch(law: Law, period: str, day: date) -> Any:
    """What two days have in common that count together: the day, its week from Monday, its part of the season."""
    if period == "day":
        return day
    if period == "week":
        return day - timedelta(days=day.weekday())
    season = season_of(law, day).name
    return season if period == "season" else (season, _winter(law, day))
