"""Pages that only a place with a standing programme has: a town by agreement, or one that takes no septage, says why.

Links in the header, the footer and the settings leave such pages out where the law in force offers none of it.
"""

from collections.abc import Callable
from datetime import datetime
from functools import wraps
from typing import Any

from flask import current_app, g, redirect, request, url_for

from office.access import Role
from office.db import READING
from office.law import law_now
from office.plants import Plant
from ordinances.programme import not_served
from ordinances.reader import NoLaw
from ordinances.refusal import Refusal

View = Callable[..., Any]
# Views by module and name: those of a standing programme, and those of places without one.
STANDING: set[tuple[str, str]] = set()
ELSEWHERE: set[tuple[str, str]] = set()
# Pages whose own panel says so.
SAID = {"intake.status", "haulers.duties", "haulers.filings"}
TITLES = {"not_accepted": "No septage is taken here", "by_agreement": "Septage is taken only by agreement"}


def unserved(plant: Plant | None, at: datetime) -> Refusal | None:
    """Why a place has no standing programme at an instant, read once a request; None where it has one."""
    if plant is None:
        return None
    if "unserved" not in g:
        try:
            g.unserved = not_served(law_now(plant, at), at.astimezone(plant.tz).date())
        except NoLaw:
            g.unserved = None
    found: Refusal | None = g.unserved
    return found


def _key(view: View) -> tuple[str, str]:
    return view.__module__, view.__name__


def standing(leads: str = "") -> Callable[[View], View]:
    """A page of a standing programme. Elsewhere it leads to another page, or says why it is not there (409; 200 to the
    public, to whom it is an answer).
    """

    def wrap(view: View) -> View:
        STANDING.add(_key(view))

        @wraps(view)
        def run(here: Any, **values: Any) -> Any:
            no = unserved(here.plant, here.at)
            if no is None:
                return view(here, **values)
            if leads:
                return redirect(url_for(leads))
            text, status = here.refuse(no, title=TITLES[no.code])
            roles = getattr(current_app.view_functions[str(request.endpoint)], "roles", ())
            return text, 200 if Role.PUBLIC in roles and request.method in READING else status

        return run

    return wrap


def elsewhere(leads: str) -> Callable[[View], View]:
    """A page of places without a standing programme; where there is one it leads to another page."""

    def wrap(view: View) -> View:
        ELSEWHERE.add(_key(view))

        @wraps(view)
        def run(here: Any, **values: Any) -> Any:
            return redirect(url_for(leads)) if unserved(here.plant, here.at) is None else view(here, **values)

        return run

    return wrap


def is_here(endpoint: str, plant: Plant | None, at: datetime) -> bool:
    """Whether a page belongs to what the law of a plant offers: links to the others are left out."""
    return is_of(endpoint, unserved(plant, at) is None)


def is_of(endpoint: str, served: bool) -> bool:
    """Whether a page is one of places with a standing programme (``served``), or of those without."""
    return _key(current_app.view_functions[endpoint]) not in (ELSEWHERE if served else STANDING)


def banner(plant: Plant, at: datetime) -> dict[str, str] | None:
    """The line on every page of a place without a standing programme; a page whose panel says so needs no second."""
    no = unserved(plant, at)
    said = request.endpoint is None or request.endpoint in SAID or not is_here(request.endpoint, plant, at)
    if no is None or said:
        return None
    return {"kind": "info", "text": f"{no.why.rstrip('.')} ({no.cite}). {no.next_step or ''}".strip(), "href": ""}
