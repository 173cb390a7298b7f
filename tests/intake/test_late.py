"""A load told late is judged as of its own time and keeps all that is kept at the station; who is concerned is told."""

import json
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from flask import current_app
from sqlalchemy import select

from haulers.actions.trucks import add_truck, retire_truck
from haulers.models import Business
from haulers.queries import TruckLine, trucks_of
from intake import states
from intake.actions import tickets
from intake.actions.closures import close_day
from intake.actions.limits import set_limit
from intake.actions.restriction import lift_restriction, restrict_plant
from intake.actions.station import continue_load
from intake.forms.station import AT_FIELD
from intake.models import Load, OfflineLoad, Run
from intake.queries import loads
from intake.queries.outbox import Visitor
from office.db import db
from office.journal import JournalHead
from office.notices import Notice
from office.verify import verify
from tests import world
from tests.billing.test_fees_pages import adopted, in_town
from tests.house.law_copies import adopt, canonical
from tests.intake.gatehouse import balance, booked, good, log
from tests.intake.gatehouse import kept as kept_
from tests.intake.offline import body, device, enrolled, kept, send
from tests.intake.plant import TUESDAY, book, hauler, session
from tests.intake.test_blanks import enter, issue, one, written
from tests.intake.test_points import manhole, permit
from tests.intake.test_tablets import post, text, typed

NOON = "2026-10-06T12:00"


@pytest.fixture
def tablet(app: Any, clock_at: Any) -> Any:
    clock_at(NOON)
    enrolled()
    return device(app)


@pytest.fixture
def operator(app: Any, clock_at: Any) -> Any:
    clock_at(NOON)
    client = app.test_client()
    world.sign_in(client, "operator")
    return client


def more(load: dict[str, Any], **fields: str) -> dict[str, Any]:
    """A tablet's load with further fields of its form."""
    return load | {"fields": [*load["fields"], *([name, value] for name, value in fields.items())]}


def codes(load: dict[str, Any]) -> list[str]:
    return [one["code"] for one in kept(load).flags]


def only_load() -> Load:
    return db.session.scalars(select(Load)).one()


def restrict(at: str, lifted: str | None = None) -> None:
    row = good(restrict_plant(world.plant(), "operational_problem", note="Pump is out", by=world.staff("director"),
                              at=world.at(at), law=world.law()))  # fmt: skip
    if lifted:
        good(lift_restriction(world.plant(), row.id, "Mended", by=world.staff("director"), at=world.at(lifted),
                              law=world.law()))  # fmt: skip
    db.session.commit()


# ------------------------------------------------------------------ As of its own time


@pytest.mark.parametrize(
    ("began", "lifted", "held"),
    [
        ("2026-10-06T07:11", None, False),
        ("2026-10-06T07:10", None, True),
        ("2026-10-06T06:50", "2026-10-06T07:10", False),
        ("2026-10-06T06:50", "2026-10-06T07:10:01", True),
    ],
)
def test_restriction_counts_only_where_it_was_in_force_when_the_load_was_unloaded(tablet, began, lifted, held):
    who = hauler()
    restrict(began, lifted)
    load = body(who, now=NOON)
    assert send(tablet, load)["state"] == "taken"
    assert ("restricted" in codes(load)) is held


@pytest.mark.parametrize(("set_at", "shut"), [("2026-10-06T07:10", True), ("2026-10-06T07:10:01", False)])
def test_closure_of_its_day_counts_only_where_it_was_set_when_the_load_was_unloaded(tablet, set_at, shut):
    who = hauler()
    good(close_day(world.plant(), TUESDAY, "Pump is out", by=world.staff("manager"), at=world.at(set_at),
                   law=world.law()))  # fmt: skip
    db.session.commit()
    load = body(who, now=NOON)
    send(tablet, load)
    assert codes(load) == (["on_duty", "closed"] if shut else ["on_duty"])
    assert only_load().record_due == world.at("2026-10-07T23:59:59")
    assert verify() == []


@pytest.mark.parametrize(("set_at", "over"), [("2026-10-06T07:10", True), ("2026-10-06T07:10:01", False)])
def test_lower_limit_of_its_day_counts_only_where_it_was_set_when_the_load_was_unloaded(tablet, set_at, over):
    who = hauler()
    good(set_limit(world.plant(), "rate.own_ceiling_gph", 300, TUESDAY, "Wet weather", by=world.staff("director"),
                       at=world.at(set_at), law=world.law()))  # fmt: skip
    db.session.commit()
    send(tablet, body(who, now=NOON))
    [run] = loads.runs_of(only_load().id)
    assert run.gph == (300 if over else 643)
    assert verify() == []


@pytest.mark.parametrize("shared", [False, True])
def test_truck_that_was_taken_off_the_list_since_is_known_and_not_flagged(tablet, clock_at, shared):
    who = hauler()
    business = db.session.get_one(Business, who.business_id)
    if shared:
        other, (mine,) = hauler("Lakeside Pumping", number=2), trucks_of(who.business_id)
        theirs = good(add_truck(db.session.get_one(Business, other.business_id),
                                TruckLine(mine.plate, mine.capacity, "", mine.sticker), by=other.by,
                                at=world.at("2026-10-05T08:00")))  # fmt: skip
        assert theirs.id == mine.id
    good(retire_truck(business, who.truck_id, by=who.by, at=world.at("2026-10-06T10:00")))
    db.session.commit()
    assert trucks_of(who.business_id) == []
    before, after = body(who, now=NOON), body(who, 100, "2026-10-06T10:00", 2, now=NOON)
    assert [send(tablet, load)["state"] for load in (before, after)] == ["taken", "waits"]
    assert codes(before) == ["on_duty"]
    assert only_load().plate == "T-1"


def test_zone_is_kept_and_charged_where_the_law_of_that_day_asks_for_it(tablet, tmp_path):
    adopted(in_town(tmp_path, "wareham"))
    who = hauler()
    named, nameless = more(body(who, 1_000, now=NOON), origin="bourne"), body(who, 100, "2026-10-06T08:50", 2, now=NOON)
    before = body(who, 1_000, "2026-10-05T07:10", 3, now=NOON)
    assert [send(tablet, load)["state"] for load in (named, nameless, before)] == ["taken", "waits", "taken"]
    assert kept(nameless).why.endswith("Give the zone: bourne, nonresident, resident.")
    first, last = db.session.scalars(select(Load).order_by(Load.id))
    assert [(load.origin, [entry.amount_cents for entry in tickets.charges_of(load)]) for load in (first, last)] == [
        ("bourne", [10_000]), ("", [2_400, 1_216])]  # fmt: skip


def test_waiting_load_without_its_zone_is_put_right_on_its_page(tablet, operator, tmp_path):
    adopted(in_town(tmp_path, "wareham"))
    load = body(hauler(), 1_000, now=NOON)
    send(tablet, load)
    address = f"/station/waiting-loads/{kept(load).id}"
    assert "Where is the waste from?" in text(operator.get(f"/bayfield{address}"))
    done = post(operator, address, **typed(gallons="1,000", time="7:10 a.m.", origin="resident"))
    assert (done.status_code, only_load().origin) == (303, "resident")
    assert [entry.amount_cents for entry in tickets.charges_of(only_load())] == [8_000]


def test_zone_of_a_paper_load_is_asked_by_the_law_of_the_day_that_was_typed(operator, tmp_path):
    issue(1, "2026-10-05T06:00")
    adopted(in_town(tmp_path, "wareham"))
    who = hauler()
    address = f"/station/blank-tickets/P-2026-0001?business={who.business_id}&truck={who.truck_id}"
    again = post(operator, address, **typed())
    assert (again.status_code, "Give the zone: bourne, nonresident, resident." in text(again)) == (422, True)
    done = post(operator, address, **typed(**{"day-day": "5"}))
    assert (done.status_code, only_load().origin) == (303, "")


# ------------------------------------------------------------------ All that is kept at the station


@pytest.mark.parametrize(
    ("supervised", "why", "said"),
    [
        ("", "Road closed", "Nothing is unloaded into Manhole at Third Street without supervision. "
                            "Enter who of the plant stands by."),
        ("Opal", " ", "Manhole at Third Street is used under special circumstances only. Enter what they are."),
        ("Opal", "Road closed", ""),
    ],
)  # fmt: skip
def test_manhole_keeps_who_stood_by_and_why_it_was_used_or_waits(tablet, supervised, why, said):
    who, point = hauler(), manhole()
    permit(point, who)
    load = more(body(who, now=NOON), point=str(point.id), supervised=supervised, circumstances=why)
    answer = send(tablet, load)
    assert (answer["state"], answer.get("why", "")) == ("waits" if said else "taken", said)
    runs = [] if said else [("Opal", "Road closed")]
    assert [(run.supervised_by, run.circumstances) for run in db.session.scalars(select(Run))] == runs


def test_manhole_of_a_waiting_load_is_put_right_on_its_page(tablet, operator):
    who, point = hauler(), manhole()
    permit(point, who)
    load = more(body(who, now=NOON), point=str(point.id))
    assert send(tablet, load)["state"] == "waits"
    address = f"/station/waiting-loads/{kept(load).id}"
    given = typed(time="7:10 a.m.", point=str(point.id), supervised="Opal Operator")
    again = post(operator, address, **given)
    assert (again.status_code, "Enter what they are." in text(again)) == (422, True)
    assert post(operator, address, **given, circumstances="Road closed").status_code == 303
    assert [(run.point_id, run.supervised_by, run.circumstances) for run in loads.runs_of(only_load().id)] == [
        (point.id, "Opal Operator", "Road closed")]  # fmt: skip


def test_pick_ups_flush_water_and_weights_of_a_paper_load_are_kept(operator):
    issue(1)
    who = hauler()
    address = f"/station/blank-tickets/P-2026-0001?business={who.business_id}&truck={who.truck_id}"
    done = post(operator, address, **typed(basis="weight", full_lb="12,502", empty_lb="10,000", flush="20",
                                           pickups="12 Lake Road 280"))  # fmt: skip
    assert done.status_code == 303, text(done)
    load = only_load()
    assert (load.basis, load.full_lb, load.empty_lb, load.flush_gallons, load.pickups) == (
        "weight", 12_502, 10_000, 20, [{"place": "12 Lake Road", "gallons": 280}])  # fmt: skip


def test_finding_of_the_superintendent_reaches_manager_and_director_from_a_tablet_too(tablet):
    load = more(body(hauler(), now=NOON, answer="Sam Super: take it slowly"), flags="color",
                finding="control quantities and rates")  # fmt: skip
    said = send(tablet, load)
    assert said["state"] == "taken", said
    told = db.session.scalars(select(Notice.to_name).filter_by(kind="finding").order_by(Notice.id)).all()
    assert told == ["Manager of the City", "Director of the City"]
    assert only_load().finding == "control quantities and rates"


# ------------------------------------------------------------------ Whom it concerns


def test_hauler_whose_time_it_still_takes_is_told_when_it_may_begin(tablet, clock_at):
    who, other = hauler(), hauler("Second Pumping", number=2)
    booked(book(other, session("2026-10-06T07:40", 300)))
    clock_at("2026-10-06T07:15")
    send(tablet, body(who, 1_000, now="2026-10-06T07:15"))
    told = db.session.execute(select(Notice.subject, Notice.body).filter_by(kind="runs_over")).all()
    assert [(subject, body_.partition("\n")[0]) for subject, body_ in told] == [(
        "A load that was told of only now takes room before yours (B-1006-01)",
        "A load that was told of only now takes room before yours. Your time may begin at about 8:41 a.m.",
    )]  # fmt: skip


def test_nobody_is_told_of_a_time_that_is_over(tablet):
    who, other = hauler(), hauler("Second Pumping", number=2)
    booked(book(other, session("2026-10-06T07:40", 300)))
    send(tablet, body(who, 1_000, now=NOON))
    assert db.session.scalars(select(Notice).filter_by(kind="runs_over")).all() == []


def test_hauler_whose_bookings_come_to_more_than_is_left_is_told_once(tablet):
    who = hauler(rest=1_000, winter=1_000)
    booked(book(who, session("2026-10-07T07:00", 800)))
    for count, gallons in enumerate((200, 100, 50), start=1):
        send(tablet, body(who, gallons, f"2026-10-06T0{6 + count}:10", count, now=NOON))
    told = db.session.execute(select(Notice.subject, Notice.body).filter_by(kind="allowance_short")).all()
    assert [subject for subject, _ in told] == [
        "Your bookings come to 100 gallons more than approval A-2026-27-001 has left"]  # fmt: skip
    assert "Booked: Wed, Oct 7, 7:00 a.m., 800 gallons (B-1007-01)." in told[0][1]


# ------------------------------------------------------------------ Long ago


@pytest.mark.parametrize(("now", "state"), [("2026-11-06T09:00", "taken"), ("2026-11-07T09:00", "waits")])
def test_load_of_long_ago_waits_for_a_person(tablet, clock_at, now, state):
    clock_at(now)
    load = body(hauler(), now=now, reason="It had no network")
    assert send(tablet, load)["state"] == state
    if state == "waits":
        assert kept(load).why == (
            "It was unloaded on Tuesday, October 6, 2026, 32 days ago. What is told of more than 31 days later is "
            "looked at first. Check the day. If it is right, say why it is told of only now."
        )


def test_city_says_how_late_a_load_may_be_told_of(tablet, clock_at):
    text_ = canonical()
    text_["rows"].append(dict(text_["rows"][0], key="record.told_days", value=2, cite="§ 12-5", source="profile"))
    adopt(json.dumps(text_))
    who = hauler()
    for now, count, state in (("2026-10-08T09:00", 1, "taken"), ("2026-10-09T09:00", 2, "waits")):
        clock_at(now)
        load = body(who, 100, f"2026-10-06T0{6 + count}:10", count, now=now)
        assert send(tablet, load)["state"] == state
    assert kept(load).cite == "§ 12-5"
    assert "What is told of more than 2 days later" in kept(load).why


def test_load_of_long_ago_is_entered_by_a_person_who_says_why(tablet, operator, clock_at):
    now = "2026-11-25T09:00"
    clock_at(now)
    load = body(hauler(), now=now)
    send(tablet, load)
    address = f"/station/waiting-loads/{kept(load).id}"
    given = typed(time="7:10 a.m.", bottle="1006-01")
    again = post(operator, address, **given)
    assert (again.status_code, "If it is right, say why it is told of only now." in text(again)) == (422, True)
    done = post(operator, address, **given, reason="Tablet lay in the truck", about="long_ago")
    assert done.status_code == 303, text(done)
    row = only_load()
    assert row.day == date(2026, 10, 6)
    assert row.note.splitlines()[0] == (
        "Kept as entered (told of 50 days after it was unloaded) because: Tablet lay in the truck")  # fmt: skip
    assert send(tablet, load)["ticket"] == row.ticket
    assert verify() == []


def test_the_reason_of_a_load_of_long_ago_is_asked_once(tablet, operator, clock_at):
    clock_at("2026-11-25T09:00")
    load = body(hauler(), now="2026-11-25T09:00")
    send(tablet, load)
    address = f"/station/waiting-loads/{kept(load).id}"
    page = text(operator.get(f"/bayfield{address}"))
    assert "Why the number is right Also why it is told of only now, where that is more than 31 days later" in page
    done = post(operator, address, **typed(time="7:10 a.m.", bottle="1006-01"), reason="Tablet lay in the truck")
    assert done.status_code == 303, text(done)
    assert "(told of 50 days after it was unloaded) because: Tablet lay in the truck" in only_load().note


def test_the_reason_of_a_paper_of_long_ago_is_asked_once_and_why_it_is_not_tested_apart(operator, clock_at):
    issue(1)
    who = hauler()
    clock_at("2026-11-25T09:00")
    address = f"/station/blank-tickets/P-2026-0001?business={who.business_id}&truck={who.truck_id}"
    given = typed(bottle="", tested="no", reason="Found in a drawer")
    asked = post(operator, address, **given)
    assert (asked.status_code, "Found in a drawer" in asked.get_data(as_text=True)) == (422, True)
    assert post(operator, address, **given, untested="No bottle there").status_code == 303
    assert only_load().note.splitlines()[:2] == [
        "Not tested because: No bottle there",
        "Kept as entered (told of 50 days after it was unloaded) because: Found in a drawer"]  # fmt: skip


def test_paper_of_long_ago_is_asked_about_too(app):
    issue(1)
    who = hauler()
    asked: Any = enter(one(), written(who, "P-2026-0001"), "2026-11-25T09:00")
    assert (asked.code, asked.next_step) == ("long_ago", "If it is right, say why it is told of only now.")
    load = good(enter(one(), written(who, "P-2026-0001", reason="Found in a drawer"), "2026-11-25T09:00"))
    assert "(told of 50 days after it was unloaded) because: Found in a drawer" in load.note


# ------------------------------------------------------------------ The history of a late entry


def test_history_of_a_load_put_right_says_who_when_why_and_what_was_sent(tablet, operator):
    load = body(hauler(), 9_000, "2026-10-06T08:30", now=NOON)
    assert send(tablet, load)["state"] == "waits"
    done = post(operator, f"/station/waiting-loads/{kept(load).id}",
                **typed(bottle="1006-01", driver="Bo", time="8:40 a.m.", reason="A zero too many"))  # fmt: skip
    line = text(operator.get(done.location)).partition("History")[2]
    assert ("Entered from the tablet Operator of the City Logged without network on Gate tablet (T1), slip T1-0001; "
            "entered by Operator of the City. It had waited: Gallons are more than this truck holds (5,000). Check the "
            "number. If the number is right, say why. Put right: Driver: Bo, sent Ann Nuñez; Gallons: 300, sent 9,000; "
            "Unloaded Tue, Oct 6, 8:40 a.m., sent as Tue, Oct 6, 8:30 a.m. A zero too many") in line  # fmt: skip
    assert "Tuesday, October 6, 2026, 12:00 noon" in line
    entry = next(e for e in loads.history(only_load()) if e.act == "enter_offline_load")
    assert entry.person == "Operator of the City"


def test_every_truck_of_a_queue_counts_once_whatever_came_of_it(tablet):
    who = hauler(tank=1_000)
    queue = [body(who, "many" if n == 7 else 20, f"2026-10-06T0{7 + n // 12}:{5 * n % 60:02d}", n + 1, now=NOON)
             for n in range(20)]  # fmt: skip
    answers = [send(tablet, load)["state"] for load in queue]
    again = [send(tablet, load)["state"] for load in reversed(queue)]
    assert (answers, again) == ([*["taken"] * 7, "waits", *["taken"] * 12], answers[::-1])
    found = db.session.scalars(select(Load.slip).order_by(Load.ticket)).all()
    assert found == [load["slip"] for load in queue if load is not queue[7]]
    assert balance(who) == 19 * (48 + 1_216)
    assert len(db.session.scalars(select(OfflineLoad)).all()) == 20


# Asked of a load over several mornings; never of one told late, which goes on with its load by itself.
ELSEWHERE = {"goes_on"}


def test_whatever_a_load_waits_for_has_its_box_on_its_page(tablet, operator, tmp_path):
    adopted(in_town(tmp_path, "wareham"))
    manhole()
    load = body(hauler(), now=NOON)
    assert send(tablet, load)["state"] == "waits"
    page = operator.get(f"/bayfield/station/waiting-loads/{kept(load).id}").get_data(as_text=True)
    codes_ = {*states._PUT_RIGHT, "unknown_truck", "long_ago", "ahead", "no_law"} - ELSEWHERE
    boxes = {code: AT_FIELD.get(code, "find") for code in codes_}
    assert {code for code, box in boxes.items() if f'name="{box}' not in page} == set()
    assert {code for code, box in boxes.items() if box == "find"} == {"unknown_truck"}


# ------------------------------------------------------------------ Another morning of the same load


@pytest.fixture
def split(app: Any) -> Any:
    """A load booked over Tuesday and Wednesday whose first morning was logged with network."""
    who = hauler()
    booking = booked(book(who, [session("2026-10-06T07:00", 1_998), session("2026-10-07T07:00", 502)]))
    good(log(who, 1_998, booking=booking))
    return who, booking


def test_second_morning_without_network_goes_on_with_the_load_at_its_own_time_and_price(split, clock_at):
    who, booking = split
    clock_at("2026-10-07T11:00")
    enrolled()
    load = body(who, 502, "2026-10-07T07:05", now="2026-10-07T11:00", driver="Bo Ek", tested="no", bottle="",
                visit={"booking": booking.number, "truck": str(who.truck_id)})  # fmt: skip
    client = device(current_app)
    first = send(client, load)
    assert (first["state"], first["ticket"]) == ("taken", "2026-00001")
    assert [send(client, load) for _ in range(3)] == [first] * 3
    row = only_load()
    assert (row.gallons, row.discharged_at, balance(who)) == (2_500, world.at("2026-10-07T07:51"), 6_000 + 1_216)
    assert [(run.day.isoformat(), run.starts, run.gallons) for run in loads.runs_of(row.id)] == [
        ("2026-10-06", world.at("2026-10-06T07:00"), 1_998),
        ("2026-10-07", world.at("2026-10-07T07:05"), 502),
    ]  # fmt: skip
    assert "Driver on October 7, 2026: Bo Ek." in row.note.splitlines()
    assert row.note.splitlines()[-1].startswith("Logged without network on Gate tablet (T1), Wed, Oct 7, 7:05 a.m.")
    assert row.record_due == world.at("2026-10-08T23:59:59")
    found = loads.with_slip(world.plant().id, "t1-0001")
    assert found is not None
    assert found.ticket == "2026-00001"
    assert verify() == []


def test_two_mornings_of_a_load_stand_on_two_blank_tickets(app):
    issue(2)
    who = hauler()
    booking = booked(book(who, [session("2026-10-06T07:00", 1_998), session("2026-10-07T07:00", 502)]))
    visit = Visitor(who.business_id, who.truck_id, booking)
    made = []
    for number, at, gallons in (("P-2026-0001", "2026-10-06T07:00", 1_998), ("P-2026-0002", "2026-10-07T07:00", 502)):
        paper = replace(written(who, number, at, gallons=gallons, bottle=f"B-{number}"), visitor=visit)
        made.append(good(enter(one(number), paper, "2026-10-07T12:00")).ticket)
    assert (made, only_load().gallons, balance(who)) == (["2026-00001"] * 2, 2_500, 6_000 + 1_216)
    found = [loads.with_slip(world.plant().id, number) for number in ("P-2026-0001", "P-2026-0002", "P-2026-0003")]
    assert found == [only_load(), only_load(), None]


def test_second_morning_that_was_logged_already_waits(split, clock_at):
    who, booking = split
    good(kept_(continue_load(only_load(), 502, by=world.staff("operator"), at=world.at("2026-10-07T07:00"),
                             law=world.law())))  # fmt: skip
    clock_at("2026-10-07T11:00")
    enrolled()
    load = body(who, 502, "2026-10-07T07:05", now="2026-10-07T11:00",
                visit={"booking": booking.number, "truck": str(who.truck_id)})  # fmt: skip
    answer = send(device(current_app), load)
    assert (answer["state"], answer["why"].partition(". ")[0]) == (
        "waits", f"Booking {booking.number} was used: load ticket 2026-00001")  # fmt: skip


def test_what_is_written_beside_loads_and_samples_leaves_facts_as_they_are(tablet):
    who = hauler()
    issue(1)
    heads = select(JournalHead.chain, JournalHead.facts).order_by(JournalHead.chain)
    # The first load opens the account.
    send(tablet, body(who, now=NOON))
    before = db.session.execute(heads).all()
    db.session.rollback()
    send(tablet, body(who, 100, "2026-10-06T08:00", 3, now=NOON))
    good(enter(one(), written(who, "P-2026-0001", "2026-10-06T09:00", bottle="1006-02"), NOON))
    assert db.session.execute(heads).all() == before
