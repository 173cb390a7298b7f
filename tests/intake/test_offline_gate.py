"""What a tablet kept beside loads: a truck turned away, the rest of a load, and the driver's signature."""

from typing import Any

import pytest

from intake.models import Load, OfflineLoad
from intake.queries import loads, signatures, statements
from office.db import db
from tests import world
from tests.intake.gatehouse import booked
from tests.intake.offline import body, device, enrolled, kept, send
from tests.intake.plant import book, hauler, session
from tests.intake.test_running import pieces
from tests.intake.test_station_pages import fields, get, signed_in, text

STROKES = "M10 10L200 90L30 150"


@pytest.fixture
def tablet(app: Any, clock_at: Any) -> Any:
    clock_at("2026-10-06T07:30")
    enrolled()
    return device(app)


def refusal(who: Any, count: int = 1, at: str = "2026-10-06T07:10", **typed: str) -> dict[str, Any]:
    """What a tablet sends of a truck it turned away."""
    fields = {"reason_code": "field_test", "reason": "Smells of solvent", "driver": "Ann Nuñez"} | typed
    return body(who, at=at, count=count, now="2026-10-06T07:30") | {
        "kind": "refusal", "fields": [[name, value] for name, value in fields.items()]}  # fmt: skip


def all_loads() -> list[Load]:
    return list(db.session.query(Load).order_by(Load.id))


def test_refusal_made_without_network_counts_once_and_its_history_says_so(app, tablet):
    who = hauler("Northwoods Pumping")
    sent = refusal(who)
    answer = {"state": "taken", "slip": "T1-0001", "ticket": "2026-00001", "needs": 0,
              "flags": ["Who was on duty was typed on the tablet: Olga Olsen."]}  # fmt: skip
    assert [send(tablet, sent) for _ in range(3)] == [answer] * 3
    [load] = all_loads()
    assert (load.state, load.reason_code, load.reason, load.logged_by, load.slip, load.gallons) == (
        "refused", "field_test", "Smells of solvent", "Olga Olsen", "T1-0001", 0)  # fmt: skip
    assert (load.logged_at, load.registered_at) == (world.at("2026-10-06T07:10"), world.at("2026-10-06T07:30"))
    said = "Logged without network on Gate tablet (T1), Tue, Oct 6, 7:10 a.m. by Olga Olsen, slip T1-0001"
    page = text(get(signed_in(app, "operator"), "/station/load/2026-00001"))
    assert page.count(said) == 2 and "Smells of solvent" in page
    assert load.business_id == who.business_id


def test_refusal_of_a_stranger_is_kept_by_its_name_and_one_without_reason_waits(tablet):
    send(tablet, refusal(None, business_name="Stranger Pumping", plate="X-9"))
    assert [(one.business_name, one.plate, one.business_id) for one in all_loads()] == [
        ("Stranger Pumping", "X-9", None)]  # fmt: skip
    as_a_load = "Log the gallons that were unloaded as a load, then refuse the rest."
    for count, typed, why in ((2, {"reason": ""}, "Enter what was wrong."), (3, {}, "Enter the name on the truck."),
                              (4, {"gallons": "20"}, as_a_load)):  # fmt: skip
        assert send(tablet, refusal(None, count, **typed))["why"] == why
    assert len(all_loads()) == 1


def test_rest_of_a_load_kept_before_it_is_refused_with_the_gallons_of_its_time(tablet):
    who = hauler("Northwoods Pumping")
    send(tablet, body(who, 300, at="2026-10-06T07:05", now="2026-10-06T07:30"))
    rest = refusal(who, 2, of="T1-0001", out="55", left="245")
    assert [send(tablet, rest)["ticket"] for _ in range(2)] == ["2026-00001"] * 2
    [load] = all_loads()
    row = statements.rest_of(load.id)
    assert (load.gallons, row.gallons, row.refused_at, row.refused_by) == (
        55, 245, world.at("2026-10-06T07:10"), "Olga Olsen")  # fmt: skip
    assert pieces(load)[0].startswith("07:05-07:10 55 at")
    # The same rest that had arrived with network under no id of its own is no second one.
    assert send(tablet, refusal(who, 3, of="2026-00001", out="55", left="245"))["ticket"] == "2026-00001"


@pytest.mark.parametrize(("out", "gallons"), [("0", 0), ("3", 3)])
def test_rest_refused_in_the_minute_the_load_was_logged_is_taken(tablet, out, gallons):
    who = hauler("Northwoods Pumping")
    send(tablet, body(who, 300, at="2026-10-06T07:05:10", now="2026-10-06T07:30"))
    answer = send(tablet, refusal(who, 2, at="2026-10-06T07:05:20", of="T1-0001", out=out, left="297"))
    assert (answer["state"], [one.gallons for one in all_loads()]) == ("taken", [gallons])


def test_rest_of_an_unknown_load_waits_for_a_person(tablet):
    answer = send(tablet, refusal(hauler(), of="T1-0009", out="55", left="245"))
    assert answer["why"] == ("Load T1-0009, of which it is the rest, is not in the books. "
                             "Enter that load first, or correct its number.")  # fmt: skip
    assert send(tablet, refusal(hauler("Two", number=2), 2, of="T1-0009", left="245"))["why"] == (
        "Enter how many gallons were unloaded, 0 if none.")  # fmt: skip


def test_signature_taken_without_network_is_the_written_record_from_its_time(tablet, clock_at):
    who = hauler("Northwoods Pumping")
    clock_at("2026-10-09T09:00")
    sent = body(who, 300, at="2026-10-06T07:10", now="2026-10-09T09:00")
    sent["fields"] += [["strokes", STROKES], ["pickups", "12 Lake Road 300"]]
    assert send(tablet, sent)["state"] == send(tablet, sent)["state"] == "taken"
    [load] = all_loads()
    signature, record = signatures.of_load(load.id), loads.record_of(load.id)
    assert (signature.name, signature.strokes, signature.signed_at, signature.taken_by) == (
        "Ann Nuñez", STROKES, world.at("2026-10-06T07:10"), "Olga Olsen")  # fmt: skip
    assert (record.filed_at, record.filed_at <= load.record_due) == (world.at("2026-10-06T07:10"), True)


def test_signature_of_a_later_morning_has_the_name_of_who_drove_then(tablet, clock_at):
    who = hauler("Northwoods Pumping")
    booked(book(who, [session("2026-10-06T07:00", 1_998), session("2026-10-07T07:00", 502)]))
    send(tablet, body(who, 1_998, at="2026-10-06T07:00", now="2026-10-06T07:30"))
    clock_at("2026-10-07T07:30")
    sent = body(who, 502, at="2026-10-07T07:00", count=2, now="2026-10-07T07:30", driver="Bo Berg")
    sent["fields"] += [["strokes", STROKES], ["pickups", "12 Lake Road 2500"]]
    send(tablet, sent)
    [load] = all_loads()
    assert (load.gallons, load.driver, signatures.of_load(load.id).name) == (2_500, "Ann Nuñez", "Bo Berg")


def test_what_is_no_signature_leaves_the_load_and_its_record_due(tablet):
    sent = body(hauler(), 300, at="2026-10-06T07:10", now="2026-10-06T07:30")
    sent["fields"] += [["strokes", "<svg>"]]
    send(tablet, sent)
    [load] = all_loads()
    assert (load.state, signatures.of_load(load.id), loads.record_of(load.id)) == ("accepted", None, None)
    assert kept(sent).flags[-1]["said"] == (
        "The signature on the tablet could not be kept: the written record is still due.")  # fmt: skip
    assert [one.state for one in db.session.query(OfflineLoad)] == ["taken"]


def test_refusal_that_waits_is_entered_by_a_person_who_puts_it_right(app, tablet):
    who = hauler("Northwoods Pumping")
    sent = refusal(who, of="T1-0009", out="55", left="245")
    send(tablet, sent)
    operator = signed_in(app, "operator")
    path = f"/station/waiting-loads/{kept(sent).id}"
    page = get(operator, path)
    assert "A refusal made without network" in text(page) and "Smells of solvent" in page
    as_sent = fields(page) | {"reason": "Smells of solvent"}
    assert "is not in the books" in text(operator.post(f"/bayfield{path}", data=as_sent).text)
    answer = operator.post(f"/bayfield{path}", data=as_sent | {"of": "", "out": "", "left": ""})
    assert answer.location == "/bayfield/station/load/2026-00001"
    [load] = all_loads()
    assert (load.state, load.slip, load.logged_at) == ("refused", "T1-0001", world.at("2026-10-06T07:10"))
    row = kept(sent)
    assert (row.state, row.settled_by, row.load_id) == ("entered", "Operator of the City", load.id)
    assert "Entered as load 2026-00001" in text(get(operator, path))
