"""Room kept for somebody who may not come, or that cannot be had any more, is free in the same act, and so told."""

from datetime import date, timedelta

import pytest

from haulers.actions.revocation import revoke_approval
from haulers.actions.suspension import lift_suspension, suspend_approval
from intake.actions.limits import set_limit
from intake.actions.restriction import lift_restriction, restrict_plant
from intake.actions.waiting import leave_waiting
from intake.queries import kept_rooms
from intake.queries.checks import check_capacity
from office.db import db
from office.verify import verify
from tests import world
from tests.house.law_copies import adopt, canonical, with_values
from tests.intake.gatehouse import good
from tests.intake.plant import MORNING, TUESDAY, WEDNESDAY, book, code, hauler, picture, session
from tests.intake.test_waiting import FOUR, answer, cancel, kept, offers, several, theirs, told, wait

pytestmark = pytest.mark.usefixtures("app")
SOON = MORNING + timedelta(minutes=5)
RULE = "§ 329-7 F(4): Unloading within the hours"
BOTH = ("septic_tank", "holding_tank")


def suspensions_known():
    index = next(n for n, row in enumerate(canonical()["rows"]) if row["key"] == "suspension.enabled")
    text, why = with_values({index: True})
    assert text is not None, why
    adopt(text)


def revoke(who, from_day=None, at=SOON):
    return good(kept(revoke_approval(world.plant(), who.approval_id, RULE, "Unloaded at night", (), from_day,
                                     by=world.staff("director"), at=at, law=world.law())))  # fmt: skip


def suspend(who, until=None, at=SOON):
    return good(kept(suspend_approval(world.plant(), who.approval_id, RULE, "Unloaded at night", until,
                                      by=world.staff("director"), at=at, law=world.law())))  # fmt: skip


def restrict(wastes=(), scope="types", at=SOON):
    return good(kept(restrict_plant(world.plant(), "operational_problem", scope=scope, wastes=wastes,
                                    by=world.staff("director"), at=at, law=world.law())))  # fmt: skip


@pytest.fixture
def line(app):
    """Tuesday was full and is given back; two wait, one after the other, each with the whole morning."""
    full = hauler("Full Pumping", number=9)
    booking, (first, second) = book(full, session("2026-10-06T07:00", 1_998)), several(2)
    wait(first, 1_998), wait(second, 1_998)
    cancel(full, booking)
    assert (theirs(first), theirs(second), len(told())) == ([offers()[0].id], [], 1)
    return first, second


def test_the_bookings_of_a_revoked_hauler_are_offered_in_the_act_that_revokes(app):
    full, who = hauler("Full Pumping", number=9), several(1)[0]
    parts = [session("2026-10-06T07:00", 1_998), session("2026-10-07T07:00", 1_000)]
    book(full, parts), book(hauler("Other Pumping", number=8), session("2026-10-07T08:31", 980))
    wait(who, 1_000, WEDNESDAY, WEDNESDAY)
    revoke(full)
    assert (theirs(who, SOON), len(told()), verify()) == ([offers()[0].id], 1, [])


def test_a_revocation_from_a_day_to_come_passes_on_what_it_bars_and_leaves_the_rest(line):
    first, second = line
    revoke(first, WEDNESDAY)
    assert (theirs(first, SOON), theirs(second, SOON), len(told())) == ([offers()[0].id], [], 1)


def test_a_revocation_from_the_day_of_the_offer_passes_it_on_when_it_is_decided(line):
    first, second = line
    revoke(first, TUESDAY)
    assert (theirs(first, SOON), theirs(second, SOON), len(told())) == ([], [offers()[1].id], 2)
    assert answer(first, offers()[0], at=SOON).code == "out"
    # The next has the whole time to answer, from the revocation on.
    last = SOON + FOUR - timedelta(seconds=1)
    assert (theirs(second, last), theirs(second, last + timedelta(seconds=1))) == ([offers()[1].id], [])


@pytest.mark.parametrize("until", [None, date(2026, 10, 5), date(2026, 10, 30)])
def test_a_suspended_hauler_passes_its_turn_on_for_good(app, line, until):
    suspensions_known()
    first, second = line
    row = suspend(first, until)
    assert (theirs(first, SOON), theirs(second, SOON), len(told())) == ([], [offers()[1].id], 2)
    later = SOON + timedelta(hours=1)
    good(kept(lift_suspension(world.plant(), row.id, "Mended", by=world.staff("director"), at=later, law=world.law())))
    assert (theirs(first, later), theirs(second, later)) == ([], [offers()[1].id])
    assert code(answer(second, offers()[1], at=later)) == "booked B-1006-02"
    assert (check_capacity(), verify()) == ([], [])


def test_a_suspension_that_is_over_before_the_room_is_free_takes_no_turn(app):
    suspensions_known()
    full, who = hauler("Full Pumping", number=9), several(1)[0]
    row = suspend(who, at=MORNING - timedelta(hours=3))
    good(kept(lift_suspension(world.plant(), row.id, "Mended", by=world.staff("director"),
                              at=MORNING - timedelta(hours=2), law=world.law())))  # fmt: skip
    booking = book(full, session("2026-10-06T07:00", 1_998))
    wait(who)
    cancel(full, booking)
    assert theirs(who) == [offers()[0].id]


def test_leaving_the_list_afterwards_changes_nobodys_turn(line):
    first, second = line
    revoke(first)
    later = SOON + timedelta(hours=3)
    kept(leave_waiting(world.plant(), offers()[0].wait_id, by=world.staff("clerk"), at=later, law=world.law()))
    turn = kept_rooms.lines(world.plant().id)[0][1].turn
    assert (turn.begins, turn.ends) == (SOON, SOON + FOUR)
    assert theirs(second, SOON + FOUR) == []


def test_an_offer_lost_to_a_restriction_of_its_waste_frees_its_gallons_in_the_act(app):
    full, other = hauler("Full Pumping", number=9), hauler("Quick Pumping", number=8)
    booking, who = book(full, session("2026-10-06T07:00", 1_998)), hauler("Holding Pumping", number=1, wastes=BOTH)
    wait(who, 1_998, waste="holding_tank")
    cancel(full, booking)
    assert picture(TUESDAY, SOON).room == 0
    row = restrict(("holding_tank",))
    assert (picture(TUESDAY, SOON).room, theirs(who, SOON)) == (1_998, [])
    assert offers()[0].lost_why == (
        "No holding tank waste is being accepted: an operational problem related to septage (§ 329-7 B(3))."
    )
    assert code(book(other, session("2026-10-06T07:00", 600), at=SOON)) == "booked B-1006-02"
    # Lifted, the rest does not hold the load: it stays in line.
    later = SOON + timedelta(hours=1)
    good(kept(lift_restriction(world.plant(), row.id, "Mended", by=world.staff("director"), at=later,
                               law=world.law())))  # fmt: skip
    assert (theirs(who, later), len(told()), picture(TUESDAY, later).room) == ([], 1, 1_397)
    assert (check_capacity(), verify()) == ([], [])


def test_room_lost_by_the_first_goes_to_the_next_of_another_waste_in_the_act(app):
    full = hauler("Full Pumping", number=9)
    booking, second = book(full, session("2026-10-06T07:00", 1_998)), several(1)[0]
    who = hauler("Holding Pumping", number=2, wastes=BOTH)
    wait(who, 1_998, waste="holding_tank"), wait(second, 1_998)
    cancel(full, booking)
    restrict(("holding_tank",))
    assert (theirs(who, SOON), theirs(second, SOON), len(told()), len(told("waiting_lost"))) == (
        [], [offers()[1].id], 2, 1)  # fmt: skip
    assert picture(TUESDAY, SOON).room == 0


def test_an_offer_lost_to_a_lower_limit_is_made_anew_within_it(app):
    full, who = hauler("Full Pumping", number=9), several(1)[0]
    booking = book(full, session("2026-10-06T07:00", 1_998))
    wait(who)
    cancel(full, booking)
    good(kept(set_limit(world.plant(), "rate.own_ceiling_gph", 500, TUESDAY, "Order 9", by=world.staff("director"),
                        at=SOON, law=world.law())))  # fmt: skip
    first, anew = offers()
    assert (first.lost_at, anew.lost_at, anew.gph, anew.gallons) == (SOON, None, 500, 600)
    assert (theirs(who, SOON), picture(TUESDAY, SOON).room) == ([anew.id], 900)
    refused = answer(who, first, at=SOON)
    assert (refused.code, refused.why) == ("taken", first.lost_why)
    assert code(answer(who, anew, at=SOON)) == "booked B-1006-02"
    assert (check_capacity(), verify()) == ([], [])


def test_the_page_of_a_lost_offer_says_why_even_when_the_cause_is_gone(app, clock_at):
    full, who = hauler("Full Pumping", number=9), several(1)[0]
    booking = book(full, session("2026-10-06T07:00", 1_998))
    wait(who)
    cancel(full, booking)
    row = restrict(scope="everything")
    good(kept(lift_restriction(world.plant(), row.id, "Mended", by=world.staff("director"),
                               at=SOON + timedelta(minutes=5), law=world.law())))  # fmt: skip
    clock_at("2026-10-05T16:12")
    client = app.test_client()
    world.sign_in(client, who.email)
    page = client.get(f"/bayfield/waiting/offers/{offers()[0].id}").get_data(as_text=True)
    assert ("This time cannot be had now" in page, "Book this time" in page) == (True, False)
    page = client.get(f"/bayfield/waiting/offers/{offers()[1].id}").get_data(as_text=True)
    assert "Book this time" in page
    db.session.rollback()
