"""Whether a session can be had on its day as things stand, by the rules of every booking; what an offer lost."""

from datetime import datetime

from haulers import queries as haulers
from intake.models import Restriction
from intake.queries import capacity, restrictions
from intake.queries.chosen import kept_place, placed
from intake.queries.kept_rooms import Offer
from intake.queries.restriction_words import point_names
from intake.queries.restrictions import full_stop
from office import formats
from office.law import law_now
from office.plants import Plant
from ordinances.calendar import Hours
from ordinances.offers import Session
from ordinances.reader import Law
from ordinances.refusal import Refusal

KEEPS = "The place in the waiting list is kept: other room is offered when there is any."


def placed_on(law: Law, picture: capacity.DayPicture, one: Session, at: datetime, *, waste: str, business_id: int,
              kept: bool = False) -> Session | Refusal:  # fmt: skip
    """A session with the point that takes it, or why it cannot be had on its day: closed, restricted, outside the
    hours, or not among the offers now. One that is ``kept`` was offered before: it only has to fit."""
    hours = picture.hours
    if not isinstance(hours, Hours):
        return hours
    if not (hours.start <= one.start < one.end <= hours.end):
        why = full_stop(f"Unloading on {formats.day(picture.day)} is {formats.span(hours.start, hours.end)}")
        return Refusal("outside_hours", why, hours.cite, hours.reading)
    stops = (row for row in _stops(picture, one, waste) if one.start < restrictions.planned_until(row, law, at))
    stop = next(stops, None)
    if stop is not None:
        return Refusal("restricted", restrictions.stop_reason(stop, point_names([stop])),
                       law.cite("restriction.by", picture.day),
                       next_step="We will write when the restriction is lifted.")  # fmt: skip
    found = placed(law, picture, one, at, waste=waste, business_id=business_id)
    return kept_place(law, picture, one, waste, business_id) if kept and isinstance(found, Refusal) else found


def _stops(picture: capacity.DayPicture, one: Session, waste: str) -> list[Restriction]:
    """The restrictions that stop a session altogether: everything, its waste, its point or every station there is."""
    found = [picture.restriction] if picture.restriction and picture.restriction.scope == "everything" else []
    stations = {place.id for place in picture.places if place.is_open and not place.is_manhole}
    asked = {one.point} if one.point is not None else stations
    # Several together may leave no station open.
    shut = bool(asked) and asked <= {point for row in picture.narrower for point in row.points}
    return found + [row for row in picture.narrower if waste in row.wastes or (shut and asked & set(row.points))]


def why_lost(plant: Plant, found: Offer, at: datetime, law: Law | None = None) -> Refusal | None:
    """Why an offer of the waiting list cannot be had now, by what a yes would meet: the day or the point closed,
    septage restricted, less taken than when it was offered. None while it can. It is read, not kept: an offer whose
    restriction is lifted before its time to answer is over stands again."""
    law, day = law or law_now(plant, at), found.room.day
    picture = capacity.day_pictures(plant, law, [day], at, except_room=found.room.id)[day]
    one = found.local(law.zone)
    made = placed_on(law, picture, one, at, waste=found.wait.waste, business_id=found.wait.business_id, kept=True)
    return made if isinstance(made, Refusal) else None


def lost_refusal(plant: Plant, found: Offer, at: datetime) -> Refusal:
    """Why an offer that an act ended cannot be had, as it was then; by the code of what stands against it now."""
    now = why_lost(plant, found, at)
    return Refusal(now.code if now else "lapsed", found.row.lost_why or "", "", next_step=KEEPS)


def out_refusal(found: Offer, law: Law) -> Refusal:
    """Why an offer passed on when its hauler's approval was revoked or suspended."""
    name, day = haulers.party_of_business(found.wait.business_id).name, found.room.day
    why = f"The approval of {name} does not hold on {formats.day(day)}, so the room went to the next in line."
    return Refusal("out", why, law.cite("decision.settles", day))
