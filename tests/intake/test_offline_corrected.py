"""A load that a tablet still held was put right there before it was sent: old and new, who, when and why stay."""

from typing import Any

import pytest
from sqlalchemy import func, select

from intake.actions.tablets import revoke_tablet
from intake.models import Load, OfflineLoad, Tablet
from intake.queries import load_history, loads
from office.db import db
from office.notices import Notice
from office.verify import verify
from tests import world
from tests.intake.gatehouse import balance, good, log
from tests.intake.gatehouse import kept as committed
from tests.intake.offline import body, device, enrolled, kept, send
from tests.intake.plant import Hauler, hauler
from tests.intake.test_station_pages import get, signed_in, text

NOON = "2026-10-06T12:00"
SAID = ("Corrected on the tablet, Tue, Oct 6, 7:30 a.m. by Olga Olsen: Type of waste Holding tank, not Septic tank; "
        "Gallons 280, not 300. Meter misread.")  # fmt: skip


@pytest.fixture
def who(app: Any, clock_at: Any) -> Hauler:
    clock_at(NOON)
    enrolled()
    return hauler(wastes=("septic_tank", "holding_tank"))


def corrected(who: Hauler, **other: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """What a tablet would have sent, and what it sends once the load is put right."""
    old = body(who, 300, now=NOON, **other)
    new = body(who, 280, now=NOON, waste="holding_tank", **other)
    was = {"fields": old["fields"], "visit": old["visit"], "why": "Meter misread", "by": "Olga Olsen",
           "at": world.at("2026-10-06T07:30").isoformat()}  # fmt: skip
    return old, new | {"id": old["id"], "was": [was]}


def test_only_what_is_right_counts_and_the_history_has_the_old_value_who_when_and_why(app, who):
    _, new = corrected(who)
    assert [send(device(app), new)["ticket"] for _ in range(3)] == ["2026-00001"] * 3
    load = loads.with_ticket(world.plant().id, "2026-00001")
    assert (load.gallons, load.waste, balance(who)) == (280, "holding_tank", 672 + 1_216)
    assert load.note.splitlines()[-1].endswith(f"sent Tue, Oct 6, 12:00 noon. {SAID}")
    assert SAID in load_history.lines(loads.history(load))[0]["reason"]
    assert [one["code"] for one in kept(new).flags] == ["on_duty"]
    assert verify() == []


@pytest.mark.parametrize("way", ["tablet", "network"])
def test_what_had_arrived_before_it_was_corrected_is_said_to_a_person_and_stays_one_load(app, who, way):
    old, new = corrected(who)
    if way == "tablet":
        send(device(app), old)
    else:
        good(log(who, 300, "2026-10-06T07:10", client_id=old["id"]))
    assert [send(device(app), new)["ticket"] for _ in range(3)] == ["2026-00001"] * 3
    load = loads.with_ticket(world.plant().id, "2026-00001")
    assert (load.gallons, db.session.scalar(select(func.count(Load.id)))) == (300, 1)
    words = f"It had arrived before. {SAID} Put the ticket right."
    assert kept(new).flags[-1]["said"] == words
    assert load.note.splitlines()[-1] == words
    told = db.session.scalars(select(Notice.body).filter_by(kind="late_load", to_name="Manager of the City")).all()
    assert [words in one for one in told] == [True]
    assert verify() == []


def test_one_that_waits_for_a_person_shows_what_is_right_and_what_it_had_said(app, who):
    row = db.session.scalars(select(Tablet)).one()
    good(committed(revoke_tablet(row, "Lost", by=world.staff("manager"), at=world.at(NOON))))
    old, new = corrected(who)
    send(device(app), old)
    assert send(device(app), new)["state"] == "waits"
    sent = kept(new)
    page = text(get(signed_in(app, "operator"), f"/station/waiting-loads/{sent.id}"))
    assert SAID in page
    assert db.session.scalar(select(func.count(OfflineLoad.id))) == 1
    assert dict(sent.sent["fields"])["gallons"] == "280"


@pytest.mark.parametrize("was", ["x", [1, None], [{}], [{"fields": 7, "visit": [], "why": 5, "at": "soon"}] * 30])
def test_what_cannot_be_read_of_a_correction_keeps_no_load_back(app, who, was):
    assert send(device(app), body(who, 300, now=NOON) | {"was": was})["state"] == "taken"


def test_a_signature_taken_for_other_figures_is_said(app, who):
    old, new = corrected(who)
    new["was"][0]["fields"] = [*old["fields"], ["strokes", "M1 1L2 2"]]
    send(device(app), new)
    load = loads.with_ticket(world.plant().id, "2026-00001")
    assert "to be signed again. Meter misread." in load.note
