"""Random weeks at a plant with a receiving tank: booked, moved, cancelled, restricted, closed, read, as trucks come.

Days and parts of them are closed, also by a list of holidays or by a closure that moves; the Director orders nought or
less for a part; everything, a rate or a point is restricted, now and then for days, and lifted.

After every act the tank is reckoned minute by minute from the rows by other code (tests/flows/tank_minutes.py): never
above the tank, never below nothing, what leaves it and what flows beside it never above the limit, taken and free the
tank, nobody booked into it while it is closed, and whoever lost a time was told. A few weeks in the test command;
SEPTAGE_EXAMPLES asks for more.
"""

from dataclasses import replace
from datetime import time, timedelta
from fractions import Fraction
from typing import Any

import pytest
from sqlalchemy import or_, select

from haulers import queries as haulers
from intake.actions.closures import change_closure, close_day, list_holidays
from intake.actions.flow import end_over_limit
from intake.actions.limits import set_limit
from intake.actions.moving import move_booking
from intake.actions.restriction import restrict_plant
from intake.actions.station import log_load
from intake.actions.tank import read_tank
from intake.models import Booking, Hold, Point, Restriction
from intake.queries import capacity, offered, tank_level
from intake.queries.checks import check_capacity
from intake.queries.limit_met import over_now
from intake.queries.terms import terms_of
from office.db import db
from office.notices import Notice
from office.plants import ClosureDay
from ordinances.offers import Session, minutes
from ordinances.refusal import Refusal
from tests import world
from tests.flows.playing import FIRST, examples, play_each
from tests.flows.tank_minutes import TankMinutes
from tests.flows.test_weeks import Week
from tests.intake.plant import Hauler, hauler
from tests.intake.tanks import PLAIN, beside_station, only_tank

WEEKS = examples(4)
SHARES = 4
MINUTE = timedelta(minutes=1)
START = world.at("2026-10-01T12:00")
# What is bled in the microsecond in which the last share of a gallon comes.
HAIR = Fraction(1, 1_000)


class TankWeek(Week):
    """One week of a plant with a tank, whose level is read before it begins."""

    def play(self, acts: int = 14) -> None:
        first = read_tank(world.plant(), 500, self.at, reason="Before the week", by=world.staff("operator"), at=self.at,
                          law=self.law)  # fmt: skip
        assert not isinstance(first, Refusal)
        chances = [(self.book, 9), (self.largest, 3), (self.any_time, 2), (self.cancel, 2), (self.move, 2),
                   (self.restrict, 2), (self.shut_point, 2), (self.lift, 4), (self.lower, 1), (self.close, 1),
                   (self.close_part, 1), (self.holiday, 1), (self.move_closure, 1), (self.order, 1), (self.come, 5),
                   (self.sleep, 1),
                   (self.drop_in, 2), (self.void, 1), (self.wait, 3), (self.pause, 2), (self.resume, 2),
                   (self.over, 2), (self.short, 1), (self.read, 2), (self.rate, 1),
                   (self.tick, 2)]  # fmt: skip
        for _ in range(acts):
            step = self.lot.choices([one for one, _ in chances], [weight for _, weight in chances])[0]
            answer = step()
            self.acts += 1
            said = "refused" if isinstance(answer, Refusal) else "done" if answer is not None else "nothing"
            self.done[f"{step.__name__} {said}"] += 1
            db.session.flush()
            db.session.expire_all()
            self.check(f"week {self.seed}, act {self.acts} ({step.__name__} {said}) at {self.at}")
        self.agree(f"week {self.seed} at {self.at}")
        assert check_capacity() == [], f"week {self.seed} at {self.at}"

    def check(self, where: str) -> None:
        """What is planned and not held goes in without running over while it is open, and all that flows keeps to the
        limit, of which the valve's share is nobody else's."""
        rows = TankMinutes(self.at)
        most = rows.tank.gallons + HAIR
        for one in rows.pieces(self.days[-1]):
            assert one.first >= 0 and one.last >= 0, where
            if one.start >= rows.at:
                if max(one.first, one.last) > most and not rows.overdue:
                    # What runs in now was let in, whatever was read or measured since.
                    came = TankMinutes(self.at, plans=False).pieces(self.days[-1])
                    most = HAIR + max([rows.tank.gallons, *(piece.last for piece in came)])
                    assert max(one.first, one.last) <= most, (where, one)
                assert one.out + one.others <= one.limit or not one.limit or one.others > one.limit, (where, one)
                if one.beside and one.beside == one.others:
                    assert one.beside + min(one.whole, rows.tank.bleed_gph) <= one.whole, (where, one)
        for start, end, _ in rows.coming:
            for n in range(-(-(end - start) // MINUTE)):
                assert rows.whole(start + n * MINUTE) > 0, (where, start, end)
        for number in db.session.scalars(select(Booking.number).join(Hold, Hold.booking_id == Booking.id).where(
                Booking.state == "booked", Hold.outcome.in_(("listed", "missed")))):  # fmt: skip
            told = or_(Notice.subject.contains(number), Notice.body.contains(number))
            assert db.session.scalars(select(Notice.id).where(told, Notice.kind.in_(("lifted", "time_lost"))).limit(1)
                                      ).all(), (where, number)  # fmt: skip

    def agree(self, where: str) -> None:
        """The application's level, bleed and free room are those of the rows, what is held counted as coming."""
        pictures = capacity.day_pictures(world.plant(), self.law, self.days, self.at)
        basin = next(iter(pictures.values())).tank
        assert basin is not None
        course, top = basin.plan.course, basin.tank.gallons
        for one in TankMinutes(self.at, held=True).pieces(self.days[-1], full=True):
            assert abs(course.level(one.start) - min(one.first, top)) < HAIR, (where, one)
            assert course.level(one.start) + course.free(one.start) == top, where
            assert course.rate(one.start) + one.others <= one.limit or course.rate(one.start) <= max(
                0, one.limit - one.others) or one.others, where  # fmt: skip

    def load(self) -> tuple[Hauler, int]:
        return self.lot.choice(self.people), self.lot.choice([1, 300, 666, 1_000, 1_500, 2_000, 2_500, 3_000, 3_177])

    def largest(self) -> Any:
        """The largest single load that stands beside a day books; one gallon more does not."""
        who, day = self.lot.choice(self.people), self.lot.choice(self.days)
        terms = terms_of(world.plant().id, who.business_id, self.law, self.at, "septic_tank")
        truck = haulers.truck(who.truck_id)
        found = offered.find(world.plant(), terms, self.at, 1, day, truck=truck)
        most = max((room.largest(capacity.next_minute(self.at)) for room in found.rooms), default=0)
        if not most or found.day is None:
            return None
        more = offered.find(world.plant(), terms, self.at, most + 1, found.day, truck=truck)
        assert more.day != found.day or not more.fits, (self.seed, self.acts, most)
        fits = offered.find(world.plant(), terms, self.at, most, found.day, truck=truck)
        assert fits.fits, (self.seed, self.acts, most)
        made = self._book(who, most, [self.lot.choice(fits.fits)])
        assert not isinstance(made, Refusal), (self.seed, self.acts, made)
        return made

    def any_time(self) -> Any:
        """A time nobody offered."""
        who, gallons = self.load()
        start = world.at(f"{self.lot.choice(self.days)}T07:00") + timedelta(minutes=self.lot.randrange(-15, 200))
        one = Session(start, start + timedelta(minutes=minutes(gallons, 12_000)), 12_000, gallons, self.tank_id)
        return self._book(who, gallons, [one])

    @property
    def tank_id(self) -> int:
        level = tank_level.level_now(world.plant(), self.law, self.at)
        assert level is not None
        return level.basin.point_id

    def move(self) -> Any:
        booking = self._one(Booking, state="booked")
        if booking is None:
            return None
        who = next(one for one in self.people if one.business_id == booking.business_id)
        terms = terms_of(world.plant().id, who.business_id, self.law, self.at, "septic_tank")
        found = offered.find(world.plant(), terms, self.at, booking.gallons, self.lot.choice(self.days),
                             truck=haulers.truck(who.truck_id), booking_id=booking.id)  # fmt: skip
        return found.fits and move_booking(world.plant(), booking.id, [self.lot.choice(found.fits)],
                                           by=world.staff("operator"), at=self.at, law=self.law)  # fmt: skip

    def drop_in(self) -> Any:
        """A truck without a booking, in the hours."""
        who, gallons = self.load()
        self.at = max(self.at, world.at(f"{self.lot.choice(self.days)}T07:00") + timedelta(
            minutes=self.lot.randrange(170)))  # fmt: skip
        return log_load(
            world.plant(), f"load-{self.seed}-{self.acts}", business_id=who.business_id, truck_id=who.truck_id,
            waste="septic_tank", gallons=gallons, driver="Ann", tested=False, reason="No bottle left",
            by=world.staff("operator"), at=self.at, law=self.law,
        )  # fmt: skip

    def over(self) -> Any:
        return self._decided(super().over())

    def read(self) -> Any:
        """The level is read, now and then far from what was reckoned; the Director takes the time of what is over."""
        level = tank_level.level_now(world.plant(), self.law, self.at)
        assert level is not None
        gallons = min(level.tank.gallons, max(0, level.gallons + self.lot.choice([-900, -30, 0, 30, 200])))
        return self._decided(read_tank(world.plant(), gallons, self.at, reason="Read twice",
                                       by=world.staff("operator"), at=self.at, law=self.law))  # fmt: skip

    def shut_point(self) -> Any:
        """The tank's point is restricted, or that of the station."""
        point = self.lot.choice(db.session.scalars(select(Point.id).order_by(Point.id)).all())
        return restrict_plant(world.plant(), "operational_problem", scope="points", points=[point],
                              by=world.staff("director"), at=self.at, law=self.law)  # fmt: skip

    def lift(self) -> Any:
        """What was booked and held stands or is listed: nothing is left over the limit or the tank."""
        done = super().lift()
        db.session.flush()
        in_force = db.session.scalars(select(Restriction.id).filter_by(lifted_at=None)).all()
        if done is not None and not isinstance(done, Refusal) and not in_force:
            assert over_now(world.plant(), self.law, self.at) == (), (self.seed, self.acts)
        return done

    def sleep(self) -> None:
        """Days go by: what is restricted may last longer than was planned."""
        self.at += timedelta(days=self.lot.choice([1, 1, 2]))

    def close_part(self) -> Any:
        shut = self.lot.choice([(time(8), time(8, 40)), (time(7), time(7, 30)), (time(9, 10), time(10))])
        return close_day(world.plant(), self.lot.choice(self.days), "Works", "closed", shut, by=world.staff("manager"),
                         at=self.at, law=self.law)  # fmt: skip

    def holiday(self) -> Any:
        return list_holidays(world.plant(), {self.lot.choice(self.days): "Founders Day"}, by=world.staff("manager"),
                             at=self.at, law=self.law)  # fmt: skip

    def move_closure(self) -> Any:
        """A closure, of a day or of a part of it, moves to another day."""
        row = self._one(ClosureDay, kind="closed")
        day, shut = self.lot.choice(self.days), self.lot.choice([None, (time(8), time(8, 40))])
        return row and change_closure(world.plant(), row.id, day, "Works", "closed", shut, by=world.staff("manager"),
                                      at=self.at, law=self.law)  # fmt: skip

    def order(self) -> Any:
        """The Director orders a lower limit, or none at all, for a part of each day from one on."""
        part = {"from": "08:00", "to": self.lot.choice(["08:40", "10:00"]), "gph": self.lot.choice([0, 0, 250])}
        since = max(self.lot.choice(self.days), self.at.date())
        return set_limit(world.plant(), "rate.own_lower", [part], since, "Order 8", by=world.staff("director"),
                         at=self.at, law=self.law)  # fmt: skip

    def _decided(self, answer: Any) -> Any:
        lost = over_now(world.plant(), self.law, self.at)
        if lost:
            done = end_over_limit(world.plant(), {one.number for one in lost}, by=world.staff("director"), at=self.at,
                                  law=self.law)  # fmt: skip
            assert done == len(lost)
        return answer


@pytest.mark.parametrize("share", range(SHARES))
def test_no_minute_of_any_week_runs_the_tank_over_or_bleeds_above_the_limit(app, share):
    people = [hauler(f"Hauler {n}", number=n) for n in range(1, 5)]
    # The shares step by an even number, so that a seed says which plant it is played at.
    if (FIRST + share) % 2:
        beside_station(replace(PLAIN, bleed_gph=400, held=500), START)
    else:
        only_tank(replace(PLAIN, held=500), START)
    done = play_each(lambda seed: TankWeek(seed, people), share, WEEKS, SHARES)
    if WEEKS >= 200:
        names = {name.removesuffix(" done") for name in done if name.endswith(" done")}
        wanted = {"book", "largest", "move", "restrict", "shut_point", "lift", "close_part", "holiday", "move_closure",
                  "order", "come", "drop_in", "pause", "over", "read"}  # fmt: skip
        assert wanted <= names, done
    assert db.session.scalars(select(Booking)).all() == []
