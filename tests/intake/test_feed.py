"""A hauler's calendar as a standard parser reads it: the plant's hours, names that stay, versions that only rise."""

from datetime import UTC, datetime
from typing import Any

import pytest
from icalendar import Calendar
from sqlalchemy import select

from haulers.actions.revocation import revoke_approval
from intake.actions.booking import cancel_booking
from intake.actions.feed import end_feed_address, make_feed_address
from intake.actions.moving import move_booking
from intake.actions.restriction import lift_restriction, restrict_plant
from intake.models import Booking
from intake.queries import feed, feed_address
from intake.queries.calendar_file import calendar_file
from office.access import system
from office.db import db
from office.notices import Notice
from office.plants import set_up_plant
from tests import world
from tests.intake.gatehouse import good, kept
from tests.intake.plant import MORNING, TUESDAY, WEDNESDAY, book, code, hauler, queries, session

pytestmark = pytest.mark.usefixtures("app")
LATER = world.at("2026-10-05T17:00")


def read(who: Any, at: datetime = LATER) -> dict[str, Any]:
    """The hauler's calendar through a standard parser: its events by name."""
    plant = world.plant()
    made = calendar_file(plant, "Test", feed.events_of(plant, who.business_id, at), {}, refresh=True)
    return {str(one["uid"]): one for one in Calendar.from_ical(made).walk("VEVENT")}


def version(who: Any, uid: str = "B-1006-01-1@bayfield.septage-desk") -> tuple[str, int]:
    event = read(who)[uid]
    return str(event["status"]), int(event["sequence"])


def test_seven_in_the_morning_is_noon_utc_before_the_clocks_change_and_one_after():
    who = hauler()
    for day in ("2026-10-30", "2026-11-02"):
        book(who, session(f"{day}T07:00", 600))
    found = read(who)
    assert [(uid, one["dtstart"].dt.astimezone(UTC).isoformat(), one["dtend"].dt.astimezone(UTC).isoformat())
            for uid, one in found.items()] == [
        ("B-1030-01-1@bayfield.septage-desk", "2026-10-30T12:00:00+00:00", "2026-10-30T12:55:00+00:00"),
        ("B-1102-01-1@bayfield.septage-desk", "2026-11-02T13:00:00+00:00", "2026-11-02T13:55:00+00:00"),
    ]  # fmt: skip
    assert {str(one["dtstart"].params["TZID"]) for one in found.values()} == {"America/Chicago"}
    assert [one["dtstart"].dt.isoformat()[11:16] for one in found.values()] == ["07:00", "07:00"]


def test_the_file_names_the_zone_with_its_rules_and_says_when_to_look_again():
    who = hauler()
    book(who, session("2026-10-30T07:00", 600))
    made = calendar_file(world.plant(), "Test", feed.events_of(world.plant(), who.business_id, LATER), {}, refresh=True)
    whole = Calendar.from_ical(made)
    zone = whole.walk("VTIMEZONE")[0]
    assert str(zone["tzid"]) == "America/Chicago"
    assert {one["tzoffsetto"].to_ical() for one in zone.subcomponents} == {"-0500", "-0600"}
    assert (str(whole["version"]), whole["refresh-interval"].dt.total_seconds()) == ("2.0", 3600)
    assert made.count(b"\n") == made.count(b"\r\n")
    assert max(len(line) for line in made.split(b"\r\n")) <= 75


def test_an_event_says_what_to_bring_where_and_at_which_rate():
    who = hauler()
    book(who, session("2026-10-06T07:45", 1_000))
    event = read(who)["B-1006-01-1@bayfield.septage-desk"]
    assert str(event["summary"]) == "Unload 1,000 gallons (B-1006-01)"
    assert str(event["location"]) == "Receiving station, 125 South First Street, Bayfield, WI 54814"
    assert str(event["description"]) == (
        "Booking B-1006-01 at Bayfield Wastewater Treatment Works.\n1,000 gallons at 660 gallons an hour. Truck T-1.\n"
        "Questions: 715-555-0100, weekdays 7 a.m. to 3 p.m."
    )
    assert (str(event["status"]), int(event["sequence"])) == ("CONFIRMED", 0)
    assert event["dtstamp"].dt == event["last-modified"].dt == event["created"].dt == MORNING.astimezone(UTC)


def test_a_cancelled_booking_stays_under_its_name_with_a_higher_version_for_sixty_days():
    who = hauler()
    made = book(who, session("2026-10-06T07:00", 600))
    before = version(who)
    kept(cancel_booking(world.plant(), made.id, "Truck broken", by=who.by, at=LATER, law=world.law()))
    status, sequence = version(who)
    assert (before, status, sequence > before[1]) == (("CONFIRMED", 0), "CANCELLED", True)
    event = read(who)["B-1006-01-1@bayfield.septage-desk"]
    assert str(event["summary"]) == "Cancelled: Unload 600 gallons (B-1006-01)"
    assert event["last-modified"].dt == LATER.astimezone(UTC)
    assert len(read(who, world.at("2026-12-05T07:54"))) == 1
    assert read(who, world.at("2026-12-05T07:55")) == {}


def test_a_held_booking_is_tentative_and_stands_again_after_lifting_each_with_a_higher_version():
    who, law, by = hauler(), world.law(), world.staff("director")
    book(who, session("2026-10-06T07:00", 600))
    seen = [version(who)]
    at = world.at("2026-10-05T16:10")
    row = good(kept(restrict_plant(world.plant(), "permit_threat", by=by, at=at, law=law)))
    seen.append(version(who))
    assert "Do not bring this load." in str(read(who)["B-1006-01-1@bayfield.septage-desk"]["description"])
    kept(lift_restriction(world.plant(), row.id, "Ammonia is down", by=by, at=world.at("2026-10-05T16:30"), law=law))
    seen.append(version(who))
    assert [status for status, _ in seen] == ["CONFIRMED", "TENTATIVE", "CONFIRMED"]
    assert [n for _, n in seen] == sorted({n for _, n in seen})


def test_the_calendar_of_a_revoked_hauler_shows_every_booking_as_cancelled():
    who = hauler()
    book(who, session("2026-10-06T07:00", 600))
    before = version(who)
    revoked = revoke_approval(world.plant(), who.approval_id, "§ 329-7 C(2)", "Unloaded at a manhole.",
                              by=world.staff("director"), at=world.at("2026-10-05T16:30"), law=world.law())  # fmt: skip
    good(kept(revoked))
    status, sequence = version(who)
    assert (status, sequence > before[1]) == ("CANCELLED", True)


def move(booking: Booking, *starts: str, gallons: int, **more: Any) -> None:
    good(kept(move_booking(world.plant(), booking.id, [session(start, gallons) for start in starts], at=LATER,
                           law=world.law(), **more)))  # fmt: skip


def test_a_moved_booking_keeps_its_name_with_a_higher_version_each_time():
    who = hauler()
    made = book(who, session("2026-10-06T07:00", 600))
    seen = [version(who)[1]]
    for start in ("2026-10-07T08:00", "2026-10-08T07:30"):
        move(made, start, gallons=600, by=who.by)
        found = read(who)
        assert list(found) == ["B-1006-01-1@bayfield.septage-desk"]
        assert found["B-1006-01-1@bayfield.septage-desk"]["dtstart"].dt == world.at(start)
        seen.append(version(who)[1])
    assert seen == sorted(set(seen))


def mornings(who: Any) -> list[tuple[str, str, datetime]]:
    return [(uid.partition("@")[0], str(one["status"]), one["dtstart"].dt) for uid, one in read(who).items()]


def test_a_session_that_a_booking_has_no_more_is_cancelled_under_its_own_name():
    who = hauler()
    made = book(who, [session("2026-10-06T07:00", 1_000), session("2026-10-07T07:00", 500)])
    move(made, "2026-10-08T07:00", gallons=1_500, by=who.by)
    assert mornings(who) == [
        ("B-1006-01-2", "CANCELLED", world.at("2026-10-07T07:00")),
        ("B-1006-01-1", "CONFIRMED", world.at("2026-10-08T07:00")),
    ]


def test_one_morning_cancelled_or_moved_leaves_the_other_its_name():
    who = hauler()
    made = book(who, [session("2026-10-06T07:00", 1_000), session("2026-10-07T07:00", 500)])
    move(made, "2026-10-08T07:00", gallons=1_000, by=who.by, part=TUESDAY)
    assert mornings(who) == [
        ("B-1006-01-2", "CONFIRMED", world.at("2026-10-07T07:00")),
        ("B-1006-01-1", "CONFIRMED", world.at("2026-10-08T07:00")),
    ]
    kept(cancel_booking(world.plant(), made.id, "Less to bring", part=WEDNESDAY, by=who.by, at=LATER, law=world.law()))
    assert [(name, status) for name, status, _ in mornings(who)] == [
        ("B-1006-01-2", "CANCELLED"), ("B-1006-01-1", "CONFIRMED"),
    ]  # fmt: skip


def test_a_load_over_two_mornings_is_two_events():
    who = hauler()
    book(who, [session("2026-10-06T07:00", 1_000), session("2026-10-07T07:00", 1_500)])
    assert [(uid, str(one["summary"])) for uid, one in read(who).items()] == [
        ("B-1006-01-1@bayfield.septage-desk", "Unload 1,000 gallons (B-1006-01)"),
        ("B-1006-01-2@bayfield.septage-desk", "Unload 1,500 gallons (B-1006-01)"),
    ]


def test_a_calendar_is_read_in_as_many_queries_with_thirty_bookings_as_with_one():
    who = hauler()
    counts = []
    for many in (1, 29):
        for n in range(many):
            day = world.at("2026-10-12T07:00").toordinal() + 7 * (n // 3) if many > 1 else 0
            start = datetime.fromordinal(day).strftime("%Y-%m-%d") if day else "2026-10-06"
            made = book(who, session(f"{start}T0{7 + n % 3}:00", 300))
            assert isinstance(made, Booking), made
        # What is kept of approvals from one answer to the next is asked once.
        feed.events_of(world.plant(), who.business_id, LATER)
        db.session.rollback()
        with queries() as seen:
            found = feed.events_of(world.plant(), who.business_id, LATER)
        counts.append((len(found), len(seen)))
    assert [events for events, _ in counts] == [1, 30]
    assert counts[0][1] == counts[1][1]


def test_another_haulers_bookings_are_not_in_the_calendar():
    one, other = hauler(), hauler("Other Pumping", number=2)
    book(one, session("2026-10-06T07:00", 300))
    book(other, session("2026-10-06T08:00", 300))
    assert list(read(one)) == ["B-1006-01-1@bayfield.septage-desk"]
    assert list(read(other)) == ["B-1006-02-1@bayfield.septage-desk"]


def test_the_table_holds_only_what_an_address_is_looked_up_by():
    who, key = hauler(), "k" * 40
    row = good(kept(make_feed_address(world.plant(), who.business_id, key, by=who.by, at=MORNING)))
    word = feed_address.shown(row, key)
    assert word is not None
    assert word not in (row.nonce, row.address_sha256)
    assert feed_address.asked(world.plant().id, word) == row
    assert feed_address.shown(row, "another key") is None
    assert feed_address.asked(world.plant().id, row.address_sha256) is None


def test_an_address_of_one_plant_reads_nothing_at_another():
    who, key = hauler(), "k" * 40
    row = good(kept(make_feed_address(world.plant(), who.business_id, key, by=who.by, at=MORNING)))
    other = good(kept(set_up_plant(slug="elsewhere", name="Elsewhere", city="Elsewhere", zone="America/Chicago",
                                   phone="", help_hours="", address="", by=system(), at=MORNING)))  # fmt: skip
    word = feed_address.shown(row, key)
    assert (feed_address.asked(world.plant().id, word), feed_address.asked(other.id, word)) == (row, None)


def test_a_new_address_ends_the_one_before_and_off_ends_both():
    who, key, plant = hauler(), "k" * 40, world.plant()
    words = []
    for _ in range(2):
        row = good(kept(make_feed_address(plant, who.business_id, key, by=who.by, at=MORNING)))
        words.append(feed_address.shown(row, key))
    assert [feed_address.asked(plant.id, word) is not None for word in words] == [False, True]
    good(kept(end_feed_address(plant, who.business_id, by=who.by, at=LATER)))
    assert [feed_address.asked(plant.id, word) for word in words] == [None, None]
    assert code(end_feed_address(plant, who.business_id, by=who.by, at=LATER)) == "no_feed"
    told = db.session.scalars(select(Notice).filter_by(kind="calendar_address").order_by(Notice.id)).all()
    assert [(one.to_email, one.body) for one in told] == [(who.email, f"Test Pumping Owner {said}") for said in (
        "made an address for your calendar, with the bookings at Bayfield Wastewater Treatment Works. "
        "You see and change it when you sign in, at Your calendar.",
        "made a new address for your calendar, with the bookings at Bayfield Wastewater Treatment Works. The one "
        "before has stopped working on every phone. You see and change it when you sign in, at Your calendar.",
        "turned your calendar off, with the bookings at Bayfield Wastewater Treatment Works. "
        "You see and change it when you sign in, at Your calendar.",
    )]  # fmt: skip


def test_nobody_makes_or_ends_the_address_of_another_company():
    who, other = hauler(), hauler("Other Pumping", number=2)
    plant = world.plant()
    assert code(make_feed_address(plant, who.business_id, "k" * 40, by=other.by, at=MORNING)) == "not_yours"
    assert code(end_feed_address(plant, who.business_id, by=other.by, at=MORNING)) == "not_yours"
    assert code(make_feed_address(plant, who.business_id, "k" * 40, by=world.staff("clerk"), at=MORNING)) == (
        "not_your_role"
    )
