"""What an application does not hold yet, listed before the nonrefundable fee is paid; filed, or complete as well."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from sqlalchemy import func, select

from haulers.models import Application, ApplicationFile, ApplicationSource, Business, Driver
from haulers.queries.answers import Answers, answers_of
from haulers.queries.applications import SourceLine, as_line, incomplete_sources, sources_of
from haulers.queries.businesses import licence_of, party_of_business, trucks_of
from haulers.queries.filing_fees import Fee
from haulers.queries.papers import certificates_block, holds, insurance_needed, insurances_of
from haulers.states import FileKind
from office.db import db
from office.formats import date_only, plural
from ordinances.calendar import Season
from ordinances.reader import Law

# The answer of a draft that its company has no drivers to list.
NO_DRIVERS, NONE_SAID = "no_drivers", "Add your drivers, or say that you have none to add."
TASK_WORDS = {"sources": "what you plan to bring", "season": "when you will bring it", "tests": "unusual waste"}


@dataclass(frozen=True)
class Missing:
    """One thing not there yet: its task, a sentence, whether it keeps the application from going, or is half there."""

    task: str
    sentence: str
    blocks: bool = False
    begun: bool = False


@dataclass(frozen=True)
class Filed:
    """Whether an application is filed only, or complete as well (§ 329-7 B(1)), with how the law is read."""

    word: str
    sentence: str
    cite: str
    reading: str | None

    @property
    def complete(self) -> bool:
        return self.word == "Complete"


def season_differs(season: str, lines: Sequence[SourceLine]) -> str:
    """The sentence against a season that the gallons asked for contradict; "" when they agree."""
    winter = sum(line.gallons_winter or 0 for line in lines)
    rest = sum(line.gallons_rest or 0 for line in lines)
    if season == "winter" and rest:
        return f"Select both seasons: you ask for {plural(rest, 'gallon')} in the rest of the year."
    if season == "rest" and winter:
        return f"Select both seasons: you ask for {plural(winter, 'gallon')} in winter."
    if season == "both" and winter + rest and not (winter and rest):
        part = "in winter" if rest else "in the rest of the year"
        return f"Select one season: you ask for no gallons {part}."
    return ""


def missing_of(business: Business, application: Application | None, season: Season, law: Law,
               day: date) -> list[Missing]:  # fmt: skip
    """Everything an application lacks, what keeps it from being sent first."""
    rows = sources_of([application.id]).get(application.id, []) if application is not None else []
    answers, asks = answers_of(application), law.value("application.asks", day)
    found = [
        *_of_sources([as_line(row) for row in rows], answers),
        *_of_the_list(rows, application),
        *(Missing("sources", said, True, True) for said in incomplete_sources(rows, asks)),
        *_to_check(application),
        *_of_answers(application, answers),
        *_of_company(business, application, season, law, day),
    ]
    return sorted(found, key=lambda one: not one.blocks)


def _of_sources(lines: Sequence[SourceLine], answers: Answers) -> list[Missing]:
    if not lines:
        return [Missing("sources", "Say what you plan to bring: no source is listed yet.", True)]
    said = season_differs(answers.season, lines)
    return [Missing("season", said, True, True)] if said else []


def _of_the_list(rows: Sequence[ApplicationSource], application: Application | None) -> list[Missing]:
    """Whether the sources listed in a draft are all of them."""
    if not rows or application is None or application.filed_at is not None or application.answers.get("complete"):
        return []
    said = "You said that more is to come." if application.answers.get("complete") is False else (
        "Say whether you have listed every source.")  # fmt: skip
    return [Missing("sources", said)]


def _to_check(application: Application | None) -> list[Missing]:
    """Answers taken over that nobody has looked at yet: they are not declared unread."""
    kept = application.answers.get("check", []) if application is not None else []
    return [Missing(task, f"Check your earlier answers about {TASK_WORDS[task]}.", True, True) for task in kept]


def _of_answers(application: Application | None, answers: Answers) -> list[Missing]:
    found = [] if answers.season else [Missing("season", "Say when you will bring it.")]
    if not answers.unusual:
        found.append(Missing("tests", "Say whether any of it is unusual waste."))
    elif answers.unusual == "yes" and application is not None and not lab_sheets(application.id):
        found.append(Missing("lab", "Add a lab sheet of the unusual waste if you have one."))
    if not answers.fee and (application is None or application.filed_at is None):
        found.append(Missing("fee", "Say how you pay the filing fee."))
    return found


def _of_company(business: Business, application: Application | None, season: Season, law: Law,
                day: date) -> list[Missing]:  # fmt: skip
    party = party_of_business(business.id)
    found = [*_of_licence(business, season, law, day), *_of_insurance(business, season, law)]
    if not (party.name and party.address and party.phone):
        found.append(Missing("company", "Complete your company's name, address and phone.", begun=True))
    if not trucks_of(business.id):
        found.append(Missing("trucks", "Add your trucks."))
    return [*found, *_of_drivers(drivers(business.id), application, season, law)]


def _of_licence(business: Business, season: Season, law: Law, day: date) -> list[Missing]:
    licence = licence_of(business.id)
    if licence is None:
        needs = law.has("approval.licence", day) and law.value("approval.licence", day)
        return [Missing("license", "Give your state license.", bool(needs))]
    return _ends_early("license", "Your license", licence.ends_on, season)


def _of_insurance(business: Business, season: Season, law: Law) -> list[Missing]:
    """Liability insurance, where an approval of the season is good only with it."""
    if not insurance_needed(law, season.start):
        return []
    insurance = insurances_of([business.id]).get(business.id)
    if insurance is None:
        return [Missing("insurance", "Give your liability insurance.")]
    return _ends_early("insurance", "Your liability insurance", insurance.ends_on, season)


def _of_drivers(known: Sequence[Driver], application: Application | None, season: Season, law: Law) -> list[Missing]:
    """Drivers, or the word that there are none; where nobody may unload without one, the certificate of each."""
    needed = certificates_block(law, season.start)
    if not known:
        sent = application is not None and application.filed_at is not None
        none = application is not None and application.answers.get(NO_DRIVERS)
        said = "Add your drivers with their state certificates." if needed else NONE_SAID
        return [Missing("drivers", said, begun=needed)] if needed or not (none or sent) else []
    found = []
    for one in known if needed else ():
        if one.certificate_ends_on is None:
            found.append(Missing("drivers", f"Give the state certificate of {one.name}.", begun=True))
        elif not holds(one, season.start):
            found += _ends_early("drivers", f"The certificate of {one.name}", one.certificate_ends_on, season)
    return found


def _ends_early(task: str, what: str, ends: date, season: Season) -> list[Missing]:
    if ends >= season.start:
        return []
    return [Missing(task, f"{what} ends {date_only(ends)}, before the season begins. Give the new one.", begun=True)]


def drivers(business_id: int) -> list[Driver]:
    """Those who drive for a business now, by name."""
    query = select(Driver).filter_by(business_id=business_id, retired_at=None)
    return list(db.session.scalars(query.order_by(Driver.name, Driver.id)))


def lab_sheets(application_id: int) -> int:
    """How many lab sheets stand with an application."""
    query = select(func.count(ApplicationFile.id)).filter_by(application_id=application_id, removed_at=None)
    return db.session.scalar(query.filter_by(kind=FileKind.LAB.value)) or 0


def filed_or_complete(fee: Fee | None, law: Law, day: date) -> Filed:
    """Filed is sent in time; complete is the fee received or waived too."""
    row = law.row("application.fee_set_by", day)
    if fee is not None and fee.holds:
        how = f"waived by {fee.waived}" if fee.waived else f"received {date_only(fee.paid_on)}"
        return Filed("Complete", f"Sent, and the filing fee {how}.", row.cite, row.reading)
    return Filed("Filed", "Sent; the filing fee is not received yet.", row.cite, row.reading)
