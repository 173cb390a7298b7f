"""The pages of this room, by audience."""

from haulers.routes import (
    answers,
    application,
    changes,
    clerk,
    committee,
    company,
    credentials,
    decide,
    director,
    drivers,
    files,
    late,
    packet,
    paper,
    people,
    public,
    trucks,
)
from haulers.routes.base import bp

__all__ = [
    "answers", "application", "bp", "changes", "clerk", "committee", "company", "credentials", "decide", "director",
    "drivers", "files", "late", "packet", "paper", "people", "public", "trucks",
]  # fmt: skip
