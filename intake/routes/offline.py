"""What a tablet keeps for the time without network: its worker, the form to log a load, the list of what is on it.

The kept pages name nobody who is signed in and hold no secret: neither sign-in nor token, nor who was here before.
"""

import hashlib
import json
from typing import Any

from flask import current_app, make_response, url_for

from intake.forms.sent_act import SentAct
from intake.forms.sent_refusal import SentRefusal
from intake.queries import loads, station
from intake.queries.capacity import day_picture
from intake.queries.point_words import names_told
from intake.routes.base import bp
from intake.routes.outbox import sent_form
from office import formats
from office.access import Role
from office.pages import Page, page
from office.standing import standing
from office.web import STATIC, static

GATE = (Role.OPERATOR, Role.MANAGER, Role.DIRECTOR)
# What the kept pages need; their addresses carry the hash of what is in them.
FILES = ("app.css", "station.css", "app.js", "station.js", "sign.js", "outbox.js", "outbox-pages.js", "outbox-run.js",
         "favicon.svg")  # fmt: skip

# What a page leaves out that is kept: who is signed in and what they may, and what was last said to them.
NOBODYS: dict[str, Any] = {"person": None, "by": None, "nav": [], "banner": None, "footer_links": [],
                           "get_flashed_messages": lambda **_: ()}  # fmt: skip


@page(bp, "/station/sw.js", Role.PUBLIC)
def station_worker(here: Page) -> Any:
    """The worker of the station's pages: which files it keeps is written into it, so that it is new when they are."""
    sheet = url_for("bootstrap.static", filename="css/bootstrap.min.css",
                    v=current_app.extensions["bootstrap"].bootstrap_version)  # fmt: skip
    files = [sheet, *map(static, FILES)]
    parts = [(STATIC / name).read_text(encoding="utf-8") for name in ("outbox.js", "station-sw.js")]
    version = hashlib.sha256("\n".join([*files, *parts]).encode()).hexdigest()[:12]
    config = {"plant": here.plant.slug, "version": version, "files": files, "offline": url_for("intake.offline_load"),
              "refusal": url_for("intake.offline_refusal"), "run": url_for("intake.offline_run"),
              "list": url_for("intake.on_tablet")}  # fmt: skip
    answer = make_response("\n".join([parts[0], f"const CONFIG = {json.dumps(config)};", parts[1]]))
    answer.mimetype = "text/javascript"
    # Without a slash at the end, as the station's own address is written.
    answer.headers["Service-Worker-Allowed"] = url_for("intake.station_today")
    return answer


@page(bp, "/station/offline", *GATE)
@standing()
def offline_load(here: Page) -> Any:
    """Log a load without network: what was known when this was kept, and nothing of who is signed in."""
    form, known = sent_form(here.plant, None, here.at), _known(here)
    if len(form.point.choices) < 2:
        form.point.choices = []
    return here.show("intake/tablets/offline.html", form=form, points=names_told(here.plant.id),
                     supervises=any(one.is_manhole for one in known["picture"].places), **known, **NOBODYS)  # fmt: skip


@page(bp, "/station/offline-refusal", *GATE)
@standing()
def offline_refusal(here: Page) -> Any:
    """Refuse a load, or the rest of one, without network."""
    return here.show("intake/tablets/offline_refusal.html", form=SentRefusal(), **_known(here), **NOBODYS)


@page(bp, "/station/offline-run", *GATE)
@standing()
def offline_run(here: Page) -> Any:
    """Pause, resume, stop or sign a load, tell its rate or more gallons, without network."""
    lines = loads.as_they_are(here.plant.id, here.today, here.at)
    return here.show("intake/tablets/offline_run.html", form=SentAct(), lines=lines,
                     drivers={load.id: loads.driver_on(load) for load, _ in lines}, **NOBODYS)  # fmt: skip


def _known(here: Page) -> dict[str, Any]:
    """Who may come and how the day was to run, as it is known when a page is kept."""
    expected = loads.expected(here.plant, here.today, here.at)
    return {
        "expected": expected,
        "known": station.trucks_known(here.plant, here.law, here.at),
        "picture": day_picture(here.plant, here.law, here.today, here.at),
        "spans": _spans(here, expected),
    }


def _spans(here: Page, expected: list[loads.Expected]) -> dict[str, str]:
    """By booking number what it was to run like, as the tablet sends it back."""
    return {one.session.number: f"Booked {formats.span(one.session.starts, one.session.ends, here.plant.tz)} at "
            f"{formats.rate(one.session.gph)}, {formats.volume(one.session.gallons)}." for one in expected}  # fmt: skip


@page(bp, "/station/on-tablet", Role.PUBLIC)
@standing()
def on_tablet(here: Page) -> Any:
    """What is kept on this tablet and not sent, each with its slip to print; the tablet itself fills it in."""
    return here.show(
        "intake/tablets/on_tablet.html", **{name: of for name, of in NOBODYS.items() if name != "footer_links"}
    )
