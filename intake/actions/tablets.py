"""The plant manager enrols tablets of the receiving station and revokes them; their loads wait for a person then."""

import secrets
from datetime import datetime

from sqlalchemy import func, select

from intake.models import Tablet, TabletSeen
from intake.queries import tablets
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.notices import tell_roles
from office.plants import Plant
from ordinances.refusal import Refusal

LONGEST_NAME = 60


@act("enrol_tablet", roles=(Role.MANAGER,))
def enrol_tablet(plant: Plant, name: str, key: str, *, by: Actor, at: datetime) -> Tablet | Refusal:
    """A new tablet with the next number and a link, made with the server's secret ``key``, that enrols it once.

    Refusals: no_name, name_taken.
    """
    if not name.strip():
        return Refusal("no_name", "Enter what the tablet is called.", "")
    # Whoever enrols at once waits: numbers have no gap and are never given twice.
    lock(Plant, plant.id)
    mine = select(Tablet).filter_by(plant_id=plant.id, name=name.strip(), revoked_at=None)
    if db.session.scalars(mine).first() is not None:
        return Refusal("name_taken", f"A tablet is called {name.strip()} already. Give this one another name.", "")
    last = db.session.scalars(select(func.max(Tablet.number)).filter_by(plant_id=plant.id)).one() or 0
    row = Tablet(plant_id=plant.id, number=last + 1, name=name.strip()[:LONGEST_NAME], made_at=at, made_by=by.name,
                 **_link(key, at))  # fmt: skip
    db.session.add(row)
    db.session.flush()
    return row


@act("renew_tablet_link", roles=(Role.MANAGER,))
def renew_tablet_link(tablet: Tablet, key: str, *, by: Actor, at: datetime) -> Tablet | Refusal:
    """A new link for a tablet that has not used its own; the one before stops working. Refusals: in_use, revoked."""
    tablet = lock(Tablet, tablet.id)
    if tablet.revoked_at is not None:
        return Refusal("revoked", f"{tablet.called} is revoked.", "", next_step="Enrol it as a new tablet.")
    if tablet.enrolled_at is not None:
        return Refusal("in_use", f"{tablet.called} is enrolled already.", "",
                       next_step="If its browser was cleared, revoke it and enrol it as a new tablet.")  # fmt: skip
    for name, value in _link(key, at).items():
        setattr(tablet, name, value)
    return tablet


def _link(key: str, at: datetime) -> dict[str, object]:
    nonce = secrets.token_hex(16)
    digest = tablets.digest_of(tablets.word_of(nonce, key))
    return {"nonce": nonce, "link_sha256": digest, "link_until": at + tablets.LINK_LASTS}


@act("take_up_tablet", roles=(Role.PUBLIC,))
def take_up_tablet(plant: Plant, word: str, token: str, *, by: Actor, at: datetime) -> Tablet | Refusal:
    """The device that has the link becomes the tablet: from now on it is known by ``token``. Refusals: link_gone."""
    found = tablets.with_link(plant.id, word, at)
    row = lock(Tablet, found.id) if found is not None else None
    if row is None or row.enrolled_at is not None:
        return link_gone()
    row.enrolled_at, row.token_sha256 = at, tablets.digest_of(token)
    db.session.flush()
    said = "It may keep loads while there is no network and send them. If you do not know it, revoke it."
    _tell(plant, f"{row.called} is enrolled", said, at)
    return row


def link_gone() -> Refusal:
    """A link that was used, is over, or never was."""
    return Refusal("link_gone", "This link does not enrol a tablet any more.", "",
                   next_step="The plant manager makes a new one.")  # fmt: skip


@act("revoke_tablet", roles=(Role.MANAGER, Role.DIRECTOR))
def revoke_tablet(tablet: Tablet, reason: str, *, by: Actor, at: datetime) -> Tablet | Refusal:
    """End a tablet at once: what it still sends is kept and waits for a person. Refusals: no_reason, revoked."""
    if not reason.strip():
        return Refusal("no_reason", "Enter why the tablet is revoked.", "")
    tablet = lock(Tablet, tablet.id)
    if tablet.revoked_at is not None:
        return Refusal("revoked", f"{tablet.called} is revoked already, by {tablet.revoked_by}.", "")
    tablet.revoked_at, tablet.revoked_by, tablet.reason = at, by.name, reason.strip()
    because(reason.strip())
    _tell(db.session.get_one(Plant, tablet.plant_id), f"{tablet.called} is revoked",
          f"{by.name}: {reason.strip()}\n\nLoads it still sends wait for a person.", at)  # fmt: skip
    return tablet


def note_seen(tablet: Tablet, offset: int, last_slip: int, waiting: int, at: datetime) -> None:
    """Write down that a tablet was heard, without a line of history: its slips only go up."""
    # Heard twice at once for the first time, it is written down once.
    lock(Tablet, tablet.id)
    row = tablets.seen(tablet.id)
    if row is None:
        row = TabletSeen(plant_id=tablet.plant_id, tablet_id=tablet.id, last_slip=0)
        db.session.add(row)
    row.seen_at, row.offset_seconds, row.waiting = at, offset, waiting
    row.last_slip = max(row.last_slip, last_slip)
    db.session.flush()


def _tell(plant: Plant, subject: str, body: str, at: datetime) -> None:
    tell_roles((Role.MANAGER, Role.OPERATOR), "tablet", subject, body, at, plant_id=plant.id)
