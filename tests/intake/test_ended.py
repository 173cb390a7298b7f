"""A booking whose ticket is void: it stands as booked, or ends with a reason where its room is gone."""

import pytest
from sqlalchemy import select

from intake.actions.closures import close_day
from intake.actions.station import void_load
from office.db import db
from office.notices import Notice
from tests import world
from tests.intake.gatehouse import booked, good, kept, log
from tests.intake.plant import TUESDAY, book, hauler, session

pytestmark = pytest.mark.usefixtures("app")


def void(load) -> None:
    at = world.at("2026-10-06T07:20")
    good(kept(void_load(load, "Typed twice", by=world.staff("operator"), at=at, law=world.law())))


def logged():
    """A booking of Tuesday at 7:00 whose load is open."""
    who = hauler()
    mine = booked(book(who, session("2026-10-06T07:00", 600)))
    return mine, good(log(who, 600, booking=mine))


def test_a_booking_stands_again_when_its_ticket_is_void():
    mine, load = logged()
    void(load)
    db.session.refresh(mine)
    assert (mine.state, mine.end_reason) == ("booked", None)


def test_a_booking_ends_with_its_void_ticket_where_the_day_was_closed_meanwhile():
    mine, load = logged()
    at = world.at("2026-10-06T07:10")
    good(kept(close_day(world.plant(), TUESDAY, "Pump work", by=world.staff("manager"), at=at, law=world.law())))
    void(load)
    db.session.refresh(mine)
    why = f"Ticket {load.ticket} is void, and the room of its booking is taken or closed."
    assert (mine.state, mine.end_reason) == ("cancelled", why)
    told = db.session.scalars(select(Notice).filter_by(kind="booking_ended")).one()
    assert told.subject == "Cancelled by the plant: Tue, Oct 6, 7:00 a.m. (B-1006-01)"
    assert told.body.startswith(why)
