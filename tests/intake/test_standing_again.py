"""The booking of a void ticket: it stands as booked, is held by a restriction, or listed where its room is gone."""

import pytest
from sqlalchemy import select

from intake.actions.closures import close_day
from intake.actions.limits import set_limit
from intake.actions.moving import move_booking
from intake.actions.restriction import lift_restriction, restrict_plant, update_restriction
from intake.actions.station import void_load
from intake.actions.waiting import ask_to_wait
from intake.models import Hold, RoomOffer
from intake.queries import bookings
from intake.queries.checks import check_capacity
from office.db import db
from office.notices import Notice
from office.verify import verify
from tests import world
from tests.intake.gatehouse import booked, good, kept, log, refuse
from tests.intake.plant import MORNING, TUESDAY, WEDNESDAY, book, hauler, picture, planned, session, times_page

pytestmark = pytest.mark.usefixtures("app")


def void(load) -> None:
    at = world.at("2026-10-06T07:20")
    good(kept(void_load(load, "Typed twice", by=world.staff("operator"), at=at, law=world.law())))


def logged():
    """A booking of Tuesday at 7:00 whose load is open."""
    who = hauler()
    mine = booked(book(who, session("2026-10-06T07:00", 600)))
    return mine, good(log(who, 600, booking=mine))


def test_a_booking_stands_again_when_its_ticket_is_void():
    mine, load = logged()
    void(load)
    db.session.refresh(mine)
    assert (mine.state, mine.end_reason) == ("booked", None)


def notices(kind):
    return [(one.subject, one.body) for one in db.session.scalars(select(Notice).filter_by(kind=kind))]


def state(mine):
    return bookings.view(mine, world.at("2026-10-06T07:20")).state


def test_a_booking_whose_day_was_closed_meanwhile_is_listed_with_the_reason_and_times_that_fit():
    mine, load = logged()
    at = world.at("2026-10-06T07:10")
    good(kept(close_day(world.plant(), TUESDAY, "Pump work", by=world.staff("manager"), at=at, law=world.law())))
    void(load)
    hold = db.session.scalars(select(Hold)).one()
    why = f"Ticket {load.ticket} is void. The plant is closed on Tuesday, October 6, 2026: Pump work (§ 329-7 C(1))."
    assert (state(mine), mine.end_reason, hold.outcome, hold.why) == ("listed", None, "listed", why)
    [(subject, body)] = notices("time_lost")
    assert subject == "Cannot be kept: Tue, Oct 6, 7:00 a.m. (B-1006-01)"
    assert body.splitlines() == [
        why, "", "Do not bring these loads then:", "B-1006-01, Tue, Oct 6, 7:00 a.m.: 600 gallons.",
        "Times that fit it now: Wed, Oct 7, 7:00 to 7:55 a.m.; 7:15 to 8:10 a.m.; 7:30 to 8:25 a.m.",
        f"Book here: {times_page(mine, 600, WEDNESDAY)}", "",
        "Choose first: book one of these times now, or call 715-555-0100, weekdays 7 a.m. to 3 p.m.",
    ]  # fmt: skip
    assert (check_capacity(), verify()) == ([], [])


def test_a_booking_whose_room_others_have_is_listed():
    mine, load = logged()
    at = world.at("2026-10-06T07:10")
    good(kept(set_limit(world.plant(), "rate.own_ceiling_gph", 500, TUESDAY, "Order 9", by=world.staff("director"),
                        at=at, law=world.law())))  # fmt: skip
    void(load)
    [(_, body)] = notices("time_lost")
    assert (state(mine), body.splitlines()[0]) == ("listed", (
        f"Ticket {load.ticket} is void, and the time of its booking is taken by others or no longer given "
        "(§ 329-7 F(3))."))  # fmt: skip
    # Its rest of the morning is free to others.
    assert picture(TUESDAY, world.at("2026-10-06T07:20")).room == 1_333


@pytest.mark.parametrize("more", [{}, {"scope": "rate", "gph": 300}, {"scope": "types", "wastes": ("septic_tank",)}])
def test_a_booking_that_a_restriction_meets_is_held_until_it_is_lifted(more):
    mine, load = logged()
    at, director = world.at("2026-10-06T07:10"), world.staff("director")
    row = good(kept(restrict_plant(world.plant(), "operational_problem", by=director, at=at, law=world.law(), **more)))
    void(load)
    [(subject, body)] = notices("booking_held")
    assert (state(mine), subject) == ("held", "On hold: Tue, Oct 6, 7:00 a.m., 600 gallons (B-1006-01)")
    assert f"Ticket {load.ticket} is void, so the booking stands again, but a restriction holds it." in body
    good(kept(lift_restriction(world.plant(), row.id, "Mended", by=director, at=world.at("2026-10-06T07:30"),
                               law=world.law())))  # fmt: skip
    assert (bookings.view(mine, world.at("2026-10-06T07:31")).state, check_capacity()) == ("missed", [])


def test_a_booking_of_two_mornings_that_is_held_for_the_second_keeps_one_hold_when_the_first_load_is_void():
    who, director = hauler(), world.staff("director")
    mine = booked(book(who, [session("2026-10-06T07:00", 600), session("2026-10-07T07:00", 600)]))
    load = good(log(who, 600, booking=mine))
    row = good(kept(restrict_plant(world.plant(), "operational_problem", by=director, at=world.at("2026-10-06T07:10"),
                                   law=world.law())))  # fmt: skip
    void(load)
    hold = db.session.scalars(select(Hold)).one()
    assert (state(mine), hold.restriction_id, hold.ended_at) == ("held", row.id, None)
    assert (check_capacity(), verify()) == ([], [])


def test_a_booking_that_was_let_go_by_a_move_is_held_again_when_more_is_planned_with_the_restriction():
    who, director = hauler(), world.staff("director")
    mine = booked(book(who, session("2026-10-06T07:00", 600)))
    at, law = world.at("2026-10-06T06:50"), world.law()
    row = good(kept(restrict_plant(world.plant(), "operational_problem", planning_end=world.at("2026-10-06T10:00"),
                                   by=director, at=at, law=law)))  # fmt: skip
    good(kept(move_booking(world.plant(), mine.id, [session("2026-10-07T07:00", 600)], by=who.by, at=at, law=law)))
    assert state(mine) == "booked"
    good(kept(update_restriction(world.plant(), row.id, "Longer", world.at("2026-10-07T06:00"),
                                 world.at("2026-10-07T10:00"), by=director, at=at, law=law)))  # fmt: skip
    hold = db.session.scalars(select(Hold)).one()
    assert (state(mine), hold.ended_at, hold.outcome) == ("held", None, None)
    assert (check_capacity(), verify()) == ([], [])


def test_a_restriction_of_another_waste_holds_nothing():
    mine, load = logged()
    good(kept(restrict_plant(world.plant(), "operational_problem", scope="types", wastes=("holding_tank",),
                             by=world.staff("director"), at=world.at("2026-10-06T07:10"),
                             law=world.law())))  # fmt: skip
    void(load)
    assert (state(mine), notices("booking_held")) == ("booked", [])


def refused(who, mine, at="2026-10-06T07:05"):
    """The truck of a booking is turned away by mistake."""
    return good(refuse(who, at, booking=mine, reason="Wrong truck pressed"))


def void_at(load, at) -> None:
    good(kept(void_load(load, "Wrong truck", by=world.staff("operator"), at=world.at(at), law=world.law())))


@pytest.mark.parametrize("at", ["2026-10-06T07:20", "2026-10-06T11:00"])
def test_a_split_whose_other_morning_was_booked_meanwhile_is_listed_also_when_the_first_is_over(at):
    who, other = hauler(), hauler("Second Pumping", number=2)
    mine = booked(book(who, [session("2026-10-06T07:00", 1_998), session("2026-10-07T07:00", 1_000)]))
    load = refused(who, mine)
    booked(book(other, session("2026-10-07T07:00", 1_998), at=world.at("2026-10-06T07:10")))
    void_at(load, at)
    [(_, body)] = notices("time_lost")
    assert (bookings.view(mine, world.at(at)).state, body.splitlines()[0]) == ("listed", (
        f"Ticket {load.ticket} is void, and the time of its booking on Wednesday, October 7, 2026 is taken by others "
        "or no longer given (§ 329-7 F(3))."))  # fmt: skip
    assert db.session.scalars(select(Hold)).one().day == WEDNESDAY
    assert (check_capacity(), verify()) == ([], [])


def test_a_split_given_up_so_offers_its_other_morning_to_who_waits_for_it():
    who, waits = hauler(), hauler("Second Pumping", number=2)
    mine = booked(book(who, [session("2026-10-06T07:00", 1_998), session("2026-10-07T07:00", 1_998)]))
    line = good(kept(ask_to_wait(world.plant(), waits.business_id, waits.truck_id, "septic_tank", 1_500, WEDNESDAY,
                                 WEDNESDAY, by=waits.by, at=MORNING, law=world.law())))  # fmt: skip
    load = good(log(who, 1_998, booking=mine))
    at = world.at("2026-10-06T07:10")
    good(kept(close_day(world.plant(), TUESDAY, "Pump work", by=world.staff("manager"), at=at, law=world.law())))
    void_at(load, "2026-10-06T07:20")
    assert state(mine) == "listed"
    [offer] = db.session.scalars(select(RoomOffer))
    assert (offer.wait_id, offer.starts) == (line.id, world.at("2026-10-07T07:00"))


def test_a_split_whose_mornings_are_still_there_stands_again_whole():
    who = hauler()
    mine = booked(book(who, [session("2026-10-06T07:00", 1_998), session("2026-10-07T07:00", 1_000)]))
    void_at(refused(who, mine), "2026-10-06T07:20")
    assert (state(mine), notices("time_lost"), notices("booking_held")) == ("booked", [], [])
    assert picture(WEDNESDAY, world.at("2026-10-06T07:20")).room == 997


def test_a_split_whose_other_morning_a_restriction_meets_is_held():
    who = hauler()
    mine = booked(book(who, [session("2026-10-06T07:00", 600), session("2026-10-07T07:00", 600)]))
    load = refused(who, mine)
    row = good(kept(restrict_plant(world.plant(), "operational_problem", scope="types", wastes=("septic_tank",),
                                   planning_end=world.at("2026-10-07T10:00"), by=world.staff("director"),
                                   at=world.at("2026-10-06T08:00"), law=world.law())))  # fmt: skip
    void_at(load, "2026-10-06T11:00")
    hold = db.session.scalars(select(Hold)).one()
    assert (hold.restriction_id, bookings.view(mine, world.at("2026-10-06T11:00")).state) == (row.id, "held")


def test_gallons_booked_elsewhere_since_are_not_booked_twice():
    who = hauler(rest=1_000)
    mine = booked(book(who, session("2026-10-06T08:30", 900)))
    load = refused(who, mine, "2026-10-06T08:20")
    booked(book(who, session("2026-10-08T07:00", 900), at=world.at("2026-10-06T08:22")))
    void_at(load, "2026-10-06T08:25")
    [(_, body)] = notices("time_lost")
    assert (state(mine), body.splitlines()[0]) == ("listed", (
        f"Ticket {load.ticket} is void. Your approval A-2026-27-001 has 100 gallons left for the rest of the year, of "
        "1,000; this load needs 900 (§ 329-7 B(2))."))  # fmt: skip


def test_a_truck_booked_elsewhere_since_is_not_booked_twice():
    who = hauler()
    mine = planned(who, session("2026-10-06T09:00", 150, minutes=50))
    load = refused(who, mine, "2026-10-06T08:50")
    planned(who, session("2026-10-06T09:20", 150, minutes=30), at=world.at("2026-10-06T08:52"))
    void_at(load, "2026-10-06T08:55")
    [(_, body)] = notices("time_lost")
    why = f"Ticket {load.ticket} is void. Truck T-1 is taken Tue, Oct 6, 9:20 to 9:50 a.m.: booking B-1006-02."
    assert (state(mine), body.splitlines()[0]) == ("listed", why)
