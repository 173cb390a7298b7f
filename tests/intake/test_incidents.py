"""Accidents: reported from any page in two clicks, told at once, kept open until closed with a reason (§ 329-6 L)."""

import json
import re
from typing import Any

import pytest
from sqlalchemy import select

from intake.actions.incident import add_incident_words, close_incident, report_incident
from intake.models import Incident
from intake.queries import incidents
from office.access import Actor, Role, system
from office.acts import act
from office.db import db
from office.journal import JournalEntry
from office.notices import Notice
from office.plants import set_up_plant
from office.signin import new_person
from office.verify import verify
from tests import world
from tests.house.law_copies import adopt, canonical
from tests.intake.gatehouse import good, kept, log, said
from tests.intake.plant import hauler, queries
from tests.intake.test_station_pages import fields, get, post, signed_in, text

NOW = "2026-10-06T08:00"
WHAT = "Diesel in the septage"


@pytest.fixture(autouse=True)
def _app(app: Any, clock_at: Any) -> None:
    clock_at(NOW)


def report(by: Any = "operator", what: str = WHAT, place: str = "Receiving station", known: str = "2026-10-06T07:55",
           **given: Any) -> Any:  # fmt: skip
    who = world.staff(by) if isinstance(by, str) else by
    return kept(report_incident(world.plant(), what, place, world.at(known), by=who, at=world.at(NOW), law=world.law(),
                                **given))  # fmt: skip


def add(number: str, words: str, by: Any = "operator", written: bool = False) -> Any:
    who = world.staff(by) if isinstance(by, str) else by
    return kept(add_incident_words(world.plant(), number, words, written=written, by=who, at=world.at(NOW),
                                   law=world.law()))  # fmt: skip


def close(number: str, why: str, by: str = "manager") -> Any:
    return kept(close_incident(world.plant(), number, why, by=world.staff(by), at=world.at(NOW), law=world.law()))


def told() -> dict[str, str]:
    return {one.to_name: one.subject for one in db.session.scalars(select(Notice).filter_by(kind="incident"))}


def test_report_is_told_at_once_to_manager_director_and_operators():
    row = good(report(gallons=40, steps="Valve shut", phone="715-555-0111"))
    assert (row.number, row.written_due, row.closed_at) == ("2026-00001", None, None)
    subject = "Accident reported (2026-00001): Receiving station"
    assert told() == {"Manager of the City": subject, "Director of the City": subject, "Operator of the City": subject}
    notice = db.session.scalars(select(Notice).filter_by(to_name="Manager of the City")).one()
    assert notice.body == (
        "Diesel in the septage\n\nWhere: Receiving station\nKnown since Tuesday, October 6, 2026, 7:55 a.m.\n"
        "Amount: 40 gallons.\nDone so far: Valve shut\nReported by Operator of the City, 715-555-0111.")  # fmt: skip
    entry = db.session.scalars(select(JournalEntry).filter_by(act="report_incident", table_name="incident")).one()
    assert (entry.cite, entry.capacity) == ("§ 329-6 L", "operator")
    assert verify() == []


@pytest.mark.parametrize(("given", "code", "why"), [
    ({"what": " "}, "no_what", "Enter what was discharged."), ({"place": ""}, "no_place", "Enter where it happened."),
    ({"known": "2026-10-06T08:01"}, "future", "The time must be now or earlier."),
    ({"ticket": "2026-00099"}, "no_load", "There is no load 2026-00099. Leave the ticket empty if it is not known."),
])  # fmt: skip
def test_what_is_missing_is_asked_for(given, code, why):
    assert said(report(**given))[:2] == (code, why)
    assert list(db.session.scalars(select(Incident))) == []


def test_hauler_reports_its_own_and_names_no_others_load():
    mine, other = hauler("Duffy Septic"), hauler("Other Pumping", number=2)
    own, theirs = good(log(mine, 100)), good(log(other, 100, "2026-10-06T07:20"))
    row = good(report(mine.by, ticket=own.ticket))
    assert (row.business_id, row.load_id) == (mine.business_id, own.id)
    assert told()["Duffy Septic"] == "Your report of an accident (2026-00001)"
    assert said(report(mine.by, ticket=theirs.ticket))[0] == "no_load"
    assert said(add("2026-00001", "More", other.by))[0] == "no_incident"


def test_person_without_a_business_names_no_load_and_no_hauler_is_told():
    load = good(log(hauler("Duffy Septic"), 100))
    for role in (Role.PERSON, Role.DRIVER, Role.HAULER, Role.MEMBER):
        found = report(Actor(None, "Pat Doe", frozenset({role})), ticket=load.ticket)
        assert said(found)[:2] == (
            "no_load", f"There is no load {load.ticket}. Leave the ticket empty if it is not known.")  # fmt: skip
    assert (told(), list(db.session.scalars(select(Incident)))) == ({}, [])


def test_report_of_the_city_about_a_load_tells_its_hauler():
    who = hauler("Duffy Septic")
    load = good(log(who, 100))
    assert good(report("operator", ticket=load.ticket)).business_id == who.business_id
    assert told()["Duffy Septic"] == "An accident with your load is reported (2026-00001)"


def test_words_are_added_until_it_is_closed_with_a_reason():
    row = good(report())
    assert said(add(row.number, " "))[0] == "no_words"
    good(add(row.number, "Two gallons more"))
    assert [one.words for one in incidents.words_of([row.id])[row.id]] == ["Two gallons more"]
    assert said(close(row.number, " "))[:2] == ("no_words", "Enter what was done, and why it can be closed.")
    assert said(close(row.number, "Pumped out", by="operator"))[0] == "not_your_role"
    good(close(row.number, "Pumped out"))
    assert incidents.of_plant(world.plant().id, open_only=True) == []
    assert said(close(row.number, "Again"))[:2] == ("closed", "Manager of the City has closed it already.")
    assert said(add(row.number, "More"))[0] == "closed"


def those_told(subject: str) -> set[str]:
    return {one.to_name for one in db.session.scalars(select(Notice).filter_by(kind="incident", subject=subject))}


@act("test_person", roles=(Role.SYSTEM,))
def _pat(*, by: Actor, at: Any) -> Any:
    found = new_person("pat@example.com", "Pat Doe", world.PASSWORD)
    db.session.flush()
    return found


PLANT = {"Manager of the City", "Director of the City", "Operator of the City"}


def test_person_without_a_business_who_reported_reads_how_it_goes_on_and_that_it_is_closed():
    pat = _pat(by=system(), at=world.at(NOW))
    by = Actor(pat.id, pat.name, frozenset({Role.PERSON}))
    row = good(report(by))
    assert those_told("Your report of an accident (2026-00001)") == {"Pat Doe"}
    good(add(row.number, "Two gallons more", by))
    # Nobody reads what they wrote themselves.
    assert those_told("More of accident 2026-00001") == PLANT
    good(add(row.number, "Pumped out", "manager"))
    assert those_told("More of accident 2026-00001") == PLANT | {"Pat Doe"}
    good(close(row.number, "Nothing is left"))
    assert those_told("Accident 2026-00001 is closed") == PLANT | {"Pat Doe"}
    (notice,) = db.session.scalars(
        select(Notice).filter_by(subject="Accident 2026-00001 is closed", to_name="Pat Doe"))  # fmt: skip
    assert (notice.to_email, notice.body.startswith("Nothing is left\n\nBayfield Wastewater Treatment Works")) == (
        "pat@example.com", True)  # fmt: skip


def test_operators_and_the_hauler_read_what_is_added_and_each_is_told_once():
    who = hauler("Duffy Septic")
    load = good(log(who, 100))
    row = good(report("operator", ticket=load.ticket))
    good(add(row.number, "Two gallons more", "manager"))
    found = [one.to_name for one in db.session.scalars(select(Notice).filter_by(subject="More of accident 2026-00001"))]
    assert sorted(found) == sorted([*PLANT, "Duffy Septic"])
    good(add(row.number, "As we said", who.by, written=True))
    assert those_told("Written report of accident 2026-00001") == PLANT


def test_law_that_asks_for_a_written_report_sets_its_clock():
    whole = canonical()
    whole["rows"].append({"key": "violations.accident_written_days", "value": 5, "from": "1992-01-01",
                          "cite": "§ 329-6 L", "source": "profile"})  # fmt: skip
    adopt(json.dumps(whole))
    row = good(report())
    assert row.written_due == world.at("2026-10-11T23:59:59")
    assert said(close(row.number, "Pumped out"))[:2] == (
        "not_written", "The written report is not in. It is due by the end of Sunday, October 11, 2026.")  # fmt: skip
    good(add(row.number, "What happened, step by step", written=True))
    good(close(row.number, "Pumped out"))


@pytest.mark.parametrize("who", ["operator", "manager", "director", "clerk", "admin", "member1", "hauler"])
def test_from_any_page_in_two_clicks(app, who):
    email = hauler().email if who == "hauler" else who
    client = signed_in(app, email)
    assert 'href="/bayfield/accident"' in get(client, "/rules")
    page = get(client, "/accident")
    assert "Call 715-555-0100 first" in text(page)
    done = client.post("/bayfield/accident", data=fields(page) | {"what": WHAT, "place": "Manhole 4"})
    assert done.status_code == 303
    shown = text(get(client, done.location.removeprefix("/bayfield")))
    assert "Accident 2026-00001" in shown
    assert WHAT in shown


@pytest.mark.parametrize("path", ["/bayfield/", "/bayfield/rules", "/sign-in", "/account/register", "/no-such-page"])
def test_visitor_is_two_clicks_from_the_phone_on_any_page_and_signs_in_to_report(app, path):
    visitor = app.test_client()
    link = re.search(r'<a href="([^"]+)">Report an accident</a>', visitor.get(path, follow_redirects=True).text)[1]
    page = visitor.get(link, follow_redirects=True)
    assert (page.status_code, page.request.path) == (200, "/bayfield/accident/call")
    assert "Call 715-555-0100 first" in text(page.text) and 'href="tel:' in page.text
    assert 'href="/sign-in?next=/bayfield/accident"' in page.text and '<form method="post"' not in page.text
    sent = {"what": WHAT, "place": "Manhole 4", "once": "a" * 32}
    assert visitor.post("/bayfield/accident", data=sent).status_code in (302, 401)
    assert db.session.query(Incident).count() == 0


def test_from_a_page_of_no_plant_several_plants_are_listed_with_their_phones(app):
    set_up_plant(slug="gillett", name="Gillett", city="Gillett", zone="America/Chicago", phone="715-555-0111",
                 help_hours="weekdays", address="1 Road", by=system("Set-up"), at=world.START)  # fmt: skip
    db.session.commit()
    page = app.test_client().get("/account/accident").text
    assert all(f'href="/{slug}/accident/call"' in page for slug in ("bayfield", "gillett"))
    assert "715-555-0111" in page


def test_nothing_typed_is_asked_for_in_words(app):
    page = post(signed_in(app, "operator"), "/accident", {"what": "", "place": ""})
    assert page.status_code == 422
    assert "Enter what was discharged" in text(page.text)
    assert "Enter where it happened" in text(page.text)


def test_director_sees_it_and_closes_it(app):
    row = good(report())
    director = signed_in(app, "director")
    assert "1 accident is open" in text(get(director, "/director"))
    assert row.number in get(director, "/plant/accidents")
    done = post(director, f"/plant/accidents/{row.number}/close", {"words": "Pumped out"})
    assert done.status_code == 303
    assert "No accident is open." in text(get(director, "/plant/accidents"))
    assert "Pumped out. Director of the City" in text(get(director, f"/accidents/{row.number}"))


def test_report_of_another_is_not_found(app):
    mine, other = hauler("Duffy Septic"), hauler("Other Pumping", number=2)
    row = good(report(mine.by))
    get(signed_in(app, mine.email), f"/accidents/{row.number}")
    get(signed_in(app, other.email), f"/accidents/{row.number}", 404)


def test_list_asks_the_same_however_many(app):
    operator = signed_in(app, "operator")
    counts = []
    for minute in range(3):
        good(report(place=f"Manhole {minute}"))
        get(operator, "/plant/accidents")
        with queries() as seen:
            get(operator, "/plant/accidents")
        counts.append(len([one for one in seen if one.startswith("SELECT")]))
    assert counts == [4, 4, 4]
