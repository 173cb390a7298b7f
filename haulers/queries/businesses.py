"""Businesses, their licences and trucks, as other rooms and pages read them."""

import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache
from typing import Any

from sqlalchemy import bindparam, or_, select

from haulers.models import Application, Business, Licence, Truck, TruckOfBusiness
from haulers.states import ApplicationState
from office import facts
from office.access import Actor
from office.db import db
from office.facts import fact
from office.people import Party
from ordinances.refusal import Refusal

_LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "ß": "ss", "ð": "d", "þ": "th"})


@dataclass(frozen=True)
class TruckLine:
    """A truck as a hauler states it; ``capacity`` in gallons."""

    plate: str
    capacity: int
    name: str = ""
    sticker: str = ""


def business(business_id: int) -> Business | None:
    """One business by id."""
    return db.session.get(Business, business_id)


def business_of_party(party_id: int | None) -> Business | None:
    """The business that acts under this party, if it is one."""
    if party_id is None:
        return None
    found: Business | None = _business(None, party_id)
    return found


def own_business(business_id: int | None, by: Actor, cite: str) -> Refusal | None:
    """Why nobody decides on the business they act for."""
    mine = business_of_party(by.party_id)
    if mine is None or mine.id != business_id:
        return None
    return Refusal("own_business", "Nobody decides on their own business.", cite)


@fact
def _business(_host: None, party_id: int) -> Business | None:
    return next(iter(facts.rows(Business, _of_party(), party_id=party_id)), None)


@cache
def _of_party() -> Any:
    return select(Business).where(Business.party_id == bindparam("party_id"))


def party_of_business(business_id: int) -> Party:
    """The party of a business: its name, address, e-mail and phone of today."""
    found: Party = _party(None, business_id)
    return found


@fact
def _party(_host: None, business_id: int) -> Party:
    (found,) = facts.rows(Party, _party_of(), business_id=business_id)
    return found


@cache
def _party_of() -> Any:
    query = select(Party).join(Business, Business.party_id == Party.id)
    return query.where(Business.id == bindparam("business_id"))


def parties_of(business_ids: Collection[int]) -> dict[int, Party]:
    """The parties of businesses, in one query."""
    rows = db.session.execute(select(Business.id, Party).join(Party, Business.party_id == Party.id)
                              .where(Business.id.in_(set(business_ids))))  # fmt: skip
    return dict(rows.all())


def business_names(ids: Collection[int]) -> dict[int, str]:
    """Names of businesses by id, in one query."""
    rows = db.session.execute(select(Business.id, Party.name).join(Party, Business.party_id == Party.id)
                              .where(Business.id.in_(set(ids))))  # fmt: skip
    return dict(rows.all())


def businesses_at(plant_id: int) -> list[tuple[Business, Party]]:
    """The businesses a plant knows: those that have applied there. By name."""
    known = select(Application.business_id).where(
        Application.plant_id == plant_id, Application.state != ApplicationState.DRAFT.value
    )
    rows = db.session.execute(select(Business, Party).join(Party, Business.party_id == Party.id)
                              .where(Business.id.in_(known)).order_by(Party.name, Business.id))  # fmt: skip
    return [(found, party) for found, party in rows]


def folded(words: str) -> str:
    """Words as a search compares them: small letters and digits only, ``O'Brien & Søn`` -> ``obriensn``-like."""
    plain = unicodedata.normalize("NFKD", words.casefold().translate(_LETTERS))
    return re.sub(r"[^0-9a-z]", "", "".join(c for c in plain if not unicodedata.combining(c)))


def find_businesses(plant_id: int, typed: str) -> list[tuple[Business, Party]]:
    """Businesses known to the plant whose name, or the plate of one of whose trucks, holds what was typed."""
    wanted = folded(typed)
    if not wanted:
        return []
    known = businesses_at(plant_id)
    plates = db.session.execute(
        select(TruckOfBusiness.business_id, Truck.plate).join(Truck, Truck.id == TruckOfBusiness.truck_id)
        .where(TruckOfBusiness.business_id.in_([found.id for found, _ in known]), TruckOfBusiness.ended_at.is_(None),
               Truck.retired_at.is_(None))
    )  # fmt: skip
    by_plate = {business_id for business_id, plate in plates if wanted in folded(plate)}
    return [(found, party) for found, party in known if found.id in by_plate or wanted in folded(party.name)]


def trucks_of(business_id: int) -> list[Truck]:
    """The trucks a business uses now, first added first."""
    return [one for one, ended in _listed(None, business_id) if ended is None]


def trucks_at(business_id: int, at: datetime) -> list[Truck]:
    """The trucks a business had not taken off its list at an instant, first added first."""
    found = {one.id: one for one, ended in _listed(None, business_id) if ended is None or ended > at}
    return list(found.values())


@fact
def _listed(_host: None, business_id: int) -> list[tuple[Truck, datetime | None]]:
    """Each truck a business ever listed, and when it was taken off; one listed again stands there twice."""
    ends = facts.values(_ends(), business_id=business_id)
    rows = {one.id: one for one in facts.rows(Truck, _trucks(), business_id=business_id)}
    known = [(rows[ident], ended) for ident, ended in ends]
    return [(one, min(filter(None, (ended, one.retired_at)), default=None)) for one, ended in known]


@cache
def _trucks() -> Any:
    mine = select(TruckOfBusiness.truck_id).where(TruckOfBusiness.business_id == bindparam("business_id"))
    return select(Truck).where(Truck.id.in_(mine)).order_by(Truck.id)


@cache
def _ends() -> Any:
    return (
        select(TruckOfBusiness.truck_id, TruckOfBusiness.ended_at)
        .where(TruckOfBusiness.business_id == bindparam("business_id"))
        .order_by(TruckOfBusiness.truck_id, TruckOfBusiness.id)
    )  # fmt: skip


def plate_elsewhere(business_id: int, plate: str) -> list[Truck]:
    """The trucks in use with this plate that other businesses list; plates are compared as ``folded``."""
    rows = db.session.execute(
        select(Truck.id, Truck.plate).join(TruckOfBusiness, TruckOfBusiness.truck_id == Truck.id)
        .where(TruckOfBusiness.business_id != business_id, TruckOfBusiness.ended_at.is_(None),
               Truck.retired_at.is_(None)).distinct()
    )  # fmt: skip
    wanted = folded(plate)
    same = [ident for ident, known in rows if wanted and folded(known) == wanted]
    return list(db.session.scalars(select(Truck).where(Truck.id.in_(same)).order_by(Truck.id)))


def truck(truck_id: int) -> Truck | None:
    """One truck by id."""
    found: Truck | None = _truck(None, truck_id)
    return found


@fact
def _truck(_host: None, truck_id: int) -> Truck | None:
    return next(iter(facts.rows(Truck, _one_truck(), truck_id=truck_id)), None)


@cache
def _one_truck() -> Any:
    return select(Truck).where(Truck.id == bindparam("truck_id"))


def uses_truck(business_id: int, truck_id: int) -> bool:
    """Whether a truck is one of the business's own, not retired."""
    return any(found.id == truck_id for found in trucks_of(business_id))


def licence_of(business_id: int) -> Licence | None:
    """The state licence of a business that ends last."""
    found: Licence | None = _licence(None, business_id)
    return found


@fact
def _licence(_host: None, business_id: int) -> Licence | None:
    return next(reversed(facts.rows(Licence, _licences(), ids=[business_id])), None)


def licences_of(business_ids: Collection[int]) -> dict[int, Licence]:
    """For each business the licence that ends last, those taken back left out, in one query."""
    rows = db.session.scalars(_licences(), {"ids": list(set(business_ids))})
    return {licence.business_id: licence for licence in rows}


@cache
def _licences() -> Any:
    query = select(Licence).where(Licence.business_id.in_(bindparam("ids", expanding=True)),
                                  Licence.taken_back_at.is_(None))  # fmt: skip
    return query.order_by(Licence.ends_on, Licence.id)


def licence_holds(licence: Licence | None, day: date) -> bool:
    """Whether a licence is good on a day; its last day counts."""
    return licence is not None and licence.ends_on >= day


def claimed_by_others(licences: Collection[Licence]) -> set[int]:
    """Ids of those licences whose number another business has given too: something for the clerk to look at."""
    if not licences:
        return set()
    same = or_(*[(Licence.state == one.state) & (Licence.number == one.number) for one in licences])
    owners: dict[tuple[str, str], set[int]] = {}
    for one in db.session.scalars(select(Licence).where(same, Licence.taken_back_at.is_(None))):
        owners.setdefault((one.state, one.number), set()).add(one.business_id)
    return {one.id for one in licences if len(owners[(one.state, one.number)]) > 1}
