"""A long run of invoices goes on in parts and says how far it is; nothing is asked twice, nothing is made twice."""

import re
from datetime import date
from typing import Any

from billing.models import Invoice, InvoiceLine
from billing.queries import check_ledger
from billing.routes import clerk as clerk_pages
from office.db import db
from tests.billing import books
from tests.billing.test_routes import send, signed_in, text_of

OCT_1 = date(2026, 10, 1)


def test_a_run_of_five_haulers_goes_on_in_three_parts_of_two(app: Any, clock_at: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(clerk_pages, "PART", 2)
    clock_at("2026-10-12T10:00")
    people = [books.party(f"Hauler {n:02d}") for n in range(5)]
    books.load(people[0], 100, OCT_1)
    books.bill(people[0], OCT_1)
    for who in people:
        books.load(who, 100, OCT_1)
    db.session.commit()
    clerk, seen = signed_in(app, "clerk"), []
    assert "Make 5 invoices" in text_of(clerk.get("/bayfield/clerk/invoices/run"))
    assert send(clerk, "/clerk/invoices/run", once="a" * 32).status_code == 422  # inside the period: a tick is asked
    answer = send(clerk, "/clerk/invoices/run", early="1", once="b" * 32)
    for key in "cd":
        page = text_of(clerk.get(answer.location))
        seen.append(re.findall(r"<span>([0-9]+ of 5 haulers invoiced)</span>", page))
        assert 'id="go-on"' in page
        answer = send(clerk, answer.location.removeprefix("/bayfield"), once=key * 32)
    assert seen == [["2 of 5 haulers invoiced"], ["4 of 5 haulers invoiced"]]
    assert answer.location == "/bayfield/clerk/invoices"
    assert "The run is over: 5 haulers invoiced." in text_of(clerk.get(answer.location))
    assert (db.session.query(Invoice).count(), db.session.query(InvoiceLine).count()) == (6, 12)
    assert check_ledger() == []


def test_an_old_address_of_a_run_asks_again_and_sends_nothing_by_itself(app: Any, clock_at: Any) -> None:
    clock_at("2026-10-12T10:00")
    books.load(books.party())
    db.session.commit()
    clerk = signed_in(app, "clerk")
    for then in ("0", "99999999999999999999", "x", str(int(books.noon(date(2026, 10, 12)).timestamp()))):
        page = text_of(clerk.get(f"/bayfield/clerk/invoices/run?of=53&then={then}"))
        assert 'id="go-on"' not in page
        assert "Make 1 invoice" in page
