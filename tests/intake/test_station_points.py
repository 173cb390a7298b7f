"""At the gate of a plant with several points: the one booked, another that fits, a manhole under supervision (D)."""

from datetime import time
from typing import Any

import pytest
from sqlalchemy import select

from intake.models import Booking, Run
from office.db import db
from tests import world
from tests.intake.gatehouse import good, log, said
from tests.intake.plant import Hauler, book, hauler, session
from tests.intake.test_points import at_point, manhole, permit, set_to, station
from tests.intake.test_points_pages import second, send, text


@pytest.fixture
def who(app) -> Hauler:
    return hauler()


@pytest.fixture
def operator(app, who, clock_at) -> Any:
    clock_at("2026-10-06T07:00")
    client = app.test_client()
    world.sign_in(client, "operator")
    return client


def ran() -> list[tuple[int, str]]:
    return [(one.point_id, one.supervised_by) for one in db.session.scalars(select(Run).order_by(Run.id))]


def booked(who: Hauler, point: Any, gallons: int = 600) -> Booking:
    made = book(who, at_point(session("2026-10-06T07:00", gallons), point))
    assert isinstance(made, Booking)
    return made


def test_booked_load_runs_at_the_point_it_booked(who):
    lagoon = second()
    good(log(who, 600, booking=booked(who, lagoon)))
    assert ran() == [(lagoon.id, "")]


def test_operator_may_send_a_booked_truck_to_another_point_that_fits(who):
    lagoon = second()
    good(log(who, 600, booking=booked(who, lagoon), point_id=station().id))
    assert ran() == [(station().id, "")]


def test_truck_whose_point_is_taken_now_goes_to_the_one_that_is_free(who):
    lagoon = second()
    set_to(lagoon, trucks=1, max_gph=300)
    mine: Any = book(who, at_point(session("2026-10-06T07:00", 100, 300), lagoon))
    other = hauler("Second Pumping", number=2)
    # Somebody not booked stands there when this truck comes late.
    good(log(other, 100, "2026-10-06T07:20", point_id=lagoon.id))
    good(log(who, 100, "2026-10-06T07:30", booking=mine))
    assert [point for point, _ in ran()] == [lagoon.id, station().id]


def test_point_asked_for_that_has_no_room_is_refused_though_another_has(who):
    lagoon = second()
    set_to(lagoon, opens=time(9))
    assert said(log(who, 100, point_id=lagoon.id))[:2] == (
        "not_now", "100 gallons do not fit under the limit now. The first time that fits is 9:00 to 9:10 a.m. at 600 "
        "gallons an hour.")  # fmt: skip


def test_manhole_takes_nothing_without_the_written_approval(who):
    point = manhole()
    assert said(log(who, 100, point_id=point.id, supervised_by="Opal Operator")) == (
        "manhole", "Nothing is unloaded into Manhole at Third Street on Tuesday, October 6, 2026: no written approval "
        "of the Director or the plant manager allows it.", "§ 329-7 D")  # fmt: skip


def test_manhole_takes_nothing_without_supervision_and_names_who_stands_by(who):
    point = manhole()
    permit(point, who)
    mine = booked(who, point)
    why = "Nothing is unloaded into Manhole at Third Street without supervision."
    assert said(log(who, 600, booking=mine)) == ("supervision", why, "§ 329-7 D")
    assert said(log(who, 600, booking=mine, supervised_by="Opal Operator", circumstances=" ")) == (
        "circumstances",
        "Manhole at Third Street is used under special circumstances only.",
        "§ 329-7 C(2)",
    )
    good(log(who, 600, booking=mine, supervised_by=" Opal Operator ", circumstances=" Road closed to the plant "))
    assert ran() == [(point.id, "Opal Operator")]
    assert list(db.session.scalars(select(Run.circumstances))) == ["Road closed to the plant"]


def test_station_keeps_no_name_of_a_supervisor(who):
    good(log(who, 600, supervised_by="Opal Operator"))
    assert ran() == [(station().id, "")]


def test_page_of_the_gate_names_the_point_and_asks_who_stands_by(operator, who):
    point = manhole()
    permit(point, who)
    mine = booked(who, point)
    path = f"/bayfield/station/load?booking={mine.number}"
    page = text(operator.get(path))
    assert "600 gallons run 7:00 to 7:55 a.m. at 655 gallons an hour, Manhole at Third Street." in page
    assert "Who of the plant stands by?" in page
    given = {"driver": "Ann", "waste": "septic_tank", "normal": "yes", "tested": "yes", "gallons": "600", "ph": "6.9",
             "bottle": "4412", "basis": "meter", "client_id": "manhole-0001", "point": str(point.id)}  # fmt: skip
    refused = text(send(operator, path, **given))
    assert (
        "Nothing is unloaded into Manhole at Third Street without supervision. Enter who of the plant stands by."
        in refused
    )
    given["supervised"] = "Opal Operator"
    assert "is used under special circumstances only. Enter what they are." in text(send(operator, path, **given))
    done = send(operator, path, **given, circumstances="Road closed")
    assert done.status_code == 303
    assert "Manhole at Third Street, supervised by Opal Operator: Road closed" in text(operator.get(done.location))


def test_day_of_the_station_says_where_each_truck_is_expected(operator, who):
    lagoon = second()
    mine = booked(who, lagoon)
    assert "7:00 a.m. · 600 gal · Lagoon" in text(operator.get("/bayfield/station"))
    good(log(who, 600, booking=mine))
    assert "655 gallons an hour · 0 of 600 gallons out · Lagoon" in text(operator.get("/bayfield/station"))


def test_one_point_is_not_asked_for_at_the_gate(operator, who):
    made: Any = book(who, session("2026-10-06T07:00", 600))
    page = text(operator.get(f"/bayfield/station/load?booking={made.number}"))
    assert ("Where?" in page, "stands by" in page) == (False, False)
    assert "600 gallons run 7:00 to 7:55 a.m. at 655 gallons an hour." in page
