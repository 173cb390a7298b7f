"""A rate above the limit is refused under the rule that sets the limit at that time, whichever it is."""

from datetime import date

import pytest

from intake.actions.flow import put_flow_in_force
from intake.actions.restriction import restrict_plant
from office.db import db
from office.plants import set_plant_row
from ordinances.refusal import Refusal
from tests import world
from tests.intake.plant import MORNING, book, hauler, session

pytestmark = pytest.mark.usefixtures("app")


def refused(gph=667, start="2026-10-06T07:00", at=MORNING):
    answer = book(hauler(), session(start, gph, minutes=60), at=at)
    assert isinstance(answer, Refusal)
    return answer.code, answer.cite, answer.why


def set_row(key, value):
    made = set_plant_row(world.plant(), key, value, date(2026, 10, 1), "Director's order 7", by=world.staff("director"),
                         at=MORNING)  # fmt: skip
    assert not isinstance(made, Refusal), made
    db.session.commit()


def test_the_stated_figure_is_cited_where_it_binds():
    why = "667 gallons an hour is more than the limit of 666 at that time."
    assert refused() == ("over_limit", "§ 329-7 F(3)", why)


def test_the_directors_own_ceiling_is_cited_where_it_binds():
    set_row("rate.own_ceiling_gph", 300)
    assert refused(301) == ("over_limit", "Director's order 7",
                            "301 gallons an hour is more than the limit of 300 at that time.")  # fmt: skip


def test_a_lower_flow_is_cited_by_the_section_of_the_figure():
    put_flow_in_force(world.plant(), 120_000, date(2026, 10, 6), "Order 12", by=world.staff("director"), at=MORNING,
                      law=world.law())  # fmt: skip
    db.session.commit()
    assert refused(501)[:2] == ("over_limit", "§ 329-7 F(3)")


def test_a_restriction_of_the_rate_is_cited_where_it_binds():
    restrict_plant(world.plant(), "permit_threat", scope="rate", gph=200, by=world.staff("director"), at=MORNING,
                   law=world.law())  # fmt: skip
    db.session.commit()
    assert refused(201, at=world.at("2026-10-05T17:00"))[:2] == ("over_limit", "§ 329-7 B(3)")
