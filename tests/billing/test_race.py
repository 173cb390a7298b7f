import multiprocessing
from datetime import date
from pathlib import Path
from typing import Any

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

OCT_1 = date(2026, 10, 1)


def run(url: str, gate: Any, how: str) -> None:
    from tests.conftest import make_app

    with make_app(url).app_context():
        gate.wait()
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
        gate.wait()
        actions.post_charges(world.plant(), party_id, [line], "load", source, OCT_1, by=system(),
                             at=books.noon(OCT_1), law=law)  # fmt: skip
        db.session.commit()
        db.session.remove()
        db.engine.dispose()


def issue_each(url: str, gate: Any, accounts: list[int], fails_at: int | None) -> None:
    """Issue one invoice after the other, each in a transaction of its own; one breaks after its number was taken."""
    from tests.conftest import make_app

    with make_app(url).app_context():
        gate.wait()
        for place, ident in enumerate(accounts):
            plant, account = world.plant(), db.session.get_one(Account, ident)
            made = actions.make_invoice(plant, account, by=system(), at=books.noon(OCT_1), law=world.law(OCT_1))
            assert isinstance(made, Invoice), made
            db.session.rollback() if place == fails_at else db.session.commit()
        db.session.remove()
        db.engine.dispose()


def at_once(work: Any, count: int, *args: Any) -> None:
    spawn = multiprocessing.get_context("spawn")
    gate = spawn.Barrier(count)
    url = current_app.config["DATABASE_URL"]
    db.session.remove()
    runs = [spawn.Process(target=work, args=(url, gate, *(a[n] for a in args))) for n in range(count)]
    for one in runs:
        one.start()
    for one in runs:
        one.join(240)
    assert [one.exitcode for one in runs] == [0] * count


def test_runs_by_job_and_by_button_at_once_put_each_charge_on_one_invoice(app: Any, tmp_path: Path) -> None:
    by_themselves(tmp_path, "bimonthly")
    for n in range(6):
        books.load(books.party(f"Example Hauler {n}"))
    db.session.commit()
    at_once(run, 4, ["job", "button", "job", "fails"])
    invoices = list(db.session.scalars(select(Invoice).order_by(Invoice.id)))
    assert sorted(invoice.number for invoice in invoices) == [f"2026-{n:05d}" for n in range(1, 7)]
    assert len({invoice.account_id for invoice in invoices}) == 6
    assert len(list(db.session.scalars(select(InvoiceLine)))) == 12
    assert len(list(db.session.scalars(select(Letter).filter_by(kind="invoice")))) == 6
    assert check_ledger() == []


def test_first_charges_at_once_open_one_account(app: Any) -> None:
    who = books.party().id
    db.session.commit()
    at_once(open_and_charge, 3, [who] * 3, [101, 102, 103])
    assert len(list(db.session.scalars(select(Account)))) == 1
    assert [line.balance_cents for line in books.accounts()] == [720]


def test_fifty_invoices_at_once_by_four_processes_leave_no_gap_where_one_breaks(app: Any) -> None:
    accounts = [books.load(books.party(f"Example Hauler {n:02d}"))[0].account_id for n in range(50)]
    db.session.commit()
    shares = [accounts[n::4] for n in range(4)]
    at_once(issue_each, 4, shares, [None, 5, None, None])
    broken = shares[1][5]
    invoices = list(db.session.scalars(select(Invoice).order_by(Invoice.id)))
    assert sorted(invoice.number for invoice in invoices) == [f"2026-{n:05d}" for n in range(1, 50)]
    assert sorted(invoice.account_id for invoice in invoices) == sorted(set(accounts) - {broken})
    plant, account = world.plant(), db.session.get_one(Account, broken)
    last: Any = actions.make_invoice(plant, account, by=system(), at=books.noon(OCT_1), law=world.law(OCT_1))
    assert last.number == "2026-00050"
    assert check_ledger() == []
