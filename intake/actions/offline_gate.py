"""What a tablet kept beside loads while there was no network: trucks turned away, rests refused, drivers' signatures,
everything stopped at once.

Each is registered with the time it was written, and counts once however often it is sent.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from haulers import queries as haulers
from intake.actions.late import Taken
from intake.actions.late_words import tell_flags
from intake.actions.offline_run import begun_at, done_to
from intake.actions.refusing import TurnedAway, days_of, turn_away
from intake.actions.signing import sign_load
from intake.actions.stopped_then import AT_ONCE, Stopped, stop_all_then
from intake.actions.turned_away import refuse_rest
from intake.models import Load
from intake.queries import arrivals, capacity, loads, statements
from intake.queries.arrivals import Arrival
from intake.queries.outbox import Flag, Written
from intake.queries.pieces import morning
from intake.states import Basis, LoadState
from office.access import Actor, Role
from office.db import lock
from office.journal import because
from office.law import law_in_force
from office.plants import Plant
from ordinances.reader import Law, NoLaw
from ordinances.refusal import Refusal

REFUSAL, ACT, STOP_ALL = "refusal", "act", "stop_all"


def kind_of(raw: Any) -> str:
    """What a message of a tablet is: a refusal, something done to a load in the books (act), everything stopped at once
    (stop_all), or "" for a load."""
    kind = raw.get("kind") if isinstance(raw, Mapping) else ""
    return str(kind) if kind in (REFUSAL, ACT, STOP_ALL) else ""


def signed_of(raw: Any) -> tuple[str, str]:
    """What the driver wrote on the tablet beside a load, and the pick-ups named there; "" where none signed."""
    pairs = raw.get("fields") if isinstance(raw, Mapping) else None
    rows = [one for one in pairs if isinstance(one, list) and len(one) == 2] if isinstance(pairs, list) else []
    said = {str(name): str(value) for name, value in rows}
    return said.get("strokes", ""), said.get("pickups", "")


def signed(taken: Taken, raw: Any, written: Written, *, at: datetime, law: Law) -> Taken:
    """The load with the driver's signature that came with it: the written record from when it was taken (C(3)).

    A signature that cannot be kept leaves the load as it is: its record is due as of any other, and that is said.
    """
    strokes, places = signed_of(raw)
    if not strokes or taken.load.state != LoadState.ACCEPTED.value:
        return taken
    # On a further morning another may have driven than on the first, whose name the load keeps.
    driver = str(written.values.get("driver") or "").strip() or taken.load.driver
    at_gate = Actor(None, written.on_duty or "The receiving station", frozenset({Role.OPERATOR}))
    answer = sign_load(taken.load, driver, strokes, places, signed_at=written.at, by=at_gate, at=at, law=law)
    if not isinstance(answer, Refusal) or answer.code == "signed":
        return taken
    unread = Flag("signature", "The signature on the tablet could not be kept: the written record is still due.")
    return Taken(taken.load, (*taken.flags, unread))


def register_other(plant: Plant, written: Written, kind: str, *, by: Actor, at: datetime) -> Taken | Refusal:
    """Register what was done without network beside loads: a truck turned away, the rest of the load that ``of`` names,
    or that load paused, resumed, stopped, at another rate or signed.

    Refusals: no_law, unknown_load, moved_on, those of ``refuse_load`` and ``refuse_rest``, and of the station's acts.
    """
    try:
        law = law_in_force(plant, written.at.astimezone(plant.tz).date())
    except NoLaw as none:
        return Refusal("no_law", str(none), "", next_step="Check the time.")
    if kind == ACT:
        done = _done(plant, written, at, law)
    elif written.values["of"]:
        done = _rest(plant, written, at, law)
    else:
        done = _turned_away(plant, written, at, law, by)
    if not isinstance(done, Refusal):
        tell_flags(plant, done.load, done.flags, at)
    return done


def register_stop(plant: Plant, written: Written, *, at: datetime) -> Stopped | Refusal:
    """Register that everything was stopped at once, at its own time. Refused: no_law."""
    try:
        law = law_in_force(plant, written.at.astimezone(plant.tz).date())
    except NoLaw as none:
        return Refusal("no_law", str(none), "", next_step="Check the time.")
    how = written.how.replace("Logged without network", "Everything stopped without network", 1)
    done = stop_all_then(plant, written.values.get("reason") or AT_ONCE, how, written.on_duty, since=written.at, at=at,
                         law=law)  # fmt: skip
    return Stopped(done.loads, (*written.flags, *done.flags))


def _turned_away(plant: Plant, written: Written, at: datetime, law: Law, by: Actor) -> Taken | Refusal:
    values, visitor = written.values, written.visitor
    wanting = arrivals.refusal_wanting(values["reason_code"], values["reason"], visitor.business_id,
                                       values["business_name"], 0)  # fmt: skip
    if wanting is not None:
        return wanting
    arrival = Arrival(plant, law, written.at, visitor.truck_id, "other", 0, Basis.DECLARED.value, values["ph"], "",
                      False, True, (), "", "", driver=values["driver"])  # fmt: skip
    lock(Plant, plant.id, shared=True)
    standing = haulers.standing(plant.id, visitor.business_id, written.at, law) if visitor.business_id else None
    if standing is not None and standing.approval is not None:
        haulers.lock_approval(standing.approval.id)
    capacity.lock_days(plant.id, [arrival.day, *days_of(visitor.booking)])
    again = loads.with_client_id(plant.id, written.client_id)
    if again is not None:
        # It had arrived with network, only its answer was lost.
        again.slip = again.slip or written.slip
        return Taken(again, written.flags)
    turned = TurnedAway(
        written.client_id, values["reason_code"], values["reason"], visitor.business_id, values["business_name"],
        values["plate"], visitor.booking, written.on_duty or by.name, written.slip, at, written.how,
        tuple(one.words for one in written.flags),
    )  # fmt: skip
    return Taken(turn_away(arrival, turned, at=at), written.flags)


def _named(plant: Plant, of: str, what: str) -> Load | Refusal:
    """The load that a ticket or a slip names."""
    load = loads.with_slip(plant.id, of) or loads.with_ticket(plant.id, of.upper())
    return load or Refusal("unknown_load", f"Load {of}{what} is not in the books.", "",
                           next_step="Enter that load first, or correct its number.")  # fmt: skip


def _done(plant: Plant, written: Written, at: datetime, law: Law) -> Taken | Refusal:
    """Something done to a load, by who was on duty then."""
    load = _named(plant, written.values["of"], "")
    if isinstance(load, Refusal):
        return load
    by = Actor(None, written.on_duty or "The receiving station", frozenset({Role.OPERATOR}))
    said = done_to(load, written, by=by, at=at, law=law)
    if isinstance(said, Refusal):
        return said
    how = written.how.replace("Logged without network", "Written without network", 1)
    load.note = "\n".join(filter(None, (load.note, *(one.words for one in said), how)))
    because(how)
    return Taken(load, (*written.flags, *said))


def _rest(plant: Plant, written: Written, at: datetime, law: Law) -> Taken | Refusal:
    values, of = written.values, written.values["of"]
    load = _named(plant, of, ", of which it is the rest,")
    if isinstance(load, Refusal):
        return load
    before = statements.rest_of(load.id)
    if before is not None and (before.code, before.reason) == (values["reason_code"], values["reason"].strip()):
        # It had arrived with network, only its answer was lost.
        return Taken(load, written.flags)
    found = morning(load, written.at)
    when, begins = begun_at(found, written.at, at), min((one.starts for one in found.ran), default=written.at)
    later = any(one.starts > when and one.starts != begins for one in found.ran)
    later = later or found.day != when.astimezone(plant.tz).date()
    if later and load.state == LoadState.ACCEPTED.value:
        return Refusal("moved_on", f"Load {load.ticket} has gone on since then.", "",
                       next_step="Look at its ticket, and refuse the rest there if it was.")  # fmt: skip
    runs = loads.run_to_stop(load, when) is not None
    by = Actor(None, written.on_duty or "The receiving station", frozenset({Role.OPERATOR}))
    row = refuse_rest(load, values["left"], values["reason_code"], values["reason"],
                      out=values["out"] if runs else None, by=by, at=when, law=law)  # fmt: skip
    if isinstance(row, Refusal):
        return row
    load.note = "\n".join(filter(None, (load.note, written.how)))
    because(f"{written.how} {row.reason}")
    return Taken(load, written.flags)
