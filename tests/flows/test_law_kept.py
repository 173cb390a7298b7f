"""Every decision, booking, load, charge and paper keeps the law it was made under, and the journal says which §."""

from datetime import date
from decimal import Decimal

import pytest
from sqlalchemy import select, text

from haulers import actions as hauling
from office.access import Actor, Grant, Role, system
from office.db import db
from office.journal import JournalEntry, frame
from office.law import LawText, adopt_law
from ordinances.fees import charged_for
from ordinances.refusal import Refusal
from tests import world
from tests.billing.new_laws import told_and_adopted

pytestmark = pytest.mark.xdist_group("season")
UNDER_LAW = {
    *("application", "approval", "booking", "decision", "entry", "invoice"),
    *("excess", "freed_room", "journal_entry", "letter", "load", "restriction", "set_aside", "special_time"),
    *("incident", "more_tests", "retest", "sampling_plan", "sampling_rule", "waste_finding"),
}
# What the sample season has none of.
NOT_IN_THE_SEASON = {
    "excess", "freed_room", "incident", "more_tests", "retest", "sampling_plan", "sampling_rule", "set_aside",
    "waste_finding",
}  # fmt: skip
# Drafts are under no law yet; what people set up or the machine does by itself cites none.
MAY_LACK = {"application", "journal_entry", "letter", "entry"}
CITED = {
    "book_discharge", "decide_applications", "file_application", "log_load", "record_filing_fee",
    "refuse_load", "restrict_plant", "lift_restriction", "revoke_approval",
}  # fmt: skip


def test_law_version_of_every_record_is_the_adopted_text(season):
    adopted = db.session.scalars(select(LawText.sha256)).one()
    tables = {table.name for table in db.metadata.tables.values() if "law_version" in table.columns}
    assert tables == UNDER_LAW
    for table in sorted(tables):
        found = set(db.session.scalars(text(f"SELECT DISTINCT law_version FROM {table}")))
        wanted = set() if table in NOT_IN_THE_SEASON else {adopted}
        assert found - ({None} if table in MAY_LACK else set()) == wanted, table
    bare = db.session.scalars(text("SELECT DISTINCT kind FROM entry WHERE law_version IS NULL"))
    assert set(bare) <= {"payment", "reversal"}


def test_journal_of_what_the_law_governs_names_its_section(season):
    rows = db.session.execute(select(JournalEntry.act, JournalEntry.cite).distinct()).all()
    cites = {}
    for act, cite in rows:
        cites.setdefault(act, set()).add(cite)
    lacking = {act for act in CITED if act in cites and not all(c and c.startswith("§") for c in cites[act])}
    assert lacking == set()
    assert set(cites) >= CITED


def price_on(day):
    item = charged_for(world.law(day), day, "gallons")
    return item and item.price


def test_changed_file_changes_no_adopted_law_and_adopting_needs_a_resolution(season, tmp_path):
    from ordinances.reader import shipped

    text_now = shipped()["bayfield"].read_text(encoding="utf-8")
    changed = tmp_path / "bayfield.toml"
    changed.write_text(text_now.replace('price = "0.024"', 'price = "0.030"'), encoding="utf-8")
    assert price_on(date(2026, 10, 6)) == Decimal("0.024")
    by, at = system(), world.at("2027-02-09T07:52")
    refused = adopt_law(world.plant(), changed, date(2027, 3, 1), " ", by=by, at=at)
    assert isinstance(refused, Refusal)
    assert refused.code == "no_resolution"
    told_and_adopted(changed, date(2027, 3, 1), at)
    db.session.commit()
    assert price_on(date(2027, 2, 28)) == Decimal("0.024")
    assert price_on(date(2027, 3, 1)) == Decimal("0.030")


def test_director_cannot_revoke_their_own_business(season):
    from haulers import queries as haulers

    at = world.at("2027-02-09T07:52")
    business = haulers.business_of_party(
        db.session.scalars(text("SELECT party_id FROM business ORDER BY id LIMIT 1")).one()
    )
    approval = haulers.last_approvals(world.plant().id, business.id)[0]
    by = Actor(1, "Dora Director", frozenset({Role.DIRECTOR}), business.party_id)
    with frame("test", system(), None, at):
        db.session.add(Grant(person_id=1, party_id=business.party_id, role=Role.HAULER.value, since=at))
    answer = hauling.revoke_approval(world.plant(), approval.id, "§ 329-7 C(3)", "Late records.", by=by, at=at,
                                     law=world.law(at.date()))  # fmt: skip
    assert isinstance(answer, Refusal)
    assert answer.code == "own_business"
