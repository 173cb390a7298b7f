"""The committee's decision, recorded as it was taken at a meeting (§ 329-7 B(2)-(3), NR 113.07(2)(b))."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import date, datetime

from sqlalchemy import select

from haulers.actions.decision_letters import write_decision
from haulers.actions.decision_rules import (
    DecisionLine,
    RollCall,
    check_applications,
    check_capacity,
    check_interests,
    check_line,
    check_review_block,
    check_roll,
)
from haulers.actions.plans import disposal_plan
from haulers.models import Application, Approval, Decision, Meeting, Motion, Vote
from haulers.queries import Totals, members, parties_of, sources_of, totals
from haulers.states import ApplicationState, Outcome
from office import numbers
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.plants import Plant
from ordinances.calendar import Season, approval_period, season_named
from ordinances.reader import Law
from ordinances.refusal import Refusal

APPROVAL = numbers.series("approval", "approval", "number")
BODIES = {"committee": "Public Works Committee", "council": "Common Council", "board": "Town Board"}


def body_words(law: Law, day: date) -> str:
    """The deciding body's name as letters print it."""
    word = str(law.value("decision.body", day))
    return BODIES.get(word, word.replace("_", " ").capitalize())


@act("decide_applications", roles=(Role.MEMBER, Role.CLERK, Role.DIRECTOR))
def decide_applications(plant: Plant, roll: RollCall, lines: Sequence[DecisionLine], over_capacity: bool = False, *,
                        by: Actor, at: datetime, law: Law) -> Motion | Refusal:  # fmt: skip
    """Record a motion and its roll call; when it carried, decide its applications with letters and approvals.

    ``over_capacity``: the committee accepts more than the plant can take. A motion that fails or ties is recorded
    and decides nothing. All of it or nothing of it.
    """
    lock(Plant, plant.id)
    applications = [_locked(plant, line.application_id) for line in lines]
    refusal = check_applications(applications, roll, law, at) or check_roll(plant, roll, at)
    if refusal is not None:
        return refusal
    found = [one for one in applications if one is not None]
    people = {person.id: person for person in members(plant.id, at)}
    refusal = check_interests(found, roll, people, by, law, at)
    if refusal is not None:
        return refusal
    season = season_named(law, found[0].season)
    day = at.astimezone(law.zone).date()
    sources = sources_of([one.id for one in found])
    asked = {one.id: totals(sources.get(one.id, [])) for one in found}
    over = _check_decisions(plant, found, lines, asked, season, over_capacity, law, at) if roll.carried else False
    if isinstance(over, Refusal):
        return over
    motion = _record(plant, roll, {ident: person.name for ident, person in people.items()}, law)
    because(roll.words.strip(), law.cite("decision.body", day))
    if roll.carried:
        _decide(plant, motion, roll, found, lines, season, over, by, at, law)
    return motion


def _locked(plant: Plant, application_id: int) -> Application | None:
    query = select(Application).filter_by(id=application_id, plant_id=plant.id).with_for_update()
    return db.session.scalars(query.execution_options(populate_existing=True)).one_or_none()


def _check_decisions(plant: Plant, found: Sequence[Application], lines: Sequence[DecisionLine],
                     asked: dict[int, Totals], season: Season, accepted: bool, law: Law,
                     at: datetime) -> Refusal | bool:  # fmt: skip
    for line, one in zip(lines, found, strict=True):
        refusal = check_line(line, one, asked[one.id], season, law)
        if refusal is not None:
            return refusal
    refusal = check_review_block(lines, law, at.astimezone(law.zone).date())
    return refusal or check_capacity(plant, lines, season, accepted, law, at)


def _record(plant: Plant, roll: RollCall, names: dict[int, str], law: Law) -> Motion:
    body = body_words(law, roll.held_on)
    query = select(Meeting).filter_by(plant_id=plant.id, held_on=roll.held_on, body=body)
    meeting = db.session.scalars(query).one_or_none()
    if meeting is None:
        meeting = Meeting(plant_id=plant.id, held_on=roll.held_on, body=body)
        db.session.add(meeting)
        db.session.flush()
    motion = Motion(plant_id=plant.id, meeting_id=meeting.id, words=roll.words.strip(), mover_id=roll.mover_id,
                    seconder_id=roll.seconder_id, passed=roll.carried)  # fmt: skip
    db.session.add(motion)
    db.session.flush()
    for person_id, ballot in sorted(roll.votes.items()):
        db.session.add(Vote(plant_id=plant.id, motion_id=motion.id, person_id=person_id,
                            person_name=names[person_id], vote=ballot.value))  # fmt: skip
    return motion


def conditions_of(line: DecisionLine, season: Season, law: Law) -> list[dict[str, str]]:
    """The conditions of an approval: the ordinance's own first, always; then those the committee added."""
    row = law.row("approval.condition", season.start)
    added = [words.strip() for words in line.conditions if words.strip() and words.strip() != row.value]
    return [{"text": str(row.value), "cite": row.cite}] + [{"text": words, "cite": ""} for words in added]


def _decide(plant: Plant, motion: Motion, roll: RollCall, found: Sequence[Application], lines: Sequence[DecisionLine],
            season: Season, over: bool, by: Actor, at: datetime, law: Law) -> None:  # fmt: skip
    made: list[tuple[Application, Decision]] = []
    for line, one in zip(lines, found, strict=True):
        decision = Decision(
            plant_id=plant.id, application_id=one.id, motion_id=motion.id, outcome=line.outcome.value,
            gallons_winter=line.gallons_winter, gallons_rest=line.gallons_rest, reason_code=line.reason_code,
            reason=line.reason.strip(), conditions=conditions_of(line, season, law), over_capacity=over,
            decided_at=at, law_version=law.version,
        )  # fmt: skip
        one.state, one.decided_at = ApplicationState(line.outcome.value).value, at
        db.session.add(decision)
        made.append((one, decision))
    db.session.flush()
    approvals = {one.id: _approve(plant, one, decision, season, law) for one, decision in made
                 if decision.outcome != Outcome.REJECTED.value}  # fmt: skip
    parties = parties_of([one.business_id for one, _ in made])
    for one, decision in made:
        decision.letter_id = write_decision(plant, parties[one.business_id], one, decision, approvals.get(one.id),
                                            roll.held_on, body_words(law, roll.held_on), by, at, law).id  # fmt: skip


def _approve(plant: Plant, application: Application, decision: Decision, season: Season, law: Law) -> Approval:
    starts, ends = approval_period(law, season)
    plan = [asdict(item) for item in disposal_plan(plant, application, decision, season, law)]
    approval = Approval(
        plant_id=plant.id, application_id=application.id, decision_id=decision.id, business_id=application.business_id,
        number=f"A-{season.name}-{numbers.take(plant.id, APPROVAL, season.name):03d}", season=season.name,
        starts=starts, ends=ends, gallons_winter=decision.gallons_winter, gallons_rest=decision.gallons_rest,
        plan=plan, law_version=law.version,
    )  # fmt: skip
    db.session.add(approval)
    db.session.flush()
    return approval
