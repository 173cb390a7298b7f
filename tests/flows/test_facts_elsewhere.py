"""What a process keeps between requests never outlives an act of another one: it counts in the very next answer."""

from collections.abc import Callable
from datetime import date
from typing import Any
from urllib.parse import urlencode

import pytest
from flask import Flask
from sqlalchemy import select

from haulers.actions.revocation import revoke_approval
from haulers.actions.trucks import retire_truck
from haulers.models import Business
from intake.actions.restriction import restrict_plant
from office import clock
from office.access import Grant, Role, system
from office.acts import act
from office.db import db
from office.law import adopt_law
from office.people import Person
from office.plants import set_closure, set_plant_row
from office.team import add_person
from tests import world
from tests.flows.racing import PATIENCE
from tests.intake.gatehouse import good, kept
from tests.intake.plant import TUESDAY, Hauler, hauler

NOW = "2026-10-05T16:00"
AT = world.at(NOW)
# What a worker keeps from one look to the next, as a server does: its application and the browser.
_HERE: dict[str, tuple[Flask, Any]] = {}


def _look(_start: Any, answers: Any, url: str, email: str, path: str) -> None:
    """In the other process: the page as this person sees it now."""
    from tests.conftest import make_app

    try:
        clock._Clock.held = AT
        if url not in _HERE:
            app = make_app(url, PROPAGATE_EXCEPTIONS=False)
            client = app.test_client()
            world.sign_in(client, email)
            _HERE[url] = app, client
        app, client = _HERE[url]
        answer = client.get(path)
        answers.put((answer.status_code, answer.get_data(as_text=True)))
        with app.app_context():
            db.engine.dispose()
    except Exception as error:
        answers.put((500, repr(error)))


@act("test_end_grants", roles=(Role.SYSTEM,))
def _end(email: str, *, by: Any, at: Any) -> bool:
    person = db.session.scalars(select(Person).filter_by(email=email)).one()
    for grant in db.session.scalars(select(Grant).filter_by(person_id=person.id)):
        grant.until = at
    return True


def times(who: Hauler) -> str:
    args = {"truck": who.truck_id, "gallons": 300, "waste": "septic_tank", "day": TUESDAY.isoformat()}
    return f"/bayfield/hauler/book/times?{urlencode(args)}"


def revoke(who: Hauler) -> Any:
    rule = world.law().value("revocation.grounds", TUESDAY)[0]
    return revoke_approval(world.plant(), who.approval_id, rule, "At night", by=world.staff("director"), at=AT,
                           law=world.law())  # fmt: skip


def restrict(_who: Hauler) -> Any:
    return restrict_plant(world.plant(), "permit_threat", by=world.staff("director"), at=AT, law=world.law())


def close(_who: Hauler) -> Any:
    return set_closure(world.plant(), TUESDAY, "Pump repair", "closed", by=system(), at=AT)


def lower(_who: Hauler) -> Any:
    return set_plant_row(world.plant(), "rate.own_ceiling_gph", 321, date(2026, 10, 5), "Order 1", by=system(), at=AT)


def adopt(_who: Hauler) -> Any:
    return adopt_law(world.plant(), "lawrence", date(2026, 10, 5), "Ordinance 1", by=system(), at=AT)


def retire(who: Hauler) -> Any:
    return retire_truck(db.session.get_one(Business, who.business_id), who.truck_id, by=who.by, at=AT)


def lose_role(who: Hauler) -> Any:
    return _end(who.email, by=system(), at=AT)


def new_role(who: Hauler) -> Any:
    return add_person(world.plant(), "", who.email, [Role.OPERATOR], by=system(), at=AT, password=world.PASSWORD)


@pytest.mark.parametrize(("change", "where", "words", "before", "after"), [
    (revoke, times, "was revoked on October 5, 2026.", (200, False), (200, True)),
    (restrict, times, "Restricted since", (200, False), (200, True)),
    (close, times, "Pump repair", (200, False), (200, True)),
    (lower, times, "321 gallons an hour", (200, False), (200, True)),
    (adopt, lambda _: "/bayfield/rules", "Lawrence", (200, False), (200, True)),
    (retire, times, "Add a truck with its plate and tank size", (200, False), (302, False)),
    (lose_role, times, "Not yours to open", (200, False), (403, False)),
    (new_role, lambda _: "/bayfield/station", "Station", (403, False), (200, True)),
])  # fmt: skip
def test_an_act_of_another_process_counts_in_the_very_next_answer(
    app: Flask, racers: Any, change: Callable[[Hauler], Any], where: Callable[[Hauler], str], words: str,
    before: tuple[int, bool], after: tuple[int, bool],
) -> None:  # fmt: skip
    who = hauler()
    url = str(app.config["DATABASE_URL"])
    db.session.remove()

    def look() -> tuple[int, bool]:
        racers.jobs[0].put((_look, url, who.email, where(who)))
        status, page = racers.answers.get(timeout=PATIENCE)
        assert status != 500, page
        return status, words in page

    assert (look(), look()) == (before, before)
    good(kept(change(who)))
    db.session.remove()
    assert look() == after
