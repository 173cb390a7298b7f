"""When invoices are made: by the clerk or by themselves, for a period or for each load."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from billing import actions, reminders
from billing.models import Invoice
from billing.queries import check_ledger, too_early, unbilled
from intake.queries.desk import desk
from office.access import system
from office.db import db
from office.jobs import tick
from office.law import Adoption, adopt_law
from tests import world
from tests.billing import books
from tests.billing.test_routes import send, signed_in, text_of
from tests.ordinances.common import changed, row_text

SEPT_30, OCT_1, OCT_2, NOV_30, DEC_1 = (
    date(2026, 9, 30), date(2026, 10, 1), date(2026, 10, 2), date(2026, 11, 30), date(2026, 12, 1),
)  # fmt: skip


@pytest.fixture(autouse=True)
def only_invoices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("office.jobs.JOBS", {"invoices": reminders.invoices})


def by_themselves(folder: Path, period: str) -> None:
    """A law of the plant by which invoices are made by themselves, for each period or load."""
    path = changed(folder, ('[[billing.period]]\nvalue = "bimonthly"', f'[[billing.period]]\nvalue = "{period}"'),
                   extra=row_text("billing.automatic", "true", cite="§ 9-9"))  # fmt: skip
    made = adopt_law(world.plant(), path, date(2026, 9, 1), "Ord. 1", by=system(), at=world.START)
    assert isinstance(made, Adoption)
    db.session.commit()


def totals() -> list[tuple[str, int]]:
    assert check_ledger() == []
    return [(one.number, one.total_cents) for one in db.session.query(Invoice).order_by(Invoice.id)]


def test_the_clerk_makes_them_where_the_law_does_not_say_otherwise(app: Any) -> None:
    books.load(books.party())
    db.session.commit()
    tick(books.noon(DEC_1))
    assert totals() == []


def test_once_a_period_is_over_they_are_made_once(app: Any, tmp_path: Path) -> None:
    by_themselves(tmp_path, "bimonthly")
    who = books.party()
    books.load(who, day=SEPT_30)
    db.session.commit()
    for _ in range(3):
        tick(books.noon(OCT_1))
    books.load(who, 1000, day=OCT_2)
    db.session.commit()
    for day in (OCT_2, NOV_30):
        tick(books.noon(day))
    assert totals() == [("2026-00001", 4816)]
    tick(books.noon(DEC_1))
    assert totals() == [("2026-00001", 4816), ("2026-00002", 3616)]


def test_each_load_is_billed_by_itself_the_day_after(app: Any, tmp_path: Path) -> None:
    by_themselves(tmp_path, "per_load")
    who = books.party()
    books.load(who, 1500, day=SEPT_30, label="Load 2026-00001")
    books.load(who, 1000, day=SEPT_30, label="Load 2026-00002")
    books.load(who, 500, day=OCT_1, label="Load 2026-00003")
    db.session.commit()
    tick(books.noon(OCT_1))
    assert totals() == [("2026-00001", 4816), ("2026-00002", 3616)]
    assert [one.total_cents for one in unbilled(world.plant().id)] == [2416]
    tick(books.noon(OCT_2))
    assert totals()[2:] == [("2026-00003", 2416)]


def test_an_invoice_made_again_is_no_run_and_moves_no_period(app: Any, tmp_path: Path) -> None:
    by_themselves(tmp_path, "bimonthly")
    who = books.party()
    books.load(who, day=SEPT_30)
    first, law = books.bill(who, OCT_1), world.law(OCT_1)
    again: Any = first
    for day in (date(2026, 11, 15), date(2026, 11, 29)):
        again = actions.void_invoice(world.plant(), again, "Wrong address", by=system(), at=books.noon(day), law=law)
    books.load(who, 1000, day=OCT_2)
    db.session.commit()
    early = too_early(world.plant().id, law, NOV_30)
    assert early is not None
    assert (early.last, early.next_on) == (OCT_1, DEC_1)
    assert too_early(world.plant().id, law, DEC_1) is None
    tick(books.noon(NOV_30))
    tick(books.noon(DEC_1))
    assert totals() == [(f"2026-0000{n}", cents) for n, cents in ((1, 4816), (2, 4816), (3, 4816), (4, 3616))]


def test_the_button_leaves_what_is_charged_today_to_the_day_after_where_each_load_is_billed(
    app: Any, tmp_path: Path, clock_at: Any
) -> None:
    clock_at("2026-10-01T12:00")
    by_themselves(tmp_path, "per_load")
    running, who = books.party("Apostle Example Septic"), books.party("Birch Example Pumping")
    books.load(running, 500, day=OCT_1, label="Load 2026-00002")
    books.load(who, 1500, day=SEPT_30, label="Load 2026-00001")
    db.session.commit()
    clerk, address = signed_in(app, "clerk"), "/clerk/invoices/run"
    page = text_of(clerk.get(f"/bayfield{address}"))
    assert "Each load gets an invoice of its own, from the day after its last morning on." in page
    assert ("Birch Example Pumping" in page, "Apostle Example Septic" in page) == (True, False)
    # The desk counts what a run takes.
    waits = desk(world.plant(), world.at("2026-10-01T12:00"))
    assert (waits.ready_to_bill, waits.ready_cents) == (1, 4816)
    send(clerk, address)
    assert totals() == [("2026-00001", 4816)]
    assert "Charges appear here the day after the last morning of a load." in text_of(clerk.get(f"/bayfield{address}"))
    waits = desk(world.plant(), world.at("2026-10-01T12:30"))
    assert (waits.ready_to_bill, waits.ready_cents) == (0, 0)
    tick(books.noon(OCT_2))
    assert totals() == [("2026-00001", 4816), ("2026-00002", 2416)]


@pytest.mark.parametrize(
    ("period", "runs"),
    [
        ("monthly", ["2026-12-31", "2027-01-31", "2027-02-28", "2027-03-31", "2027-04-30", "2027-05-31"]),
        ("monthly", ["2027-01-30", "2027-02-28", "2027-03-30", "2027-04-30", "2027-05-30"]),
        ("monthly", ["2027-01-28", "2027-02-28", "2027-03-28", "2027-04-28"]),
        ("bimonthly", ["2026-12-31", "2027-02-28", "2027-04-30", "2027-06-30", "2027-08-31"]),
    ],
)
def test_a_short_month_moves_no_later_run(app: Any, tmp_path: Path, period: str, runs: list[str]) -> None:
    by_themselves(tmp_path, period)
    who, days = books.party(), [date.fromisoformat(one) for one in runs]
    law = world.law(days[0])
    for day, after in zip(days, [*days[1:], None], strict=True):
        assert too_early(world.plant().id, law, day) is None
        books.load(who, day=OCT_1)
        db.session.commit()
        tick(books.noon(day))
        early = too_early(world.plant().id, law, day)
        assert early is not None and early.last == day
        assert after is None or early.next_on == after
    made = [one.issued_on for one in db.session.query(Invoice).order_by(Invoice.id)]
    assert (made, totals()[-1][1]) == (days, 4816)


def test_a_run_broken_off_is_no_run_and_what_is_left_is_billed_at_its_time(app: Any, tmp_path: Path) -> None:
    by_themselves(tmp_path, "bimonthly")
    people, plant = [books.party(name) for name in ("Apostle", "Birch", "Cornucopia")], world.plant()
    early, law = date(2026, 11, 10), world.law(OCT_1)
    for who in people:
        books.load(who, day=SEPT_30)
    db.session.commit()
    tick(books.noon(OCT_1))
    for who in people:
        books.load(who, 500, day=OCT_2)
    made = actions.make_invoices(plant, most=1, by=system(), at=books.noon(early), law=law)
    db.session.commit()
    assert [one.total_cents for one in made] == [2416]
    # The clerk stopped there: the period is still that of October 1.
    known = too_early(plant.id, law, NOV_30)
    assert known is not None and (known.last, known.next_on) == (OCT_1, DEC_1)
    tick(books.noon(NOV_30))
    assert len(totals()) == 4
    tick(books.noon(DEC_1))
    tick(books.noon(DEC_1))
    assert [cents for _, cents in totals()] == [4816] * 3 + [2416] * 3
    known = too_early(plant.id, law, DEC_1)
    assert known is not None and known.last == DEC_1


def test_a_run_made_in_all_its_parts_is_one(app: Any, tmp_path: Path) -> None:
    by_themselves(tmp_path, "bimonthly")
    plant, law = world.plant(), world.law(OCT_1)
    for name in ("Apostle", "Birch", "Cornucopia"):
        books.load(books.party(name), day=SEPT_30)
    for _ in range(2):
        actions.make_invoices(plant, most=2, by=system(), at=books.noon(OCT_2), law=law)
    db.session.commit()
    assert len(totals()) == 3
    known = too_early(plant.id, law, OCT_2)
    assert known is not None and (known.last, known.next_on) == (OCT_2, date(2026, 12, 2))
