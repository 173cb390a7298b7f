"""Restricting less than everything: some waste, some points; several at once, and each lifted by itself."""

import re
from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import pytest
from sqlalchemy import select

from intake.actions import open_point
from intake.actions.restriction import lift_restriction, restrict_plant, update_restriction
from intake.models import Booking, Hold, Restriction
from intake.queries import bookings, loads, offered, public, restrictions
from intake.queries.bookings import first_point
from intake.queries.gate import may_discharge
from intake.queries.met import met
from intake.queries.restriction_words import Asked
from intake.queries.terms import terms_of
from office.db import db
from office.notices import Notice
from ordinances.refusal import Refusal
from ordinances.screening import RESIDENTIAL
from tests import world
from tests.intake.gatehouse import good, log, said
from tests.intake.plant import WEDNESDAY, book, code, hauler, picture, session

pytestmark = pytest.mark.usefixtures("app")
AT = world.at("2026-10-06T08:12")
LATER = AT + timedelta(minutes=30)


def restrict(scope, at=AT, **more):
    row = restrict_plant(world.plant(), "operational_problem", scope=scope, by=world.staff("director"), at=at,
                         law=world.law(), **more)  # fmt: skip
    if not isinstance(row, Refusal):
        db.session.commit()
    return row


def lift(row, at=LATER):
    lift_restriction(world.plant(), row.id, "Screen cleared", by=world.staff("director"), at=at, law=world.law())
    db.session.commit()


def second_station() -> int:
    row = open_point(world.plant(), "Main Street station", by=world.staff("manager"), at=world.START)
    db.session.commit()
    return int(row.id)


def held() -> dict[str, list[str]]:
    """The bookings held now, with the scopes of what holds each."""
    query = (
        select(Booking.number, Restriction.scope).join(Hold, Hold.booking_id == Booking.id)
        .join(Restriction, Restriction.id == Hold.restriction_id).where(Hold.ended_at.is_(None)).order_by(Hold.id)
    )  # fmt: skip
    found: dict[str, list[str]] = {}
    for number, scope in db.session.execute(query):
        found.setdefault(number, []).append(scope)
    return found


def gate(who, waste):
    plant, law = world.plant(), world.law()
    return may_discharge(plant, law, AT, business_id=who.business_id, truck_id=who.truck_id, waste=waste)


def test_a_type_of_waste_alone_is_held_refused_at_the_gate_and_not_offered():
    who = hauler(wastes=RESIDENTIAL)
    book(who, session("2026-10-06T09:00", 300))
    book(who, session("2026-10-07T07:00", 300), waste="holding_tank")
    restrict("types", wastes=["holding_tank"])
    assert held() == {"B-1007-01": ["types"]}
    assert gate(who, "septic_tank").ok
    refused = gate(who, "holding_tank")
    assert (refused.code, refused.sentence, refused.cite) == (
        "restricted", "Do not accept: holding tank waste is not taken since 8:12 a.m. because of an operational "
        "problem related to septage.", "§ 329-7 B(3)",
    )  # fmt: skip
    again = book(who, session("2026-10-07T09:00", 300), waste="holding_tank", at=LATER)
    assert (again.code, again.why, again.cite) == (
        "restricted", "No holding tank waste is being accepted: an operational problem related to septage.",
        "§ 329-7 B(3)",
    )  # fmt: skip
    assert code(book(who, session("2026-10-07T09:00", 300), at=LATER)) == "booked B-1007-02"


def test_who_looks_for_times_reads_why_there_are_none_for_this_waste():
    who, law = hauler(wastes=RESIDENTIAL), world.law()
    restrict("types", wastes=["holding_tank"])
    shown = {waste: offered.find(world.plant(), terms_of(world.plant().id, who.business_id, law, AT, waste), AT, 300,
                                 WEDNESDAY) for waste in ("holding_tank", "septic_tank")}  # fmt: skip
    assert [(one.nowhere, len(one.fits) > 0) for one in shown.values()] == [
        ("No holding tank waste is being accepted: an operational problem related to septage.", False), ("", True),
    ]  # fmt: skip


def test_the_room_of_the_day_stays_for_all_other_waste():
    hauler()
    before = picture(WEDNESDAY, AT).room
    restrict("types", wastes=["holding_tank", "portable_toilet"])
    assert picture(WEDNESDAY, AT).room == before == 1_998


def test_a_shut_point_holds_only_what_is_booked_there_and_the_others_go_on():
    who, there = hauler(), second_station()
    one = book(who, session("2026-10-07T07:00", 300))
    other = book(who, replace(session("2026-10-07T09:00", 300), point=there))
    points = [bookings.sessions_of([booking.id])[booking.id][0].point_id for booking in (one, other)]
    assert points == [first_point(world.plant().id).id, there]
    restrict("points", points=[there])
    assert held() == {other.number: ["points"]}
    refused = book(who, replace(session("2026-10-07T08:00", 300), point=there), at=LATER)
    assert refused.why == (
        "No septage is being accepted at Main Street station: an operational problem related to septage."
    )
    assert code(book(who, session("2026-10-07T08:00", 300), at=LATER)) == "booked B-1007-03"
    assert gate(who, "septic_tank").ok


def test_a_truck_is_let_in_at_the_other_station_and_not_at_the_shut_one():
    who, there = hauler(), second_station()
    restrict("points", points=[there])
    assert said(log(who, 300, "2026-10-06T08:20", point_id=there)) == (
        "restricted", "No septage is being accepted at Main Street station: an operational problem related to septage.",
        "§ 329-7 B(3)",
    )  # fmt: skip
    load = good(log(who, 300, "2026-10-06T08:20"))
    assert [run.point_id for run in loads.runs_of(load.id)] == [first_point(world.plant().id).id]


def test_with_every_station_shut_nothing_is_free_and_the_booking_says_why():
    who = hauler()
    restrict("points", points=[first_point(world.plant().id).id])
    assert (picture(WEDNESDAY, AT).room, picture(WEDNESDAY, AT).largest) == (0, 0)
    assert book(who, session("2026-10-07T08:00", 300), at=LATER).why == (
        "No septage is being accepted at Receiving station: an operational problem related to septage."
    )


def test_everything_over_one_shut_point_in_one_step_and_each_lifted_by_itself():
    who, there = hauler(), second_station()
    book(who, session("2026-10-07T07:00", 300))
    book(who, replace(session("2026-10-07T09:00", 300), point=there))
    narrow = restrict("points", points=[there])
    wide = restrict("everything", at=AT + timedelta(minutes=1))
    assert held() == {"B-1007-01": ["everything"], "B-1007-02": ["points", "everything"]}
    lift(wide)
    assert held() == {"B-1007-02": ["points"]}
    body = db.session.scalars(select(Notice.body).where(Notice.kind == "lifted").order_by(Notice.id)).first()
    assert body.splitlines()[:7] == [
        "Bayfield Wastewater Treatment Works is taking septage again from Tuesday, October 6, 2026, 8:42 a.m.",
        "What was done: Screen cleared",
        "Still in force: Bayfield Wastewater Treatment Works is not taking septage at Main Street station.",
        "",
        "Your bookings:",
        "B-1007-01, Wed, Oct 7, 7:00 a.m.: stands as it was.",
        "B-1007-02, Wed, Oct 7, 9:00 a.m.: still held by another restriction.",
    ]
    lift(narrow, LATER + timedelta(minutes=1))
    assert held() == {}
    states = {one.booking.number: one.state for one in bookings.of_business(world.plant().id, who.business_id, LATER)}
    assert states == {"B-1007-01": "booked", "B-1007-02": "booked"}


def test_lifting_the_narrower_one_first_leaves_the_wider_one_standing():
    who = hauler(wastes=RESIDENTIAL)
    book(who, session("2026-10-07T07:00", 300), waste="holding_tank")
    narrow = restrict("types", wastes=["holding_tank"])
    restrict("everything", at=AT + timedelta(minutes=1))
    lift(narrow)
    assert held() == {"B-1007-01": ["everything"]}
    subjects = db.session.scalars(select(Notice.subject).where(Notice.kind == "lifted")).all()
    assert set(subjects) == {"LIFTED: City of Bayfield plant has lifted a restriction; another is in force"}
    assert picture(WEDNESDAY, LATER).room == 0


def test_a_booking_missed_under_both_is_told_so_once():
    who = hauler()
    book(who, session("2026-10-06T09:00", 300))
    narrow, wide = restrict("types", wastes=["septic_tank"]), restrict("everything", at=AT + timedelta(minutes=1))
    after = world.at("2026-10-06T11:00")
    lift(narrow, after)
    lift(wide, after + timedelta(minutes=1))
    outcomes = db.session.scalars(select(Hold.outcome).order_by(Hold.id)).all()
    told = [
        body.count("missed by restriction")
        for body in db.session.scalars(
            select(Notice.body).where(Notice.kind == "lifted", Notice.to_name == "Test Pumping").order_by(Notice.id)
        )
    ]
    assert (outcomes, told) == (["missed", "missed"], [1, 0])


def test_the_lower_of_two_lower_limits_counts_and_a_higher_one_is_refused():
    hauler()
    restrict("rate", gph=400)
    higher = restrict("rate", at=LATER, gph=400)
    assert (higher.code, higher.why) == (
        "rate_not_lower", "The lower limit must be between 1 and 399 gallons an hour."
    )  # fmt: skip
    lower = restrict("rate", at=LATER, gph=300)
    assert picture(WEDNESDAY, LATER).room == 900
    lift(lower, LATER + timedelta(minutes=1))
    assert picture(WEDNESDAY, LATER + timedelta(minutes=2)).room == 1_200


@pytest.mark.parametrize(("scope", "more", "refusal", "why"), [
    ("types", {}, "no_types", "Select the types of waste to stop"),
    ("types", {"wastes": ["lava"]}, "no_types", "Select the types of waste to stop"),
    ("points", {}, "no_points", "Select the receiving points to shut"),
    ("points", {"points": [987]}, "no_points", "Select the receiving points to shut"),
    ("everything", {"wastes": ["other"]}, "unknown_reason", "Select what is restricted."),
    ("types", {"wastes": ["other"], "gph": 5}, "rate_not_lower",
     "The lower limit must be between 1 and 665 gallons an hour."),
])  # fmt: skip
def test_a_scope_without_its_parts_or_with_those_of_another_is_refused(scope, more, refusal, why):
    done = restrict(scope, **more)
    assert (done.code, done.why) == (refusal, why)


def test_the_same_again_is_refused_and_more_is_not():
    restrict("types", wastes=["holding_tank", "other"])
    again = restrict("types", at=LATER, wastes=["other"])
    assert (again.code, again.why) == (
        "already_restricted",
        "Holding tank and other hauled waste is already restricted since Tuesday, October 6, 2026, 8:12 a.m.",
    )  # fmt: skip
    assert restrict("types", at=LATER, wastes=["other", "septic_tank"]).wastes == ["other", "septic_tank"]


def test_what_it_would_meet_is_known_before_and_an_update_leaves_its_own_holds_alone():
    who = hauler(wastes=RESIDENTIAL)
    book(who, session("2026-10-07T07:00", 300), waste="holding_tank")
    book(who, session("2026-10-07T09:00", 300))
    seen = met(world.plant(), world.law(), AT, Asked("types", wastes=("holding_tank",)))
    assert [group.sessions[0].number for group in seen.groups] == ["B-1007-01"]
    row = restrict("types", wastes=["holding_tank"])
    update_restriction(world.plant(), row.id, "Parts ordered", LATER + timedelta(hours=4), by=world.staff("director"),
                       at=LATER, law=world.law())  # fmt: skip
    db.session.commit()
    subject = db.session.scalars(select(Notice.subject).where(Notice.kind == "restriction_update")).first()
    assert subject == "UPDATE: City of Bayfield plant is not taking holding tank waste (from 8:12 a.m.)"
    assert held() == {"B-1007-01": ["types"]}


def test_the_public_status_stays_open_and_says_what_is_not_taken():
    hauler()
    restrict("types", wastes=["portable_toilet"])
    now = public.plant_status(world.plant(), world.law(), AT)
    assert (now.state, now.headline, now.lines[-1]) == (
        "open", "Open until 10:00 a.m.",
        "No portable toilet waste is being accepted. Reason: an operational problem related to septage. "
        "Next update by 12:12 p.m.",
    )  # fmt: skip


# ---------------------------------------------------------------- Pages


@pytest.fixture
def client(app, clock_at):
    clock_at("2026-10-06T08:12")
    made = app.test_client()
    world.sign_in(made, "director")
    return made


def text(answer) -> str:
    return str(answer.get_data(as_text=True))


def post(client, **data):
    return client.post("/bayfield/director/restrict", data={"once": uuid4().hex, "hours": "4"} | data)


def test_less_than_everything_is_shown_before_the_reason_does_it(client):
    who = hauler(wastes=RESIDENTIAL)
    book(who, session("2026-10-07T07:00", 300), waste="holding_tank")
    book(who, session("2026-10-07T09:00", 300))
    asked = {"scope": "types", "wastes": "holding_tank"}
    shown = text(post(client, look="1", **asked))
    assert "This stops holding tank waste now, holds 1 booking until" in shown
    assert ("B-1007-01" in shown, "B-1007-02" in shown) == (True, False)
    assert db.session.scalars(select(Restriction)).all() == []
    # A reason pressed for what was not shown shows it first.
    assert "This stops holding tank waste now" in text(post(client, reason="permit_threat", **asked))
    assert db.session.scalars(select(Restriction)).all() == []
    seen = re.findall(r'name="seen" value="([^"]+)"', shown)[0]
    changed = post(client, reason="permit_threat", seen=seen, scope="types", wastes="septic_tank")
    assert "This stops septic tank waste now" in text(changed)
    done = post(client, reason="permit_threat", seen=seen, **asked)
    assert done.status_code == 303
    page = text(client.get(done.location))
    assert "Holding tank waste" in page
    assert [(row.scope, row.wastes) for row in db.session.scalars(select(Restriction))] == [("types", ["holding_tank"])]
    banner = "Restricted since 8:12 a.m.: no holding tank waste is being accepted"
    assert banner in text(client.get("/bayfield/"))


def test_a_part_that_was_not_chosen_is_asked_for_at_its_field(client):
    answer = post(client, look="1", scope="points")
    assert (answer.status_code, text(answer).count("Select the receiving points to shut")) == (422, 2)


def test_the_page_keeps_the_form_while_something_is_restricted(client):
    restrict("types", wastes=["other"])
    page = text(client.get("/bayfield/director/restrict"))
    assert "Other hauled waste, since Tuesday, October 6, 2026, 8:12 a.m." in page
    assert "This stops all unloading now" in page
    assert post(client, reason="permit_threat", scope="everything").status_code == 303
    page = text(client.get("/bayfield/director/restrict"))
    assert re.findall(r'name="scope" value="([^"]+)"', page) == ["types", "points", "rate"]
    assert [row.scope for row in restrictions.in_force(world.plant().id, LATER)] == ["everything", "types"]
    home = text(client.get("/bayfield/director"))
    assert ("All unloading, since" in home, "Other hauled waste, since" in home) == (True, True)


def test_the_notices_say_what_each_was_about_and_whether_it_is_over(client):
    row = restrict("points", points=[first_point(world.plant().id).id])
    words = "No septage is being accepted at Receiving station."
    assert words in text(client.get(f"/bayfield/notices/{row.id}"))
    lift(row)
    over = "No septage was accepted at Receiving station."
    assert over in text(client.get(f"/bayfield/notices/{row.id}"))
    assert "<td>Unloading at Receiving station</td>" in text(client.get("/bayfield/notices"))


def test_closed_days_are_no_less_told(client, clock_at):
    hauler()
    restrict("types", wastes=["portable_toilet"])
    clock_at("2026-10-10T08:00")
    assert "No portable toilet waste is being accepted." in text(client.get("/bayfield/status.txt"))
