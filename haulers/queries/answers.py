"""What a hauler answered beyond its company: the sources and the other answers, as kept, shown and compared."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any

from haulers.models import Application, ApplicationSource
from haulers.queries.applications import SourceLine, as_line, sources_of
from haulers.queries.businesses import TruckLine
from haulers.queries.files import file_differences
from office.formats import gallons
from ordinances.allocation import AREAS
from ordinances.screening import WASTE_TYPES

SEASONS = {"winter": "In winter only", "rest": "In the rest of the year only", "both": "In both"}
FEE_WAYS = {"city_hall": "At City Hall", "mail": "By mail", "paid": "It is paid already"}
NAMES = {
    "waste": "Type of waste", "place": "Where it comes from", "area": "Service area", "tank": "The tank",
    "frequency": "How often", "months": "Months", "gallons_a_load": "Gallons a load",
    "gallons_winter": "Gallons in winter", "gallons_rest": "Gallons in the rest of the year",
}  # fmt: skip


@dataclass(frozen=True)
class Answers:
    """The answers of the tasks beyond the sources; "" where a question was not answered yet.

    ``season`` is a key of ``SEASONS``, ``unusual`` "yes" or "no" with its ``words``, ``fee`` a key of ``FEE_WAYS``
    with the ``receipt`` of a fee already paid.
    """

    season: str = ""
    unusual: str = ""
    words: str = ""
    fee: str = ""
    receipt: str = ""

    def rows(self) -> list[tuple[str, str]]:
        """As a list shows them."""
        said = {"yes": "Yes", "no": "No"}.get(self.unusual, "")
        fee = FEE_WAYS.get(self.fee, "") + (f", receipt {self.receipt}" if self.receipt else "")
        return [("When you bring it", SEASONS.get(self.season, "")), ("Unusual waste", said),
                ("About the unusual waste", self.words or ("There is none" if self.unusual == "no" else "")),
                ("How the filing fee is paid", fee)]  # fmt: skip


@dataclass(frozen=True)
class PaperCompany:
    """A company the plant does not know yet, as its paper names it; no sign-in is made for it."""

    name: str
    address: str
    phone: str
    email: str
    contact: str
    licence_state: str
    licence_number: str
    licence_ends: date | None
    trucks: Sequence[TruckLine] = ()


def answers_of(application: Application | None) -> Answers:
    """The answers a draft or sent application holds."""
    kept: Mapping[str, Any] = application.answers if application is not None else {}
    return Answers(**{name: kept.get(name, "") for name in Answers.__dataclass_fields__})


def stated(application: Application, *, fresh: bool = False) -> dict[str, Any]:
    """Sources and answers of an application as data: what a change keeps as before and after."""
    rows = sources_of([application.id], fresh=fresh).get(application.id, [])
    return as_data([as_line(row) for row in rows], answers_of(application))


def as_data(lines: Sequence[SourceLine], answers: Answers) -> dict[str, Any]:
    """Sources and answers in the shape they are kept in for ever."""
    return {"sources": [asdict(line) for line in lines], "answers": asdict(answers)}


def source_words(source: ApplicationSource | SourceLine) -> list[tuple[str, str]]:
    """One source in (name, words), every question once; a blank stands for no answer."""
    tank = "Replaced a failed system" if source.replaces_failed else "Existing" if source.existing else "New"
    amounts = [source.gallons_a_load, source.gallons_winter, source.gallons_rest]
    words = [WASTE_TYPES.get(source.waste, ""), source.place, AREAS.get(source.area, ""), tank, source.frequency,
             source.months, *("" if amount is None else gallons(amount) for amount in amounts)]  # fmt: skip
    return list(zip(NAMES.values(), words, strict=True))


def differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """(what, old words, new words) of every answer or file that differs; one added or taken away against blanks."""
    found = []
    for words in (_source_answers, _other_answers):
        old, new = words(before), words(after)
        pairs = [(name, old.get(name, ""), new.get(name, "")) for name in dict.fromkeys([*old, *new])]
        found += [(name, was, now) for name, was, now in pairs if was != now]
    return found + file_differences(before.get("files", ()), after.get("files", ()))


def _source_answers(data: Mapping[str, Any]) -> dict[str, str]:
    return {f"Source {at}: {name}": words for at, source in enumerate(data.get("sources", ()), start=1)
            for name, words in source_words(SourceLine(**source))}  # fmt: skip


def _other_answers(data: Mapping[str, Any]) -> dict[str, str]:
    return dict(Answers(**data.get("answers", {})).rows())
