"""Pages of special times: asked with the charge shown, approved in two clicks, everything typed kept (§ 329-7 F(4))."""

import html
import re
from datetime import date, time

import pytest
from sqlalchemy import select

from haulers.queries import trucks_of
from intake.models import Booking, SpecialTime
from office.db import db
from office.plants import PlantRow
from tests import world
from tests.intake.gatehouse import log
from tests.intake.plant import book, hauler, queries, session
from tests.intake.specials import arranged, ask, no_wage, wage, working_hours

NOW = "2026-10-05T16:00"


def client_of(app, who):
    client = app.test_client()
    world.sign_in(client, who if isinstance(who, str) else who.email)
    return client


def text(answer):
    """The words of a page."""
    page = re.sub(r"<(script|style).*?</\1>", " ", answer.get_data(as_text=True), flags=re.DOTALL)
    return html.unescape(" ".join(re.sub(r"<[^>]+>", " ", page).split()))


def typed(who, **given):
    values = {
        "day-month": "10", "day-day": "6", "day-year": "2026", "begins": "2 p.m.", "gallons": "1,500",
        "truck": str(trucks_of(who.business_id)[0].id), "waste": "septic_tank", "reason": "A tank is full & urgent",
        "step": "look", "once": "0" * 32,
    }  # fmt: skip
    return values | given


def hidden(answer, name):
    return re.search(rf'name="{name}" value="([^"]*)"', answer.get_data(as_text=True))[1]


def again(who, looked, step):
    """The same form sent with what the page has shown."""
    return typed(who, step=step, shown=hidden(looked, "shown"), once=hidden(looked, "once"))


@pytest.fixture
def who(app, clock_at):
    clock_at(NOW)
    working_hours()
    return hauler()


def test_hauler_sees_the_charge_line_by_line_and_accepts_it(app, who):
    client = client_of(app, who)
    shown = client.get("/bayfield/hauler/special")
    assert "Ask for a special time" in text(shown)
    assert "Hourly wage for other times $30.00 an hour" in text(shown)
    looked = client.post("/bayfield/hauler/special", data=typed(who))
    assert looked.status_code == 200
    assert "Tuesday, October 6, 2026, 2:00 to 4:16 p.m. 1,500 gallons at 662 gallons an hour." in text(looked)
    assert "Supervision at another time of the day, 2 hours 16 minutes 2.5 hours × $30.00 § 329-7 F(4)" in text(looked)
    assert "Total $128.16" in text(looked)
    assert db.session.scalars(select(SpecialTime)).all() == []
    sent = client.post("/bayfield/hauler/special", data=again(who, looked, "send"))
    assert (sent.status_code, sent.location) == (303, "/bayfield/hauler/special/S-1006-01")
    one = text(client.get(sent.location))
    assert "Request S-1006-01 is sent. Special time S-1006-01 Waits for the Director" in one
    assert "Do not bring this load before you have the approval in writing." in one
    home = text(client.get("/bayfield/hauler"))
    assert "Special times asked for S-1006-01 , Tue, Oct 6, 2:00 to 4:16 p.m.: Waits for the Director" in home


@pytest.mark.parametrize(("given", "sentence"), [
    ({"begins": "7:30 a.m.", "gallons": "600"}, "7:30 a.m. to 8:25 a.m. is inside the unloading hours, "
     "7:00 a.m. to 10:00 a.m.: book it. Book it as any other time; nothing is added then."),
    ({"day-day": "10"}, "Saturday, October 10, 2026 has no other times: they can be arranged Monday to Friday only. "
     "Select another day."),
    ({"begins": "half past two"}, "Time to begin must be a time, like 7:45 a.m."),
    ({"reason": ""}, "Enter why the load cannot come in the unloading hours"),
    ({"gallons": "6,000"}, "6,000 gallons do not fit under the limit: from 2:00 p.m. to 4:30 p.m. a load has room for "
     "1,665 gallons. Ask for another time, or bring less."),
])  # fmt: skip
def test_what_cannot_be_asked_is_said_and_everything_typed_is_kept(app, who, given, sentence):
    client = client_of(app, who)
    answer = client.post("/bayfield/hauler/special", data=typed(who, **given))
    assert answer.status_code == 422
    assert sentence in text(answer)
    page = answer.get_data(as_text=True)
    kept = typed(who, **given)
    for name in ("begins", "gallons", "day-day"):
        assert f'name="{name}"' in page
        assert re.search(rf'value="{re.escape(kept[name])}"', page), name
    assert kept["reason"].replace("&", "&amp;") in page


def test_time_inside_the_hours_leads_to_booking_it(app, who):
    client = client_of(app, who)
    answer = client.post("/bayfield/hauler/special", data=typed(who, begins="7:30 a.m.", gallons="600"))
    truck = trucks_of(who.business_id)[0].id
    assert f"/bayfield/hauler/book/times?truck={truck}&amp;gallons=600&amp;waste=septic_tank&amp;day=2026-10-06" in (
        answer.get_data(as_text=True))  # fmt: skip


def test_charge_that_changed_since_it_was_shown_is_shown_again_before_it_is_sent(app, who):
    client = client_of(app, who)
    answer = client.post("/bayfield/hauler/special", data=typed(who, step="send", shown="1400-1616-9999"))
    assert answer.status_code == 422
    assert "The charge or the time is another than shown before. Look at it and send it again" in text(answer)
    assert hidden(answer, "shown") == "1400-1616-12816"
    assert db.session.scalars(select(SpecialTime)).all() == []


def test_load_that_fits_no_window_leads_to_asking_with_what_was_typed(app, who):
    client = client_of(app, who)
    truck = trucks_of(who.business_id)[0].id
    page = client.get(f"/bayfield/hauler/book/times?truck={truck}&gallons=2500&waste=holding_tank").get_data(
        as_text=True
    )
    href = re.search(r'href="(/bayfield/hauler/special\?[^"]*)"', page)[1].replace("&amp;", "&")
    asked = client.get(href).get_data(as_text=True)
    assert 'value="2,500"' in asked
    assert re.search(r'value="holding_tank" checked', asked)


def test_director_approves_in_two_clicks_from_home(app, who):
    ask(who)
    client = client_of(app, "director")
    home = client.get("/bayfield/director").get_data(as_text=True)
    assert "Special time Tue, Oct 6, 2:00 p.m.: Test Pumping, 1,500 gallons</a>, waits for the Director" in home
    href = re.search(r'href="(/bayfield/director/special/S-1006-01)"', home)[1]
    page = client.get(href)
    assert "Total $128.16" in text(page)
    assert "The wage was entered by Set-up on June 1, 2026: Resolution 2026-03 of the Common Council" in text(page)
    done = client.post(href, data={"step": "approve", "once": hidden(page, "once"), "reason": ""})
    assert (done.status_code, done.location) == (303, href)
    after = text(client.get(href))
    assert "Request S-1006-01 is approved in writing." in after
    assert "Booking B-1006-01." in after
    letter = client.get(f"{href}/letter.pdf")
    assert (letter.status_code, letter.data[:5]) == (200, b"%PDF-")
    assert "Special time Tue" not in client.get("/bayfield/director").get_data(as_text=True)


def test_director_declines_only_with_a_reason(app, who):
    ask(who)
    client = client_of(app, "director")
    href = "/bayfield/director/special/S-1006-01"
    once = hidden(client.get(href), "once")
    bare = client.post(href, data={"step": "decline", "once": once, "reason": " "})
    assert bare.status_code == 422
    assert "Enter why the request is declined" in text(bare)
    client.post(href, data={"step": "decline", "once": once, "reason": "Nobody can be there"})
    assert "Declined Nobody can be there" in text(client.get(href))
    assert "Declined Nobody can be there" in text(client_of(app, who).get("/bayfield/hauler/special/S-1006-01"))


def test_button_that_is_none_approves_nothing(app, who):
    ask(who)
    client = client_of(app, "director")
    href = "/bayfield/director/special/S-1006-01"
    answer = client.post(href, data={"once": hidden(client.get(href), "once"), "reason": "x"})
    assert answer.status_code == 422
    assert db.session.scalars(select(Booking)).all() == []


def test_page_without_requests_says_so_and_what_is_missing(app, clock_at):
    clock_at(NOW)
    hauler()
    page = text(client_of(app, "director").get("/bayfield/director/special"))
    assert "No request waits." in page
    assert "Not entered yet: the normal working hours" in page
    clerk = text(client_of(app, "clerk").get("/bayfield/director/special"))
    assert "The Public Works Director enters it." in clerk
    assert "Enter the wage" not in clerk


def test_director_enters_the_wage_and_the_hours_and_it_shows_who_did(app, clock_at):
    clock_at(NOW)
    client = client_of(app, "director")
    page = client.get("/bayfield/director/special/terms")
    form = {"wage": "31.5", "opens": "6 a.m.", "closes": "3:30 p.m.", "since-month": "10", "since-day": "5",
            "since-year": "2026", "order": "Order 7", "once": hidden(page, "once")}  # fmt: skip
    assert client.post("/bayfield/director/special/terms", data=form).status_code == 303
    rows = db.session.execute(select(PlantRow.key, PlantRow.value, PlantRow.since, PlantRow.set_by)
                              .where(PlantRow.resolution == "Order 7").order_by(PlantRow.id)).all()  # fmt: skip
    assert rows == [
        ("fees.wage", "31.50", date(2026, 10, 5), "Director of the City"),
        ("hours.work_opens", "06:00", date(2026, 10, 5), "Director of the City"),
        ("hours.work_closes", "15:30", date(2026, 10, 5), "Director of the City"),
    ]
    shown = text(client.get("/bayfield/director/special"))
    assert "Hourly wage for other times from October 5, 2026, Order 7 $31.50 an hour" in shown
    assert "October 5, 2026, by Director of the City" in shown


def test_without_a_wage_the_hauler_reads_that_a_quote_follows_and_the_director_what_to_enter(app, who):
    no_wage()
    client = client_of(app, who)
    looked = client.post("/bayfield/hauler/special", data=typed(who))
    assert "The plant has not entered the supervisor's hourly wage" in text(looked)
    sent = client.post("/bayfield/hauler/special", data=again(who, looked, "open"))
    assert "Special time S-1006-01 A quote follows" in text(client.get(sent.location))
    director = client_of(app, "director")
    href = "/bayfield/director/special/S-1006-01"
    page = director.get(href)
    assert (
        "Not entered yet: the supervisor's hourly wage Without it this request cannot be quoted or approved."
        in text(page)
    )
    refused = director.post(href, data={"step": "quote", "once": hidden(page, "once"), "reason": ""})
    assert "No hourly wage is set for unloading at other times." in text(refused)
    wage("30.00", date(2026, 10, 5))
    director.post(href, data={"step": "quote", "once": "1" * 32, "reason": ""})
    assert hidden(client.get("/bayfield/hauler/special/S-1006-01"), "cents") == "12816"


def test_staff_ask_for_a_hauler_on_the_telephone(app, who):
    client = client_of(app, "operator")
    page = client.get("/bayfield/director/special/new?find=test").get_data(as_text=True)
    href = re.search(r'href="(/bayfield/director/special/new/\d+\?truck=\d+)"', page)[1].replace("&amp;", "&")
    looked = client.post(href, data=typed(who))
    assert "Ask for a special time for Test Pumping" in text(looked)
    sent = client.post(href, data=again(who, looked, "open"))
    assert sent.location == "/bayfield/director/special/S-1006-01"
    one = client.get(sent.location)
    assert "Quoted: waits for the hauler" in text(one)
    assert "Approve" not in text(one)
    client.post(sent.location, data={"step": "accept", "cents": "12816", "once": "1" * 32})
    row = db.session.scalars(select(SpecialTime)).one()
    assert (row.state, row.accepted_by) == ("accepted", "Operator of the City, by phone")


def test_hauler_accepts_a_quote_or_withdraws_the_request_on_its_page(app, who):
    ask(who, accepts=None)
    client = client_of(app, who)
    href = "/bayfield/hauler/special/S-1006-01"
    page = client.get(href)
    assert hidden(page, "cents") == "12816"
    client.post(href, data={"step": "accept", "cents": "12816", "once": "1" * 32})
    assert "Waits for the Director" in text(client.get(href))
    client.post(href, data={"step": "withdraw", "once": "2" * 32})
    assert "Withdrawn" in text(client.get(href))
    late = client.post(href, data={"step": "accept", "cents": "12816", "once": "3" * 32})
    assert late.status_code == 409
    assert "Request S-1006-01 is withdrawn already." in text(late)


def test_another_haulers_request_is_not_found(app, who):
    ask(who)
    other = hauler("Second Pumping", number=2)
    assert client_of(app, other).get("/bayfield/hauler/special/S-1006-01").status_code == 404


def test_booking_page_shows_what_the_special_time_adds(app, who):
    arranged(who)
    page = text(client_of(app, who).get("/bayfield/hauler/bookings/B-1006-01"))
    assert "Supervision at another time of the day, 2 hours 16 minutes" in page
    assert "Total $128.16" in page
    desk = client_of(app, "clerk")
    assert "Total $128.16" in text(desk.get("/bayfield/plant/bookings/B-1006-01"))
    assert 'href="/bayfield/director/special"' in desk.get("/bayfield/plant/bookings").get_data(as_text=True)


@pytest.mark.parametrize("step", ["", "/times"])
def test_special_time_is_not_moved_and_the_page_says_what_can_be_done(app, who, step):
    arranged(who)
    page = client_of(app, who).get(f"/bayfield/bookings/B-1006-01/move{step}")
    assert page.status_code == 409
    assert "Booking B-1006-01 is a special time, arranged in writing for its own." in text(page)
    assert "Cancel it and ask for another special time, or book in the hours." in text(page)
    assert "§ 329-7 F(4)" in text(page)


def test_ticket_shows_the_quote_and_leads_to_the_supervised_time(app, who, clock_at):
    arranged(who)
    load = log(who, at="2026-10-06T14:00")
    clock_at("2026-10-06T17:00")
    client = client_of(app, "operator")
    page = client.get(f"/bayfield/station/load/{load.ticket}")
    assert "Special time S-1006-01: charged as quoted, $128.16 for 2 hours 16 minutes." in text(page)
    href = "/bayfield/station/special/S-1006-01/supervised"
    assert href in page.get_data(as_text=True)
    form = client.get(href)
    assert (hidden(form, "once") != "", 'value="2:00 p.m."' in form.get_data(as_text=True)) == (True, True)
    done = client.post(href, data={"first": "1:45 p.m.", "last": "4:46 p.m.", "once": hidden(form, "once")})
    assert done.location == f"/bayfield/station/load/{load.ticket}"
    assert "it came to $150.66 for 3 hours 1 minute." in text(client.get(done.location))
    own = client_of(app, who).get(f"/bayfield/hauler/loads/{load.ticket}")
    assert "it came to $150.66 for 3 hours 1 minute." in text(own)


def test_operator_and_director_see_that_an_expected_truck_comes_at_a_special_time(app, who, clock_at):
    arranged(who)
    clock_at("2026-10-06T08:00")
    assert "2:00 p.m. · 1,500 gal · special time" in text(client_of(app, "operator").get("/bayfield/station"))
    assert "2:00 to 4:16 p.m. Test Pumping T-1 Special time T-1 1,500 662 Special time" in (
        text(client_of(app, "director").get("/bayfield/director")))  # fmt: skip


def test_lists_take_a_fixed_number_of_queries(app, who):
    client = client_of(app, "director")
    counts = []
    for n, begins in enumerate((time(10), time(11), time(12), time(13))):
        ask(who, 300, begins, accepts=None)
        if n in (0, 3):
            client.get("/bayfield/director/special")
            with queries() as seen:
                assert client.get("/bayfield/director/special").status_code == 200
            counts.append(len([one for one in seen if one.startswith("SELECT")]))
    assert counts == [18] * 2


def test_a_booking_of_a_special_time_is_cancelled_and_not_moved_wherever_it_is_shown(app, clock_at):
    clock_at(NOW)
    working_hours()
    who = hauler()
    number = db.session.get_one(Booking, arranged(who).booking_id).number
    plain = book(who, session("2026-10-07T07:00", 600)).number
    own, desk = client_of(app, who), client_of(app, "operator")
    pages = [(own, "hauler"), (own, f"hauler/bookings/{number}"), (own, f"hauler/booked/{number}"),
             (desk, f"plant/bookings/{number}")]  # fmt: skip
    for client, address in pages:
        page = client.get(f"/bayfield/{address}").get_data(as_text=True)
        assert (address, f"bookings/{number}/move" in page, "ove this booking" in page) == (address, False, False)
        assert f"/{number}/cancel" in page or address.startswith("hauler/booked")
    assert f"bookings/{plain}/move" in own.get("/bayfield/hauler").get_data(as_text=True)
    assert "A special time is not moved." in text(own.get(f"/bayfield/hauler/bookings/{number}"))
    # Typed all the same, its address says why.
    assert "arranged in writing for its own" in text(own.get(f"/bayfield/bookings/{number}/move"))
