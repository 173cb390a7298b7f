"""Septage Desk: wires the rooms together. Nothing imports this file."""

import logging
import uuid
from typing import Any
from urllib.parse import urlsplit

from flask import Flask, render_template
from flask_bootstrap import Bootstrap5
from flask_migrate import Migrate
from flask_wtf import CSRFProtect
from flask_wtf.csrf import CSRFError
from werkzeug.exceptions import SecurityError

import billing.ports
import billing.reminders
import billing.routes
import haulers.reminders
import haulers.routes
import intake.commands
import intake.reminders
import intake.routes
import office.ports
from billing.queries import check_ledger, may_start
from billing.queries.laws import may_adopt
from haulers import ports
from haulers.queries.told_of_fees import approved
from intake.actions.freed import pass_on
from intake.actions.missed import missed_words
from intake.actions.taking_over import take_over
from intake.queries import calendar_mail
from intake.queries.checks import check_capacity
from intake.queries.flow_recorded import recorded_for
from intake.queries.load_charges import CHARGED_FOR, goes_on
from intake.queries.priced import points_charged_nowhere
from intake.queries.testing_rule import check_draws
from intake.queries.track_record import Records
from intake.sample.command import demo
from office import admin as _admin  # noqa: F401 - its pages belong to the blueprint of office.routes
from office import (
    clock,
    commands,
    db,
    facts,
    formats,
    journal,
    law_commands,
    mailer,
    pages,
    routes,
    settings,
    signin,
    verify,
    web,
)
from office.access import Role
from office.addresses import Desk
from office.files import LIMIT, size_words

POLICY = (
    "default-src 'self'; img-src 'self' data:; style-src 'self'; script-src 'self'; object-src 'none'; "
    "base-uri 'none'; frame-ancestors 'none'"
)

# The header of each role, at most five links.
PUBLIC = "Today intake.status, This week intake.week, Rules intake.rules, Charges intake.fees, Apply haulers.apply"
PLANT = (
    "Plant today intake.director_home, This week intake.week, Flow and limit intake.flow, "
    "Approvals haulers.approvals, Loads intake.plant_loads"
)
NAV = {
    Role.PUBLIC: PUBLIC,
    Role.PERSON: PUBLIC,
    Role.HAULER: "Home intake.hauler_home, Book intake.book, Loads intake.hauler_loads, Money billing.money, "
    "Application haulers.apply_season",
    Role.OPERATOR: "Station intake.station_today, Log a load intake.station_load, Lab intake.lab, "
    "Loads intake.plant_loads, Flow intake.daily_flow",
    Role.DIRECTOR: PLANT,
    Role.MANAGER: PLANT.replace("Approvals haulers.approvals, ", ""),
    Role.MEMBER: "Applications haulers.committee, Committee haulers.duties, Approved haulers haulers.approved, "
    "Rules intake.rules",
    Role.CLERK: "Desk intake.clerk_home, Applications haulers.filings, Invoices billing.invoices, "
    "Ledger billing.ledger, Settings office.admin",
    Role.ADMINISTRATOR: "Settings office.admin, People office.people, Messages office.messages, History office.history",
    Role.STATE: "Today intake.status, Loads intake.plant_loads, Approved haulers haulers.approved, "
    "Rules intake.rules, History office.history",
    Role.DRIVER: "Today intake.driver_home, This week intake.week, Rules intake.rules",
}
# Where sign-in leads.
HOMES = {
    Role.HAULER: "intake.hauler_home", Role.OPERATOR: "intake.station_today", Role.MANAGER: "intake.director_home",
    Role.DIRECTOR: "intake.director_home", Role.MEMBER: "haulers.committee", Role.CLERK: "intake.clerk_home",
    Role.ADMINISTRATOR: "office.admin", Role.STATE: "intake.status",
    Role.DRIVER: "intake.driver_home",
}  # fmt: skip


def wrong_host(_error: BaseException) -> tuple[str, int]:
    """The address in the request is not ours: links in messages would lead elsewhere."""
    return "This server does not answer at this address. Its administrator sets the right one as SEPTAGE_URL.\n", 400


def too_large(_error: BaseException) -> tuple[str, int]:
    """More than a form can take, read no further."""
    db.db.session.rollback()
    return render_template("errors/413.html", limit=size_words(LIMIT)), 413


def broken(error: BaseException) -> tuple[str, int] | tuple[str, int, dict[str, str]]:
    """The page of a fault of ours: a code to say on the telephone stands in the log beside the traceback."""
    db.db.session.rollback()
    if "database is locked" in str(getattr(error, "original_exception", "")):
        # Asks the database for nothing: it is busy with others.
        return render_template("errors/busy.html"), 503, {"Retry-After": "10"}
    reference = uuid.uuid4().hex[:8].upper()
    logging.getLogger("septage").error("Reference %s: %s", reference, getattr(error, "original_exception", error))
    return render_template("errors/500.html", reference=reference), 500


def create_app(config: dict[str, Any] | None = None) -> Flask:
    """The application, ready to serve. ``config`` overrides the environment (tests)."""
    app = Desk(__name__, instance_relative_config=False)
    app.config.update(settings.read())
    app.config.update(config or {})
    app.config["SQLALCHEMY_DATABASE_URI"] = app.config["DATABASE_URL"]
    # A server may have gone since it was asked last; a file is there.
    ask_first = not app.config["DATABASE_URL"].startswith("sqlite")
    app.config.setdefault("SQLALCHEMY_ENGINE_OPTIONS", {"pool_pre_ping": ask_first})
    # Files over their limit are counted and let go (office.files); this only ends a body without end.
    app.config.setdefault("MAX_CONTENT_LENGTH", 25 * LIMIT)
    if app.config["SEPTAGE_CLOCK"]:
        clock.start_at(app.config["SEPTAGE_CLOCK"], app.config["SEPTAGE_ZONE"])
    # Links in messages are made of the request's host, so only our own addresses are answered.
    app.config["TRUSTED_HOSTS"] = ["localhost", "127.0.0.1", str(urlsplit(app.config["SEPTAGE_URL"]).hostname)]
    db.start(app)
    journal.start()
    facts.start(app)
    web.start(app, POLICY)
    Migrate(app, db.db, directory="office/migrations", render_as_batch=True)
    Bootstrap5(app)
    intake.routes.outbox.exempt(CSRFProtect(app))
    signin.start(app)
    formats.register(app)
    office.ports.provide(may_start, may_adopt)
    billing.ports.provide(approved, points_charged_nowhere, goes_on, CHARGED_FOR)
    ports.provide(Records())
    ports.provide_passing(pass_on)
    ports.provide_missed(missed_words)
    ports.provide_taking_over(take_over)
    mailer.ATTACH[:] = [calendar_mail.attached]
    web.HOMES.update(HOMES)
    web.NAV[:] = [web.Link(role, *link.rsplit(" ", 1)) for role, links in NAV.items() for link in links.split(", ")]
    web.FOOTER[:] = [("Report an accident", "intake.accident"), ("Report an accident", "intake.accident_call"),
                     ("Rules in plain words", "intake.rules"), ("Charges", "intake.fees")]  # fmt: skip
    web.FOOTER_ANYWHERE[:] = [("Report an accident", "intake.accident_where")]
    web.SETTINGS[:] = [("Holidays and closures", "intake.closure_calendar"),
                       ("Receiving points", "intake.receiving_points"),
                       ("What the plant is built for", "haulers.design")]  # fmt: skip
    web.BANNERS[:] = intake.routes.BANNERS
    verify.CHECKS[:] = [check_ledger, check_capacity, check_draws]
    law_commands.READINGS[:] = [recorded_for]
    for room in (routes, billing.routes, haulers.routes, intake.routes):
        app.register_blueprint(room.bp)
    commands.register(app)
    app.cli.add_command(demo)
    app.cli.add_command(intake.commands.intake)
    app.register_error_handler(500, broken)
    app.register_error_handler(SecurityError, wrong_host)
    app.register_error_handler(413, too_large)
    for status in (404, 405):
        app.register_error_handler(status, web.not_found(status))
    app.register_error_handler(CSRFError, pages.token_lapsed)
    return app
