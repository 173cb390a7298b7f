"""One truck at the gate at one instant, and the answer it gets."""

from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cached_property
from typing import Any

from haulers import queries as haulers
from intake.models import Booking, SetAside
from intake.queries.allowance import Limits, limits
from intake.queries.gate_bookings import own
from office.plants import Plant
from ordinances.gate import MaySetAside
from ordinances.reader import Law
from ordinances.refusal import Refusal


@dataclass(frozen=True)
class GateAnswer:
    """Yes with the booking it counts for, or no with the one reason, its § and what to do.

    ``note`` is what the operator reads beside a yes: certificates that have ended, gallons left under a limit.
    ``may`` is who may set a no aside; ``aside`` what was set aside on the way to this answer.
    """

    ok: bool
    code: str
    sentence: str
    cite: str
    booking: Booking | None = None
    reading: str | None = None
    next_step: str | None = None
    approval_id: int | None = None
    note: str = ""
    may: MaySetAside | None = None
    aside: tuple[SetAside, ...] = ()

    def refusal(self) -> Refusal:
        """The same answer as acts return it."""
        return Refusal(self.code, self.sentence, self.cite, self.reading, self.next_step)


@dataclass(frozen=True)
class Case:
    """One truck at the gate at one instant."""

    plant: Plant
    law: Law
    at: datetime
    business_id: int | None
    truck_id: int | None
    waste: str
    booking: Booking | None
    driver: str | None = None
    approval: Any = field(default=None)

    @cached_property
    def day(self) -> date:
        return self.at.astimezone(self.plant.tz).date()

    @cached_property
    def truck(self) -> Any:
        """The truck, if it is one of the business's own, or was then."""
        mine = haulers.trucks_at(self.business_id or 0, self.at)
        return next((one for one in mine if one.id == self.truck_id), None)

    @cached_property
    def own(self) -> Booking | None:
        """The booking it shows, else what it booked for now or later today."""
        return self.booking or own(self.plant.id, self.at, self.day, self.business_id or 0, self.truck_id)

    @cached_property
    def limits(self) -> Limits:
        """The approval's limits as this truck finds them: what it booked itself does not stand in its way."""
        return limits(self.approval, self.law, self.at, except_booking=self.own.id if self.own else None)

    def cite(self, key: str) -> str:
        """The section of a term, empty where this town's law does not have it."""
        return self.law.cite(key, self.day) if self.law.has(key, self.day) else ""

    def asks(self, key: str) -> bool:
        """Whether this town's law asks for something on this day."""
        return self.law.has(key, self.day) and bool(self.law.value(key, self.day))


def no(case: Case, code: str, words: str, key: str, next_step: str | None = None) -> GateAnswer:
    """A no under the section of a term of the law."""
    reading = case.law.row(key, case.day).reading if case.law.has(key, case.day) else None
    return GateAnswer(False, code, words, case.cite(key), reading=reading, next_step=next_step)


def from_refusal(refusal: Refusal | None) -> GateAnswer | None:
    """A rule's refusal as the gate says it."""
    if refusal is None:
        return None
    return GateAnswer(False, refusal.code, f"Do not accept: {lowered(refusal.why)}", refusal.cite,
                      reading=refusal.reading, next_step=refusal.next_step)  # fmt: skip


_SMALL = ("The", "This", "Truck", "Approval", "Driver", "No", "Nothing", "Invoice")


def lowered(words: str) -> str:
    """The sentence after a colon: names and abbreviations keep their capital."""
    first = words.split(" ", 1)[0]
    return words[:1].lower() + words[1:] if first in _SMALL else words
