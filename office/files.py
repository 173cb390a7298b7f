"""Files: bytes in a table under our own key, streamed only to those who may see the record they belong to."""

import hashlib
import uuid
from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Integer, LargeBinary, String
from sqlalchemy.orm import Mapped, deferred, mapped_column

from office.db import Model, Utc, db

LIMIT = 10 * 1024 * 1024


class File(Model):
    """One stored file. The given name is only shown; the key is ours."""

    __tablename__ = "file"
    __table_args__ = (CheckConstraint(f"size <= {LIMIT}", name="size_limit"),)
    plant_id: Mapped[int | None] = mapped_column(ForeignKey("plant.id"))
    key: Mapped[str] = mapped_column(String(32), unique=True)
    name: Mapped[str] = mapped_column(String(300))
    kind: Mapped[str] = mapped_column(String(60))
    size: Mapped[int] = mapped_column(Integer)
    sha256: Mapped[str] = mapped_column(String(64))
    content: Mapped[bytes] = deferred(mapped_column(LargeBinary))
    stored_at: Mapped[datetime] = mapped_column(Utc)


def store(content: bytes, name: str, kind: str, at: datetime, plant_id: int | None) -> File:
    """Keep bytes (at most 10 MB) under a new key of our own."""
    file = File(
        plant_id=plant_id, key=uuid.uuid4().hex, name=name, kind=kind, size=len(content),
        sha256=hashlib.sha256(content).hexdigest(), content=content, stored_at=at,
    )  # fmt: skip
    db.session.add(file)
    db.session.flush()
    return file
