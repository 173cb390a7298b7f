"""A laboratory's file: checked whole, shown, and taken in once."""

import re
from datetime import date
from io import BytesIO
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import func, select

from intake.models import Load, Result
from intake.queries import loads
from office.db import db
from office.journal import JournalEntry
from office.notices import Notice
from ordinances.lab_words import read_result, unusual
from tests.intake.gatehouse import good, log
from tests.intake.plant import hauler, queries
from tests.intake.test_lab_file import csv
from tests.intake.test_station_pages import fields, get, post, signed_in, text

IMPORT = "/plant/lab/import"


@pytest.fixture
def operator(app: Flask, clock_at: Any) -> FlaskClient:
    clock_at("2026-10-13T09:00")
    return signed_in(app, "operator")


def choose(client: FlaskClient, content: bytes, name: str = "lab.csv") -> Any:
    """The file is chosen: its preview, or what is wrong with it."""
    sent = fields(get(client, IMPORT)) | {"file": (BytesIO(content), name)}
    return client.post(f"/bayfield{IMPORT}", data=sent, content_type="multipart/form-data")


def take(client: FlaskClient, shown: Any, **more: str) -> Any:
    return client.post(f"/bayfield{IMPORT}", data=fields(shown.text[shown.text.rindex("<form ") :]) | more)


def count() -> int:
    db.session.expire_all()
    return int(db.session.scalar(select(func.count(Result.id))) or 0)


def fifty() -> list[Load]:
    who = hauler()
    return [good(log(who, 10, f"2026-10-06T{7 + n // 25:02d}:{n % 25:02d}", bottle=f"{n:04d}")) for n in range(1, 26)]


class TestTakingIn:
    def test_a_bad_row_37_stores_nothing_the_mended_file_stores_all_and_again_nothing(self, operator):
        fifty()
        lines = [f"{n:04d},{4000 + n},{9000 + n}" for n in range(1, 26)]
        rows = ["bottle,BOD5,TSS", *("" for _ in range(11)), *lines]
        rows[36] = rows[36].replace(",9025", ",n/a")
        wrong = choose(operator, csv(*rows))
        assert (wrong.status_code, count()) == (422, 0)
        assert "37 C (TSS) &#39;n/a&#39; is not a result Result must be a number" in text(wrong.text)
        rows[36] = rows[36].replace(",n/a", ",9025")
        shown = choose(operator, csv(*rows))
        assert "lab.csv: results of 25 loads. Nothing is taken in yet. 50 new results" in text(shown.text)
        assert count() == 0
        assert take(operator, shown).status_code == 303
        assert "50 results of 25 loads taken in." in text(get(operator, "/plant/lab"))
        assert count() == 50
        again = choose(operator, csv(*rows))
        assert "This file adds nothing: every result of it is recorded." in text(again.text)
        assert count() == 50

    def test_each_result_has_its_own_entry_with_the_file_and_the_hauler_one_message(self, operator):
        who = hauler()
        for n in (1, 2):
            good(log(who, 10 * n, f"2026-10-06T07:0{n}", bottle=f"B{n}"))
        shown = choose(operator, csv("bottle,BOD5,TSS", "B1,4200,9000", "b2,5100,<2"))
        assert take(operator, shown, sure="1").status_code == 303
        entries = db.session.execute(
            select(JournalEntry.act, JournalEntry.reason, JournalEntry.person).where(
                JournalEntry.table_name == "result"
            )
        ).all()
        assert [tuple(one) for one in entries] == [("import_results", "lab.csv", "Operator of the City")] * 4
        assert db.session.scalars(select(Notice.subject).filter_by(kind="results")).all() == [
            "The results of 2 loads are in"]  # fmt: skip
        assert "Results from a file" in text(get(operator, "/station/load/2026-00002"))

    @pytest.mark.parametrize(("line", "said"), [
        ("B9,4200,", "No load has bottle B9 Type the number as it stands on the ticket"),
        ("B1,4200,10/5/2026",
         "The day received, 2026-10-05, is before the day load 2026-00001 came, 2026-10-06 Mend the day"),
        ("B1,4200,10/14/2026", "The day received, 2026-10-14, is still to come Mend the day"),
    ])  # fmt: skip
    def test_what_fits_no_load_stops_the_whole_file(self, operator, line, said):
        good(log(hauler(), 10, bottle="B1"))
        wrong = choose(operator, csv("bottle,BOD5,received", line))
        assert (wrong.status_code, count()) == (422, 0)
        assert said in text(wrong.text)

    @pytest.mark.parametrize(("line", "said"), [
        ("2026-00001,B2,4100", "Load 2026-00001 has bottle B1, and bottle B2 is of load 2026-00002"),
        ("2026-00001,B9,4100", "Load 2026-00001 has bottle B1, and bottle B9 is of no load"),
    ])  # fmt: skip
    def test_a_ticket_beside_the_bottle_of_another_load_names_both_and_stops_the_file(self, operator, line, said):
        who = hauler()
        for n in (1, 2):
            good(log(who, 10 * n, f"2026-10-06T07:0{n}", bottle=f"B{n}"))
        wrong = choose(operator, csv("ticket,bottle,BOD5", "2026-00002,b2,4200", line))
        assert (wrong.status_code, count()) == (422, 0)
        assert "Cells to mend: 1 " in text(wrong.text)
        assert f"3 C (BOD5) {said} Mend the ticket or the bottle" in text(wrong.text)

    def test_a_ticket_of_no_load_is_named_though_its_bottle_is_known(self, operator):
        good(log(hauler(), 10, bottle="B1"))
        wrong = choose(operator, csv("ticket,bottle,BOD5", "2026-00099,B1,4200"))
        assert "No load has ticket 2026-00099 Type the number" in text(wrong.text)

    def test_cells_that_cannot_be_read_and_bottles_nobody_knows_are_named_together(self, operator):
        good(log(hauler(), 10, bottle="B1"))
        wrong = text(choose(operator, csv("bottle,BOD5", "B9,4200", "B1,n/a")).text)
        assert "Cells to mend: 2" in wrong
        assert wrong.index("No load has bottle B9") < wrong.index("&#39;n/a&#39; is not a result")

    def test_the_same_bottle_twice_with_different_results_stops_it_and_alike_counts_once(self, operator):
        good(log(hauler(), 10, bottle="B1"))
        twice = choose(operator, csv("bottle,BOD5", "B1,4200", "B1,4300"))
        assert "Bottle B1 has BOD twice Row 2 says 4200. Keep one of them" in text(twice.text)
        alike = choose(operator, csv("bottle,BOD5", "B1,4200", 'B1,"4,200"'))
        assert "1 new results" in text(alike.text)

    def test_a_bottle_whose_zeros_a_spreadsheet_dropped_is_found(self, operator):
        load = good(log(hauler(), 10, bottle="0412"))
        take(operator, choose(operator, csv("bottle,BOD5", "412,4200")))
        assert db.session.scalars(select(Result.load_id)).all() == [load.id]

    def test_a_year_later_the_same_day_gives_no_bottle_number_a_second_time(self, operator):
        plant = good(log(hauler(), 10, bottle="1006-01")).plant_id
        assert loads.next_bottle(plant, date(2027, 10, 6)) == "1006-02"

    def test_what_is_recorded_stays_whatever_the_file_says(self, operator):
        load = good(log(hauler(), 10, bottle="B1"))
        post(operator, "/plant/lab", {f"r{load.id}_BOD5": "4,200"})
        shown = choose(operator, csv("bottle,BOD5,TSS", "B1,4300,9000"))
        assert "1 results that keep what is recorded" in text(shown.text)
        assert take(operator, shown).status_code == 303
        assert "1 result of 1 load taken in, 1 keeps what was recorded before." in text(get(operator, "/plant/lab"))
        assert sorted(db.session.scalars(select(Result.typed))) == ["4,200", "9000"]

    def test_results_outside_what_is_usual_need_one_tick(self, operator):
        good(log(hauler(), 10, bottle="B1"))
        shown = choose(operator, csv("bottle,BOD5,TSS", "B1,6.48,0"))
        page = text(shown.text)
        assert re.findall(r"BOD 6.48 (.+?) B1", page) == ["440 to 78,600 EPA 832-F-99-068, septage; not confirmed"]
        assert "Suspended solids 0 310 to 93,378" in page
        refused = take(operator, shown)
        assert (refused.status_code, count()) == (422, 0)
        assert take(operator, refused, sure="1").status_code == 303
        assert count() == 2

    def test_a_limit_below_what_is_usual_needs_the_tick_and_one_within_it_none(self, operator):
        good(log(hauler(), 10, bottle="B1"))
        shown = choose(operator, csv("bottle,BOD5,TSS", "B1,<2,<400"))
        page = text(shown.text)
        assert "BOD &lt;2 440 to 78,600 EPA 832-F-99-068, septage; not confirmed" in page
        assert "Suspended solids &lt;400 310 to 93,378" not in page
        refused = take(operator, shown)
        assert (refused.status_code, count()) == (422, 0)
        assert take(operator, refused, sure="1").status_code == 303
        kept = db.session.execute(select(Result.parameter, Result.asked).order_by(Result.id)).all()
        assert [tuple(one) for one in kept] == [("BOD5", "outside 440 to 78,600 mg/L"), ("TSS", "")]

    @pytest.mark.parametrize(("typed", "asked"), [
        ("<2", True), ("<439.9", True), ("<440", False), ("<9000", False), ("<90000", False), ("439", True),
        ("440", False), (">439", False), (">78601", True),
    ])  # fmt: skip
    def test_a_limit_is_asked_about_below_the_band_and_not_within_or_above_it(self, typed, asked):
        assert (unusual("septic_tank", "BOD5", good(read_result(typed))) is not None) is asked

    def test_both_limits_of_a_laboratory_are_kept_and_what_contradicts_them_stops_the_file(self, operator):
        good(log(hauler(), 10, bottle="B1"))
        head = "bottle,parameter,result,MDL,Reporting Limit"
        wrong = choose(operator, csv(head, "B1,BOD5,499,500,800"))
        assert (wrong.status_code, count()) == (422, 0)
        assert "499 is below the limit of detection, 500" in text(wrong.text)
        shown = choose(operator, csv(head, "B1,BOD5,600,500,800", "B1,TSS,900,500,n/a"))
        assert take(operator, shown).status_code == 303
        kept = select(Result.parameter, Result.value, Result.lod, Result.loq).order_by(Result.id)
        assert [tuple(one) for one in db.session.execute(kept)] == [
            ("BOD5", 600, 500, 800), ("TSS", 900, 500, None)]  # fmt: skip

    def test_results_nobody_showed_are_not_taken(self, operator):
        good(log(hauler(), 10, bottle="B1"))
        shown = choose(operator, csv("bottle,BOD5", "B1,4200"))
        assert "Choose the file again." in text(take(operator, shown, results="forged").text)
        assert count() == 0


def test_a_file_too_long_is_refused_before_its_loads_are_asked_for(operator):
    long = [f"X{n},4200" for n in range(4_001)]
    for rows, why in (
        (long, "The file has more than 4,000 results. Import it in parts"),
        ([*long, "X1,abc"], "abc"),
    ):
        with queries() as seen:
            shown = choose(operator, "\n".join(["bottle,BOD5", *rows]).encode())
        assert (shown.status_code, count()) == (422, 0)
        assert why in text(shown.text)
        assert "no load has" not in shown.text
        assert [one for one in seen if "ltrim(" in one.lower()] == []
