"""Walls: no address of one plant or hauler answers with another's record; the answer reads "not found"."""

import re

import pytest

from intake.sample.cast import PASSWORD
from office.access import Grant, Role, system
from office.acts import act
from office.db import db
from office.law import adopt_law
from office.plants import set_up_plant
from office.signin import new_person
from tests import world
from tests.flows.test_forms import walk

pytestmark = pytest.mark.xdist_group("season")
# A season's name is no record: each plant has its own page of a season.
SEASON = r"\b20\d\d-\d\d(?![\d-])"
EVERYTHING = [Role.OPERATOR, Role.MANAGER, Role.DIRECTOR, Role.CLERK, Role.MEMBER, Role.ADMINISTRATOR, Role.STATE]


@act("test_second_plant", roles=(Role.SYSTEM,))
def second_plant(*, by, at):
    """A second plant under the same ordinance with one person who holds every role there."""
    plant = set_up_plant(slug="elsewhere", name="Elsewhere Works", city="Town of Elsewhere", zone="America/Chicago",
                         phone="715-555-0999", help_hours="never", address="1 Road", by=by, at=at)  # fmt: skip
    db.session.flush()
    adopt_law(plant, "bayfield", world.date(1992, 1, 1), "Ordinance", by=by, at=at)
    person = new_person("all@elsewhere.example", "Everything Elsewhere", world.PASSWORD)
    for role in EVERYTHING:
        db.session.add(Grant(person_id=person.id, plant_id=plant.id, role=role.value, since=at))
    return plant


def record_addresses(season):
    """Addresses with a record's id or number in them, as the people of Bayfield are led to them."""
    found = set()
    for who in ("hauler", "operator", "director", "clerk", "member"):
        for _client, address, _page in walk(season, who):
            if re.search(r"\d", re.sub(SEASON, "", address)) and "?" not in address:
                found.add(address)
    return sorted(found)


def test_no_record_of_a_plant_is_seen_from_another(season):
    second_plant(by=system(), at=world.at("2027-02-01T09:00"))
    db.session.commit()
    addresses = record_addresses(season)
    assert len(addresses) > 15
    client = season.test_client()
    world.sign_in(client, "all@elsewhere.example")
    for address in addresses:
        # The person has no role at the record's plant; under the other plant's address it is not there.
        assert client.get(address).status_code in (200, 403), address
        if client.get(address).status_code == 200:
            assert re.match("/bayfield/(notices|day)/|/elsewhere/day/", address), address
        if re.search(r"/day/20\d\d-", address):
            # A day is no record: each plant has its own pages of it, as of a season.
            continue
        other = address.replace("/bayfield/", "/elsewhere/")
        answer = client.get(other)
        assert answer.status_code in (404, 403), (other, answer.status_code)


def test_lists_of_the_other_plant_hold_nothing_of_bayfield(season):
    second_plant(by=system(), at=world.at("2027-02-01T09:00"))
    db.session.commit()
    client = season.test_client()
    world.sign_in(client, "all@elsewhere.example")
    names = re.compile("Made-Up|Pretend|Søn|Fictional|Imaginary|Nonesuch|Sandpiper|2027-000|B-02")
    public = "week approved notices status.json status.txt status.atom"
    desk = "clerk clerk/filings clerk/invoices clerk/ledger clerk/invoices/run messages history"
    plant = "committee director director/approvals station station/load?find=made plant/loads plant/lab"
    plant += "".join(f" committee/2026-27/{one}" for one in ("packet", "worksheet", "decide"))
    for page in ["", *f"{public} {desk} {plant}".split()]:
        answer = client.get(f"/elsewhere/{page}")
        assert answer.status_code == 200, (page, answer.status_code)
        assert not names.search(answer.get_data(as_text=True)), page


def test_hauler_cannot_open_another_haulers_records(season):
    mine = {address for _c, address, _p in walk(season, "hauler") if re.search(r"/hauler/.*\d", address)}
    mine = {address for address in mine if "?" not in address and "/book/" not in address}
    assert len(mine) >= 4, mine
    other = season.test_client()
    world.sign_in(other, "pines@sample.example", PASSWORD)
    for address in sorted(mine):
        assert other.get(address).status_code == 404, address
    out = season.test_client()
    for address in sorted(mine):
        assert out.get(address).status_code == 302, address


def test_public_pages_name_no_hauler_of_the_day(season):
    client = season.test_client()
    for page in ("", "week", "status.json", "status.txt", "status.atom", "notices", "rules", "fees", "apply"):
        words = client.get(f"/bayfield/{page}").get_data(as_text=True)
        assert not re.search("Made-Up|Pretend|Søn|Fictional|Imaginary|Nonesuch|Sandpiper|MADE-1|PINE-7", words), page
