"""Booking a time to unload: what is taken, what is refused and in which words."""

from datetime import date, timedelta

import pytest
from sqlalchemy import select

from intake.actions.booking import book_discharge, cancel_booking
from intake.models import Booking, PlannedSession
from intake.queries import bookings, capacity
from office.db import db
from office.notices import Notice
from office.plants import set_closure
from ordinances import offers
from ordinances.refusal import Refusal
from tests import world
from tests.intake.plant import MORNING, TUESDAY, WEDNESDAY, book, code, hauler, picture, session

pytestmark = pytest.mark.usefixtures("app")


def test_the_whole_window_books_as_one_booking_with_number_and_notice():
    who = hauler()
    booking = book(who, session("2026-10-06T07:00", 1_998))
    assert (booking.number, booking.gallons, booking.state) == ("B-1006-01", 1_998, "booked")
    planned = db.session.scalars(select(PlannedSession)).one()
    assert (planned.starts, planned.ends, planned.gph) == (
        world.at("2026-10-06T07:00"),
        world.at("2026-10-06T10:00"),
        666,
    )
    subject = db.session.scalars(select(Notice.subject).where(Notice.kind == "booking_booked")).one()
    assert subject == "Booked: Tue, Oct 6, 7:00 a.m., 1,998 gallons (B-1006-01)"


def test_one_gallon_over_the_window_is_refused():
    who = hauler()
    over = offers.Session(world.at("2026-10-06T07:00"), world.at("2026-10-06T10:00"), 667, 1_999)
    refused = book(who, over)
    assert (code(refused), refused.why) == (
        "over_limit", "667 gallons an hour is more than the limit of 666 at that time.",
    )  # fmt: skip


def test_a_load_over_the_window_books_as_one_booking_on_two_mornings():
    who = hauler()
    frees = [(day, picture(day).steps) for day in (TUESDAY, WEDNESDAY)]
    parts = offers.split(frees, 2_000, MORNING)
    booking = book(who, parts)
    sessions = bookings.sessions_of([booking.id])[booking.id]
    assert [(one.day, one.gallons) for one in sessions] == [(TUESDAY, 1_998), (WEDNESDAY, 2)]
    assert (booking.number, booking.gallons) == ("B-1006-01", 2_000)


def test_a_second_load_may_begin_when_the_first_ends_and_not_a_minute_before():
    who, other = hauler(), hauler("Second Pumping", number=2)
    assert code(book(who, session("2026-10-06T07:00", 600))) == "booked B-1006-01"
    assert code(book(other, session("2026-10-06T07:54", 600))) == "taken"
    assert code(book(other, session("2026-10-06T07:45", 600))) == "taken"
    assert code(book(who, session("2026-10-06T07:55", 600))) == "booked B-1006-02"


def test_capacity_bl16_600_gallons_at_705_are_taken_at_730_refused_and_at_8_taken():
    who, other = hauler(), hauler("Second Pumping", number=2)
    first = session("2026-10-06T07:05", 600)
    assert (first.end, first.gph) == (world.at("2026-10-06T08:00"), 655)
    assert code(book(who, first)) == "booked B-1006-01"
    refused = book(other, session("2026-10-06T07:30", 600))
    assert (code(refused), refused.why) == ("taken", "That time was just taken.")
    assert code(book(other, session("2026-10-06T08:00", 600))) == "booked B-1006-02"


def test_a_session_may_end_with_the_window_and_not_begin_there():
    who = hauler()
    assert code(book(who, session("2026-10-06T09:00", 666))).startswith("booked")
    assert code(book(who, session("2026-10-06T10:00", 100))) == "outside_hours"
    assert code(book(who, session("2026-10-06T06:59", 100))) == "outside_hours"


def test_zone_dst_bl08_the_first_monday_after_the_change_books_from_7_to_the_last_minute_and_not_before():
    who = hauler()
    at = world.at("2026-10-30T16:00")
    assert code(book(who, session("2026-11-02T06:59", 300), at=at)) == "outside_hours"
    assert code(book(who, session("2026-11-02T09:59", 12, minutes=1), at=at)) == "over_limit"
    assert code(book(who, session("2026-11-02T07:00", 300), at=at)) == "booked B-1102-01"
    last = book(who, session("2026-11-02T09:59", 11, minutes=1), at=at)
    assert code(last) == "booked B-1102-02"
    assert [one.starts.isoformat() for one in bookings.sessions_of([last.id])[last.id]] == ["2026-11-02T15:59:00+00:00"]


@pytest.mark.parametrize(("day", "utc"), [("2026-10-30", "12:00"), ("2026-11-02", "13:00"), ("2027-03-15", "12:00")])
def test_seven_in_the_morning_is_stored_as_the_right_instant_across_the_clock_change(day, utc):
    book(hauler(), session(f"{day}T07:00", 500))
    starts = db.session.scalars(select(PlannedSession.starts)).one()
    assert f"{starts:%Y-%m-%d %H:%M %Z}" == f"{day} {utc} UTC"


@pytest.mark.parametrize(("start", "why"), [
    ("2026-11-26T07:00", "The plant is closed on Thursday, November 26, 2026: Thanksgiving Day."),
    ("2026-10-10T07:00", "The plant is closed on Saturday, October 10, 2026: unloading is Monday to Friday only."),
])  # fmt: skip
def test_a_holiday_and_a_weekend_are_refused_by_name_when_posted(start, why):
    refused = book(hauler(), session(start, 500))
    assert (code(refused), refused.why) == ("closed", why)
    assert db.session.scalars(select(Booking)).all() == []


def test_a_day_the_plant_keeps_for_a_holiday_on_sunday_is_closed_only_as_its_own_list_says():
    set_closure(world.plant(), date(2027, 7, 5), "Independence Day (observed)", "holiday", by=world.staff("clerk"),
                at=MORNING)  # fmt: skip
    db.session.commit()
    who = hauler()
    refused = book(who, session("2027-07-05T07:30", 300))
    assert refused.why == "The plant is closed on Monday, July 5, 2027: Independence Day (observed)."
    assert date(2027, 7, 5) not in capacity.days_ahead(world.law(), world.at("2027-07-01T12:00"), 5)
    assert code(book(who, session("2027-07-02T07:30", 300))) == "booked B-0702-01"


def test_a_time_that_has_passed_is_refused():
    assert code(book(hauler(), session("2026-10-06T07:00", 300), at=world.at("2026-10-06T07:01:00"))) == "past"


@pytest.mark.parametrize("now", ["2026-10-06T07:30:00", "2026-10-06T07:30:59"])
def test_a_minute_that_has_begun_is_not_booked(now):
    refused = book(hauler(), session("2026-10-06T07:30", 300), at=world.at(now))
    assert (code(refused), refused.why) == (
        "past", "The minute of 7:30 a.m. has begun. A booking starts in a minute to come: 7:31 a.m. or later. "
        "Nothing was booked.")  # fmt: skip


def test_a_minute_is_booked_until_the_second_before_it_begins():
    who = hauler()
    assert code(book(who, session("2026-10-06T07:31", 300), at=world.at("2026-10-06T07:30:59"))) == "booked B-1006-01"


OFFERED_NEVER = {
    "one gallon over the whole window": ("2026-10-06T07:00", 180, 1, 1),
    "faster than it has to be": ("2026-10-06T07:00", 60, 666, 600),
    "not on a whole minute": ("2026-10-06T07:00:30", 55, 655, 600),
}


@pytest.mark.parametrize("start, minutes, gph, gallons", OFFERED_NEVER.values(), ids=OFFERED_NEVER)
def test_what_the_offer_rule_does_not_give_is_not_booked_however_well_it_fits(start, minutes, gph, gallons):
    begins = world.at(start)
    odd = offers.Session(begins, begins + timedelta(minutes=minutes), gph, gallons)
    refused = book(hauler(), odd)
    assert (code(refused), refused.why.endswith("is not one of the times offered.")) == ("not_offered", True)
    assert db.session.scalars(select(Booking)).all() == []


def test_every_time_offered_is_booked():
    who = hauler()
    book(who, session("2026-10-06T07:30", 300))
    fits, _ = offers.offers(picture(TUESDAY).steps, 300, MORNING)
    assert len(fits) == 9
    for one in fits:
        booking = book(who, one)
        assert code(booking).startswith("booked")
        cancel_booking(world.plant(), booking.id, "", by=who.by, at=MORNING, law=world.law())
        db.session.commit()


@pytest.mark.parametrize("now", ["2026-10-06T07:21:30", "2026-10-06T07:22:59"])
def test_any_whole_minute_to_come_is_booked_and_one_that_has_begun_is_not(now):
    who = hauler()
    assert code(book(who, session("2026-10-06T07:23", 300), at=world.at("2026-10-06T07:23:00"))) == "past"
    assert code(book(who, session("2026-10-06T07:23", 300), at=world.at(now))) == "booked B-1006-01"


def test_every_minute_of_a_window_books_what_the_rule_gives_there_and_the_next_gallon_does_not():
    who = hauler()
    book(hauler("Second Pumping", number=2), session("2026-10-06T08:10", 300))
    steps = picture(TUESDAY).steps
    for minute in (1, 13, 44, 58, 69):
        start = world.at("2026-10-06T07:00") + timedelta(minutes=minute)
        most = max(n for n in range(1, 800) if isinstance(offers.session_at(steps, start, n), offers.Session))
        made = book(who, offers.session_at(steps, start, most))
        assert code(made) == f"booked {made.number}"
        cancel_booking(world.plant(), made.id, "", by=who.by, at=MORNING, law=world.law())
        db.session.commit()
        length = offers.minutes(most + 1, 666)
        more = offers.Session(start, start + timedelta(minutes=length), offers.lowest_rate(most + 1, length), most + 1)
        assert code(book(who, more)) == "taken"


def test_a_time_whose_neighbour_was_cancelled_says_how_it_runs_now():
    who = hauler()
    beside = book(who, session("2026-10-06T07:00", 300, minutes=55), at=world.at("2026-10-06T06:59:59"))
    assert code(beside) == "changed"
    assert beside.why == "From 7:00 a.m. this load runs until 7:28 a.m. now, at 643 gallons an hour."


@pytest.mark.parametrize(("winter", "start", "words"), [
    (1, "2026-11-16T07:00", "1 gallon left for the winter, of 1; this load needs 2."),
    (5_000, "2026-11-13T07:00", "1 gallon left for the rest of the year, of 1; this load needs 2."),
])  # fmt: skip
def test_two_gallons_with_one_left_name_the_part_of_the_season_and_what_is_left(winter, start, words):
    refused = book(hauler(winter=winter, rest=1), session(start, 2, minutes=1))
    assert (code(refused), refused.why) == ("allowance", f"Your approval A-2026-27-001 has {words}")


def test_the_last_gallon_of_the_allowance_books_and_a_booking_uses_it_up():
    who = hauler(rest=301)
    assert code(book(who, session("2026-10-06T07:00", 300))).startswith("booked")
    assert code(book(who, session("2026-10-07T07:00", 1, minutes=1))).startswith("booked")
    assert book(who, session("2026-10-08T07:00", 1, minutes=1)).details == {"left": 0}


def test_a_cancelled_booking_gives_its_allowance_back():
    who = hauler(rest=300)
    booking = book(who, session("2026-10-06T07:00", 300))
    cancel_booking(world.plant(), booking.id, "Truck is down", by=who.by, at=MORNING, law=world.law())
    db.session.commit()
    assert code(book(who, session("2026-10-07T07:00", 300))) == "booked B-1007-01"


def test_cancelling_twice_and_cancelling_anothers_are_refused():
    who, other = hauler(), hauler("Second Pumping", number=2)
    booking = book(who, session("2026-10-06T07:00", 300))
    law = world.law()
    assert cancel_booking(world.plant(), booking.id, "", by=other.by, at=MORNING, law=law).code == "not_yours"
    assert (
        cancel_booking(world.plant(), booking.id, "", by=world.staff("clerk"), at=MORNING, law=law).state == "cancelled"
    )
    assert cancel_booking(world.plant(), booking.id, "", by=who.by, at=MORNING, law=law).code == "already_ended"


def test_booking_for_another_hauler_is_refused_for_haulers_and_taken_for_staff():
    who, other = hauler(), hauler("Second Pumping", number=2)
    assert code(book(who, session("2026-10-06T07:00", 300), by=other.by)) == "not_yours"
    assert code(book(who, session("2026-10-06T07:00", 300), by=world.staff("clerk"))) == "booked B-1006-01"


@pytest.mark.parametrize(("gallons", "tank", "waste", "refusal"), [
    (901, 900, "septic_tank", "too_big"), (300, 900, "grease_interceptor", "not_septage"),
])  # fmt: skip
def test_more_than_the_tank_and_waste_that_is_no_septage_are_refused(gallons, tank, waste, refusal):
    assert code(book(hauler(tank=tank), session("2026-10-06T07:00", gallons), waste=waste)) == refusal


def test_parts_that_do_not_add_up_are_refused():
    who = hauler()
    part, more = [session("2026-10-06T07:00", 300)], {"by": who.by, "at": MORNING, "law": world.law()}
    answer = book_discharge(world.plant(), who.business_id, who.truck_id, "septic_tank", 400, part, **more)
    assert code(answer) == "not_whole"


def test_a_licence_that_ends_before_the_day_is_refused():
    from haulers.models import Licence

    who = hauler()
    db.session.scalars(select(Licence)).one().ends_on = date(2026, 10, 6)
    db.session.commit()
    assert code(book(who, session("2026-10-06T07:00", 300))) == "booked B-1006-01"
    assert code(book(who, session("2026-10-07T07:00", 300))) == "licence"


def test_a_day_after_the_approval_ends_is_refused():
    assert code(book(hauler(), session("2027-10-01T07:00", 300))) == "not_approved"


def test_nobody_without_approval_books():
    from haulers.models import Approval, Revocation
    from office.access import Role, system
    from office.acts import ACTS, act

    who = hauler()
    book(who, session("2026-10-06T07:00", 1_998))

    @act("test_revoke", roles=(Role.SYSTEM,))
    def revoke(*, by, at):
        db.session.add(Revocation(plant_id=world.plant().id, approval_id=who.approval_id, at=at, rule="§ 329-7 F",
                                  reason="Unloaded at night", by_name="Director", capacity="director"))  # fmt: skip
        return True

    ACTS.pop("test_revoke")
    revoke(by=system(), at=MORNING)
    db.session.commit()
    # A request that waited for the revocation has a clock that is behind it.
    assert code(book(who, session("2026-10-07T07:00", 300), at=MORNING - timedelta(seconds=1))) == "revoked"
    refused = book(who, session("2026-10-07T07:00", 300), at=MORNING + timedelta(minutes=1))
    assert (code(refused), refused.why) == ("revoked", "Approval A-2026-27-001 was revoked on October 5, 2026.")
    assert picture(TUESDAY, MORNING + timedelta(minutes=1)).room == 1_998
    assert (
        bookings.view(db.session.scalars(select(Booking)).one(), MORNING + timedelta(minutes=1)).state == "not_approved"
    )
    assert isinstance(db.session.scalars(select(Approval)).one(), Approval)


def test_without_a_receiving_point_the_booking_says_who_opens_one():
    from intake.models import Point

    who = hauler()
    db.session.delete(db.session.scalars(select(Point)).one())
    db.session.commit()
    refused = book(who, session("2026-10-06T07:00", 300))
    assert isinstance(refused, Refusal)
    assert (refused.code, refused.cite) == ("no_point", "§ 329-7 C(1)")
