"""The written record beside the sources the approval covers: for who writes it and who reads it (§ 329-7 C(3), A)."""

from typing import Any

import pytest

from haulers.models import ApplicationSource
from intake.actions.records import file_record
from office.access import Actor, Role, system
from office.acts import act
from office.db import db
from tests import world
from tests.intake.gatehouse import good, kept, log
from tests.intake.plant import hauler

PLACE = "<li>Homes along County Road J: septic tank waste</li>"


@act("test_place", roles=(Role.SYSTEM,))
def _place(*, by: Actor, at: Any) -> bool:
    for row in db.session.query(ApplicationSource).filter_by(waste="septic_tank"):
        row.place = "Homes along County Road J"
    return True


@pytest.mark.parametrize("who", ["hauler", "clerk"])
def test_the_approved_sources_stand_beside_the_record(app: Any, clock_at: Any, who: str) -> None:
    clock_at("2026-10-06T09:00")
    mine = hauler()
    _place(by=system(), at=world.at("2026-10-01T09:00"))
    load = good(log(mine))
    db.session.commit()
    client = app.test_client()
    world.sign_in(client, mine.email if who == "hauler" else who)
    address = "/bayfield/hauler/loads/{}/record" if who == "hauler" else "/bayfield/station/load/{}"
    page = client.get(address.format(load.ticket)).get_data(as_text=True)
    assert (PLACE in page) is (who == "hauler")
    good(kept(file_record(load, "12 Cedar Lane", by=mine.by, at=world.at("2026-10-06T10:00"), law=world.law())))
    db.session.commit()
    page = client.get(address.format(load.ticket)).get_data(as_text=True)
    assert (PLACE in page) is (who == "clerk")
    told = "A place in the record that is none of these needs the committee&#39;s approval first."
    assert (told.replace("&#39;", "'") in page) is (who == "clerk")
