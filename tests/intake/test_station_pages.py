"""The station's pages as the operator posts them: what is asked, what is kept, what each role may see."""

import re
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import event, select

from haulers.actions import revoke_approval
from intake.models import Load, WrittenRecord
from office.db import db
from tests import world
from tests.intake.gatehouse import balance, booked, good, kept, log
from tests.intake.plant import TUESDAY, Hauler, book, hauler, session

NOW = "2026-10-06T07:00"


@pytest.fixture
def operator(app: Flask, clock_at: Any) -> FlaskClient:
    clock_at(NOW)
    return signed_in(app, "operator")


def signed_in(app: Flask, who: str) -> FlaskClient:
    client = app.test_client()
    world.sign_in(client, who)
    return client


def fields(page: str) -> dict[str, str]:
    """What the form of a page would send untouched."""
    form = max(re.split(r"<form ", page), key=lambda part: part.count("name="))
    found: dict[str, str] = {}
    for tag in re.findall(r"<input[^>]*>", form):
        name, value = re.search(r'name="([^"]*)"', tag), re.search(r'value="([^"]*)"', tag)
        radio = 'type="radio"' in tag or 'type="checkbox"' in tag
        if name and (not radio or " checked" in tag):
            found[name[1]] = value[1] if value else ""
    return found


def text(page: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def get(client: FlaskClient, path: str, status: int = 200) -> str:
    answer = client.get(f"/bayfield{path}")
    assert answer.status_code == status, (path, answer.status_code, text(answer.text)[:400])
    return answer.text


def post(client: FlaskClient, path: str, changed: dict[str, Any]) -> Any:
    return client.post(f"/bayfield{path}", data=fields(get(client, path)) | changed)


def load_page(who: Hauler) -> str:
    return f"{truck_page(who)}&waste=septic_tank"


def truck_page(who: Hauler) -> str:
    """Where a truck's tile of "Someone else" leads to."""
    return f"/station/load?business={who.business_id}&truck={who.truck_id}"


def test_a_booked_load_is_saved_from_what_is_filled_in(operator):
    who = hauler()
    booking = booked(book(who, session("2026-10-06T07:15", 1_500)))
    path = f"/station/load?booking={booking.number}"
    page = get(operator, path)
    sent = fields(page)
    assert {k: sent[k] for k in ("gallons", "waste", "normal", "tested", "bottle", "ph", "basis")} == {
        "gallons": "1,500", "waste": "septic_tank", "normal": "yes", "tested": "yes", "bottle": "1006-01", "ph": "",
        "basis": "meter"}  # fmt: skip
    assert "May unload. 1,500 gallons run 7:15 to 9:31 a.m. at 662 gallons an hour." in text(page)
    answer = operator.post(f"/bayfield{path}", data=sent | {"driver": "Ann"})
    assert (answer.status_code, answer.location) == (303, "/bayfield/station/load/2026-00001")
    assert balance(who) == 4816
    ticket = text(get(operator, "/station/load/2026-00001"))
    for words in ("Load ticket 2026-00001", "$48.16", "§ 329-2 B(2)(d)", "7:15 to 9:31 a.m. at 662 gallons an hour",
                  "Due by the end of Wednesday, October 7, 2026"):  # fmt: skip
        assert words in ticket


def test_five_posts_of_one_form_make_one_load(operator):
    who = hauler()
    data = fields(get(operator, load_page(who))) | {"driver": "Ann", "gallons": "300"}
    answers = [operator.post(f"/bayfield{load_page(who)}", data=data) for _ in range(5)]
    assert {(a.status_code, a.location) for a in answers} == {(303, "/bayfield/station/load/2026-00001")}
    again = fields(get(operator, load_page(who)))["once"]
    answer = operator.post(f"/bayfield{load_page(who)}", data=data | {"once": again})
    assert answer.location == "/bayfield/station/load/2026-00001"
    assert len(db.session.scalars(select(Load)).all()) == 1


def test_the_driver_is_filled_in_the_second_time(operator):
    who = hauler()
    post(operator, load_page(who), {"driver": "Ann Nuñez", "gallons": "300"})
    assert fields(get(operator, load_page(who)))["driver"] == "Ann Nuñez"


@pytest.mark.parametrize(("typed", "said"), [
    ({"gallons": ""}, "Enter gallons"),
    ({"gallons": "abc"}, "Gallons must be a number, like 1,500"),
    ({"gallons": "-5"}, "Gallons must be between 1 and 100,000"),
    ({"gallons": "300", "driver": ""}, "Enter the driver's name"),
    ({"gallons": "300", "ph": "acid"}, "pH must be a number, like 6.9"),
    ({"gallons": "300", "ph": "5.4"}, "pH 5.4 is below 5.5. Do not accept this load. Record it as a refused load."),
    ({"gallons": "300", "ph": "72"}, "pH is between 0 and 14. You entered 72. Check the number."),
    ({"gallons": "1,900", "tank": "1000"}, "Gallons are more than this truck holds (1,000). Check the number."),
    ({"gallons": "300", "normal": "no"}, "Write what looks or smells wrong."),
    ({"gallons": "300", "bottle": ""}, "Enter the sample bottle number."),
    ({"gallons": "300", "tested": "no"}, "Every load is tested. Say why this one is not."),
    ({"gallons": "2,000"}, "2,000 gallons do not fit under the limit by 10:00 a.m. today. 1,998 would."),
])  # fmt: skip
def test_what_is_wrong_is_said_at_its_box_and_what_was_typed_stays(operator, typed, said):
    who = hauler(tank=int(typed.pop("tank", 5_000)))
    answer = post(operator, load_page(who), {"driver": "Ann"} | typed)
    assert answer.status_code == 422
    assert said in text(answer.text).replace("&#39;", "'")
    kept = fields(answer.text)
    assert {name: kept[name] for name in typed} == typed
    assert db.session.scalars(select(Load)).all() == []


def test_an_odd_number_is_asked_about_and_kept_with_its_reason(operator):
    who = hauler(tank=1_000)
    answer = post(operator, load_page(who), {"driver": "Ann", "gallons": "1,200"})
    assert "Why the number is right" in answer.text
    data = fields(answer.text) | {"reason": "Second tank on a trailer"}
    assert operator.post(f"/bayfield{load_page(who)}", data=data).status_code == 303
    assert db.session.scalars(select(Load.gallons)).all() == [1_200]


def test_a_later_start_is_offered_and_taken(operator):
    first, second = hauler("First Pumping"), hauler("Second Pumping", number=2)
    booked(book(first, session("2026-10-06T07:00", 666)))
    answer = post(operator, load_page(second), {"driver": "Ann", "gallons": "600"})
    assert answer.status_code == 422
    assert "The first time that fits is 8:00 to 8:55 a.m. at 655 gallons an hour." in text(answer.text)
    start = re.search(r'name="start" value="([^"]+)"', answer.text)
    assert start is not None
    again = operator.post(f"/bayfield{load_page(second)}", data=fields(answer.text) | {"start": start[1]})
    assert again.status_code == 303


def test_the_line_above_the_form_speaks_of_the_gallons_that_were_typed(operator):
    who = hauler(tank=5_000)
    good(log(hauler("First Pumping", number=2), 1_665))
    page = text(get(operator, load_page(who)))
    assert "5,000 gallons do not fit under the limit by 10:00 a.m. today. 333 would." in page
    answer = text(post(operator, load_page(who), {"driver": "Ann", "gallons": "400"}).text)
    assert answer.count("400 gallons do not fit under the limit by 10:00 a.m. today. 333 would.") == 3
    assert "5,000 gallons" not in answer
    answer = text(post(operator, load_page(who), {"driver": "", "gallons": "300"}).text)
    assert "Enter the driver's name" in answer.replace("&#39;", "'")
    assert "300 gallons do not fit under the limit now. The first time that fits is 9:30 to 9:58 a.m." in answer


def test_a_ph_the_superintendent_judges_is_asked_about_on_the_page(operator):
    who = hauler()
    assert "What the Superintendent answered" not in get(operator, load_page(who))
    asked = post(operator, load_page(who), {"driver": "Ann", "gallons": "300", "ph": "10"})
    assert asked.status_code == 422
    assert ("pH 10 is above 9.5 (§ 329-6 D(8)). Ask the Superintendent, select what is to follow, and write what was "
            "answered." in text(asked.text))  # fmt: skip
    sent = fields(asked.text)
    assert operator.post(f"/bayfield{load_page(who)}", data=sent).status_code == 422
    sent |= {"answer": "J. Berg: take it", "finding": "take it as it is", "once": sent["once"][::-1]}
    assert operator.post(f"/bayfield{load_page(who)}", data=sent).status_code == 303
    assert "The Superintendent found (§ 329-6 E): take it as it is. J. Berg: take it" in text(
        get(operator, "/station/load/2026-00001")
    )


def test_a_truck_that_waits_shows_when_it_begins(operator):
    booking = booked(book(hauler(), session("2026-10-06T09:00", 600)))
    good(log(hauler("Other", number=2), 300))
    good(log(Hauler(booking.business_id, booking.truck_id, 0, "", None), 600, booking=booking))  # type: ignore[arg-type]
    page = text(get(operator, "/station"))
    assert "2026-00002 · 600 gal · begins 9:00 a.m." in page
    assert "2026-00001 · 300 gal Test" in page
    assert "Nobody else is expected. 1 truck here waits to begin." in page
    assert "No more loads are booked" not in page


def test_a_late_truck_sees_when_it_runs_now(operator, clock_at):
    booking = booked(book(hauler(), session("2026-10-06T07:00", 300)))
    clock_at("2026-10-06T07:20")
    page = text(get(operator, f"/station/load?booking={booking.number}"))
    assert "Late. Booked 7:00 a.m.; now it runs 7:20 to 7:48 a.m. at 643 gallons an hour." in page
    assert "20 min late" in text(get(operator, "/station"))


def test_the_gate_says_no_on_the_page_and_offers_the_refusal(operator, clock_at):
    who = hauler()
    clock_at("2026-10-06T10:00")
    page = get(operator, load_page(who))
    assert "Do not accept now: unloading is 7:00 to 10:00 a.m. It is 10:00 a.m." in text(page)
    assert "Save load" not in page
    assert f"/bayfield/station/refuse?business={who.business_id}&amp;truck={who.truck_id}" in page


def test_a_used_booking_may_be_logged_as_not_booked(operator):
    who = hauler()
    booking = booked(book(who, session("2026-10-06T07:00", 300)))
    good(log(who, 300, booking=booking))
    page = get(operator, f"/station/load?booking={booking.number}")
    assert f"Booking {booking.number} was used: load ticket 2026-00001." in text(page)
    assert f'href="/bayfield{load_page(who)}"'.replace("&", "&amp;") in page


def test_a_refused_load_is_kept_with_0_gallons(operator):
    who = hauler()
    path = f"/station/refuse?business={who.business_id}&truck={who.truck_id}"
    empty = post(operator, path, {})
    asked = ("Select why the load is refused", "Enter what was wrong")
    assert (empty.status_code, [words in empty.text for words in asked]) == (422, [True, True])
    answer = operator.post(f"/bayfield{path}", data=fields(empty.text) | {
        "reason_code": "field_test", "reason": "Smells of solvent", "gallons": "0"})  # fmt: skip
    assert answer.location == "/bayfield/station/load/2026-00001"
    load = db.session.scalars(select(Load)).one()
    assert (load.gallons, load.state, load.business_name) == (0, "refused", "Test Pumping")
    assert "Smells of solvent" in get(operator, "/station/load/2026-00001")


def test_a_refused_load_with_empty_gallons_is_asked_for_them(operator):
    who = hauler()
    path = f"/station/refuse?business={who.business_id}&truck={who.truck_id}"
    answer = post(operator, path, {"reason_code": "other", "reason": "Left", "gallons": ""})
    assert (answer.status_code, "Enter gallons unloaded" in answer.text) == (422, True)


def test_going_on_another_morning_and_voiding(operator, clock_at):
    who = hauler()
    booking = booked(book(who, [session("2026-10-06T07:00", 1_998), session("2026-10-07T07:00", 502)]))
    post(operator, f"/station/load?booking={booking.number}", {"driver": "Ann"})
    clock_at("2026-10-07T07:00")
    assert "goes on with 2026-00001" in text(get(operator, "/station"))
    assert "Load 2026-00001 goes on this morning" in text(get(operator, f"/station/load?booking={booking.number}"))
    # Nobody drives this morning until somebody says who: the one of the first is only offered.
    page = get(operator, "/station/load/2026-00001/continue")
    assert (fields(page)["driver"], "drives" in fields(page)) == ("", False)
    assert "Ann Drove on Tue, Oct 6" in text(page)
    unnamed = post(operator, "/station/load/2026-00001/continue", {})
    assert (unnamed.status_code, "Enter the driver&#39;s name" in unnamed.text) == (422, True)
    assert post(operator, "/station/load/2026-00001/continue", {"drives": "Ann"}).status_code == 303
    assert balance(who) == 4795 + 1216 + 1205
    assert post(operator, "/station/load/2026-00001/void", {"reason": ""}).status_code == 422
    assert post(operator, "/station/load/2026-00001/void", {"reason": "Wrong hauler"}).status_code == 303
    assert balance(who) == 0
    page = text(get(operator, "/station/load/2026-00001"))
    assert "This ticket is void Wrong hauler" in page
    assert "Voided Operator of the City State: void, before accepted. Wrong hauler" in page


def test_a_truck_that_is_empty_gives_its_second_morning_back(operator):
    booking = booked(book(hauler(), [session("2026-10-06T07:00", 1_998), session("2026-10-07T07:00", 502)]))
    post(operator, f"/station/load?booking={booking.number}", {"driver": "Ann", "gallons": "1,500"})
    page = get(operator, "/station/load/2026-00001")
    assert "Still planned: Wednesday, October 7, 2026, 7:00 to 7:46 a.m., 502 gallons" in text(page)
    once = re.findall(r'name="once" value="([^"]+)"', page)[-1]
    answer = operator.post("/bayfield/station/load/2026-00001/finish", data={"once": once})
    assert answer.location == "/bayfield/station/load/2026-00001"
    assert "Still planned" not in get(operator, "/station/load/2026-00001")


def test_the_ticket_prints_as_pdf(operator):
    post(operator, load_page(hauler()), {"driver": "Ann", "gallons": "300"})
    answer = operator.get("/bayfield/station/load/2026-00001/ticket.pdf")
    assert (answer.status_code, answer.mimetype, answer.data[:5]) == (200, "application/pdf", b"%PDF-")


def test_the_hauler_sees_loads_and_sends_the_record(app, operator, clock_at):
    who, other = hauler(), hauler("Other Pumping", number=2)
    good(log(who, 300))
    mine, theirs = signed_in(app, who.email), signed_in(app, other.email)
    assert "Send your load record: load ticket 2026-00001" in get(mine, "/hauler/loads")
    assert "$19.36" in get(mine, "/hauler/loads/2026-00001")
    for path in ("/hauler/loads/2026-00001", "/hauler/loads/2026-00001/record", "/hauler/loads/2026-00001/ticket.pdf"):
        get(theirs, path, 404)
    assert "No loads yet" in get(theirs, "/hauler/loads")
    assert post(mine, "/hauler/loads/2026-00001/record", {"sources": "12 Cedar Lane, 300"}).status_code == 303
    record = db.session.scalars(select(WrittenRecord)).one()
    assert (record.on_behalf, record.sources) == (False, "12 Cedar Lane, 300")
    assert "Record in" in get(mine, "/hauler/loads")
    page = get(mine, "/hauler/loads/2026-00001/record")
    assert "12 Cedar Lane, 300" in page and "<textarea" not in page and "Send the record" not in page


def test_the_operator_writes_the_record_for_the_hauler(operator):
    good(log(hauler(), 300))
    assert post(operator, "/station/load/2026-00001/record", {"sources": "12 Cedar Lane"}).status_code == 303
    assert "by Operator of the City for the hauler" in text(get(operator, "/station/load/2026-00001"))


def test_the_plants_loads_are_found_by_ticket_hauler_plate_and_bottle(app, operator):
    good(log(hauler(), 300, bottle="4412"))
    good(log(hauler("Other Pumping", number=2), 200, "2026-10-06T08:00"))
    for words in ("2026-00001", "test pump", "t-1", "4412"):
        page = get(operator, f"/plant/loads?find={words}")
        assert ("2026-00001" in page, "2026-00002" in page) == (True, False), words
    assert "2026-00002" in get(signed_in(app, "clerk"), "/plant/loads")


def test_a_hauler_is_found_however_the_name_is_spelled(operator):
    good(log(hauler("O'Brien & Søn Nuñez Septic", number=3), 300))
    for words in ("obrien", "nunez", "Søn", "son nunez"):
        assert "2026-00001" in get(operator, f"/plant/loads?find={words}"), words
        assert "Brien" in get(operator, f"/station/load?find={words}"), words
    for words in ("%", "_"):
        assert "No load is found." in get(operator, f"/plant/loads?find={words}"), words


def test_a_revoked_hauler_is_found_by_plate_and_answered_at_the_gate(operator):
    who = hauler()
    rule = world.law().value("revocation.grounds", TUESDAY)[0]
    revoked = revoke_approval(world.plant(), who.approval_id, rule, "Unloaded at night", by=world.staff("director"),
                              at=world.at(NOW), law=world.law())  # fmt: skip
    good(kept(revoked))
    assert "business=1" not in get(operator, "/station/load")
    led = operator.get("/bayfield/station/load?find=t-1")
    assert (led.status_code, led.location) == (302, "/bayfield/station/load?business=1&truck=1")
    page = text(get(operator, load_page(who)))
    assert "Do not accept: approval A-2026-27-001 was revoked on October 6, 2026." in page
    assert "Record a refused load" in page


@pytest.mark.parametrize("path", ["business=99&truck=1", "business=1&truck=99", "business=x&truck=", "booking=B-9"])
def test_what_names_nobody_here_asks_again_who_it_is(operator, path):
    hauler()
    page = text(get(operator, f"/station/load?{path}"))
    assert "Who is here?" in page and "Someone else" in page


PAGES = ("/station", "/station/load", "/station/refuse", "/station/load/2026-00001", "/plant/lab", "/plant/loads",
         "/station/load/2026-00001/void", "/station/load/2026-00001/continue", "/station/load/2026-00001/record",
         "/station/load/2026-00001/ticket.pdf", "/station/load/2026-00001/stop")  # fmt: skip
BEING_MADE = 202


@pytest.mark.parametrize("path", PAGES)
def test_a_hauler_has_no_access_to_the_plants_pages(app, operator, path):
    who = hauler()
    good(log(who, 300))
    get(signed_in(app, who.email), path, 403)
    get(operator, path, BEING_MADE if path.endswith(".pdf") else 200)


def test_a_get_of_any_page_writes_nothing_and_lists_need_no_more_queries_for_more_rows(app, operator):
    who = hauler()
    counts: dict[str, list[int]] = {path: [] for path in ("/station", "/plant/loads", "/plant/lab", "/station/load")}
    for n in range(2):
        for k in range(1 + 3 * n):
            good(log(who, 10 + k, f"2026-10-06T0{7 + n}:{10 + k}"))
            booked(book(who, session(f"2026-10-06T0{8 + n}:{15 * k:02d}", 5, minutes=1)))
        for path, seen in counts.items():
            get(operator, path)
            seen.append(queries(lambda path=path: get(operator, path)))
    assert {path: seen[1] - seen[0] for path, seen in counts.items()} == dict.fromkeys(counts, 0)


def queries(work: Any) -> int:
    ran: list[str] = []

    def note(_c: Any, _cur: Any, statement: str, *_: Any) -> None:
        ran.append(statement)

    event.listen(db.engine, "before_cursor_execute", note)
    work()
    event.remove(db.engine, "before_cursor_execute", note)
    assert not [one for one in ran if re.match(r"\s*(INSERT|UPDATE|DELETE)", one)]
    return len([one for one in ran if one.lstrip().startswith("SELECT")])
