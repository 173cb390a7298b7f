"""A hauler's own pages say only what still holds: after a revocation, a restriction, a cancelling, an unloading."""

import re
from datetime import date
from uuid import uuid4

import pytest

from haulers.actions.reinstatement import reinstate_approval
from haulers.actions.revocation import revoke_approval
from intake.actions.booking import cancel_booking
from intake.actions.restriction import lift_restriction, restrict_plant
from tests import world
from tests.haulers.builders import issued, roll
from tests.intake.gatehouse import booked, good, kept, log, refuse
from tests.intake.plant import book, code, hauler, session

EARLY = "2026-10-05T16:00"


@pytest.fixture
def who(app, clock_at):
    clock_at(EARLY)
    return hauler()


@pytest.fixture
def client(app, who):
    made = app.test_client()
    world.sign_in(made, who.email)
    return made


def text(answer) -> str:
    return str(answer.get_data(as_text=True))


def one(client, number: str) -> str:
    return text(client.get(f"/bayfield/hauler/bookings/{number}"))


def offered(page: str) -> list[str]:
    """Which of the doings of a booking's page are on it."""
    words = ("Print gate slip", "What it will cost", "Cancel this booking", "Book another time",
             "See times for this load")  # fmt: skip
    return [word for word in words if word in page.split("<main")[1]]


def cancelling(client, number: str) -> tuple[int, str]:
    """Status and reason of the page that would cancel; it leads back to the booking when it refuses."""
    answer = client.get(f"/bayfield/hauler/bookings/{number}/cancel")
    page = text(answer)
    if answer.status_code == 200:
        return 200, ""
    assert "<h1>This booking cannot be cancelled</h1>" in page
    assert f'href="/bayfield/hauler/bookings/{number}">Back to the booking</a>' in page
    sent = client.post(f"/bayfield/hauler/bookings/{number}/cancel", data={"once": uuid4().hex})
    assert sent.status_code == answer.status_code
    return answer.status_code, re.findall(r'panel-title">.*?<span>(.*?)</span>', page)[0]


def revoke(who, from_day: date | None = None) -> None:
    rule = world.law().value("revocation.grounds", world.at(EARLY).date())[0]
    good(kept(revoke_approval(world.plant(), who.approval_id, rule, "Unloaded at night", (), from_day,
                              by=world.staff("director"), at=world.at(EARLY), law=world.law())))  # fmt: skip


def give_back(who, first: date):
    """The revoked approval again, from a day on."""
    made = reinstate_approval(world.plant(), who.approval_id, roll(held_on=world.at(EARLY).date()), "Mended", first,
                              by=world.staff("clerk"), at=world.at(EARLY), law=world.law())  # fmt: skip
    good(kept(issued(made, EARLY)))


def main(client, path: str) -> str:
    return " ".join(text(client.get(f"/bayfield/{path}")).split("<main")[1].split())


def restrict(at: str):
    return good(kept(restrict_plant(world.plant(), "permit_threat", by=world.staff("director"), at=world.at(at),
                                    law=world.law())))  # fmt: skip


def test_after_a_revocation_home_counts_no_booking_and_offers_no_cancelling(client, who):
    good(log(who, 300, "2026-10-05T08:00"))
    book(who, session("2026-10-06T07:00", 600))
    before = text(client.get("/bayfield/hauler"))
    assert "300 of 100,000 gallons used; 600 booked; 99,100 left." in before
    revoke(who)
    page = text(client.get("/bayfield/hauler"))
    assert "300 gallons were unloaded under approval A-2026-27-001. The rest of it is not valid any more." in page
    assert [word for word in (" booked;", " left.", ">Cancel<", "/cancel", "Book a time") if word in page] == []
    assert "<h2>Not valid any more</h2>" in page
    assert "B-1006-01</a>, Tue, Oct 6, 600 gallons: the approval is not in force" in page
    assert "<p>No bookings.</p>" in page


def test_a_booking_of_a_revoked_approval_is_neither_printed_nor_cancelled(client, who):
    book(who, session("2026-10-06T07:00", 600))
    assert offered(one(client, "B-1006-01")) == ["Print gate slip", "What it will cost", "Cancel this booking"]
    revoke(who)
    page = one(client, "B-1006-01")
    assert offered(page) == []
    assert "Not valid any more: approval not in force" in page
    assert cancelling(client, "B-1006-01") == (
        409, "Booking B-1006-01 keeps no time any more, so nothing has to be cancelled.",
    )  # fmt: skip
    assert client.get("/bayfield/hauler/booked/B-1006-01").location == "/bayfield/hauler/bookings/B-1006-01"


def test_a_cancelled_booking_shows_only_the_way_to_another(client, who):
    booking = booked(book(who, session("2026-10-06T07:00", 600)))
    good(kept(cancel_booking(world.plant(), booking.id, "", by=who.by, at=world.at(EARLY), law=world.law())))
    assert offered(one(client, "B-1006-01")) == ["Book another time"]
    assert cancelling(client, "B-1006-01") == (409, "Booking B-1006-01 is cancelled already.")


def test_a_held_booking_is_not_printed_and_may_be_cancelled_a_missed_one_may_not(client, who, clock_at):
    book(who, session("2026-10-06T09:00", 300))
    row = restrict("2026-10-06T08:00")
    clock_at("2026-10-06T08:01")
    assert offered(one(client, "B-1006-01")) == ["What it will cost", "Cancel this booking", "Book another time"]
    assert cancelling(client, "B-1006-01") == (200, "")
    clock_at("2026-10-06T09:01")
    good(kept(lift_restriction(world.plant(), row.id, "Done", by=world.staff("director"),
                               at=world.at("2026-10-06T09:01"), law=world.law())))  # fmt: skip
    # The first is what its panel says to do.
    assert offered(one(client, "B-1006-01")) == ["Book another time", "See times for this load"]
    times = re.search(r'href="([^"]+)">See times for this load', one(client, "B-1006-01"))
    assert times and "9:02 to 9:30 a.m." in text(client.get(times[1].replace("&amp;", "&")))
    assert cancelling(client, "B-1006-01")[0] == 409
    home = text(client.get("/bayfield/hauler"))
    assert "B-1006-01</a>, Tue, Oct 6, 300 gallons: missed by a restriction" in home
    assert "/cancel" not in home


def test_an_unloaded_booking_links_its_ticket(client, who, clock_at):
    booking = booked(book(who, session("2026-10-06T07:00", 300)))
    load = good(log(who, 300, booking=booking))
    clock_at("2026-10-06T09:00")
    page = one(client, "B-1006-01")
    assert offered(page) == []
    assert f'href="/bayfield/hauler/loads/{load.ticket}">Ticket {load.ticket}</a>' in page
    assert cancelling(client, "B-1006-01") == (
        409, "The load of booking B-1006-01 is at the plant or unloaded already.",
    )  # fmt: skip


def test_a_refused_truck_links_its_ticket_and_a_day_gone_by_is_said(client, who, clock_at):
    first = booked(book(who, session("2026-10-06T07:00", 300)))
    book(who, session("2026-10-06T08:00", 300))
    load = good(refuse(who, "2026-10-06T07:05", booking=first))
    clock_at("2026-10-06T11:00")
    assert f">Ticket {load.ticket}</a>" in one(client, "B-1006-01")
    assert offered(one(client, "B-1006-02")) == ["Print gate slip", "What it will cost"]
    clock_at("2026-10-07T00:00")
    page = one(client, "B-1006-02")
    assert "Its day has passed" in page
    assert offered(page) == ["Book another time"]
    assert cancelling(client, "B-1006-02")[0] == 409


@pytest.mark.parametrize("address", ["booked", "bookings"])
def test_the_gate_slip_has_the_hauler_the_license_the_truck_and_the_waste(client, who, address):
    book(who, session("2026-10-06T07:00", 600))
    page = text(client.get(f"/bayfield/hauler/{address}/B-1006-01"))
    rows = dict(re.findall(r"<dt>([^<]+)</dt>\s*<dd>(.*?)</dd>", page))
    assert {key: rows.get(key) for key in ("Hauler", "License number", "Truck", "Kind of waste")} == {
        "Hauler": "Test Pumping", "License number": "WI, L-1", "Truck": 'Truck, <span class="text-nowrap">T-1</span>',
        "Kind of waste": "Septic tank",
    }  # fmt: skip


def test_an_approval_given_back_from_a_later_day_is_on_home_and_can_be_booked_for_days_from_then(client, who):
    good(log(who, 300, "2026-10-05T08:00"))
    revoke(who)
    assert main(client, "hauler/book").count("<h1>You cannot book now</h1>") == 1
    give_back(who, date(2026, 10, 7))
    page = main(client, "hauler")
    assert "Approval A-2026-27-001 was revoked on October 5, 2026." in page
    assert "Approval A-2026-27-002 begins October 7, 2026." in page
    assert "<p>It allows 200,000 gallons. You can book for days from then.</p>" in page
    assert "300 of 100,000 gallons used; 0 booked; 99,700 left." in page
    assert 'href="/bayfield/hauler/book">Book a time to unload</a>' in page
    page = main(client, "hauler/book")
    assert "<p>Your approval begins October 7, 2026. Times are offered from that day on.</p>" in page
    truck = f"truck={who.truck_id}&gallons=600&waste=septic_tank"
    page = main(client, f"hauler/book/times?{truck}&day=2026-10-06")
    assert "Wednesday, October 7" in page
    why = "No times are offered on Tuesday, October 6, 2026: it is outside the approval."
    assert page.count("October 6") == page.count(why) == 1
    assert code(book(who, session("2026-10-06T07:00", 600))) == "revoked"
    assert code(book(who, session("2026-10-07T07:00", 600))) == "booked B-1007-01"


def test_a_revocation_from_a_day_to_come_is_on_home_with_its_day(client, who):
    assert "is revoked from" not in main(client, "hauler")
    revoke(who, date(2026, 10, 20))
    page = main(client, "hauler")
    assert "Approval A-2026-27-001 is revoked from October 20, 2026" in page
    assert "<p>Do not bring septage from that day on. Your letter says why, and what you can do.</p>" in page
    assert 'href="/bayfield/hauler/letters">Your letters</a>' in page
    assert "You are approved until" not in page
    assert 'href="/bayfield/hauler/book">Book a time to unload</a>' in page
