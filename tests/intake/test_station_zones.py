"""A town that charges by where waste comes from: the station asks the zone, the load keeps it, the charge follows."""

from datetime import date
from typing import Any

import pytest

from intake.actions import tickets
from intake.actions.charging import charge_again
from intake.models import Load
from office.db import db
from ordinances.refusal import Refusal
from ordinances.schedule_words import zones
from tests import world
from tests.billing.test_fees_pages import adopted, in_town
from tests.intake.gatehouse import TUESDAY_0700, log
from tests.intake.plant import hauler
from tests.intake.test_station_pages import post, text

OCT_6 = date(2026, 10, 6)


@pytest.fixture
def who(app: Any, clock_at: Any, tmp_path: Any) -> Any:
    adopted(in_town(tmp_path, "wareham"))
    clock_at("2026-10-06T07:00")
    return hauler()


def charges(load: Load) -> list[tuple[str, int]]:
    return [(entry.what, entry.amount_cents) for entry in tickets.charges_of(load)]


@pytest.mark.parametrize(
    ("zone", "charge"),
    [("resident", ("Septage of residents", 8_000)), ("bourne", ("Septage from the partner town", 10_000)),
     ("nonresident", ("Septage from elsewhere", 18_000))],
)  # fmt: skip
def test_a_thousand_gallons_cost_what_their_zone_costs(who: Any, zone: str, charge: tuple[str, int]) -> None:
    made: Any = log(who, 1_000, origin=zone)
    assert isinstance(made, Load), made
    assert (made.origin, charges(made)) == (zone, [charge])
    again = charge_again(world.plant(), made, "Looked at again", by=world.staff("operator"), at=TUESDAY_0700,
                         law=world.law(OCT_6))  # fmt: skip
    assert (again, charges(made)) == (None, [charge])


def test_without_its_zone_a_load_is_not_logged_and_the_zones_are_named(who: Any) -> None:
    refused: Any = log(who, 1_000)
    assert isinstance(refused, Refusal)
    assert (refused.code, refused.next_step) == ("origin_missing", "Give the zone: bourne, nonresident, resident.")
    assert db.session.query(Load).count() == 0


def test_the_station_asks_the_zone_only_where_the_charges_hang_on_it(app: Any, who: Any) -> None:
    client = app.test_client()
    world.sign_in(client, "operator")
    address = f"/bayfield/station/load?business={who.business_id}&truck={who.truck_id}&waste=septic_tank"
    page = text(client.get(address).get_data(as_text=True))
    assert [words for words in ("Where is the waste from?", "Resident", "Bourne", "Nonresident") if words in page] == [
        "Where is the waste from?", "Resident", "Bourne", "Nonresident",
    ]  # fmt: skip
    sent = post(client, address.removeprefix("/bayfield"), {"gallons": "1000", "driver": "Ann", "bottle": "B-1"})
    assert (sent.status_code, "Give the zone: bourne, nonresident, resident." in text(sent.text)) == (422, True)
    done = post(client, address.removeprefix("/bayfield"), {"gallons": "1000", "driver": "Ann", "bottle": "B-1",
                                                            "origin": "bourne"})  # fmt: skip
    assert done.status_code == 303, text(done.text)
    assert "From Bourne" in text(client.get(done.location).text)
    assert zones(world.law(date(2026, 10, 5)), date(2026, 10, 5)) == []
