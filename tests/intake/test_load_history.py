"""What the history of a load says of each act that changes it: who, when, why, and the old value beside the new one."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from flask import Flask

from intake.actions.correcting import correct_load
from intake.actions.lab import Facts, enter_result
from intake.actions.records import file_record
from intake.actions.retest import answer_retest, ask_retest, finish_retest
from intake.actions.running import change_rate
from intake.actions.station import void_load
from intake.models import Load
from intake.queries import load_history, loads
from intake.queries.figures import figures
from tests import world
from tests.intake.gatehouse import good, kept, log, refuse
from tests.intake.plant import Hauler, hauler
from tests.intake.test_station_pages import get, signed_in, text

AT = world.at("2026-10-14T09:00")


@pytest.fixture
def who(app: Flask) -> Hauler:
    return hauler()


def told(load: Load) -> list[tuple[Any, ...]]:
    found = load_history.lines(loads.history(load))
    return [(one["at"], one["what"], one["who"], one["changes"], one["reason"]) for one in found]


def staff(**more: Any) -> dict[str, Any]:
    return {"by": world.staff("operator"), "at": AT, "law": world.law()} | more


def test_a_correction(who: Hauler) -> None:
    load = good(log(who, 1_500))
    good(kept(correct_load(load, replace(figures(load), gallons=1_400), "Meter read again", **staff())))
    assert told(load)[-1] == (
        AT, "Corrected", "Operator of the City", ["Gallons: 1,400, before 1,500"],
        "1,400 gallons, not 1,500. Meter read again")  # fmt: skip


def test_a_void_ticket(who: Hauler) -> None:
    load = good(log(who, 300))
    good(kept(void_load(load, "Typed twice", **staff())))
    assert told(load)[-1] == (
        AT, "Voided", "Operator of the City", ["State: void, before accepted"], "Typed twice")  # fmt: skip


def test_a_refusal(who: Hauler) -> None:
    load = good(refuse(who))
    assert told(load) == [(world.at("2026-10-06T07:00"), "Refused", "Operator of the City", [], "Smells of solvent")]


def test_a_late_record_written_for_the_hauler(who: Hauler) -> None:
    load = good(log(who, 300))
    by = world.staff("operator").for_(load.business_name)
    good(kept(file_record(load, "12 Cedar Lane", by=by, at=AT, law=world.law())))
    assert told(load)[-1] == (AT, "Record written", "Operator of the City for Test Pumping",
                              ["Late: it was due by the end of Wednesday, October 7, 2026"], "")  # fmt: skip


def test_a_record_in_time_says_nothing_of_late(who: Hauler) -> None:
    load = good(log(who, 300))
    good(kept(file_record(load, "12 Cedar Lane", by=who.by, at=world.at("2026-10-07T23:59:59"), law=world.law())))
    assert told(load)[-1][1:4] == ("Record written", "Test Pumping Owner", [])


def test_a_laboratory_result_and_its_change(who: Hauler) -> None:
    load = good(log(who, 300))
    good(kept(enter_result(load, "TSS", "<2", sure=True, **staff())))
    good(
        kept(enter_result(load, "TSS", "9,000", reason="The laboratory mended it", **staff(by=world.staff("manager"))))
    )
    assert [one[1:] for one in told(load)[-2:]] == [
        ("Result entered", "Operator of the City", ["Suspended solids: <2"], ""),
        ("Result entered", "Manager of the City", ["Suspended solids: 9,000, before <2"], "The laboratory mended it"),
    ]  # fmt: skip


def test_a_measured_rate_stands_beside_the_one_before(who: Hauler) -> None:
    load = good(log(who, 1_500))
    for gph, clock in ((300, "07:20"), (200, "07:30")):
        good(kept(change_rate(load, gph, 200 + gph, **staff(at=world.at(f"2026-10-06T{clock}")))))
    said = [[words for words in one[3] if words.startswith("Rate")] for one in told(load)]
    assert said == [[], ["Rate: 300 gallons an hour, before 662 gallons an hour"],
                    ["Rate: 200 gallons an hour, before 300 gallons an hour"]]  # fmt: skip


def test_new_tests_with_their_price_and_what_counts(who: Hauler) -> None:
    load = good(log(who, 300))
    good(kept(enter_result(load, "BOD5", "4,200", facts=Facts(lod=Decimal(2), loq=Decimal(6)), **staff())))
    manager = staff(by=world.staff("manager"))
    for prevails in (False, True):
        row = good(kept(ask_retest(load, ("BOD5",), "High", by=who.by, at=AT, law=world.law())))
        good(kept(answer_retest(world.plant(), row.id, True, cost=Decimal("48.5"), **manager)))
        good(kept(finish_retest(world.plant(), row.id, {"BOD5": "<500"}, prevails, "Dry", **manager)))
    assert [one[1:] for one in told(load)[-3:]] == [
        ("New tests asked for", "Test Pumping Owner", [], "High"),
        ("New tests answered", "Manager of the City", ["Price: $48.50"], "Accepted"),
        ("New tests done", "Manager of the City", ["BOD: <500, this counts, first 4,200"], "Dry"),
    ]  # fmt: skip
    assert told(load)[-4][3] == ["BOD: <500, the first counts, first 4,200"]
    changed = {"reason": "Wrong sheet", "facts": Facts(lod=Decimal(3), loq=Decimal(6))}
    good(kept(enter_result(load, "BOD5", "4,200", **changed, **staff())))
    assert told(load)[-1][3] == ["BOD, limit of detection: 3, before 2"]


def test_the_page_of_the_load_shows_all_of_it(app: Flask, who: Hauler, clock_at: Any) -> None:
    load = good(log(who, 300))
    good(kept(enter_result(load, "TSS", "<2", sure=True, **staff())))
    good(kept(enter_result(load, "TSS", "9,000", reason="The laboratory mended it", **staff())))
    clock_at("2026-10-14T10:00")
    page = text(get(signed_in(app, "operator"), "/station/load/2026-00001")).replace("&lt;", "<")
    when = "Wednesday, October 14, 2026, 9:00 a.m. Result entered Operator of the City"
    assert f"{when} Suspended solids: 9,000, before <2. The laboratory mended it" in page
