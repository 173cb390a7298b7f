"""Moving a booking: old and new swap in one act, the number and the rest of a split stay, a refusal changes nothing."""

from datetime import timedelta

import pytest
from sqlalchemy import select

from intake.actions.booking import cancel_booking
from intake.actions.moving import move_booking
from intake.models import Booking, Hold, PlannedSession
from intake.queries import bookings
from intake.queries.checks import check_capacity
from office.db import db
from office.journal import JournalEntry
from office.notices import Notice
from office.verify import verify
from ordinances import offers
from ordinances.refusal import Refusal
from tests import world
from tests.intake.plant import MORNING, TUESDAY, WEDNESDAY, book, code, hauler, picture, session

pytestmark = pytest.mark.usefixtures("app")


def move(who, booking, *sessions, part=None, by=None, at=MORNING):
    """Move and commit what was moved."""
    made = move_booking(world.plant(), booking.id, sessions, part=part, by=by or who.by, at=at, law=world.law())
    if isinstance(made, Refusal):
        db.session.rollback()
    else:
        db.session.commit()
    return made


def times(booking):
    return [(one.day, f"{one.starts.astimezone(world.ZONE):%H:%M}", one.gallons)
            for one in bookings.sessions_of([booking.id])[booking.id]]  # fmt: skip


def split(who, gallons=2_000):
    frees = [(day, picture(day).steps) for day in (TUESDAY, WEDNESDAY)]
    return book(who, offers.split(frees, gallons, MORNING))


def told(kind):
    return db.session.scalars(select(Notice).where(Notice.kind == kind).order_by(Notice.id)).all()


def test_a_moved_booking_keeps_its_number_has_only_the_new_time_and_tells_both_once():
    who = hauler()
    booking = book(who, session("2026-10-06T07:00", 600))
    assert code(move(who, booking, session("2026-10-07T08:00", 600))) == "booked B-1006-01"
    assert times(booking) == [(WEDNESDAY, "08:00", 600)]
    assert (picture(TUESDAY).room, picture(WEDNESDAY).room) == (1_998, 1_397)
    notice = told("booking_moved")[0]
    assert notice.subject == "Moved: from Tue, Oct 6, 7:00 a.m. to Wed, Oct 7, 8:00 a.m. (B-1006-01)"
    assert notice.body.split("\n")[:7] == [
        "Booking B-1006-01 at Bayfield Wastewater Treatment Works is moved.", "", "It was:",
        "Tuesday, October 6, 2026, 7:00 to 7:55 a.m.: 600 gallons at 655 gallons an hour.", "", "It is now:",
        "Wednesday, October 7, 2026, 8:00 to 8:55 a.m.: 600 gallons at 655 gallons an hour.",
    ]  # fmt: skip
    assert (len(told("booking_moved")), verify()) == (1, [])


def test_the_journal_shows_the_old_and_the_new_time_and_why():
    who = hauler()
    booking = book(who, session("2026-10-06T07:00", 600))
    move(who, booking, session("2026-10-07T08:00", 600))
    entry = db.session.scalars(select(JournalEntry).where(
        JournalEntry.act == "move_booking", JournalEntry.table_name == "planned_session")).one()  # fmt: skip
    assert (entry.old["day"], entry.new["day"]) == ("2026-10-06", "2026-10-07")
    assert (entry.reason, entry.cite) == ("Moved from Tue, Oct 6, 7:00 a.m. to Wed, Oct 7, 8:00 a.m.", "§ 329-7 F(4)")
    moved = db.session.scalars(select(Booking)).one()
    assert (moved.moves, moved.moved_at, moved.law_version) == (1, MORNING, world.law().version)


def test_the_room_it_has_counts_as_free_for_the_move_and_the_allowance_too():
    who = hauler(rest=1_998)
    booking = book(who, session("2026-10-06T07:00", 1_998))
    assert code(book(who, session("2026-10-07T07:00", 1, minutes=1))) == "allowance"
    assert code(move(who, booking, session("2026-10-07T07:00", 1_998))) == "booked B-1006-01"
    late = session("2026-10-07T07:15", 1_000)
    assert move(who, booking, late).code == "not_whole"
    who2 = hauler("Second Pumping", number=2)
    small = book(who2, session("2026-10-06T08:00", 600))
    assert code(move(who2, small, session("2026-10-06T08:30", 600))) == "booked B-1006-02"


def test_a_new_time_that_is_gone_is_refused_in_true_words_and_the_old_one_stays():
    who, other = hauler(), hauler("Second Pumping", number=2)
    booking = book(who, session("2026-10-06T07:00", 600))
    book(other, session("2026-10-07T07:00", 1_998))
    refused = move(who, booking, session("2026-10-07T08:00", 600))
    assert (refused.code, refused.why) == ("taken", "That time was just taken.")
    assert (times(booking), told("booking_moved")) == ([(TUESDAY, "07:00", 600)], [])
    past = move(who, booking, session("2026-10-05T07:00", 600))
    assert (past.code, times(booking)) == ("past", [(TUESDAY, "07:00", 600)])


def test_one_part_of_a_split_moves_and_the_rest_stays():
    who = hauler()
    booking = split(who)
    moved = move(who, booking, session("2026-10-08T07:00", 2, minutes=1), part=WEDNESDAY)
    assert code(moved) == "booked B-1006-01"
    assert [one[::2] for one in times(booking)] == [(TUESDAY, 1_998), (TUESDAY + timedelta(days=2), 2)]
    assert "As before:\nTuesday, October 6, 2026, 7:00 to 10:00 a.m.: 1,998 gallons" in told("booking_moved")[0].body
    onto = move(who, booking, session("2026-10-06T07:00", 2, minutes=1), part=TUESDAY + timedelta(days=2))
    assert (onto.code, onto.why) == ("not_whole", "A load has one time on each day it needs. Choose again.")
    assert move(who, booking, session("2026-10-09T07:00", 2, minutes=1), part=WEDNESDAY).code == "no_part"
    assert check_capacity() == []


def test_a_split_moves_whole_and_a_booking_may_become_one_of_two_mornings():
    who = hauler()
    booking = split(who)
    frees = [(day, picture(day).steps) for day in (TUESDAY + timedelta(days=2), TUESDAY + timedelta(days=3))]
    assert code(move(who, booking, *offers.split(frees, 2_000, MORNING))) == "booked B-1006-01"
    assert [one[::2] for one in times(booking)] == [(TUESDAY + timedelta(days=2), 1_998),
                                                    (TUESDAY + timedelta(days=3), 2)]  # fmt: skip
    single = book(who, session("2026-10-06T07:00", 600))
    halves = (session("2026-10-06T07:00", 300), session("2026-10-07T07:00", 300))
    assert code(move(who, single, *halves)) == "booked B-1006-02"
    assert [one[::2] for one in times(single)] == [(TUESDAY, 300), (WEDNESDAY, 300)]
    assert code(move(who, single, session("2026-10-07T08:00", 600))) == "booked B-1006-02"
    assert times(single) == [(WEDNESDAY, "08:00", 600)]
    assert (check_capacity(), verify()) == ([], [])


def test_what_has_ended_is_past_is_anothers_or_has_that_time_is_not_moved():
    who, other = hauler(), hauler("Second Pumping", number=2)
    booking = book(who, session("2026-10-06T07:00", 600))
    same = session("2026-10-06T07:00", 600)
    assert move(who, booking, same).why == "Booking B-1006-01 has this time already."
    assert move(who, booking, session("2026-10-07T07:00", 600), by=other.by).code == "not_yours"
    after = world.at("2026-10-07T06:00")
    staff = world.staff("operator")
    assert move(who, booking, session("2026-10-07T07:00", 600), at=after, by=staff).why == (
        "The day of booking B-1006-01, Tuesday, October 6, 2026, is past.")  # fmt: skip
    cancel_booking(world.plant(), booking.id, "", by=who.by, at=MORNING, law=world.law())
    db.session.commit()
    assert move(who, booking, session("2026-10-07T07:00", 600)).code == "already_ended"


def test_a_held_booking_moved_to_a_time_after_the_restriction_is_held_no_more():
    from intake.actions.restriction import restrict_plant

    who = hauler()
    booking = book(who, session("2026-10-06T07:00", 600))
    restrict_plant(world.plant(), "maintenance_problem", by=world.staff("director"), at=MORNING, law=world.law())
    db.session.commit()
    later = MORNING + timedelta(hours=1)
    assert bookings.view(booking, later).state == "held"
    assert move(who, booking, session("2026-10-06T08:00", 600), at=later).code == "restricted"
    assert code(move(who, booking, session("2026-10-14T08:00", 600), at=later)) == "booked B-1006-01"
    assert bookings.view(booking, later).state == "booked"
    assert db.session.scalars(select(Hold)).one().outcome == "released"


def test_cancelling_one_part_of_a_split_leaves_the_rest_booked_for_the_gallons_left():
    who = hauler()
    booking = split(who)
    law = world.law()
    assert cancel_booking(world.plant(), booking.id, "", part=TUESDAY + timedelta(days=2), by=who.by, at=MORNING,
                          law=law).code == "no_part"  # fmt: skip
    done = cancel_booking(world.plant(), booking.id, "Half is gone", part=WEDNESDAY, by=who.by, at=MORNING, law=law)
    db.session.commit()
    assert (done.state, done.gallons, times(done)) == ("booked", 1_998, [(TUESDAY, "07:00", 1_998)])
    assert picture(WEDNESDAY).room == 1_998
    notice = told("booking_cancelled")[0]
    assert notice.subject == "Cancelled in part: Wed, Oct 7, 7:00 a.m. (B-1006-01)"
    assert "It stays booked for 1,998 gallons:\nTuesday, October 6, 2026, 7:00 to 10:00 a.m." in notice.body
    assert (db.session.scalars(select(PlannedSession.gallons)).all(), check_capacity(), verify()) == ([1_998], [], [])
    last = cancel_booking(world.plant(), booking.id, "", part=TUESDAY, by=who.by, at=MORNING, law=law)
    assert (last.state, last.gallons) == ("cancelled", 1_998)
