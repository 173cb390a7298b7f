"""Days of flow entered and corrected by hand; a held reading moves no limit until a person says it is right."""

from dataclasses import replace
from datetime import date, timedelta

import pytest

from intake.actions.flow_readings import correct_flow, enter_flow, import_flow, settle_reading
from intake.queries import flow, flow_recorded
from intake.queries.flow_in_force import history_of
from office.access import system
from office.db import db
from ordinances.rate_cap import cap_on
from ordinances.refusal import Refusal
from ordinances.rows import Row
from tests import world
from tests.intake.plant import MORNING, TUESDAY

pytestmark = pytest.mark.usefixtures("app")
LAST = date(2026, 10, 4)


def enter(value, day=LAST, by="operator", at=MORNING):
    return kept(enter_flow(world.plant(), day, value, by=world.staff(by), at=at))


def correct(row, value, reason="Read again from the chart", by="operator"):
    return kept(correct_flow(world.plant(), row.id, value, reason, by=world.staff(by), at=MORNING + timedelta(hours=1)))


def kept(done):
    if isinstance(done, Refusal):
        db.session.rollback()
    else:
        db.session.commit()
    return done


def usual(gallons=160_000, count=8):
    rows = [(date(2026, 9, 1) + timedelta(days=n), gallons) for n in range(count)]
    return kept(import_flow(world.plant(), rows, "flow.csv", by=system(), at=MORNING))


@pytest.mark.parametrize(("value", "gallons", "state", "why"), [
    (162_000, 162_000, "accepted", None),
    (8_270_000, 8_270_000, "held", "8,270,000 gallons is more than 3 times the usual 160,000."),
    ("NODI", None, "held", "The file says NODI, which is no measured figure."),
])  # fmt: skip
def test_a_day_entered_counts_unless_it_is_odd(value, gallons, state, why):
    usual()
    row = enter(value)
    assert (row.day, row.gallons, row.state, row.held_why, row.source) == (LAST, gallons, state, why, "Entered by hand")


def test_a_day_already_recorded_is_corrected_not_entered_again():
    row = enter(160_000)
    again = enter(161_000)
    assert (again.code, again.details) == ("recorded", {"reading_id": row.id})
    assert again.why == "Sunday, October 4, 2026 is recorded already. Open that day to correct it"


@pytest.mark.parametrize(("value", "day", "code"), [
    (160_000, date(2026, 10, 6), "future"), (2_000_000_001, LAST, "too_large"),
])  # fmt: skip
def test_a_day_to_come_and_a_flow_of_no_plant_are_not_entered(value, day, code):
    assert enter(value, day).code == code
    assert flow.readings(world.plant().id) == []


def test_today_may_be_entered():
    assert enter(160_000, MORNING.date()).state == "accepted"


def test_a_correction_keeps_what_stood_there_with_who_and_why():
    row = correct(enter(160_000), 162_000)
    assert (row.gallons, row.state) == (162_000, "accepted")
    assert [(one.who, one.what, one.why) for one in history_of(row)] == [
        ("Operator of the City", "160,000 gallons, counts", None),
        ("Operator of the City", "160,000 gallons → 162,000 gallons", "Read again from the chart"),
    ]


def test_a_correction_that_is_odd_takes_the_day_out_until_a_person_says_it_is_right():
    usual()
    row = correct(enter(160_000), 16_000)
    assert (row.state, row.held_why) == ("held", "16,000 gallons is less than a third of the usual 160,000.")
    assert flow_recorded.recorded_before(world.plant().id, TUESDAY, 1) == [(date(2026, 9, 8), 160_000)]
    kept(settle_reading(world.plant(), row.id, True, by=world.staff("manager"), at=MORNING))
    assert flow_recorded.recorded_before(world.plant().id, TUESDAY, 1) == [(LAST, 16_000)]


@pytest.mark.parametrize(("value", "reason", "code"), [
    (162_000, "  ", "no_reason"), (160_000, "Typing", "same"), (2_000_000_001, "Typing", "too_large"),
])  # fmt: skip
def test_a_correction_needs_a_reason_and_another_figure(value, reason, code):
    row = enter(160_000)
    assert correct(row, value, reason).code == code
    assert flow.readings(world.plant().id)[0].gallons == 160_000


def test_a_slip_may_be_corrected_to_the_same_figure_and_words_to_a_figure():
    row = enter(8_270_000)
    kept(settle_reading(world.plant(), row.id, False, by=world.staff("manager"), at=MORNING))
    assert correct(row, 8_270_000).state == "held"
    assert correct(row, "NODI").gallons is None
    assert correct(row, "NODI").code == "same"
    assert correct(row, 82_700).state == "accepted"


def test_only_people_at_the_plant_enter_and_correct():
    row = enter(160_000)
    assert enter(160_000, date(2026, 10, 3), "clerk").code == "not_your_role"
    assert correct(row, 161_000, by="clerk").code == "not_your_role"


def following_the_mean(days):
    law = world.law()
    since = date(1992, 1, 1)
    rows = [Row("rate.basis", "rolling_mean", since, None, "§ 1"), Row("rate.basis_days", days, since, None, "§ 1"),
            Row("rate.basis_short", "closed", since, None, "§ 1")]  # fmt: skip
    mine = tuple(row for row in law.profile.rows if not row.key.startswith("rate.basis"))
    return replace(law, profile=replace(law.profile, rows=(*mine, *rows)))


def limit(law):
    recorded = flow_recorded.recorded_for(world.plant().id, law, TUESDAY, TUESDAY)
    return cap_on(law, TUESDAY, readings=recorded).plan_gph


def test_one_slip_of_8_27_million_gallons_never_lifts_the_limit():
    usual(100_000)
    law = following_the_mean(8)
    assert limit(law) == 416
    row = enter(8_270_000)
    assert (row.state, limit(law)) == ("held", 416)
    kept(settle_reading(world.plant(), row.id, False, by=world.staff("manager"), at=MORNING))
    assert limit(law) == 416
    correct(row, 82_700)
    # (7 × 100,000 + 82,700) ÷ 8 = 97,837; a tenth of it ÷ 24
    assert limit(law) == 407


def test_the_same_figure_lifts_it_once_a_person_says_it_is_right():
    usual(100_000)
    row = enter(8_270_000)
    kept(settle_reading(world.plant(), row.id, True, by=world.staff("manager"), at=MORNING))
    # The mean is 1,121,250 gallons a day; the stated figure still holds it.
    assert limit(following_the_mean(8)) == 666


def test_a_limit_looks_at_as_many_days_before_as_its_mean_is_of_and_at_the_days_themselves():
    usual(100_000, 8)
    law, plant = following_the_mean(3), world.plant()
    found = flow_recorded.recorded_for(plant.id, law, date(2026, 9, 6), date(2026, 9, 7))
    assert [day.day for day, _ in found] == [3, 4, 5, 6, 7]
    assert [day.day for day, _ in flow_recorded.recorded_for(plant.id, world.law(), TUESDAY, TUESDAY)][-1] == 8
