"""What a hauler without an approval is told: true for no application, a draft, one sent, one rejected."""

from datetime import date

import pytest

from haulers.actions import DecisionLine, withdraw_application
from haulers.queries.awaiting import awaiting
from haulers.states import Outcome
from tests import world
from tests.haulers import builders
from tests.haulers.company import read, signed_in

pytestmark = pytest.mark.usefixtures("app")

UNTIL = "You cannot book until the committee approves it."
COMING = ("For season 2027-28 forms open July 1, 2027, and applications are taken from August 1, 2027 to "
          "September 1, 2027.")  # fmt: skip
CLOSED = "Applications for season 2026-27 closed on Tuesday, September 1, 2026."
LATE = "The committee may be asked to take a late application."


def told(business, at: str):
    when = world.at(at)
    found = awaiting(world.plant().id, business.id, world.law(when.date()), when)
    return found.title, found.lines, found.next


@pytest.mark.parametrize(("at", "lines", "step"), [
    ("2026-07-10T09:00", ("You can fill it in now and send it from Saturday, August 1, 2026.", UNTIL), "application"),
    ("2026-09-01T23:59:59", ("Send it by 11:59 p.m. on Tuesday, September 1, 2026.", UNTIL), "application"),
    ("2026-09-02T00:00", (CLOSED, LATE, COMING), "late"),
    ("2026-10-05T09:00", (CLOSED, LATE, COMING), "late"),
])  # fmt: skip
def test_without_an_application_the_window_and_the_next_step_are_said(at, lines, step):
    business = builders.hauler()
    assert told(business, at) == ("You have not applied for season 2026-27", lines, step)


def test_a_draft_is_called_a_draft_in_the_window_and_after_it():
    business = builders.hauler()
    builders.draft(business)
    title = "Your application for season 2026-27 is a draft and was not sent"
    assert told(business, "2026-08-20T09:00") == (
        title, ("Send it by 11:59 p.m. on Tuesday, September 1, 2026.", UNTIL), "application",
    )  # fmt: skip
    assert told(business, "2026-10-05T09:00") == (title, (CLOSED, LATE, COMING), "late")


def test_one_that_was_sent_says_by_when_it_is_decided_and_that_late_is_no_approval():
    business = builders.hauler()
    builders.filed(business)
    title, sent = "Your application 2026-27/0001 is not decided yet", "It was sent on Wednesday, August 12, 2026."
    assert told(business, "2026-10-01T23:59") == (
        title, (sent, "The committee decides by October 1, 2026.", UNTIL), "application",
    )  # fmt: skip
    assert told(business, "2026-10-02T00:00")[1][1] == (
        "The decision was due October 1, 2026 and is late. No answer is not an approval."
    )


def test_one_that_was_not_approved_leads_to_its_letter_and_the_next_window():
    business = builders.hauler()
    found = builders.filed(business)
    builders.decide([DecisionLine(found.id, Outcome.REJECTED, 0, 0, "no_approval", "No source can be found.")])
    assert told(business, "2026-10-05T09:00") == (
        "Your application 2026-27/0001 was not approved", ("Your letter says why.", COMING), "letters",
    )  # fmt: skip


def test_one_taken_back_is_none():
    business = builders.hauler()
    found = builders.filed(business)
    withdraw_application(world.plant(), found.id, by=builders.acting(business), at=world.at("2026-08-20T09:00"),
                         law=world.law(date(2026, 8, 20)))  # fmt: skip
    assert told(business, "2026-08-21T09:00")[0] == "You have not applied for season 2026-27"


def test_home_leads_straight_to_asking_late(app, clock_at):
    clock_at("2026-09-02T09:00")
    builders.hauler()
    home = read(signed_in(app), "/hauler")
    assert '<a href="/bayfield/hauler/apply/late">Ask the committee to take yours late</a>' in home
