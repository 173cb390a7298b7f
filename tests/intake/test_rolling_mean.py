"""A town whose limit follows the mean of the days its meter recorded last: it falls and rises with them."""

import json
import re
from datetime import date, timedelta

import pytest
from sqlalchemy import select

from intake.actions.flow import end_over_limit, put_flow_in_force
from intake.actions.flow_readings import correct_flow, enter_flow, import_flow, settle_reading
from intake.actions.restriction import restrict_plant
from intake.models import Booking
from intake.queries import bookings
from intake.queries.checks import check_capacity
from intake.queries.limit_met import over_now
from intake.queries.met import met
from intake.queries.restriction_words import Asked
from office.access import system
from office.db import db
from office.law import adopt_law
from office.law_commands import law_group
from office.notices import Notice
from ordinances.refusal import Refusal
from tests import world
from tests.intake.gatehouse import good, kept
from tests.intake.plant import MORNING, WEDNESDAY, book, code, hauler, picture, planned, session
from tests.ordinances.common import changed, row_text

pytestmark = pytest.mark.usefixtures("app")
# The three days recorded last before the morning of the tests.
DAYS = [date(2026, 10, n) for n in (2, 3, 4)]


@pytest.fixture
def mean(app, tmp_path):
    return lambda short="stated": adopt(tmp_path, short)


def adopt(folder, short):
    """Bayfield with a mean of three recorded days; ``short`` says what holds with fewer."""
    rows = row_text("rate.basis_days", "3") + row_text("rate.basis_short", f'"{short}"')
    path = changed(folder, ('[[rate.basis]]\nvalue = "stated"', '[[rate.basis]]\nvalue = "rolling_mean"'), extra=rows)
    good(adopt_law(world.plant(), str(path), date(2026, 7, 1), "Ord. 400", by=system(), at=world.START))
    db.session.commit()


def record(*gallons, at=MORNING):
    """Flows of the last days, recorded in one file."""
    rows = list(zip(DAYS[-len(gallons) :], gallons, strict=True))
    kept(import_flow(world.plant(), rows, "flow.csv", by=system(), at=at))


def enter(day, gallons, at=MORNING):
    return kept(enter_flow(world.plant(), day, gallons, by=world.staff("operator"), at=at))


def notices(kind):
    return list(db.session.scalars(select(Notice).where(Notice.kind == kind).order_by(Notice.id)))


def states():
    rows = db.session.scalars(select(Booking).order_by(Booking.id)).all()
    return {one.booking.number: one.state for one in bookings.views(rows, MORNING)}


def test_recorded_flow_lowers_and_raises_the_limit_by_its_mean(mean):
    mean()
    record(120_000, 120_000, 120_000)
    assert (picture(WEDNESDAY).cap.plan_gph, picture(WEDNESDAY).room) == (500, 1_500)
    row = enter(date(2026, 10, 5), 150_000)
    # (120,000 + 120,000 + 150,000) ÷ 3 = 130,000; a tenth of it ÷ 24
    assert picture(WEDNESDAY).cap.plan_gph == 541
    kept(correct_flow(world.plant(), row.id, 90_000, "The meter was read wrong", by=world.staff("manager"), at=MORNING))
    assert picture(WEDNESDAY).cap.plan_gph == 458
    assert code(book(hauler(), session("2026-10-07T07:00", 1_374, gph=458))) == "booked B-1007-01"
    refused = book(hauler("Second Pumping", number=2), session("2026-10-08T07:00", 1_375, gph=459))
    assert (refused.code, refused.why) == (
        "over_limit", "459 gallons an hour is more than the limit of 458 at that time."
    )  # fmt: skip


def test_a_held_reading_moves_nothing_until_a_person_says_it_is_right(mean):
    mean()
    record(120_000, 120_000, 120_000)
    held = enter(date(2026, 10, 5), 30_000)
    assert (held.state, picture(WEDNESDAY).cap.plan_gph) == ("held", 500)
    kept(settle_reading(world.plant(), held.id, True, by=world.staff("director"), at=MORNING))
    assert picture(WEDNESDAY).cap.plan_gph == 375


@pytest.mark.parametrize(("short", "limit", "said"), [
    ("stated", 666, ""), ("closed", 0, "Nothing is unloaded on Wednesday, October 7, 2026: only 2 of the 3 days the "
                                       "mean is taken of are recorded."),
])  # fmt: skip
def test_with_fewer_readings_than_asked_it_is_as_the_profile_says(mean, short, limit, said):
    mean(short)
    record(120_000, 120_000)
    found = picture(WEDNESDAY)
    assert (found.cap.plan_gph, found.hours.why if isinstance(found.hours, Refusal) else "") == (limit, said)


def test_a_reading_that_lowers_the_limit_lists_what_no_longer_fits_and_drops_nothing(mean):
    mean()
    who = hauler()
    record(160_000, 160_000, 160_000)
    planned(who, session("2026-10-07T07:00", 1_800, gph=600))
    planned(who, session("2026-10-08T07:00", 300, minutes=60))
    enter(date(2026, 10, 5), 100_000)
    # The mean is 140,000 now.
    assert picture(WEDNESDAY).cap.plan_gph == 583
    assert states() == {"B-1007-01": "booked", "B-1008-01": "booked"}
    to_hauler, to_director = notices("limit_moved"), notices("over_limit")
    assert [(one.to_name, one.subject, one.body.splitlines()) for one in to_hauler] == [
        ("Test Pumping", "No longer fits under the limit: Wed, Oct 7, 7:00 a.m. (B-1007-01)", [
            "The limit on Wednesday, October 7, 2026 is 583 gallons an hour now (§ 329-7 F(3)).",
            "It no longer holds B-1007-01, Wed, Oct 7, 7:00 a.m.: 1,800 gallons. It stands until the plant decides: "
            "the limit follows the plant's recorded flow and may rise again.",
            "",
            "Questions: 715-555-0100, weekdays 7 a.m. to 3 p.m.",
        ]),
    ]  # fmt: skip
    assert [(one.to_name, one.subject, one.body.splitlines()[2]) for one in to_director] == [
        ("Director of the City", "1 booking no longer fits under the limit",
         "Test Pumping: B-1007-01, Wed, Oct 7, 7:00 a.m.: 1,800 gallons."),
    ]  # fmt: skip
    assert [one.number for one in over_now(world.plant(), world.law(), MORNING)] == ["B-1007-01"]


def test_what_was_told_is_not_told_again_and_what_fits_again_is(mean):
    mean()
    record(160_000, 160_000, 160_000)
    planned(hauler(), session("2026-10-07T07:00", 1_800, gph=600))
    low = enter(date(2026, 10, 5), 100_000)
    later = MORNING + timedelta(days=1)
    lower = enter(date(2026, 10, 6), 110_000, at=world.at("2026-10-06T16:00"))
    assert len(notices("limit_moved")) == 1
    kept(correct_flow(world.plant(), low.id, 170_000, "Wrong day", by=world.staff("manager"), at=later))
    kept(correct_flow(world.plant(), lower.id, 160_000, "Wrong day", by=world.staff("manager"), at=later))
    last = notices("limit_moved")[-1]
    assert (len(notices("limit_moved")), last.subject, last.body.splitlines()[0]) == (
        2, "Fits again under the limit: Wed, Oct 7, 7:00 a.m. (B-1007-01)",
        "Fits under the limit again: B-1007-01, Wed, Oct 7, 7:00 a.m.: 1,800 gallons.",
    )  # fmt: skip


def test_the_director_takes_the_time_of_what_is_listed_and_of_nothing_else(mean):
    mean()
    record(160_000, 160_000, 160_000)
    planned(hauler(), session("2026-10-07T07:00", 1_800, gph=600))
    enter(date(2026, 10, 5), 100_000)
    plant, by = world.plant(), world.staff("director")
    assert end_over_limit(plant, {"B-1007-02"}, by=by, at=MORNING, law=world.law()).code == "others"
    assert kept(end_over_limit(plant, {"B-1007-01"}, by=by, at=MORNING, law=world.law())) == 1
    assert states() == {"B-1007-01": "listed"}
    assert [one.subject for one in notices("time_lost")] == ["Cannot be kept: Wed, Oct 7, 7:00 a.m. (B-1007-01)"]


def test_a_flow_put_in_force_is_the_most_the_mean_can_be(mean):
    mean()
    record(150_000, 150_000, 150_000)
    by = world.staff("director")
    kept(put_flow_in_force(world.plant(), 120_000, WEDNESDAY, "Order 3", by=by, at=MORNING, law=world.law()))
    assert picture(WEDNESDAY).cap.plan_gph == 500
    record(150_000, 150_000, 90_000)
    assert [one.cap.plan_gph for one in (picture(WEDNESDAY), picture(date(2026, 10, 6)))] == [500, 625]


def test_restricting_looks_at_the_limit_of_the_recorded_days(mean):
    mean()
    record(120_000, 120_000, 120_000)
    planned(hauler(), session("2026-10-06T07:00", 300, minutes=60))
    plant, law, at = world.plant(), world.law(), world.at("2026-10-05T16:05")
    refused = restrict_plant(plant, "permit_threat", scope="rate", gph=500, by=world.staff("director"), at=at, law=law)
    assert refused.why == "The lower limit must be between 1 and 499 gallons an hour."
    assert [len(met(plant, law, at, Asked("rate", gph=gph)).groups) for gph in (499, 300, 299)] == [0, 0, 1]


def test_pages_and_the_command_say_the_limit_of_the_recorded_days(mean, app, clock_at):
    mean()
    record(120_000, 120_000, 120_000)
    clock_at("2026-10-05T16:00")
    said = "mean of the 3 days recorded last (October 2 to October 4) = 120,000 gallons a day"
    for address in ("/rules", "/flow"):
        page = re.sub("<[^>]+>", " ", app.test_client().get(f"/bayfield{address}").get_data(as_text=True))
        assert said in page
    assert ask(app, "rate bayfield --date 2026-10-06")["plan_gph"] == 500
    assert ask(app, "rate bayfield --date 2026-10-06 --flow-gpd 96000")["plan_gph"] == 400
    assert ask(app, "fit bayfield --date 2026-10-06 --gallons 1500")["sessions"][0]["gph"] == 500


def ask(app, words):
    """What a command of the law says, as an object."""
    answer = app.test_cli_runner().invoke(law_group, [*words.split(), "--json"])
    assert answer.exit_code == 0, answer.output
    return json.loads(answer.output)


def test_a_booking_that_fitted_when_it_was_made_is_no_fault_of_the_records(mean):
    mean()
    record(160_000, 160_000, 160_000)
    planned(hauler(), session("2026-10-07T07:00", 1_800, gph=600))
    enter(date(2026, 10, 5), 100_000)
    assert check_capacity([world.plant()]) == []
    planned(hauler("Second Pumping", number=2), session("2026-10-07T07:00", 80, gph=80))
    assert [one.rpartition(": ")[2] for one in check_capacity([world.plant()])] == [
        "680 gallons an hour at 2026-10-07 07:00, the limit is 666."
    ]


def test_at_bayfield_no_reading_moves_the_limit_or_tells_anybody():
    book(hauler(), session("2026-10-07T07:00", 1_998))
    record(60_000, 60_000, 60_000)
    assert picture(WEDNESDAY).cap.plan_gph == 666
    assert (notices("limit_moved"), notices("over_limit")) == ([], [])
