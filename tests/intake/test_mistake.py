"""Septage restricted by mistake is taken back within ten minutes, and everybody told reads to ignore the message."""

from datetime import timedelta
from uuid import uuid4

import pytest
from sqlalchemy import select

from intake.actions.restriction import lift_restriction
from intake.models import Restriction
from office.db import db
from office.notices import Notice
from tests import world
from tests.intake.gatehouse import good, kept
from tests.intake.plant import book, code, hauler, session
from tests.intake.test_restriction import AT, outcomes, restrict

pytestmark = pytest.mark.usefixtures("app")


def take_back(row, at):
    return kept(lift_restriction(world.plant(), row.id, "Restricted by mistake", mistaken=True, at=at, law=world.law(),
                                 by=world.staff("director")))  # fmt: skip


def test_to_the_tenth_minute_it_is_taken_back_and_not_a_second_later():
    row = restrict()
    late = take_back(row, AT + timedelta(minutes=10, seconds=1))
    assert (code(late), late.cite) == ("too_late", "§ 329-7 B(3)")
    assert good(take_back(row, AT + timedelta(minutes=10))).done == "Restricted by mistake"
    assert code(take_back(row, AT + timedelta(minutes=10))) == "already_lifted"


def test_everybody_told_reads_to_ignore_it_and_bookings_stand_as_before():
    who = hauler()
    good(book(who, session("2026-10-06T09:00", 300)))
    take_back(restrict(), AT + timedelta(minutes=3))
    told = db.session.scalars(select(Notice).filter_by(kind="lifted").order_by(Notice.id)).all()
    before = db.session.scalars(select(Notice.to_name).filter_by(kind="restricted")).all()
    assert sorted(one.to_name for one in told) == sorted(before)
    assert {one.subject for one in told} == {
        "IGNORE OUR LAST MESSAGE: City of Bayfield plant is taking septage again"}  # fmt: skip
    mine = next(one.body for one in told if one.to_name == "Test Pumping").splitlines()
    assert (mine[0], mine[3:6]) == ("Septage was restricted by mistake. Nothing is wrong.", [
        "", "Your bookings:", "B-1006-01, Tue, Oct 6, 9:00 a.m.: stands as it was."])  # fmt: skip
    assert outcomes() == {"B-1006-01": "released"}


def test_the_button_is_there_for_ten_minutes_and_a_second_click_does_nothing(app, clock_at):
    row, client = restrict(), app.test_client()
    here = f"/bayfield/director/restrictions/{row.id}"
    clock_at("2026-10-06T08:22")
    world.sign_in(client, "director")
    assert f'href="{here}/mistake">This was a mistake' in client.get(here).text
    shown = client.get(f"{here}/mistake").text
    assert ("8:12 a.m. If nothing is wrong" in shown, "Ignore our last message”.</p>" in shown) == (True, True)
    given = {"once": uuid4().hex}
    first, again = (client.post(f"{here}/mistake", data=given) for _ in range(2))
    assert (first.status_code, first.location, again.location) == (303, here, here)
    assert db.session.scalars(select(Restriction.lifted_at)).one() == world.at("2026-10-06T08:22")
    later = restrict(at=world.at("2026-10-06T08:30"))
    clock_at("2026-10-06T08:41")
    page = client.get(f"/bayfield/director/restrictions/{later.id}").text
    assert ("Lift restriction" in page, "This was a mistake" in page) == (True, False)
    answer = client.post(f"/bayfield/director/restrictions/{later.id}/mistake", data={"once": uuid4().hex})
    assert (answer.status_code, "lift it by what was done" in answer.text) == (409, True)
