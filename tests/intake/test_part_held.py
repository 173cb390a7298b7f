"""A split load held for one of its mornings: it is held until no morning left of it is met (§ 329-7 B(3))."""

import pytest
from sqlalchemy import select

from intake.actions.booking import cancel_booking
from intake.actions.holding import HELD_NO_MORE, STILL_HELD
from intake.actions.moving import move_booking
from intake.actions.restriction import lift_restriction, restrict_plant
from intake.models import Hold
from intake.queries import bookings
from intake.queries.checks import check_capacity
from office.db import db
from office.notices import Notice
from office.verify import verify
from tests import world
from tests.intake.gatehouse import booked, good, kept
from tests.intake.plant import MORNING, THURSDAY, TUESDAY, WEDNESDAY, book, hauler, picture, session

pytestmark = pytest.mark.usefixtures("app")
SCOPES = [{}, {"scope": "rate", "gph": 300}, {"scope": "types", "wastes": ("septic_tank",)}]


def held(more, gallons=600):
    """A load of Tuesday and Wednesday, and a restriction that is planned with until Tuesday's close."""
    who = hauler()
    mine = booked(book(who, [session("2026-10-06T07:00", gallons), session("2026-10-07T07:00", 600)]))
    row = good(kept(restrict_plant(world.plant(), "operational_problem", planning_end=world.at("2026-10-06T10:00"),
                                   by=world.staff("director"), at=MORNING, law=world.law(), **more)))  # fmt: skip
    assert state(mine) == "held"
    return who, mine, row


def state(mine, at=MORNING):
    return bookings.view(mine, at).state


def move(who, mine, part, *times, at=MORNING):
    return good(kept(move_booking(world.plant(), mine.id, times, part=part, by=who.by, at=at, law=world.law())))


def told(kind):
    return db.session.scalars(select(Notice).filter_by(kind=kind).order_by(Notice.id)).all()[-1].body


def lift(row, at):
    good(kept(lift_restriction(world.plant(), row.id, "Mended", by=world.staff("director"), at=world.at(at),
                               law=world.law())))  # fmt: skip


@pytest.mark.parametrize("more", SCOPES)
def test_moving_the_morning_that_is_not_met_leaves_the_booking_held(more):
    who, mine, row = held(more)
    move(who, mine, WEDNESDAY, session("2026-10-08T07:00", 600))
    assert (state(mine), STILL_HELD in told("booking_moved")) == ("held", True)
    lift(row, "2026-10-06T08:00")
    assert state(mine, world.at("2026-10-06T08:00")) == "missed"
    assert (check_capacity(), verify()) == ([], [])


def test_lifted_in_time_the_whole_of_it_stands_again():
    who, mine, row = held({})
    move(who, mine, WEDNESDAY, session("2026-10-08T07:00", 600))
    lift(row, "2026-10-06T06:00")
    assert state(mine, world.at("2026-10-06T06:00")) == "booked"
    assert db.session.scalars(select(Hold)).one().outcome == "released"


@pytest.mark.parametrize("more", SCOPES)
def test_moving_the_morning_that_is_met_ends_the_hold_and_says_so(more):
    who, mine, _ = held(more)
    move(who, mine, TUESDAY, session("2026-10-08T07:00", 600))
    assert (state(mine), HELD_NO_MORE in told("booking_moved")) == ("booked", True)
    assert db.session.scalars(select(Hold)).one().outcome == "released"
    assert (picture(TUESDAY, world.at("2026-10-06T10:00")).taken, check_capacity()) == ((), [])


def test_a_morning_whose_time_began_while_it_was_held_keeps_the_hold():
    who, mine, row = held({})
    move(who, mine, WEDNESDAY, session("2026-10-08T07:00", 600), at=world.at("2026-10-06T12:00"))
    assert state(mine, world.at("2026-10-06T12:00")) == "held"
    lift(row, "2026-10-06T12:30")
    assert state(mine, world.at("2026-10-06T12:30")) == "missed"


def test_two_restrictions_end_each_for_its_own_morning():
    who, mine, first = held({})
    second = good(kept(restrict_plant(world.plant(), "operational_problem", scope="types", wastes=("septic_tank",),
                                      planning_end=world.at("2026-10-07T10:00"), by=world.staff("director"),
                                      at=MORNING, law=world.law())))  # fmt: skip
    move(who, mine, TUESDAY, session("2026-10-08T07:00", 600))
    holds = {one.restriction_id: one.outcome for one in db.session.scalars(select(Hold))}
    assert (state(mine), holds) == ("held", {first.id: "released", second.id: None})
    assert STILL_HELD in told("booking_moved")


@pytest.mark.parametrize(("gone", "left", "words"), [(WEDNESDAY, "held", STILL_HELD),
                                                     (TUESDAY, "booked", HELD_NO_MORE)])  # fmt: skip
def test_giving_up_a_morning_says_whether_the_other_is_held(gone, left, words):
    who, mine, _ = held({})
    good(kept(cancel_booking(world.plant(), mine.id, "", part=gone, by=who.by, at=MORNING, law=world.law())))
    assert (state(mine), told("booking_cancelled").count(words)) == (left, 1)
    assert verify() == []


def test_a_booking_that_nothing_held_hears_nothing_of_restrictions():
    who = hauler()
    mine = booked(book(who, [session("2026-10-06T07:00", 600), session("2026-10-07T07:00", 600)]))
    move(who, mine, WEDNESDAY, session(f"{THURSDAY}T07:00", 600))
    good(kept(cancel_booking(world.plant(), mine.id, "", part=TUESDAY, by=who.by, at=MORNING, law=world.law())))
    assert "estriction" not in told("booking_moved") + told("booking_cancelled")
