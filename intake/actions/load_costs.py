"""What the plant paid for a load, passed on to its hauler where a schedule says so: tests, cleaning up, a repair."""

from datetime import datetime
from decimal import Decimal

from billing.actions.charges import locked_account
from haulers import queries as haulers
from intake.actions import charging
from intake.models import Load, LoadCost
from intake.states import LoadState
from office import formats
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.law import law_in_force
from office.notices import tell_party
from office.plants import Plant
from ordinances.reader import Law
from ordinances.refusal import Refusal
from ordinances.schedule_law import schedule_of
from ordinances.schedule_words import costs_passed_on

WHO = (Role.CLERK, Role.MANAGER)


@act("enter_load_cost", roles=WHO)
def enter_load_cost(
    load: Load, name: str, dollars: Decimal, bill: str, *, by: Actor, at: datetime, law: Law
) -> LoadCost | Refusal:
    """Enter what the plant paid for a load by a bill; the schedule of its day makes the charge of it.

    ``name`` is one the schedule passes on, such as "lab". Several add up. Refused: not_accepted, not_passed_on,
    no_amount, no_bill, and those of the prices.
    """
    load = lock(Load, load.id)
    law = law_in_force(db.session.get_one(Plant, load.plant_id), load.day)
    refused = _wrong(load, law, name, dollars, bill)
    if refused is not None:
        return refused
    row = LoadCost(plant_id=load.plant_id, load_id=load.id, name=name, cents=int(dollars * 100), bill=bill.strip(),
                   entered_at=at, entered_by=by.name)  # fmt: skip
    db.session.add(row)
    db.session.flush()
    words = f"{formats.money(row.cents)} paid for it: {costs_passed_on(law, load.day)[name].lower()} ({row.bill})"
    return _charged(load, words, by=by, at=at, law=law) or row


@act("take_load_cost_back", roles=WHO)
def take_load_cost_back(row: LoadCost, *, by: Actor, at: datetime, law: Law) -> LoadCost | Refusal:
    """Take a cost back that was entered wrong; its charge goes with it. Refused: gone."""
    load = lock(Load, row.load_id)
    row = lock(LoadCost, row.id)
    if row.ended_at is not None:
        return Refusal("gone", "This cost is taken back already.", "")
    row.ended_at, row.ended_by = at, by.name
    db.session.flush()
    law = law_in_force(db.session.get_one(Plant, load.plant_id), load.day)
    words = f"a cost of {formats.money(row.cents)} is taken back ({row.bill})"
    return _charged(load, words, by=by, at=at, law=law) or row


def _wrong(load: Load, law: Law, name: str, dollars: Decimal, bill: str) -> Refusal | None:
    named = costs_passed_on(law, load.day)
    if load.state != LoadState.ACCEPTED.value or load.business_id is None:
        return Refusal("not_accepted", f"Load {load.ticket} was not unloaded.", "")
    if name not in named:
        return Refusal("not_passed_on", "The charges in force on the day of this load pass no such cost on.", "")
    cite = next(item.cite for item in schedule_of(law).items_on(load.day) if item.cost == name)
    if dollars <= 0 or dollars != round(dollars, 2):
        return Refusal("no_amount", "Enter what the plant paid, like 62.50.", cite)
    return None if bill.strip() else Refusal("no_bill", "Enter whose bill it is, and of which day.", cite)


def _charged(load: Load, words: str, *, by: Actor, at: datetime, law: Law) -> Refusal | None:
    """The charges brought in line, and the hauler told."""
    assert load.business_id is not None
    plant, party = db.session.get_one(Plant, load.plant_id), haulers.party_of_business(load.business_id)
    locked_account(plant, party.id, by=by, at=at)
    refused = charging.charge_again(plant, load, words, by=by, at=at, law=law)
    if refused is not None:
        return refused
    because(words)
    owed = sum(entry.amount_cents for entry in charging.tickets.charges_of(load))
    subject = f"Load {load.ticket}: its charges have changed"
    body = f"Load {load.ticket} of {formats.day(load.day)}: {words}.\nIts charges are {formats.money(owed)} now."
    tell_party(party, "load_cost", subject, body, at, plant_id=plant.id)
    return None
