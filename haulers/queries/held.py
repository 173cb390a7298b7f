"""A change its hauler made after a vote it knows nothing of: held beside the application, which stays as voted on.

Until the letter its hauler sees what any hauler sees whose change was taken; a vote leaks before its letter otherwise
(§ 329-7 B(2), NR 113.07: a written decision).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select

from haulers.models import Application, ApplicationChange, ApplicationSource, Decision
from haulers.queries.answers import Answers, answers_of, stated
from haulers.queries.applications import sources_of
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


def seen_by_hauler(application: Application) -> Seen:
    """Sources and answers as the hauler may know them: with a held change until the letter is out, else as they are."""
    held = held_change(application) if application.decided_at is None else None
    if held is None:
        rows = sources_of([application.id]).get(application.id, [])
        return Seen(rows, answers_of(application), stated(application))
    made: Mapping[str, Any] = held.after or {}
    rows = [ApplicationSource(position=at, **one) for at, one in enumerate(made["sources"], start=1)]
    return Seen(rows, Answers(**made["answers"]), {"sources": made["sources"], "answers": made["answers"]})
