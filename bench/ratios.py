"""``make bench``: what the rules of a day cost, as ratios to a bare loop of the same length in the same run.

A ratio says more than seconds: a slower machine slows both. The one limit in time (the offers of a busy day) is checked
here and nowhere else, on the best of many runs, so that a busy machine does not fail it.
"""

from __future__ import annotations

import random
import sys
from datetime import date, datetime, timedelta

from bench.timing import RUNS, Timed, timed
from ordinances.calendar import Hours, dump_hours
from ordinances.offers import Draw, Rate, free_steps, largest_single, offers
from ordinances.points import PointRule, offers_over
from ordinances.rate_cap import cap_on, season_capacity
from ordinances.reader import Law, load_profile, plant_row
from ordinances.seasons import season_named
from ordinances.tank import Tank, TankPlan, Unloading

DAY = date(2026, 10, 6)
SESSIONS = 200
GALLONS = 600
# A page may spend this much on the offers of one day, however busy it is.
OFFERS_MS = 5.0
# The same day each time, so that two runs can be compared.
SEED = 329


def busy(hours: Hours, sessions: int = SESSIONS) -> list[Draw]:
    """Sessions at any minute of a day, small enough that something is left nearly everywhere."""
    chance = random.Random(SEED)
    length = (hours.end - hours.start) // timedelta(minutes=1)
    drawn = []
    for _ in range(sessions):
        first = chance.randrange(length - 1)
        last = chance.randrange(first + 1, min(first + 60, length) + 1)
        start, end = (hours.start + timedelta(minutes=at) for at in (first, last))
        drawn.append(Draw(start, end, chance.randrange(1, 5)))
    return drawn


def bare(drawn: list[Draw], starts: list[datetime]) -> Rate:
    """The bare loop: at each start add up what is taken there, as anybody would write it down first."""
    return max(sum(one.gph for one in drawn if one.start <= at < one.end) for at in starts)


def all_rules(law: Law) -> Law:
    """The same law with an order of the Director of every kind."""
    orders: dict[str, object] = {
        "rate.own_ceiling_gph": 600, "rate.own_bod_lb_day": 150, "rate.own_high_flow_gpd": 400_000,
        "rate.own_low_flow_gpd": 20_000, "rate.own_lower": [{"from": "08:00", "to": "08:30", "gph": 300}],
    }  # fmt: skip
    return Law(law.profile, tuple(plant_row(key, value, DAY, "Order 1") for key, value in orders.items()))


def measure(runs: int = RUNS, sessions: int = SESSIONS) -> list[Timed]:
    """Every piece of work; each bare loop goes over as many sessions or days as the work does."""
    law = Law(load_profile("bayfield"))
    ordered, season = all_rules(law), season_named(law, "2026-27")
    hours = dump_hours(law, DAY)
    assert isinstance(hours, Hours)
    window, limits, drawn = (hours.start, hours.end), cap_on(law, DAY).limits, busy(hours, sessions)
    steps = free_steps(window, limits, drawn)
    starts = sorted({one.start for one in steps})
    points = [PointRule(str(n), trucks=sessions, changeover=2) for n in range(3)]
    taken = {point.ref: drawn[n::3] for n, point in enumerate(points)}
    tank = Tank(4000, 12_000, 600)
    trucks = tuple(Unloading(one.start, 20, tank.unload_gph) for one in drawn[: sessions // 10])
    gate = free_steps(window, [Draw(*window, 12_000)], [])
    days = [season.start + timedelta(days=n) for n in range((season.end - season.start).days + 1)]

    def times_of_a_tank() -> object:
        return TankPlan(tank, *window, 0, limits, trucks).offers(gate, GALLONS)

    def loop() -> Rate:
        return bare(drawn, starts)

    def year() -> int:
        return sum(1 for day in days if day.weekday() < 5 and day not in law.closures)

    return [
        timed(f"offers of a day with {sessions} sessions", lambda: offers(free_steps(window, limits, drawn), GALLONS),
              loop, runs, OFFERS_MS),
        timed("its largest single load", lambda: largest_single(steps), loop, runs),
        timed("its offers over three points", lambda: offers_over(points, hours, steps, taken, GALLONS), loop, runs),
        timed(f"times for a tank with {len(trucks)} trucks", times_of_a_tank,
              lambda: bare(drawn[: sessions // 10], starts), min(runs, 3)),
        timed("a season's capacity", lambda: season_capacity(law, season), year, min(runs, 3)),
        timed("the same under every kind of order", lambda: season_capacity(ordered, season), year, min(runs, 3)),
    ]  # fmt: skip


def main() -> None:
    """Print every ratio; exit 1 where the limit in time is not kept."""
    from bench import pages  # noqa: PLC0415 - the rules are measured without a server

    found = measure() + pages.measure()
    for one in found:
        print(one)
    sys.exit(any(one.too_slow for one in found))


if __name__ == "__main__":
    main()
