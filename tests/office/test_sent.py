"""The same form sent again after going back: what was done is shown, and a second one is made only when it is meant."""

import re

import pytest
from sqlalchemy import func, select

from haulers.models import ApplicationFile, Business, Driver
from office import sent, verify
from office.db import db
from office.once import Answered
from tests.haulers.builders import draft, hauler
from tests.haulers.company import MINE, post, read, second, signed_in
from tests.office.samples import PDF

DRIVERS, FILES = "/hauler/drivers", "/hauler/files"
TEXT = re.compile(r"<[^>]+>")


@pytest.fixture
def now(app, clock_at):
    clock_at("2026-08-10T15:02")
    hauler()
    return clock_at


def count(model):
    db.session.expire_all()
    return db.session.scalar(select(func.count()).select_from(model))


def words(answer):
    main = answer.get_data(as_text=True).partition('<main id="main"')[2].partition("</main>")[0]
    return " ".join(TEXT.sub(" ", main.partition(">")[2]).split())


def pressed(answer):
    """The hidden fields of the page's own form, with its button pressed."""
    form = answer.get_data(as_text=True).partition("<main")[2].partition("<form")[2]
    return dict(re.findall(r'name="([^"]+)" value="([^"]*)"', form))


def test_same_content_under_a_new_key_shows_what_it_did_and_makes_nothing(app, now):
    client = signed_in(app)
    assert post(client, DRIVERS, name="Øyvind").location == "/bayfield/hauler/drivers"
    now("2026-08-10T15:31:59")
    answer = post(client, DRIVERS, name="Øyvind")
    assert answer.status_code == 409
    assert "<title>You already sent this – Septage receiving" in answer.get_data(as_text=True)
    assert words(answer).startswith(
        "You already sent this You already sent this at 3:02 p.m. Nothing was done a second"
    )
    assert '<a href="/bayfield/hauler/drivers">See what it did the first time</a>' in answer.get_data(as_text=True)
    assert count(Driver) == 1
    assert verify.verify() == []


def test_two_alike_are_made_by_the_button_and_only_once(app, now):
    client = signed_in(app)
    post(client, DRIVERS, name="Øyvind")
    meant = pressed(post(client, DRIVERS, name="Øyvind"))
    assert client.post(f"/bayfield{DRIVERS}", data=meant).location == "/bayfield/hauler/drivers"
    assert count(Driver) == 2
    client.post(f"/bayfield{DRIVERS}", data=meant)
    assert count(Driver) == 2
    assert "You already sent this. This is what it did the first time." in read(client, DRIVERS)


def test_other_content_another_person_or_a_long_time_later_is_nothing_sent_again(app, now):
    second()
    client = signed_in(app)
    post(client, DRIVERS, name="Øyvind")
    assert post(client, DRIVERS, name="Øyvind II").status_code == 303
    assert post(signed_in(app, "second@hauler.example"), DRIVERS, name="Øyvind II").status_code == 303
    now("2026-08-10T15:32:01")
    assert post(client, DRIVERS, name="Øyvind").status_code == 303
    assert count(Driver) == 4


def test_going_back_twice_and_sending_the_first_of_two_again_is_asked_about(app, now):
    client = signed_in(app)
    led = []
    for minute, name in enumerate(("Øyvind", "Åse", "Liv", "Øyvind", "Åse", "Per")):
        now(f"2026-08-10T15:0{minute}")
        led.append(post(client, DRIVERS, name=name).status_code)
    assert (led, count(Driver)) == ([303, 303, 303, 409, 409, 303], 4)
    asked = post(client, DRIVERS, name="Øyvind")
    assert words(asked).startswith("You already sent this You already sent this at 3:00 p.m.")
    assert client.post(f"/bayfield{DRIVERS}", data=pressed(asked)).status_code == 303
    assert count(Driver) == 5


def test_what_was_done_otherwise_since_makes_the_same_again_no_slip(app, now):
    """A driver is taken off and named again: that is meant, and nothing is asked."""
    client = signed_in(app)
    post(client, DRIVERS, name="Øyvind")
    now("2026-08-10T15:03")
    address = re.search(r'href="/bayfield(/hauler/driver/\d+/remove)"', read(client, DRIVERS))[1]
    assert post(client, address).status_code == 303
    now("2026-08-10T15:04")
    assert post(client, DRIVERS, name="Øyvind").status_code == 303
    assert count(Driver) == 2


def test_same_fields_on_another_page_are_other_content(app):
    found = []
    for address in ("/bayfield/hauler/drivers", "/bayfield/hauler/drivers", "/bayfield/hauler/people"):
        with app.test_request_context(address, method="POST", data={"name": "Øyvind", "once": "a" * 32}):
            found.append(sent.digest())
    assert (found[0] == found[1], found[0] == found[2]) == (True, False)


def test_first_key_with_other_content_asks_before_it_makes_a_second(app, now):
    client, key = signed_in(app), "a" * 32
    post(client, DRIVERS, once=key, name="Øyvind")
    assert post(client, DRIVERS, once=key, name="Øyvind").location == "/bayfield/hauler/drivers"
    answer = post(client, DRIVERS, once=key, name="Åse")
    assert answer.status_code == 409
    assert "What you send now is not the same as then. It was not taken yet." in words(answer)
    assert count(Driver) == 1
    meant = pressed(answer)
    assert (meant["name"], meant["once"] == key) == ("Åse", False)
    assert client.post(f"/bayfield{DRIVERS}", data=meant).status_code == 303
    assert count(Driver) == 2


def test_same_file_is_asked_about_and_another_one_is_not(app, now):
    client = signed_in(app)
    assert post(client, FILES, ("file", PDF, "licence.pdf"), kind="licence").status_code == 303
    asked = post(client, FILES, ("file", PDF, "again.pdf"), kind="licence")
    assert asked.status_code == 409
    assert count(ApplicationFile) == 1
    # The file is kept with the question: the button is enough.
    meant = pressed(asked)
    assert len(meant["file-kept"]) == 32
    assert client.post(f"/bayfield{FILES}", data=meant).status_code == 303
    assert "again.pdf" in read(client, FILES)
    assert post(client, FILES, ("file", PDF + b"\n", "licence.pdf"), kind="licence").status_code == 303
    assert count(ApplicationFile) == 3


def test_first_key_with_another_file_asks_before_it_was_read_and_leads_to_the_page(app, now):
    client, key = signed_in(app), "e" * 32
    assert post(client, FILES, ("file", PDF, "a.pdf"), once=key, kind="licence").status_code == 303
    asked = post(client, FILES, ("file", PDF + b"\n", "b.pdf"), once=key, kind="licence")
    assert asked.status_code == 409
    assert "Files and passwords are not kept: open the page again , enter them and send it once more." in words(asked)
    assert pressed(asked).get("again") is None


def test_a_draft_may_be_saved_again_with_the_same_key_and_the_same_answers(app, now):
    draft(db.session.scalars(select(Business)).one())
    client, key, season = signed_in(app), "b" * 32, "/hauler/apply/season"
    typed = {"then": "later"}
    for once, given in ((key, "both"), (key, ""), ("c" * 32, "")):
        seen = re.search(r'name="seen" value="([^"]*)"', read(client, season))[1]
        assert post(client, season, **typed | {"season": given, "once": once, "seen": seen}).status_code == 303, given
    row = db.session.scalars(select(Answered).filter_by(once=key)).one()
    assert row.made is False


def test_a_changed_answer_is_saved_though_its_key_was_answered(app, now):
    client, key = signed_in(app), "d" * 32
    company = {"name": "O'Brien & Søn Septic, L.L.C.", "address": "1 A St", "phone": "715-555-0100", "email": MINE}
    for contact in ("Åse", "Øyvind"):
        page = read(client, "/hauler/company")
        seen = re.search(r'name="seen" value="([^"]*)"', page)
        typed = company | {"contact": contact, "once": key} | ({"seen": seen[1]} if seen else {})
        assert post(client, "/hauler/company", **typed).status_code == 303, contact
        assert contact in read(client, "/hauler/company")


def test_visitor_who_registers_again_is_led_to_what_the_first_did(app, now):
    client = app.test_client()
    typed = {
        "name": "Zed", "address": "1 A St", "phone": "715-555-0100", "contact": "Zoë", "email": "z@hauler.example",
        "password": "a very long pass phrase", "licence_state": "WI", "licence_number": "4712",
        "licence_ends-month": 6, "licence_ends-day": 30, "licence_ends-year": 2027, "trucks-0-plate": "WI 9",
        "trucks-0-capacity": "2500",
    }  # fmt: skip
    before = count(Business)
    led = [client.post("/account/register", data=typed | {"once": once}) for once in ("e" * 32, "e" * 32, "f" * 32)]
    assert count(Business) == before + 1
    assert [one.status_code for one in led] == [303, 303, 422]
    assert led[0].location == led[1].location
