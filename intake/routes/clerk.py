"""The clerk's first page: what waits, each number a link."""

from typing import Any

from intake.queries.desk import desk
from intake.routes.base import bp
from office.access import Role
from office.pages import Page, page


@page(bp, "/clerk", Role.CLERK)
def clerk_home(here: Page) -> Any:
    """Filing and money: counts of what waits."""
    return here.show("intake/clerk/home.html", desk=desk(here.plant, here.at))
