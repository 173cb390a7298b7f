"""The journal: one entry per record touched, chained, with digests that find a changed cell."""

from datetime import date

from sqlalchemy import select, text

from office.access import system
from office.db import db
from office.journal import FIRST, JournalEntry, entry_hash
from office.plants import PlantRow, set_plant_row
from ordinances.refusal import Refusal
from tests import world


def entries(chain: str) -> list[JournalEntry]:
    return list(db.session.scalars(select(JournalEntry).filter_by(chain=chain).order_by(JournalEntry.seq)))


def test_entry_says_who_what_old_new_when_and_why(app):
    clerk, at = world.staff("clerk"), world.at("2026-07-02T10:00")
    row = set_plant_row(world.plant(), "fees.filing", "80.00", date(2026, 8, 1), "Resolution 2026-11", by=clerk, at=at)
    db.session.commit()
    entry = entries(f"plant:{world.plant().id}")[-1]
    assert (entry.act, entry.person, entry.capacity, entry.at) == ("set_plant_row", "Clerk of the City", "clerk", at)
    assert (entry.table_name, entry.record_id, entry.reason) == ("plant_row", row.id, "Resolution 2026-11")
    assert entry.new["value"] == "80.00"
    assert entry.old == {}


def test_chain_follows_hash_by_hash_from_the_first(app):
    before = FIRST
    for number, entry in enumerate(entries(f"plant:{world.plant().id}"), start=1):
        assert (entry.seq, entry.before) == (number, before)
        assert entry.hash == entry_hash(entry)
        before = entry.hash


def test_refusal_leaves_no_row_and_no_entry(app):
    before = len(entries(f"plant:{world.plant().id}"))
    answer = set_plant_row(world.plant(), "fees.filing", "80.00", date(2026, 8, 1), " ", by=world.staff("clerk"),
                           at=world.START)  # fmt: skip
    db.session.commit()
    assert isinstance(answer, Refusal)
    assert answer.why == "Enter the resolution or order that sets this value."
    assert len(entries(f"plant:{world.plant().id}")) == before


def test_act_of_another_role_is_refused_in_words(app):
    answer = set_plant_row(world.plant(), "fees.filing", "1.00", date(2026, 8, 1), "x", by=world.staff("member1"),
                           at=world.START)  # fmt: skip
    assert isinstance(answer, Refusal)
    assert answer.why == "Only a public works director or city clerk or administrator may do this."


def test_rolled_back_act_leaves_no_entry_for_the_next(app):
    set_plant_row(world.plant(), "fees.filing", "80.00", date(2026, 8, 1), "A", by=system(), at=world.START)
    db.session.rollback()
    set_plant_row(world.plant(), "fees.filing", "90.00", date(2026, 8, 1), "B", by=system(), at=world.START)
    db.session.commit()
    assert [e.reason for e in entries(f"plant:{world.plant().id}") if e.reason in ("A", "B")] == ["B"]
    assert db.session.scalars(select(PlantRow).filter_by(resolution="A")).all() == []


def test_two_acts_in_one_request_have_two_ids_and_one_entry_each(app):
    who = system()
    for name in ("A", "B"):
        set_plant_row(world.plant(), "fees.filing", "80.00", date(2026, 8, 1), name, by=who, at=world.START)
    db.session.commit()
    last = entries(f"plant:{world.plant().id}")[-2:]
    assert [e.reason for e in last] == ["A", "B"]
    assert last[0].act_id != last[1].act_id


def test_orphan_row_is_refused_by_the_engine(app):
    import pytest
    from sqlalchemy.exc import IntegrityError

    with pytest.raises(IntegrityError):
        db.session.execute(text("UPDATE plant_row SET plant_id = 999"))
