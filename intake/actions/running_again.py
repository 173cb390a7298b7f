"""Everything was stopped, and goes on: each truck as it was, where its gallons fit under the limit now."""

from collections.abc import Sequence
from datetime import datetime

from intake.actions import pieces
from intake.actions.running import AT_THE_GATE, go_on
from intake.models import Load
from office import formats
from office.access import Actor
from office.acts import act
from ordinances.reader import Law
from ordinances.refusal import Refusal

# Why one of several is left as it is; said before anything of it is written.
STAYS = {"not_paused", "revoked", "gallons_below", "more_than_logged", "not_now", "no_room"}


@act("resume_all", roles=AT_THE_GATE)
def resume_all(several: Sequence[Load], *, by: Actor, at: datetime, law: Law) -> list[Load] | Refusal:
    """Let every one of some paused loads of one plant go on at its rate, as ``resume_load`` does each.

    One that does not fit now, or whose approval is over, stays paused without holding up the others. Refusals:
    nothing_paused; where none of them may go on, the first one's.
    """
    if not several:
        return Refusal("nothing_paused", "No truck is paused.", "")
    gate, held = pieces.locked(several, by, at)
    running, refused = list[Load](), list[Refusal]()
    for load in held:
        done = go_on(gate, pieces.of_today(gate, load))
        if isinstance(done, Refusal) and done.code not in STAYS:
            return done
        if isinstance(done, Refusal):
            refused.append(done)
        else:
            running.append(done)
    return running or refused[0]


def gone_on_words(several: Sequence[Load], running: Sequence[Load]) -> str:
    """What was done: "2 trucks go on. 1 stays paused: it does not fit now."."""
    left = len(several) - len(running)
    said = f"{formats.plural(len(running), 'truck')} {'goes' if len(running) == 1 else 'go'} on."
    return f"{said} {left} {'stays' if left == 1 else 'stay'} paused." if left else said
