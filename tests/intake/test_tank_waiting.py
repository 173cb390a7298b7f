"""Beside a receiving tank too: the waiting list, a special time, a part of a load that moves, a no-show taken back."""

from dataclasses import replace
from datetime import time

import pytest
from sqlalchemy import select

from intake.actions.moving import move_booking
from intake.actions.no_show import record_no_show, undo_no_show
from intake.models import Booking, PlannedSession
from intake.queries import offered
from intake.queries.checks import check_capacity
from intake.queries.terms import terms_of
from office.db import db
from ordinances.offers import Session
from tests import world
from tests.intake.gatehouse import good, kept, log, said
from tests.intake.plant import MORNING, THURSDAY, TUESDAY, WEDNESDAY, Hauler, book, code, hauler, picture
from tests.intake.specials import arranged, working_hours
from tests.intake.tanks import PLAIN, into, only_tank
from tests.intake.test_waiting import answer, cancel, offers, theirs, wait

FULL = replace(PLAIN, held=3_000)


@pytest.fixture
def who(app) -> Hauler:
    return hauler()


def test_gallons_given_back_are_kept_for_the_first_in_line_and_nobody_else(who):
    only_tank(FULL)
    booked = good(book(who, into("09:45", 1_900)))
    other = hauler("Second Pumping", number=2)
    good(wait(other, 1_800))
    assert offers() == []
    cancel(who, booked)
    [row] = offers()
    assert (row.gallons, row.gph, theirs(other)) == (1_800, 12_000, [row.id])
    # Of 1,998 gallons that leave on Tuesday 1,800 are kept.
    assert picture().room == 198
    third = hauler("Third Pumping", number=3)
    late = Session(world.at("2026-10-06T09:55"), world.at("2026-10-06T09:58"), 12_000, 600)
    assert said(book(third, late)) == (
        "taken", "The tank has room for 150 gallons from here, not 600.", "§ 329-7 F(3)")  # fmt: skip
    taken = good(answer(other, row))
    assert (code(taken), picture().room, check_capacity()) == ("booked B-1006-02", 198, [])


def test_a_special_time_goes_into_the_tank_and_is_bled_the_next_morning(who):
    only_tank()
    working_hours()
    row = arranged(who, 2_000, time(14))
    session = db.session.scalars(select(PlannedSession)).one()
    assert (row.state, session.starts, session.ends, session.gph) == (
        "arranged", world.at("2026-10-06T14:00"), world.at("2026-10-06T14:10"), 12_000)  # fmt: skip
    course = picture(WEDNESDAY).tank.plan.course
    assert [course.level(world.at(f"2026-10-{at}")) for at in ("06T23:00", "07T08:00")] == [2_000, 1_334]
    assert picture(WEDNESDAY).room == 2_998


def test_a_part_that_moves_leaves_the_other_its_gallons(who):
    only_tank(FULL)
    both = good(book(who, [into("09:45", 1_500), into("09:45", 1_500, THURSDAY)]))
    terms = terms_of(world.plant().id, who.business_id, world.law(), MORNING, "septic_tank")
    found = offered.find(world.plant(), terms, MORNING, 1_500, WEDNESDAY, booking_id=both.id, without=[TUESDAY])
    assert found.day == WEDNESDAY
    # 3,829.5 leave until Wednesday, 9:45, of which Tuesday's part has 1,500.
    assert max(room.largest(MORNING) for room in found.rooms) == 2_466
    moved = move_booking(world.plant(), both.id, [found.fits[-1]], part=THURSDAY, by=who.by, at=MORNING,
                         law=world.law())  # fmt: skip
    good(kept(moved))
    days = db.session.scalars(select(PlannedSession.day).order_by(PlannedSession.day)).all()
    assert (days, check_capacity()) == ([TUESDAY, WEDNESDAY], [])


def test_a_no_show_stands_again_only_while_the_tank_has_its_gallons(who):
    only_tank()
    booking = good(book(who, into("09:00", 2_000)))
    at = world.at("2026-10-06T09:01")
    good(kept(record_no_show(world.plant(), booking.id, by=world.staff("operator"), at=at, law=world.law())))
    good(log(hauler("Second Pumping", number=2), 3_000, "2026-10-06T09:02"))
    back = undo_no_show(world.plant(), booking.id, by=world.staff("operator"), at=world.at("2026-10-06T09:03"),
                        law=world.law())  # fmt: skip
    assert code(kept(back)) == "room_gone"
    assert db.session.get_one(Booking, booking.id).state == "no_show"
