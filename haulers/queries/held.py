"""A change its hauler made after a vote it knows nothing of: held beside the application, which stays as voted on.

Until the letter its hauler sees what any hauler sees whose change was taken; a vote leaks before its letter otherwise
(§ 329-7 B(2), NR 113.07: a written decision).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select

from haulers.models import Application, ApplicationChange, ApplicationSource, Decision
from haulers.queries.answers import Answers, answers_of, stated
from haulers.queries.applications import SourceLine, sources_of
from office.db import db


@dataclass(frozen=True)
class Seen:
    """A sent application as its hauler sees it: sources, answers, and both as data (``answers.as_data``)."""

    sources: list[ApplicationSource]
    answers: Answers
    data: Mapping[str, Any]


def voted_on(application: Application) -> bool:
    """Whether a decision on it is recorded, its letter out or not."""
    query = select(Decision.id).filter_by(application_id=application.id).limit(1)
    return db.session.scalars(query).first() is not None


def held_change(application: Application) -> ApplicationChange | None:
    """The last change made after the vote, which its application does not have; None where there is none."""
    if not voted_on(application):
        return None
    query = select(ApplicationChange).where(ApplicationChange.application_id == application.id,
                                            ApplicationChange.answered_at.is_not(None))  # fmt: skip
    last = db.session.scalars(query.order_by(ApplicationChange.answered_at.desc()).limit(1)).first()
    if last is None:
        return None
    now = stated(application)
    made: Mapping[str, Any] = last.after or {}
    return last if any(made.get(part) != now[part] for part in ("sources", "answers")) else None


def change_lines(made: ApplicationChange) -> list[SourceLine]:
    """The sources an answered change states."""
    after: Mapping[str, Any] = made.after or {}
    return [SourceLine(**one) for one in after["sources"]]


def put_to_vote(application: Application, change_id: int | None) -> Sequence[ApplicationSource | SourceLine]:
    """The sources a motion decides on: the application's own, or those of the change it takes in."""
    if change_id is not None:
        return change_lines(db.session.get_one(ApplicationChange, change_id))
    return sources_of([application.id]).get(application.id, [])


def becomes(held: ApplicationChange, decision: Decision | None, application: Application) -> str:
    """What becomes of a change made after the vote, for the city."""
    if decision is not None and decision.change_id == held.id:
        return ("A correction of the decision takes it in: the application says so from the day the letter of that "
                "correction is issued.")  # fmt: skip
    if application.decided_at is not None:
        return ("The decision is issued without it, and its letter says so. It counts only where the committee "
                "corrects its decision and takes it in, or grants a change of the approval.")  # fmt: skip
    return ("The application stays as it was voted on, and the letter will say that the change is no part of the "
            "decision, unless the committee corrects its decision and takes the change in.")  # fmt: skip


def seen_by_hauler(application: Application) -> Seen:
    """Sources and answers as the hauler may know them: with a held change until the letter is out, else as they are."""
    held = held_change(application) if application.decided_at is None else None
    if held is None:
        rows = sources_of([application.id]).get(application.id, [])
        return Seen(rows, answers_of(application), stated(application))
    made: Mapping[str, Any] = held.after or {}
    rows = [ApplicationSource(position=at, **one) for at, one in enumerate(made["sources"], start=1)]
    return Seen(rows, Answers(**made["answers"]), {"sources": made["sources"], "answers": made["answers"]})
