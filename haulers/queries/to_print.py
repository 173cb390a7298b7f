"""Messages to companies without an e-mail: each is a letter to print and post."""

from sqlalchemy import ColumnElement, and_, select

from office.db import db
from office.notices import Notice


def letters_to_print(plant_id: int) -> list[Notice]:
    """Those of a plant that nobody has posted yet, oldest first."""
    return list(db.session.scalars(select(Notice).where(_waiting(plant_id)).order_by(Notice.id)))


def letter_to_print(plant_id: int, notice_id: int) -> Notice | None:
    """One of them; None once it is posted, and for another plant's."""
    return db.session.scalars(select(Notice).where(_waiting(plant_id), Notice.id == notice_id)).one_or_none()


def _waiting(plant_id: int) -> ColumnElement[bool]:
    return and_(Notice.plant_id == plant_id, Notice.state == "no_address", Notice.party_id.is_not(None))
