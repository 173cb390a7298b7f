"""The hauler's pages: opening an account, the application from draft to sent, other haulers' records."""

import re
from typing import Any

import pytest
from flask.testing import FlaskClient
from sqlalchemy import func, select

from haulers.models import Application, ApplicationSource, Business, Truck
from haulers.queries import TruckLine
from office.db import db
from tests import world
from tests.haulers.builders import OBRIEN, SOURCE, answered, approved, draft, filed, hauler

CHECK = "/bayfield/hauler/apply/check"
ROW = {
    "waste": "septic_tank", "place": "Homes along County Road J", "area": "sewer_service", "tank": "existing",
    "frequency": "4 loads a month", "gallons_a_load": "1,500", "gallons_winter": "12,000", "gallons_rest": "0",
}  # fmt: skip
COMPANY = {
    "name": OBRIEN, "address": "12 Rittenhouse Avenue\nBayfield, WI 54814", "phone": "(715) 555-0100 ext. 12",
    "email": "o'brien@hauler.example", "contact": "Nguyễn Thị Hà", "password": world.PASSWORD, "licence_state": "WI",
    "licence_number": "4711", "licence_ends-month": "6", "licence_ends-day": "30", "licence_ends-year": "2027",
    "trucks-0-plate": "WI 1234", "trucks-0-capacity": "1,500",
}  # fmt: skip


def rows(*several: dict[str, str]) -> dict[str, str]:
    typed = {f"sources-{n}-{name}": value for n, row in enumerate(several) for name, value in row.items()}
    return typed | {"complete": "yes"}


def text(answer: Any) -> str:
    return str(answer.get_data(as_text=True))


def once() -> dict[str, str]:
    from office.forms import fresh

    return {"once": fresh()}


def signed_in(app: Any, email: str = "o'brien@hauler.example") -> FlaskClient:
    db.session.commit()
    client: FlaskClient = app.test_client()
    world.sign_in(client, email)
    return client


def count(model: Any) -> int:
    return db.session.scalar(select(func.count(model.id))) or 0


def test_a_hauler_opens_an_account_and_signs_in(app: Any, clock_at: Any) -> None:
    clock_at("2026-07-02T09:00")
    client = app.test_client()
    answer = client.post("/account/register", data=COMPANY | once())
    assert (answer.status_code, answer.location) == (303, "/sign-in")
    assert (count(Business), count(Truck)) == (1, 1)
    world.sign_in(client, "o'brien@hauler.example")
    page = text(client.get("/bayfield/hauler/company"))
    assert 'value="O&#39;Brien &amp; Søn Septic, L.L.C."' in page
    assert 'value="(715) 555-0100 ext. 12"' in page


def test_an_account_form_with_wrong_fields_names_each_and_keeps_what_was_typed(app: Any) -> None:
    wrong = COMPANY | {"email": "nobody", "licence_state": "ZZ", "licence_ends-year": "", "trucks-1-plate": "X",
                       "trucks-1-capacity": "big", "password": "short"}  # fmt: skip
    answer = app.test_client().post("/account/register", data=wrong | once())
    page = text(answer)
    assert answer.status_code == 422
    summary = re.findall(r'<li><a href="#([^"]+)">([^<]+)</a></li>', page)
    assert summary == [
        ("email", "Enter an e-mail address like name@example.com"),
        ("password", "Enter a password of 10 characters or more"),
        ("licence_state", "State that gave the license must be a state, like WI or Wisconsin"),
        ("licence_ends-year", "License end date must include a year"),
        ("trucks-1-capacity", "Truck 2: Tank size must be a number, like 1,500"),
    ]
    assert all(f'id="{target}"' in page for target, _ in summary)
    assert 'value="big"' in page
    assert page.count("<title>Error: ") == 1
    assert count(Business) == 0


def test_an_empty_account_form_asks_in_sentences_and_in_the_order_of_the_page(app: Any) -> None:
    page = text(app.test_client().post("/account/register", data={"trucks-0-name": "Big Red"} | once()))
    summary = re.findall(r'<li><a href="#([^"]+)">([^<]+)</a></li>', page)
    assert [said for _, said in summary] == [
        "Enter the company name", "Enter the mailing address", "Enter a phone number",
        "Enter the name of a contact person", "Enter an e-mail address", "Enter a password",
        "Enter the state that gave the license", "Enter the license number", "Enter the license end date",
        "Truck 1: Enter the plate", "Truck 1: Enter the tank size",
    ]  # fmt: skip
    places = [page.index(f'id="{target}"') for target, _ in summary]
    assert places == sorted(places)
    assert "Include the extension if there is one" in page


def test_adding_a_truck_says_that_the_password_is_typed_again(app: Any) -> None:
    client, again = app.test_client(), "Type your password again: it is not kept on this page."
    assert again not in text(client.get("/account/register"))
    page = text(client.post("/account/register", data=COMPANY | {"add_row": "trucks"} | once()))
    assert "<legend>Truck 2</legend>" in page
    assert again in page
    assert world.PASSWORD not in page
    without = {name: value for name, value in COMPANY.items() if name != "password"}
    assert again not in text(client.post("/account/register", data=without | {"add_row": "trucks"} | once()))


def test_the_company_page_asks_in_the_order_it_shows(app: Any, clock_at: Any) -> None:
    clock_at("2026-08-05T09:00")
    hauler()
    page = text(signed_in(app).post("/bayfield/hauler/company", data=once()))
    targets = re.findall(r'<li><a href="#([^"]+)">', page)
    assert targets == ["name", "address", "phone", "contact", "email"]
    places = [page.index(f'id="{target}"') for target in targets]
    assert places == sorted(places)


def test_an_email_with_an_account_is_told_so(app: Any) -> None:
    hauler()
    db.session.commit()
    answer = app.test_client().post("/account/register", data=COMPANY | once())
    assert "This e-mail has an account already. Sign in with it, or use another." in text(answer)
    assert count(Business) == 1


def test_from_the_empty_form_to_the_receipt(app: Any, clock_at: Any) -> None:
    clock_at("2026-08-05T09:00")
    business = hauler()
    client = signed_in(app)
    assert "You have completed 3 of 9 tasks." in text(client.get("/bayfield/hauler/apply"))
    saved = client.post("/bayfield/hauler/apply/sources", data=rows(ROW) | {"then": "check"} | once())
    assert saved.location == "/bayfield/hauler/apply/season"
    client.post("/bayfield/hauler/drivers", data={"none": "1"} | once())
    for task, given in (("season", {"season": "winter"}), ("tests", {"unusual": "no"}), ("fee", {"fee": "mail"})):
        saved = client.post(f"/bayfield/hauler/apply/{task}", data=given | {"then": "check"} | once())
    assert saved.location == "/bayfield/hauler/apply/check"
    page = text(client.get(saved.location))
    assert "12,000" in page
    assert "Accept and send" in page
    sent = client.post("/bayfield/hauler/apply/check", data=once())
    assert sent.location == "/bayfield/hauler/apply/sent/1"
    page = text(client.get(sent.location))
    assert "Your number is 2026-27/0001" in page
    assert "Sent Wednesday, August 5, 2026, 9:00 a.m." in page
    application = db.session.get_one(Application, 1)
    assert application.business_id == business.id
    receipt = client.get(f"/bayfield/hauler/letters/{application.letter_id}")
    assert (receipt.mimetype, receipt.get_data()[:5]) == ("application/pdf", b"%PDF-")


def test_five_identical_posts_make_one_application(app: Any, clock_at: Any) -> None:
    clock_at("2026-08-05T09:00")
    answered(hauler(), at="2026-08-04T09:00")
    client = signed_in(app)
    key = once()
    answers = [client.post("/bayfield/hauler/apply/check", data=key) for _ in range(5)]
    answers.append(client.post("/bayfield/hauler/apply/check", data=once()))
    assert {answer.location for answer in answers} == {"/bayfield/hauler/apply/sent/1"}
    assert "You already sent this." in text(client.get("/bayfield/hauler/apply/sent/1"))
    assert [one.number for one in db.session.scalars(select(Application))] == ["2026-27/0001"]


def test_a_send_one_second_late_is_a_page_with_the_dates_and_loses_nothing(app: Any, clock_at: Any) -> None:
    draft(hauler(), at="2026-09-01T23:50")
    client = signed_in(app)
    clock_at("2026-09-02T00:00:00")
    typed = client.post("/bayfield/hauler/apply/sources", data=rows(ROW | {"place": "Typed late"}) | once())
    assert typed.location == "/bayfield/hauler/apply/season"
    refused = client.post("/bayfield/hauler/apply/check", data=once())
    page = text(refused)
    assert refused.status_code == 409
    assert "Saturday, August 1, 2026 to Tuesday, September 1, 2026" in page
    assert "The next window opens Sunday, August 1, 2027." in page
    assert [row.place for row in db.session.scalars(select(ApplicationSource))] == ["Typed late"]
    assert "Your draft is kept" in text(client.get("/bayfield/hauler/apply"))


def test_sent_in_the_last_second(app: Any, clock_at: Any) -> None:
    answered(hauler(), at="2026-09-01T23:50")
    client = signed_in(app)
    clock_at("2026-09-01T23:59:59")
    assert client.post("/bayfield/hauler/apply/check", data=once()).location == "/bayfield/hauler/apply/sent/1"


def test_the_check_page_opens_once_its_task_can_start_and_says_what_is_missing_before(app: Any, clock_at: Any) -> None:
    clock_at("2026-08-05T09:00")
    business = hauler()
    draft(business, at="2026-08-04T09:00")
    client = signed_in(app)
    assert "Cannot start yet" in text(client.get("/bayfield/hauler/apply"))
    lacking = [
        ("season", "Say when you will bring it."), ("tests", "Say whether any of it is unusual waste."),
        ("fee", "Say how you pay the filing fee."),
    ]  # fmt: skip
    for answer in (client.get(CHECK), client.post(CHECK, data=once())):
        page = text(answer)
        assert (answer.status_code, "Accept and send" in page) == (409, False)
        found = re.findall(r'<li><a href="/bayfield/hauler/apply/(\w+)\?from=check">([^<]+)</a></li>', page)
        assert found == lacking
        assert "You cannot check and send your application yet" in page
    assert db.session.scalars(select(Application.filed_at)).all() == [None]
    answered(business, at="2026-08-04T10:00")
    db.session.commit()
    assert "Cannot start yet" not in text(client.get("/bayfield/hauler/apply"))
    assert "Accept and send" in text(client.get(CHECK))


def test_before_august_the_button_is_replaced_by_the_day(app: Any, clock_at: Any) -> None:
    answered(hauler())
    client = signed_in(app)
    clock_at("2026-07-31T23:59:59")
    page = text(client.get("/bayfield/hauler/apply/check"))
    assert "You can send this from Saturday, August 1, 2026." in page
    assert "Accept and send" not in page


def test_save_and_come_back_keeps_a_half_filled_form(app: Any, clock_at: Any) -> None:
    clock_at("2026-08-05T09:00")
    hauler()
    client = signed_in(app)
    half = {"waste": "holding_tank", "place": "Cabins", "gallons_winter": "0"}
    answer = client.post("/bayfield/hauler/apply/sources", data=rows(half) | {"then": "later"} | once())
    assert answer.location == "/bayfield/hauler/apply/saved"
    row = db.session.scalars(select(ApplicationSource)).one()
    assert (row.waste, row.place, row.gallons_winter, row.gallons_rest) == ("holding_tank", "Cabins", 0, None)
    page = text(client.get("/bayfield/hauler/apply/sources"))
    assert 'value="Cabins"' in page
    assert "Sep 1" not in page
    tasks = text(client.get("/bayfield/hauler/apply"))
    assert "In progress" in tasks


def test_errors_in_a_repeated_row_name_the_row(app: Any, clock_at: Any) -> None:
    clock_at("2026-08-05T09:00")
    hauler()
    client = signed_in(app)
    third = ROW | {"gallons_winter": "-5", "place": "", "gallons_rest": "many"}
    answer = client.post("/bayfield/hauler/apply/sources", data=rows(ROW, ROW, third) | {"then": "check"} | once())
    assert answer.status_code == 422
    assert re.findall(r'<li><a href="#([^"]+)">([^<]+)</a></li>', text(answer)) == [
        ("sources-2-place", "Source 3: Enter the place"),
        ("sources-2-gallons_winter", "Source 3: Gallons in winter must be between 0 and 100,000,000"),
        ("sources-2-gallons_rest", "Source 3: Gallons in the rest of the year must be a number, like 1,500"),
    ]
    assert 'value="many"' in text(answer)


def test_add_and_remove_a_source_keep_what_was_typed(app: Any, clock_at: Any) -> None:
    clock_at("2026-08-05T09:00")
    hauler()
    client = signed_in(app)
    page = text(client.post("/bayfield/hauler/apply/sources", data=rows(ROW) | {"add_row": "sources"} | once()))
    assert "<legend>Source 2</legend>" in page
    assert 'value="Homes along County Road J"' in page
    assert page.count("Septic tank") == 2


def test_another_haulers_application_letter_and_truck_are_not_found(app: Any, clock_at: Any) -> None:
    clock_at("2026-08-20T09:00")
    mine = filed(hauler())
    hauler("Second Septic", "second@hauler.example", trucks=(TruckLine("WI 77", 900),))
    truck = db.session.scalars(select(Truck)).first()
    assert truck is not None
    addresses = (
        f"/bayfield/hauler/apply/sent/{mine.id}", f"/bayfield/hauler/apply/withdraw/{mine.id}",
        f"/bayfield/hauler/letters/{mine.letter_id}", f"/bayfield/hauler/trucks/{truck.id}/remove",
    )  # fmt: skip
    other = signed_in(app, "second@hauler.example")
    answers = [other.get(one) for one in addresses]
    assert {(one.status_code, "Page not found" in text(one)) for one in answers} == {(404, True)}
    assert other.get("/bayfield/hauler/apply/sent/9999").status_code == 404
    assert app.test_client().get(addresses[0]).status_code == 302
    assert {signed_in(app).get(one).status_code for one in addresses[:3]} <= {200, 202}


def test_withdrawing_asks_first(app: Any, clock_at: Any) -> None:
    clock_at("2026-08-20T09:00")
    mine = filed(hauler())
    client = signed_in(app)
    assert "Keep it" in text(client.get(f"/bayfield/hauler/apply/withdraw/{mine.id}"))
    assert db.session.get_one(Application, mine.id).state == "filed"
    client.post(f"/bayfield/hauler/apply/withdraw/{mine.id}", data=once())
    db.session.expire_all()
    assert db.session.get_one(Application, mine.id).state == "withdrawn"


def test_the_public_page_says_the_right_sentence_on_each_date(app: Any, clock_at: Any) -> None:
    said = {
        "2026-06-30T12:00": "Forms open July 1, 2026", "2026-07-01T00:00": "You can fill in the form now",
        "2026-08-01T00:00": "32 days left to apply", "2026-08-30T23:00": "2 days left to apply",
        "2026-09-01T23:58": "2 minutes left to apply", "2026-09-02T00:00": "Applications for season 2026-27 are closed",
        "2026-10-01T00:00": "Forms open July 1, 2027",
    }  # fmt: skip
    client = app.test_client()
    for when, words in said.items():
        clock_at(when)
        assert words in text(client.get("/bayfield/apply")), when
    clock_at("2026-08-01T00:00")
    assert "The filing fee is $75.00. It is not refunded." in text(client.get("/bayfield/apply"))


@pytest.mark.parametrize(("when", "left"), [
    ("2026-08-18T09:00", "14 days"), ("2026-08-31T23:30", "24 hours"), ("2026-09-01T23:41", "19 minutes"),
    ("2026-09-01T23:59:30", "Less than a minute"),
])  # fmt: skip
def test_every_page_says_the_same_time_left(app: Any, clock_at: Any, when: str, left: str) -> None:
    clock_at("2026-08-10T09:00")
    hauler()
    db.session.commit()
    clock_at(when)
    client = signed_in(app)
    for path in ("/bayfield/", "/bayfield/apply", "/bayfield/hauler/apply"):
        found = re.findall(r"[^<>]*?left to apply", text(client.get(path)))
        assert [one.strip() for one in found] == [f"{left} left to apply"], path


def test_the_public_list_names_the_approved(app: Any, clock_at: Any) -> None:
    client = app.test_client()
    clock_at("2026-10-01T09:00")
    assert "No hauler is approved for season 2026-27 yet. Decisions are due October 1, 2026." in text(
        client.get("/bayfield/approved")
    )
    clock_at("2026-10-05T09:00")
    assert "<p>No hauler is approved for season 2026-27.</p>" in text(client.get("/bayfield/approved"))
    approved(hauler())
    db.session.commit()
    page = text(client.get("/bayfield/approved"))
    assert "O&#39;Brien &amp; Søn Septic, L.L.C." in page
    assert SOURCE.place not in page
