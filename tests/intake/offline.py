"""Builders for tests of tablets: one that is enrolled, and what it sends, in a line each."""

import uuid
from datetime import timedelta
from typing import Any

from intake.actions.tablets import enrol_tablet, take_up_tablet
from intake.models import OfflineLoad, Tablet
from intake.queries import outbox, tablets
from office.access import NOBODY
from office.db import db
from tests import world
from tests.intake.gatehouse import good
from tests.intake.plant import Hauler

KEY = "a-key-for-tests-only-0123456789abcdef"
WORD = "5" * 64


def enrolled(name: str = "Gate tablet", word: str = WORD) -> Tablet:
    """A tablet that was given its word. Committed."""
    row = good(enrol_tablet(world.plant(), name, KEY, by=world.staff("manager"), at=world.START))
    link = tablets.shown_link(row, KEY, world.START)
    assert link is not None
    good(take_up_tablet(world.plant(), link, word, by=NOBODY, at=world.START))
    db.session.commit()
    return row


def device(app: Any, word: str = WORD) -> Any:
    """The browser of a tablet: nobody is signed in."""
    client = app.test_client()
    client.set_cookie("septage_tablet", word, path="/bayfield/station")
    return client


def body(who: Hauler | None, gallons: Any = 300, at: str = "2026-10-06T07:10", count: int = 1, *, now: str = "",
         behind: int = 0, **other: Any) -> dict[str, Any]:  # fmt: skip
    """What a tablet sends of one load, written at a plant-local instant; ``behind``: seconds its clock is slow.

    ``now`` is when it is sent. Names of the station's form override its fields, all others those of the message.
    """
    slow, taken = timedelta(seconds=behind), world.at(at)
    fields = {
        "driver": "Ann Nuñez", "waste": "septic_tank", "normal": "yes", "tested": "yes", "gallons": str(gallons),
        "ph": "6.9", "bottle": f"1006-{count:02d}", "basis": "meter",
    }  # fmt: skip
    fields |= {name: other.pop(name) for name in list(other) if name in fields or name in ("note", "reason", "answer")}
    visit = {"business": str(who.business_id), "truck": str(who.truck_id)} if who is not None else {}
    return {
        "id": f"load-{count:04d}-{uuid.uuid5(uuid.NAMESPACE_URL, f'{at}{count}').hex[:12]}", "slip": f"T1-{count:04d}",
        "at": (taken - slow).isoformat(), "now": ((world.at(now) if now else taken) - slow).isoformat(),
        "offset": behind, "on_duty": "Olga Olsen", "duty": "", "visit": visit, "last": count, "waiting": 0,
        "fields": [[name, value] for name, value in fields.items()],
    } | other  # fmt: skip


def send(client: Any, load: dict[str, Any]) -> dict[str, Any]:
    """Send it, and what the server answers."""
    answer = client.post("/bayfield/station/outbox", json=load)
    assert answer.status_code == 200, answer.get_data(as_text=True)
    return dict(answer.get_json())


def kept(load: dict[str, Any]) -> OfflineLoad:
    """The row of a load that was sent."""
    row = outbox.received(world.plant().id, load["id"])
    assert row is not None
    return row
