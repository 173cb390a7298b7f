"""What closes a day or a part of it closes it for trucks at a receiving tank too: shown before, listed and told after.

However the time is taken: by a closure, a holiday, a change of either, an order on the limit, hours of the point.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import time
from typing import Any

import pytest
from sqlalchemy import select

from intake.actions.closures import change_closure, close_day, list_holidays
from intake.actions.limits import set_limit
from intake.actions.points import set_point
from intake.models import Booking, Hold
from intake.queries.calendar_met import effect_of
from intake.queries.checks import check_capacity
from intake.queries.limit_met import lost_under, with_order
from intake.queries.point_met import Terms
from intake.queries.tank import tank_point
from office.db import db
from office.notices import Notice
from office.plants import ClosureDay
from ordinances.reader import Closure
from tests import world
from tests.intake.gatehouse import good, kept, said
from tests.intake.plant import MORNING, TUESDAY, WEDNESDAY, book, hauler
from tests.intake.tanks import PLAIN, beside_station, into, only_tank

SLOW = replace(PLAIN, bleed_gph=400)
PART = (time(8), time(8, 40))
DAYS = "The plant is closed on Tuesday, October 6, 2026"
LOWER = "rate.own_lower"


@pytest.fixture(params=[only_tank, beside_station], ids=["alone", "beside"])
def booked(app, request) -> Booking:
    """500 gallons into the tank on Tuesday at 8, at a plant with a station beside it and at one without."""
    who = hauler()
    request.param(SLOW)
    made: Any = good(book(who, into("08:00", 500)))
    return made


def act(does: Callable[..., Any], *args: Any, who: str = "manager", **more: Any) -> Any:
    return good(kept(does(world.plant(), *args, by=world.staff(who), at=MORNING, law=world.law(), **more)))


def part(gph: int) -> list[dict[str, Any]]:
    return [{"from": "08:00", "to": "08:40", "gph": gph}]


def listed(booking: Booking) -> tuple[str | None, str | None, list[str]]:
    """How the booking ended and why, and the subject of what its hauler was sent; ``verify`` finds nothing then."""
    assert check_capacity() == []
    hold = db.session.scalars(select(Hold).filter_by(booking_id=booking.id)).one_or_none()
    told = db.session.scalars(select(Notice.subject).filter_by(kind="time_lost")).all()
    return (hold.outcome, hold.why, list(told)) if hold is not None else (None, None, list(told))


LOST = ["Cannot be kept: Tue, Oct 6, 8:00 a.m. (B-1006-01)"]


def test_a_closed_day_lists_what_was_booked_into_the_tank(booked):
    shown = effect_of(world.plant(), world.law(), {TUESDAY: Closure(TUESDAY, "Works", "closed")}, MORNING)
    assert [one.number for one in shown.lost] == ["B-1006-01"]
    act(close_day, TUESDAY, "Works", seen=shown.key)
    assert listed(booked) == ("listed", f"{DAYS}: Works (§ 329-7 C(1)).", LOST)


@pytest.mark.parametrize(("start", "until", "met"), [
    (time(8), time(8, 40), True), (time(8, 2), time(8, 40), True), (time(7, 30), time(8, 1), True),
    (time(7, 30), time(8), False), (time(8, 3), time(8, 40), False),
])  # fmt: skip
def test_a_part_of_a_day_meets_what_stands_at_the_tank_in_it(booked, start, until, met):
    act(close_day, TUESDAY, "Works", "closed", (start, until))
    assert listed(booked)[0::2] == (("listed", LOST) if met else (None, []))


def test_a_list_of_holidays_and_a_closure_moved_onto_the_day_ask_the_same(booked):
    act(close_day, WEDNESDAY, "Works", "closed", PART)
    assert listed(booked) == (None, None, [])
    row = db.session.scalars(select(ClosureDay).filter_by(day=WEDNESDAY)).one()
    act(change_closure, row.id, TUESDAY, "Works", "closed", PART)
    assert listed(booked) == ("listed", f"{DAYS} from 8:00 a.m. to 8:40 a.m.: Works (§ 329-7 C(1)).", LOST)


def test_a_holiday_lists_what_was_booked_into_the_tank(booked):
    act(list_holidays, {TUESDAY: "Founders Day"})
    assert listed(booked)[0::2] == ("listed", LOST)


def test_an_order_that_nothing_is_unloaded_in_a_part_of_the_day_lists_it_and_a_lower_limit_does_not(booked):
    lowered = with_order(world.law(), LOWER, part(100), TUESDAY)
    assert lost_under(world.plant(), lowered, TUESDAY, MORNING) == ()
    shown = lost_under(world.plant(), with_order(world.law(), LOWER, part(0), TUESDAY), TUESDAY, MORNING)
    assert [one.number for one in shown] == ["B-1006-01"]
    act(set_limit, LOWER, part(0), TUESDAY, "Order 12", who="director")
    outcome, why, told = listed(booked)
    assert (outcome, told) == ("listed", LOST)
    assert why is not None and why.startswith("The limit on Tuesday, October 6, 2026 is 0 to 666 gallons an hour now (")


@pytest.mark.parametrize("terms", [Terms(is_open=False), Terms(opens=time(8, 1)), Terms(closes=time(8, 2))])
def test_a_tanks_point_that_is_closed_or_has_other_hours_lists_it(booked, terms):
    point = tank_point(world.plant().id)
    assert point is not None
    act(set_point, point.id, point.name, terms, TUESDAY)
    assert listed(booked)[0::2] == ("listed", LOST)


def test_what_a_closed_morning_bleeds_less_says_so_and_a_load_that_cannot_come_takes_no_room(app):
    who, other = hauler(), hauler("Second Pumping", number=2)
    only_tank(replace(SLOW, held=3_000))
    first: Any = good(book(who, into("08:00", 400)))
    later: Any = good(book(other, into("09:00", 200)))
    # Shut until 8:20: without the first, which stands in it, 266 gallons have left by 9:00.
    shut = Closure(TUESDAY, "Works", "closed", time(7), time(8, 20))
    lost = effect_of(world.plant(), world.law(), {TUESDAY: shut}, MORNING).lost
    assert [one.number for one in lost] == [first.number]
    # Shut until 8:40, 133 have: too few for the second.
    shut = Closure(TUESDAY, "Works", "closed", time(7), time(8, 40))
    lost = effect_of(world.plant(), world.law(), {TUESDAY: shut}, MORNING).lost
    assert [one.number for one in lost] == [first.number, later.number]
    assert lost[1].why.endswith("Less leaves the receiving tank, and it has no room for this load then.")


def test_a_rate_of_a_tanks_point_is_refused_as_it_would_count_for_nothing(booked):
    point = tank_point(world.plant().id)
    assert point is not None
    row = set_point(world.plant(), point.id, point.name, Terms(max_gph=300), TUESDAY, by=world.staff("manager"),
                    at=MORNING, law=world.law())  # fmt: skip
    assert said(kept(row)) == ("tank_rate", "The rate at Receiving tank is set with its tank", "§ 329-7 C(1)")
