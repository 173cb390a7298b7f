"""An application as it was sent, frozen as data: company, license, trucks, drivers, insurance, sources, answers."""

from typing import Any

from sqlalchemy import select

from haulers.models import Application, Business, Insurance
from haulers.queries.answers import stated
from haulers.queries.businesses import licence_of, party_of_business, trucks_of
from haulers.queries.completeness import drivers
from haulers.queries.files import lines_at
from office.db import db


def snapshot(business: Business, application: Application) -> dict[str, Any]:
    """Everything the application rests on at this moment, in words and numbers that never change again."""
    return company_now(business) | stated(application, fresh=True) | {"files": lines_at(application.id)}


def company_now(business: Business) -> dict[str, Any]:
    """Company, license, trucks, drivers and insurance of this moment, as ``snapshot`` keeps them."""
    party, licence = party_of_business(business.id), licence_of(business.id)
    return {
        "company": {"name": party.name, "address": party.address, "phone": party.phone, "email": party.email,
                    "contact": business.contact},
        "licence": _licence(licence),
        "trucks": [{"plate": one.plate, "name": one.name, "capacity": one.capacity, "sticker": one.sticker}
                   for one in trucks_of(business.id)],
        "drivers": [{"name": one.name, "certificate": one.certificate, "number": one.certificate_number,
                     "ends": _day(one.certificate_ends_on), "in_charge": one.in_charge}
                    for one in drivers(business.id)],
        "insurance": [{"insurer": one.insurer, "policy": one.policy, "ends": _day(one.ends_on)}
                      for one in _insurance(business.id)],
    }  # fmt: skip


def _licence(licence: Any) -> dict[str, str]:
    if licence is None:
        return {}
    return {"state": licence.state, "number": licence.number, "ends": _day(licence.ends_on)}


def _day(day: Any) -> str:
    return day.isoformat() if day is not None else ""


def _insurance(business_id: int) -> list[Insurance]:
    query = select(Insurance).filter_by(business_id=business_id, taken_back_at=None)
    return list(db.session.scalars(query.order_by(Insurance.ends_on, Insurance.id)))
