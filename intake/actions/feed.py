"""A hauler makes the address of its calendar, makes it new, or turns it off."""

import secrets
from datetime import datetime

from haulers import queries as haulers
from intake.models import FeedAddress
from intake.queries import feed_address
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.notices import tell_party
from office.plants import Plant
from ordinances.refusal import Refusal


@act("make_feed_address", roles=(Role.HAULER,))
def make_feed_address(
    plant: Plant, business_id: int, key: str, *, by: Actor, at: datetime
) -> FeedAddress | Refusal:  # fmt: skip
    """A new address under the server's secret ``key``; the one before stops working at once. Refusals: not_yours."""
    if not _own(business_id, by):
        return _not_yours()
    lock(Plant, plant.id)
    before = _end(plant, business_id, by, at)
    nonce = secrets.token_hex(16)
    digest = feed_address.digest_of(feed_address.word_of(nonce, key))
    row = FeedAddress(plant_id=plant.id, business_id=business_id, nonce=nonce, address_sha256=digest, made_at=at,
                      made_by=by.name)  # fmt: skip
    db.session.add(row)
    # The address itself is not in the message: it is shown only to who signs in.
    _tell(plant, business_id, f"{by.name} made {'a new' if before else 'an'} address for your calendar", at,
          "The one before has stopped working on every phone. " if before else "")  # fmt: skip
    return row


@act("end_feed_address", roles=(Role.HAULER,))
def end_feed_address(plant: Plant, business_id: int, *, by: Actor, at: datetime) -> FeedAddress | Refusal:
    """Turn the calendar off: its address reads as not found from now on. Refusals: not_yours, no_feed."""
    if not _own(business_id, by):
        return _not_yours()
    lock(Plant, plant.id)
    row = _end(plant, business_id, by, at)
    if row is None:
        return Refusal("no_feed", "Your calendar is off already.", "")
    _tell(plant, business_id, f"{by.name} turned your calendar off", at)
    return row


def _tell(plant: Plant, business_id: int, what: str, at: datetime, more: str = "") -> None:
    """Everybody who acts for the company may look into it: what changed is told to the company."""
    body = f"{what}, with the bookings at {plant.name}. {more}You see and change it when you sign in, at Your calendar."
    tell_party(haulers.party_of_business(business_id), "calendar_address", what, body, at, plant_id=plant.id)


def _own(business_id: int, by: Actor) -> bool:
    mine = haulers.business_of_party(by.party_id) if by.party_id is not None else None
    return mine is not None and mine.id == business_id


def _not_yours() -> Refusal:
    return Refusal("not_yours", "This is not your company's calendar.", "")


def _end(plant: Plant, business_id: int, by: Actor, at: datetime) -> FeedAddress | None:
    row = feed_address.live(plant.id, business_id)
    if row is not None:
        row.ended_at, row.ended_by = at, by.name
        # The new address is written only once the old one is off: there is one at a time.
        db.session.flush()
    return row
