"""Every role walked over every page of a town by agreement and of one that takes no septage.

No page breaks, none leads to what the town does not have, and each says why it has none.
"""

import html
import re
from typing import Any

import pytest
from flask import Flask, current_app
from werkzeug.exceptions import HTTPException

from haulers.actions import register_business
from office import clock
from office.access import NOBODY, TITLES, Grant, Role, system
from office.acts import act
from office.db import db
from office.law import adopt_law
from office.plants import set_up_plant
from office.signin import new_person
from office.standing import STANDING
from tests import world
from tests.conftest import _app, _settle, make_app
from tests.house.roles import NOT_OURS, PAGE_ROLES

pytestmark = pytest.mark.looks
NOW = "2026-08-12T10:00"
ROLES = [role for role in Role if role not in (Role.PERSON, Role.SYSTEM)]
WHY = {
    "gillett": "Gillett, Wisconsin takes hauled septage only under a written agreement",
    "lawrence": "Lawrence, Wisconsin does not accept hauled septage",
}
CITES = {"gillett": "§ 20-23 E", "lawrence": "§ 216-9"}
NEXT = {
    "gillett": "Ask the Utility Committee (the Approving Authority) or its deputy for an agreement.",
    "lawrence": "Green Bay Metropolitan Sewerage District has receiving facilities for it.",
}


@act("test_town", roles=(Role.SYSTEM,))
def _town(slug: str, party_id: int, *, by: Any, at: Any) -> bool:
    plant: Any = set_up_plant(slug=slug, name=f"{slug.title()} Works", city=slug.title(), zone="America/Chicago",
                              phone="715-555-0111", help_hours="weekdays", address="1 Road\nTown, WI 54000",
                              by=by, at=at)  # fmt: skip
    db.session.flush()
    adopt_law(plant, slug, world.date(2020, 1, 1), "Ordinance", by=by, at=at)
    for role in ROLES[1:]:
        person = new_person(f"{role.value}@{slug}.example", f"Only {TITLES[role]}", world.PASSWORD)
        own = role in (Role.HAULER, Role.DRIVER)
        where: dict[str, Any] = {"party_id": party_id} if own else {"plant_id": plant.id}
        db.session.add(Grant(person_id=person.id, role=role.value, since=at, **where))
    return True


@pytest.fixture(scope="session")
def towns_base(databases: Any, empty: str) -> str:
    """Both towns under their own laws, with one person for each role and a hauler who registered."""
    url = databases.create(like=empty)
    with make_app(url).app_context(), clock.held(world.START):
        for slug in sorted(WHY):
            made: Any = register_business(
                name=f"{slug.title()} Septic", address="1 Pine\nTown, WI 54814", phone="715-555-0133",
                email=f"own@{slug}.example", contact="Ona Ly", password=world.PASSWORD, licence_state="WI",
                licence_number=f"50{len(slug)}", licence_ends=world.date(2027, 6, 30), trucks=(), by=NOBODY,
                at=world.START,
            )  # fmt: skip
            db.session.flush()
            _town(slug, made.party_id, by=system("Set-up"), at=world.START)
        db.session.commit()
        _settle(current_app)
    return url


@pytest.fixture
def towns(databases: Any, towns_base: str, clock_at: Any) -> Any:
    """The application on both towns, whose faults become pages as they do for people."""
    clock_at(NOW)
    yield from _app(databases, towns_base)


def client_of(app: Flask, town: str, role: Role) -> Any:
    client = app.test_client()
    if role is not Role.PUBLIC:
        world.sign_in(client, f"{role.value}@{town}.example")
    return client


def pages_of(app: Flask, town: str, role: Role) -> list[tuple[str, set[str]]]:
    """Every page the role may open that is about no record: its address and how it is asked for."""
    found = []
    with app.test_request_context():
        for rule in app.url_map.iter_rules():
            mine = {role.value, "public", *(("person",) if role is not Role.PUBLIC else ())}
            if rule.endpoint in NOT_OURS or not mine & set(PAGE_ROLES[rule.endpoint]):
                continue
            if set(rule.arguments) <= {"plant_slug", "season"} and "plant_slug" in rule.arguments:
                known = {"plant_slug": town, "season": "2026-27"}
                address = rule.build({name: known[name] for name in rule.arguments})
                found.append((str(address[1]), set(rule.methods or ())))  # type: ignore[index]
    extra = [f"/{town}/committee/2026-27/motion/{kind}" for kind in ("table", "ask-changes", "take-late", "carry-over")]
    return found + [(one, {"GET", "POST"}) for one in extra if role in (Role.MEMBER, Role.CLERK)]


def linked(town: str, text: str) -> set[str]:
    """The addresses of the plant that links and forms of a page lead to."""
    found = {html.unescape(one).partition("?")[0] for one in re.findall(r'(?:href|action)="([^"#]+)', text)}
    return {one for one in found if one.startswith(f"/{town}/")}


def leads_to(app: Flask, paths: set[str]) -> set[str]:
    """The pages at some addresses."""
    found = set()
    adapter = app.url_map.bind("localhost")
    for path in paths:
        try:
            found.add(str(adapter.match(path)[0]))
        except HTTPException as said:
            if said.code != 405:
                found.add(f"nothing at {path}")
    return found


def of_a_programme(app: Flask, endpoints: set[str]) -> set[str]:
    """Those of some pages that only a place with a standing programme has, and addresses that hold nothing."""
    views = app.view_functions
    return {one for one in endpoints
            if one.startswith("nothing") or (views[one].__module__, views[one].__name__) in STANDING}  # fmt: skip


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("town", sorted(WHY))
def test_no_page_breaks_or_invites_and_each_says_why(towns: Flask, town: str, role: Role) -> None:
    client = client_of(towns, town, role)
    walked, wrong, empty, reached = pages_of(towns, town, role), set[tuple[str, str]](), set[str](), set[str]()
    for address, methods in walked:
        if "GET" not in methods:
            continue
        answer = client.get(address)
        text = html.unescape(answer.get_data(as_text=True))
        if answer.status_code not in (200, 302, 404, 409):
            wrong.add((address, answer.status))
        if answer.status_code == 404:
            # Nothing to print, no tank, no account: fine where no page leads there.
            empty.add(address)
            continue
        if answer.mimetype != "text/html" or answer.status_code == 302:
            continue
        wrong |= {(address, said) for said in (WHY[town], CITES[town], NEXT[town]) if said not in text}
        wrong |= {(address, f"leads to {one}") for one in of_a_programme(towns, leads_to(towns, linked(town, text)))}
        reached |= linked(town, text)
    assert (wrong, empty & reached) == (set(), set())
    assert len(walked) > 10


@pytest.mark.parametrize("role", [one for one in ROLES if one not in (Role.PUBLIC, Role.DRIVER, Role.STATE)])
@pytest.mark.parametrize("town", sorted(WHY))
def test_no_form_breaks(towns: Flask, town: str, role: Role) -> None:
    client = client_of(towns, town, role)
    for number, (address, methods) in enumerate(pages_of(towns, town, role)):
        if "POST" in methods:
            answer = client.post(address, data={"once": f"{number:032x}"})
            assert answer.status_code in (200, 303, 302, 404, 409, 422), (address, answer.status_code)


@pytest.mark.parametrize(("town", "said"), [
    ("gillett", ("an agreement is made in writing", "no impairment of the works", "§ 20-24 B", "reject the waste")),
    ("lawrence", ("there is nothing to vote on", "Send haulers who ask to Green Bay Metropolitan Sewerage District",
                  "Lawrence Utility District Attorney", "§ 216-11 E")),
])  # fmt: skip
def test_committee_signs_in_onto_what_it_does_there(towns: Flask, town: str, said: tuple[str, ...]) -> None:
    client = client_of(towns, town, Role.MEMBER)
    answer = client.get("/account/home", follow_redirects=True)
    assert (answer.status_code, answer.request.path) == (200, f"/{town}/committee/duties")
    text = answer.get_data(as_text=True)
    assert "<h1>What the committee does here</h1>" in text
    for words in said:
        assert words.lower() in html.unescape(text).lower(), words
    nav = re.findall(
        r'<a href="[^"]+"[^>]*>([^<]+)</a>', text[text.index('<nav aria-label="Main">') : text.index("</nav>")]
    )
    assert nav == ["Committee", "Rules"]


def test_clerk_is_told_that_nothing_is_filed(towns: Flask) -> None:
    client = client_of(towns, "lawrence", Role.CLERK)
    text = client.get("/lawrence/clerk/filings").get_data(as_text=True)
    assert "No application can be filed here, so none is entered and no fee is taken." in text
    assert "paper application" not in text and "The application can be filed" not in text
    answer = client.post("/lawrence/clerk/filings/paper", data={"once": "a" * 32})
    assert answer.status_code == 409
    assert "<h1>No septage is taken here</h1>" in answer.get_data(as_text=True)


@pytest.mark.parametrize("town", sorted(WHY))
def test_visitor_gets_why_as_an_answer_and_reads_it_once(towns: Flask, town: str) -> None:
    client = towns.test_client()
    answer = client.get(f"/{town}/apply")
    assert (answer.status_code, html.unescape(answer.get_data(as_text=True)).count(WHY[town])) == (200, 1)
    home = client.get(f"/{town}/").get_data(as_text=True)
    assert html.unescape(home).count(WHY[town]) == 1


@pytest.mark.parametrize(("town", "said"), [
    ("gillett", "Where to ask for an agreement: Gillett Works, 1 Road, Town, WI 54000, 715-555-0111, weekdays."),
    ("lawrence", "Questions: Lawrence Works, 1 Road, Town, WI 54000, 715-555-0111, weekdays."),
])  # fmt: skip
def test_the_first_page_says_whom_to_ask_and_where(towns: Flask, town: str, said: str) -> None:
    page = html.unescape(client_of(towns, town, Role.PUBLIC).get(f"/{town}/").get_data(as_text=True))
    assert said in re.sub(r"</?a[^>]*>", "", page)
    note = "Such wastes are far stronger than domestic sewage, and the Utility District has no facilities"
    assert (note in page) is (town == "lawrence")
    assert WHY[town] in page


def test_bayfield_has_every_page_of_a_programme_and_none_of_the_others(app: Flask, clock_at: Any) -> None:
    clock_at(NOW)
    client = app.test_client()
    world.sign_in(client, "member1")
    assert client.get("/bayfield/committee").status_code == 200
    assert client.get("/bayfield/committee/duties").location == "/bayfield/committee"
    text = client.get("/bayfield/rules").get_data(as_text=True)
    assert ">Applications</a>" in text and ">Committee</a>" not in text and 'class="banner' not in text
