"""Restrictions by point or by type that together leave nothing: everybody is told so, as the gate answers (B(3))."""

import pytest

from intake.actions.restriction import lift_restriction, restrict_plant
from intake.queries import station as board
from intake.queries.gate import may_discharge
from intake.queries.public import plant_status
from tests import world
from tests.intake.gatehouse import good, kept, log
from tests.intake.plant import TUESDAY, book, code, hauler, session
from tests.intake.test_points import manhole, permit, station
from tests.intake.test_points_pages import second

pytestmark = pytest.mark.usefixtures("app")
AT = world.at("2026-10-06T07:10")
WASTES = ("septic_tank", "holding_tank", "portable_toilet")


def restrict(at="2026-10-06T07:00", **more):
    return good(kept(restrict_plant(world.plant(), "maintenance_problem", by=world.staff("director"),
                                    at=world.at(at), law=world.law(), **more)))  # fmt: skip


def gate(who, booking=None):
    return may_discharge(world.plant(), world.law(), AT, business_id=who.business_id, truck_id=who.truck_id,
                         waste="septic_tank", booking=booking)  # fmt: skip


def public():
    return plant_status(world.plant(), world.law(), AT)


@pytest.fixture(params=["the only station", "both at once", "one after the other", "every type"])
def shut(request, app):
    """Everything is shut in one of four ways, none of which names everything."""
    mine = station()
    if request.param == "every type":
        restrict(scope="types", wastes=WASTES)
        return "septic tank, holding tank and portable toilet waste is not taken"
    points = (mine.id,) if request.param == "the only station" else (mine.id, second().id)
    if request.param == "one after the other":
        restrict("2026-10-06T06:59", scope="points", points=points[:1])
        points = points[1:]
    restrict(scope="points", points=points)
    return "no receiving point takes septage"


def test_the_public_page_the_gate_the_board_and_booking_say_the_same(shut):
    who = hauler()
    said, answer = public(), gate(who)
    assert (said.state, said.headline, said.lines[0], said.facts.accepting) == (
        "restricted", "Restricted since 7:00 a.m.",
        "No septage is being accepted. Reason: a maintenance problem related to septage.", False,
    )  # fmt: skip
    assert (said.gallons_left, said.largest) == (0, 0)
    assert (answer.ok, answer.code, answer.sentence) == (False, "restricted", (
        f"Do not accept: {shut} since 7:00 a.m. because of a maintenance problem related to septage."))  # fmt: skip
    assert board.today(world.plant(), world.law(), AT).restricted
    assert code(book(who, session("2026-10-06T08:30", 300), at=AT)) == "restricted"
    assert code(log(who, 300, "2026-10-06T07:10")) == "restricted"


def test_one_of_two_stations_or_one_type_shut_leaves_the_rest_open():
    second()
    restrict(scope="points", points=(station().id,))
    restrict(scope="types", wastes=("holding_tank",))
    assert (public().state, public().facts.accepting, gate(hauler()).ok) == ("open", True, True)
    assert not board.today(world.plant(), world.law(), AT).restricted


def test_a_lift_of_one_of_two_opens_the_plant_again():
    row, other = restrict(scope="points", points=(station().id,)), second()
    restrict(scope="points", points=(other.id,))
    assert public().state == "restricted"
    good(kept(lift_restriction(world.plant(), row.id, "Mended", by=world.staff("director"), at=AT, law=world.law())))
    assert (public().state, gate(hauler()).ok) == ("open", True)


def test_a_manhole_that_is_permitted_still_takes_its_own_booking():
    who, place = hauler(), manhole()
    permit(place, who)
    restrict("2026-10-05T16:30", scope="points", points=(station().id,))
    one = session("2026-10-06T07:00", 300)
    booking = book(who, type(one)(one.start, one.end, one.gph, one.gallons, place.id), at=world.at("2026-10-05T17:00"))
    assert code(booking) == "booked B-1006-01"
    assert (gate(who, booking).ok, gate(who).ok) == (True, True)
    assert gate(hauler("Second Pumping", number=2)).code == "restricted"
    assert AT.date() == TUESDAY
