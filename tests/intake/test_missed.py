"""A suspension is lifted: its hauler reads which bookings passed meanwhile, and which times fit them (§ 329-7 G)."""

import pytest
from sqlalchemy import select

from haulers.actions.suspension import lift_suspension
from haulers.models import Suspension
from office.db import db
from office.notices import Notice
from tests import world
from tests.intake.gatehouse import good, kept
from tests.intake.plant import MORNING, THURSDAY, TUESDAY, book, hauler, session, times_page

pytestmark = pytest.mark.usefixtures("app")


def lifted(who, at):
    """What the hauler reads when its suspension from Monday on is lifted."""
    row = Suspension(plant_id=world.plant().id, approval_id=who.approval_id, at=MORNING, until=None, rule="§ 1",
                     reason="At night", by_name="Director")  # fmt: skip
    db.session.add(row)
    db.session.commit()
    good(kept(lift_suspension(world.plant(), row.id, "The night log came.", by=world.staff("director"), at=world.at(at),
                              law=world.law(TUESDAY))))  # fmt: skip
    mine = select(Notice).filter_by(kind="suspension_lifted", to_email=who.email)
    return db.session.scalars(mine).one().body.splitlines()


def test_what_passed_meanwhile_is_named_with_times_that_fit_now():
    who = hauler()
    number = good(book(who, session("2026-10-06T07:00", 600))).number
    good(book(who, session("2026-10-08T07:00", 600)))
    assert lifted(who, "2026-10-07T12:00")[2:-1] == [
        "The night log came.", "", "Their time passed while it was suspended:",
        f"{number}, Tue, Oct 6, 7:00 a.m.: 600 gallons.",
        "Times that fit it now: Thu, Oct 8, 7:55 to 8:50 a.m.; 8:00 to 8:55 a.m.; 8:15 to 9:10 a.m.",
        f"Book here: {times_page(who, 600, THURSDAY)}", "",
        "Choose first: book one of these times now, or call 715-555-0100, weekdays 7 a.m. to 3 p.m.",
    ]  # fmt: skip


def test_a_booking_still_to_come_stands_and_nothing_is_said_of_it():
    who = hauler()
    good(book(who, session("2026-10-08T07:00", 600)))
    assert lifted(who, "2026-10-07T12:00")[2:-1] == ["The night log came."]


def test_of_a_load_over_two_mornings_only_the_one_that_passed_is_named():
    who = hauler()
    one = good(book(who, [session("2026-10-06T07:00", 1_998), session("2026-10-08T07:00", 600)]))
    told = lifted(who, "2026-10-07T12:00")
    assert told[5] == f"{one.number}, Tue, Oct 6, 7:00 a.m.: 1,998 gallons."
    assert told[6] == ""
