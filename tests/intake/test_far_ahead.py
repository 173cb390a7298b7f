"""How far ahead a time is booked: to the end of the approval, or as many days as the city says; odd dates read on."""

import json
import re
from datetime import date, time

import pytest

from intake.actions.special import Ask, ask_special
from intake.actions.waiting import ask_to_wait
from intake.queries import offered
from intake.queries.asked_day import other_day
from intake.queries.terms import terms_of
from office.db import db
from ordinances.booking_terms import too_far
from ordinances.reader import Law
from tests import world
from tests.house.law_copies import adopt, canonical
from tests.intake.plant import TUESDAY, book, code, hauler, session
from tests.intake.test_moving import move

pytestmark = pytest.mark.usefixtures("app")
MONDAY = world.at("2026-10-05T16:00")
FAR = "A time is booked at most 14 days ahead: today until Monday, October 19, 2026."


def ahead_days(days: int) -> None:
    """Bayfield's law with a rule of how far ahead a time is booked, in force."""
    text = canonical()
    text["rows"].append(dict(text["rows"][0], key="booking.ahead_days", value=days, cite="§ 12-5", source="profile"))
    adopt(json.dumps(text))


def test_without_a_rule_of_the_city_the_last_day_of_the_approval_is_booked_and_not_the_next():
    who = hauler()
    assert code(book(who, session("2027-09-30T07:00", 300))) == "booked B-0930-01"
    refused = book(who, session("2027-10-01T07:00", 300))
    assert (code(refused), refused.why, refused.cite) == (
        "not_approved", "Your approval A-2026-27-001 runs from October 1, 2026 to September 30, 2027.",
        "§ 329-7 B(2)",
    )  # fmt: skip


def test_a_rule_of_the_city_holds_to_the_day_for_a_booking_a_move_and_a_special_time():
    ahead_days(14)
    who, law = hauler(), world.law()
    booking = book(who, session("2026-10-19T07:00", 300))
    refused = book(who, session("2026-10-20T07:00", 300))
    assert (code(booking), code(refused), refused.why, refused.cite, refused.next_step) == (
        "booked B-1019-01", "too_far", FAR, "§ 12-5", "Choose an earlier day.",
    )  # fmt: skip
    assert move(who, booking, session("2026-10-20T07:00", 300)).why == FAR
    ask = Ask(who.business_id, who.truck_id, "septic_tank", 600, date(2026, 10, 20), time(14), "A tank is full")
    assert ask_special(world.plant(), ask, by=who.by, at=MONDAY, law=law).why == FAR
    db.session.rollback()
    # A day later one day more can be booked.
    assert code(book(who, session("2026-10-20T07:00", 300), at=world.at("2026-10-06T00:00"))) == "booked B-1020-01"


def test_offers_and_the_waiting_list_end_where_booking_does():
    ahead_days(2)
    who = hauler()
    terms = terms_of(world.plant().id, who.business_id, world.law(), MONDAY, "septic_tank")
    found = offered.find(world.plant(), terms, MONDAY, 600)
    why = "A time is booked at most 2 days ahead: today until Wednesday, October 7, 2026"
    assert [(one.day.day, one.fits, one.why) for one in found.days[:4]] == [
        (5, False, ""), (6, True, ""), (7, True, ""), (8, False, why),
    ]  # fmt: skip
    done = ask_to_wait(world.plant(), who.business_id, who.truck_id, "septic_tank", 600, date(2026, 10, 8),
                       date(2026, 10, 9), by=who.by, at=MONDAY, law=world.law())  # fmt: skip
    assert (done.code, done.why) == ("own", f"{why}.")
    assert other_day(world.law(), date(2026, 10, 5), date(2026, 10, 8), TUESDAY) == (
        f"No times are offered on Thursday, October 8, 2026. {why}. Below is Tuesday, October 6, 2026."
    )


def test_a_day_of_the_approval_further_off_than_the_list_is_shown_when_it_is_asked_for():
    who = hauler()
    terms = terms_of(world.plant().id, who.business_id, world.law(), MONDAY, "septic_tank")
    for day, shown in ((date(2027, 6, 1), date(2027, 6, 1)), (date(2027, 10, 1), date(2026, 10, 6)),
                       (date(2027, 6, 5), date(2026, 10, 6)), (date.max, date(2026, 10, 6))):  # fmt: skip
        found = offered.find(world.plant(), terms, MONDAY, 600, day)
        assert (found.day, len(found.days)) == (shown, 11 if day == shown else 10)


def test_a_law_without_the_row_knows_no_such_day():
    law: Law = world.law()
    assert too_far(law, date.max, date(2026, 10, 5)) is None


DAYS = ["2026-10-04", "2020-02-30", "9999-12-31", "0001-01-01", "10000-01-01", "tomorrow", "2027-06-01", "-1", "é", ""]
KEYS = ["99991231T1200-99991231T1300-600-600", "00010101T0000-00010101T0100-600-600", "20261005T1200-20261005T1300-6-6",
        "20990601T1200-20990601T1255-655-600", "20201006T1200-20201006T1255-655-600", "x", "20261006T1200",
        "20261006T1200-20261006T1255-655-600-99999999999999999999"]  # fmt: skip


@pytest.fixture
def client(app, clock_at):
    clock_at("2026-10-05T16:00")
    client = app.test_client()
    client.who = hauler()
    world.sign_in(client, client.who.email)
    return client


def addresses(who) -> list[str]:
    load = f"truck={who.truck_id}&gallons=600&waste=septic_tank"
    pages = [f"hauler/book/times?{load}&day={day}" for day in DAYS]
    pages += [f"hauler/book/check?{load}&s={key}" for key in KEYS]
    pages += [f"hauler/book?day={day}" for day in DAYS] + [f"hauler/special?day={day}" for day in DAYS]
    pages += [f"hauler/waiting/ask?{load}&day={day}" for day in DAYS]
    pages += [f"bookings/B-1006-01/move/times?day={day}" for day in DAYS]
    return pages + [f"bookings/B-1006-01/move/check?s={key}" for key in KEYS] + [f"day/{day or '-'}" for day in DAYS]


def test_odd_dates_in_an_address_never_end_in_an_error(client):
    book(client.who, session("2026-10-06T07:00", 600))
    answers = {one: client.get(f"/bayfield/{one}").status_code for one in addresses(client.who)}
    assert {one: status for one, status in answers.items() if status not in (200, 302, 404)} == {}


@pytest.mark.parametrize(("key", "says"), [
    ("99991231T1200-99991231T1255-655-600", "runs from October 1, 2026 to September 30, 2027"),
    ("20271001T1200-20271001T1255-655-600", "runs from October 1, 2026 to September 30, 2027"),
    ("20201006T1200-20201006T1255-655-600", "That time has passed"),
    ("20261004T1200-20261004T1255-655-600", "That time has passed"),
])  # fmt: skip
def test_a_typed_time_outside_the_approval_or_past_is_refused_with_the_reason(client, key, says):
    who = client.who
    page = f"/bayfield/hauler/book/check?truck={who.truck_id}&gallons=600&waste=septic_tank&s={key}"
    shown = client.get(page).get_data(as_text=True)
    once = re.search(r'name="once" value="([^"]+)"', shown)
    assert once is not None
    token = re.search(r'name="csrf_token"[^>]*value="([^"]+)"', shown)
    answer = client.post(page, data={"once": once[1], "csrf_token": token[1] if token else ""})
    assert (answer.status_code, says in answer.get_data(as_text=True)) == (409, True)


@pytest.mark.parametrize(("page", "year", "says"), [
    ("hauler/special", "9999", "Day must have a year between 1900 and 2100"),
    ("hauler/special", "2099", "Your approvals allow no booking on this day."),
    ("hauler/special", "2020", "December 31, 2020, 2:00 p.m. has passed or begun: it is Monday, October 5"),
    ("hauler/waiting/ask", "9999", "First day must have a year between 1900 and 2100"),
    ("hauler/waiting/ask", "2099", "Choose days up to December 4, 2026"),
    ("hauler/waiting/ask", "2020", "The last day must be the first day or later, and not past"),
])  # fmt: skip
def test_odd_years_typed_into_a_form_are_answered_at_the_form(client, page, year, says):
    who, date3 = client.who, {"month": "12", "day": "31", "year": year}
    data = {f"{name}-{part}": value for name in ("day", "first", "last") for part, value in date3.items()}
    data |= {"begins": "2 p.m.", "gallons": "600", "truck": str(who.truck_id), "waste": "septic_tank", "reason": "Full",
             "step": "look", "once": "0" * 32}  # fmt: skip
    answer = client.post(f"/bayfield/{page}?truck={who.truck_id}&gallons=600&waste=septic_tank", data=data)
    shown = re.search(r'id="error-summary".*?</ul>', answer.get_data(as_text=True), re.DOTALL)
    assert (answer.status_code, shown is not None and says in shown[0]) == (422, True), shown[0]
