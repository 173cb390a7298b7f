"""The packet and the worksheet: numbered, kept, their text and pages as a member would read them."""

import time
from dataclasses import replace
from decimal import Decimal
from io import BytesIO
from typing import Any

import pytest
from pypdf import PdfReader
from sqlalchemy import select

from haulers.actions.packet import make_packet, make_worksheet
from haulers.ports import Record
from office import letters
from office.db import db
from office.files import File
from office.letters import Letter
from ordinances.calendar import season_named
from ordinances.loading import Mean
from ordinances.refusal import Refusal
from tests import world
from tests.haulers.builders import OBRIEN, OUTSIDE, SOURCE, filed, hauler
from tests.haulers.test_pages_hauler import once, signed_in, text

NOW = world.at("2026-09-10T09:00")


def season() -> Any:
    return season_named(world.law(), "2026-27")


def packet(who: str = "clerk") -> Any:
    return make_packet(world.plant(), season(), by=world.staff(who), at=NOW, law=world.law())


def worksheet(who: str = "clerk") -> Any:
    return make_worksheet(world.plant(), season(), by=world.staff(who), at=NOW, law=world.law())


def pages(letter: Any) -> list[str]:
    found = PdfReader(BytesIO(letters.render(letter.template, letter.data)))
    return [" ".join(page.extract_text().split()) for page in found.pages]


def test_the_packet_has_contents_with_page_numbers_and_a_page_for_each_hauler(app: Any, before: Any) -> None:
    filed(hauler("Nguyễn Thị Hà Pumping", "ha@hauler.example"), OUTSIDE, at="2026-08-02T09:00")
    application = filed(hauler(), SOURCE)
    before.records = {application.business_id: Record(7, 9_000, 1, 2)}
    before.strengths = {application.business_id: {("septic_tank", "TSS"): Mean(Decimal(11_000), 4)}}
    found = pages(packet())
    assert len(found) == 4
    cover, first, second, codes = found
    assert "Committee packet, season 2026-27 · 2026-00001 page 1 of 4" in cover
    assert (
        "Winter: haulers asked for 15,000 gallons; the plant can take 209,790: 194,790 gallons would be left." in cover
    )
    contents = cover.split("Contents ")[1]
    assert contents.index(f"{OBRIEN} ") < contents.index("Nguyễn Thị Hà Pumping ")
    assert OBRIEN in first
    assert "Last season 7 loads, 9,000 gallons; refused 1, late records 2, restrictions 0" in first
    assert "Septic tank: TSS 11,000 mg/L (4 results)" in first
    assert "septic tank 6,480 mg/L (typical: mean of EPA 832-F-99-068, not confirmed)" in first
    assert "Nguyễn Thị Hà Pumping" in second
    assert "Septic and holding tanks, new or existing, outside the planning area" in second
    assert "capacity_or_limits" in codes


def test_the_contents_name_the_page_a_hauler_is_on(app: Any) -> None:
    filed(hauler())
    contents = pages(packet())[0].split("Contents ")[1]
    assert contents.replace(" .", "").replace(".", "").startswith("O'Brien & Søn Septic, LLC 2")


def test_the_worksheet_works_out_winter_from_105_open_weekdays(app: Any) -> None:
    filed(hauler(), replace(SOURCE, gallons_winter=300_000))
    whole = " ".join(pages(worksheet()))
    for words in (
        "105 open weekdays × 1,998 = 209,790 gallons",
        "109 days and 217,782 gallons with an empty calendar. Closed: Thursday, November 26, 2026: Thanksgiving Day;",
        "Tier 1 asks for 300,000 gallons of 209,790: 209,790 are shared, in proportion to what is asked.",
        "300,000 209,790.00 209,790",
    ):
        assert words in whole, words


@pytest.mark.parametrize("make", [packet, worksheet])
def test_nothing_filed_makes_nothing(app: Any, make: Any) -> None:
    said = make()
    assert isinstance(said, Refusal)
    assert (said.code, said.why) == (
        "nothing_filed", "No application for season 2026-27 is before the committee yet.",
    )  # fmt: skip
    assert db.session.scalars(select(Letter)).all() == []


@pytest.mark.parametrize("make", [packet, worksheet])
@pytest.mark.parametrize("who", ["operator", "manager", "admin"])
def test_only_those_who_read_applications_make_papers(app: Any, make: Any, who: str) -> None:
    filed(hauler())
    assert make(who).why == "Only a committee member or city clerk or public works director may do this."


@pytest.mark.parametrize(("address", "word"), [("packet", "Packet"), ("worksheet", "Worksheet")])
def test_a_paper_is_made_once_kept_and_downloaded(app: Any, clock_at: Any, address: str, word: str) -> None:
    clock_at("2026-09-10T09:00")
    filed(hauler())
    client, page = signed_in(app, "member1"), f"/bayfield/committee/2026-27/{address}"
    assert "None is made yet." in text(client.get(page))
    sent = once()
    for _ in range(3):
        assert client.post(page, data=sent).location == page
    letter = db.session.scalars(select(Letter).filter_by(kind=address)).one()
    shown = client.get(page)
    assert f"{word} {letter.number} (PDF)</a>, made September 10, 2026, 9:00 a.m." in text(shown)
    assert "Refresh" not in shown.headers
    download = client.get(f"/bayfield/letters/{letter.id}")
    assert (download.mimetype, download.data[:5]) == ("application/pdf", b"%PDF-")
    assert signed_in(app).get(page).status_code == 403


def test_a_paper_still_being_made_says_so_and_the_page_looks_again(app: Any, clock_at: Any) -> None:
    clock_at("2026-09-10T09:00")
    filed(hauler())
    letter = packet()
    db.session.commit()
    shown = signed_in(app, "clerk").get("/bayfield/committee/2026-27/packet")
    assert f"Packet {letter.number} is being made. This page looks again by itself." in text(shown)
    assert shown.headers["Refresh"] == "5"


def test_sixty_applications_are_a_packet_within_seconds(app: Any) -> None:
    for n in range(60):
        filed(hauler(f"Hauler {n:02d}", f"h{n}@hauler.example"), SOURCE, OUTSIDE)
    db.session.commit()
    start = time.monotonic()
    letter = packet()
    db.session.commit()
    letters.make_pdf(letter.id, NOW)
    assert time.monotonic() - start < 20
    file = db.session.scalars(select(File).where(File.kind == "application/pdf").order_by(File.id.desc())).first()
    assert file is not None
    assert len(PdfReader(BytesIO(file.content)).pages) >= 62
