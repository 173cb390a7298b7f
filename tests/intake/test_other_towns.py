"""The same pages under the laws of two other towns: one only by agreement, one that accepts no septage."""

from datetime import date

import pytest

from intake.queries.public import plant_status
from office.access import Grant, Role, system
from office.acts import act
from office.db import db
from office.law import adopt_law, law_now
from office.plants import plant_named, set_up_plant
from office.signin import person_with_email
from tests import world

NOW = "2026-10-06T08:00"
TOWNS = {
    "lawrence": ("This plant does not accept septage", "Green Bay"),
    "gillett": ("Septage only by agreement", "agreement"),
}
PUBLIC = ["", "week", "rules", "fees", "fees?gallons=1500&waste=septic_tank", "notices", "status.json", "status.txt",
          "status.atom"]  # fmt: skip


@act("test_direct", roles=(Role.SYSTEM,))
def _direct(plant_id, *, by, at):
    person = person_with_email("director@city.example")
    db.session.add(Grant(person_id=person.id, plant_id=plant_id, role=Role.DIRECTOR.value, since=at))
    return True


@pytest.fixture(params=sorted(TOWNS))
def town(app, clock_at, request):
    clock_at(NOW)
    who, at = system("Set-up"), world.START
    plant = set_up_plant(slug=request.param, name=request.param.title(), city=request.param.title(),
                         zone="America/Chicago", phone="715-555-0111", help_hours="weekdays", address="1 Road",
                         by=who, at=at)  # fmt: skip
    db.session.flush()
    adopt_law(plant, request.param, date(2020, 1, 1), "Ordinance", by=who, at=at)
    _direct(plant.id, by=who, at=at)
    db.session.commit()
    return request.param


def test_the_public_page_says_so_and_where_to_go(town):
    plant = plant_named(town)
    now = plant_status(plant, law_now(plant, world.at(NOW)), world.at(NOW))
    headline, words = TOWNS[town]
    assert (now.state, now.headline, now.gallons_left, now.picture) == ("not_accepted", headline, 0, None)
    assert words in " ".join(now.lines)


@pytest.mark.parametrize("address", PUBLIC)
def test_every_public_page_opens(app, town, address):
    answer = app.test_client().get(f"/{town}/{address}")
    assert answer.status_code in (200, 422)
    assert "1,998" not in answer.get_data(as_text=True)


def test_the_directors_pages_open_or_say_why_not(app, town):
    client = app.test_client()
    world.sign_in(client, "director")
    codes = {tail: client.get(f"/{town}/director{tail}").status_code for tail in ("", "/restrict", "/flow", "/close")}
    assert codes == {"": 200, "/restrict": 409, "/flow": 409, "/close": 200}


def test_nothing_of_bayfield_shows_at_another_plant(app, town):
    from intake.actions.restriction import restrict_plant

    restrict_plant(world.plant(), "permit_threat", by=world.staff("director"), at=world.at(NOW), law=world.law())
    db.session.commit()
    client = app.test_client()
    assert client.get(f"/{town}/notices/1").status_code == 404
    assert "Restricted since" not in client.get(f"/{town}/").get_data(as_text=True)
