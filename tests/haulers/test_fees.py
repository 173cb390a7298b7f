"""The filing fee waived by a resolution of the Council; filed, or complete as well (§ 329-7 B(1))."""

from datetime import date
from typing import Any

import pytest
from sqlalchemy import func, select

from billing.models import Entry
from haulers.actions import record_filing_fee, waive_filing_fee
from haulers.models import Application, FilingFee
from haulers.queries import fees_of
from haulers.queries.completeness import filed_or_complete
from office.db import db
from office.journal import JournalEntry
from office.notices import Notice
from ordinances.refusal import Refusal
from tests import world
from tests.haulers.builders import filed, hauler

pytestmark = pytest.mark.usefixtures("app")
AT, RESOLUTION = "2026-08-20T09:00", "Resolution 2026-14"


@pytest.fixture
def application(app: Any) -> Application:
    return filed(hauler())


def waive(application: Application, resolution: str = RESOLUTION, on: date = date(2026, 8, 18), by: str = "clerk",
          at: str = AT) -> Any:  # fmt: skip
    when = world.at(at)
    return waive_filing_fee(world.plant(), application.id, resolution, on, by=world.staff(by), at=when,
                            law=world.law(when.date()))  # fmt: skip


def pay(application: Application) -> Any:
    when = world.at(AT)
    return record_filing_fee(world.plant(), application.id, "check", "1042", when.date(), by=world.staff("clerk"),
                             at=when, law=world.law(when.date()))  # fmt: skip


def standing(application: Application) -> tuple[str, str]:
    found = filed_or_complete(fees_of([application.id]).get(application.id), world.law(), date(2026, 8, 20))
    assert found.cite == "§ 329-7 B(1)"
    assert found.reading is not None
    assert "complete when the fee is paid too" in found.reading
    return found.word, found.sentence


def test_filed_is_sent_and_complete_is_paid_too(application: Application) -> None:
    assert standing(application) == ("Filed", "Sent; the filing fee is not received yet.")
    pay(application)
    assert standing(application) == ("Complete", "Sent, and the filing fee received August 20, 2026.")


def test_a_waived_fee_makes_it_complete_and_charges_nothing(application: Application) -> None:
    made = waive(application)
    assert isinstance(made, FilingFee)
    assert (made.payment_id, made.resolution, made.paid_on) == (None, RESOLUTION, date(2026, 8, 18))
    fee = fees_of([application.id])[application.id]
    assert (fee.holds, fee.waived, fee.receipt) == (True, RESOLUTION, "")
    assert standing(application) == ("Complete", "Sent, and the filing fee waived by Resolution 2026-14.")
    assert db.session.scalar(select(func.count(Entry.id))) == 0
    told = db.session.scalars(select(Notice).order_by(Notice.id.desc())).first()
    assert told is not None
    assert told.subject == "The filing fee of your application 2026-27/0001 is waived"
    db.session.commit()
    entry = db.session.scalars(select(JournalEntry).filter_by(table_name="filing_fee")).one()
    assert (entry.act, entry.capacity, entry.cite) == ("waive_filing_fee", "clerk", "§ 329-7 B(1)")


def test_without_a_resolution_the_fee_stays_owed(application: Application) -> None:
    said = waive(application, "  ")
    assert (said.code, said.why, said.cite) == (
        "no_resolution", "Enter the resolution of the Council that waives the fee.", "§ 329-7 B(1)",
    )  # fmt: skip
    assert fees_of([application.id]) == {}


@pytest.mark.parametrize(("on", "code"), [(date(2026, 8, 20), None), (date(2026, 8, 21), "future_date")])
def test_the_resolution_is_of_today_or_earlier(application: Application, on: date, code: str | None) -> None:
    said = waive(application, on=on)
    assert (said.code if isinstance(said, Refusal) else None) == code


def test_neither_paid_after_waived_nor_waived_after_paid(application: Application) -> None:
    waive(application)
    assert (pay(application).code, waive(application).code) == ("fee_waived", "fee_waived")
    other = filed(hauler("Second Septic", "second@hauler.example"))
    pay(other)
    assert waive(other).code == "fee_recorded"


def test_only_the_clerk_records_a_waiver(application: Application) -> None:
    for who in ("member1", "director", "admin", "operator"):
        assert waive(application, by=who).code == "not_your_role"
