"""Exact instants and rates: an instant is a whole number of microseconds, so seconds of a measured run count too."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from decimal import ROUND_FLOOR, Decimal, localcontext
from fractions import Fraction

Rate = int | Decimal
Exact = int | Fraction

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_TICK = timedelta(microseconds=1)
MINUTE = timedelta(minutes=1) // _TICK
QUARTER = 15 * MINUTE
HOUR = 60 * MINUTE


def tick(at: datetime) -> int:
    """Microseconds since the epoch; raises ValueError for an instant without its zone."""
    if at.tzinfo is None:
        raise ValueError("an instant needs its time zone")
    return (at - _EPOCH) // _TICK


def instant(ticks: int, zone: tzinfo | None) -> datetime:
    """The instant in a zone."""
    return (_EPOCH + ticks * _TICK).astimezone(zone)


def up(ticks: int, unit: int) -> int:
    """The next whole unit, or the instant itself when it is one."""
    return -(-ticks // unit) * unit


def exact(rate: Rate) -> Exact:
    """A rate for reckoning: whole numbers stay whole, which is many times faster."""
    return rate if isinstance(rate, int) else Fraction(rate)


def plain(rate: Exact) -> Rate:
    """The rate as a number for people: whole where it is whole; a fraction without end is rounded down."""
    if isinstance(rate, int) or rate.denominator == 1:
        return int(rate)
    with localcontext() as context:
        context.prec, context.rounding = 40, ROUND_FLOOR
        return Decimal(rate.numerator) / Decimal(rate.denominator)


def ceil(number: Fraction) -> int:
    return -(-number.numerator // number.denominator)
