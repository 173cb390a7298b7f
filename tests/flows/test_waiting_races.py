"""Freed room has one award: whoever else wants it at the same moment, from four processes, reads why not."""

from collections import Counter
from urllib.parse import urlencode

import pytest
from sqlalchemy import select

from intake.actions.booking import cancel_booking
from intake.actions.waiting import ask_to_wait
from intake.models import Booking, RoomOffer, Wait
from intake.queries import offered
from intake.queries.checks import check_capacity
from office.db import db
from office.notices import Notice
from office.verify import verify
from tests import world
from tests.flows.racing import Ask
from tests.intake.plant import MORNING, TUESDAY, Hauler, book, hauler, session

NOW = "2026-10-05T16:00"


@pytest.fixture
def url(app) -> str:
    return str(app.config["DATABASE_URL"])


def ask_to_book(who: Hauler, gallons: int) -> Ask:
    one = session("2026-10-06T07:00", gallons)
    args = [("truck", who.truck_id), ("gallons", gallons), ("waste", "septic_tank"), ("s", offered.to_key(one))]
    return Ask(who.email, f"/bayfield/hauler/book/check?{urlencode(args)}")


def wait(who: Hauler, gallons: int) -> None:
    made = ask_to_wait(world.plant(), who.business_id, who.truck_id, "septic_tank", gallons, TUESDAY, TUESDAY,
                       by=who.by, at=MORNING, law=world.law())  # fmt: skip
    assert isinstance(made, Wait), made
    db.session.commit()


def test_the_one_whose_turn_it_is_has_the_room_once_and_nobody_else(url, racers):
    full, first, second, *others = (hauler(f"Hauler {n}", number=n) for n in range(1, 8))
    booking = book(full, session("2026-10-06T07:00", 1_998))
    wait(first, 1_500), wait(second, 1_500)
    cancel_booking(world.plant(), booking.id, "", by=full.by, at=MORNING, law=world.law())
    db.session.commit()
    mine, next_one = db.session.scalars(select(RoomOffer.id).order_by(RoomOffer.place))
    db.session.remove()
    yes = [Ask(first.email, f"/bayfield/waiting/offers/{mine}", {"step": "yes"}) for _ in range(5)]
    yes += [Ask(second.email, f"/bayfield/waiting/offers/{next_one}", {"step": "yes"}) for _ in range(5)]
    outside = [ask_to_book(others[n % 4], 1_500) for n in range(10)]
    answers = racers.race(url, NOW, [ask for pair in zip(yes, outside, strict=True) for ask in pair])
    won = [one for one in answers if one.status == 303]
    assert [(one.ask.email, one.location) for one in won] == [(first.email, "/bayfield/hauler/booked/B-1006-02")]
    assert Counter(one.status for one in answers) == {303: 1, 409: 19}
    said = Counter("asked first" in one.page or "taken by another" in one.page for one in answers
                   if one.ask.email == second.email)  # fmt: skip
    assert said == {True: 5}
    assert db.session.scalar(select(db.func.count(Booking.id)).where(Booking.state == "booked")) == 1
    assert (check_capacity(), verify()) == ([], [])


def test_room_given_back_while_others_want_it_goes_to_nobody_but_the_line(url, racers):
    full, first, *others = (hauler(f"Hauler {n}", number=n) for n in range(1, 7))
    book(full, session("2026-10-06T07:00", 1_998))
    wait(first, 1_998)
    db.session.remove()
    asks = [ask_to_book(others[n % 4], 600) for n in range(19)]
    asks.insert(10, Ask(full.email, "/bayfield/hauler/bookings/B-1006-01/cancel"))
    answers = racers.race(url, NOW, asks)
    assert Counter(one.status for one in answers) == {303: 1, 409: 19}
    assert db.session.scalars(select(RoomOffer.wait_id)).all() == [1]
    assert db.session.scalar(select(db.func.count(Notice.id)).where(Notice.kind == "waiting_offer")) == 1
    assert (check_capacity(), verify()) == ([], [])
