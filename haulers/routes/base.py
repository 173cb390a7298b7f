"""The blueprint of this room, and what several of its pages need."""

from typing import Any

from flask import Blueprint, abort

from haulers import queries
from haulers.models import Application, ApplicationSource, Business
from office.formats import date_only, gallons
from office.pages import Page
from ordinances.allocation import AREAS
from ordinances.calendar import Season, winter
from ordinances.screening import WASTE_TYPES

bp = Blueprint("haulers", __name__)


def own_business(here: Page) -> Business:
    """The business the signed-in hauler acts for; not found for somebody without one."""
    found = queries.business_of_party(here.by.party_id)
    return found or abort(404)


def application_here(here: Page, application_id: int) -> Application:
    """An application of this plant that was sent; not found otherwise."""
    found = queries.application(here.plant.id, application_id)
    return found if found is not None and found.filed_at is not None else abort(404)


def winter_words(here: Page, season: Season) -> str:
    """ "November 15, 2026, to April 15, 2027"; "" where the law has no winter."""
    if not here.law.has("winter.from", season.start):
        return ""
    first, last = winter(here.law, season)
    return f"{date_only(first)}, to {date_only(last)}"


def source_rows(source: ApplicationSource, change: str = "") -> list[tuple[Any, ...]]:
    """One source as a summary list shows it."""
    tank = "Replaced a failed system" if source.replaces_failed else "Existing" if source.existing else "New"
    amounts = [source.gallons_a_load, source.gallons_winter, source.gallons_rest]
    words = ["" if amount is None else gallons(amount) for amount in amounts]
    shown = [
        ("Type of waste", WASTE_TYPES.get(source.waste, "")), ("Where it comes from", source.place),
        ("Service area", AREAS.get(source.area, "")), ("The tank", tank), ("How often", source.frequency),
        ("Gallons a load", words[0]), ("Gallons in winter", words[1]), ("Gallons in the rest of the year", words[2]),
    ]  # fmt: skip
    hidden = f"of source {source.position}"
    return [(name, value, change, f"{name.lower()} {hidden}") if change else (name, value) for name, value in shown]
