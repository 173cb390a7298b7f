"""What was typed is not lost: an old token, a sign-in that is gone, a refusal; and nobody else reads it."""

import re
from urllib.parse import quote

import pytest
from sqlalchemy import func, select, text
from sqlalchemy.exc import DBAPIError

from office import kept
from office.db import db
from office.journal import JournalEntry
from tests import world
from tests.haulers.builders import hauler

DAY = {"since-month": "10", "since-day": "7", "since-year": "2026"}
AMOUNTS = "/bayfield/admin/amounts"
LAPSED = "This page was open for a long time. Check it and press the button again."
AGAIN = "You are signed in again. Check what you typed and press the button again."
GONE = "What was typed on this page cannot be shown again. Nothing was changed."


def hidden(page, form=0):
    """The hidden fields of one form of a page, after the one that signs out."""
    forms = re.findall(r"<form method=\"post\".*?</form>", page, re.S)
    forms = [one for one in forms if "/sign-out" not in one]
    return dict(re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', forms[form]))


@pytest.fixture
def desk(app, clock_at):
    """The clerk's browser at the page of amounts, forgery guarded as in real life."""
    app.config["WTF_CSRF_ENABLED"] = False
    clock_at("2026-10-06T07:40")
    client = app.test_client()
    world.sign_in(client, "clerk")
    app.config["WTF_CSRF_ENABLED"] = True
    return client


def typed(page, **more):
    return hidden(page) | {"resolution": "Resolution & 2026-09", "value": "81.5", "basis": "Hours"} | more


def sign_in_with(client, asked, who="clerk", password=world.PASSWORD):
    data = hidden(asked) | {"email": f"{who}@city.example", "password": password}
    return data, client.post("/sign-in", data=data)


def written():
    return db.session.scalar(select(func.count()).select_from(JournalEntry))


def test_old_token_shows_the_form_again_and_pressing_again_does_it_once(desk):
    page = desk.get(AMOUNTS).get_data(as_text=True)
    before = written()
    answer = desk.post(AMOUNTS, data=typed(page, csrf_token="old"))
    shown = answer.get_data(as_text=True)
    assert answer.status_code == 422
    assert f'<li><a href="#main">{LAPSED}</a></li>' in shown
    assert 'value="Resolution &amp; 2026-09"' in shown
    assert 'value="81.5"' in shown
    assert written() == before
    again = typed(shown, key="fees.filing", **DAY)
    assert again["once"] == hidden(page)["once"]
    assert desk.post(AMOUNTS, data=again).location == "/bayfield/admin"
    assert written() == before + 1


def test_old_token_with_everything_right_still_does_nothing(desk):
    page = desk.get(AMOUNTS).get_data(as_text=True)
    before = written()
    answer = desk.post(AMOUNTS, data=typed(page, csrf_token="old", key="fees.filing", **DAY))
    assert (answer.status_code, written()) == (422, before)
    assert LAPSED in answer.get_data(as_text=True)


def test_form_of_another_site_is_not_shown_as_if_typed(desk):
    page = desk.get(AMOUNTS).get_data(as_text=True)
    for headers in ({"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}):
        answer = desk.post(AMOUNTS, data=typed(page, csrf_token=""), headers=headers)
        assert answer.status_code == 400, headers
        assert "Resolution" not in answer.get_data(as_text=True), headers
    answer = desk.post(AMOUNTS, data=typed(page, csrf_token=""), headers={"Origin": "http://localhost"})
    assert answer.status_code == 422


def test_sign_in_that_ended_elsewhere_leads_through_sign_in_back_to_what_was_typed(desk, app):
    page = desk.get(AMOUNTS).get_data(as_text=True)
    desk.post("/sign-out", data=hidden(page))
    before = written()
    answer = desk.post(AMOUNTS, data=typed(page, key="fees.filing", **DAY))
    asked = answer.get_data(as_text=True)
    assert answer.status_code == 401
    assert "<h1>Sign in again to send what you typed</h1>" in asked
    assert 'action="/sign-in"' in asked
    data, wrong = sign_in_with(desk, asked, password="wrong")
    assert "<h1>Sign in again to send what you typed</h1>" in wrong.get_data(as_text=True)
    data, led = sign_in_with(desk, wrong.get_data(as_text=True))
    assert (led.status_code, led.location) == (307, AMOUNTS)
    back = desk.post(AMOUNTS, data=data)
    shown = back.get_data(as_text=True)
    assert back.status_code == 422
    assert f'<li><a href="#main">{AGAIN}</a></li>' in shown
    assert 'value="Resolution &amp; 2026-09"' in shown
    assert re.search('value="fees.filing" checked', shown)
    assert [re.search(f'name="since-{part}" value="(.*?)"', shown)[1] for part in ("month", "day", "year")] == [
        "10", "7", "2026"]  # fmt: skip
    assert world.PASSWORD not in shown
    assert written() == before
    assert desk.post(AMOUNTS, data=typed(shown, key="fees.filing", **DAY)).location == "/bayfield/admin"
    assert written() == before + 1


def test_cookie_that_is_gone_keeps_the_query_of_the_address(desk, app):
    page = desk.get(AMOUNTS).get_data(as_text=True)
    other = app.test_client()
    answer = other.post(f"{AMOUNTS}?from=a%26b", data=typed(page))
    _data, led = sign_in_with(other, answer.get_data(as_text=True))
    assert (led.status_code, led.location) == (307, f"{AMOUNTS}?from=a%26b")


def test_another_person_signing_in_is_not_shown_the_former_ones_text(desk, app):
    page = desk.get(AMOUNTS).get_data(as_text=True)
    other = app.test_client()
    asked = other.post(AMOUNTS, data=typed(page)).get_data(as_text=True)
    data, led = sign_in_with(other, asked, "admin")
    assert (led.status_code, led.location) == (302, AMOUNTS)
    assert "Resolution" not in other.get(AMOUNTS).get_data(as_text=True)
    forced = other.post(AMOUNTS, data=data)
    assert (forced.status_code, forced.location) == (303, AMOUNTS)
    assert GONE in other.get(AMOUNTS).get_data(as_text=True)


def test_person_without_the_role_gets_the_page_of_no_access(desk, app):
    page = desk.get(AMOUNTS).get_data(as_text=True)
    other = app.test_client()
    # Without the mark of its person only the role decides.
    asked = other.post(AMOUNTS, data=typed(page, whose="")).get_data(as_text=True)
    data, led = sign_in_with(other, asked, "operator")
    assert led.status_code == 307
    answer = other.post(AMOUNTS, data=data)
    assert answer.status_code == 403
    assert "Resolution" not in answer.get_data(as_text=True)


def test_form_shown_to_one_person_does_nothing_for_another(desk, app):
    page = desk.get(AMOUNTS).get_data(as_text=True)
    other = app.test_client()
    app.config["WTF_CSRF_ENABLED"] = False
    world.sign_in(other, "admin")
    before = written()
    answer = other.post(AMOUNTS, data=typed(page, key="fees.filing", **DAY))
    assert (answer.status_code, written()) == (400, before)
    assert "Resolution" not in answer.get_data(as_text=True)


@pytest.mark.parametrize("change", ["cut", "other address", "a day later"])
def test_kept_form_that_was_changed_or_is_old_is_not_shown(desk, app, clock_at, change):
    page = desk.get(AMOUNTS).get_data(as_text=True)
    asked = desk.post(AMOUNTS, data=typed(page, csrf_token="old") | {"whose": hidden(page)["whose"]})
    other = app.test_client()
    asked = other.post(AMOUNTS, data=typed(page)).get_data(as_text=True)
    data, led = sign_in_with(other, asked)
    assert led.status_code == 307
    if change == "cut":
        data["kept_form"] = data["kept_form"][:-2]
    if change == "a day later":
        clock_at("2026-10-07T07:40:01")
    target = "/bayfield/admin/review-rights" if change == "other address" else AMOUNTS
    answer = other.post(target, data=data)
    assert (answer.status_code, answer.location) == (303, target)
    shown = other.get(target).get_data(as_text=True)
    assert GONE in shown
    assert "Resolution &amp;" not in shown


def test_kept_form_is_shown_to_the_last_second_of_its_day(desk, app, clock_at):
    page = desk.get(AMOUNTS).get_data(as_text=True)
    other = app.test_client()
    data, _led = sign_in_with(other, other.post(AMOUNTS, data=typed(page)).get_data(as_text=True))
    clock_at("2026-10-07T07:40:00")
    assert AGAIN in other.post(AMOUNTS, data=data).get_data(as_text=True)


def test_text_too_long_to_be_carried_is_said_before_sign_in(desk, app):
    page = desk.get(AMOUNTS).get_data(as_text=True)
    other = app.test_client()
    answer = other.post(AMOUNTS, data=typed(page, value="9" * (kept.LONGEST + 1)))
    assert answer.location == f"/sign-in?next={quote(AMOUNTS)}"
    assert kept.TOO_LONG in other.get(answer.location).get_data(as_text=True)


def test_plain_button_leads_to_sign_in_and_never_to_an_address_that_cannot_be_opened(app, clock_at):
    clock_at("2026-10-06T07:40")
    answer = app.test_client().post("/bayfield/station/load/2026-0001/finish", data={"once": "a" * 32})
    assert (answer.status_code, answer.location) == (302, "/sign-in")


def test_button_without_a_form_and_with_an_old_token_does_nothing(desk, app):
    other = app.test_client()
    app.config["WTF_CSRF_ENABLED"] = False
    world.sign_in(other, "admin")
    app.config["WTF_CSRF_ENABLED"] = True
    page = other.get("/bayfield/admin/people").get_data(as_text=True)
    before = written()
    target = re.search(r'action="(/bayfield/admin/people/\d+/end)"', page)[1]
    answer = other.post(target, data=hidden(page) | {"csrf_token": "old"})
    assert (answer.status_code, written()) == (400, before)
    assert "This page was open too long" in answer.get_data(as_text=True)


def test_sign_in_page_with_an_old_token_keeps_the_address_and_the_carried_form(desk, app):
    page = desk.get(AMOUNTS).get_data(as_text=True)
    other = app.test_client()
    asked = other.post(AMOUNTS, data=typed(page)).get_data(as_text=True)
    other.delete_cookie("session")
    _data, old = sign_in_with(other, asked)
    shown = old.get_data(as_text=True)
    assert old.status_code == 400
    assert shown.count("This page was open for a long time. Enter your password and press the button again.") == 2
    assert 'value="clerk@city.example"' in shown
    assert world.PASSWORD not in shown
    _data, led = sign_in_with(other, shown)
    assert (led.status_code, led.location) == (307, AMOUNTS)


def test_form_sent_before_its_token_lapsed_leads_to_its_first_answer(desk):
    page = desk.get(AMOUNTS).get_data(as_text=True)
    data = typed(page, key="fees.filing", **DAY)
    assert desk.post(AMOUNTS, data=data).location == "/bayfield/admin"
    before = written()
    again = desk.post(AMOUNTS, data=data | {"csrf_token": "old"})
    assert (again.status_code, again.location, written()) == (303, "/bayfield/admin", before)


def test_page_that_is_not_there_reads_not_found_with_an_old_token(desk):
    page = desk.get(AMOUNTS).get_data(as_text=True)
    assert desk.post("/elsewhere/admin/amounts", data=typed(page, csrf_token="old")).status_code == 404


def test_refused_form_shows_what_was_typed_to_be_copied(app, clock_at):
    clock_at("2026-10-06T07:40")
    client = app.test_client()
    world.sign_in(client, "director")
    typed = {"reason": "permit_threat", "scope": "everything"}
    page = client.get("/bayfield/director/restrict").get_data(as_text=True)
    address = client.post("/bayfield/director/restrict", data=hidden(page) | typed).location + "/lift"
    first = client.get(address).get_data(as_text=True)
    second = client.get(address).get_data(as_text=True)
    words = {"done": "Clarifier 2 <down>\nmended"}
    assert client.post(address, data=hidden(first) | words).status_code == 303
    answer = client.post(address, data=hidden(second) | words)
    shown = answer.get_data(as_text=True)
    assert answer.status_code == 409
    assert "<h2>What you typed</h2>" in shown
    assert "Clarifier 2 &lt;down&gt;\nmended</dd>" in shown


def test_refused_button_without_text_shows_no_empty_list(app, clock_at):
    clock_at("2026-10-06T07:40")
    client = app.test_client()
    world.sign_in(client, "admin")
    page = client.get("/bayfield/admin/people").get_data(as_text=True)
    target = re.search(r'action="(/bayfield/admin/people/\d+/end)"', page)[1]
    client.post(target, data=hidden(page))
    answer = client.post(target, data={"once": "b" * 32})
    assert "What you typed" not in answer.get_data(as_text=True)


def test_rows_of_an_application_come_back_after_signing_in(app, clock_at):
    clock_at("2026-08-31T23:50")
    hauler()
    client = app.test_client()
    app.config["WTF_CSRF_ENABLED"] = True
    address = "/bayfield/hauler/apply/sources"
    rows = {f"sources-{n}-place": f"Farm & lake {n}" for n in range(3)} | {"sources-2-tank": "holding"}
    asked = client.post(address, data=rows | {"once": "c" * 32, "then": "check"}).get_data(as_text=True)
    data = hidden(asked) | {"email": "o'brien@hauler.example", "password": world.PASSWORD}
    assert client.post("/sign-in", data=data).location == address
    shown = client.post(address, data=data).get_data(as_text=True)
    assert AGAIN in shown
    assert re.findall('name="sources-[0-9]-place" [^>]*value="([^"]*)"', shown) == [
        "Farm &amp; lake 0", "Farm &amp; lake 1", "Farm &amp; lake 2"]  # fmt: skip


def test_database_holds_a_request_that_only_shows_to_reading(app):
    with app.test_request_context("/", method="POST"):
        db.session.rollback()
        db.session.execute(text("DELETE FROM answered"))
        db.session.rollback()
        kept.lapse()
        with pytest.raises(DBAPIError, match=r"readonly|read-only"):
            db.session.execute(text("DELETE FROM answered"))
        db.session.rollback()


@pytest.mark.parametrize(("names", "said"), [
    ([], ""), (["licence.pdf"], " Choose licence.pdf again: a file is not kept."),
    (["a.pdf", "b.png", "c.jpg"], " Choose a.pdf, b.png and c.jpg again: files are not kept."),
])  # fmt: skip
def test_files_chosen_are_named(names, said):
    assert kept.choose_again(names) == said
