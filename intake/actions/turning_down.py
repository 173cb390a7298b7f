"""A limit that falls while trucks are at the plant: the operators are told which to turn down (§ 329-7 F(3))."""

from datetime import date, datetime

from intake.queries.limit_met import limit_on, limit_words, trucks_over
from intake.queries.restrictions import ToStop, full_stop
from office import formats
from office.access import Role
from office.notices import tell_role
from office.plants import Plant
from ordinances.reader import Law


def tell_turn_down(plant: Plant, law: Law, since: date, at: datetime) -> None:
    """Tell the operators which trucks draw more than the limit in force since this instant. ``law`` is with it."""
    found, today = trucks_over(plant, law, since, at), at.astimezone(plant.tz).date()
    if not found:
        return
    words = limit_words(law, limit_on(plant, law, today), today)
    lines = [
        words,
        "",
        "Turn these down, so that together they stay within it:",
        *(truck_words(plant, one) for one in found),
    ]
    subject = f"Lower the rate of {formats.plural(len(found), 'truck')} at the plant"
    tell_role(Role.OPERATOR, "turn_down", subject, "\n".join(lines), at, plant_id=plant.id)


def truck_words(plant: Plant, one: ToStop) -> str:
    """A truck at the plant in a line: its load, its rate, and when it begins where it has not."""
    begins = "" if one.running else f", begins at {formats.clock_time(one.run.starts, plant.tz)}"
    return full_stop(
        f"{one.load.business_name}, {one.load.plate}, load {one.load.ticket}: {formats.rate(one.run.gph)}{begins}"
    )
