"""Where a page of the company leads back to: the tasks of the application, or the page its answers are checked on."""

from dataclasses import dataclass

from flask import g, request

from office.standing import unserved

CHECK = {"from": "check"}


@dataclass(frozen=True)
class Back:
    """The page to go back to, in words, and what an address carries so that the next page knows it too."""

    endpoint: str
    words: str
    query: dict[str, str]

    def onward(self, then: str) -> str:
        """Where saving leads: back to the check for who came from there, else on to ``then``."""
        return self.endpoint if self.query else then


def back() -> Back:
    """Back to checking the answers for somebody who came from there (``?from=check``), else to the tasks.

    A place without a standing programme has neither: there it is the hauler's home.
    """
    if unserved(g.plant, g.at) is not None:
        return Back("intake.hauler_home", "Home", {})
    if request.args.get("from") == "check":
        return Back("haulers.check", "Check your answers", CHECK)
    return Back("haulers.apply_season", "Your application", {})
