"""Who sat on the deciding body, and for whom its members acted, on the day of a meeting: not when it is recorded."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import ColumnElement, select

from haulers.models import Business
from office.access import Grant, Role
from office.db import db
from office.people import Person
from office.plants import Plant


@dataclass(frozen=True)
class Span:
    """The instants a meeting is counted over, ``until`` not included: a day of the plant's, or its hour where known."""

    since: datetime
    until: datetime


def span_of(held_on: date, began: time | None, zone: ZoneInfo) -> Span:
    """The instant a meeting began; the whole day in the plant's zone where the hour is not known."""
    if began is not None:
        return instant(datetime.combine(held_on, began, zone))
    return Span(datetime.combine(held_on, time(0), zone),
                datetime.combine(held_on + timedelta(days=1), time(0), zone))  # fmt: skip


def instant(at: datetime) -> Span:
    """One instant as a span."""
    return Span(at, at + timedelta(microseconds=1))


def _in_force(span: Span) -> ColumnElement[bool]:
    return (Grant.since < span.until) & (Grant.until.is_(None) | (Grant.until > span.since))


def members_on(plant: Plant, span: Span) -> list[Person]:
    """The members of the deciding body at a plant in a span, by id: those since resigned too, those appointed since
    not.
    """
    query = select(Grant.person_id).where(Grant.role == Role.MEMBER.value, _in_force(span),
                                          (Grant.plant_id == plant.id) | Grant.plant_id.is_(None))  # fmt: skip
    person: Any = Person
    return list(db.session.scalars(select(Person).where(person.id.in_(query)).order_by(person.id)))


def members_since(plant: Plant, since: datetime | None, at: datetime) -> list[Person]:
    """Who sat at any time between two instants, by id: whoever may have asked for something of an application sent."""
    return members_on(plant, Span(min(since or at, at), instant(at).until))


def interests(person_ids: Collection[int], business_ids: Collection[int], span: Span) -> dict[int, set[int]]:
    """Which of these businesses each person acted for in a span: they may not decide on them."""
    rows = db.session.execute(
        select(Grant.person_id, Business.id).join(Business, Business.party_id == Grant.party_id)
        .where(Grant.person_id.in_(set(person_ids)), Business.id.in_(set(business_ids)), _in_force(span))
    )  # fmt: skip
    found: dict[int, set[int]] = {}
    for person_id, business_id in rows:
        found.setdefault(person_id, set()).add(business_id)
    return found
