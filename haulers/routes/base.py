"""The blueprint of this room, and what several of its pages need."""

from typing import Any

from flask import Blueprint, abort

from haulers import queries
from haulers.models import Application, ApplicationSource, Business
from haulers.queries.answers import source_words
from office.formats import date_only
from office.pages import Page
from ordinances.calendar import Season, winter

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
    shown = source_words(source)
    hidden = f"of source {source.position}"
    return [(name, value, change, f"{name.lower()} {hidden}") if change else (name, value) for name, value in shown]
