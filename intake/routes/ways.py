"""By which pages a booking is made: the hauler's own, or the desk's for somebody on the telephone."""

from dataclasses import dataclass
from typing import Any

from flask import url_for

from haulers import queries as haulers
from intake.routes.base import business_of
from office.pages import Page

OWN = {
    "load": "intake.book",
    "times": "intake.book_times",
    "check": "intake.book_check",
    "wait": "intake.ask_waiting",
    "home": "intake.hauler_home",
}
DESK = {
    "load": "intake.phone_load",
    "times": "intake.phone_times",
    "check": "intake.phone_check",
    "wait": "intake.phone_waiting",
    "home": "intake.plant_bookings",
}


@dataclass(frozen=True)
class Way:
    """Whose booking is made. ``name`` is the hauler's where staff book for them by phone, "" on their own way."""

    business_id: int
    name: str = ""

    @property
    def by_phone(self) -> bool:
        return bool(self.name)

    def url(self, step: str, **args: Any) -> str:
        """The address of a step of this way: load, times, check, wait or home."""
        if self.by_phone and step != "home":
            args["business_id"] = self.business_id
        return url_for((DESK if self.by_phone else OWN)[step], **args)


def own_way(here: Page) -> Way:
    """The signed-in hauler books for its own company."""
    return Way(business_of(here))


def phone_way(business_id: int) -> Way:
    """Staff book for a hauler on the telephone."""
    return Way(business_id, haulers.party_of_business(business_id).name)
