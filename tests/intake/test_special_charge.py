"""A special time at the plant: gate, load, charge, public hours, restriction, verify (§ 329-7 F(4))."""

from dataclasses import replace
from datetime import time

import pytest
from sqlalchemy import select

from billing.models import Entry
from billing.queries import entries_of, reversal_of
from haulers.actions import revoke_approval
from intake.actions.booking import cancel_booking
from intake.actions.flow import put_flow_in_force
from intake.actions.moving import move_booking
from intake.actions.restriction import lift_restriction, restrict_plant
from intake.actions.special_charge import record_supervision
from intake.actions.station import void_load
from intake.actions.stop import stop_load
from intake.models import Booking, Hold, PlannedSession
from intake.queries import bookings, capacity, special
from intake.queries.checks import check_capacity
from intake.queries.gate import booking_today, may_discharge
from intake.queries.public import plant_status
from intake.queries.special_quote import work_out
from office import verify
from office.db import db
from office.letters import Letter
from ordinances.reader import Law, profile_from_canonical
from tests import world
from tests.house.law_copies import canonical, with_values
from tests.intake.gatehouse import balance, good, log
from tests.intake.plant import MORNING, TUESDAY, book, code, hauler, picture, session
from tests.intake.specials import arranged, ask, kept, said, wage, working_hours

pytestmark = pytest.mark.usefixtures("app")
OPERATOR = "operator"


def gate(who, at, booking=None):
    when = world.at(at)
    return may_discharge(world.plant(), world.law(when.date()), when, business_id=who.business_id,
                         truck_id=who.truck_id, waste="septic_tank", booking=booking)  # fmt: skip


def charges(load):
    """The charges of a load that stand."""
    return [(one.code, one.what, str(one.quantity), one.amount_cents) for one in entries_of("load", load.id)
            if reversal_of(one.id) is None]  # fmt: skip


def remarks(load):
    """What the newest ticket of a load says."""
    return db.session.get_one(Letter, load.letter_id).data["remarks"]


@pytest.mark.parametrize("at, code, words", [
    ("2026-10-06T13:59:59", "outside_hours", "Do not accept now: unloading is 7:00 to 10:00 a.m. It is 1:59 p.m."),
    ("2026-10-06T14:00:00", "may_unload", "May unload under booking B-1006-01: 1,500 gallons."),
    ("2026-10-06T16:29:59", "may_unload", "May unload under booking B-1006-01: 1,500 gallons."),
    ("2026-10-06T16:30:00", "outside_hours", "Do not accept now: unloading is 7:00 to 10:00 a.m. It is 4:30 p.m."),
    ("2026-10-07T14:00:00", "outside_hours", "Do not accept now: unloading is 7:00 to 10:00 a.m. It is 2:00 p.m."),
])  # fmt: skip
def test_gate_lets_the_truck_in_at_its_time_and_at_no_other(at, code, words):
    working_hours()
    who = hauler()
    arranged(who)
    answer = gate(who, at)
    assert (answer.code, answer.sentence) == (code, words)


def test_gate_lets_nobody_else_in_at_that_time():
    working_hours()
    who, other = hauler(), hauler("Second Pumping", number=2)
    arranged(who)
    assert gate(other, "2026-10-06T14:00").code == "outside_hours"
    assert gate(who, "2026-10-06T14:00").ok


@pytest.mark.parametrize(("at", "step"), [
    ("08:00", "Log the truck as not booked: it may unload if it fits."),
    ("13:59:59", "Let the truck wait: it may begin 2:00 p.m."),
    ("16:30", "Its time is over: the hauler books in the unloading hours, or asks for another special time."),
])  # fmt: skip
def test_a_truck_that_comes_at_another_time_than_arranged_is_told_what_to_do(at, step):
    working_hours()
    who = hauler()
    row = arranged(who)
    answer = gate(who, f"2026-10-06T{at}", db.session.get_one(Booking, row.booking_id))
    assert (answer.code, answer.next_step) == ("booking_other_time", step)


def test_truck_that_comes_in_the_hours_is_not_given_its_special_time():
    working_hours()
    who = hauler()
    row = arranged(who)
    assert booking_today(world.plant().id, world.at("2026-10-06T07:00"), TUESDAY, who.business_id, who.truck_id) is None
    answer = gate(who, "2026-10-06T08:00", db.session.get_one(Booking, row.booking_id))
    assert (answer.code, answer.sentence, answer.cite) == (
        "booking_other_time", "Special time S-1006-01 is Tue, Oct 6, 2:00 to 4:30 p.m. It is 8:00 a.m.",
        "§ 329-7 F(4)")  # fmt: skip
    load = good(log(who, 300, at="2026-10-06T08:00"))
    assert (load.booking_id, [line[0] for line in charges(load)]) == (None, ["volume", "test"])


def test_load_of_a_special_time_is_charged_as_quoted_to_the_cent():
    working_hours()
    who = hauler()
    row = arranged(who)
    load = good(log(who, at="2026-10-06T14:00"))
    assert load.booking_id == row.booking_id
    assert charges(load) == [
        ("volume", "Septage unloaded", "1500", 3600),
        ("test", "Testing for BOD5 and TSS", "1", 1216),
        ("special_wage", "Supervision at another time of the day, 2 hours 16 minutes", "2.50", 7500),
        ("special_test", "Testing at another time of the day", "1", 500),
    ]
    assert balance(who) == 12816
    cites = dict(db.session.execute(select(Entry.code, Entry.cite).where(Entry.source_id == load.id)).all())
    assert (cites["special_wage"], cites["special_test"]) == ("§ 329-7 F(4)", "§ 329-7 F(4)")
    reading = db.session.scalars(select(Entry.reading).where(Entry.code == "special_wage")).one()
    assert reading.startswith("Hours are the actual ones outside the unloading hours")
    assert remarks(load)[-1] == "Special time S-1006-01: charged as quoted, $128.16 for 2 hours 16 minutes."
    assert special.view(row, world.at("2026-10-06T17:00")).words == "Unloaded and charged"
    assert verify.verify() == []


def test_wage_of_the_quote_counts_whatever_is_entered_later():
    working_hours()
    who = hauler()
    arranged(who)
    wage("99.00", TUESDAY)
    good(log(who, at="2026-10-06T14:00"))
    assert balance(who) == 12816


def test_fewer_gallons_take_less_time_and_the_ticket_shows_the_quote_and_what_it_came_to():
    working_hours()
    who = hauler()
    arranged(who)
    load = good(log(who, 1_000, at="2026-10-06T14:00"))
    # 1,000 gallons at 662 gallons an hour take 91 minutes: 1.75 hours.
    assert charges(load)[2] == (
        "special_wage",
        "Supervision at another time of the day, 1 hour 31 minutes",
        "1.75",
        5250,
    )
    assert balance(who) == 2400 + 1216 + 5250 + 500
    assert remarks(load)[-1] == (
        "Special time S-1006-01: quoted $128.16 for 2 hours 16 minutes; it came to $93.66 for 1 hour 31 minutes."
    )


def test_late_truck_runs_later_within_the_normal_working_hours_or_brings_less():
    working_hours()
    who = hauler()
    arranged(who)
    refused = log(who, at="2026-10-06T14:15")
    assert said(refused)[:2] == (
        "no_room", "1,500 gallons do not fit under the limit by 4:30 p.m. today. 1,498 would.")  # fmt: skip
    load = good(log(who, 1_498, at="2026-10-06T14:15"))
    assert load.discharged_at == world.at("2026-10-06T16:30")


def test_time_over_the_start_of_the_hours_is_charged_only_outside_them():
    working_hours()
    who = hauler()
    arranged(who, 499, time(6, 30))
    load = good(log(who, 499, at="2026-10-06T06:30"))
    assert charges(load)[2] == ("special_wage", "Supervision at another time of the day, 30 minutes", "1", 3000)


def test_supervision_that_took_longer_is_charged_anew_and_said_on_a_corrected_ticket():
    working_hours()
    who = hauler()
    row = arranged(who)
    load = good(log(who, at="2026-10-06T14:00"))
    given = {"by": world.staff(OPERATOR), "at": world.at("2026-10-06T17:00"), "law": world.law()}
    first, last = world.at("2026-10-06T13:45"), world.at("2026-10-06T16:46")
    done = kept(record_supervision(world.plant(), row.number, first, last, **given))
    assert (done.supervised_from, done.supervised_to, done.supervised_by) == (first, last, "Operator of the City")
    assert charges(load)[2:] == [
        ("special_test", "Testing at another time of the day", "1", 500),
        ("special_wage", "Supervision at another time of the day, 3 hours 1 minute", "3.25", 9750),
    ]
    assert balance(who) == 12816 + 2250
    assert remarks(load)[-1] == (
        "Special time S-1006-01: quoted $128.16 for 2 hours 16 minutes; it came to $150.66 for 3 hours 1 minute."
    )
    letter = db.session.get_one(Letter, load.letter_id)
    assert (letter.number, letter.title) == ("2026-00001-2", "Corrected ticket")
    kept(record_supervision(world.plant(), row.number, first, last, **given))
    assert balance(who) == 12816 + 2250
    assert verify.verify() == []


@pytest.mark.parametrize("first, last", [
    ("2026-10-06T16:00", "2026-10-06T16:00"), ("2026-10-06T16:00", "2026-10-06T17:01"),
    ("2026-10-05T16:00", "2026-10-06T16:00"),
])  # fmt: skip
def test_supervision_must_lie_on_the_day_and_be_over(first, last):
    working_hours()
    who = hauler()
    row = arranged(who)
    given = {"by": world.staff(OPERATOR), "at": world.at("2026-10-06T17:00"), "law": world.law()}
    span = (world.at(first), world.at(last))
    assert said(kept(record_supervision(world.plant(), row.number, *span, **given)))[0] == "not_unloaded"
    good(log(who, at="2026-10-06T14:00"))
    assert said(kept(record_supervision(world.plant(), row.number, *span, **given))) == (
        "wrong_span", "The supervision must lie on Tuesday, October 6, 2026, end after it begins, and be over.",
        "§ 329-7 F(4)")  # fmt: skip
    assert balance(who) == 12816


@pytest.mark.parametrize(("first", "last", "taken"), [
    ("08:00", "09:00", False), ("13:00", "14:00", False), ("13:00", "14:01", True), ("16:15", "16:30", True),
    ("16:16", "16:30", False),
])  # fmt: skip
def test_supervision_beside_the_time_in_which_the_load_ran_is_a_slip(first, last, taken):
    working_hours()
    who = hauler()
    row = arranged(who)
    good(log(who, at="2026-10-06T14:00"))
    given = {"by": world.staff(OPERATOR), "at": world.at("2026-10-06T17:00"), "law": world.law()}
    span = (world.at(f"2026-10-06T{one}") for one in (first, last))
    done = kept(record_supervision(world.plant(), row.number, *span, **given))
    why = "The supervision must meet the time in which it ran, 2:00 to 4:16 p.m."
    assert getattr(done, "why", None) == (None if taken else why)


def test_truck_stopped_early_is_charged_for_the_time_until_the_stop():
    working_hours()
    who = hauler()
    arranged(who)
    load = good(log(who, at="2026-10-06T14:00"))
    at = world.at("2026-10-06T15:10")
    kept(stop_load(load, 700, "Hose burst", by=world.staff(OPERATOR), at=at, law=world.law()))
    assert [(line[0], line[2], line[3]) for line in sorted(charges(load))] == [
        ("special_test", "1", 500), ("special_wage", "1.25", 3750), ("test", "1", 1216), ("volume", "700", 1680),
    ]  # fmt: skip
    assert balance(who) == 1680 + 1216 + 3750 + 500


def test_truck_stopped_before_anything_came_out_is_charged_for_the_supervision_and_its_test():
    working_hours()
    who = hauler()
    arranged(who)
    load = good(log(who, at="2026-10-06T14:00"))
    at = world.at("2026-10-06T14:20")
    kept(stop_load(load, 0, "Pump broken", by=world.staff(OPERATOR), at=at, law=world.law()))
    assert [(line[0], line[2], line[3]) for line in sorted(charges(load))] == [
        ("special_test", "1", 500), ("special_wage", "1", 3000), ("test", "1", 1216)]  # fmt: skip


def test_void_load_charges_nothing_and_its_time_is_free_again():
    working_hours()
    who = hauler()
    arranged(who)
    load = good(log(who, at="2026-10-06T14:00"))
    kept(void_load(load, "Wrong truck", by=world.staff(OPERATOR), at=world.at("2026-10-06T14:05"), law=world.law()))
    assert balance(who) == 0
    assert verify.verify() == []


def test_public_hours_and_what_is_free_in_them_stay_as_they_are():
    working_hours()
    who = hauler()
    before = plant_status(world.plant(), world.law(), world.at("2026-10-06T08:00"))
    arranged(who)
    after = plant_status(world.plant(), world.law(), world.at("2026-10-06T08:00"))
    assert (after.state, after.headline, after.gallons_left) == (before.state, before.headline, before.gallons_left)
    closed = plant_status(world.plant(), world.law(), world.at("2026-10-06T14:30"))
    assert (closed.state, closed.headline) == ("opens_later", "Opens Wednesday, October 7, at 7:00 a.m.")
    assert (picture().room, picture().largest) == (1_998, 1_998)


def test_only_its_own_picture_has_the_span_of_a_special_time():
    working_hours()
    row = arranged(hauler())
    own = capacity.day_picture(world.plant(), world.law(), TUESDAY, MORNING, except_booking=row.booking_id)
    assert (own.hours.start, own.hours.end) == (world.at("2026-10-06T14:00"), world.at("2026-10-06T16:30"))
    assert own.hours.cite == "§ 329-7 F(4)"
    assert (picture().hours.start, picture().hours.end) == (
        world.at("2026-10-06T07:00"), world.at("2026-10-06T10:00"))  # fmt: skip


def test_restriction_holds_a_special_time_and_lifting_releases_it():
    working_hours()
    who = hauler()
    row = arranged(who)
    given = {"by": world.staff("director"), "law": world.law()}
    made = kept(restrict_plant(world.plant(), "permit_threat", at=world.at("2026-10-06T08:00"), **given))
    hold = db.session.scalars(select(Hold)).one()
    assert hold.booking_id == row.booking_id
    assert special.view(row, world.at("2026-10-06T09:00")).words == "Held by restriction"
    assert gate(who, "2026-10-06T14:00").code == "restricted"
    assert said(ask(hauler("Second Pumping", number=2), at=world.at("2026-10-06T09:00")))[0] == "restricted"
    kept(lift_restriction(world.plant(), made.id, "Cleaned", at=world.at("2026-10-06T12:00"), **given))
    assert db.session.scalars(select(Hold.outcome)).one() == "released"
    assert gate(who, "2026-10-06T14:00").ok


def test_lower_limit_holds_only_the_special_time_that_no_longer_fits():
    working_hours()
    who, other = hauler(), hauler("Second Pumping", number=2)
    fast, slow = arranged(who), arranged(other, 100, time(12, 0))
    given = {"by": world.staff("director"), "law": world.law()}
    kept(
        restrict_plant(world.plant(), "permit_threat", scope="rate", gph=610, at=world.at("2026-10-06T08:00"), **given)
    )
    assert db.session.scalars(select(Hold.booking_id)).all() == [fast.booking_id]
    assert slow.booking_id != fast.booking_id


def test_lower_flow_takes_the_special_time_that_no_longer_fits_and_leaves_one_that_does():
    working_hours()
    who, other = hauler(), hauler("Second Pumping", number=2)
    fast, slow = arranged(who), arranged(other, 100, time(12, 0))
    kept(put_flow_in_force(world.plant(), 150_000, TUESDAY, "Order 9", by=world.staff("director"), at=MORNING,
                           law=world.law()))  # fmt: skip
    assert [special.view(one, MORNING).state for one in (fast, slow)] == ["listed", "booked"]
    assert (gate(who, "2026-10-06T14:00").code, gate(other, "2026-10-06T12:00").code) == ("outside_hours", "may_unload")


def test_cancelled_special_time_gives_its_room_back_and_is_not_moved():
    working_hours()
    who = hauler()
    row = arranged(who)
    given = {"by": who.by, "at": MORNING, "law": world.law()}
    moved = kept(move_booking(world.plant(), row.booking_id, [session("2026-10-07T07:00", 1_500)], **given))
    assert said(moved) == (
        "special_time", "Booking B-1006-01 is a special time, arranged in writing for its own.", "§ 329-7 F(4)",
    )  # fmt: skip
    kept(cancel_booking(world.plant(), row.booking_id, "Not needed", **given))
    assert special.view(row, MORNING).words == "Cancelled"
    assert ask(hauler("Second Pumping", number=2)).state == "accepted"


def test_verify_takes_a_special_time_for_what_was_arranged_and_no_more():
    working_hours()
    row = arranged(hauler())
    assert check_capacity() == []
    planned = db.session.scalars(select(PlannedSession).filter_by(booking_id=row.booking_id)).one()
    planned.starts = world.at("2026-10-06T13:59")
    db.session.flush()
    assert check_capacity() == [f"planned_session {planned.id}: outside the hours of 2026-10-06."]
    db.session.rollback()


def test_verify_counts_a_special_time_against_the_limit():
    working_hours()
    who, other = hauler(), hauler("Second Pumping", number=2)
    arranged(who)
    assert code(book(other, session("2026-10-06T07:00", 600))) == "booked B-1006-02"
    planned = db.session.scalars(select(PlannedSession).order_by(PlannedSession.id)).first()
    planned.gph = 667
    db.session.flush()
    assert check_capacity() == [
        f"planned_session {planned.id}: 667 gallons an hour at 2026-10-06 14:00, the limit is 666."]  # fmt: skip
    db.session.rollback()


def test_weekend_is_arranged_where_the_law_has_the_flag():
    rows = canonical()["rows"]
    index = next(i for i, row in enumerate(rows) if row["key"] == "fees.special_weekends")
    text, why = with_values({index: True})
    assert why == ""
    law = replace(Law(profile_from_canonical(text)), plant_rows=world.law().plant_rows)
    hauler()
    worked = work_out(world.plant(), law, MORNING, world.date(2026, 10, 10), time(9, 0), 600, "septic_tank")
    assert (worked.session.start, worked.minutes, worked.cents) == (
        world.at("2026-10-10T09:00"),
        55,
        1440 + 1216 + 3500,
    )


def test_approval_that_is_revoked_ends_the_special_time_at_the_gate():
    working_hours()
    who = hauler()
    row = arranged(who)
    kept(revoke_approval(world.plant(), who.approval_id, "§ 329-7 F(4)", "Unloaded at night.",
                         by=world.staff("director"), at=world.at("2026-10-06T08:00"), law=world.law()))  # fmt: skip
    assert gate(who, "2026-10-06T14:00").code == "revoked"
    assert (
        bookings.view(db.session.get_one(Booking, row.booking_id), world.at("2026-10-06T09:00")).state == "not_approved"
    )
