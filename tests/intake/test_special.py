"""Special times: asked, quoted, accepted, arranged in writing; each refusal in its words (§ 329-7 F(4))."""

from datetime import date, time

import pytest
from sqlalchemy import select

from haulers.queries import business
from intake.actions.no_show import record_no_show, undo_no_show
from intake.actions.special import arrange_special, decline_special, quote_special, withdraw_special
from intake.actions.special_terms import set_special_terms
from intake.models import Booking, PlannedSession, SpecialTime
from intake.queries import special
from intake.queries.checks import check_capacity
from intake.queries.special_quote import _no_such_time, work_out
from office.access import Actor, Role, system
from office.acts import act
from office.db import db
from office.letters import Letter, render
from office.notices import Notice
from office.plants import PlantRow, set_closure, set_plant_row
from office.verify import verify
from tests import world
from tests.intake.plant import MORNING, TUESDAY, WEDNESDAY, book, code, hauler, queries, session
from tests.intake.specials import accept, arrange, arranged, ask, kept, said, wage, working_hours

pytestmark = pytest.mark.usefixtures("app")

LINES = [
    ("Septage unloaded", "1500", "gallons", "0.024", "36.00", "§ 329-7 F(2); § 329-2 B(2)(d)"),
    ("Testing for BOD5 and TSS", "1", "load", "12.16", "12.16", "§ 329-2 B(2)(d); § 329-7 F(1)"),
    ("Supervision at another time of the day, 2 hours 16 minutes", "2.50", "hours", "30.00", "75.00", "§ 329-7 F(4)"),
    ("Testing at another time of the day", "1", "test", "5.00", "5.00", "§ 329-7 F(4)"),
]


def notices(kind):
    return [(one.to_email, one.subject) for one in db.session.scalars(
        select(Notice).where(Notice.kind == kind).order_by(Notice.id))]  # fmt: skip


def test_request_quotes_the_load_line_by_line_and_waits_for_the_director():
    working_hours()
    who = hauler()
    row = ask(who)
    assert (row.number, row.state, row.quote_cents, row.minutes, row.gph) == ("S-1006-01", "accepted", 12816, 136, 662)
    assert (row.starts, row.ends) == (world.at("2026-10-06T14:00"), world.at("2026-10-06T16:16"))
    assert [(one["what"], one["quantity"], one["unit"], one["unit_price"], one["amount"], one["cite"])
            for one in row.quote] == LINES  # fmt: skip
    assert row.accepted_by == "Test Pumping Owner"
    assert db.session.scalars(select(Booking)).all() == []
    assert notices("special_asked") == [
        ("test.pumping@hauler.example", "Asked: special time Tue, Oct 6, 2:00 to 4:16 p.m., 1,500 gallons (S-1006-01)"),
        ("director@city.example", "Asked: special time Tue, Oct 6, 2:00 to 4:16 p.m., 1,500 gallons (S-1006-01)"),
    ]


def test_approval_books_the_time_writes_the_letter_and_calls_somebody_to_be_there():
    working_hours()
    row = arrange(ask(hauler()))
    assert (row.state, row.decided_by, row.until) == (
        "arranged", "Director of the City", world.at("2026-10-06T16:30"))  # fmt: skip
    booking = db.session.scalars(select(Booking)).one()
    planned = db.session.scalars(select(PlannedSession)).one()
    assert (booking.id, booking.number, booking.gallons, booking.state) == (
        row.booking_id,
        "B-1006-01",
        1_500,
        "booked",
    )
    assert (planned.starts, planned.ends, planned.gph) == (row.starts, row.ends, 662)
    letter = db.session.get_one(Letter, row.letter_id)
    assert (letter.kind, letter.title, letter.number) == ("special_time", "Special time S-1006-01", "2026-00001")
    assert (letter.data["total"], letter.data["cite"], letter.data["signature"]) == (
        "$128.16", "§ 329-7 F(4)", ["Director of the City", "Public Works Director"])  # fmt: skip
    assert letter.data["charges"][2] == {
        "what": LINES[2][0], "quantity": "2.5 hours", "each": "$30.00", "amount": "$75.00", "cite": "§ 329-7 F(4)",
    }  # fmt: skip
    assert render("special_time", letter.data)[:5] == b"%PDF-"
    assert notices("special_arranged") == [
        ("test.pumping@hauler.example",
         "Approved: special time Tue, Oct 6, 2:00 to 4:16 p.m., 1,500 gallons (S-1006-01)"),
        ("operator@city.example", "Be there: special time Tue, Oct 6, 2:00 to 4:16 p.m., 1,500 gallons (S-1006-01)"),
        ("manager@city.example", "Be there: special time Tue, Oct 6, 2:00 to 4:16 p.m., 1,500 gallons (S-1006-01)"),
    ]  # fmt: skip
    assert special.view(row, MORNING).words == "Approved and booked"


def test_nothing_is_approved_before_the_hauler_has_accepted_the_charge():
    working_hours()
    who = hauler()
    row = ask(who, accepts=None)
    assert (row.state, special.view(row, MORNING).words) == ("asked", "Quoted: waits for the hauler")
    assert said(arrange(row)) == (
        "not_accepted_yet", "The hauler has not accepted the charge of request S-1006-01 yet.", "§ 329-7 F(4)",
    )  # fmt: skip
    assert said(accept(who, row, 12815)) == (
        "quote_changed", "The quote of request S-1006-01 has changed: it is $128.16 now.", "§ 329-7 F(4)")  # fmt: skip
    assert accept(who, row, 12816).state == "accepted"
    assert notices("special_accepted") == [
        ("director@city.example",
         "Charge accepted: special time Tue, Oct 6, 2:00 to 4:16 p.m., 1,500 gallons (S-1006-01)"),
    ]  # fmt: skip
    assert arrange(row).state == "arranged"


def test_without_a_wage_the_request_waits_for_the_quote_and_the_quote_for_the_wage():
    working_hours(since=date(2025, 12, 1))
    # The wage of the tests is in force from January 1, 2026: a day before has none.
    early, day = world.at("2025-12-08T09:00"), date(2025, 12, 9)
    worked = work_out(world.plant(), world.law(day), early, day, time(14), 1_500, "septic_tank")
    assert (worked.lines, worked.cents, worked.wage) == ((), None, None)
    assert said(worked.quote)[:2] == ("wage_not_set", "No hourly wage is set for unloading at other times.")


def test_request_without_a_quote_is_quoted_once_the_wage_is_entered():
    working_hours()
    who = hauler()
    row = ask(who)
    _without_quote(row, by=system(), at=MORNING)
    db.session.commit()
    assert special.view(row, MORNING).words == "A quote follows"
    assert said(accept(who, row, 12816))[0] == "not_quoted"
    done = kept(quote_special(world.plant(), row.number, by=world.staff("director"), at=MORNING, law=world.law()))
    assert (done.state, done.quote_cents, special.view(done, MORNING).state) == ("asked", 12816, "quoted")
    assert notices("special_quoted")[0][1].startswith("Quote: special time Tue, Oct 6, 2:00 to 4:16 p.m.")
    assert accept(who, row, 12816).state == "accepted"


@act("test_no_quote", roles=(Role.SYSTEM,))
def _without_quote(row, *, by, at):
    """As a request stands that came before any wage was entered."""
    row.state, row.quote, row.quote_cents, row.wage = "asked", [], None, None
    row.accepted_at = row.accepted_by = row.quoted_at = None
    return row


def test_a_new_wage_before_the_approval_asks_for_a_new_acceptance():
    working_hours()
    who = hauler()
    row = ask(who)
    wage("34.00", TUESDAY)
    refused = arrange(row)
    assert said(refused) == (
        "quote_changed", "This is not what the hauler was shown: now it would run 2:00 to 4:16 p.m. at 662 gallons an "
        "hour and cost $138.16.", "§ 329-7 F(4)")  # fmt: skip
    assert refused.next_step == "The hauler has to accept the new quote first."
    kept(quote_special(world.plant(), row.number, by=world.staff("director"), at=MORNING, law=world.law()))
    assert said(arrange(row))[0] == "not_accepted_yet"
    accept(who, row, 13816)
    assert arrange(row).quote_cents == 13816


def test_approval_waits_until_the_normal_working_hours_are_entered():
    row = ask(hauler())
    assert row.state == "accepted"
    refused = arrange(row)
    assert said(refused) == (
        "work_not_set", "The normal working hours at the plant are not entered for Tuesday, October 6, 2026.",
        "§ 329-7 C(2)")  # fmt: skip
    assert refused.next_step == "The Public Works Director enters them."
    working_hours()
    assert arrange(row).state == "arranged"


REFUSED = {
    "inside the hours": (time(7, 30), 600, TUESDAY, "inside_hours",
                         "7:30 a.m. to 8:25 a.m. is inside the unloading hours, 7:00 a.m. to 10:00 a.m.: book it.",
                         "§ 329-7 F(4)"),
    "to the last minute inside the hours": (time(9, 0), 666, TUESDAY, "inside_hours",
                                            "9:00 a.m. to 10:00 a.m. is inside the unloading hours, "
                                            "7:00 a.m. to 10:00 a.m.: book it.", "§ 329-7 F(4)"),
    "before anybody works": (time(5, 59), 300, TUESDAY, "outside_work",
                             "5:59 a.m. is outside the normal working hours, 6:00 a.m. to 4:30 p.m.", "§ 329-7 C(2)"),
    "after everybody has gone": (time(16, 30), 300, TUESDAY, "outside_work",
                                 "4:30 p.m. is outside the normal working hours, 6:00 a.m. to 4:30 p.m.",
                                 "§ 329-7 C(2)"),
    "longer than they work": (time(15, 0), 1_000, TUESDAY, "no_room",
                              "1,000 gallons do not fit under the limit: from 3:00 p.m. to 4:30 p.m. a load has room "
                              "for 999 gallons.", "§ 329-7 F(3)"),
    "on a Saturday": (time(14, 0), 600, date(2026, 10, 10), "no_special_day",
                      "Saturday, October 10, 2026 has no other times: they can be arranged Monday to Friday only.",
                      "§ 329-7 F(4)"),
    "on a holiday": (time(14, 0), 600, date(2026, 11, 26), "closed",
                     "The plant is closed on Thursday, November 26, 2026: Thanksgiving Day.", "§ 329-7 F(4)"),
}  # fmt: skip


@pytest.mark.parametrize("begins, gallons, day, code, why, cite", REFUSED.values(), ids=REFUSED)
def test_time_that_cannot_be_arranged_is_refused_with_its_section(begins, gallons, day, code, why, cite):
    working_hours()
    who = hauler()
    assert said(ask(who, gallons, begins, day, accepts=None)) == (code, why, cite)
    assert db.session.scalars(select(SpecialTime)).all() == []


def test_load_that_ends_a_minute_after_the_hours_begin_is_a_special_time():
    working_hours()
    row = ask(hauler(), 1_000, time(9, 0), accepts=None)
    assert (row.starts, row.ends) == (world.at("2026-10-06T09:00"), world.at("2026-10-06T10:31"))
    # Of 91 minutes 31 lie outside the hours: the least charge is an hour.
    assert (row.minutes, row.quote[2]["quantity"], row.quote[2]["amount"]) == (31, "1", "30.00")


@pytest.mark.parametrize("now, code", [("2026-10-06T13:59:59", "accepted"), ("2026-10-06T14:00:00", "past")])
def test_time_may_be_asked_for_until_the_second_before_it_begins(now, code):
    working_hours()
    made = ask(hauler(), at=world.at(now))
    assert (made.state if isinstance(made, SpecialTime) else made.code) == code


def test_request_whose_time_has_come_undecided_lapses():
    working_hours()
    row = ask(hauler())
    at = world.at("2026-10-06T14:00:00")
    assert special.view(row, at).words == "Its time has passed without an arrangement"
    assert said(arrange(row, at=at)) == ("lapsed", "The time of request S-1006-01 has passed.", "§ 329-7 F(4)")
    assert special.waiting(world.plant().id, at) == []
    assert [one.row.id for one in special.waiting(world.plant().id, MORNING)] == [row.id]


def test_declined_with_a_reason_and_only_with_one():
    working_hours()
    row = ask(hauler())
    given = {"by": world.staff("director"), "at": MORNING, "law": world.law()}
    assert said(kept(decline_special(world.plant(), row.number, "  ", **given))) == (
        "no_reason", "Enter why the request is declined", "§ 329-7 F(4)")  # fmt: skip
    done = kept(decline_special(world.plant(), row.number, "Nobody can be there.", **given))
    assert (done.state, done.answer) == ("declined", "Nobody can be there.")
    told = db.session.scalars(select(Notice).where(Notice.kind == "special_declined")).one()
    assert told.subject == "Declined: special time Tue, Oct 6, 2:00 to 4:16 p.m., 1,500 gallons (S-1006-01)"
    assert "Reason: Nobody can be there." in told.body.splitlines()
    assert said(arrange(row)) == ("settled", "Request S-1006-01 is declined already.", "§ 329-7 F(4)")


def test_withdrawn_by_its_hauler_and_by_no_other():
    working_hours()
    who, other = hauler(), hauler("Second Pumping", number=2)
    row = ask(who)
    given = {"at": MORNING, "law": world.law()}
    assert said(kept(withdraw_special(world.plant(), row.number, by=other.by, **given)))[0] == "not_yours"
    assert kept(withdraw_special(world.plant(), row.number, by=who.by, **given)).state == "withdrawn"
    assert notices("special_withdrawn")[0][0] == "director@city.example"


def test_who_arranges_is_whom_the_law_names_and_nobody_for_their_own_company():
    working_hours()
    who = hauler()
    row = ask(who)
    assert said(arrange(row, by="manager")) == (
        "not_arranger", "Other times are arranged by: Public Works Director.", "§ 329-7 F(4)")  # fmt: skip
    assert said(arrange(row, by="clerk"))[0] == "not_your_role"
    party = business(who.business_id).party_id
    both = Actor(1, "Both", frozenset({Role.DIRECTOR, Role.HAULER}), party)
    refused = kept(arrange_special(world.plant(), row.number, by=both, at=MORNING, law=world.law()))
    assert said(refused) == ("own_business", "Nobody decides on their own business.", "§ 329-7 F(4)")


def test_phone_request_by_staff_says_who_entered_it_and_who_accepted():
    working_hours()
    row = ask(hauler(), by=world.staff("operator"))
    assert (row.by_phone, row.asked_by, row.accepted_by) == (
        True, "Operator of the City", "Operator of the City, by phone")  # fmt: skip
    arrange(row)
    assert db.session.scalars(select(Booking.by_phone)).one() is True


def test_same_truck_at_the_same_time_is_asked_for_once():
    working_hours()
    who = hauler()
    ask(who)
    assert said(ask(who)) == (
        "asked_before", "Request S-1006-01 asks for this truck at this time already.", "§ 329-7 F(4)")  # fmt: skip


def test_two_special_times_share_the_limit_and_never_pass_it():
    working_hours()
    who, other = hauler(), hauler("Second Pumping", number=2)
    arranged(who)
    refused = ask(other, 600, time(14, 30), accepts=None)
    assert said(refused) == (
        "no_room", "600 gallons do not fit under the limit: from 2:30 p.m. to 4:30 p.m. a load has room for 8 gallons.",
        "§ 329-7 F(3)")  # fmt: skip
    beside = ask(other, 100, time(16, 16), accepts=None)
    assert (beside.starts, beside.gph) == (world.at("2026-10-06T16:16"), 600)


def test_two_requests_for_the_same_room_are_not_both_approved():
    working_hours()
    first, second = hauler(), hauler("Second Pumping", number=2)
    one, two = ask(first), ask(second)
    assert arrange(one).state == "arranged"
    refused = arrange(two)
    assert said(refused)[0] == "no_room"
    assert db.session.scalars(select(Booking.business_id)).all() == [first.business_id]
    assert special.view(two, MORNING).state == "accepted"


def test_special_time_over_the_start_of_the_hours_counts_against_both():
    working_hours()
    who, other = hauler(), hauler("Second Pumping", number=2)
    row = arranged(who, 499, time(6, 30))
    assert (row.starts, row.ends, row.minutes) == (world.at("2026-10-06T06:30"), world.at("2026-10-06T07:15"), 30)
    assert code(book(other, session("2026-10-06T07:00", 600))) == "taken"
    assert code(book(other, session("2026-10-06T07:15", 600))) == "booked B-1006-02"


def test_booking_that_runs_leaves_its_room_taken_for_a_special_time_over_the_end_of_the_hours():
    working_hours()
    who, other = hauler(), hauler("Second Pumping", number=2)
    book(who, session("2026-10-06T09:00", 666))
    refused = ask(other, 600, time(9, 45), accepts=None)
    assert said(refused)[:2] == (
        "no_room", "600 gallons do not fit under the limit: from 9:45 a.m. to 4:30 p.m. nothing is free.")  # fmt: skip
    assert ask(other, 600, time(10, 0), accepts=None).starts == world.at("2026-10-06T10:00")


def test_truck_that_is_booked_at_that_time_is_not_arranged_twice():
    working_hours()
    who = hauler()
    arranged(who, 300)
    refused = ask(who, 20, time(14, 15), accepts=None)
    assert said(refused)[:2] == (
        "truck_taken", "Truck T-1 is taken Tue, Oct 6, 2:00 to 2:28 p.m.: booking B-1006-01.")  # fmt: skip


def test_gallons_of_a_special_time_come_out_of_the_season():
    working_hours()
    who = hauler(rest=1_600)
    arranged(who)
    assert said(ask(who, 200, time(12, 0), accepts=None))[:2] == (
        "allowance", "Your approval A-2026-27-001 has 100 gallons left for the rest of the year, of 1,600; this load "
        "needs 200.")  # fmt: skip


def test_day_that_closes_after_the_request_refuses_the_approval_by_name():
    working_hours()
    row = ask(hauler())
    set_closure(world.plant(), TUESDAY, "Pump repair", "closed", by=world.staff("clerk"), at=MORNING)
    db.session.commit()
    assert said(arrange(row)) == (
        "closed", "The plant is closed on Tuesday, October 6, 2026: Pump repair.", "§ 329-7 C(1)")  # fmt: skip


def test_part_of_a_day_that_is_closed_is_closed_for_special_times_too():
    working_hours()
    who = hauler()
    set_closure(world.plant(), TUESDAY, "Pump repair", "closed", (time(13), time(15)),
                by=world.staff("clerk"), at=MORNING)  # fmt: skip
    db.session.commit()
    assert said(ask(who, 300, accepts=None))[:2] == (
        "no_room", "300 gallons do not fit under the limit: from 2:00 p.m. to 4:30 p.m. nothing is free.")  # fmt: skip
    assert ask(who, 300, time(15, 0), accepts=None).starts == world.at("2026-10-06T15:00")


def test_hour_the_clock_leaves_out_is_no_time_to_ask_for():
    set_plant_row(world.plant(), "hours.work_opens", "00:30", date(2026, 10, 1), "Order 7", by=system(), at=MORNING)
    start = world.at("2027-03-14T02:30")
    refused = _no_such_time(world.law(), start)
    assert said(refused)[:2] == (
        "no_such_time", "2:30 a.m. does not exist on Sunday, March 14, 2027: the clock is set forward.")  # fmt: skip
    assert _no_such_time(world.law(), world.at("2027-03-14T03:30")) is None


def test_wage_and_hours_are_entered_from_a_day_on_and_only_what_is_new():
    working_hours()
    given = {"by": world.staff("director"), "at": MORNING, "law": world.law()}
    plant, day = world.plant(), WEDNESDAY
    assert said(kept(set_special_terms(plant, day, "Order 8", opens=time(9), closes=time(8), **given)))[:2] == (
        "hours_order", "The normal working hours must end after they begin")  # fmt: skip
    assert said(kept(set_special_terms(plant, day, "Order 8", opens=time(9), **given)))[0] == "hours_both"
    assert said(kept(set_special_terms(plant, day, "", opens=time(6), closes=time(15), **given)))[0] == "no_resolution"
    same = set_special_terms(plant, day, "Order 8", opens=time(6), closes=time(16, 30), **given)
    assert said(kept(same))[:2] == ("nothing_new", "This is what is entered for that day already.")
    rows = kept(set_special_terms(plant, day, "Order 8", opens=time(6), closes=time(15), **given))
    assert [(one.key, one.value, one.set_by) for one in rows] == [
        ("hours.work_closes", "15:00", "Director of the City")]  # fmt: skip
    assert db.session.scalars(select(PlantRow.value).where(PlantRow.key == "hours.work_closes")).all() == [
        "16:30", "15:00"]  # fmt: skip


def test_lists_of_special_times_take_the_same_queries_for_one_and_for_five():
    working_hours()
    who = hauler()
    counts = []
    for begins in (time(10, 0), time(11, 0), time(12, 0), time(13, 0), time(14, 0)):
        arranged(who, 300, begins)
        if begins.hour in (10, 14):
            # What is kept of approvals from one answer to the next is asked once.
            assert special.settled(world.plant().id, MORNING)
            db.session.rollback()
            with queries() as seen:
                assert special.settled(world.plant().id, MORNING)
            counts.append(len(seen))
    assert counts[0] == counts[1]


def test_a_no_show_of_a_special_time_taken_back_stands_in_its_own_span():
    working_hours()
    who = hauler()
    row = arranged(who)
    given = {"by": world.staff("operator"), "at": world.at("2026-10-06T14:30"), "law": world.law()}
    missed = kept(record_no_show(world.plant(), row.booking_id, **given))
    assert (missed.state, special.view(row, given["at"]).state) == ("no_show", "no_show")
    stands = kept(undo_no_show(world.plant(), row.booking_id, **given))
    assert (stands.state, special.view(row, given["at"]).state) == ("booked", "booked")
    assert (check_capacity(), verify()) == ([], [])
