"""Every form people are shown carries its token and its key, and answers nonsense kindly."""

import re
from html.parser import HTMLParser

import pytest

from intake.sample.cast import PASSWORD
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
    for client, address, page in list(walk(season, who)):
        parser = Forms()
        parser.feed(page)
        for form in parser.forms:
            target = form["action"] or address
            if target.startswith(("/sign-out", "/account")):
                continue
            for value in ("", "\x00<b>'\"; DROP", "9" * 40, "-1"):
                data = dict.fromkeys(form["fields"], value) | {"once": form["fields"]["once"]}
                answer = client.post(target, data=data)
                assert answer.status_code < 500, (target, value, answer.status_code)


def test_forged_post_without_a_token_is_refused(season):
    season.config["WTF_CSRF_ENABLED"] = True
    client = season.test_client()
    answer = client.post("/sign-in", data={"email": "clerk@sample.example", "password": PASSWORD})
    assert answer.status_code == 400
    assert "This page was open too long" in answer.get_data(as_text=True)
