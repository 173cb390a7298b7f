from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from flask import current_app
from sqlalchemy import select

from billing import actions, reminders
from billing.models import Account, Invoice, InvoiceLine
from billing.queries import check_ledger
from office import jobs
from office.access import system
from office.db import db
from office.letters import Letter
from tests import world
from tests.billing import books
from tests.billing.test_runs import by_themselves
from tests.flows.racing import Racers

OCT_1 = date(2026, 10, 1)


def run(url: str, gate: Any, how: str) -> None:
    from tests.conftest import make_app

    with make_app(url).app_context():
        gate.wait(60)
        if how == "job":
            jobs.JOBS.clear()
            jobs.JOBS["invoices"] = reminders.invoices
            jobs.work(books.noon(OCT_1))
        else:
            actions.make_invoices(world.plant(), by=system(), at=books.noon(OCT_1), law=world.law(OCT_1))
            db.session.rollback() if how == "fails" else db.session.commit()
        db.session.remove()
        db.engine.dispose()


def open_and_charge(url: str, gate: Any, party_id: int, source: int) -> None:
    from tests.conftest import make_app

    with make_app(url).app_context():
        law = world.law(OCT_1)
        line = books.volume(law, OCT_1, 100)
        db.session.rollback()
        gate.wait(60)
        actions.post_charges(world.plant(), party_id, [line], "load", source, OCT_1, by=system(),
                             at=books.noon(OCT_1), law=law)  # fmt: skip
        db.session.commit()
        db.session.remove()
        db.engine.dispose()


def issue_each(url: str, gate: Any, accounts: list[int], fails_at: int | None) -> None:
    """Issue one invoice after the other, each in a transaction of its own; one breaks after its number was taken."""
    from tests.conftest import make_app

    with make_app(url).app_context():
        gate.wait(60)
        for place, ident in enumerate(accounts):
            plant, account = world.plant(), db.session.get_one(Account, ident)
            made = actions.make_invoice(plant, account, by=system(), at=books.noon(OCT_1), law=world.law(OCT_1))
            assert isinstance(made, Invoice), made
            db.session.rollback() if place == fails_at else db.session.commit()
        db.session.remove()
        db.engine.dispose()


@pytest.fixture(scope="module")
def racers() -> Iterator[Racers]:
    made = Racers()
    yield made
    made.stop()


def told(start: Any, answers: Any, work: Any, url: str, *given: Any) -> None:
    """In another process: the work, and what broke it."""
    try:
        work(url, start, *given)
        answers.put("")
    except Exception as error:
        answers.put(repr(error))


def at_once(racers: Racers, work: Any, *args: Any) -> None:
    url = current_app.config["DATABASE_URL"]
    db.session.remove()
    for n, job in enumerate(racers.jobs):
        job.put((told, work, url, *(one[n] for one in args)))
    assert [racers.answers.get(timeout=240) for _ in racers.jobs] == [""] * len(racers.jobs)


def test_runs_by_job_and_by_button_at_once_put_each_charge_on_one_invoice(
    app: Any, racers: Racers, tmp_path: Path
) -> None:
    by_themselves(tmp_path, "bimonthly")
    for n in range(6):
        books.load(books.party(f"Example Hauler {n}"))
    db.session.commit()
    at_once(racers, run, ["job", "button", "job", "fails"])
    invoices = list(db.session.scalars(select(Invoice).order_by(Invoice.id)))
    assert sorted(invoice.number for invoice in invoices) == [f"2026-{n:05d}" for n in range(1, 7)]
    assert len({invoice.account_id for invoice in invoices}) == 6
    assert len(list(db.session.scalars(select(InvoiceLine)))) == 12
    assert len(list(db.session.scalars(select(Letter).filter_by(kind="invoice")))) == 6
    assert check_ledger() == []


def test_first_charges_at_once_open_one_account(app: Any, racers: Racers) -> None:
    who = books.party().id
    db.session.commit()
    at_once(racers, open_and_charge, [who] * 4, [101, 102, 103, 104])
    assert len(list(db.session.scalars(select(Account)))) == 1
    assert [line.balance_cents for line in books.accounts()] == [960]


def test_fifty_invoices_at_once_by_four_processes_leave_no_gap_where_one_breaks(app: Any, racers: Racers) -> None:
    accounts = [books.load(books.party(f"Example Hauler {n:02d}"))[0].account_id for n in range(50)]
    db.session.commit()
    shares = [accounts[n::4] for n in range(4)]
    at_once(racers, issue_each, shares, [None, 5, None, None])
    broken = shares[1][5]
    invoices = list(db.session.scalars(select(Invoice).order_by(Invoice.id)))
    assert sorted(invoice.number for invoice in invoices) == [f"2026-{n:05d}" for n in range(1, 50)]
    assert sorted(invoice.account_id for invoice in invoices) == sorted(set(accounts) - {broken})
    plant, account = world.plant(), db.session.get_one(Account, broken)
    last: Any = actions.make_invoice(plant, account, by=system(), at=books.noon(OCT_1), law=world.law(OCT_1))
    assert last.number == "2026-00050"
    assert check_ledger() == []
