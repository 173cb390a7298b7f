"""The written record before it is written: its form filled in, and, by some laws, no booking while one is late."""

import re
from datetime import date, time
from typing import Any

import pytest
from flask import Flask

from haulers.queries import approved_places
from intake.actions.moving import move_booking
from intake.actions.records import file_record
from intake.models import Load
from intake.queries import results
from intake.queries.pickups import read
from intake.queries.records_due import barred
from office.access import system
from office.db import db
from office.law import adopt_law
from ordinances.refusal import Refusal
from tests import world
from tests.intake.gatehouse import booked, good, kept, log
from tests.intake.plant import MORNING, Hauler, book, code, hauler, queries, session
from tests.intake.specials import accept, arrange, ask, working_hours
from tests.intake.test_record_sources import JAY, _place
from tests.intake.test_station_pages import fields, get, post, signed_in, text
from tests.ordinances.common import changed, row_text

BARS = row_text("record.bars_booking", "true", "2026-10-01", "§ 5 C")
LAST_SECOND, LATE = "2026-10-07T23:59:59.999999", "2026-10-08T00:00"


def adopt(folder: Any, rows: str) -> None:
    made = adopt_law(world.plant(), changed(folder, extra=rows), date(2026, 10, 1), "Ord. 1", by=system(), at=MORNING)
    assert not isinstance(made, Refusal), made
    db.session.commit()


@pytest.fixture
def who(app: Flask, tmp_path: Any) -> Hauler:
    found = hauler()
    adopt(tmp_path, BARS)
    return found


def owing(who: Hauler) -> Load:
    """A load of Tuesday whose record is due by the end of Wednesday."""
    return good(log(who, 300))


class TestBarred:
    def test_a_booking_is_barred_from_the_second_after_the_record_was_due(self, who: Hauler) -> None:
        owing(who)
        thursday = session("2026-10-09T07:00", 300)
        assert code(book(who, thursday, at=world.at(LAST_SECOND))).startswith("booked ")
        refused = book(who, session("2026-10-09T08:00", 300), at=world.at(LATE))
        assert isinstance(refused, Refusal)
        assert (refused.code, refused.why, refused.cite, refused.next_step) == (
            "record_overdue", "The written record of load 2026-00001 was due by the end of Wednesday, October 7, 2026.",
            "§ 5 C", "Send it, then book.")  # fmt: skip

    def test_the_record_once_in_frees_the_next_booking(self, who: Hauler) -> None:
        load = owing(who)
        good(kept(file_record(load, "12 Cedar Lane", by=who.by, at=world.at(LATE), law=world.law())))
        assert barred(world.plant().id, who.business_id, world.law(), world.at(LATE)) is None
        assert code(book(who, session("2026-10-09T08:00", 300), at=world.at(LATE))).startswith("booked ")

    def test_a_time_that_is_booked_may_still_move(self, who: Hauler) -> None:
        owing(who)
        booking = booked(book(who, session("2026-10-09T07:00", 300)))
        moved = kept(move_booking(world.plant(), booking.id, [session("2026-10-09T09:00", 300)], by=who.by,
                                  at=world.at(LATE), law=world.law()))  # fmt: skip
        assert not isinstance(moved, Refusal), moved

    def test_a_special_time_is_neither_asked_for_nor_arranged_until_the_record_is_in(self, who: Hauler) -> None:
        load, friday, at = owing(who), date(2026, 10, 9), world.at(LATE)
        working_hours()
        before = good(ask(who, 600, day=friday, accepts=None))
        accept(who, before, before.quote_cents)
        for refused in (ask(who, 600, time(15, 30), day=friday, at=at, accepts=None), arrange(before, at=at)):
            assert (refused.code, refused.cite) == ("record_overdue", "§ 5 C")
        good(kept(file_record(load, "12 Cedar Lane", by=who.by, at=at, law=world.law())))
        assert good(arrange(before, at=at)).state == "arranged"

    def test_another_haulers_record_bars_nobody(self, who: Hauler) -> None:
        owing(who)
        other = hauler("Other Pumping", number=2)
        assert code(book(other, session("2026-10-09T08:00", 300), at=world.at(LATE))).startswith("booked ")

    def test_the_page_says_so_before_anything_is_typed_and_leads_to_the_record(self, app, who, clock_at) -> None:
        owing(who)
        good(log(who, 200, "2026-10-06T08:00"))
        clock_at(LATE)
        page = get(signed_in(app, who.email), "/hauler/book")
        said = ("You cannot book now The written record of load 2026-00001 was due by the end of Wednesday, October 7, "
                "2026. So are those of 1 more load. Send it, then book. § 5 C Send the record")  # fmt: skip
        assert said in text(page)
        assert 'href="/bayfield/hauler/loads/2026-00001/record"' in page


def test_a_law_without_such_a_rule_bars_nobody_and_asks_nothing(app: Flask) -> None:
    who = hauler()
    owing(who)
    law, plant = world.law(), world.plant().id
    with queries() as seen:
        assert barred(plant, who.business_id, law, world.at(LATE)) is None
    assert seen == []
    assert code(book(who, session("2026-10-09T08:00", 300), at=world.at(LATE))).startswith("booked ")


def test_the_laws_own_days_say_when_a_result_is_missing(app: Flask, tmp_path: Any) -> None:
    adopt(tmp_path, row_text("testing.result_days", "10", "2026-10-01", "§ 5 D"))
    owing(hauler())
    plant = world.plant().id
    assert [w.missing for w in results.waiting(plant, date(2026, 10, 15))] == [False]
    (late,) = results.waiting(plant, date(2026, 10, 16))
    assert (late.missing, late.days, late.rule and (late.rule.days, late.rule.cite)) == (True, 10, (10, "§ 5 D"))


class TestFilledIn:
    def form(self, app: Flask, load: Load, who: Hauler) -> dict[str, str]:
        return fields(get(signed_in(app, who.email), f"/hauler/loads/{load.ticket}/record"))

    def test_one_source_is_filled_in_with_the_whole_load_and_one_press_sends_it(self, app, clock_at) -> None:
        clock_at("2026-10-06T09:00")
        who = hauler()
        _place(by=system(), at=world.at("2026-10-01T09:00"))
        load = good(log(who, 1_500))
        (place,) = approved_places(load.approval_id)
        assert self.form(app, load, who)[f"from_{place.key}"] == "1,500"
        client = signed_in(app, who.email)
        shown = text(get(client, "/hauler/loads/2026-00001/record"))
        assert "Filled in with the one source the approval covers." in shown
        assert post(client, "/hauler/loads/2026-00001/record", {}).status_code == 303
        assert "Homes along County Road J, septic tank waste: 1,500 gallons" in text(
            get(client, "/hauler/loads/2026-00001"))  # fmt: skip

    def test_what_the_driver_named_at_the_gate_is_filled_in_by_its_fields(self, app, clock_at) -> None:
        clock_at("2026-10-06T09:00")
        who = hauler()
        _place(by=system(), at=world.at("2026-10-01T09:00"))
        load = good(log(who, 1_500, pickups=read(f"{JAY} 900\nCabins 600\nCamp on the point")))
        (place,) = approved_places(load.approval_id)
        page = get(signed_in(app, who.email), "/hauler/loads/2026-00001/record")
        found = fields(page)
        assert (found[f"from_{place.key}"], found["others-0-place"], found["others-0-gallons"]) == (
            "900", "Cabins", "600")  # fmt: skip
        assert re.search(r"<textarea[^>]*>\s*Camp on the point</textarea>", page)
        assert "Filled in with what the driver named at the gate." in text(page)

    def test_without_sources_the_pick_ups_stand_in_words(self, app, clock_at) -> None:
        clock_at("2026-10-06T09:00")
        who = hauler()
        good(log(who, 1_500, pickups=read("12 Lake Road 900\nCamp")))
        page = get(signed_in(app, who.email), "/hauler/loads/2026-00001/record")
        assert re.search(r"<textarea[^>]*>\s*12 Lake Road: 900 gallons\nCamp</textarea>", page)
