"""The waiting list: ask to be told of room, leave, answer an offer. A yes is a booking made in the same act."""

from datetime import date, datetime

from haulers import queries as haulers
from intake.actions.booking import write_booking
from intake.actions.booking_mail import tell_booking
from intake.actions.booking_rules import BOOKERS, STAFF, yours
from intake.actions.freed import days_waited_for, offer_freed, tell_turn_of
from intake.actions.reserving import Wanted, find_room
from intake.models import Booking, FreedRoom, RoomOffer, Wait
from intake.queries import capacity, kept_rooms, waiting
from intake.queries.kept_rooms import Offer
from intake.queries.placing import lost_refusal, out_refusal
from intake.queries.restrictions import full_stop
from intake.queries.terms import terms_of
from intake.queries.waiting import Asked
from intake.states import Answer, WaitEnd
from office import formats
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.law import law_now
from office.notices import tell_party
from office.plants import Plant
from ordinances.booking_terms import answer_time
from ordinances.fees import charge_cite
from ordinances.reader import Law
from ordinances.refusal import Refusal
from ordinances.screening import waste_allowed


@act("ask_to_wait", roles=BOOKERS)
def ask_to_wait(
    plant: Plant, business_id: int, truck_id: int, waste: str, gallons: int, first_day: date, last_day: date, *,
    by: Actor, at: datetime, law: Law,
) -> Wait | Refusal:  # fmt: skip
    """Stand in line for room on some days for a load that fits none of them now.

    Refusals: not_yours, no_list, truck, too_big, not_septage, dates, closed, already, fits_now (``details`` day),
    too_late (today, after or too near the close), too_long, and own (what of the hauler's own stands against every one
    of the days).
    """
    lock(Plant, plant.id, shared=True)
    law = capacity.law_under_lock(plant, at)
    today = at.astimezone(plant.tz).date()
    first_day = max(first_day, today)
    refused = (
        yours(business_id, by) or _no_list(law, today) or _wrong_load(law, business_id, truck_id, waste, gallons, today)
        or _wrong_days(first_day, last_day, today) or _already(plant, truck_id, business_id, first_day, last_day, at)
        or _not_needed(plant, law, (business_id, truck_id, waste, gallons), (first_day, last_day), at)
    )  # fmt: skip
    if refused is not None:
        return refused
    row = Wait(plant_id=plant.id, business_id=business_id, truck_id=truck_id, waste=waste, gallons=gallons,
               first_day=first_day, last_day=last_day, asked_at=at, asked_by=by.name)  # fmt: skip
    db.session.add(row)
    db.session.flush()
    because(cite=law.cite("booking.answer_hours", today))
    _tell_waiting(plant, row, at)
    return row


def _no_list(law: Law, today: date) -> Refusal | None:
    if answer_time(law, today) is not None:
        return None
    return Refusal("no_list", "This plant keeps no waiting list.", "")


def _wrong_load(law: Law, business_id: int, truck_id: int, waste: str, gallons: int, today: date) -> Refusal | None:
    truck = next((one for one in haulers.trucks_of(business_id) if one.id == truck_id), None)
    if truck is None:
        return Refusal("truck", "This truck is not one of the company's trucks. Add it first.", "")
    if not 0 < gallons <= truck.capacity:
        why = f"{formats.volume(gallons)} are not what truck {truck.plate} can bring ({truck.capacity:,})."
        return Refusal("too_big", why, charge_cite(law, today, "gallons"))
    return waste_allowed(law, today, waste)


def _wrong_days(first: date, last: date, today: date) -> Refusal | None:
    if last < first:
        return Refusal("dates", "The last day must be the first day or later, and not past.", "")
    if first > today + waiting.FURTHEST or last > today + waiting.FURTHEST:
        return Refusal("dates", f"Choose days up to {formats.date_only(today + waiting.FURTHEST)}.", "")
    return None


def _already(plant: Plant, truck_id: int, business_id: int, first: date, last: date, at: datetime) -> Refusal | None:
    today = at.astimezone(plant.tz).date()
    mine = next((one for one in waiting.in_line(plant.id, at, today, (first, last))
                 if (one.business_id, one.truck_id) == (business_id, truck_id)), None)  # fmt: skip
    if mine is None:
        return None
    days = _days_words(mine)
    return Refusal("already", f"This truck waits already, with {formats.volume(mine.gallons)} for {days}.", "",
                   next_step="Leave the list there first to ask for other days.")  # fmt: skip


def _not_needed(plant: Plant, law: Law, load: tuple[int, int, str, int], span: tuple[date, date], at: datetime
                ) -> Refusal | None:  # fmt: skip
    """A load that may come on none of the days, fits one of them now, or is too long for any."""
    business_id, truck_id, waste, gallons = load
    terms = terms_of(plant.id, business_id, law, at, waste, truck=haulers.truck(truck_id))
    if (no := terms.waste_wrong()) is not None:
        return no
    found = waiting.asked_days(plant, law, terms, gallons, truck_id, span, at)
    cite = law.cite("hours.opens", span[0])
    if not found.days:
        return Refusal("closed", "The plant is open on none of these days.", cite)
    if found.why:
        return Refusal("own", f"{found.why.rstrip('.')}.", law.cite("decision.settles", found.days[0]))
    if found.fits:
        why = f"This load fits on {formats.day(found.fits[0])} now, so there is nothing to wait for."
        return Refusal("fits_now", why, cite, next_step="Book it.", details={"day": found.fits[0]})
    return _never_fits(law, found, gallons)


def _never_fits(law: Law, found: Asked, gallons: int) -> Refusal | None:
    """A load for which today is too far gone, or that is too long for any of the days."""
    if found.too_late:
        why = f"{formats.volume(gallons)} cannot be unloaded on {formats.day(found.days[0])} any more before it closes."
        return Refusal("too_late", why, law.cite("hours.opens", found.days[0]), next_step="Wait for a later day.")
    if not found.holds:
        why = f"{formats.volume(gallons)} do not fit in one day even when nobody else comes."
        return Refusal("too_long", why, law.cite("rate.plan_gph", found.days[0]),
                       next_step="Split the load over several mornings, or bring less.")  # fmt: skip
    return None


def _days_words(row: Wait) -> str:
    first, last = formats.date_only(row.first_day), formats.date_only(row.last_day)
    return first if first == last else f"{first} to {last}"


def _tell_waiting(plant: Plant, row: Wait, at: datetime) -> None:
    days = _days_words(row)
    lines = [f"On the waiting list of {plant.name}: {formats.volume(row.gallons)}, {days}.", "",
             "When room becomes free for this load, we write, and keep it for you until the time to answer is over.",
             "You wait until you leave the list or the days are past.", "",
             full_stop(f"Questions: {plant.phone}, {plant.help_hours}")]  # fmt: skip
    subject = f"On the waiting list: {formats.volume(row.gallons)}, {days}"
    tell_party(haulers.party_of_business(row.business_id), "waiting", subject, "\n".join(lines), at, plant_id=plant.id)


@act("leave_waiting", roles=BOOKERS)
def leave_waiting(plant: Plant, wait_id: int, *, by: Actor, at: datetime, law: Law) -> Wait | Refusal:
    """Leave the list. Room that was kept for this load goes to the next in line. Refusals: no_wait, not_yours, over."""
    lock(Plant, plant.id, shared=True)
    row = waiting.wait_of(plant.id, wait_id)
    if row is None:
        return Refusal("no_wait", "There is no such place in the waiting list of this plant.", "")
    refused = yours(row.business_id, by)
    if refused is not None:
        return refused
    mine = [line for line in kept_rooms.lines(plant.id, since=at) if any(one.wait.id == wait_id for one in line)]
    capacity.lock_days(plant.id, [line[0].room.day for line in mine])
    row = lock(Wait, wait_id)
    if row.ended_at is not None:
        return Refusal("over", "This place in the waiting list is over already.", "")
    row.ended_at, row.outcome = at, WaitEnd.LEFT.value
    db.session.flush()
    for line in mine:
        tell_turn_of(plant, line[0].room.id, at)
    return row


@act("answer_offer", roles=BOOKERS)
def answer_offer(
    plant: Plant, offer_id: int, yes: bool, *, by: Actor, at: datetime, law: Law
) -> Booking | RoomOffer | Refusal:
    """Answer an offer of freed room: yes books it by the rules of every booking, no passes it on to the next in line.

    One yes a room. Refusals: no_offer, not_yours, answered, lapsed, not_your_turn, and for a yes those of
    ``book_discharge``.
    """
    found = waiting.offer_of(plant.id, offer_id)
    if found is None:
        return Refusal("no_offer", "There is no such offer at this plant.", "")
    refused = yours(found.wait.business_id, by) or _not_open(plant, found, at)
    if refused is not None:
        return refused
    return _take(plant, found, by, at, law) if yes else _pass_on(plant, found, at)


def _take(plant: Plant, found: Offer, by: Actor, at: datetime, law: Law) -> Booking | Refusal:
    wait, day = found.wait, found.room.day
    wanted = Wanted(wait.business_id, wait.truck_id, wait.waste, (found.session,), room_id=found.room.id)
    room = find_room(plant, wanted, by=by, at=at, law=law, gallons=wait.gallons)
    if isinstance(room, Refusal):
        return room
    refused = _not_open(plant, _again(plant, found), at)
    if refused is not None:
        return refused
    booking = write_booking(plant, wanted, room, by_phone=by.capacity(STAFF) is not None, by=by, at=at)
    row, wait = found.row, found.wait
    row.answered_at, row.answer = at, Answer.YES.value
    wait.ended_at, wait.outcome, wait.booking_id = at, WaitEnd.BOOKED.value, booking.id
    db.session.flush()
    tell_booking(plant, booking, wanted.sessions, "booked", "Booked from the waiting list", at, room.note)
    for other in kept_rooms.lines(plant.id, since=at):
        # Room of other days that was kept for this load is the next one's now.
        if any(one.wait.id == wait.id for one in other):
            tell_turn_of(plant, other[0].room.id, at)
    offer_freed(plant, [day], at, room.law)
    return booking


def _pass_on(plant: Plant, found: Offer, at: datetime) -> RoomOffer | Refusal:
    lock(Plant, plant.id, shared=True)
    capacity.lock_days(plant.id, [found.room.day])
    found = _again(plant, found)
    refused = _not_open(plant, found, at)
    if refused is not None:
        return refused
    found.row.answered_at, found.row.answer = at, Answer.NO.value
    db.session.flush()
    tell_turn_of(plant, found.room.id, at)
    return found.row


def _again(plant: Plant, found: Offer) -> Offer:
    """The offer read fresh under the lock of its room."""
    lock(FreedRoom, found.room.id)
    for one in waiting.line_of(plant.id, found.room.id):
        db.session.expire(one.row)
        db.session.expire(one.wait)
    return next(one for one in waiting.line_of(plant.id, found.room.id) if one.row.id == found.row.id)


def _not_open(plant: Plant, found: Offer, at: datetime) -> Refusal | None:
    """Why an offer is not theirs to answer: answered, given to another, lapsed, not yet their turn."""
    if found.gone:
        answered = Refusal("answered", "This offer is answered, or the place in the waiting list is over.", "")
        return answered if found.row.lost_at is None else lost_refusal(plant, found, at)
    if any(one.row.answer == Answer.YES.value for one in waiting.line_of(plant.id, found.room.id)):
        return Refusal("lapsed", "This room was taken by another in line.", "")
    if found.is_out(at):
        return out_refusal(found, law_now(plant, at))
    if found.turn.is_over(at):
        until = formats.day_time(found.turn.ends, plant.tz)
        return Refusal("lapsed", full_stop(f"The time to answer was over {until}"), "",
                       next_step="You still wait for other room. A time may be free to book.")  # fmt: skip
    if not found.is_open(at):
        return Refusal("not_your_turn", "Others before you in line are asked first.", "")
    return None


@act("offer_room", roles=(Role.SYSTEM,))
def offer_room(plant: Plant, *, by: Actor, at: datetime, law: Law) -> int:
    """Offer what lies free on the days somebody waits for: room that no act gave back, as when a limit rises."""
    lock(Plant, plant.id, shared=True)
    law = capacity.law_under_lock(plant, at)
    days = days_waited_for(plant, at, law)
    capacity.lock_days(plant.id, days)
    return offer_freed(plant, days, at, law, again=False)


@act("tell_turn", roles=(Role.SYSTEM,))
def tell_turn(plant: Plant, room_id: int, *, by: Actor, at: datetime) -> bool:
    """Tell the next in line that a room is theirs to answer now, once those before them let it lapse."""
    return tell_turn_of(plant, room_id, at)
