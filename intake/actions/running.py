"""A truck as it really unloads: pause, resume, another rate, more than was logged, everything stopped at once.

What flows is a fact and is kept as measured; what is still in the truck is laid out anew beside the times of others and
never into them (§ 329-7 F(3), F(4) of Bayfield). Each act writes a corrected ticket and tells the hauler once.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from haulers import queries as haulers
from intake.actions import pieces
from intake.actions.run_words import (
    AT_ANOTHER_RATE,
    displaced,
    laid_words,
    tell_displaced,
    tell_without_room,
    without_room,
)
from intake.models import Load, Run
from intake.queries import arrivals, loads
from intake.queries.allowance import used_and_booked
from intake.queries.pieces import FASTEST, Layout, Morning, beside, giving_way, later_times, lay_out, resumed
from intake.queries.terms import is_winter
from intake.queries.words import sentence
from intake.states import RunKind
from office import formats
from office.access import Actor, Role
from office.acts import act
from office.db import db
from office.journal import because
from office.plants import Plant
from ordinances import offers
from ordinances.booking_terms import may_run_on
from ordinances.fees import charge_cite
from ordinances.offers import Session
from ordinances.reader import Law
from ordinances.refusal import Refusal

AT_THE_GATE = (Role.OPERATOR, Role.MANAGER, Role.DIRECTOR)
A_SECOND = timedelta(seconds=1)


@act("pause_load", roles=AT_THE_GATE)
def pause_load(load: Load, gallons_out: int, reason: str = "", *, by: Actor, at: datetime, law: Law
               ) -> Load | Refusal:  # fmt: skip
    """Stop the flow for now: ``gallons_out`` are those of this morning until now; the rest keeps its room.

    It keeps it until the planned end of what flowed; with nothing left the load is over. Refusals: not_running,
    not_begun, gallons_below, more_than_logged.
    """
    gate, (load,) = pieces.locked([load], by, at)
    found = pieces.of_today(gate, load)
    refused = _not_flowing(gate, found) or pieces.gallons_wrong(found, gallons_out)
    return refused or pause(gate, found, gallons_out, reason)


def _not_flowing(gate: pieces.Gate, found: Morning) -> Refusal | None:
    if found.piece is not None:
        return None
    waits = found.to_begin
    return pieces.begins_later(gate.plant, waits) if waits else pieces.not_running(gate.plant, found.load)


def pause(gate: pieces.Gate, found: Morning, out: int, reason: str) -> Load | Refusal:
    """Pause what flows, under its locks: what is out is kept, what is left keeps its room until its planned end."""
    piece = found.piece
    assert piece is not None
    # What was laid out for later today stays where it is, unless more was unloaded than this piece had.
    kept = [(one.starts, one.ends, one.gph, one.gallons) for one in found.rests if one.starts >= gate.at]
    since, until, gph = _room_kept(gate, found, piece, out)
    like = pieces.like(piece)
    left = pieces.cut(found, out, gate.at)
    for starts, ends, rate, gallons in reversed(kept):
        part = min(gallons, left)
        left -= part
        if part:
            pieces.add(found, like, starts, ends, rate, part, RunKind.REST)
    if left:
        pieces.add(found, like, since, until, gph, left, RunKind.REST)
    said = f"Paused at {formats.clock_time(gate.at, gate.plant.tz)}{f': {reason.strip()}' if reason.strip() else ''}"
    refused = pieces.settle(gate, found, sentence(said), "paused")
    because(reason.strip() or None)
    return refused or found.load


def _room_kept(gate: pieces.Gate, found: Morning, piece: Run, out: int) -> tuple[datetime, datetime, int]:
    """From when to when what waits in the truck keeps its room, and at which rate: that of what flowed. After a rate as
    measured only what others leave it; where that is nothing its room is over as it pauses."""
    if not piece.measured:
        return gate.at, piece.ends, piece.gph
    until, gph = gate.at, piece.gph
    for step in beside(gate.plant, gate.law, found.load, piece, gate.at, out).steps:
        if step.end <= gate.at:
            continue
        if step.start > until or step.free < 1 or until >= piece.ends:
            break
        until, gph = min(step.end, piece.ends), min(gph, int(step.free))
    return (gate.at, until, gph) if until > gate.at else (gate.at - A_SECOND, gate.at, 1)


@act("stop_all", roles=AT_THE_GATE)
def stop_all(plant: Plant, reason: str, *, by: Actor, at: datetime, law: Law) -> list[Load] | Refusal:
    """Pause every load that flows at once, each with the gallons its rate says; they are corrected load by load.
    One logged to begin later is held too: it begins when it is resumed, not by the clock.

    Refusals: no_reason, nothing_runs.
    """
    if not reason.strip():
        return Refusal("no_reason", "Enter why everything is stopped.", "")
    several = list(dict.fromkeys(one.load for one in loads.begun_or_waiting(plant.id, at)))
    if not several:
        return Refusal("nothing_runs", "No truck unloads now.", "")
    gate, held = pieces.locked(several, by, at)
    paused: list[Load] = []
    for load in held:
        found = pieces.of_today(gate, load)
        if found.piece is None and found.to_begin is None:
            continue
        done = pause(gate, found, found.out, reason) if found.piece else hold(gate, found, reason)
        if isinstance(done, Refusal):
            return done
        paused.append(done)
    return paused or Refusal("nothing_runs", "No truck unloads now.", "")


def hold(gate: pieces.Gate, found: Morning, reason: str) -> Load | Refusal:
    """What was to begin later by the clock waits to be resumed, and keeps its room until the end that was planned."""
    for run in found.ran:
        if run.starts > gate.at:
            run.kind = RunKind.REST.value
    db.session.flush()
    said = f"Held at {formats.clock_time(gate.at, gate.plant.tz)} before it began: {reason.strip()}"
    refused = pieces.settle(gate, found, sentence(said), "paused")
    because(reason.strip())
    return refused or found.load


@act("resume_load", roles=AT_THE_GATE)
def resume_load(load: Load, gallons_out: int | None = None, *, start: datetime | None = None, by: Actor, at: datetime,
                law: Law) -> Load | Refusal:  # fmt: skip
    """Go on with what waits: at its rate if that fits from now, else slower, else until another's time begins.

    ``gallons_out`` corrects what was unloaded this morning until the pause; ``start`` keeps a later time that was
    offered instead. Refusals: not_paused, revoked, gallons_below, more_than_logged, not_now (``details`` sessions),
    no_room (``details`` largest).
    """
    gate, (load,) = pieces.locked([load], by, at)
    return go_on(gate, pieces.of_today(gate, load), gallons_out, start)


def go_on(gate: pieces.Gate, found: Morning, gallons_out: int | None = None, start: datetime | None = None
          ) -> Load | Refusal:  # fmt: skip
    """Go on with what waits of a load, under its locks: as ``resume_load`` says."""
    load, at = found.load, gate.at
    out = found.before if gallons_out is None else gallons_out
    refused = _not_paused(gate, found) or pieces.gallons_wrong(found, out)
    if refused is not None:
        return refused
    gph, like = found.gph, found.rests[0]
    left = found.logged - out
    there = beside(gate.plant, gate.law, load, like, at, out)
    laid = resumed(there, at, left, gph)
    times, largest = later_times(there, at, left, gph) if laid is None or start is not None else ([], 0)
    chosen = next((one for one in times if one.start == start), None)
    if chosen is None and laid is None:
        return _not_now(gate, there.picture.cap, left, times, largest)
    copied = pieces.like(like)
    pieces.cut(found, out, at)
    if chosen is not None:
        pieces.add(found, copied, chosen.start, chosen.end, chosen.gph, left, RunKind.REST)
        words = sentence(f"Goes on {formats.span(chosen.start, chosen.end, gate.plant.tz)}")
    else:
        assert laid is not None
        pieces.place(found, copied, laid)
        words = sentence(f"Resumed at {formats.clock_time(at, gate.plant.tz)}")
    plan = laid_words(gate.plant, laid) if laid is not None and chosen is None else ""
    return pieces.settle(gate, found, words, "resumed", plan=plan) or load


def _not_paused(gate: pieces.Gate, found: Morning) -> Refusal | None:
    load, today = found.load, gate.at.astimezone(gate.plant.tz).date()
    if not found.paused:
        return Refusal("not_paused", f"Load {load.ticket} is not paused.", "")
    if found.day != today:
        return Refusal("not_paused", f"Load {load.ticket} was paused on {formats.day_short(found.day)}.", "",
                       next_step="Stop it and enter what was unloaded then.")  # fmt: skip
    if not loads.approved(load, gate.at, today):
        cite = gate.law.cite("revocation.by", today) if gate.law.has("revocation.by", today) else ""
        return Refusal("revoked", f"The approval of {load.business_name} is no longer in force.", cite,
                       next_step="Stop the truck.")  # fmt: skip
    return None


def _not_now(gate: pieces.Gate, cap: object, left: int, times: Sequence[Session], largest: int) -> Refusal:
    cite, reading = getattr(cap, "cite", ""), getattr(cap, "reading", None)
    volume = f"{formats.volume(left)} {'does' if left == 1 else 'do'} not fit"
    if times:
        first = times[0]
        when = f"{formats.span(first.start, first.end, gate.plant.tz)} at {formats.rate(first.gph)}"
        return Refusal("not_now", sentence(f"{volume} under the limit now. The first time that fits is {when}"), cite,
                       reading, "Keep that time for it, or stop the truck.", {"sessions": list(times[:4])})  # fmt: skip
    some = f" {formats.gallons(largest)} would." if largest else ""
    return Refusal("no_room", f"{volume} today.{some}", cite, reading,
                   "Stop the truck; the hauler books the rest for another day.", {"largest": largest})  # fmt: skip


@act("change_rate", roles=AT_THE_GATE)
def change_rate(load: Load, gph: int, gallons_out: int | None = None, *, by: Actor, at: datetime, law: Law
                ) -> Load | Refusal:  # fmt: skip
    """Record the rate a gauge shows: what flows is never refused, only its rest is laid out anew from now on.

    Above the hard limit it is kept as an excess. Whose time it runs into is told, and whose room in a receiving tank
    it takes as its valve has less. ``gallons_out`` of this morning until now, None by the rate so far.
    Refusals: rate, not_running, not_begun, gallons_below, more_than_logged.
    """
    if gph < 1:
        return Refusal("rate", "The rate must be 1 gallon an hour or more. To stop the flow, pause the load.", "")
    if gph > FASTEST:
        return Refusal("rate", f"The rate must be {formats.rate(FASTEST)} or less. Check the number.", "")
    gate, (load,) = pieces.locked([load], by, at)
    found = pieces.of_today(gate, load)
    out = found.out if gallons_out is None else gallons_out
    refused = _not_flowing(gate, found) or pieces.gallons_wrong(found, out)
    if refused is not None or found.piece is None:
        return refused or pieces.not_running(gate.plant, load)
    like, there = pieces.like(found.piece), beside(gate.plant, gate.law, load, found.piece, at, out)
    sunk, left = without_room(gate), pieces.cut(found, out, at)
    laid = lay_out(there, at, left, gph, pressing=True)
    pieces.place(found, like, laid, measured=True)
    over = pieces.keep_excess(gate, found, gph, at) if laid.now else ""
    said = f"From {formats.clock_time(at, gate.plant.tz)} at {formats.rate(gph)} as measured."
    words = " ".join(filter(None, (said, over)))
    refused = pieces.settle(gate, found, words, "rate", plan=laid_words(gate.plant, laid))
    if refused is None:
        late = displaced(gate, load, at, laid.now.end) if laid.now is not None else []
        tell_displaced(gate, late)
        tell_without_room(gate, sunk, late, AT_ANOTHER_RATE)
    return refused or load


@act("run_on", roles=AT_THE_GATE)
def run_on(load: Load, more: int, gallons_out: int | None = None, *, reason: str = "", flowed: bool = False,
           by: Actor, at: datetime, law: Law) -> Load | Refusal:  # fmt: skip
    """More is in the truck than was logged, or it still runs past its end: ``more`` gallons on top of those logged.

    ``gallons_out`` of this morning until now, None by the rate. What is out is kept and charged; what is still in the
    truck is laid out beside the others, never into their time. Whose time it ran into is told, and whose room in a
    receiving tank it took. ``flowed``: told later, all of it has gone in since, whatever there was room for.
    Refusals: no_gallons, not_running, not_begun, gallons_below, more_than_logged, gallons_over_tank, allowance.
    """
    if more < 1:
        return Refusal("no_gallons", "Gallons must be 1 or more.", "")
    gate, (load,) = pieces.locked([load], by, at)
    found = pieces.of_today(gate, load)
    last = found.last
    if last is None or not _may_run_on(gate, found):
        return _not_flowing(gate, found) or pieces.not_running(gate.plant, load)
    whole, past = found.logged + more, None if found.piece else last.ends
    by_rate = found.out if past is None else min(whole, found.logged + _flown(last.gph, past, at))
    out = by_rate if gallons_out is None else gallons_out
    refused = _not_out(whole, out) if flowed else too_much(gate, found, whole, out, more, reason)
    if refused is not None:
        return refused
    like, gph, measured, sunk = pieces.like(last), last.gph, last.measured, without_room(gate)
    there = beside(gate.plant, gate.law, load, last, at, out)
    # Past its end the truck has drawn what nobody planned: a fact, kept as a piece of its own.
    fact = out - found.logged if past is not None and past < at else 0
    pieces.cut(found, found.logged if fact > 0 else out, at)
    if fact > 0 and past is not None:
        pieces.add(found, like, past, at, gph, fact, RunKind.RAN, measured=True)
    late = displaced(gate, load, past, at) if fact > 0 and past is not None else []
    if flowed:
        laid = _to_its_end(at, whole - out, gph)
    else:
        laid = lay_out(giving_way(there, load, last, late, at), at, whole - out, gph, pressing=measured)
    pieces.place(found, like, laid, measured=measured or flowed)
    since = past if fact > 0 else at if flowed else None
    until = laid.now.end if flowed and laid.now else at
    over = pieces.keep_excess(replace(gate, at=until), found, gph, since) if since is not None else ""
    first = f"{formats.volume(more)} more than logged{f': {reason.strip()}' if reason.strip() else ''}"
    words = " ".join(filter(None, (sentence(first), over)))
    refused = pieces.settle(gate, found, words, "ran on", plan=laid_words(gate.plant, laid))
    if refused is None:
        tell_displaced(gate, late)
        tell_without_room(gate, sunk, late)
    because(reason.strip() or None, charge_cite(gate.law, found.day, "gallons"))
    return refused or load


def _may_run_on(gate: pieces.Gate, found: Morning) -> bool:
    """It flows, or what flowed last ended a short while ago and nothing waits in the truck."""
    if found.piece is not None:
        return True
    last = found.last
    return (last is not None and last.kind == RunKind.RAN.value and not found.rests and found.to_begin is None
            and may_run_on(gate.law, last.ends, gate.at))  # fmt: skip


def _flown(gph: int, since: datetime, at: datetime) -> int:
    return max(0, int((at - since).total_seconds())) * gph // 3600


def _to_its_end(at: datetime, gallons: int, gph: int) -> Layout:
    """All of some gallons from an instant on, as they flowed."""
    ends = at + timedelta(minutes=offers.minutes(gallons, gph))
    return Layout(Session(at, ends, gph, gallons) if gallons else None)


def _not_out(whole: int, out: int) -> Refusal | None:
    if out < 0:
        return Refusal("gallons_below", "Gallons must be 0 or more.", "")
    if out > whole:
        return Refusal("more_than_logged", f"With these the load has {formats.volume(whole)}. Check the number.", "")
    return None


def too_much(gate: pieces.Gate, found: Morning, whole: int, out: int, more: int, reason: str) -> Refusal | None:
    """What cannot be out, is more than the tank holds, or in the truck and more than the approval has left."""
    load, wrong = found.load, _not_out(whole, out)
    if wrong is not None:
        return wrong
    arrival = arrivals.Arrival(gate.plant, gate.law, gate.at, load.truck_id, load.waste, load.gallons + more,
                               load.basis, None, "", False, True, (), "", reason)  # fmt: skip
    refused = arrivals.over_tank(arrival)
    approval = haulers.approval(gate.plant.id, load.approval_id or 0)
    if refused is not None or approval is None:
        return refused
    winter = is_winter(gate.law, found.day)
    left = haulers.allowance(approval, winter) - used_and_booked(approval.id, gate.law, gate.at).taken(winter)
    if whole - max(out, found.logged) <= max(0, left):
        return None
    why = f"Approval {approval.number} has {formats.volume(max(0, left))} left, not {formats.gallons(more)}."
    return Refusal("allowance", why, arrival.cite("decision.settles"), details={"left": max(0, left)},
                   next_step="Enter what is out; the rest stays in the truck.")  # fmt: skip
