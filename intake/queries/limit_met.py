"""Which bookings lose their place when an input of the limit changes from a day on (§ 329-7 F(3) of Bayfield)."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Any

from intake.queries import capacity, tank_met
from intake.queries.bookings import Group, grouped, numbers_of
from intake.queries.calendar_met import Lost
from intake.queries.flow_recorded import recorded_for
from intake.queries.met import lower_limit, shut_at_tank
from intake.queries.restrictions import ToStop, to_stop
from office import formats
from office.plants import Plant
from ordinances.rate_cap import Cap, cap_on
from ordinances.reader import Law, plant_row

ONE_DAY = date.resolution


def with_order(law: Law, key: str, value: Any, since: date, order: str = "-") -> Law:
    """The law as it would be with an order of the plant's own from a day on; None withdraws the one before it."""
    until = None if value is not None else since - ONE_DAY
    raw = value if value is not None else _raw(law, key, since)
    # Among the plant's own rows of a day the last entered counts.
    return law if raw is None else replace(
        law, plant_rows=(*law.plant_rows, plant_row(key, raw, since, order, until=until))
    )  # fmt: skip


def _raw(law: Law, key: str, day: date) -> Any:
    """Any value that can stand in the row that withdraws one: it never holds."""
    if not law.has(key, day):
        return None
    value = law.value(key, day)
    return value if isinstance(value, int) else [{"first": "01-01", "last": "12-31", "gph": 0}]


def limit_on(plant: Plant, law: Law, day: date) -> Cap:
    """The limit of a day under a law, with the readings that count."""
    return cap_on(law, day, readings=recorded_for(plant.id, law, day, day))


def lost_under(plant: Plant, changed: Law, since: date, at: datetime) -> tuple[Lost, ...]:
    """The bookings that do not fit under a law that changes on a day: those made first keep their place."""
    groups = grouped(capacity.planned(plant.id, at, since=at))
    days = {one.day for group in groups for one in group.sessions}
    over = lower_limit(plant, changed, groups, days, {day: [] for day in days}, at)
    found = [group for group in over if any(one.day >= since for one in group.sessions)]
    first = {group.booking_id: min(one.day for one in group.sessions if one.day >= since) for group in found}
    recorded = recorded_for(plant.id, changed, min(first.values()), max(first.values())) if found else []
    whys = {day: limit_words(changed, cap_on(changed, day, readings=recorded), day) for day in set(first.values())}
    sunk = _sunk(plant, changed, found, at) if found else set()
    return tuple(
        Lost(group, tank_met.no_room_words(plant, group) if group.booking_id in sunk else whys[first[group.booking_id]],
             first[group.booking_id]) for group in found
    )  # fmt: skip


def _sunk(plant: Plant, law: Law, found: Sequence[Group], at: datetime) -> set[int]:
    """Which of some bookings the tank has no room for, though its hours are open for them."""
    place = tank_met.tank_place(plant.id)
    shut = shut_at_tank(plant, law, found, place.id) if place is not None else set()
    return {group.booking_id for group in tank_met.losers(plant, law, at, gone=shut)} - shut


def over_now(plant: Plant, law: Law, at: datetime) -> tuple[Lost, ...]:
    """The bookings to come that the limit in force no longer holds, as when newly recorded flow has lowered it."""
    return lost_under(plant, law, at.astimezone(plant.tz).date(), at)


def trucks_over(plant: Plant, changed: Law, since: date, at: datetime) -> list[ToStop]:
    """The trucks at the plant that draw more together than a limit of today would allow, running or still to begin.

    They keep their room, as what runs was right when it was logged: the operator turns them down. What goes into a
    receiving tank is no draw.
    """
    today, place = at.astimezone(plant.tz).date(), tank_met.tank_place(plant.id)
    if since > today:
        return []
    here = [
        one for one in to_stop(plant.id, at) if one.run.day == today and (place is None or one.run.point_id != place.id)
    ]
    cap = limit_on(plant, changed, today)

    def over(when: datetime) -> bool:
        return sum(one.run.gph for one in here if one.run.starts <= when < one.run.ends) > cap.plan_at(when)

    return [one for one in here if over(max(at, one.run.starts))]


def key_of(lost: tuple[Lost, ...]) -> str:
    """What was shown, so that it is just this that is done."""
    return numbers_of(one.group for one in lost)


def limit_words(law: Law, cap: Cap, day: date) -> str:
    """The limit of a day in a sentence with its order and §, or why nothing is unloaded on it."""
    cites = ", ".join(dict.fromkeys([(cap.shut or cap).cite, law.cite("rate.percent", day)]))
    if cap.shut is not None:
        return f"{cap.shut.why.rstrip('.')} ({cites})."
    rates = list(dict.fromkeys(one.plan_gph for one in cap.parts)) or [cap.plan_gph]
    lowest, highest = min(rates), max(rates)
    said = formats.rate(highest) if lowest == highest else f"{lowest:,} to {formats.rate(highest)}"
    return f"The limit on {formats.day(day)} is {said} now ({cites})."
