"""Forty people at once, from four processes: one winner, the others a page, never an instant over the limit."""

from collections import Counter
from datetime import timedelta
from urllib.parse import urlencode

import pytest
from sqlalchemy import select

from haulers.queries import approval, revocation_rules
from intake.models import Booking, Hold, PlannedSession
from intake.queries import bookings, capacity, offered
from intake.queries.calendar_met import effect_of
from intake.queries.checks import check_capacity
from office.db import db
from office.notices import Notice
from office.verify import verify
from ordinances.offers import Session
from ordinances.reader import Closure
from tests import world
from tests.flows.racing import Answer, Ask
from tests.intake.plant import TUESDAY, Hauler, book, hauler, session

NOW = "2026-10-05T16:00"
LAST_ROOM = 500


@pytest.fixture
def url(app) -> str:
    return str(app.config["DATABASE_URL"])


def ask_to_book(who: Hauler, *sessions: Session) -> Ask:
    gallons = sum(one.gallons for one in sessions)
    args = [("truck", who.truck_id), ("gallons", gallons), ("waste", "septic_tank")]
    args += [("s", offered.to_key(one)) for one in sessions]
    return Ask(who.email, f"/bayfield/hauler/book/check?{urlencode(args)}")


def one_gallon(n: int) -> Session:
    """A gallon at one of the twelve quarter hours of Tuesday, in turn."""
    return session(f"2026-10-06T{7 + n % 12 // 4:02d}:{n % 4 * 15:02d}", 1, minutes=1)


def won(answers: list[Answer]) -> list[Answer]:
    return [one for one in answers if one.status == 303 and "/hauler/booked/" in one.location]


def lost(answers: list[Answer], words: str) -> list[Answer]:
    return [one for one in answers if one.status == 409 and words in one.page]


def draw_over_the_limit(limit: int = 666) -> list[str]:
    """Added up here from the rows, at every instant something starts."""
    rows = db.session.execute(
        select(PlannedSession.starts, PlannedSession.ends, PlannedSession.gph)
        .join(Booking, Booking.id == PlannedSession.booking_id).where(Booking.state == "booked")
    ).all()  # fmt: skip
    at = {start for start, _, _ in rows}
    return [str(t) for t in at if sum(gph for start, end, gph in rows if start <= t < end) > limit]


def several(count: int, **more) -> list[Hauler]:
    return [hauler(f"Hauler {n}", number=n, **more) for n in range(1, count + 1)]


def test_forty_at_once_for_the_last_room_have_one_winner_and_fresh_times_for_the_rest(url, racers):
    people = several(8)
    book(people[0], session("2026-10-06T07:00", 1_332))
    db.session.remove()
    asks = [ask_to_book(people[n % 8], session("2026-10-06T09:00", LAST_ROOM)) for n in range(40)]
    answers = racers.race(url, NOW, asks)
    # The winner sent the same five times, and is led to the one booking each time.
    assert Counter(one.status for one in answers) == {303: 5, 409: 35}
    assert (len({one.location for one in won(answers)}), len(lost(answers, "That time was just taken"))) == (1, 35)
    assert all("times that fit now" in one.page and "500 gallons" in one.page for one in answers if one.status == 409)
    assert db.session.scalar(select(db.func.count(Booking.id))) == 2
    assert (draw_over_the_limit(), check_capacity(), verify()) == ([], [], [])


def test_forty_at_once_on_an_empty_day_fill_it_and_never_pass_the_limit(url, racers):
    people = several(8)
    db.session.remove()
    starts = [f"2026-10-06T{7 + n // 4:02d}:{n % 4 * 15:02d}" for n in range(11)]
    asks = [ask_to_book(people[n % 8], session(starts[n % 11], 160, minutes=15)) for n in range(40)]
    answers = racers.race(url, NOW, asks)
    assert Counter(one.status for one in answers) == {303: 11, 409: 29}
    assert len({one.location for one in won(answers)}) == 11
    assert (draw_over_the_limit(), check_capacity(), verify()) == ([], [], [])


def test_one_gallon_of_the_season_left_is_had_once_over_two_days(url, racers):
    who = hauler(rest=301)
    book(who, session("2026-10-06T07:00", 300))
    db.session.remove()
    asks = [ask_to_book(who, session(f"2026-10-{7 + n % 2:02d}T0{7 + n % 3}:00", 1, minutes=1)) for n in range(40)]
    answers = racers.race(url, NOW, asks)
    same = len(won(answers))
    assert (len({one.location for one in won(answers)}), same in (6, 7)) == (1, True)
    words = "has 0 gallons left for the rest of the year, of 301; this load needs 1."
    assert len(lost(answers, words)) == 40 - same
    assert db.session.scalar(select(db.func.sum(Booking.gallons))) == 301


def test_two_splits_in_opposite_order_never_wait_for_each_other(url, racers):
    people = several(8)
    db.session.remove()
    there = (session("2026-10-06T07:00", 1, minutes=1), session("2026-10-07T07:00", 1, minutes=1))
    asks = [ask_to_book(who, *(there if n % 2 else there[::-1])) for n, who in enumerate(people)]
    answers = racers.race(url, NOW, asks)
    assert Counter(one.status for one in answers) == {303: 8}
    assert (draw_over_the_limit(), check_capacity()) == ([], [])


def test_booking_against_restricting_leaves_no_booking_live_before_the_planning_end(url, racers):
    people = several(8)
    db.session.remove()
    asks = [ask_to_book(people[n % 8], one_gallon(n)) for n in range(39)]
    asks.insert(
        20,
        Ask(
            "director@city.example",
            "/bayfield/director/restrict",
            {"reason": "operational_problem", "scope": "everything", "hours": "4"},
        ),
    )
    answers = racers.race(url, NOW, asks)
    restricted = next(one for one in answers if one.ask.email.startswith("director"))
    booked = len({one.location for one in won(answers)})
    assert (restricted.status, len(won(answers)) + len(lost(answers, "No septage is being accepted"))) == (303, 39)
    after = world.at(NOW) + timedelta(seconds=1)
    rows = db.session.scalars(select(Booking)).all()
    assert {one.state for one in bookings.views(rows, after)} <= {"held"}
    assert db.session.scalar(select(db.func.count(Hold.id))) == booked
    assert db.session.scalar(select(db.func.count(Notice.id)).where(Notice.kind == "restricted")) == 8 + 6
    assert verify() == []


def test_booking_against_revoking_leaves_no_booking_live(url, racers):
    who = hauler()
    db.session.remove()
    asks = [ask_to_book(who, one_gallon(n)) for n in range(39)]
    rule = revocation_rules(world.law(), TUESDAY, approval(world.plant().id, who.approval_id))[0]
    data = {"rule": rule, "reason": "Unloaded at night on October 4", "when": "now", "step": "send"}
    db.session.remove()
    asks.insert(20, Ask("director@city.example", f"/bayfield/director/approvals/{who.approval_id}/revoke", data))
    answers = racers.race(url, NOW, asks)
    revoked = next(one for one in answers if one.ask.email.startswith("director"))
    assert (revoked.status, len(won(answers)) + len(lost(answers, "was revoked on October 5, 2026"))) == (303, 39)
    after = world.at(NOW) + timedelta(seconds=1)
    rows = db.session.scalars(select(Booking)).all()
    assert {one.state for one in bookings.views(rows, after)} <= {"not_approved"}
    assert verify() == []


def test_booking_against_closing_the_day_leaves_no_booking_on_it(url, racers):
    people = several(4)
    db.session.remove()
    asks = [ask_to_book(people[n % 4], one_gallon(n)) for n in range(39)]
    data = {
        "day-month": "10",
        "day-day": "6",
        "day-year": "2026",
        "name": "Pump replacement",
        "kind": "closed",
        "sure": "1",
    }
    asks.insert(20, Ask("manager@city.example", "/bayfield/director/close", data))
    answers = racers.race(url, NOW, asks)
    closed = next(one for one in answers if one.ask.email.startswith("manager"))
    if closed.status != 303:
        # Somebody booked first: the manager is shown whose times go (or that these are others by now), and says so.
        assert any(words in closed.page for words in ("Take these times away", "Look at it again"))
        change = {TUESDAY: Closure(TUESDAY, "Pump replacement", "closed")}
        seen = effect_of(world.plant(), world.law(), change, world.at(NOW)).key
        db.session.remove()
        [closed] = racers.race(
            url, NOW, [Ask("manager@city.example", "/bayfield/director/close", data | {"seen": seen})]
        )
    else:
        assert len(won(answers)) + len(lost(answers, "Pump replacement")) == 39
    assert closed.status == 303
    assert capacity.planned(world.plant().id, world.at(NOW), [TUESDAY]) == []
    assert (check_capacity(), verify()) == ([], [])
