"""A load over several mornings is signed on each; together the signatures are its written record (§ 329-7 C(3))."""

from typing import Any

import pytest
from sqlalchemy import select

from intake.actions.records import remind_of_record
from intake.actions.signing import sign_load
from intake.actions.station import continue_load, finish_load
from intake.queries import loads, signatures
from office import jobs
from office.access import system
from office.db import db
from office.notices import Notice
from office.verify import verify
from tests import world
from tests.intake.gatehouse import booked, good, kept, log, said
from tests.intake.offline import device, enrolled, send
from tests.intake.plant import Hauler, book, hauler, session
from tests.intake.test_offline_run import codes, done
from tests.intake.test_station_pages import fields, text

STROKES = "M10 20L30 40L50 10M100 100L120 140"
FIRST, SECOND = "2026-10-06T10:01", "2026-10-07T07:50"


@pytest.fixture
def who(app: Any) -> Hauler:
    return hauler(tank=2_500)


def given(at: str) -> dict[str, Any]:
    return {"by": world.staff("operator"), "at": world.at(at), "law": world.law()}


def sign(load: Any, name: str, at: str, places: str = "") -> Any:
    return kept(sign_load(load, name, STROKES, places, **given(at)))


def begun(who: Hauler) -> Any:
    """A load of 2,500 gallons whose first morning has run."""
    booking = booked(book(who, [session("2026-10-06T07:00", 1_998), session("2026-10-07T07:00", 502)]))
    return good(log(who, 1_998, booking=booking, driver="Ann Ames"))


def gone_on(load: Any, driver: str = "Bo Berg") -> Any:
    return good(kept(continue_load(load, 502, driver=driver, **given("2026-10-07T07:00"))))


def test_signed_on_each_morning_the_signatures_together_are_the_record(who):
    load = begun(who)
    good(sign(load, "Ann Ames", FIRST))
    assert (loads.record_of(load.id), load.record_due) == (None, world.at("2026-10-08T23:59:59"))
    gone_on(load)
    row, record = good(sign(load, "Bo Berg", SECOND)), loads.record_of(load.id)
    assert (row.name, str(row.day)) == ("Bo Berg", "2026-10-07")
    assert (record.filed_at, record.on_behalf, record.sources) == (world.at(SECOND), True,
        "As on the ticket that Ann Ames (October 6, 2026) and Bo Berg (October 7, 2026) signed: 2,500 gallons, septic "
        "tank waste, truck T-1. No place was named.")  # fmt: skip
    notes = [line for line in load.note.splitlines() if line.startswith("Signed")]
    assert notes == ["Signed by Ann Ames at the gate.", "Signed by Bo Berg for October 7, 2026 at the gate."]
    assert not remind_of_record(load, by=system("Reminders"), at=world.at("2026-10-09T08:00"))
    assert verify() == []


def test_signed_on_the_last_morning_only_it_stands_for_those_before_too(who):
    load = gone_on(begun(who))
    good(sign(load, "Bo Berg", SECOND))
    assert loads.record_of(load.id).sources.startswith("As on the ticket that Bo Berg signed: 2,500 gallons")
    assert "Signed by Bo Berg for October 6, 2026 and October 7, 2026 at the gate." in load.note


def test_signed_on_the_first_morning_only_the_record_is_still_due_from_the_last(who):
    load = begun(who)
    good(sign(load, "Ann Ames", FIRST))
    gone_on(load)
    assert loads.record_of(load.id) is None
    assert remind_of_record(load, by=system("Reminders"), at=world.at("2026-10-09T08:00"))
    # Told of late, the first morning stays signed by who signed it.
    assert said(sign(load, "Cy Cole", FIRST))[:2] == ("signed", "Ann Ames has signed load 2026-00001 already.")


def test_where_nothing_is_left_in_the_truck_the_signed_morning_is_the_whole_record(who):
    load = begun(who)
    good(sign(load, "Ann Ames", FIRST))
    good(kept(finish_load(load, **given("2026-10-07T07:05"))))
    record = loads.record_of(load.id)
    assert (record.filed_at, record.sources) == (
        world.at(FIRST), "As on the ticket that Ann Ames signed: 1,998 gallons, septic tank waste, truck T-1. No place "
        "was named.")  # fmt: skip


def test_places_named_on_the_last_morning_are_the_record_of_all(who):
    load = begun(who)
    good(sign(load, "Ann Ames", FIRST))
    gone_on(load)
    good(sign(load, "Bo Berg", SECOND, "12 Lake Road 2500"))
    assert [(one["place"], one["gallons"]) for one in loads.record_of(load.id).places] == [("12 Lake Road", 2_500)]


def test_each_morning_signed_without_network_counts_for_its_own(app, clock_at, who):
    load = begun(who)
    gone_on(load)
    clock_at("2026-10-07T12:00")
    enrolled()
    tablet = device(app)
    first = done("sign", "10:01", strokes=STROKES, driver="Ann Ames")
    second = done("sign", "10:01", count=2, strokes=STROKES, driver="Bo Berg") | {"at": world.at(SECOND).isoformat()}
    again = done("sign", "10:05", count=3, strokes=STROKES, driver="Ann Ames")
    for one in (first, second, again):
        assert send(tablet, one | {"now": world.at("2026-10-07T12:00").isoformat()})["state"] == "taken"
    assert codes(again)[-1] == "already"
    found = signatures.signed(load, world.plant().tz)
    assert [(one.name, str(one.day)) for one in found.several] == [
        ("Ann Ames", "2026-10-06"),
        ("Bo Berg", "2026-10-07"),
    ]
    assert loads.record_of(load.id).filed_at == world.at(SECOND)


def test_the_pages_ask_for_the_morning_that_is_not_signed_and_show_each_signature(app, clock_at, who):
    load = begun(who)
    clock_at(FIRST)
    client = app.test_client()
    world.sign_in(client, "operator")
    ticket = "/bayfield/station/load/2026-00001"
    page = client.get(f"{ticket}/sign").text
    assert ("Signed now: Tue, Oct 6, 1,998 gallons. Once every morning is signed, the signatures are the written "
            "record; with the places named this one is it.") in text(page)  # fmt: skip
    assert client.post(f"{ticket}/sign", data=fields(page) | {"strokes": STROKES}).status_code == 303
    assert f"{ticket}/sign" not in client.get(ticket).text
    assert "Ann Ames has signed this load already. The mornings that are still to come" in text(
        client.get(f"{ticket}/sign").text)  # fmt: skip
    gone_on(load)
    clock_at(SECOND)
    client = app.test_client()
    world.sign_in(client, "operator")
    page = client.get(f"{ticket}/sign").text
    assert f"{ticket}/sign" in client.get(ticket).text
    assert "Signed now: Wed, Oct 7, 502 gallons. Ann Ames has signed for Tue, Oct 6." in text(page)
    assert client.post(f"{ticket}/sign", data=fields(page) | {"strokes": STROKES}).status_code == 303
    shown = text(client.get(ticket).text)
    assert "Ann Ames for Tue, Oct 6, Tuesday, October 6, 2026, 10:01 a.m., taken by Operator of the City" in shown
    assert "Bo Berg for Wed, Oct 7, Wednesday, October 7, 2026, 7:50 a.m., taken by Operator of the City" in shown


def test_where_the_planned_morning_never_came_the_signed_one_is_the_record_and_nobody_is_asked(who):
    load = begun(who)
    good(sign(load, "Ann Ames", FIRST))
    late = world.at("2026-10-09T08:00")
    jobs.tick(late)
    record = loads.record_of(load.id)
    assert (record.filed_at, record.filed_by) == (world.at(FIRST), "Operator of the City")
    assert loads.overdue(load.plant_id, late) == []
    assert db.session.scalars(select(Notice).filter_by(kind="record_late")).all() == []
