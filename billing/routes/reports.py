"""What every hauler owes by age."""

from typing import Any

from billing import queries
from billing.routes.base import bp
from office.access import Role
from office.pages import Page, page


@page(bp, "/clerk/aging", Role.CLERK)
def aging(here: Page) -> Any:
    """What every hauler owes, by how long it is due."""
    found = queries.aging(here.plant.id, here.today)
    return here.show("billing/aging.html", found=found, ages=queries.AGES, form=None)
