"""What the operator's pages show: the day at the plant, and who stands at the gate."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from haulers import queries as haulers
from haulers.queries import fleet
from intake.models import Booking, Load, Run
from intake.queries import loads, results
from intake.queries.bookings import booking_numbered
from intake.queries.capacity import DayPicture, Planned, day_picture
from intake.queries.fitting import few_left, fit, left_for, over_limits, plan_of
from intake.queries.gate import GateAnswer, booking_today, may_discharge
from intake.queries.largest import largest_words
from intake.queries.mornings import Earlier, Ended, earlier, ended, over_today
from intake.queries.places import Place, at_gate
from intake.queries.public import next_taking
from intake.queries.public_state import no_point
from intake.queries.restrictions import meets
from intake.queries.tank_level import Level, level_in
from office.plants import Plant
from ordinances.calendar import Hours, shut_now, shut_part
from ordinances.offers import Session
from ordinances.reader import Law
from ordinances.refusal import Refusal
from ordinances.screening import WASTE_TYPES


@dataclass(frozen=True)
class Today:
    """The day at the plant as the operator sees it.

    ``in_use`` is what enters the sewer now, gallons an hour: what runs straight into it, and what the valve of a tank
    lets through. ``part`` is the closed part of the day that it is in now, with its name. ``resting`` is what waits in
    trucks, ``ended`` the loads that ended a short while ago and may run on,
    ``before`` by load what of its morning was over before the piece that flows. ``pointless``: every receiving point is
    closed for the rest of today, or takes nothing the law allows; ``opens`` is when the next one does, None where no
    day is planned.
    """

    picture: DayPicture
    in_use: int
    running: list[loads.Running]
    resting: list[loads.Running]
    ended: list[Ended]
    waiting: list[loads.Running]
    expected: list[loads.Expected]
    logged: list[loads.Line]
    overdue: int
    samples: int
    tank: Level | None = None
    shut: bool = False
    before: Mapping[int, Earlier] = field(default_factory=dict)
    part: tuple[Hours, str] | None = None
    pointless: bool = False
    opens: datetime | None = None

    @property
    def manholes(self) -> str:
        """The manholes that take whom they are permitted today, by name."""
        open_ = [one for one in self.picture.places if one.is_open and one.is_manhole]
        return ", ".join(one.name for one in open_ if one.permitted(self.picture.day, None))

    @property
    def largest(self) -> str:
        """The largest single load that fits from now on, gallons, with the point where others take less."""
        return largest_words(self.picture)

    @property
    def restricted(self) -> bool:
        """Nothing may be unloaded now by the Director's restrictions."""
        return self.shut

    def must_stop(self, one: loads.Running) -> bool:
        """A truck let in before a restriction stopped its load, or before its approval was revoked."""
        stopped = any(meets(row, one.load.waste, one.run.point_id) for row in self.picture.narrower)
        wide = self.picture.restriction is not None and self.picture.restriction.scope == "everything"
        return wide or stopped or not one.approved

    @property
    def paused(self) -> list[loads.Running]:
        """The first of what waits in each truck of which nothing flows."""
        flows, found = {one.load.id for one in self.running}, dict[int, loads.Running]()
        for one in self.resting:
            if one.load.id not in flows:
                found.setdefault(one.load.id, one)
        return list(found.values())

    def still_in(self, load: Load) -> int:
        """Gallons that wait in a truck."""
        return sum(one.run.gallons for one in self.resting if one.load.id == load.id)

    def later(self, load: Load) -> Run | None:
        """The later time kept for the last gallons of a load that flows."""
        return next((one.run for one in self.resting if one.load.id == load.id and one.waits), None)

    def out(self, one: loads.Running) -> int:
        """Gallons of a load's morning that are out by the rate of the piece that flows."""
        return self._over(one.load) + min(one.run.gallons, loads.out_so_far(one.run, self.picture.now))

    def whole(self, one: loads.Running) -> int:
        """Gallons of a load's morning: out, flowing, and still waiting in the truck."""
        return self._over(one.load) + one.run.gallons + self.still_in(one.load)

    def _over(self, load: Load) -> int:
        earlier = self.before.get(load.id)
        return earlier.gallons if earlier else 0

    def started(self, one: loads.Running) -> datetime:
        """When the load that flows began this morning."""
        earlier = self.before.get(one.load.id)
        return earlier.starts if earlier else one.run.starts

    def resumed(self, one: loads.Running) -> datetime | None:
        """Since when it flows again after a pause; None where it only changed its rate, or never paused."""
        earlier = self.before.get(one.load.id)
        return one.run.starts if earlier and earlier.ends < one.run.starts else None

    @property
    def over(self) -> str:
        """Whether what flows is above the planning limit, or above the hard one."""
        cap, now = self.picture.cap, self.picture.now
        if cap is None or not self.in_use or self.in_use <= cap.plan_at(now):
            return ""
        return "above the hard limit" if self.in_use > cap.hard_at(now) else "above the planning limit"

    @property
    def starts(self) -> dict[int, datetime]:
        """When the loads begin that wait, by load."""
        return {one.load.id: one.run.starts for one in self.waiting}


def today(plant: Plant, law: Law, at: datetime) -> Today:
    """Everything of ``/station``, in a number of queries that does not grow with the day."""
    day = at.astimezone(plant.tz).date()
    picture, runs = day_picture(plant, law, day, at), loads.begun_or_waiting(plant.id, at)
    tank = level_in(picture)
    running = [one for one in runs if not one.waits]
    resting = loads.resting(plant.id, at)
    over = over_today(plant.id, day, at)
    pointless = isinstance(picture.hours, Hours) and at < picture.hours.end and no_point(law, picture)
    following = next_taking(plant, law, day, at) if pointless else None
    return Today(
        picture,
        sum(one.run.gph for one in running if tank is None or one.run.point_id != tank.basin.point_id)
        + (tank.bleed_gph if tank is not None else 0),
        running,
        resting,
        ended(over, law, at, {one.load.id for one in [*runs, *resting]}),
        [one for one in runs if one.waits],
        loads.expected(plant, day, at),
        loads.of_day(plant.id, day),
        len(loads.overdue(plant.id, at)),
        len(results.waiting(plant.id, day)),
        tank,
        picture.shut_whole(law) is not None,
        earlier(over),
        shut_part(law, day) if shut_now(law, at) is not None else None,
        pointless,
        following.hours.start if following is not None and isinstance(following.hours, Hours) else None,
    )


@dataclass(frozen=True)
class Visit:
    """A truck at the gate: whose it is, what it booked, whether it may unload, and how what it booked would run.

    ``kinds`` are the types of waste its approval covers; ``asks`` that it may bring one of several and nobody has said
    which, so that ``waste`` is only the first of them. ``places`` are the points it may be sent to. ``shown`` is the
    booking it came with, also where that is not good; ``driver`` who drives, where somebody said so.
    """

    business_id: int
    name: str
    truck: Any
    booking: Booking | None
    plan: Planned | None
    gate: GateAnswer
    gallons: int
    waste: str
    run: Session | Refusal | None
    opened: Load | None
    kinds: tuple[str, ...] = ()
    asks: bool = False
    places: tuple[Place, ...] = ()
    shown: Booking | None = None
    driver: str | None = None

    @property
    def args(self) -> dict[str, Any]:
        """The address of this visit: what its pages are opened with."""
        mine: dict[str, Any] = {"business": self.business_id, "truck": self.truck.id}
        if self.shown is not None:
            mine = {"booking": self.shown.number, "truck": self.truck.id}
        elif not self.asks:
            mine["waste"] = self.waste
        return mine | ({"driver": self.driver} if self.driver else {})

    @property
    def place(self) -> Place | None:
        """The point it runs at, as far as the operator must be told: which of several, or what is asked there."""
        point = self.run.point if isinstance(self.run, Session) else self.plan.point_id if self.plan else None
        alone = len(self.places) == 1 and bool(self.places[0].conditions)
        return next((one for one in self.places if one.id == point or alone), None)

    @property
    def late(self) -> bool:
        """It runs otherwise than booked."""
        return self.plan is not None and isinstance(self.run, Session) and self.run.start > self.plan.starts


def visit(plant: Plant, law: Law, at: datetime, args: Mapping[str, str]) -> Visit | None:
    """Who is at the gate, by ``booking`` number or by ``truck`` and ``business``; None when that names nobody here.

    A business the plant does not know, and a truck that is not the business's, name nobody. What the truck brings is
    ``waste``, else what it booked, else what its approval covers.
    """
    booking = booking_numbered(plant.id, args.get("booking", ""))
    business_id = booking.business_id if booking else _number(args.get("business"))
    names = {business.id: party.name for business, party in haulers.businesses_at(plant.id)}
    if business_id not in names:
        return None
    truck_id = _number(args.get("truck"))
    mine = truck_id and haulers.uses_truck(business_id, truck_id)
    truck = haulers.truck(truck_id if mine else booking.truck_id if booking else 0)
    if truck is None:
        return None
    driver = args.get("driver", "").strip()[:100] or None
    standing = haulers.standing(plant.id, business_id, at, law)
    kinds = haulers.covered(standing.approval) if standing.approval is not None else ()
    own = booking or booking_today(plant.id, at, at.astimezone(plant.tz).date(), business_id, truck.id)
    said = args.get("waste") if args.get("waste") in WASTE_TYPES else own.waste if own else None

    def asked(waste: str) -> GateAnswer:
        return may_discharge(plant, law, at, business_id=business_id, truck_id=truck.id, waste=waste, booking=booking,
                             driver=driver)  # fmt: skip

    waste, gate = _first_that_may((said,) if said else kinds or tuple(WASTE_TYPES)[:1], asked)
    plan = plan_of(plant, at, gate.booking)
    gallons = plan.gallons if plan else truck.capacity
    run = how_it_runs(plant, law, at, gate, gallons, waste=waste, business_id=business_id) if gate.ok else None
    places = at_gate(plant.id, at.astimezone(plant.tz).date(), waste, business_id)
    opened = loads.opened_by(gate.booking.id) if gate.booking else None
    asks = said is None and gate.ok and len(kinds) > 1
    return Visit(business_id, names[business_id], truck, gate.booking, plan, gate, gallons, waste, run, opened, kinds,
                 asks, places, booking, driver)  # fmt: skip


def how_it_runs(plant: Plant, law: Law, at: datetime, gate: GateAnswer, gallons: int, *, waste: str, **asked: Any
                ) -> Session | Refusal:  # fmt: skip
    """How gallons of a truck that may unload would run (``asked`` as ``fit`` takes it), or what its approval says."""
    left = left_for(plant, law, at, gate)
    if gallons > left:
        return few_left(law, at.astimezone(plant.tz).date(), left)
    refused = over_limits(plant, law, at, gate, gallons, waste)
    return refused or fit(plant, law, at, gallons, booking=gate.booking, waste=waste, **asked)


def _first_that_may(wastes: Sequence[str], asked: Callable[[str], GateAnswer]) -> tuple[str, GateAnswer]:
    """The first of several types of waste that may be unloaded now, else the first of all, with the gate's answer."""
    answers = ((waste, asked(waste)) for waste in wastes)
    first = next(answers)
    return first if first[1].ok else next((one for one in answers if one[1].ok), first)


def _number(typed: str | None) -> int:
    return int(typed) if typed and typed.isdecimal() and len(typed) < 10 else 0


@dataclass(frozen=True)
class Known:
    """A truck of a hauler the plant knows, for the operator to pick."""

    business_id: int
    name: str
    truck: Any


def pointed_at(plant: Plant, words: str, known: Sequence["Known"]) -> dict[str, Any] | None:
    """What was typed or read from a slip's code, where it is one truck's: the arguments of its page, else None.

    A booking number may stand alone or in the address that is a gate slip's code; a plate must be the whole one.
    """
    code = re.search(r"[?&]booking=([0-9A-Za-z-]+)", words)
    booking = booking_numbered(plant.id, (code[1] if code else words).strip().upper())
    if booking is not None:
        return {"booking": booking.number}
    same = [one for one in known if haulers.folded(one.truck.plate) == haulers.folded(words)]
    return {"business": same[0].business_id, "truck": same[0].truck.id} if len(same) == 1 else None


def trucks_known(plant: Plant, law: Law, at: datetime, words: str = "") -> list[Known]:
    """Trucks of the haulers approved here now, by name. With words: of every hauler the plant knows whose name or plate
    holds them, so that one whose approval is revoked or over is found and answered too. Two queries.
    """
    wanted = haulers.folded(words)
    if wanted:
        names = {business.id: party.name for business, party in haulers.businesses_at(plant.id)}
    else:
        names = {business.id: party.name for _, business, party in haulers.approvals_in_force(plant.id, at, law)}
    fleets = fleet.trucks_by_business(names)
    return [
        Known(business_id, name, truck)
        for business_id, name in names.items()
        for truck in fleets.get(business_id, [])
        if wanted in haulers.folded(name) or wanted in haulers.folded(truck.plate)
    ]
