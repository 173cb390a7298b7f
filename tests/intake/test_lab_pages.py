"""The laboratory grid as the operator posts it: rows saved whole, wrong ones kept as typed, and what is asked."""

import re
from datetime import date
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select

from intake.actions.lab import Facts, enter_result
from intake.models import Load, Result
from intake.queries import loads, results
from office.db import db
from office.journal import JournalEntry
from office.notices import Notice
from tests import world
from tests.intake import gatehouse
from tests.intake.gatehouse import good, log
from tests.intake.plant import hauler
from tests.intake.test_station_pages import fields, get, post, queries, signed_in, text

GRID = "/plant/lab"


@pytest.fixture
def operator(app: Flask, clock_at: Any) -> FlaskClient:
    clock_at("2026-10-13T09:00")
    return signed_in(app, "operator")


def box(load: Load, parameter: str) -> str:
    return f"r{load.id}_{parameter}"


def kept(load: Load) -> dict[str, str]:
    db.session.expire_all()
    return {name: f"{one.qualifier}{one.value}" for name, one in loads.results_of([load.id]).get(load.id, {}).items()}


def test_a_pair_is_saved_and_shown_in_words(operator):
    load = good(log(hauler(), 300))
    typed = {box(load, "BOD5"): "4,200", box(load, "TSS"): "<2"}
    asked = post(operator, GRID, typed)
    assert asked.status_code == 422
    assert "Suspended solids: Check &lt;2 mg/L: usual is 310 to 93,378" in text(asked.text)
    assert "It is right as the laboratory has it" in text(asked.text)
    assert post(operator, GRID, typed | {f"{box(load, 'TSS')}_sure": "1"}).status_code == 303
    shown = text(get(operator, f"{GRID}?show=all")).replace("&lt;", "<")
    assert "4,200 mg/L" in shown and "Not detected (below 2 mg/L)" in shown
    assert "Results of 1 load saved: 2026-00001." in shown
    assert "All results are in." in text(get(operator, GRID))


def test_rows_that_are_right_are_saved_and_named_and_a_wrong_one_stays_as_typed(operator):
    who = hauler()
    first, second = good(log(who, 300)), good(log(who, 200, "2026-10-06T08:00", bottle="1006-02"))
    answer = post(operator, GRID, {
        box(first, "BOD5"): "4,200", box(first, "TSS"): "> 9000",
        box(second, "BOD5"): "5,100", box(second, "TSS"): "abc",
    })  # fmt: skip
    page = text(answer.text)
    assert answer.status_code == 422
    assert "Saved: the results of 1 load 2026-00001. What is still in the boxes below is not saved" in page
    said = "Result must be a number, like 4,200 or &lt;2"
    assert (page.count(said), page.count(f"Bottle 1006-02, load 2026-00002, Suspended solids: {said}")) == (2, 1)
    assert f'<span class="visually-hidden">Error:</span> {said}</p>' in answer.text
    assert (kept(first), kept(second)) == ({"BOD5": "4200", "TSS": ">9000"}, {})
    left = fields(answer.text)
    assert (left[box(second, "BOD5")], left[box(second, "TSS")]) == ("5,100", "abc")
    assert box(first, "BOD5") not in left
    # What is left goes under a key of its own, so that it is not taken for the same form sent twice.
    done = operator.post(f"/bayfield{GRID}", data=left | {box(second, "TSS"): "12,000"})
    assert (done.status_code, kept(second)) == (303, {"BOD5": "5100", "TSS": "12000"})


def test_the_same_grid_sent_twice_saves_once_and_says_so(operator):
    load = good(log(hauler(), 300))
    typed = fields(get(operator, GRID)) | {box(load, "BOD5"): "4,200"}
    answers = [operator.post(f"/bayfield{GRID}", data=typed) for _ in range(2)]
    assert [one.status_code for one in answers] == [303, 303]
    assert "You already sent this." in text(get(operator, GRID))
    entries = db.session.scalars(select(JournalEntry.act).filter_by(table_name="result")).all()
    assert entries == ["enter_results"]


def test_nothing_found_is_asked_for_its_limit_and_keeps_the_labs_own_text(operator):
    load = good(log(hauler(), 300))
    asked = post(operator, GRID, {box(load, "TSS"): "ND"})
    assert asked.status_code == 422
    assert "Below which limit? Type the figure" in text(asked.text)
    assert "Enter ND with its limit, like <2" in asked.text.replace("&lt;", "<")
    asked = operator.post(f"/bayfield{GRID}", data=fields(asked.text) | {f"{box(load, 'TSS')}_again": "2"})
    assert "Check &lt;2 mg/L: usual is 310 to 93,378" in text(asked.text)
    typed = fields(asked.text) | {f"{box(load, 'TSS')}_sure": "1"}
    assert operator.post(f"/bayfield{GRID}", data=typed).status_code == 303
    row = db.session.scalars(select(Result)).one()
    assert (row.typed, row.qualifier, row.value, row.unit) == ("ND, limit 2", "<", 2, "mg/L")


def test_a_0_is_asked_for_again(operator):
    load = good(log(hauler(), 300))
    asked = post(operator, GRID, {box(load, "BOD5"): "0"})
    assert "Is it 0? Type it again" in text(asked.text)
    typed = fields(asked.text) | {f"{box(load, 'BOD5')}_again": "0"}
    assert operator.post(f"/bayfield{GRID}", data=typed).status_code == 303
    assert kept(load) == {"BOD5": "0"}


def test_a_result_outside_the_usual_band_is_asked_about_once_and_kept_with_a_tick(operator):
    load = good(log(hauler(), 300, bottle="1006-01"))
    asked = post(operator, GRID, {box(load, "BOD5"): "6.48", box(load, "TSS"): "12,862"})
    page = text(asked.text)
    assert (asked.status_code, kept(load)) == (422, {})
    said = "Check 6.48 mg/L: usual is 440 to 78,600"
    assert (page.count(said), page.count(f"Bottle 1006-01, load 2026-00001, BOD: {said}")) == (2, 1)
    assert "EPA 832-F-99-068, septage; not confirmed" in page
    typed = fields(asked.text) | {f"{box(load, 'BOD5')}_sure": "1"}
    assert operator.post(f"/bayfield{GRID}", data=typed).status_code == 303
    assert kept(load) == {"BOD5": "6.48", "TSS": "12862"}
    asked_of = dict(db.session.execute(select(Result.parameter, Result.asked)).all())
    assert asked_of == {"BOD5": "outside 440 to 78,600 mg/L", "TSS": ""}


def test_what_the_laboratory_says_of_the_sheet_is_kept_with_each_result(operator):
    load = good(log(hauler(), 300))
    days = {"received-month": "10", "received-day": "7", "received-year": "2026", "analysed_BOD5-month": "Oct",
            "analysed_BOD5-day": "12", "analysed_BOD5-year": "2026"}  # fmt: skip
    sheet = {"analyst": "R. Chem", "method_BOD5": "SM 5210 B", "method_TSS": "SM 2540 D", f"r{load.id}_lab": "W-0417"}
    sent = days | sheet | {box(load, "BOD5"): "4,200", box(load, "TSS"): "9000"}
    assert post(operator, GRID, sent).status_code == 303
    rows = db.session.scalars(select(Result).order_by(Result.parameter)).all()
    assert [(r.method, r.analyst, r.lab_number, r.sampled_on, r.received_on, r.analysed_on) for r in rows] == [
        ("SM 5210 B", "R. Chem", "W-0417", None, date(2026, 10, 7), date(2026, 10, 12)),
        ("SM 2540 D", "R. Chem", "W-0417", None, date(2026, 10, 7), None),
    ]  # fmt: skip
    good(log(hauler("Other Pumping", number=2), 200, "2026-10-06T08:00"))
    assert fields(get(operator, GRID))["method_BOD5"] == "SM 5210 B"


def test_days_that_cannot_be_are_said_at_the_row(operator):
    load = good(log(hauler(), 300, bottle="B1"))
    days = {"received-month": "10", "received-day": "5", "received-year": "2026"}
    wrong = post(operator, GRID, days | {box(load, "BOD5"): "4,200"})
    assert ("BOD: The day it was received, October 5, 2026, is before the load came (October 6, 2026). Check the days"
            in text(wrong.text))  # fmt: skip
    days["received-day"] = "14"
    late = post(operator, GRID, days | {box(load, "BOD5"): "4,200"})
    assert "The day it was received, October 14, 2026, is still to come" in text(late.text)
    assert kept(load) == {}


def test_an_empty_grid_asks_for_a_result(operator):
    good(log(hauler(), 300))
    answer = post(operator, GRID, {})
    assert (answer.status_code, "Enter at least one result" in answer.text) == (422, True)


def test_the_oldest_sample_stands_first_with_its_days_and_is_missing_on_day_8(operator, clock_at):
    who = hauler()
    good(log(who, 300))
    good(log(who, 200, "2026-10-07T08:00"))
    clock_at("2026-10-14T00:00")
    page = text(get(operator, GRID))
    assert re.findall(r"(2026-0000\d) · (\w+, \w+ \d), (\d days ago)", page) == [
        ("2026-00001", "Tue, Oct 6", "8 days ago"), ("2026-00002", "Wed, Oct 7", "7 days ago")]  # fmt: skip
    assert re.findall(r"Missing on day \d", page) == ["Missing on day 8"]
    assert "No § says when: BOD is read five days after it is set up, so this plant asks after 8 days." in page


def test_the_hauler_is_told_once_all_results_of_a_load_are_in_and_again_when_one_changes(operator):
    load = good(log(hauler(), 300))
    post(operator, GRID, {box(load, "BOD5"): "4,200"})
    told = select(Notice.subject, Notice.body).where(Notice.kind.in_(("results", "result_changed"))).order_by(Notice.id)
    assert db.session.execute(told).all() == []
    post(operator, GRID, {box(load, "TSS"): "<2", f"{box(load, 'TSS')}_sure": "1"})
    change = f"{GRID}/2026-00001/BOD5"
    asked = post(operator, change, {"typed": "420", "reason": "Decimal slip"})
    assert "Check 420 mg/L: usual is 440 to 78,600" in text(asked.text)
    assert "It is right as the laboratory has it" in text(asked.text)
    assert post(operator, change, {"typed": "420", "reason": "Decimal slip", "sure": "1"}).status_code == 303
    assert [tuple(one) for one in db.session.execute(told)] == [
        ("The results of load 2026-00001 are in",
         "Load 2026-00001, 300 gallons on Tuesday, October 6, 2026: BOD: 4,200 mg/L; Suspended solids: Not detected "
         "(below 2 mg/L)."),
        ("BOD of load 2026-00001 is changed",
         "BOD of load 2026-00001 is 420 mg/L now; it was 4,200. Why: Decimal slip."),
    ]  # fmt: skip
    history = text(get(operator, "/station/load/2026-00001"))
    assert "BOD: 420, before 4,200" in history and "Decimal slip" in history


def test_what_the_laboratory_says_is_changed_with_a_reason_too(operator):
    load = good(log(hauler(), 300))
    post(operator, GRID, {box(load, "BOD5"): "4,200", "analyst": "R. Chem"})
    change = f"{GRID}/2026-00001/BOD5"
    assert post(operator, change, {"analyst": "", "method": "SM 5210 B"}).status_code == 422
    assert post(operator, change, {"analyst": "", "method": "SM 5210 B", "reason": "Wrong sheet"}).status_code == 303
    row = db.session.scalars(select(Result)).one()
    assert (row.typed, row.analyst, row.method) == ("4,200", "", "SM 5210 B")


@pytest.mark.parametrize(("own", "reading"), [("J 4.2", "4.2"), ("U, limit 2", "<2"), ("4,200 mg/l", "4200")])
def test_the_laboratorys_own_text_stays_while_another_of_its_words_changes(operator, own, reading):
    load = good(log(hauler(), 300))
    good(gatehouse.kept(enter_result(
        load, "BOD5", reading, sure=True, own=own, facts=Facts(source="October.csv"), by=world.staff("operator"),
        at=world.at("2026-10-12T09:00"), law=world.law(),
    )))  # fmt: skip
    change = f"{GRID}/2026-00001/BOD5"
    assert post(operator, change, {"analyst": "R. Chem", "reason": "It was not said"}).status_code == 303
    row = db.session.scalars(select(Result)).one()
    assert (row.typed, row.source, row.analyst) == (own, "October.csv", "R. Chem")
    assert f"{row.qualifier}{row.value.normalize():f}" == reading
    assert post(operator, change, {"typed": "5,000", "limit": "", "reason": "Wrong bottle"}).status_code == 303
    history = text(get(operator, "/station/load/2026-00001"))
    assert f"as the laboratory has it: 5,000, before {own}" in history
    assert "file: none, before October.csv" in history


@pytest.mark.parametrize("typed", ["abc", "2 ug/L", "0", "1,5"])
def test_a_limit_that_is_none_is_refused_where_a_result_changes_and_the_one_before_stays(operator, typed):
    load = good(log(hauler(), 300))
    post(operator, GRID, {"lod_BOD5": "500", "loq_BOD5": "800", box(load, "BOD5"): "600"})
    wrong = post(operator, f"{GRID}/2026-00001/BOD5", {"lod": typed, "reason": "Wrong sheet"})
    assert "Limit of detection must be a number above 0, like 2" in text(wrong.text)
    assert f'value="{typed}"' in wrong.text
    assert db.session.scalars(select(Result.lod)).one() == 500


def test_limits_of_the_sheet_are_kept_with_each_result_and_shown_with_it(operator):
    load = good(log(hauler(), 300))
    limits = {"lod_BOD5": "500", "loq_BOD5": "800", "lod_TSS": "many"}
    wrong = post(operator, GRID, limits | {box(load, "BOD5"): "600"})
    assert "Limit of detection of Suspended solids must be a number above 0, like 2" in text(wrong.text)
    assert wrong.text.count('<details class="fold" open>') == 1
    assert post(operator, GRID, limits | {"lod_TSS": "", box(load, "BOD5"): "600"}).status_code == 303
    page = text(get(operator, "/station/load/2026-00001")).replace("&#39;", "'")
    assert "600 mg/L, between the laboratory's limits of detection and of quantitation: an estimate" in page
    change = f"{GRID}/2026-00001/BOD5"
    assert fields(get(operator, change))["loq"] == "800"
    assert post(operator, change, {"loq": "550", "reason": "Wrong sheet"}).status_code == 303
    assert "an estimate" not in text(get(operator, "/station/load/2026-00001")).split("Wrong sheet")[0]


def test_a_page_has_room_for_so_many_samples_and_says_how_many_more_wait(app, operator, monkeypatch):
    monkeypatch.setattr(results, "MOST", 2)
    who = hauler()
    for minute in range(3):
        good(log(who, 10, f"2026-10-06T07:{10 + minute}"))
    assert "1 more sample waits: they come here once these are entered." in text(get(operator, GRID))
    assert "Loads waiting for test results 3" in text(get(signed_in(app, "clerk"), "/clerk"))


def test_the_grid_asks_as_many_questions_for_more_samples(operator):
    who, counts = hauler(), []
    for n in range(2):
        for k in range(1 + 3 * n):
            good(log(who, 10, f"2026-10-06T0{7 + n}:{10 + k}"))
        get(operator, GRID)
        counts.append(queries(lambda: get(operator, GRID)))
    assert counts == [counts[0]] * 2
