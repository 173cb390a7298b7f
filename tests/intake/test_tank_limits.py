"""What lowers the bleed of a receiving tank leaves less room in it: shown before, held or listed, told after."""

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import select

from intake.actions.closures import close_day
from intake.actions.flow import end_over_limit, put_flow_in_force
from intake.actions.restriction import lift_restriction, restrict_plant
from intake.models import Booking, Hold
from intake.queries.calendar_met import effect_of
from intake.queries.limit_met import over_now
from intake.queries.met import met
from intake.queries.restriction_words import Asked
from office.db import db
from office.notices import Notice
from ordinances.reader import Closure
from tests import world
from tests.intake.gatehouse import good, kept
from tests.intake.plant import MORNING, THURSDAY, TUESDAY, WEDNESDAY, Hauler, book, hauler, picture
from tests.intake.tanks import PLAIN, into, only_tank, read

EARLY = world.at("2026-10-06T06:00")
FULL = replace(PLAIN, held=3_000)


@pytest.fixture
def wednesday(app) -> Booking:
    """A full tank on Monday, and a load on Wednesday that needs what Tuesday bleeds."""
    who: Hauler = hauler()
    only_tank(FULL)
    made: Any = good(book(who, into("07:00", 1_998, WEDNESDAY)))
    return made


def restrict(at: Any = EARLY, until: str = "2026-10-06T10:00", **more: Any) -> Any:
    return good(kept(restrict_plant(world.plant(), "maintenance_problem", planning_end=world.at(until),
                                    by=world.staff("director"), at=at, law=world.law(), **more)))  # fmt: skip


def outcome(booking: Booking) -> str | None:
    return db.session.scalars(select(Hold.outcome).filter_by(booking_id=booking.id)).one()


@pytest.mark.parametrize(("scope", "asked"), [
    ({}, Asked()),
    ({"scope": "rate", "gph": 600}, Asked("rate", 600)),
])  # fmt: skip
def test_a_restriction_of_tuesday_holds_what_it_leaves_no_room_for_on_wednesday(wednesday, scope, asked):
    until = world.at("2026-10-06T10:00")
    shown = met(world.plant(), world.law(), EARLY, asked, until)
    assert [(one.booking_id, len(one.sessions)) for one in shown.groups] == [(wednesday.id, 1)]
    restrict(**scope)
    assert outcome(wednesday) is None
    told = db.session.scalars(select(Notice).filter_by(kind="restricted")).all()
    assert any(wednesday.number in one.body for one in told)


def test_other_waste_says_nothing_of_the_bleed_and_the_tanks_point_all(wednesday):
    plant, law, until = world.plant(), world.law(), world.at("2026-10-06T10:00")
    assert met(plant, law, EARLY, Asked("types", None, ("portable_toilet",)), until).groups == ()
    point = picture().tank.point_id
    assert len(met(plant, law, EARLY, Asked("points", None, (), (point,)), until).groups) == 1
    assert met(plant, law, EARLY, Asked("points", None, (), (point - 1,)), until).groups == ()


def test_lifted_in_time_it_stands_lifted_late_it_is_listed(wednesday):
    row = restrict()
    lifted = lift_restriction(world.plant(), row.id, "Mended", by=world.staff("director"),
                              at=world.at("2026-10-06T07:00"), law=world.law())  # fmt: skip
    good(kept(lifted))
    assert outcome(wednesday) == "released"
    second = restrict(at=world.at("2026-10-06T07:01"))
    good(kept(lift_restriction(world.plant(), second.id, "Mended", by=world.staff("director"),
                               at=world.at("2026-10-06T09:00"), law=world.law())))  # fmt: skip
    ends = db.session.scalars(select(Hold.outcome).filter_by(booking_id=wednesday.id).order_by(Hold.id)).all()
    assert ends == ["released", "listed"]


def test_while_it_lasts_nothing_is_offered_that_would_not_fit_after_it(wednesday):
    restrict()
    # Full until Wednesday. The room of the held load is kept: as if it came at 7:00, the tank is full until 7:10, and
    # what is bled from then on leaves room for 1,821 gallons at 9:45.
    assert picture(TUESDAY, EARLY).largest == 0
    assert picture(WEDNESDAY, EARLY).largest == 1_821
    course = picture(THURSDAY, EARLY).tank.plan.course
    assert course.level(world.at("2026-10-06T10:00")) == 3_000
    assert course.level(world.at("2026-10-07T10:00")) >= 1_002


def test_a_closed_tuesday_lists_the_load_of_wednesday_and_says_why(wednesday):
    plant, law = world.plant(), world.law()
    changes = {TUESDAY: Closure(TUESDAY, "Pump works", "closed")}
    lost = effect_of(plant, law, changes, MORNING).lost
    assert [(one.number, one.day) for one in lost] == [(wednesday.number, WEDNESDAY)]
    assert lost[0].why.endswith("Less leaves the receiving tank, and it has no room for this load then.")
    done = close_day(plant, TUESDAY, "Pump works", by=world.staff("manager"), at=MORNING, law=law,
                     seen=effect_of(plant, law, changes, MORNING).key)  # fmt: skip
    good(kept(done))
    assert outcome(wednesday) == "listed"
    assert wednesday.number in db.session.scalars(select(Notice).filter_by(kind="time_lost")).one().subject


def test_a_lower_flow_bleeds_less_and_takes_the_time_of_what_no_longer_fits(wednesday):
    good(kept(put_flow_in_force(world.plant(), 60_000, TUESDAY, "Order 7", by=world.staff("director"), at=MORNING,
                                law=world.law())))  # fmt: skip
    assert outcome(wednesday) == "listed"
    # 10 % of 60,000 ÷ 24 is 250 an hour: 750 leave on Tuesday.
    assert picture(WEDNESDAY).tank.plan.course.level(world.at("2026-10-07T06:00")) == 2_250


def test_a_higher_reading_lists_to_the_director_who_takes_the_time(app):
    who = hauler()
    only_tank()
    booking = good(book(who, into("07:00", 2_500)))
    good(read(1_000, EARLY, reason="Rain came in"))
    lost = over_now(world.plant(), world.law(), EARLY)
    assert [one.number for one in lost] == [booking.number]
    assert lost[0].why == ("Receiving tank will not have room for 2,500 gallons then. 1,000 gallons were read in it "
                           "Tuesday, October 6, 2026, 6:00 a.m.")  # fmt: skip
    done = end_over_limit(world.plant(), {booking.number}, by=world.staff("director"), at=EARLY, law=world.law())
    assert kept(done) == 1
    assert outcome(booking) == "listed"
    # A reading that is lower again leaves room for what still stands.
    good(read(0, world.at("2026-10-06T06:10"), reason="Pumped out"))
    assert over_now(world.plant(), world.law(), world.at("2026-10-06T06:10")) == ()
