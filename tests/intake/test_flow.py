"""Flow readings taken in from a file, the flow in force with what it does to bookings, and closing a day."""

from datetime import date, timedelta
from decimal import Decimal

import pytest
from sqlalchemy import select

from intake.actions.flow import (
    no_longer_fits,
    open_point,
    put_flow_in_force,
)
from intake.actions.flow_readings import import_flow, settle_reading
from intake.models import Booking, FlowReading
from intake.queries import bookings, flow
from office.access import system
from office.db import db
from office.notices import Notice
from ordinances.offers import Draw
from ordinances.refusal import Refusal
from tests import world
from tests.intake.plant import MORNING, TUESDAY, WEDNESDAY, book, code, hauler, picture, session

pytestmark = pytest.mark.usefixtures("app")
USUAL = [(date(2026, 9, 1) + timedelta(days=n), 160_000 + 1_000 * n) for n in range(8)]


def take(rows, at=MORNING):
    done = import_flow(world.plant(), rows, "flow.csv", by=system(), at=at)
    if not isinstance(done, Refusal):
        db.session.commit()
    return done


def counts(taken):
    return taken.accepted, taken.same, len(taken.held), len(taken.differing)


def test_a_second_import_of_the_same_adds_nothing_and_another_figure_is_listed_not_taken():
    assert counts(take(USUAL)) == (8, 0, 0, 0)
    assert counts(take(USUAL)) == (0, 8, 0, 0)
    again = take([(USUAL[0][0], 161_000)])
    assert again.differing == [(USUAL[0][0], 160_000, 161_000)]
    assert flow.readings(world.plant().id)[0].gallons == 160_000


@pytest.mark.parametrize(("gallons", "why"), [
    (8_270_000, "8,270,000 gallons is more than 3 times the usual 163,500."),
    (5_400, "5,400 gallons is less than a third of the usual 163,500."),
    (490_500, None), (54_500, None),
])  # fmt: skip
def test_a_figure_far_from_the_usual_waits_for_a_person(gallons, why):
    take(USUAL)
    take([(date(2026, 9, 20), gallons)])
    row = flow.readings(world.plant().id)[-1]
    assert (row.held_why, row.state) == (why, "held" if why else "accepted")


@pytest.mark.parametrize(("before", "gallons", "why"), [
    ([], 480_000, None), ([], 53_334, None),
    ([], 480_001, "480,001 gallons is more than 3 times the 160,000 the ordinance states."),
    ([], 53_333, "53,333 gallons is less than a third of the 160,000 the ordinance states."),
    ([100_000, 110_000], 330_000, "330,000 gallons is more than 3 times the usual 105,000."),
    ([60_000] * 4, 180_000, None), ([50_000] * 5, 53_000, None),
])  # fmt: skip
def test_the_first_readings_are_compared_with_what_there_is_and_the_stated_flow(before, gallons, why):
    assert flow.held_why(gallons, before, 160_000) == why


def test_the_stated_flow_of_the_plant_judges_its_very_first_reading():
    taken = take([(date(2026, 9, 1), 8_270_000), (date(2026, 9, 2), 162_000)])
    assert counts(taken) == (1, 0, 1, 0)
    assert taken.held[0].held_why == "8,270,000 gallons is more than 3 times the 160,000 the ordinance states."


def test_without_a_stated_flow_the_first_reading_is_taken_as_it_is():
    assert flow.held_why(8_270_000, [], None) is None


@pytest.mark.parametrize(("said", "kept", "why"), [
    (0, 0, "0 gallons: the meter stood still."), (-5_400, -5_400, "-5,400 gallons is below 0."),
    ("", None, "The file has no figure."), ("NODI: 9", None, "The file says NODI: 9, which is no measured figure."),
    ("<0.05", None, "The file says <0.05, which is no measured figure."),
])  # fmt: skip
def test_a_reading_without_a_flow_is_held_and_the_others_are_taken(said, kept, why):
    day = date(2026, 9, 20)
    assert counts(take([*USUAL, (day, said)])) == (8, 0, 1, 0)
    row = flow.waiting(world.plant().id)[0]
    assert (row.day, row.gallons, row.held_why) == (day, kept, why)
    assert counts(take([*USUAL, (day, said)])) == (0, 9, 0, 0)


def test_a_mended_figure_takes_the_place_of_one_that_waits_or_was_a_slip_and_of_no_other():
    days = [date(2026, 9, 20), date(2026, 9, 21)]
    take([*USUAL, (days[0], "NODI: 9"), (days[1], 8_270_000)])
    plant = world.plant()
    settle_reading(plant, flow.waiting(plant.id)[1].id, False, by=world.staff("manager"), at=MORNING)
    db.session.commit()
    assert take([(days[0], "")]).differing == [(days[0], None, "")]
    assert counts(take([(days[0], 162_000), (days[1], 82_700)])) == (2, 0, 0, 0)
    assert [row.gallons for row in flow.readings(plant.id)[-2:]] == [162_000, 82_700]
    assert take([(days[0], 163_000)]).differing == [(days[0], 162_000, 163_000)]


def test_a_day_twice_in_one_file_is_taken_once_and_the_other_figure_listed():
    day = date(2026, 9, 20)
    taken = take([*USUAL, (day, 8_270_000), (day, 827_000)])
    assert counts(taken) == (8, 0, 1, 1)
    assert taken.differing == [(day, 8_270_000, 827_000)]


@pytest.mark.parametrize(("said", "code_"), [(0, None), (-5_400, "no_figure"), ("", "no_figure")])
def test_only_a_reading_with_a_figure_can_be_said_to_be_right(said, code_):
    take([*USUAL, (date(2026, 9, 20), said)])
    plant, by = world.plant(), world.staff("manager")
    row = flow.waiting(plant.id)[0]
    done = settle_reading(plant, row.id, True, by=by, at=MORNING)
    assert (done.code if isinstance(done, Refusal) else None) == code_
    db.session.commit()
    assert len(flow.accepted(flow.readings(plant.id))) == (9 if code_ is None else 8)
    if code_:
        assert settle_reading(plant, row.id, False, by=by, at=MORNING).state == "dismissed"


@pytest.mark.parametrize(("accept", "state"), [(True, "accepted"), (False, "dismissed")])
def test_a_person_settles_an_odd_reading_once(accept, state):
    take(USUAL)
    take([(date(2026, 9, 20), 8_270_000)])
    row = flow.waiting(world.plant().id)[0]
    plant, by = world.plant(), world.staff("manager")
    assert settle_reading(plant, row.id, accept, by=by, at=MORNING).state == state
    assert settle_reading(plant, row.id, accept, by=by, at=MORNING).code == "not_held"


@pytest.mark.parametrize(("rows", "refusal", "why"), [
    ([], "no_rows", "The file holds no readings of this plant."),
    ([(date(2026, 9, 1), 160_000), (date(2026, 10, 6), 160_000), (date(2099, 1, 1), "")], "future",
     "A flow is measured, not foreseen. These days are still to come: 2026-10-06, 2099-01-01."),
    ([(date(2026, 9, 1), 2_000_000_001)], "too_large",
     "No plant has a flow of 2,000,000,001 gallons, as on 2026-09-01."),
])  # fmt: skip
def test_an_import_without_sense_takes_nothing(rows, refusal, why):
    done = take(rows)
    assert (done.code, done.why) == (refusal, why)
    assert db.session.scalars(select(FlowReading)).all() == []


def test_today_is_no_day_to_come():
    assert counts(take([(MORNING.astimezone(world.plant().tz).date(), 160_000)])) == (1, 0, 0, 0)


def test_a_lower_flow_lowers_the_limit_from_its_day_and_a_higher_one_does_not_raise_it():
    by, law = world.staff("director"), world.law()
    put_flow_in_force(world.plant(), 125_000, WEDNESDAY, "Order 12", by=by, at=MORNING, law=law)
    db.session.commit()
    assert (picture(TUESDAY).room, picture(WEDNESDAY).room) == (1_998, 1_560)
    put_flow_in_force(world.plant(), 200_000, WEDNESDAY, "Order 13", by=by, at=MORNING, law=world.law())
    db.session.commit()
    assert picture(WEDNESDAY).room == 1_998


def test_bookings_that_no_longer_fit_are_listed_before_and_told_after():
    who, plant, by = hauler(), world.plant(), world.staff("director")
    book(who, session("2026-10-06T07:00", 1_998))
    put_flow_in_force(plant, 72_000, WEDNESDAY, "Order 10", by=by, at=MORNING, law=world.law())
    book(who, session("2026-10-07T07:00", 150, minutes=30))
    put_flow_in_force(plant, 160_000, WEDNESDAY, "Order 11", by=by, at=MORNING, law=world.law())
    other, later = hauler("Second Pumping", number=2), MORNING + timedelta(minutes=1)
    book(other, session("2026-10-07T07:00", 150, minutes=25), at=later)
    law = world.law()
    seen = no_longer_fits(plant, law, 125_000, WEDNESDAY, MORNING)
    assert [one.number for one in seen] == ["B-1007-02"]
    put_flow_in_force(plant, 125_000, WEDNESDAY, "Order 12", by=by, at=MORNING, law=law)
    db.session.commit()
    found = bookings.views(db.session.scalars(select(Booking).order_by(Booking.id)).all(), later)
    states = {one.booking.number: one.state for one in found}
    assert states == {"B-1006-01": "booked", "B-1007-01": "booked", "B-1007-02": "listed"}
    told = db.session.scalars(select(Notice).where(Notice.kind == "time_lost")).one()
    assert told.subject == "Cannot be kept: Wed, Oct 7, 7:00 a.m. (B-1007-02)"
    assert told.body.splitlines()[:5] == [
        "The limit on Wednesday, October 7, 2026 is 520 gallons an hour now (§ 329-7 F(3)).",
        "",
        "Do not bring these loads then:",
        "B-1007-02, Wed, Oct 7, 7:00 a.m.: 150 gallons.",
        "Times that fit it now: Wed, Oct 7, 7:00 to 7:41 a.m.; 7:15 to 7:56 a.m.; 7:30 to 7:48 a.m.",
    ]


@pytest.mark.parametrize(("gpd", "since", "order", "refusal"), [
    (239, WEDNESDAY, "Order 1", "too_low"), (125_000, date(2026, 10, 4), "Order 1", "past"),
    (125_000, WEDNESDAY, " ", "no_resolution"),
])  # fmt: skip
def test_a_flow_that_cannot_be_put_in_force_is_refused(gpd, since, order, refusal):
    done = put_flow_in_force(world.plant(), gpd, since, order, by=world.staff("director"), at=MORNING, law=world.law())
    assert code(done) == refusal


def test_only_the_director_puts_a_flow_in_force():
    done = put_flow_in_force(world.plant(), 125_000, WEDNESDAY, "Order", by=world.staff("manager"), at=MORNING,
                             law=world.law())  # fmt: skip
    assert code(done) == "not_your_role"


def test_a_receiving_point_needs_a_name_and_a_kind():
    plant, by = world.plant(), world.staff("manager")
    assert open_point(plant, " ", by=by, at=MORNING).code == "no_name"
    assert open_point(plant, "Lake", "lake", by=by, at=MORNING).code == "unknown_kind"
    assert open_point(plant, "Receiving station", by=by, at=MORNING).name == "Receiving station"


def test_the_busiest_hour_is_the_most_within_any_sixty_minutes():
    def at(clock):
        return world.at(f"2026-10-06T{clock}")

    draws = [Draw(at("07:00"), at("07:30"), 600), Draw(at("08:00"), at("09:00"), 400)]
    assert flow.busiest_hour(draws) == Decimal(400)
    draws.append(Draw(at("08:30"), at("09:30"), 200))
    assert flow.busiest_hour(draws) == Decimal(500)
    assert flow.busiest_hour([]) == 0


def test_the_picture_of_flow_has_the_days_own_limit_only_where_the_meter_was_read():
    take([(TUESDAY, 150_000)], at=MORNING + timedelta(days=1))
    days = flow.flow_days(world.plant(), world.law(), WEDNESDAY, MORNING, 2)
    assert [(one.day, one.limit, one.own) for one in days] == [(TUESDAY, 666, Decimal(625)), (WEDNESDAY, 666, None)]
