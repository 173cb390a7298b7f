"""The Director's orders on the limit: dated, signed, shown with whom they meet, told after; the page of all inputs."""

import re
from datetime import date, timedelta
from uuid import uuid4

import pytest
from sqlalchemy import select

from intake.actions.flow import put_flow_in_force
from intake.actions.limits import set_limit, withdraw_limit
from intake.forms.limits import month_day
from intake.models import Booking
from intake.queries import bookings, limits
from intake.queries.limit_met import lost_under, with_order
from office.db import db
from office.notices import Notice
from office.plants import PlantRow
from ordinances.refusal import Refusal
from tests import world
from tests.intake.plant import (
    MORNING,
    THURSDAY,
    TUESDAY,
    WEDNESDAY,
    book,
    code,
    hauler,
    picture,
    planned,
    queries,
    session,
)
from tests.intake.tanks import beside_station

pytestmark = pytest.mark.usefixtures("app")
CEILING, LOWER = "rate.own_ceiling_gph", "rate.own_lower"


def order(key, value, since=WEDNESDAY, at=MORNING, who="director", **more):
    row = set_limit(world.plant(), key, value, since, "Order 12", by=world.staff(who), at=at, law=world.law(), **more)
    if not isinstance(row, Refusal):
        db.session.commit()
    return row


def withdraw(key, since, at=MORNING):
    row = withdraw_limit(world.plant(), key, since, "Order 13", by=world.staff("director"), at=at, law=world.law())
    if not isinstance(row, Refusal):
        db.session.commit()
    return row


def states():
    rows = db.session.scalars(select(Booking).order_by(Booking.id)).all()
    return {one.booking.number: one.state for one in bookings.views(rows, MORNING)}


def told():
    return list(db.session.scalars(select(Notice).where(Notice.kind == "time_lost").order_by(Notice.id)))


def test_a_ceiling_lowers_the_limit_from_its_day_until_it_is_withdrawn():
    order(CEILING, 500)
    withdraw(CEILING, THURSDAY)
    assert [picture(day).room for day in (TUESDAY, WEDNESDAY, THURSDAY)] == [1_998, 1_500, 1_998]
    order(CEILING, 400, THURSDAY)
    assert picture(THURSDAY).room == 1_200
    assert order(CEILING, 900, THURSDAY).value == 900
    # It can only lower: the stated figure still holds.
    assert picture(THURSDAY).room == 1_998


def test_what_no_longer_fits_is_listed_before_and_its_hauler_told_after():
    who = hauler()
    book(who, session("2026-10-07T07:00", 1_998))
    planned(who, session("2026-10-08T07:00", 300, minutes=60))
    law = world.law()
    seen = lost_under(world.plant(), with_order(law, CEILING, 500, WEDNESDAY), WEDNESDAY, MORNING)
    assert [(one.number, one.day, one.why) for one in seen] == [
        ("B-1007-01", WEDNESDAY,
         "The limit on Wednesday, October 7, 2026 is 500 gallons an hour now (-, § 329-7 F(3))."),
    ]  # fmt: skip
    assert states() == {"B-1007-01": "booked", "B-1008-01": "booked"}
    assert order(CEILING, 500, seen="B-1007-01 B-1008-01").code == "others"
    row = order(CEILING, 500, seen="B-1007-01")
    assert states() == {"B-1007-01": "listed", "B-1008-01": "booked"}
    assert [(one.subject, one.body.splitlines()[0]) for one in told()] == [
        ("Cannot be kept: Wed, Oct 7, 7:00 a.m. (B-1007-01)",
         "The limit on Wednesday, October 7, 2026 is 500 gallons an hour now (Order 12, § 329-7 F(3))."),
    ]  # fmt: skip
    change = limits.history(world.plant().id, only=row.id)[0]
    assert ([one.number for one in change.lost], [one.kind for one in change.told]) == (["B-1007-01"], ["time_lost"])


def test_a_lower_limit_for_part_of_a_day_meets_only_what_runs_in_it():
    who = hauler()
    book(who, session("2026-10-07T07:00", 600))
    book(who, session("2026-10-07T09:00", 600))
    order(LOWER, [{"from": "09:00", "to": "10:00", "gph": 60}])
    assert states() == {"B-1007-01": "booked", "B-1007-02": "listed"}
    assert told()[0].body.startswith("The limit on Wednesday, October 7, 2026 is 60 to 666 gallons an hour now (")


def test_a_season_holds_only_on_its_days():
    order(LOWER, [{"first": "10-08", "last": "10-09", "gph": 0}], TUESDAY)
    assert [picture(day).room for day in (WEDNESDAY, THURSDAY)] == [1_998, 0]
    refused = book(hauler(), session("2026-10-08T07:00", 300))
    assert (refused.code, refused.why) == (
        "no_rate", "Nothing is unloaded on Thursday, October 8, 2026: the limit is 0 gallons an hour."
    )  # fmt: skip


@pytest.mark.parametrize(("key", "value", "room"), [
    ("rate.own_high_flow_gpd", 159_999, 0), ("rate.own_high_flow_gpd", 160_000, 1_998),
    ("rate.own_low_flow_gpd", 160_001, 0), ("rate.own_low_flow_gpd", 160_000, 1_998),
])  # fmt: skip
def test_a_flow_above_or_below_the_order_stops_the_day_and_lists_its_bookings(key, value, room):
    book(hauler(), session("2026-10-07T07:00", 300))
    order(key, value)
    assert (picture(WEDNESDAY).whole, states()) == (room, {"B-1007-01": "booked" if room else "listed"})


def test_pounds_of_bod_are_spread_over_the_open_hours():
    order("rate.own_bod_lb_day", 50)
    # 50 lb ÷ (8.34 × 9,000 mg/L ÷ 1,000,000) = 666 gallons a day, 222 an hour: portable toilets are the strongest.
    assert picture(WEDNESDAY).cap.plan_gph == 222


@pytest.mark.parametrize(("key", "value", "since", "refusal"), [
    (CEILING, 0, WEDNESDAY, "wrong_value"), (CEILING, "many", WEDNESDAY, "wrong_value"),
    (CEILING, 500, date(2026, 10, 4), "past"), ("rate.percent", 5, WEDNESDAY, "not_here"),
    (LOWER, [], WEDNESDAY, "wrong_value"),
])  # fmt: skip
def test_an_order_that_cannot_be_is_refused(key, value, since, refusal):
    assert order(key, value, since).code == refusal
    assert db.session.scalars(select(PlantRow).where(PlantRow.key.like("rate.own%"))).all() == []


def test_only_the_director_orders_and_only_what_stands_is_withdrawn():
    assert order(CEILING, 500, who="manager").code == "not_your_role"
    assert withdraw(CEILING, WEDNESDAY).code == "not_set"
    order(CEILING, 500)
    assert code(withdraw_limit(world.plant(), CEILING, WEDNESDAY, " ", by=world.staff("director"), at=MORNING,
                               law=world.law())) == "no_resolution"  # fmt: skip
    withdraw(CEILING, THURSDAY)
    assert withdraw(CEILING, THURSDAY).code == "not_set"


def test_every_input_is_listed_with_who_signed_it_and_the_one_that_binds():
    put_flow_in_force(world.plant(), 125_000, TUESDAY, "Order 11", by=world.staff("director"), at=MORNING,
                      law=world.law())  # fmt: skip
    order(LOWER, [{"from": "09:00", "to": "10:00", "gph": 60}], TUESDAY)
    cap, found = limits.inputs(world.plant(), world.law(), TUESDAY)
    shown = {one.row.key: (one.signed.resolution if one.signed else one.row.cite, one.binds) for one in found}
    assert (cap.plan_gph, shown) == (520, {
        "rate.flow_gpd": ("§ 329-7 F(3)", False), "rate.flow_in_force_gpd": ("Order 11", True),
        "rate.basis": ("§ 329-7 F(3)", False), "rate.percent": ("§ 329-7 F(3)", True),
        "rate.rounding": ("§ 329-7 F(3)", False), "rate.plan_gph": ("§ 329-7 F(3)", False),
        "rate.hard_gph": ("§ 329-7 F(3)", False), "rate.own_lower": ("Order 12", True),
    })  # fmt: skip


# ---------------------------------------------------------------- Pages


@pytest.fixture
def client(app, clock_at):
    clock_at("2026-10-05T16:00")
    made = app.test_client()
    world.sign_in(made, "director")
    return made


def text(answer) -> str:
    return str(answer.get_data(as_text=True))


def post(client, path, **data):
    return client.post(f"/bayfield{path}", data={"once": uuid4().hex} | data)


SINCE = {"since-month": "10", "since-day": "7", "since-year": "2026", "order": "Order 12"}


def test_an_order_is_shown_with_its_limit_and_whom_it_meets_before_it_is_in_force(client):
    book(hauler(), session("2026-10-07T07:00", 1_998))
    shown = text(post(client, "/director/capacity/ceiling", value="500", **SINCE))
    assert "The limit would be 500 gallons an hour at most" in shown
    assert "On Wednesday, October 7, 2026 1,500 gallons could be unloaded; without this order 1,998." in shown
    assert ("1 booking would lose its time" in shown, "Test Pumping" in shown) == (True, True)
    seen = re.findall(r'name="seen" value="([^"]+)"', shown)[0]
    untold = post(client, "/director/capacity/ceiling", value="500", seen=seen, **SINCE)
    assert (untold.status_code, text(untold).count("Tick the box to take these times away")) == (422, 2)
    other = post(client, "/director/capacity/ceiling", value="400", seen=seen, sure="1", **SINCE)
    assert "The limit would be 400 gallons an hour at most" in text(other)
    done = post(client, "/director/capacity/ceiling", value="500", seen=seen, sure="1", **SINCE)
    assert done.status_code == 303
    page = text(client.get(done.location))
    assert ("500 gallons an hour" in page, "B-1007-01" in page, "Director of the City" in page) == (True, True, True)


def test_where_trucks_unload_into_a_tank_the_preview_speaks_of_the_sewer(client):
    hauler()
    beside_station()
    shown = text(post(client, "/director/capacity/ceiling", value="500", **SINCE))
    assert "On Wednesday, October 7, 2026 1,500 gallons could enter the sewer; without this order 1,998." in shown


def test_lower_limits_are_typed_row_by_row_and_wrong_ones_said_at_their_field(client):
    rows = {"parts-0-gph": "90", "parts-0-opens": "7:00 a.m.", "parts-0-closes": "8:00 a.m.",
            "parts-1-gph": "0", "parts-1-first": "May 1", "parts-1-last": "June 31"}  # fmt: skip
    wrong = post(client, "/director/capacity/lower", **rows, **SINCE)
    assert (wrong.status_code, "Enter a month and a day, like May 1" in text(wrong)) == (422, True)
    rows["parts-1-last"] = "June 30"
    shown = text(post(client, "/director/capacity/lower", **rows, **SINCE))
    assert "7:00 to 8:00 a.m.: 90 gallons an hour" in shown
    seen = re.findall(r'name="seen" value="([^"]+)"', shown)[0].replace("&#39;", "'")
    done = post(client, "/director/capacity/lower", **rows, **SINCE, seen=seen)
    assert done.status_code == 303
    row = db.session.scalars(select(PlantRow).filter_by(key=LOWER)).one()
    assert row.value == [{"from": "07:00", "to": "08:00", "gph": 90}, {"first": "05-01", "last": "06-30", "gph": 0}]
    again = text(client.get("/bayfield/director/capacity/lower"))
    assert 'name="parts-0-gph"' in again


def test_the_page_of_inputs_marks_what_sets_the_limit_and_keeps_the_history(client):
    order(CEILING, 500, TUESDAY)
    page = " ".join(re.sub("<[^>]+>", " ", text(client.get("/bayfield/director/capacity"))).split())
    assert "Closed today" not in page
    assert "666 gallons an hour, the limit for planning" in page
    assert "The text also prints 670 gallons an hour" in page
    order(CEILING, 500, date(2026, 10, 5))
    withdraw(CEILING, WEDNESDAY)
    page = " ".join(re.sub("<[^>]+>", " ", text(client.get("/bayfield/director/capacity"))).split())
    line = "500 gallons an hour Change : The Director&#39;s own limit October 5, 2026, Director of the City: Order 12"
    assert line in page
    assert page.count("Sets the limit") == 1
    assert "October 7, 2026 The Director&#39;s own limit: Withdrawn Order 13, Director of the City None" in page


def test_an_order_is_withdrawn_on_its_own_page(client):
    order(CEILING, 500, date(2026, 10, 5))
    assert "In force now: 500 gallons an hour." in text(client.get("/bayfield/director/capacity/ceiling"))
    answer = post(client, "/director/capacity/ceiling/withdraw", **SINCE)
    assert (answer.status_code, picture(WEDNESDAY).room) == (303, 1_998)


@pytest.mark.parametrize("role", ["operator", "clerk", "member1"])
def test_nobody_else_sees_the_inputs(app, clock_at, role):
    clock_at("2026-10-05T16:00")
    other = app.test_client()
    world.sign_in(other, role)
    assert other.get("/bayfield/director/capacity").status_code == 403


def test_the_manager_sees_the_inputs_and_changes_none(app, clock_at):
    clock_at("2026-10-05T16:00")
    other = app.test_client()
    world.sign_in(other, "manager")
    assert other.get("/bayfield/director/capacity").status_code == 200
    assert other.get("/bayfield/director/capacity/ceiling").status_code == 403


def test_the_page_of_inputs_takes_the_same_queries_however_many_orders_there_are(client):
    order(CEILING, 500)
    client.get("/bayfield/director/capacity")
    with queries() as few:
        client.get("/bayfield/director/capacity")
    for n in range(6):
        order(CEILING, 500 - n, WEDNESDAY + timedelta(days=n + 1))
    client.get("/bayfield/director/capacity")
    with queries() as many:
        client.get("/bayfield/director/capacity")
    assert [len([one for one in several if one.startswith("SELECT")]) for several in (few, many)] == [16, 16]


@pytest.mark.parametrize(("typed", "kept"), [
    ("May 1", "05-01"), ("february 29", "02-29"), ("Sept. 30", "09-30"), ("February 30", None), ("5/1", None),
])  # fmt: skip
def test_a_day_of_a_season_is_a_month_and_a_day(typed, kept):
    assert month_day(typed) == kept
