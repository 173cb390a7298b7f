"""Receiving points as the plant manager sets them, manholes by written approval (§ 329-7 C(1), D)."""

import json
from dataclasses import replace
from datetime import date, time
from typing import Any

import pytest
from sqlalchemy import select, update

from intake.actions.flow import open_point
from intake.actions.points import end_manhole_permission, permit_manhole, set_point
from intake.models import Booking, Hold, PlannedSession, Point, PointTerms
from intake.queries.bookings import first_point, view
from intake.queries.checks import check_capacity
from intake.queries.point_met import Terms
from office.access import system
from office.db import db
from office.notices import Notice
from ordinances.offers import Session
from ordinances.refusal import Refusal
from tests import world
from tests.house.law_copies import adopt, canonical
from tests.intake.gatehouse import good, kept, said
from tests.intake.plant import (
    MORNING,
    THURSDAY,
    TUESDAY,
    WEDNESDAY,
    Hauler,
    book,
    code,
    hauler,
    picture,
    planned,
    session,
)


@pytest.fixture
def who(app) -> Hauler:
    return hauler()


def station() -> Point:
    found = first_point(world.plant().id)
    assert found is not None
    return found


def set_to(point: Point, since: date = TUESDAY, name: str = "", at: Any = MORNING, by: Any = None, **terms: Any) -> Any:
    """Set a point and commit it."""
    return kept(set_point(world.plant(), point.id, name or point.name, Terms(**terms), since,
                          by=by or world.staff("manager"), at=at, law=world.law(at.date())))  # fmt: skip


def manhole(name: str = "Manhole at Third Street") -> Point:
    made: Any = open_point(world.plant(), name, "manhole", by=system(), at=world.START)
    db.session.commit()
    return made


def permit(point: Point, who: Hauler | None, since: date = TUESDAY, until: date = THURSDAY, by: str = "director",
           written_on: date = date(2026, 10, 5)) -> Any:  # fmt: skip
    return kept(permit_manhole(world.plant(), point.id, who.business_id if who else None, "You may unload there.",
                               written_on, since, until, by=world.staff(by), at=MORNING, law=world.law()))  # fmt: skip


def at_point(one: Session, point: Point) -> Session:
    return replace(one, point=point.id)


def notices(kind: str) -> list[Notice]:
    return list(db.session.scalars(select(Notice).filter_by(kind=kind).order_by(Notice.id)))


def test_point_without_terms_leaves_the_day_as_it_was(who):
    assert (picture().room, picture().largest) == (1_998, 1_998)
    assert picture().steps_at(picture().places[0]) == picture().steps


def test_hours_rate_and_trucks_of_the_point_narrow_what_is_free_there(who):
    set_to(station(), opens=time(7, 30), closes=time(9), max_gph=400, trucks=1, changeover=10)
    assert (picture().room, picture().largest) == (600, 600)
    assert said(book(who, session("2026-10-06T07:30", 601, 400))) == (
        "outside_hours", "Unloading at Receiving station is 7:30 to 9:00 a.m.", "§ 329-7 C(1)")  # fmt: skip
    assert said(book(who, session("2026-10-06T07:30", 300, 450))) == (
        "over_limit", "450 gallons an hour is more than Receiving station takes, 400.", "§ 329-7 C(1)")  # fmt: skip
    assert code(book(who, session("2026-10-06T07:30", 300, 400))) == "booked B-1006-01"
    # Its 45 minutes are over at 8:15; ten more to change the hose.
    other = hauler("Second Pumping", number=2)
    assert code(book(other, session("2026-10-06T08:15", 100, 400))) == "taken"
    assert code(book(other, session("2026-10-06T08:25", 100, 400))) == "booked B-1006-02"
    third = hauler("Third Pumping", number=3)
    assert code(book(third, session("2026-10-06T08:45", 10, 400))) == "taken"
    assert code(book(third, session("2026-10-06T08:50", 10, 400))) == "booked B-1006-03"


def test_touching_sessions_are_fine_where_no_changeover_is_set(who):
    set_to(station(), trucks=1)
    planned(who, session("2026-10-06T07:00", 300, 300))
    other = hauler("Second Pumping", number=2)
    # The limit has 366 gallons an hour left; the place is taken.
    assert code(book(other, session("2026-10-06T07:30", 100, 366))) == "taken"
    assert code(book(other, session("2026-10-06T08:00", 100))) == "booked B-1006-02"


def test_terms_count_from_their_day_and_older_ones_stay_on_record(who):
    set_to(station(), WEDNESDAY, opens=time(8))
    set_to(station(), THURSDAY, opens=time(9))
    assert [picture(day).largest for day in (TUESDAY, WEDNESDAY, THURSDAY)] == [1_998, 1_332, 666]
    rows = db.session.scalars(select(PointTerms).order_by(PointTerms.since))
    assert [row.opens for row in rows] == ["08:00", "09:00"]


def test_closing_a_point_ends_its_bookings_from_the_day_and_tells_their_haulers(who):
    before = book(who, session("2026-10-06T07:00", 300))
    after = book(who, session("2026-10-07T07:00", 300))
    assert isinstance(before, Booking) and isinstance(after, Booking)
    good(set_to(station(), WEDNESDAY, is_open=False))
    assert [view(one, MORNING).state for one in (before, after)] == ["booked", "listed"]
    told = notices("time_lost")
    assert [one.to_name for one in told] == ["Test Pumping"]
    assert told[0].subject == "Cannot be kept: Wed, Oct 7, 7:00 a.m. (B-1007-01)"
    assert told[0].body.splitlines()[0] == (
        "From Wednesday, October 7, 2026 Receiving station is closed (§ 329-7 C(1)).")  # fmt: skip
    # What is offered instead is what the point still takes.
    assert "Times that fit it now: Tue, Oct 6, 7:28 to 7:56 a.m." in told[0].body
    assert (picture(WEDNESDAY).room, picture(WEDNESDAY).largest, picture(TUESDAY).room) == (0, 0, 1_697)


def test_terms_set_already_for_a_later_day_keep_what_is_booked_then(who):
    point, week = station(), [f"2026-10-{day:02d}" for day in (6, 12, 13)]
    mine = [good(book(who, session(f"{day}T07:00", 300))) for day in week]
    good(set_to(point, date(2026, 10, 12)))
    good(set_to(point, TUESDAY, is_open=False))
    assert [view(one, MORNING).state for one in mine] == ["listed", "booked", "booked"]
    [told] = notices("time_lost")
    why = "From Tuesday, October 6, 2026 to Sunday, October 11, 2026 Receiving station is closed (§ 329-7 C(1))."
    assert told.body.splitlines()[0] == why
    assert check_capacity() == []


def test_split_loses_its_place_on_the_day_that_is_closed_and_says_which(who):
    point = station()
    mine = good(book(who, [session("2026-10-06T07:00", 300), session("2026-10-13T07:00", 300)]))
    good(set_to(point, WEDNESDAY, opens=time(7)))
    good(set_to(point, date(2026, 10, 13), is_open=False))
    hold = db.session.scalars(select(Hold)).one()
    assert (view(mine, MORNING).state, hold.day) == ("listed", date(2026, 10, 13))


def test_of_two_that_no_longer_fit_together_the_one_booked_first_stays(who):
    first = planned(who, session("2026-10-06T07:00", 300, 300))
    second = planned(hauler("Second Pumping", number=2), session("2026-10-06T07:00", 300, 366))
    set_to(station(), trucks=1)
    assert [view(one, MORNING).state for one in (first, second)] == ["booked", "listed"]


OUTSIDE = ("hours", "The hours must lie inside the plant's, 7:00 to 10:00 a.m.")


@pytest.mark.parametrize(("terms", "since", "answer"), [
    ({"opens": time(6)}, TUESDAY, OUTSIDE),
    ({"closes": time(10, 1)}, TUESDAY, OUTSIDE),
    ({"opens": time(10)}, TUESDAY, OUTSIDE),
    ({"opens": time(9), "closes": time(9)}, TUESDAY, ("hours", "The point must close after it opens")),
    ({}, date(2026, 10, 4), ("past", "The day must be today or later")),
])  # fmt: skip
def test_point_cannot_be_set_so(who, terms, since, answer):
    assert said(set_to(station(), since, **terms)) == (*answer, "§ 329-7 C(1)")


def test_only_the_plant_manager_sets_a_point(who):
    assert said(set_to(station(), by=world.staff("director"), opens=time(8)))[:2] == (
        "not_your_role", "Only a plant manager may do this.")  # fmt: skip


def test_waste_a_point_does_not_take_is_offered_nowhere_and_says_so(who):
    set_to(station(), wastes=("holding_tank",))
    why = "No receiving point takes septic tank waste on Tuesday, October 6, 2026."
    assert said(book(who, session("2026-10-06T07:00", 300))) == ("no_point", why, "§ 329-7 C(1)")
    assert code(book(who, session("2026-10-06T07:00", 300), waste="holding_tank")) == "booked B-1006-01"


def test_second_station_takes_what_the_first_has_no_place_for_and_both_keep_the_plants_limit(who):
    set_to(station(), trucks=1, max_gph=400)
    second: Any = open_point(world.plant(), "Lagoon", by=system(), at=world.START)
    db.session.commit()
    book(who, session("2026-10-06T07:00", 400, 400))
    made = book(hauler("Second Pumping", number=2), session("2026-10-06T07:00", 266, 266))
    assert isinstance(made, Booking)
    rows = list(db.session.scalars(select(PlannedSession).order_by(PlannedSession.id)))
    assert [row.point_id for row in rows] == [station().id, second.id]
    third = hauler("Third Pumping", number=3)
    assert code(book(third, session("2026-10-06T07:00", 1, 1))) in ("taken", "not_offered")


def test_manhole_is_for_whom_it_is_approved_in_writing_on_its_days(who):
    point, other = manhole(), hauler("Second Pumping", number=2)
    refused = ("manhole", "Nothing is unloaded into Manhole at Third Street on Tuesday, October 6, 2026: no written "
               "approval of the Director or the plant manager allows it.", "§ 329-7 D")  # fmt: skip
    wanted = at_point(session("2026-10-06T07:00", 300), point)
    assert said(book(who, wanted)) == refused
    good(permit(point, who, until=TUESDAY))
    assert said(book(other, wanted)) == refused
    assert code(book(who, wanted)) == "booked B-1006-01"
    assert code(book(who, at_point(session("2026-10-07T07:00", 300), point))) == "manhole"
    # Nobody is led to a manhole who did not ask for it.
    made: Any = book(other, session("2026-10-07T07:00", 300))
    assert db.session.scalars(select(PlannedSession.point_id).filter_by(booking_id=made.id)).one() == station().id


def test_approval_for_every_hauler_tells_each_of_them_in_its_words(who):
    hauler("Second Pumping", number=2)
    row = good(permit(manhole(), None, by="manager"))
    assert row.written_by == "Manager of the City, Plant manager"
    told = notices("manhole_permitted")
    assert [one.to_name for one in told] == ["Test Pumping", "Second Pumping"]
    assert told[0].subject == "You may unload into Manhole at Third Street"
    assert told[0].body.splitlines() == [
        "You may unload into Manhole at Third Street from Tuesday, October 6, 2026 to Thursday, October 8, 2026, by "
        "written approval of Manager of the City, Plant manager, of October 5, 2026 (§ 329-7 D).",
        "", "You may unload there.", "",
        "Somebody of the plant supervises every load there. Choose the manhole when you book.", "",
        "Questions: 715-555-0100, weekdays 7 a.m. to 3 p.m.",
    ]  # fmt: skip


def test_approval_taken_back_leaves_what_another_allows_where_the_manhole_opens_on_a_later_day(who):
    point, other, november = manhole(), hauler("Second Pumping", number=2), date(2026, 11, 2)
    good(set_to(point, date(2026, 10, 5), is_open=False))
    good(set_to(point, november))
    row = good(permit(point, who, until=date(2026, 11, 6)))
    good(permit(point, other, november, date(2026, 11, 6)))
    mine, theirs = (good(book(one, at_point(session(f"2026-11-03T0{hour}:00", 300), point)))
                    for one, hour in ((who, 7), (other, 8)))  # fmt: skip
    kept(end_manhole_permission(world.plant(), row.id, "Repair", by=world.staff("director"), at=MORNING,
                                law=world.law()))  # fmt: skip
    assert [view(one, MORNING).state for one in (mine, theirs)] == ["listed", "booked"]
    assert check_capacity() == []


def test_approval_taken_back_ends_what_was_booked_under_it(who):
    point = manhole()
    row = good(permit(point, who))
    made: Any = book(who, at_point(session("2026-10-06T07:00", 300), point))
    kept(end_manhole_permission(world.plant(), row.id, "The sewer is being repaired", by=world.staff("director"),
                                at=MORNING, law=world.law()))  # fmt: skip
    assert view(made, MORNING).state == "listed"
    told = list(db.session.scalars(select(Notice).order_by(Notice.id)))[-1]
    assert (told.kind, told.body.splitlines()[0]) == (
        "time_lost", "The approval to unload into Manhole at Third Street is taken back: The sewer is being repaired.",
    )  # fmt: skip
    assert code(book(who, at_point(session("2026-10-06T08:00", 300), point))) == "manhole"
    again: Refusal = end_manhole_permission(world.plant(), row.id, "Again", by=world.staff("director"), at=MORNING,
                                            law=world.law())  # type: ignore[assignment]  # fmt: skip
    assert again.code == "already_ended"


@pytest.mark.parametrize(("given", "answer"), [
    ({"written_on": date(2026, 10, 6)}, ("order", "The day it was written must be today or earlier")),
    ({"since": THURSDAY, "until": WEDNESDAY}, ("order", "The last day must be the first day or later")),
    ({"since": date(2026, 10, 1), "until": date(2026, 10, 4)}, ("past", "The last day must be today or later")),
])  # fmt: skip
def test_approval_with_wrong_days_is_not_signed(who, given, answer):
    assert said(permit(manhole(), who, **given)) == (*answer, "§ 329-7 D")


@pytest.mark.parametrize(("column", "value", "finding"), [
    ("opens", "07:30", "planned_session {}: before it opens at Receiving station."),
    ("closes", "07:20", "planned_session {}: after it closes at Receiving station."),
    ("max_gph", 300, "planned_session {}: 643 gallons an hour, 300 are set at Receiving station."),
    ("is_open", False, "planned_session {}: closed at Receiving station."),
])  # fmt: skip
def test_verify_names_a_plan_that_its_point_does_not_allow(who, column, value, finding):
    set_to(station(), changeover=5)
    made: Any = book(who, session("2026-10-06T07:00", 300, minutes=28))
    assert check_capacity() == []
    db.session.execute(update(PointTerms).values({column: value}))
    db.session.commit()
    ident = db.session.scalars(select(PlannedSession.id).filter_by(booking_id=made.id)).one()
    assert check_capacity() == [finding.format(ident)]


def test_verify_names_two_trucks_where_one_may_be_and_a_changeover_cut_short(who):
    set_to(station(), changeover=5)
    first, second = (planned(hauler(f"Pumping {n}", number=n), one) for n, one in (
        (2, session("2026-10-06T07:00", 300, 300)), (3, session("2026-10-06T08:04", 300, 300))))  # fmt: skip
    db.session.execute(update(PointTerms).values(trucks=1))
    db.session.commit()
    found = "2 trucks, 1 may be there with the change of hoses at Receiving station."
    ids = [db.session.scalars(select(PlannedSession.id).filter_by(booking_id=one.id)).one() for one in (first, second)]
    assert check_capacity() == [f"planned_session {one}: {found}" for one in ids]


def test_where_the_law_names_the_director_alone_the_manager_may_not_write_the_approval(who):
    text = canonical()
    next(row for row in text["rows"] if row["key"] == "manhole.written_by")["value"] = "director"
    adopt(json.dumps(text))
    point = manhole()
    assert said(permit(point, who, by="manager")) == (
        "not_your_role", "Only the Public Works Director may write this approval.", "§ 329-7 D")  # fmt: skip
    assert good(permit(point, who)).written_by == "Director of the City, Public Works Director"


def test_only_a_manhole_is_approved_so(who):
    assert said(permit(station(), who))[:2] == ("not_a_manhole", "There is no such manhole at this plant.")
