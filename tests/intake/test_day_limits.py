"""What a day takes where the Director's orders cut it in steps or a flow stops it: pictures, offers, bookings."""

from datetime import date

import pytest

from intake.actions.flow_readings import import_flow
from intake.queries import capacity
from intake.queries.checks import check_capacity
from intake.queries.gate import may_discharge
from office.access import system
from office.db import db
from office.plants import PlantRow, set_plant_row
from ordinances import offers
from ordinances.calendar import Hours
from ordinances.refusal import Refusal
from tests import world
from tests.intake.plant import MORNING, TUESDAY, WEDNESDAY, book, code, hauler, picture, queries, session

pytestmark = pytest.mark.usefixtures("app")


def order(key, value, since=date(2026, 10, 1)):
    row = set_plant_row(world.plant(), key, value, since, "Director's order 4", by=world.staff("director"),
                        at=world.START)  # fmt: skip
    assert isinstance(row, PlantRow), row


def test_a_lower_hour_of_the_director_is_in_the_picture_the_offers_and_the_booking():
    order("rate.own_lower", [{"from": "07:00", "to": "08:00", "gph": 60}])
    day = picture()
    assert [(limit.start.astimezone(world.ZONE).hour, limit.gph) for limit in day.limits] == [(7, 60), (8, 666)]
    assert (day.whole, day.room, day.largest) == (60 + 1332, 60 + 1332, 1332)
    assert (day.quarters[0].cap, day.quarters[4].cap) == (60, 666)
    who = hauler()
    assert code(book(who, session("2026-10-06T07:00", 600))) == "over_limit"
    assert code(book(who, session("2026-10-06T08:00", 600))) == "booked B-1006-01"
    assert picture().room == 60 + 1332 - 600 - 1  # 655 for 55 minutes hold a fraction of a gallon more than 600


def test_only_the_director_orders_a_limit():
    for who in ("clerk", "manager"):
        answer = set_plant_row(world.plant(), "rate.own_ceiling_gph", 300, TUESDAY, "Order", by=world.staff(who),
                               at=world.START)  # fmt: skip
        assert isinstance(answer, Refusal)
        assert answer.code == "not_your_role"


def test_a_recorded_flow_above_the_directors_stop_closes_the_next_day_to_bookings():
    order("rate.own_high_flow_gpd", 300_000)
    assert isinstance(picture().hours, Hours)
    taken = import_flow(world.plant(), [(date(2026, 10, 5), 310_000)], "meter.csv", by=system(), at=MORNING)
    assert not isinstance(taken, Refusal)
    assert taken.accepted == 1
    stopped, after = picture(), picture(WEDNESDAY)
    assert isinstance(stopped.hours, Refusal)
    assert (stopped.hours.code, stopped.hours.cite) == ("high_flow", "Director's order 4")
    assert (stopped.is_open, stopped.whole, stopped.room, stopped.largest) == (False, 0, 0, 0)
    assert (after.is_open, after.whole) == (True, 1_998)
    answer = book(hauler(), session("2026-10-06T08:00", 600))
    assert isinstance(answer, Refusal)
    assert answer.why.startswith("Nothing is unloaded on Tuesday, October 6, 2026: the plant's flow on Monday")


def test_a_slip_that_waits_for_a_person_stops_nothing():
    order("rate.own_high_flow_gpd", 300_000)
    taken = import_flow(world.plant(), [(date(2026, 10, 5), 8_270_000)], "meter.csv", by=system(), at=MORNING)
    assert not isinstance(taken, Refusal)
    assert len(taken.held) == 1
    assert picture().is_open


def test_a_day_the_director_puts_at_nought_is_closed_and_says_so():
    order("rate.own_lower", [{"first": "10-06", "last": "10-06", "gph": 0}])
    assert isinstance(picture().hours, Refusal)
    assert picture().hours.why == "Nothing is unloaded on Tuesday, October 6, 2026: the limit is 0 gallons an hour."
    assert offers.offers(picture(WEDNESDAY).steps, 600)[0] != ()


def test_the_meter_is_read_only_where_the_law_asks_and_in_the_same_queries_for_any_number_of_days():
    def asked(days):
        plant, law = world.plant(), world.law()
        capacity.day_pictures(plant, law, days, MORNING)
        db.session.rollback()
        with queries() as seen:
            capacity.day_pictures(plant, law, days, MORNING)
        return len(seen), sum("flow_reading" in one for one in seen)

    plain = asked([TUESDAY])
    assert plain == asked([TUESDAY, WEDNESDAY])
    assert plain[1] == 0
    order("rate.own_low_flow_gpd", 20_000)
    db.session.commit()
    assert asked([TUESDAY]) == asked([TUESDAY, WEDNESDAY]) == (plain[0] + 2, 2)


def test_the_gate_turns_a_booked_truck_away_on_a_day_that_yesterdays_flow_stops():
    order("rate.own_high_flow_gpd", 300_000)
    who = hauler()
    assert code(book(who, session("2026-10-06T08:00", 600))) == "booked B-1006-01"

    def ask():
        return may_discharge(world.plant(), world.law(), world.at("2026-10-06T08:00"), business_id=who.business_id,
                             truck_id=who.truck_id, waste="septic_tank", booking=None)  # fmt: skip

    assert ask().ok
    import_flow(world.plant(), [(date(2026, 10, 5), 310_000)], "meter.csv", by=system(), at=MORNING)
    answer = ask()
    assert (answer.ok, answer.code, answer.cite) == (False, "high_flow", "Director's order 4")
    assert answer.sentence.startswith("Do not accept: nothing is unloaded on Tuesday, October 6, 2026")


def test_verify_holds_each_part_of_a_day_to_its_own_limit():
    who = hauler()
    assert code(book(who, session("2026-10-06T07:00", 600))) == "booked B-1006-01"
    assert check_capacity() == []
    order("rate.own_lower", [{"from": "07:00", "to": "08:00", "gph": 60}])
    (finding,) = check_capacity()
    assert finding.endswith("655 gallons an hour at 2026-10-06 07:00, the limit is 60.")
