import io
from datetime import date
from typing import Any

import pytest
from pypdf import PdfReader
from sqlalchemy import func, select

from billing import actions
from billing.models import Account, Entry, Invoice, Payment
from office.access import system
from office.db import db
from office.exports import hand_out
from tests import world
from tests.billing import books

OCT_1, OCT_6 = date(2026, 10, 1), date(2026, 10, 6)


@pytest.fixture
def two(app: Any, clock_at: Any) -> Any:
    """Two haulers with an invoice each; the first paid $20.00."""
    clock_at("2026-10-12T10:00")
    first = books.party("Apostle Example Septic", "first@septic.example")
    second = books.party("Birch Example Pumping", "second@septic.example")
    for who, gallons in ((first, 1500), (second, 1000)):
        books.load(who, gallons, label="Load 2026-00001")
        books.bill(who, OCT_1)
    books.pay(first, "20.00", OCT_6)
    books.load(first, 500, OCT_6)
    db.session.commit()
    return first, second


def text_of(answer: Any) -> str:
    return " ".join(answer.get_data(as_text=True).split())


def signed_in(app: Any, who: str) -> Any:
    client = app.test_client()
    world.sign_in(client, who)
    return client


def send(client: Any, address: str, **values: Any) -> Any:
    return client.post(f"/bayfield{address}", data={"once": values.pop("once", "a" * 32), **values})


PAYMENT = {"amount": "28.16", "method": "check", "reference": "77", "received_on-month": "10", "received_on-day": "9",
           "received_on-year": "2026"}  # fmt: skip


def test_clerk_reads_every_page(app: Any, two: Any) -> None:
    clerk = signed_in(app, "clerk")
    first = books.account(two[0]).id
    for address, words in {
        "/clerk/ledger": "Apostle Example Septic",
        f"/clerk/accounts/{first}": "Take back",
        "/clerk/invoices": "2026-00002",
        "/clerk/invoices/run": "Make 1 invoice",
        "/clerk/invoices/2026-00001": "$28.16 to pay by the end of Wednesday, October 21, 2026",
        "/clerk/payments/new": "Apostle Example Septic: owes $52.32",
        "/clerk/receipts/2026-00001": "$20.00 received from Apostle Example Septic",
    }.items():
        answer = clerk.get(f"/bayfield{address}")
        assert (address, answer.status_code) == (address, 200)
        assert words in text_of(answer), address


@pytest.mark.parametrize("who", ["operator", "director", "first@septic.example"])
def test_money_of_the_city_is_the_clerks(app: Any, two: Any, who: str) -> None:
    client = signed_in(app, who)
    for address in ("ledger", "invoices", "invoices/run", "payments/new", "invoices/2026-00001/pdf"):
        assert client.get(f"/bayfield/clerk/{address}").status_code == 403


def test_hauler_sees_only_their_own(app: Any, two: Any) -> None:
    client = signed_in(app, "first@septic.example")
    own = text_of(client.get("/bayfield/hauler/money"))
    assert "you owe City of Bayfield" in own
    assert "$52.32" in own
    assert "2026-00002" not in own
    assert "Birch" not in own
    assert client.get("/bayfield/hauler/invoices/2026-00001").status_code == 200
    for hidden in ("invoices/2026-00002", "invoices/2026-00002/pdf", "invoices/2026-00009"):
        assert client.get(f"/bayfield/hauler/{hidden}").status_code == 404
    other = signed_in(app, "second@septic.example")
    assert other.get("/bayfield/hauler/receipts/2026-00001/pdf").status_code == 404


def test_hauler_without_an_account_is_told_so(app: Any, two: Any) -> None:
    books.party("Cedar Example Septic", "third@septic.example")
    db.session.commit()
    page = text_of(signed_in(app, "third@septic.example").get("/bayfield/hauler/money"))
    assert "Nothing has been charged to you at Bayfield Wastewater Treatment Works." in page


def test_payment_is_recorded_once_for_five_clicks(app: Any, two: Any) -> None:
    clerk, account = signed_in(app, "clerk"), books.account(two[0]).id
    places = {send(clerk, "/clerk/payments/new", account=account, **PAYMENT).headers["Location"] for _ in range(5)}
    assert places == {"/bayfield/clerk/receipts/2026-00002"}
    assert db.session.scalars(select(func.count(Payment.id))).one() == 2
    page = text_of(clerk.get("/bayfield/clerk/receipts/2026-00002"))
    assert "Payment by check, no. 77" in page
    assert "$24.16 is still owed after this payment." in page


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"amount": "0"}, "Amount must be more than $0.00."),
        ({"amount": ""}, "Enter amount"),
        ({"amount": "ten"}, "Amount must be an amount in dollars and cents, like 25.00"),
        ({"received_on-day": "13"}, "Date received must be October 12, 2026 or earlier."),
        ({"method": ""}, "Select how it was paid"),
        ({"account": ""}, "Select a hauler"),
        ({"account": "999"}, "Select one of the answers shown"),
    ],
)
def test_payment_that_cannot_be_is_refused_at_its_field(app: Any, two: Any, change: Any, words: str) -> None:
    clerk, account = signed_in(app, "clerk"), books.account(two[0]).id
    answer = send(clerk, "/clerk/payments/new", **({"account": account} | PAYMENT | change))
    assert answer.status_code == 422
    assert answer.get_data(as_text=True).count(words) == 2
    assert db.session.scalars(select(func.count(Payment.id))).one() == 1


def test_run_makes_the_invoices_and_says_the_sum(app: Any, two: Any) -> None:
    clerk = signed_in(app, "clerk")
    answer = send(clerk, "/clerk/invoices/run", early="1")
    assert answer.headers["Location"] == "/bayfield/clerk/invoices"
    page = text_of(clerk.get("/bayfield/clerk/invoices"))
    assert "1 invoice made: $24.16 together." in page
    assert "There is nothing new to put on an invoice." in text_of(clerk.get("/bayfield/clerk/invoices/run"))


EARLY = "Invoices were made on Thursday, October 1, 2026"


def test_invoices_inside_the_period_are_warned_of_and_made_with_a_tick(app: Any, two: Any) -> None:
    clerk = signed_in(app, "clerk")
    page = text_of(clerk.get("/bayfield/clerk/invoices/run"))
    assert EARLY in page and "§ 329-2 A(3)(g)" in page
    assert "They are made every two months: the next ones from Tuesday, December 1, 2026 on." in page
    answer = send(clerk, "/clerk/invoices/run")
    assert (answer.status_code, text_of(answer).count("Tick that the invoices are made early")) == (422, 2)
    assert db.session.scalars(select(func.count(Invoice.id))).one() == 2
    assert send(clerk, "/clerk/invoices/run", early="1").status_code == 303
    assert db.session.scalars(select(func.count(Invoice.id))).one() == 3


@pytest.mark.parametrize(("now", "early"), [("2026-11-30T23:59", True), ("2026-12-01T00:00", False)])
def test_the_period_is_over_on_the_same_day_two_months_on(
    app: Any, two: Any, clock_at: Any, now: str, early: bool
) -> None:
    clock_at(now)
    clerk = signed_in(app, "clerk")
    assert (EARLY in text_of(clerk.get("/bayfield/clerk/invoices/run"))) is early
    assert (send(clerk, "/clerk/invoices/run").status_code == 422) is early


def test_a_receipt_shows_what_was_printed_and_what_a_back_dated_payment_moved(app: Any, two: Any) -> None:
    clerk, account = signed_in(app, "clerk"), books.account(two[0]).id
    send(clerk, "/clerk/payments/new", account=account, **PAYMENT)
    page = text_of(clerk.get("/bayfield/clerk/receipts/2026-00002"))
    assert "Set against now" not in page and "Invoice 2026-00001" in page and "$28.16" in page
    send(clerk, "/clerk/payments/new", once="d" * 32, account=account, **PAYMENT | {
        "received_on-day": "2", "amount": "30.00", "reference": "1043"})  # fmt: skip
    page = text_of(clerk.get("/bayfield/clerk/receipts/2026-00002"))
    assert '<th scope="row">Invoice 2026-00001</th><td class="num">$28.16</td>' in page.replace("> <", "><")
    assert "$24.16 is still owed after this payment." in page
    assert "<b>Set against now:</b> Kept as credit for the next invoice $28.16." in page
    first = text_of(clerk.get("/bayfield/clerk/receipts/2026-00001"))
    assert ("<b>Set against now:</b> Invoice 2026-00001 $18.16; Kept as credit for the next invoice $1.84."
            in first)  # fmt: skip


def test_an_invoice_says_on_which_day_it_was_paid(app: Any, two: Any, clock_at: Any) -> None:
    clerk, account = signed_in(app, "clerk"), books.account(two[0]).id
    send(clerk, "/clerk/payments/new", account=account, **PAYMENT | {"amount": "100.00"})
    page = text_of(clerk.get("/bayfield/clerk/invoices/2026-00001"))
    assert "Paid on Friday, October 9, 2026" in page
    assert "Paid on October 6, 2026, receipt" in page and "Paid on October 9, 2026, receipt" in page
    clock_at("2026-12-01T09:00")
    send(clerk, "/clerk/invoices/run", once="e" * 32)
    page = text_of(clerk.get("/bayfield/clerk/invoices/2026-00003"))
    assert "Paid on Tuesday, December 1, 2026" in page
    assert "Paid on December 1, 2026 from money received October 9, 2026, receipt" in page


def test_line_is_taken_back_with_a_reason(app: Any, two: Any) -> None:
    clerk, account = signed_in(app, "clerk"), books.account(two[0])
    entry = db.session.scalars(select(Entry).filter_by(account_id=account.id, code="test")).first()
    assert entry is not None
    address = f"/clerk/accounts/{account.id}/reverse/{entry.id}"
    assert send(clerk, address, reason=" ").status_code == 422
    assert send(clerk, address, reason="Not tested", once="b" * 32).status_code == 303
    page = text_of(clerk.get(f"/bayfield/clerk/accounts/{account.id}"))
    assert "Taken back: Testing for BOD5 and TSS" in page
    assert "Why: Not tested" in page
    again = send(clerk, address, reason="Twice", once="c" * 32)
    assert again.status_code == 409
    assert "This line was taken back before." in text_of(again)


def test_entry_of_another_account_is_not_found(app: Any, two: Any) -> None:
    clerk = signed_in(app, "clerk")
    entry = db.session.scalars(select(Entry).filter_by(account_id=books.account(two[1]).id)).first()
    assert entry is not None
    assert clerk.get(f"/bayfield/clerk/accounts/{books.account(two[0]).id}/reverse/{entry.id}").status_code == 404


def test_documents_are_drawn_after_the_request_and_downloaded(app: Any, two: Any) -> None:
    hauler, clerk = signed_in(app, "first@septic.example"), signed_in(app, "clerk")
    early = hauler.get("/bayfield/hauler/invoices/2026-00001/pdf")
    assert early.status_code == 202
    assert "The document is being made" in text_of(early)
    send(clerk, "/clerk/payments/new", account=books.account(two[0]).id, **PAYMENT)
    answer = hauler.get("/bayfield/hauler/invoices/2026-00001/pdf")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="invoice 2026-00001.pdf"'
    pages = PdfReader(io.BytesIO(answer.get_data())).pages
    answer.close()
    assert len(pages) == 1
    words = " ".join(pages[0].extract_text().split())
    assert "Pay $48.16 by the end of Wednesday, October 21, 2026." in words
    receipt = clerk.get("/bayfield/clerk/receipts/2026-00002/pdf")
    assert receipt.get_data()[:5] == b"%PDF-"
    receipt.close()


def dispute(entries: list[Any]) -> Any:
    account = db.session.get_one(Account, entries[0].account_id)
    return actions.open_dispute(world.plant(), account, entries, "Doubt", gallons=1, waste="other", asked_on=OCT_6,
                                by=system(), at=books.noon(OCT_6), law=world.law(OCT_6))  # fmt: skip


def test_list_pages_ask_no_more_for_more_rows(app: Any, two: Any) -> None:
    from sqlalchemy import event

    clerk, hauler = signed_in(app, "clerk"), signed_in(app, "first@septic.example")
    first = books.account(two[0]).id
    dispute(books.load(two[1], 200, OCT_6)[:1])
    made: Any = hand_out(world.plant(), "ledger", OCT_1, OCT_6, by=world.staff("clerk"), at=books.noon(OCT_6))
    db.session.commit()
    asked: list[str] = []
    event.listen(db.engine, "before_cursor_execute", lambda *a: asked.append(a[2]))

    def count(client: Any, address: str) -> int:
        asked.clear()
        assert client.get(f"/bayfield{address}").status_code == 200
        return len(asked)

    pages = [(clerk, "/clerk/ledger"), (clerk, f"/clerk/accounts/{first}"), (clerk, "/clerk/invoices"),
             (clerk, "/clerk/invoices/run"), (clerk, "/clerk/payments/new"), (hauler, "/hauler/money"),
             (clerk, "/clerk/aging"), (clerk, f"/clerk/accounts/{first}/statement"), (hauler, "/hauler/statement"),
             (clerk, "/clerk/disputes"), (clerk, f"/clerk/ledger/exports/{made.id}/csv"),
             (clerk, "/clerk/ledger/export"), (clerk, "/clerk/ledger?kind=charge&month=2026-10"),
             (clerk, f"/clerk/ledger?hauler={first}")]  # fmt: skip
    count(*pages[0])  # the first page after a change asks who somebody is again
    before = [count(*page) for page in pages]
    for n in range(4):
        books.load(two[0], 300 + n, OCT_6)
        books.bill(two[0], OCT_6)
        books.pay(two[0], "1.00", OCT_6)
        entries = books.load(books.party(f"Example Hauler {n}"), 100, OCT_6)
        dispute(entries[:1])
    db.session.commit()
    count(*pages[0])
    assert [count(*page) for page in pages] == before


def test_another_plants_account_and_invoice_are_not_found(app: Any, two: Any) -> None:
    from office import journal
    from office.access import Grant, Role, system
    from office.law import adopt_law
    from office.plants import set_up_plant

    other: Any = set_up_plant(slug="washburn", name="Washburn", city="City of Washburn", zone="America/Chicago",
                              phone="", help_hours="", address="", by=system(), at=world.START)  # fmt: skip
    db.session.flush()
    adopt_law(other, "bayfield", date(1992, 1, 1), "Test", by=system(), at=world.START)
    clerk_id = world.staff("clerk").person_id
    with journal.frame("grant", system(), None, world.START):
        db.session.add(Grant(person_id=clerk_id, plant_id=other.id, role=Role.CLERK.value, since=world.START))
        db.session.commit()
    clerk, account = signed_in(app, "clerk"), books.account(two[0]).id
    assert "Nothing has been charged yet." in text_of(clerk.get("/washburn/clerk/ledger"))
    for address in (f"accounts/{account}", "invoices/2026-00001", "receipts/2026-00001", "invoices/2026-00001/pdf"):
        assert clerk.get(f"/washburn/clerk/{address}").status_code == 404
    owner = signed_in(app, "first@septic.example")
    assert "2026-00001" not in text_of(owner.get("/washburn/hauler/money"))
    assert owner.get("/washburn/hauler/invoices/2026-00001").status_code == 404
    assert db.session.scalars(select(func.count(Invoice.id))).one() == 2


def test_late_charge_is_shown_on_the_invoice(app: Any, two: Any, clock_at: Any) -> None:
    at = clock_at("2026-10-22T09:00")
    invoice = db.session.scalars(select(Invoice).filter_by(number="2026-00001")).one()
    actions.add_late_charge(invoice, by=world.staff("clerk"), at=at, law=world.law(OCT_1))
    db.session.commit()
    page = text_of(signed_in(app, "first@septic.example").get("/bayfield/hauler/invoices/2026-00001"))
    assert "A late charge of $2.82 was added for Thursday, October 22, 2026; it goes on the next invoice." in page
    late, second = (
        db.session.scalars(select(Entry).filter_by(kind="late")).one(),
        books.bill(two[0], date(2026, 10, 23)),
    )
    actions.credit_charge(late, 100, "Goodwill", by=world.staff("clerk"), at=at, law=world.law(OCT_1))
    db.session.commit()
    for sign_in, place in (("first@septic.example", "hauler"), ("clerk", "clerk")):
        page = text_of(signed_in(app, sign_in).get(f"/bayfield/{place}/invoices/2026-00001"))
        link = f'<a class="text-nowrap" href="/bayfield/{place}/invoices/{second.number}">{second.number}</a>'
        words = "A late charge of $1.82 was added for Thursday, October 22, 2026; it is on invoice"
        assert f"{words} {link}." in page
    books.pay(two[0], "100.00", date(2026, 10, 23))
    db.session.commit()
    page = text_of(signed_in(app, "first@septic.example").get("/bayfield/hauler/invoices/2026-00001"))
    assert f"it is on invoice {link.replace('/clerk/', '/hauler/')}." in page
    assert "goes on the next invoice" not in page


def test_a_receipt_names_the_invoice_that_was_written_off_and_how_its_money_counts_for_it(app: Any, two: Any) -> None:
    invoice = db.session.scalars(select(Invoice).filter_by(number="2026-00001")).one()
    given: dict[str, Any] = {"by": world.staff("clerk"), "at": books.noon(date(2026, 10, 12)), "law": world.law(OCT_1)}
    made: Any = actions.write_off(invoice, "Out of business", **given)
    assert [one.amount_cents for one in made] == [-2816]
    # $24.16 of it are charges on no invoice yet, and kept for them.
    paid = books.pay(two[0], "28.16", date(2026, 10, 12))
    db.session.commit()
    clerk, account = signed_in(app, "clerk"), books.account(two[0])
    page = text_of(clerk.get(f"/bayfield/clerk/receipts/{paid.number}"))
    assert "$4.00 of invoice 2026-00001 had been written off; that is taken back." in page
    assert "$24.16 of it counts for nothing yet, and what it may be for is written off" in page
    assert "$24.16 written off on Monday, October 12, 2026. Take the write-off back, so that the payment counts" in page
    rest = [one for one in db.session.query(Entry).filter_by(kind="write_off") if f'/reverse/{one.id}"' in page]
    assert [one.amount_cents for one in rest] == [-2416]
    for one in rest:
        link = f"/bayfield/clerk/accounts/{account.id}/reverse/{one.id}"
        assert link in page
        assert send(clerk, link.removeprefix("/bayfield"), reason="They paid after all").status_code == 303
    page = text_of(clerk.get(f"/bayfield/clerk/receipts/{paid.number}"))
    assert "counts for nothing yet" not in page
    assert "Set against now:</b> Invoice 2026-00001 $28.16." in page
    assert "Paid on" in text_of(clerk.get("/bayfield/clerk/invoices/2026-00001"))
