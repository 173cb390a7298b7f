"""The files of a business: its own list, and what the city's people may open of it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Select, func, or_, select

from haulers.models import Application, ApplicationFile
from haulers.states import FileKind
from office.db import db
from office.files import File, size_words

KIND_WORDS = {
    FileKind.LICENCE: "State license",
    FileKind.INSURANCE: "Insurance",
    FileKind.CERTIFICATE: "Driver's certificate",
    FileKind.LAB: "Lab sheet",
    FileKind.PAPER: "Paper application",
}


@dataclass(frozen=True)
class KeptFile:
    """One file on record: ``id`` is the record's, by which it is asked for; ``size`` in words."""

    id: int
    kind: FileKind
    words: str
    name: str
    size: str
    added_at: datetime
    added_by: str
    application_id: int | None
    removed_at: datetime | None


def files_of(business_id: int, *kinds: FileKind, application_id: int | None = None) -> list[KeptFile]:
    """The files a business has now, newest first: its own, or those of one application; of all kinds or some."""
    query = _select().where(ApplicationFile.business_id == business_id, ApplicationFile.removed_at.is_(None),
                            ApplicationFile.application_id == application_id)  # fmt: skip
    if kinds:
        query = query.where(ApplicationFile.kind.in_([kind.value for kind in kinds]))
    return _kept(query)


def lines_at(application_id: int, at: datetime | None = None) -> list[dict[str, Any]]:
    """The files of an application as data, first added first: those it has now, or had just before an instant."""
    query = _select().where(ApplicationFile.application_id == application_id)
    if at is None:
        query = query.where(ApplicationFile.removed_at.is_(None))
    else:
        query = query.where(ApplicationFile.added_at < at,
                            or_(ApplicationFile.removed_at.is_(None), ApplicationFile.removed_at >= at))  # fmt: skip
    return [{"id": one.id, "kind": one.words, "name": one.name, "size": one.size} for one in reversed(_kept(query))]


def file_differences(
    before: Sequence[Mapping[str, Any]], after: Sequence[Mapping[str, Any]]
) -> list[tuple[str, str, str]]:
    """(what, old name, new name) of every file taken away or added between two lists of ``lines_at``."""
    had, has = {one["id"] for one in before}, {one["id"] for one in after}
    gone = [(one["kind"], one["name"], "") for one in before if one["id"] not in has]
    return gone + [(one["kind"], "", one["name"]) for one in after if one["id"] not in had]


def own_file(business_id: int, record_id: int) -> KeptFile | None:
    """One file of a business that it has not taken away; None for anybody else's."""
    query = _select().where(ApplicationFile.id == record_id, ApplicationFile.business_id == business_id,
                            ApplicationFile.removed_at.is_(None))  # fmt: skip
    return next(iter(_kept(query)), None)


def staff_files(plant_id: int, business_id: int, application_id: int | None = None) -> list[KeptFile]:
    """What the people of a plant may open of a business that applied there, newest first; see ``staff_file``.

    With ``application_id`` those of other applications are left out.
    """
    since = _applied_at(plant_id, business_id)
    if since is None:
        return []
    found = _kept(_select().where(ApplicationFile.business_id == business_id))
    theirs = _applications(plant_id, business_id)
    if application_id is not None:
        theirs &= {application_id}
    return [one for one in found if _shown_to(one, since, theirs)]


def staff_file(plant_id: int, record_id: int) -> KeptFile | None:
    """One file, for the people of a plant where its business applied.

    Not those of another plant's application nor of a draft, nor what was taken away before anything was sent here. What
    was taken away later stays to be seen: the committee may have decided on it.
    """
    row = db.session.get(ApplicationFile, record_id)
    if row is None:
        return None
    return next((one for one in staff_files(plant_id, row.business_id) if one.id == record_id), None)


def stored(record_id: int) -> File:
    """The stored bytes behind a file's record."""
    return db.session.scalars(select(File).join(ApplicationFile, ApplicationFile.file_id == File.id)
                              .where(ApplicationFile.id == record_id)).one()  # fmt: skip


def _shown_to(one: KeptFile, since: datetime, applications: Collection[int]) -> bool:
    if one.application_id is not None:
        return one.application_id in applications
    return one.removed_at is None or one.removed_at > since


def _applied_at(plant_id: int, business_id: int) -> datetime | None:
    query = select(func.min(Application.filed_at)).filter_by(plant_id=plant_id, business_id=business_id)
    return db.session.scalar(query)


def _applications(plant_id: int, business_id: int) -> set[int]:
    query = select(Application.id).filter_by(plant_id=plant_id, business_id=business_id)
    return set(db.session.scalars(query.where(Application.filed_at.is_not(None))))


def _select() -> Select[ApplicationFile, str, int]:
    return select(ApplicationFile, File.name, File.size).join(File, File.id == ApplicationFile.file_id)


def _kept(query: Select[ApplicationFile, str, int]) -> list[KeptFile]:
    rows = db.session.execute(query.order_by(ApplicationFile.id.desc()))
    return [KeptFile(row.id, FileKind(row.kind), KIND_WORDS[FileKind(row.kind)], name, size_words(size), row.added_at,
                     row.added_by, row.application_id, row.removed_at) for row, name, size in rows]  # fmt: skip
