"""Every stored paper stays as it was issued, to the byte, whatever is renamed, priced or set anew afterwards."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from billing import actions as billing
from intake.reminders import record_overdue
from office.access import Role, system
from office.acts import act
from office.db import db
from office.documents import send_letter, send_together
from office.files import File
from office.law import adopt_law
from office.letters import TEMPLATES, Letter, make_pdf, render
from office.notices import Notice
from office.people import Party
from office.plants import set_closure, set_plant_row
from tests import world
from tests.billing import books, test_rises
from tests.haulers.every_letter import LETTERS, PAPERS
from tests.intake import specials, test_blanks, test_finding, test_sampling_plan, test_testing_rule
from tests.intake.gatehouse import good, log
from tests.intake.plant import hauler
from tests.ordinances.common import changed

# Drawn for the eye or the truck from words that are stored: nothing of them is kept.
DRAWN = {"labels", "ticket_roll"}
PARTS = {"frame", "papers"}
OCT_6, OCT_12 = date(2026, 10, 6), date(2026, 10, 12)


def money() -> None:
    """An invoice, receipts of a check and of a fee paid at the desk, a statement; a credit and a refund by message."""
    who = books.party("Apostle Example Septic")
    books.load(who, 1500, OCT_6)
    invoice = books.bill(who, OCT_6)
    books.pay(who, "100.00", OCT_6)
    given: Any = {"by": world.staff("clerk"), "at": books.noon(OCT_12), "law": world.law(OCT_12)}
    good(billing.send_statement(world.plant(), books.account(who), OCT_6, OCT_12, **given))
    good(billing.refund_credit(world.plant(), books.account(who), None, "check", "7", "Asked for", **given))
    good(billing.credit_invoice(invoice, "Not ours", **given))
    good(billing.void_invoice(world.plant(), _billed_again(who), "Wrong name", **given))


def _billed_again(who: Party) -> Any:
    books.load(who, 1000, OCT_12)
    return books.bill(who, OCT_12)


def blanks() -> None:
    good(test_blanks.issue_blanks(world.plant(), 2, by=world.staff("operator"), at=world.at(test_blanks.BEFORE),
                                  law=world.law()))  # fmt: skip


def fee_notices() -> None:
    hauler("Birch Pumping", number=2)
    test_rises.announce()


def ticket_and_overdue_record() -> None:
    good(log(hauler("Cedar Pumping", number=3), at="2026-10-06T07:05"))
    for _, work in record_overdue(world.at("2026-10-09T09:00")):
        work()


def special_time() -> None:
    specials.working_hours()
    specials.arranged(hauler("Dune Pumping", number=4))


def plan() -> None:
    good(test_sampling_plan.approve(good(test_sampling_plan.propose(hauler("Elm Pumping", number=5)))))


MAKERS: dict[str, Callable[[], object]] = {
    **{name: make for name, (_, make) in (LETTERS | PAPERS).items()},
    "money": money, "blanks": blanks, "fee notices": fee_notices, "ticket": ticket_and_overdue_record,
    "special time": special_time, "sampling plan": plan,
    "finding": lambda: good(test_finding.find(hauler("Fir Pumping", number=6), test_finding.REJECT)),
    "testing rule": lambda: good(test_testing_rule.rule(hauler("Gull Pumping", number=7))),
}  # fmt: skip


@act("test_store", roles=(Role.SYSTEM,))
def stored_anew(place: int, old: dict[str, Any], *, by: Any, at: Any) -> Letter:
    """A letter as an act wrote it, kept beside those of acts that could not be done in one season."""
    letter = Letter(**old | {"number": f"{place}/{old['number']}"[:30]})
    db.session.add(letter)
    db.session.flush()
    return letter


@contextmanager
def elsewhere(databases: Any, like: str) -> Iterator[None]:
    """A season of its own for one act."""
    here, databases.url = databases.url, databases.create(like=like)
    db.session.remove()
    db.engine.dispose()
    yield
    db.session.remove()
    db.engine.dispose()
    databases.drop(databases.url)
    databases.url = here


def all_letters(databases: Any, like: str) -> list[int]:
    """A letter of each kind from its act in a season of its own, then stored here with its PDF: their ids."""
    kept: dict[str, dict[str, Any]] = {}
    for make in MAKERS.values():
        with elsewhere(databases, like):
            make()
            db.session.flush()
            for letter in db.session.scalars(select(Letter)):
                fields = {column.key: getattr(letter, column.key) for column in Letter.__table__.columns}
                kept[letter.kind] = fields | {"id": None, "party_id": None, "file_id": None}
    ids = [stored_anew(n, one, by=system(), at=world.START).id for n, one in enumerate(kept.values())]
    db.session.commit()
    for ident in ids:
        make_pdf(ident, world.START)
    return ids


def papers() -> dict[str, Any]:
    """Every stored paper: what its PDF and its row hold."""
    query = select(Letter.kind, Letter.number, Letter.title, Letter.addressee, Letter.data_sha256, File.content)
    return {f"{row[0]} {row[1]}": row[2:] for row in db.session.execute(query.join(File, File.id == Letter.file_id))}


def messages() -> list[Any]:
    query = select(Notice.id, Notice.to_name, Notice.subject, Notice.body).order_by(Notice.id)
    return [tuple(row) for row in db.session.execute(query)]


@act("test_rename_all", roles=(Role.SYSTEM,))
def renamed(*, by: Any, at: Any) -> None:
    plant = world.plant()
    plant.name, plant.city, plant.phone = "Lakeside Works", "City of Lakeside", "715-555-0999"
    plant.address, plant.help_hours = "1 Other Street\nLakeside, WI 54815", "weekdays 8 a.m. to noon"
    for party in db.session.scalars(select(Party)):
        party.name, party.address = f"New {party.name}", "9 New Road\nAshland, WI 54806"


def change_all(folder: Any) -> None:
    """Hauler, plant, law and settings are other ones."""
    given: Any = {"by": system(), "at": world.at("2026-10-20T12:00")}
    renamed(**given)
    late = "[[billing.late_percent]]\nvalue = "
    path = changed(folder, ('price = "0.024"', 'price = "0.030"'), (f'{late}"10"', f'{late}"12"'))
    good(adopt_law(world.plant(), path, date(2026, 10, 1), "Ord. 400", **given))
    for key, value in (("fees.filing", "70.00"), ("fees.wage", "29.00"), ("review.block", "Ask the Clerk anew.")):
        good(set_plant_row(world.plant(), key, value, date(2026, 10, 1), "Resolution 9", **given))
    good(set_closure(world.plant(), date(2026, 11, 3), "Election day", "closed", **given))
    db.session.commit()


@pytest.mark.looks
def test_every_kind_of_stored_paper_stays_to_the_byte(
    app: Flask, databases: Any, bayfield_base: str, clock_at: Any, tmp_path: Any
) -> None:
    clock_at("2026-10-05T16:00")
    ids = all_letters(databases, bayfield_base)
    money()
    db.session.commit()
    ids += [one for one in db.session.scalars(select(Letter.id).order_by(Letter.id)) if one not in ids]
    for ident in ids:
        make_pdf(ident, world.START)
    templates = set(db.session.scalars(select(Letter.template)))
    assert templates == {path.stem for path in TEMPLATES.glob("*.typ")} - DRAWN - PARTS
    kept, said = papers(), messages()
    assert len(kept) == len(ids)
    change_all(tmp_path)
    for ident in ids:
        make_pdf(ident, world.at("2026-10-20T12:00"))
    assert papers() == kept
    assert messages() == said
    with app.test_request_context():
        for ident in ids:
            letter = db.session.get_one(Letter, ident)
            content = kept[f"{letter.kind} {letter.number}"][-1]
            answer = send_letter(letter)
            answer.direct_passthrough = False
            assert answer.get_data() == content, letter.kind
            # Drawn late, it would be the same: a paper rests on its frozen words alone.
            assert render(letter.template, letter.data) == content, letter.kind
        assert send_together([db.session.get_one(Letter, ids[0])], "all.pdf").status_code == 200
