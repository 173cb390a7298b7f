"""One load through credit, dispute, bounced check, write-off and correction: every place says the same cents."""

import csv
import io
import re
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any
from uuid import uuid4

from pypdf import PdfReader

from billing import actions
from billing.models import Account, Entry, Invoice
from billing.queries import account_of, aging, check_ledger, entries_of, left_of, reversal_of
from haulers.queries import party_of_business
from intake.actions.correcting import correct_load
from intake.queries.figures import figures
from office import formats
from office.db import db
from office.jobs import tick
from ordinances.refusal import Refusal
from tests import world
from tests.billing import books
from tests.billing.test_routes import send
from tests.intake.gatehouse import good, kept, log
from tests.intake.plant import hauler

WHY = "The meter was read wrong"
# What an invoice page says is unpaid: what is to be paid now, and what is in dispute.
END = re.compile(r'>(To pay|Unpaid, in dispute)</th><td class="num">(?:<b>)?\$([\d,.]+)<')


def given(day: date) -> dict[str, Any]:
    return {"by": world.staff("clerk"), "at": books.noon(day), "law": world.law(date(2026, 10, 6))}


def sure(result: Any) -> Any:
    assert not isinstance(result, Refusal), result
    db.session.commit()
    return result


def words(answer: Any) -> str:
    assert answer.status_code == 200
    return " ".join(answer.get_data(as_text=True).split())


class Places:
    """Every place that says what one hauler owes, read as its reader does."""

    def __init__(self, app: Any, account: Account, email: str) -> None:
        self.account, self.clerk, self.hauler = account, app.test_client(), app.test_client()
        self.email = email

    def agree(self, clock_at: Any, day: date, cents: int, note: str) -> None:
        clock_at(f"{day.isoformat()}T13:00")
        world.sign_in(self.clerk, "clerk"), world.sign_in(self.hauler, self.email)
        ident, owed = self.account.id, formats.money(cents)
        rows = db.session.query(Entry).filter_by(account_id=ident).all()
        assert sum(one.amount_cents for one in rows) == cents, note
        assert f"<b>{owed}</b>" in words(self.clerk.get(f"/bayfield/clerk/accounts/{ident}")), note
        assert f"<b>{owed}</b>" in words(self.hauler.get("/bayfield/hauler/money")), note
        pdf = self.clerk.get(f"/bayfield/clerk/accounts/{ident}/statement.pdf?from=2026-10-01&to={day.isoformat()}")
        told = " ".join(page.extract_text() for page in PdfReader(io.BytesIO(pdf.get_data())).pages)
        assert f"Owed after {formats.date_only(day)} {owed}" in " ".join(told.split()), note
        (row,) = [one for one in aging(self.account.plant_id, day) if one.account_id == ident] or [None]
        assert (row.balance_cents if row else 0) == cents, note
        assert (row.unpaid_cents + row.unbilled_cents - row.credit_cents if row else 0) == cents, note
        assert self.invoices() + (row.unbilled_cents - row.credit_cents if row else 0) == cents, note
        assert self.exported(day) == cents, note
        assert check_ledger() == [], note

    def invoices(self) -> int:
        """What the invoices' own pages, the clerk's and the hauler's, say is unpaid, together."""
        found = []
        for reader, room in ((self.clerk, "clerk"), (self.hauler, "hauler")):
            pages = [words(reader.get(f"/bayfield/{room}/invoices/{one.number}"))
                     for one in db.session.query(Invoice).filter_by(account_id=self.account.id)]  # fmt: skip
            rows = [END.findall(page) for page in pages]
            assert all(one and one[-1][0] == "To pay" for one in rows)
            found.append(sum(int(Decimal(one.replace(",", "")) * 100) for page in rows for _, one in page))
        assert found[0] == found[1]
        return found[0]

    def exported(self, day: date) -> int:
        form = {"account": str(self.account.id), "first-month": "10", "first-day": "1", "first-year": "2026",
                "last-month": str(day.month), "last-day": str(day.day), "last-year": str(day.year)}  # fmt: skip
        made = send(self.clerk, "/clerk/ledger/export", once=uuid4().hex, **form)
        raw = self.clerk.get(f"{made.location}/csv").get_data(as_text=True)[1:]
        return int(sum(Decimal(row["Amount"]) for row in csv.DictReader(io.StringIO(raw, newline=""))) * 100)


def test_credit_dispute_bounce_write_off_and_a_corrected_load_agree_everywhere(app: Any, clock_at: Any) -> None:
    who = hauler()
    load = good(log(who, 1_500))  # $36.00 and a test of $12.16
    account: Any = account_of(world.plant().id, party_of_business(who.business_id).id)
    places = Places(app, account, who.email)
    places.agree(clock_at, date(2026, 10, 6), 4816, "logged")
    invoice = sure(actions.make_invoice(world.plant(), account, **given(date(2026, 10, 7))))
    volume = next(one for one in entries_of("load", load.id) if one.amount_cents == 3600)
    sure(actions.credit_charge(volume, 1000, "A part was rain", **given(date(2026, 10, 8))))
    places.agree(clock_at, date(2026, 10, 8), 3816, "credited in part")
    dispute = sure(actions.open_dispute(world.plant(), account, [volume], "Too many gallons", gallons=1500,
                                        waste="septic_tank", asked_on=date(2026, 10, 9),
                                        **given(date(2026, 10, 9))))  # fmt: skip
    places.agree(clock_at, date(2026, 10, 9), 3816, "in dispute")
    check = sure(actions.record_payment(world.plant(), account, 3816, "check", "88", date(2026, 10, 12),
                                        **given(date(2026, 10, 12))))  # fmt: skip
    # Money passes what is in dispute by: $12.16 pays the test, the rest waits.
    places.agree(clock_at, date(2026, 10, 12), 0, "paid")
    sure(actions.return_check(world.plant(), check, "No funds", **given(date(2026, 10, 14))))
    places.agree(clock_at, date(2026, 10, 14), 3816, "bounced")
    tick(books.noon(date(2026, 10, 29)))
    db.session.commit()
    # 10 % of the test alone: the rest is in dispute ($1.22).
    places.agree(clock_at, date(2026, 10, 29), 3938, "late")
    sure(actions.take_dispute_on(dispute, "", "The fees stand", date(2026, 10, 30), **given(date(2026, 10, 30))))
    places.agree(clock_at, date(2026, 10, 30), 3938, "the dispute is over")
    sure(actions.write_off(invoice, "Out of business", **given(date(2026, 11, 2))))
    places.agree(clock_at, date(2026, 11, 2), 122, "written off")
    sure(kept(correct_load(load, replace(figures(load), gallons=1_000), WHY, "", (), by=world.staff("operator"),
                           at=books.noon(date(2026, 11, 3)), law=world.law())))  # fmt: skip
    # $24.00 in place of $36.00: $10.00 of it was credited, the rest given up; the test as before.
    (new,) = [one for one in entries_of("load", load.id) if one.amount_cents == 2400 and reversal_of(one.id) is None]
    assert left_of(new) == 0
    places.agree(clock_at, date(2026, 11, 3), 122, "corrected")
    gone = db.session.query(Entry).filter_by(kind="write_off", credits_id=new.id).one()
    sure(actions.take_back_line(gone, "They pay after all", **given(date(2026, 11, 4))))
    places.agree(clock_at, date(2026, 11, 4), 1522, "the write-off is taken back")
