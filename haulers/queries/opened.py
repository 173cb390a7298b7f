"""What of a sent application is open for a change, until when, and what was changed outside of it (§ 329-7 B(1))."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from haulers.models import Application, ApplicationChange
from haulers.queries.answers import differences
from haulers.queries.changes import waiting_change
from haulers.queries.files import KIND_WORDS
from haulers.queries.windows import window_of
from haulers.states import FileKind
from ordinances.calendar import FilingStatus, season_named
from ordinances.reader import Law

SOURCES, GALLONS, SEASON, UNUSUAL, FILES = "sources", "gallons", "season", "unusual", "files"
PARTS = {
    SOURCES: "the sources (type, place, tank, how often)", GALLONS: "the gallons", SEASON: "when it is brought",
    UNUSUAL: "unusual waste", FILES: "files",
}  # fmt: skip
_OF_NAME = {"When you bring it": SEASON, "Unusual waste": UNUSUAL, "About the unusual waste": UNUSUAL}
_SCAN = KIND_WORDS[FileKind.PAPER]


@dataclass(frozen=True)
class Wish:
    """Who of the committee asked for a change, and on which day."""

    member_id: int
    on: date


def opened_words(opens: Collection[str]) -> str:
    """ "the gallons, files": what is open, in the order of the form; "" where nothing is left out."""
    return "" if not opens or set(opens) == set(PARTS) else ", ".join(PARTS[key] for key in PARTS if key in opens)


def part_of(name: str) -> str:
    """Which of ``PARTS`` an answer belongs to, by the name ``differences`` gives it; "" for the way the fee is paid."""
    if name.startswith("Source "):
        return GALLONS if ": Gallons" in name else SOURCES
    if name == "How the filing fee is paid":
        return ""
    return _OF_NAME.get(name, FILES)


def not_opened(opens: Collection[str], before: Mapping[str, Any],
               after: Mapping[str, Any]) -> list[tuple[str, str, str]]:  # fmt: skip
    """(answer, before, after) of what differs and was not opened.

    When it is brought follows from the gallons. The scan of a paper is how it came, no answer.
    """
    if not opens:
        return []
    free = {*opens, SEASON} if GALLONS in opens else set(opens)
    return [row for row in differences(before, after) if row[0] != _SCAN and part_of(row[0]) not in free]


def window_for(application: Application, law: Law) -> FilingStatus | None:
    """The filing window of an application's season; None where the place has none."""
    return window_of(law, season_named(law, application.season))


def ended(made: ApplicationChange, application: Application, law: Law, at: datetime,
          received_on: date | None = None) -> FilingStatus | None:  # fmt: skip
    """The window with which an opened change ended; None while it may be made.

    One the committee asked for does not end with it. A paper counts by the day it was received.
    """
    window = window_for(application, law)
    if window is None or made.opened_at is None or made.answered_at is not None or made.basis or made.motion_id:
        return None
    late = after_close(window, at, received_on)
    return window if late and made.opened_at.astimezone(law.zone).date() <= window.closes.date() else None


def waiting_now(application: Application, law: Law, at: datetime) -> ApplicationChange | None:
    """The change of an application that is asked for or open and did not end with the window."""
    made = waiting_change(application.id)
    return made if made is not None and ended(made, application, law, at) is None else None


def after_close(window: FilingStatus | None, at: datetime, received_on: date | None = None) -> bool:
    """Whether an instant, or the day a paper was received, is past the closing day of a window."""
    if window is None:
        return False
    day = received_on or at.astimezone(window.closes.tzinfo).date()
    return day > window.closes.date()
