"""Blank tickets: numbered ahead without a gap, entered once each from paper, or marked spoiled."""

import io
from dataclasses import replace
from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest
from pypdf import PdfReader
from sqlalchemy import select

from intake.actions.blanks import enter_paper_load, issue_blanks, spoil_blank
from intake.models import BlankTicket, Load
from intake.queries import blanks, loads
from intake.queries.outbox import Visitor, Written
from office import letters
from office.db import db
from office.letters import Letter
from office.verify import verify
from tests import world
from tests.billing.test_fees_pages import adopted, in_town
from tests.intake.gatehouse import balance, good, said
from tests.intake.plant import Hauler, hauler, queries
from tests.intake.test_points import manhole
from tests.intake.test_tablets import post, text, typed

BEFORE, NOON = "2026-10-05T15:00", "2026-10-06T12:00"


def issue(count: int, at: str = BEFORE) -> Any:
    done = issue_blanks(world.plant(), count, by=world.staff("operator"), at=world.at(at), law=world.law())
    db.session.commit()
    return done


def written(who: Hauler, number: str, at: str = "2026-10-06T07:10", **other: Any) -> Written:
    values = {"driver": "Ann Nuñez", "waste": "septic_tank", "gallons": 300, "basis": "meter", "ph": Decimal("6.9"),
              "bottle": "1006-01", "tested": True, "normal": True} | other  # fmt: skip
    visitor, how = Visitor(who.business_id, who.truck_id), f"Written on paper, blank ticket {number}"
    return Written(f"paper-{number}", number, "Olga Olsen", world.at(at), visitor, values, how)


def enter(row: BlankTicket, load: Written, at: str = NOON) -> Any:
    done = enter_paper_load(world.plant(), row, load, by=world.staff("manager"), at=world.at(at), law=world.law())
    db.session.commit()
    return done


def file_of(number: str) -> bytes:
    """The sheets a blank ticket was printed with."""
    letter = db.session.get_one(Letter, one(number).letter_id)
    return letters.render(letter.kind, letter.data)


def numbers() -> list[str]:
    return list(db.session.scalars(select(BlankTicket.number).order_by(BlankTicket.id)))


def one(number: str = "P-2026-0001") -> BlankTicket:
    row = blanks.blank(world.plant().id, number)
    assert row is not None
    return row


def test_numbers_go_on_without_a_gap_and_begin_anew_with_the_year(app):
    good(issue(2))
    assert [said(issue(count))[0] for count in (0, 101)] == ["count", "count"]
    good(issue(1))
    good(issue(2, "2027-01-04T08:00"))
    assert numbers() == ["P-2026-0001", "P-2026-0002", "P-2026-0003", "P-2027-0001", "P-2027-0002"]
    assert verify() == []


def test_load_from_paper_keeps_its_own_time_who_was_on_duty_and_who_entered_it(app):
    good(issue(2))
    who = hauler()
    load = good(enter(one(), written(who, "P-2026-0001")))
    assert (load.slip, load.logged_by, load.logged_at, load.registered_at) == (
        "P-2026-0001", "Olga Olsen", world.at("2026-10-06T07:10"), world.at(NOON))  # fmt: skip
    assert (one().load_id, balance(who), blanks.state(one())) == (load.id, 1_936, "used")
    entry = loads.history(load)[-1]
    assert (entry.act, entry.person) == ("enter_paper_load", "Manager of the City")
    assert [line.load.id for line in loads.search(world.plant().id, "P-2026-0001")] == [load.id]
    assert verify() == []


def test_each_blank_is_entered_once(app):
    good(issue(2))
    who = hauler()
    load = good(enter(one(), written(who, "P-2026-0001")))
    assert good(enter(one(), written(who, "P-2026-0001"))).id == load.id
    other = replace(written(who, "P-2026-0001", "2026-10-06T09:00", bottle="1006-02"), client_id="paper-other")
    assert said(enter(one(), other))[:2] == ("used", "Blank ticket P-2026-0001 is entered as load 2026-00001.")
    good(spoil_blank(one("P-2026-0002"), "Torn", by=world.staff("operator"), at=world.at(NOON)))
    assert said(enter(one("P-2026-0002"), written(who, "P-2026-0002")))[0] == "spoiled"
    assert said(spoil_blank(one(), "Torn", by=world.staff("operator"), at=world.at(NOON)))[0] == "used"
    assert len(db.session.scalars(select(Load)).all()) == 1


@pytest.mark.parametrize(
    ("at", "entered", "code"),
    [
        ("2026-10-06T12:00:01", NOON, "ahead"),
        (NOON, NOON, None),
        ("2026-10-04T23:59", NOON, "before"),
        ("2026-10-05T14:59", NOON, "before"),
        ("2026-10-05T15:00", NOON, None),
    ],
)
def test_time_on_the_paper_lies_between_its_printing_and_now(app, at, entered, code):
    good(issue(1, "2026-10-05T15:00:40"))
    done = enter(one(), written(hauler(), "P-2026-0001", at), entered)
    assert (said(done)[0] if code else good(done).logged_at) == (code or world.at(at))
    if code == "before":
        assert (done.why, done.next_step) == (
            "Blank ticket P-2026-0001 was printed Monday, October 5, 2026, 3:00 p.m.",
            "Check the day, the time and the number of the ticket.")  # fmt: skip


@pytest.mark.parametrize(("entered", "late"), [("2026-10-07T23:59:59", False), ("2026-10-08T00:00:00", True)])
def test_entry_later_than_one_working_day_is_marked(app, entered, late):
    good(issue(1))
    load = good(enter(one(), written(hauler(), "P-2026-0001"), entered))
    words = ("Registered later than one working day after it was unloaded, when its written record was due "
             "(§ 329-7 C(3)).")  # fmt: skip
    assert (words in load.note.splitlines()) is late


def test_over_the_tank_is_asked_about_and_kept_with_the_reason(app):
    good(issue(1))
    who = hauler()
    assert said(enter(one(), written(who, "P-2026-0001", gallons=6_000)))[0] == "gallons_over_tank"
    load = good(enter(one(), written(who, "P-2026-0001", gallons=6_000, reason="Two compartments")))
    assert load.gallons == 6_000


@pytest.fixture
def operator(app: Any, clock_at: Any) -> Any:
    clock_at(NOON)
    client = app.test_client()
    world.sign_in(client, "operator")
    return client


def test_pages_print_enter_and_spoil_in_as_many_queries(app, operator, clock_at):
    clock_at(BEFORE)
    page = "/bayfield/station/blank-tickets"
    assert "None is outstanding. Print some before they are needed." in text(operator.get(page))
    assert "Enter how many" in text(post(operator, "/station/blank-tickets", count=""))
    assert post(operator, "/station/blank-tickets", count="3").status_code == 303
    operator.get(page)
    with queries() as few:
        assert "3 blank tickets outstanding" in text(operator.get(page))
    pdf = PdfReader(io.BytesIO(operator.get(f"{page}/P-2026-0002/print.pdf").data))
    assert [sheet.extract_text().count("Load ticket without power") for sheet in pdf.pages] == [2, 1]
    whole = " ".join(pdf.pages[0].extract_text().split())
    assert "No more than 666 gallons an hour for all trucks together (§ 329-7 F(3)). As of October 5, 2026." in whole
    assert "within one working day (§ 329-7 C(3))" in whole
    clock_at(NOON)
    who = hauler()
    address = f"/station/blank-tickets/P-2026-0001?business={who.business_id}&truck={who.truck_id}"
    done = post(operator, address, **typed(bottle="1006-01"))
    assert done.location == "/bayfield/station/load/2026-00001"
    shown = text(operator.get(done.location))
    assert "Entered from paper" in shown
    assert ("Written on paper, blank ticket P-2026-0001, Tue, Oct 6, 8:30 a.m. by Olga Olsen; entered by Operator of "
            "the City, Tue, Oct 6, 12:00 noon") in shown  # fmt: skip
    assert post(operator, address, **typed()).status_code == 409
    assert "Enter why it is not used" in text(post(operator, "/station/blank-tickets/P-2026-0002/spoiled", reason=""))
    assert post(operator, "/station/blank-tickets/P-2026-0002/spoiled", reason="Torn").status_code == 303
    operator.get(page)
    with queries() as many:
        shown = text(operator.get(page))
    assert "1 blank ticket outstanding" in shown
    assert "P-2026-0002 Spoiled Tuesday, October 6, 2026, 12:00 noon, Operator of the City: Torn" in shown
    assert [len([one for one in several if one.startswith("SELECT")]) for several in (few, many)] == [5, 5]
    assert operator.get(f"{page}/P-2026-0009").status_code == 404


def test_double_click_prints_one_sheet(operator):
    once = {"once": uuid4().hex}
    for _ in range(2):
        post(operator, "/station/blank-tickets", count="2", **once)
    assert numbers() == ["P-2026-0001", "P-2026-0002"]


def test_paper_asks_for_the_zone_and_for_the_manhole_where_the_town_has_them(app, tmp_path):
    issue(1)
    manhole()
    adopted(in_town(tmp_path, "wareham"))
    issue(1, NOON)
    plain, whole = (PdfReader(io.BytesIO(file_of(name))).pages[0].extract_text() for name in numbers())
    asked = ("Where is it from?", "Nonresident", "Into a manhole, under special circumstances only (§ 329-7 C(2)):",
             "Which circumstances", "Who of the plant stood by")  # fmt: skip
    found = [{words in " ".join(page.split()) for words in asked} for page in (plain, whole)]
    assert found == [{False}, {True}]
