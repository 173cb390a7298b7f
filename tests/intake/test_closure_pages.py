"""Pages of the closure calendar: what a change meets is shown before, the year lists who did what and when."""

import re
from datetime import date, time, timedelta
from uuid import uuid4

import pytest

from intake.actions.closures import close_day
from intake.queries.gate import may_discharge
from intake.queries.loads import overdue
from intake.queries.lost_times import lost_times
from office.plants import closure_days
from tests import world
from tests.intake.gatehouse import good, log
from tests.intake.plant import MORNING, THURSDAY, TUESDAY, WEDNESDAY, book, hauler, queries, session
from tests.intake.test_closures import PUMP, THANKSGIVING, done, row_of

pytestmark = pytest.mark.usefixtures("app")


@pytest.fixture
def client(app, clock_at):
    clock_at("2026-10-05T16:00")
    made = app.test_client()
    world.sign_in(made, "manager")
    return made


def text(answer) -> str:
    return str(answer.get_data(as_text=True))


def post(client, path, **data):
    return client.post(f"/bayfield{path}", data={"once": uuid4().hex} | data)


def day_data(client, path="/director/close", month="10", day="7", year="2026", **more):
    boxes = re.findall(r'name="(day[^"]*)"', text(client.get(f"/bayfield{path}")))
    return dict(zip(boxes, (month, day, year), strict=True)) | {"name": PUMP, "kind": "closed"} | more


def test_the_page_shows_what_a_closure_meets_before_and_does_just_that(client):
    book(hauler(), session("2026-10-07T07:00", 300))
    data = day_data(client)
    page = post(client, "/director/close", **data)
    shown = text(page)
    assert (page.status_code, "1 booking would lose its time" in shown, "Test Pumping" in shown) == (422, True, True)
    assert "Tick the box to go on, or change the day" in shown
    seen = re.findall(r'name="seen" value="([^"]+)"', shown)[0]
    book(hauler("Second Pumping", number=2), session("2026-10-07T09:00", 300))
    again = post(client, "/director/close", **data, seen=seen, sure="1")
    assert (again.status_code, "2 bookings would lose their time" in text(again)) == (422, True)
    seen = re.findall(r'name="seen" value="([^"]+)"', text(again))[0]
    answer = post(client, "/director/close", **data, seen=seen, sure="1")
    assert answer.status_code == 303
    assert "Put there by" in text(client.get(answer.location))
    assert row_of(WEDNESDAY).name == PUMP


def test_the_schedule_lists_a_year_by_month_with_who_and_when_and_what_was_taken_off(client):
    row = done(close_day, WEDNESDAY, PUMP, shut=(time(8), time(9)))
    page = text(client.get("/bayfield/director/schedule?year=2026"))
    assert "Closed 8:00 a.m. to 9:00 a.m." in page
    assert "Manager of the City, Monday, October 5, 2026, 4:00 p.m." in page
    assert "Thanksgiving Day" in page
    assert "Martin Luther King" not in page
    path = f"/director/closures/{row.id}/remove"
    assert "Enter why the day is taken off the calendar" in text(post(client, path, reason=""))
    assert post(client, path, reason="Pump came early").status_code == 303
    page = text(client.get("/bayfield/director/schedule?year=2026"))
    assert ("Taken off" in page, "Pump came early." in page) == (True, True)


def test_a_day_is_changed_on_its_own_page_with_its_history(client):
    row = done(close_day, WEDNESDAY, PUMP)
    path = f"/director/closures/{row.id}"
    assert f'value="{PUMP}"' in text(client.get(f"/bayfield{path}"))
    data = day_data(client, path, day="8") | {"name": "Pump still out"}
    assert post(client, path, **data).status_code == 303
    page = text(client.get(f"/bayfield{path}"))
    assert re.findall(r"<b>(Put on the calendar|Changed)</b>", page) == ["Put on the calendar", "Changed"]
    first = closure_days(world.plant().id, 2026)[0]
    assert (first.day, first.name) == (THURSDAY, "Pump still out")


def test_the_page_of_taking_a_day_off_says_what_the_day_will_be(client):
    row = done(close_day, THANKSGIVING, "Operator on duty", "opened")
    page = text(client.get(f"/bayfield/director/closures/{row.id}/remove"))
    will = "Thursday, November 26, 2026 will be the holiday Thanksgiving Day again: the plant is closed."
    assert f"<p>Opened: Operator on duty. Without it {will}</p>" in page
    assert "the holiday Thanksgiving Day" in text(client.get(f"/bayfield/director/closures/{row.id}"))
    shut = done(close_day, WEDNESDAY, PUMP)
    page = text(client.get(f"/bayfield/director/closures/{shut.id}/remove"))
    assert "Without it Wednesday, October 7, 2026 will be open, 7:00 to 10:00 a.m.</p>" in page
    answer = post(client, f"/director/closures/{row.id}/remove", reason="Nobody on duty")
    assert will in text(client.get(answer.location))


def test_half_a_time_is_asked_for_at_its_field(client):
    answer = post(client, "/director/close", **day_data(client, shut_from="8:00 a.m."))
    assert (answer.status_code, text(answer).count("Enter both times, or leave both empty for the whole day")) == (
        422, 2,
    )  # fmt: skip


def test_each_wrong_line_of_holidays_is_named_and_nothing_is_taken(client):
    lines = "May 31, 2027 Memorial Day\nLabor Day\n2027-13-01 Nothing\nMay 31, 2027 Again"
    page = text(post(client, "/director/holidays", days=lines))
    assert [n for n in (1, 2, 3, 4) if f"Line {n}:" in page] == [2, 3, 4]
    assert len(closure_days(world.plant().id, 2027)) == 2
    assert post(client, "/director/holidays", days="May 31, 2027 Memorial Day").status_code == 303
    assert len(closure_days(world.plant().id, 2027)) == 3


def test_the_schedule_takes_the_same_queries_however_many_days_are_listed(client):
    client.get("/bayfield/director/schedule")
    with queries() as few:
        client.get("/bayfield/director/schedule")
    for n in range(12):
        done(close_day, date(2026, 11, 2) + timedelta(days=n), PUMP)
    client.get("/bayfield/director/schedule")
    with queries() as many:
        client.get("/bayfield/director/schedule")
    assert [len([one for one in several if one.startswith("SELECT")]) for several in (few, many)] == [8, 8]


def test_the_plant_sees_whom_to_call_and_who_has_booked_since(client):
    who, other = hauler(), hauler("Second Pumping", number=2)
    book(who, session("2026-10-07T07:00", 300))
    book(other, session("2026-10-07T09:00", 300))
    done(close_day, WEDNESDAY, PUMP)
    book(other, session("2026-10-08T09:00", 300), at=MORNING + timedelta(minutes=5))
    rows = lost_times(world.plant(), MORNING + timedelta(minutes=6))
    assert [(one.booking.number, one.hauler, one.phone, one.since) for one in rows] == [
        ("B-1007-01", "Test Pumping", "715-555-0199", ()),
        ("B-1007-02", "Second Pumping", "715-555-0199", ("B-1008-01",)),
    ]  # fmt: skip
    assert "1 booking lost its time" in text(client.get("/bayfield/director"))
    page = text(client.get("/bayfield/director/lost"))
    assert ("B-1007-01" in page, "Nothing yet" in page, "B-1008-01" in page) == (True, True, True)
    assert lost_times(world.plant(), world.at("2026-10-22T08:00")) == []


def test_the_list_of_lost_times_takes_the_same_queries_however_many_there_are(client):
    who, other = hauler(), hauler("Second Pumping", number=2)
    book(who, session("2026-10-07T07:00", 300))
    done(close_day, WEDNESDAY, PUMP)
    client.get("/bayfield/director/lost")
    with queries() as few:
        client.get("/bayfield/director/lost")
    for n in range(4):
        book(other, session(f"2026-10-08T0{7 + n // 2}:{30 * (n % 2):02d}", 300), at=MORNING + timedelta(minutes=1))
    done(close_day, THURSDAY, PUMP, at=MORNING + timedelta(minutes=2))
    client.get("/bayfield/director/lost")
    with queries() as many:
        client.get("/bayfield/director/lost")
    assert len(lost_times(world.plant(), MORNING + timedelta(minutes=3))) == 5
    assert [len([one for one in several if one.startswith("SELECT")]) for several in (few, many)] == [6, 6]


def test_ten_days_without_jobs_leave_the_calendar_and_what_is_due_to_the_minute(client, clock_at):
    """No job opens, closes or lifts anything: what the page and the gate say follows from the clock alone."""
    who = hauler()
    load = good(log(who, 300, "2026-10-05T08:00"))
    done(close_day, date(2026, 10, 15), PUMP, shut=(time(8), time(9)))
    done(close_day, TUESDAY, PUMP)
    assert load.record_due == world.at("2026-10-07T23:59:59")
    seen = []
    for moment in ("2026-10-15T07:59", "2026-10-15T08:00", "2026-10-15T08:59", "2026-10-15T09:00"):
        clock_at(moment)
        seen.append((text(client.get("/bayfield/status.txt")).split(": ")[1].split(". ")[0], gate(who, moment)))
    assert seen == [
        ("Open until 10:00 a.m", "may_unload"), ("Closed until 9:00 a.m", "closed"),
        ("Closed until 9:00 a.m", "closed"), ("Open until 10:00 a.m", "may_unload"),
    ]  # fmt: skip
    assert [one.ticket for one in overdue(world.plant().id, world.at("2026-10-15T08:00"))] == [load.ticket]


def gate(who, moment):
    at = world.at(moment)
    return may_discharge(world.plant(), world.law(at.date()), at, business_id=who.business_id, truck_id=who.truck_id,
                         waste="septic_tank").code  # fmt: skip


def test_another_plants_closure_is_not_found(client):
    assert client.get("/bayfield/director/closures/9999").status_code == 404
