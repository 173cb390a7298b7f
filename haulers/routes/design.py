"""What the plant is built for, in pounds a day: the committee reads applications against it."""

from typing import Any

from haulers.forms.design import DesignForm
from haulers.routes.base import bp
from office.access import Role
from office.pages import Page, page
from office.plants import set_plant_row
from ordinances.refusal import Refusal

KEYS = {"bod": "plant.design_bod", "tss": "plant.design_tss"}


@page(bp, "/admin/design", Role.DIRECTOR, Role.CLERK, Role.ADMINISTRATOR, methods=("GET", "POST"))
def design(here: Page) -> Any:
    """Set the design figures, dated, with where they are from."""
    form = DesignForm()
    if form.validate_on_submit():
        typed = {name: form[name].data for name in KEYS if form[name].data is not None}
        if not typed:
            form.refuse("bod", "Enter pounds a day of BOD5 or of suspended solids")
        for name, value in typed.items():
            made = set_plant_row(here.plant, KEYS[name], value, form.since.data, form.resolution.data, by=here.by,
                                 at=here.at)  # fmt: skip
            if isinstance(made, Refusal):
                form.refuse(name if made.code == "wrong_value" else "resolution", made.why)
        if not form.errors:
            return here.done("haulers.design", "The figures are set.")
    rows = [here.law.row(key, here.today) for key in KEYS.values() if here.law.has(key, here.today)]
    return here.show("haulers/design.html", form=form, rows=rows)
