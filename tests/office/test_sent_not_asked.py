"""Where the same again is no slip it is done again at once: a second stop, a second restriction, a second packet."""

import re

import pytest
from sqlalchemy import func, select

from intake.models import Restriction
from intake.queries.loads import running_now
from office.access import Grant, Role, system
from office.acts import act
from office.db import db
from office.forms import fresh
from office.letters import Letter
from office.signin import new_person
from tests import world
from tests.haulers.builders import filed
from tests.haulers.builders import hauler as company
from tests.haulers.company import MINE
from tests.intake.gatehouse import good, log
from tests.intake.plant import hauler

DEPUTY = "deputy@city.example"
REACH = {"reason": "permit_threat", "scope": "everything"}
# A second record alike is nearly always a slip here; none of these pages stops, restricts, moves or books anything.
ASKING = {
    "/account/register", "/<plant_slug>/accident", "/<plant_slug>/clerk/accounts/<int:account_id>/damage",
    "/<plant_slug>/clerk/approvals/<int:approval_id>/paper/<kind>",
    "/<plant_slug>/clerk/filings/<int:application_id>/fee",
    "/<plant_slug>/clerk/filings/<int:application_id>/paper-change", "/<plant_slug>/clerk/filings/paper",
    "/<plant_slug>/clerk/payments/new", "/<plant_slug>/clerk/reviews/<int:review_id>/fee",
    "/<plant_slug>/director/findings/new/<int:business_id>",
    "/<plant_slug>/hauler/apply/change/<int:application_id>", "/<plant_slug>/hauler/apply/late",
    "/<plant_slug>/hauler/approval/<int:approval_id>/ask/<kind>", "/<plant_slug>/hauler/drivers",
    "/<plant_slug>/hauler/files", "/<plant_slug>/hauler/insurance", "/<plant_slug>/hauler/license",
    "/<plant_slug>/hauler/people", "/<plant_slug>/hauler/trucks",
    "/<plant_slug>/plant/loads/<ticket>/costs", "/<plant_slug>/station/load/<ticket>/tests",
}  # fmt: skip


@act("test_deputy", roles=(Role.SYSTEM,))
def _deputy(*, by, at):
    person = new_person(DEPUTY, "Dep Uty", world.PASSWORD)
    db.session.flush()
    db.session.add(Grant(person_id=person.id, plant_id=world.plant().id, role=Role.DIRECTOR.value, since=at))
    return person


def signed_in(app, who):
    client = app.test_client()
    world.sign_in(client, who)
    return client


def post(client, path, **typed):
    return client.post(f"/bayfield{path}", data={"once": fresh()} | typed)


def kept_forms(client, path):
    """What each form of the page's own part says of its key."""
    main = client.get(f"/bayfield{path}").get_data(as_text=True).partition("<main")[2]
    return re.findall(r"<form[^>]* data-once([^> ]*)>", main)


def running(at):
    db.session.expire_all()
    return [one.load.ticket for one in running_now(world.plant().id, world.at(at))]


def stopped_and_resumed(app, clock_at, **typed):
    """The operator, whose stop of everything the manager has undone: the load runs again."""
    clock_at("2026-10-06T07:00")
    ticket = good(log(hauler())).ticket
    operator, manager = signed_in(app, "operator"), signed_in(app, "manager")
    clock_at("2026-10-06T07:10")
    assert post(operator, "/station/stop-everything", reason="Odor", **typed).status_code == 303
    assert running("2026-10-06T07:10") == []
    clock_at("2026-10-06T07:15")
    assert post(manager, f"/station/load/{ticket}/resume", gallons="110").status_code == 303
    assert running("2026-10-06T07:20") == [ticket]
    clock_at("2026-10-06T07:20")
    return operator


def test_only_these_pages_ask(app):
    rules = app.url_map.iter_rules()
    assert {one.rule for one in rules if getattr(app.view_functions[one.endpoint], "asks_again", False)} == ASKING


def test_second_stop_of_everything_after_a_resume_stops_the_load(app, clock_at):
    operator = stopped_and_resumed(app, clock_at)
    again = post(operator, "/station/stop-everything", reason="Odor")
    assert (again.status_code, again.location) == (303, "/bayfield/station?did=stopped&load=2026-00001")
    assert running("2026-10-06T07:20") == []


def test_stop_for_another_reason_under_an_answered_key_stops_the_load(app, clock_at):
    operator = stopped_and_resumed(app, clock_at, once="a" * 32)
    assert post(operator, "/station/stop-everything", reason="Spill", once="a" * 32).status_code == 303
    assert running("2026-10-06T07:20") == []


def test_going_back_gives_a_form_its_key_only_where_the_page_asks(app, clock_at):
    clock_at("2026-10-06T07:00")
    company()
    db.session.commit()
    director, owner = signed_in(app, "director"), signed_in(app, MINE)
    assert set(kept_forms(director, "/director/restrict")) == {""}
    assert set(kept_forms(owner, "/hauler/insurance")) == {'="kept"'}


def test_second_restriction_after_another_lifted_the_first_holds(app, clock_at):
    clock_at("2026-10-06T08:00")
    _deputy(by=system(), at=world.START)
    db.session.commit()
    director, deputy = signed_in(app, "director"), signed_in(app, DEPUTY)
    assert post(director, "/director/restrict", **REACH).status_code == 303
    first = db.session.scalars(select(Restriction.id)).one()
    clock_at("2026-10-06T08:10")
    assert post(deputy, f"/director/restrictions/{first}/lift", done="Mended.").status_code == 303
    clock_at("2026-10-06T08:20")
    assert post(director, "/director/restrict", **REACH).status_code == 303
    db.session.expire_all()
    assert db.session.scalar(select(func.count()).select_from(Restriction)) == 2


@pytest.mark.parametrize("paper", ["packet", "worksheet"])
def test_a_paper_of_the_committee_may_be_made_again_a_little_later(app, clock_at, paper):
    clock_at("2026-09-10T09:00")
    filed(company())
    clerk, address = signed_in(app, "clerk"), f"/committee/2026-27/{paper}"
    assert post(clerk, address).location == f"/bayfield{address}"
    clock_at("2026-09-10T09:10")
    assert post(clerk, address).location == f"/bayfield{address}"
    assert db.session.scalar(select(func.count()).select_from(Letter).where(Letter.kind == paper)) == 2
