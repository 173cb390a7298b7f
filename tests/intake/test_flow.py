"""Flow readings taken in from a file, the flow in force with what it does to bookings, and closing a day."""

from datetime import date, timedelta
from decimal import Decimal

import pytest
from sqlalchemy import select

from intake.actions.flow import (
    booked_on,
    close_day,
    import_flow,
    no_longer_fits,
    open_point,
    put_flow_in_force,
    settle_reading,
)
from intake.commands import readings
from intake.models import Booking, FlowReading
from intake.queries import flow
from office.access import system
from office.db import db
from office.notices import Notice
from ordinances.offers import Draw
from ordinances.refusal import Refusal
from tests import world
from tests.intake.plant import MORNING, TUESDAY, WEDNESDAY, book, code, hauler, picture, session

pytestmark = pytest.mark.usefixtures("app")
USUAL = [(date(2026, 9, 1) + timedelta(days=n), 160_000 + 1_000 * n) for n in range(8)]


def take(rows):
    done = import_flow(world.plant(), rows, "flow.csv", by=system(), at=MORNING)
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


def test_the_first_readings_of_a_plant_are_taken_as_they_are():
    assert counts(take([(date(2026, 9, 1), 100), (date(2026, 9, 2), 900_000)])) == (2, 0, 0, 0)


@pytest.mark.parametrize(("accept", "state"), [(True, "accepted"), (False, "dismissed")])
def test_a_person_settles_an_odd_reading_once(accept, state):
    take(USUAL)
    take([(date(2026, 9, 20), 8_270_000)])
    row = flow.waiting(world.plant().id)[0]
    plant, by = world.plant(), world.staff("manager")
    assert settle_reading(plant, row.id, accept, by=by, at=MORNING).state == state
    assert settle_reading(plant, row.id, accept, by=by, at=MORNING).code == "not_held"


@pytest.mark.parametrize(("rows", "refusal"), [([], "no_rows"), ([(date(2026, 9, 1), 0)], "not_positive")])
def test_an_import_without_sense_takes_nothing(rows, refusal):
    assert take(rows).code == refusal
    assert db.session.scalars(select(FlowReading)).all() == []


def test_the_file_of_several_sites_is_read_for_one_in_million_gallons(tmp_path):
    path = tmp_path / "flow.csv"
    path.write_text(
        "site,date,flow_mgd,ph\nAshland,2020-10-05,1.5,7\nWashburn,2020-10-05,0.162,7.4\nWashburn,2020-10-12,0.1545,\n"
    )
    assert list(readings(path, "Washburn")) == [(date(2020, 10, 5), 162_000), (date(2020, 10, 12), 154_500)]


def test_the_command_takes_all_rows_or_none_and_names_the_bad_cell(app, tmp_path):
    path = tmp_path / "flow.csv"
    path.write_text("date,flow_mgd\n2020-10-05,0.162\n2020-10-12,NODI\n")
    run = app.test_cli_runner().invoke(args=["intake", "import-flow", "bayfield", str(path)])
    assert (run.exit_code, "line 3: '2020-10-12', 'NODI' is not a day and a flow." in run.output) == (1, True)
    assert db.session.scalars(select(FlowReading)).all() == []
    path.write_text("date,flow_mgd\n2020-10-05,0.162\n2020-10-12,0.154\n")
    run = app.test_cli_runner().invoke(args=["intake", "import-flow", "bayfield", str(path)])
    assert run.output == ("2 readings in flow.csv.\n  2 of 2\nTaken: 2. Recorded before: 0. Held for a person: 0.\n")
    again = app.test_cli_runner().invoke(args=["intake", "import-flow", "bayfield", str(path)])
    assert again.output.endswith("Taken: 0. Recorded before: 2. Held for a person: 0.\n")


def test_a_lower_flow_lowers_the_limit_from_its_day_and_a_higher_one_does_not_raise_it():
    by, law = world.staff("director"), world.law()
    put_flow_in_force(world.plant(), 125_000, WEDNESDAY, "Order 12", by=by, at=MORNING, law=law)
    db.session.commit()
    assert (picture(TUESDAY).room, picture(WEDNESDAY).room) == (1_998, 1_560)
    put_flow_in_force(world.plant(), 200_000, WEDNESDAY, "Order 13", by=by, at=MORNING, law=world.law())
    db.session.commit()
    assert picture(WEDNESDAY).room == 1_998


def test_bookings_that_no_longer_fit_are_listed_before_and_told_after():
    who = hauler()
    book(who, session("2026-10-06T07:00", 1_998))
    book(who, session("2026-10-07T07:00", 300, minutes=60))
    book(who, session("2026-10-07T07:00", 300, minutes=60), at=MORNING + timedelta(minutes=1))
    plant, law = world.plant(), world.law()
    seen = no_longer_fits(plant, law, 125_000, WEDNESDAY, MORNING)
    assert [group.sessions[0].number for group in seen] == ["B-1007-02"]
    put_flow_in_force(plant, 125_000, WEDNESDAY, "Order 12", by=world.staff("director"), at=MORNING, law=law)
    db.session.commit()
    states = dict(db.session.execute(select(Booking.number, Booking.state)).all())
    assert states == {"B-1006-01": "booked", "B-1007-01": "booked", "B-1007-02": "cancelled"}
    told = db.session.scalars(select(Notice).where(Notice.kind == "booking_ended")).one()
    assert told.subject == "Cancelled by the plant: Wed, Oct 7, 7:00 a.m. (B-1007-02)"
    assert told.body.startswith("The limit is 520 gallons an hour now, and this booking no longer fits.")


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


def test_closing_a_booked_day_shows_who_is_met_and_tells_them_why():
    who = hauler()
    book(who, session("2026-10-06T07:00", 300))
    book(who, session("2026-10-07T07:00", 300))
    plant, law, by = world.plant(), world.law(), world.staff("manager")
    assert [group.sessions[0].number for group in booked_on(plant, TUESDAY, MORNING)] == ["B-1006-01"]
    close_day(plant, TUESDAY, "Pump replacement", by=by, at=MORNING, law=law)
    db.session.commit()
    told = db.session.scalars(select(Notice).where(Notice.kind == "booking_ended")).one()
    assert told.body.startswith(
        "The plant is closed on Tuesday, October 6, 2026: Pump replacement.\n\nBooking B-1006-01"
    )
    assert code(book(who, session("2026-10-06T08:00", 300))) == "closed"
    assert picture(TUESDAY).room == 0


def test_a_day_gone_by_is_not_closed():
    done = close_day(world.plant(), date(2026, 10, 4), "Late", by=world.staff("manager"), at=MORNING, law=world.law())
    assert code(done) == "past"


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
    take([(TUESDAY, 150_000)])
    days = flow.flow_days(world.plant(), world.law(), WEDNESDAY, MORNING, 2)
    assert [(one.day, one.limit, one.own) for one in days] == [(TUESDAY, 666, Decimal(625)), (WEDNESDAY, 666, None)]
