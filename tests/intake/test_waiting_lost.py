"""An offer from the waiting list ends with what it offers: the day, the point, all septage, its hauler's approval."""

from datetime import timedelta

import pytest
from sqlalchemy import select

from haulers.actions.revocation import revoke_approval
from intake.actions.closures import close_day
from intake.actions.points import set_point
from intake.actions.restriction import lift_restriction, restrict_plant
from intake.models import Point, Wait
from intake.queries import waiting
from intake.queries.point_met import Terms
from office import jobs
from office.db import db
from office.notices import Notice
from tests import world
from tests.intake.gatehouse import good
from tests.intake.plant import MORNING, TUESDAY, WEDNESDAY, book, hauler, session
from tests.intake.test_waiting import answer, cancel, kept, offers, several, theirs, told, wait

pytestmark = pytest.mark.usefixtures("app")
SOON = MORNING + timedelta(minutes=5)
LOST = "No room any more: Tue, Oct 6, 7:00 a.m., 600 gallons. You still wait"


@pytest.fixture
def offered(app):
    """Tuesday was full and is given back; the first in line has the offer."""
    full = hauler("Full Pumping", number=9)
    booking, who = book(full, session("2026-10-06T07:00", 1_998)), several(1)[0]
    wait(who)
    cancel(full, booking)
    assert theirs(who) == [offers()[0].id]
    return who


def close(at=SOON):
    return good(kept(close_day(world.plant(), TUESDAY, "Blower", by=world.staff("manager"), at=at, law=world.law())))


def restrict(at=SOON):
    return good(kept(restrict_plant(world.plant(), "operational_problem", by=world.staff("director"), at=at,
                                    law=world.law())))  # fmt: skip


def shut_point(at=SOON):
    point = db.session.scalars(select(Point)).one()
    return good(kept(set_point(world.plant(), point.id, point.name, Terms(False, None, None, None, None, 0), TUESDAY,
                               by=world.staff("manager"), at=at, law=world.law())))  # fmt: skip


def states(at=SOON):
    return [(one.state, one.place) for one in waiting.of_plant(world.plant(), at)]


@pytest.mark.parametrize("take", [close, restrict, shut_point])
def test_an_offer_ends_with_what_it_offers_and_the_waiter_is_told_once_and_stays_in_line(offered, take, app, clock_at):
    take()
    assert (theirs(offered, SOON), states(), told("waiting_lost")) == ([], [("waiting", 1)], [LOST])
    assert answer(offered, offers()[0], at=SOON).code in ("closed", "restricted", "point_closed")
    jobs.work(SOON + timedelta(minutes=1))
    assert (len(told("waiting_lost")), len(told())) == (1, 1)
    clock_at("2026-10-05T16:06")
    client = app.test_client()
    world.sign_in(client, offered.email)
    page = client.get(f"/bayfield/waiting/offers/{offers()[0].id}").get_data(as_text=True)
    assert ("This time cannot be had now" in page, "It is kept until" in page, "Book this time" in page) == (
        True, False, False)  # fmt: skip
    assert "You keep your place in the waiting list." in page


def test_the_words_of_a_closed_day_name_it_with_its_section(offered):
    close()
    body = db.session.scalars(select(Notice).where(Notice.kind == "waiting_lost")).one().body
    assert "The plant is closed on Tuesday, October 6, 2026: Blower (§ 329-7 C(1))." in body
    assert "You keep your place in the waiting list." in body


def test_a_second_cause_tells_nobody_again_and_a_lift_in_time_brings_the_offer_back_and_says_so(offered):
    row = restrict()
    restrict_two = kept(restrict_plant(world.plant(), "maintenance_problem", scope="rate", gph=300,
                                       by=world.staff("director"), at=SOON, law=world.law()))  # fmt: skip
    good(restrict_two)
    assert told("waiting_lost") == [LOST]
    later = SOON + timedelta(hours=1)
    for one in (restrict_two, row):
        good(kept(lift_restriction(world.plant(), one.id, "Mended", by=world.staff("director"), at=later,
                                   law=world.law())))  # fmt: skip
    # It is offered anew, with the whole time to answer.
    assert (theirs(offered, later), told()) == ([offers()[1].id], [
        "Room for your load: Tue, Oct 6, 7:00 a.m., 600 gallons. Answer by Monday, October 5, 2026, 8:00 p.m.",
        "Room for your load: Tue, Oct 6, 7:00 a.m., 600 gallons. Answer by Monday, October 5, 2026, 9:05 p.m.",
    ])  # fmt: skip


def test_a_revoked_hauler_passes_its_turn_on_at_once_and_the_next_is_told(app):
    full = hauler("Full Pumping", number=9)
    booking, (first, second) = book(full, session("2026-10-06T07:00", 1_998)), several(2)
    wait(first, 1_998), wait(second, 1_998)
    cancel(full, booking)
    rule = world.law().value("revocation.grounds", MORNING.date())[0]
    good(kept(revoke_approval(world.plant(), first.approval_id, rule, "Unloaded at night", by=world.staff("director"),
                              at=SOON, law=world.law())))  # fmt: skip
    # Told in the act itself: no job has run.
    assert len(told()) == 2
    mine, next_one = offers()
    assert (theirs(first, SOON), theirs(second, SOON)) == ([], [next_one.id])
    refused = answer(first, mine, at=SOON)
    assert (refused.code, refused.why) == (
        "out",
        "The approval of Hauler 1 does not hold on Tuesday, October 6, 2026, so the room went to the next in line.",
    )
    jobs.work(SOON)
    assert len(told()) == 2
    four = SOON + timedelta(hours=4)
    assert (theirs(second, four - timedelta(seconds=1)), theirs(second, four)) == ([next_one.id], [])


@pytest.mark.parametrize(("at", "answered"), [
    ("2026-10-06T09:04", "waits"), ("2026-10-06T09:06", "too_late"), ("2026-10-06T10:30", "too_late"),
])  # fmt: skip
def test_nobody_waits_for_today_when_it_cannot_fit_before_the_close(app, at, answered):
    full, who = hauler("Full Pumping", number=9), several(1)[0]
    book(full, session("2026-10-06T07:00", 1_998))
    made = wait(who, at=world.at(at))
    assert getattr(made, "code", "waits") == answered
    if answered == "too_late":
        assert made.why == "600 gallons cannot be unloaded on Tuesday, October 6, 2026 any more before it closes."
        assert made.cite == "§ 329-7 F(4)"
        book(full, session("2026-10-07T07:00", 1_998))
        assert isinstance(wait(who, 600, TUESDAY, WEDNESDAY, at=world.at(at)), Wait)
