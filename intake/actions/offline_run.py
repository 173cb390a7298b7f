"""What was done without network to a load in the books: paused, resumed, stopped, another rate, signed.

Each counts as of its own time, in the order of the tablet. What flowed is a fact, never refused for want of room; where
somebody has gone on with the load since, a person looks first.
"""

from datetime import datetime, timedelta

from sqlalchemy import or_, select

from intake.actions import pieces
from intake.actions.running import change_rate, pause_load, resume_load, run_on, too_much
from intake.actions.signing import sign_load
from intake.actions.stop import stop_load
from intake.models import Load, OfflineLoad
from intake.queries import loads, outbox
from intake.queries.outbox import Flag, Written
from intake.queries.pieces import Morning, beside, lay_out, morning
from intake.queries.words import sentence
from intake.states import LoadState, RunKind
from office import formats
from office.access import Actor, Role
from office.acts import act
from office.db import db
from office.journal import JournalEntry
from office.plants import Plant
from ordinances import offers
from ordinances.reader import Law
from ordinances.refusal import Refusal

PAUSE, RESUME, STOP, RATE, MORE, SIGN = "pause", "resume", "stop", "rate", "more", "sign"
PRINTED = "the printed ticket"
# What people do to a load that is in the books; what tablets sent is told by the time it was done.
BY_PEOPLE = ("start_load", "pause_load", "resume_load", "stop_load", "stop_all", "change_rate", "run_on", "refuse_rest",
             "continue_load", "finish_load", "correct_load", "void_load")  # fmt: skip
DONE = {PAUSE: "paused", RESUME: "resumed", STOP: "over", MORE: "given these gallons", SIGN: "signed"}
NO_ROOM = ("not_now", "no_room")
A_MINUTE, A_SECOND = timedelta(minutes=1), timedelta(seconds=1)


def begun_at(found: Morning, when: datetime, at: datetime) -> datetime:
    """When something was done to a load. A run is planned from the next whole minute on: what was done before it had
    flowed a little by then."""
    begins = min((one.starts for one in found.ran), default=when)
    return begins + A_SECOND if when <= begins < min(when + A_MINUTE, at) else when


def done_to(load: Load, written: Written, *, by: Actor, at: datetime, law: Law) -> tuple[Flag, ...] | Refusal:
    """Do to a load what the tablet wrote, at its own time; what there is to say of it.

    Refusals: moved_on, and those of the acts of the station.
    """
    what = written.values["act"]
    if what == SIGN:
        return _signed(load, written, by=by, at=at, law=law)
    found = morning(load, written.at)
    when = begun_at(found, written.at, at)
    found = morning(load, when)
    if moved_on(load, found, written.at, when.astimezone(law.zone).date()):
        return Refusal("moved_on", f"Load {load.ticket} has gone on since then.", "",
                       next_step="Look at its ticket, and do it there if it is still to be done.")  # fmt: skip
    if _given_already(load, written) if what == MORE else _so_already(found, what, written.values["gallons"]):
        return (Flag("already", f"Load {load.ticket} was {DONE[what]} already."),)
    return _run(load, found, written, when, by, law)


def _run(load: Load, found: Morning, written: Written, when: datetime, by: Actor, law: Law
         ) -> tuple[Flag, ...] | Refusal:  # fmt: skip
    what, typed, reason = written.values["act"], written.values["gallons"], written.values["reason"]
    out = found.out if typed is None else typed
    answer: object
    if what == MORE:
        return _more(load, found, written, when, by, law)
    if what == PAUSE:
        answer = pause_load(load, out, reason, by=by, at=when, law=law)
    elif what == STOP:
        answer = stop_load(load, out, reason, by=by, at=when, law=law)
    elif what == RATE:
        answer = change_rate(load, written.values["rate"] or 0, typed, by=by, at=when, law=law)
    else:
        answer = resume_load(load, typed, by=by, at=when, law=law)
        if isinstance(answer, Refusal) and answer.code in NO_ROOM:
            said = Flag(answer.code, answer.why, answer.cite)
            answer = resume_as_it_flowed(load, typed, by=by, at=when, law=law)
            return answer if isinstance(answer, Refusal) else (said,)
    if isinstance(answer, Refusal):
        return answer
    by_rate = Flag("by_rate", f"The {formats.volume(out)} out were reckoned by the rate. Correct them by the meter.")
    return (by_rate,) if typed is None and what in (PAUSE, STOP) and out else ()


def _more(load: Load, found: Morning, written: Written, when: datetime, by: Actor, law: Law
          ) -> tuple[Flag, ...] | Refusal:  # fmt: skip
    """More was in the truck than was logged: it went in, whatever there was room for; what stood against it is said."""
    more, typed, reason = written.values["more"] or 0, written.values["gallons"], written.values["reason"]
    last, whole, flags = found.last, found.logged + more, list[Flag]()
    if last is not None and more > 0:
        gate = pieces.Gate(db.session.get_one(Plant, load.plant_id), by, when, law)
        out = found.out if typed is None else typed
        wrong = too_much(gate, found, whole, out, more, reason)
        flags += [Flag(wrong.code, wrong.why, wrong.cite)] if wrong is not None else []
        laid = lay_out(beside(gate.plant, law, load, last, when, out), when, max(0, whole - out), found.gph)
        if laid.gives_way is not None:
            flags.append(Flag("no_room", f"The {formats.volume(more)} more had no room beside the others."))
    answer = run_on(load, more, typed, reason=reason, flowed=True, by=by, at=when, law=law)
    return answer if isinstance(answer, Refusal) else tuple(flags)


def _given_already(load: Load, written: Written) -> bool:
    """The same gallons had arrived with network right before, only the answer was lost."""
    query = select(JournalEntry.id).where(
        JournalEntry.chain == f"plant:{load.plant_id}", JournalEntry.table_name == Load.__tablename__,
        JournalEntry.record_id == load.id, JournalEntry.act == "run_on", JournalEntry.at <= written.at,
        JournalEntry.at >= written.at - A_MINUTE)  # fmt: skip
    said = f"{formats.volume(written.values['more'] or 0)} more than logged"
    return db.session.scalars(query).first() is not None and said in load.note


def moved_on(load: Load, found: Morning, since: datetime, day: object) -> bool:
    """Whether anybody has done something to a load after an instant, here or on a tablet."""
    if found.day != day or any(load.id in one.stopped for one in outbox.stops_after(load.plant_id, since)):
        return True
    by_people = select(JournalEntry.id).where(
        JournalEntry.chain == f"plant:{load.plant_id}", JournalEntry.table_name == Load.__tablename__,
        JournalEntry.record_id == load.id, JournalEntry.act.in_(BY_PEOPLE), JournalEntry.at > since)  # fmt: skip
    on_tablets = select(OfflineLoad.id).where(OfflineLoad.load_id == load.id, OfflineLoad.logged_at > since)
    query = select(Load.id).where(Load.id == load.id, or_(by_people.exists(), on_tablets.exists()))
    return db.session.scalars(query).first() is not None


def _so_already(found: Morning, what: str, gallons: int | None) -> bool:
    """What was done with network, and only its answer was lost, or what the plan did by itself."""
    if gallons is not None and gallons != found.out:
        return False
    if what == PAUSE:
        return found.paused
    if what == RESUME:
        return found.piece is not None
    taken = found.load.state == LoadState.ACCEPTED.value
    return what == STOP and taken and loads.run_to_stop(found.load, found.at) is None


@act("resume_as_it_flowed", roles=(Role.SYSTEM,))
def resume_as_it_flowed(load: Load, gallons_out: int | None, *, by: Actor, at: datetime, law: Law) -> Load | Refusal:
    """Go on with a load that did so without network, at its rate until it is out, though it did not fit: a fact.

    Above the hard limit it is kept as one. Refusals: gallons_below, more_than_logged.
    """
    gate, (load,) = pieces.locked([load], by, at)
    found = pieces.of_today(gate, load)
    out = found.before if gallons_out is None else gallons_out
    refused = pieces.gallons_wrong(found, out)
    if refused is not None:
        return refused
    gph, like, left = found.gph, pieces.like(found.rests[0]), found.logged - out
    pieces.cut(found, out, at)
    ends = at + timedelta(minutes=offers.minutes(left, gph))
    run = pieces.add(found, like, at, ends, gph, left, RunKind.RAN, measured=True)
    over = pieces.keep_excess(pieces.Gate(gate.plant, by, run.ends, gate.law), found, gph, at)
    words = sentence(f"Resumed at {formats.clock_time(at, gate.plant.tz)}")
    return pieces.settle(gate, found, " ".join(filter(None, (words, over))), "resumed") or load


def _signed(load: Load, written: Written, *, by: Actor, at: datetime, law: Law) -> tuple[Flag, ...] | Refusal:
    values = written.values
    driver, paper = values["driver"] or loads.driver_on(load), PRINTED if values["paper"] else ""
    answer = sign_load(load, driver, values["strokes"], values["places"], paper=paper, signed_at=written.at, by=by,
                       at=at, law=law)  # fmt: skip
    if isinstance(answer, Refusal) and answer.code == "signed":
        return (Flag("already", f"Load {load.ticket} was signed already."),)
    return answer if isinstance(answer, Refusal) else ()
