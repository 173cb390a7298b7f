"""A truck turned away gives back the room of every morning of its booking: it is offered at once to who waits."""

import pytest
from sqlalchemy import select

from intake.actions.booking import cancel_booking
from intake.actions.waiting import answer_offer, ask_to_wait
from intake.models import Load, RoomOffer
from intake.queries.checks import check_capacity
from office import jobs
from office.db import db
from office.notices import Notice
from tests import world
from tests.intake.gatehouse import booked, good, kept, refuse
from tests.intake.offline import body, device, enrolled, send
from tests.intake.plant import MORNING, TUESDAY, WEDNESDAY, book, hauler, session

pytestmark = pytest.mark.usefixtures("app")


def full():
    """A hauler with all of Tuesday and Wednesday, and its booking."""
    who = hauler("Full Pumping", number=9)
    return who, booked(book(who, [session("2026-10-06T07:00", 1_998), session("2026-10-07T07:00", 1_998)]))


def wait(who, day, gallons=900, at=MORNING):
    return good(kept(ask_to_wait(world.plant(), who.business_id, who.truck_id, "septic_tank", gallons, day, day,
                                 by=who.by, at=at, law=world.law())))  # fmt: skip


def offers():
    return [(one.wait_id, one.starts) for one in db.session.scalars(select(RoomOffer).order_by(RoomOffer.id))]


def told():
    return [one.subject for one in db.session.scalars(select(Notice).filter_by(kind="waiting_offer"))]


def test_each_morning_is_offered_to_the_first_who_waits_for_it():
    first, second = hauler(), hauler("Second Pumping", number=2)
    who, mine = full()
    one, other = wait(first, TUESDAY), wait(second, WEDNESDAY)
    good(refuse(who, "2026-10-06T07:05", booking=mine))
    assert offers() == [(one.id, world.at("2026-10-06T07:06")), (other.id, world.at("2026-10-07T07:00"))]
    assert len(told()) == 2
    assert check_capacity() == []


def test_who_passed_an_earlier_offer_of_that_day_is_asked_again():
    first = hauler()
    early = hauler("Early Pumping", number=3)
    who = hauler("Full Pumping", number=9)
    gives = booked(book(early, session("2026-10-06T09:00", 600)))
    mine = booked(book(who, session("2026-10-06T07:00", 1_332)))
    one = wait(first, TUESDAY, 600)
    good(kept(cancel_booking(world.plant(), gives.id, "", by=early.by, at=MORNING, law=world.law())))
    [offer] = db.session.scalars(select(RoomOffer))
    good(kept(answer_offer(world.plant(), offer.id, False, by=first.by, at=MORNING, law=world.law())))
    good(refuse(who, "2026-10-06T06:50", booking=mine))
    assert [wait_id for wait_id, _ in offers()] == [one.id, one.id]


def test_a_truck_without_a_booking_offers_nothing():
    first = hauler()
    full()
    wait(first, TUESDAY)
    good(refuse(None, "2026-10-06T07:05", business_name="Stranger Pumping", plate="X-9"))
    assert offers() == []


def test_without_network_it_is_offered_when_the_tablet_tells_it(app, clock_at):
    clock_at("2026-10-06T07:30")
    enrolled()
    first = hauler()
    who, mine = full()
    one = wait(first, WEDNESDAY)
    fields = {"reason_code": "field_test", "reason": "Smells of solvent", "driver": "Ann"}
    sent = body(who, at="2026-10-06T07:10", count=1, now="2026-10-06T07:30", visit={"booking": mine.number}) | {
        "kind": "refusal", "fields": [[name, value] for name, value in fields.items()]}  # fmt: skip
    assert send(device(app), sent)["state"] == "taken"
    assert db.session.scalars(select(Load)).one().booking_id == mine.id
    assert offers() == [(one.id, world.at("2026-10-07T07:00"))]


def test_the_job_finds_nothing_left_to_offer():
    first = hauler()
    who, mine = full()
    wait(first, TUESDAY)
    good(refuse(who, "2026-10-06T07:05", booking=mine))
    before = offers()
    jobs.tick(world.at("2026-10-06T07:06"))
    assert offers() == before
