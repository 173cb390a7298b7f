"""The clerk's page of a paper application: finding its company, an unlikely day, errors in the order of the page."""

import re
from typing import Any

from haulers.models import Application, Business
from tests.haulers.builders import draft, hauler
from tests.haulers.test_pages_application import PAPER, SUMMARY, count, only
from tests.haulers.test_pages_hauler import ROW, once, rows, signed_in, text

PAGE = "/bayfield/clerk/filings/paper"


def offered(page: str) -> list[str]:
    return re.findall(r'name="company" value="([^"]+)"', page)


def test_every_registered_company_is_offered_and_found_by_name_or_license(app: Any, clock_at: Any) -> None:
    first, other = hauler(), hauler("Second Septic", "second@hauler.example")
    draft(first)
    clock_at("2026-08-21T09:00")
    clerk = signed_in(app, "clerk")
    page = text(clerk.get(PAGE))
    assert offered(page) == [str(first.id), str(other.id), "new"]
    assert "License WI 4022; 12 Rittenhouse Avenue" in page
    found = clerk.post(PAGE, data=PAPER | rows(ROW) | {"find": "4021", "find_now": "1"} | once())
    assert offered(text(found)) == [str(other.id), "new"]
    assert 'value="Nguyễn Thị Hà Septic"' in text(found)
    assert count(Application) == 1
    kept = clerk.post(PAGE, data=PAPER | {"company": str(first.id), "find": "Second", "find_now": "1"} | once())
    assert offered(text(kept)) == [str(first.id), str(other.id), "new"]


def test_a_new_company_with_a_known_license_is_led_to_the_list(app: Any, clock_at: Any) -> None:
    hauler()
    clock_at("2026-08-21T09:00")
    typed = PAPER | rows(ROW) | {"licence_number": "4022", "find": "nobody"} | once()
    answer = text(signed_in(app, "clerk").post(PAGE, data=typed))
    assert [target for target, _ in re.findall(SUMMARY, answer)] == ["licence_number"]
    assert offered(answer) == ["1", "new"]
    assert count(Business) == 1


def test_last_years_date_is_confirmed_in_words_and_a_changed_date_is_asked_about_anew(app: Any, clock_at: Any) -> None:
    clock_at("2026-08-21T09:00")
    clerk, last = signed_in(app, "clerk"), PAPER | rows(ROW) | {"received_on-year": "2025"}
    asked = text(clerk.post(PAGE, data=last | once()))
    assert [target for target, _ in re.findall(SUMMARY, asked)] == ["sure-0"]
    assert "Yes, on August 20, 2025, for season 2025-26" in asked
    assert "<legend>Is that the day it was received?</legend>" in asked
    other = text(clerk.post(PAGE, data=last | {"received_on-day": "21", "sure": "2025-08-20"} | once()))
    assert [target for target, _ in re.findall(SUMMARY, other)] == ["sure-0"]
    assert "Yes, on August 21, 2025, for season 2025-26" in other
    assert count(Application) == 0
    clerk.post(PAGE, data=last | {"sure": "2025-08-20"} | once())
    assert only().number == "2025-26/0001"


def test_an_everyday_date_asks_nothing(app: Any, clock_at: Any) -> None:
    clock_at("2026-08-21T09:00")
    assert 'name="sure"' not in text(signed_in(app, "clerk").get(PAGE))


def test_what_is_wrong_is_listed_in_the_order_of_the_page(app: Any, clock_at: Any) -> None:
    clock_at("2026-08-21T09:00")
    wrong = PAPER | rows(ROW | {"place": ""}) | {"received_on-year": "", "licence_ends-year": "", "company": "99",
                                                 "trucks-0-capacity": "big"}  # fmt: skip
    page = text(signed_in(app, "clerk").post(PAGE, data=wrong | once()))
    targets = [target for target, _ in re.findall(SUMMARY, page)]
    places = [page.index(f'id="{target}"') for target in targets]
    assert len(targets) == 5
    assert places == sorted(places)


def test_all_that_is_missing_of_a_new_company_is_named_in_the_first_answer(app: Any, clock_at: Any) -> None:
    clock_at("2026-08-21T09:00")
    bare = {"received_on-month": "8", "received_on-day": "20", "received_on-year": "2026", "company": "new"}
    page = text(signed_in(app, "clerk").post(PAGE, data=bare | rows(ROW | {"place": ""}) | once()))
    assert re.findall(SUMMARY, page) == [
        ("name", "Enter the company name"), ("address", "Enter the mailing address"),
        ("licence_number", "Enter the license number"), ("licence_ends-month", "Enter the license end date"),
        ("sources-0-place", "Source 1: Enter the place"),
    ]  # fmt: skip
    assert count(Business) == 0


def test_a_paper_of_after_the_close_is_asked_why_at_the_question_for_it(app: Any, clock_at: Any) -> None:
    clock_at("2026-09-05T09:00")
    clerk, late = signed_in(app, "clerk"), PAPER | rows(ROW) | {"received_on-month": "9", "received_on-day": "3"}
    page = text(clerk.post(PAGE, data=late | {"licence_number": ""} | once()))
    assert re.findall(SUMMARY, page) == [
        ("licence_number", "Enter the license number"),
        ("late_reason", "Paper applications for season 2026-27 were taken from Saturday, August 1, 2026 to Tuesday, "
                        "September 1, 2026. Enter why it is late, or correct the date received"),
    ]  # fmt: skip
    assert count(Application) == 0
    clerk.post(PAGE, data=late | {"late_reason": "Søn was ill"} | once())
    assert (only().state, only().late_reason) == ("asked_late", "Søn was ill")


def test_a_company_is_never_put_back_by_its_place_in_the_list(app: Any, clock_at: Any) -> None:
    first = hauler()
    clock_at("2026-08-21T09:00")
    page = text(signed_in(app, "clerk").get(PAGE))
    radios = re.findall(r'<input type="radio"[^>]*name="company" value="(\w+)"([^>]*)>', page)
    # Going back, a browser ticks the radio that stands where the ticked one stood; another company may stand there now.
    assert [(value, 'autocomplete="off"' in more) for value, more in radios] == [(str(first.id), True), ("new", False)]
