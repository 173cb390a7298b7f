"""Random receiving points and bookings: never above the plant's limit or a point's own rule (§ 329-7 C(1), F(3)).

Every instant is added up from the rows by the code below, which uses nothing of the offers. 24 days in the test
command; ``make soak`` asks for more.
"""

import random
from collections import Counter
from datetime import datetime, time, timedelta
from typing import Any

import pytest
from sqlalchemy import select

from intake.actions.booking import book_discharge, cancel_booking
from intake.actions.flow import open_point
from intake.actions.points import set_point
from intake.actions.station import log_load
from intake.models import Booking, Hold, Load, PlannedSession, Point, PointTerms, Run
from intake.queries import offered
from intake.queries.checks import check_capacity
from intake.queries.point_met import Terms
from intake.queries.terms import terms_of
from office.access import system
from office.db import db
from ordinances.refusal import Refusal
from tests import world
from tests.flows.playing import examples, play_each
from tests.intake.plant import TUESDAY, Hauler, hauler

DAYS = examples(24)
WASTES = ("septic_tank", "holding_tank", "portable_toilet")
NIGHT = datetime.combine(TUESDAY, time(0), world.ZONE) - timedelta(hours=8)


class Day:
    """One day with up to three points, its acts drawn by lot."""

    def __init__(self, seed: int, people: list[Hauler]) -> None:
        self.lot, self.people, self.at, self.done = random.Random(seed), people, NIGHT, Counter[str]()
        self.seed = seed
        self.points = list(db.session.scalars(select(Point).order_by(Point.id)))
        for point in self.points:
            self.set(point)

    def set(self, point: Point | None = None) -> Any:
        """The manager sets a point anew, from this day on."""
        lot, point = self.lot, point or self.lot.choice(self.points)
        opens = lot.choice([None, time(7), time(7, 15), time(8)])
        wanted = Terms(
            lot.random() < 0.9, opens, lot.choice([None, time(9), time(9, 37), time(10)]), lot.choice([None, 1, 1, 2]),
            lot.choice([None, 100, 240, 333, 900]), lot.choice([0, 0, 5, 17]), wastes=lot.choice([(), (), WASTES[:1]]),
        )  # fmt: skip
        return set_point(world.plant(), point.id, point.name, wanted, TUESDAY, by=world.staff("manager"), at=self.at,
                         law=world.law())  # fmt: skip

    def book(self) -> Any:
        """A hauler takes one of the times offered, or one near it that nobody offered."""
        lot, who, plant = self.lot, self.lot.choice(self.people), world.plant()
        waste, gallons = lot.choice(WASTES), lot.choice([1, 37, 150, 400, 666, 1_200, 1_998])
        terms = terms_of(plant.id, who.business_id, world.law(), self.at, waste)
        asked = lot.choice([None, None, lot.choice(self.points).id])
        found = offered.find(plant, terms, self.at, gallons, TUESDAY, point_id=asked)
        if not found.fits:
            return None
        one = lot.choice(found.fits)
        if lot.random() < 0.2:
            late = timedelta(minutes=lot.randint(1, 20))
            one = type(one)(one.start + late, one.end + late, one.gph, gallons, lot.choice([None, one.point]))
        return book_discharge(plant, who.business_id, who.truck_id, waste, gallons, [one], by=who.by, at=self.at,
                              law=world.law())  # fmt: skip

    def cancel(self) -> Any:
        rows = db.session.scalars(select(Booking).filter_by(state="booked").order_by(Booking.id)).all()
        if not rows:
            return None
        clerk = world.staff("clerk")
        return cancel_booking(world.plant(), self.lot.choice(rows).id, "Rain", by=clerk, at=self.at, law=world.law())

    def come(self) -> Any:
        """A truck comes, booked or not, on time or late, and is sent where it booked or elsewhere."""
        self.at = max(self.at, datetime.combine(TUESDAY, time(7), world.ZONE))
        rows = db.session.scalars(select(Booking).filter_by(state="booked").order_by(Booking.id)).all()
        booking = self.lot.choice([None, *rows])
        who = next((one for one in self.people if booking and one.business_id == booking.business_id),
                   self.lot.choice(self.people))  # fmt: skip
        gallons = self.lot.choice([50, 300, booking.gallons if booking else 666])
        return log_load(
            world.plant(), f"load-{self.lot.getrandbits(60):016x}", business_id=who.business_id, truck_id=who.truck_id,
            waste=booking.waste if booking else self.lot.choice(WASTES), gallons=gallons, booking=booking,
            driver="Ann", tested=False, reason="Not today", supervised_by="Opal", circumstances="Road closed",
            point_id=self.lot.choice([None, None, self.lot.choice(self.points).id]),
            by=world.staff("operator"), at=self.at, law=world.law(),
        )  # fmt: skip

    def wait(self) -> Any:
        self.at += timedelta(minutes=self.lot.choice([1, 7, 23]))
        return True

    def play(self, acts: int = 25) -> None:
        chances = [(self.book, 10), (self.cancel, 2), (self.come, 3), (self.set, 1), (self.wait, 2)]
        for _ in range(acts):
            step = self.lot.choices([one for one, _ in chances], [weight for _, weight in chances])[0]
            answer = step()
            said = answer.code if isinstance(answer, Refusal) else "done" if answer is not None else "nothing"
            self.done[f"{step.__name__} {said}"] += 1
            if answer is not None and not isinstance(answer, Refusal):
                db.session.flush()
                try:
                    look(self.at)
                except AssertionError as wrong:
                    raise AssertionError(f"day {self.seed}, {step.__name__} at {self.at}: {wrong}") from wrong
        assert check_capacity() == [], self.seed


def look(at: datetime) -> None:
    """Every instant from now on: the plant's draw, and where a plan is, its point's hours, rate, trucks, changeover."""
    runs = list(db.session.scalars(select(Run)))
    opened = set(db.session.scalars(select(Load.booking_id).join(Run, Run.load_id == Load.id)))
    lost = set(db.session.scalars(select(Hold.booking_id).where(Hold.outcome.in_(("listed", "missed")))))
    query = select(PlannedSession).join(Booking, Booking.id == PlannedSession.booking_id)
    plans = [
        one for one in db.session.scalars(query.where(Booking.state == "booked"))
        if one.booking_id not in opened | lost and one.ends > at
    ]  # fmt: skip
    pieces = [*plans, *runs]
    terms = {point_id: set_on(point_id) for point_id in {one.point_id for one in pieces}}
    edges = {at, *(one.starts for one in pieces)}
    for now in sorted(edge for edge in edges if edge >= at):
        assert sum(one.gph for one in pieces if one.starts <= now < one.ends) <= 666, now
        for plan in plans:
            if plan.starts <= now < plan.ends:
                keeps(now, plan, [one for one in pieces if one.point_id == plan.point_id], terms[plan.point_id])


def keeps(now: datetime, plan: PlannedSession, there: list[Any], terms: PointTerms) -> None:
    """A plan's point at an instant."""
    begins, ends = (f"{at.astimezone(world.ZONE):%H:%M}" for at in (plan.starts, plan.ends))
    assert terms.is_open
    assert (terms.opens or "07:00") <= begins < ends <= (terms.closes or "10:00")
    assert sum(one.gph for one in there if one.starts <= now < one.ends) <= (terms.max_gph or 666), now
    gap = timedelta(minutes=terms.changeover)
    assert sum(one.starts <= now < one.ends + gap for one in there) <= (terms.trucks or 99), now


def set_on(point_id: int) -> Any:
    """The terms of a point on the day: those set last."""
    return db.session.scalars(select(PointTerms).filter_by(point_id=point_id).order_by(PointTerms.id.desc())).first()


@pytest.mark.parametrize("share", range(4))
def test_random_points_and_bookings_keep_the_plants_limit_and_each_points_rule(app: Any, share: int) -> None:
    people = [hauler(f"Hauler {n} Pumping", number=n, wastes=WASTES) for n in range(1, 6)]
    for name in ("Lagoon", "North gate"):
        open_point(world.plant(), name, by=system(), at=world.START)
    db.session.commit()
    done = play_each(lambda seed: Day(seed, people), share, DAYS, 4)
    if DAYS >= 24:
        assert min(done["book done"], done["come done"], done["cancel done"], done["set done"]) > 2, done
