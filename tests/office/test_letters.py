"""Letters: frozen as data, numbered without a gap, drawn once, never drawn again."""

import hashlib
import io

import pytest
from pypdf import PdfReader
from sqlalchemy import select

from office import journal, letters, verify
from office.access import system
from office.db import db
from office.files import File
from office.letters import Letter
from office.people import Party
from tests import world

NAMES = ("O'Brien & Søn Septic, L.L.C.", "Nguyễn Thị Hà", "Nuñez-Łukasik & Co")


def written(name, at=world.START, year_at=None):
    with journal.frame("test", system(), None, at):
        party = Party(name=name, address="12 Pine Road\nWashburn, WI 54891", email="a@example.org")
        db.session.add(party)
        db.session.flush()
        letter = letters.write(world.plant(), party, "notice", "A notice", {"paragraphs": [f"Dear {name}."]},
                               year_at or at, law_version=None)  # fmt: skip
    db.session.commit()
    return letter


def pdf(letter):
    db.session.expire_all()
    return db.session.get(File, db.session.get(Letter, letter.id).file_id)


@pytest.mark.parametrize("name", NAMES)
def test_name_is_intact_in_the_drawn_letter_on_one_page(app, name):
    letter = written(name)
    letters.make_pdf(letter.id, world.START)
    pages = PdfReader(io.BytesIO(pdf(letter).content)).pages
    assert len(pages) == 1
    text = pages[0].extract_text()
    assert name in text
    assert "12 Pine Road" in text
    assert "2026-00001" in text
    assert (float(pages[0].mediabox.width), float(pages[0].mediabox.height)) == (612.0, 792.0)


def test_drawn_letter_is_never_drawn_again(app):
    letter = written(NAMES[0])
    letters.make_pdf(letter.id, world.START)
    first = pdf(letter)
    digest, ident = hashlib.sha256(first.content).hexdigest(), first.id
    assert first.sha256 == digest
    letters.make_pdf(letter.id, world.at("2027-01-01T09:00"))
    assert (pdf(letter).id, pdf(letter).sha256) == (ident, digest)
    assert len(db.session.scalars(select(File)).all()) == 1


def test_rename_later_changes_nothing_in_the_letter(app):
    letter = written("Old Name Hauling")
    with journal.frame("test", system(), None, world.START):
        db.session.get(Party, letter.party_id).name = "New Name Hauling"
    db.session.commit()
    letters.make_pdf(letter.id, world.START)
    assert "Old Name Hauling" in PdfReader(io.BytesIO(pdf(letter).content)).pages[0].extract_text()


def test_numbers_are_gapless_within_the_plants_own_year(app):
    numbers = [written("A").number for _ in range(3)]
    late = written("A", year_at=world.at("2026-12-31T23:59")).number
    new = written("A", year_at=world.at("2027-01-01T00:00")).number
    assert (numbers, late, new) == (["2026-00001", "2026-00002", "2026-00003"], "2026-00004", "2027-00001")
    with journal.frame("test", system(), None, world.START):
        letters.write(world.plant(), None, "notice", "x", {"paragraphs": []}, world.START, law_version=None)
        db.session.rollback()
    assert written("A").number == "2026-00005"
    assert verify.verify() == []


def test_template_source_in_the_data_is_printed_not_run(app):
    letter = written('#panic("x") $a$ \\ *b* <c> "q"')
    letters.make_pdf(letter.id, world.START)
    assert '#panic("x") $a$' in PdfReader(io.BytesIO(pdf(letter).content)).pages[0].extract_text()
