"""The pages of this room, by audience."""

from haulers.routes import (
    application,
    clerk,
    committee,
    company,
    credentials,
    decide,
    director,
    drivers,
    files,
    people,
    public,
    trucks,
)
from haulers.routes.base import bp

__all__ = [
    "application", "bp", "clerk", "committee", "company", "credentials", "decide", "director", "drivers", "files",
    "people", "public", "trucks",
]  # fmt: skip
