"""Everything was stopped at once without network: whatever flowed at that instant was stopped then, by its rate.

It is told later, and acts once, at its own time. What was stopped before stays as it was, what was logged later is left
alone, and a load somebody has seen to since is left as they left it, which is said.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import select

from intake.actions import pieces
from intake.actions.offline_run import BY_PEOPLE, moved_on
from intake.actions.running import hold, pause
from intake.models import Load
from intake.queries import loads, outbox
from intake.queries.outbox import Flag
from intake.queries.pieces import morning
from intake.queries.words import sentence
from office import formats
from office.access import Actor, Role
from office.acts import act
from office.db import db
from office.journal import JournalEntry
from office.notices import tell_roles
from office.plants import Plant
from ordinances.reader import Law
from ordinances.refusal import Refusal

# Where nothing was typed.
AT_ONCE = "The plant stops all unloading at once"
# The same tap had arrived with network, only its answer was lost.
ITS_ANSWER = timedelta(minutes=1)
ALREADY, LEFT, NOTHING = "already", "moved_on", "nothing_runs"


@dataclass(frozen=True)
class Stopped:
    """The loads that were stopped, in the order they were logged, and what there is to say."""

    loads: tuple[Load, ...]
    flags: tuple[Flag, ...]


def stop_all_then(plant: Plant, reason: str, how: str, on_duty: str, *, since: datetime, at: datetime, law: Law
                  ) -> Stopped:  # fmt: skip
    """Stop what flowed or waited to begin at an instant, ``since``; told ``at``. Manager and Director read of it."""
    day = since.astimezone(plant.tz).date()
    then = {one.load.id: one.load for one in loads.begun_or_waiting(plant.id, since)
            if one.run.day == day and one.load.logged_at <= since}  # fmt: skip
    stopped, flags = list[Load](), list[Flag]()
    for load in sorted(then.values(), key=lambda one: one.id):
        said, done = _stop(load, reason, how, on_duty, since=since, law=law)
        flags += said
        stopped += [load] if done else []
    if not then:
        flags.append(Flag(NOTHING, "No truck unloaded then."))
    if any(one.code != ALREADY for one in flags):
        _tell(plant, reason, how, stopped, flags, since, at)
    return Stopped(tuple(stopped), tuple(flags))


def stopped_meanwhile(plant: Plant, load: Load, *, law: Law) -> tuple[Flag, ...]:
    """A load told of only now that flowed as everything was stopped: it was stopped then too."""
    flags = list[Flag]()
    for row in outbox.stops_after(plant.id, load.logged_at):
        found = morning(load, row.logged_at)
        if load.id in row.stopped or found.day != row.logged_at.astimezone(plant.tz).date() or found.piece is None:
            continue
        how = f"Everything was stopped then, slip {row.slip}."
        said, done = _stop(load, AT_ONCE, how, row.on_duty, since=row.logged_at, law=law)
        flags += said
        if done:
            row.stopped = [*row.stopped, load.id]
    return tuple(flags)


def _stop(load: Load, reason: str, how: str, on_duty: str, *, since: datetime, law: Law
          ) -> tuple[Iterable[Flag], bool]:  # fmt: skip
    """Stop one load as of an instant; what there is to say of it, and whether it was."""
    day, found = since.astimezone(law.zone).date(), morning(load, since)
    if _by_its_tap(load, since):
        return [Flag(ALREADY, f"Load {load.ticket} was stopped then already.")], True
    if moved_on(load, found, since, day):
        why = f"Load {load.ticket} was seen to since {formats.clock_time(since, law.zone)} and is left as it is."
        return [Flag(LEFT, f"{why} Look at its gallons.")], False
    by = Actor(None, on_duty or "The receiving station", frozenset({Role.OPERATOR}))
    out = found.out
    done = stop_then(load, reason, by=by, at=since, law=law)
    if isinstance(done, Refusal):
        return [Flag(done.code, f"Load {load.ticket}: {done.why}", done.cite)], False
    load.note = "\n".join(filter(None, (load.note, how)))
    if not out:
        return [], True
    by_rate = f"Load {load.ticket}: {formats.volume(out)} out by the rate. Correct them by the meter."
    return [Flag("by_rate", by_rate)], True


@act("stop_then", roles=(Role.SYSTEM,))
def stop_then(load: Load, reason: str, *, by: Actor, at: datetime, law: Law) -> Load | Refusal:
    """Stop one load as of the instant everything was: what flowed is paused, what waited to begin is held.

    Refusals: not_running, those of the prices.
    """
    gate, (load,) = pieces.locked([load], by, at)
    found = pieces.of_today(gate, load)
    if found.piece is not None:
        return pause(gate, found, found.out, reason)
    return hold(gate, found, reason) if found.to_begin is not None else pieces.not_running(gate.plant, load)


def _by_its_tap(load: Load, since: datetime) -> bool:
    """Whether the first thing people did to a load after an instant was to stop everything, right then."""
    query = (
        select(JournalEntry.act, JournalEntry.at)
        .where(JournalEntry.chain == f"plant:{load.plant_id}", JournalEntry.table_name == Load.__tablename__,
               JournalEntry.record_id == load.id, JournalEntry.act.in_(BY_PEOPLE), JournalEntry.at >= since)
        .order_by(JournalEntry.seq)
    )  # fmt: skip
    first = db.session.execute(query).first()
    return first is not None and first.act == "stop_all" and first.at <= since + ITS_ANSWER


def _tell(plant: Plant, reason: str, how: str, stopped: list[Load], flags: list[Flag], since: datetime, at: datetime
          ) -> None:  # fmt: skip
    when = formats.day_time(since, plant.tz)
    lines = [f"{one.business_name}, truck {one.plate}, load {one.ticket}" for one in stopped]
    body = "\n".join([sentence(reason), how, "", *lines, *([""] if lines else []), *(one.words for one in flags)])
    tell_roles((Role.MANAGER, Role.DIRECTOR), "stopped_then", f"Everything was stopped {when}, told only now", body, at,
               plant_id=plant.id)  # fmt: skip
