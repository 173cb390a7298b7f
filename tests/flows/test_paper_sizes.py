"""What goes on paper fits its sheet: letters, invoices and receipts on letter paper, a ticket on half of one."""

import io

import pytest
from pypdf import PageObject, PdfReader
from sqlalchemy import select

from office.db import db
from office.letters import Letter, render
from tests.haulers.test_every_letter import placed

pytestmark = [pytest.mark.xdist_group("season"), pytest.mark.looks]
LETTER, INCHES = (612.0, 792.0), 11


def largest(template: str) -> PdfReader:
    """The letter of a template with the most to say, drawn."""
    rows = db.session.scalars(select(Letter).filter_by(template=template)).all()
    longest = max(rows, key=lambda one: len(str(one.data)))
    return PdfReader(io.BytesIO(render(longest.template, longest.data)))


def size(page: PageObject) -> tuple[float, float]:
    return float(page.mediabox.width), float(page.mediabox.height)


@pytest.mark.parametrize("template", ["invoice", "receipt", "ticket", "application_receipt", "approval", "rejection",
                                      "revocation"])  # fmt: skip
def test_every_sheet_is_letter_paper_with_nothing_beyond_its_edges(season, template):
    pages = largest(template).pages
    assert {size(page) for page in pages} == {LETTER}
    for page in pages:
        found = placed(page)
        assert min(x for _, x, _, _ in found) >= 0.6
        assert max(y for _, _, y, _ in found) <= INCHES - 0.25


@pytest.mark.parametrize("template", ["receipt", "ticket", "approval", "rejection", "revocation"])
def test_these_are_one_page(season, template):
    assert len(largest(template).pages) == 1


def test_a_ticket_is_two_copies_cut_apart_in_the_middle_of_the_sheet(season):
    """Half letter each, the plant's above and the driver's below, neither reaching into the other."""
    (page,) = largest("ticket").pages
    words = [(text, top) for text, _, top, _ in placed(page)]
    above, below = ([text for text, top in words if (top < INCHES / 2) is upper] for upper in (True, False))
    assert ("Plant copy" in above, "Driver copy" in below) == (True, True)
    assert not {"Driver copy"} & set(above) and not {"Plant copy"} & set(below)
    signed = [[text for text in half if text.startswith("Operator:")] for half in (above, below)]
    assert [len(one) for one in signed] == [1, 1]
