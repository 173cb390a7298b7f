"""Towns whose charges are known to the cent, each at a plant: by ``law price`` and by the calculator of /fees."""

import json
from pathlib import Path
from typing import Any

import pytest

from office.access import system
from office.db import db
from office.law import Adoption, adopt_law
from office.law_commands import law_group
from ordinances.fees import registration_lines
from ordinances.pricing import application_lines
from ordinances.reader import Law, load_profile
from ordinances.schedule_law import schedule_of
from tests import world
from tests.billing.test_fees_pages import command_options, in_town, words

# Town, day, gallons and kind, what else the calculator is given, options of the command the calculator has not, total.
Case = tuple[str, int, str, dict[str, str], tuple[str, ...], str]
MANY: dict[str, list[Case]] = {
    "bayfield": [("2026-10-06", 1500, "septic_tank", {}, (), "48.16"),
                 ("2026-10-06", 1500, "septic_tank", {}, ("--after-hours-minutes=136", "--wage=30.00"), "128.16")],
    "cedarburg": [("2026-10-06", 1500, "septic_tank", {}, (), "86.50"),
                  ("2026-10-06", 1500, "holding_tank", {}, (), "23.88")],
    "manchester": [("2026-10-06", 1240, "septic_tank", {"capacity": "1240"}, (), "104.00"),
                   ("2026-10-06", 1000, "septic_tank", {"capacity": "1000"}, (), "80.00"),
                   ("2026-10-06", 1240, "septic_tank", {"capacity": "1240", "pounds": "10342"}, (), "99.20")],
    "falmouth": [("2027-03-31", 2000, "septic_tank", {}, (), "160.00"),
                 ("2027-04-01", 2000, "septic_tank", {}, (), "190.00"),
                 ("2027-04-01", 2000, "septic_tank", {}, ("--after-hours-minutes=60", "--wage=30.00"), "290.00"),
                 ("2027-03-31", 1, "septic_tank", {"pounds": "16680"}, (), "160.00")],
    "marshalltown": [
        ("2026-10-06", 1800, "septic_tank", {"capacity": "2000", "metered": "1", "origin": "in_city"}, (), "222.40"),
        ("2026-10-06", 1800, "septic_tank", {"capacity": "2000", "origin": "in_city"}, (), "236.00"),
        ("2026-10-06", 1000, "grease_interceptor", {"capacity": "1000", "origin": "in_city"}, (), "135.00"),
        ("2026-10-06", 1000, "grease_interceptor", {"capacity": "1000", "origin": "outside"}, (), "270.00"),
        ("2026-10-06", 500, "other", {"capacity": "1000", "origin": "in_city", "cubic_yards": "3.50"}, (), "87.50"),
        ("2026-10-06", 1000, "septic_tank", {"capacity": "1000", "origin": "in_city", "other_origin": "outside",
         "other_waste": "grease_interceptor", "other_gallons": "100"}, (), "270.00"),
    ],
    "chandler": [("2026-10-06", 800, "septic_tank", {"capacity": "800"}, (), "30.00"),
                 ("2026-10-06", 800, "septic_tank", {"capacity": "2000"}, (), "60.00"),
                 ("2026-10-10", 800, "septic_tank", {"capacity": "800"}, (), "80.00"),
                 ("2026-10-06", 800, "septic_tank", {"capacity": "800"}, ("--cost=lab=62.50",), "92.50")],
    "superior": [("2026-10-06", 1500, "septic_tank", {}, (), "11.25")],
    "american_bottoms": [("2026-10-09", 1000, "septic_tank", {"capacity": "2000"}, (), "140.00"),
                         ("2026-10-10", 1000, "septic_tank", {"capacity": "2000"}, (), "186.20")],
    "wareham": [("2026-10-06", 1000, "septic_tank", {"origin": zone}, (), total)
                for zone, total in (("resident", "80.00"), ("bourne", "100.00"), ("nonresident", "180.00"))],
    "eden": [("2026-10-06", gallons, "septic_tank", {}, (), "75.00") for gallons in (1, 3000)],
    "bell": [("2026-10-06", 2000, "septic_tank", {}, (), "35.00")],
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(MANY))
def test_a_town_costs_to_the_cent_by_the_command_and_on_the_page(
    app: Any, clock_at: Any, tmp_path: Path, name: str
) -> None:
    made = adopt_law(world.plant(), in_town(tmp_path, name), world.date(2026, 10, 1), "Ord. 1", by=system(),
                     at=world.START)  # fmt: skip
    assert isinstance(made, Adoption), made
    db.session.commit()
    client, runner = app.test_client(), app.test_cli_runner()
    for day, gallons, waste, known, options, total in MANY[name]:
        asked = ["price", "bayfield", f"--date={day}", f"--gallons={gallons}", f"--waste={waste}",
                 *command_options(known), *options, "--json"]  # fmt: skip
        said = json.loads(runner.invoke(law_group, asked).output.splitlines()[0])
        assert (name, day, known, said.get("total", said.get("why"))) == (name, day, known, total)
        if not options:
            clock_at(f"{day}T08:00")
            page = client.get("/bayfield/fees", query_string={"gallons": gallons, "waste": waste, **known})
            assert words(page.get_data(as_text=True)).split("Total ", 1)[1].split()[0] == f"${total}"


def test_a_hauler_of_superior_pays_less_for_each_later_year_and_of_manchester_for_each_truck(tmp_path: Path) -> None:
    day = world.date(2026, 10, 6)
    superior, manchester = (Law(load_profile(in_town(tmp_path, name))) for name in ("superior", "manchester"))
    years = [application_lines(schedule_of(superior), day, renewal=later)[0].amount for later in (False, True)]
    assert [str(one) for one in years] == ["75.00", "25.00"]
    assert [str(one.amount) for one in registration_lines(manchester, day, trucks=2)] == ["20.00"]
