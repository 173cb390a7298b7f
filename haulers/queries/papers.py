"""The papers of a business besides its license: liability insurance and drivers' certificates, as the law asks them.

Where certificates are needed it is the driver at the gate whose own must hold; a colleague's does not stand for it.
"""

from collections.abc import Collection
from datetime import date, datetime

from sqlalchemy import select

from haulers.models import Driver, Insurance
from haulers.queries.businesses import folded
from office.db import db
from office.formats import date_only
from ordinances.reader import Law
from ordinances.refusal import Refusal

INSURANCE, CERTIFICATES = "approval.insurance", "approval.certificates"
NEW_ONE = "The hauler enters the new certificate and its end date."


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


def drivers_at_work(business_id: int, at: datetime | None = None) -> list[Driver]:
    """The drivers of a business that have not left, or had not at an instant, by name."""
    stays = Driver.retired_at.is_(None) if at is None else Driver.retired_at.is_(None) | (Driver.retired_at > at)
    query = select(Driver).where(Driver.business_id == business_id, stays)
    return list(db.session.scalars(query.order_by(Driver.name, Driver.id)))


def holds(driver: Driver, day: date) -> bool:
    """Whether a driver's certificate holds on a day, that day included."""
    return driver.certificate_ends_on is not None and driver.certificate_ends_on >= day


def drivers_who_may(business_id: int, day: date, at: datetime | None = None) -> list[Driver]:
    """The drivers of a business, of now or of an instant, whose certificate holds on a day, by name."""
    return [one for one in drivers_at_work(business_id, at) if holds(one, day)]


def certificates_wrong(business_id: int, day: date, law: Law, at: datetime | None = None) -> Refusal | None:
    """What is wrong on a day with the certificates of a business's drivers; None where all hold or none is asked for.

    Where they are needed, one driver who may come is enough for the business: whose turn it is ``driver_wrong`` asks.
    """
    if not law.has(CERTIFICATES, day) or law.value(CERTIFICATES, day) == "none":
        return None
    drivers = drivers_at_work(business_id, at)
    if certificates_block(law, day) and any(holds(one, day) for one in drivers):
        return None
    ended = [_ended(one) for one in drivers if one.certificate_ends_on is not None and not holds(one, day)]
    bare = [one.name for one in drivers if one.certificate_ends_on is None]
    said = [*ended, *([f"none is entered for {', '.join(bare)}"] if bare else [])]
    if not drivers and certificates_block(law, day):
        said.append("no driver is entered")
    if not said:
        return None
    row = law.row(CERTIFICATES, day)
    return Refusal("certificates", f"Driver certificates: {'; '.join(said)}.", row.cite, row.reading, NEW_ONE)


def _ended(driver: Driver) -> str:
    return f"{driver.name}'s ended {date_only(driver.certificate_ends_on)}" if driver.certificate_ends_on else ""


def driver_wrong(business_id: int, name: str, day: date, law: Law, at: datetime | None = None) -> Refusal | None:
    """Why the driver named may not unload on a day, with those who may; None where no certificate is needed.

    Names are held against the company's list, as it stood ``at`` an instant, without regard to capitals and spaces.
    ``name`` "" is nobody named.
    """
    if not certificates_block(law, day):
        return None
    drivers = drivers_at_work(business_id, at)
    named = [one for one in drivers if _same(one.name, name)]
    if any(holds(one, day) for one in named):
        return None
    why = "no driver is named."
    if named:
        ends = max((one.certificate_ends_on for one in named if one.certificate_ends_on), default=None)
        why = (f"the certificate of {named[0].name} ended {date_only(ends)}." if ends
               else f"no certificate is entered for {named[0].name}.")  # fmt: skip
    elif name.strip():
        why = f"{name.strip()} is not on the hauler's list of drivers."
    row = law.row(CERTIFICATES, day)
    may = who_may_words(business_id, day, law, at)
    return Refusal("driver", why[:1].upper() + why[1:], row.cite, row.reading, may or NEW_ONE)


def _same(one: str, other: str) -> bool:
    """Whether two people's names are one; marks and capitals do not count, and a name of other letters is not blank."""
    spelled = " ".join(one.casefold().split()) == " ".join(other.casefold().split())
    return spelled or (bool(folded(one)) and folded(one) == folded(other))


def who_may_words(business_id: int, day: date, law: Law, at: datetime | None = None) -> str:
    """ "Drivers whose certificate holds: Ann Ames, Bo Berg." where one is needed; "" elsewhere and for nobody."""
    found = drivers_who_may(business_id, day, at) if certificates_block(law, day) else []
    return f"Drivers whose certificate holds: {', '.join(one.name for one in found)}." if found else ""


def certificates_block(law: Law, day: date) -> bool:
    """Whether a business without any driver whose certificate holds is kept out."""
    return law.has(CERTIFICATES, day) and law.value(CERTIFICATES, day) == "needed"


def driver_shown(business_id: int, name: str, day: date, law: Law) -> Refusal | None:
    """What is only shown of the certificate of a driver on a day: that it has ended, where that keeps nobody out.

    Nothing is said of a driver whose certificate nobody entered, nor where the law does not ask.
    """
    if not law.has(CERTIFICATES, day) or law.value(CERTIFICATES, day) != "shown":
        return None
    named = [one for one in drivers_at_work(business_id) if _same(one.name, name)]
    ends = max((one.certificate_ends_on for one in named if one.certificate_ends_on), default=None)
    if ends is None or ends >= day:
        return None
    row = law.row(CERTIFICATES, day)
    return Refusal("driver_shown", f"The certificate of {named[0].name} ends {date_only(ends)}, before that day.",
                   row.cite, row.reading)  # fmt: skip


def papers_wrong(business_id: int, day: date, law: Law) -> Refusal | None:
    """What of insurance and certificates keeps a business from unloading on a day, or None."""
    wrong = insurance_wrong(business_id, day, law)
    if wrong is None and certificates_block(law, day):
        wrong = certificates_wrong(business_id, day, law)
    return wrong


def papers_note(business_id: int, day: date, law: Law) -> str:
    """What the gate only says: who may drive where a certificate is needed, else those that have ended; "" for none."""
    if certificates_block(law, day):
        return who_may_words(business_id, day, law)
    found = certificates_wrong(business_id, day, law)
    return found.why if found is not None else ""
