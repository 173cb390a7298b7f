"""The pictures of a plant with a tank and a station beside it say of each quarter hour what booking offers."""

from dataclasses import replace
from typing import Any

import pytest

from intake.actions.restriction import restrict_plant
from intake.queries import offered, two_weeks
from intake.queries.tank import tank_point
from intake.queries.terms import terms_of
from tests import world
from tests.intake.gatehouse import good, kept
from tests.intake.plant import TUESDAY, Hauler, hauler, picture
from tests.intake.tanks import PLAIN, beside_station

EARLY = world.at("2026-10-06T06:30")
AT = "/bayfield/hauler/book/times?truck=1&waste=septic_tank&day=2026-10-06&gallons="


@pytest.fixture
def who(app) -> Hauler:
    """The tank is full and bled at 400 an hour: the station has the other 266."""
    made = hauler()
    beside_station(replace(PLAIN, bleed_gph=400, held=3_000))
    return made


def numbers() -> list[int]:
    return [int(one.free) for one in picture(TUESDAY, EARLY).quarters]


def offers_at(who: Hauler, gallons: int) -> list[str]:
    """The quarter hours in which a load is offered a start."""
    terms = terms_of(world.plant().id, who.business_id, world.law(), EARLY, "septic_tank")
    found = offered.find(world.plant(), terms, EARLY, gallons, TUESDAY)
    return [f"{one.start:%H:%M}" for one in found.fits]


def test_each_quarter_hour_says_the_largest_load_that_may_begin_at_either(who):
    # 798 are three hours of 266; from 8:15 on more has left the tank than the station still takes.
    assert numbers() == [798, 731, 665, 598, 532, 517, 620, 724, 827, 931, 1_034, 1_137]
    day = two_weeks.two_weeks(world.plant(), world.law(), EARLY).rows[1]
    assert [one.words for one in day.cells][:3] == ["798", "731", "665"]
    assert day.largest == max(numbers())


@pytest.mark.parametrize("gallons", [798, 732, 466, 1_034])
def test_a_load_of_the_number_is_offered_in_just_these_quarter_hours(who, gallons):
    quarters = [f"{one.start:%H:%M}" for one in picture(TUESDAY, EARLY).quarters if one.free >= gallons]
    assert [one for one in offers_at(who, gallons) if one in quarters] == quarters


def test_with_the_tanks_point_restricted_the_station_is_drawn(who):
    point = tank_point(world.plant().id)
    assert point is not None
    good(kept(restrict_plant(world.plant(), "operational_problem", scope="points", points=[point.id],
                             by=world.staff("director"), at=EARLY, law=world.law())))  # fmt: skip
    assert numbers() == [798, 731, 665, 598, 532, 465, 399, 332, 266, 199, 133, 66]


def test_who_asks_for_the_tank_alone_is_shown_the_tank(app, who):
    point = tank_point(world.plant().id)
    assert point is not None
    terms = terms_of(world.plant().id, who.business_id, world.law(), EARLY, "septic_tank")
    drawn = offered.find(world.plant(), terms, EARLY, 1_200, TUESDAY, point_id=point.id).drawn
    assert (drawn.where, [int(one.free) for one in drawn.picture.quarters][:3]) == ("Receiving tank", [0, 103, 206])
    client: Any = app.test_client()
    world.sign_in(client, who.email)
    page = client.get(f"{AT}1200&point={point.id}").get_data(as_text=True)
    assert "Gallons free at Receiving tank on" in page
