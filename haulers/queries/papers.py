"""The papers of a business besides its license: liability insurance and drivers' certificates, as the law asks them."""

from collections.abc import Collection
from datetime import date

from sqlalchemy import select

from haulers.models import Driver, Insurance
from office.db import db
from office.formats import date_only
from ordinances.reader import Law
from ordinances.refusal import Refusal

INSURANCE, CERTIFICATES = "approval.insurance", "approval.certificates"


def insurances_of(business_ids: Collection[int]) -> dict[int, Insurance]:
    """For each business the insurance that ends last, those taken back left out, in one query."""
    rows = db.session.scalars(select(Insurance)
                              .where(Insurance.business_id.in_(set(business_ids)), Insurance.taken_back_at.is_(None))
                              .order_by(Insurance.ends_on, Insurance.id))  # fmt: skip
    return {row.business_id: row for row in rows}


def insurance_needed(law: Law, day: date) -> bool:
    """Whether an approval is good only with liability insurance on a day."""
    return law.has(INSURANCE, day) and bool(law.value(INSURANCE, day))


def insurance_wrong(business_id: int, day: date, law: Law) -> Refusal | None:
    """Why a business may not unload on a day for want of insurance; None where it holds or is not asked for."""
    if not insurance_needed(law, day):
        return None
    found = insurances_of([business_id]).get(business_id)
    if found is not None and found.ends_on >= day:
        return None
    row = law.row(INSURANCE, day)
    ended = f"The liability insurance ended {date_only(found.ends_on)}." if found else ""
    return Refusal("insurance", ended or "No liability insurance is entered.", row.cite, row.reading,
                   "The hauler enters the new policy and its end date.")  # fmt: skip


def drivers_at_work(business_id: int) -> list[Driver]:
    """The drivers of a business that have not left, by name."""
    query = select(Driver).where(Driver.business_id == business_id, Driver.retired_at.is_(None))
    return list(db.session.scalars(query.order_by(Driver.name, Driver.id)))


def certificates_wrong(business_id: int, day: date, law: Law) -> Refusal | None:
    """What is wrong on a day with the certificates of a business's drivers; None where all hold or none is asked for.

    Whether it keeps a truck out is for ``certificates_block`` to say.
    """
    if not law.has(CERTIFICATES, day) or law.value(CERTIFICATES, day) == "none":
        return None
    drivers = drivers_at_work(business_id)
    ended = [one for one in drivers if one.certificate_ends_on is not None and one.certificate_ends_on < day]
    bare = [one for one in drivers if one.certificate_ends_on is None]
    if certificates_block(law, day) and len(ended) + len(bare) < len(drivers):
        return None
    said = [f"{one.name}'s ended {date_only(one.certificate_ends_on)}" for one in ended if one.certificate_ends_on]
    if bare:
        said.append(f"none is entered for {', '.join(one.name for one in bare)}")
    if not drivers and certificates_block(law, day):
        said.append("no driver is entered")
    if not said:
        return None
    row = law.row(CERTIFICATES, day)
    return Refusal("certificates", f"Driver certificates: {'; '.join(said)}.", row.cite, row.reading,
                   "The hauler enters the new certificate and its end date.")  # fmt: skip


def certificates_block(law: Law, day: date) -> bool:
    """Whether a business without any driver whose certificate holds is kept out."""
    return law.has(CERTIFICATES, day) and law.value(CERTIFICATES, day) == "needed"


def papers_wrong(business_id: int, day: date, law: Law) -> Refusal | None:
    """What of insurance and certificates keeps a business from unloading on a day, or None."""
    wrong = insurance_wrong(business_id, day, law)
    if wrong is None and certificates_block(law, day):
        wrong = certificates_wrong(business_id, day, law)
    return wrong


def papers_note(business_id: int, day: date, law: Law) -> str:
    """What the gate only says: certificates that have ended where that keeps nobody out; "" when there is nothing."""
    found = None if certificates_block(law, day) else certificates_wrong(business_id, day, law)
    return found.why if found is not None else ""
