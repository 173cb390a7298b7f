"""A booking that a restriction holds and that then loses its time: it is lost, and nothing moves it (§ 329-7 B(3))."""

from uuid import uuid4

import pytest
from sqlalchemy import select

from intake.actions.closures import close_day
from intake.actions.moving import move_booking
from intake.actions.restriction import lift_restriction, restrict_plant
from intake.models import Hold
from intake.queries import bookings
from intake.queries.checks import check_capacity
from intake.queries.gate import may_discharge
from office.db import db
from office.notices import Notice
from office.verify import verify
from tests import world
from tests.intake.gatehouse import booked, good, kept
from tests.intake.plant import MORNING, TUESDAY, book, hauler, picture, session

pytestmark = pytest.mark.usefixtures("app")


def restrict(at, until="2026-10-06T10:00", **more):
    return good(kept(restrict_plant(world.plant(), "operational_problem", planning_end=world.at(until), by=director(),
                                    at=at, law=world.law(), **more)))  # fmt: skip


def director():
    return world.staff("director")


def lift(row, at):
    return good(kept(lift_restriction(world.plant(), row.id, "Mended", by=director(), at=at, law=world.law())))


def closed_while_held(who):
    """A booking of Tuesday that is held, whose day is closed then."""
    mine = booked(book(who, session("2026-10-06T07:00", 600)))
    row = restrict(MORNING)
    good(kept(close_day(world.plant(), TUESDAY, "Pump work", by=world.staff("manager"), at=MORNING, law=world.law())))
    return mine, row, MORNING, "listed"


def missed_while_held(who):
    """A booking of Tuesday held by two restrictions, of which one is lifted after its time."""
    mine = booked(book(who, session("2026-10-06T07:00", 600)))
    first, row = restrict(MORNING), restrict(MORNING, "2026-10-07T10:00", scope="types", wastes=("septic_tank",))
    at = world.at("2026-10-06T08:00")
    lift(first, at)
    return mine, row, at, "missed"


@pytest.mark.parametrize("lose", [closed_while_held, missed_while_held])
def test_it_reads_lost_is_not_moved_and_the_gate_says_why(lose):
    who = hauler()
    mine, row, at, lost = lose(who)
    view = bookings.view(mine, at)
    assert (view.state, view.may_end, view.may_move, view.may_change) == (lost, False, False, False)
    answer = move_booking(world.plant(), mine.id, [session("2026-10-08T07:00", 600)], by=who.by, at=at, law=world.law())
    assert (answer.code, answer.next_step) == ("not_kept", "Book another time.")
    db.session.rollback()
    gate = may_discharge(world.plant(), world.law(), at, business_id=who.business_id, truck_id=who.truck_id,
                         waste="septic_tank", booking=mine)  # fmt: skip
    told = len(db.session.scalars(select(Notice)).all())
    lift(row, world.at("2026-10-06T09:00"))
    later = db.session.scalars(select(Notice).order_by(Notice.id)).all()[told:]
    assert bookings.view(mine, world.at("2026-10-06T09:00")).state == lost
    assert not any(mine.number in one.body for one in later)
    assert gate.code in ("restricted", "closed", "booking_lost")
    assert {one.outcome for one in db.session.scalars(select(Hold))} == {lost}
    assert (picture(TUESDAY).taken, check_capacity(), verify()) == ((), [], [])


def test_the_gate_names_the_time_it_lost_before_the_restriction_that_holds_it():
    """Restricted is another waste than the truck is asked about, so that only its booking is wrong."""
    who = hauler()
    mine, _, at, _ = missed_while_held(who)
    gate = may_discharge(world.plant(), world.law(), at, business_id=who.business_id, truck_id=who.truck_id,
                         waste="holding_tank", booking=mine)  # fmt: skip
    assert (gate.code, gate.sentence) == ("booking_lost", f"Booking {mine.number} lost its time to a restriction.")


def test_its_pages_say_that_it_is_lost_and_offer_no_move(app, clock_at):
    clock_at("2026-10-05T16:10")
    who = hauler()
    mine, row, _, _ = closed_while_held(who)
    client = app.test_client()
    world.sign_in(client, who.email)
    page = client.get(f"/bayfield/hauler/bookings/{mine.number}").get_data(as_text=True)
    assert ("Time cannot be kept" in page, "It keeps its place" in page, "Move this booking" in page) == (
        True, False, False)  # fmt: skip
    desk = app.test_client()
    world.sign_in(desk, "director")
    path = f"/bayfield/director/restrictions/{row.id}"
    assert "<td>Time cannot be kept</td>" in desk.get(path).get_data(as_text=True)
    assert "0 bookings are held" in desk.get(f"{path}/lift").get_data(as_text=True)
    assert desk.post(f"{path}/lift", data={"once": uuid4().hex, "done": "Mended"}).status_code == 303
