from datetime import date
from typing import Any

from sqlalchemy import select

from billing import actions
from billing.models import Invoice, InvoiceLine
from billing.queries import accounts, invoice_lines, ledger, unbilled
from office.db import db
from office.journal import JournalEntry
from office.letters import Letter
from office.notices import Notice
from ordinances.refusal import Refusal
from tests import world
from tests.billing import books

OCT_1 = date(2026, 10, 1)


def run(day: date = OCT_1) -> list[Invoice]:
    made: Any = actions.make_invoices(world.plant(), by=world.staff("clerk"), at=books.noon(day), law=world.law(day))
    return list(made)


def test_run_puts_every_charge_on_one_invoice_and_a_second_run_makes_none(app: Any) -> None:
    first, second = books.party("Apostle Example Septic"), books.party("Birch Example Pumping")
    books.load(first, 1500)
    books.load(first, 500)
    books.load(second, 1000)
    made = run()
    db.session.commit()
    assert [(i.number, i.party_name, i.total_cents) for i in made] == [
        ("2026-00001", "Apostle Example Septic", 4816 + 1200 + 1216),
        ("2026-00002", "Birch Example Pumping", 3616),
    ]
    assert run(date(2026, 10, 2)) == []
    assert len(db.session.scalars(select(InvoiceLine)).all()) == 6
    assert unbilled(world.plant().id) == []


def test_invoice_says_the_last_day_in_time(app: Any) -> None:
    who = books.party()
    books.load(who)
    invoice = books.bill(who, OCT_1)
    assert (invoice.issued_on, invoice.due_on) == (OCT_1, date(2026, 10, 21))
    notice = db.session.scalars(select(Notice).filter_by(kind="invoice")).one()
    assert notice.subject == "Invoice 2026-00001: $48.16, due October 21, 2026"
    assert notice.body == (
        "Invoice 2026-00001 of City of Bayfield for unloading septage is $48.16, due October 21, 2026.\n"
        "The invoice with its lines is enclosed. Questions: 715-555-0100, weekdays 7 a.m. to 3 p.m.")  # fmt: skip


def test_invoice_of_a_company_that_signs_in_is_on_its_money_page(app: Any) -> None:
    who = books.party(email="owner@hauler.example")
    books.load(who)
    books.bill(who, OCT_1)
    notice = db.session.scalars(select(Notice).filter_by(kind="invoice")).one()
    assert notice.body.endswith("The lines and the printed invoice are on your Money page after you sign in.")


def test_invoice_dated_by_the_plants_own_day(app: Any) -> None:
    who = books.party()
    books.load(who)
    late_evening = world.at("2026-12-31T23:30")
    made: Any = actions.make_invoice(world.plant(), books.account(who), by=world.staff("clerk"), at=late_evening,
                                     law=world.law())  # fmt: skip
    assert (made.number, made.issued_on) == ("2026-00001", date(2026, 12, 31))


def test_nothing_to_bill_takes_no_number(app: Any) -> None:
    who = books.party()
    books.load(who)
    books.bill(who, OCT_1)
    answer = actions.make_invoice(world.plant(), books.account(who), by=world.staff("clerk"), at=books.noon(OCT_1),
                                  law=world.law())  # fmt: skip
    assert isinstance(answer, Refusal)
    assert answer.code == "nothing_to_bill"
    books.load(who, 100)
    assert books.bill(who, OCT_1).number == "2026-00002"


def test_invoice_keeps_the_name_it_was_made_with(app: Any) -> None:
    who = books.party("Old Example Name")
    books.load(who)
    invoice = books.bill(who, OCT_1)
    who.name = "New Example Name"
    db.session.flush()
    assert invoice.party_name == "Old Example Name"
    assert db.session.get_one(Letter, invoice.letter_id).addressee.splitlines()[0] == "Old Example Name"


def test_printed_lines_are_grouped_by_day_and_source(app: Any) -> None:
    who = books.party()
    books.load(who, label="Load 2026-00412")
    invoice = books.bill(who, OCT_1)
    data = db.session.get_one(Letter, invoice.letter_id).data
    assert data["groups"] == [{
        "title": "Wednesday, September 30, 2026 · Load 2026-00412",
        "lines": [
            {"what": "Septage unloaded", "quantity": "1,500 gallons", "each": "$0.024", "amount": "$36.00",
             "cite": "§ 329-7 F(2); § 329-2 B(2)(d)"},
            {"what": "Testing for BOD5 and TSS", "quantity": "1 load", "each": "$12.16", "amount": "$12.16",
             "cite": "§ 329-2 B(2)(d); § 329-7 F(1)"},
        ],
    }]  # fmt: skip
    assert data["late"] == ("A late charge of 10 % is added once to what is unpaid after that day (§ 329-2 A(3)(g)).")


def test_lists_give_names_balances_and_running_balance(app: Any) -> None:
    who = books.party("Apostle Example Septic")
    books.load(who)
    invoice = books.bill(who, OCT_1)
    books.load(who, 500, OCT_1)
    books.pay(who, "20.00", OCT_1)
    line = accounts(world.plant().id)[0]
    assert (line.name, line.balance_cents, line.unbilled_cents) == ("Apostle Example Septic", 4816 + 2416 - 2000, 2416)
    assert [(one.entry.code, one.balance_cents, one.invoice_number) for one in ledger(line.account_id)] == [
        ("volume", 3600, invoice.number), ("test", 4816, invoice.number), ("volume", 6016, None), ("test", 7232, None),
        ("payment", 5232, None),
    ]  # fmt: skip
    assert [(entry.code, back) for entry, back in invoice_lines(invoice.id)] == [("volume", None), ("test", None)]


def test_invoice_is_in_the_journal_of_its_plant(app: Any) -> None:
    who = books.party()
    books.load(who)
    invoice = books.bill(who, OCT_1)
    db.session.commit()
    rows = select(JournalEntry).filter_by(act="make_invoice")
    found = {(row.table_name, row.chain, row.capacity, row.cite) for row in db.session.scalars(rows)}
    plant = f"plant:{invoice.plant_id}"
    assert found == {
        (table, plant, "clerk", "§ 329-2 A(3)(g)") for table in ("invoice", "invoice_line", "letter", "notice")
    }
