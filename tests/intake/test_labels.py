"""Bottle labels: numbers without a gap and never twice, sheets of 30 to the measures sold, reprints marked."""

from io import BytesIO
from typing import Any

import pypdf
import pytest
from sqlalchemy import select

from intake.actions.labels import print_labels, reprint_labels
from intake.models import LabelReprint, LabelRun
from intake.queries import labels, loads
from intake.routes.labels import address
from office.db import db
from tests import world
from tests.intake.gatehouse import good, kept, log, said
from tests.intake.plant import TUESDAY, hauler
from tests.intake.test_station_pages import get, post, signed_in, text

AT = world.at("2026-10-05T15:00")


@pytest.fixture(autouse=True)
def _app(app: Any, clock_at: Any) -> None:
    clock_at("2026-10-06T07:00")


def sheets(count: int = 1, by: str = "operator") -> Any:
    return kept(print_labels(world.plant(), count, by=world.staff(by), at=AT))


def again(first: int, last: int, reason: str = "Jam", by: str = "operator") -> Any:
    return kept(reprint_labels(world.plant(), first, last, reason, by=world.staff(by), at=AT))


def test_numbers_go_on_without_a_gap():
    assert [(one.first, one.last) for one in (good(sheets()), good(sheets(2)), good(sheets()))] == [
        (1, 30), (31, 90), (91, 120)]  # fmt: skip
    assert labels.last_printed(world.plant().id) == 120


@pytest.mark.parametrize(("count", "by", "code"), [
    (0, "operator", "sheets"), (21, "operator", "sheets"), (1, "clerk", "not_your_role"),
])  # fmt: skip
def test_no_more_sheets_than_a_run_holds(count, by, code):
    assert said(sheets(count, by))[0] == code
    assert list(db.session.scalars(select(LabelRun))) == []


def test_next_bottle_is_the_next_label_and_a_void_load_gives_none_back():
    who = hauler()
    assert loads.next_bottle(world.plant().id, TUESDAY) == "1006-01"
    good(sheets())
    assert loads.next_bottle(world.plant().id, TUESDAY) == "0001"
    good(log(who, 100, bottle="0007"))
    assert loads.next_bottle(world.plant().id, TUESDAY) == "0008"
    assert labels.left(world.plant().id) == 23


def test_when_the_last_label_is_used_bottles_are_numbered_by_day_again():
    who = hauler()
    good(sheets())
    good(log(who, 100, bottle="0030"))
    assert (loads.next_bottle(world.plant().id, TUESDAY), labels.left(world.plant().id)) == ("1006-01", 0)
    good(log(who, 100, "2026-10-06T07:20", bottle="1006-01"))


def test_bottle_without_a_label_is_asked_about_and_kept_with_a_reason():
    who = hauler()
    good(sheets())
    assert said(log(who, 100, bottle="0031"))[:2] == (
        "bottle_odd", "Bottle 0031 has no printed label. The next one is 0001.")  # fmt: skip
    assert said(log(who, 100, bottle="12"))[0] == "bottle_odd"
    odd = good(log(who, 100, bottle="L-9", reason="Label fell off"))
    assert odd.note == "Kept as entered (bottle L-9 without a printed label) because: Label fell off"
    good(log(who, 100, "2026-10-06T07:10", bottle="0030"))
    load = good(log(who, 100, "2026-10-06T07:20", bottle="L-10", reason="Label fell off"))
    assert load.note == "Reason given: Label fell off"


@pytest.mark.parametrize(("first", "last", "reason", "code"), [
    (5, 4, "Jam", "order"), (0, 3, "Jam", "not_printed"), (29, 31, "Jam", "not_printed"), (1, 601, "Jam", "order"),
    (1, 3, " ", "no_reason"),
])  # fmt: skip
def test_only_printed_labels_are_printed_again_and_with_a_reason(first, last, reason, code):
    good(sheets())
    assert said(again(first, last, reason))[0] == code
    assert list(db.session.scalars(select(LabelReprint))) == []


def pages(client: Any, path: str) -> list[Any]:
    answer = client.get(f"/bayfield{path}")
    assert (answer.status_code, answer.mimetype) == (200, "application/pdf")
    return list(pypdf.PdfReader(BytesIO(answer.data)).pages)


def test_sheets_hold_thirty_labels_each_at_the_measures_sold(app):
    run = good(sheets(2))
    found = pages(signed_in(app, "operator"), f"/station/labels/{run.id}.pdf")
    assert len(found) == 2
    assert [float(side) for side in found[0].mediabox[2:]] == [612.0, 792.0]
    where: dict[str, tuple[float, float]] = {}

    def note(words: str, cm: Any, tm: Any, _font: Any, _size: Any) -> None:
        if words.strip().isdigit() and len(words.strip()) == 4:
            where[words.strip()] = (tm[4] * cm[0] + cm[4], tm[5] * cm[3] + cm[5])

    found[0].extract_text(visitor_text=note)
    assert sorted(where) == [f"{number:04d}" for number in range(1, 31)]
    across, down = where["0002"][0] - where["0001"][0], where["0001"][1] - where["0004"][1]
    # 2 3/4 inches from column to column, 1 inch from row to row.
    assert (round(across, 1), round(abs(down), 1)) == (198.0, 72.0)
    assert "REPRINT" not in found[0].extract_text()


def test_reprint_says_so_and_names_the_load(app):
    good(sheets())
    load = good(log(hauler(), 100, bottle="0002"))
    row = good(again(2, 3))
    (sheet,) = pages(signed_in(app, "operator"), f"/station/labels/again/{row.id}.pdf")
    words = sheet.extract_text()
    assert words.count("REPRINT") == 2
    assert f"Load {load.ticket}" in words
    assert "Date October 6, 2026" in words


def test_operator_prints_from_the_page_and_sees_what_is_left(app):
    operator = signed_in(app, "operator")
    assert "No label has been printed yet." in text(get(operator, "/station/labels"))
    assert post(operator, "/station/labels", {"sheets": "2"}).status_code == 303
    page = text(get(operator, "/station/labels"))
    assert "Labels 0001 to 0060 are ready to print." in page
    assert "60 labels left, the next one is 0001 ." in page
    refused = post(operator, "/station/labels/again", {"first": "61", "last": "61", "reason": "Jam"})
    assert refused.status_code == 422
    assert "Printed are 0001 to 0060." in text(refused.text)
    assert post(operator, "/station/labels/again", {"first": "9", "last": "9", "reason": "Jam"}).status_code == 303
    assert "0009 Jam" in text(get(operator, "/station/labels"))


def test_sheet_of_no_run_is_not_found(app):
    get(signed_in(app, "operator"), "/station/labels/99.pdf", 404)


def test_codes_lead_to_the_address_people_use_wherever_the_sheets_are_printed(app):
    with app.test_request_context("/", base_url="http://127.0.0.1:9999"):
        assert address("bayfield", "0412") == "http://localhost:8000/bayfield/plant/samples/0412"
        app.config["SEPTAGE_URL"] = "https://septage.city.example/"
        assert address("bayfield", "0412") == "https://septage.city.example/bayfield/plant/samples/0412"
    page = text(get(signed_in(app, "operator"), "/station/labels"))
    assert "The codes on them lead to https://septage.city.example." in page
    app.config["SEPTAGE_URL"] = "http://localhost:8000"
    page = text(get(signed_in(app, "operator"), "/station/labels"))
    assert "The codes on them lead to http://localhost:8000, which only this machine opens." in page
