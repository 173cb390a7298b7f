"""What is kept between requests: under which heads, when it is read anew, and that nobody can change it."""

from datetime import date
from threading import Thread
from time import sleep

import pytest
from sqlalchemy import event, select

from haulers.queries import trucks_of
from intake.models import Booking
from office import facts
from office.access import system
from office.db import db, lock
from office.journal import JournalHead
from office.law import law_in_force
from office.plants import Plant, plant_at, set_closure, set_plant_row
from tests import world
from tests.intake.plant import book, hauler, session

DAY = date(2026, 10, 6)


@pytest.fixture
def asked(app):
    """The statements sent since, but for the reading of the heads."""
    seen: list[str] = []

    def note(_connection, _cursor, statement, *_rest) -> None:
        if statement.startswith("SELECT") and "journal_head.facts" not in statement:
            seen.append(statement)

    event.listen(db.engine, "before_cursor_execute", note)
    yield seen
    event.remove(db.engine, "before_cursor_execute", note)


def heads() -> dict[str, str]:
    return {one.chain: one.facts for one in db.session.scalars(select(JournalHead))}


def test_a_booking_leaves_the_heads_of_facts_and_a_closure_changes_its_plants(app):
    who = hauler()
    before = heads()
    assert isinstance(book(who, session("2026-10-06T07:00", 300)), Booking)
    assert heads() == before
    set_closure(world.plant(), DAY, "Pump", "closed", by=system(), at=world.START)
    db.session.commit()
    chain = f"plant:{world.plant().id}"
    assert {name for name, head in heads().items() if head != before[name]} == {chain}
    entry = db.session.get_one(JournalHead, 0 + int(chain.partition(":")[2]))
    assert entry.facts == entry.hash


def test_who_asks_for_a_fact_has_written_what_may_be_one_and_nothing_else(app):
    plant = world.plant()
    booking = book(hauler(), session("2026-10-06T07:00", 300))
    assert isinstance(booking, Booking)
    law_in_force(plant, DAY)
    booking.driver = "Ann Lee"
    law_in_force(plant, DAY)
    assert booking in db.session.dirty
    row = lock(Plant, plant.id)
    row.phone = "555-0199"
    law_in_force(plant, DAY)
    assert not db.session.dirty


def test_a_fact_is_asked_once_until_an_act_changes_one(app, asked):
    plant = world.plant()
    law_in_force(plant, DAY)
    db.session.rollback()
    plant_id = plant.id
    asked.clear()
    known = plant_at("bayfield")
    assert known.id == plant_id
    first = law_in_force(known, DAY)
    asked.clear()
    assert law_in_force(known, DAY) is first
    assert asked == []
    set_plant_row(world.plant(), "fees.wage", "31.00", date(2026, 1, 1), "Order", by=system(), at=world.START)
    db.session.commit()
    assert law_in_force(known, DAY).value("fees.wage", DAY) != first.value("fees.wage", DAY)


def test_who_changes_a_fact_reads_it_at_once_and_keeps_it_only_when_it_is_saved(app):
    plant = world.plant()
    assert DAY not in law_in_force(plant, DAY).closures
    set_closure(plant, DAY, "Pump", "closed", by=system(), at=world.START)
    assert law_in_force(plant, DAY).closures[DAY].name == "Pump"
    db.session.rollback()
    assert DAY not in law_in_force(world.plant(), DAY).closures


def test_who_waited_for_a_lock_reads_the_heads_anew(app, engine):
    if engine == "sqlite":
        return  # Nobody else writes there while this transaction goes on.
    plant = world.plant()
    assert DAY not in law_in_force(plant, DAY).closures

    def close() -> None:
        with app.app_context():
            set_closure(world.plant(), DAY, "Pump", "closed", by=system(), at=world.START)
            db.session.commit()

    other = Thread(target=close)
    other.start()
    other.join()
    assert DAY not in law_in_force(plant, DAY).closures
    lock(Plant, plant.id)
    assert law_in_force(plant, DAY).closures[DAY].name == "Pump"


def test_a_fact_cannot_be_changed_nor_saved(app):
    truck = trucks_of(hauler().business_id)[0]
    with pytest.raises(TypeError, match="lock the row and change that"):
        truck.plate = "OTHER"
    with pytest.raises(Exception, match="is not mapped"):
        db.session.add(truck)
    assert trucks_of(1)[0] is truck or truck.plate == "T-1"


def test_a_row_equals_the_same_row_however_it_was_read(app):
    plant = world.plant()
    kept = plant_at("bayfield") and plant_at("bayfield")
    assert isinstance(kept, facts.Fact)
    assert (kept == plant, plant == kept, kept == object(), kept.tz) == (True, True, False, plant.tz)
    assert {kept, db.session.get_one(Plant, plant.id)} == {kept, plant}


def test_what_is_seen_is_asked_again_after_the_session_has_written(app, asked):
    from intake.queries import capacity

    who, plant, law = hauler(), world.plant(), world.law()

    def taken() -> int:
        return len(capacity.day_pictures(plant, law, [DAY], world.at("2026-10-05T16:00"))[DAY].taken)

    assert (taken(), taken()) == (0, 0)
    asked.clear()
    taken()
    assert [one for one in asked if "planned_session" in one] == []
    book(who, session("2026-10-06T07:00", 300))
    assert taken() == 1


def test_only_so_many_answers_of_a_plant_are_kept(app, monkeypatch):
    monkeypatch.setattr(facts, "_kept", {})
    monkeypatch.setattr(facts, "ANSWERS", 3)
    plant = world.plant()
    for n in range(6):
        law_in_force(plant, date(2026, 10, 1 + n))
        db.session.rollback()
    _, answers = facts._kept[str(app.config["DATABASE_URL"]), plant.id]
    assert [args for _, args in answers] == [(date(2026, 10, 5),), (date(2026, 10, 6),)]


def test_only_so_many_plants_are_kept_the_first_one_goes(app, monkeypatch):
    monkeypatch.setattr(facts, "_kept", {})
    monkeypatch.setattr(facts, "PLANTS", 3)
    for plant_id in range(5):
        facts._under(plant_id, ("",))
    assert [plant_id for _, plant_id in facts._kept] == [2, 3, 4]


class Walked(dict):
    """A dictionary that lets the other threads go on whenever somebody begins to walk it, or adds to it."""

    def __iter__(self):
        walk = super().__iter__()
        sleep(0.001)
        return walk

    def __setitem__(self, place, known):
        sleep(0.001)
        super().__setitem__(place, known)


def test_threads_that_make_room_at_once_do_not_meet(app, monkeypatch):
    monkeypatch.setattr(facts, "PLANTS", 2)
    monkeypatch.setattr(facts, "_kept", Walked())
    trouble = []

    def ask(first: int) -> None:
        try:
            with app.app_context():
                for n in range(20):
                    facts._under(first + n % 7, (str(n),))
        except Exception as said:
            trouble.append(said)

    several = [Thread(target=ask, args=(first,)) for first in range(4)]
    for one in several:
        one.start()
    for one in several:
        one.join()
    assert (trouble, len(facts._kept)) == ([], 2)
