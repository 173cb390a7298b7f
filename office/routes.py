"""Pages of the host and of the house: find your plant, go home after sign-in, messages, health."""

from typing import Any

from flask import Blueprint, abort, current_app, g, redirect, render_template, send_file, url_for
from sqlalchemy import select

from office import web
from office.access import STAFF, Grant, Role, grants_in_force
from office.db import db
from office.notices import Notice
from office.pages import Page, page
from office.plants import Plant, all_plants

bp = Blueprint("office", __name__)


@page(bp, "/", Role.PUBLIC, anywhere=True)
def find_plant(here: Page) -> Any:
    """One plant: straight to it. Several: a list. None yet: set-up."""
    plants = all_plants()
    if not plants:
        return redirect(url_for("office.set_up"))
    if len(plants) == 1:
        return redirect(f"/{plants[0].slug}/")
    return render_template("office/find_plant.html", plants=plants)


@page(bp, "/account/home", Role.PERSON, anywhere=True)
def account_home(here: Page) -> Any:
    """After sign-in: to the first page of the role the person mainly holds."""
    assert here.by.person_id is not None
    grants = grants_in_force(here.by.person_id, here.at)
    here_at = next((grant.plant_id for grant in grants if grant.plant_id is not None), None)
    plants = all_plants()
    plant = db.session.get(Plant, here_at) if here_at else (plants[0] if len(plants) == 1 else None)
    if plant is None:
        return redirect("/")
    g.plant = plant
    by = web.who_at(plant, here.at)
    endpoint = web.HOMES.get(web.main_role(by))
    return redirect(url_for(endpoint) if endpoint else f"/{plant.slug}/")


@page(bp, "/messages", *STAFF)
def messages(here: Page) -> Any:
    """Every notice of the plant with how it went: who was reached, who must be telephoned."""
    query = select(Notice).where(_readable(here)).order_by(Notice.id.desc()).limit(200)
    return here.show("office/messages.html", notices=list(db.session.scalars(query)))


def _readable(here: Page) -> Any:
    """The plant's messages; for the administrator of a machine without mail also the sign-in links of its people,
    who could not be reached otherwise.
    """
    own = Notice.plant_id == here.plant.id
    if current_app.config["MAIL_SERVER"] or Role.ADMINISTRATOR not in here.by.roles:
        return own
    team = select(Grant.person_id).where(Grant.plant_id == here.plant.id, Grant.until.is_(None))
    return own | (Notice.plant_id.is_(None) & Notice.person_id.in_(team))


@page(bp, "/messages/<int:notice_id>", *STAFF)
def message(here: Page, notice_id: int) -> Any:
    """One notice as it was written."""
    notice = db.session.scalars(select(Notice).where(Notice.id == notice_id, _readable(here))).one_or_none()
    if notice is None:
        abort(404)
    return here.show("office/message.html", notice=notice)


@page(bp, "/healthz", Role.PUBLIC, anywhere=True)
def healthz(here: Page) -> Any:
    """Says ok when the database answers."""
    db.session.execute(select(1))
    return "ok", 200, {"Content-Type": "text/plain"}


@page(bp, "/favicon.ico", Role.PUBLIC, anywhere=True)
def favicon(here: Page) -> Any:
    """A small mark for the browser's tab."""
    return send_file(web.STATIC / "favicon.svg", mimetype="image/svg+xml")
