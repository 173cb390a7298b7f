"""Who saved a record last, and whether a form is older than the record."""

import pytest

from haulers.models import Business
from haulers.queries.saves import last_save, mark_of, saved_since
from office.db import db
from office.people import Party
from tests import world
from tests.haulers.builders import acting, hauler

AT = world.at("2026-08-10T09:00")


@pytest.fixture(autouse=True)
def now(app):
    return app


def test_the_last_save_is_the_newest_of_the_records():
    from haulers.actions import change_company

    business = hauler()
    db.session.commit()
    party = db.session.get_one(Party, business.party_id)
    assert last_save(party, business).person == "Ingrid O'Brien"
    change_company(business, name=party.name, address="x", phone="715-555-0111", email=party.email, contact="I",
                   by=acting(business), at=AT)  # fmt: skip
    db.session.commit()
    save = last_save(party, db.session.get_one(Business, business.id))
    assert (save.person, save.at) == ("Ingrid O'Brien", AT)


def test_a_record_nobody_saved_has_no_last_save():
    assert last_save() is None
    assert last_save(Party(id=77_000)) is None


@pytest.mark.parametrize(("seen", "told"), [("", False), ("same", False), ("older", True)])
def test_only_a_form_of_another_state_is_told(seen, told):
    refusal = saved_since(seen, "same", (), world.ZONE)
    assert (refusal is not None) is told
    if refusal is not None:
        assert (refusal.why, refusal.details) == ("Somebody saved this page after you opened it.", {"seen": "same"})


def test_other_values_have_another_mark():
    assert mark_of("a", None) == mark_of("a", None)
    assert len({mark_of("a", None), mark_of("a", ""), mark_of("a", "None"), mark_of("a")}) == 4
