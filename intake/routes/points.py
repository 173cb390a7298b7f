"""Receiving points: where trucks may unload, as the plant manager specifies (§ 329-7 C(1))."""

from typing import Any

from intake.actions import open_point
from intake.forms.points import PointForm
from intake.queries.bookings import points
from intake.routes.base import bp
from office.access import Role
from office.pages import Page, page
from ordinances.refusal import Refusal


@page(bp, "/director/points", Role.MANAGER, Role.DIRECTOR, Role.ADMINISTRATOR, methods=("GET", "POST"))
def receiving_points(here: Page) -> Any:
    """The plant's receiving points; open another. Bookings go to the first station."""
    form = PointForm()
    if form.validate_on_submit():
        result = open_point(here.plant, form.name.data, form.kind.data, by=here.by, at=here.at, law=here.law)
        if not isinstance(result, Refusal):
            return here.done("intake.receiving_points", f"{result.name} is open.")
        form.refuse("name", result.why)
    return here.show("intake/director/points.html", form=form, points=points(here.plant.id))
