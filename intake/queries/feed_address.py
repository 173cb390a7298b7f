"""The secret address of a hauler's calendar: made, shown to its hauler again, looked up."""

import hashlib
import hmac
import re

from sqlalchemy import select

from intake.models import FeedAddress
from office.db import db

WELL_FORMED = re.compile(r"[0-9a-f]{40}")


def word_of(nonce: str, key: str) -> str:
    """The secret word of an address: 160 bits that follow from the row and the server's secret key together."""
    return hmac.new(key.encode(), f"calendar address {nonce}".encode(), hashlib.sha256).hexdigest()[:40]


def digest_of(word: str) -> str:
    """What the table keeps of a secret word."""
    return hashlib.sha256(word.encode()).hexdigest()


def live(plant_id: int, business_id: int) -> FeedAddress | None:
    """The address of a hauler's calendar at a plant, None while there is none."""
    query = select(FeedAddress).filter_by(plant_id=plant_id, business_id=business_id, ended_at=None)
    return db.session.scalars(query).one_or_none()


def shown(row: FeedAddress, key: str) -> str | None:
    """The secret word once more; None when the server's secret key has changed since, and only a new one helps."""
    word = word_of(row.nonce, key)
    return word if hmac.compare_digest(digest_of(word), row.address_sha256) else None


def asked(plant_id: int, word: str) -> FeedAddress | None:
    """Whose calendar is read under a word at this plant; None for a word that never was or is turned off."""
    if not WELL_FORMED.fullmatch(word):
        return None
    query = select(FeedAddress).filter_by(plant_id=plant_id, address_sha256=digest_of(word), ended_at=None)
    return db.session.scalars(query).one_or_none()
