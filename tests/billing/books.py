"""Builders for the tests of this room: parties, loads charged as the station charges them, payments in dollars."""

from datetime import date, datetime
from decimal import Decimal
from itertools import count
from typing import Any, cast

from billing import actions, queries
from billing.models import Account, Entry, Invoice, Payment
from billing.queries import account_of
from office.access import Actor, Grant, Role, system
from office.acts import act
from office.db import db
from office.people import Party
from office.signin import new_person
from ordinances import fees
from ordinances.fee_line import FeeLine
from ordinances.rows import Law
from tests import world

SOURCES = count(1)


@act("test_party", roles=(Role.SYSTEM,))
def _party(name: str, email: str, *, by: Actor, at: datetime) -> Party:
    party = Party(name=name, address="12 Example Road\nWashburn, WI 54891", email=email, phone="715-555-0199")
    db.session.add(party)
    db.session.flush()
    if email:
        person = new_person(email, f"Owner of {name}", world.PASSWORD)
        db.session.add(Grant(person_id=person.id, party_id=party.id, role=Role.HAULER.value, since=at))
    return party


def party(name: str = "Example Septic", email: str = "") -> Party:
    """A party; with an e-mail also a person who signs in as its owner."""
    return _party(name, email, by=system(), at=world.START)


def load(who: Party, gallons: int = 1500, day: date = date(2026, 9, 30), label: str = "", **more: Any) -> list[Entry]:
    """Post the charges of a tested load of septic tank waste."""
    law = world.law(day)
    lines: Any = fees.for_load(law, [(day, gallons)], "septic_tank", **more)
    posted: Any = actions.post_charges(
        world.plant(), who.id, lines, "load", next(SOURCES), day, label=label, by=system(), at=noon(day), law=law
    )
    return list(posted)


def volume(law: Law, day: date, gallons: int) -> FeeLine:
    """The charge of gallons alone: a load that is not tested."""
    lines: Any = fees.for_load(law, [(day, gallons)], "septic_tank", tested=False)
    (line,) = lines
    return cast(FeeLine, line)


def noon(day: date) -> datetime:
    return world.at(f"{day.isoformat()}T12:00")


def account(who: Party) -> Account:
    found = account_of(world.plant().id, who.id)
    assert found is not None
    return found


def bill(who: Party, day: date) -> Invoice:
    """The invoice of everything that waits, issued at noon of a day."""
    made: Any = actions.make_invoice(
        world.plant(), account(who), by=world.staff("clerk"), at=noon(day), law=world.law(day)
    )
    assert isinstance(made, Invoice), made
    return made


def pay(who: Party, dollars: str, received: date, entered: date | None = None, method: str = "check") -> Payment:
    """A payment received on a day, entered at noon of that or a later day."""
    made: Any = actions.record_payment(
        world.plant(), account(who), int(Decimal(dollars) * 100), method, "1042", received, another="Another bank's",
        by=world.staff("clerk"), at=noon(entered or received), law=world.law(received),
    )  # fmt: skip
    assert isinstance(made, Payment), made
    return made


def accounts() -> list[Any]:
    return list(queries.accounts(world.plant().id))
