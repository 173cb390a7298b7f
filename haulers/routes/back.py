"""Where a page of the company leads back to: the tasks of the application, or the page its answers are checked on."""

from dataclasses import dataclass

from flask import request


@dataclass(frozen=True)
class Back:
    """The page to go back to, in words, and what an address carries so that the next page knows it too."""

    endpoint: str
    words: str
    query: dict[str, str]


def back() -> Back:
    """Back to checking the answers for somebody who came from there (``?from=check``), else to the tasks."""
    if request.args.get("from") == "check":
        return Back("haulers.check", "Check your answers", {"from": "check"})
    return Back("haulers.apply_season", "Your application", {})
