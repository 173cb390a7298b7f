"""The nonrefundable filing fee: received at the desk, or waived by a resolution of the Council (§ 329-7 B(1))."""

from datetime import date, datetime

from sqlalchemy import select

from billing.actions import charge_and_pay, pay_charge
from billing.models import Payment
from haulers.actions.receipts import fee_day
from haulers.models import Application, FilingFee
from haulers.queries import fees_of, party_of_business, standing_charge
from haulers.queries.filing_fees import filed_before
from haulers.states import ApplicationState
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.notices import tell_party
from office.plants import Plant
from ordinances import fees
from ordinances.reader import Law
from ordinances.refusal import Refusal


@act("record_filing_fee", roles=(Role.CLERK,))
def record_filing_fee(plant: Plant, application_id: int, method: str, reference: str, received_on: date, *,
                      another: str = "", by: Actor, at: datetime, law: Law) -> Payment | Refusal:  # fmt: skip
    """Record the nonrefundable filing fee paid at the desk, in the amount the Council set (§ 329-7 B(1)).

    One that was taken back (a check returned, the wrong application) is recorded anew; a charge that still stands is
    not made twice.
    """
    application = _owing(plant, application_id)
    if isinstance(application, Refusal):
        return application
    if received_on > at.astimezone(law.zone).date():
        return Refusal("future_date", "The date received must be today or earlier.", "")
    charge = standing_charge(application.id)
    how = (method, reference, received_on)
    if charge is not None:
        payment = pay_charge(plant, charge, *how, another=another, by=by, at=at, law=law)
    else:
        payment = _charge(plant, application, how, another, by, at, law)
    if isinstance(payment, Refusal):
        return payment
    _keep(application, payment)
    because(f"Filing fee of application {application.number}")
    return payment


def _charge(plant: Plant, application: Application, how: tuple[str, str, date], another: str, by: Actor,
            at: datetime, law: Law) -> Payment | Refusal:  # fmt: skip
    """Charge and take the fee in the amount in force when the application was sent, else when the money came."""
    line = fees.filing_fee(law, fee_day(application, law, how[2]), renewal=filed_before(application))
    if isinstance(line, Refusal):
        return line
    party = party_of_business(application.business_id)
    return charge_and_pay(plant, party.id, line, "application", application.id, *how, another=another,
                          label=f"Application {application.number}", by=by, at=at, law=law)  # fmt: skip


def _keep(application: Application, payment: Payment) -> None:
    """The payment that is the fee now; the journal keeps the one before it."""
    fee = _row(application)
    fee.payment_id, fee.paid_on, fee.resolution = payment.id, payment.received_on, ""


def _row(application: Application) -> FilingFee:
    fee = db.session.scalars(select(FilingFee).filter_by(application_id=application.id)).one_or_none()
    if fee is None:
        fee = FilingFee(plant_id=application.plant_id, application_id=application.id)
        db.session.add(fee)
    return fee


def _owing(plant: Plant, application_id: int) -> Application | Refusal:
    """A sent application whose fee is neither received nor waived, locked."""
    query = select(Application).filter_by(id=application_id, plant_id=plant.id)
    application = db.session.scalars(query).one_or_none()
    if application is None or application.state == ApplicationState.DRAFT.value:
        return Refusal("not_filed", "There is no such application.", "")
    lock(Application, application.id)
    known = fees_of([application.id]).get(application.id)
    if not may_pay_fee(application):
        said = f"Application {application.number} is not filed yet: the committee has not voted to take it late."
        if application.withdrawn_at is not None:
            said = f"The entry of application {application.number} was taken back. No fee is owed for it."
        return Refusal("no_fee_due", said, "")
    if known is not None and known.waived:
        said = f"The filing fee of application {application.number} is waived already by {known.waived}."
        return Refusal("fee_waived", said, "")
    if known is not None and known.holds:
        return Refusal("fee_recorded", f"The filing fee of application {application.number} is recorded already.", "")
    return application


def may_pay_fee(application: Application) -> bool:
    """Whether a fee can be owed for it: not for a late request nobody has taken, nor for an entry that was wrong."""
    wrong = application.answers.get("withdrawn", {}).get("wrong_entry")
    return application.state != ApplicationState.ASKED_LATE.value and not wrong


@act("waive_filing_fee", roles=(Role.CLERK,))
def waive_filing_fee(plant: Plant, application_id: int, resolution: str, resolved_on: date, *, by: Actor, at: datetime,
                     law: Law) -> FilingFee | Refusal:  # fmt: skip
    """Record that the Council waived the fee of one application, by which resolution of which day.

    Only the Council may: without its resolution the fee stays owed. Refused: ``no_resolution``, ``future_date``,
    ``fee_recorded``, ``fee_waived``, ``fee_charged`` while a charge stands on the account.
    """
    application = _owing(plant, application_id)
    if isinstance(application, Refusal):
        return application
    today = at.astimezone(law.zone).date()
    cite = law.cite("application.fee_set_by", today)
    if not resolution.strip():
        return Refusal("no_resolution", "Enter the resolution of the Council that waives the fee.", cite)
    if resolved_on > today:
        return Refusal("future_date", "The date of the resolution must be today or earlier.", "")
    if standing_charge(application.id) is not None:
        return Refusal("fee_charged", "The fee stands as a charge on the account. Reverse the charge first.", "")
    fee = _row(application)
    fee.payment_id, fee.resolution, fee.paid_on = None, resolution.strip(), resolved_on
    because(f"Waived by {fee.resolution}", cite)
    tell_party(party_of_business(application.business_id), "application",
               f"The filing fee of your application {application.number} is waived",
               f"The filing fee of your application {application.number} is waived by {fee.resolution}. There is "
               "nothing to pay.", at, plant_id=plant.id)  # fmt: skip
    return fee
