"""Random weeks of booking, moving, cancelling, restricting, lowering the limit, closing days and trucks as they come.

They come late, stop short, run over, pause and change their rate, are turned away or do not come, and what was recorded
is taken back; some have special times (§ 329-7 F(4)), some wait in line for freed room. After every act the draw of
each instant is added up from the rows by other code, after every week what is free and kept (tests/flows/instants.py).
200 weeks in the test command; ``make soak`` asks for 10,000.
"""

import random
from collections import Counter
from datetime import date, datetime, time, timedelta
from typing import Any

import pytest
from sqlalchemy import func, select

from haulers import queries as haulers
from intake.actions.booking import book_discharge, cancel_booking
from intake.actions.closures import close_day
from intake.actions.flow import put_flow_in_force
from intake.actions.moving import move_booking
from intake.actions.no_show import record_no_show, undo_no_show
from intake.actions.planning_on import plan_on
from intake.actions.restriction import lift_restriction, restrict_plant
from intake.actions.running import change_rate, pause_load, resume_load, run_on
from intake.actions.special import Ask, accept_special, arrange_special, ask_special
from intake.actions.station import continue_load, log_load, refuse_load, void_load
from intake.actions.stop import stop_load
from intake.actions.waiting import answer_offer, ask_to_wait, leave_waiting, offer_room
from intake.models import Booking, Load, PlannedSession, Restriction, RoomOffer, Run, SpecialTime, Wait
from intake.queries import capacity, loads, offered, restrictions
from intake.queries.bookings import gallons_left, sessions_of, view
from intake.queries.checks import check_capacity
from intake.queries.pieces import morning
from intake.queries.terms import terms_of
from office.access import system
from office.db import db
from office.notices import Notice
from ordinances.offers import Session, lowest_rate, minutes
from ordinances.reader import Law
from ordinances.refusal import Refusal
from tests import world
from tests.flows.instants import Rows, booked_twice, stands
from tests.flows.playing import examples, play_each
from tests.intake.plant import Hauler, hauler
from tests.intake.specials import working_hours

WEEKS = examples(200)
SHARES = 8
# So many gallons has the last hauler in each part of the season.
FEW = 3_000
MONDAYS = [date(2026, 10, 5), date(2026, 11, 23), date(2026, 12, 21), date(2027, 3, 8)]


class Week:
    """One week as it happens; each act is drawn by lot."""

    def __init__(self, seed: int, people: list[Hauler]) -> None:
        self.lot, self.people, self.done = random.Random(seed), people, Counter[str]()
        monday = self.lot.choice(MONDAYS)
        self.days = [monday + timedelta(n) for n in range(5)]
        self.at = world.at(f"{monday - timedelta(3)}T12:00")
        self.seed, self.acts = seed, 0

    @property
    def law(self) -> Law:
        return capacity.law_under_lock(world.plant(), self.at)

    def play(self, acts: int = 16) -> None:
        chances = [(self.book, 9), (self.any_time, 2), (self.cancel, 2), (self.restrict, 2), (self.lift, 3),
                   (self.lower, 1), (self.close, 1), (self.come, 4), (self.void, 1), (self.wait, 3),
                   (self.pause, 2), (self.resume, 2), (self.rate, 2), (self.over, 2), (self.short, 1),
                   (self.special, 2), (self.move, 3), (self.stand, 3), (self.answer, 2), (self.leave, 1),
                   (self.tick, 1), (self.away, 2), (self.missed, 1), (self.undo, 2), (self.move_part, 2),
                   (self.shut_while_held, 1)]  # fmt: skip
        for _ in range(acts):
            step = self.lot.choices([one for one, _ in chances], [weight for _, weight in chances])[0]
            answer = step()
            self.acts += 1
            said = "refused" if isinstance(answer, Refusal) else "done" if answer is not None else "nothing"
            self.done[f"{step.__name__} {said}"] += 1
            db.session.flush()
            db.session.expire_all()
            where = f"week {self.seed}, act {self.acts} ({step.__name__}) at {self.at}"
            rows = Rows(self.at)
            assert rows.wrong(self.days) == [], where
            assert booked_twice(self.at, {self.people[-1].approval_id: FEW}) == [], where
            if any(rows.waits.values()):
                self.done["free beside kept done"] += 1
                self.free(rows, where)
        self.free(Rows(self.at), f"week {self.seed} at {self.at}")
        assert check_capacity() == [], f"week {self.seed} at {self.at}"

    def free(self, rows: Rows, where: str) -> None:
        """What is taken, kept and free is the capacity, at each instant and in gallons."""
        for picture in capacity.day_pictures(world.plant(), self.law, self.days, self.at).values():
            assert rows.free_differs(picture) == [], where

    def wait(self) -> None:
        self.at += timedelta(minutes=self.lot.choice([1, 7, 20, 45, 180, 600]), seconds=self.lot.randrange(60))

    def load(self) -> tuple[Hauler, int]:
        return self.lot.choice(self.people), self.lot.choice([1, 300, 600, 665, 999, 1_500, 1_998, 1_999, 2_500])

    def book(self) -> Any:
        who, gallons = self.load()
        terms = terms_of(world.plant().id, who.business_id, self.law, self.at, "septic_tank")
        truck = haulers.truck(who.truck_id)
        found = offered.find(world.plant(), terms, self.at, gallons, self.lot.choice(self.days), truck=truck)
        times: Any = [self.lot.choice(found.fits)] if found.fits else None
        if times is None:
            times = offered.split_over(world.plant(), terms, self.at, gallons, truck=truck)
        if isinstance(times, Refusal):
            return times
        made = self._book(who, gallons, list(times))
        assert not isinstance(made, Refusal), (self.seed, self.acts, self.at, times, made)
        return made

    def any_time(self) -> Any:
        """A time nobody offered; where it is taken it must have been one all the same."""
        who, gallons = self.load()
        rate = self.lot.choice([200, 333, 655, 666, 667, 800])
        day, length = self.lot.choice(self.days), minutes(gallons, rate)
        start = world.at(f"{day}T07:00") + timedelta(minutes=self.lot.randrange(-15, 200))
        one = Session(start, start + timedelta(minutes=length), lowest_rate(gallons, length), gallons)
        return self._book(who, gallons, [one])

    def _book(self, who: Hauler, gallons: int, times: list[Session]) -> Any:
        return book_discharge(world.plant(), who.business_id, who.truck_id, "septic_tank", gallons, times, by=who.by,
                              at=self.at, law=self.law)  # fmt: skip

    def _owner(self, business_id: int) -> Hauler:
        return next(one for one in self.people if one.business_id == business_id)

    def move(self) -> Any:
        """A booking moves to another time that is offered for it, of that day or another."""
        booking = self._one(Booking, state="booked")
        if booking is None:
            return None
        return self._moved(self._to_another_time(booking), "booked", "begun")

    def _to_another_time(self, booking: Booking) -> Any:
        terms = terms_of(world.plant().id, booking.business_id, self.law, self.at, "septic_tank")
        left = gallons_left(booking) or booking.gallons
        found = offered.find(world.plant(), terms, self.at, left, self.lot.choice(self.days),
                             truck=haulers.truck(booking.truck_id), booking_id=booking.id)  # fmt: skip
        return move_booking(world.plant(), booking.id, [self.lot.choice(found.fits)], by=world.staff("operator"),
                            at=self.at, law=self.law) if found.fits else None  # fmt: skip

    def move_part(self) -> Any:
        """One morning of a load that is split moves to another day; with none to be had, or by lot, it is given up.

        Some are unloaded in part: what is left of them moves.
        """
        several = self._several() or [one for one in (self._book_split(),) if isinstance(one, Booking)]
        if not several:
            return None
        _ = self.restrict() if self.lot.random() < 0.4 else None
        db.session.flush()
        booking = self.lot.choice(several)
        parts = sessions_of([booking.id])[booking.id]
        part = self.lot.choice(parts)
        terms = terms_of(world.plant().id, booking.business_id, self.law, self.at, "septic_tank")
        found = offered.find(world.plant(), terms, self.at, part.gallons, self.lot.choice(self.days),
                             truck=haulers.truck(booking.truck_id), booking_id=booking.id,
                             without=[one.day for one in parts if one is not part])  # fmt: skip
        if not found.fits or self.lot.random() < 0.2:
            return cancel_booking(world.plant(), booking.id, "Half is gone", part=part.day, by=world.staff("operator"),
                                  at=self.at, law=self.law)  # fmt: skip
        return self._moved(move_booking(
            world.plant(), booking.id, [self.lot.choice(found.fits)], part=part.day, by=world.staff("operator"),
            at=self.at, law=self.law), "booked", "held", "begun")  # fmt: skip

    def _several(self) -> list[Booking]:
        rows = db.session.scalars(select(Booking).filter_by(state="booked").order_by(Booking.id))
        return [one for one in rows if len(sessions_of([one.id])[one.id]) > 1]

    def _book_split(self) -> Any:
        who, _ = self.load()
        terms = terms_of(world.plant().id, who.business_id, self.law, self.at, "septic_tank")
        times = offered.split_over(world.plant(), terms, self.at, 2_500, truck=haulers.truck(who.truck_id))
        return times if isinstance(times, Refusal) else self._book(who, 2_500, list(times))

    def _moved(self, answer: Any, *states: str) -> Any:
        """What was moved keeps its room."""
        db.session.flush()
        if isinstance(answer, Booking):
            assert view(answer, self.at).state in states, (self.seed, self.acts, self.at)
        return answer

    def shut_while_held(self) -> Any:
        """The plant is restricted, then the day of a booking that is held is closed: it has no time that could move.

        What is left of a load that is unloaded in part gets another time all the same.
        """
        self.restrict(max(world.at(f"{self.days[-1]}T10:00"), self.at + timedelta(hours=1)))
        db.session.flush()
        held = [one.booking_id for one in capacity.planned(world.plant().id, self.at, since=self.at) if one.held]
        if not held:
            return None
        booking = db.session.get_one(Booking, self.lot.choice(held))
        for day in {one.day for one in sessions_of([booking.id])[booking.id]}:
            close_day(world.plant(), day, "Pump work", by=world.staff("manager"), at=self.at, law=self.law)
        db.session.flush()
        db.session.expire_all()
        lost = booking.id not in {row.booking_id for row, _ in stands()}
        begun = view(booking, self.at).lost_rest
        answer = self._to_another_time(booking)
        if begun:
            return self._moved(answer, "begun")
        assert not (lost and isinstance(answer, Booking)), (self.seed, self.acts, self.at)
        return lost or None

    def away(self) -> Any:
        """The next truck is turned away at the gate, on time or as soon as it is there."""
        split = self._several() if self.lot.random() < 0.5 else []
        booking = self.lot.choice(split) if split else self._next()
        if booking is None:
            return None
        first = sessions_of([booking.id])[booking.id][0]
        self.at = max(self.at, first.starts + timedelta(minutes=self.lot.choice([-300, -10, 0, 3])))
        return refuse_load(
            world.plant(), f"away-{self.seed}-{self.acts}", reason_code="field_test", reason="Smells of solvent",
            business_id=booking.business_id, truck_id=booking.truck_id, booking=booking, waste="septic_tank",
            by=world.staff("operator"), at=self.at, law=self.law,
        )  # fmt: skip

    def _next(self) -> Any:
        """The booking whose time is the next to begin, or has begun."""
        mine = next((row.booking_id for row, _ in stands() if row.ends > self.at), None)
        return mine and db.session.get_one(Booking, mine)

    def missed(self) -> Any:
        """Nobody came, says the desk."""
        booking = self._next()
        if booking is None:
            return None
        self.at = max(self.at, sessions_of([booking.id])[booking.id][0].starts)
        return record_no_show(world.plant(), booking.id, by=world.staff("operator"), at=self.at, law=self.law)

    def undo(self) -> Any:
        """A truck was not turned away, or came after all."""
        if self.lot.random() < 0.5:
            _ = self.away() or self.missed()
            db.session.flush()
            _ = self._book_split() if self.lot.random() < 0.5 else self.book()
            db.session.flush()
        refused, gone = self._one(Load, state="refused"), self._one(Booking, state="no_show")
        if refused is not None and (gone is None or self.lot.random() < 0.7):
            return void_load(refused, "Wrong truck", by=world.staff("operator"), at=self.at, law=self.law)
        return gone and undo_no_show(world.plant(), gone.id, by=world.staff("operator"), at=self.at, law=self.law)

    def stand(self) -> Any:
        """A load waits in line for room of the fullest day of some."""
        who, _ = self.load()
        gallons, some = self.lot.choice([1_500, 1_998, 1_998]), self.lot.sample(self.days, 3)
        pictures = capacity.day_pictures(world.plant(), self.law, some, self.at)
        open_days = [one for one in some if pictures[one].is_open and one > self.at.date()]
        day = min(open_days, key=lambda one: pictures[one].room, default=some[0])
        return ask_to_wait(world.plant(), who.business_id, who.truck_id, "septic_tank", gallons, day, day, by=who.by,
                           at=self.at, law=self.law)  # fmt: skip

    def answer(self) -> Any:
        """Somebody in line says yes or no to what is offered; without any, who has that day cancels."""
        row = self._one(RoomOffer, answered_at=None, lost_at=None)
        if row is None:
            waits = self._one(Wait, ended_at=None)
            mine = select(PlannedSession.booking_id).where(PlannedSession.day == waits.first_day) if waits else None
            booking = (
                self._one(Booking, state="booked")
                if mine is None
                else db.session.scalars(
                    select(Booking).where(Booking.state == "booked", Booking.id.in_(mine)).order_by(Booking.id)
                ).first()
            )
            return booking and cancel_booking(world.plant(), booking.id, "Not needed", by=world.staff("operator"),
                                              at=self.at, law=self.law)  # fmt: skip
        who = self._owner(db.session.get_one(Wait, row.wait_id).business_id)
        return answer_offer(world.plant(), row.id, self.lot.random() < 0.6, by=who.by, at=self.at, law=self.law)

    def leave(self) -> Any:
        row = self._one(Wait, ended_at=None)
        return row and leave_waiting(world.plant(), row.id, by=world.staff("operator"), at=self.at, law=self.law)

    def tick(self) -> Any:
        """As each minute does: what outlasts its planning end is planned on, what lies free is offered to who waits."""
        more = [plan_on(world.plant(), row.id, by=system(), at=self.at, law=self.law)
                for row in restrictions.in_force(world.plant().id, self.at) if row.planning_end <= self.at]  # fmt: skip
        db.session.flush()
        return offer_room(world.plant(), by=system(), at=self.at, law=self.law) or any(more) or None

    def _one(self, model: Any, **where: Any) -> Any:
        rows = db.session.scalars(select(model).filter_by(**where).order_by(model.id)).all()
        return self.lot.choice(rows) if rows else None

    def cancel(self) -> Any:
        booking = self._one(Booking, state="booked")
        return booking and cancel_booking(world.plant(), booking.id, "Not needed", by=world.staff("operator"),
                                          at=self.at, law=self.law)  # fmt: skip

    def restrict(self, until: datetime | None = None) -> Any:
        gph = self.lot.choice([None, 0, 100, 400, 665])
        scope = "rate" if gph else "everything" if gph is None else "types"
        return restrict_plant(world.plant(), "operational_problem", scope=scope, gph=gph or None,
                              wastes=("septic_tank",) if scope == "types" else (), planning_end=until,
                              by=world.staff("director"), at=self.at, law=self.law)  # fmt: skip

    def lift(self) -> Any:
        row = self._one(Restriction, lifted_at=None)
        return row and lift_restriction(world.plant(), row.id, "Pump mended", by=world.staff("director"), at=self.at,
                                        law=self.law)  # fmt: skip

    def lower(self) -> Any:
        since = max(self.lot.choice(self.days), self.at.date())
        flow = self.lot.choice([60_000, 125_000, 150_000, 160_000, 200_000])
        return put_flow_in_force(world.plant(), flow, since, "Order 7", by=world.staff("director"), at=self.at,
                                 law=self.law)  # fmt: skip

    def close(self) -> Any:
        kind = self.lot.choice(["closed", "closed", "opened"])
        return close_day(world.plant(), self.lot.choice(self.days), "Pump work", kind, by=world.staff("manager"),
                         at=self.at, law=self.law)  # fmt: skip

    def special(self) -> Any:
        """Another time of the day is asked for, its charge accepted, and mostly approved: early, late, over an edge."""
        who, gallons = self.load()
        begins = time(self.lot.choice([6, 6, 9, 9, 10, 13, 15]), self.lot.choice([0, 17, 30, 45]))
        ask = Ask(who.business_id, who.truck_id, "septic_tank", gallons, self.lot.choice(self.days), begins, "Full")
        row: Any = ask_special(world.plant(), ask, by=who.by, at=self.at, law=self.law)
        if not isinstance(row, Refusal):
            row = accept_special(world.plant(), row.number, row.quote_cents, by=who.by, at=self.at, law=self.law)
            assert isinstance(row, SpecialTime), (self.seed, self.acts, row)
        waits = self._one(SpecialTime, state="accepted")
        self.at += timedelta(minutes=self.lot.choice([0, 0, 1, 300]))
        return waits and arrange_special(world.plant(), waits.number, by=world.staff("director"), at=self.at,
                                         law=self.law)  # fmt: skip

    def come(self) -> Any:
        """The next truck comes: on time, early or late, with what was booked, with less, now and then with more."""
        query = (
            select(PlannedSession, Booking).join(Booking, Booking.id == PlannedSession.booking_id)
            .where(Booking.state == "booked", PlannedSession.starts > self.at - timedelta(minutes=30))
            .order_by(PlannedSession.starts, PlannedSession.id)
        )  # fmt: skip
        row = db.session.execute(query).first()
        if row is None:
            return None
        one, booking = row
        self.at = max(self.at, one.starts + timedelta(minutes=self.lot.choice([-10, 0, 0, 0, 3, 20])))
        gallons = max(1, one.gallons + self.lot.choice([0, 0, 0, -300, 100]))
        who, opened = self._owner(booking.business_id), loads.opened_by(booking.id)
        if opened is not None:
            return continue_load(opened, gallons, by=world.staff("operator"), at=self.at, law=self.law)
        return log_load(
            world.plant(), f"load-{self.seed}-{self.acts}", business_id=who.business_id, truck_id=who.truck_id,
            waste="septic_tank", gallons=gallons, booking=booking, driver="Ann", tested=False, reason="No bottle left",
            by=world.staff("operator"), at=self.at, law=self.law,
        )  # fmt: skip

    def _running(self, work: Any, **where: Any) -> Any:
        """Something is done to a load that flows or waits, some minutes later; if none does a truck comes or pauses."""
        runs = self._open(**where)
        if not runs:
            _ = self.pause() if where.get("kind") == "rest" else self.come()
            db.session.flush()
            runs = self._open(**where)
        if not runs:
            return None
        run = self.lot.choice(runs)
        self.at = max(self.at, run.starts) + timedelta(minutes=self.lot.choice([0, 1, 10, 25]), seconds=self.lot.choice(
            [0, 0, 17]))  # fmt: skip
        load = db.session.get_one(Load, run.load_id)
        before = _told()
        answer = work(load, by=world.staff("operator"), at=self.at, law=self.law)
        db.session.flush()
        if not isinstance(answer, Refusal):
            several = loads.runs_of(load.id)
            assert load.gallons == sum(one.gallons for one in several), (self.seed, self.acts)
            assert _told() > before
        return answer

    def _open(self, **where: Any) -> list[Run]:
        query = (
            select(Run).join(Load, Load.id == Run.load_id)
            .where(Load.state == "accepted", Run.gallons > 0, Run.ends > self.at - timedelta(minutes=20))
            .filter_by(**where).order_by(Run.id)
        )  # fmt: skip
        return [one for one in db.session.scalars(query) if one.starts <= self.at + timedelta(minutes=60)]

    def pause(self) -> Any:
        out = self.lot.choice([None, 0, 100])
        return self._running(
            lambda load, **more: pause_load(load, morning(load, self.at).out if out is None else out, **more),
            kind="ran",
        )

    def resume(self) -> Any:
        return self._running(resume_load, kind="rest")

    def rate(self) -> Any:
        gph = self.lot.choice([100, 333, 600, 666, 670, 671, 900])
        return self._running(lambda load, **more: change_rate(load, gph, **more), kind="ran")

    def over(self) -> Any:
        more_gallons = self.lot.choice([1, 60, 300])
        return self._running(lambda load, **more: run_on(load, more_gallons, reason="Meter", **more), kind="ran")

    def short(self) -> Any:
        return self._running(
            lambda load, **more: stop_load(load, max(0, morning(load, self.at).out - 20), "Empty", **more)
        )

    def void(self) -> Any:
        load = self._one(Load, state="accepted")
        return load and void_load(load, "Typed twice", by=world.staff("operator"), at=self.at, law=self.law)


def _told() -> int:
    """How many notices were written."""
    return int(db.session.scalars(select(func.count()).select_from(Notice)).one())


@pytest.mark.parametrize("share", range(SHARES))
def test_no_instant_of_any_week_is_above_the_limit_or_outside_the_hours_and_free_is_what_is_left(app, share):
    working_hours()
    people = [hauler(f"Hauler {n}", number=n) for n in range(1, 4)]
    people.append(hauler("Small Hauler", number=4, winter=FEW, rest=FEW))
    done = play_each(lambda seed: Week(seed, people), share, WEEKS, SHARES)
    # Each kind of act was done in some week: the weeks are not empty.
    if WEEKS >= 200:
        assert WEEKS < 1_000 or min(done["move done"], done["free beside kept done"]) > 0, done
        names = {name.removesuffix(" done") for name in done if name.endswith(" done")}
        wanted = {"book", "cancel", "restrict", "lift", "lower", "close", "come", "pause", "rate", "over", "special",
                  "stand", "away", "undo", "move_part", "shut_while_held"}  # fmt: skip
        assert wanted <= names, done
