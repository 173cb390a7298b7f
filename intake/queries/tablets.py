"""Tablets of the receiving station: their links, whose word a request carries, and what is known of each."""

import hashlib
import hmac
import re
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import func, select

from intake.models import OfflineLoad, OfflineState, Tablet, TabletSeen
from office.db import db

# How long the link works that enrols a tablet.
LINK_LASTS = timedelta(days=1)
# From when on a tablet's clock is said to be wrong.
CLOCK_OFF = timedelta(minutes=2)
WELL_FORMED = re.compile(r"[0-9a-f]{40,64}")


@dataclass(frozen=True)
class Line:
    """A tablet in the list: when it was heard last, and how many of its loads wait for a person."""

    tablet: Tablet
    seen: TabletSeen | None
    waits: int

    def state(self, at: datetime) -> str:
        """One word for what it may do: "in use", "link open", "link over", "revoked"."""
        if self.tablet.revoked_at is not None:
            return "revoked"
        if self.tablet.enrolled_at is not None:
            return "in use"
        return "link open" if self.tablet.link_until > at else "link over"

    @property
    def slip(self) -> str:
        """Its last slip number, "" while it has written none."""
        return slip_number(self.tablet.number, self.seen.last_slip) if self.seen and self.seen.last_slip else ""

    @property
    def clock_words(self) -> str:
        """What is said of its clock; "" while it is right or unknown."""
        return off_words(self.seen.offset_seconds) if self.seen is not None else ""


def slip_number(number: int, count: int) -> str:
    """A slip number as a tablet prints it, "T3-0147"."""
    return f"T{number}-{count:04d}"


def slip_count(slip: str) -> int:
    """The how manyeth slip of its tablet it is; 0 for what is no slip number."""
    found = re.fullmatch(r"T\d+-(\d{1,9})", slip)
    return int(found[1]) if found else 0


def off_words(seconds: int) -> str:
    """How a clock is off that lacks so many seconds, "6 minutes slow"; "" within two minutes."""
    minutes = round(abs(seconds) / 60)
    if abs(seconds) <= CLOCK_OFF.total_seconds():
        return ""
    much = f"{minutes:,} minutes" if minutes < 120 else f"{round(minutes / 60):,} hours"
    return f"{much} {'slow' if seconds > 0 else 'fast'}"


def word_of(nonce: str, key: str) -> str:
    """The secret word of an enrolment link: it follows from the row and the server's secret key together."""
    return hmac.new(key.encode(), f"tablet link {nonce}".encode(), hashlib.sha256).hexdigest()[:40]


def digest_of(word: str) -> str:
    """What the table keeps of a secret word."""
    return hashlib.sha256(word.encode()).hexdigest()


def shown_link(tablet: Tablet, key: str, at: datetime) -> str | None:
    """The word of the link while it may be used; None once it was, is over, or the server's key has changed."""
    if tablet.enrolled_at is not None or tablet.revoked_at is not None or tablet.link_until <= at:
        return None
    word = word_of(tablet.nonce, key)
    return word if hmac.compare_digest(digest_of(word), tablet.link_sha256) else None


def with_link(plant_id: int, word: str, at: datetime) -> Tablet | None:
    """The tablet a link may enrol now, or None."""
    if not WELL_FORMED.fullmatch(word):
        return None
    row = db.session.scalars(select(Tablet).filter_by(plant_id=plant_id, link_sha256=digest_of(word))).one_or_none()
    good = row is not None and row.enrolled_at is None and row.revoked_at is None and row.link_until > at
    return row if good else None


def with_token(plant_id: int, token: str) -> Tablet | None:
    """The tablet that keeps this word, also once it is revoked; None for a word that no tablet has."""
    if not WELL_FORMED.fullmatch(token):
        return None
    return db.session.scalars(select(Tablet).filter_by(plant_id=plant_id, token_sha256=digest_of(token))).one_or_none()


def tablet(plant_id: int, tablet_id: int) -> Tablet | None:
    """One tablet of a plant."""
    return db.session.scalars(select(Tablet).filter_by(plant_id=plant_id, id=tablet_id)).one_or_none()


def seen(tablet_id: int) -> TabletSeen | None:
    """When a tablet was heard last."""
    return db.session.scalars(select(TabletSeen).filter_by(tablet_id=tablet_id)).one_or_none()


def of_plant(plant_id: int) -> list[Line]:
    """Every tablet of a plant in the order of their numbers, in three queries."""
    rows = db.session.scalars(select(Tablet).filter_by(plant_id=plant_id).order_by(Tablet.number)).all()
    heard = {one.tablet_id: one for one in db.session.scalars(select(TabletSeen).filter_by(plant_id=plant_id))}
    counted = (
        select(OfflineLoad.tablet_id, func.count())
        .where(OfflineLoad.plant_id == plant_id, OfflineLoad.state == OfflineState.WAITS.value)
        .group_by(OfflineLoad.tablet_id)
    )
    waits = {ident: int(count) for ident, count in db.session.execute(counted)}
    return [Line(one, heard.get(one.id), waits.get(one.id, 0)) for one in rows]
