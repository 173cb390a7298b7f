"""Septage Desk: wires the rooms together. Nothing imports this file."""

from typing import Any

from flask import Flask, render_template
from flask_bootstrap import Bootstrap5
from flask_migrate import Migrate
from flask_wtf import CSRFProtect
from flask_wtf.csrf import CSRFError

import billing.reminders
import billing.routes
import intake.routes
from office import admin, clock, commands, db, formats, journal, routes, settings, signin, web

POLICY = (
    "default-src 'self'; img-src 'self' data:; style-src 'self'; script-src 'self'; object-src 'none'; "
    "base-uri 'none'; frame-ancestors 'none'"
)


def create_app(config: dict[str, Any] | None = None) -> Flask:
    """The application, ready to serve. ``config`` overrides the environment (tests)."""
    app = Flask(__name__, instance_relative_config=False)
    app.config.update(settings.read())
    app.config.update(config or {})
    app.config["SQLALCHEMY_DATABASE_URI"] = app.config["DATABASE_URL"]
    app.config.setdefault("SQLALCHEMY_ENGINE_OPTIONS", {"pool_pre_ping": True})
    if app.config["SEPTAGE_CLOCK"]:
        clock.start_at(app.config["SEPTAGE_CLOCK"], app.config["SEPTAGE_ZONE"])
    db.start(app)
    journal.start()
    Migrate(app, db.db, directory="office/migrations", render_as_batch=True)
    Bootstrap5(app)
    CSRFProtect(app)
    signin.start(app)
    formats.register(app)
    web.start(app, POLICY)
    web.HOMES.update(admin.HOMES | intake.routes.HOMES)
    web.BANNERS[:] = intake.routes.BANNERS
    web.NAV[:] = [*admin.LINKS, *intake.routes.LINKS, *billing.routes.LINKS]
    for room in (routes, billing.routes, intake.routes):
        app.register_blueprint(room.bp)
    commands.register(app)
    app.register_error_handler(404, lambda _: (render_template("errors/404.html"), 404))
    app.register_error_handler(CSRFError, lambda _: (render_template("errors/stale-form.html"), 400))
    return app
