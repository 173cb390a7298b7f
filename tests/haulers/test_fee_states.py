"""The filing fee as the ledger has it: not set, received, taken back."""

from datetime import date
from typing import Any

import pytest
from sqlalchemy import select

from billing.actions import make_invoice, record_payment, reverse_entry
from billing.models import Account, Entry, Invoice, Payment
from billing.queries import balance_cents, check_ledger, entries_of, unbilled, unpaid_cents
from haulers.actions import record_filing_fee
from haulers.models import Application
from haulers.queries import fees_of
from office.access import Role, system
from office.acts import act
from office.db import db
from office.letters import Letter
from office.plants import PlantRow, set_plant_row
from tests import world
from tests.haulers.builders import filed, hauler
from tests.haulers.test_pages_hauler import once, signed_in, text

PAID = {"method": "check", "reference": "1042", "received_on-month": "8", "received_on-day": "19",
        "received_on-year": "2026"}  # fmt: skip


@act("test_fee_unset", roles=(Role.SYSTEM,))
def no_fee(*, by: Any, at: Any) -> bool:
    for row in db.session.scalars(select(PlantRow).filter_by(key="fees.filing")):
        row.since = row.since.replace(year=2028)
    return True


@pytest.fixture
def application(app: Any, clock_at: Any) -> Application:
    clock_at("2026-08-20T09:00")
    return filed(hauler())


def take_back(entry: Entry | None = None) -> None:
    """Take back the newest payment, or an entry named."""
    payments = select(Entry).join(Payment, Payment.entry_id == Entry.id).order_by(Entry.id.desc())
    entry = entry or db.session.scalars(payments.limit(1)).one()
    when = world.at("2026-08-25T10:00")
    assert isinstance(reverse_entry(entry, "Check returned", by=world.staff("clerk"), at=when), Entry)
    db.session.commit()


def record(app: Any, application: Application, number: str, day: int = 19) -> Any:
    """The clerk fills in the fee page: the answer of the page it leads to."""
    typed = PAID | {"reference": number, "received_on-day": str(day)}
    address = f"/bayfield/clerk/filings/{application.id}/fee"
    return signed_in(app, "clerk").post(address, data=typed | once(), follow_redirects=True)


def balance() -> int:
    return balance_cents(db.session.scalars(select(Account)).one().id)


def test_a_fee_taken_back_in_the_ledger_is_taken_back_on_every_page(app: Any, application: Application,
                                                                    clock_at: Any) -> None:  # fmt: skip
    clerk = signed_in(app, "clerk")
    address = f"/bayfield/clerk/filings/{application.id}"
    clerk.post(f"{address}/fee", data=PAID | once())
    assert "Received Wed, Aug 19" in text(clerk.get("/bayfield/clerk/filings"))
    assert fees_of([application.id])[application.id].holds
    take_back()
    assert not fees_of([application.id])[application.id].holds
    filings = text(clerk.get("/bayfield/clerk/filings"))
    assert "Taken back August 25, 2026" in filings
    assert "Received" not in filings
    assert "Taken back August 25, 2026" in text(clerk.get(address))
    fee = text(clerk.get(f"{address}/fee"))
    assert "The fee was taken back Tuesday, August 25, 2026" in fee
    assert "Check returned" in fee
    assert "$75.00" in fee
    assert "Record fee" in fee
    assert "Record it again" in filings
    table = text(signed_in(app, "member1").get("/bayfield/committee"))
    assert "Fee taken back" in table
    theirs = text(signed_in(app).get("/bayfield/hauler/apply"))
    assert "taken back Tuesday, August 25, 2026. It is owed again: pay it at City Hall or by mail." in theirs


def test_without_an_amount_the_clerk_is_led_to_it_and_the_hauler_is_not_told_to_pay(app: Any, application: Application,
                                                                                   ) -> None:  # fmt: skip
    assert "Pay it at City Hall" in text(signed_in(app).get("/bayfield/hauler/apply"))
    no_fee(by=system(), at=world.START)
    db.session.commit()
    page = text(signed_in(app, "clerk").get(f"/bayfield/clerk/filings/{application.id}/fee"))
    assert '<a href="/bayfield/admin/amounts">Settings: Amounts</a>' in page
    theirs = text(signed_in(app).get("/bayfield/hauler/apply"))
    assert "The filing fee is not set" in theirs
    assert "There is nothing to pay now." in theirs
    assert "City Hall" not in theirs


def test_a_fee_taken_back_is_recorded_again_on_its_page_for_the_charge_that_stands(app: Any, application: Application,
                                                                                   ) -> None:  # fmt: skip
    record(app, application, "1042")
    take_back()
    assert balance() == 7500
    desk = " ".join(text(signed_in(app, "clerk").get("/bayfield/clerk")).split())
    assert 'Filing fees not received</a></th> <td class="num">1</td>' in desk
    again = text(record(app, application, "2077", day=20))
    assert "Receipt 2026-00002" in again
    assert "Payment by check, no. 2077" in again
    assert balance() == 0
    assert len(entries_of("application", application.id)) == 1
    assert unbilled(world.plant().id) == []
    fee = fees_of([application.id])[application.id]
    assert (fee.holds, fee.receipt, fee.paid_on) == (True, "2026-00002", date(2026, 8, 20))
    assert check_ledger() == []
    third = text(record(app, application, "3000"))
    assert f"The filing fee of application {application.number} is recorded already." in third
    take_back()
    record(app, application, "4001")
    assert fees_of([application.id])[application.id].receipt == "2026-00003"
    assert (balance(), check_ledger()) == (0, [])


def test_a_fee_whose_charge_was_taken_back_is_charged_anew(app: Any, application: Application) -> None:
    record(app, application, "1042")
    take_back(entries_of("application", application.id)[0])
    assert not fees_of([application.id])[application.id].holds
    record(app, application, "2077")
    assert fees_of([application.id])[application.id].receipt == "2026-00002"
    assert len(entries_of("application", application.id)) == 2
    assert (balance(), check_ledger()) == (-7500, [])


def invoiced(app: Any, application: Application) -> Invoice:
    record(app, application, "1042")
    take_back()
    account = db.session.scalars(select(Account)).one()
    made = make_invoice(world.plant(), account, by=world.staff("clerk"), at=world.at("2026-08-31T10:00"),
                        law=world.law())  # fmt: skip
    assert isinstance(made, Invoice), made
    db.session.commit()
    return made


def test_a_fee_on_an_invoice_by_now_is_recorded_on_its_page_and_pays_the_invoice(app: Any, application: Application,
                                                                               clock_at: Any) -> None:  # fmt: skip
    invoice = invoiced(app, application)
    clock_at("2026-09-02T09:00")
    page = text(signed_in(app, "clerk").get(f"/bayfield/clerk/filings/{application.id}/fee"))
    assert f">{invoice.number}</a> now" in page
    record(app, application, "2077")
    assert fees_of([application.id])[application.id].receipt == "2026-00002"
    assert unpaid_cents(invoice.id) == 0
    assert (balance(), check_ledger()) == (0, [])


def test_a_fee_on_an_invoice_paid_as_an_invoice_is_received(app: Any, application: Application) -> None:
    invoice = invoiced(app, application)
    account = db.session.scalars(select(Account)).one()
    paid = record_payment(world.plant(), account, 7500, "cash", "", date(2026, 9, 4), by=world.staff("clerk"),
                          at=world.at("2026-09-04T10:00"), law=world.law())  # fmt: skip
    assert isinstance(paid, Payment), paid
    fee = fees_of([application.id])[application.id]
    assert unpaid_cents(invoice.id) == 0
    assert (fee.holds, fee.receipt, fee.paid_on) == (True, paid.number, date(2026, 9, 4))


def test_letter_page_and_charge_name_the_fee_of_the_day_it_was_sent(app: Any, application: Application,
                                                                    clock_at: Any) -> None:  # fmt: skip
    """A fee raised between sending and paying is not asked of who sent before."""
    set_plant_row(world.plant(), "fees.filing", "90.00", date(2026, 8, 15), "Resolution 2026-20",
                  by=world.staff("clerk"), at=world.at("2026-08-14T09:00"))  # fmt: skip
    db.session.commit()
    clock_at("2026-08-20T09:00")
    desk = text(signed_in(app, "clerk").get(f"/bayfield/clerk/filings/{application.id}/fee"))
    assert ("$75.00" in desk, "$90.00" in desk) == (True, False)
    sent = text(signed_in(app).get(f"/bayfield/hauler/apply/sent/{application.id}"))
    assert ("The filing fee is $75.00." in sent, "$90.00" in sent) == (True, False)
    receipt = db.session.scalars(select(Letter).filter_by(kind="application_receipt")).one()
    assert receipt.data["fee"] == "The filing fee is $75.00. It is not refunded."
    paid = record_filing_fee(
        world.plant(),
        application.id,
        "check",
        "1042",
        date(2026, 8, 20),
        by=world.staff("clerk"),
        at=world.at("2026-08-20T09:00"),
        law=world.law(date(2026, 8, 20)),
    )
    assert db.session.get_one(Entry, paid.entry_id).amount_cents == -7500
    later = filed(hauler("Second Septic", "second@hauler.example"), at="2026-08-16T09:00")
    db.session.commit()
    assert "$90.00" in text(signed_in(app, "clerk").get(f"/bayfield/clerk/filings/{later.id}/fee"))
