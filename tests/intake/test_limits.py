"""Limits of a plan, insurance, certificates, suspension, a revocation to come: when booking and at the gate."""

from datetime import date
from typing import Any

import pytest
from sqlalchemy import select

from haulers.actions.drivers import retire_driver
from haulers.actions.reinstatement import reinstate_approval
from haulers.actions.revocation import revoke_approval
from haulers.models import AllowanceLine, Approval, Business, Driver, Insurance, Suspension
from haulers.queries import driver_wrong, lock_approval
from intake.actions.station import continue_load
from intake.models import Load
from intake.queries import offered
from intake.queries.allowance import limits, used_and_booked
from intake.queries.checks import check_capacity
from intake.queries.gate import GateAnswer, may_discharge
from intake.queries.terms import terms_of
from office.access import Role, system
from office.acts import act
from office.db import db
from office.law import law_now
from office.notices import Notice
from ordinances.refusal import Refusal
from tests import world
from tests.haulers.builders import issued, roll
from tests.house import law_copies
from tests.intake.gatehouse import booked, good, kept, log, said
from tests.intake.plant import MORNING, TUESDAY, WEDNESDAY, Hauler, book, code, hauler, session

pytestmark = pytest.mark.usefixtures("app")
PLAN = "NR 113.07(2)(b) and note, Wis. Adm. Code"


@act("test_rows", roles=(Role.SYSTEM,))
def _add(*rows: Any, by: Any, at: Any) -> bool:
    db.session.add_all(rows)
    return True


def add(*rows: Any) -> None:
    _add(*rows, by=system(), at=MORNING)
    db.session.commit()


def limit(who: Hauler, period: str, gallons: int, waste: str = "", hard: bool = True) -> None:
    add(AllowanceLine(plant_id=world.plant().id, approval_id=who.approval_id, waste=waste, period=period,
                      gallons=gallons, hard=hard))  # fmt: skip


def set_law(**values: Any) -> None:
    """Adopt Bayfield's law with other values in some of its approval rows."""
    rows = law_copies.canonical()["rows"]
    places = {n: values[row["key"].split(".")[1]] for n, row in enumerate(rows)
              if row["key"].startswith("approval.") and row["key"].split(".")[1] in values}  # fmt: skip
    text, why = law_copies.with_values(places)
    assert text and len(places) == len(values), why
    law_copies.adopt(text)


def gate(who: Hauler, at: str = "2026-10-06T07:00", waste: str = "septic_tank") -> GateAnswer:
    when = world.at(at)
    return may_discharge(world.plant(), law_now(world.plant(), when), when, business_id=who.business_id,
                         truck_id=who.truck_id, waste=waste)  # fmt: skip


def test_a_days_limit_refuses_the_gallon_above_it_and_says_what_is_left():
    who = hauler()
    limit(who, "day", 1_000)
    booked(book(who, session("2026-10-06T07:00", 600)))
    assert said(book(who, session("2026-10-06T08:00", 401))) == (
        "limit", "Approval A-2026-27-001 allows 1,000 gallons a day: 400 are left for Tuesday, October 6, 2026, and "
        "this load has 401.", PLAN)  # fmt: skip
    assert code(book(who, session("2026-10-07T07:00", 1_000))) == "booked B-1007-01"
    assert code(book(who, session("2026-10-06T08:00", 400))) == "booked B-1006-02"


def test_a_weeks_limit_runs_from_monday_to_sunday():
    who = hauler()
    limit(who, "week", 1_000)
    booked(book(who, session("2026-10-06T07:00", 1_000)))
    refused = book(who, session("2026-10-09T07:00", 1))
    assert isinstance(refused, Refusal)
    assert refused.why == ("Approval A-2026-27-001 allows 1,000 gallons a week: 0 are left for the week from October "
                           "5, 2026, and this load has 1.")  # fmt: skip
    assert code(book(who, session("2026-10-12T07:00", 1_000))) == "booked B-1012-01"


def test_a_limit_of_one_waste_leaves_the_others_alone():
    who = hauler()
    limit(who, "season", 500, "holding_tank")
    assert code(book(who, session("2026-10-06T07:00", 501), waste="holding_tank")) == "limit"
    assert code(book(who, session("2026-10-06T07:00", 501), waste="septic_tank")) == "booked B-1006-01"


def test_the_winters_limit_counts_in_winter_only():
    who = hauler()
    limit(who, "winter", 500)
    assert code(book(who, session("2026-10-06T07:00", 900))) == "booked B-1006-01"
    at = world.at("2026-11-16T16:00")
    assert code(book(who, session("2026-11-17T07:00", 501), at=at)) == "limit"


def test_a_load_over_two_mornings_passes_the_weeks_limit_together():
    who = hauler()
    limit(who, "week", 1_900)
    both = [session("2026-10-06T07:00", 1_000), session("2026-10-07T07:00", 1_000)]
    assert code(book(who, both)) == "limit"
    limit(who, "day", 1_000)
    law, plant = world.law(), world.plant()
    found = limits(db.session.get_one(Approval, who.approval_id), law)
    assert [one.hard for one in found.passed([(TUESDAY, 1_000), (WEDNESDAY, 900)], "septic_tank")] == []
    assert offered.split_over(plant, terms_of(plant.id, who.business_id, law, MORNING, "septic_tank"), MORNING,
                              2_000) is not None  # fmt: skip


def test_a_soft_limit_is_said_when_booking_and_on_the_ticket_and_refuses_nothing():
    who = hauler()
    limit(who, "day", 500, hard=False)
    words = ("Approval A-2026-27-001 allows 500 gallons a day: 500 are left for Tuesday, October 6, 2026, and this "
             "load has 600.")  # fmt: skip
    booking = booked(book(who, session("2026-10-06T07:00", 600)))
    body = db.session.scalars(select(Notice.body).filter_by(kind="booking_booked")).one()
    assert words in body
    load = good(log(who, 600, booking=booking))
    assert words in load.note


def test_offers_stay_within_the_limits_of_the_waste_brought():
    who = hauler()
    limit(who, "day", 700, "holding_tank")
    law, plant = world.law(), world.plant()
    for waste, gallons, why in (
        ("septic_tank", 800, ""), ("holding_tank", 700, ""),
        ("holding_tank", 701, "Approval A-2026-27-001 allows 700 gallons of holding tank waste a day: 700 are left for "
         "Tuesday, October 6, 2026, and this load has 701"),
    ):  # fmt: skip
        terms = terms_of(plant.id, who.business_id, law, MORNING, waste)
        found = offered.find(plant, terms, MORNING, gallons, TUESDAY)
        assert (found.why, bool(found.fits)) == (why, not why)
    assert terms_of(plant.id, who.business_id, law, MORNING, "holding_tank").gallons_on(TUESDAY) == 700


def test_the_gate_says_what_is_left_and_refuses_when_nothing_is():
    who = hauler()
    limit(who, "day", 1_000, "septic_tank")
    assert gate(who).note == "1,000 of 1,000 gallons of septic tank waste a day left."
    assert said(log(who, 1_001)) == (
        "limit", "Approval A-2026-27-001 allows 1,000 gallons of septic tank waste a day: 1,000 are left for Tuesday, "
        "October 6, 2026, and this load has 1,001.", PLAN)  # fmt: skip
    good(log(who, 1_000))
    later = gate(who, "2026-10-06T09:00")
    assert (later.ok, later.code, later.sentence, later.cite) == (
        False, "limit", "Do not accept: approval A-2026-27-001 allows 1,000 gallons of septic tank waste a day: 0 are "
        "left for Tuesday, October 6, 2026, and this load has 1.", PLAN)  # fmt: skip
    assert gate(who, "2026-10-06T09:00", "holding_tank").ok is True


def test_a_booked_truck_does_not_stand_in_its_own_way():
    who = hauler()
    limit(who, "day", 1_000)
    booking = booked(book(who, session("2026-10-06T07:00", 1_000)))
    assert gate(who).booking == booking
    assert isinstance(good(log(who, 1_000, booking=booking)), Load)


def test_insurance_keeps_nobody_out_where_the_law_does_not_ask_for_it():
    who = hauler()
    assert (gate(who).ok, code(book(who, session("2026-10-06T07:00", 600)))) == (True, "booked B-1006-01")


def insured(who: Hauler, ends: date) -> None:
    add(Insurance(business_id=who.business_id, insurer="Lake Mutual", policy="7", ends_on=ends, stated_at=MORNING))


def test_insurance_is_looked_at_on_the_day_booked_and_on_the_day_at_the_gate():
    who = hauler()
    set_law(insurance=True)
    none = gate(who)
    assert (none.code, none.sentence, none.cite) == (
        "insurance", "Do not accept: no liability insurance is entered.", "§ 329-7 C(1)")  # fmt: skip
    assert code(book(who, session("2026-10-06T07:00", 600))) == "insurance"
    insured(who, TUESDAY)
    assert gate(who).ok is True
    assert gate(who, "2026-10-07T07:00").sentence == "Do not accept: the liability insurance ended October 6, 2026."
    assert code(book(who, session("2026-10-06T07:00", 600))) == "booked B-1006-01"
    assert code(book(who, session("2026-10-07T07:00", 600))) == "insurance"
    law = law_now(world.plant(), MORNING)
    terms = terms_of(world.plant().id, who.business_id, law, MORNING, "septic_tank")
    assert (terms.gallons_on(TUESDAY) > 0, terms.gallons_on(WEDNESDAY)) == (True, 0)
    assert terms.why_not(WEDNESDAY, 1) == "The liability insurance ended October 6, 2026"


def drives(who: Hauler, name: str, ends: date | None) -> None:
    add(Driver(business_id=who.business_id, name=name, certificate="vehicle operator", certificate_number="1",
               certificate_ends_on=ends))  # fmt: skip


def test_a_certificate_that_has_ended_is_shown_at_the_gate_and_keeps_nobody_out():
    who = hauler()
    drives(who, "Thị Hà", date(2026, 10, 5))
    answer = gate(who)
    assert (answer.ok, answer.note) == (True, "Driver certificates: Thị Hà's ended October 5, 2026.")
    assert gate(who, "2026-10-05T07:00").note == ""


def test_where_certificates_are_needed_a_business_without_a_good_one_books_and_unloads_nothing():
    who = hauler()
    set_law(certificates="needed")
    assert gate(who).sentence == "Do not accept: driver certificates: no driver is entered."
    drives(who, "Thị Hà", date(2026, 10, 5))
    assert gate(who).code == "certificates"
    assert code(book(who, session("2026-10-06T07:00", 600))) == "certificates"
    drives(who, "Ann", TUESDAY)
    assert (gate(who).ok, gate(who).note) == (True, "Drivers whose certificate holds: Ann.")
    assert gate(who, "2026-10-07T07:00").code == "certificates"


def test_where_certificates_are_needed_it_is_the_drivers_own_that_must_hold_on_the_day():
    who = hauler()
    set_law(certificates="needed")
    drives(who, "Thị Hà", date(2026, 10, 5))
    drives(who, "Ann Nuñez-Łukasik", TUESDAY)
    drives(who, "Иван Петров", None)
    answers = [log(who, 600, driver=name) for name in ("thi ha", "Bo", "", "Пётр", "Иван  петров")]
    assert [said(one)[:2] for one in answers] == [
        ("driver", "Do not accept: the certificate of Thị Hà ended October 5, 2026."),
        ("driver", "Do not accept: Bo is not on the hauler's list of drivers."),
        ("driver", "Do not accept: no driver is named."),
        ("driver", "Do not accept: Пётр is not on the hauler's list of drivers."),
        ("driver", "Do not accept: no certificate is entered for Иван Петров."),
    ]  # fmt: skip
    assert [one.next_step for one in answers] == ["Drivers whose certificate holds: Ann Nuñez-Łukasik."] * 5
    assert db.session.scalars(select(Load)).all() == []
    assert good(log(who, 600, driver=" ann nunez-lukasik")).driver == "ann nunez-lukasik"
    drives(who, "Thị Hà", TUESDAY)
    assert good(log(who, 500, "2026-10-06T08:00", driver="Thị Hà")).driver == "Thị Hà"


def test_a_driver_who_left_since_is_judged_as_on_the_list_then():
    who = hauler()
    set_law(certificates="needed")
    drives(who, "Ann", TUESDAY)
    row, business = db.session.scalars(select(Driver)).one(), db.session.get_one(Business, who.business_id)
    good(kept(retire_driver(business, row.id, by=who.by, at=world.at("2026-10-06T09:00"))))
    then, law = world.at("2026-10-06T08:59"), law_now(world.plant(), world.at("2026-10-06T08:59"))
    assert driver_wrong(who.business_id, "Ann", TUESDAY, law, then) is None
    assert driver_wrong(who.business_id, "Ann", TUESDAY, law).why == "Ann is not on the hauler's list of drivers."
    assert gate(who, "2026-10-06T08:59").ok
    assert gate(who, "2026-10-06T09:00").sentence == "Do not accept: driver certificates: no driver is entered."


def test_where_certificates_are_only_shown_any_driver_may_come():
    who = hauler()
    drives(who, "Thị Hà", date(2026, 10, 5))
    assert good(log(who, 600, driver="Thị Hà")).driver == "Thị Hà"


def test_another_morning_of_a_load_asks_for_its_own_drivers_certificate():
    who = hauler()
    set_law(certificates="needed")
    drives(who, "Ann", TUESDAY)
    drives(who, "Bo", WEDNESDAY)
    booking = booked(book(who, [session("2026-10-06T07:00", 1_998), session("2026-10-07T07:00", 502)]))
    load = good(log(who, 1_998, driver="Ann", booking=booking))
    keep = {"by": world.staff("operator"), "at": world.at("2026-10-07T07:00"), "law": world.law()}
    law = law_now(world.plant(), keep["at"])
    ended = kept(continue_load(load, 502, **keep | {"law": law}))
    assert said(ended)[:2] == ("driver", "Do not accept: the certificate of Ann ended October 6, 2026.")
    load = good(kept(continue_load(load, 502, driver="Bo", **keep | {"law": law})))
    assert (load.driver, load.note) == ("Ann", "Driver on October 7, 2026: Bo.")


def test_a_suspended_haulers_booking_keeps_its_room_and_the_gate_turns_it_away():
    who, other = hauler(), hauler("Other Pumping", number=2)
    booking = booked(book(who, session("2026-10-06T07:00", 1_998)))
    add(Suspension(plant_id=world.plant().id, approval_id=who.approval_id, at=MORNING, until=TUESDAY, rule="§ 1",
                   reason="At night", by_name="Director"))  # fmt: skip
    assert code(book(other, session("2026-10-06T07:00", 600))) != "booked B-1006-02"
    assert (gate(who).code, gate(who).sentence) == (
        "suspended", "Do not accept: approval A-2026-27-001 is suspended to the end of October 6, 2026.")  # fmt: skip
    assert code(log(who, 1_000, booking=booking)) == "suspended"
    assert code(book(who, session("2026-10-07T07:00", 600))) == "suspended"
    law = world.law()
    terms = terms_of(world.plant().id, who.business_id, law, MORNING)
    assert terms.why_not(WEDNESDAY, 1) == "Approval A-2026-27-001 is suspended to the end of October 6, 2026"
    assert gate(who, "2026-10-07T07:00").ok is True


def revoke(who: Hauler, from_day: date | None, at: Any = MORNING) -> None:
    rule = "§ 329-7 F(4): Unloading within the hours"
    good(kept(revoke_approval(world.plant(), who.approval_id, rule, "At night", (), from_day,
                              by=world.staff("director"), at=at, law=world.law())))  # fmt: skip


def test_a_revocation_from_a_day_to_come_leaves_the_days_before_it():
    who, other = hauler(), hauler("Other Pumping", number=2)
    before = booked(book(who, session("2026-10-06T07:00", 600)))
    booked(book(who, session("2026-10-07T07:00", 1_998)))
    revoke(who, WEDNESDAY)
    assert said(book(who, session("2026-10-07T09:00", 10)))[:2] == (
        "revoked", "Your approval A-2026-27-001 is revoked from October 7, 2026.")  # fmt: skip
    assert code(book(other, session("2026-10-07T07:00", 1_998))) == "booked B-1007-02"
    assert code(book(who, session("2026-10-06T08:00", 100))) == "booked B-1006-02"
    assert isinstance(good(log(who, 600, booking=before)), Load)
    assert (gate(who, "2026-10-06T09:59:59").ok, gate(who, "2026-10-07T07:00").code) == (True, "revoked")
    assert check_capacity() == []


def test_what_was_unloaded_before_counts_in_an_approval_given_back_and_what_was_booked_does_not():
    who = hauler(rest=2_000)
    limit(who, "season", 1_500)
    good(log(who, 1_000))
    booked(book(who, session("2026-10-08T07:00", 500), at=world.at("2026-10-06T12:00")))
    revoke(who, None, world.at("2026-10-07T09:00"))
    when = world.at("2026-10-16T09:00")
    made = reinstate_approval(world.plant(), who.approval_id, roll(held_on=date(2026, 10, 15)), "Mended",
                              date(2026, 10, 19), by=world.staff("clerk"), at=when, law=world.law())  # fmt: skip
    good(kept(issued(made, "2026-10-16T09:00")))
    new = db.session.scalars(select(Approval).filter_by(replaces_id=who.approval_id)).one()
    found = used_and_booked(new.id, world.law(), when)
    assert (found.rest_used, found.rest_booked) == (1_000, 0)
    assert code(book(who, session("2026-10-19T07:00", 501), at=when)) == "limit"
    assert code(book(who, session("2026-10-19T07:00", 500), at=when)) == "booked B-1019-01"
    assert lock_approval(new.id).number == "A-2026-27-002"
