"""What the committee and a revocation are told of a hauler's loads and bookings."""

from datetime import date, timedelta
from decimal import Decimal

import pytest
from sqlalchemy import select

from haulers.ports import BookingLine, Record
from intake.actions.booking import cancel_booking
from intake.actions.lab import enter_result
from intake.actions.records import file_record
from intake.actions.restriction import restrict_plant
from intake.actions.station import void_load
from intake.queries.track_record import Records
from office.db import db
from office.law import Adoption
from ordinances.loading import Mean
from tests import world
from tests.intake.gatehouse import TUESDAY_0700, booked, good, kept, log, refuse
from tests.intake.plant import MORNING, book, hauler, session

pytestmark = pytest.mark.usefixtures("app")


def season(who, name="2026-27"):
    return Records().last_season(world.plant().id, [who.business_id], name)


def test_a_season_adds_up_loads_gallons_refusals_and_late_records(clock_at):
    who = hauler()
    in_time, late = good(log(who, 300)), good(log(who, 200, "2026-10-06T08:00"))
    good(log(who, 100, "2026-10-06T09:00"))
    good(refuse(who, "2026-10-07T09:00"))
    void = good(log(who, 400, "2026-10-08T07:00"))
    good(kept(void_load(void, "Typed twice", by=world.staff("operator"), at=TUESDAY_0700, law=world.law())))
    assert in_time.record_due is not None
    for load, at in ((in_time, in_time.record_due), (late, in_time.record_due + timedelta(seconds=1))):
        good(kept(file_record(load, "12 Cedar Lane", by=who.by, at=at, law=world.law())))
    clock_at("2026-10-07T23:00")
    assert season(who) == {who.business_id: Record(loads=3, gallons=600, refused=1, late_records=1)}
    clock_at("2026-10-08T00:00")
    assert season(who) == {who.business_id: Record(loads=3, gallons=600, refused=1, late_records=2)}


def test_a_hauler_without_loads_is_left_out_and_other_seasons_do_not_count(clock_at):
    clock_at("2026-10-07T12:00")
    who = hauler()
    assert season(who) == {}
    good(log(who, 300))
    assert season(who, "2025-26") == {}
    assert Records().last_season(world.plant().id, [who.business_id + 99], "2026-27") == {}


def test_holds_by_a_restriction_are_counted(clock_at):
    clock_at("2026-10-07T12:00")
    who = hauler()
    booked(book(who, session("2026-10-06T07:00", 300)))
    good(kept(restrict_plant(world.plant(), "permit_threat", by=world.staff("director"), at=TUESDAY_0700,
                             law=world.law())))  # fmt: skip
    assert season(who) == {who.business_id: Record(0, 0, 0, 0, restrictions=1)}


def test_results_are_averaged_by_waste_and_parameter_and_those_without_a_figure_are_counted(clock_at):
    clock_at("2026-10-07T12:00")
    who = hauler()
    first, second, third = (good(log(who, 300, f"2026-10-06T0{hour}:00")) for hour in (7, 8, 9))
    at = world.at("2026-10-12T09:00")
    for load, parameter, typed in ((first, "BOD5", "4,200"), (second, "BOD5", ">9,001"), (third, "BOD5", "<2"),
                                   (first, "TSS", "11000.5")):  # fmt: skip
        good(kept(enter_result(load, parameter, typed, sure=True, by=world.staff("operator"), at=at, law=world.law())))
    found = Records().means(world.plant().id, [who.business_id], "2026-27")
    waste = first.waste
    assert found == {who.business_id: {(waste, "BOD5"): Mean(Decimal(4_401), 3, 2),
                                       (waste, "TSS"): Mean(Decimal(11_001), 1)}}  # fmt: skip
    assert Records().means(world.plant().id, [who.business_id], "2025-26") == {}
    assert Records().means(world.plant().id, [who.business_id + 99], "2026-27") == {}


def test_a_void_load_has_no_results_in_the_mean(clock_at):
    clock_at("2026-10-07T12:00")
    who = hauler()
    load = good(log(who, 300))
    operator = world.staff("operator")
    good(kept(enter_result(load, "TSS", "900", by=operator, at=TUESDAY_0700, law=world.law())))
    good(kept(void_load(load, "Typed twice", by=operator, at=TUESDAY_0700, law=world.law())))
    assert Records().means(world.plant().id, [who.business_id], "2026-27") == {}


def test_bookings_still_to_come_are_listed_in_time_order():
    who = hauler()
    later = booked(book(who, session("2026-10-08T07:00", 300)))
    split = booked(book(who, [session("2026-10-06T07:00", 1_998), session("2026-10-07T07:00", 502)]))
    gone = booked(book(who, session("2026-10-09T07:00", 100)))
    good(kept(cancel_booking(world.plant(), gone.id, "", by=who.by, at=MORNING, law=world.law())))
    wanted = [BookingLine(split.number, world.at("2026-10-06T07:00"), 2_500),
              BookingLine(later.number, world.at("2026-10-08T07:00"), 300)]  # fmt: skip
    assert Records().bookings_of(who.approval_id, MORNING) == wanted
    good(log(who, 1_998, booking=split))
    after = Records().bookings_of(who.approval_id, world.at("2026-10-06T11:00"))
    assert after == [BookingLine(split.number, world.at("2026-10-07T07:00"), 2_500), wanted[1]]
    assert Records().used(who.approval_id) == 1_998


def adopted_late(day):
    """The law of the plant as if it had been adopted only on a day."""
    db.session.scalars(select(Adoption)).one().since = day
    db.session.commit()


def test_a_season_before_the_law_was_adopted_has_no_record(clock_at):
    clock_at("2026-10-07T12:00")
    adopted_late(date(2026, 3, 1))
    who = hauler()
    assert season(who, "2025-26") == {}
    good(log(who, 300))
    assert season(who) == {who.business_id: Record(loads=1, gallons=300, refused=0, late_records=0)}


def test_loads_after_the_adoption_count_for_the_season_then_running(clock_at):
    clock_at("2026-10-07T12:00")
    who = hauler()
    good(log(who, 300))
    adopted_late(date(2027, 2, 1))
    clock_at("2027-08-10T12:00")
    assert season(who) == {who.business_id: Record(loads=1, gallons=300, refused=0, late_records=1)}


@pytest.mark.parametrize("address", ["committee", "committee?season=2026-27"])
def test_the_committee_opens_its_table_in_the_first_year_of_a_law(app, clock_at, address):
    clock_at("2026-09-15T12:00")
    adopted_late(date(2026, 3, 1))
    hauler()
    client = app.test_client()
    world.sign_in(client, "member1")
    assert client.get(f"/bayfield/{address}").status_code == 200


def test_the_directors_pages_look_back_no_further_than_the_law(app, clock_at):
    clock_at("2026-10-06T08:00")
    adopted_late(date(2026, 10, 6))
    client = app.test_client()
    world.sign_in(client, "director")
    found = [client.get(f"/bayfield/{address}").status_code for address in ("director", "director/flow", "week", "")]
    assert found == [200, 200, 200, 200]
