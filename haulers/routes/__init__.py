"""The pages of this room, by audience."""

from haulers.routes import application, clerk, committee, company, decide, director, public
from haulers.routes.base import bp
from office.access import Role
from office.web import Link

LINKS = [
    Link(Role.HAULER, "Application", "haulers.apply_season"),
    Link(Role.CLERK, "Applications", "haulers.filings"),
    Link(Role.MEMBER, "Applications", "haulers.committee"),
    Link(Role.MEMBER, "Approved haulers", "haulers.approved"),
    Link(Role.DIRECTOR, "Approvals", "haulers.approvals"),
    Link(Role.PUBLIC, "Apply", "haulers.apply"),
    Link(Role.PUBLIC, "Approved haulers", "haulers.approved"),
]
HOMES = {Role.MEMBER: "haulers.committee"}

__all__ = ["HOMES", "LINKS", "application", "bp", "clerk", "committee", "company", "decide", "director", "public"]
