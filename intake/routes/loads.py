"""Lists of loads: the plant's, and each hauler's own with its written records."""

from typing import Any

from flask import abort

from billing.queries import entries_of, reversal_of
from intake.models import Load
from intake.queries import load_table, loads, pounds, statements
from intake.queries.load_charges import void_words
from intake.queries.load_table import STATES
from intake.queries.pieces import told
from intake.queries.special_quote import ticket_words
from intake.routes.base import bp, business_of, new_tests_of
from intake.routes.load_export import asked
from intake.routes.record_page import correct_step, record_step
from intake.states import REFUSAL_WORDS
from office.access import Role
from office.db import db
from office.documents import send_letter
from office.letters import Letter
from office.pages import Page, page
from ordinances.screening import WASTE_TYPES


@page(bp, "/plant/loads", Role.OPERATOR, Role.MANAGER, Role.DIRECTOR, Role.CLERK, Role.STATE)
def plant_loads(here: Page) -> Any:
    """Loads by ticket, slip, hauler, plate or bottle, by day and by state, newest first."""
    want = asked()
    return here.show("intake/loads/plant.html", lines=load_table.found(here.plant.id, want.sought, here.at),
                     want=want, states=STATES, wastes=WASTE_TYPES,
                     overdue=loads.overdue(here.plant.id, here.at))  # fmt: skip


@page(bp, "/hauler/loads", Role.HAULER)
def hauler_loads(here: Page) -> Any:
    """The hauler's own loads: what is due, what they cost, what the tests said."""
    lines, want = loads.of_business(here.plant.id, business_of(here)), asked(business_of(here))
    found = load_table.found(here.plant.id, want.sought, here.at) if want.any else lines
    return here.show("intake/loads/hauler.html", lines=found, want=want, states=STATES, wastes=WASTE_TYPES,
                     missing=[line for line in lines if loads.record_missing(line.load, line.record)],
                     unstated=statements.missing(here.plant.id, here.law,
                                                 business_ids=[business_of(here)]))  # fmt: skip


@page(bp, "/hauler/loads/<ticket>", Role.HAULER)
def hauler_load(here: Page, ticket: str) -> Any:
    """One of the hauler's loads."""
    load = own_load(here, ticket)
    entries = [(entry, reversal_of(entry.id) is not None) for entry in entries_of("load", load.id)]
    charged = sum(entry.amount_cents for entry, back in entries if not back)
    return here.show("intake/loads/one.html", load=load, runs=told(loads.runs_of(load.id), here.plant.tz),
                     entries=entries, record=loads.record_of(load.id), found=pounds.of_load(load),
                     wastes=WASTE_TYPES, refusals=REFUSAL_WORDS, void_words=void_words(load.id),
                     missing=statements.wanted(load, here.law), again=new_tests_of(here, load),
                     special_words=ticket_words(here.law, load, loads.runs_of(load.id), charged))  # fmt: skip


@page(bp, "/hauler/loads/<ticket>/ticket.pdf", Role.HAULER)
def hauler_ticket_pdf(here: Page, ticket: str) -> Any:
    """The ticket of one of the hauler's loads."""
    load = own_load(here, ticket)
    return send_letter(db.session.get(Letter, load.letter_id or 0))


@page(bp, "/hauler/loads/<ticket>/record", Role.HAULER, Role.DRIVER, methods=("GET", "POST"))
def hauler_record(here: Page, ticket: str) -> Any:
    """Send the written record of a load."""
    back = "intake.hauler_load" if Role.HAULER in here.by.roles else "intake.driver_load"
    return record_step(here, own_load(here, ticket), here.by, back, for_hauler=False)


@page(bp, "/hauler/loads/<ticket>/record/correct", Role.HAULER, Role.DRIVER, methods=("GET", "POST"))
def hauler_record_correct(here: Page, ticket: str) -> Any:
    """Correct the written record of a load; the first stays beside it."""
    return correct_step(here, own_load(here, ticket), here.by, "intake.hauler_record", for_hauler=False)


def own_load(here: Page, ticket: str) -> Load:
    """The load of this ticket if it is the signed-in person's company's; another's reads as not found."""
    load = loads.with_ticket(here.plant.id, ticket)
    if load is None or load.business_id != business_of(here):
        abort(404)
    return load
