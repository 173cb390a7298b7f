"""Letters to print and post: messages that no e-mail takes to their company, and revocations, by certified mail."""

from collections.abc import Collection
from datetime import date
from typing import Any

from sqlalchemy import ColumnElement, and_, exists, func, or_, select

from haulers.models import Approval, Revocation
from office.db import db
from office.notices import UNMAILED, Notice
from office.people import Party


def letters_to_print(plant_id: int, day: date) -> list[Notice]:
    """Those of a plant that wait on a day, oldest first: nobody has posted them, or kept the number of the mail.

    A revocation is among them even where the message was mailed, while the revoked approval would still run.
    """
    return list(db.session.scalars(_waiting(plant_id, day).order_by(Notice.id)))


def how_many_to_print(plant_id: int, day: date) -> int:
    """How many those are."""
    query = select(func.count()).select_from(_waiting(plant_id, day).subquery())
    return db.session.scalars(query).one()


def letter_to_print(plant_id: int, notice_id: int, day: date) -> Notice | None:
    """One of them; None once it is posted, and for another plant's."""
    found: Notice | None = db.session.scalars(_waiting(plant_id, day).where(Notice.id == notice_id)).one_or_none()
    return found


def certified_of(notices: Collection[Notice]) -> dict[int, Revocation]:
    """The revocations some messages are about, by message: their letters go by certified mail. One query."""
    query = (
        select(Notice.id, Revocation).join(Revocation, Revocation.letter_id == Notice.letter_id)
        .where(Notice.id.in_({one.id for one in notices}))
    )  # fmt: skip
    rows: Any = db.session.execute(query).all()
    return {row[0]: row[1] for row in rows}


def parties_of_letters(notices: Collection[Notice]) -> dict[int, Party]:
    """To whom some messages go, by message. One query."""
    query = select(Party).where(Party.id.in_({one.party_id for one in notices}))
    known = {party.id: party for party in db.session.scalars(query)}
    return {one.id: known[one.party_id] for one in notices if one.party_id is not None}


def _waiting(plant_id: int, day: date) -> Any:
    certified: ColumnElement[bool] = exists().where(
        Revocation.letter_id == Notice.letter_id, Revocation.certified_mail == "",
        Approval.id == Revocation.approval_id, Approval.ends >= day,
    )  # fmt: skip
    return select(Notice).where(and_(Notice.plant_id == plant_id, Notice.party_id.is_not(None),
                                     or_(Notice.state.in_(UNMAILED), certified)))  # fmt: skip
