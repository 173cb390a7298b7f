"""Restrictions by point or by type that together leave nothing: everybody is told so, as the gate answers (B(3))."""

import random

import pytest

from intake.actions.restriction import lift_restriction, restrict_plant
from intake.queries import station as board
from intake.queries.gate import may_discharge
from intake.queries.public import plant_status
from tests import world
from tests.intake.gatehouse import good, kept, log
from tests.intake.plant import TUESDAY, book, code, hauler, session
from tests.intake.test_points import manhole, permit, set_to, station
from tests.intake.test_points_pages import second
from tests.intake.test_public_agrees import Said

pytestmark = pytest.mark.usefixtures("app")
AT = world.at("2026-10-06T07:10")
WASTES = ("septic_tank", "holding_tank", "portable_toilet")


def restrict(at="2026-10-06T07:00", **more):
    return good(kept(restrict_plant(world.plant(), "maintenance_problem", by=world.staff("director"),
                                    at=world.at(at), law=world.law(), **more)))  # fmt: skip


def gate(who, booking=None, waste="septic_tank"):
    return may_discharge(world.plant(), world.law(), AT, business_id=who.business_id, truck_id=who.truck_id,
                         waste=waste, booking=booking)  # fmt: skip


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


def only(point, *wastes):
    good(set_to(point, TUESDAY, wastes=wastes))


@pytest.mark.parametrize("how", ["the other closed", "the other shut", "the other for what is stopped too"])
def test_one_station_for_only_what_is_stopped_and_nothing_at_the_other_is_restricted_to_all(app, clock_at, how):
    """No restriction names everything, and the manager has closed no more than one."""
    who, other = hauler(wastes=WASTES), second()
    only(station(), "septic_tank")
    if how == "the other closed":
        good(set_to(other, TUESDAY, is_open=False))
    if how == "the other shut":
        restrict(scope="points", points=(other.id,))
    if how == "the other for what is stopped too":
        only(other, "septic_tank", "holding_tank")
    restrict("2026-10-06T07:05", scope="types", wastes=("septic_tank", "holding_tank"))
    clock_at("2026-10-06T07:10")
    said = Said(app)
    assert (said.headline, said.json["state"], said.json["accepting"], said.json["since"]) == (
        "Restricted since 7:05 a.m.", "restricted", False, "2026-10-06T07:05-05:00")  # fmt: skip
    assert said.json["lines"][0] == "No septage is being accepted. Reason: a maintenance problem related to septage."
    assert (said.json["gallons_left"], said.json["largest_load"], said.json["next_free"]) == (
        0, 0, "2026-10-08T07:00-05:00")  # fmt: skip
    assert "gallons left today" not in said.line
    assert "No receiving point" not in said.page
    assert "<b>0</b> <span>gallons left today" in said.page
    assert [gate(who, waste=one).ok for one in WASTES] == [False] * 3
    assert board.today(world.plant(), world.law(), AT).restricted


def test_since_the_point_that_still_took_something_was_closed(app, clock_at):
    other = second()
    only(station(), "septic_tank")
    restrict(scope="types", wastes=("septic_tank",))
    good(set_to(other, TUESDAY, at=world.at("2026-10-06T07:08"), is_open=False))
    clock_at("2026-10-06T07:10")
    assert (Said(app).headline, Said(app).json["since"]) == ("Restricted since 7:00 a.m.", "2026-10-06T07:08-05:00")


def test_a_waste_whose_only_station_is_shut_is_restricted_while_the_rest_is_open():
    who, other = hauler(wastes=WASTES), second()
    only(other, "holding_tank")
    restrict(scope="points", points=(station().id,))
    answer = gate(who)
    assert (answer.ok, answer.code, answer.sentence) == (False, "restricted", (
        "Do not accept: no receiving point takes septic tank waste since 7:00 a.m. because of a maintenance problem "
        "related to septage."))  # fmt: skip
    assert (gate(who, waste="holding_tank").ok, public().state, public().facts.accepting) == (True, "open", True)
    assert code(log(who, 300, "2026-10-06T07:10")) == "restricted"


def test_with_everything_shut_since_the_one_that_left_nothing():
    mine, other = station(), second()
    restrict("2026-10-06T07:00", scope="points", points=(mine.id,))
    restrict("2026-10-06T07:03", scope="points", points=(other.id,))
    restrict("2026-10-06T07:06", scope="types", wastes=("holding_tank",))
    assert public().headline == "Restricted since 7:03 a.m."


@pytest.mark.parametrize("seed", range(12))
def test_the_public_page_accepts_exactly_what_the_gate_takes_of_somebody(seed):
    """Two stations as the lot sets them, beside restrictions of some types and points as it puts them."""
    dice, who, points = random.Random(seed), hauler(wastes=WASTES), (station(), second())
    for point in points:
        taken = dice.choice([(), (), ("septic_tank",), ("holding_tank", "portable_toilet"), ("grease_interceptor",)])
        good(set_to(point, TUESDAY, is_open=dice.random() < 0.7, wastes=taken))
    for scope, minute in zip(dice.sample(["types", "points", "types"], dice.randint(1, 3)), (1, 2, 3), strict=False):
        wastes = tuple(dice.sample(WASTES, dice.randint(1, 3))) if scope == "types" else ()
        shut = (dice.choice(points).id,) if scope == "points" else ()
        kept(restrict_plant(world.plant(), "maintenance_problem", by=world.staff("director"), law=world.law(),
                            at=world.at(f"2026-10-06T07:0{minute}"), scope=scope, wastes=wastes, points=shut)
             )  # fmt: skip
    said, taken = public(), [one for one in WASTES if gate(who, waste=one).ok]
    assert (said.facts.accepting, said.largest > 0, said.gallons_left > 0) == (bool(taken),) * 3
    starts = zip(WASTES, ("08:00", "08:30", "09:00"), strict=True)
    answers = [(one, code(book(who, session(f"2026-10-06T{start}", 100), at=AT, waste=one))) for one, start in starts]
    assert [one for one, answer in answers if answer.startswith("booked")] == taken
