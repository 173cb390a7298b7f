"""Whether a time somebody chose is one that is offered now, and in true words why not (§ 329-7 F(3), F(4))."""

from datetime import datetime, timedelta

from intake.queries.capacity import DayPicture, fits, whole_minute
from office import formats
from ordinances import offers
from ordinances.offers import Session
from ordinances.reader import Law
from ordinances.refusal import Refusal

MINUTE = timedelta(minutes=1)


def not_offered(law: Law, picture: DayPicture, one: Session, at: datetime) -> Refusal | None:
    """None for a session the offer rule gives for its gallons at this instant.

    Refusals: over_limit, taken (others hold the room now), changed (its start is offered with another end and rate),
    not_offered (no offer begins or ends so).
    """
    # A page opened in the minute before offered the whole minute after it; that minute may be running by now.
    starts = {at.replace(second=0, microsecond=0), whole_minute(at)}
    offered = [fit for start in starts for fit in offers.offers(picture.steps, one.gallons, start)[0]]
    if one in offered:
        return None
    cite, start = law.cite("rate.plan_gph", picture.day), formats.clock_time(one.start, law.zone)
    limit = min((int(step.cap) for step in picture.steps if step.start < one.end and step.end > one.start), default=0)
    if one.gph > limit:
        why = f"{one.gph:,} gallons an hour is more than the limit of {limit:,} at that time."
        return _refusal("over_limit", why, cite, picture)
    shaped = _shaped(one)
    if shaped and not fits(picture.steps, one) and _may_begin(picture, one, starts):
        return _refusal("taken", "That time was just taken.", cite, picture)
    now = next((other for other in offered if other.start == one.start), None)
    if shaped and now is not None:
        end = formats.clock_time(now.end, law.zone)
        why = f"From {start} this load runs until {end} now, at {now.gph:,} gallons an hour."
        return _refusal("changed", why, cite, picture)
    why = f"{formats.day(picture.day)}, {formats.span(one.start, one.end, law.zone)} is not one of the times offered."
    return _refusal("not_offered", why, cite, picture)


def _refusal(code: str, why: str, cite: str, picture: DayPicture) -> Refusal:
    return Refusal(code, why, cite, details={"day": picture.day})


def _shaped(one: Session) -> bool:
    """Whether some free rate would have been offered so: the earliest end, at the lowest rate that ends then."""
    length, rest = divmod(one.end - one.start, MINUTE)
    return not rest and one.gph == offers.lowest_rate(one.gallons, length) and length == offers.minutes(
        one.gallons, one.gph)  # fmt: skip


def _may_begin(picture: DayPicture, one: Session, starts: set[datetime]) -> bool:
    """Whether an offer begins then: at a quarter hour, now, or where what is free changes."""
    begins = {miss.start for start in starts for miss in _all(picture, one.gallons, start)}
    return one.start in begins


def _all(picture: DayPicture, gallons: int, start: datetime) -> list[Session | offers.NoFit]:
    good, bad = offers.offers(picture.steps, gallons, start)
    return [*good, *bad]
