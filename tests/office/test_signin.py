"""Signing in: one answer for every wrong pair, guesses slowed, the reset link changes nothing by being opened."""

import re

from sqlalchemy import select

from office.db import db
from office.notices import Notice
from tests import world


def test_right_password_leads_home(app, clock_at):
    clock_at("2026-10-06T07:40")
    answer = app.test_client().post("/sign-in", data={"email": "Clerk@city.example", "password": world.PASSWORD})
    assert (answer.status_code, answer.location) == (302, "/account/home")


def test_wrong_password_and_unknown_address_read_the_same_and_keep_the_address(app):
    for email in ("clerk@city.example", "nobody@city.example"):
        page = app.test_client().post("/sign-in", data={"email": email, "password": "wrong"}).get_data(as_text=True)
        assert page.count("The e-mail or password does not match. You can ask for a new password instead.") == 2
        assert f'value="{email}"' in page
        assert "<title>Error: Sign in" in page


def test_empty_form_names_the_field(app):
    page = app.test_client().post("/sign-in", data={"email": "", "password": ""}).get_data(as_text=True)
    assert page.count("Enter your e-mail<") == 2
    page = app.test_client().post("/sign-in", data={"email": "a@b.example"}).get_data(as_text=True)
    assert page.count("Enter your password<") == 2


def test_sixth_guess_waits_even_with_the_right_password(app, clock_at):
    clock_at("2026-10-06T07:40:00")
    client = app.test_client()
    for _ in range(5):
        client.post("/sign-in", data={"email": "clerk@city.example", "password": "guess"})
    page = client.post("/sign-in", data={"email": "clerk@city.example", "password": world.PASSWORD})
    assert "There were too many tries with this e-mail. Wait five minutes" in page.get_data(as_text=True)
    clock_at("2026-10-06T07:45:00")
    page = client.post("/sign-in", data={"email": "clerk@city.example", "password": world.PASSWORD})
    assert page.status_code == 302


def test_reset_link_opened_by_a_mail_scanner_changes_nothing(app, clock_at):
    client = app.test_client()
    client.post("/account/password-reset", data={"email": "clerk@city.example"})
    notice = db.session.scalars(select(Notice)).one()
    link = re.search(r"/account/password-reset/\S+", notice.body).group()
    for _ in range(2):
        assert app.test_client().get(link).status_code == 200
        app.test_client().head(link)
    world.sign_in(app.test_client(), "clerk")
    words = {"password": "a brand new pass", "password_confirm": "a brand new pass"}
    assert client.post(link, data=words).status_code == 302
    new = {"email": "clerk@city.example", "password": "a brand new pass"}
    assert app.test_client().post("/sign-in", data=new).status_code == 302


def test_unknown_address_gets_no_message_and_the_same_words(app):
    page = app.test_client().post("/account/password-reset", data={"email": "x@y.example"}, follow_redirects=True)
    assert "If we know this address, a link to set a new password is on its way" in page.get_data(as_text=True)
    assert db.session.scalars(select(Notice)).all() == []


def test_copied_cookie_is_worth_nothing_after_sign_out(app, clock_at):
    clock_at("2026-10-06T07:40")
    client, thief = app.test_client(), app.test_client()
    world.sign_in(client, "clerk")
    thief.set_cookie("session", client.get_cookie("session").value)
    assert thief.get("/bayfield/clerk").status_code == 200
    client.post("/sign-out")
    assert thief.get("/bayfield/clerk").location == "/sign-in?next=/bayfield/clerk"
    assert client.get("/bayfield/clerk").status_code == 302


def test_sign_in_of_another_browser_stays_when_one_signs_out(app, clock_at):
    clock_at("2026-10-06T07:40")
    one, other = app.test_client(), app.test_client()
    world.sign_in(one, "clerk")
    world.sign_in(other, "clerk")
    one.post("/sign-out")
    assert other.get("/bayfield/clerk").status_code == 200


def test_no_remember_cookie_is_given_even_when_asked_for(app, clock_at):
    clock_at("2026-10-06T07:40")
    client = app.test_client()
    client.post("/sign-in", data={"email": "clerk@city.example", "password": world.PASSWORD, "remember": "y"})
    assert client.get_cookie("remember_token") is None


def test_foreign_next_is_dropped_and_costs_no_try(app, clock_at):
    clock_at("2026-10-06T07:40")
    for _ in range(7):
        answer = app.test_client().post("/sign-in?next=//evil.com", data={
            "email": "clerk@city.example", "password": world.PASSWORD, "next": "//evil.com"})  # fmt: skip
        assert (answer.status_code, answer.location) == (302, "/account/home")


def test_own_next_is_followed(app, clock_at):
    clock_at("2026-10-06T07:40")
    answer = app.test_client().post("/sign-in?next=/bayfield/clerk/ledger", data={
        "email": "clerk@city.example", "password": world.PASSWORD, "next": "/bayfield/clerk/ledger"})  # fmt: skip
    assert answer.location == "/bayfield/clerk/ledger"


def test_foreign_host_gets_no_reset_link_made_for_it(app, clock_at):
    clock_at("2026-10-06T07:40")
    answer = app.test_client().post("/account/password-reset", data={"email": "clerk@city.example"},
                                    headers={"Host": "evil.example"})  # fmt: skip
    assert answer.status_code == 400
    assert "SEPTAGE_URL" in answer.get_data(as_text=True)
    assert db.session.scalars(select(Notice)).all() == []


def test_overlong_and_odd_addresses_are_answered_like_any_wrong_one(app):
    for email in ("x" * 300 + "@city.example", "a\x00b@city.example", "ⅳ@city.example", "'; DROP TABLE person"):
        answer = app.test_client().post("/sign-in", data={"email": email, "password": "x"})
        assert answer.status_code in (200, 404), email


def test_reset_asked_for_without_an_address_says_what_is_missing(app):
    client = app.test_client()
    for typed, said in (("", "Enter your e-mail address"), (" ", "Enter your e-mail address"),
                        ("garbage", "Enter an e-mail address like name@example.com")):  # fmt: skip
        page = client.post("/account/password-reset", data={"email": typed}).get_data(as_text=True)
        assert f'<li><a href="#email">{said}</a></li>' in page, typed
        assert f'id="email-error"><span class="visually-hidden">Error:</span> {said}</p>' in page
        assert "<title>Error: Set a new password" in page
        assert "If we know this address" not in page
    assert db.session.scalars(select(Notice)).all() == []
