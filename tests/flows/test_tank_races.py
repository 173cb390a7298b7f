"""Two days are one tank: who books at the same moment on different days never runs it over."""

from collections import Counter
from dataclasses import replace

from sqlalchemy import select

from intake.models import Booking, DayRow
from intake.queries.checks import check_capacity
from intake.queries.day_locks import TANK_ROW
from office.db import db
from tests.flows.test_races import NOW, ask_to_book, several, won
from tests.intake.plant import WEDNESDAY
from tests.intake.tanks import PLAIN, into, only_tank


def test_loads_of_two_days_that_need_the_same_gallons_have_one_winner(app, racers):
    people = several(8)
    only_tank(replace(PLAIN, held=3_000))
    assert db.session.scalars(select(DayRow.day)).all() == [TANK_ROW]
    # Full on Monday: 1,998 gallons leave until Wednesday.
    times = [into("09:45", 1_900), into("07:00", 1_900, WEDNESDAY)]
    db.session.remove()
    answers = racers.race(str(app.config["DATABASE_URL"]), NOW, [ask_to_book(who, times[n % 2])
                                                                 for n, who in enumerate(people)])  # fmt: skip
    assert Counter(one.status for one in answers) == {303: 1, 409: 7}
    assert len(won(answers)) == 1
    assert db.session.scalars(select(Booking.gallons)).all() == [1_900]
    assert check_capacity() == []
