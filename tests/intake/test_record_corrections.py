"""A written record that is wrong is corrected beside the first, whose words and time stay (§ 329-7 C(3))."""

from typing import Any

import pytest
from sqlalchemy import select

from haulers.queries import approved_places
from intake.actions.records import correct_record, file_record
from intake.actions.station import void_load
from intake.models import Load, WrittenRecord
from intake.queries import load_history, loads
from intake.queries.named_places import NamedPlace
from office.access import Actor
from office.db import db
from office.notices import Notice
from office.verify import verify
from tests import world
from tests.intake.gatehouse import good, kept, log, said
from tests.intake.plant import Hauler, hauler
from tests.intake.test_load_export import rows
from tests.intake.test_record_sources import JAY, _place
from tests.intake.test_station_pages import get, post, signed_in, text

NOW = "2026-10-09T09:00"


@pytest.fixture
def mine(app: Any, clock_at: Any) -> Hauler:
    clock_at(NOW)
    return hauler()


@pytest.fixture
def load(mine: Hauler) -> Load:
    found: Load = good(log(mine, 1_500))
    file(found, mine.by)
    return found


def file(load: Load, by: Actor, words: str = "12 Cedar Lane, 1,500 gallons", at: str = "2026-10-06T10:30") -> Any:
    return good(kept(file_record(load, words, by=by, at=world.at(at), law=world.law())))


def correct(load: Load, by: Actor, words: str = "21 Cedar Lane, 1,500 gallons", why: str = "House number turned round",
            places: tuple[NamedPlace, ...] = ()) -> Any:  # fmt: skip
    return kept(correct_record(load, words, places, why, by=by, at=world.at(NOW), law=world.law()))


def told(kind: str) -> list[tuple[str | None, str, str]]:
    found = db.session.scalars(select(Notice).filter_by(kind=kind).order_by(Notice.id))
    return [(one.to_email, one.subject, one.body) for one in found]


def test_a_correction_stands_beside_the_first_whose_words_and_time_stay(mine: Hauler, load: Load) -> None:
    record = good(correct(load, mine.by))
    assert (record.sources, record.filed_at, record.filed_by) == (
        "12 Cedar Lane, 1,500 gallons", world.at("2026-10-06T10:30"), "Test Pumping Owner")  # fmt: skip
    assert [(one.sources, one.at, one.by, one.on_behalf, one.why) for one in record.versions] == [
        ("12 Cedar Lane, 1,500 gallons", world.at("2026-10-06T10:30"), "Test Pumping Owner", False, ""),
        ("21 Cedar Lane, 1,500 gallons", world.at(NOW), "Test Pumping Owner", False, "House number turned round"),
    ]
    # It came in time, however late it is corrected.
    assert record.filed_at < load.record_due < world.at(NOW)
    assert loads.overdue(load.plant_id, world.at(NOW)) == []
    good(correct(load, mine.by, "23 Cedar Lane", "Read again"))
    assert [one.sources for one in record.versions] == [
        "12 Cedar Lane, 1,500 gallons", "21 Cedar Lane, 1,500 gallons", "23 Cedar Lane"]  # fmt: skip
    assert verify() == []


def test_the_history_says_what_changed_by_whom_and_why(mine: Hauler, load: Load) -> None:
    good(correct(load, mine.by))
    good(correct(load, mine.by, "23 Cedar Lane", "Read again"))
    lines = [(one["what"], one["changes"], one["reason"])
             for one in load_history.lines(loads.history(load))]  # fmt: skip
    assert lines[-3:] == [
        ("Record written", [], ""),
        ("Record corrected", ["Taken out: 12 Cedar Lane, 1,500 gallons", "Added: 21 Cedar Lane, 1,500 gallons"],
         "House number turned round"),
        ("Record corrected", ["Taken out: 21 Cedar Lane, 1,500 gallons", "Added: 23 Cedar Lane"], "Read again"),
    ]  # fmt: skip


def test_a_late_record_stays_late_when_it_is_corrected(mine: Hauler) -> None:
    load = good(log(mine, 1_500))
    file(load, mine.by, at="2026-10-08T09:00")
    good(correct(load, mine.by))
    lines = load_history.lines(loads.history(load))
    assert [one["what"] for one in lines if any("Late: " in said for said in one["changes"])] == ["Record written"]


def test_the_clerk_and_the_director_read_of_it_and_the_hauler_for_whom_it_was_written(load: Load) -> None:
    good(correct(load, world.staff("operator").for_(load.business_name)))
    first, second, third = told("record_corrected")
    assert {first[0], second[0]} == {"clerk@city.example", "director@city.example"}
    assert first[1] == "Load 2026-00001: its written record is corrected"
    assert first[2] == (
        "Test Pumping, 1,500 gallons, truck T-1. Taken out: 12 Cedar Lane, 1,500 gallons. Added: 21 Cedar Lane, "
        "1,500 gallons.\n\nWhy: House number turned round\n\nThe first record stays beside it.")  # fmt: skip
    assert "Open the load to read both" in third[2]
    record = db.session.scalars(select(WrittenRecord)).one()
    assert record.versions[-1].on_behalf


@pytest.mark.parametrize(("given", "code", "why"), [
    ({"words": " "}, "no_sources", "Enter where the load came from."),
    ({"why": " "}, "no_why", "Enter why the record is corrected."),
    ({"words": "12 Cedar Lane, 1,500 gallons"}, "same",
     "That is what the record says already. Change what is wrong in it."),
])  # fmt: skip
def test_what_is_no_correction_is_refused(mine: Hauler, load: Load, given: dict[str, Any], code: str, why: str) -> None:
    assert said(correct(load, mine.by, **given))[:2] == (code, why)


def test_a_record_that_is_not_in_another_haulers_or_of_a_void_ticket_is_not_corrected(mine: Hauler, load: Load) -> None:
    other = hauler("Other Pumping", number=2)
    assert said(correct(load, other.by))[0] == "not_yours"
    unwritten = good(log(mine, 300, "2026-10-07T08:00"))
    assert said(correct(unwritten, mine.by))[:2] == (
        "not_filed", "Load 2026-00002 has no written record that could be corrected.")  # fmt: skip
    good(kept(void_load(load, "Typed twice", by=world.staff("operator"), at=world.at(NOW), law=world.law())))
    assert said(correct(load, mine.by))[0] == "not_filed"


def test_a_place_that_is_not_approved_counts_by_what_was_said_last(mine: Hauler) -> None:
    _place(by=world.system(), at=world.at("2026-10-01T09:00"))
    load = good(log(mine, 1_500))
    (place,) = approved_places(load.approval_id)
    record = good(kept(file_record(load, "", [NamedPlace("Elsewhere", 1_500)], by=mine.by,
                                   at=world.at("2026-10-06T10:30"), law=world.law())))  # fmt: skip
    assert record.unapproved == 1
    good(correct(load, mine.by, "", "Wrong job", (NamedPlace(JAY, 1_500, place.key),)))
    assert record.unapproved == 0
    good(correct(load, mine.by, "", "It was there", (NamedPlace("Elsewhere", 1_500),)))
    assert (record.unapproved, len(told("record_place"))) == (1, 6)
    assert record.places[0]["place"] == "Elsewhere"


def test_the_hauler_corrects_it_on_its_page_and_both_are_shown_and_exported(app: Any, mine: Hauler, load: Load) -> None:
    me, operator = signed_in(app, mine.email), signed_in(app, "operator")
    where = f"/hauler/loads/{load.ticket}/record"
    assert "Correct the record" in text(get(me, where))
    assert "Correct the record" in text(get(me, f"/hauler/loads/{load.ticket}"))
    assert "12 Cedar Lane, 1,500 gallons</textarea>" in get(me, f"{where}/correct")
    again = post(me, f"{where}/correct", {"sources": "21 Cedar Lane"})
    assert "Enter why the record is corrected" in text(again.text) and "21 Cedar Lane" in again.text
    same = post(me, f"{where}/correct", {"sources": "12 Cedar Lane, 1,500 gallons", "why": "Slip"})
    assert (same.status_code, "That is what the record says already" in text(same.text)) == (422, True)
    assert post(me, f"{where}/correct", {"sources": "21 Cedar Lane", "why": "Turned round"}).status_code == 303
    for client, page in ((me, where), (me, f"/hauler/loads/{load.ticket}"), (operator, f"/station/load/{load.ticket}"),
                         (operator, f"/station/load/{load.ticket}/record")):  # fmt: skip
        shown = text(get(client, page))
        assert "In since Tuesday, October 6, 2026, 10:30 a.m., by Test Pumping Owner." in shown
        assert (
            "As corrected Friday, October 9, 2026, 9:00 a.m. By Test Pumping Owner: Turned round 21 Cedar Lane "
            "As first written 12 Cedar Lane, 1,500 gallons") in shown  # fmt: skip
    (row,) = rows(operator)
    assert (row["Came from"], row["Record in"], row["Record corrected"]) == (
        "12 Cedar Lane, 1,500 gallons", "2026-10-06 10:30",
        "Friday, October 9, 2026, 9:00 a.m., Test Pumping Owner: Turned round\n21 Cedar Lane")  # fmt: skip


def test_the_form_begins_with_each_place_in_its_own_field(app: Any, mine: Hauler) -> None:
    _place(by=world.system(), at=world.at("2026-10-01T09:00"))
    load = good(log(mine, 1_500))
    (place,) = approved_places(load.approval_id)
    several = [NamedPlace(JAY, 900, place.key), NamedPlace("Elsewhere", 600)]
    good(kept(file_record(load, "Two tanks", several, by=mine.by, at=world.at("2026-10-06T10:30"), law=world.law())))
    operator = signed_in(app, "operator")
    where = f"/station/load/{load.ticket}/record/correct"
    page = get(operator, where)
    assert 'value="900"' in page and 'value="Elsewhere"' in page and 'value="600"' in page
    assert "\nTwo tanks</textarea>" in page and "gallons\nTwo" not in page
    sent = post(operator, where, {"sources": "Two tanks", f"from_{place.key}": "1500", "others-0-place": "",
                                  "others-0-gallons": "", "why": "All of it came from there"})  # fmt: skip
    assert sent.status_code == 303
    record = db.session.scalars(select(WrittenRecord)).one()
    assert record.versions[-1].sources == f"{JAY}, septic tank waste: 1,500 gallons\nTwo tanks"
    assert record.versions[-1].on_behalf
    assert "Written down" not in record.sources


def test_a_record_that_is_not_in_leads_to_writing_it(app: Any, mine: Hauler) -> None:
    load = good(log(mine, 300))
    page = get(signed_in(app, mine.email), f"/hauler/loads/{load.ticket}/record/correct", 409)
    assert "Write the record first." in text(page)


def test_what_was_written_in_words_is_corrected_in_words(app: Any, mine: Hauler) -> None:
    _place(by=world.system(), at=world.at("2026-10-01T09:00"))
    load = good(log(mine, 1_500))
    file(load, mine.by)
    me = signed_in(app, mine.email)
    where = f"/hauler/loads/{load.ticket}/record/correct"
    empty = post(me, where, {"sources": "", "why": "Slip"})
    assert "Enter the gallons from a source, or another place" in text(empty.text)
    assert post(me, where, {"sources": "21 Cedar Lane", "why": "Turned round"}).status_code == 303
    assert loads.record_of(load.id).versions[-1].sources == "21 Cedar Lane"  # type: ignore[union-attr]
