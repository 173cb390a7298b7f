"""The page of charges and its calculator against ``law price`` and the rules, for every profile and every town."""

import json
import os
import re
from datetime import date
from decimal import Decimal
from html import unescape
from pathlib import Path
from random import Random
from typing import Any

import pytest

from office.access import system
from office.db import db
from office.law import Adoption, adopt_law
from office.law_commands import law_group
from ordinances.fees import for_load, quote_for
from ordinances.hauled import Part
from ordinances.programme import not_served
from ordinances.reader import Law, load_profile, shipped
from ordinances.refusal import Refusal
from ordinances.schedule_words import asks_for, asks_more, charge_rows
from ordinances.screening import WASTE_TYPES
from tests import world
from tests.ordinances.common import changed, without_items
from tests.ordinances.town import HERE, towns

OCT_6 = date(2026, 10, 6)
DAYS = [OCT_6, date(2026, 10, 10), date(2026, 11, 26), date(2027, 1, 1), date(2027, 3, 31), date(2027, 4, 1)]
WASTES = list(WASTE_TYPES)
# Half a dozen a town in the test command; ``make soak`` asks for more.
LOADS = min(int(os.environ.get("SEPTAGE_EXAMPLES", "6")), 500)


def adopted(path: str | Path) -> Law:
    """A profile in force at the plant of the test from October 6 on."""
    made = adopt_law(world.plant(), path, OCT_6, "Ord. 1", by=system(), at=world.START)
    assert isinstance(made, Adoption), made
    db.session.commit()
    return world.law(OCT_6)


def in_town(folder: Path, name: str) -> Path:
    """Bayfield's programme with the charges of another town, every kind of waste covered."""
    path = changed(
        folder, ('value = ["septic_tank", "holding_tank", "portable_toilet"]', f"value = {json.dumps(WASTES)}")
    )
    schedule = re.sub(r"(?m)^(id|name|source) = .*\n", "", (HERE / f"{name}.toml").read_text(encoding="utf-8"))
    path.write_text(without_items(path.read_text(encoding="utf-8")) + "\n" + schedule, encoding="utf-8")
    return path


def words(page: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())


def answered(app: Any, law: Law, waste: str, gallons: int, day: date = OCT_6, **known: str) -> tuple[str, str]:
    """The total, or why there is none, as the calculator and as the command say it; `known` as the page has it.

    Each line says the same words on both, by `law price` in one sentence.
    """
    zones = law.profile.schedule.origins if law.profile.schedule else ()
    given = {"capacity": str(gallons), "origin": zones[0] if zones else ""} | known
    needs = asks_for(law, day) | asks_more(law, day)
    more = {
        name: one for name, one in given.items() if name in needs or (name.startswith("other") and "mixed" in needs)
    }
    page = app.test_client().get("/bayfield/fees", query_string={"gallons": gallons, "waste": waste, **more})
    shown = words(page.get_data(as_text=True))
    options = command_options(more)
    asked = ["price", "bayfield", f"--date={day}", f"--gallons={gallons}", f"--waste={waste}", *options, "--json"]
    said = json.loads(app.test_cli_runner().invoke(law_group, asked).output.splitlines()[0])
    sentences = app.test_cli_runner().invoke(law_group, asked[:-1]).output
    assert page.status_code in ((200, 422) if "refused" in said else (200,))
    if "refused" in said:
        assert "Total" not in shown
        return (said["why"] if said["why"] in shown else shown), said["why"]
    for line in said["lines"]:
        assert f"${Decimal(line['amount']):,.2f}" in shown
        assert line["what"] in shown
    found: Any = quote_for(law, [(day, gallons)], waste, **quoted(more))
    assert [f"{one.amount}" for one in found.lines] == [line["amount"] for line in said["lines"]]
    for one in found.lines:
        assert one.sentence in sentences
        for part in filter(None, (one.what, one.how, one.also, one.cite, one.reading)):
            assert " ".join(part.split()) in shown, part
    assert all(note in shown for note in said["notes"] if "results" in note)
    return shown.split("Total ", 1)[1].split()[0], f"${Decimal(said['total']):,.2f}"


def quoted(more: dict[str, str]) -> dict[str, Any]:
    """What the page was given, as the rules take it."""
    others = tuple(
        Part(more[f"other_waste{last}"], more.get(f"other_origin{last}") or None, int(more[f"other_gallons{last}"]))
        for last in ("", "_2", "_3", "_4")
        if more.get(f"other_waste{last}", "nothing") not in ("", "nothing")
    )
    known: dict[str, Any] = {name: int(more[name]) for name in ("capacity", "pounds") if more.get(name)}
    known |= {name: bool(more[name]) for name in ("metered", "after_hours") if name in more}
    known |= {name: more[name] or None for name in ("origin", "point") if name in more}
    if more.get("cubic_yards"):
        known["cubic_yards"] = Decimal(more["cubic_yards"])
    return known | {"others": others, "measured": known.get("metered", False)}


def command_options(more: dict[str, str]) -> list[str]:
    """What the page was given, as the command takes it."""
    options = []
    for last in ("", "_2", "_3", "_4"):
        kind = [more.get(f"other_{name}{last}", "") for name in ("waste", "gallons", "origin")]
        options += [f"--also={':'.join(kind)}"] if kind[0] not in ("", "nothing") else []
    plain = {name: one for name, one in more.items() if not name.startswith("other")}
    for name in ("metered", "after_hours"):
        if plain.pop(name, ""):
            options.append(f"--{name.replace('_', '-')}")
    return options + [f"--{name.replace('_', '-')}={one}" for name, one in plain.items() if one]


def random_load(chance: Random, law: Law) -> dict[str, Any]:
    """A load as somebody may type it into the calculator."""
    zones = list(law.profile.schedule.origins) if law.profile.schedule else []
    gallons = chance.choice([1, 799, 800, 1000, 1001, 1240, 2000, 3000, chance.randint(1, 3000)])
    given: dict[str, Any] = {
        "waste": chance.choice(WASTES),
        "gallons": gallons,
        "capacity": str(chance.randint(1, 4000)),
    }
    if zones:
        given["origin"] = chance.choice(zones)
    if chance.random() < 0.5:
        given["metered"] = "1"
    if chance.random() < 0.3:
        given["after_hours"] = "1"
    if law.profile.schedule and law.profile.schedule.points:
        given["point"] = chance.choice(law.profile.schedule.points)
    if chance.random() < 0.5:
        given["pounds"] = str(chance.randint(1, 30_000))
    given["cubic_yards"] = f"{chance.randint(0, 900) / 100:.2f}"
    for last in ("", "_2", "_3", "_4")[: chance.choice((0, 0, 1, 1, 2, 4))]:
        given |= {f"other_waste{last}": chance.choice(WASTES), f"other_gallons{last}": str(chance.randint(1, 900)),
                  f"other_origin{last}": chance.choice(zones) if zones else ""}  # fmt: skip
    return given


@pytest.mark.parametrize("name", towns())
def test_any_load_costs_the_same_on_the_page_and_by_the_command(
    app: Any, clock_at: Any, tmp_path: Path, name: str
) -> None:
    law, chance = adopted(in_town(tmp_path, name)), Random(name)
    priced = 0
    for at in range(LOADS):
        # Ordinary days, a weekend, a season that changes, holidays, over New Year.
        day = chance.choice(DAYS)
        clock_at(f"{day}T08:00")
        law = world.law(day)
        # The first is of a kind every town takes, alone: whatever is drawn, one load has a price.
        load = random_load(chance, law)
        if not at:
            alone = {name: one for name, one in load.items() if not name.startswith("other")}
            load = alone | {"waste": "septic_tank"}
        shown, said = answered(app, law, load.pop("waste"), load.pop("gallons"), day, **load)
        assert shown == said, (day, load)
        priced += said.startswith("$")
    assert priced


@pytest.mark.parametrize("name", sorted(shipped()))
def test_the_calculator_agrees_with_the_command_for_every_shipped_profile(app: Any, clock_at: Any, name: str) -> None:
    clock_at("2026-10-06T08:00")
    law = adopted(name)
    for waste in law.value("approval.covers", OCT_6) if law.has("approval.covers", OCT_6) else WASTES[:3]:
        shown, said = answered(app, law, waste, 1500)
        assert shown == said
    page = words(app.test_client().get("/bayfield/fees").get_data(as_text=True))
    # A place without a programme says so in place of its charges.
    for row in charge_rows(law, OCT_6) if not_served(law, OCT_6) is None else ():
        assert f"{row.what} {row.whom + ' ' if row.whom else ''}{row.words}" in page


@pytest.mark.parametrize(("reaches", "beside"), [("none", (True, True)), ("older", (True, False))])
def test_surcharges_of_other_customers_stand_apart_from_what_septage_costs(
    app: Any, clock_at: Any, tmp_path: Path, reaches: str, beside: tuple[bool, bool]
) -> None:
    clock_at("2026-10-06T08:00")
    row = '[[fees.strength_surcharge]]\nvalue = "none"'
    adopted(changed(tmp_path, (row, row.replace("none", reaches))))
    page = words(app.test_client().get("/bayfield/fees").get_data(as_text=True))
    charged, apart = page.split("In the ordinance, and not charged for septage", 1)
    assert ("Connected customers" in apart, "Industry, older table" in apart) == beside
    assert "Connected customers" not in charged and "Industry, older table" not in charged
    assert ("BOD5 above normal strength" in charged) == (reaches == "older")


@pytest.mark.parametrize("name", towns())
def test_a_plant_with_the_charges_of_another_town_says_and_counts_them(
    app: Any, clock_at: Any, tmp_path: Path, name: str
) -> None:
    clock_at("2026-10-06T08:00")
    law = adopted(in_town(tmp_path, name))
    shown, said = answered(app, law, "septic_tank", 800)
    assert shown == said
    page = words(app.test_client().get("/bayfield/fees").get_data(as_text=True))
    rules = words(app.test_client().get("/bayfield/rules").get_data(as_text=True))
    for row in charge_rows(law, OCT_6):
        assert row.words in page
        assert row.words in rules


@pytest.mark.parametrize(
    ("name", "gallons", "total"),
    [("bayfield", 1500, "48.16"), ("cedarburg", 1500, "86.50"), ("manchester", 1240, "104.00"),
     ("chandler", 800, "30.00"), ("superior", 1500, "11.25"), ("eden", 3000, "75.00"), ("bell", 2000, "35.00")],
)  # fmt: skip
def test_a_load_at_a_plant_of_that_town_costs_what_the_town_says(
    tmp_path: Path, name: str, gallons: int, total: str
) -> None:
    law = Law(load_profile(in_town(tmp_path, name)))
    lines = for_load(law, [(OCT_6, gallons)], "septic_tank", capacity=gallons)
    assert not isinstance(lines, Refusal)
    assert str(sum(line.amount for line in lines)) == total
    assert {line.law_version for line in lines} == {law.version}
