"""Builders for tests of the receiving station: a truck at the gate in one line."""

from decimal import Decimal
from typing import Any

from billing.queries import account_of, balance_cents
from haulers import queries as haulers
from intake.actions.station import log_load, refuse_load
from intake.models import Booking, Load
from office.db import db
from ordinances.refusal import Refusal
from tests import world
from tests.intake.plant import Hauler

TUESDAY_0700 = world.at("2026-10-06T07:00")


def log(who: Hauler, gallons: int = 1_500, at: Any = TUESDAY_0700, **given: Any) -> Load | Refusal:
    """Log a load and commit it; a refusal is rolled back as the page does."""
    at = world.at(at) if isinstance(at, str) else at
    values: dict[str, Any] = {
        "business_id": who.business_id, "truck_id": who.truck_id, "waste": "septic_tank", "gallons": gallons,
        "driver": "Ann Nuñez-Łukasik", "bottle": f"B-{at:%m%d%H%M}-{gallons}", "ph": Decimal("6.9"),
    } | given  # fmt: skip
    client_id = values.pop("client_id", f"{at:%m%d%H%M}-{gallons}-{who.business_id}")
    result = log_load(world.plant(), client_id, by=world.staff("operator"), at=at, law=world.law(at.date()), **values)
    return kept(result)


def refuse(who: Hauler | None, at: Any = TUESDAY_0700, **given: Any) -> Load | Refusal:
    """Record a refused load and commit it."""
    at = world.at(at) if isinstance(at, str) else at
    values: dict[str, Any] = {
        "business_id": who.business_id if who else None, "truck_id": who.truck_id if who else None,
        "reason_code": "field_test", "reason": "Smells of solvent", "waste": "septic_tank",
    } | given  # fmt: skip
    client_id = values.pop("client_id", f"refused-{at:%m%d%H%M}")
    result = refuse_load(
        world.plant(), client_id, by=world.staff("operator"), at=at, law=world.law(at.date()), **values
    )
    return kept(result)


def kept(result: Any) -> Any:
    """Commit what an act did, roll a refusal back."""
    if isinstance(result, Refusal):
        db.session.rollback()
    else:
        db.session.commit()
    return result


def good(result: Any) -> Any:
    """The row of an act that must have succeeded."""
    assert not isinstance(result, Refusal), result
    return result


def said(result: Any) -> tuple[str, str, str]:
    """Code, sentence and § of a refusal."""
    assert isinstance(result, Refusal), result
    return result.code, result.why, result.cite


def balance(who: Hauler) -> int:
    """What the hauler owes, in cents."""
    account = account_of(world.plant().id, haulers.party_of_business(who.business_id).id)
    return balance_cents(account.id) if account else 0


def booked(booking: Any) -> Booking:
    """A booking that must have been made."""
    assert isinstance(booking, Booking), booking
    return booking
