"""What a page says of the day, the hauler and the opening it is about: never another's without saying so."""

from datetime import date

import pytest

from intake.actions.restriction import restrict_plant
from intake.queries.asked_day import other_day
from office.db import db
from office.notices import Notice
from tests import world
from tests.intake.gatehouse import good
from tests.intake.plant import TUESDAY, book, hauler, session
from tests.intake.test_waiting import kept, wait

pytestmark = pytest.mark.usefixtures("app")


@pytest.mark.parametrize(("asked", "said"), [
    (None, ""), (TUESDAY, ""),
    (date(2026, 10, 10), "The plant is closed on Saturday, October 10, 2026: unloading is Monday to Friday only. Below "
                         "is Tuesday, October 6, 2026."),
    (date(2026, 10, 2), "Friday, October 2, 2026 is past. Below is Tuesday, October 6, 2026."),
    (date(2027, 6, 1), "No times are offered on Tuesday, June 1, 2027: it is outside the approval. "
                       "Below is Tuesday, October 6, 2026."),
])  # fmt: skip
def test_another_day_than_asked_for_is_shown_with_the_reason(asked, said):
    assert other_day(world.law(), date(2026, 10, 5), asked, TUESDAY) == said


def test_the_times_of_a_closed_day_say_so_and_the_phone_page_names_the_hauler(app, clock_at):
    clock_at("2026-10-05T16:00")
    who = hauler("Short Pumping", rest=516)
    own, desk = app.test_client(), app.test_client()
    world.sign_in(own, who.email), world.sign_in(desk, "operator")
    load = f"truck={who.truck_id}&gallons=500&waste=septic_tank"
    page = own.get(f"/bayfield/hauler/book/times?{load}&day=2026-10-10").get_data(as_text=True)
    assert "The plant is closed on Saturday, October 10, 2026: unloading is Monday to Friday only. Below is " in page
    assert 'role="status"><b>' not in own.get(f"/bayfield/hauler/book/times?{load}&day=2026-10-07").get_data(
        as_text=True)  # fmt: skip
    more = load.replace("500", "600")
    page = desk.get(f"/bayfield/plant/phone/{who.business_id}/times?{more}").get_data(as_text=True)
    assert ("Short Pumping has 516 gallons left until" in page, "You have" in page) == (True, False)
    assert "You have 516 gallons left until" in own.get(f"/bayfield/hauler/book/times?{more}").get_data(as_text=True)


def test_one_day_waited_for_is_one_date():
    book(hauler("Full Pumping", number=9), session("2026-10-06T07:00", 1_998))
    wait(hauler())
    subjects = [one.subject for one in db.session.query(Notice).filter_by(kind="waiting")]
    assert subjects == ["On the waiting list: 600 gallons, October 6, 2026"]


def test_the_next_opening_is_not_before_a_restriction_is_planned_to_end(app, clock_at):
    clock_at("2026-10-05T16:00")
    good(kept(restrict_plant(world.plant(), "operational_problem", planning_end=world.at("2026-10-06T10:00"),
                             by=world.staff("director"), at=world.at("2026-10-05T15:00"),
                             law=world.law())))  # fmt: skip
    told = app.test_client().get("/bayfield/status.json").get_json()
    assert (told["next_open"], told["next_free"]) == ("2026-10-07T07:00-05:00", "2026-10-07T07:00-05:00")
