"""What a truck that was stopped or refused pays by the charges of other towns: for what came out, else nothing."""

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from intake.actions.load_costs import enter_load_cost
from intake.actions.station import continue_load
from intake.actions.stop import stop_load
from intake.actions.turned_away import refuse_rest
from intake.models import Booking
from intake.queries.checks import check_capacity
from office.db import db
from ordinances.screening import WASTE_TYPES
from tests import world
from tests.intake.gatehouse import balance, booked, good, kept, log, refuse
from tests.intake.plant import Hauler, book, hauler, session
from tests.intake.specials import arranged, working_hours
from tests.intake.test_charged_ways import at_town, charged, standing
from tests.ordinances.town import item, towns

OTHERS = sorted(set(towns()) - {"bayfield"})
ZONES = {"marshalltown": "in_city", "wareham": "bourne"}
WEIGHED: dict[str, Any] = {"basis": "weight", "full_lb": 28_340, "empty_lb": 20_000}  # 1,000 gallons


def stop(load: Any, gallons: int, at: str = "2026-10-06T07:30") -> Any:
    given = {"by": world.staff("operator"), "at": world.at(at), "law": world.law(world.at(at).date())}
    return good(kept(stop_load(load, gallons, "Smells of solvent", **given)))


def small(folder: Path, town: str) -> Hauler:
    """A hauler with a tank of 1,500 gallons at a plant with the charges of a town."""
    at_town(folder, town)
    return hauler("Birch Pumping", number=2, tank=1_500, wastes=list(WASTE_TYPES))


@pytest.mark.parametrize("town", OTHERS)
def test_a_truck_stopped_before_anything_came_out_pays_no_load_in_any_town(app: Any, tmp_path: Path, town: str) -> None:
    who = small(tmp_path, town)
    load = good(log(who, 1_500, origin=ZONES.get(town, "")))
    assert town == "grand_island" or balance(who) > 0
    stop(load, 0)
    assert (load.gallons, standing(load), balance(who)) == (0, [], 0)
    assert check_capacity() == []


def test_at_bayfield_the_sample_taken_is_paid_and_no_gallon(app: Any) -> None:
    who = hauler()
    load = good(log(who, 1_500))
    stop(load, 0)
    assert (standing(load), balance(who)) == ([("test", 1216)], 1216)


@pytest.mark.parametrize(
    ("town", "logged"),
    [("manchester", 12_000), ("eden", 7_500), ("bell", 3_500), ("cedarburg", 8_650), ("chandler", 4_500)],
)
def test_the_rest_refused_before_anything_came_out_leaves_no_charge(
    app: Any, tmp_path: Path, town: str, logged: int
) -> None:
    who = small(tmp_path, town)
    load = good(log(who, 1_500, basis="declared"))
    assert balance(who) == logged
    given: Any = {"by": world.staff("operator"), "at": world.at("2026-10-06T07:30"), "law": world.law()}
    row = good(kept(refuse_rest(load, None, "field_test", "Smells of solvent", out=0, **given)))
    assert (row.gallons, standing(load), balance(who)) == (1_500, [], 0)


@pytest.mark.parametrize("town", OTHERS)
def test_a_truck_refused_at_the_gate_pays_nothing_in_any_town(app: Any, tmp_path: Path, town: str) -> None:
    who = small(tmp_path, town)
    load = good(refuse(who))
    assert (charged(load), balance(who)) == ([], 0)


def test_one_gallon_out_is_a_load(app: Any, tmp_path: Path) -> None:
    who = small(tmp_path, "manchester")
    load = good(log(who, 1_500, basis="declared"))
    stop(load, 1)
    assert standing(load) == [("first_thousand", 8000)]


def test_falmouth_takes_nothing_after_hours_for_a_truck_that_was_stopped_before(
    app: Any, tmp_path: Path, clock_at: Any
) -> None:
    clock_at("2026-10-06T06:00")
    who = small(tmp_path, "falmouth")
    working_hours()
    row = arranged(who, 600)
    db.session.commit()
    load = good(log(who, 600, "2026-10-06T14:00", booking=db.session.get_one(Booking, row.booking_id)))
    assert charged(load) == [("winter", 4800), ("after_hours", 10000)]
    stop(load, 0, "2026-10-06T14:10")
    assert (standing(load), balance(who)) == ([], 0)


def test_cleaning_up_after_a_truck_of_which_nothing_was_taken_is_passed_on(app: Any, tmp_path: Path) -> None:
    who = small(tmp_path, "chandler")
    load = good(log(who, 1_500, basis="declared"))
    stop(load, 0)
    given: Any = {"by": world.staff("clerk"), "at": world.at("2026-10-07T10:00"), "law": world.law()}
    good(kept(enter_load_cost(load, "cleaning", Decimal("140.00"), "Own crew, 2 hours", **given)))
    assert (standing(load), balance(who)) == ([("cleaning", 14_000)], 14_000)


def test_a_minimum_stays_where_the_gallons_out_count_nothing(app: Any, tmp_path: Path) -> None:
    over = 'price = "0.05"\nover = "1000"\nbasis = ["measured", "declared"]'
    least = item("least", "minimum", 'price = "30.00"\nof = ["deep"]')
    who = at_town(tmp_path, "superior", item("deep", "per_gallons", over) + least)
    load = good(log(who, 1_500))
    assert charged(load) == [("truckload", 1125), ("deep", 2500), ("least", 500)]
    stop(load, 800)
    assert standing(load) == [("truckload", 1125), ("least", 3000)]


@pytest.mark.parametrize(("town", "code", "cents"), [("manchester", "scale", 8), ("falmouth", "winter", 8)])
def test_a_weighed_truck_pays_for_what_came_out_before_it_was_stopped(
    app: Any, tmp_path: Path, town: str, code: str, cents: int
) -> None:
    who = small(tmp_path, town)
    load = good(log(who, 1_000, **WEIGHED))
    assert charged(load) == [(code, cents * 1_000)]
    stop(load, 333)
    assert standing(load) == [(code, cents * 333)]


def test_a_load_weighed_on_its_first_morning_pays_for_the_second_too(app: Any, tmp_path: Path) -> None:
    who = at_town(tmp_path, "falmouth")
    booking = booked(book(who, [session("2026-10-06T07:00", 1_000), session("2026-10-07T07:00", 500)]))
    load = good(log(who, 1_000, booking=booking, **WEIGHED))
    given: Any = {"by": world.staff("operator"), "at": world.at("2026-10-07T07:00"), "law": world.law()}
    good(kept(continue_load(load, 500, **given)))
    assert (standing(load), balance(who)) == ([("winter", 12_000)], 12_000)
