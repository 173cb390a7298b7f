"""Pages of the flow: a day entered and corrected, a file seen first and taken in whole, what all see of the limit."""

import re
from datetime import date, timedelta
from html import unescape
from io import BytesIO
from uuid import uuid4

import pytest
from sqlalchemy import select

from intake.actions.flow import no_longer_fits, put_flow_in_force
from intake.actions.flow_readings import import_flow
from intake.models import Booking, FlowReading
from intake.queries import bookings
from office.access import system
from office.db import db
from office.notices import Notice
from office.plants import set_plant_row
from tests import world
from tests.intake.plant import MORNING, THURSDAY, TUESDAY, WEDNESDAY, book, hauler, session

NOW = "2026-10-06T08:12"
USUAL = [(date(2026, 9, 1) + timedelta(days=n), 160_000) for n in range(8)]
FILE = "Date,Flow (MGD)\n9/9/2026,0.16\n9/10/2026,8.27\n9/11/2026,NODI: 9\n9/1/2026,0.16\n9/2/2026,0.15\n"


@pytest.fixture(params=["operator"])
def client(app, clock_at, request):
    clock_at(NOW)
    made = app.test_client()
    world.sign_in(made, request.param)
    return made


def as_staff(name):
    return pytest.mark.parametrize("client", [name], indirect=True)


def text(answer):
    return unescape(str(answer.get_data(as_text=True)))


def words(answer):
    return " ".join(re.sub(r"<[^>]+>", " ", text(answer)).split())


def post(client, path, **data):
    return client.post(f"/bayfield{path}", data={"once": uuid4().hex} | data)


def usual():
    import_flow(world.plant(), USUAL, "flow.csv", by=system(), at=world.at(NOW))
    db.session.commit()


def upload(client, content, name="flow.csv", **data):
    content = content.encode() if isinstance(content, str) else content
    return post(client, "/plant/flow/import", file=(BytesIO(content), name), **{"unit": "told", "site": ""} | data)


def sealed(answer):
    return re.findall(r'name="readings" value="([^"]+)"', text(answer))[0]


def recorded():
    db.session.expire_all()
    return [
        (row.day, row.gallons, row.state) for row in db.session.scalars(select(FlowReading).order_by(FlowReading.day))
    ]


def day(month, number, year="2026"):
    return {"day-month": month, "day-day": number, "day-year": year}


@pytest.mark.parametrize(("flow", "unit"), [("162,000", "gallons"), ("0.162", "mgd"), (".162", "mgd")])
def test_an_operator_enters_yesterday_in_gallons_or_million_gallons(client, flow, unit):
    page = text(client.get("/bayfield/plant/flow"))
    assert re.findall(r'name="(day-\w+)" value="(\d+)"', page) == [
        ("day-month", "10"), ("day-day", "5"), ("day-year", "2026")]  # fmt: skip
    done = post(client, "/plant/flow", **day("10", "5"), flow=flow, unit=unit)
    assert (done.status_code, done.location) == (303, "/bayfield/plant/flow/1")
    assert recorded() == [(date(2026, 10, 5), 162_000, "accepted")]
    shown = words(client.get(done.location))
    assert "Monday, October 5, 2026 is recorded." in shown
    assert "Flow 162,000 gallons Now Counts From Entered by hand" in shown


@pytest.mark.parametrize(("flow", "unit", "said"), [
    ("", "gallons", "Enter the flow"),
    ("much", "gallons", "Flow must be a number, like 162,000, or NODI where none was measured"),
    ("much", "mgd", "Flow must be a number, like 0.162, or NODI where none was measured"),
    ("-5", "gallons", "Flow must be 0 or more"),
    ("−0.1", "mgd", "Flow must be 0 or more"),
    ("0.162", "gallons",
     "Flow must be whole gallons, like 162,000. For a figure like 0.162 select million gallons a day"),
    ("0.1620005", "mgd", "Flow must have 6 digits or fewer after the point"),
])  # fmt: skip
def test_a_flow_that_cannot_be_read_is_said_at_its_field_with_what_was_typed(client, flow, unit, said):
    answer = post(client, "/plant/flow", **day("10", "5"), flow=flow, unit=unit)
    assert (answer.status_code, text(answer).count(said)) == (422, 2)
    assert f'name="flow" type="text" value="{flow}"' in re.sub(
        r' (class|id|aria-\S+|inputmode)="[^"]*"', "", text(answer)
    )
    assert recorded() == []


def test_a_recorded_day_entered_again_leads_to_the_page_that_corrects_it(client):
    usual()
    answer = post(client, "/plant/flow", **day("9", "1"), flow="150,000", unit="gallons")
    said = "Tuesday, September 1, 2026 is recorded already. Open that day to correct it"
    assert (answer.status_code, text(answer).count(said)) == (422, 2)
    assert '<a href="/bayfield/plant/flow/1">Open that day</a>' in text(answer)
    page = post(client, "/plant/flow/1", flow="150,000", unit="gallons", reason="")
    assert (page.status_code, text(page).count("Enter why it is corrected")) == (422, 2)
    assert post(client, "/plant/flow/1", flow="0.15", unit="mgd", reason="Read again").status_code == 303
    assert recorded()[0] == (date(2026, 9, 1), 150_000, "accepted")
    assert "160,000 gallons → 150,000 gallons Operator of the City Read again" in words(
        client.get("/bayfield/plant/flow/1")
    )


def test_an_operator_sees_what_waits_and_only_the_manager_and_the_director_settle_it(app, client):
    usual()
    post(client, "/plant/flow", **day("10", "5"), flow="8.27", unit="mgd")
    for path in ("/plant/flow", "/plant/flow/9"):
        page = text(client.get(f"/bayfield{path}"))
        assert "8,270,000 gallons is more than 3 times the usual 160,000." in page
        assert 'name="answer"' not in page
    assert post(client, "/director/flow/readings/9", answer="accept").status_code == 403
    manager = app.test_client()
    world.sign_in(manager, "manager")
    for path in ("/plant/flow", "/plant/flow/9", "/director/flow"):
        assert re.findall(r'name="answer" value="(\w+)"', text(manager.get(f"/bayfield{path}"))) == [
            "accept",
            "dismiss",
        ]
    done = post(manager, "/director/flow/readings/9", answer="dismiss")
    assert "The reading of Monday, October 5, 2026 does not count" in words(manager.get(done.location))
    assert recorded()[-1] == (date(2026, 10, 5), 8_270_000, "dismissed")


@as_staff("manager")
def test_days_without_a_figure_are_settled_together_and_odd_figures_stay(client):
    usual()
    rows = [(date(2026, 9, 12), ""), (date(2026, 9, 13), "NODI"), (date(2026, 9, 14), 8_270_000)]
    import_flow(world.plant(), rows, "flow.csv", by=system(), at=world.at(NOW))
    page = text(client.get("/bayfield/plant/flow"))
    assert "None of the 2 days without a figure was measured</button>" in page
    assert re.findall(r">(Nothing was measured|It is a slip|It is right)<", page) == [
        "It is right", "It is a slip", "Nothing was measured", "Nothing was measured"]  # fmt: skip
    assert post(client, "/director/flow/unmeasured").status_code == 303
    assert [state for *_, state in recorded()[-3:]] == ["dismissed", "dismissed", "held"]
    assert "without a figure was measured" not in text(client.get("/bayfield/plant/flow"))


def test_the_list_of_days_goes_back_page_by_page(client):
    rows = [(date(2026, 6, 1) + timedelta(days=n), 160_000) for n in range(70)]
    import_flow(world.plant(), rows, "flow.csv", by=system(), at=world.at(NOW))
    db.session.commit()
    page = text(client.get("/bayfield/plant/flow"))
    older = re.findall(r'href="([^"]+)">Earlier days', page)
    assert (page.count('<th scope="row">'), older) == (60, ["/bayfield/plant/flow?until=2026-06-10"])
    page = text(client.get(older[0]))
    assert (page.count('<th scope="row">'), "Earlier days" in page) == (10, False)
    assert client.get("/bayfield/plant/flow?until=soon").status_code == 200


def test_a_file_is_shown_first_and_then_taken_in_as_shown(client):
    usual()
    before = recorded()
    seen = upload(client, FILE)
    shown = words(seen)
    assert "flow.csv: 5 days, September 1, 2026 to September 11, 2026." in shown
    assert "Lowest 150,000, middle 160,000, highest 8,270,000 gallons a day. Nothing is taken in yet." in shown
    assert re.findall(r"<b>(\d+)</b> <span>(?:new )?days", text(seen)) == ["1", "2", "1", "1"]
    assert "8,270,000 8,270,000 gallons is more than 3 times the usual 160,000." in shown
    assert recorded() == before
    done = post(client, "/plant/flow/import", readings=sealed(seen))
    assert done.status_code == 303
    said = "1 day taken in, 2 wait for a person, 1 was recorded before, 1 keeps the figure recorded before."
    assert said in words(client.get(done.location))
    assert [one for one in recorded() if one not in before] == [
        (date(2026, 9, 9), 160_000, "accepted"), (date(2026, 9, 10), 8_270_000, "held"),
        (date(2026, 9, 11), None, "held"),
    ]  # fmt: skip
    assert recorded()[1] == (date(2026, 9, 2), 160_000, "accepted")


def test_a_second_import_of_the_same_file_adds_nothing_and_says_so(client):
    file = "date,flow_gallons\n2026-09-01,160000\n2026-09-02,NODI\n"
    post(client, "/plant/flow/import", readings=sealed(upload(client, file)))
    before = recorded()
    again = upload(client, file)
    assert "This file adds nothing: every day of it is recorded." in words(again)
    assert 'name="readings"' not in text(again)
    assert (recorded(), len(before)) == (before, 2)


def test_a_day_that_keeps_its_figure_leads_to_the_page_that_corrects_it(client):
    usual()
    page = text(upload(client, "date,mgd\n2026-09-02,0.15\n"))
    assert '<a href="/bayfield/plant/flow/2">September 2, 2026</a></th><td class="num">160,000</td>' in page


def test_rows_nobody_was_shown_or_another_was_are_not_taken_in(app, client):
    seen = sealed(upload(client, FILE))
    manager = app.test_client()
    world.sign_in(manager, "manager")
    for who, rows in ((manager, seen), (client, seen[:-1]), (client, "x")):
        answer = post(who, "/plant/flow/import", readings=rows)
        assert (answer.status_code, "These rows were not shown to you" in words(answer)) == (409, True)
    assert recorded() == []


def test_one_bad_cell_refuses_every_row_and_each_is_named_with_what_to_type(client):
    answer = upload(client, "Date,Flow (MGD)\n9/9/2026,0.16\n9/10/2026,abc\nsoon,0.16\n")
    assert (answer.status_code, 'name="readings"' in text(answer)) == (422, False)
    cells = re.findall(r"<tr><th[^>]*>(.*?)</th><td>(.*?)</td><td>(.*?)</td><td>(.*?)</td></tr>", text(answer))
    assert cells == [
        ("3", "B (Flow (MGD))", "'abc' is not a flow", "Type it like 0.162, or NODI where none was measured"),
        ("4", "A (Date)", "'soon' is not a day", "Type it like 2026-10-05 or 10/5/2026"),
    ]
    assert recorded() == []


@pytest.mark.parametrize(("content", "name", "data", "said"), [
    (b"", "flow.csv", {}, "The file flow.csv is empty. Choose another"),
    (b"date,flow\n2026-09-01,1\n", "f.csv", {}, "The column flow does not tell its unit. Say which: mgd or gallons"),
    (b"date,flow_mgd\n", "f.csv", {}, "The file holds no readings of this plant"),
    (b"date,flow_mgd\n2026-10-07,0.16\n", "f.csv", {},
     "A flow is measured, not foreseen. These days are still to come: 2026-10-07"),
    (b"site,date,flow_mgd\nA,2026-09-01,1\nB,2026-09-01,1\n", "f.csv", {},
     "The file holds several sites. Say which: A, B"),
    (b"PK\x03\x04", "f.xlsx", {}, "This workbook cannot be opened. Save it again as XLSX, or as CSV UTF-8"),
])  # fmt: skip
def test_a_file_that_cannot_be_taken_is_said_at_its_field(client, content, name, data, said):
    answer = upload(client, content, name, **data)
    assert (answer.status_code, text(answer).count(said)) == (422, 2)
    assert recorded() == []


def test_no_file_a_large_one_and_too_many_days_are_said_at_the_field(client, monkeypatch):
    answer = post(client, "/plant/flow/import", unit="told", site="")
    assert text(answer).count("Choose the file of flow") == 2
    monkeypatch.setattr("office.files.LIMIT", 1024)
    large = upload(client, FILE + "x" * 1024)
    assert text(large).count("The file must be 1 KB or smaller. flow.csv has 2 KB") == 2
    monkeypatch.setattr("intake.routes.flow.MOST_ROWS", 4)
    assert text(upload(client, FILE)).count("The file has more than 4 days. Import it in parts") == 2


def test_unit_and_site_are_said_where_the_columns_do_not(client):
    file = "site,date,flow\nA,2026-09-01,0.16\nB,2026-09-01,0.1\n"
    post(client, "/plant/flow/import", readings=sealed(upload(client, file, unit="mgd", site="A")))
    assert recorded() == [(date(2026, 9, 1), 160_000, "accepted")]


def test_everybody_sees_which_flow_is_in_force_since_when_and_who_signed_it(app, client):
    visitor = app.test_client()
    page = words(visitor.get("/bayfield/flow"))
    stated = "160,000 gallons a day in force since January 1, 1992, as the ordinance states it."
    assert (stated in page, "666 gallons an hour, the limit for planning" in page) == (True, True)
    book(hauler(), session("2026-10-06T09:30", 300))
    put_flow_in_force(world.plant(), 125_000, TUESDAY, "Order 12", by=world.staff("director"), at=world.at(NOW),
                      law=world.law())  # fmt: skip
    page = words(visitor.get("/bayfield/flow"))
    signed = "125,000 gallons a day in force since October 6, 2026, signed by Director of the City: Order 12."
    assert (signed in page, "520 gallons an hour, the limit for planning" in page) == (True, True)
    assert "Test Pumping" not in page
    assert "Busiest hour each day, the last 28 open days" in page
    assert 'href="/bayfield/flow"' in text(visitor.get("/bayfield/"))


@as_staff("director")
def test_after_a_change_the_director_sees_what_it_ended_and_who_was_told(client):
    book(hauler(), session("2026-10-07T07:00", 1_998))
    data = {"flow": "125,000", "order": "Order 12", "since-month": "10", "since-day": "7", "since-year": "2026",
            "seen": "125000 2026-10-07 B-1007-01", "sure": "1"}  # fmt: skip
    done = post(client, "/director/flow", **data)
    page = words(client.get(done.location))
    assert "Flow in force from October 7, 2026" in page
    assert "Order Order 12 Signed by Director of the City" in page
    assert "B-1007-01 Test Pumping Wed, Oct 7, 7:00 a.m. 1,998" in page
    assert "1 hauler was not reached: call them Test Pumping: 715-555-0199" in page
    assert "October 7, 2026 125,000 Order 12 Director of the City 1 booking" in words(
        client.get("/bayfield/director/flow")
    )
    assert client.get(f"{done.location}0").status_code == 404


@as_staff("director")
def test_a_change_that_ends_nothing_says_so(client):
    done = post(client, "/director/flow", flow="125,000", order="Order 12", seen="125000 2026-10-07 none",
                **{"since-month": "10", "since-day": "7", "since-year": "2026"})  # fmt: skip
    assert "None: every booking still fits." in words(client.get(done.location))


@as_staff("director")
def test_bookings_over_a_limit_that_fell_are_listed_and_end_only_as_listed(client):
    set_plant_row(world.plant(), "rate.own_high_flow_gpd", 300_000, TUESDAY, "Order 4", by=world.staff("director"),
                  at=MORNING)  # fmt: skip
    who = hauler()
    book(who, session("2026-10-07T07:00", 300))
    book(who, session("2026-10-08T07:00", 300))
    heading = "Bookings that no longer fit under the limit"
    assert heading not in text(client.get("/bayfield/director/flow"))
    assert post(client, "/director/flow/over").status_code == 409
    import_flow(world.plant(), [(TUESDAY, 310_000)], "flow.csv", by=system(), at=world.at(NOW))
    page = client.get("/bayfield/director/flow")
    assert (heading in text(page), re.findall(r'name="number" value="([^"]+)"', text(page))) == (True, ["B-1007-01"])
    assert "B-1007-01 Test Pumping Wed, Oct 7, 7:00 a.m. 300" in words(page)
    assert post(client, "/director/flow/over", number=["B-1007-01", "B-1008-01"]).status_code == 409
    done = post(client, "/director/flow/over", number="B-1007-01")
    shown = words(client.get(done.location))
    assert ("1 booking lost the time, and the haulers are told." in shown, heading in shown) == (True, False)
    rows = db.session.scalars(select(Booking).order_by(Booking.id)).all()
    states = {one.booking.number: one.state for one in bookings.views(rows, MORNING)}
    assert states == {"B-1007-01": "listed", "B-1008-01": "booked"}
    told = db.session.scalars(select(Notice).filter_by(kind="time_lost")).one()
    assert told.body.startswith("Nothing is unloaded on Wednesday, October 7, 2026: the plant's flow on Tuesday")


def test_a_flow_already_in_force_from_a_later_day_keeps_its_bookings(app):
    who, plant, by, law = hauler(), world.plant(), world.staff("director"), world.law()
    put_flow_in_force(plant, 160_000, THURSDAY, "Order 2", by=by, at=MORNING, law=law)
    db.session.commit()
    book(who, session("2026-10-07T07:00", 1_998))
    book(who, session("2026-10-08T07:00", 1_998))
    seen = no_longer_fits(plant, world.law(), 125_000, WEDNESDAY, MORNING)
    assert [one.number for one in seen] == ["B-1007-01"]
    put_flow_in_force(plant, 125_000, WEDNESDAY, "Order 1", by=by, at=MORNING, law=world.law())
    db.session.commit()
    rows = db.session.scalars(select(Booking).order_by(Booking.id)).all()
    states = {one.booking.number: one.state for one in bookings.views(rows, MORNING)}
    assert states == {"B-1007-01": "listed", "B-1008-01": "booked"}
    assert len(db.session.scalars(select(Notice).filter_by(kind="time_lost")).all()) == 1
