"""The numbered receipt of an application, and the filing fee received for it."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

from sqlalchemy import select

from billing.actions import charge_and_pay, pay_charge
from billing.models import Payment
from haulers.models import Application, ApplicationSource, FilingFee
from haulers.queries import fees_of, party_of_business, standing_charge, totals
from haulers.states import ApplicationState
from office import letters
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.formats import date_only, day, day_time, gallons, money
from office.journal import because
from office.letters import Letter
from office.people import Party
from office.plants import Plant
from ordinances import fees
from ordinances.allocation import AREAS
from ordinances.calendar import FilingStatus
from ordinances.reader import Law
from ordinances.refusal import Refusal
from ordinances.screening import WASTE_TYPES


def fee_words(law: Law, on: date) -> str:
    """What the filing fee is, or that it is not set, as clerks and haulers read it."""
    line = fees.filing_fee(law, on)
    if isinstance(line, Refusal):
        return f"{line.why} {line.next_step or ''}".strip()
    first = " Nothing is decided before it is paid." if fees.fee_before_decision(law, on) else ""
    return f"The filing fee is {money(line.amount)}. It is not refunded.{first}"


def fee_due_words(law: Law, on: date) -> str:
    """What a hauler who has sent an application does about its fee."""
    if isinstance(fees.filing_fee(law, on), Refusal):
        return f"{fee_words(law, on)} There is nothing to pay now."
    return f"{fee_words(law, on)} Pay it at City Hall or by mail; it was not received yet."


def write_receipt(plant: Plant, party: Party, application: Application, sources: Sequence[ApplicationSource],
                  status: FilingStatus, law: Law) -> Letter:  # fmt: skip
    """Freeze the receipt: number, instant, every source as stated, what happens next."""
    assert application.filed_at is not None
    sums = totals(sources)
    data: dict[str, Any] = {
        "season": application.season, "filed": day_time(application.filed_at, law.zone),
        "declared": application.declared_by, "licence": _licence(application),
        "sources": [_source(row) for row in sources],
        "winter": gallons(sums.asked_winter), "rest": gallons(sums.asked_rest), "total": gallons(sums.asked),
        "fee": fee_words(law, _day(application, law)),
        "decide_by": day(status.decide_by), "cite": status.cite,
        "state_date": "Sent on or after the state's own date; the duty to accept in winter may be contested."
        if status.late_for_state else "",
    }  # fmt: skip
    return letters.write(plant, party, "application_receipt", f"Receipt for application {application.number}", data,
                         application.filed_at, law_version=law.version, number=application.number)  # fmt: skip


def _day(application: Application, law: Law) -> date:
    assert application.filed_at is not None
    return application.filed_at.astimezone(law.zone).date()


def _licence(application: Application) -> str:
    if not application.licence_number or application.licence_ends_on is None:
        return ""
    return f"{application.licence_number}, good until {date_only(application.licence_ends_on)}"


def _source(row: ApplicationSource) -> dict[str, str]:
    return {
        "what": WASTE_TYPES[row.waste], "place": row.place, "area": AREAS[row.area], "often": row.frequency,
        "load": gallons(row.gallons_a_load or 0), "winter": gallons(row.gallons_winter or 0),
        "rest": gallons(row.gallons_rest or 0),
    }  # fmt: skip


@act("record_filing_fee", roles=(Role.CLERK,))
def record_filing_fee(plant: Plant, application_id: int, method: str, reference: str, received_on: date, *, by: Actor,
                      at: datetime, law: Law) -> Payment | Refusal:  # fmt: skip
    """Record the nonrefundable filing fee paid at the desk, in the amount the Council set (§ 329-7 B(1)).

    One that was taken back (a check returned, the wrong application) is recorded anew; a charge that still stands is
    not made twice.
    """
    query = select(Application).filter_by(id=application_id, plant_id=plant.id)
    application = db.session.scalars(query).one_or_none()
    if application is None or application.state == ApplicationState.DRAFT.value:
        return Refusal("not_filed", "There is no such application.", "")
    lock(Application, application.id)
    known = fees_of([application.id]).get(application.id)
    if known is not None and known.holds:
        return Refusal("fee_recorded", f"The filing fee of application {application.number} is recorded already.", "")
    if received_on > at.astimezone(law.zone).date():
        return Refusal("future_date", "The date received must be today or earlier.", "")
    charge = standing_charge(application.id)
    how = (method, reference, received_on)
    if charge is not None:
        payment = pay_charge(plant, charge, *how, by=by, at=at, law=law)
    else:
        payment = _charge(plant, application, how, by, at, law)
    if isinstance(payment, Refusal):
        return payment
    _keep(application, payment)
    because(f"Filing fee of application {application.number}")
    return payment


def _charge(plant: Plant, application: Application, how: tuple[str, str, date], by: Actor, at: datetime,
            law: Law) -> Payment | Refusal:  # fmt: skip
    """Charge and take the fee in the amount in force when the application was sent, else when the money came."""
    line = fees.filing_fee(law, _day(application, law))
    if isinstance(line, Refusal):
        line = fees.filing_fee(law, how[2])
    if isinstance(line, Refusal):
        return line
    party = party_of_business(application.business_id)
    return charge_and_pay(plant, party.id, line, "application", application.id, *how,
                          label=f"Application {application.number}", by=by, at=at, law=law)  # fmt: skip


def _keep(application: Application, payment: Payment) -> None:
    """The payment that is the fee now; the journal keeps the one before it."""
    fee = db.session.scalars(select(FilingFee).filter_by(application_id=application.id)).one_or_none()
    if fee is None:
        fee = FilingFee(plant_id=application.plant_id, application_id=application.id)
        db.session.add(fee)
    fee.payment_id, fee.paid_on = payment.id, payment.received_on
