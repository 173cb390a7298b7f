"""Pages of the receiving points, and where bookings name them (§ 329-7 C(1), D)."""

import html
import re
from datetime import date, time
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import select

from intake.actions.flow import open_point
from intake.models import Booking, ManholePermission, PlannedSession, PointTerms
from intake.queries.bookings import view
from office.access import system
from office.db import db
from office.notices import Notice
from tests import world
from tests.intake.plant import Hauler, book, hauler, queries, session
from tests.intake.test_booking_pages import address
from tests.intake.test_points import manhole, permit, set_to, station

NOW = "2026-10-05T16:00"


def text(answer: Any) -> str:
    """The words of a page, its marks and long blanks left out."""
    words = re.sub(r"<(script|style).*?</\1>|<[^>]+>", " ", answer.get_data(as_text=True), flags=re.S)
    return " ".join(html.unescape(words).split())


def send(client: Any, path: str, **data: Any) -> Any:
    return client.post(path, data={"once": uuid4().hex} | data)


TERMS = {
    "since-month": "10", "since-day": "6", "since-year": "2026", "name": "Receiving station", "state": "open",
    "opens": "7:30 a.m.", "closes": "", "trucks": "1", "max_gph": "", "changeover": "10", "conditions": "Hose of 4 in.",
    "wastes": ["septic_tank", "holding_tank", "portable_toilet", "grease_interceptor", "other"],
}  # fmt: skip


@pytest.fixture
def who(app, clock_at) -> Hauler:
    clock_at(NOW)
    return hauler()


@pytest.fixture
def manager(app, who) -> Any:
    client = app.test_client()
    world.sign_in(client, "manager")
    return client


@pytest.fixture
def client(app, who) -> Any:
    made = app.test_client()
    world.sign_in(made, who.email)
    return made


def second(name: str = "Lagoon") -> Any:
    made: Any = open_point(world.plant(), name, by=system(), at=world.START)
    db.session.commit()
    return made


def test_manager_sets_a_point_and_its_page_says_since_when_and_by_whom(manager):
    path = f"/bayfield/director/points/{station().id}"
    answer = send(manager, path, **TERMS)
    assert (answer.status_code, answer.location) == (303, path)
    page = text(manager.get(path))
    assert "Receiving station is set from Tuesday, October 6, 2026." in page
    assert "From 7:30 a.m., 1 truck at once, 10 minutes between two trucks" in page
    row = db.session.scalars(select(PointTerms)).one()
    assert (row.opens, row.closes, row.trucks, row.max_gph, row.changeover, row.wastes) == (
        "07:30",
        None,
        1,
        None,
        10,
        [],
    )
    assert (row.set_by, row.conditions, row.since) == ("Manager of the City", "Hose of 4 in.", date(2026, 10, 6))


def test_bookings_that_no_longer_fit_are_shown_first_and_end_only_when_ticked(manager, who):
    made: Any = book(who, session("2026-10-06T07:00", 300), at=world.at("2026-10-05T15:00"))
    path = f"/bayfield/director/points/{station().id}"
    first = send(manager, path, **TERMS)
    shown = text(first)
    assert (first.status_code, "1 booking would lose its time" in shown, "B-1006-01" in shown) == (422, True, True)
    assert "Tick the box to take these times away, or change the point" in shown
    db.session.refresh(made)
    assert (made.state, db.session.scalars(select(PointTerms)).all()) == ("booked", [])
    # Ticked without having seen them it is only shown again.
    assert send(manager, path, **TERMS, sure="1").status_code == 422
    done = send(manager, path, **TERMS, sure="1", seen="B-1006-01")
    assert done.status_code == 303
    assert "1 booking lost its time, and its hauler is told." in text(manager.get(path))
    assert view(made, world.at(NOW)).state == "listed"


def test_what_is_wrong_with_the_hours_is_said_at_their_box(manager):
    page = text(send(manager, f"/bayfield/director/points/{station().id}", **TERMS | {"opens": "6:00 a.m."}))
    assert "The hours must lie inside the plant's, 7:00 to 10:00 a.m." in page


def test_director_sees_a_point_and_does_not_set_it(app, who):
    client = app.test_client()
    world.sign_in(client, "director")
    path = f"/bayfield/director/points/{station().id}"
    assert "Only the plant manager sets it." in text(client.get(path))
    assert send(client, path, **TERMS).status_code == 403


def test_point_of_another_number_is_not_found(manager):
    assert manager.get("/bayfield/director/points/99999").status_code == 404


def test_manhole_is_approved_in_writing_and_taken_back_on_its_page(manager, who):
    point = manhole()
    path = f"/bayfield/director/points/{point.id}"
    assert "None: no truck may unload here." in text(manager.get(path))
    answer = send(manager, f"{path}/approve", **{
        "hauler": str(who.business_id), "words": "During the flushing of Third Street.",
        "written_on-month": "10", "written_on-day": "5", "written_on-year": "2026",
        "since-month": "10", "since-day": "6", "since-year": "2026",
        "until-month": "10", "until-day": "8", "until-year": "2026",
    })  # fmt: skip
    assert (answer.status_code, answer.location) == (303, path)
    page = text(manager.get(path))
    assert "Test Pumping During the flushing of Third Street." in page
    assert "Written October 5, 2026, by Manager of the City, Plant manager. From October 6, 2026 on." in page
    row = db.session.scalars(select(ManholePermission)).one()
    end = f"/bayfield/director/points/approvals/{row.id}/end"
    assert send(manager, end, reason="Flushed").status_code == 303
    assert "The approval is taken back." in text(manager.get(path))
    assert [one.kind for one in db.session.scalars(select(Notice).order_by(Notice.id))][-2:] == [
        "manhole_permitted", "manhole_ended"]  # fmt: skip


def test_times_name_the_point_and_the_check_page_its_conditions(client, who):
    set_to(station(), trucks=1, max_gph=300, conditions="Hose of 4 in.", at=world.at("2026-10-05T10:00"))
    lagoon = second()
    page = text(client.get(address("times", truck=who.truck_id, gallons=600, waste="septic_tank")))
    assert "655 gallons an hour, Lagoon" in page
    key = f"20261006T1200-20261006T1255-655-600-{lagoon.id}"
    check = address("check", truck=who.truck_id, gallons=600, waste="septic_tank", s=key)
    assert "Where Lagoon" in text(client.get(check))
    assert send(client, check).status_code == 303
    assert db.session.scalars(select(PlannedSession.point_id)).one() == lagoon.id
    assert "Where Lagoon" in text(client.get("/bayfield/hauler/booked/B-1006-01"))
    told = db.session.scalars(select(Notice).filter_by(kind="booking_booked")).one()
    assert "Tuesday, October 6, 2026, 7:00 to 7:55 a.m., Lagoon: 600 gallons at 655 gallons an hour." in told.body
    only = client.get(address("times", truck=who.truck_id, gallons=600, waste="septic_tank", point=station().id))
    assert "300 gallons an hour, Receiving station" in text(only)


def test_one_point_without_conditions_is_named_nowhere_and_with_them_on_check_and_slip(client, who):
    key = "20261006T1200-20261006T1255-655-600"
    check = address("check", truck=who.truck_id, gallons=600, waste="septic_tank", s=key)
    assert "Where" not in text(client.get(check))
    set_to(station(), conditions="Hose of 4 in.", at=world.at("2026-10-05T10:00"))
    assert "Where Receiving station Hose of 4 in." in text(client.get(check))
    send(client, check)
    assert "Where Receiving station Hose of 4 in." in text(client.get("/bayfield/hauler/bookings/B-1006-01"))


def test_where_is_asked_only_when_there_is_something_to_choose(client, who):
    book_page = "/bayfield/hauler/book"
    assert "Where?" not in text(client.get(book_page))
    point = manhole()
    assert "Where?" not in text(client.get(book_page))
    permit(point, who)
    page = text(client.get(book_page))
    assert ("Where?" in page, "Manhole at Third Street" in page) == (True, True)
    answer = send(client, book_page, truck=str(who.truck_id), gallons="600", waste="septic_tank", where=str(point.id))
    assert f"point={point.id}" in answer.location
    assert "655 gallons an hour, Manhole at Third Street" in text(client.get(answer.location))


def test_point_that_takes_none_of_this_waste_says_so_before_any_time_is_shown(client, who):
    set_to(station(), wastes=("holding_tank",), at=world.at("2026-10-05T10:00"))
    page = text(client.get(address("times", truck=who.truck_id, gallons=600, waste="septic_tank")))
    assert "No receiving point takes septic tank waste on Tuesday, October 6, 2026." in page


def test_list_of_points_costs_the_same_queries_however_many(manager, who):
    counts = []
    for n in range(3):
        second(f"Point {n}")
        manager.get("/bayfield/director/points")
        with queries() as seen:
            manager.get("/bayfield/director/points")
        counts.append(len([one for one in seen if one.startswith("SELECT")]))
    assert counts == [3] * 3


def test_staff_and_hauler_see_a_booking_whose_point_has_other_hours_now(client, who):
    made: Any = book(who, session("2026-10-06T08:00", 300), at=world.at("2026-10-05T15:00"))
    set_to(station(), opens=time(7, 30), at=world.at("2026-10-05T15:30"))
    assert isinstance(made, Booking)
    assert client.get("/bayfield/hauler/bookings/B-1006-01").status_code == 200
