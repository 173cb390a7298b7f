"""An application as it was sent, in words, beside what the company's own pages say now."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from haulers.models import Application, Business
from haulers.queries.answers import Answers, differences, source_words, stated
from haulers.queries.applications import SourceLine
from haulers.queries.files import lines_at
from haulers.queries.snapshot import company_now
from office.formats import date_only, plural

NONE = "None"


@dataclass(frozen=True)
class SentRow:
    """One thing the application rests on: its words when it was sent, and those of today."""

    name: str
    sent: str
    now: str

    @property
    def differs(self) -> bool:
        return self.sent != self.now


@dataclass(frozen=True)
class AsSent:
    """A sent application as it was sent: its company, and its sources and answers where they were changed since."""

    company: tuple[SentRow, ...]
    files: tuple[str, ...]
    sources: tuple[Sequence[tuple[str, str]], ...]
    answers: Sequence[tuple[str, str]]

    @property
    def differs(self) -> bool:
        """Whether anything of the company is another now."""
        return any(row.differs for row in self.company)


def as_sent(business: Business, application: Application, today: Mapping[str, Any] | None = None) -> AsSent | None:
    """An application as it was sent; None for one whose company was not kept when it was sent.

    ``today`` are its sources and answers as who looks at it may know them, those it has unless given.
    """
    sent: Mapping[str, Any] = application.sent or {}
    if "company" not in sent:
        return None
    then, now = company_words(sent), company_words(company_now(business))
    rows = tuple(SentRow(name, words, current) for (name, words), (_, current) in zip(then, now, strict=True))
    files = sent["files"] if "files" in sent else lines_at(application.id)
    changed = bool(differences({**sent, "files": ()}, stated(application) if today is None else today))
    sources = [source_words(SourceLine(**one)) for one in sent["sources"]] if changed else []
    answers = Answers(**sent["answers"]).rows() if changed else []
    return AsSent(rows, tuple(file_words(one) for one in files), tuple(sources), answers)


def company_words(data: Mapping[str, Any]) -> list[tuple[str, str]]:
    """(name, words) of company, license, trucks, drivers and insurance in ``snapshot`` data; always the same names."""
    company, licence = data["company"], data["licence"]
    given = f"{licence['state']} {licence['number']}".strip() if licence else ""
    return [
        ("Company", company["name"]), ("Address", company["address"]), ("Phone", company["phone"]),
        ("E-mail", company["email"]), ("Contact person", company["contact"]),
        ("State license", _list([given, _ends(licence["ends"])]) if licence else ""),
        ("Trucks", _several(_truck(one) for one in data["trucks"])),
        ("Drivers", _several(_driver(one) for one in data["drivers"])),
        ("Insurance", _several(_insurance(one) for one in data["insurance"])),
    ]  # fmt: skip


def file_words(file: Mapping[str, Any]) -> str:
    """ "Lab sheet: tank.pdf, 12 KB"."""
    return f"{file['kind']}: {file['name']}, {file['size']}"


def _truck(one: Mapping[str, Any]) -> str:
    sticker = f"state number {one['sticker']}" if one["sticker"] else ""
    return _list([one["plate"], one["name"], plural(one["capacity"], "gallon"), sticker])


def _driver(one: Mapping[str, Any]) -> str:
    certificate = " ".join(filter(None, (one["certificate"], one["number"]))) or "no certificate given"
    return _list([one["name"], certificate, _ends(one["ends"]), "operator-in-charge" if one["in_charge"] else ""])


def _insurance(one: Mapping[str, Any]) -> str:
    return _list([one["insurer"], f"policy {one['policy']}" if one["policy"] else "", _ends(one["ends"])])


def _ends(day: str) -> str:
    return f"ends {date_only(date.fromisoformat(day))}" if day else ""


def _list(words: Sequence[str]) -> str:
    return ", ".join(filter(None, words))


def _several(lines: Any) -> str:
    return "; ".join(lines) or NONE
