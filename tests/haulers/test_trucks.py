"""Trucks: one truck may serve several haulers; changed and taken off without touching another's."""

from datetime import timedelta

import pytest
from sqlalchemy import func, select

from haulers.actions.trucks import add_truck, change_truck, retire_truck, truck_mark
from haulers.models import Truck
from haulers.queries import TruckLine, trucks_at, trucks_of
from office.db import db
from office.journal import JournalEntry
from tests import world
from tests.haulers.builders import acting, hauler
from tests.haulers.company import MINE, THEIRS, post, read, second, signed_in, wrong

AT = world.at("2026-08-10T09:00")
SHARED = "Another hauler lists it too: you share it."
ALIKE = "Another hauler lists this plate with another tank size or state number. Yours is kept as you wrote it."


@pytest.fixture(autouse=True)
def now(app, clock_at):
    clock_at("2026-08-10T09:00")


def add(business, *line):
    return add_truck(business, TruckLine(*line), by=acting(business), at=AT)


def change(business, truck, *line, by=None, **more):
    return change_truck(business, truck.id, TruckLine(*line), by=by or acting(business), at=AT, **more)


def test_a_plate_another_hauler_lists_alike_is_the_same_truck():
    mine, theirs = hauler(), second()
    truck = trucks_of(mine.id)[0]
    made = add(theirs, " wi-1234 ", 1500)
    assert made.id == truck.id
    assert [one.plate for one in trucks_of(theirs.id)] == ["WI 1234", "WI 77"]
    assert db.session.scalar(select(func.count(Truck.id))) == 2


@pytest.mark.parametrize("line", [("WI 1234", 1499), ("WI 1234", 1500, "", "WI-99")])
def test_a_plate_listed_otherwise_shuts_nobody_out_and_is_a_truck_of_its_own(line):
    mine, theirs = hauler(), second()
    made = add(theirs, *line)
    assert made.id != trucks_of(mine.id)[0].id
    assert (made.capacity, made.sticker) == (line[1], line[3] if len(line) > 3 else "")
    assert (trucks_of(mine.id)[0].capacity, trucks_of(mine.id)[0].sticker) == (1500, "")


@pytest.mark.parametrize(("line", "code"), [
    (("", 1500), "no_plate"), (("WI 9", 0), "no_capacity"), (("wi 1234", 1500), "plate_listed"),
])  # fmt: skip
def test_a_truck_that_cannot_be_listed_is_refused(line, code):
    assert add(hauler(), *line).code == code


def test_a_truck_is_changed_in_place_and_the_history_keeps_the_old():
    mine = hauler()
    truck = trucks_of(mine.id)[0]
    db.session.commit()
    changed = change(mine, truck, "WI 4321", 1600, "Big Blue", "WI-5")
    assert (changed.id, changed.plate, changed.capacity, changed.sticker) == (truck.id, "WI 4321", 1600, "WI-5")
    db.session.commit()
    entry = db.session.scalars(select(JournalEntry).filter_by(act="change_truck", table_name="truck")).one()
    assert (entry.old["plate"], entry.new["plate"], entry.person) == ("WI 1234", "WI 4321", "Ingrid O'Brien")


def test_a_shared_truck_is_not_changed_for_one_and_stays_with_the_other_when_taken_off():
    mine, theirs = hauler(), second()
    truck = add(theirs, "WI 1234", 1500)
    refused = change(theirs, truck, "WI 1234", 9000)
    assert (refused.code, refused.why) == (
        "shared", "Truck WI 1234 is on another hauler's list too, so it is not changed for one.")  # fmt: skip
    assert retire_truck(mine, truck.id, by=acting(mine), at=AT).retired_at is None
    assert (trucks_of(mine.id), trucks_of(theirs.id)[0].id) == ([], truck.id)
    assert [one.id for one in trucks_at(mine.id, AT - timedelta(minutes=1))] == [truck.id]
    assert trucks_at(mine.id, AT) == []
    assert add(mine, "WI 1234", 1500).id == truck.id
    assert [one.id for one in trucks_of(mine.id)] == [truck.id]
    assert retire_truck(mine, truck.id, by=acting(mine), at=AT).retired_at is None
    assert change(theirs, truck, "WI 1234", 9000).capacity == 9000
    assert retire_truck(theirs, truck.id, by=acting(theirs), at=AT).retired_at == AT
    assert retire_truck(theirs, truck.id, by=acting(theirs), at=AT).code == "not_yours"


def test_another_haulers_truck_is_neither_changed_nor_taken_off():
    mine, theirs = hauler(), second()
    truck = trucks_of(mine.id)[0]
    assert change(theirs, truck, "X", 1).code == "not_yours"
    assert change(mine, truck, "X", 1, by=acting(theirs)).code == "not_yours"
    assert change(mine, truck, "X", 1, by=world.staff("clerk")).code == "not_your_role"
    assert retire_truck(theirs, truck.id, by=acting(theirs), at=AT).code == "not_yours"


def test_a_plate_of_ones_own_list_is_not_given_twice_by_changing():
    mine = hauler()
    add(mine, "WI 2", 900)
    assert change(mine, trucks_of(mine.id)[0], "wi2", 1500).code == "plate_listed"
    assert change(mine, trucks_of(mine.id)[0], "WI 1234", 1501).capacity == 1501


def test_the_pages_tell_of_sharing_and_never_with_whom(app):
    hauler(), second("WI 1234", 900)
    client = signed_in(app, THEIRS)
    assert ALIKE in read(client, "/hauler/trucks")
    sent = post(client, "/hauler/trucks", plate="WI 5", capacity="800")
    assert sent.location == "/bayfield/hauler/trucks"
    mine = signed_in(app, MINE)
    post(mine, "/hauler/trucks", plate="wi 5", capacity="800")
    page = read(mine, "/hauler/trucks")
    assert f"Truck WI 5 is on your list. {SHARED}" in page
    assert "Second Septic" not in page


def test_changing_a_truck_from_its_page_and_coming_back_to_checking_the_answers(app):
    truck = trucks_of(hauler().id)[0].id
    client = signed_in(app)
    assert 'value="WI 1234"' in read(client, f"/hauler/trucks/{truck}")
    answer = post(client, f"/hauler/trucks/{truck}", plate="", capacity="many")
    assert wrong(answer) == [("plate", "Enter the plate"), ("capacity", "Tank size must be a number, like 1,500")]
    assert 'value="many"' in answer.get_data(as_text=True)
    sent = post(client, f"/hauler/trucks/{truck}", plate="WI 8", capacity="1,800")
    assert sent.location == "/bayfield/hauler/trucks"
    page = read(client, "/hauler/trucks")
    assert ("Truck WI 8 is changed." in page, "1,800" in page) == (True, True)
    assert "/bayfield/hauler/apply/check" in read(client, "/hauler/trucks?from=check")
    added = post(client, "/hauler/trucks?from=check", plate="WI 9", capacity="900")
    assert added.location == "/bayfield/hauler/trucks?from=check"


def test_a_shared_trucks_page_says_so_and_has_no_form(app):
    mine = hauler()
    add(second(), "WI 1234", 1500)
    page = read(signed_in(app), f"/hauler/trucks/{trucks_of(mine.id)[0].id}")
    assert "Another hauler lists this truck too" in page
    assert "Save truck" not in page


def test_another_haulers_truck_page_is_not_found(app):
    truck = trucks_of(hauler().id)[0].id
    second()
    client = signed_in(app, THEIRS)
    assert client.get(f"/bayfield/hauler/trucks/{truck}").status_code == 404
    assert post(client, f"/hauler/trucks/{truck}", plate="X", capacity="1").status_code == 404


def test_a_save_over_a_colleagues_newer_one_is_told_and_loses_neither(app, clock_at):
    truck = trucks_of(hauler().id)[0]
    seen = truck_mark(truck)
    client, ident = signed_in(app), truck.id
    post(client, f"/hauler/trucks/{ident}", plate="WI 1234", capacity="1,600", seen=seen)
    clock_at("2026-08-10T09:30")
    answer = post(client, f"/hauler/trucks/{ident}", plate="WI 1234", capacity="1,700", seen=seen)
    page = answer.get_data(as_text=True)
    assert wrong(answer) == [("main", "Ingrid O'Brien saved this page on Monday, August 10, 2026, 9:00 a.m., after you "
                              "opened it. What you typed is still here. Save it again to put it in the place of theirs."
                              )]  # fmt: skip
    assert ('value="1,700"' in page, "<dd>1,600</dd>" in page) == (True, True)
    db.session.expire_all()
    assert db.session.get_one(Truck, ident).capacity == 1600
    again = page.split('name="seen" value="')[1].split('"')[0]
    post(client, f"/hauler/trucks/{ident}", plate="WI 1234", capacity="1,700", seen=again)
    db.session.expire_all()
    assert db.session.get_one(Truck, ident).capacity == 1700
