"""Who drives a booking: the hauler's own, or any of the plant's for somebody on the telephone."""

from typing import Any

from flask import abort, url_for

from intake.actions.named_driver import name_driver
from intake.forms.booking import DriverForm
from intake.queries.named_driver import LATER, choices, drivers_named, key_of
from intake.routes.base import bp
from intake.routes.moving import MOVERS, any_booking
from office.pages import Page, page
from ordinances.refusal import Refusal


@page(bp, "/bookings/<number>/driver", *MOVERS, methods=("GET", "POST"))
def booking_driver(here: Page, number: str) -> Any:
    """Who drives?"""
    view, back = any_booking(here, number)
    drivers = drivers_named(view.booking.business_id, here.at) or abort(404)
    form = DriverForm(data={"driver": key_of(view.booking.driver, drivers)})
    form.driver.choices = choices(drivers)
    if form.validate_on_submit():
        name = drivers.get(form.driver.data, "")
        done = name_driver(here.plant, view.booking.id, name, by=here.by, at=here.at, law=here.law)
        if not isinstance(done, Refusal):
            said = f"{name} drives booking {number}." if name else f"No driver is named for booking {number}."
            return here.done(back, said, number=number)
        if done.code != "driver":
            return here.refuse(done, next=[("Back to the booking", url_for(back, number=number))])
        form.refuse("driver", " ".join(filter(None, (done.why, done.next_step))))
    return here.show("intake/hauler/driver.html", form=form, view=view, back_to=url_for(back, number=number),
                     later=LATER)  # fmt: skip
