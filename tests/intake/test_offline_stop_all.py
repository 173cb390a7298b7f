"""Everything stopped at once without network: queued with the tablet's time, it acts once, as of that time."""

from typing import Any

import pytest
from sqlalchemy import select

from intake.actions.running import pause_load, resume_load, stop_all
from intake.actions.stop import stop_load
from intake.models import OfflineLoad
from intake.queries import loads
from intake.queries.checks import check_capacity
from office.db import db
from office.notices import Notice
from office.verify import verify
from tests import world
from tests.intake.gatehouse import balance, good, log
from tests.intake.gatehouse import kept as committed
from tests.intake.offline import body, device, enrolled, kept, send
from tests.intake.plant import hauler
from tests.intake.test_offline_run import done
from tests.intake.test_running import pieces
from tests.intake.test_station_pages import fields, get, signed_in, text

NOON = "2026-10-06T12:00"


@pytest.fixture
def tablet(app: Any, clock_at: Any) -> Any:
    clock_at(NOON)
    enrolled()
    return device(app)


def stopped(at: str, count: int = 1, **typed: str) -> dict[str, Any]:
    """What a tablet sends of everything stopped at once."""
    return body(None, at=f"2026-10-06T{at}", count=count, now=NOON) | {
        "kind": "stop_all", "fields": [[name, value] for name, value in typed.items()]}  # fmt: skip


def given(at: str) -> dict[str, Any]:
    return {"by": world.staff("operator"), "at": world.at(f"2026-10-06T{at}"), "law": world.law()}


def two() -> tuple[Any, Any]:
    """Two haulers, each with a truck."""
    first, second = hauler(tank=2_000), hauler("Second Pumping", number=2, tank=2_000)
    return first, second


def said(sent: dict[str, Any]) -> list[str]:
    return [one["said"] for one in kept(sent).flags]


def test_what_flowed_at_that_instant_is_stopped_then_once_however_often_it_is_sent(tablet):
    who = hauler(tank=2_000)
    load = good(log(who, 666, "2026-10-06T07:00"))
    sent = stopped("07:20", reason="Aeration fault")
    answers = [send(tablet, sent) for _ in range(3)]
    assert [(one["state"], one["ticket"]) for one in answers] == [("taken", "2026-00001")] * 3
    # Its room was kept until 8:00, the end that was planned; that is over by noon.
    assert pieces(load) == ["07:00-07:20 222 at 666", "rest 07:20-08:00 444 at 666"]
    assert (load.gallons, balance(who)) == (666, 1_598 + 1_216)
    note = load.note.splitlines()
    assert note[0] == "Paused at 7:20 a.m.: Aeration fault."
    assert note[1] == ("Everything stopped without network on Gate tablet (T1), Tue, Oct 6, 7:20 a.m. by Olga Olsen, "
                       "slip T1-0001; sent Tue, Oct 6, 12:00 noon.")  # fmt: skip
    assert said(sent)[1:] == ["Load 2026-00001: 222 gallons out by the rate. Correct them by the meter."]
    assert (kept(sent).stopped, kept(sent).load_id) == ([load.id], None)
    assert db.session.scalars(select(Notice.to_name).filter_by(kind="stopped_then")).all() == [
        "Manager of the City", "Director of the City"]  # fmt: skip
    good(committed(stop_load(load, 222, "Over", **given("12:00"))))
    assert (verify(), check_capacity()) == ([], [])


def test_what_was_stopped_before_stays_and_what_was_logged_later_is_untouched(tablet):
    first, second = two()
    before = good(log(first, 200, "2026-10-06T07:00"))
    good(committed(pause_load(before, 30, "Hose", **given("07:10"))))
    after = good(log(second, 300, "2026-10-06T08:00"))
    was = (pieces(before), pieces(after), before.note, after.note)
    sent = stopped("07:20")
    assert send(tablet, sent)["state"] == "taken"
    assert (pieces(before), pieces(after), before.note, after.note) == was
    assert (kept(sent).stopped, said(sent)[-1]) == ([], "No truck unloaded then.")


def test_one_that_was_to_begin_later_waits_to_be_resumed(tablet):
    first, second = two()
    running = good(log(first, 600, "2026-10-06T07:00"))
    later = good(log(second, 300, "2026-10-06T07:05", start=world.at("2026-10-06T08:00")))
    sent = stopped("07:30")
    assert send(tablet, sent)["ticket"] == "2026-00001, 2026-00002"
    assert pieces(running)[-1].startswith("rest 07:30-")
    assert all(one.startswith("rest 08:00-") for one in pieces(later))
    assert "Held at 7:30 a.m. before it began: The plant stops all unloading at once." in later.note


@pytest.mark.parametrize("how", ["paused", "resumed", "stopped"])
def test_one_that_somebody_has_seen_to_since_is_left_as_they_left_it_and_the_other_is_held(tablet, how):
    first, second = two()
    load = good(log(first, 600, "2026-10-06T07:00"))
    other = good(log(second, 300, "2026-10-06T07:05", start=world.at("2026-10-06T08:00")))
    if how == "stopped":
        good(committed(stop_load(load, 320, "Empty", **given("07:30"))))
    else:
        good(committed(pause_load(load, 320, **given("07:30"))))
    if how == "resumed":
        good(committed(resume_load(load, **given("07:32"))))
    was = pieces(load)
    sent = stopped("07:20")
    assert send(tablet, sent)["ticket"] == other.ticket
    assert (pieces(load), kept(sent).stopped) == (was, [other.id])
    assert said(sent)[-1] == "Load 2026-00001 was seen to since 7:20 a.m. and is left as it is. Look at its gallons."
    assert "Everything stopped" not in load.note
    told = db.session.scalars(select(Notice.body).filter_by(kind="stopped_then", to_name="Manager of the City")).one()
    assert said(sent)[-1] in told


def test_the_tap_that_had_arrived_with_network_stops_nothing_twice(tablet):
    who = hauler(tank=2_000)
    load = good(log(who, 666, "2026-10-06T07:00"))
    good(committed(stop_all(world.plant(), "Fault", **given("07:20:10"))))
    was = pieces(load)
    sent = stopped("07:20")
    assert (send(tablet, sent)["ticket"], pieces(load)) == ("2026-00001", was)
    assert said(sent)[-1] == "Load 2026-00001 was stopped then already."
    assert db.session.scalars(select(Notice).filter_by(kind="stopped_then")).all() == []


def test_load_and_stop_and_resume_of_one_tablet_count_in_their_order(tablet):
    who = hauler(tank=2_000)
    own = "T1-0001"
    for sent in (body(who, 666, at="2026-10-06T07:00", now=NOON), stopped("07:20", 2),
                 done("resume", "07:40", own, 3), done("stop", "08:00", own, 4, reason="Empty")):  # fmt: skip
        assert send(tablet, sent)["state"] == "taken"
    load = loads.with_ticket(world.plant().id, "2026-00001")
    assert pieces(load) == ["07:00-07:20 222 at 666", "rest 07:20-07:40 0 at 666", "07:40-08:00 222 at 666"]


def test_a_load_another_tablet_tells_of_later_was_stopped_then_too(app, tablet):
    assert send(tablet, stopped("07:20"))["ticket"] == ""
    sent = body(hauler(tank=2_000), 666, at="2026-10-06T07:00", count=2, now=NOON)
    assert send(tablet, sent)["state"] == "taken"
    load = loads.with_ticket(world.plant().id, "2026-00001")
    assert pieces(load) == ["07:00-07:20 222 at 666", "rest 07:20-08:00 444 at 666"]
    assert "Everything was stopped then, slip T1-0001." in load.note
    rows = db.session.scalars(select(OfflineLoad).order_by(OfflineLoad.id)).all()
    assert rows[0].stopped == [load.id]
    assert verify() == []


def test_of_a_revoked_tablet_it_waits_and_a_person_enters_it_as_of_its_time(app, tablet):
    from intake.actions.tablets import revoke_tablet
    from intake.models import Tablet

    load = good(log(hauler(tank=2_000), 666, "2026-10-06T07:00"))
    row = db.session.scalars(select(Tablet)).one()
    good(committed(revoke_tablet(row, "Lost", by=world.staff("manager"), at=world.at(NOON))))
    sent = stopped("07:20", reason="Fault")
    assert send(tablet, sent)["state"] == "waits"
    operator, address = signed_in(app, "operator"), f"/station/waiting-loads/{kept(sent).id}"
    page = get(operator, address)
    assert fields(page)["reason"] == "Fault"
    assert operator.post(f"/bayfield{address}", data=fields(page)).status_code == 303
    assert pieces(load)[0] == "07:00-07:20 222 at 666"
    shown = text(get(operator, address))
    assert "1 truck stopped" in shown
    assert "Ticket 2026-00001" in shown
    assert "Entered: everything stopped" in text(get(operator, "/station/waiting-loads"))
