"""The closure calendar: every change asks which bookings and due times it meets, and tells their haulers after."""

from datetime import date, time, timedelta

import pytest
from sqlalchemy import select

from intake.actions.closures import change_closure, close_day, list_holidays, remove_closure
from intake.forms.closures import read_line
from intake.models import Hold, Load, PlannedSession, RoomOffer, Wait
from intake.queries import bookings
from intake.queries.calendar_met import effect_of
from office.db import db
from office.notices import Notice
from office.plants import ClosureDay, closure_days
from ordinances.reader import Closure
from ordinances.refusal import Refusal
from tests import world
from tests.intake.gatehouse import good, kept, log
from tests.intake.plant import MORNING, THURSDAY, TUESDAY, WEDNESDAY, book, code, hauler, picture, session, times_page

pytestmark = pytest.mark.usefixtures("app")
PUMP = "Pump replacement"


def done(act, *args, at=MORNING, who="manager", **more):
    """Do an act of the calendar and commit it."""
    row = act(world.plant(), *args, by=world.staff(who), at=at, law=world.law(at.date()), **more)
    if not isinstance(row, Refusal):
        db.session.commit()
    return row


def row_of(day: date) -> ClosureDay:
    return db.session.scalars(select(ClosureDay).filter_by(day=day)).one()


def told(kind: str) -> list[Notice]:
    return list(db.session.scalars(select(Notice).where(Notice.kind == kind).order_by(Notice.id)))


def states(who) -> dict[str, str]:
    found = bookings.of_business(world.plant().id, who.business_id, MORNING, ahead=False)
    return {one.booking.number: one.state for one in found}


def effect(changes, at=MORNING):
    return effect_of(world.plant(), world.law(at.date()), changes, at)


def test_closing_a_booked_day_lists_its_bookings_and_tells_each_hauler_once_with_times_that_fit():
    who, other = hauler(), hauler("Second Pumping", number=2)
    book(who, session("2026-10-06T07:00", 300))
    book(who, session("2026-10-06T09:00", 300))
    book(other, session("2026-10-06T08:00", 300))
    book(who, session("2026-10-07T07:00", 300))
    met = effect({TUESDAY: Closure(TUESDAY, PUMP, "closed")})
    assert [one.number for one in met.lost] == ["B-1006-01", "B-1006-02", "B-1006-03"]
    done(close_day, TUESDAY, PUMP, seen=met.key)
    assert states(who) == {
        "B-1006-01": "listed", "B-1006-02": "listed", "B-1007-01": "booked",
    }  # fmt: skip
    sent = told("time_lost")
    assert [(one.to_name, one.subject) for one in sent] == [
        ("Test Pumping", "2 bookings cannot be kept (B-1006-01, B-1006-02)"),
        ("Second Pumping", "Cannot be kept: Tue, Oct 6, 8:00 a.m. (B-1006-03)"),
    ]
    assert sent[1].body.splitlines() == [
        "The plant is closed on Tuesday, October 6, 2026: Pump replacement (§ 329-7 C(1)).",
        "",
        "Do not bring these loads then:",
        "B-1006-03, Tue, Oct 6, 8:00 a.m.: 300 gallons.",
        "Times that fit it now: Wed, Oct 7, 7:28 to 7:56 a.m.; 7:30 to 7:58 a.m.; 7:45 to 8:13 a.m.",
        f"Book here: {times_page(other, 300, WEDNESDAY)}",
        "",
        "Choose first: book one of these times now, or call 715-555-0100, weekdays 7 a.m. to 3 p.m.",
    ]
    assert code(book(who, session("2026-10-06T08:00", 300))) == "closed"


def test_what_is_lost_gives_its_gallons_back_and_is_never_expected_at_the_gate():
    who = hauler(rest=300)
    book(who, session("2026-10-06T07:00", 300))
    done(close_day, TUESDAY, PUMP)
    assert code(book(who, session("2026-10-07T07:00", 300), at=MORNING + timedelta(minutes=1))) == "booked B-1007-01"
    view = bookings.view(bookings.booking_numbered(world.plant().id, "B-1006-01"), MORNING)
    assert (view.words, view.next_words) == (
        "Time cannot be kept",
        "The plant is closed on Tuesday, October 6, 2026: Pump replacement (§ 329-7 C(1)). Do not bring this load: its "
        "time cannot be kept. Choose another time first, or the plant will call.",
    )  # fmt: skip
    hold = db.session.scalars(select(Hold)).one()
    assert (hold.outcome, hold.day, hold.restriction_id) == ("listed", TUESDAY, None)
    assert hold.why == "The plant is closed on Tuesday, October 6, 2026: Pump replacement (§ 329-7 C(1))."


def test_a_closed_part_takes_only_what_runs_in_it():
    who = hauler()
    book(who, session("2026-10-06T07:00", 300))
    book(who, session("2026-10-06T08:30", 300))
    done(close_day, TUESDAY, PUMP, shut=(time(8), time(9)))
    assert states(who) == {"B-1006-01": "booked", "B-1006-02": "listed"}
    body = told("time_lost")[0].body
    assert body.startswith(
        "The plant is closed on Tuesday, October 6, 2026 from 8:00 a.m. to 9:00 a.m.: Pump replacement (§ 329-7 C(1))."
    )
    assert picture(TUESDAY).room == 1_332 - 301


def test_a_booking_that_fits_no_more_already_is_listed_by_the_closure_all_the_same():
    who = hauler()
    book(who, session("2026-10-06T07:00", 300))
    # More than the limit, as beside a truck that runs over.
    db.session.scalars(select(PlannedSession)).one().gph = 667
    db.session.commit()
    met = effect({TUESDAY: Closure(TUESDAY, PUMP, "closed")})
    assert [one.why for one in met.lost] == [
        "The plant is closed on Tuesday, October 6, 2026: Pump replacement (§ 329-7 C(1))."
    ]
    done(close_day, TUESDAY, PUMP, seen=met.key)
    assert states(who) == {"B-1006-01": "listed"}
    assert [one.subject for one in told("time_lost")] == ["Cannot be kept: Tue, Oct 6, 7:00 a.m. (B-1006-01)"]


def test_a_load_over_two_mornings_is_listed_whole_when_one_of_them_closes():
    who = hauler()
    book(who, [session("2026-10-06T07:00", 1_000), session("2026-10-07T07:00", 1_000)])
    done(close_day, WEDNESDAY, PUMP)
    assert states(who) == {"B-1006-01": "listed"}
    assert picture(TUESDAY).room == 1_998


def test_a_closure_edit_asks_and_tells_as_making_one_does():
    who = hauler()
    book(who, session("2026-10-07T07:00", 300))
    row = done(close_day, TUESDAY, PUMP)
    asked = {TUESDAY: None, WEDNESDAY: Closure(WEDNESDAY, PUMP, "closed")}
    assert [one.number for one in effect(asked).lost] == ["B-1007-01"]
    stale = done(change_closure, row.id, WEDNESDAY, PUMP, "closed", seen="none")
    assert (stale.code, states(who)) == ("others", {"B-1007-01": "booked"})
    done(change_closure, row.id, WEDNESDAY, PUMP, "closed", seen=effect(asked).key)
    assert states(who) == {"B-1007-01": "listed"}
    assert [one.subject for one in told("time_lost")] == ["Cannot be kept: Wed, Oct 7, 7:00 a.m. (B-1007-01)"]
    assert [(one.day, one.name) for one in closure_days(world.plant().id, 2026)][:1] == [(WEDNESDAY, PUMP)]
    assert picture(TUESDAY).room == 1_998


def test_a_load_that_fits_nowhere_now_stands_in_line_as_early_as_it_was_booked_and_is_offered_what_opens():
    first, other = hauler(), hauler("Second Pumping", number=2)
    book(first, session("2026-10-07T07:00", 1_900))
    days = [TUESDAY + timedelta(days=n) for n in range(1, 22)]
    for day in (one for one in days if one.weekday() < 5 and one != WEDNESDAY):
        book(other, session(f"{day}T07:00", 1_900), at=MORNING + timedelta(minutes=1))
    good(kept(close_day(world.plant(), TUESDAY, PUMP, by=world.staff("manager"), at=MORNING, law=world.law())))
    row = done(close_day, WEDNESDAY, PUMP, at=MORNING + timedelta(minutes=2))
    line = db.session.scalars(select(Wait)).one()
    assert (line.business_id, line.gallons, line.asked_at, line.asked_by) == (
        first.business_id, 1_900, MORNING, "Booking B-1007-01",
    )  # fmt: skip
    assert told("time_lost")[0].body.splitlines()[4] == (
        "No time fits it now. It stands in line for room until October 19, 2026, as early as it was booked."
    )
    done(remove_closure, row.id, "The pump came early", at=MORNING + timedelta(minutes=3))
    offer = db.session.scalars(select(RoomOffer)).one()
    assert (offer.wait_id, offer.gallons, offer.starts) == (line.id, 1_900, world.at("2026-10-07T07:00"))


def test_a_lost_time_that_opens_again_is_told_and_not_booked_by_itself():
    who = hauler()
    book(who, session("2026-10-07T07:00", 300))
    row = done(close_day, WEDNESDAY, PUMP)
    assert done(remove_closure, row.id, "The pump came early") == WEDNESDAY
    assert states(who) == {"B-1007-01": "listed"}
    notice = told("open_again")[0]
    assert notice.subject == "Open again: Wed, Oct 7, 7:00 a.m. (B-1007-01)"
    assert notice.body.startswith(
        "Wed, Oct 7, 7:00 a.m.: the plant is open again. Booking B-1007-01 gave up that time and does not stand."
    )


def test_the_due_time_of_a_written_record_moves_with_the_calendar_and_back():
    load = good(log(hauler(), 300, "2026-10-06T08:00"))
    at, ident = world.at("2026-10-06T12:00"), load.id
    met = effect({WEDNESDAY: Closure(WEDNESDAY, PUMP, "closed")}, at)
    assert [(one.load.ticket, one.old, one.new) for one in met.dues] == [
        ("2026-00001", world.at("2026-10-07T23:59:59"), world.at("2026-10-08T23:59:59")),
    ]
    row = done(close_day, WEDNESDAY, PUMP, at=at)
    assert db.session.get_one(Load, ident).record_due == world.at("2026-10-08T23:59:59")
    notice = told("due_moved")[0]
    assert (notice.subject, notice.body) == (
        "Send your load record by the end of Thu, Oct 8",
        "The written record of load 2026-00001 is due by the end of Thursday, October 8, 2026 now, not of Wednesday, "
        "October 7, 2026 (§ 329-7 C(3)).",
    )
    done(remove_closure, row.id, "The pump came early", at=at)
    assert db.session.get_one(Load, ident).record_due == world.at("2026-10-07T23:59:59")
    assert len(told("due_moved")) == 2


def test_opening_a_holiday_moves_a_due_time_forward_and_tells_it():
    load = good(log(hauler(winter=5_000), 300, "2026-11-25T08:00"))
    at, ident = world.at("2026-11-25T12:00"), load.id
    assert load.record_due == world.at("2026-11-27T23:59:59")
    done(close_day, date(2026, 11, 26), "Operator on duty", "opened", at=at)
    assert db.session.get_one(Load, ident).record_due == world.at("2026-11-26T23:59:59")
    assert [one.subject for one in told("due_moved")] == ["Send your load record by the end of Thu, Nov 26"]
    assert picture(date(2026, 11, 26), at).whole == 1_998


def test_an_overdue_record_stays_overdue_whatever_the_calendar_becomes():
    good(log(hauler(), 300, "2026-10-06T08:00"))
    assert effect({THURSDAY: Closure(THURSDAY, PUMP, "closed")}, world.at("2026-10-08T06:00")).dues == ()


def test_a_holiday_on_a_sunday_closes_the_monday_only_where_the_city_lists_it():
    monday = date(2027, 7, 5)
    who = hauler()
    booked = book(who, session("2027-07-05T07:00", 300))
    assert code(booked) == "booked B-0705-01"
    done(list_holidays, {date(2027, 7, 4): "Independence Day"})
    assert states(who) == {"B-0705-01": "booked"}
    done(list_holidays, {date(2027, 7, 4): "Independence Day", monday: "Independence Day, kept Monday"})
    assert states(who) == {"B-0705-01": "listed"}
    refused = book(who, session("2027-07-05T07:30", 300))
    assert (refused.code, refused.why) == (
        "closed", "The plant is closed on Monday, July 5, 2027: Independence Day, kept Monday."
    )  # fmt: skip


def test_the_leap_day_is_closed_and_opened_like_any_other():
    day = date(2028, 2, 29)
    row = done(close_day, day, "Stocktaking")
    law = world.law()
    assert law.closures[day].name == "Stocktaking"
    assert picture(day).whole == 0
    assert done(remove_closure, row.id, "Not needed") == day
    assert picture(day).whole == 1_998


def test_a_part_closed_on_the_morning_the_clocks_change_keeps_wall_time():
    # Monday, November 2, 2026 is the first weekday after the change: 7 a.m. is 13:00 UTC then.
    day = date(2026, 11, 2)
    done(close_day, day, PUMP, shut=(time(7), time(8)))
    hours = picture(day).hours
    assert [one.astimezone(world.ZONE).hour for one in (hours.start, hours.end)] == [8, 10]
    assert hours.start.utctimetuple().tm_hour == 14
    assert code(book(hauler(winter=5_000), session("2026-11-02T08:00", 300))) == "booked B-1102-01"


def test_holidays_are_taken_all_or_none_and_a_second_list_adds_nothing():
    days = {date(2027, 5, 31): "Memorial Day", date(2027, 9, 6): "Labor Day"}
    assert done(list_holidays, days) == 2
    assert done(list_holidays, days | {date(2027, 9, 6): "Labor Day (city)"}) == 1
    assert done(list_holidays, days | {date(2027, 9, 6): "Labor Day (city)"}) == 0
    done(close_day, THURSDAY, PUMP)
    refused = done(list_holidays, {date(2027, 12, 31): "New Year's Eve", THURSDAY: "Founders' Day"})
    assert (refused.code, refused.why) == (
        "day_taken",
        "Thursday, October 8, 2026 is on the calendar already: Pump replacement. Change that day by itself",
    )
    names = [one.name for one in closure_days(world.plant().id, 2027)]
    assert names == ["New Year's Day", "Martin Luther King Jr. Day", "Memorial Day", "Labor Day (city)"]


@pytest.mark.parametrize(("day", "name", "kind", "shut", "refusal"), [
    (date(2026, 10, 4), PUMP, "closed", None, "past"), (TUESDAY, " ", "closed", None, "no_name"),
    (TUESDAY, PUMP, "closed", (time(9), time(8)), "wrong_part"),
    (TUESDAY, PUMP, "holiday", (time(8), time(9)), "wrong_part"),
])  # fmt: skip
def test_a_day_that_cannot_be_closed_so_is_refused(day, name, kind, shut, refusal):
    assert done(close_day, day, name, kind, shut).code == refusal
    assert [one.day.year for one in closure_days(world.plant().id, 2026)] == [2026, 2026]


def test_a_day_is_taken_off_with_a_reason_and_once():
    row = done(close_day, TUESDAY, PUMP)
    ident = row.id
    assert done(remove_closure, ident, " ").code == "no_reason"
    done(remove_closure, ident, "Not needed")
    assert done(remove_closure, ident, "Not needed").code == "no_closure"


THANKSGIVING = date(2026, 11, 26)


def kinds() -> list[tuple[date, str, str, str | None]]:
    return [(one.day, one.kind, one.name, one.over_holiday) for one in closure_days(world.plant().id, 2026)
            if one.day.month == 11]  # fmt: skip


def test_a_holiday_that_was_opened_is_closed_again_when_the_opening_is_taken_back():
    row = done(close_day, THANKSGIVING, "Operator on duty", "opened")
    assert kinds() == [(THANKSGIVING, "opened", "Operator on duty", "Thanksgiving Day")]
    # Opened, then closed for a part, then named otherwise: the holiday is not forgotten on the way.
    done(change_closure, row.id, THANKSGIVING, PUMP, "closed", (time(8), time(9)))
    done(close_day, THANKSGIVING, "Open after all", "opened")
    book(hauler(), session("2026-11-26T07:00", 300))
    done(remove_closure, row.id, "Nobody on duty")
    assert kinds() == [(THANKSGIVING, "holiday", "Thanksgiving Day", None)]
    assert picture(THANKSGIVING, MORNING).hours.why == "The plant is closed on Thursday, November 26, 2026: " \
                                                       "Thanksgiving Day."  # fmt: skip
    assert [one.subject for one in told("time_lost")] == ["Cannot be kept: Thu, Nov 26, 7:00 a.m. (B-1126-01)"]
    # Taken off itself, the holiday is gone: the calendar says what the city keeps.
    done(remove_closure, row.id, "Not a holiday of the city")
    assert kinds() == []


def test_an_opening_moved_to_another_day_leaves_the_holiday_where_it_was():
    row = done(close_day, THANKSGIVING, "Operator on duty", "opened")
    done(change_closure, row.id, date(2026, 11, 25), PUMP, "closed")
    assert kinds() == [(date(2026, 11, 25), "closed", PUMP, None),
                       (THANKSGIVING, "holiday", "Thanksgiving Day", None)]  # fmt: skip
    # A holiday that is moved goes as it is and stands over nothing.
    done(change_closure, row_of(THANKSGIVING).id, date(2026, 11, 27), "The day after", "closed")
    assert [one[:2] for one in kinds()] == [(date(2026, 11, 25), "closed"), (date(2026, 11, 27), "closed")]
    assert kinds()[1][3] is None


@pytest.mark.parametrize(("day", "why"), [
    (date(2026, 10, 10), "Saturday, October 10, 2026 cannot be opened: unloading is Monday to Friday only (§ 329-7 "
                         "F(4))"),
    (date(2026, 11, 1), "Sunday, November 1, 2026 cannot be opened: unloading is Monday to Friday only (§ 329-7 F(4))"),
])  # fmt: skip
def test_a_day_the_hours_of_the_law_leave_out_cannot_be_opened(day, why):
    refused = done(close_day, day, "Extra day", "opened")
    assert (refused.code, refused.why, refused.cite) == ("not_open", why, "§ 329-7 F(4)")
    row = done(close_day, THANKSGIVING, "Operator on duty", "opened")
    assert done(change_closure, row.id, day, "Extra day", "opened").code == "not_open"
    assert row_of(THANKSGIVING).kind == "opened"


def test_an_edit_that_changes_nothing_says_so():
    row = done(close_day, TUESDAY, PUMP, shut=(time(8), time(9)))
    same = done(change_closure, row.id, TUESDAY, PUMP, "closed", (time(8), time(9)))
    assert (same.code, same.why) == ("unchanged", "The calendar says just this already: nothing was changed")
    assert done(close_day, TUESDAY, f" {PUMP} ", shut=(time(8), time(9))).code == "unchanged"
    assert done(close_day, TUESDAY, PUMP).kind == "closed"


@pytest.mark.parametrize(("line", "read"), [
    ("November 26, 2026 Thanksgiving Day", (date(2026, 11, 26), "Thanksgiving Day")),
    ("Nov. 26 2026: Thanksgiving Day", (date(2026, 11, 26), "Thanksgiving Day")),
    ("11/26/2026, Thanksgiving Day", (date(2026, 11, 26), "Thanksgiving Day")),
    ("2028-02-29 Leap day", (date(2028, 2, 29), "Leap day")), ("2027-02-29 Leap day", None),
    ("November 26 Thanksgiving Day", None), ("Thanksgiving Day", None), ("11/26/2026", None),
])  # fmt: skip
def test_a_line_of_holidays_is_a_date_with_its_year_and_a_name(line, read):
    assert read_line(line) == read
