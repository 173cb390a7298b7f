"""What is printed of the plant's lists: each page says what it is, whose, of which day, and which page of how many."""

import io
import os
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader

from tests.intake.gatehouse import good, log
from tests.intake.plant import hauler
from tests.intake.test_station_browser import TABLETS, browser, site, tablet

__all__ = ["browser", "site"]
pytestmark = pytest.mark.browser
# Where a folder is named the prints are kept, to be looked at.
SHOTS = os.environ.get("SEPTAGE_SHOTS")


def printed(page: Any, address: str) -> list[str]:
    """The text of each page of what a browser prints of an address."""
    page.goto(address)
    paper = page.pdf(prefer_css_page_size=True)
    if SHOTS:
        Path(SHOTS, f"{address.rsplit('/', 1)[-1].partition('?')[0]}.pdf").write_bytes(paper)
    return [" ".join(one.extract_text().split()).replace("ﬁ", "fi") for one in PdfReader(io.BytesIO(paper)).pages]


def test_every_printed_page_of_the_day_sheet_and_the_loads_names_day_plant_and_page(browser, site):
    who = hauler("Northwoods Pumping")
    for minute in range(0, 168, 7):
        good(log(who, 20, f"2026-10-06T{7 + minute // 60:02}:{minute % 60:02}"))
    page = tablet(browser, site, TABLETS[0])
    for path, title in (("plant/day/2026-10-06", "Day sheet for Tuesday, October 6, 2026"), ("plant/loads", "Loads"),
                        ("plant/loads?find=Northwoods", "Loads")):  # fmt: skip
        pages = printed(page, f"{site}/bayfield/{path}")
        assert len(pages) > 1, path
        for number, words in enumerate(pages, 1):
            assert f"Page {number} of {len(pages)}" in words, (path, words)
            assert f"{title} · Bayfield Wastewater Treatment Works · Tuesday, October 6, 2026" in words, (path, words)
