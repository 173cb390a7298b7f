"""What is left of a load split over mornings: moved or given up, it stays one load, one ticket, one set of tests."""

import re
from uuid import uuid4

import pytest
from sqlalchemy import select

from intake.actions.booking import cancel_booking
from intake.actions.closures import close_day
from intake.actions.moving import move_booking
from intake.actions.no_show import record_no_show
from intake.actions.running import pause_load
from intake.actions.station import continue_load, finish_load, void_load
from intake.models import Booking, Hold, Load
from intake.queries import bookings
from intake.queries.allowance import used_and_booked
from intake.queries.checks import check_capacity
from intake.queries.lost_times import lost_times
from office.db import db
from office.notices import Notice
from office.verify import verify
from tests import world
from tests.intake.gatehouse import balance, good, kept, log
from tests.intake.plant import THURSDAY, TUESDAY, WEDNESDAY, book, hauler, picture, session
from tests.intake.test_missed import lifted
from tests.intake.test_no_show import said
from tests.intake.test_restriction import lift, restrict

MOVE_PAGE = "http://localhost:8000/bayfield/bookings/B-1006-01/move/times"
NOON, NEXT_NOON = world.at("2026-10-06T12:00"), world.at("2026-10-07T12:00")


@pytest.fixture
def who(app, clock_at):
    clock_at("2026-10-06T12:00")
    return hauler(rest=2_500)


@pytest.fixture
def booking(who):
    made = book(who, [session("2026-10-06T07:00", 1_998), session("2026-10-07T07:00", 502)])
    good(log(who, 1_998, booking=made))
    return made


def move(who, booking, *sessions, by=None, at=NOON, part=None):
    return kept(move_booking(world.plant(), booking.id, sessions, by=by or who.by, at=at, law=world.law(), part=part))


def cancel(who, booking, *, by=None, at=NOON, part=None, reason=""):
    return kept(cancel_booking(world.plant(), booking.id, reason, by=by or who.by, at=at, law=world.law(), part=part))


def only_load() -> Load:
    return db.session.scalars(select(Load)).one()


def told(kind: str) -> Notice:
    return db.session.scalars(select(Notice).where(Notice.kind == kind)).one()


def days(booking):
    return [(one.day, one.gallons) for one in bookings.sessions_of([booking.id])[booking.id]]


def taken(who):
    found = used_and_booked(who.approval_id, world.law(), NOON)
    return found.rest_used, found.rest_booked


def test_the_morning_left_moves_and_the_load_goes_on_then_under_its_ticket(who, booking):
    assert only_load().record_due == world.at("2026-10-08T23:59:59")
    good(move(who, booking, session("2026-10-08T07:00", 502)))
    assert (days(booking), taken(who)) == ([(TUESDAY, 1_998), (THURSDAY, 502)], (1_998, 502))
    assert (picture(WEDNESDAY, NOON).room, picture(THURSDAY, NOON).room) == (1_998, 1_495)
    notice = told("booking_moved")
    assert notice.subject == "Moved: from Wed, Oct 7, 7:00 a.m. to Thu, Oct 8, 7:00 a.m. (B-1006-01)"
    assert notice.body.split("\n")[:9] == [
        "Booking B-1006-01 at Bayfield Wastewater Treatment Works is moved.", "", "It was:",
        "Wednesday, October 7, 2026, 7:00 to 7:46 a.m.: 502 gallons at 655 gallons an hour.", "", "It is now:",
        "Thursday, October 8, 2026, 7:00 to 7:46 a.m.: 502 gallons at 655 gallons an hour.", "",
        "What was unloaded stays as the ticket says.",
    ]  # fmt: skip
    assert only_load().record_due == world.at("2026-10-09T23:59:59")
    good(kept(continue_load(only_load(), 502, by=world.staff("operator"), at=world.at("2026-10-08T07:00"),
                            law=world.law())))  # fmt: skip
    assert (only_load().gallons, balance(who), taken(who)) == (2_500, 6_000 + 1_216, (2_500, 0))
    assert (check_capacity(), verify()) == ([], [])


def test_the_morning_left_is_given_up_and_the_load_ends_with_what_was_unloaded(who, booking):
    good(cancel(who, booking))
    found = bookings.view(booking, NOON)
    assert (found.state, booking.gallons, days(booking)) == ("unloaded", 1_998, [(TUESDAY, 1_998)])
    assert (taken(who), picture(WEDNESDAY, NOON).room) == ((1_998, 0), 1_998)
    assert (only_load().record_due, balance(who)) == (world.at("2026-10-07T23:59:59"), 4_795 + 1_216)
    assert told("booking_cancelled").body.split("\n")[:5] == [
        "One time of booking B-1006-01 at Bayfield Wastewater Treatment Works is cancelled:",
        "Wednesday, October 7, 2026, 7:00 to 7:46 a.m.: 502 gallons at 655 gallons an hour.", "",
        "What was unloaded stays as the ticket says.", "Nothing more is booked for this load.",
    ]  # fmt: skip
    again = cancel(who, booking)
    assert again.why == "The load of booking B-1006-01 is at the plant or unloaded already."
    assert (check_capacity(), verify()) == ([], [])


def test_of_two_mornings_left_one_is_given_up_and_the_other_stays(who):
    made = book(who, [session("2026-10-06T07:00", 1_000), session("2026-10-07T07:00", 700),
                      session("2026-10-08T07:00", 800)])  # fmt: skip
    good(log(who, 1_000, booking=made))
    good(cancel(who, made, part=WEDNESDAY))
    assert (bookings.view(made, NOON).state, days(made)) == ("begun", [(TUESDAY, 1_000), (THURSDAY, 800)])
    assert "It stays booked for 800 gallons:\nThursday, October 8" in told("booking_cancelled").body
    assert only_load().record_due == world.at("2026-10-09T23:59:59")
    assert cancel(who, made, part=TUESDAY).code == "already_unloading"
    good(move(who, made, session("2026-10-09T07:00", 800)))
    assert "As before" not in told("booking_moved").body


def test_once_its_time_began_it_is_the_plants_to_move_also_the_day_after(who, booking):
    begun = world.at("2026-10-07T07:20")
    later = session("2026-10-08T07:00", 502)
    for refused in (move(who, booking, later, at=begun), cancel(who, booking, at=begun)):
        assert refused.code == "time_begun"
        assert refused.why.startswith("The time of booking B-1006-01 began Wednesday, October 7, 2026, 7:00 a.m.")
    assert not bookings.view(booking, begun).may_change
    staff, missed = world.staff("operator"), world.at("2026-10-08T06:00")
    good(move(who, booking, session("2026-10-09T07:00", 502), by=staff, at=missed))
    assert days(booking) == [(TUESDAY, 1_998), (TUESDAY.replace(day=9), 502)]
    assert only_load().record_due == world.at("2026-10-12T23:59:59")


def test_what_is_left_comes_on_a_day_of_its_own_and_is_no_no_show(who, booking):
    refused = move(who, booking, session("2026-10-06T09:00", 502), at=world.at("2026-10-06T08:00"))
    assert (refused.code, refused.why) == ("not_whole", (
        "A part of this load was unloaded on Tuesday, October 6, 2026 already. A load has one time on each day."
    ))  # fmt: skip
    refused = said(record_no_show, booking, at=NEXT_NOON)
    assert (refused.why, refused.next_step) == ("Booking B-1006-01 was unloaded in part: its truck came.",
                                                "Move what is left of it, or cancel that with a reason.")  # fmt: skip


def test_gallons_that_wait_in_the_truck_are_told_first(who):
    made = book(who, [session("2026-10-06T07:00", 1_998), session("2026-10-07T07:00", 502)])
    load = good(log(who, 1_998, booking=made))
    at = world.at("2026-10-06T08:00")
    good(kept(pause_load(load, 600, by=world.staff("operator"), at=at, law=world.law())))
    for refused in (cancel(who, made, at=at), move(who, made, session("2026-10-08T07:00", 502), at=at)):
        assert (refused.code, refused.next_step) == ("paused", "Stop it first and enter what was unloaded then.")


def test_a_closed_morning_offers_what_is_left_not_the_whole(who, booking):
    good(kept(close_day(world.plant(), WEDNESDAY, "Pump", by=world.staff("manager"), at=NOON, law=world.law())))
    lines = told("time_lost").body.split("\n")
    assert "B-1006-01, Wed, Oct 7, 7:00 a.m.: 502 gallons." in lines
    assert any(line.startswith("Times that fit it now: Thu, Oct 8, 7:00 to 7:46 a.m.") for line in lines)
    assert f"Move it here: {MOVE_PAGE}?part=all&day=2026-10-08" in lines


@pytest.mark.parametrize("act", [finish_load, cancel_booking])
def test_a_restriction_holds_nothing_of_a_load_that_has_ended(who, booking, act):
    restrict(NOON)
    assert bookings.view(booking, NOON).state == "held"
    if act is finish_load:
        good(kept(finish_load(only_load(), by=world.staff("operator"), at=NOON, law=world.law())))
    else:
        good(cancel(who, booking))
    assert [one.outcome for one in db.session.scalars(select(Hold))] == ["released"]
    assert (bookings.view(db.session.scalars(select(Booking)).one(), NOON).state, verify()) == ("unloaded", [])


def test_the_haulers_pages_move_and_cancel_what_is_left(app, who, booking):
    client = app.test_client()
    world.sign_in(client, who.email)
    page = client.get("/bayfield/hauler/bookings/B-1006-01").get_data(as_text=True)
    assert ("Unloaded in part" in page, "Move what is left" in page, "Cancel what is left" in page) == (True,) * 3
    times = client.get("/bayfield/bookings/B-1006-01/move").location
    shown = re.sub(r"\s+", " ", client.get(times).get_data(as_text=True))
    assert "<dt>Now booked</dt> <dd><div><b>Wednesday, October 7, 7:00 to 7:46 a.m.</b>" in shown
    ask = re.sub(r"\s+", " ", client.get("/bayfield/hauler/bookings/B-1006-01/cancel").get_data(as_text=True))
    assert "<h1>Cancel what is left of this booking?</h1>" in ask
    assert "<dt>Gallons</dt> <dd>502</dd>" in ask
    done = client.post("/bayfield/hauler/bookings/B-1006-01/cancel", data={"once": uuid4().hex, "reason": ""})
    assert "What was left of booking B-1006-01 is cancelled." in client.get(done.location).get_data(as_text=True)


def close(day=WEDNESDAY, at=NOON):
    good(kept(close_day(world.plant(), day, "Pump", by=world.staff("manager"), at=at, law=world.law())))


def outcomes():
    return [one.outcome for one in db.session.scalars(select(Hold))]


def goes_on(gallons, at):
    return kept(continue_load(only_load(), gallons, by=world.staff("operator"), at=at, law=world.law()))


def test_a_lost_morning_gets_another_time_under_its_ticket_not_a_second_test_charge(who, booking):
    close()
    assert (bookings.view(booking, NOON).state, taken(who)) == ("listed", (1_998, 0))
    assert goes_on(502, world.at("2026-10-07T07:00")).code == "closed"
    good(move(who, booking, session("2026-10-08T07:00", 502)))
    assert (bookings.view(booking, NOON).state, outcomes()) == ("begun", ["released"])
    assert (taken(who), picture(THURSDAY, NOON).room) == ((1_998, 502), 1_495)
    good(goes_on(502, world.at("2026-10-08T07:00")))
    assert (only_load().gallons, balance(who), taken(who)) == (2_500, 6_000 + 1_216, (2_500, 0))
    assert (check_capacity(), verify()) == ([], [])


def test_a_lost_morning_is_given_up_by_its_hauler_and_never_late(who, booking):
    close()
    after = world.at("2026-10-07T12:00")
    good(cancel(who, booking, at=after))
    found = bookings.view(booking, after)
    assert (found.state, booking.gallons, booking.ended_late) == ("unloaded", 1_998, False)
    assert only_load().record_due == world.at("2026-10-08T23:59:59")
    assert (taken(who), balance(who), check_capacity(), verify()) == ((1_998, 0), 4_795 + 1_216, [], [])


def test_a_morning_missed_by_a_restriction_moves_too(who, booking):
    lift(restrict(NOON), NEXT_NOON)
    assert bookings.view(booking, NEXT_NOON).state == "missed"
    assert goes_on(502, world.at("2026-10-08T07:00")).code == "booking_lost"
    good(move(who, booking, session("2026-10-08T07:00", 502), at=NEXT_NOON))
    assert (bookings.view(booking, NEXT_NOON).state, outcomes()) == ("begun", ["released"])
    good(goes_on(502, world.at("2026-10-08T07:00")))
    assert (balance(who), check_capacity(), verify()) == (6_000 + 1_216, [], [])


def test_mornings_that_lost_their_time_move_together(who):
    made = book(who, [session("2026-10-06T07:00", 1_000), session("2026-10-07T07:00", 700),
                      session("2026-10-08T07:00", 800)])  # fmt: skip
    good(log(who, 1_000, booking=made))
    close()
    assert (bookings.view(made, NOON).state, picture(THURSDAY, NOON).room) == ("listed", 1_998)
    refused = move(who, made, session("2026-10-09T07:00", 700), part=WEDNESDAY)
    assert (refused.code, refused.why) == (
        "not_whole", "What is left of booking B-1006-01 lost its time on every morning: all of it moves."
    )  # fmt: skip
    good(move(who, made, session("2026-10-08T07:00", 1_500)))
    assert (days(made), taken(who)) == ([(TUESDAY, 1_000), (THURSDAY, 1_500)], (1_000, 1_500))
    assert (check_capacity(), verify()) == ([], [])


def test_a_whole_load_that_lost_its_time_is_booked_anew_as_before(who):
    made = book(who, session("2026-10-07T07:00", 502))
    close()
    assert move(who, made, session("2026-10-08T07:00", 502)).code == "not_kept"
    assert "Book here: " in told("time_lost").body


def test_what_passed_while_the_approval_was_suspended_is_the_plants_to_move(who, booking):
    lines = lifted(who, "2026-10-07T12:00")
    at = lines.index("B-1006-01, Wed, Oct 7, 7:00 a.m.: 502 gallons.")
    assert lines[at + 1].startswith("Times that fit it now: Thu, Oct 8, 7:00 to 7:46 a.m.")
    assert lines[at + 2] == "Call the plant to have it moved."
    good(move(who, booking, session("2026-10-08T07:00", 502), by=world.staff("operator"), at=NEXT_NOON))
    good(goes_on(502, world.at("2026-10-08T07:00")))
    assert (balance(who), check_capacity(), verify()) == (6_000 + 1_216, [], [])


def test_a_ticket_made_void_after_what_is_left_moved_leaves_the_morning_that_moved(who, booking):
    good(move(who, booking, session("2026-10-08T07:00", 502)))
    good(kept(void_load(only_load(), "Typed twice", by=world.staff("operator"), at=NOON, law=world.law())))
    assert (balance(who), picture(THURSDAY, NOON).room) == (0, 1_495)
    assert days(booking) == [(TUESDAY, 1_998), (THURSDAY, 502)]
    assert (bookings.view(booking, NOON).state, check_capacity(), verify()) == ("booked", [], [])


def test_the_pages_of_a_lost_morning_move_what_is_left(app, who, booking):
    close()
    client = app.test_client()
    world.sign_in(client, who.email)
    page = client.get("/bayfield/hauler/bookings/B-1006-01").text
    assert ("Time cannot be kept" in page, "Move what is left" in page, "Cancel what is left" in page) == (True,) * 3
    assert "See times" not in page
    home = client.get("/bayfield/hauler").text
    assert "Wed, Oct 7, 502 gallons: its time cannot be kept" in re.sub(r"\s+", " ", re.sub("<[^>]*>", "", home))
    times = client.get("/bayfield/bookings/B-1006-01/move").location
    shown = re.sub(r"\s+", " ", client.get(times).text)
    assert "<dt>Lost its time</dt> <dd><div><b>Wednesday, October 7, 7:00 to 7:46 a.m.</b>" in shown
    assert ("Thursday, October 8" in shown, "Now booked" in shown) == (True, False)
    ask = client.get("/bayfield/hauler/bookings/B-1006-01/cancel").text
    assert "offered to others" not in ask
    [lost] = lost_times(world.plant(), NOON)
    assert (lost.gallons, lost.starts) == (502, world.at("2026-10-07T07:00"))
