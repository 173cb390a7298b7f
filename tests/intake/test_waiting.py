"""The waiting list: freed room goes to the first in line whose load fits, is kept for them, passes on by the clock."""

from datetime import date, timedelta

import pytest
from sqlalchemy import select

from haulers.models import Licence
from intake.actions.booking import cancel_booking
from intake.actions.moving import move_booking
from intake.actions.no_show import record_no_show
from intake.actions.waiting import answer_offer, ask_to_wait, leave_waiting, tell_turn
from intake.models import Booking, RoomOffer, Wait
from intake.queries import waiting
from intake.queries.checks import check_capacity
from office import jobs
from office.access import system
from office.db import db
from office.notices import Notice
from office.verify import verify
from ordinances.refusal import Refusal
from tests import world
from tests.intake.plant import MORNING, TUESDAY, WEDNESDAY, book, code, hauler, picture, session

pytestmark = pytest.mark.usefixtures("app")
FOUR = timedelta(hours=4)


def kept(made):
    """Commit what was done, roll back a refusal."""
    if isinstance(made, Refusal):
        db.session.rollback()
    else:
        db.session.commit()
    return made


def wait(who, gallons=600, first=TUESDAY, last=TUESDAY, at=MORNING, waste="septic_tank"):
    return kept(ask_to_wait(world.plant(), who.business_id, who.truck_id, waste, gallons, first, last, by=who.by, at=at,
                            law=world.law()))  # fmt: skip


def cancel(who, booking, at=MORNING, **more):
    return kept(cancel_booking(world.plant(), booking.id, "", by=who.by, at=at, law=world.law(), **more))


def answer(who, offer, yes=True, at=MORNING):
    return kept(answer_offer(world.plant(), offer.id, yes, by=who.by, at=at, law=world.law()))


def offers():
    return list(db.session.scalars(select(RoomOffer).order_by(RoomOffer.id)))


def theirs(who, at=MORNING):
    return [one.row.id for one in waiting.open_offers(world.plant(), who.business_id, at)]


def told(kind="waiting_offer"):
    return [one.subject for one in db.session.scalars(select(Notice).where(Notice.kind == kind).order_by(Notice.id))]


@pytest.fixture
def full(app):
    """Tuesday is full by one hauler."""
    who = hauler("Full Pumping", number=9)
    return who, book(who, session("2026-10-06T07:00", 1_998))


def several(count):
    return [hauler(f"Hauler {n}", number=n) for n in range(1, count + 1)]


def test_a_cancelled_time_is_offered_to_the_first_in_line_and_kept_for_them(full):
    first, second = several(2)
    wait(first), wait(second, 1_500)
    cancel(*full)
    assert [(one.wait_id, one.place, one.gallons) for one in offers()] == [(1, 0, 600), (2, 1, 1_500)]
    assert (theirs(first), theirs(second)) == ([1], [])
    assert told() == ["Room for your load: Tue, Oct 6, 7:00 a.m., 600 gallons. Answer by Monday, October 5, 2026, 8:00 "
                      "p.m."]  # fmt: skip
    assert code(book(hauler("Quick Pumping", number=8), session("2026-10-06T07:00", 600))) == "taken"
    assert verify() == []


def test_a_yes_books_by_the_rules_of_every_booking_and_ends_the_wait(full):
    who = several(1)[0]
    wait(who)
    cancel(*full)
    made = answer(who, offers()[0])
    assert (code(made), made.gallons, made.by_phone) == ("booked B-1006-02", 600, False)
    place = db.session.scalars(select(Wait)).one()
    assert (place.outcome, place.booking_id) == ("booked", made.id)
    assert told("booking_booked")[-1] == "Booked from the waiting list: Tue, Oct 6, 7:00 a.m., 600 gallons (B-1006-02)"
    assert answer(who, offers()[0]).code == "answered"
    assert (check_capacity(), verify()) == ([], [])


def test_no_answer_passes_it_on_by_the_clock_with_nobody_at_work(full):
    first, second = several(2)
    wait(first), wait(second)
    booking = full[1]
    book(hauler("Third", number=7), session("2026-10-07T07:00", 1_998))
    cancel(full[0], booking)
    # Both fit beside each other: each has a line of their own.
    assert (theirs(first), theirs(second)) == ([1], [2])
    assert [one.starts.astimezone(world.ZONE).strftime("%H:%M") for one in offers()] == ["07:00", "07:55"]


def test_who_fits_only_instead_of_the_first_stands_behind_and_has_it_when_the_first_lets_it_lapse(full):
    first, second = several(2)
    wait(first, 1_998), wait(second, 1_998)
    cancel(*full)
    last = MORNING + FOUR - timedelta(seconds=1)
    assert (theirs(first, last), theirs(second, last)) == ([1], [])
    after = MORNING + FOUR
    assert (theirs(first, after), theirs(second, after)) == ([], [2])
    late = answer(first, offers()[0], at=after)
    assert (late.code, late.why) == ("lapsed", "The time to answer was over Monday, October 5, 2026, 8:00 p.m.")
    assert picture(TUESDAY, after).room == 0
    early = answer(second, offers()[1], at=last)
    assert (early.code, early.why) == ("not_your_turn", "Others before you in line are asked first.")
    assert code(answer(second, offers()[1], at=after)) == "booked B-1006-02"


def test_ten_days_without_jobs_give_no_wrong_answer(full):
    first, second = several(2)
    wait(first, 1_998), wait(second, 1_998)
    cancel(*full)
    for hours, holder in ((0, first), (4, second)):
        at = MORNING + timedelta(hours=hours)
        assert (len(theirs(holder, at)), picture(TUESDAY, at).room) == (1, 0)
    # Both let it lapse: the room is free to everybody, and nobody holds it.
    at = MORNING + 2 * FOUR
    assert (picture(TUESDAY, at).room, theirs(first, at), theirs(second, at)) == (1_998, [], [])
    assert [one.state for one in waiting.of_plant(world.plant(), at)] == ["waiting", "waiting"]
    ten = MORNING + timedelta(days=10)
    assert waiting.of_plant(world.plant(), ten) == []
    mine = waiting.of_business(world.plant(), second.business_id, ten)
    assert [(one.state, one.place) for one in mine] == [("past", 0)]
    assert [answer(who, offers()[n], at=ten).code for n, who in enumerate((first, second))] == ["lapsed"] * 2
    assert (len(told()), jobs.work(ten)["waiting_list"]) == (1, 0)


def test_a_no_passes_it_on_at_once_and_tells_the_next(full):
    first, second = several(2)
    wait(first, 1_998), wait(second, 1_998)
    cancel(*full)
    soon = MORNING + timedelta(hours=1)
    assert answer(first, offers()[0], yes=False, at=soon).answer == "no"
    assert (theirs(first, soon), theirs(second, soon), len(told())) == ([], [2], 2)
    assert answer(first, offers()[0], at=soon).code == "answered"
    assert [one.state for one in waiting.of_plant(world.plant(), soon)] == ["waiting", "offered"]


def test_after_a_yes_the_rest_of_the_room_is_offered_on(full):
    first, second = several(2)
    wait(first, 600), wait(second, 1_500)
    small = hauler("Small Pumping", number=6)
    wait(small, 900)
    cancel(*full)
    assert [(one.room_id, one.place) for one in offers()] == [(1, 0), (1, 1), (1, 2)]
    answer(first, offers()[0])
    again = offers()[3:]
    assert [(one.wait_id, one.gallons, f"{one.starts.astimezone(world.ZONE):%H:%M}") for one in again] == [
        (3, 900, "07:55")]  # fmt: skip
    assert theirs(small) == [4]


def test_leaving_gives_the_room_to_the_next_and_the_place_is_over(full):
    first, second = several(2)
    wait(first, 1_998), wait(second, 1_998)
    cancel(*full)
    soon = MORNING + timedelta(minutes=5)
    assert leave_waiting(world.plant(), 1, by=second.by, at=soon, law=world.law()).code == "not_yours"
    db.session.rollback()
    assert kept(leave_waiting(world.plant(), 1, by=first.by, at=soon, law=world.law())).outcome == "left"
    assert (theirs(second, soon), len(told())) == ([2], 2)
    assert leave_waiting(world.plant(), 1, by=first.by, at=soon, law=world.law()).code == "over"


def test_who_left_before_their_turn_keeps_no_room(full):
    first, second = several(2)
    wait(first, 600), wait(second, 1_998)
    cancel(*full)
    assert picture(TUESDAY).room == 0
    kept(leave_waiting(world.plant(), 2, by=second.by, at=MORNING, law=world.law()))
    assert picture(TUESDAY).room == 1_397


def test_moving_away_a_no_show_and_a_part_given_up_offer_their_room(full):
    who = several(1)[0]
    wait(who, 1_998)
    kept(move_booking(world.plant(), full[1].id, [session("2026-10-08T07:00", 1_998)], by=full[0].by, at=MORNING,
                      law=world.law()))  # fmt: skip
    assert theirs(who) == [1]
    other = hauler("Other Pumping", number=5)
    late = book(other, session("2026-10-07T07:00", 1_998))
    wait(other, 500, WEDNESDAY, WEDNESDAY)
    at = world.at("2026-10-07T07:10")
    kept(record_no_show(world.plant(), late.id, by=world.staff("operator"), at=at, law=world.law()))
    [mine] = waiting.open_offers(world.plant(), other.business_id, at)
    assert (mine.session.start, mine.turn.ends) == (world.at("2026-10-07T07:11"), world.at("2026-10-07T07:11"))


def test_what_no_act_of_this_room_gave_back_is_offered_by_the_job_once(full):
    who = several(1)[0]
    wait(who)
    mine = next(one for one in db.session.scalars(select(Licence)) if one.business_id == who.business_id)
    ends, mine.ends_on = mine.ends_on, MORNING.date()
    db.session.commit()
    cancel(*full)
    # Its license was renewed since: no act gave the room back.
    mine.ends_on = ends
    db.session.commit()
    at = MORNING + timedelta(minutes=1)
    assert (offers(), jobs.work(at)["waiting_list"], theirs(who, at)) == ([], 1, [1])
    # Whoever said no is not asked again about what lies free all along.
    answer(who, offers()[0], yes=False, at=at)
    assert jobs.work(at + timedelta(minutes=1))["waiting_list"] == 0


def test_the_job_tells_the_next_once_and_never_twice(full):
    first, second = several(2)
    wait(first, 1_998), wait(second, 1_998)
    cancel(*full)
    after = MORNING + FOUR + timedelta(minutes=3)
    assert jobs.work(after)["waiting_list"] == 1
    assert jobs.work(after + timedelta(minutes=1))["waiting_list"] == 0
    assert [one.split(":")[0] for one in told()] == ["Room for your load"] * 2
    assert tell_turn(world.plant(), 1, by=system(), at=after) is False


def test_what_fits_now_is_too_long_is_asked_twice_or_may_not_come_does_not_wait(full):
    who = several(1)[0]
    free = wait(who, 600, TUESDAY, WEDNESDAY)
    assert (free.code, free.why) == (
        "fits_now", "This load fits on Wednesday, October 7, 2026 now, so there is nothing to wait for.")  # fmt: skip
    assert wait(who, 1_999).code == "too_long"
    assert wait(who, 5_001).code == "too_big"
    assert wait(who, first=date(2026, 10, 10), last=date(2026, 10, 11)).code == "closed"
    assert wait(who, first=WEDNESDAY, last=TUESDAY).code == "dates"
    assert wait(who, last=date(2026, 12, 5)).code == "dates"
    assert wait(who, waste="grease_interceptor").code == "not_septage"
    poor = hauler("Poor Pumping", rest=100, number=4)
    assert (wait(poor).code, wait(poor).why) == ("own", "You have 100 gallons left until November 14, 2026.")
    assert wait(who).gallons == 600
    again = wait(who, 300)
    assert (again.code, again.why) == (
        "already", "This truck waits already, with 600 gallons for October 6, 2026.")  # fmt: skip
    assert told("waiting") == ["On the waiting list: 600 gallons, October 6, 2026"]


def test_a_profile_without_the_row_keeps_no_list(full):
    import json

    from tests.house.law_copies import adopt, canonical

    text = canonical()
    text["rows"] = [row for row in text["rows"] if row["key"] != "booking.answer_hours"]
    adopt(json.dumps(text))
    who = several(1)[0]
    assert (wait(who).code, cancel(*full).state, offers()) == ("no_list", "cancelled", [])


def test_a_yes_is_refused_like_any_booking_when_the_approval_is_gone(full):
    from haulers.actions.revocation import revoke_approval
    from tests.intake.gatehouse import good

    who = several(1)[0]
    wait(who)
    cancel(*full)
    rule = world.law().value("revocation.grounds", MORNING.date())[0]
    good(kept(revoke_approval(world.plant(), who.approval_id, rule, "Unloaded at night", by=world.staff("director"),
                              at=MORNING, law=world.law())))  # fmt: skip
    assert answer(who, offers()[0], at=MORNING + timedelta(minutes=1)).code == "out"
    assert db.session.scalars(select(Booking.state).where(Booking.id != full[1].id)).all() == []


def test_a_run_that_is_stopped_short_a_void_ticket_and_fewer_gallons_than_booked_offer_their_room(full):
    from intake.actions.station import void_load
    from intake.actions.stop import stop_load
    from tests.intake.gatehouse import good, log

    first, second, third = several(3)
    wait(first, 900), wait(second, 300)
    operator = world.staff("operator")
    load = good(log(full[0], 1_998, booking=full[1]))
    assert offers() == []
    at = world.at("2026-10-06T08:00")
    good(kept(stop_load(load, 666, "The pump clogged", by=operator, at=at, law=world.law())))
    assert [(one.wait_id, f"{one.starts.astimezone(world.ZONE):%H:%M}") for one in offers()] == [
        (1, "08:01"),
        (2, "09:23"),
    ]
    day = book(third, session("2026-10-07T07:00", 1_998), at=at)
    wait(first, 1_500, WEDNESDAY, WEDNESDAY, at=at)
    void = good(log(third, 1_998, "2026-10-07T07:00", booking=day))
    good(kept(void_load(void, "Wrong truck", by=operator, at=world.at("2026-10-07T07:05"), law=world.law())))
    # The booking of a void ticket stands again: its room is not free.
    assert len(offers()) == 2


def test_a_lifted_restriction_offers_what_is_free_again(full):
    from intake.actions.restriction import lift_restriction, restrict_plant

    who, director = several(1)[0], world.staff("director")
    other = hauler("Other Pumping", number=5)
    book(other, session("2026-10-07T07:00", 700))
    until = world.at("2026-10-07T12:00")
    row = restrict_plant(world.plant(), "permit_threat", scope="rate", gph=300, planning_end=until, by=director,
                         at=MORNING, law=world.law())  # fmt: skip
    db.session.commit()
    at = MORNING + timedelta(minutes=10)
    assert wait(who, 1_000, WEDNESDAY, WEDNESDAY, at=at).gallons == 1_000
    lift_restriction(world.plant(), row.id, "Mended", by=director, at=at, law=world.law())
    db.session.commit()
    assert theirs(who, at) == [1]
