"""The pages of this room, by audience."""

from haulers.routes import (
    accounts,
    amendments,
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
    enforcement,
    files,
    late,
    letters,
    meetings,
    motions,
    on_paper,
    packet,
    paper,
    paper_amendments,
    people,
    print_list,
    public,
    referrals,
    reviews,
    trucks,
)
from haulers.routes.base import bp

__all__ = [
    "accounts", "amendments", "answers", "application", "bp", "changes", "clerk", "committee", "company", "credentials",
    "decide", "design", "director", "drivers", "enforcement", "files", "late", "letters", "meetings", "motions",
    "on_paper", "packet", "paper", "paper_amendments", "people", "print_list", "public", "referrals", "reviews",
    "trucks",
]  # fmt: skip
