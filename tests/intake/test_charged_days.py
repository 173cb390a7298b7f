"""The mornings of one load at a plant, each charged at the price of its own time; corrected later they stay so."""

from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from intake.actions import charging
from office.db import db
from office.plants import set_closure
from office.verify import verify
from tests import world
from tests.intake.gatehouse import balance, booked, good
from tests.intake.plant import book, session
from tests.intake.test_blanks import enter, issue, one, written
from tests.intake.test_charged_ways import at_town, standing
from tests.intake.test_late import Visitor
from tests.ordinances.town import item

WEDNESDAY = date(2026, 10, 7)
AT = {"inside": "0.05", "after_hours": "0.09", "holiday": "0.20"}
GALLON = 'price = "{0}"\nbasis = ["measured", "declared"]\nwhen = ["{1}"]'
PRICES = "".join(item(name, "per_gallons", GALLON.format(price, name)) for name, price in AT.items())


@pytest.mark.parametrize(
    ("first", "second", "lines"),
    [
        ("07:00", "07:00", [("inside", 5000), ("inside", 2500)]),
        ("07:00", "14:00", [("inside", 5000), ("after_hours", 4500)]),
        ("14:00", "07:00", [("after_hours", 9000), ("inside", 2500)]),
    ],
)
def test_each_morning_pays_by_when_it_began(
    app: Any, tmp_path: Path, first: str, second: str, lines: list[tuple[str, int]]
) -> None:
    load, who = over_two_days(tmp_path, first, second)
    assert standing(load) == [("truckload", 1125), *lines]
    assert balance(who) == 1125 + sum(cents for _, cents in lines)
    again: Any = charging.quote(world.plant(), load, world.law(WEDNESDAY), world.at("2026-10-09T09:00"))
    assert sorted((one.code, one.cents) for one in again.lines) == sorted(standing(load))
    assert [words for words in verify() if not words.startswith("counter missing: the series app")] == []


def test_a_second_morning_on_a_holiday_the_plant_opened_on_pays_the_price_of_holidays(app: Any, tmp_path: Path) -> None:
    given: Any = {"by": world.staff("clerk"), "at": world.START}
    good(set_closure(world.plant(), WEDNESDAY, "Founders' Day", "holiday", **given))
    good(set_closure(world.plant(), WEDNESDAY, "Open for Founders' Day", "opened", **given))
    db.session.commit()
    load, _ = over_two_days(tmp_path, "07:00", "07:00")
    assert standing(load) == [("truckload", 1125), ("inside", 5000), ("holiday", 10000)]


def over_two_days(folder: Path, first: str, second: str) -> Any:
    """A load of 1,000 gallons on Tuesday and 500 on Wednesday, written on blank tickets."""
    who = at_town(folder, "superior", PRICES)
    good(issue(2))
    booking = booked(book(who, [session("2026-10-06T07:00", 1_000), session("2026-10-07T07:00", 500)]))
    visit = Visitor(who.business_id, who.truck_id, booking)
    days = (("P-2026-0001", f"2026-10-06T{first}", 1_000), ("P-2026-0002", f"2026-10-07T{second}", 500))
    for number, at, gallons in days:
        paper = replace(written(who, number, at, gallons=gallons, bottle=f"B-{number}"), visitor=visit)
        load = good(enter(one(number), paper, "2026-10-08T12:00"))
    return load, who
