"""How days, times, gallons and money read on every page, letter and mail.

Pure functions: equal input gives equal words. A function that takes ``zone`` turns an aware datetime into that zone's
wall time first; a naive datetime, a date or a time is taken as wall time already. ``register`` makes them Jinja filters
that use the zone of the plant the page belongs to.
"""

import re
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache
from typing import Any
from zoneinfo import ZoneInfo

from flask import Flask, g, has_app_context

MINUS = "−"
Zone = ZoneInfo | None


def _wall(moment: date | datetime, zone: Zone) -> date | datetime:
    if isinstance(moment, datetime) and moment.tzinfo is not None and zone is not None:
        return moment.astimezone(zone)
    return moment


def date_only(moment: date | datetime, zone: Zone = None) -> str:
    """``October 6, 2026``."""
    d = _wall(moment, zone)
    return f"{d:%B} {d.day}, {d.year}"


def day_said(words: str) -> date:
    """The day ``date_only`` wrote in words."""
    return datetime.strptime(f"{words} +0000", "%B %d, %Y %z").date()


def day(moment: date | datetime, zone: Zone = None) -> str:
    """``Tuesday, October 6, 2026``."""
    d = _wall(moment, zone)
    return f"{d:%A}, {date_only(d)}"


def day_short(moment: date | datetime, zone: Zone = None) -> str:
    """``Tue, Oct 6``."""
    d = _wall(moment, zone)
    return _short(d.year, d.month, d.day)


@lru_cache(maxsize=1_000)
def _short(year: int, month: int, day_: int) -> str:
    return f"{date(year, month, day_):%a, %b} {day_}"


def _time_parts(moment: datetime | time, zone: Zone) -> tuple[str, str]:
    t = _wall(moment, zone) if isinstance(moment, datetime) else moment
    assert isinstance(t, datetime | time)
    if t.minute == 0 and t.hour in (0, 12):
        return "12:00", "noon" if t.hour else "midnight"
    return f"{(t.hour - 1) % 12 + 1}:{t.minute:02d}", "a.m." if t.hour < 12 else "p.m."


def clock_time(moment: datetime | time, zone: Zone = None) -> str:
    """``7:45 a.m.``; 12:00 is ``12:00 noon`` so that nobody has to know what 12 p.m. is. Seconds are cut."""
    return " ".join(_time_parts(moment, zone))


def span(start: datetime | time, end: datetime | time, zone: Zone = None) -> str:
    """``7:45 to 9:16 a.m.``, ``11:30 a.m. to 12:15 p.m.``; two days apart the days are named."""
    if isinstance(start, datetime) and isinstance(end, datetime):
        first, last = _wall(start, zone), _wall(end, zone)
        if (first.year, first.month, first.day) != (last.year, last.month, last.day):
            return f"{day_short(first)}, {clock_time(start, zone)} to {day_short(last)}, {clock_time(end, zone)}"
    (from_clock, from_half), (to_clock, to_half) = _time_parts(start, zone), _time_parts(end, zone)
    if from_half == to_half:
        return f"{from_clock} to {to_clock} {to_half}"
    return f"{from_clock} {from_half} to {to_clock} {to_half}"


def day_time(moment: datetime, zone: Zone = None) -> str:
    """``Tuesday, October 6, 2026, 7:45 a.m.``; in an hour that comes twice which one: ``1:30 a.m. CDT``."""
    return f"{day(moment, zone)}, {clock_time(moment, zone)}{_which(_wall(moment, zone))}"


def _which(moment: date | datetime) -> str:
    """The name of the time in the hour that comes twice when the clock is set back; "" in any other."""
    if not isinstance(moment, datetime) or moment.tzinfo is None:
        return ""
    first, second = (moment.replace(fold=fold).utcoffset() for fold in (0, 1))
    return f" {moment.tzname()}" if first is not None and second is not None and first > second else ""


def gallons(count: int) -> str:
    """``1,500``: whole gallons; round once before, never here."""
    return f"{count:,}".replace("-", MINUS)


def money(amount: int | Decimal) -> str:
    """``$48.16`` from cents (int) or dollars (Decimal, half up once); ``−$2.82`` when less than nothing."""
    dollars = Decimal(amount) / 100 if isinstance(amount, int) else amount
    dollars = dollars.quantize(Decimal("0.01"), ROUND_HALF_UP)
    return f"{MINUS if dollars < 0 else ''}${abs(dollars):,.2f}"


def price(each: Decimal) -> str:
    """The price of one, in dollars: ``$31.00``, ``$0.125``, at least two decimals and every one it has."""
    exponent = each.normalize().as_tuple().exponent
    return f"${each:,.{max(2, -exponent if isinstance(exponent, int) else 2)}f}"


def number(value: int | Decimal) -> str:
    """``12.5`` from ``12.50``, ``24,000`` from ``24000``: thousands comma, no trailing zeros."""
    text = f"{abs(value):,f}" if isinstance(value, Decimal) else f"{abs(value):,}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return f"{MINUS if value < 0 else ''}{text}"


def plural(count: int, one: str, many: str | None = None) -> str:
    """``1 load``, ``3 loads``, ``2 entries`` (``many`` given)."""
    return f"{gallons(count)} {one if count == 1 else many or one + 's'}"


def volume(count: int) -> str:
    """``1 gallon``, ``1,500 gallons``."""
    return plural(count, "gallon")


def rate(gph: int | None) -> str:
    """``1 gallon an hour``, ``1,500 gallons an hour``."""
    return f"{volume(gph or 0)} an hour"


def minutes_words(minutes: int) -> str:
    """``2 hours 16 minutes``."""
    hours, rest = divmod(minutes, 60)
    parts = [plural(hours, "hour")] if hours else []
    if rest or not hours:
        parts.append(plural(rest, "minute"))
    return " ".join(parts)


def time_left(left: timedelta) -> str:
    """How long there is still, never more than is true: ``14 days``, within two days ``47 hours``, then minutes."""
    minutes = int(left.total_seconds()) // 60
    if minutes >= 48 * 60:
        return plural(minutes // (24 * 60), "day")
    if minutes >= 60:
        return plural(minutes // 60, "hour")
    return plural(minutes, "minute") if minutes else "Less than a minute"


def full_stop(words: str) -> str:
    """A sentence ends with one full stop, also after ``a.m.``."""
    return words if words.endswith(".") else f"{words}."


def dial(phone: str) -> str:
    """``tel:`` address of a phone as people write it: ``(715) 555-0100 ext. 12`` -> ``tel:+17155550100;ext=12``."""
    main, _, extension = re.sub(r"(?i)\s*(ext\.?|extension|x|#)\s*", "x", phone, count=1).partition("x")
    digits, tail = re.sub(r"[^0-9]", "", main), re.sub(r"[^0-9]", "", extension)
    if len(digits) == 10:
        digits = "1" + digits
    plus = "+" if len(digits) > 10 else ""
    return f"tel:{plus}{digits}" + (f";ext={tail}" if tail else "")


def plant_zone() -> Zone:
    """The zone of the plant this page belongs to, or None outside a plant."""
    zone = getattr(getattr(g, "plant", None), "zone", None) if has_app_context() else None
    return ZoneInfo(zone) if isinstance(zone, str) else zone


def _in_plant_zone(words: Callable[..., str]) -> Callable[..., str]:
    def filtered(*args: Any, **kwargs: Any) -> str:
        kwargs.setdefault("zone", plant_zone())
        return words(*args, **kwargs)

    return filtered


def register(app: Flask) -> None:
    """Make every format a Jinja filter of the same name; times follow the plant's zone."""
    for words in (date_only, day, day_short, clock_time, span, day_time):
        app.jinja_env.filters[words.__name__] = _in_plant_zone(words)
    for plain in (gallons, money, price, number, plural, minutes_words, time_left, full_stop, dial):
        app.jinja_env.filters[plain.__name__] = plain
