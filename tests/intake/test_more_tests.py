"""Further tests that the operator or the state orders: named, told and billed to the hauler (§ 329-7 F(1))."""

from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import select

from billing.queries import entries_of
from intake.actions.more_tests import order_more_tests
from intake.actions.station import void_load
from intake.models import MoreTests
from office.db import db
from office.letters import Letter
from office.notices import Notice
from office.verify import verify
from tests import world
from tests.intake.gatehouse import balance, good, kept, log, said
from tests.intake.plant import hauler
from tests.intake.test_station_pages import get, post, signed_in, text

NOW = "2026-10-06T09:00"
DNR = "Department of Natural Resources"


@pytest.fixture(autouse=True)
def _app(app: Any, clock_at: Any) -> None:
    clock_at(NOW)


def order(load: Any, what: str = "Metals", tests: int = 3, office: str = DNR, name: str = "K. Berg",
          reason: str = "Green color", cost: str | None = None, by: str = "operator") -> Any:  # fmt: skip
    return kept(order_more_tests(load, what, tests, office, name, reason, cost=Decimal(cost) if cost else None,
                                 by=world.staff(by), at=world.at(NOW), law=world.law()))  # fmt: skip


@pytest.mark.parametrize(("cost", "cents", "counted"), [
    (None, 3_648, "3 tests at 12.16"), ("90.00", 9_000, "3 tests at 30.00"), ("100.00", 10_000, "1 test at 100.00"),
])  # fmt: skip
def test_hauler_is_billed_by_the_schedule_or_at_cost_and_reads_who_ordered_them(cost, cents, counted):
    load = good(log(hauler("Duffy Septic"), 100))
    row = good(order(load, cost=cost))
    (entry,) = entries_of("more_tests", row.id)
    assert (entry.what, entry.amount_cents, entry.cite) == ("Further tests: Metals", cents, "§ 329-7 F(1)")
    assert f"{entry.quantity.normalize():f} {entry.unit} at {entry.unit_price}" == counted
    assert entry.how == "Ordered by K. Berg, Department of Natural Resources."
    notice = db.session.scalars(select(Notice).filter_by(kind="more_tests")).one()
    assert (notice.to_name, notice.subject) == ("Duffy Septic", f"Further tests of load {load.ticket}")
    assert verify() == []


@pytest.mark.parametrize(("given", "code"), [
    ({"what": " "}, "no_what"), ({"tests": 0}, "tests"), ({"tests": 21}, "tests"), ({"office": "A neighbor"}, "office"),
    ({"name": " "}, "no_name"), ({"reason": " "}, "no_reason"), ({"by": "clerk"}, "not_your_role"),
])  # fmt: skip
def test_what_no_order_may_lack(given, code):
    load = good(log(hauler(), 100))
    assert said(order(load, **given))[0] == code
    assert list(db.session.scalars(select(MoreTests))) == []


def test_void_load_is_tested_no_further():
    load = good(log(hauler(), 100))
    good(kept(void_load(load, "Typed twice", by=world.staff("operator"), at=world.at(NOW), law=world.law())))
    assert said(order(load))[0] == "not_accepted"


def test_further_tests_of_a_void_load_are_taken_back_with_it(app):
    who = hauler("Duffy Septic")
    load = good(log(who))
    good(order(load, tests=2))
    assert balance(who) == 4816 + 2432
    good(kept(void_load(load, "Another hauler's", by=world.staff("operator"), at=world.at(NOW), law=world.law())))
    assert balance(who) == 0
    told = db.session.scalars(select(Notice).filter_by(kind="ticket_void")).one()
    assert told.body == f"Load ticket {load.ticket} is void: Another hauler's\n\nNothing is charged for it."
    assert db.session.get_one(Letter, load.letter_id).data["remarks"] == [
        "This ticket is void: Another hauler's.", "Nothing is charged for it."]  # fmt: skip
    assert "Nothing is charged for it." in text(get(signed_in(app, "operator"), f"/station/load/{load.ticket}"))
    assert verify() == []


def test_operator_orders_them_on_a_page_and_the_hauler_reads_it_on_the_load(app):
    who = hauler()
    load = good(log(who, 100))
    operator, path = signed_in(app, "operator"), f"/station/load/{load.ticket}/tests"
    assert "$12.16 for each" in text(get(operator, path))
    wrong = post(operator, path, {"what": "Metals"})
    assert wrong.status_code == 422
    assert "Select who ordered them" in text(wrong.text)
    sent = {
        "what": "Metals",
        "tests": "2",
        "office": "plant operator",
        "ordered_by": "Sam Lee",
        "reason": "Green color",
    }
    assert post(operator, path, sent).status_code == 303
    words = "Further tests: Metals , $24.32. Ordered by Sam Lee, plant operator: Green color"
    assert words in text(get(operator, f"/station/load/{load.ticket}"))
    assert words in text(get(signed_in(app, who.email), f"/hauler/loads/{load.ticket}"))
