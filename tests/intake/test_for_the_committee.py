"""What the committee's room asks of this one: points of a plan, gallons unloaded or booked, bookings taken over."""

from datetime import date, time
from typing import Any

import pytest
from sqlalchemy import select

from haulers.models import Approval
from haulers.ports import PlaceLine, take_over, track_record
from intake.models import Booking
from office.access import Actor, Role, system
from office.acts import act
from office.db import db
from tests import world
from tests.intake.plant import MORNING, THURSDAY, TUESDAY, Hauler, book, hauler, session
from tests.intake.test_points import manhole, permit, set_to, station

SEASON = (date(2026, 10, 6), date(2027, 9, 30))


@pytest.fixture
def who(app: Any) -> Hauler:
    return hauler()


def places(who: Hauler) -> list[PlaceLine]:
    return track_record().places(world.plant().id, who.business_id, *SEASON)


def test_a_plan_names_open_points_with_their_hours_and_manholes_the_hauler_may_use(who: Hauler) -> None:
    other, hole = hauler("Other Pumping", number=2), manhole()
    assert places(who) == [PlaceLine("Receiving station", "station")]
    set_to(station(), TUESDAY, opens=time(7, 30), closes=None, wastes=("holding_tank",))
    permit(hole, who)
    assert places(who) == [
        PlaceLine("Receiving station", "station", time(7, 30), None, ("holding_tank",)),
        PlaceLine("Manhole at Third Street", "manhole", since=TUESDAY, until=THURSDAY),
    ]
    assert places(other) == places(who)[:1]
    set_to(station(), TUESDAY, is_open=False)
    assert places(other) == []


def test_taken_is_what_is_unloaded_and_still_booked_by_part_of_the_season(who: Hauler) -> None:
    book(who, session("2026-10-06T07:00", 1200))
    law = world.law()
    assert track_record().taken(who.approval_id, law, MORNING) == (0, 1200)
    assert track_record().taken(who.approval_id, law, world.at("2026-10-07T00:00")) == (0, 0)


@act("test_new_approval", roles=(Role.SYSTEM,))
def _new(who: Hauler, *, by: Actor, at: Any) -> Approval:
    old = db.session.get_one(Approval, who.approval_id)
    new = Approval(plant_id=old.plant_id, application_id=old.application_id, decision_id=old.decision_id,
                   business_id=old.business_id, replaces_id=old.id, number="A-2026-27-900", season=old.season,
                   starts=date(2026, 10, 7), ends=old.ends, gallons_winter=1, gallons_rest=1, plan={},
                   law_version=old.law_version)  # fmt: skip
    db.session.add(new)
    db.session.flush()
    take_over(world.plant(), old.id, new, at)
    return new


def test_what_is_booked_from_its_first_day_on_stands_under_the_new_approval(who: Hauler) -> None:
    before, after = book(who, session("2026-10-06T07:00", 1200)), book(who, session("2026-10-07T07:00", 1200))
    assert isinstance(before, Booking) and isinstance(after, Booking)
    new = _new(who, by=system(), at=MORNING)
    found = dict(db.session.execute(select(Booking.id, Booking.approval_id)).all())  # type: ignore[arg-type]
    assert found == {before.id: who.approval_id, after.id: new.id}
