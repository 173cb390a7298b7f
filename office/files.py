"""Files: bytes in a table under our own key, handed only to those who may see the record they belong to.

What a file is, its bytes say; the name it came with is only shown. Files leave as downloads that no browser opens as
a page of ours.
"""

import hashlib
import re
import uuid
from dataclasses import dataclass
from datetime import datetime
from io import BytesIO
from pathlib import PurePosixPath
from tempfile import SpooledTemporaryFile
from typing import Any

from flask import Request, send_file
from sqlalchemy import CheckConstraint, ForeignKey, Integer, LargeBinary, String
from sqlalchemy.orm import Mapped, deferred, mapped_column
from werkzeug.datastructures import FileStorage
from werkzeug.wrappers import Response

from office.db import Model, Utc, db
from office.fields import clean

LIMIT = 10 * 1024 * 1024
MEGABYTE = 1024 * 1024
KINDS = {"application/pdf": "PDF", "image/jpeg": "JPEG", "image/png": "PNG", "image/heic": "HEIC"}
ENDINGS = {"application/pdf": (".pdf",), "image/jpeg": (".jpg", ".jpeg"), "image/png": (".png",),
           "image/heic": (".heic", ".heif")}  # fmt: skip
KIND_WORDS = "PDF, JPEG, PNG or HEIC"
HEIC_BRANDS = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx")
LONGEST_NAME = 200


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


@dataclass(frozen=True)
class Upload:
    """A file as it came: the name it was given, its size in bytes, and its bytes, cut one byte after the limit."""

    name: str
    size: int
    content: bytes

    @property
    def words(self) -> str:
        return size_words(self.size)


def kind_of(content: bytes) -> str | None:
    """The media type the bytes themselves show, of the four that are taken; None for anything else."""
    if content.startswith(b"%PDF-"):
        return "application/pdf"
    if content.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if content.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    return "image/heic" if _is_heic(content) else None


def _is_heic(content: bytes) -> bool:
    # An ISO media file begins with a box "ftyp": its length, the chief brand, a version, then all brands it follows.
    length = int.from_bytes(content[:4], "big")
    brands = content[8:12] + content[16 : max(16, min(length, 256))]
    named = {brands[at : at + 4] for at in range(0, len(brands), 4)}
    return content[4:8] == b"ftyp" and not named.isdisjoint(HEIC_BRANDS)


def upload_of(found: FileStorage) -> Upload:
    """What came, read whole: at most one byte more than may be kept."""
    stream: Any = found.stream
    content = stream.read(LIMIT + 1)
    return Upload(shown_name(found.filename or ""), max(getattr(stream, "sent", 0), len(content)), content)


def problem(upload: Upload) -> str | None:
    """The sentence against a file that cannot be kept, or None."""
    if wrong := wrong_size(upload):
        return wrong
    if kind_of(upload.content) is None:
        return f"The file must be a {KIND_WORDS}. What is inside {upload.name} is none of them"
    return None


def wrong_size(upload: Upload) -> str | None:
    """The sentence against a file that is too large or empty, whatever is inside; None for any other."""
    if upload.size > LIMIT:
        return f"The file must be {size_words(LIMIT)} or smaller. {upload.name} has {size_words(upload.size)}"
    return None if upload.size else f"The file {upload.name} is empty. Choose another"


def size_words(size: int) -> str:
    """Bytes in words: "640 bytes", "120 KB", "10.1 MB". Parts count up, so that too large never looks right."""
    if size < 1024:
        return f"{size} bytes"
    if size < MEGABYTE:
        return f"{-(-size // 1024)} KB"
    whole, tenth = divmod(-(-size * 10 // MEGABYTE), 10)
    return f"{whole}.{tenth} MB" if tenth else f"{whole} MB"


def shown_name(given: str, kind: str = "") -> str:
    """The given name as it may be shown: no folders, no hidden signs, not too long, ending as its kind does."""
    name = re.split(r"[\\/]", clean(given))[-1].replace("\n", " ").replace("\t", " ").strip(" .")
    endings = ENDINGS.get(kind, ("",))
    stem, ending = name, ""
    if name.lower().endswith(endings):
        ending = PurePosixPath(name).suffix if kind else ""
        stem = name[: len(name) - len(ending)]
    return (stem.strip(" .")[:LONGEST_NAME] or "file") + (ending or endings[0])


def keep(upload: Upload, at: datetime, plant_id: int | None) -> File:
    """Keep a file that ``problem`` has nothing against, under the kind its bytes show."""
    kind = kind_of(upload.content)
    if kind is None or problem(upload):
        raise ValueError("a file is kept only after problem() was asked")
    return store(upload.content, shown_name(upload.name, kind), kind, at, plant_id)


def store(content: bytes, name: str, kind: str, at: datetime, plant_id: int | None) -> File:
    """Keep bytes (at most 10 MB) under a new key of our own."""
    file = File(
        plant_id=plant_id, key=uuid.uuid4().hex, name=name, kind=kind, size=len(content),
        sha256=hashlib.sha256(content).hexdigest(), content=content, stored_at=at,
    )  # fmt: skip
    db.session.add(file)
    db.session.flush()
    return file


def hand_over(file: File) -> Response:
    """A file as a download. Whoever calls has checked that the person may see it."""
    response: Response = send_file(BytesIO(file.content), mimetype=file.kind, as_attachment=True,
                                   download_name=file.name)  # fmt: skip
    response.headers["Content-Security-Policy"] = "default-src 'none'; sandbox"
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response


class Capped(SpooledTemporaryFile[bytes]):
    """What comes of one file, kept to one byte over the limit; the rest is counted and let go.

    So a form with a file far too large still arrives whole, and is answered in words with all its fields.
    """

    sent = 0

    def write(self, data: Any) -> int:
        self.sent += len(data)
        room = LIMIT + 1 - self.tell()
        if room > 0:
            super().write(data[:room])
        return len(data)


class CappedRequest(Request):
    """A request whose files take no more room than one that may be kept."""

    def _get_file_stream(self, *_: Any, **__: Any) -> Any:
        return Capped(max_size=MEGABYTE // 2, mode="w+b")
