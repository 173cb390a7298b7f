"""Loads too large for the truck or the day are said before the application is sent, and do not stop it."""

from dataclasses import replace
from typing import Any

from haulers.queries import TruckLine, load_warnings, trucks_of
from ordinances.calendar import season_named
from tests import world
from tests.haulers.builders import SOURCE, answered, hauler
from tests.haulers.test_pages_hauler import ROW, once, rows, signed_in, text

TRUCK = "Source 1: 2,500 gallons a load is more than your largest truck holds (1,500 gallons)."
DAY = (
    "Source 1: 2,500 gallons a load is more than one day takes (1,998 gallons at 666 an hour): "
    "it would need several mornings."
)


def said(gallons: int, trucks: list[Any]) -> list[tuple[str, str]]:
    law = world.law()
    line = replace(SOURCE, gallons_a_load=gallons)
    return [(one.sentence, one.cite) for one in load_warnings([line], trucks, law, season_named(law, "2026-27"))]


def test_the_edges_are_the_largest_truck_and_the_gallons_of_one_day(app: Any) -> None:
    trucks = trucks_of(hauler(trucks=[TruckLine("A", 1000), TruckLine("B", 2100)]).id)
    assert said(1998, trucks) == []
    assert [cite for _, cite in said(1999, trucks)] == ["§ 329-7 F(3)"]
    assert [cite for _, cite in said(2100, trucks)] == ["§ 329-7 F(3)"]
    assert [cite for _, cite in said(2101, trucks)] == ["", "§ 329-7 F(3)"]
    assert said(1500, []) == []


def test_sources_and_check_pages_warn_with_the_figures_and_the_application_can_be_sent(app: Any, clock_at: Any) -> None:
    clock_at("2026-08-05T09:00")
    answered(hauler(), at="2026-08-04T09:00")
    client = signed_in(app)
    assert "Check the gallons a load" not in text(client.get("/bayfield/hauler/apply/check"))
    big = rows(ROW | {"gallons_a_load": "2,500", "gallons_rest": "8,000"})
    assert client.post("/bayfield/hauler/apply/sources", data=big | {"then": "check"} | once()).status_code == 303
    for address in ("check", "sources"):
        page = text(client.get(f"/bayfield/hauler/apply/{address}"))
        assert TRUCK in page
        assert DAY in page
    assert client.post("/bayfield/hauler/apply/check", data=once()).location == "/bayfield/hauler/apply/sent/1"
