"""What each rule of a profile, and each order of the Director, lets through at once (§ 329-7 F(3) of Bayfield).

The limit of an instant is the lowest of all bounds that hold in it. Bounds are exact gallons an hour.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction

from ordinances.calendar import Hours, shut_part
from ordinances.loading import source_words, typical
from ordinances.rows import Law, Row
from ordinances.schema import WASTES
from ordinances.values import LowerRate, lower_words, time_words

HOURS_A_DAY = 24
_MILLION = 1_000_000
_SECOND = timedelta(seconds=1)


@dataclass(frozen=True)
class Bound:
    """One bound: gallons an hour, not rounded, its name and arithmetic in words, and its §.

    It holds over [start, end), both in UTC, or the whole day where these are None.
    """

    key: str
    gph: Fraction
    name: str
    words: str
    cite: str
    reading: str | None = None
    start: datetime | None = None
    end: datetime | None = None

    def covers(self, at: datetime | None) -> bool:
        """Whether it holds at an instant in UTC; None asks whether it holds the whole day."""
        if self.start is None or self.end is None:
            return True
        return at is not None and self.start <= at < self.end


def share_of(law: Law, day: date, flow_gpd: int) -> Bound:
    """The share of a flow, by the hour."""
    row = law.row("rate.percent", day)
    gph = Fraction(flow_gpd) * Fraction(row.value) / (100 * HOURS_A_DAY)
    return Bound(row.key, gph, "the share of the flow", "", row.cite, row.reading)


def stated_figure(law: Law, day: date) -> Bound:
    """The ceiling the text states."""
    row = law.row("rate.plan_gph", day)
    return Bound(row.key, Fraction(row.value), "the stated figure", "", row.cite, row.reading)


def further(law: Law, day: date, hours: Hours | None, bod_mg_l: Decimal | None) -> list[Bound]:
    """Every other bound the law or the Director has put on a day; `bod_mg_l` is a strength given, if any.

    Lower limits for part of a day come only where the day has hours; so do pounds a day, which are spread over them.
    """
    found: list[Bound] = []
    if law.has("rate.own_ceiling_gph", day):
        row = law.row("rate.own_ceiling_gph", day)
        words = f"the Director's own limit = {row.value:,} gallons an hour ({row.cite})"
        found.append(Bound(row.key, Fraction(row.value), "the Director's own limit", words, row.cite, row.reading))
    for key in ("rate.bod_lb_day", "rate.own_bod_lb_day"):
        if hours is not None and law.has(key, day):
            found.append(_pounds(law, day, law.row(key, day), hours, bod_mg_l))
    for key in ("rate.lower", "rate.own_lower"):
        if law.has(key, day):
            row = law.row(key, day)
            found.extend(_lower(law, day, row, hours, [one for one in row.value if one.on(day)]))
    return [*found, *_shut(law, day)]


def _shut(law: Law, day: date) -> list[Bound]:
    """The part of a day that the plant's calendar closes: nothing is let through in it."""
    shut = shut_part(law, day)
    if shut is None:
        return []
    part, name = shut
    hours = f"from {time_words(part.start.time())} to {time_words(part.end.time())}"
    words = f"closed {hours}: {name} ({part.cite})"
    first, last = part.start.astimezone(UTC), part.end.astimezone(UTC)
    return [Bound("hours.closed", Fraction(0), "the closure", words, part.cite, part.reading, first, last)]


def length(hours: Hours) -> Fraction:
    """The hours a day is open, by the clock that never changes."""
    return Fraction((hours.end.astimezone(UTC) - hours.start.astimezone(UTC)) // _SECOND, 3600)


def _pounds(law: Law, day: date, row: Row, hours: Hours, given: Decimal | None) -> Bound:
    """Pounds ÷ (factor × mg/L ÷ a million) are the gallons of a day; spread evenly over its open hours.

    Where no strength is known the pounds of a gallon are not, so nothing is let through until the law states one.
    """
    found = _strength(law, day, given)
    if found is None:
        words = (f"{row.value:,} pounds of BOD5 a day: no strength of the waste is stated, so no gallon is known to "
                 "fit")  # fmt: skip
        return Bound(row.key, Fraction(0), "the pounds of BOD5", f"{words} ({row.cite})", row.cite, row.reading)
    mg_l, known = found
    factor: Decimal = law.value("strength.lb_factor", day)
    gallons = Fraction(row.value) * _MILLION / (Fraction(factor) * Fraction(mg_l))
    gph = gallons / length(hours)
    words = (
        f"{row.value:,} pounds of BOD5 a day ÷ ({factor} × {mg_l:,} mg/L ÷ 1,000,000) = "
        f"{int(gallons):,} gallons a day; over {float(length(hours)):g} hours = {int(gph):,} gallons an hour; {known}"
    )
    return Bound(row.key, gph, "the pounds of BOD5", f"{words} ({row.cite})", row.cite, row.reading)


def _strength(law: Law, day: date, given: Decimal | None) -> tuple[Decimal, str] | None:
    """The strength reckoned with: one given, the law's own, or the strongest typical one of what approvals cover."""
    if given is not None:
        if given <= 0:
            raise ValueError("a strength must be above zero")
        return given, "the strength was given"
    if law.has("rate.bod_mg_l", day):
        return Decimal(law.value("rate.bod_mg_l", day)), "the strength is the one stated"
    known = {waste: row for waste in WASTES if (row := typical(law, day, waste, "bod")) is not None}
    covered = law.value("approval.covers", day) if law.has("approval.covers", day) else WASTES
    rows = [known[waste] for waste in covered if waste in known] or list(known.values())
    if not rows:
        return None
    strongest = max(rows, key=lambda row: int(row.value))
    return Decimal(strongest.value), f"the strength is typical ({source_words(strongest)})"


def _lower(law: Law, day: date, row: Row, hours: Hours | None, parts: list[LowerRate]) -> Iterator[Bound]:
    name = "a lower limit" if row.key == "rate.lower" else "the Director's lower limit"
    for one in parts:
        words = f"{name}: {lower_words(one)} ({row.cite})"
        start = end = None
        if one.opens is not None and one.closes is not None:
            if hours is None:
                continue
            # An hour that comes twice, or never, when the clock is set: the lower limit gets the longer reading.
            start, end = min(_instants(law, day, one.opens)), max(_instants(law, day, one.closes))
        yield Bound(row.key, Fraction(one.gph), name, words, row.cite, row.reading, start, end)


def _instants(law: Law, day: date, wall: time) -> list[datetime]:
    return [datetime.combine(day, wall.replace(fold=fold), law.zone).astimezone(UTC) for fold in (0, 1)]
