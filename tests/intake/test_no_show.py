"""A truck that did not come: staff say so and take it back, the room is free at once, the record counts it."""

import json
from datetime import date
from uuid import uuid4

import pytest
from sqlalchemy import select

from haulers.ports import Record
from intake.actions.booking import cancel_booking
from intake.actions.moving import move_booking
from intake.actions.no_show import record_no_show, undo_no_show
from intake.actions.restriction import lift_restriction, restrict_plant
from intake.queries import bookings
from intake.queries.checks import check_capacity
from intake.queries.track_record import Records
from office.db import db
from office.notices import Notice
from office.verify import verify
from ordinances.refusal import Refusal
from tests import world
from tests.house.law_copies import adopt, canonical
from tests.intake.plant import MORNING, TUESDAY, book, code, hauler, picture, session
from tests.intake.test_gate import revoke

pytestmark = pytest.mark.usefixtures("app")
LATE = world.at("2026-10-06T07:20")


def said(act, booking, *args, by="operator", at=LATE):
    made = act(world.plant(), booking.id, *args, by=world.staff(by), at=at, law=world.law())
    if isinstance(made, Refusal):
        db.session.rollback()
    else:
        db.session.commit()
    return made


def told(kind):
    return [one.subject for one in db.session.scalars(select(Notice).where(Notice.kind == kind))]


def record(who):
    return Records().last_season(world.plant().id, [who.business_id], "2026-27").get(who.business_id)


def test_a_no_show_frees_its_room_and_gallons_tells_the_hauler_and_is_counted():
    who = hauler(rest=600)
    booking = book(who, session("2026-10-06T07:00", 600))
    assert said(record_no_show, booking, "Nobody answered the phone").state == "no_show"
    assert picture(TUESDAY, LATE).room == 1_776
    assert told("booking_no_show") == ["Did not come: Tue, Oct 6, 7:00 a.m., 600 gallons (B-1006-01)"]
    assert bookings.view(booking, LATE).words == "Did not come"
    assert record(who) == Record(0, 0, 0, 0, 0, no_shows=1)
    assert code(book(who, session("2026-10-07T07:00", 600), at=LATE)) == "booked B-1007-01"
    assert verify() == []


def test_nothing_is_a_no_show_by_the_clock_alone_nor_before_its_time():
    who = hauler()
    booking = book(who, session("2026-10-06T07:00", 600))
    assert bookings.view(booking, world.at("2026-10-20T12:00")).state == "passed"
    early = said(record_no_show, booking, at=world.at("2026-10-06T06:59:59"))
    assert (early.code, early.why) == (
        "not_due", "The time of booking B-1006-01 begins Tuesday, October 6, 2026, 7:00 a.m.")  # fmt: skip
    assert said(record_no_show, booking, at=world.at("2026-10-06T07:00")).state == "no_show"


def test_the_hauler_cannot_record_it_and_every_desk_of_the_plant_can():
    who = hauler()
    booking = book(who, session("2026-10-06T07:00", 600))
    refused = record_no_show(world.plant(), booking.id, "", by=who.by, at=LATE, law=world.law())
    assert refused.code == "not_your_role"
    for desk in ("operator", "manager", "director", "clerk"):
        assert said(record_no_show, booking, by=desk).state == "no_show"
        assert said(undo_no_show, booking, by=desk).state == "booked"


def test_it_is_taken_back_while_its_room_is_free_and_the_hauler_is_told():
    who = hauler(rest=600)
    booking = book(who, session("2026-10-06T07:00", 600))
    said(record_no_show, booking)
    back = said(undo_no_show, booking)
    assert (back.state, back.ended_at, picture(TUESDAY, LATE).room) == ("booked", None, 1_393)
    assert told("booking_stands") == ["Stands again: Tue, Oct 6, 7:00 a.m., 600 gallons (B-1006-01)"]
    assert record(who) is None
    assert said(undo_no_show, booking).code == "not_no_show"


def test_taken_back_under_an_approval_that_was_revoked_it_says_that_the_booking_does_not_stand():
    who = hauler()
    booking = book(who, session("2026-10-06T07:00", 600))
    said(record_no_show, booking)
    revoke(who, "2026-10-06T07:30")
    said(undo_no_show, booking, at=world.at("2026-10-06T07:45"))
    told_last = db.session.scalars(select(Notice).where(Notice.kind == "booking_stands")).one()
    assert told_last.subject == "No no-show: Tue, Oct 6, 7:00 a.m., 600 gallons (B-1006-01)"
    assert "The booking does not stand: the approval it was made under does not hold any more." in told_last.body
    assert "The booking stands as it was" not in told_last.body


def test_it_stays_once_its_room_or_its_gallons_are_given_away():
    who, other = hauler(rest=600), hauler("Second Pumping", number=2)
    booking = book(who, session("2026-10-06T07:00", 600))
    said(record_no_show, booking)
    book(other, session("2026-10-06T07:30", 600), at=LATE)
    gone = said(undo_no_show, booking)
    assert (gone.code, check_capacity()) == ("room_gone", [])
    cheap = book(who, session("2026-10-07T07:00", 600), at=LATE)
    assert code(cheap) == "booked B-1007-01"
    late = book(other, session("2026-10-06T09:00", 300), at=LATE)
    cancel_booking(world.plant(), late.id, "", by=other.by, at=LATE, law=world.law())
    cancel_booking(world.plant(), late.id - 2, "", by=other.by, at=LATE, law=world.law())
    db.session.commit()
    assert said(undo_no_show, booking).why == (
        "Your approval A-2026-27-001 has 0 gallons left for the rest of the year, of 600; this load needs 600."
    )


def test_a_booking_that_was_not_to_come_is_no_no_show():
    who = hauler()
    booking = book(who, session("2026-10-06T07:00", 600))
    restrict_plant(world.plant(), "maintenance_problem", by=world.staff("director"), at=MORNING, law=world.law())
    db.session.commit()
    held = said(record_no_show, booking)
    assert (held.code, held.why) == ("not_kept", "Booking B-1006-01 is not waited for any more: held by restriction.")


def law_with(**rows):
    """Bayfield's law with rows on late cancellations in force."""
    text = canonical()
    text["rows"] += [dict(text["rows"][0], key=f"booking.{key}", value=value, cite="§ 12-4", source="profile")
                     for key, value in rows.items()]  # fmt: skip
    adopt(json.dumps(text))


def cancelled(who, booking, at, **more):
    done = cancel_booking(world.plant(), booking.id, "", by=who.by, at=world.at(at), law=world.law(), **more)
    db.session.commit()
    return done


def test_bayfield_says_nothing_of_late_cancellations_and_nothing_follows():
    who = hauler()
    booking = book(who, session("2026-10-06T07:00", 600))
    assert (cancelled(who, booking, "2026-10-06T06:59").ended_late, record(who)) == (False, None)


@pytest.mark.parametrize(("when", "late"), [("2026-10-05T19:00:00", False), ("2026-10-05T19:00:01", True)])
def test_where_the_law_keeps_late_cancellations_the_hours_count_to_the_second(when, late):
    law_with(cancel_hours=12, late_cancel="recorded")
    who = hauler()
    done = cancelled(who, book(who, session("2026-10-06T07:00", 600)), when)
    said = "This is less than 12 hours before the time: it is kept on the record as a late cancellation (§ 12-4)."
    notice = db.session.scalars(select(Notice).where(Notice.kind == "booking_cancelled")).one()
    assert (done.ended_late, said in notice.body) == (late, late)
    assert record(who) == (Record(0, 0, 0, 0, 0, late_cancels=1) if late else None)


def test_hours_without_a_consequence_keep_no_record():
    law_with(cancel_hours=12)
    who = hauler()
    assert not cancelled(who, book(who, session("2026-10-06T07:00", 600)), "2026-10-06T06:00").ended_late
    assert record(who) is None


def test_the_hauler_reads_what_was_recorded_and_that_a_late_cancellation_is_kept(app, clock_at):
    law_with(cancel_hours=12, late_cancel="recorded")
    clock_at("2026-10-06T07:20")
    who = hauler()
    said(record_no_show, book(who, session("2026-10-06T07:00", 600)))
    book(who, session("2026-10-06T09:00", 300))
    client = app.test_client()
    world.sign_in(client, who.email)
    missed = client.get("/bayfield/hauler/bookings/B-1006-01").get_data(as_text=True)
    assert "The plant recorded that no truck came. If that is not so, call the plant." in missed
    path = "/bayfield/hauler/bookings/B-1006-02"
    late = "This is less than 12 hours before the time: it is kept on the record as a late cancellation (§ 12-4)."
    assert late in client.get(f"{path}/cancel").get_data(as_text=True)
    client.post(f"{path}/cancel", data={"once": "a" * 32})
    assert "It was cancelled late, and is kept on your record so." in client.get(path).get_data(as_text=True)


def gives_up(who, booking, at, by=None, reason="", **more):
    made = cancel_booking(world.plant(), booking.id, reason, by=by or who.by, at=world.at(at), law=world.law(), **more)
    if isinstance(made, Refusal):
        db.session.rollback()
    else:
        db.session.commit()
    return made


def goes_elsewhere(who, booking, at, by=None, **more):
    made = move_booking(world.plant(), booking.id, [session("2026-10-08T07:00", 600)], by=by or who.by, at=world.at(at),
                        law=world.law(), **more)  # fmt: skip
    if isinstance(made, Refusal):
        db.session.rollback()
    else:
        db.session.commit()
    return made


@pytest.mark.parametrize("at", ["2026-10-06T07:00", "2026-10-06T07:30", "2026-10-06T09:00", "2026-10-07T06:00"])
def test_a_hauler_cannot_cancel_or_move_a_time_that_began(at):
    who = hauler()
    booking = book(who, session("2026-10-06T07:00", 600))
    refused = gives_up(who, booking, at)
    assert (refused.code, refused.why, refused.cite) == (
        "time_begun",
        "The time of booking B-1006-01 began Tuesday, October 6, 2026, 7:00 a.m. You cannot cancel it any more.",
        "§ 329-7 F(4)",
    )
    assert refused.next_step.startswith("Call the plant: ")
    moved = goes_elsewhere(who, booking, at)
    assert (moved.code, moved.why) == (
        "time_begun",
        "The time of booking B-1006-01 began Tuesday, October 6, 2026, 7:00 a.m. You cannot move it any more.",
    )
    assert said(record_no_show, booking, at=world.at(at)).state == "no_show"
    assert record(who).no_shows == 1


def test_until_the_last_second_before_its_time_the_hauler_cancels_and_moves_it():
    who = hauler()
    booking = book(who, session("2026-10-06T07:00", 600))
    assert code(goes_elsewhere(who, booking, "2026-10-06T06:59:59")) == "booked B-1006-01"
    assert gives_up(who, booking, "2026-10-08T06:59:59").state == "cancelled"


def test_of_a_load_over_two_mornings_only_the_one_to_come_is_still_the_haulers():
    who = hauler()
    booking = book(who, [session("2026-10-06T07:00", 600), session("2026-10-07T07:00", 600)])
    at = "2026-10-06T08:00"
    assert [gives_up(who, booking, at).code, gives_up(who, booking, at, part=TUESDAY).code,
            goes_elsewhere(who, booking, at, part=TUESDAY).code] == ["time_begun"] * 3  # fmt: skip
    assert code(goes_elsewhere(who, booking, at, part=date(2026, 10, 7))) == "booked B-1006-01"
    assert gives_up(who, booking, at, part=date(2026, 10, 8)).gallons == 600


def test_staff_cancel_what_began_and_say_why_once_it_is_over():
    who, staff = hauler(), world.staff("operator")
    first = book(who, session("2026-10-06T07:00", 600))
    assert gives_up(who, first, "2026-10-06T07:30", staff).state == "cancelled"
    booking = book(who, session("2026-10-06T09:00", 600))
    assert gives_up(who, booking, "2026-10-06T09:54:59", staff, part=TUESDAY).state == "cancelled"
    late = book(who, session("2026-10-07T07:00", 600))
    refused = gives_up(who, late, "2026-10-07T08:00", staff)
    assert (refused.code, refused.why) == (
        "no_reason",
        "Enter why it is cancelled: its time is over. If nobody came, record a no-show instead",
    )
    done = gives_up(who, late, "2026-10-08T08:00", staff, "They called at 6 a.m.; we forgot")
    assert (done.state, done.end_reason) == ("cancelled", "They called at 6 a.m.; we forgot")


def test_a_time_the_restriction_held_is_still_the_haulers_to_move():
    who = hauler()
    booking = book(who, session("2026-10-06T07:00", 600))
    restrict_plant(world.plant(), "operational_problem", by=world.staff("director"), at=world.at("2026-10-06T06:30"),
                   law=world.law())  # fmt: skip
    db.session.commit()
    assert code(goes_elsewhere(who, booking, "2026-10-06T08:00")) == "booked B-1006-01"


def test_the_pages_say_that_a_time_has_begun_and_what_is_no_no_show(app, clock_at):
    clock_at("2026-10-06T07:30")
    who = hauler()
    booking, later = book(who, session("2026-10-06T07:00", 600)), book(who, session("2026-10-06T09:00", 600))
    own, desk = app.test_client(), app.test_client()
    world.sign_in(own, who.email), world.sign_in(desk, "operator")
    page = own.get("/bayfield/hauler/bookings/B-1006-01").get_data(as_text=True)
    assert ("Its time has begun. To cancel or move it, call the plant" in page, "/cancel" in page) == (True, False)
    assert "/cancel" in own.get(f"/bayfield/hauler/bookings/{later.number}").get_data(as_text=True)
    for path in ("hauler/bookings/B-1006-01/cancel", "bookings/B-1006-01/move", "bookings/B-1006-01/move/times"):
        page = own.get(f"/bayfield/{path}").get_data(as_text=True)
        assert "The time of booking B-1006-01 began Tuesday, October 6, 2026, 7:00 a.m." in page, path
    assert "<h1>Cancel this booking?</h1>" in desk.get("/bayfield/plant/bookings/B-1006-01/cancel").get_data(
        as_text=True)  # fmt: skip
    gives_up(who, booking, "2026-10-06T07:30", world.staff("operator"))
    page = desk.get("/bayfield/plant/bookings/B-1006-01/no-show").get_data(as_text=True)
    assert "Booking B-1006-01 is not waited for any more: cancelled." in page
    assert ">Nobody came<" not in page
    page = desk.get(f"/bayfield/plant/bookings/{later.number}/no-show").get_data(as_text=True)
    assert f"The time of booking {later.number} begins Tuesday, October 6, 2026, 9:00 a.m." in page
    page = desk.get(f"/bayfield/plant/bookings/{later.number}/came").get_data(as_text=True)
    assert f"Booking {later.number} is not recorded as a no-show." in page


def test_staff_cancel_a_time_of_yesterday_on_the_page_with_a_reason(app, clock_at):
    clock_at("2026-10-07T07:30")
    who = hauler()
    booking = book(who, session("2026-10-06T07:00", 600))
    desk = app.test_client()
    world.sign_in(desk, "operator")
    path = f"/bayfield/plant/bookings/{booking.number}/cancel"
    assert path in desk.get(f"/bayfield/plant/bookings/{booking.number}").get_data(as_text=True)
    answer = desk.post(path, data={"once": uuid4().hex, "reason": ""})
    assert (answer.status_code, "Enter why it is cancelled: its time is over" in answer.get_data(as_text=True)) == (
        422, True)  # fmt: skip
    assert desk.post(path, data={"once": uuid4().hex, "reason": "They called"}).status_code == 303
    assert bookings.view(booking, LATE).booking.end_reason == "They called"


SCOPES = [{}, {"scope": "rate", "gph": 300}, {"scope": "types", "wastes": ("septic_tank",)}, {"scope": "points"}]


@pytest.mark.parametrize("more", SCOPES)
def test_taken_back_while_a_restriction_meets_the_next_morning_it_is_on_hold(more):
    who = hauler()
    booking = book(who, [session("2026-10-06T08:00", 600), session("2026-10-07T07:00", 600)])
    said(record_no_show, booking, at=world.at("2026-10-06T08:00"))
    if more.get("scope") == "points":
        more = more | {"points": (bookings.first_point(world.plant().id).id,)}
    at = world.at("2026-10-06T09:10")
    row = restrict_plant(world.plant(), "operational_problem", planning_end=world.at("2026-10-07T10:00"),
                         by=world.staff("director"), at=at, law=world.law(), **more)  # fmt: skip
    db.session.commit()
    assert said(undo_no_show, booking, at=world.at("2026-10-06T09:30")).state == "booked"
    assert bookings.view(booking, world.at("2026-10-06T09:30")).state == "held"
    assert told("booking_stands") == []
    notice = db.session.scalars(select(Notice).where(Notice.kind == "booking_held")).one()
    assert notice.subject == "On hold: Tue, Oct 6, 8:00 a.m. and Wed, Oct 7, 7:00 a.m., 1,200 gallons (B-1006-01)"
    assert ("The record that no truck came is taken back, so the booking stands again, but a restriction holds it. "
            "Do not bring this load. It keeps its place; we will write when the restriction is "
            "lifted.") in notice.body  # fmt: skip
    lift_restriction(world.plant(), row.id, "Mended", by=world.staff("director"), at=world.at("2026-10-07T08:00"),
                     law=world.law())  # fmt: skip
    db.session.commit()
    assert bookings.view(booking, world.at("2026-10-07T08:00")).state == "missed"
    assert (check_capacity(), verify()) == ([], [])


def test_the_desk_reads_that_it_is_on_hold(app, clock_at):
    clock_at("2026-10-06T07:30")
    who = hauler()
    booking = book(who, session("2026-10-06T07:00", 1_000))
    said(record_no_show, booking)
    restrict_plant(world.plant(), "operational_problem", by=world.staff("director"), at=LATE, law=world.law())
    db.session.commit()
    desk = app.test_client()
    world.sign_in(desk, "operator")
    answer = desk.post(f"/bayfield/plant/bookings/{booking.number}/came", data={"once": uuid4().hex},
                       follow_redirects=True)  # fmt: skip
    page = answer.get_data(as_text=True)
    assert f"Booking {booking.number} stands again, held by a restriction." in page
