"""Haulers' own laboratory sheets, kept beside the plant's results (§ 329-7 E(1), F(1))."""

from dataclasses import dataclass
from datetime import date

from sqlalchemy import select

from intake.models import Load, OwnSheet
from office.db import db
from office.files import KINDS, File, size_words
from ordinances.reader import Law

BY, PREVAILS = "testing.by", "testing.result_prevails"


@dataclass(frozen=True)
class Sheet:
    """One sheet as pages list it."""

    row: OwnSheet
    name: str
    size: str


def of_load(load_id: int) -> list[Sheet]:
    """The sheets of one load, the first at the top; their bytes are left where they are."""
    query = select(OwnSheet, File.name, File.kind, File.size).join(File, File.id == OwnSheet.file_id)
    rows = db.session.execute(query.where(OwnSheet.load_id == load_id).order_by(OwnSheet.id))
    return [Sheet(row, name, f"{KINDS[kind]}, {size_words(size)}") for row, name, kind, size in rows]


def sheet(plant_id: int, sheet_id: int) -> tuple[OwnSheet, Load] | None:
    """One sheet of this plant with its load."""
    query = select(OwnSheet, Load).join(Load, Load.id == OwnSheet.load_id)
    found = db.session.execute(query.where(OwnSheet.plant_id == plant_id, OwnSheet.id == sheet_id)).one_or_none()
    return (found[0], found[1]) if found is not None else None


@dataclass(frozen=True)
class Counts:
    """What a hauler's own sheet counts for: the sentence, its section and how the text is read."""

    words: str
    cite: str
    reading: str | None


def counts(law: Law, day: date) -> Counts:
    """Whose result counts for charges by the law of the town."""
    if law.has(PREVAILS, day) and law.value(PREVAILS, day):
        row = law.row(PREVAILS, day)
        return Counts("The plant's own result is binding; a sheet of the hauler's is kept beside it.", row.cite,
                      row.reading)  # fmt: skip
    if law.has(BY, day):
        row = law.row(BY, day)
        return Counts("The plant samples and tests; a sheet of the hauler's is kept beside its result.", row.cite,
                      row.reading)  # fmt: skip
    words = "A sheet of the hauler's is kept beside the plant's result. No § says which counts: here the plant's does."
    return Counts(words, "", None)
