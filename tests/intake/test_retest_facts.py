"""What a laboratory says of new tests is kept, shown and corrected as of the first ones (§ 329-6 J, § 329-7 F(1))."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from intake.actions.lab import Facts
from intake.actions.retest import correct_retest, finish_retest
from intake.queries import counting, load_history, load_table, loads, retests
from intake.queries.load_table import Sought
from office.verify import verify
from tests import world
from tests.intake.gatehouse import good, kept, said
from tests.intake.test_retest import NOW, answer, ask, with_results
from tests.intake.test_station_pages import fields, get, post, signed_in, text

DAYS = {"sampled_on": date(2026, 10, 6), "received_on": date(2026, 10, 14), "analysed_on": date(2026, 10, 16)}
SHEET = Facts("SM 5210 B", "K. Holm", "N-77", lod=Decimal(2), loq=Decimal(6), **DAYS)
TOLD = [
    ("As the laboratory wrote it", "2,100"), ("Method", "SM 5210 B"), ("Analyst", "K. Holm"),
    ("Number at the laboratory", "N-77"), ("Sampled", "October 6, 2026"), ("Received", "October 14, 2026"),
    ("Analyzed", "October 16, 2026"), ("Limit of detection", "2 mg/L"), ("Limit of quantitation", "6 mg/L"),
]  # fmt: skip


@pytest.fixture(autouse=True)
def _app(app: Any, clock_at: Any) -> None:
    clock_at(NOW)


def accepted(**given: Any) -> tuple[Any, Any, Any]:
    """A hauler, its load, and new tests of it that wait for their results."""
    who, load = with_results(**given)
    row = good(ask(load, who.by))
    good(answer(row))
    return who, load, row


def done(row: Any, typed: str = "2,100", facts: Facts = SHEET, act: Any = finish_retest, prevails: bool = True,
         sure: bool = True) -> Any:  # fmt: skip
    return kept(act(world.plant(), row.id, {"BOD5": typed}, prevails, "Dry weather", sure=sure, facts={"BOD5": facts},
                    by=world.staff("manager"), at=world.at(NOW), law=world.law()))  # fmt: skip


def file_cells(load: Any) -> dict[str, Any]:
    table = load_table.table(world.plant(), Sought(words=load.ticket), world.at(NOW))
    return dict(zip(table.heads, next(iter(table.rows)), strict=True))


def test_all_the_laboratory_says_is_kept_and_told() -> None:
    _, _, row = accepted()
    good(done(row))
    (one,) = retests.beside(row, {})
    assert list(one.facts) == TOLD
    assert verify() == []


def test_new_result_between_the_limits_is_an_estimate_wherever_it_counts() -> None:
    _, load, row = accepted()
    assert file_cells(load)[load_table.ESTIMATES] == ""
    good(done(row, "4"))
    assert retests.beside(row, {})[0].new == (
        "4 mg/L, between the laboratory's limits of detection and of quantitation: an estimate")  # fmt: skip
    assert counting.figures_of([load.id])[load.id]["BOD5"].estimate
    assert file_cells(load)[load_table.ESTIMATES] == "BOD5"
    assert list(retests.beside(row, {})[0].facts)[-1] == ("Asked about", "outside 440 to 78,600 mg/L")
    good(done(row, "4", act=correct_retest, prevails=False))
    assert file_cells(load)[load_table.ESTIMATES] == ""


def test_not_detected_stands_for_the_limit_of_the_sheet() -> None:
    _, _, row = accepted()
    good(done(row, "ND"))
    assert (row.found["BOD5"]["typed"], row.found["BOD5"]["qualifier"], row.found["BOD5"]["value"]) == ("ND", "<", "2")


@pytest.mark.parametrize(("facts", "typed", "why"), [
    (Facts(lod=Decimal(6), loq=Decimal(2)), "2,100",
     "BOD: The limit of quantitation, 2, is below that of detection, 6. Check both"),
    (Facts(lod=Decimal(6)), "4", "BOD: 4 is below the limit of detection, 6. Enter it as <6"),
    (Facts(sampled_on=date(2026, 10, 5)), "2,100",
     "BOD: The day it was sampled, October 5, 2026, is before the load came (October 6, 2026). Check the days"),
    (Facts(analysed_on=date(2026, 10, 21)), "2,100",
     "BOD: The day it was analyzed, October 21, 2026, is still to come"),
])  # fmt: skip
def test_what_cannot_be_is_refused_as_of_a_first_result(facts: Facts, typed: str, why: str) -> None:
    _, _, row = accepted()
    assert said(done(row, typed, facts))[:2] == ("BOD5", why)


def test_a_correction_shows_each_fact_with_what_stood_before() -> None:
    _, load, row = accepted()
    good(done(row))
    good(done(row, "2,200", Facts("SM 5210 B", "K. Holm", "N-78", lod=Decimal(2), **DAYS), act=correct_retest))
    lines = load_history.lines(loads.history(load))
    assert lines[-1]["changes"] == [
        "BOD: 2,200, before 2,100, this counts, first 4,200",
        "BOD, number at the laboratory: N-78, before N-77", "BOD, limit of quantitation: none, before 6",
    ]  # fmt: skip
    good(done(row, "2,200", Facts("SM 5210 B", "K. Holm", "N-78", lod=Decimal(2), **DAYS), act=correct_retest,
              prevails=False))  # fmt: skip
    assert load_history.lines(loads.history(load))[-1]["changes"] == ["BOD: 2,200, the first counts, first 4,200"]


def test_a_figure_that_stays_is_asked_about_no_more() -> None:
    _, _, row = accepted()
    assert said(done(row, "2.1", sure=False))[:2] == ("BOD5", "BOD: Check 2.1 mg/L: usual is 440 to 78,600")
    good(done(row, "2.1"))
    good(done(row, "2.1", Facts(analyst="K. Holm"), act=correct_retest, sure=False))


def test_the_page_takes_them_shows_them_and_begins_a_correction_with_them(app: Any) -> None:
    who, load, row = accepted()
    manager, owner = signed_in(app, "manager"), signed_in(app, who.email)
    where = f"/plant/retests/{row.id}"
    assert "Analyst, methods, limits and days" in text(get(manager, where))
    typed = {
        "BOD5": "2,100", "prevails": "yes", "why": "Dry", "analyst": "K. Holm", "lab_number": "N-77",
        "method_BOD5": "SM 5210 B", "lod_BOD5": "2", "loq_BOD5": "6", "sampled-month": "10", "sampled-day": "6",
        "sampled-year": "2026", "received-month": "10", "received-day": "14", "received-year": "2026",
        "analysed_BOD5-month": "10", "analysed_BOD5-day": "16", "analysed_BOD5-year": "2026",
    }  # fmt: skip
    wrong = post(manager, where, typed | {"lod_BOD5": "much"})
    assert "Limit of detection of BOD must be a number above 0, like 2" in text(wrong.text)
    assert 'value="SM 5210 B"' in wrong.text
    assert post(manager, where, typed).status_code == 303
    words = "BOD, new result 2,100 mg/L " + " ".join(f"{name} {value}" for name, value in TOLD)
    for client, page in ((owner, f"/hauler/loads/{load.ticket}"), (manager, f"/station/load/{load.ticket}")):
        shown = text(get(client, page))
        assert words in shown
        # What the laboratory wrote of the first result stands under the first result.
        assert "BOD, first result 4,200 mg/L As the laboratory wrote it 4,200" in shown
    assert {name: fields(get(manager, where))[name] for name in typed if name not in ("prevails", "why")} == {
        name: value for name, value in typed.items() if name not in ("prevails", "why")}  # fmt: skip


def test_a_correction_begins_with_what_is_said_of_one_test_only(app: Any) -> None:
    who, load = with_results()
    row = good(ask(load, who.by, ("BOD5", "TSS")))
    good(answer(row))
    good(kept(finish_retest(world.plant(), row.id, {"BOD5": "2,100", "TSS": "9,000"}, True, "Dry", sure=True,
                            facts={"BOD5": SHEET}, by=world.staff("manager"), at=world.at(NOW),
                            law=world.law())))  # fmt: skip
    shown = fields(get(signed_in(app, "manager"), f"/plant/retests/{row.id}"))
    assert (shown["analyst"], shown["lab_number"], shown["received-day"], shown["method_TSS"]) == (
        "K. Holm", "N-77", "14", "")  # fmt: skip
