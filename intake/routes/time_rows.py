"""Rows of the pages of times, drawn here: a template needs many times longer for each of their cells."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from markupsafe import Markup, escape

from intake.queries.capacity import DayPicture
from intake.queries.offered import DayChoice, Offered
from intake.routes.base import bp
from office.formats import clock_time, day_short, gallons, plant_zone
from ordinances.offers import NoFit


@bp.app_template_global()
def drawn_of_day(picture: DayPicture, at: datetime, *values: Any, caller: Any) -> Markup:
    """A part of a page that says nothing but what is free on a day and these values: drawn once for all who ask before
    the day begins. ``{% call drawn_of_day(picture, page.at, …) %}``."""
    found: Markup = picture.once(("drawn", *values), at, lambda: Markup(caller()))
    return found


@bp.app_template_global()
def miss_rows(misses: Sequence[NoFit]) -> Markup:
    """The starts that do not fit: when, room in gallons, why."""
    zone = plant_zone()
    return Markup("".join(
        f'<tr><th scope="row">{clock_time(one.start, zone)}</th><td class="num">{gallons(one.free)}</td>'
        f"<td>{escape(one.reason)}</td></tr>" for one in misses))  # fmt: skip


@bp.app_template_global()
def day_rows(found: Offered, way: Any, args: Mapping[str, Any]) -> Markup:
    """The next open days: gallons free, the largest load, and the way to the times of each on which the load fits.

    ``way.url`` makes the address of the times from ``args`` and the day.
    """
    rows = []
    for one in found.days:
        day = day_short(one.day)
        note = f'<span class="note fw-normal">{escape(one.why)}</span>' if one.why and not one.over else ""
        there = _there(found, one, day, way, args)
        rows.append(f'<tr><th scope="row">{day}{note}</th><td class="num">{gallons(one.room)}</td>'
                    f'<td class="num">{gallons(one.largest)}</td><td>{there}</td></tr>')  # fmt: skip
    return Markup("".join(rows))


def _there(found: Offered, one: DayChoice, day: str, way: Any, args: Mapping[str, Any]) -> str:
    if one.day == found.day and not one.why:
        return "Shown"
    if one.fits:
        to = escape(way.url("times", day=one.day.isoformat(), **args))
        return f'<a href="{to}">See times<span class="visually-hidden"> on {day}</span></a>'
    if one.over:
        return "Over"
    return "No" if one.why else "Too small" if one.largest else "Full"
