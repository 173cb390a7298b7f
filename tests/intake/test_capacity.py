"""What is taken and what is free on a day: rate over time under the limit."""

from dataclasses import replace
from datetime import date

import pytest

from intake.actions.booking import cancel_booking
from intake.queries import capacity, point_room
from office.db import db
from office.plants import set_closure
from ordinances import offers
from ordinances.refusal import Refusal
from tests import world
from tests.intake.plant import (
    MORNING,
    THURSDAY,
    TUESDAY,
    WEDNESDAY,
    book,
    code,
    hauler,
    picture,
    queries,
    session,
)
from tests.intake.test_points import set_to, station

pytestmark = pytest.mark.usefixtures("app")


def spans(day: date, gallons: int, at=MORNING) -> list[tuple[str, str, int]]:
    found, _ = offers.offers(picture(day, at).steps, gallons, at)
    return [(f"{s.start.astimezone(world.ZONE):%H:%M}", f"{s.end.astimezone(world.ZONE):%H:%M}", s.gph) for s in found]


def test_an_empty_day_holds_the_whole_window():
    empty = picture()
    assert (empty.whole, empty.room, empty.largest) == (1_998, 1_998, 1_998)
    assert [(q.free, q.shut) for q in empty.quarters] == [(166.5, False)] * 12


def test_the_whole_window_is_offered_from_seven_to_ten_and_two_gallons_more_are_not():
    assert spans(TUESDAY, 1_998) == [("07:00", "10:00", 666)]
    assert spans(TUESDAY, 1_999) == []


def test_a_small_load_is_offered_at_the_lowest_rate_that_ends_at_the_same_minute():
    assert spans(TUESDAY, 600)[0] == ("07:00", "07:55", 655)
    assert spans(TUESDAY, 600)[-1] == ("09:00", "09:55", 655)


def test_the_largest_single_load_books_and_one_gallon_more_does_not():
    who = hauler()
    book(who, session("2026-10-06T07:00", 600))
    largest = picture().largest
    assert spans(TUESDAY, largest) != []
    assert spans(TUESDAY, largest + 1) == []


def test_gallons_left_count_from_now_and_are_rounded_down_once():
    at = world.at("2026-10-06T07:52")
    now = picture(TUESDAY, at)
    assert now.room == 666 * 128 // 60
    assert int(sum(q.free for q in now.quarters if q.end > at)) == now.room


def test_two_loads_touching_are_both_taken_and_leave_the_limit_alone():
    who = hauler()
    for start in ("07:00", "08:00", "09:00"):
        assert code(book(who, session(f"2026-10-06T{start}", 666))).startswith("booked")
    full = picture()
    assert (full.room, full.largest, {step.free for step in full.steps}) == (0, 0, {0})


def test_a_cancelled_booking_gives_its_room_back_at_once():
    who = hauler()
    booking = book(who, session("2026-10-06T07:00", 1_998))
    assert picture().room == 0
    cancel_booking(world.plant(), booking.id, "", by=who.by, at=MORNING, law=world.law())
    db.session.commit()
    assert picture().room == 1_998


def test_leaving_one_booking_out_shows_its_room_as_free():
    who = hauler()
    booking = book(who, session("2026-10-06T07:00", 1_998))
    assert capacity.day_picture(world.plant(), world.law(), TUESDAY, MORNING, booking.id).room == 1_998


@pytest.mark.parametrize(("day", "why"), [
    (date(2026, 11, 26), "The plant is closed on Thursday, November 26, 2026: Thanksgiving Day."),
    (date(2026, 10, 10), "The plant is closed on Saturday, October 10, 2026: unloading is Monday to Friday only."),
])  # fmt: skip
def test_a_closed_day_has_no_room_and_names_why(day, why):
    closed = picture(day)
    assert isinstance(closed.hours, Refusal)
    assert (closed.room, closed.largest, closed.quarters) == (0, 0, [])
    assert closed.hours.why == why


def test_the_days_offered_skip_the_weekend_the_holiday_and_a_closure():
    set_closure(world.plant(), date(2026, 11, 30), "Pump replacement", "closed", by=world.staff("manager"), at=MORNING)
    db.session.commit()
    days = capacity.days_ahead(world.law(), world.at("2026-11-25T06:00"), 4)
    assert days == [date(2026, 11, 25), date(2026, 11, 27), date(2026, 12, 1), date(2026, 12, 2)]


@pytest.mark.parametrize(("day", "utc"), [
    (date(2026, 10, 30), "12:00"), (date(2026, 11, 2), "13:00"), (date(2027, 3, 15), "12:00"),
])  # fmt: skip
def test_seven_in_the_morning_follows_the_clock_change(day, utc):
    steps = picture(day).steps
    assert steps[0].start.astimezone(capacity.UTC).strftime("%H:%M") == utc
    assert picture(day).room == 1_998


def test_several_days_cost_the_same_queries_however_many_bookings():
    who = hauler()
    counts = []
    for day in ("06", "07", "08"):
        book(who, session(f"2026-10-{day}T07:00", 300))
        plant, law = world.plant(), world.law()
        capacity.day_pictures(plant, law, [TUESDAY, WEDNESDAY, THURSDAY], MORNING)
        db.session.rollback()
        with queries() as seen:
            capacity.day_pictures(plant, law, [TUESDAY, WEDNESDAY, THURSDAY], MORNING)
        counts.append(sum(one.startswith("SELECT") for one in seen))
    assert counts == [5] * 3


def test_one_revoked_from_a_day_to_come_keeps_its_room_until_then(clock_at):
    from haulers.actions.revocation import revoke_approval
    from tests.intake.gatehouse import good, kept

    clock_at("2026-10-05T16:00")
    who = hauler()
    for day in ("06", "07", "08"):
        book(who, session(f"2026-10-{day}T07:00", 300))
    rule = world.law().value("revocation.grounds", TUESDAY)[0]
    good(kept(revoke_approval(world.plant(), who.approval_id, rule, "At night", (), WEDNESDAY,
                              by=world.staff("director"), at=MORNING, law=world.law())))  # fmt: skip
    pictures = capacity.day_pictures(world.plant(), world.law(), [TUESDAY, WEDNESDAY, THURSDAY], MORNING)
    assert [len(pictures[day].taken) for day in (TUESDAY, WEDNESDAY, THURSDAY)] == [1, 0, 0]


def test_what_was_reckoned_of_a_day_is_shared_only_by_those_to_whom_it_is_the_same():
    asked = []

    def room(one):
        asked.append(one)
        return one.room

    def of(one):
        return one.once("test", one.now, lambda: room(one))

    assert [of(picture()), of(picture(at=world.at("2026-10-06T07:00")))] == [1_998, 1_998]
    assert len(asked) == 1
    # Once the day has begun it is another at each instant.
    late = world.at("2026-10-06T08:00")
    assert [of(picture(at=late)), of(picture(at=late))] == [1_332, 1_332]
    assert len(asked) == 3
    # What is made of a day knows nothing of it, nor does the day after a booking or under other points.
    assert of(replace(picture(), steps=picture().steps[:0])) == 0
    book(hauler(), session("2026-10-06T07:00", 600))
    assert of(picture()) == 1_397
    assert len(asked) == 5


def test_a_point_that_is_set_otherwise_is_seen_by_who_asked_before():
    assert picture().largest_at(picture().places[0]) == 1_998
    before = point_room.at_best(picture(), "", None, None, (), MORNING)
    set_to(station(), max_gph=300)
    assert (before[1], point_room.at_best(picture(), "", None, None, (), MORNING)[1]) == (1_998, 900)
