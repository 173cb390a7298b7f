"""The shell around every page: headers, the plant in addresses, the header's links, the banner, hashed static files."""

import gzip
import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from flask import Flask, abort, current_app, g, render_template, request, session, url_for
from flask_security import current_user
from jinja2 import Undefined
from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError
from werkzeug.routing import IntegerConverter
from werkzeug.wrappers import Response

from office import clock
from office.access import NOBODY, Actor, Role, actor
from office.db import db
from office.drawing import drawn, timeline
from office.files import CappedRequest
from office.forms import fresh
from office.kept import whose
from office.notices import how_it_went, reached, to_post
from office.plants import Plant, plant_at, plant_named
from office.sent import asks_again
from office.standing import is_here, is_of, unserved
from ordinances.schema import KEYS

STATIC = Path(__file__).parent.parent / "static"


@dataclass(frozen=True)
class Link:
    """A link of the header: who sees it, what it says, where it goes."""

    role: Role
    label: str
    endpoint: str


# The rooms add their links and their roles' first pages; app.py calls for it in the order of the floors.
NAV: list[Link] = []
HOMES: dict[Role, str] = {}
# Links of the footer (every reader) and of the Settings page, which lies below the rooms they lead to.
FOOTER: list[tuple[str, str]] = []
# Those of a page that belongs to no plant.
FOOTER_ANYWHERE: list[tuple[str, str]] = []
SETTINGS: list[tuple[str, str]] = []
BANNERS: list[Callable[[Plant, Any], dict[str, str] | None]] = []


class Loud(Undefined):
    """A name a template uses and nobody gave: it may be asked after, but printing or looping over it is an error."""

    __str__ = __iter__ = __len__ = Undefined._fail_with_undefined_error


class RowId(IntegerConverter):
    """A number in an address: no record has one beyond what the database can hold, so such a page is not found."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"max": 2**31 - 1, **kwargs})


def drawing(app: Flask) -> None:
    """What every macro and picture needs of the templates, whatever app draws them."""
    # Feeds are XML: what people typed is escaped in them as on pages.
    app.jinja_env.autoescape = lambda name: name is None or name.endswith((".html", ".xml", ".atom", ".svg"))
    app.jinja_env.undefined = Loud
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.template_global("static")(static)
    app.template_global("fresh")(fresh)
    app.template_global("drawn_timeline")(timeline)
    app.template_global("drawn")(drawn)


def start(app: Flask, policy: str) -> None:
    """Wire the shell into the app."""
    app.url_map.converters["int"] = RowId
    app.request_class = CappedRequest
    drawing(app)
    app.url_defaults(_plant_in_address)
    app.context_processor(_shell)
    app.template_global("whose")(whose)
    app.template_global("asks_again")(asks_again)
    app.template_global("plants_to_call")(plants_to_call)
    app.jinja_env.filters["went"] = lambda notice: how_it_went(notice, bool(app.config["MAIL_SERVER"]))
    app.jinja_env.tests["reached"] = lambda notice: reached(notice, bool(app.config["MAIL_SERVER"]))
    app.jinja_env.tests["to_post"] = to_post
    app.jinja_env.filters["row_title"] = lambda key: KEYS[key].title

    @app.before_request
    def nothing_hidden() -> None:
        """No address and no key of a form holds a NUL, which a database cannot look for."""
        hidden = "\x00" in request.path or any("\x00" in one for one in request.args.values())
        if hidden or (request.blueprint == "security" and any("\x00" in one for one in request.form.values())):
            abort(404)

    @app.before_request
    def the_plant() -> None:
        """Whatever is asked first is asked with the plant known, so that the heads of both chains are read at once."""
        if (request.view_args or {}).get("plant_slug"):
            plant_at(request.view_args["plant_slug"])  # type: ignore[index]

    @app.after_request
    def headers(response: Response) -> Response:
        response.headers.setdefault("Content-Security-Policy", policy)
        response.headers.setdefault("X-Content-Type-Options", "nosniff")
        response.headers.setdefault("Referrer-Policy", "same-origin")
        _compress(response)
        if request.endpoint in ("static", "bootstrap.static"):
            hashed = "v" in request.args
            response.headers["Cache-Control"] = "public, max-age=31536000, immutable" if hashed else "no-cache"
        else:
            # Asked of the cookie: the person's row would be read once more after a commit.
            personal = "_user_id" in session or request.blueprint == "security"
            response.headers["Cache-Control"] = "no-store" if personal else "no-cache"
        return response

    @app.teardown_request
    def close(_error: BaseException | None) -> None:
        db.session.remove()


@lru_cache(maxsize=64)
def _gzipped(content: bytes) -> bytes:
    return gzip.compress(content, 6, mtime=0)


def _compress(response: Response) -> None:
    """Gzip what is the same for everybody; pages of signed-in people hold secrets and are left as they are."""
    static_file = request.endpoint in ("static", "bootstrap.static")
    if (
        "gzip" not in request.headers.get("Accept-Encoding", "")
        or response.status_code != 200
        or response.mimetype not in ("text/html", "text/css", "text/javascript", "image/svg+xml")
        or (not static_file and current_user.is_authenticated)
    ):
        return
    response.direct_passthrough = False
    content = response.get_data()
    if len(content) > 1000:
        response.set_data(_gzipped(content) if static_file else gzip.compress(content, 6))
        response.headers["Content-Encoding"] = "gzip"
    response.vary.add("Accept-Encoding")


@lru_cache(maxsize=100)
def _hash(name: str, changed: float) -> str:
    return hashlib.sha256((STATIC / name).read_bytes()).hexdigest()[:12]


def static(name: str) -> str:
    """The address of a static file with a hash of its content, so that it may be kept for a year."""
    changed = (STATIC / name).stat().st_mtime if current_app.debug else 0
    return url_for("static", filename=name, v=_hash(name, changed))


def _plant_in_address(endpoint: str, values: dict[str, Any]) -> None:
    plant = g.get("plant")
    wanted = current_app.url_map.is_endpoint_expecting(endpoint, "plant_slug")
    if plant is not None and wanted and "plant_slug" not in values:
        values["plant_slug"] = plant.slug


@dataclass(frozen=True)
class Call:
    """A plant as a page that belongs to none names it: whom to call."""

    city: str
    phone: str
    help_hours: str


def plants_to_call() -> list[Call]:
    """The plants of this host, for a page that belongs to none of them: six at most, more are never named.

    Empty where they cannot be read.
    """
    query = select(Plant.city, Plant.phone, Plant.help_hours).order_by(Plant.city).limit(6)
    try:
        return [Call(*row) for row in db.session.execute(query)]
    except SQLAlchemyError:
        db.session.rollback()
        return []


def not_found(status: int) -> Callable[[Any], Any]:
    """The page of an address that holds nothing, with the plant's own help where the address begins with a plant."""

    def answer(_error: Any) -> tuple[str, int]:
        plant = plant_named(request.path.split("/")[1]) if "\x00" not in request.path else None
        if "plant" not in g and plant is not None:
            g.plant, g.at = plant, clock.now()
            g.by = who_at(plant, g.at)
        return render_template("errors/404.html"), status

    return answer


def _shell() -> dict[str, Any]:
    plant: Plant | None = g.get("plant")
    by: Actor = g.get("by", NOBODY)
    person = current_user._get_current_object()
    return {
        "plant": plant,
        "unserved": unserved(plant, g.at) if plant is not None else None,
        "by": by,
        "nav": _links(by) if plant is not None else [],
        "footer_links": _footer(),
        "banner": _banner(plant),
        "person": person if person.is_authenticated else None,
        "Role": Role,
    }


def _links(by: Actor) -> list[dict[str, Any]]:
    role, served = main_role(by), unserved(g.plant, g.at) is None
    return [
        {"label": link.label, "href": url_for(link.endpoint), "current": request.endpoint == link.endpoint}
        for link in NAV
        if link.role is role and is_of(link.endpoint, served)
    ][:5]


def open_to(by: Actor, links: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Those of some links whose page this person may open."""
    views = current_app.view_functions
    return [(label, endpoint) for label, endpoint in links
            if by.capacity(getattr(views[endpoint], "roles", ())) and is_here(endpoint, g.plant, g.at)]  # fmt: skip


def _footer() -> list[dict[str, str]]:
    if g.get("plant") is None:
        return [{"label": label, "href": url_for(endpoint)} for label, endpoint in FOOTER_ANYWHERE]
    # Of several pages under one label the first that is open.
    shown = dict(reversed(open_to(g.get("by", NOBODY), FOOTER)))
    return [{"label": label, "href": url_for(shown[label])} for label in dict(FOOTER) if label in shown]


def _banner(plant: Plant | None) -> dict[str, str] | None:
    if plant is None:
        return None
    return next((found for banner in BANNERS if (found := banner(plant, g.at))), None)


def who_at(plant: Plant | None, at: datetime) -> Actor:
    """The person of this request as they may act at this plant."""
    person = current_user._get_current_object()
    if not person.is_authenticated:
        return NOBODY
    return actor(person.id, person.name or person.email, plant.id if plant else None, at)


def main_role(by: Actor) -> Role:
    """The role whose header a person sees: staff before haulers, haulers before the public."""
    order = (Role.DIRECTOR, Role.MANAGER, Role.OPERATOR, Role.CLERK, Role.MEMBER, Role.ADMINISTRATOR, Role.STATE,
             Role.HAULER, Role.DRIVER, Role.PERSON)  # fmt: skip
    return next((role for role in order if role in by.roles), Role.PUBLIC)
