"""Every form people are shown carries its token and its key, and answers nonsense kindly."""

import re
from html.parser import HTMLParser

import pytest
from sqlalchemy import func, select

from intake.sample.cast import PASSWORD
from office.db import db
from office.journal import JournalEntry
from tests import world
from tests.flows.test_links import PEOPLE, links, shape

pytestmark = pytest.mark.xdist_group("season")


class Forms(HTMLParser):
    """The POST forms of a page with the names and values of their controls."""

    def __init__(self):
        super().__init__()
        self.forms, self.now, self.controls = [], None, []

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag == "form":
            self.now = {"action": attrs.get("action"), "novalidate": "novalidate" in attrs, "fields": {}}
            if attrs.get("method") == "post":
                self.forms.append(self.now)
        elif tag in ("input", "select", "textarea", "button"):
            self.controls.append((tag, attrs))
            if self.now is not None and attrs.get("name"):
                self.now["fields"].setdefault(attrs["name"], attrs.get("value") or "")

    def handle_endtag(self, tag):
        if tag == "form":
            self.now = None


def walk(season, who, csrf=False):
    """(address, page) of one page of each kind this person is led to."""
    client = season.test_client()
    if PEOPLE[who]:
        world.sign_in(client, PEOPLE[who], PASSWORD)
    season.config["WTF_CSRF_ENABLED"] = csrf
    todo = ["/bayfield/", "/sign-in", "/account/register"] + (["/account/home"] if PEOPLE[who] else [])
    kinds = set()
    while todo:
        address = todo.pop(0)
        if shape(address) in kinds or address.startswith(("/static", "/bootstrap")):
            continue
        kinds.add(shape(address))
        answer = client.get(address)
        if answer.location:
            todo.append(answer.location)
        if answer.mimetype == "text/html" and answer.status_code == 200:
            page = answer.get_data(as_text=True)
            yield client, address, page
            todo += links(page)


@pytest.mark.parametrize("who", PEOPLE)
def test_every_form_has_token_key_and_no_browser_validation(season, who):
    seen = 0
    for _client, address, page in walk(season, who, csrf=True):
        parser = Forms()
        parser.feed(page)
        for form in parser.forms:
            seen += 1
            assert re.fullmatch(r"[0-9a-f]{32}", form["fields"].get("once", "")), (address, form["action"])
            assert form["fields"].get("csrf_token"), (address, form["action"])
            assert form["novalidate"], (address, form["action"])
        assert [a for t, a in parser.controls if "required" in a] == [], address
    assert seen > 0


@pytest.mark.parametrize("who", [who for who in PEOPLE if who != "public"])
def test_posting_a_form_empty_or_with_nonsense_is_never_an_error(season, who):
    season.config["PROPAGATE_EXCEPTIONS"] = False
    known = set()
    for client, address, page in list(walk(season, who)):
        parser = Forms()
        parser.feed(page)
        for form in parser.forms:
            target = form["action"] or address
            # The rows of a list have forms alike: one of them says it for all.
            alike = (shape(target), tuple(sorted(form["fields"])))
            if target.startswith(("/sign-out", "/account")) or alike in known:
                continue
            known.add(alike)
            for value in ("", "\x00<b>'\"; DROP", "9" * 40, "-1"):
                data = dict.fromkeys(form["fields"], value) | {"once": form["fields"]["once"]}
                answer = client.post(target, data=data)
                assert answer.status_code < 500, (target, value, answer.status_code)


def test_forged_post_without_a_token_is_refused(season):
    season.config["WTF_CSRF_ENABLED"] = True
    client = season.test_client()
    answer = client.post("/sign-in", data={"email": "clerk@sample.example", "password": PASSWORD})
    assert answer.status_code == 400
    assert "This page was open for a long time. Enter your password and press the button again." in answer.get_data(
        as_text=True
    )
    assert client.get("/bayfield/clerk").location == "/sign-in?next=/bayfield/clerk"


def spoil(html):
    """The POST forms of a page, each with its target and the text typed into its boxes."""
    parser = Forms()
    parser.feed(html)
    for form in parser.forms:
        boxes = {a.get("name") for tag, a in parser.controls if tag == "textarea" or a.get("type") in BOXES}
        yield form, dict.fromkeys(sorted(boxes & form["fields"].keys()), TYPED)


BOXES = ("text", "tel", "email")
TYPED = "Seven & seven <words>"
SHOWN = "Seven &amp; seven &lt;words&gt;"
LAPSED = "This page was open for a long time. Check it and press the button again."
AGAIN = "You are signed in again. Check what you typed and press the button again."


def entries():
    return db.session.scalar(select(func.count()).select_from(JournalEntry))


@pytest.mark.parametrize("who", PEOPLE)
def test_form_sent_too_late_keeps_everything_typed_and_does_nothing(season, who):
    pages, before = list(walk(season, who, csrf=True)), entries()
    seen = set()
    for client, address, page in pages:
        for form, typed in spoil(page):
            target = form["action"] or address
            alike = (shape(target), tuple(sorted(form["fields"])))
            if typed and not target.startswith(("/account/password", "/sign-in")) and alike not in seen:
                seen.add(alike)
                data = {n: v for n, v in form["fields"].items() if n not in ("add_row", "remove_row")} | typed
                old_token(client, target, data)
                if "whose" in data and not target.startswith("/account"):
                    signed_out(season.test_client(), target, data, PEOPLE[who])
    assert seen
    assert entries() == before


def old_token(client, target, data):
    """The page with an old token: shown again with the same key, nothing lost."""
    answer = client.post(target, data=data | {"csrf_token": "old"})
    shown = answer.get_data(as_text=True)
    assert answer.status_code == 422, (target, answer.status_code)
    assert f'<a href="#main">{LAPSED}</a>' in shown, target
    assert shown.count(SHOWN) == list(data.values()).count(TYPED), target
    assert data["once"] in [form["fields"]["once"] for form, _typed in spoil(shown)], target


def signed_out(client, target, data, email):
    """The page sent without a sign-in: through the sign-in page back to it, nothing lost."""
    asked = client.post(target, data=data)
    assert asked.status_code == 401, target
    assert "<h1>Sign in again to send what you typed</h1>" in asked.get_data(as_text=True), target
    forms = [form["fields"] for form, _typed in spoil(asked.get_data(as_text=True))]
    sign_in = next(fields for fields in forms if "kept_form" in fields) | {"email": email, "password": PASSWORD}
    led = client.post("/sign-in", data=sign_in)
    assert (led.status_code, led.location) == (307, target)
    shown = client.post(target, data=sign_in)
    assert shown.status_code == 422, (target, shown.status_code)
    assert AGAIN in shown.get_data(as_text=True), target
    assert shown.get_data(as_text=True).count(SHOWN) == list(data.values()).count(TYPED), target
    assert PASSWORD not in shown.get_data(as_text=True)
