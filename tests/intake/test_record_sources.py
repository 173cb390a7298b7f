"""The written record by the sources the approval covers, and a place that it does not cover (§ 329-7 B(1), C(3))."""

import re
from typing import Any

import pytest
from sqlalchemy import select

from haulers.actions.named_loads import load_words
from haulers.models import ApplicationSource
from haulers.ports import provide
from haulers.queries import approved_places
from intake.actions.records import file_record
from intake.models import Load, WrittenRecord
from intake.queries.named_places import NamedPlace
from intake.queries.track_record import Records
from office.access import Actor, Role, system
from office.acts import act
from office.db import db
from office.forms import fresh
from office.journal import frame
from office.notices import Notice
from tests import world
from tests.intake.gatehouse import good, kept, log, said
from tests.intake.plant import Hauler, hauler

JAY = "Homes along County Road J"


@act("test_place", roles=(Role.SYSTEM,))
def _place(*, by: Actor, at: Any) -> bool:
    for row in db.session.query(ApplicationSource).filter_by(waste="septic_tank"):
        row.place = JAY
    return True


@pytest.fixture
def mine(app: Any, clock_at: Any) -> Hauler:
    clock_at("2026-10-06T09:00")
    found = hauler()
    _place(by=system(), at=world.at("2026-10-01T09:00"))
    return found


@pytest.fixture
def load(mine: Hauler) -> Load:
    found: Load = good(log(mine))
    db.session.commit()
    return found


def page(app: Any, load: Load, who: str, address: str = "/bayfield/station/load/{}", **typed: str) -> str:
    client = app.test_client()
    world.sign_in(client, who)
    address = address.format(load.ticket)
    answer = client.post(address, data=typed | {"once": fresh()}) if typed else client.get(address)
    return str((client.get(answer.location) if answer.status_code == 303 else answer).get_data(as_text=True))


def record(load: Load, *places: NamedPlace, words: str = "", by: Actor | None = None) -> Any:
    return kept(file_record(load, words, places, by=by or world.staff("operator"), at=world.at("2026-10-06T10:00"),
                            law=world.law()))  # fmt: skip


@pytest.mark.parametrize("who", ["hauler", "operator"])
def test_the_record_asks_the_gallons_of_each_approved_source_and_of_other_places(
    app: Any, mine: Hauler, load: Load, who: str
) -> None:
    (place,) = approved_places(load.approval_id)
    address = "/bayfield/hauler/loads/{}/record" if who == "hauler" else "/bayfield/station/load/{}/record"
    user = mine.email if who == "hauler" else who
    shown = page(app, load, user, address)
    assert re.findall(r'name="(from_\w+|others-\d-\w+|sources)"', shown) == [
        f"from_{place.key}", "others-0-place", "others-0-gallons", "sources"]  # fmt: skip
    assert f"{JAY}: septic tank waste" in shown
    for label in ("Which place?", "Gallons from there"):
        assert f'{label} <span class="optional">(optional)</span></label>' in shown
    wrong = page(app, load, user, address, sources="12 Cedar Lane")
    assert "Enter the gallons from a source, or another place" in wrong
    more = page(app, load, user, address, add_row="others", **{"others-0-place": "Cabins"})
    assert (more.count("Which place?"), "Enter the gallons" in more) == (2, False)
    half = page(app, load, user, address, **{"others-0-place": "Cabins"})
    assert re.findall(r'<a href="#others-0-gallons">([^<]+)</a>', half) == ["Place 1: Enter the gallons from there"]
    typed = {f"from_{place.key}": "1,200", "others-0-place": "Cabins, holding tank", "others-0-gallons": "250"}
    asked = page(app, load, user, address, sources="12 Cedar Lane", **typed)
    assert "The places add up to 1,450 gallons; the load was 1,500 gallons. Change the gallons, or confirm" in asked
    assert ('value="1,200"' in asked, "12 Cedar Lane" in asked, 'name="sure"' in asked) == (True, True, True)
    assert 'name="sure"' not in shown
    assert db.session.scalars(select(WrittenRecord)).all() == []
    page(app, load, user, address, sources="12 Cedar Lane", sure="1", **typed)
    kept_record = db.session.scalars(select(WrittenRecord)).one()
    assert kept_record.sources.splitlines() == [
        f"{JAY}, septic tank waste: 1,200 gallons",
        "Cabins, holding tank (not approved): 250 gallons",
        "12 Cedar Lane",
    ]
    assert (kept_record.unapproved, kept_record.on_behalf) == (1, who == "operator")
    assert kept_record.places == [
        {"place": JAY, "waste": "septic_tank", "gallons": 1200, "approved": True},
        {"place": "Cabins, holding tank", "waste": "", "gallons": 250, "approved": False},
    ]  # fmt: skip


@pytest.mark.parametrize("who", ["operator", "clerk", "director", "hauler"])
def test_a_place_that_is_not_approved_is_flagged_to_all_who_read_the_load(
    app: Any, mine: Hauler, load: Load, who: str
) -> None:
    good(record(load, NamedPlace("Cabins", 1200)))
    ours = who != "hauler"
    user = who if ours else mine.email
    shown = page(app, load, user, "/bayfield/station/load/{}" if ours else "/bayfield/hauler/loads/{}")
    assert "Not on the approval: Cabins" in shown
    assert ("§ 329-7 B(1)" in shown, "§ 329-7 C(3)" in shown) == (True, True)
    assert "The places add up to 1,200 gallons; the load was 1,500 gallons." in shown
    listed = page(app, load, user, "/bayfield/plant/loads" if ours else "/bayfield/hauler/loads")
    assert "Place not approved" in listed


def test_the_clerk_the_director_and_the_hauler_are_told_at_once(mine: Hauler, load: Load) -> None:
    good(record(load, NamedPlace("Cabins", 1500)))
    found = db.session.scalars(select(Notice).filter_by(kind="record_place").order_by(Notice.id)).all()
    assert [one.to_name for one in found] == ["Director of the City", "Clerk of the City", "Test Pumping"]
    said_words = ("The written record of load 2026-00001 (1,500 gallons, truck T-1) names a place that the "
                  "approval does not cover: Cabins (§ 329-7 B(1)).")  # fmt: skip
    assert found[0].body == f"Test Pumping. {said_words} The record is taken as it was written."
    assert found[2].body.startswith(f"{said_words} Ask for a change of the approval before you bring more from there.")


def test_it_is_in_the_record_of_the_hauler_and_a_notice_of_violation_names_it(mine: Hauler, load: Load) -> None:
    good(record(load, NamedPlace("Cabins", 1500)))
    good(record(good(log(mine, at="2026-10-07T07:00")), NamedPlace(JAY.upper(), 1500)))
    plant = world.plant()
    found = Records().last_season(plant.id, [mine.business_id], "2026-27")[mine.business_id]
    assert (found.loads, found.elsewhere) == (2, 1)
    provide(Records())
    strange = ", from a place that is not approved"
    assert load_words(plant, mine.business_id, ["2026-00001", "2026-00002"]) == [
        f"Load ticket 2026-00001: October 6, 2026, 1,500 gallons of septic tank waste{strange}",
        "Load ticket 2026-00002: October 7, 2026, 1,500 gallons of septic tank waste"]  # fmt: skip


def test_a_source_that_is_approved_is_flagged_nowhere(app: Any, mine: Hauler, load: Load) -> None:
    (place,) = approved_places(load.approval_id)
    good(record(load, NamedPlace(JAY, 1500, place.key), by=mine.by))
    assert db.session.scalars(select(Notice).filter_by(kind="record_place")).all() == []
    shown = page(app, load, "clerk")
    assert ("Not on the approval" in shown, "add up to" in shown) == (False, False)
    assert f"{JAY}, septic tank waste: 1,500 gallons" in shown


@pytest.mark.parametrize("who", ["operator", "hauler"])
def test_a_source_of_another_type_than_the_load_is_flagged(app: Any, mine: Hauler, load: Load, who: str) -> None:
    (place,) = approved_places(load.approval_id)
    good(record(load, NamedPlace(JAY, 1500, place.key)))
    at_the_station = (who, "/bayfield/station/load/{}")
    user, address = at_the_station if who == "operator" else (mine.email, "/bayfield/hauler/loads/{}")
    words = f"Approved for another type of waste: {JAY}"
    assert words not in page(app, load, user, address)
    with frame("test", system(), None, world.START):
        load.waste = "holding_tank"
        db.session.commit()
    assert words in page(app, load, user, address)


def test_a_source_selected_that_is_gone_meanwhile_is_said_and_nothing_kept(load: Load) -> None:
    assert said(record(load, NamedPlace("Gone", 10, "s0"))) == (
        "not_listed", "The approval does not list that source any more. Look at the list again.", "")  # fmt: skip
    assert db.session.scalars(select(WrittenRecord)).all() == []


def test_a_record_in_words_only_shows_what_was_written_beside_the_approved_sources(
    app: Any, mine: Hauler, load: Load
) -> None:
    good(record(load, words="12 Cedar Lane", by=mine.by))
    shown = page(app, load, "clerk")
    assert '<p class="record-words">12 Cedar Lane</p>' in shown
    assert (f"<li>{JAY}: septic tank waste</li>" in shown, "Not on the approval" in shown) == (True, False)
    told = "A place in the record that is none of these needs the committee's approval first."
    assert told in shown


def test_where_the_approval_names_no_place_the_record_is_in_words_and_nothing_is_flagged(app: Any) -> None:
    load = good(log(hauler()))
    assert "Where did the load come from?" in page(app, load, "operator", "/bayfield/station/load/{}/record")
    good(record(load, NamedPlace("Cabins", 1500)))
    assert db.session.scalars(select(WrittenRecord.unapproved)).one() == 0
