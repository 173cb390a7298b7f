"""Pages of intake, split by audience."""

from collections.abc import Callable
from datetime import datetime

from intake.routes import booking, clerk, director, hauler, lab, loads, public, station
from intake.routes.base import bp, restriction_banner
from office.access import Role
from office.plants import Plant
from office.web import Link

__all__ = [
    "BANNERS", "HOMES", "LINKS", "booking", "bp", "clerk", "director", "hauler", "lab", "loads", "public", "station",
]  # fmt: skip

LINKS = [
    *(Link(role, "Today", "intake.status") for role in (Role.PUBLIC, Role.PERSON)),
    *(Link(role, "This week", "intake.week") for role in (Role.PUBLIC, Role.PERSON)),
    *(Link(role, "Rules", "intake.rules") for role in (Role.PUBLIC, Role.PERSON)),
    *(Link(role, "Charges", "intake.fees") for role in (Role.PUBLIC, Role.PERSON)),
    Link(Role.HAULER, "Home", "intake.hauler_home"),
    Link(Role.HAULER, "Book", "intake.book"),
    *loads.LINKS,
    *station.LINKS,
    *(Link(role, "Plant today", "intake.director_home") for role in (Role.DIRECTOR, Role.MANAGER)),
    *(Link(role, "This week", "intake.week") for role in (Role.DIRECTOR, Role.MANAGER)),
    *(Link(role, "Flow and limit", "intake.flow") for role in (Role.DIRECTOR, Role.MANAGER)),
]
HOMES = station.HOMES | {
    Role.HAULER: "intake.hauler_home", Role.DIRECTOR: "intake.director_home", Role.MANAGER: "intake.director_home",
}  # fmt: skip
BANNERS: list[Callable[[Plant, datetime], dict[str, str] | None]] = [restriction_banner]
