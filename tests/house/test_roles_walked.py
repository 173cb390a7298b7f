"""Every role walked over every page, and over every act of the haulers' room: who may, who may not, what they read."""

import ast
import importlib
import inspect
from typing import Any

import pytest
from flask import Flask

from haulers.actions import register_business
from office.access import NOBODY, TITLES, Actor, Grant, Role, system
from office.acts import act
from office.db import db
from office.signin import new_person
from ordinances.refusal import Refusal
from tests import world
from tests.house.act_roles import ACT_ROLES
from tests.house.roles import NOT_OURS, PAGE_ROLES
from tests.house.sources import ROOT

ROLES = [role for role in Role if role not in (Role.PUBLIC, Role.PERSON, Role.SYSTEM)]
WHEN = world.at("2026-08-12T10:00")
# What a person reads whom an act turns away, by those who may.
READS = {
    "system": "Only Septage Desk itself does this, when it is due.",
    "clerk": "Only a city clerk may do this.",
    "clerk director": "Only a city clerk or public works director may do this.",
    "clerk committee_member director": "Only a city clerk or committee member or public works director may do this.",
    "committee_member": "Only a committee member may do this.",
    "committee_member clerk": "Only a committee member or city clerk may do this.",
    "committee_member clerk director": "Only a committee member or city clerk or public works director may do this.",
    "director": "Only a public works director may do this.",
    "hauler_owner": "Only a hauler may do this.",
    "hauler_owner clerk": "Only a hauler or city clerk may do this.",
}
# Open to whoever comes: nobody is turned away.
FOR_ALL = {"public system"}


def acts_of_haulers() -> dict[str, tuple[str, str]]:
    """Each act of the room: its module and function."""
    found = {}
    for path in sorted((ROOT / "haulers" / "actions").glob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            for made in node.decorator_list if isinstance(node, ast.FunctionDef) else ():
                if isinstance(made, ast.Call) and getattr(made.func, "id", "") == "act":
                    name = made.args[0]
                    assert isinstance(name, ast.Constant) and isinstance(name.value, str)
                    found[name.value] = (f"haulers.actions.{path.stem}", node.name)
    return found


ACTS_HERE = acts_of_haulers()


def only(role: Role) -> Actor:
    """Somebody who holds this one role."""
    return Actor(1, TITLES[role], frozenset({role, Role.PERSON, Role.PUBLIC}), 1 if role is Role.HAULER else None)


def attempt(name: str, by: Actor) -> Refusal | None:
    """What the act says to this person about their role: it is asked about nothing, so it can do nothing."""
    module, function = ACTS_HERE[name]
    work: Any = getattr(importlib.import_module(module), function)
    given: dict[str, Any] = {"by": by, "at": WHEN}
    for parameter in inspect.signature(work).parameters.values():
        if parameter.default is parameter.empty and parameter.name not in given:
            given[parameter.name] = None
    try:
        answer = work(**given)
    except Exception:
        # Past the door nothing was there to act on.
        answer = None
    db.session.rollback()
    return answer if isinstance(answer, Refusal) and answer.code == "not_your_role" else None


@pytest.mark.parametrize("name", ACTS_HERE)
def test_act_lets_in_whom_the_table_names_and_tells_all_others_who_may(app: Flask, name: str) -> None:
    allowed = ACT_ROLES[name]
    said = {role: attempt(name, only(role)) for role in ROLES}
    said |= {Role.PUBLIC: attempt(name, NOBODY), Role.SYSTEM: attempt(name, system())}
    let_in = {role.value for role, answer in said.items() if answer is None}
    if " ".join(allowed) in FOR_ALL:
        assert Role.PUBLIC.value in let_in
        return
    assert let_in == set(allowed)
    assert {answer.why for answer in said.values() if answer is not None} == {READS[" ".join(allowed)]}


@act("test_one_role", roles=(Role.SYSTEM,))
def _person(role: Role, party_id: int | None, *, by: Actor, at: Any) -> bool:
    person = new_person(f"{role.value}@only.example", f"Only {TITLES[role]}", world.PASSWORD)
    plant_id = None if party_id else world.plant().id
    db.session.add(Grant(person_id=person.id, plant_id=plant_id, party_id=party_id, role=role.value, since=at))
    return True


@pytest.fixture
def people(app: Flask) -> Flask:
    """One person for each role, who holds no other."""
    business: Any = register_business(
        name="Only Septic", address="1 Pine\nBayfield, WI 54814", phone="715-555-0133", email="only@hauler.example",
        contact="Ona Ly", password=world.PASSWORD, licence_state="WI", licence_number="5011",
        licence_ends=world.date(2027, 6, 30), trucks=(), by=NOBODY, at=world.START,
    )  # fmt: skip
    db.session.flush()
    for role in ROLES:
        party = business.party_id if role in (Role.HAULER, Role.DRIVER) else None
        _person(role, party, by=system(), at=world.START)
    db.session.commit()
    return app


def addresses(app: Flask) -> list[tuple[str, str, str]]:
    """Every page of ours with an address of it and how it is asked for; the records named are not there."""
    found = []
    with app.test_request_context():
        for rule in app.url_map.iter_rules():
            if rule.endpoint not in NOT_OURS:
                known = {"plant_slug": "bayfield", "season": "2026-27"}
                ids = {name: 999_999 for name, made in rule._converters.items() if type(made).__name__ == "RowId"}
                values = {name: known.get(name, ids.get(name, "nothing")) for name in rule.arguments}
                method = "GET" if "GET" in (rule.methods or ()) else "POST"
                found.append((rule.endpoint, str(rule.build(values)[1]), method))  # type: ignore[index]
    return found


@pytest.mark.parametrize("role", ROLES)
def test_page_opens_to_whom_the_table_names_and_tells_all_others_whom_to_ask(
    people: Flask, clock_at: Any, role: Role
) -> None:
    clock_at("2026-08-12T10:00")
    client = people.test_client()
    world.sign_in(client, f"{role.value}@only.example")
    opened = set()
    for endpoint, address, method in addresses(people):
        answer = client.open(address, method=method)
        answer.close()
        assert answer.status_code < 500, address
        if answer.status_code != 403:
            opened.add(endpoint)
            continue
        text = answer.get_data(as_text=True)
        assert "<h1>You do not have access to this page</h1>" in text, address
        assert f"You are signed in as Only {TITLES[role]}. This page is for a" in text, address
        assert "715-555-0100" in text or not address.startswith("/bayfield"), address
        assert "To get access, ask" in text, address
    named = {end for end, roles in PAGE_ROLES.items() if {role.value, "person", "public"} & set(roles)}
    assert opened == named


def test_page_not_for_all_leads_a_stranger_to_sign_in(people: Flask, clock_at: Any) -> None:
    clock_at("2026-08-12T10:00")
    client = people.test_client()
    led = set()
    for endpoint, address, method in addresses(people):
        answer = client.open(address, method=method)
        answer.close()
        if answer.status_code == 302 and answer.headers["Location"].startswith("/sign-in"):
            led.add(endpoint)
    assert led == {end for end, roles in PAGE_ROLES.items() if "public" not in roles}
