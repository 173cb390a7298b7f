"""What was found of a hauler's waste: kept to at the gate and on the account until it ends (§ 329-6 E)."""

from datetime import date
from typing import Any

import pytest
from sqlalchemy import select

from billing.queries import entries_of
from intake.actions import charging
from intake.actions.finding import end_finding, record_council_answer, record_finding, told
from intake.models import Run, WasteFinding
from intake.queries.gate import may_discharge
from office.db import db
from office.letters import Letter
from office.notices import Notice
from office.verify import verify
from ordinances.pricing import Quote
from tests import world
from tests.intake.gatehouse import balance, booked, good, kept, log, said
from tests.intake.plant import Hauler, book, hauler, queries, session
from tests.intake.test_station_pages import get, load_page, post, signed_in, text

NOW, TODAY = "2026-10-05T16:00", date(2026, 10, 6)
REJECT, PRETREAT, CONTROL, PAY = (
    "reject the waste", "require pretreatment", "control quantities and rates", "require payment of the added cost",
)  # fmt: skip


@pytest.fixture(autouse=True)
def _app(app: Any, clock_at: Any) -> None:
    clock_at(NOW)


def find(who: Hauler, *outcomes: str, by: str = "manager", waste: str = "septic_tank", facts: str = "Solvents",
         since: date = TODAY, **given: Any) -> Any:  # fmt: skip
    return kept(record_finding(world.plant(), who.business_id, waste, facts, outcomes, since, by=world.staff(by),
                               at=world.at(NOW), law=world.law(), **given))  # fmt: skip


def council(row: Any, adopted: bool = True, on: date = date(2026, 10, 5), words: str = "Resolution 9",
            by: str = "clerk", at: str = NOW) -> Any:  # fmt: skip
    return kept(record_council_answer(world.plant(), row.id, adopted, on, words, by=world.staff(by), at=world.at(at),
                                      law=world.law()))  # fmt: skip


def end(row: Any, reason: str = "Three clean loads", at: str = NOW, by: str = "manager") -> Any:
    return kept(end_finding(world.plant(), row.id, reason, by=world.staff(by), at=world.at(at), law=world.law()))


def gate(who: Hauler, at: str = "2026-10-06T07:00", waste: str = "septic_tank") -> Any:
    return may_discharge(world.plant(), world.law(), world.at(at), business_id=who.business_id, truck_id=who.truck_id,
                         waste=waste)  # fmt: skip


def lines(load: Any) -> list[tuple[str, int]]:
    return [(entry.what, entry.amount_cents) for entry in entries_of("load", load.id)]


def test_rejected_waste_is_not_let_in_from_its_first_day_to_its_last():
    who = hauler("Duffy Septic")
    row = good(find(who, REJECT, until=date(2026, 10, 7)))
    found = gate(who)
    assert (found.ok, found.code, found.sentence, found.cite) == (
        False,
        "waste_rejected",
        "Do not accept: septic tank waste of this hauler is rejected since October 6, 2026. Solvents.",
        "§ 329-6 E",
    )
    assert said(log(who))[0] == "waste_rejected"
    assert gate(who, waste="holding_tank").ok
    assert gate(who, "2026-10-05T09:00").ok
    assert not gate(who, "2026-10-07T09:59").ok
    assert gate(who, "2026-10-08T07:00").ok
    letter = db.session.get_one(Letter, row.letter_id)
    assert (letter.data["span"], letter.data["outcomes"]) == (
        "from October 6, 2026 to October 7, 2026", ["Reject the waste"])  # fmt: skip
    whom = {one.to_name for one in db.session.scalars(select(Notice).filter_by(kind="waste_finding"))}
    assert whom == {"Duffy Septic", "Operator of the City", "Manager of the City", "Director of the City",
                    "Clerk of the City"}  # fmt: skip
    assert verify() == []


def test_another_haulers_waste_is_let_in():
    who, other = hauler(), hauler("Other Pumping", number=2)
    good(find(who, REJECT))
    assert gate(other).ok


def test_pretreated_waste_is_taken_once_it_is_written_how_that_was_shown():
    who = hauler()
    good(find(who, PRETREAT, pretreatment="Lime to pH 7"))
    assert "Take it only once this is done: Lime to pH 7 (§ 329-6 E)." in gate(who).note
    assert said(log(who)) == (
        "pretreated", "This waste is taken only once this is done: Lime to pH 7.", "§ 329-6 E")  # fmt: skip
    load = good(log(who, note="Lime receipt shown"))
    assert "Lime receipt shown" in load.note


def test_controlled_rate_is_kept_at_the_gate_and_in_what_is_booked():
    who = hauler()
    before = booked(book(who, session("2026-10-06T07:15", 600)))
    good(find(who, CONTROL, gph=300))
    assert "At most 300 gallons an hour (§ 329-6 E)." in gate(who).note
    assert said(book(who, session("2026-10-07T07:15", 600)))[0] in ("changed", "over_limit")
    booked(book(who, session("2026-10-07T07:15", 600, gph=300)))
    load = good(log(who, 600, "2026-10-06T07:15", booking=before))
    run = db.session.scalars(select(Run).filter_by(load_id=load.id)).one()
    assert (run.gph, (run.ends - run.starts).total_seconds() / 60) == (300, 120)


def test_added_cost_is_charged_only_once_the_council_adopted_it():
    who = hauler()
    row = good(find(who, PAY, cents=2_500, cost_per="load"))
    first = good(log(who, 100))
    assert lines(first) == [("Septage unloaded", 240), ("Testing for BOD5 and TSS", 1216)]
    good(council(row))
    second = good(log(who, 100, "2026-10-06T07:20"))
    assert lines(second)[2:] == [("Added cost of handling septic tank waste", 2_500)]
    # The first was unloaded after the resolution, which was recorded later.
    assert balance(who) == 2 * (240 + 1216 + 2_500)
    entry = entries_of("load", second.id)[2]
    assert (entry.cite, entry.how) == (
        "§ 329-6 E", "Adopted by the Common Council on October 5, 2026: Resolution 9.")  # fmt: skip


def test_added_cost_is_shown_before_it_is_booked(app):
    who = hauler()
    booking = booked(book(who, session("2026-10-06T07:15", 100)))
    owner = signed_in(app, who.email)
    assert "$25.00" not in text(get(owner, f"/hauler/bookings/{booking.number}"))
    good(council(good(find(who, PAY, cents=2_500, cost_per="load"))))
    page = text(get(owner, f"/hauler/bookings/{booking.number}"))
    assert "Added cost of handling septic tank waste" in page
    assert "$39.56" in page


def charged(load: Any, at: str) -> list[tuple[str, int]]:
    """What a load comes to, made anew at a later time."""
    found = charging.quote(world.plant(), load, world.law(), world.at(at))
    assert isinstance(found, Quote)
    return [(line.what, line.cents) for line in found.lines]


def test_added_cost_adopted_after_the_load_does_not_reach_back_to_it():
    who = hauler()
    row = good(find(who, PAY, cents=2_500, cost_per="load"))
    first = good(log(who, 100))
    good(council(row, on=date(2026, 10, 7), at="2026-10-07T12:00"))
    assert charged(first, "2026-10-08T09:00") == lines(first)
    second = good(log(who, 100, "2026-10-07T07:20"))
    assert lines(second)[2:] == [("Added cost of handling septic tank waste", 2_500)]


def test_added_cost_adopted_on_a_day_past_is_charged_of_every_load_since_when_it_is_recorded():
    who, other = hauler(), hauler("Second Pumping", number=2)
    row = good(find(who, PAY, cents=2_500, cost_per="load"))
    early = good(log(who, 100, "2026-10-06T07:00"))
    first, second = good(log(who, 100, "2026-10-07T07:20")), good(log(who, 100, "2026-10-07T07:40"))
    apart = good(log(other, 100, "2026-10-07T08:00"))
    good(council(row, on=date(2026, 10, 7), at="2026-10-08T12:00"))
    added = [("Added cost of handling septic tank waste", 2_500)]
    assert [lines(one)[2:] for one in (early, first, second, apart)] == [[], added, added, []]
    assert balance(who) == 3 * (240 + 1216) + 2 * 2_500
    told = db.session.scalars(select(Notice.body).order_by(Notice.id.desc())).first() or ""
    assert f"The added cost is charged of what was unloaded since: load {first.ticket}, {second.ticket}." in told
    # Another correction changes nothing more.
    assert charged(first, "2026-10-09T09:00") == lines(first)


def test_added_cost_of_a_load_stays_when_the_finding_ends_later_that_day():
    who = hauler()
    row = good(council(good(find(who, PAY, cents=2_500, cost_per="load"))))
    load = good(log(who, 100))
    good(end(row, at="2026-10-06T15:00"))
    assert lines(load)[2:] == [("Added cost of handling septic tank waste", 2_500)]
    assert charged(load, "2026-10-08T09:00") == lines(load)
    assert lines(good(log(who, 100, "2026-10-07T07:20")))[2:] == []


@pytest.mark.parametrize(("ended", "added"), [("2026-10-06T08:00", []), ("2026-10-06T08:01", [2_500])])
def test_load_unloaded_after_the_finding_has_ended_that_day_pays_nothing_more(ended, added):
    who = hauler()
    row = good(council(good(find(who, PAY, cents=2_500, cost_per="load"))))
    before = good(log(who, 100, "2026-10-06T07:00"))
    good(end(row, at=ended))
    after = good(log(who, 100, "2026-10-06T08:00"))
    assert [cents for _, cents in lines(after)[2:]] == added
    assert charged(after, "2026-10-08T09:00") == lines(after)
    assert [cents for _, cents in lines(before)[2:]] == [2_500]


def test_added_cost_by_the_gallon_is_rounded_once_half_a_cent_up():
    who = hauler()
    good(council(good(find(who, PAY, cents=1_234, cost_per="1,000 gallons"))))
    # 12.34 a thousand × 1.5 = 18.51
    assert lines(good(log(who, 1_500)))[2:] == [("Added cost of handling septic tank waste", 1_851)]


def test_council_that_declines_ends_it():
    who = hauler()
    row = good(find(who, REJECT))
    good(council(row, adopted=False))
    assert gate(who).ok
    assert said(council(row))[:2] == ("answered", "The Common Council has declined it already.")


def test_ended_finding_lets_the_waste_in_and_keeps_the_days_before():
    who = hauler()
    row = good(find(who, REJECT))
    assert said(end(row, " "))[:2] == ("no_reason", "Enter why it ends.")
    good(end(row, at="2026-10-07T08:00"))
    assert not gate(who, "2026-10-06T09:00").ok
    assert gate(who, "2026-10-07T09:00").ok
    assert said(end(row))[:2] == ("ended", "Manager of the City has ended it already.")


@pytest.mark.parametrize(("outcomes", "given", "code"), [
    ((REJECT,), {"by": "operator"}, "not_your_role"), ((REJECT,), {"facts": " "}, "no_facts"),
    ((REJECT,), {"waste": "milk"}, "waste"), (("tell the press",), {}, "outcomes"), ((), {}, "outcomes"),
    ((REJECT, CONTROL), {"gph": 300}, "outcomes"), ((PAY,), {"cents": 500, "cost_per": "truck"}, "cost_per"),
    ((REJECT,), {"since": date(2026, 10, 4)}, "since"), ((REJECT,), {"until": date(2026, 10, 5)}, "until"),
])  # fmt: skip
def test_what_no_finding_may_say(outcomes, given, code):
    assert said(find(hauler(), *outcomes, **given))[0] == code
    assert list(db.session.scalars(select(WasteFinding))) == []


def test_what_follows_in_words():
    who = hauler()
    row = good(find(who, PRETREAT, CONTROL, PAY, pretreatment="Screened", gph=300, cents=2_500, cost_per="load"))
    assert told(row) == [
        "Require pretreatment: Screened", "Control quantities and rates: at most 300 gallons an hour",
        "Require payment of the added cost: $25.00 for each load",
    ]  # fmt: skip


def test_manager_records_it_on_a_page_and_the_operator_reads_it_at_the_truck(app, clock_at):
    who = hauler("Duffy Septic")
    manager = signed_in(app, "manager")
    path = f"/director/findings/new/{who.business_id}"
    wrong = post(manager, path, {"waste": "septic_tank", "facts": "Solvents", "outcomes": [CONTROL]})
    assert wrong.status_code == 422
    assert "Enter the highest rate, in gallons an hour." in text(wrong.text)
    done = post(manager, path, {"waste": "septic_tank", "facts": "Solvents", "outcomes": [CONTROL], "gph": "300"})
    assert done.status_code == 303
    assert "at most 300 gallons an hour" in text(get(manager, done.location.removeprefix("/bayfield")))
    clock_at("2026-10-06T07:00")
    assert "At most 300 gallons an hour (§ 329-6 E)." in text(get(signed_in(app, "operator"), load_page(who)))
    row = db.session.scalars(select(WasteFinding)).one()
    clerk = signed_in(app, "clerk")
    sent = {"adopted": "no", "words": "Resolution 12"}
    assert post(clerk, f"/director/findings/{row.id}/council", sent).status_code == 303
    assert "Declined by the Common Council" in text(get(manager, f"/director/findings/{row.id}"))


def test_list_asks_the_same_however_many(app):
    operator = signed_in(app, "operator")
    counts = []
    for number in range(1, 4):
        good(find(hauler(f"Hauler {number}", number=number), REJECT))
        get(operator, "/director/findings")
        with queries() as seen:
            get(operator, "/director/findings")
        counts.append(len([one for one in seen if one.startswith("SELECT")]))
    assert counts == [5, 5, 5]
