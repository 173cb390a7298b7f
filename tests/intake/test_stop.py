"""Stopping a truck that runs or waits: what came out is kept and charged, the rest of its room is free at once."""

from typing import Any

import pytest
from sqlalchemy import select

from billing.queries import entries_of, reversal_of
from haulers import ports
from haulers.actions import revoke_approval
from intake.actions.restriction import restrict_plant
from intake.actions.station import continue_load, void_load
from intake.actions.stop import stop_load
from intake.models import Load, Run
from intake.queries import loads
from intake.queries.bookings import sessions_of
from intake.queries.checks import check_capacity
from intake.queries.track_record import Records
from office.db import db
from office.letters import Letter
from office.notices import Notice
from office.verify import verify
from ordinances.refusal import Refusal
from tests import world
from tests.intake.gatehouse import balance, booked, good, kept, log, said
from tests.intake.plant import TUESDAY, book, hauler, picture, session
from tests.intake.test_station_pages import fields, get, signed_in, text

HALF_PAST = world.at("2026-10-06T07:30")
WHY = "The Director restricted the plant"


@pytest.fixture(autouse=True)
def _app(app: Any) -> None:
    pass


def stop(load: Load, gallons: int, at: Any = HALF_PAST, reason: str = WHY, by: str = "operator") -> Any:
    return kept(stop_load(load, gallons, reason, by=world.staff(by), at=at, law=world.law()))


def charged(load: Load) -> list[tuple[str, int, bool]]:
    return [(e.what, e.amount_cents, reversal_of(e.id) is not None) for e in entries_of("load", load.id)]


def ran(load: Load) -> list[tuple[str, str, int, int]]:
    return [
        (f"{r.starts.astimezone(world.ZONE):%H:%M}", f"{r.ends.astimezone(world.ZONE):%H:%M}", r.gph, r.gallons)
        for r in loads.runs_of(load.id)
    ]


def faults() -> list[str]:
    """What verify finds; the builders of these tests number applications without their counters."""
    return [words for words in verify() if not words.startswith("counter missing: the series app")]


def letters() -> list[Letter]:
    return list(db.session.scalars(select(Letter).filter_by(kind="ticket").order_by(Letter.id)))


def test_a_running_load_ends_now_and_costs_what_came_out():
    who = hauler()
    load = good(log(who, 1_500))
    assert ran(load) == [("07:00", "09:16", 662, 1_500)]
    good(stop(load, 331))
    assert ran(load) == [("07:00", "07:30", 662, 331)]
    assert charged(load) == [
        ("Septage unloaded", 3600, True), ("Testing for BOD5 and TSS", 1216, False), ("Septage unloaded", 794, False),
    ]  # fmt: skip
    assert (load.gallons, balance(who)) == (331, 2010)
    assert load.note == "Stopped at 7:30 a.m.: The Director restricted the plant."
    assert load.discharged_at == HALF_PAST
    assert load.record_due.astimezone(world.ZONE).isoformat() == "2026-10-07T23:59:59-05:00"
    assert check_capacity() == [] and faults() == []


def test_the_room_that_is_left_is_free_at_once():
    who = hauler()
    good(log(who, 1_998))
    assert picture(at=HALF_PAST).room == 0
    good(stop(loads.with_ticket(world.plant().id, "2026-00001"), 300))
    assert picture(at=HALF_PAST).room == 1_665


def test_the_ticket_is_written_anew_and_the_first_one_stays():
    who = hauler()
    load = good(log(who, 1_500))
    good(stop(load, 331))
    first, second = letters()
    assert [(x.number, x.title, x.data["total"]) for x in (first, second)] == [
        ("2026-00001", "Load ticket", "$48.16"), ("2026-00001-2", "Corrected ticket", "$20.10")]  # fmt: skip
    assert load.letter_id == second.id
    assert second.data["runs"] == ["Tue, Oct 6: 331 gallons, 7:00 to 7:30 a.m. at 662 gallons an hour"]
    assert second.data["remarks"] == ["Stopped at 7:30 a.m.: The Director restricted the plant."]
    notice = db.session.scalars(select(Notice).order_by(Notice.id.desc()).limit(1)).one()
    assert notice.subject == "Load 2026-00001 was stopped: 331 gallons, $20.10"
    assert notice.letter_id == second.id


def test_a_run_that_has_not_begun_is_taken_away_with_its_booking():
    who = hauler()
    booking = booked(book(who, session("2026-10-06T08:00", 1_332)))
    load = good(log(who, 1_332, booking=booking))
    assert said(stop(load, 10))[0] == "not_begun"
    good(stop(load, 0))
    assert db.session.scalars(select(Run)).all() == []
    assert charged(load) == [("Septage unloaded", 3197, True), ("Testing for BOD5 and TSS", 1216, False)]
    assert (load.gallons, load.record_due, balance(who)) == (0, None, 1216)
    assert (booking.state, booking.end_reason) == (
        "cancelled", "Stopped as load 2026-00001: The Director restricted the plant")  # fmt: skip
    assert picture(at=HALF_PAST).room == 1_665
    assert faults() == []


def test_an_untested_load_stopped_with_nothing_out_costs_nothing():
    who = hauler()
    load = good(log(who, 1_500, tested=False, bottle="", reason="Lab closed"))
    good(stop(load, 0))
    assert (balance(who), ran(load)) == (0, [])


def test_a_rate_slower_than_planned_is_recorded_as_it_was():
    load = good(log(hauler(), 1_500))
    good(stop(load, 100))
    assert ran(load) == [("07:00", "07:30", 200, 100)]


def test_all_that_was_logged_may_be_out_and_the_charges_stay():
    who = hauler()
    load = good(log(who, 1_500))
    good(stop(load, 1_500))
    assert charged(load) == [("Septage unloaded", 3600, False), ("Testing for BOD5 and TSS", 1216, False)]


def test_a_later_morning_is_stopped_alone():
    who = hauler(tank=5_000)
    booking = booked(book(who, [session("2026-10-06T07:00", 1_998), session("2026-10-07T07:00", 1_000)]))
    load = good(log(who, 1_998, booking=booking))
    at = world.at("2026-10-07T07:00")
    load = good(kept(continue_load(load, 1_000, by=world.staff("operator"), at=at, law=world.law())))
    good(stop(load, 250, world.at("2026-10-07T07:30")))
    assert [(gallons, ends) for _, ends, _, gallons in ran(load)] == [(1_998, "10:00"), (250, "07:30")]
    assert [x for x in charged(load) if not x[2]] == [
        ("Septage unloaded", 4795, False), ("Testing for BOD5 and TSS", 1216, False), ("Septage unloaded", 600, False),
    ]  # fmt: skip
    assert load.gallons == 2_248
    assert [x.number for x in letters()] == ["2026-00001", "2026-00001-2", "2026-00001-3"]


def test_stopped_on_the_first_morning_the_second_stays_planned():
    who = hauler(tank=5_000)
    booking = booked(book(who, [session("2026-10-06T07:00", 1_998), session("2026-10-07T07:00", 1_000)]))
    load = good(log(who, 1_998, booking=booking))
    good(stop(load, 300))
    assert booking.state == "booked"
    assert load.record_due.astimezone(world.ZONE).date().isoformat() == "2026-10-08"
    assert len(sessions_of([booking.id])[booking.id]) == 2


@pytest.mark.parametrize(("gallons", "reason", "at", "code"), [
    (100, " ", "07:30", "no_reason"), (-1, WHY, "07:30", "gallons_below"), (1_501, WHY, "07:30", "more_than_logged"),
    (100, WHY, "09:16", "not_running"),
])  # fmt: skip
def test_what_cannot_be_a_stop_is_refused(gallons, reason, at, code):
    load = good(log(hauler(), 1_500))
    assert said(stop(load, gallons, world.at(f"2026-10-06T{at}"), reason))[0] == code
    assert charged(load) == [("Septage unloaded", 3600, False), ("Testing for BOD5 and TSS", 1216, False)]


def test_a_stopped_load_and_a_void_one_are_not_stopped_again():
    load = good(log(hauler(), 1_500))
    good(stop(load, 100))
    assert said(stop(load, 50))[:2] == (
        "not_running", "Load 2026-00001 does not run now. It ended Tuesday, October 6, 2026, 7:30 a.m.")  # fmt: skip
    other = good(log(hauler("Other", number=2), 300, "2026-10-06T08:00"))
    good(kept(void_load(other, "Typed twice", by=world.staff("operator"), at=HALF_PAST, law=world.law())))
    assert said(stop(other, 0))[0] == "not_running"


def test_a_clerk_does_not_stop_trucks():
    load = good(log(hauler(), 1_500))
    assert said(stop(load, 100, by="clerk"))[0] == "not_your_role"
    assert not isinstance(stop(load, 100, by="director"), Refusal)


class TestPages:
    def test_a_restriction_turns_running_and_waiting_cards_red(self, app, clock_at):
        first, second = hauler(), hauler("Other Pumping", number=2)
        booking = booked(book(second, session("2026-10-06T09:00", 600)))
        good(log(first, 600))
        good(log(second, 600, "2026-10-06T07:05", booking=booking))
        clock_at("2026-10-06T07:30")
        operator = signed_in(app, "operator")
        page = text(get(operator, "/station"))
        assert "Stop this truck" not in page
        assert "Started 7:00 a.m., 25 minutes to go Pause Stop Another rate, gallons an hour 166 333 499 666" in page
        assert "Waits, begins 9:00 a.m. Start now Stop Ticket 2026-00002" in page
        good(kept(restrict_plant(
            world.plant(), "operational_problem", by=world.staff("director"), at=HALF_PAST, law=world.law(),
        )))  # fmt: skip
        page = get(operator, "/station")
        assert page.count('class="must-stop"') == 2 and text(page).count("Stop this truck") == 2
        assert "to go" not in text(page)

    def test_a_revocation_turns_the_card_red(self, app, clock_at):
        who = hauler()
        good(log(who, 1_500))
        _revoke(who)
        clock_at("2026-10-06T07:30")
        assert "Stop this truck: its approval is revoked" in text(get(signed_in(app, "operator"), "/station"))

    def test_one_tap_a_number_and_the_load_is_stopped(self, app, clock_at):
        who = hauler()
        good(log(who, 1_500))
        clock_at("2026-10-06T07:30")
        operator = signed_in(app, "operator")
        assert 'formaction="/bayfield/station/load/2026-00001/stop"' in get(operator, "/station")
        path = "/station/load/2026-00001/stop"
        page = get(operator, path)
        assert "How many gallons were unloaded?" in page
        assert "by its rate 331 of 1,500 gallons are out" in text(page)
        answer = operator.post(f"/bayfield{path}", data=fields(page) | {"gallons": "2,000", "reason": "Leak"})
        assert answer.status_code == 422 and "logged with 1,500 gallons" in text(answer.text)
        sent = fields(get(operator, path)) | {"gallons": "331", "reason": "Leak"}
        answer = operator.post(f"/bayfield{path}", data=sent)
        assert (answer.status_code, answer.location) == (303, "/bayfield/station/load/2026-00001")
        page = text(get(operator, answer.location.removeprefix("/bayfield")))
        assert "Load 2026-00001 is stopped: 331 gallons unloaded." in page and "$20.10" in page
        assert "does not run now" in text(get(operator, path))
        assert "Running now" not in text(get(operator, "/station"))
        assert balance(who) == 2010

    def test_a_load_of_no_gallons_shows_no_record_due(self, app, clock_at):
        who = hauler()
        good(stop(good(log(who, 1_500)), 0))
        clock_at("2026-10-06T07:31")
        operator, owner = signed_in(app, "operator"), signed_in(app, who.email)
        assert "Nothing was unloaded: no record is needed." in text(get(operator, "/station/load/2026-00001"))
        assert "Nothing unloaded" in text(get(operator, "/plant/loads"))
        assert "Nothing was unloaded: no record is needed." in text(get(owner, "/hauler/loads/2026-00001"))
        assert "Nothing was unloaded: no record is needed." in text(get(owner, "/hauler/loads/2026-00001/record"))
        get(owner, "/hauler")


def _revoke(who: Any) -> None:
    ports.provide(Records())
    rule = world.law().value("revocation.grounds", TUESDAY)[0]
    good(kept(revoke_approval(world.plant(), who.approval_id, rule, "Unloaded at night", by=world.staff("director"),
                              at=HALF_PAST, law=world.law())))  # fmt: skip
