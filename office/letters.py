"""Letters and documents: numbered and frozen as data in the act's transaction, made into a PDF once, after it."""

import hashlib
import json
from datetime import datetime
from pathlib import Path
from typing import Any

import typst
from sqlalchemy import ForeignKey, String, Text, UniqueConstraint, select
from sqlalchemy.orm import Mapped, mapped_column

from office import files, journal, numbers
from office.access import party_signs_in, system
from office.db import Json, Model, Utc, db, fit
from office.people import Party
from office.plants import Plant

TEMPLATES = Path(__file__).parent.parent / "templates" / "letters"
LETTER = numbers.series("letter", "letter", "number")


class Letter(Model):
    """One document as it was decided: its number, addressee, data and template version never change."""

    __tablename__ = "letter"
    __table_args__ = (UniqueConstraint("plant_id", "kind", "number"),)
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    party_id: Mapped[int | None] = mapped_column(ForeignKey("party.id"), index=True)
    kind: Mapped[str] = mapped_column(String(40))
    number: Mapped[str] = mapped_column(String(30))
    own_number: Mapped[bool]
    title: Mapped[str] = mapped_column(String(200))
    addressee: Mapped[str] = mapped_column(Text)
    data: Mapped[Any] = mapped_column(Json)
    template: Mapped[str] = mapped_column(String(60))
    template_sha256: Mapped[str] = mapped_column(String(64))
    data_sha256: Mapped[str] = mapped_column(String(64))
    law_version: Mapped[str | None] = mapped_column(String(64))
    written_at: Mapped[datetime] = mapped_column(Utc)
    file_id: Mapped[int | None] = mapped_column(ForeignKey("file.id"))


def write(plant: Plant, party: Party | None, kind: str, title: str, data: dict[str, Any], at: datetime, *,
          law_version: str | None, number: str | None = None, template: str | None = None) -> Letter:  # fmt: skip
    """Freeze a document. ``data`` is what the template prints (strings and lists of strings; money already in words).

    ``number`` None takes the next letter number of the year; tickets, invoices and receipts bring their own.
    """
    template = template or kind
    source = (TEMPLATES / f"{template}.typ").read_bytes() + (TEMPLATES / "frame.typ").read_bytes()
    own = number is not None
    number = number or numbers.numbered(plant.id, LETTER, at.astimezone(plant.tz).year)
    addressee = "\n".join([party.name, *party.address.splitlines()]) if party else ""
    whole = {
        "plant": {"name": plant.name, "city": plant.city, "address": plant.address.splitlines(), "phone": plant.phone,
                  "hours": plant.help_hours},
        "number": number, "title": title, "addressee": addressee.splitlines(),
        "date": f"{at.astimezone(plant.tz):%B} {at.astimezone(plant.tz).day}, {at.astimezone(plant.tz).year}",
    } | data  # fmt: skip
    letter = Letter(
        plant_id=plant.id, party_id=party.id if party else None, kind=kind, number=number,
        title=fit(title, Letter.title), addressee=addressee, own_number=own, data=whole, template=template,
        template_sha256=hashlib.sha256(source).hexdigest(),
        data_sha256=_sha(whole), law_version=law_version, written_at=at,
    )  # fmt: skip
    db.session.add(letter)
    db.session.flush()
    db.session.info["letters"] = True
    return letter


def _sha(data: Any) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def render(template: str, data: dict[str, Any]) -> bytes:
    """The PDF of a template with its data; data goes in as JSON, never as template source.

    Only the fonts that come with the typesetter are used, so a letter looks the same on every machine.
    """
    inputs = {"data": json.dumps(data)}
    return typst.compile(str(TEMPLATES / f"{template}.typ"), root=str(TEMPLATES), sys_inputs=inputs,
                         ignore_system_fonts=True)  # fmt: skip


def written() -> bool:
    """Whether this session wrote a letter since it last looked which ones wait."""
    return "letters" in db.session.info


def waiting() -> list[int]:
    """Ids of the letters whose PDF is not made yet."""
    db.session.info.pop("letters", None)
    return list(db.session.scalars(select(Letter.id).where(Letter.file_id.is_(None)).order_by(Letter.id)))


def make_pdf(letter_id: int, at: datetime) -> None:
    """Make and store the PDF of one letter, once. The PDF is drawn outside any transaction; commits."""
    letter = db.session.get_one(Letter, letter_id)
    template, data, name = letter.template, letter.data, f"{letter.kind} {letter.number}.pdf".replace("/", "-")
    plant_id, done = letter.plant_id, letter.file_id is not None
    db.session.rollback()
    if done:
        return
    content = render(template, data)
    with journal.frame("make_pdf", system(), None, at):
        query = select(Letter).where(Letter.id == letter_id).with_for_update()
        letter = db.session.scalars(query.execution_options(populate_existing=True)).one()
        if letter.file_id is None:
            letter.file_id = files.store(content, name, "application/pdf", at, plant_id).id
    db.session.commit()


def where_kept(letter: Letter, party_id: int, at: datetime, what: str = "") -> str:
    """Where a letter is: "Letter 2026-L-003 is in your account under Letters.", or enclosed for a company on paper.

    ``what`` says what it has, such as " with the conditions".
    """
    where = "is in your account under Letters" if party_signs_in(party_id, at) else "is enclosed"
    return f"Letter {letter.number}{what} {where}."
