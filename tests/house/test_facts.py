"""No act can forget to end what is kept between requests: each fact reads only tables whose entries raise its heads."""

import importlib
import re
from datetime import date
from typing import Any

import pytest
from sqlalchemy import event

from haulers.models import Approval, Business
from office import facts
from office.db import Model, db
from office.people import Person
from tests import world
from tests.intake.plant import hauler

DAY = date(2026, 10, 6)
# With which values each of them is asked here. Those with None know no plant.
ASKED: dict[str, tuple[str, ...]] = {
    "haulers.queries.approvals._all_suspensions": ("plant", "approval"),
    "haulers.queries.approvals._carried_to": ("plant", "approval"),
    "haulers.queries.approvals._granted_to": ("plant", "approval"),
    "haulers.queries.approvals._known": ("plant", "business"),
    "haulers.queries.approvals._lines": ("plant", "approval"),
    "haulers.queries.approvals._replaced": ("plant", "approval"),
    "haulers.queries.approvals._revocation_from": ("plant", "approval"),
    "haulers.queries.approved_trucks._approved": ("plant", "approval"),
    "haulers.queries.businesses._business": ("none", "party"),
    "haulers.queries.businesses._licence": ("none", "business"),
    "haulers.queries.businesses._listed": ("none", "business"),
    "haulers.queries.businesses._party": ("none", "business"),
    "haulers.queries.businesses._truck": ("none", "truck"),
    "haulers.queries.coverage._covered": ("plant", "approval"),
    "haulers.queries.spans.spans": ("plant",),
    "intake.queries.bookings._first_point": ("plant",),
    "intake.queries.findings._findings": ("plant", "business"),
    "intake.queries.labels._runs": ("plant",),
    "intake.queries.places._places": ("plant", "day"),
    "intake.queries.places._set": ("plant",),
    "intake.queries.restrictions._all": ("plant",),
    "intake.queries.testing_rule._rules": ("plant", "business"),
    "office.access._grants": ("plant", "person"),
    "office.law._law": ("plant", "day"),
    "office.law.adopted_since": ("plant",),
    "office.plants._plant": ("plant",),
    "office.signin._person": ("none", "uniquifier"),
}


@pytest.fixture
def known(app: Any) -> dict[str, Any]:
    who = hauler()
    approval, person = db.session.get_one(Approval, who.approval_id), db.session.get_one(Person, who.by.person_id)
    return {"plant": world.plant().id, "none": None, "approval": approval.id, "business": who.business_id,
            "truck": who.truck_id, "party": db.session.get_one(Business, who.business_id).party_id,
            "person": person.id, "uniquifier": person.fs_uniquifier, "day": DAY}  # fmt: skip


def tables(statement: str) -> set[str]:
    return set(re.findall(r"(?:FROM|JOIN) (\w+)", re.sub(r"\s+", " ", statement)))


def test_every_kept_fact_reads_only_what_raises_its_heads(known: dict[str, Any]) -> None:
    assert {f"{one.__module__}.{one.__qualname__}" for one in facts.FACTS} == set(ASKED)
    moving = {mapper.local_table.name for mapper in Model.registry.mappers if not mapper.class_.__journal__}
    moving |= facts.MOVING
    of_plants = {name for name, table in db.metadata.tables.items() if "plant_id" in table.c or name == "plant"}
    wrong = []
    for name, values in ASKED.items():
        seen: list[str] = []
        listener = lambda *args, seen=seen: seen.append(args[2])  # noqa: E731
        event.listen(db.engine, "before_cursor_execute", listener)
        module, _, function = name.rpartition(".")
        work = getattr(importlib.import_module(module), function).__wrapped__
        work(*(known[one] for one in values))
        event.remove(db.engine, "before_cursor_execute", listener)
        # The heads themselves are what another fact it asks is kept under.
        read = set().union(*map(tables, seen)) - {"journal_head"}
        assert read, name
        forbidden = moving | (of_plants if values[0] == "none" else set())
        wrong += [f"{name} reads {one}" for one in sorted(read & forbidden)]
    assert wrong == []


def test_the_tables_that_leave_the_heads_are_those_the_migration_filled_them_with() -> None:
    migration = importlib.import_module("office.migrations.versions.0049_facts_left_by_more_tables")
    assert set(migration.MOVING) == facts.MOVING
    journalled = {mapper.local_table.name for mapper in Model.registry.mappers if mapper.class_.__journal__}
    assert facts.MOVING - journalled == set()
