"""Pages of the waiting list: asked for where nothing fits, an offer answered by a button, positions, the plant's."""

import re
from uuid import uuid4

import pytest
from sqlalchemy import select

from intake.actions.booking import cancel_booking
from intake.models import RoomOffer, Wait
from office.db import db
from tests import world
from tests.intake.plant import MORNING, TUESDAY, book, hauler, queries, session

LOAD = "gallons=600&waste=septic_tank"


@pytest.fixture
def who(app, clock_at):
    clock_at("2026-10-05T16:00")
    return hauler()


@pytest.fixture
def full(who):
    """Tuesday is full by another hauler."""
    other = hauler("Full Pumping", number=9)
    return other, book(other, session("2026-10-06T07:00", 1_998))


@pytest.fixture
def client(app, who):
    made = app.test_client()
    world.sign_in(made, who.email)
    return made


def text(answer) -> str:
    return re.sub(r"\s+", " ", answer.get_data(as_text=True))


def post(client, path, **data):
    return client.post(path, data={"once": uuid4().hex} | data)


def days(first=(10, 6, 2026), last=(10, 6, 2026)):
    parts = ("month", "day", "year")
    return {f"{name}-{part}": str(value) for name, day in (("first", first), ("last", last))
            for part, value in zip(parts, day, strict=True)}  # fmt: skip


def ask(client, who, **more):
    return post(client, f"/bayfield/hauler/waiting/ask?truck={who.truck_id}&{LOAD}", **days(**more))


def free(full):
    cancel_booking(world.plant(), full[1].id, "", by=full[0].by, at=MORNING, law=world.law())
    db.session.commit()


def test_a_full_day_leads_from_the_times_to_the_list(client, who, full):
    page = text(client.get(f"/bayfield/hauler/book/times?truck={who.truck_id}&{LOAD}"))
    link = re.search(r'href="([^"]+)">Wait for room on a full day', page)[1].replace("&amp;", "&")
    shown = text(client.get(link))
    assert "<h1>For which days do you wait?</h1>" in shown
    assert "It is kept for them for 4 hours, but never past its start." in shown
    assert "The text names no waiting list." in shown
    done = post(client, link, **days())
    assert done.location == "/bayfield/hauler/waiting"
    assert "On the waiting list for 600 gallons." in text(client.get(done.location))
    assert db.session.scalars(select(Wait.first_day)).one() == TUESDAY


def test_nothing_to_wait_for_leads_to_the_times(client, who, full):
    answer = ask(client, who, last=(10, 7, 2026))
    page = text(answer)
    assert answer.status_code == 409
    assert "This load fits on Wednesday, October 7, 2026 now, so there is nothing to wait for." in page
    assert "day=2026-10-07" in page
    wrong = ask(client, who, first=(10, 8, 2026), last=(10, 7, 2026))
    assert (wrong.status_code, "The last day must be the first day or later, and not past" in text(wrong)) == (
        422,
        True,
    )


def test_an_offer_is_on_the_home_page_and_two_buttons_answer_it(client, who, full):
    ask(client, who)
    assert "Room for" not in text(client.get("/bayfield/hauler"))
    free(full)
    home = text(client.get("/bayfield/hauler"))
    assert "Room for 600 gallons: Tue, Oct 6, 7:00 to 7:55 a.m." in home
    assert "Kept for you until Monday, October 5, 2026, 8:00 p.m." in home
    link = re.search(r'href="(/bayfield/waiting/offers/\d+)"', home)[1]
    page = text(client.get(link))
    assert ("Book this time" in page, "Pass it on" in page, "<b>$26.56</b>" in page) == (True, True, True)
    done = post(client, link, step="yes")
    assert done.location == "/bayfield/hauler/booked/B-1006-02"
    shown = text(client.get("/bayfield/hauler/waiting"))
    assert '<a href="/bayfield/hauler/bookings/B-1006-02">Booked: B-1006-02</a>' in shown
    assert "This offer is answered" in text(client.get(link))


def test_passing_it_on_keeps_the_place(client, who, full):
    ask(client, who)
    free(full)
    link = f"/bayfield/waiting/offers/{db.session.scalars(select(RoomOffer.id)).one()}"
    done = post(client, link, step="no")
    assert "The room is passed on. You stay in line for other room." in text(client.get(done.location))
    again = post(client, link, step="yes")
    assert (again.status_code, "This offer is answered" in text(again)) == (409, True)


def test_the_list_is_empty_and_leaving_it_is_one_button(client, who, full):
    assert "You wait for nothing." in text(client.get("/bayfield/hauler/waiting"))
    ask(client, who)
    page = text(client.get("/bayfield/hauler/waiting"))
    assert '<th scope="row">1</th><td>Tue, Oct 6<span class="note">600 gallons, septic tank</span></td>' in page
    link = re.search(r'href="(/bayfield/waiting/\d+/leave)"', page)[1]
    assert "Asking again means the end of the line." in text(client.get(link))
    post(client, link)
    assert "Left the list" in text(client.get("/bayfield/hauler/waiting"))


def test_the_plant_sees_everybody_in_order_and_answers_by_phone(app, client, who, full):
    second = hauler("Second Pumping", number=2)
    desk, theirs = app.test_client(), app.test_client()
    world.sign_in(desk, "operator")
    world.sign_in(theirs, second.email)
    assert "Nobody waits for room." in text(desk.get("/bayfield/plant/waiting"))
    ask(client, who)
    post(desk, f"/bayfield/plant/phone/{second.business_id}/wait?truck={second.truck_id}&{LOAD}", **days())
    page = text(desk.get("/bayfield/plant/waiting"))
    assert re.findall(r'<th scope="row">(\d)</th><td>([^<]+)<', page) == [
        ("1", "Test Pumping"), ("2", "Second Pumping")]  # fmt: skip
    assert "by Operator of the City" in page
    free(full)
    first, other = db.session.scalars(select(RoomOffer.id).order_by(RoomOffer.id))
    assert theirs.get(f"/bayfield/waiting/offers/{first}").status_code == 404
    done = post(desk, f"/bayfield/waiting/offers/{other}", step="yes")
    assert "by phone, entered by Operator of the City" in text(desk.get(done.location))


def test_the_plants_list_costs_the_same_queries_however_long(app, who, full):
    desk = app.test_client()
    world.sign_in(desk, "clerk")
    # The first answer of a process asks once more, for what it keeps from then on.
    desk.get("/bayfield/plant/waiting")
    counts = []
    for n in range(3):
        one = hauler(f"Hauler {n}", number=20 + n)
        post(desk, f"/bayfield/plant/phone/{one.business_id}/wait?truck={one.truck_id}&{LOAD}", **days())
        with queries() as seen:
            desk.get("/bayfield/plant/waiting")
        counts.append(len(seen))
    assert counts == [counts[0]] * 3
