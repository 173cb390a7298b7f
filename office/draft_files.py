"""Files chosen in a form that is shown again: kept for the person who chose them, so that none is chosen twice.

A browser cannot be handed a file back. So a good file of a form that comes back (a row added, an error, a sign-in that
lapsed meanwhile) is stored under a key of our own, and the form carries the key. Only the person the form was shown to
can hand it in with that key; nobody is shown its bytes. It becomes part of a record by the act alone, and is gone after
``DAYS``.
"""

import uuid
from datetime import datetime, timedelta
from typing import Any

from flask import g, has_request_context, request
from sqlalchemy import ForeignKey, Integer, LargeBinary, String, delete, select
from sqlalchemy.orm import Mapped, deferred, mapped_column

from office import kept
from office.db import Model, Utc, db, lapsed
from office.files import Upload, problem, upload_of
from office.seals import sealed, sealed_id

DAYS = timedelta(days=3)
# What one person has kept at a time; an older one makes room.
MOST = 10


@sealed
class DraftFile(Model):
    """One file chosen in a form that was not taken yet. ``key`` is what its form carries."""

    __tablename__ = "draft_file"
    __journal__ = False
    id: Mapped[int] = sealed_id()
    key: Mapped[str] = mapped_column(String(32), unique=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("person.id"), index=True)
    name: Mapped[str] = mapped_column(String(300))
    size: Mapped[int] = mapped_column(Integer)
    content: Mapped[bytes] = deferred(mapped_column(LargeBinary, nullable=False))
    kept_at: Mapped[datetime] = mapped_column(Utc)
    seal: Mapped[str] = mapped_column(String(64))


def _person_id() -> int | None:
    found: int | None = getattr(g.get("by"), "person_id", None) if has_request_context() else None
    return found


def offer(name: str, upload: Upload) -> str:
    """The key a field's good file has if its form is shown again; "" where it cannot be kept.

    It is stored only then (``keep_offered``): a form that is taken leaves nothing behind.
    """
    if _person_id() is None:
        return ""
    if lapsed():
        return str(g.get("held_files", {}).get(name, ""))
    offered: dict[str, tuple[str, Upload]] = g.setdefault("offered_files", {})
    if name not in offered:
        offered[name] = (uuid.uuid4().hex, upload)
    return offered[name][0]


def taken_up(key: str) -> Upload | None:
    """The file a form carries the key of, if this person chose it; None once it is gone, and for anybody else."""
    query = select(DraftFile).filter_by(key=key, person_id=_person_id())
    found = db.session.scalars(query).one_or_none()
    return Upload(found.name, found.size, found.content) if found is not None else None


def keep_offered(at: datetime) -> list[tuple[str, str]]:
    """Store what the page just shown offered to keep; the fields that carry it. Commits: nothing else is open."""
    offered: dict[str, tuple[str, Upload]] = g.pop("offered_files", {})
    person_id = _person_id()
    if not offered or person_id is None or g.get("only_reads"):
        return []
    for key, upload in offered.values():
        _store(key, upload, person_id, at)
    db.session.commit()
    return [(f"{name}-kept", key) for name, (key, _) in offered.items()]


def hold(at: datetime) -> None:
    """Store the good files of a form that cannot be taken because its sign-in or token lapsed.

    For whom it was shown to: only a form that stood on our page carries that person's mark. Commits: nothing else is
    open.
    """
    person_id = kept.person_of(request.form.get("whose", ""))
    chosen = any(one.filename for one in request.files.values())
    if not chosen or person_id is None or "held_files" in g or lapsed():
        return
    held: dict[str, str] = g.setdefault("held_files", {})
    for name, one in request.files.items():
        upload = upload_of(one) if one.filename else None
        one.stream.seek(0)
        if upload is not None and problem(upload) is None:
            held[name] = uuid.uuid4().hex
            _store(held[name], upload, person_id, at)
    db.session.commit()


def _store(key: str, upload: Upload, person_id: int, at: datetime) -> None:
    query = select(DraftFile.id).filter_by(person_id=person_id).order_by(DraftFile.kept_at.desc(), DraftFile.id)
    old = list(db.session.scalars(query.offset(MOST - 1)))
    db.session.execute(delete(DraftFile).where(DraftFile.id.in_(old)))
    db.session.add(DraftFile(key=key, person_id=person_id, name=upload.name, size=upload.size, content=upload.content,
                             kept_at=at))  # fmt: skip
    db.session.flush()


def old_ones(at: datetime) -> bool:
    """Whether any is older than ``DAYS``."""
    query = select(DraftFile.id).where(DraftFile.kept_at < at - DAYS).limit(1)
    return db.session.scalars(query).first() is not None


def let_go(at: datetime) -> None:
    """Take away what was kept longer than ``DAYS``. Never commits: a job does."""
    gone: Any = delete(DraftFile).where(DraftFile.kept_at < at - DAYS)
    db.session.execute(gone)
