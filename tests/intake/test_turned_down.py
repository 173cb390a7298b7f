"""Trucks at the plant when a reading, the calendar or the manager lowers what they run under: operators are told once.

And a time booked between the list that was shown and the click is never taken unseen (§ 329-7 C(1), D, F(3)).
"""

from datetime import date, time, timedelta
from typing import Any

import pytest
from sqlalchemy import select

from intake.actions.closures import close_day, list_holidays
from intake.actions.flow import put_flow_in_force
from intake.actions.flow_readings import correct_flow
from intake.actions.points import end_manhole_permission, set_point
from intake.actions.tank import Wanted, set_tank
from intake.models import Hold
from intake.queries.point_met import Terms
from intake.routes import flow as flow_pages
from office.db import db
from office.notices import Notice
from office.verify import verify
from tests import world
from tests.intake.gatehouse import good, kept, log
from tests.intake.plant import MORNING, THURSDAY, TUESDAY, WEDNESDAY, book, hauler, session
from tests.intake.tanks import into, only_tank
from tests.intake.test_limit_falls import SINCE
from tests.intake.test_points import at_point, manhole, permit, set_to, station
from tests.intake.test_points_pages import send, text
from tests.intake.test_rolling_mean import enter, mean, record  # noqa: F401
from tests.intake.test_waiting import cancel, offers, theirs, wait
from tests.intake.test_waiting import told as subjects

pytestmark = pytest.mark.usefixtures("app")
AT = world.at("2026-10-06T07:10")
OTHERS = "The bookings that lose their time are not those you were shown. Look at the list again."


def told() -> list[Notice]:
    return list(db.session.scalars(select(Notice).where(Notice.kind == "turn_down").order_by(Notice.id)))


def truck() -> Any:
    """One that runs from 7:00 to 7:55 at 655 gallons an hour."""
    who = hauler()
    good(log(who, 600, "2026-10-06T07:00", booking=book(who, session("2026-10-06T07:00", 600))))
    return who


def close(name="Pump work", shut=None, at=AT):
    good(kept(close_day(world.plant(), TUESDAY, name, shut=shut, by=world.staff("manager"), at=at, law=world.law())))


def test_a_reading_that_lowers_the_limit_under_a_running_truck_tells_the_operators_once(mean):  # noqa: F811
    mean()
    record(160_000, 160_000, 160_000)
    truck()
    low = enter(date(2026, 10, 5), 100_000, at=AT)
    [one] = told()
    assert (one.to_name, one.subject) == ("Operator of the City", "Lower the rate of 1 truck at the plant")
    assert one.body.splitlines() == [
        "The limit on Tuesday, October 6, 2026 is 583 gallons an hour now (§ 329-7 F(3)).", "",
        "Turn these down, so that together they stay within it:",
        "Test Pumping, T-1, load 2026-00001: 655 gallons an hour.",
    ]  # fmt: skip
    good(kept(correct_flow(world.plant(), low.id, 90_000, "Read again", by=world.staff("operator"),
                           at=AT + timedelta(minutes=1))))  # fmt: skip
    assert (len(told()), verify()) == (1, [])


def test_a_reading_ends_an_offer_it_leaves_no_room_for_though_nothing_is_booked(mean):  # noqa: F811
    mean()
    record(160_000, 160_000, 160_000)
    full, who = hauler("Full Pumping", number=9), hauler()
    booking = book(full, session("2026-10-07T07:00", 1_998))
    wait(who, 1_998, WEDNESDAY, WEDNESDAY)
    cancel(full, booking)
    assert theirs(who) == [offers()[0].id]
    enter(date(2026, 10, 5), 100_000)
    assert theirs(who) == []
    assert subjects("waiting_lost") == ["No room any more: Wed, Oct 7, 7:00 a.m., 1,998 gallons. You still wait"]


def test_a_day_closed_while_a_truck_runs_tells_the_operators_to_stop_it_and_a_new_name_tells_nobody():
    truck()
    close()
    close("Pump replacement")
    [one] = told()
    assert one.subject == "Closed now, with 1 truck at the plant"
    assert one.body.splitlines() == [
        "Tuesday, October 6, 2026 is closed: Pump work (§ 329-7 C(1)).", "", "Stop these:",
        "Test Pumping, T-1, load 2026-00001: 655 gallons an hour.",
    ]  # fmt: skip


@pytest.mark.parametrize(("shut", "words"), [
    ((time(7, 30), time(8)), "Tuesday, October 6, 2026 is closed 7:30 to 8:00 a.m.: Pump work (§ 329-7 C(1))."),
    ((time(7, 55), time(9)), None),
])  # fmt: skip
def test_hours_closed_meet_the_truck_that_runs_into_them(shut, words):
    truck()
    close(shut=shut)
    assert [one.body.splitlines()[0] for one in told()] == ([words] if words else [])


@pytest.mark.parametrize(("terms", "since", "subject", "words"), [
    ({"is_open": False}, TUESDAY, "Receiving station is closed now, with 1 truck there",
     "Receiving station is closed now (§ 329-7 C(1))."),
    ({"max_gph": 500}, TUESDAY, "Lower the rate of 1 truck at Receiving station",
     "Receiving station takes 500 gallons an hour at most now (§ 329-7 C(1))."),
    ({"max_gph": 655}, TUESDAY, None, None), ({"is_open": False}, WEDNESDAY, None, None),
])  # fmt: skip
def test_a_point_closed_or_slowed_under_a_truck_tells_the_operators(terms, since, subject, words):
    truck()
    good(set_to(station(), since, at=AT, **terms))
    assert [(one.subject, one.body.splitlines()[0]) for one in told()] == ([(subject, words)] if subject else [])


def taking(at=MORNING) -> dict[str, Any]:
    """Acts that take times away, each shown a list in which a booking is missing."""
    given = {"seen": "none", "at": at, "law": world.law()}
    manager, director = world.staff("manager"), world.staff("director")
    return {
        "flow": lambda: put_flow_in_force(world.plant(), 60_000, TUESDAY, "Order 7", by=director, **given),
        "point": lambda: set_point(world.plant(), station().id, "Receiving station", Terms(is_open=False), TUESDAY,
                                   by=manager, **given),
        "holidays": lambda: list_holidays(world.plant(), {TUESDAY: "Founders' Day"}, by=manager, **given),
    }  # fmt: skip


@pytest.mark.parametrize("act", ["flow", "point", "holidays"])
def test_a_time_booked_after_the_list_was_shown_is_not_taken(act):
    book(hauler(), session("2026-10-06T07:00", 600))
    refused = kept(taking()[act]())
    assert (refused.code, db.session.scalars(select(Hold)).all()) == ("others", [])
    assert refused.why in (OTHERS, "What this meets is not what you were shown. Look at it again.")


def test_a_time_at_a_manhole_booked_meanwhile_is_not_taken(app):
    who = hauler()
    third = manhole()
    row = permit(third, who)
    good(book(who, at_point(session("2026-10-06T07:00", 300), third)))
    refused = kept(end_manhole_permission(world.plant(), row.id, "Paving", seen="none", by=world.staff("director"),
                                          at=MORNING, law=world.law()))  # fmt: skip
    assert (refused.code, refused.why, db.session.scalars(select(Hold)).all()) == ("others", OTHERS, [])


def test_a_time_in_a_tank_booked_meanwhile_is_not_taken(app):
    point = only_tank()
    good(book(hauler("Second Pumping", number=2), into("07:00", 3_000, THURSDAY)))
    refused = kept(set_tank(world.plant(), point.id, Wanted(1_000, 6_000, 600, 0), seen="none",
                            by=world.staff("manager"), at=MORNING, law=world.law()))  # fmt: skip
    assert (refused.code, refused.why, db.session.scalars(select(Hold)).all()) == ("others", OTHERS, [])


def test_the_page_shows_the_booking_made_meanwhile_and_keeps_what_was_typed(app, clock_at, monkeypatch):
    clock_at("2026-10-05T16:00")
    book(hauler(), session("2026-10-06T07:00", 1_998))
    client = app.test_client()
    # Nothing was booked yet when the page was made, nor when it came back.
    monkeypatch.setattr(flow_pages, "_effect", _before(2))
    world.sign_in(client, "director")
    typed = SINCE | {"flow": "125000"}
    page = send(client, "/bayfield/director/flow", **typed)
    key = page.get_data(as_text=True).split('name="seen" value="')[1].split('"')[0]
    answer = send(client, "/bayfield/director/flow", seen=key, **typed)
    assert (OTHERS in text(answer), "Oct 6" in text(answer), 'value="Order 12"' in answer.get_data(as_text=True)) == (
        True, True, True)  # fmt: skip
    assert db.session.scalars(select(Hold)).all() == []


def _before(times):
    """The list as it was before the booking, so many times; then as it is."""
    effect, shown = flow_pages._effect, [None] * times

    def asked(here, gpd, since):
        losers, preview = effect(here, gpd, since)
        if not shown:
            return losers, preview
        shown.pop()
        return (), preview | {"key": f"{gpd} {since} none"}

    return asked
