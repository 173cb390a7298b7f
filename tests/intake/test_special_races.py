"""Requests for the same room approved at the same moment: one is arranged, the others read why not (§ 329-7 F(3))."""

from collections.abc import Iterator
from datetime import time

import pytest
from sqlalchemy import select

from intake.models import Booking, SpecialTime
from intake.queries.checks import check_capacity
from office.db import db
from tests.flows.racing import Ask, Racers
from tests.intake.plant import hauler
from tests.intake.specials import ask, working_hours

NOW = "2026-10-05T16:00"


@pytest.fixture(scope="module")
def racers() -> Iterator[Racers]:
    made = Racers()
    yield made
    made.stop()


def test_requests_for_the_same_room_approved_at_once_never_pass_the_limit(app, racers):
    working_hours()
    asked = [ask(hauler(f"Hauler {n}", number=n), 1_500, time(14, 0)) for n in range(1, 5)]
    approve = [Ask("director@city.example", f"/bayfield/director/special/{one.number}", {"step": "approve"})
               for one in asked]  # fmt: skip
    # Reading the numbers began a transaction, which holds the file.
    db.session.rollback()
    answers = racers.race(str(app.config["DATABASE_URL"]), NOW, approve)
    assert sorted(one.status for one in answers) == [303, 422, 422, 422]
    assert all("do not fit under the limit" in one.page for one in answers if one.status == 422)
    db.session.rollback()
    states = db.session.scalars(select(SpecialTime.state).order_by(SpecialTime.state)).all()
    assert states == ["accepted", "accepted", "accepted", "arranged"]
    assert len(db.session.scalars(select(Booking)).all()) == 1
    assert check_capacity() == []
