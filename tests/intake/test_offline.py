"""Loads that a tablet kept without network: counted once, kept whatever the plan said, never lost."""

import json
import threading
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import func, select

from billing.queries import entries_of
from haulers.actions.revocation import revoke_approval
from intake.actions.correcting import correct_load
from intake.actions.late import register_late
from intake.actions.tablets import revoke_tablet
from intake.models import Excess, Load, OfflineLoad, Run
from intake.queries import loads, outbox, tablets
from intake.queries.checks import check_capacity
from intake.queries.figures import figures
from intake.routes.outbox import _read, mark_of, on_duty
from office.db import db
from office.notices import Notice
from office.plants import Plant
from office.verify import verify
from tests import world
from tests.intake.gatehouse import balance, booked, good, log
from tests.intake.offline import WORD, body, device, enrolled, kept, send
from tests.intake.plant import TUESDAY, book, hauler, queries, session
from tests.intake.test_points_pages import text

NOON = "2026-10-06T12:00"


@pytest.fixture
def tablet(app: Any, clock_at: Any) -> Any:
    clock_at(NOON)
    enrolled()
    return device(app)


def only_load() -> Load:
    return db.session.scalars(select(Load)).one()


def flags(load: dict[str, Any]) -> list[str]:
    return [one["code"] for one in kept(load).flags]


def test_load_is_registered_with_its_time_its_slip_and_who_was_on_duty(tablet):
    who = hauler()
    booked(book(who, session("2026-10-06T07:10", 300)))
    load = body(who, now=NOON)
    answer = send(tablet, load)
    assert answer == {"state": "taken", "slip": "T1-0001", "ticket": "2026-00001", "flags": [
        "Who was on duty was typed on the tablet: Olga Olsen."], "needs": 0}  # fmt: skip
    row = only_load()
    assert (row.slip, row.logged_by, row.gallons, row.driver) == ("T1-0001", "Olga Olsen", 300, "Ann Nuñez")
    assert (row.logged_at, row.registered_at) == (world.at("2026-10-06T07:10"), world.at(NOON))
    assert row.note.splitlines()[-1] == (
        "Logged without network on Gate tablet (T1), Tue, Oct 6, 7:10 a.m. by Olga Olsen, slip T1-0001; "
        "sent Tue, Oct 6, 12:00 noon."
    )
    [run] = loads.runs_of(row.id)
    assert (run.starts, run.gph, run.measured) == (world.at("2026-10-06T07:10"), 643, False)
    # 300 gallons at $0.024 and the pair of tests.
    assert balance(who) == 1_936
    assert row.record_due.astimezone(world.ZONE).date().isoformat() == "2026-10-07"
    assert verify() == []


def test_same_load_sent_a_hundred_times_also_after_a_correction_is_one(tablet, clock_at):
    who = hauler()
    load = body(who, now=NOON)
    first = send(tablet, load)
    row = only_load()
    new = figures(row)
    from dataclasses import replace

    good(correct_load(row, replace(new, gallons=280), "Read wrong", by=world.staff("operator"), at=world.at(NOON),
                      law=world.law()))  # fmt: skip
    db.session.commit()
    clock_at("2026-10-06T19:30")
    answers = [send(tablet, load | {"now": "2026-10-06T19:30:00-05:00"}) for _ in range(99)]
    assert answers == [first] * 99
    assert (only_load().gallons, db.session.scalar(select(func.count(OfflineLoad.id)))) == (280, 1)
    assert balance(who) == 672 + 1_216


def test_load_whose_answer_was_lost_with_network_keeps_its_ticket_and_is_found_by_its_slip(tablet):
    who = hauler()
    load = body(who, now=NOON)
    good(log(who, 300, "2026-10-06T07:10", client_id=load["id"]))
    assert send(tablet, load)["ticket"] == "2026-00001"
    assert only_load().slip == "T1-0001"
    assert [line.load.ticket for line in loads.search(world.plant().id, "t1-0001")] == ["2026-00001"]


def test_load_over_the_limit_is_kept_flagged_and_recorded_as_an_excess(tablet):
    one, other = hauler(), hauler("Second Pumping", number=2)
    good(log(one, 1_000, "2026-10-06T07:00"))
    load = body(other, 1_000, "2026-10-06T07:15", now=NOON)
    assert send(tablet, load)["state"] == "taken"
    assert flags(load) == ["on_duty", "no_room", "above_limit"]
    [excess] = db.session.scalars(select(Excess))
    assert (excess.drawn_gph, int(excess.hard_gph), excess.cite) == (1_326, 670, "§ 329-7 F(3)")
    assert balance(other) == 2_400 + 1_216
    run = db.session.scalars(select(Run).order_by(Run.id.desc())).first()
    assert (run.starts, run.gph, run.measured) == (world.at("2026-10-06T07:15"), 666, True)
    assert check_capacity() == []
    told = db.session.scalars(select(Notice.to_name).filter_by(kind="late_load").order_by(Notice.id)).all()
    assert told == ["Manager of the City", "Director of the City"]


def test_load_of_a_hauler_revoked_since_the_plan_was_seen_is_kept_and_flagged(tablet):
    who = hauler()
    rule = world.law().value("revocation.grounds", TUESDAY)[0]
    good(revoke_approval(world.plant(), who.approval_id, rule, "Dumped in a ditch", by=world.staff("director"),
                         at=world.at("2026-10-06T06:00"), law=world.law()))  # fmt: skip
    db.session.commit()
    load = body(who, now=NOON)
    assert send(tablet, load)["state"] == "taken"
    assert flags(load) == ["on_duty", "revoked"]
    row = only_load()
    assert (row.state, row.approval_id, balance(who)) == ("accepted", who.approval_id, 1_936)
    assert "The gate would have said no: approval A-2026-27-001 was revoked on October 6, 2026 (§ 329-7 G)." in row.note


def test_load_after_hours_is_kept_from_its_time_on(tablet):
    who = hauler()
    load = body(who, at="2026-10-06T10:30", now=NOON)
    send(tablet, load)
    assert flags(load) == ["on_duty", "outside_hours"]
    [run] = loads.runs_of(only_load().id)
    assert (run.starts, run.gph) == (world.at("2026-10-06T10:30"), 666)


def test_waste_that_should_have_been_rejected_is_in_the_pipe_and_flagged(tablet):
    load = body(hauler(), now=NOON, ph="4.2")
    assert send(tablet, load)["state"] == "taken"
    assert flags(load) == ["on_duty", "screening"]


def test_used_bottle_waits_for_a_person_and_takes_nothing(tablet):
    who = hauler()
    good(log(who, 100, "2026-10-06T07:00", bottle="1006-01"))
    load = body(who, at="2026-10-06T08:30", now=NOON)
    answer = send(tablet, load)
    assert answer == {"state": "waits", "slip": "T1-0001", "needs": 1,
                      "why": "Bottle 1006-01 was used at 7:00 a.m. Use 1006-02."}  # fmt: skip
    assert send(tablet, load) == answer
    assert db.session.scalar(select(func.count(Load.id))) == 1
    told = db.session.scalars(select(Notice.subject).filter_by(kind="load_waits")).all()
    assert told == ["1 load needs you: slip T1-0001"] * 2
    assert verify() == []


@pytest.mark.parametrize(
    ("other", "why"),
    [
        ({"visit": {}}, "The truck is none of a hauler this plant knows. Say whose truck it was."),
        ({"gallons": "many"}, "Gallons must be a number, like 1,500."),
        ({"fields": "nothing"}, None),
        ({"plan": {"plan": "Booked 7:45"}, "visit": {"booking": "B-1", "truck": "1" * 40, "business": "²"}}, None),
        ({"fields": [["gallons", "30"], 7, ["x"]], "visit": 9, "slip": {}, "offset": "x"}, None),
        ({"reason": "", "gallons": "6000"}, "Gallons are more than this truck holds (5,000). Check the number. "
                                            "If the number is right, say why."),
        ({"ph": "72"}, "pH is between 0 and 14. You entered 72. Check the number. If the number is right, say why."),
    ],
)  # fmt: skip
def test_what_cannot_be_right_waits_as_it_was_sent(tablet, other, why):
    load = body(hauler(), now=NOON, **other)
    answer = send(tablet, load)
    row = kept(load)
    assert verify() == []
    if why is None:
        assert answer["state"] in ("waits", "taken")
    else:
        assert (answer["state"], answer["why"]) == ("waits", why)
    assert row.sent == {name: value for name, value in load.items() if name != "duty"}


def test_load_of_a_revoked_tablet_is_kept_and_waits(tablet):
    row = kept_tablet()
    good(revoke_tablet(row, "Stolen", by=world.staff("manager"), at=world.at(NOON)))
    db.session.commit()
    load = body(hauler(), now=NOON)
    answer = send(tablet, load)
    assert (answer["state"], answer["why"]) == (
        "waits", "Gate tablet (T1) was revoked by Manager of the City before it sent this.")  # fmt: skip
    assert tablet.post("/bayfield/station/hello", json={}).get_json()["state"] == "revoked"
    assert db.session.scalar(select(func.count(Load.id))) == 0


def test_loads_of_a_revoked_tablet_wait_also_where_its_browser_was_enrolled_anew(app, tablet):
    good(revoke_tablet(kept_tablet(), "Stolen", by=world.staff("manager"), at=world.at(NOON)))
    enrolled("New tablet", "6" * 64)
    who, anew = hauler(), device(app, "6" * 64)
    said = [
        send(anew, body(who, 100, f"2026-10-06T0{6 + count}:30", count, now=NOON, slip=slip)).get("why")
        for count, slip in enumerate(("T1-0001", "T22-0001", "", "T2-0001"))
    ]
    assert said == [
        "Slip T1-0001 is of Gate tablet (T1), which was revoked by Manager of the City; New tablet (T2) sent it.",
        "Slip T22-0001 is of a tablet T22 that was never enrolled here; New tablet (T2) sent it.",
        "New tablet (T2) sent it without a slip number of its own.", None]  # fmt: skip
    assert only_load().slip == "T2-0001"
    assert verify() == []


def kept_tablet() -> Any:
    from intake.models import Tablet

    return db.session.scalars(select(Tablet)).one()


def test_who_was_on_duty_is_whom_the_server_had_named_not_who_sends(app, tablet):
    who, other = hauler(), world.staff("manager")
    mark = mark_of(world.plant(), other.person_id, other.name, world.at("2026-10-06T06:55"))
    good_, forged = body(who, now=NOON, duty=mark), body(who, now=NOON, count=2, duty=f"{mark}x")
    send(tablet, good_)
    send(tablet, forged)
    assert [(kept(one).on_duty, kept(one).person_id, flags(one)[:1]) for one in (good_, forged)] == [
        ("Manager of the City", other.person_id, []), ("Olga Olsen", None, ["on_duty"])]  # fmt: skip
    assert "duty" not in kept(good_).sent


@pytest.mark.parametrize(
    ("shown", "named"),
    [("2026-10-05T07:09:59", False), ("2026-10-05T07:10", True), ("2026-10-06T07:12", True),
     ("2026-10-06T07:12:01", False)],
)  # fmt: skip
def test_mark_names_who_was_on_duty_for_a_day_after_its_page_was_shown_and_at_its_own_plant(tablet, shown, named):
    who, other = hauler(), world.staff("manager")
    load = body(who, now=NOON, duty=mark_of(world.plant(), other.person_id, other.name, world.at(shown)))
    send(tablet, load)
    assert kept(load).on_duty == ("Manager of the City" if named else "Olga Olsen")
    elsewhere = Plant(slug="elsewhere")
    assert on_duty(mark_of(elsewhere, 1, "Otto", world.at(NOON)), world.plant(), world.at(NOON)) == (None, "")
    assert on_duty(mark_of(elsewhere, 1, "Otto", world.at(NOON)), elsewhere, world.at(NOON)) == (1, "Otto")


def test_clock_that_is_slow_is_put_right_and_said(tablet):
    load = body(hauler(), now=NOON, behind=360)
    send(tablet, load)
    assert flags(load) == ["clock", "on_duty"]
    row = only_load()
    assert row.logged_at == world.at("2026-10-06T07:10")
    assert "The tablet's clock was 6 minutes slow: its time is put right." in row.note


def test_clock_changed_in_between_and_a_time_ahead_are_said(tablet):
    who = hauler()
    changed, ahead = body(who, now=NOON, offset=7_200), body(who, at="2026-10-06T13:00", count=2, now=NOON)
    send(tablet, changed)
    send(tablet, ahead)
    said = [next(one["said"] for one in kept(load).flags if one["code"] == "time") for load in (changed, ahead)]
    assert said == ["The tablet's clock was changed between writing and sending. Check the time.",
                    "By the tablet's clock it lay ahead: the time is that of its arrival."]  # fmt: skip
    assert kept(ahead).logged_at == world.at(NOON)
    told = db.session.scalars(select(Notice.body).filter_by(kind="late_load", to_name="Manager of the City")).all()
    assert [[line for line in one.splitlines() if "clock" in line] for one in told] == [[one] for one in said]


def test_clock_that_is_put_right_is_told_to_nobody_and_an_unknown_time_is(tablet):
    who = hauler()
    slow, unknown = body(who, now=NOON, behind=360), body(who, count=2, now=NOON) | {"at": None}
    send(tablet, slow)
    assert db.session.scalars(select(Notice.subject).filter_by(kind="late_load")).all() == []
    send(tablet, unknown)
    told = db.session.scalars(select(Notice.body).filter_by(kind="late_load", to_name="Manager of the City")).all()
    assert ["The tablet did not say when: the time is that of its arrival." in one for one in told] == [True]


@pytest.mark.parametrize(("sent", "late"), [("2026-10-07T23:59:59", []), ("2026-10-08T00:00:00", ["late"])])
def test_load_registered_after_its_record_was_due_is_marked_late(tablet, clock_at, sent, late):
    clock_at(sent)
    load = body(hauler(), now=sent)
    send(tablet, load)
    assert [one for one in flags(load) if one == "late"] == late
    if late:
        assert "(§ 329-7 C(3))" in only_load().note


def test_price_is_that_of_the_day_it_was_unloaded(tablet, clock_at):
    clock_at("2027-01-05T09:00")
    who = hauler()
    load = body(who, at="2026-12-18T07:10", now="2027-01-05T09:00")
    send(tablet, load)
    row = only_load()
    assert (row.day.isoformat(), row.ticket) == ("2026-12-18", "2026-00001")
    assert {entry.on_day for entry in entries_of("load", row.id)} == {row.day}


def test_letters_no_database_keeps_are_left_out(tablet):
    load = body(hauler(), now=NOON, note="Smells \x00 of \ud800 tar", visit={"booking": "B\x00\udfff"})
    assert send(tablet, load)["state"] == "waits"
    assert dict(kept(load).sent["fields"])["note"] == "Smells  of ? tar"


def test_no_word_of_a_tablet_and_no_json_are_turned_away(app, tablet):
    load = body(hauler(), now=NOON)
    stranger = device(app, "7" * 64)
    assert stranger.post("/bayfield/station/outbox", json=load).status_code == 409
    why = "This could not be read as a load. It stays on the tablet; those behind it are taken."
    unread = {"state": "unread", "why": why}
    half: list[Any] = [{"data": words, "content_type": "application/json"} for words in ("[]", '{"id": "load-0', "")]
    for sent in ({"data": {"id": load["id"]}}, *half):
        answer = tablet.post("/bayfield/station/outbox", **sent)
        assert (answer.status_code, answer.get_json()) == (400, unread)
        assert stranger.post("/bayfield/station/outbox", **sent).status_code == 409
    assert db.session.scalar(select(func.count(OfflineLoad.id))) == 0
    assert send(tablet, load)["state"] == "taken"


@pytest.mark.parametrize(("other", "why"), [
    ({"now": "2190-01-01T00:00:00Z"}, "By the tablet's clock it is another age: enter it with the time it was taken."),
    ({"now": "2190-01-01T00:00:00Z", "at": "2190-01-01T00:00:00Z", "offset": None},
     "By the tablet's clock it is another age: enter it with the time it was taken."),
    ({"visit": {}, "plan": float("nan"), "seen": [float("inf")]},
     "The truck is none of a hauler this plant knows. Say whose truck it was."),
    ({"visit": {}, "last": 10**40}, "The truck is none of a hauler this plant knows. Say whose truck it was."),
])  # fmt: skip
def test_what_no_database_keeps_waits_and_those_behind_it_go_on(tablet, other, why):
    who = hauler()
    load = body(who, now=NOON) | other
    answer = send(tablet, load)
    assert (answer["state"], answer["why"]) == ("waits", why)
    assert send(tablet, load) == answer
    assert not any(word in json.dumps(kept(load).sent) for word in ("NaN", "Infinity"))
    assert send(tablet, body(who, at="2026-10-06T08:30", count=2, now=NOON))["state"] == "taken"
    assert verify() == []


def test_what_cannot_even_be_read_is_kept_with_a_reference(tablet):
    class Unreadable:
        def __str__(self) -> str:
            raise ArithmeticError

    load = body(hauler(), now=NOON) | {"fields": [["driver", Unreadable()]]}
    sent = _read(world.plant(), load, world.at(NOON))
    assert sent.wrong.startswith("It could not be registered: a fault of this program, reference ")
    assert (sent.client_id, sent.slip, sent.on_duty) == (load["id"], "T1-0001", "Olga Olsen")
    assert (sent.logged_at(world.at(NOON)), "duty" in sent.raw) == (world.at("2026-10-06T07:10"), False)


def test_what_is_too_long_is_said_to_be_so_by_a_tablet_that_is_known(app, tablet):
    long = body(hauler(), now=NOON) | {"plan": "x" * 200_000}
    answer = tablet.post("/bayfield/station/outbox", json=long)
    assert (answer.status_code, answer.get_json()) == (
        413, {"state": "too_long", "why": "This is longer than a load may be. It stays on the tablet."})  # fmt: skip
    assert device(app, "7" * 64).post("/bayfield/station/outbox", json=long).status_code == 409


def test_word_of_a_tablet_opens_no_page(tablet):
    for page in ("station", "station/load", "station/offline", "station/waiting-loads", "director/tablets"):
        assert tablet.get(f"/bayfield/{page}").location.startswith("/sign-in"), page


def test_hello_says_where_slips_go_on_and_how_the_clock_stands(tablet):
    send(tablet, body(hauler(), now=NOON, count=7))
    late = (world.at(NOON) - timedelta(minutes=5)).isoformat()
    assert tablet.post("/bayfield/station/hello", json={"now": late, "last": 3, "waiting": 2}).get_json() == {
        "state": "in_use", "mark": "T1", "called": "Gate tablet (T1)", "offset": 300, "last": 7, "needs": 0,
        "off": "5 minutes slow",
    }  # fmt: skip


def test_second_load_for_one_booking_waits(tablet):
    who = hauler()
    booking = booked(book(who, session("2026-10-06T07:10", 300)))
    good(log(who, 300, "2026-10-06T07:10", booking=booking))
    load = body(who, now=NOON, visit={"booking": booking.number, "truck": str(who.truck_id)})
    assert send(tablet, load)["why"] == (
        f"Booking {booking.number} was used: load ticket 2026-00001. "
        "If this is the same load, do not enter it; else choose its truck anew."
    )


def test_second_load_of_a_truck_at_the_same_time_waits_for_a_person(tablet):
    who = hauler()
    good(log(who, 300, "2026-10-06T07:10"))
    load, later = body(who, 100, now=NOON), body(who, 100, "2026-10-06T08:30", 2, now=NOON)
    assert [send(tablet, one)["state"] for one in (load, later)] == ["waits", "taken"]
    assert kept(load).why == ("Truck T-1 has load 2026-00001 at this time too: 300 gallons, logged 7:10 a.m. "
                              "If this is the same load, do not enter it.")  # fmt: skip
    assert "same_time" not in flags(later)
    assert verify() == []


def test_second_load_of_a_truck_that_a_person_enters_is_kept_and_looked_at(app, clock_at):
    who, values = hauler(), {"waste": "septic_tank", "gallons": 100, "basis": "meter", "tested": False,
                             "untested": "no bottles left"}  # fmt: skip
    good(log(who, 300, "2026-10-06T07:10"))
    written = outbox.Written("entered-0001", "T1-0001", "Olga Olsen", world.at("2026-10-06T07:10"),
                             outbox.Visitor(who.business_id, who.truck_id), values, "Entered.")  # fmt: skip
    taken = good(register_late(world.plant(), written, by=world.staff("operator"), at=world.at(NOON), law=world.law()))
    assert [one.said for one in taken.flags if one.code == "same_time"] == [
        "Truck T-1 has load 2026-00001 at this time too: look whether the two are one."]  # fmt: skip


def test_one_load_written_on_two_tablets_without_a_bottle_is_charged_once(app, tablet):
    who, untested = hauler(), {"tested": "no", "bottle": "", "reason": "no bottles left"}
    enrolled("Second tablet", "6" * 64)
    load, again = body(who, now=NOON, **untested), body(who, now=NOON, count=2, slip="T2-0001", **untested)
    assert (send(tablet, load)["state"], send(device(app, "6" * 64), again)["state"]) == ("taken", "waits")
    assert (db.session.scalar(select(func.count(Load.id))), balance(who)) == (1, 720)
    assert db.session.scalar(select(func.count(Excess.id))) == 0


def at_once(app: Any, asked: list[tuple[str, str, dict[str, Any]]]) -> list[tuple[int, Any]]:
    """Post several at the same moment, each from a tablet of its own (word, path, body); status and answer of each."""
    clients = [device(app, word) for word, _, _ in asked]
    db.session.remove()
    start, found = threading.Barrier(len(asked)), dict[int, tuple[int, Any]]()

    def work(n: int) -> None:
        start.wait(30)
        answer = clients[n].post(f"/bayfield/station/{asked[n][1]}", json=asked[n][2])
        found[n] = answer.status_code, answer.get_json()

    threads = [threading.Thread(target=work, args=(n,)) for n in range(len(asked))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return [found[n] for n in range(len(asked))]


def test_one_load_sent_from_six_windows_at_once_is_one(app, tablet):
    who = hauler()
    load = body(who, now=NOON)
    answers = at_once(app, [(WORD, "outbox", load)] * 6)
    assert [(status, answer["ticket"]) for status, answer in answers] == [(200, "2026-00001")] * 6
    assert (only_load().slip, balance(who)) == ("T1-0001", 1_936)
    assert verify() == []


def test_two_tablets_at_once_have_their_own_tickets_and_what_was_too_much_is_kept_as_such(app, tablet):
    enrolled("Shed tablet", "6" * 64)
    one, other = hauler(), hauler("Second Pumping", number=2)
    loads_ = [body(one, 1_000, now=NOON), body(other, 1_000, now=NOON, count=2, slip="T2-0001")]
    answers = at_once(app, [(WORD, "outbox", loads_[0]), ("6" * 64, "outbox", loads_[1])])
    assert sorted(answer["ticket"] for _, answer in answers) == ["2026-00001", "2026-00002"]
    assert len(db.session.scalars(select(Excess)).all()) == 1
    assert verify() == []


def test_tablet_heard_for_the_first_time_from_four_windows_at_once(app, tablet):
    answers = at_once(app, [(WORD, "hello", {"last": 3, "now": "2026-10-06T12:00:00-05:00"})] * 4)
    assert [(status, answer["last"]) for status, answer in answers] == [(200, 3)] * 4


def test_tablet_sends_without_the_token_of_a_form(app, tablet):
    app.config["WTF_CSRF_ENABLED"] = True
    assert send(tablet, body(hauler(), now=NOON))["state"] == "taken"
    assert tablet.post("/bayfield/station/hello", json={}).status_code == 200


def test_tablet_is_known_at_its_own_plant_only(tablet):
    plant = world.plant()
    assert tablets.with_token(plant.id, WORD) is not None
    assert tablets.with_token(plant.id + 1, WORD) is None
    load = body(hauler(), now=NOON)
    send(tablet, load)
    assert outbox.one(plant.id + 1, kept(load).id) is None
    assert tablet.post("/elsewhere/station/outbox", json=load).status_code == 404


def test_lists_of_sent_loads_and_the_kept_form_ask_as_much_for_many_as_for_one(app, tablet, clock_at):
    who = hauler()
    operator = app.test_client()
    world.sign_in(operator, "operator")
    counts = []
    for several in (range(1, 2), range(2, 8)):
        for count in several:
            send(tablet, body(who, 50, now=NOON, count=count))
        for page in ("waiting-loads", "offline"):
            operator.get(f"/bayfield/station/{page}")
            with queries() as seen:
                operator.get(f"/bayfield/station/{page}")
            counts.append(len([one for one in seen if one.startswith("SELECT")]))
    assert counts == [4, 10, 4, 10]


def test_ticket_and_its_history_show_the_slip_the_tablet_and_both_times(app, tablet):
    send(tablet, body(hauler(), now=NOON))
    operator = app.test_client()
    world.sign_in(operator, "operator")
    shown = text(operator.get("/bayfield/station/load/2026-00001"))
    facts, _, history = shown.partition("History")
    assert "Logged Tuesday, October 6, 2026, 7:10 a.m., Olga Olsen Slip number T1-0001" in facts
    assert "Registered Tuesday, October 6, 2026, 12:00 noon" in facts
    assert history.split("Tuesday, October 6, 2026, 12:00 noon")[1].startswith(
        " Sent by the tablet Gate tablet (T1) for Olga Olsen Logged without network on Gate tablet (T1), Tue, Oct 6, "
        "7:10 a.m. by Olga Olsen, slip T1-0001; sent Tue, Oct 6, 12:00 noon.")  # fmt: skip
    found = [text(operator.get(f"/bayfield/plant/loads?find=T1-000{n}")) for n in (1, 2)]
    assert ["2026-00001" in one for one in found] == [True, False]
