"""What a hauler owes the city: changes to make, violations to correct, an application (§ 329-7 B(1), § 329-10)."""

from dataclasses import dataclass
from datetime import date, datetime

from haulers.models import Application
from haulers.queries.applications import application_for, applications_of
from haulers.queries.bars import reapply_barred
from haulers.queries.enforcement import violations_of
from haulers.queries.opened import waiting_now
from haulers.queries.sustained import to_ask_again
from haulers.states import STATE_WORDS, ApplicationState
from office.plants import Plant
from ordinances.calendar import FilingStatus, filing_status
from ordinances.reader import Law

PENDING = (ApplicationState.FILED.value, ApplicationState.ASKED_LATE.value)


@dataclass(frozen=True)
class Due:
    """One thing to do by a day, where one is set: a ``change`` to make, a ``violation`` to correct, one won: ``again``.

    ``ident`` is the change, or the letter of the notice; ``name`` the number, or the words, of what it is about.
    """

    kind: str
    ident: int | None
    name: str
    words: str
    by: date | None
    late: bool


def pending(plant_id: int, business_id: int) -> list[Application]:
    """The applications of a business that its letter has not answered yet, newest season first."""
    found = [one for one in applications_of(plant_id, business_id) if one.state in PENDING]
    return sorted(found, key=lambda one: (one.season, one.id), reverse=True)


def pending_words(plant_id: int, business_id: int) -> list[tuple[Application, str]]:
    """The same, each with its state in words."""
    return [(one, STATE_WORDS[ApplicationState(one.state)].lower()) for one in pending(plant_id, business_id)]


def owed(plant: Plant, business_id: int, law: Law, at: datetime) -> list[Due]:
    """The open changes of a business's applications, the violations it has not corrected and the changes won on review,
    first due first.
    """
    today = at.astimezone(law.zone).date()
    found = []
    for application in pending(plant.id, business_id):
        made = waiting_now(application, law, at)
        if made is not None and made.opened_at is not None:
            late = made.due_on is not None and made.due_on < today
            found.append(Due("change", made.id, str(application.number), made.words, made.due_on, late))
    for notice in violations_of(plant.id, [business_id]).get(business_id, []):
        if notice.corrected_on is None:
            late = notice.correct_by < today
            found.append(Due("violation", notice.letter_id, "", notice.rule, notice.correct_by, late))
    for won in to_ask_again(plant.id, business_id, today):
        found.append(Due("again", None, f"{won.about[:1].lower()}{won.about[1:]}", won.said, None, False))
    return sorted(found, key=lambda one: (one.by is None, one.by or today))


def to_apply_for(plant: Plant, business_id: int, law: Law, at: datetime) -> FilingStatus | None:
    """The open window for which a business has neither a draft nor an application; None where nothing is to be sent."""
    status = filing_status(law, at)
    if not isinstance(status, FilingStatus) or status.state != "open":
        return None
    if application_for(plant.id, business_id, status.season.name) is not None:
        return None
    return None if reapply_barred(plant, business_id, law, at) else status
