"""A truck as it really unloads: late, short, over, paused, at another rate; nobody's booked time is ever overrun."""

from datetime import datetime
from typing import Any

import pytest
from sqlalchemy import select

from billing.queries import entries_of, reversal_of
from intake.actions.restriction import restrict_plant
from intake.actions.running import change_rate, pause_load, resume_load, run_on, stop_all
from intake.actions.station import continue_load, finish_load, void_load
from intake.actions.stop import stop_load
from intake.models import Excess, Load, Run
from intake.queries import capacity, loads
from intake.queries.checks import check_capacity
from office.db import db
from office.notices import Notice
from tests import world
from tests.flows.instants import Rows
from tests.intake.gatehouse import balance, booked, good, kept, log, said
from tests.intake.plant import TUESDAY, book, hauler, picture, planned, session
from tests.intake.test_waiting import wait


@pytest.fixture(autouse=True)
def _app(app: Any) -> None:
    pass


def clock(at: str) -> datetime:
    return world.at(f"2026-10-06T{at}")


def do(work: Any, *args: Any, at: str, by: str = "operator", **more: Any) -> Any:
    """One act at the gate at a time of that Tuesday; nothing it plans may be above the limit."""
    result = kept(work(*args, by=world.staff(by), at=clock(at), law=world.law(), **more))
    db.session.expire_all()
    assert Rows(clock(at)).wrong([TUESDAY]) == []
    assert check_capacity() == []
    return result


def pieces(load: Load) -> list[str]:
    """The pieces of a load: "07:00-07:30 331 at 662", what waits with "rest" before it."""
    return [
        f"{'rest ' if one.kind == 'rest' else ''}{local(one.starts)}-{local(one.ends)} {one.gallons} at {one.gph}"
        for one in loads.runs_of(load.id)
    ]


def local(at: datetime) -> str:
    return f"{at.astimezone(world.ZONE):%H:%M}"


def cents(load: Load) -> list[tuple[str, int]]:
    """The charges that stand."""
    return [(e.what, e.amount_cents) for e in entries_of("load", load.id) if reversal_of(e.id) is None]


def told() -> list[tuple[str, str, str]]:
    """The notices written: address, subject, body."""
    return [(one.to_email, one.subject, one.body) for one in db.session.scalars(select(Notice).order_by(Notice.id))]


def note(load: Load) -> str:
    return load.note.splitlines()[-1]


def heard(load: Load) -> str:
    """What the hauler is told of the newest act: what was done, and how it goes on."""
    mine = [body for _, subject, body in told() if subject.startswith(f"Load {load.ticket} ")]
    return mine[-1].split("\n\n")[0]


def two() -> tuple[Any, Any, Any, Any]:
    """Two haulers, the second right after the first: 7:00 to 7:55 and 7:55 to 8:50, 600 gallons each."""
    first, second = hauler("Duffy Septic"), hauler("Elm Pumping", number=2)
    one = booked(book(first, session("2026-10-06T07:00", 600)))
    other = booked(book(second, session("2026-10-06T07:55", 600)))
    return first, second, one, other


class TestPause:
    def test_what_waits_keeps_its_room_until_the_planned_end_and_not_longer(self):
        load = good(log(hauler(), 1_500))
        good(do(pause_load, load, 331, "Hose leaks", at="07:30"))
        assert pieces(load) == ["07:00-07:30 331 at 662", "rest 07:30-09:16 1169 at 662"]
        assert picture(at=clock("07:30")).room == 488 + 7
        assert picture(at=clock("07:30")).largest == 488
        assert note(load) == "Paused at 7:30 a.m.: Hose leaks."
        assert (load.gallons, cents(load)) == (
            1_500, [("Septage unloaded", 3600), ("Testing for BOD5 and TSS", 1216)])  # fmt: skip
        assert told()[-1][1:] == (
            "Load 2026-00001 is paused: 1,500 gallons, $48.16",
            "Paused at 7:30 a.m.: Hose leaks.\n\n"
            "Tue, Oct 6: 331 gallons, 7:00 to 7:30 a.m. at 662 gallons an hour\n"
            "Tue, Oct 6: 1,169 gallons still in the truck, 7:30 to 9:16 a.m. at 662 gallons an hour is kept for them\n"
            "Septage unloaded: $36.00 (§ 329-7 F(2); § 329-2 B(2)(d))\n"
            "Testing for BOD5 and TSS: $12.16 (§ 329-2 B(2)(d); § 329-7 F(1))\nTotal $48.16\n\n"
            "Written record due by the end of Wednesday, October 7, 2026.",
        )

    def test_with_nothing_left_the_load_is_over_and_its_room_free(self):
        load = good(log(hauler(), 1_500))
        good(do(pause_load, load, 1_500, at="07:30"))
        assert pieces(load) == ["07:00-07:30 1500 at 662"]
        assert picture(at=clock("07:30")).room == 1_665

    def test_before_anything_came_out_all_of_it_waits(self):
        load = good(log(hauler(), 600))
        good(do(pause_load, load, 0, at="07:10"))
        assert pieces(load) == ["rest 07:10-07:55 600 at 655"]

    @pytest.mark.parametrize(("gallons", "at", "code"), [
        (-1, "07:30", "gallons_below"), (1_501, "07:30", "more_than_logged"), (100, "09:16", "not_running"),
    ])  # fmt: skip
    def test_what_cannot_be_a_pause_is_refused(self, gallons, at, code):
        load = good(log(hauler(), 1_500))
        assert said(do(pause_load, load, gallons, at=at))[0] == code
        assert pieces(load) == ["07:00-09:16 1500 at 662"]

    def test_a_paused_load_is_not_paused_again_and_a_clerk_pauses_none(self):
        load = good(log(hauler(), 1_500))
        assert said(do(pause_load, load, 1, at="07:30", by="clerk"))[0] == "not_your_role"
        good(do(pause_load, load, 331, at="07:30"))
        assert said(do(pause_load, load, 331, at="07:31"))[0] == "not_running"
        assert said(do(change_rate, load, 300, at="07:31"))[0] == "not_running"


class TestResume:
    def test_it_goes_on_at_its_rate_where_that_fits(self):
        load = good(log(hauler(), 600))
        good(do(pause_load, load, 109, at="07:10"))
        good(do(resume_load, load, at="07:20"))
        assert pieces(load) == ["07:00-07:10 109 at 655", "rest 07:10-07:20 0 at 655", "07:20-08:05 491 at 655"]
        assert heard(load) == "Resumed at 7:20 a.m. It runs until 8:05 a.m. at 655 gallons an hour."
        assert note(load) == "Resumed at 7:20 a.m."
        assert [line for line in told()[-1][2].splitlines() if line.startswith("Tue")] == [
            "Tue, Oct 6: 109 gallons, 7:00 to 7:10 a.m. at 655 gallons an hour",
            "Tue, Oct 6: paused 7:10 to 7:20 a.m.",
            "Tue, Oct 6: 491 gallons, 7:20 to 8:05 a.m. at 655 gallons an hour",
        ]

    def test_a_truck_that_pauses_gives_way_to_the_next_and_its_last_gallons_fit_later(self):
        first, _, one, other = two()
        load = good(log(first, 600, booking=one))
        good(do(pause_load, load, 109, at="07:10"))
        good(do(resume_load, load, at="07:20"))
        assert pieces(load) == [
            "07:00-07:10 109 at 655", "rest 07:10-07:20 0 at 655", "07:20-07:55 382 at 655",
            "rest 08:50-09:00 109 at 654",
        ]  # fmt: skip
        assert heard(load) == ("Resumed at 7:20 a.m. Stop at 7:55 a.m.: another load begins. "
                              "The last 109 gallons fit 8:50 to 9:00 a.m.")  # fmt: skip
        assert "Elm" not in told()[-1][2]
        # The next truck unloads as booked.
        late = good(log(_who(other), 600, "2026-10-06T07:55", booking=other))
        assert pieces(late) == ["07:55-08:50 600 at 655"]
        good(do(resume_load, load, at="08:50"))
        assert pieces(load)[-1] == "08:50-09:00 109 at 654"

    def test_slower_beside_another_that_runs(self):
        first, second = hauler(), hauler("Elm Pumping", number=2)
        planned(second, session("2026-10-06T07:30", 800, minutes=120))
        load = good(log(first, 300, "2026-10-06T07:00"))
        good(do(pause_load, load, 107, at="07:10"))
        good(do(resume_load, load, at="07:20"))
        assert pieces(load)[-1] == "07:20-08:04 193 at 264"
        assert heard(load) == "Resumed at 7:20 a.m. It runs until 8:04 a.m. at 264 gallons an hour."

    def test_when_nothing_is_free_now_the_first_later_time_is_offered_and_can_be_kept(self):
        first, _, one, other = two()
        load = good(log(first, 600, booking=one))
        good(do(pause_load, load, 109, at="07:10"))
        late = good(log(_who(other), 600, "2026-10-06T07:55", booking=other))
        code, why, cite = said(do(resume_load, load, at="08:00"))
        assert (code, why) == (
            "not_now", "491 gallons do not fit under the limit now. The first time that fits is "
            "8:50 to 9:35 a.m. at 655 gallons an hour.")  # fmt: skip
        assert cite == "§ 329-7 F(3)"
        good(do(resume_load, load, start=clock("08:50"), at="08:00"))
        assert pieces(load) == ["07:00-07:10 109 at 655", "rest 07:10-07:55 0 at 655", "rest 08:50-09:35 491 at 655"]
        assert note(load) == "Goes on 8:50 to 9:35 a.m."
        good(do(resume_load, load, at="08:50"))
        assert pieces(load)[-1] == "08:50-09:35 491 at 655"
        assert pieces(late) == ["07:55-08:50 600 at 655"]

    def test_what_no_longer_fits_today_is_neither_run_nor_charged(self):
        who = hauler()
        load = good(log(who, 600))
        good(do(pause_load, load, 109, at="07:10"))
        assert said(do(resume_load, load, at="10:00"))[:2] == ("no_room", "491 gallons do not fit today.")
        good(do(resume_load, load, at="09:58"))
        assert pieces(load)[-1] == "09:58-10:00 21 at 655"
        assert heard(load) == ("Resumed at 9:58 a.m. Stop at 10:00 a.m.: unloading ends. "
                              "470 gallons do not fit today.")  # fmt: skip
        assert (load.gallons, cents(load)) == (130, [("Testing for BOD5 and TSS", 1216), ("Septage unloaded", 312)])

    def test_gallons_out_are_corrected_on_resuming(self):
        load = good(log(hauler(), 600))
        good(do(pause_load, load, 109, at="07:10"))
        good(do(resume_load, load, 200, at="07:12"))
        assert pieces(load) == ["07:00-07:10 200 at 655", "rest 07:10-07:12 0 at 655", "07:12-07:49 400 at 655"]
        assert said(do(resume_load, load, at="07:13"))[0] == "not_paused"

    def test_a_restriction_and_a_later_day_keep_it_paused(self):
        load = good(log(hauler(), 600))
        good(do(pause_load, load, 109, at="07:10"))
        good(kept(restrict_plant(world.plant(), "operational_problem", by=world.staff("director"), at=clock("07:12"),
                                 law=world.law())))  # fmt: skip
        assert said(do(resume_load, load, at="07:20"))[:2] == ("no_room", "491 gallons do not fit today.")
        tomorrow = world.at("2026-10-07T07:10")
        refused = kept(resume_load(load, by=world.staff("operator"), at=tomorrow, law=world.law()))
        assert said(refused)[:2] == ("not_paused", "Load 2026-00001 was paused on Tue, Oct 6.")


class TestStop:
    def test_a_truck_that_stops_300_gallons_short_frees_the_room_in_the_same_minute(self):
        first, _, one, _other = two()
        load = good(log(first, 600, booking=one))
        good(do(stop_load, load, 300, "Tank empty", at="07:30"))
        assert picture(at=clock("07:30")).largest == 777
        assert picture(at=clock("07:30")).next_free == clock("08:50")
        found = capacity.day_picture(world.plant(), world.law(), TUESDAY, clock("07:30"))
        assert {step.free for step in found.steps if clock("07:30") <= step.start < clock("07:55")} == {666}
        assert pieces(load) == ["07:00-07:30 300 at 600"]

    def test_a_paused_load_is_stopped_with_the_gallons_of_the_morning_in_all(self):
        who = hauler()
        load = good(log(who, 1_500))
        good(do(pause_load, load, 331, at="07:30"))
        good(do(resume_load, load, at="07:40"))
        good(do(pause_load, load, 662, at="08:10"))
        good(do(stop_load, load, 700, "Pump broke", at="08:20"))
        assert pieces(load) == ["07:00-07:30 331 at 662", "rest 07:30-07:40 0 at 662", "07:40-08:10 369 at 662",
                                "rest 08:10-08:20 0 at 662"]  # fmt: skip
        assert cents(load) == [("Testing for BOD5 and TSS", 1216), ("Septage unloaded", 1680)]
        assert (load.gallons, balance(who)) == (700, 2896)
        assert picture(at=clock("08:20")).room == 1_110

    def test_fewer_than_the_first_piece_had_takes_the_last_one_away(self):
        load = good(log(hauler(), 1_500))
        good(do(pause_load, load, 331, at="07:30"))
        good(do(resume_load, load, at="07:40"))
        good(do(stop_load, load, 300, "Pump broke", at="08:10"))
        assert pieces(load) == ["07:00-07:30 300 at 600", "rest 07:30-07:40 0 at 662"]
        good(do(void_load, load, "Typed twice", at="08:11"))
        assert (cents(load), picture(at=clock("08:11")).room) == ([], 1_209)

    def test_paused_and_nothing_came_out(self):
        load = good(log(hauler(), 1_500))
        good(do(pause_load, load, 0, at="07:30"))
        good(do(stop_load, load, 0, "Pump broke", at="08:10"))
        assert (pieces(load), load.record_due) == ([], None)

    def test_left_paused_it_is_stopped_the_next_day_before_it_goes_on(self):
        who = hauler(tank=5_000)
        plan = booked(book(who, [session("2026-10-06T07:00", 1_998), session("2026-10-07T07:00", 1_000)]))
        load = good(log(who, 1_998, booking=plan))
        good(do(pause_load, load, 333, at="07:30"))
        by, at = world.staff("operator"), world.at("2026-10-07T07:00")
        refused = kept(continue_load(load, 1_000, by=by, at=at, law=world.law()))
        assert said(refused)[:2] == ("paused", "Load 2026-00001 was paused on Tue, Oct 6 and not gone on with.")
        assert said(kept(finish_load(load, by=by, at=at, law=world.law())))[0] == "paused"
        good(kept(stop_load(load, 333, "Left", by=by, at=at, law=world.law())))
        load = good(kept(continue_load(load, 1_000, by=by, at=at, law=world.law())))
        good(kept(pause_load(load, 300, by=by, at=world.at("2026-10-07T07:30"), law=world.law())))
        good(kept(stop_load(load, 250, "Leak", by=by, at=world.at("2026-10-07T07:40"), law=world.law())))
        assert [one for one in pieces(load) if "rest" not in one] == [
            "07:00-07:30 333 at 666",
            "07:00-07:30 250 at 500",
        ]
        assert cents(load) == [("Testing for BOD5 and TSS", 1216), ("Septage unloaded", 799), ("Septage unloaded", 600)]
        assert load.gallons == 583


def test_stop_everything_pauses_each_load_with_what_its_rate_says():
    first, second = hauler(), hauler("Elm Pumping", number=2)
    slow = planned(first, session("2026-10-06T07:00", 300, minutes=60))
    one = good(log(first, 300, booking=slow))
    other = good(log(second, 366, "2026-10-06T07:00"))
    assert said(kept(stop_all(world.plant(), " ", by=world.staff("operator"), at=clock("07:30"), law=world.law())))[
        0] == "no_reason"  # fmt: skip
    paused = do(stop_all, world.plant(), "Manhole overflows", at="07:30")
    assert [one.ticket for one in paused] == ["2026-00001", "2026-00002"]
    assert pieces(one) == ["07:00-07:30 150 at 300", "rest 07:30-08:00 150 at 300"]
    assert pieces(other) == ["07:00-07:30 183 at 366", "rest 07:30-08:00 183 at 366"]
    assert [subject for _, subject, _ in told()[-2:]] == [
        "Load 2026-00001 is paused: 300 gallons, $19.36", "Load 2026-00002 is paused: 366 gallons, $20.94"]  # fmt: skip
    assert note(one) == "Paused at 7:30 a.m.: Manhole overflows."
    assert said(do(stop_all, world.plant(), "Again", at="07:31"))[:2] == ("nothing_runs", "No truck unloads now.")


def test_stop_everything_holds_what_was_to_begin_by_the_clock_until_it_is_resumed():
    first, second = hauler(), hauler("Elm Pumping", number=2)
    one = good(log(first, 300, booking=planned(first, session("2026-10-06T07:00", 300, minutes=60))))
    later = booked(book(second, session("2026-10-06T08:00", 600)))
    waits = good(log(second, 600, "2026-10-06T07:05", booking=later))
    plan = pieces(waits)
    held = do(stop_all, world.plant(), "Manhole overflows", at="07:30")
    assert [load.ticket for load in held] == [one.ticket, waits.ticket]
    assert (pieces(waits), waits.gallons) == ([f"rest {plan[0]}"], 600)
    assert note(waits) == "Held at 7:30 a.m. before it began: Manhole overflows."
    assert loads.begun_or_waiting(one.plant_id, clock("08:10")) == []
    assert said(do(stop_all, world.plant(), "Again", at="08:10"))[0] == "nothing_runs"
    good(do(resume_load, waits, at="08:20"))
    assert [one.run.load_id for one in loads.running_now(waits.plant_id, clock("08:21"))] == [waits.id]
    assert waits.gallons == 600


def test_stop_everything_holds_a_truck_also_where_nothing_flows_yet():
    who = hauler()
    waits = good(log(who, 600, booking=booked(book(who, session("2026-10-06T08:00", 600)))))
    good(do(lambda **given: stop_all(world.plant(), "Manhole overflows", **given)[0], at="07:30"))
    assert pieces(waits)[0].startswith("rest 08:00-")


class TestRate:
    def test_a_slower_rate_gives_way_to_the_next_booking(self):
        first, _, one, _other = two()
        load = good(log(first, 600, booking=one))
        good(do(change_rate, load, 400, 109, at="07:10"))
        assert pieces(load) == ["07:00-07:10 109 at 655", "07:10-07:55 300 at 400", "rest 08:50-09:08 191 at 637"]
        assert heard(load) == (
            "From 7:10 a.m. at 400 gallons an hour as measured. Stop at 7:55 a.m.: another load begins. "
            "The last 191 gallons fit 8:50 to 9:08 a.m.")  # fmt: skip
        assert told()[-1][1] == "Load 2026-00001 runs at another rate: 600 gallons, $26.56"
        assert db.session.scalars(select(Excess)).all() == []

    def test_between_the_planning_limit_and_the_hard_one_nothing_is_kept(self):
        load = good(log(hauler(), 1_500))
        good(do(change_rate, load, 670, at="07:30"))
        assert pieces(load) == ["07:00-07:30 331 at 662", "07:30-09:15 1169 at 670"]
        assert db.session.scalars(select(Excess)).all() == []

    def test_one_gallon_above_the_hard_limit_is_kept_and_nothing_refused(self):
        load = good(log(hauler(), 1_500))
        good(do(change_rate, load, 671, at="07:30"))
        row = db.session.scalars(select(Excess)).one()
        assert (row.load_id, row.gph, row.drawn_gph, row.hard_gph, row.cite) == (
            load.id, 671, 671, 670, "§ 329-7 F(3)")  # fmt: skip
        assert heard(load) == (
            "From 7:30 a.m. at 671 gallons an hour as measured. The plant drew 671 gallons an hour, above the limit of "
            "670 (§ 329-7 F(3)). It runs until 9:15 a.m. at 671 gallons an hour.")  # fmt: skip
        assert picture(at=clock("07:30")).room == 499

    def test_whatever_a_gauge_can_show_is_kept_and_a_slip_is_not(self):
        load = good(log(hauler(), 1_500))
        assert said(do(change_rate, load, 100_001, at="07:30"))[:2] == (
            "rate", "The rate must be 100,000 gallons an hour or less. Check the number.")  # fmt: skip
        assert said(do(change_rate, load, 0, at="07:30"))[0] == "rate"
        good(do(change_rate, load, 100_000, at="07:30"))
        assert [row.drawn_gph for row in db.session.scalars(select(Excess))] == [100_000]
        assert pieces(load) == ["07:00-07:30 331 at 662", "07:30-07:31 1169 at 100000"]

    def test_what_others_let_flow_counts_and_what_they_booked_does_not(self):
        first, second = hauler(), hauler("Elm Pumping", number=2)
        slow = planned(first, session("2026-10-06T07:00", 300, minutes=60))
        good(log(second, 366, "2026-10-06T07:00"))
        one = good(log(first, 300, booking=slow))
        good(do(change_rate, one, 304, at="07:10"))
        assert db.session.scalars(select(Excess)).all() == []
        good(do(change_rate, one, 305, at="07:20"))
        assert [row.drawn_gph for row in db.session.scalars(select(Excess))] == [671]

    def test_what_no_longer_fits_today_is_not_charged(self):
        who = hauler()
        load = good(log(who, 1_998))
        good(do(change_rate, load, 300, 999, at="08:30"))
        assert pieces(load) == ["07:00-08:30 999 at 666", "08:30-10:00 450 at 300"]
        assert heard(load) == ("From 8:30 a.m. at 300 gallons an hour as measured. Stop at 10:00 a.m.: unloading ends. "
                              "549 gallons do not fit today.")  # fmt: skip
        assert (load.gallons, cents(load)) == (1_449, [("Testing for BOD5 and TSS", 1216), ("Septage unloaded", 3478)])

    def test_no_rate_is_a_pause(self):
        load = good(log(hauler(), 1_500))
        assert said(do(change_rate, load, 0, at="07:30"))[:2] == (
            "rate", "The rate must be 1 gallon an hour or more. To stop the flow, pause the load.")  # fmt: skip


class TestOver:
    def test_more_in_the_truck_than_logged_runs_on_where_nobody_follows(self):
        who = hauler()
        load = good(log(who, 600))
        good(do(run_on, load, 100, at="07:30"))
        assert pieces(load) == ["07:00-07:30 327 at 655", "07:30-08:05 373 at 655"]
        assert heard(load) == "100 gallons more than logged. It runs until 8:05 a.m. at 655 gallons an hour."
        assert (load.gallons, cents(load)) == (700, [("Testing for BOD5 and TSS", 1216), ("Septage unloaded", 1680)])
        assert told()[-1][1] == "Load 2026-00001 has more gallons: 700 gallons, $28.96"

    def test_a_truck_that_runs_over_stops_for_the_next_whose_hauler_is_told(self):
        first, second, one, other = two()
        load = good(log(first, 600, booking=one))
        good(do(run_on, load, 200, at="08:01"))
        assert pieces(load) == ["07:00-07:55 600 at 655", "07:55-08:01 65 at 655", "rest 08:56-09:09 135 at 624"]
        extra = [row for row in loads.runs_of(load.id) if row.measured]
        assert [(local(row.starts), local(row.ends), row.gallons) for row in extra] == [("07:55", "08:01", 65)]
        assert load.gallons == 800
        mine, next_one = told()[-2:]
        assert mine[1] == "Load 2026-00001 has more gallons: 800 gallons, $31.36"
        assert next_one == (
            second.email, f"The load before yours runs over ({other.number})",
            "The load before yours runs over. Your time may begin at about 8:01 a.m.\n\n"
            f"Booked: Tue, Oct 6, 7:55 to 8:50 a.m., 600 gallons ({other.number}).\n"
            "Questions: 715-555-0100, weekdays 7 a.m. to 3 p.m.")  # fmt: skip
        # Nothing more flows now: the next may begin in the same minute, and never above the limit.
        late = good(log(second, 600, "2026-10-06T08:01", booking=other))
        assert pieces(late) == ["08:01-08:56 600 at 655"]
        assert Rows(clock("08:01")).wrong([TUESDAY]) == []

    @pytest.mark.parametrize(("at", "code"), [("08:41", "not_running")])
    def test_long_after_its_end_it_is_a_load_of_its_own(self, at, code):
        load = good(log(hauler(), 600))
        assert said(do(run_on, load, 100, at=at))[0] == code

    def test_more_than_the_tank_asks_why_and_none_is_none(self):
        load = good(log(hauler(tank=700), 600))
        assert said(do(run_on, load, 0, at="07:30"))[:2] == ("no_gallons", "Gallons must be 1 or more.")
        assert said(do(run_on, load, 101, at="07:30"))[0] == "gallons_over_tank"
        good(do(run_on, load, 101, reason="Two tanks", at="07:30"))
        assert heard(load).startswith("101 gallons more than logged: Two tanks. It runs until")

    def test_more_than_the_approval_has_left_stays_in_the_truck(self):
        load = good(log(hauler(rest=650), 600))
        assert said(do(run_on, load, 51, at="07:30"))[:2] == (
            "allowance", "Approval A-2026-27-001 has 50 gallons left, not 51.")  # fmt: skip
        good(do(run_on, load, 50, at="07:30"))


def test_a_truck_20_minutes_late_leaves_the_next_its_time():
    first, second, one, other = two()
    late = log(first, 600, "2026-10-06T07:20", booking=one)
    code, why, _ = said(late)
    assert (code, why) == ("not_now", "600 gallons do not fit under the limit now. The first time that fits is "
                           "8:50 to 9:45 a.m. at 655 gallons an hour.")  # fmt: skip
    load = good(log(first, 388, "2026-10-06T07:20", booking=one))
    assert pieces(load) == ["07:20-07:55 388 at 666"]
    assert Rows(clock("07:20")).wrong([TUESDAY]) == []
    assert pieces(good(log(second, 600, "2026-10-06T07:55", booking=other))) == ["07:55-08:50 600 at 655"]


def test_pieces_of_one_truck_are_all_in_the_runs_of_its_day():
    load = good(log(hauler(), 1_500))
    good(do(pause_load, load, 331, at="07:30"))
    assert {(one.kind, one.measured) for one in db.session.scalars(select(Run))} == {("ran", False), ("rest", False)}


def _who(booking: Any) -> Any:
    """The hauler of a booking, as ``log`` takes it."""

    class Who:
        business_id, truck_id = booking.business_id, booking.truck_id

    return Who()


def test_room_freed_by_a_truck_that_stops_short_is_offered_to_the_one_in_line_in_the_same_minute():
    first, second, third = hauler("Duffy Septic"), hauler("Elm Pumping", number=2), hauler("Fir Septic", number=3)
    one = booked(book(first, session("2026-10-06T07:00", 900)))
    booked(book(second, session("2026-10-06T08:22", 1_080)))
    good(wait(third, 500))
    load = good(log(first, 900, booking=one))
    before = len(told())
    good(do(stop_load, load, 200, "Tank empty", at="07:20"))
    (offered,) = [row for row in told()[before:] if row[0] == third.email]
    assert offered[1] == (
        "Room for your load: Tue, Oct 6, 7:21 a.m., 500 gallons. Answer by Tuesday, October 6, 2026, 7:21 a.m."
    )
