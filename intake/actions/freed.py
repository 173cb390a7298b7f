"""Room that became free is offered to those who wait for it, first come first; run inside the act that freed it.

One holds the offer at a time: the room is kept for them, and behind them for those who would be next.
"""

from collections.abc import Collection, Sequence
from datetime import date, datetime

from sqlalchemy import select

from haulers import queries as haulers
from intake.actions.booking_mail import time_lines, when_words
from intake.models import Booking, FreedRoom, PlannedSession, RoomOffer, Wait
from intake.queries import capacity, kept_rooms, waiting
from intake.queries.capacity import DayPicture
from intake.queries.kept_rooms import Offer
from intake.queries.placing import why_lost
from intake.queries.restrictions import full_stop
from intake.states import BookingState
from office import formats
from office.access import party_signs_in
from office.db import db, lock
from office.notices import tell_party
from office.plants import Plant
from ordinances.booking_terms import answer_time
from ordinances.offers import Session
from ordinances.reader import Law
from ordinances.refusal import Refusal

Line = list[tuple[Wait, Session]]


def offer_freed(plant: Plant, days: Collection[date], at: datetime, law: Law, *, again: bool = True) -> int:
    """Offer what is free on some days, whose rows are locked, to those in line; how many lines began.

    With ``again`` (somebody just gave room back) also to those who were offered another time of the day before.
    """
    db.session.flush()
    time, made = answer_time(law, at.astimezone(plant.tz).date()), 0
    for day, line in to_offer(plant, days, at, law, again=again):
        assert time is not None
        room = FreedRoom(plant_id=plant.id, day=day, freed_at=at, answer_hours=time.hours, law_version=law.version)
        db.session.add(room)
        db.session.flush()
        db.session.add_all(_offer(room, n, wait, one) for n, (wait, one) in enumerate(line))
        db.session.flush()
        tell_turn_of(plant, room.id, at)
        made += 1
    return made


def offer_anywhere(plant: Plant, at: datetime, law: Law) -> int:
    """Offer what is free on every day somebody waits for, under the plant's exclusive lock: a limit rose, a day opened,
    a restriction was lifted. Who was told that an offer could not be had is told when it can."""
    for line in kept_rooms.lines(plant.id, since=at):
        tell_turn_of(plant, line[0].room.id, at)
    return offer_freed(plant, days_waited_for(plant, at, law), at, law)


def days_waited_for(plant: Plant, at: datetime, law: Law) -> list[date]:
    """The open days somebody in line wants."""
    line = waiting.in_line(plant.id, at, at.astimezone(plant.tz).date())
    if not line:
        return []
    span = (min(one.first_day for one in line), max(one.last_day for one in line))
    return capacity.days_ahead(law, at, count=waiting.FURTHEST.days, spans=[span])


def to_offer(plant: Plant, days: Collection[date], at: datetime, law: Law, *, again: bool) -> list[tuple[date, Line]]:
    """The lines that would be asked about the free room of some days, in day order."""
    today = at.astimezone(plant.tz).date()
    wanted = sorted({day for day in days if day >= today})
    line = waiting.in_line(plant.id, at, today, wanted) if wanted and answer_time(law, today) else []
    if not line:
        return []
    earlier, pictures = kept_rooms.lines(plant.id, days=wanted), capacity.day_pictures(plant, law, wanted, at)
    found: list[tuple[date, Line]] = []
    for day in wanted:
        before = [one for room in earlier for one in room if one.room.day == day]
        asked = [
            one
            for one in line
            if one.first_day <= day <= one.last_day and _may_be_asked(plant, law, one, before, at, again)
        ]
        found += [(day, one) for one in lines_for(plant, law, pictures[day], asked, before, at)]
    return found


def _may_be_asked(plant: Plant, law: Law, wait: Wait, before: Sequence[Offer], at: datetime, again: bool) -> bool:
    """Nobody is in two lines of one day at once, and nobody is asked twice about what lay free all along; what was lost
    was no offer."""
    mine = [one for one in before if one.wait.id == wait.id and one.row.lost_at is None]
    return not mine or (again and not any(one.is_kept(at) and why_lost(plant, one, at, law) is None for one in mine))


def lines_for(plant: Plant, law: Law, picture: DayPicture, in_turn: Sequence[Wait], before: Sequence[Offer],
              at: datetime) -> list[Line]:  # fmt: skip
    """Who is asked about a day's free room, in lines: who fits beside all before them heads a line of their own; who
    would fit only instead of one line stands behind it."""
    made: list[Line] = []
    offered = {(one.wait.id, one.row.starts) for one in before if one.row.lost_at is None}
    for wait in in_turn:
        for behind in (None, *made):
            others = [[one for _, one in line] for line in made if line is not behind]
            session = waiting.first_time(plant, law, waiting.less(picture, others), wait, at)
            if session is None or (wait.id, session.start) in offered:
                continue
            if behind is None:
                made.append([(wait, session)])
            else:
                behind.append((wait, session))
            break
    return made


def _offer(room: FreedRoom, place: int, wait: Wait, one: Session) -> RoomOffer:
    return RoomOffer(plant_id=room.plant_id, room_id=room.id, wait_id=wait.id, place=place, starts=one.start,
                     ends=one.end, gph=one.gph, gallons=one.gallons, point_id=one.point)  # fmt: skip


def tell_lost_offers(plant: Plant, law: Law, at: datetime) -> int:
    """End the offers that cannot be had any more, those behind in line too: their gallons are free. Who was told of one
    is told why, and that they keep their place; how many were.

    Run inside the act that took it, before what is free is offered; ``law`` is the one with the change in force. Should
    it come back, whoever waits is asked anew.
    """
    db.session.flush()
    found = [one for line in kept_rooms.lines(plant.id, since=at) for one in line if one.is_kept(at)]
    lost = [(one, why) for one in found if (why := why_lost(plant, one, at, law)) is not None]
    told = [(one, why) for one, why in lost if one.is_open(at) and one.row.told_at is not None]
    for one, why in lost:
        one.row.lost_at, one.row.lost_why = at, _with_cite(why)
    for one, why in told:
        _tell_lost(plant, one, _with_cite(why), at)
    db.session.flush()
    return len(told)


def _with_cite(why: Refusal) -> str:
    return f"{why.why.rstrip('.')} ({why.cite})." if why.cite else full_stop(why.why)


def pass_on(plant: Plant, business_id: int, at: datetime, law: Law) -> None:
    """A hauler's approval was taken or held: the next in line of each room kept for it is told, and what became free on
    the days of its rooms and bookings is offered. Run inside that act, under the plant's and the approval's locks.
    """
    db.session.flush()
    booked = select(PlannedSession.day).join(Booking, Booking.id == PlannedSession.booking_id).where(
        Booking.plant_id == plant.id, Booking.business_id == business_id, PlannedSession.ends > at,
        Booking.state == BookingState.BOOKED.value)  # fmt: skip
    mine = [line for line in kept_rooms.lines(plant.id, since=at)
            if any(one.wait.business_id == business_id for one in line)]  # fmt: skip
    free = {*db.session.scalars(booked), *(line[0].room.day for line in mine)}
    if not free:
        return
    capacity.lock_days(plant.id, free)
    for line in mine:
        tell_turn_of(plant, line[0].room.id, at)
    offer_freed(plant, free, at, law)


def _tell_lost(plant: Plant, one: Offer, why: str, at: datetime) -> None:
    when, volume = when_words(plant, [one.session]), formats.volume(one.row.gallons)
    lines = [f"The room kept for your load at {plant.name} cannot be had any more: {when}, {volume}.", why,
             "", "You keep your place in the waiting list. We write when there is room for this load.", "",
             full_stop(f"Questions: {plant.phone}, {plant.help_hours}")]  # fmt: skip
    tell_party(haulers.party_of_business(one.wait.business_id), "waiting_lost",
               f"No room any more: {when}, {volume}. You still wait", "\n".join(lines), at,
               plant_id=plant.id)  # fmt: skip


def tell_turn_of(plant: Plant, room_id: int, at: datetime) -> bool:
    """Tell the one whose turn it is, unless they know; whether somebody was told."""
    lock(FreedRoom, room_id)
    found = next((one for one in waiting.line_of(plant.id, room_id) if one.is_open(at)), None)
    if found is None or found.row.told_at is not None or why_lost(plant, found, at) is not None:
        return False
    found.row.told_at = at
    when, until = when_words(plant, [found.session]), formats.day_time(found.turn.ends, plant.tz)
    volume = formats.volume(found.row.gallons)
    party = haulers.party_of_business(found.wait.business_id)
    how = "Sign in and answer under Waiting list, or call." if party_signs_in(party.id, at) else "Call to answer."
    lines = [f"{plant.name} has room for the load you wait with:", *time_lines(plant, [found.session]), "",
             full_stop(f"It is kept for you until {until}"),
             f"{how} With no answer it goes to the next in line.", "",
             full_stop(f"Questions: {plant.phone}, {plant.help_hours}")]  # fmt: skip
    subject = f"Room for your load: {when}, {volume}. Answer by {until}"
    tell_party(party, "waiting_offer", subject, "\n".join(lines), at, plant_id=plant.id)
    return True
