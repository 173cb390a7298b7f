"""One truck stands in one place at a time, a booking starts in a minute to come, and one sent twice is made once."""

import re
from typing import Any

import pytest
from sqlalchemy import select

from haulers.actions.trucks import add_truck
from haulers.queries import TruckLine, business
from intake.models import Booking
from intake.queries import offered
from intake.queries.terms import terms_of
from office.db import db
from ordinances import offers
from tests import world
from tests.intake.gatehouse import booked, good, kept, log
from tests.intake.plant import MORNING, TUESDAY, Hauler, book, code, grant_trucks, hauler, picture, planned, session
from tests.intake.test_booking_pages import EARLY, LOAD, address, post, text, times


@pytest.fixture
def who(app: Any, clock_at: Any) -> Hauler:
    clock_at(EARLY)
    return hauler()


@pytest.fixture
def client(app: Any, who: Hauler) -> Any:
    made = app.test_client()
    world.sign_in(made, who.email)
    return made


def found(who: Hauler, gallons: int, at: Any = MORNING, day: Any = TUESDAY) -> offered.Offered:
    from haulers.queries import truck

    terms = terms_of(world.plant().id, who.business_id, world.law(), at, "septic_tank")
    return offered.find(world.plant(), terms, at, gallons, day, truck=truck(who.truck_id))


def shared(who: Hauler) -> Hauler:
    """Another hauler who uses the same truck."""
    other = hauler("Second Pumping", number=2)
    mine: Any = business(other.business_id)
    truck = good(kept(add_truck(mine, TruckLine("T-1", 5_000, "Truck"), by=other.by, at=world.START)))
    assert truck.id == who.truck_id
    both = Hauler(other.business_id, truck.id, other.approval_id, other.email, other.by)
    grant_trucks(both)
    return both


def test_a_truck_is_not_booked_twice_in_one_minute_and_the_other_booking_is_named(who):
    planned(who, session("2026-10-06T08:15", 100, 100))
    refused = book(who, session("2026-10-06T09:00", 100))
    assert (code(refused), refused.why, refused.next_step) == (
        "truck_taken", "Truck T-1 is taken Tue, Oct 6, 8:15 to 9:15 a.m.: booking B-1006-01.",
        "Choose another time, or another truck.")  # fmt: skip


def test_a_truck_may_begin_again_in_the_minute_its_first_load_ends(who):
    booked(book(who, session("2026-10-06T08:00", 333)))
    assert code(book(who, session("2026-10-06T08:15", 333))) == "truck_taken"
    assert code(book(who, session("2026-10-06T08:30", 333))) == "booked B-1006-02"
    assert code(book(who, session("2026-10-06T07:30", 333))) == "booked B-1006-03"


def test_a_shared_truck_is_taken_for_its_other_hauler_who_is_not_told_by_whom(who):
    other = shared(who)
    booked(book(who, session("2026-10-06T08:00", 100)))
    refused = book(other, session("2026-10-06T08:00", 100))
    assert (code(refused), refused.why) == (
        "truck_taken", "Another hauler who uses truck T-1 has it Tue, Oct 6, 8:00 to 8:10 a.m.")  # fmt: skip


def test_a_truck_that_unloads_is_taken_until_it_is_done(who):
    good(log(who, 333))
    at = world.at("2026-10-06T07:10")
    refused = book(who, session("2026-10-06T07:15", 1), at=at)
    assert refused.why == "Truck T-1 is taken Tue, Oct 6, 7:00 to 7:30 a.m.: load 2026-00001."
    assert code(book(who, session("2026-10-06T07:45", 1), at=at)) == "booked B-1006-01"


def test_another_truck_is_offered_what_the_plant_has(who):
    booked(book(who, session("2026-10-06T08:00", 100)))
    other = hauler("Second Pumping", number=2)
    assert code(book(other, session("2026-10-06T08:10", 100))) == "booked B-1006-02"


def test_times_of_a_taken_truck_are_folded_away_with_the_reason_and_the_others_are_booked(who):
    booked(book(who, session("2026-10-06T08:00", 333)))
    shown = found(who, 333)
    words = "Truck T-1 is taken Tue, Oct 6, 8:00 to 8:30 a.m.: booking B-1006-01."
    assert [f"{one.start:%H:%M}" for one in shown.fits] == ["07:00", "07:15", "07:30", "08:30", "08:45", "09:00",
                                                            "09:15", "09:30"]  # fmt: skip
    assert [one.reason for one in shown.misses if f"{one.start:%H:%M}" == "08:15"] == [words]
    assert shown.busy == (words,)
    assert [code(book(who, one)) for one in shown.fits[::2]] == [
        "booked B-1006-02", "booked B-1006-03", "booked B-1006-04", "booked B-1006-05"]  # fmt: skip


def test_a_start_the_plant_has_room_for_is_folded_because_of_the_truck(client, who):
    slow = planned(who, session("2026-10-06T08:00", 300, 300))
    page = text(client.get(address("times", truck=who.truck_id, gallons=60, waste="septic_tank", day="2026-10-06")))
    assert [key[9:13] for key in times(page)][:4] == ["1200", "1215", "1230", "1245"]
    assert f"Truck T-1 is taken Tue, Oct 6, 8:00 to 9:00 a.m.: booking {slow.number}." in page
    assert offers.offers(picture(TUESDAY).steps, 60)[0][4].start == world.at("2026-10-06T08:00")


def test_the_largest_load_of_a_day_is_what_the_truck_can_unload_beside_its_own_booking(who):
    planned(who, session("2026-10-06T07:00", 60, 60))
    assert {one.day: one.largest for one in found(who, 100).days}[TUESDAY] == 1_332
    assert picture(TUESDAY).largest == 1_818
    assert (found(who, 1_332).fits[0].start, found(who, 1_333).fits) == (world.at("2026-10-06T08:00"), ())


def test_confirming_again_after_going_back_leads_to_the_booking_that_stands(client, who):
    path = address("check", **LOAD | {"gallons": "1998"}, s=offered.to_key(session("2026-10-06T07:00", 1_998)))
    first, again = post(client, path), post(client, path)
    assert (again.status_code, again.location) == (303, first.location)
    assert "You already sent this. This is what it did the first time." in text(client.get(again.location))
    assert len(db.session.scalars(select(Booking)).all()) == 1


def test_going_back_for_another_waste_or_after_cancelling_is_a_new_question(client, who):
    from intake.actions.booking import cancel_booking

    key = offered.to_key(session("2026-10-06T07:00", 300))
    post(client, address("check", **LOAD | {"gallons": "300"}, s=key))
    other = post(client, address("check", **LOAD | {"gallons": "300", "waste": "holding_tank"}, s=key))
    assert (other.status_code, "<h1>The truck is taken at that time</h1>" in text(other)) == (409, True)
    made = db.session.scalars(select(Booking)).one()
    good(kept(cancel_booking(world.plant(), made.id, "", by=who.by, at=MORNING, law=world.law())))
    assert post(client, address("check", **LOAD | {"gallons": "300"}, s=key)).location.endswith("/B-1006-02")


def test_the_first_time_today_is_the_next_minute_and_the_page_says_so(client, who, clock_at):
    clock_at("2026-10-06T07:57")
    page = text(client.get(address("times", truck=who.truck_id, gallons=60, waste="septic_tank", day="2026-10-06")))
    assert times(page)[0].startswith("20261006T1258-")
    assert "A booking starts in a minute to come: now 7:58 a.m. or later." in page


HOLDING = {"truck": "1", "gallons": "300", "waste": "holding_tank"}


@pytest.fixture
def septic_only(app: Any, clock_at: Any) -> Any:
    clock_at(EARLY)
    made = app.test_client()
    world.sign_in(made, hauler(wastes=["septic_tank"]).email)
    return made


def test_the_form_offers_only_what_the_approval_covers(septic_only):
    page = text(septic_only.get("/bayfield/hauler/book"))
    assert re.findall(r'name="waste" value="([^"]+)"', page) == ["septic_tank"]


@pytest.mark.parametrize(("step", "waste", "why"), [
    ("times", "holding_tank", "Approval A-2026-27-001 covers septic tank waste only."),
    ("check", "holding_tank", "Approval A-2026-27-001 covers septic tank waste only."),
    ("times", "grease_interceptor", "Grease interceptor waste is not septage, and no approval covers it."),
])  # fmt: skip
def test_waste_that_is_not_covered_is_refused_before_times_or_prices(septic_only, step, waste, why):
    key = {"s": offered.to_key(session("2026-10-06T07:00", 300))} if step == "check" else {}
    answer = septic_only.get(address(step, **HOLDING | {"waste": waste}, **key))
    page = text(answer)
    assert (answer.status_code, why in page, "Change the load" in page) == (409, True, True)
    assert "What it will cost" not in page
    assert times(page) == []
