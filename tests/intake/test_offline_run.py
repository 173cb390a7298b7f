"""What a tablet kept of a load in the books: paused, resumed, stopped, another rate, signed, each at its own time."""

from typing import Any

import pytest
from sqlalchemy import select

from intake.actions.running import pause_load, run_on
from intake.models import Excess, Load, OfflineLoad
from intake.queries import loads, signatures
from intake.queries.checks import check_capacity
from office.db import db
from office.verify import verify
from tests import world
from tests.intake.gatehouse import balance, good, log
from tests.intake.gatehouse import kept as committed
from tests.intake.offline import body, device, enrolled, kept, send
from tests.intake.plant import hauler
from tests.intake.test_running import pieces
from tests.intake.test_station_pages import fields, get, signed_in, text

NOON, STROKES = "2026-10-06T12:00", "M10 10L200 90L30 150"


@pytest.fixture
def tablet(app: Any, clock_at: Any) -> Any:
    clock_at(NOON)
    enrolled()
    return device(app)


def done(act: str, at: str, of: str = "2026-00001", count: int = 1, **typed: str) -> dict[str, Any]:
    """What a tablet sends of something done to a load."""
    sent = {"of": of, "act": act} | typed
    return body(None, at=f"2026-10-06T{at}", count=count, now=NOON) | {
        "kind": "act", "fields": [[name, value] for name, value in sent.items()]}  # fmt: skip


def pause(load: Load, out: int, at: str) -> Any:
    return committed(pause_load(load, out, by=world.staff("operator"), at=world.at(at), law=world.law()))


def only() -> Load:
    return db.session.scalars(select(Load)).one()


def codes(sent: dict[str, Any]) -> list[str]:
    return [one["code"] for one in kept(sent).flags]


def test_paused_resumed_and_stopped_without_network_each_counts_once_at_its_own_time(tablet):
    who = hauler(tank=2_000)
    good(log(who, 666, "2026-10-06T07:00"))
    sent = [done("pause", "07:20"), done("resume", "07:40", count=2),
            done("stop", "08:00", count=3, gallons="444", reason="Hose burst")]  # fmt: skip
    for one in sent:
        answers = [send(tablet, one) for _ in range(3)]
        assert [each["state"] for each in answers] == ["taken"] * 3, answers
    load = only()
    assert pieces(load) == ["07:00-07:20 222 at 666", "rest 07:20-07:40 0 at 666", "07:40-08:00 222 at 666"]
    assert (load.gallons, balance(who), load.discharged_at) == (444, 1_066 + 1_216, world.at("2026-10-06T08:00"))
    assert [line for line in load.note.splitlines() if not line.startswith("Written")] == [
        "Paused at 7:20 a.m.", "The 222 gallons out were reckoned by the rate. Correct them by the meter.",
        "Resumed at 7:40 a.m.", "Stopped at 8:00 a.m.: Hose burst."]  # fmt: skip
    assert ("Written without network on Gate tablet (T1), Tue, Oct 6, 7:20 a.m. by Olga Olsen, slip T1-0001; "
            "sent Tue, Oct 6, 12:00 noon.") in load.note  # fmt: skip
    assert codes(sent[0]) == ["on_duty", "by_rate"]
    assert (verify(), check_capacity()) == ([], [])


def test_a_load_of_the_same_tablet_is_stopped_by_its_slip_in_the_minute_it_was_logged(tablet):
    who = hauler(tank=2_000)
    send(tablet, body(who, 600, at="2026-10-06T07:05:20", now=NOON))
    assert send(tablet, done("stop", "07:05:50", "T1-0001", 2, gallons="0", reason="Wrong hose"))["state"] == "taken"
    assert (only().gallons, loads.record_of(only().id)) == (0, None)


def test_a_rate_read_without_network_is_kept_and_above_the_limit_it_is_one(tablet):
    good(log(hauler(tank=2_000), 600, "2026-10-06T07:00"))
    assert send(tablet, done("rate", "07:10", rate="700"))["state"] == "taken"
    over = db.session.scalars(select(Excess)).one()
    assert (over.gph, over.entered_by, over.measured_at) == (700, "Olga Olsen", world.at("2026-10-06T07:10"))


def test_what_was_resumed_without_network_flowed_though_another_has_taken_its_room_since(tablet):
    who, other = hauler(tank=2_000), hauler("Second Pumping", number=2, tank=2_000)
    load = good(log(who, 600, "2026-10-06T07:00"))
    good(pause(load, 200, "2026-10-06T07:20"))
    good(log(other, 1_000, "2026-10-06T08:00"))
    sent = done("resume", "08:10")
    assert send(tablet, sent)["state"] == "taken"
    assert codes(sent)[1:] in (["not_now"], ["no_room"])
    assert pieces(load)[-1] == "08:10-08:47 400 at 655"
    over = db.session.scalars(select(Excess)).one()
    assert (over.load_id, over.drawn_gph) == (load.id, 1_315)
    assert check_capacity() == []


def test_the_driver_signs_an_earlier_load_and_it_is_its_record_from_then(tablet):
    good(log(hauler(), 300, "2026-10-06T07:00"))
    sent = done("sign", "07:30", strokes=STROKES, driver="Ann Ames", places="12 Lake Road 300")
    assert [send(tablet, sent)["ticket"] for _ in range(2)] == ["2026-00001"] * 2
    row, record = signatures.of_load(only().id), loads.record_of(only().id)
    assert (row.name, row.signed_at, row.taken_by, record.filed_at) == (
        "Ann Ames", world.at("2026-10-06T07:30"), "Olga Olsen", world.at("2026-10-06T07:30"))  # fmt: skip


@pytest.mark.parametrize(("act", "at", "typed"), [
    ("pause", "07:21", {}), ("stop", "12:00", {"reason": "Empty"}),
])  # fmt: skip
def test_what_was_so_already_is_taken_and_changes_nothing(tablet, act, at, typed):
    load = good(log(hauler(), 300, "2026-10-06T07:00"))
    if act == "pause":
        good(pause(load, 100, "2026-10-06T07:20"))
    before = pieces(load)
    sent = done(act, at, **typed)
    assert (send(tablet, sent)["state"], codes(sent)[-1], pieces(load)) == ("taken", "already", before)


def test_where_somebody_went_on_since_a_person_looks_and_enters_it_or_not(app, tablet, clock_at):
    load = good(log(hauler(), 600, "2026-10-06T07:00"))
    good(pause(load, 300, "2026-10-06T07:30"))
    sent = done("stop", "07:20", gallons="200", reason="Smells")
    answer = send(tablet, sent)
    why = "Load 2026-00001 has gone on since then. Look at its ticket, and do it there if it is still to be done."
    assert (answer["state"], answer["why"]) == ("waits", why)
    operator = signed_in(app, "operator")
    address = f"/station/waiting-loads/{kept(sent).id}"
    page = get(operator, address)
    assert {name: fields(page)[name] for name in ("of", "act", "gallons", "reason")} == {
        "of": "2026-00001", "act": "stop", "gallons": "200", "reason": "Smells"}  # fmt: skip
    assert "Written without network on Gate tablet (T1), Tuesday, October 6, 2026, 7:20 a.m." in text(page)
    gone = get(operator, f"{address}/give-up")
    assert operator.post(f"/bayfield{address}/give-up", data=fields(gone) | {"reason": "Done there"}).status_code == 303
    assert db.session.scalars(select(OfflineLoad)).one().state == "given_up"


def test_a_load_not_in_the_books_yet_waits_and_is_entered_once_its_number_is_right(app, tablet):
    sent = done("pause", "07:20", "2026-00009")
    why = "Load 2026-00009 is not in the books. Enter that load first, or correct its number."
    assert send(tablet, sent)["why"] == why
    load = good(log(hauler(), 600, "2026-10-06T07:00"))
    operator = signed_in(app, "operator")
    address = f"/station/waiting-loads/{kept(sent).id}"
    entered = fields(get(operator, address)) | {"of": "2026-00001"}
    assert operator.post(f"/bayfield{address}", data=entered).status_code == 303
    assert pieces(load)[0].startswith("07:00-07:20 218 at")


@pytest.mark.parametrize(("typed", "why"), [
    ({"act": "stop"}, "Enter why the truck is stopped."), ({"act": "rate"}, "Enter the rate, like 600."),
    ({"act": "more"}, "Enter how many gallons more, like 200."),
    ({"act": "dance"}, "Select one of the answers shown."), ({"act": "pause", "of": ""}, "Enter the ticket or "
                                                                      "slip of the load."),
])  # fmt: skip
def test_what_cannot_be_read_waits_in_words(tablet, typed, why):
    good(log(hauler(), 600, "2026-10-06T07:00"))
    answer = send(tablet, done("pause", "07:20") | {"fields": [[name, value] for name, value in (
        {"of": "2026-00001"} | typed).items()]})  # fmt: skip
    assert answer["state"] == "waits"
    assert answer["why"] == why


def test_the_page_a_tablet_keeps_lists_the_loads_of_the_day_and_names_nobody(app, clock_at):
    good(log(hauler(), 600, "2026-10-06T07:00"))
    clock_at("2026-10-06T07:10")
    page = get(signed_in(app, "operator"), "/station/offline-run")
    assert "2026-00001 · T-1 · 600 gal · runs at 655 gallons an hour" in text(page).replace(" ,", ",")
    assert "Operator of the City" not in page
    assert "csrf_token" not in page


def test_more_gallons_told_without_network_went_in_and_are_charged_once(tablet):
    who = hauler(tank=2_000)
    good(log(who, 666, "2026-10-06T07:00"))
    sent = done("more", "07:20", more="111", reason="Tank fuller than told")
    assert [send(tablet, sent)["state"] for _ in range(3)] == ["taken"] * 3
    load = only()
    # 222 gallons were out at 7:20; the other 555 ran on at 666 an hour until 8:10.
    assert pieces(load) == ["07:00-07:20 222 at 666", "07:20-08:10 555 at 666"]
    assert (load.gallons, balance(who), codes(sent)) == (777, 1_865 + 1_216, ["on_duty"])
    assert load.note.splitlines()[0] == "111 gallons more than logged: Tank fuller than told."
    assert (verify(), check_capacity()) == ([], [])


def test_more_gallons_that_had_no_room_beside_another_are_kept_and_said(tablet):
    load = good(log(hauler(tank=2_000), 333, "2026-10-06T07:00"))
    good(log(hauler("Second Pumping", number=2, tank=2_000), 600, "2026-10-06T07:35"))
    sent = done("more", "07:20", more="222")
    assert send(tablet, sent)["state"] == "taken"
    assert load.gallons == 555
    assert codes(sent) == ["on_duty", "no_room"]
    assert kept(sent).flags[1]["said"] == "The 222 gallons more had no room beside the others."
    assert "above the limit of 670" in load.note


def test_more_gallons_than_the_tank_holds_are_kept_and_said_and_those_the_network_took_not_twice(tablet):
    who = hauler(tank=1_000)
    load = good(log(who, 900, "2026-10-06T07:00"))
    given = {"by": world.staff("operator"), "at": world.at("2026-10-06T07:20"), "law": world.law()}
    good(committed(run_on(load, 90, **given)))
    again, over = done("more", "07:20:30", more="90"), done("more", "07:30", count=2, more="200")
    assert (send(tablet, again)["state"], codes(again), load.gallons) == ("taken", ["on_duty", "already"], 990)
    assert send(tablet, over)["state"] == "taken"
    assert (load.gallons, codes(over)) == (1_190, ["on_duty", "gallons_over_tank"])
