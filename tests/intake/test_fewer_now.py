"""A load that does not fit now is told how many gallons would, and the look at the gate says the same as the save."""

from dataclasses import replace

import pytest

from intake.queries import fitting
from intake.queries.tank import tank_point
from tests import world
from tests.intake.gatehouse import good
from tests.intake.plant import book, hauler
from tests.intake.tanks import PLAIN, beside_station, into, only_tank

pytestmark = pytest.mark.usefixtures("app")
SEVEN = world.at("2026-10-06T07:00")


def asked(gallons: int, **more) -> tuple[str, str]:
    found = fitting.fit(world.plant(), world.law(), SEVEN, gallons, waste="septic_tank", **more)
    return found.why.split(" now.")[0], found.next_step


def test_how_many_gallons_fit_now_is_said_and_so_many_do():
    only_tank(replace(PLAIN, held=1_000))
    assert asked(2_118) == ("2,118 gallons do not fit into the tank",
                            "The truck can wait for that time, or unload up to 2,117 gallons now.")  # fmt: skip
    assert fitting.fit(world.plant(), world.law(), SEVEN, 2_117, waste="septic_tank").gallons == 2_117


def test_what_was_booked_into_a_tank_is_said_of_the_tank_whether_its_point_is_chosen_yet_or_not():
    beside_station(replace(PLAIN, bleed_gph=400))
    booking = good(book(hauler(), replace(into("07:00", 3_000), point=tank_point(world.plant().id).id)))
    looked = asked(3_200, booking=booking)
    assert looked == asked(3_200, booking=booking, point_id=tank_point(world.plant().id).id)
    assert looked[0] == "3,200 gallons do not fit into the tank by 10:00 a.m. today. 3,103 would."
