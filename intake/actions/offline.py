"""Loads a tablet kept without network: each is taken once, or waits as it was sent for a person (§ 329-7 C(3))."""

from collections.abc import Sequence
from datetime import datetime

from intake.actions import offline_gate
from intake.actions.late import STAFF, Taken, register_late
from intake.actions.late_words import tell_flags
from intake.actions.stopped_then import Stopped
from intake.models import Load, OfflineLoad, OfflineState, Tablet
from intake.queries import loads, outbox
from intake.queries.outbox import Flag, Sent, Written
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.notices import tell_roles
from office.plants import Plant
from ordinances.reader import Law
from ordinances.refusal import Refusal


@act("take_offline_load", roles=(Role.SYSTEM,))
def take_offline_load(plant: Plant, tablet: Tablet, sent: Sent, *, by: Actor, at: datetime, law: Law) -> OfflineLoad:
    """Keep a load a tablet sent, once however often it is sent: registered where it can be, else waiting for a person.

    The word of the tablet suffices for this and for nothing else. Of a revoked tablet every load waits, also where its
    browser was enrolled anew: the slip says on which tablet it was written.
    """
    lock(Plant, plant.id, shared=True)
    # Of one tablet one load at a time: the same one sent twice at once is seen the second time.
    tablet = lock(Tablet, tablet.id)
    known = outbox.received(plant.id, sent.client_id)
    if known is not None:
        _corrected_since(plant, known, sent, at)
        return known
    row = OfflineLoad(
        plant_id=plant.id, tablet_id=tablet.id, client_id=sent.client_id, slip=sent.slip, on_duty=sent.on_duty,
        person_id=sent.person_id, device_at=sent.device_at, offset_seconds=sent.lacks, logged_at=sent.logged_at(at),
        received_at=at, sent=sent.raw, flags=[one.stored() for one in outbox.clock_flags(sent, at)],
        state=OfflineState.WAITS.value,
    )  # fmt: skip
    how = outbox.how_words(plant, tablet, sent, at)
    refused = _revoked(tablet) or _of_another(tablet, sent) or _unread(sent)
    answer = refused or _registered(plant, sent, how, by=by, at=at, law=law)
    if isinstance(answer, Refusal):
        row.why, row.cite = " ".join(filter(None, (answer.why, answer.next_step))), answer.cite
        _tell_waits(plant, row, at)
    else:
        _is(row, OfflineState.TAKEN, answer)
    db.session.add(row)
    because(how)
    return row


def _corrected_since(plant: Plant, row: OfflineLoad, sent: Sent, at: datetime) -> None:
    """It had arrived already, only the answer was lost, when it was corrected on the tablet: a person puts it right."""
    before = outbox.corrections(row.sent)
    if len(sent.corrected) <= before:
        return
    row.sent = sent.raw
    said = _after(sent.corrected[before:])
    row.flags = [*row.flags, said.stored()]
    because(said.said)
    if row.load_id is not None:
        _say(plant, loads.load(row.load_id), said, at)


def _after(several: Sequence[str]) -> Flag:
    return Flag("corrected", f"It had arrived before. {' '.join(several)} Put the ticket right.")


def _say(plant: Plant, load: Load, said: Flag, at: datetime) -> None:
    load.note = "\n".join(filter(None, (load.note, said.words)))
    tell_flags(plant, load, [said], at)


def _is(row: OfflineLoad, state: OfflineState, answer: Taken | Stopped) -> None:
    """What became of it: the load it is or was done to, or all that were stopped at once."""
    row.state, row.flags = state.value, [one.stored() for one in answer.flags]
    if isinstance(answer, Stopped):
        row.stopped = [one.id for one in answer.loads]
    else:
        row.load_id = answer.load.id


def _registered(plant: Plant, sent: Sent, how: str, *, by: Actor, at: datetime, law: Law
                ) -> Taken | Stopped | Refusal:  # fmt: skip
    written = Written(sent.client_id, sent.slip, sent.on_duty, sent.logged_at(at), sent.visitor, sent.values, how,
                      outbox.clock_flags(sent, at))  # fmt: skip
    if (kind := offline_gate.kind_of(sent.raw)) == offline_gate.STOP_ALL:
        return offline_gate.register_stop(plant, written, at=at)
    if kind:
        return offline_gate.register_other(plant, written, kind, by=by, at=at)
    there = loads.with_client_id(plant.id, sent.client_id)
    answer = register_late(plant, written, by=by, at=at, law=law)
    if isinstance(answer, Refusal):
        return answer
    if there is not None and sent.corrected:
        # What was typed with network is in the books, only its answer was lost.
        said = _after(sent.corrected)
        _say(plant, there, said, at)
        return Taken(there, (*answer.flags, said))
    return offline_gate.signed(answer, sent.raw, written, at=at, law=law)


def _revoked(tablet: Tablet) -> Refusal | None:
    if tablet.revoked_at is None:
        return None
    return Refusal("revoked", f"{tablet.called} was revoked by {tablet.revoked_by} before it sent this.", "")


def _of_another(tablet: Tablet, sent: Sent) -> Refusal | None:
    """A load that was not written as this tablet: its slip begins with the mark of another, or with none."""
    if sent.slip.startswith(f"{tablet.mark}-"):
        return None
    if not sent.slip:
        return Refusal("slip", f"{tablet.called} sent it without a slip number of its own.", "")
    other, mark = outbox.wrote(tablet.plant_id, sent.slip), sent.slip.partition("-")[0]
    if other is None:
        return Refusal("slip", f"Slip {sent.slip} is of a tablet {mark} that was never enrolled here; "
                               f"{tablet.called} sent it.", "")  # fmt: skip
    since = f", which was revoked by {other.revoked_by}" if other.revoked_at is not None else ""
    return Refusal("slip", f"Slip {sent.slip} is of {other.called}{since}; {tablet.called} sent it.", "")


def _unread(sent: Sent) -> Refusal | None:
    return Refusal("unread", sent.wrong, "") if sent.wrong else None


@act("enter_offline_load", roles=STAFF)
def enter_offline_load(row: OfflineLoad, written: Written, reason: str = "", *, by: Actor, at: datetime, law: Law
                       ) -> OfflineLoad | Refusal:  # fmt: skip
    """Register a load that waits as a person has put it right; what was sent stays as it came.

    Refusals: settled, and those of ``register_late``.
    """
    plant = lock(Plant, row.plant_id, shared=True)
    row = lock(OfflineLoad, row.id)
    if row.state != OfflineState.WAITS.value:
        return _settled(row)
    answer: Taken | Stopped | Refusal
    if (kind := offline_gate.kind_of(row.sent)) == offline_gate.STOP_ALL:
        answer = offline_gate.register_stop(plant, written, at=at)
    elif kind:
        answer = offline_gate.register_other(plant, written, kind, by=by, at=at)
    else:
        answer = register_late(plant, written, by=by, at=at, law=law)
    if isinstance(answer, Refusal):
        return answer
    if isinstance(answer, Taken) and kind != offline_gate.ACT:
        answer = offline_gate.signed(answer, row.sent, written, at=at, law=law)
    _is(row, OfflineState.ENTERED, answer)
    row.settled_at, row.settled_by, row.settled_why = at, by.name, reason.strip()
    because(" ".join(filter(None, (written.how, reason.strip()))))
    return row


@act("give_up_offline_load", roles=STAFF)
def give_up_offline_load(row: OfflineLoad, reason: str, *, by: Actor, at: datetime, law: Law
                         ) -> OfflineLoad | Refusal:  # fmt: skip
    """Say why a load that waits is no load of its own. It stays as it was sent, with the reason. Refusals: no_reason,
    settled."""
    if not reason.strip():
        return Refusal("no_reason", "Enter why it is not entered.", "")
    lock(Plant, row.plant_id, shared=True)
    row = lock(OfflineLoad, row.id)
    if row.state != OfflineState.WAITS.value:
        return _settled(row)
    row.state, row.settled_at, row.settled_by = OfflineState.GIVEN_UP.value, at, by.name
    row.settled_why = reason.strip()
    because(reason.strip())
    return row


def _settled(row: OfflineLoad) -> Refusal:
    ticket = loads.load(row.load_id).ticket if row.load_id is not None else ""
    what = f"is entered as load {ticket}" if ticket else "was given up"
    return Refusal("settled", f"This load {what}{f' by {row.settled_by}' if row.settled_by else ''}.", "")


def _tell_waits(plant: Plant, row: OfflineLoad, at: datetime) -> None:
    body = f"Slip {row.slip}, on duty {row.on_duty or 'not named'}:\n\n{row.why}\n\nEnter it, or say why not."
    tell_roles((Role.OPERATOR, Role.MANAGER), "load_waits", f"1 load needs you: slip {row.slip}", body, at,
               plant_id=plant.id)  # fmt: skip
