"""The sample season from October 1, 2026 to the morning of February 9, 2027, event by event, each by a real act."""

import heapq
import itertools
import random
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from sqlalchemy import select

from billing import actions as money
from billing import queries as owed
from billing.models import Account
from haulers import actions as hauling
from haulers import queries as haulers
from intake import actions
from intake.actions.special import Ask, accept_special
from intake.models import Booking, Load, SpecialTime
from intake.queries import bookings, capacity, restrictions
from intake.queries.loads import next_bottle
from intake.sample import custody
from intake.sample.cast import HAULERS, Hauler
from intake.sample.setting import Story, flow_rows, must
from office import clock, jobs
from office.db import db
from ordinances import calendar, offers
from ordinances.offers import Session
from ordinances.refusal import Refusal

FIRST, TODAY = date(2026, 10, 1), date(2027, 2, 9)
RESTRICTED = (date(2026, 12, 9), date(2026, 12, 10))
REVOKED_ON = date(2027, 1, 21)
REFUSED_ON = date(2027, 1, 12)
OVERDUE_ON = date(2027, 2, 3)
INVOICED = (date(2026, 12, 1), date(2027, 2, 1))
LATE_PAYER = "son@sample.example"
ASKS = "hauler@sample.example"
REVOKED = "island@sample.example"


class Season:
    """The queue of what happens when; each event may add later ones."""

    def __init__(self, story: Story) -> None:
        self.story, self.plant = story, story.plant
        self.random = random.Random(2027)
        self.events: list[tuple[datetime, int, Callable[[datetime], None]]] = []
        self.order = itertools.count()
        self.loads = 0
        self.turn = itertools.cycle(h for h in HAULERS if h.email != "anyone@sample.example")

    def then(self, day: date, hour: int, minute: int, do: Callable[[datetime], None]) -> None:
        at = datetime(day.year, day.month, day.day, hour, minute, tzinfo=self.plant.tz)
        heapq.heappush(self.events, (at, next(self.order), do))

    def run(self, told: Callable[[int, date], None]) -> None:
        end = datetime(TODAY.year, TODAY.month, TODAY.day, 7, 50, tzinfo=self.plant.tz)
        while self.events and self.events[0][0] <= end:
            at, _, do = heapq.heappop(self.events)
            clock.hold(at)
            do(at)
            told(self.loads, at.astimezone(self.plant.tz).date())
        clock.hold(end)
        jobs.tick(end)


def run(story: Story, told: Callable[[int, date], None]) -> int:
    """Play the season; the number of loads logged."""
    season = Season(story)
    law = story.law(story.at(FIRST, 6))
    for day in calendar.open_days(law, FIRST, TODAY + timedelta(days=9)):
        ahead = max(day - timedelta(days=2), FIRST)
        ahead = min(ahead, TODAY - timedelta(days=1))
        season.then(ahead, 6 if ahead == day else 15, 10, _book_day(season, day))
        season.then(day, 10, 45, custody.handed(season, day))
        season.then(day, 14, 0, custody.received(season, day))
    for number in range((TODAY - FIRST).days + 1):
        season.then(FIRST + timedelta(days=number), 6, 0, _tick)
    season.then(RESTRICTED[0], 6, 50, _restrict(season))
    season.then(RESTRICTED[1], 13, 20, _lift(season))
    season.then(REVOKED_ON, 11, 5, _revoke(season))
    for day in INVOICED:
        season.then(day, 10, 0, _invoice(season))
    season.then(date(2027, 2, 8), 14, 0, _flow(season))
    season.then(date(2027, 2, 8), 15, 30, _special(season))
    season.run(told)
    return season.loads


def _tick(at: datetime) -> None:
    jobs.tick(at)


def _flow(season: Season) -> Callable[[datetime], None]:
    def do(at: datetime) -> None:
        by = season.story.who("manager@sample.example", at)
        must(actions.import_flow(season.plant, list(flow_rows(at.date())), "Washburn sample", by=by, at=at))

    return do


def _special(season: Season) -> Callable[[datetime], None]:
    """A hauler asks for a special time and accepts its charge; the Director has not decided yet."""

    def do(at: datetime) -> None:
        by, law = season.story.who(ASKS, at), season.story.law(at)
        business_id = season.story.business[ASKS]
        ask = Ask(business_id, haulers.trucks_of(business_id)[0].id, "septic_tank", 900, date(2027, 2, 11), time(13),
                  "The tank of the school kitchen is full; the truck is in Ashland in the morning.")  # fmt: skip
        row: SpecialTime = must(actions.ask_special(season.plant, ask, by=by, at=at, law=law))
        must(accept_special(season.plant, row.number, row.quote_cents or 0, by=by, at=at, law=law))

    return do


def _book_day(season: Season, day: date) -> Callable[[datetime], None]:
    def do(at: datetime) -> None:
        wanted = 1 if season.random.random() < 0.22 and day != TODAY else 2
        for _ in range(len(HAULERS)):
            hauler = next(season.turn)
            if wanted and (hauler.email != REVOKED or at.date() < REVOKED_ON):
                wanted -= _book(season, hauler, day, at)

    return do


def _book(season: Season, hauler: Hauler, day: date, at: datetime) -> bool:
    business = season.story.business[hauler.email]
    truck = haulers.trucks_of(business)[0]
    gallons = min(truck.capacity, hauler.usual + 50 * season.random.randint(-3, 0))
    law = season.story.law(at)
    picture = capacity.day_picture(season.plant, law, day, at)
    fits, _ = offers.offers(picture.steps, gallons) if picture.steps else ((), ())
    by = season.story.who(hauler.email, at)
    if not fits or (day in RESTRICTED and at.date() >= RESTRICTED[0]):
        return False
    answer = actions.book_discharge(season.plant, business, truck.id, hauler.asks[0][0], gallons, [fits[0]],
                                    by=by, at=at, law=law)  # fmt: skip
    if isinstance(answer, Refusal) and answer.code == "allowance":
        # Two haulers approved in part use their winter up; they read why and stay away.
        db.session.rollback()
        return False
    booking: Any = must(answer)
    # The gate opens with the dump hours; a later truck is a little early.
    comes = max(picture.steps[0].start, fits[0].start - timedelta(minutes=3)).astimezone(season.plant.tz)
    season.then(day, comes.hour, comes.minute, _arrive(season, hauler, booking.id, fits[0]))
    return True


def _arrive(season: Season, hauler: Hauler, booking_id: int, session: Session) -> Callable[[datetime], None]:
    def do(at: datetime) -> None:
        booking = db.session.get_one(Booking, booking_id)
        view = bookings.view(booking, at)
        if view.state != "booked":
            return
        if at.date() == REFUSED_ON and session.start.astimezone(season.plant.tz).hour == 7:
            _refuse(season, booking, at)
        else:
            _log(season, hauler, booking, at)

    return do


def _log(season: Season, hauler: Hauler, booking: Booking, at: datetime) -> None:
    plant, law = season.plant, season.story.law(at)
    gallons = max(1, booking.gallons - season.random.choice((0, 0, 0, 5, 12, 30)))
    by = season.story.who("operator@sample.example", at)
    load: Any = must(actions.log_load(
        plant, f"sample-{booking.id}", business_id=booking.business_id, truck_id=booking.truck_id, waste=booking.waste,
        gallons=gallons, booking=booking, driver=hauler.contact, ph=Decimal(season.random.randint(62, 78)) / 10,
        bottle=next_bottle(plant.id, at.date()), by=by, at=at, law=law,
    ))  # fmt: skip
    season.loads += 1
    if not (at.date() == OVERDUE_ON and hauler.email == _overdue_hauler(season, at)):
        season.then(at.date(), 17, 30, _record(season, hauler, load.id))
    read = at.date() + timedelta(days=6)
    season.then(read, 14, 0, _results(season, load.id))


def _overdue_hauler(season: Season, at: datetime) -> str:
    query = select(Load).filter_by(plant_id=season.plant.id, day=at.date()).order_by(Load.id)
    first = db.session.scalars(query).first()
    assert first is not None
    return next(email for email, ident in season.story.business.items() if ident == first.business_id)


def _refuse(season: Season, booking: Booking, at: datetime) -> None:
    by = season.story.who("operator@sample.example", at)
    must(actions.refuse_load(
        season.plant, f"sample-{booking.id}", reason_code="field_test", reason="pH 5.1 on the strip, read twice.",
        business_id=booking.business_id, truck_id=booking.truck_id, booking=booking, waste=booking.waste,
        ph=Decimal("5.1"), by=by, at=at, law=season.story.law(at),
    ))  # fmt: skip


def _record(season: Season, hauler: Hauler, load_id: int) -> Callable[[datetime], None]:
    def do(at: datetime) -> None:
        load = db.session.get_one(Load, load_id)
        number = 20 + load_id % 70
        sources = f"{number} Example Road, {hauler.town}: {load.gallons} gallons"
        by = season.story.who(hauler.email if load_id % 4 else "operator@sample.example", at)
        must(actions.file_record(load, sources, by=by, at=at, law=season.story.law(at)))

    return do


def _results(season: Season, load_id: int) -> Callable[[datetime], None]:
    def do(at: datetime) -> None:
        load = db.session.get_one(Load, load_id)
        low, high = ((180, 620), (160, 700)) if load.waste == "holding_tank" else ((3900, 8900), (6200, 14800))
        by = season.story.who("manager@sample.example", at)
        law = season.story.law(at)
        for parameter, (least, most) in (("BOD5", low), ("TSS", high)):
            value = season.random.randint(least // 10, most // 10) * 10
            must(actions.enter_result(load, parameter, f"{value:,}", by=by, at=at, law=law))

    return do


def _restrict(season: Season) -> Callable[[datetime], None]:
    def do(at: datetime) -> None:
        by = season.story.who("director@sample.example", at)
        must(actions.restrict_plant(season.plant, "operational_problem", note="Aeration blower 2 has stopped.",
                                    by=by, at=at, law=season.story.law(at)))  # fmt: skip

    return do


def _lift(season: Season) -> Callable[[datetime], None]:
    def do(at: datetime) -> None:
        by = season.story.who("director@sample.example", at)
        now = restrictions.active(season.plant.id, at)
        assert now is not None
        done = "The blower's bearing was replaced and the oxygen is back."
        must(actions.lift_restriction(season.plant, now.id, done, by=by, at=at, law=season.story.law(at)))

    return do


def _revoke(season: Season) -> Callable[[datetime], None]:
    def do(at: datetime) -> None:
        approval = haulers.last_approvals(season.plant.id, season.story.business[REVOKED])[0]
        reason = (
            "On January 19 the load was declared as septic tank waste from the town. Its records name a marina that is "
            "not in the application, and the driver said so when asked."
        )
        by = season.story.who("director@sample.example", at)
        must(hauling.revoke_approval(season.plant, approval.id, "§ 329-7 B(1)", reason, by=by, at=at,
                                     law=season.story.law(at)))  # fmt: skip

    return do


def _invoice(season: Season) -> Callable[[datetime], None]:
    def do(at: datetime) -> None:
        by = season.story.who("clerk@sample.example", at)
        made = must(money.make_invoices(season.plant, by=by, at=at, law=season.story.law(at)))
        for number, invoice in enumerate(made):
            late = at.date() == INVOICED[0] and invoice.account_id == _account(season, LATE_PAYER)
            when = at.date() + timedelta(days=40 if late else 9 + number % 5)
            season.then(when, 11, 0, _pay(season, invoice.account_id, invoice.total_cents, 5100 + number))

    return do


def _account(season: Season, email: str) -> int:
    party = haulers.party_of_business(season.story.business[email])
    account = owed.account_of(season.plant.id, party.id)
    return account.id if account else 0


def _pay(season: Season, account_id: int, cents: int, check: int) -> Callable[[datetime], None]:
    def do(at: datetime) -> None:
        account = db.session.get_one(Account, account_id)
        by = season.story.who("clerk@sample.example", at)
        must(money.record_payment(season.plant, account, cents, "check", str(check), at.date(), by=by, at=at,
                                  law=season.story.law(at)))  # fmt: skip

    return do
