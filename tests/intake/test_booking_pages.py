"""The hauler's pages: four clicks to a booking, the three choices of a load too big, the page of a time just taken."""

import re
from urllib.parse import urlencode
from uuid import uuid4

import pytest
from sqlalchemy import select

from intake.models import Booking
from intake.queries import offered
from office.db import db
from tests import world
from tests.intake.plant import book, hauler, queries, session

EARLY = "2026-10-05T16:00"
LOAD = {"truck": "1", "gallons": "2000", "waste": "septic_tank"}


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


def address(step: str, **args) -> str:
    return f"/bayfield/hauler/book/{step}?{urlencode(args, doseq=True)}"


def revoke(who, at=EARLY) -> None:
    from haulers.actions.revocation import revoke_approval
    from tests.intake.gatehouse import good, kept

    plant, law = world.plant(), world.law()
    rule = law.value("revocation.grounds", world.at(at).date())[0]
    good(kept(revoke_approval(plant, who.approval_id, rule, "Unloaded at night", by=world.staff("director"),
                              at=world.at(at), law=law)))  # fmt: skip


def times(page: str) -> list[str]:
    return re.findall(r'name="time" value="([^"]+)"', page)


def chosen(page: str) -> list[str]:
    """The time that is chosen beforehand."""
    return re.findall(r'name="time" value="([^"]+)" checked', page)


def post(client, path, **data):
    return client.post(path, data={"once": uuid4().hex} | data)


def test_the_usual_load_is_booked_in_four_clicks(client, who):
    first = post(client, "/bayfield/hauler/book", truck=str(who.truck_id), gallons="1,500", waste="septic_tank")
    assert first.status_code == 303
    page = text(client.get(first.location))
    assert "Tuesday, October 6. You bring <b>1,500 gallons</b>" in page
    assert "7:00 to 9:16 a.m." in page
    second = post(client, first.location, time=times(page)[0])
    check = text(client.get(second.location))
    assert "Tuesday, October 6, 7:00 to 9:16 a.m." in check
    assert "<b>$48.16</b>" in check
    third = post(client, second.location)
    assert third.location == "/bayfield/hauler/booked/B-1006-01"
    assert "B-1006-01" in text(client.get(third.location))


def test_confirming_five_times_makes_one_booking(client, who):
    path = address("check", **LOAD | {"gallons": "300"}, s=offered.to_key(session("2026-10-06T07:00", 300)))
    once = uuid4().hex
    answers = [client.post(path, data={"once": once}) for _ in range(5)]
    assert {one.location for one in answers} == {"/bayfield/hauler/booked/B-1006-01"}
    assert len(db.session.scalars(select(Booking)).all()) == 1


def test_two_thousand_gallons_get_a_page_with_three_choices_and_no_error(client):
    page = text(client.get(address("times", **LOAD)))
    assert "<h1>No time fits 2,000 gallons in one day</h1>" in page
    assert "At 666 gallons an hour it takes 3 hours 1 minute. We are open 3 hours." in page
    assert re.findall(r"<h2>([^<]+)</h2>", page) == [
        "Split over 2 days", "Ask for a special time", "Bring less",
    ]  # fmt: skip
    assert "error-summary" not in page
    assert "See times for 1,998 gallons" in page


def test_the_split_of_that_page_books_as_one_booking_over_two_mornings(client):
    page = text(client.get(address("times", **LOAD)))
    link = re.search(r'href="(/bayfield/hauler/book/check[^"]+)"', page)
    done = post(client, link[1].replace("&amp;", "&"))
    assert done.location == "/bayfield/hauler/booked/B-1006-01"
    booking = db.session.scalars(select(Booking)).one()
    shown = text(client.get(done.location))
    assert booking.gallons == 2_000
    assert "Tuesday, October 6, 7:00 to 10:00 a.m." in shown
    assert "Wednesday, October 7, 7:00 to 7:01 a.m." in shown


def test_the_last_room_booked_twice_gives_the_second_a_page_with_fresh_times(client, who):
    other = hauler("Second Pumping", number=2)
    path = address("check", **LOAD | {"gallons": "600"}, s=offered.to_key(session("2026-10-06T07:00", 600)))
    book(other, session("2026-10-06T07:00", 1_332))
    answer = post(client, path)
    page = text(answer)
    assert answer.status_code == 409
    assert "<h1>That time was just taken</h1>" in page
    assert "Your load is kept: <b>600 gallons</b>" in page
    assert "9:00 to 9:55 a.m." in page
    assert chosen(page) == times(page)[:1]
    fresh = post(client, address("times", **LOAD | {"gallons": "600"}), time=times(page)[0])
    assert post(client, fresh.location).location == "/bayfield/hauler/booked/B-1006-02"


def test_a_full_day_leads_to_the_next_day_with_room(client, who):
    book(who, session("2026-10-06T07:00", 1_998))
    page = text(client.get(address("times", **LOAD | {"gallons": "300"})))
    assert "Wednesday, October 7. You bring <b>300 gallons</b>" in page


def test_only_days_of_the_approval_are_offered_before_it_begins(client, who, clock_at):
    clock_at("2026-09-15T12:00")
    assert "Your approval begins October 1, 2026. Times are offered from that day on." in text(
        client.get("/bayfield/hauler/book"))  # fmt: skip
    for day in ({}, {"day": "2026-09-16"}):
        # The foot of a printed page bears the day of printing.
        page = text(client.get(address("times", **LOAD | {"gallons": "300"}, **day))).split("</nav>", 1)[1]
        assert "Thursday, October 1. You bring <b>300 gallons</b>" in page
        # Only the day asked for is named, to say why it is not the one shown.
        asked = ["September"] if day else []
        assert re.findall(r"Sep \d|September", page) == asked
    split = text(client.get(address("times", **LOAD))).split("</nav>", 1)[1]
    assert ("Thursday, October 1, 7:00 to 10:00 a.m." in split, "September" in split) == (True, False)
    made = post(client, re.search(r'href="(/bayfield/hauler/book/check[^"]+)"', split)[1].replace("&amp;", "&"))
    assert made.location == "/bayfield/hauler/booked/B-1001-01"
    book(who, session("2026-10-06T07:00", 300))
    assert "s=20261002T120" in client.get("/bayfield/hauler/book/again").location
    week = text(client.get("/bayfield/week"))
    assert "/hauler/book?day=" not in week


def test_only_days_of_the_approval_are_offered_up_to_its_last(client, clock_at):
    clock_at("2027-09-29T12:00")
    page = text(client.get(address("times", **LOAD | {"gallons": "300"})))
    assert "Thursday, September 30. You bring <b>300 gallons</b>" in page
    assert "October" not in page
    assert "Oct " not in page


def test_a_revoked_hauler_is_offered_no_time(client, who):
    revoke(who)
    for path in (address("times", **LOAD | {"gallons": "300"}), "/bayfield/hauler/book"):
        page = text(client.get(path))
        assert "<h1>You cannot book now</h1>" in page
        assert times(page) == []


def test_the_time_not_yet_booked_is_striped_and_still_free(client):
    path = address("times", **LOAD | {"gallons": "300"})
    page = text(client.get(path))
    assert "1,998 gallons still free." in page
    assert sum(float(free) for free in re.findall(r'data-free="([0-9.]+)"', page)) == 1998
    stripes = 'fill="url(#'
    first = [stripes in part for part in page.split('class="free')[1:]][:12]
    assert first == [True, True] + [False] * 10
    later = text(client.get(path + "&time=" + times(page)[4]))
    assert [stripes in part for part in later.split('class="free')[1:]][:12] == [False] * 4 + [True] * 2 + [False] * 6
    assert re.findall(r'value="([^"]+)"[^>]* checked', later) == [times(page)[4]]


def test_changing_the_time_on_the_check_page_leads_back_to_the_one_chosen(client):
    page = text(client.get(address("times", **LOAD | {"gallons": "300"})))
    check = text(client.get(post(client, address("times", **LOAD | {"gallons": "300"}), time=times(page)[4]).location))
    back = re.search(r'href="([^"]+/book/times[^"]+)"', check)[1].replace("&amp;", "&")
    assert re.findall(r'value="([^"]+)"[^>]* checked', text(client.get(back))) == [times(page)[4]]


def test_the_start_times_that_do_not_fit_are_folded_with_their_reason(client, who):
    book(who, session("2026-10-06T07:00", 666))
    page = text(client.get(address("times", **LOAD | {"gallons": "1300"}, day="2026-10-06")))
    assert len(times(page)) == 1
    assert "start times do not fit this load. See why" in page
    assert "Room for 1,165 gallons from here, not 1,300." in page


def test_why_there_is_a_limit_is_worked_from_the_law_and_follows_the_flow_in_force(client, who):
    from datetime import date

    from intake.actions.flow import put_flow_in_force

    path = address("times", **LOAD | {"gallons": "300"})
    before = text(client.get(path))
    put_flow_in_force(world.plant(), 120_000, date(2026, 10, 6), "Order 12", by=world.staff("director"),
                      at=world.at(EARLY), law=world.law())  # fmt: skip
    db.session.commit()
    after = text(client.get(path))
    for words in ("160,000 gallons a day ÷ 24 = 6,666", "= 666 gallons", "666 ÷ 4 = 166.5"):
        assert words in before
        assert words not in after
    for words in ("120,000 gallons a day ÷ 24 = 5,000", "= 500 gallons", "500 ÷ 4 = 125"):
        assert words in after


def test_a_truck_that_holds_less_is_said_at_the_field_and_typed_answers_stay(client, who):
    answer = post(client, "/bayfield/hauler/book", truck=str(who.truck_id), gallons="5001", waste="holding_tank")
    page = text(answer)
    assert answer.status_code == 422
    assert page.count("Gallons must be 5,000 or fewer: truck T-1 holds no more") == 2
    assert 'value="5001"' in page


def test_another_haulers_booking_reads_as_not_found(client, who):
    other = hauler("Second Pumping", number=2)
    book(other, session("2026-10-06T07:00", 300))
    for tail in ("", "/cancel"):
        assert client.get(f"/bayfield/hauler/bookings/B-1006-01{tail}").status_code == 404
    assert post(client, "/bayfield/hauler/bookings/B-1006-01/cancel").status_code == 404


def test_cancelling_takes_two_clicks_and_says_so(client, who):
    book(who, session("2026-10-06T07:00", 300))
    page = text(client.get("/bayfield/hauler/bookings/B-1006-01/cancel"))
    assert "<h1>Cancel this booking?</h1>" in page
    post(client, "/bayfield/hauler/bookings/B-1006-01/cancel", reason="Truck is down")
    shown = text(client.get("/bayfield/hauler/bookings/B-1006-01"))
    assert "Cancelled" in shown
    assert "Truck is down" in shown


def test_again_as_last_time_leads_straight_to_the_check_page(client, who):
    book(who, session("2026-10-06T07:00", 600))
    answer = client.get("/bayfield/hauler/book/again")
    page = text(client.get(answer.location))
    assert "Tuesday, October 6, 7:55 to 8:50 a.m." in page
    assert "<b>$26.56</b>" in page


def test_home_shows_the_next_booking_and_the_gallons_left(client, who):
    book(who, session("2026-10-06T07:00", 600))
    page = text(client.get("/bayfield/hauler"))
    assert "<h1>Test Pumping</h1>" in page
    assert "Tuesday, October 6, 7:00 to 7:55 a.m." in page
    assert "0 of 100,000 gallons used; 600 booked; 99,400 left." in page


def test_the_list_of_bookings_begins_with_the_next_one_and_ends_with_the_oldest(client, who, clock_at):
    # Booked in another order than they come; the first is past by the time the list is read.
    for start in ("2026-10-08T07:00", "2026-10-05T07:00", "2026-10-07T07:00", "2026-10-02T07:00"):
        book(who, session(start, 300), at=world.at("2026-10-01T12:00"))
    page = text(client.get("/bayfield/hauler/bookings"))
    assert re.findall(r"<caption>(.*?)</caption>|>(B-[0-9-]+)</a>", page) == [
        ("To come, the next one first", ""), ("", "B-1007-01"), ("", "B-1008-01"),
        ("Past and cancelled, the newest first", ""), ("", "B-1005-01"), ("", "B-1002-01"),
    ]  # fmt: skip


@pytest.mark.parametrize(("server", "words"), [
    ("", "Show this number at the gate. No mail leaves here yet, so note the number or print the gate slip."),
    ("mail.city.example", "Show this number at the gate. We sent it to your e-mail."),
])  # fmt: skip
def test_the_page_of_a_new_booking_says_mail_was_sent_only_where_it_is(app, client, who, server, words):
    app.config["MAIL_SERVER"] = server
    book(who, session("2026-10-06T07:00", 600))
    assert words in text(client.get("/bayfield/hauler/booked/B-1006-01"))


def test_a_phone_reads_the_price_of_each_charge_beside_its_quantity(client, who):
    book(who, session("2026-10-06T07:00", 600))
    page = text(client.get("/bayfield/hauler/bookings/B-1006-01"))
    cell = '<td class="num">600 gallons<span class="only-phone"> at $0.024</span></td>'
    assert cell + '<td class="num not-phone">$0.024</td><td class="num">$14.40</td>' in page


def test_home_offers_booking_before_anything_else(client, who):
    book(who, session("2026-10-06T07:00", 600))
    main = text(client.get("/bayfield/hauler")).split("<main")[1]
    links = re.findall(r"<a [^>]*>(.*?)</a>", main)
    assert links[:2] == ["Book a time to unload", "Book again as last time"]


def test_home_without_approval_says_what_is_missing(app, clock_at):
    from datetime import date

    from haulers.actions.registration import register_business
    from office.access import NOBODY

    clock_at(EARLY)
    register_business(
        name="New Pumping", address="1 Road", phone="715-555-0100", email="new@hauler.example", contact="New Owner",
        password=world.PASSWORD, licence_state="WI", licence_number="L-9", licence_ends=date(2027, 6, 30),
        by=NOBODY, at=world.at(EARLY),
    )  # fmt: skip
    db.session.commit()
    client = app.test_client()
    world.sign_in(client, "new@hauler.example")
    for path in ("/bayfield/hauler", "/bayfield/hauler/book"):
        page = text(client.get(path))
        assert ("You have not applied for season 2026-27" in page, "until the committee" in page) == (True, False)


def test_nonsense_in_the_address_leads_back_to_the_first_step(client):
    for path in (address("times", truck="99", gallons="5", waste="septic_tank"), address("times"),
                 address("check", **LOAD, s="moon"), address("check", **LOAD)):  # fmt: skip
        assert client.get(path).location == "/bayfield/hauler/book"


def test_the_list_of_bookings_costs_the_same_queries_however_long(client, who):
    counts = []
    for n in range(3):
        book(who, session(f"2026-10-06T07:{n:02d}", 1, minutes=1))
        client.get("/bayfield/hauler/bookings")
        with queries() as seen:
            client.get("/bayfield/hauler/bookings")
        counts.append(len([one for one in seen if one.startswith("SELECT")]))
    assert counts == [9] * 3
