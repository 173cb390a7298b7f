"""Builders for tests of bookings and restrictions: approved haulers at Bayfield, and booking in one line."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import event, select

from haulers.actions.registration import register_business
from haulers.models import Application, ApplicationSource, Approval, Decision, Meeting, Motion
from haulers.queries import TruckLine, party_of_business, trucks_of
from haulers.queries.approved_trucks import listed_by
from intake.actions.booking import BOOKING, book_discharge
from intake.actions.flow import open_point
from intake.models import Booking, PlannedSession
from intake.queries import capacity
from intake.queries.bookings import first_point
from office import numbers
from office.access import NOBODY, Actor, Role, actor, system
from office.acts import act
from office.db import db
from office.signin import person_with_email
from ordinances import offers
from ordinances.offers import Session
from ordinances.refusal import Refusal
from ordinances.screening import RESIDENTIAL
from tests import world

TUESDAY, WEDNESDAY, THURSDAY = date(2026, 10, 6), date(2026, 10, 7), date(2026, 10, 8)
MORNING = world.at("2026-10-05T16:00")


@dataclass(frozen=True)
class Hauler:
    """A hauler as tests use it."""

    business_id: int
    truck_id: int
    approval_id: int
    email: str
    by: Actor


@act("test_approval", roles=(Role.SYSTEM,))
def _approve(business_id: int, winter: int, rest: int, wastes: Sequence[str], *, by: Actor, at: datetime) -> Approval:
    plant, law = world.plant(), world.law()
    people = [person_with_email(f"member{n}@city.example") for n in (1, 2)]
    party = party_of_business(business_id)
    meeting = db.session.scalars(select(Meeting)).first()
    meeting = meeting or Meeting(plant_id=plant.id, held_on=date(2026, 9, 15), body="Public Works Committee")
    application = Application(
        plant_id=plant.id, business_id=business_id, season="2026-27", state="approved",
        number=numbers.numbered_in_season(plant.id, "application", "2026-27"),
        filed_at=at, business_name=party.name, business_address=party.address, declared_by=party.name, saved_at=at,
        decided_at=at, law_version=law.version,
    )  # fmt: skip
    db.session.add_all([meeting, application])
    db.session.flush()
    for position, waste in enumerate(wastes):
        db.session.add(
            ApplicationSource(plant_id=plant.id, application_id=application.id, position=position, waste=waste)
        )
    motion = Motion(plant_id=plant.id, meeting_id=meeting.id, words="To approve", mover_id=people[0].id,  # type: ignore[union-attr]
                    seconder_id=people[1].id, passed=True)  # type: ignore[union-attr]  # fmt: skip
    db.session.add(motion)
    db.session.flush()
    decision = Decision(
        plant_id=plant.id, application_id=application.id, motion_id=motion.id, outcome="approved",
        gallons_winter=winter, gallons_rest=rest, conditions=[], decided_at=at, law_version=law.version,
    )  # fmt: skip
    db.session.add(decision)
    db.session.flush()
    approval = Approval(
        plant_id=plant.id, application_id=application.id, decision_id=decision.id, business_id=business_id,
        number=f"A-2026-27-{numbers.take(plant.id, 'approval', '2026-27'):03d}", season="2026-27",
        starts=date(2026, 10, 1), ends=date(2027, 9, 30),
        gallons_winter=winter, gallons_rest=rest, plan={}, law_version=law.version, trucks=listed_by(business_id, at),
    )  # fmt: skip
    db.session.add(approval)
    return approval


@act("test_grant_truck", roles=(Role.SYSTEM,))
def _grant(approval: Approval, *, by: Actor, at: datetime) -> Approval:
    approval.trucks = listed_by(approval.business_id, at)
    return approval


def grant_trucks(who: Hauler, at: datetime = MORNING) -> None:
    """Let an approval cover every truck on its hauler's list at an instant, as if the committee had granted them."""
    _grant(db.session.get_one(Approval, who.approval_id), by=system(), at=at)
    db.session.commit()


def point() -> None:
    """Open the receiving station, once."""
    if first_point(world.plant().id) is None:
        open_point(world.plant(), "Receiving station", by=system(), at=world.START)


def hauler(name: str = "Test Pumping", *, winter: int = 100_000, rest: int = 100_000, tank: int = 5_000,
           number: int = 1, wastes: Sequence[str] = RESIDENTIAL) -> Hauler:  # fmt: skip
    """An approved hauler with one truck, for some types of waste. Committed."""
    point()
    email = f"{name.lower().replace(' ', '.')}@hauler.example"
    business: Any = register_business(
        name=name, address="1 Test Road\nBayfield, WI 54814", phone="715-555-0199", email=email,
        contact=f"{name} Owner", password=world.PASSWORD, licence_state="Wisconsin", licence_number=f"L-{number}",
        licence_ends=date(2027, 9, 30), trucks=[TruckLine(f"T-{number}", tank, "Truck")], by=NOBODY, at=world.START,
    )  # fmt: skip
    assert not isinstance(business, Refusal), business
    db.session.flush()
    approval: Any = _approve(business.id, winter, rest, wastes, by=system(), at=world.at("2026-09-15T18:00"))
    person = person_with_email(email)
    assert person is not None
    by = actor(person.id, person.name, world.plant().id, MORNING)
    made = Hauler(business.id, trucks_of(business.id)[0].id, approval.id, email, by)
    db.session.commit()
    return made


def session(start: str, gallons: int, gph: int | None = None, minutes: int | None = None) -> Session:
    """A session beginning at a plant-local instant, at the planning limit unless a rate or length is given."""
    length = minutes or offers.minutes(gallons, gph or 666)
    begins = world.at(start)
    return Session(begins, begins + timedelta(minutes=length), offers.lowest_rate(gallons, length), gallons)


def book(who: Hauler, sessions: Session | Sequence[Session], *, at: datetime = MORNING, by: Actor | None = None,
         waste: str = "septic_tank") -> Booking | Refusal:  # fmt: skip
    """Book and commit what was booked."""
    several = [sessions] if isinstance(sessions, Session) else list(sessions)
    gallons = sum(one.gallons for one in several)
    plant = world.plant()
    made = book_discharge(plant, who.business_id, who.truck_id, waste, gallons, several, by=by or who.by, at=at,
                          law=world.law(at.date()))  # fmt: skip
    if isinstance(made, Refusal):
        db.session.rollback()
    else:
        db.session.commit()
    return made


@act("test_planned", roles=(Role.SYSTEM,))
def _plan(who: Hauler, one: Session, *, by: Actor, at: datetime) -> Booking:
    plant, day = world.plant(), one.start.date()
    booking = Booking(
        plant_id=plant.id, number=f"B-{day:%m%d}-{numbers.take(plant.id, BOOKING, f'{day:%m%d}'):02d}",
        approval_id=who.approval_id, business_id=who.business_id, truck_id=who.truck_id, waste="septic_tank",
        gallons=one.gallons, state="booked", made_at=at, made_by=who.by.name, law_version=world.law(at.date()).version,
    )  # fmt: skip
    db.session.add(booking)
    db.session.flush()
    db.session.add(PlannedSession(plant_id=plant.id, booking_id=booking.id, point_id=first_point(plant.id).id, day=day,
                                  starts=one.start, ends=one.end, gph=one.gph, gallons=one.gallons))  # type: ignore[union-attr]  # fmt: skip
    return booking


def planned(who: Hauler, one: Session, *, at: datetime = MORNING) -> Booking:
    """A booking as it stands when others, beside whom it was offered so slow or so odd, have cancelled since."""
    booking = _plan(who, one, by=system(), at=at)
    db.session.commit()
    return booking


def times_page(who: Any, gallons: int, day: date) -> str:
    """The address of the times of a day for a load, whose truck is that of a hauler or a booking."""
    return (f"http://localhost:8000/bayfield/hauler/book/times?truck={who.truck_id}&gallons={gallons}"
            f"&waste=septic_tank&day={day}")  # fmt: skip


def code(result: Any) -> str:
    """The code of a refusal; a booking's number says it was none."""
    return result.code if isinstance(result, Refusal) else f"booked {result.number}"


def picture(day: date = TUESDAY, at: datetime = MORNING) -> capacity.DayPicture:
    """A day as it stands."""
    return capacity.day_picture(world.plant(), world.law(day), day, at)


@contextmanager
def queries() -> Iterator[list[str]]:
    """Collect the statements sent to the database."""
    seen: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        seen.append(statement)

    event.listen(db.engine, "before_cursor_execute", note)
    try:
        yield seen
    finally:
        event.remove(db.engine, "before_cursor_execute", note)
