"""A hauler proposes how its waste is sampled; the Director approves it or returns it (§ 329-7 E of Bayfield)."""

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Any

from haulers import queries as haulers
from intake.models import SamplingPlan
from intake.queries import sampling_plan as plans
from intake.states import PlanState
from office import formats, letters
from office.access import TITLES, Actor, Role
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.letters import Letter
from office.notices import tell_party, tell_role
from office.plants import Plant
from ordinances.reader import Law
from ordinances.refusal import Refusal

# What may be left empty of a plan.
OPTIONAL = ("access", "preservation")


@act("propose_sampling_plan", roles=(Role.HAULER, Role.CLERK))
def propose_sampling_plan(
    plant: Plant, business_id: int, parts: Mapping[str, str], *, by: Actor, at: datetime, law: Law
) -> SamplingPlan | Refusal:
    """Propose how a hauler's waste is sampled; the clerk enters one from paper. The Director is told.

    One that waits still is taken back by the new one. ``parts`` by the names of ``plans.PARTS``. Refusals: not_yours,
    no_hauler, or the name of a part that is empty.
    """
    # Whoever proposes at the same moment waits: one plan of a hauler waits for the Director, never two.
    lock(Plant, plant.id)
    today = at.astimezone(plant.tz).date()
    own = haulers.business_of_party(by.party_id)
    on_paper = Role.CLERK in by.roles
    if not on_paper and (own is None or own.id != business_id):
        return Refusal("not_yours", "This is another hauler's plan.", "")
    if on_paper and business_id not in {one.id for one, _ in haulers.businesses_at(plant.id)}:
        return Refusal("no_hauler", "There is no such hauler at this plant.", "")
    for name, title in plans.PARTS:
        if name not in OPTIONAL and not parts.get(name, "").strip():
            return Refusal(name, f"Enter {title.lower()}.", plans.cite(law, today))
    party = haulers.party_of_business(business_id)
    for before in plans.held_waiting(plant.id, business_id):
        _answer(before, PlanState.RETURNED, "Another plan was proposed in its place.", by, at)
    row = SamplingPlan(
        plant_id=plant.id, business_id=business_id, state=PlanState.PROPOSED.value, proposed_at=at, proposed_by=by.name,
        on_paper=on_paper, since=None, law_version=law.version,
        **{name: parts.get(name, "").strip() for name, _ in plans.PARTS},
    )  # fmt: skip
    db.session.add(row)
    db.session.flush()
    because("A plan for sampling", plans.cite(law, today))
    body = "\n".join([f"{party.name} proposes:", "", *(f"{title}: {words}" for title, words in plans.told(row))])
    tell_role(Role.DIRECTOR, "sampling_plan", f"Sampling plan of {party.name} waits for you", body, at,
              plant_id=plant.id)  # fmt: skip
    return row


@act("approve_sampling_plan", roles=(Role.DIRECTOR,))
def approve_sampling_plan(
    plant: Plant, plan_id: int, since: date, *, note: str = "", sure: bool = False, by: Actor, at: datetime, law: Law
) -> SamplingPlan | Refusal:
    """Approve methods, places, times, durations, frequencies and the testing facility, from a day on, by letter.

    Where one approved before begins later, this one gives way to it on that day: the Director is asked whether it is to
    hold so long only, and is ``sure``. Refusals: no_plan, decided, since, later, own_business.
    """
    row = _waiting(plant, plan_id, by, at, law)
    if isinstance(row, Refusal):
        return row
    today = at.astimezone(plant.tz).date()
    if since < today:
        return Refusal("since", "The first day must be today or later.", plans.cite(law, today))
    later = plans.next_after(plans.of_business(plant.id, row.business_id), since)
    if later is not None and not sure:
        return Refusal("later", gives_way(plant, later), plans.cite(law, today))
    row.since = since
    _answer(row, PlanState.APPROVED, note.strip(), by, at)
    last = "" if later is None else f" until {_last_day(later)}"
    because((note.strip() or "Approved") + (f", only{last}" if last else ""), plans.cite(law, today))
    then = "" if later is None else f". From the next day on the plan approved on {_decided(plant, later)} holds"
    _write(plant, row, f"approved from {formats.date_only(since)}{last}{then}", by=by, at=at, law=law)
    return row


def gives_way(plant: Plant, later: SamplingPlan) -> str:
    """That a plan approved before takes the place of the one approved now, and when."""
    assert later.since is not None
    return (f"The plan approved on {_decided(plant, later)} holds from {formats.date_only(later.since)} on, and this "
            f"one would hold only until {_last_day(later)}. Enter a later first day, or confirm it")  # fmt: skip


def _decided(plant: Plant, plan: SamplingPlan) -> str:
    assert plan.decided_at is not None
    return formats.date_only(plan.decided_at, plant.tz)


def _last_day(later: SamplingPlan) -> str:
    """The last day before another plan holds."""
    assert later.since is not None
    return formats.date_only(later.since - timedelta(days=1))


@act("return_sampling_plan", roles=(Role.DIRECTOR,))
def return_sampling_plan(plant: Plant, plan_id: int, reason: str, *, by: Actor, at: datetime, law: Law
                         ) -> SamplingPlan | Refusal:  # fmt: skip
    """Return a plan with the reason, by letter; the one before stays in force.

    Refusals: no_plan, decided, no_reason, own_business.
    """
    row = _waiting(plant, plan_id, by, at, law)
    if isinstance(row, Refusal):
        return row
    cite = plans.cite(law, at.astimezone(plant.tz).date())
    if not reason.strip():
        return Refusal("no_reason", "Enter what is to be changed.", cite)
    _answer(row, PlanState.RETURNED, reason.strip(), by, at)
    because(reason.strip(), cite)
    _write(plant, row, "returned", by=by, at=at, law=law)
    return row


def _waiting(plant: Plant, plan_id: int, by: Actor, at: datetime, law: Law) -> SamplingPlan | Refusal:
    row = plans.plan(plant.id, plan_id)
    if row is None:
        return Refusal("no_plan", "There is no such plan at this plant.", "")
    row = lock(SamplingPlan, row.id)
    refused = haulers.own_business(row.business_id, by, plans.cite(law, at.astimezone(plant.tz).date()))
    if refused is not None:
        return refused
    if row.state != PlanState.PROPOSED.value:
        return Refusal("decided", f"{row.decided_by} has answered it already: {row.state}.", "")
    return row


def _answer(row: SamplingPlan, state: PlanState, words: str, by: Actor, at: datetime) -> None:
    row.state, row.decided_at, row.decided_by, row.answer = state.value, at, by.name, words


def _write(plant: Plant, row: SamplingPlan, word: str, *, by: Actor, at: datetime, law: Law) -> Letter:
    """The letter with the plan and what was decided of it, and the notice that it is there."""
    party = haulers.party_of_business(row.business_id)
    today = at.astimezone(plant.tz).date()
    data: dict[str, Any] = {
        "word": word, "approved": row.state == PlanState.APPROVED.value, "answer": row.answer.splitlines(),
        "parts": [list(one) for one in plans.told(row)], "cite": plans.cite(law, today),
        "access": law.cited(plans.ACCESS, today),
        "asked_on": formats.date_only(row.proposed_at, plant.tz), "signature": [by.name, TITLES[Role.DIRECTOR]],
    }  # fmt: skip
    letter = letters.write(plant, party, "sampling_plan", "Your sampling plan", data, at, law_version=law.version)
    row.letter_id = letter.id
    body = "\n\n".join(filter(None, [f"Your sampling plan is {word}.", row.answer,
                                     letters.where_kept(letter, party.id, at),
                                     f"{plant.name}, {plant.phone}"]))  # fmt: skip
    tell_party(party, "sampling_plan", f"Sampling plan {word} ({letter.number})", body, at, plant_id=plant.id,
               letter_id=letter.id)  # fmt: skip
    return letter
