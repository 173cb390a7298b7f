"""Every letter on paper: one page where it fits at 10 points, the address alone in a No. 10 window, its own fonts."""

import io
from typing import Any

import pytest
from pypdf import PageObject, PdfReader

from office.letters import TEMPLATES, Letter, render
from tests.haulers.every_letter import ADDRESS, LETTERS, NAME, PAPERS, newest

INCH = 72
# Opened by the tests of other rooms, on the same frame.
ELSEWHERE = {"blank_tickets", "invoice", "labels", "notice", "receipt", "record_overdue", "sampling_plan",
             "special_time", "statement", "testing_rule", "ticket", "ticket_roll", "waste_finding"}  # fmt: skip
# With the longest words people write these take a second page rather than letters too small to read.
RUNS_ON = {"receipt", "late receipt", "receipt of one taken late", "approval in part", "corrected approval",
           "overdue notice", "violation"}  # fmt: skip
# Letters drawn by another's template.
SHARED = {"late_receipt"}
# What letters are made of, none themselves.
PARTS = {"frame", "papers"}
# A No. 10 envelope is 4 1/8 by 9 1/2 inches; its window, 4 1/2 by 1 1/8, stands 7/8 from the left and 1/2 above the
# bottom edge. A letter folded in three lies at the bottom and may slide an inch sideways.
TOP = (4.125 - 0.5 - 1.125) - (4.125 - 11 / 3)
WINDOW = {"left": 0.875, "right": 0.875 + 4.5 - 1, "top": TOP, "bottom": TOP + 1.125}
SHOWN = {"left": 0.875 - 1, "right": 0.875 + 4.5, "top": TOP, "bottom": TOP + 1.125}


def drawn(kind: str) -> PdfReader:
    letter = newest(kind)
    return PdfReader(io.BytesIO(render(letter.template, letter.data)))


def placed(page: PageObject) -> list[tuple[str, float, float, float]]:
    """Each run of text with inches from the left and from the top to its base line, and its size in points."""
    found: list[tuple[str, float, float, float]] = []

    def visit(text: str, cm: Any, tm: Any, _font: Any, size: float) -> None:
        if text.strip():
            x, y = cm[0] * tm[4] + cm[2] * tm[5] + cm[4], cm[1] * tm[4] + cm[3] * tm[5] + cm[5]
            found.append((text.strip(), x / INCH, 11 - y / INCH, size * abs(cm[0])))

    page.extract_text(visitor_text=visit)
    return found


def said(reader: PdfReader) -> str:
    return " ".join(" ".join(page.extract_text() for page in reader.pages).split())


def written(reader: PdfReader) -> list[tuple[str, float]]:
    """What the letter itself says and how large, page by page: without letterhead, address and foot."""
    from_top = [WINDOW["bottom"], *(0.5 for _ in reader.pages[1:])]
    return [(text, size) for page, top in zip(reader.pages, from_top, strict=True)
            for text, _, y, size in placed(page) if top < y < 10.35]  # fmt: skip


@pytest.mark.parametrize("name", LETTERS)
def test_letter_with_long_words_names_hauler_number_and_date_and_is_never_set_below_ten_points(
    app: Any, before: Any, name: str
) -> None:
    kind, make = LETTERS[name]
    make()
    letter, reader = newest(kind), drawn(kind)
    pages = len(reader.pages)
    assert pages <= (2 if name in RUNS_ON else 1)
    text = said(reader)
    for words in (NAME, f"No. {letter.number}", letter.data["date"], letter.title, f"page {pages} of {pages}"):
        assert words in text
    assert min(size for _, size in written(reader)) >= 10 - 0.01
    assert min(size for page in reader.pages for *_, size in placed(page)) >= 8 - 0.01


@pytest.mark.parametrize("name", LETTERS)
def test_address_and_nothing_else_shows_in_the_envelopes_window(app: Any, before: Any, name: str) -> None:
    kind, make = LETTERS[name]
    make()
    check_window(newest(kind))


def check_window(letter: Letter) -> None:
    """The address, whole and alone, is what a No. 10 envelope's window shows of a letter's first page."""
    page = PdfReader(io.BytesIO(render(letter.template, letter.data))).pages[0]
    shown = [
        (text, x, y, size / INCH) for text, x, y, size in placed(page)
        if SHOWN["left"] <= x <= SHOWN["right"] and SHOWN["top"] <= y and y - size / INCH <= SHOWN["bottom"]
    ]  # fmt: skip
    assert " ".join(" ".join(text for text, *_ in shown).split()) == " ".join(letter.data["addressee"])
    for text, x, y, size in shown:
        assert WINDOW["left"] <= x, text
        # An eighth of an inch clear of the window's edge, from the top of the capitals to the descenders.
        assert WINDOW["top"] + 0.125 <= y - 0.65 * size, text
        assert y + 0.25 * size <= WINDOW["bottom"] - 0.125, text


def test_notice_of_violation_lists_every_day_as_each_is_an_offense(app: Any, before: Any) -> None:
    LETTERS["violation"][1]()
    text = said(drawn("violation"))
    for day in range(5, 17):
        assert f", October {day}, 2026" in text
    assert "more day" not in text


def test_long_addresses_reach_the_letter_whole(app: Any, before: Any) -> None:
    LETTERS["rejection"][1]()
    assert newest("rejection").data["addressee"] == [NAME, *ADDRESS.split("\n")]


@pytest.mark.parametrize("name", [*LETTERS, *PAPERS])
def test_letter_uses_only_the_fonts_that_come_along(app: Any, before: Any, name: str) -> None:
    kind, make = (LETTERS | PAPERS)[name]
    make()
    fonts = set()
    for page in drawn(kind).pages:
        for font in page["/Resources"]["/Font"].values():
            held = font.get_object()
            fonts.add(held["/BaseFont"].partition("+")[2].partition("-")[0])
            assert "/ToUnicode" in held
    assert fonts == {"LibertinusSerif"}


@pytest.mark.parametrize("name", PAPERS)
def test_committees_papers_name_haulers_and_number_their_pages(app: Any, before: Any, name: str) -> None:
    kind, make = PAPERS[name]
    make()
    reader = drawn(kind)
    assert NAME in said(reader)
    assert f"page {len(reader.pages)} of {len(reader.pages)}" in " ".join(reader.pages[-1].extract_text().split())


def test_every_template_of_a_letter_is_opened_here_or_in_its_own_room() -> None:
    here = {kind for kind, _ in (LETTERS | PAPERS).values()}
    assert {path.stem for path in TEMPLATES.glob("*.typ")} == here - SHARED | ELSEWHERE | PARTS
