"""Restricting the plant at once: bookings held, everybody told once, and what lifting does to each."""

from datetime import timedelta

import pytest
from sqlalchemy import select

from intake.actions.booking import cancel_booking
from intake.actions.restriction import lift_restriction, restrict_plant, update_restriction
from intake.models import Booking, Hold
from intake.queries import bookings, restrictions
from intake.queries.met import met
from office.db import db
from office.notices import Notice
from ordinances.refusal import Refusal
from tests import world
from tests.intake.plant import MORNING, TUESDAY, WEDNESDAY, book, code, hauler, picture, planned, session, times_page
from tests.intake.test_hauler_pages import give_back, revoke

pytestmark = pytest.mark.usefixtures("app")
AT = world.at("2026-10-06T08:12")
DONE = "Blower 2 replaced and dissolved oxygen back to normal"


def restrict(at=AT, **more):
    row = restrict_plant(
        world.plant(), "operational_problem", by=world.staff("director"), at=at, law=world.law(), **more
    )
    if not isinstance(row, Refusal):
        db.session.commit()
    return row


def lift(row, at, done=DONE):
    answer = lift_restriction(world.plant(), row.id, done, by=world.staff("director"), at=at, law=world.law())
    if not isinstance(answer, Refusal):
        db.session.commit()
    return answer


def outcomes():
    return dict(
        db.session.execute(select(Booking.number, Hold.outcome).join(Hold, Hold.booking_id == Booking.id)).all()
    )


def test_a_restriction_holds_every_booking_until_the_close_of_the_next_open_day():
    who = hauler()
    for start in ("2026-10-06T09:00", "2026-10-07T07:00", "2026-10-07T09:45", "2026-10-08T07:00"):
        assert code(book(who, session(start, 5, minutes=1))).startswith("booked")
    row = restrict()
    assert row.planning_end == world.at("2026-10-07T10:00")
    assert outcomes() == {"B-1006-01": None, "B-1007-01": None, "B-1007-02": None}
    states = {one.booking.number: one.state for one in bookings.of_business(world.plant().id, who.business_id, AT)}
    assert states == {"B-1006-01": "held", "B-1007-01": "held", "B-1007-02": "held", "B-1008-01": "booked"}


def test_nothing_is_offered_before_the_planning_end_and_held_bookings_keep_their_room_after_it():
    who = hauler()
    book(who, session("2026-10-07T07:00", 1_000))
    row = restrict()
    assert [picture(day, AT).room for day in (TUESDAY, WEDNESDAY)] == [0, 0]
    assert code(book(who, session("2026-10-07T09:30", 300), at=AT)) == "restricted"
    lift(row, AT + timedelta(minutes=5))
    assert picture(WEDNESDAY, AT + timedelta(minutes=6)).room == 1_998 - 1_001


def test_a_restriction_that_outlasts_its_planning_end_keeps_each_day_closed():
    hauler()
    restrict()
    later = world.at("2026-10-12T06:30")
    assert picture(later.date(), later).room == 0


def test_one_notice_for_each_hauler_and_each_person_of_the_city_with_the_loads_it_stops():
    first, _ = hauler(), hauler("Second Pumping", number=2)
    book(first, session("2026-10-06T09:00", 300))
    book(first, session("2026-10-07T07:00", 300))
    restrict()
    sent = db.session.scalars(select(Notice).where(Notice.kind == "restricted").order_by(Notice.id)).all()
    names = ["Test Pumping", "Second Pumping", "Operator of the City", "Manager of the City", "Clerk of the City",
             "Member1 of the City", "Member2 of the City", "Member3 of the City"]  # fmt: skip
    assert sorted(one.to_name for one in sent) == sorted(names)
    assert sent[0].subject == "RESTRICTED: City of Bayfield plant is not taking septage (from 8:12 a.m.)"
    assert sent[0].body.splitlines()[1:] == [
        "Reason: an operational problem related to septage (§ 329-7 B(3)).",
        "Next update by Tuesday, October 6, 2026, 12:12 p.m.",
        "",
        "Held until the restriction is lifted, do not bring these loads:",
        "B-1006-01, Tue, Oct 6, 9:00 a.m.",
        "B-1007-01, Wed, Oct 7, 7:00 a.m.",
        "",
        "Questions: 715-555-0100, weekdays 7 a.m. to 3 p.m.",
    ]


@pytest.mark.parametrize(("first", "told"), [(WEDNESDAY, True), (WEDNESDAY + timedelta(days=1), False)])
def test_hauler_whose_approval_begins_within_the_planned_span_is_told_too(first, told):
    who, other = hauler(), hauler("Second Pumping", number=2)
    revoke(who)
    give_back(who, first)
    if told:
        assert code(book(who, session("2026-10-07T07:00", 300))).startswith("booked")
    found = met(world.plant(), world.law(), AT)
    row = restrict()
    lift(row, AT + timedelta(minutes=5))
    for kind in ("restricted", "lifted"):
        parties = db.session.scalars(select(Notice.to_name).where(Notice.kind == kind, Notice.party_id.is_not(None)))
        assert sorted(parties) == (["Second Pumping", "Test Pumping"] if told else ["Second Pumping"]), kind
    assert found.haulers == (2 if told else 1)
    assert other.approval_id != who.approval_id


def test_lifting_releases_what_is_still_to_come_and_calls_what_has_passed_missed():
    who = hauler()
    book(who, session("2026-10-06T09:00", 300))
    book(who, session("2026-10-07T07:00", 300))
    row = restrict()
    lift(row, world.at("2026-10-06T09:01"))
    assert outcomes() == {"B-1006-01": "missed", "B-1007-01": "released"}
    assert picture(WEDNESDAY, world.at("2026-10-06T12:00")).room < 1_998
    body = db.session.scalars(select(Notice.body).where(Notice.kind == "lifted").order_by(Notice.id)).first()
    assert body.splitlines()[1:-1] == [
        f"What was done: {DONE}", "", "Your bookings:",
        "B-1006-01, Tue, Oct 6, 9:00 a.m.: missed by restriction; book again.",
        "Times that fit it now: Tue, Oct 6, 9:02 to 9:30 a.m.; 9:15 to 9:43 a.m.; 9:30 to 9:58 a.m.",
        f"Book here: {times_page(who, 300, TUESDAY)}",
        "B-1007-01, Wed, Oct 7, 7:00 a.m.: stands as it was.", "",
        "Choose first: book one of these times now.", "",
    ]  # fmt: skip


def test_an_update_plans_further_and_holds_what_it_now_meets():
    who = hauler()
    book(who, session("2026-10-08T07:00", 300))
    row = restrict()
    at = world.at("2026-10-07T09:00")
    done = update_restriction(world.plant(), row.id, "Parts arrive on Friday", at + timedelta(hours=4), by=world.staff(
        "director"), at=at, law=world.law())  # fmt: skip
    db.session.commit()
    said = [(one.posted_at, one.posted_by, one.words) for one in restrictions.updates_of([row.id])[row.id]]
    assert (done.planning_end, done.note) == (world.at("2026-10-08T10:00"), "")
    assert said == [(at, "Director of the City", "Parts arrive on Friday")]
    assert restrictions.last_words(row) == "Parts arrive on Friday"
    body = db.session.scalars(select(Notice.body).where(Notice.kind == "restriction_update")).first()
    assert body.splitlines()[3] == "Parts arrive on Friday"
    assert outcomes() == {"B-1008-01": None}
    subject = db.session.scalars(select(Notice.subject).where(Notice.kind == "restriction_update")).first()
    assert subject == "UPDATE: City of Bayfield plant is not taking septage (from 8:12 a.m.)"


def test_an_update_needs_words_and_a_restriction_in_force():
    row = restrict()
    plant, by, later = world.plant(), world.staff("director"), AT + timedelta(hours=4)
    more = {"by": by, "at": AT, "law": world.law()}
    assert update_restriction(plant, row.id, " ", later, **more).code == "nothing_said"
    assert update_restriction(plant, row.id, "Soon", AT, **more).code == "dates"
    assert update_restriction(plant, 99, "Soon", later, **more).code == "no_restriction"
    lift(row, AT)
    assert update_restriction(plant, row.id, "Soon", later, **more).code == "already_lifted"


def test_a_booking_passed_by_after_the_planning_end_is_missed_too():
    who = hauler()
    book(who, session("2026-10-08T07:00", 300))
    row = restrict()
    lift(row, world.at("2026-10-08T12:00"))
    assert outcomes() == {"B-1008-01": "missed"}


def test_a_request_whose_clock_was_read_before_the_restriction_began_still_meets_it():
    who = hauler()
    restrict()
    assert code(book(who, session("2026-10-06T09:00", 300), at=AT - timedelta(seconds=1))) == "restricted"


def test_a_missed_booking_is_no_longer_live_and_frees_its_allowance():
    who = hauler(rest=300)
    booking = book(who, session("2026-10-06T09:00", 300))
    row = restrict()
    lift(row, world.at("2026-10-06T11:00"))
    assert bookings.view(booking, AT).state == "missed"
    assert code(book(who, session("2026-10-07T07:00", 300), at=world.at("2026-10-06T11:05"))) == "booked B-1007-01"


def test_a_lower_limit_holds_the_booking_made_last():
    who = hauler()
    planned(who, session("2026-10-07T07:00", 300, minutes=60))
    planned(who, session("2026-10-07T07:00", 300, minutes=60), at=MORNING + timedelta(minutes=1))
    restrict(scope="rate", gph=400)
    assert outcomes() == {"B-1007-02": None}
    assert {int(step.free) for step in picture(WEDNESDAY, AT).steps} == {0, 400}


def test_a_booking_that_fits_no_more_is_listed_when_the_restriction_is_lifted():
    from datetime import date

    from office.plants import set_plant_row

    who = hauler()
    book(who, session("2026-10-07T07:00", 1_998))
    row = restrict()
    by = world.staff("director")
    set_plant_row(world.plant(), "rate.flow_in_force_gpd", 125_000, date(2026, 10, 6), "Order 12", by=by, at=AT)
    db.session.commit()
    lift(row, world.at("2026-10-06T09:00"))
    assert outcomes() == {"B-1007-01": "listed"}
    assert picture(WEDNESDAY, world.at("2026-10-06T12:00")).room == 520 * 3


def test_a_booking_cancelled_while_held_stays_cancelled():
    who = hauler()
    booking = book(who, session("2026-10-07T07:00", 300))
    row = restrict()
    cancel_booking(world.plant(), booking.id, "", by=who.by, at=AT, law=world.law())
    db.session.commit()
    lift(row, world.at("2026-10-06T09:00"))
    assert bookings.view(booking, AT).state == "cancelled"
    assert picture(WEDNESDAY, world.at("2026-10-06T12:00")).room == 1_998


def test_before_it_is_done_the_loads_and_haulers_it_meets_are_known():
    first, second = hauler(), hauler("Second Pumping", number=2)
    book(first, session("2026-10-06T09:00", 300))
    book(second, session("2026-10-07T09:00", 300))
    seen = met(world.plant(), world.law(), AT)
    assert (len(seen.groups), seen.today, seen.haulers) == (2, 1, 2)
    assert seen.told_words == "8 people: 2 haulers, 1 operator, 1 plant manager, 1 clerk and 3 committee members"
    assert db.session.scalars(select(Hold)).all() == []


@pytest.mark.parametrize(("more", "refusal"), [
    ({"scope": "rate", "gph": 666}, "rate_not_lower"), ({"scope": "rate"}, "rate_not_lower"),
    ({"gph": 5}, "rate_not_lower"), ({"scope": "moon"}, "unknown_reason"), ({"planning_end": AT}, "dates"),
])  # fmt: skip
def test_a_restriction_that_makes_no_sense_is_refused(more, refusal):
    assert restrict(**more).code == refusal


def test_only_the_director_with_a_reason_of_the_ordinance_restricts_and_only_once():
    plant, law = world.plant(), world.law()
    assert (
        restrict_plant(plant, "operational_problem", by=world.staff("operator"), at=AT, law=law).code == "not_your_role"
    )
    assert restrict_plant(plant, "bad_mood", by=world.staff("director"), at=AT, law=law).code == "unknown_reason"
    restrict()
    assert restrict().code == "already_restricted"


def test_lifting_needs_what_was_done_and_happens_once():
    row = restrict()
    later = AT + timedelta(hours=1)
    refused = lift(row, later, done="  ")
    assert (refused.code, refused.why) == ("nothing_done", "Enter what was done to fix the problem")
    lift(row, later)
    assert restrictions.active(world.plant().id, later) is None
    assert lift(row, later).code == "already_lifted"
