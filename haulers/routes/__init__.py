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
    design,
    director,
    drivers,
    files,
    late,
    letters,
    motions,
    packet,
    paper,
    people,
    public,
    referrals,
    trucks,
)
from haulers.routes.base import bp

__all__ = [
    "answers", "application", "bp", "changes", "clerk", "committee", "company", "credentials", "decide", "design",
    "director", "drivers", "files", "late", "letters", "motions", "packet", "paper", "people", "public", "referrals",
    "trucks",
]  # fmt: skip
