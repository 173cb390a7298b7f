"""``verify`` names a plan that runs a receiving tank over, and what other points draw beside its valve."""

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import select, update

from intake.actions.limits import set_limit
from intake.actions.restriction import lift_restriction, restrict_plant
from intake.actions.running import change_rate, pause_load
from intake.models import PlannedSession, TankTerms
from intake.queries.checks import check_capacity
from office.db import db
from tests import world
from tests.intake.gatehouse import good, kept, log
from tests.intake.plant import THURSDAY, TUESDAY, WEDNESDAY, Hauler, book, hauler, session
from tests.intake.tanks import PLAIN, beside_station, into, only_tank, read

MINUTE = timedelta(minutes=1)


@pytest.fixture
def who(app) -> Hauler:
    return hauler()


def plans() -> list[PlannedSession]:
    return list(db.session.scalars(select(PlannedSession).order_by(PlannedSession.id)))


def test_what_was_offered_is_no_finding_and_what_was_changed_by_hand_is_named(who):
    only_tank()
    good(book(who, into("07:00", 1_500)))
    good(book(hauler("Second Pumping", number=2), into("07:30", 1_500)))
    assert check_capacity() == []
    last = plans()[-1]
    db.session.execute(update(PlannedSession).where(PlannedSession.id == last.id).values(gallons=2_000))
    # 1,500 are in it from 7:07:30 on; when the second is in it, at 7:40, 40 minutes of 666 an hour have left.
    assert [one for one in check_capacity() if "tank" in one] == [
        f"planned_session {last.id}: the tank of 3000 gallons would hold 3056.0 with it."]  # fmt: skip


def test_a_plan_of_wednesday_that_tuesday_leaves_no_room_for_is_named(who):
    only_tank(replace(PLAIN, held=3_000))
    good(book(who, into("07:00", 1_998, WEDNESDAY)))
    assert check_capacity() == []
    db.session.execute(update(PlannedSession).values(gallons=2_200))
    assert any(one.endswith("the tank of 3000 gallons would hold 3079.9 with it.") for one in check_capacity())


def test_a_plan_that_a_reading_stands_against_was_right_when_it_was_made(who):
    only_tank()
    good(book(who, into("07:00", 2_500)))
    good(read(1_500, world.at("2026-10-06T06:50"), reason="Rain"))
    assert check_capacity() == []


def test_what_ran_into_the_tank_is_no_draw_on_the_limit(who):
    only_tank()
    good(log(who, 3_000))
    assert check_capacity() == []


def test_a_plan_at_another_point_keeps_to_what_the_valve_leaves(who):
    beside_station(replace(PLAIN, bleed_gph=300))
    good(book(who, session("2026-10-06T07:00", 366, 366)))
    assert check_capacity() == []
    db.session.execute(update(TankTerms).values(bleed_gph=301))
    named = f"planned_session {plans()[0].id}: 366 gallons an hour at 2026-10-06 07:00, the limit is 365."
    assert named in check_capacity()


def test_what_a_restriction_holds_at_the_tank_is_no_draw_on_the_limit(who):
    beside_station()
    good(book(who, into("07:00", 1_500)))
    good(kept(restrict_plant(world.plant(), "maintenance_problem", by=world.staff("director"),
                             at=world.at("2026-10-06T06:00"), law=world.law())))  # fmt: skip
    assert check_capacity() == []


def test_what_waits_in_a_truck_whose_room_is_over_is_not_in_the_tank(who):
    only_tank()
    load, operator, law = good(log(who, 2_876)), world.staff("operator"), world.law()
    at = world.at("2026-10-06T07:01")
    good(kept(change_rate(load, 900, by=operator, at=at, law=law)))
    good(kept(pause_load(load, 205, by=operator, at=at + MINUTE, law=law)))
    later = world.at("2026-10-06T12:00")
    good(book(hauler("Second Pumping", number=2), into("07:00", 2_900, WEDNESDAY, at=later), at=later))
    assert check_capacity() == []


def shut(at="2026-10-05T16:00", **more):
    return good(kept(restrict_plant(world.plant(), "maintenance_problem", by=world.staff("director"), at=world.at(at),
                                    law=world.law(), **more)))  # fmt: skip


def test_nothing_is_bled_on_a_day_on_which_a_restriction_outlasts_its_planning_end(who):
    """No job has planned it on: the offers count nothing bled on that day, and so does this check."""
    only_tank(replace(PLAIN, held=2_000))
    row = shut(planning_end=world.at("2026-10-06T06:30"))
    later = world.at("2026-10-06T06:45")
    # Of Wednesday morning 666 an hour count, of Tuesday none: 1,058 gallons fit in the 5 minutes from 7:00.
    good(book(who, into("07:00", 1_058, WEDNESDAY, at=later), at=later))
    assert check_capacity() == []
    db.session.execute(update(PlannedSession).values(gallons=1_100))
    assert [one for one in check_capacity() if "tank" in one] == [
        f"planned_session {plans()[0].id}: the tank of 3000 gallons would hold 3038.9 with it."]  # fmt: skip
    # Lifted at 9:00 it ended then: an hour was bled on Tuesday.
    good(kept(lift_restriction(world.plant(), row.id, "Mended", by=world.staff("director"), law=world.law(),
                               at=world.at("2026-10-06T09:00"))))  # fmt: skip
    good(book(hauler("Second Pumping", number=2), into("07:30", 300, THURSDAY), at=world.at("2026-10-06T09:30")))
    assert not [one for one in check_capacity() if "tank" in one]


def test_a_plan_that_was_over_when_a_lower_limit_of_its_day_was_set_was_right(who):
    only_tank()
    good(book(who, into("07:00", 3_150)))
    good(kept(set_limit(world.plant(), "rate.own_ceiling_gph", 100, TUESDAY, "Order 12", by=world.staff("director"),
                        at=world.at("2026-10-06T09:00"), law=world.law())))  # fmt: skip
    assert check_capacity() == []
