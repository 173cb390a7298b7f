"""A special time nobody settles: one word before to whom it waits for, one to its hauler when its time has come."""

from datetime import time, timedelta

import pytest
from sqlalchemy import select

from intake.actions.special import decline_special, withdraw_special
from office import jobs
from office.db import db
from office.notices import Notice
from office.verify import verify
from tests import world
from tests.intake.plant import MORNING, hauler
from tests.intake.specials import accept, arrange, ask, kept, no_wage, working_hours

pytestmark = pytest.mark.usefixtures("app")
STARTS = world.at("2026-10-06T14:00")
DAY = timedelta(days=1)
SECOND = timedelta(seconds=1)
EARLY = STARTS - 3 * DAY
WHEN = "special time Tue, Oct 6, 2:00 to 4:16 p.m., 1,500 gallons (S-1006-01)"


@pytest.fixture(autouse=True)
def hours(app, monkeypatch):
    """Normal working hours; of the jobs only this one runs, the others have their own tests."""
    monkeypatch.setattr(jobs, "JOBS", {"special_times": jobs.JOBS["special_times"]})
    working_hours()


def told(*kinds):
    query = select(Notice).where(Notice.kind.in_(kinds or ("special_waits", "special_lapsed"))).order_by(Notice.id)
    return [(one.to_email, one.subject) for one in db.session.scalars(query)]


def body():
    query = select(Notice).where(Notice.kind.in_(("special_waits", "special_lapsed"))).order_by(Notice.id.desc())
    return db.session.scalars(query).first().body


def work(*instants):
    return [jobs.work(at)["special_times"] for at in instants]


def test_a_quote_not_accepted_is_told_a_day_before_and_once_when_it_lapsed():
    who = hauler()
    ask(who, accepts=None, at=EARLY)
    assert work(STARTS - DAY - SECOND, STARTS - DAY, STARTS - DAY + SECOND) == [0, 1, 0]
    assert told() == [(who.email, f"Not accepted yet: {WHEN}")]
    assert "You have not accepted the charge of $128.16. It lapses Tuesday, October 6, 2026, 2:00 p.m." in body()
    assert work(STARTS - SECOND, STARTS, STARTS + SECOND, STARTS + 10 * DAY) == [0, 1, 0, 0]
    assert told("special_lapsed") == [(who.email, f"Lapsed: {WHEN}")]
    assert body().splitlines()[:4] == [
        "Its time has come without an approval, so nothing is arranged. Do not bring this load.",
        "Tuesday, October 6, 2026, 2:00 to 4:16 p.m.: 1,500 gallons at 662 gallons an hour, outside the unloading "
        "hours (§ 329-7 F(4)).",
        "The charge was not accepted before.",
        "Nothing is charged.",
    ]
    assert verify() == []


def test_a_request_that_waits_for_the_plant_is_told_to_who_decides():
    who = hauler()
    ask(who, at=EARLY)
    assert work(STARTS - DAY) == [1]
    assert told() == [("director@city.example", f"Not decided yet: {WHEN}")]
    assert "The charge is accepted, and it waits for approval. It lapses Tuesday, October 6, 2026, 2:00 p.m." in body()
    assert work(STARTS) == [1]
    assert "The plant did not decide on it in time." in body()


def test_a_request_without_a_wage_says_that_no_charge_was_quoted():
    no_wage()
    ask(hauler(), accepts=None, at=EARLY)
    assert work(STARTS - DAY) == [1]
    assert "It waits for a quote. It lapses" in body()
    assert work(STARTS) == [1]
    assert "The plant did not quote its charge in time." in body()


def test_what_was_asked_within_the_last_day_is_not_told_again_before():
    ask(hauler(), accepts=None, at=STARTS - DAY)
    assert work(STARTS - DAY + SECOND, STARTS - SECOND, STARTS) == [0, 0, 1]


def test_what_was_settled_is_never_told():
    plant, law, director = world.plant(), world.law(), world.staff("director")
    for n in range(1, 4):
        who = hauler(f"Hauler {n}", number=n)
        row = ask(who, begins=time(11 + n), gallons=600, accepts=None, at=EARLY)
        if n == 1:
            accept(who, row, row.quote_cents, at=EARLY)
            arrange(row, at=EARLY)
        elif n == 2:
            kept(decline_special(plant, row.number, "Nobody is there", by=director, at=EARLY, law=law))
        else:
            kept(withdraw_special(plant, row.number, by=who.by, at=EARLY, law=law))
    assert work(STARTS - DAY, STARTS + timedelta(hours=4), STARTS + DAY) == [0, 0, 0]
    assert told() == []


def test_ten_days_without_jobs_tell_the_lapse_once_and_nothing_of_before():
    who = hauler()
    ask(who, accepts=None, at=MORNING)
    assert work(STARTS + 10 * DAY, STARTS + 11 * DAY) == [1, 0]
    assert told() == [(who.email, f"Lapsed: {WHEN}")]
