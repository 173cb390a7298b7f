"""Issuing what was decided: the letter, the approval with its plan and limits, and the hauler's own view of it.

Until its letter is issued a decision is known to the city only (NR 113.07(2)(b): a written decision).
"""

from collections.abc import Collection, Sequence
from dataclasses import asdict
from datetime import datetime, timedelta

from sqlalchemy import select

from haulers.actions.approval_numbers import next_number
from haulers.actions.carry_over import end_carried
from haulers.actions.decision_letters import write_decision
from haulers.actions.decision_rules import review_block_missing
from haulers.actions.issue_changes import issue_changes
from haulers.actions.issue_returns import issue_returns
from haulers.actions.plans import Item, Stands, check_plan, disposal_plan
from haulers.actions.season_ends import season_over
from haulers.actions.standing_plan import as_stands, at_letter, begins
from haulers.actions.taken_gallons import below_taken
from haulers.actions.taken_in import take_in
from haulers.actions.truck_fees import charge_trucks
from haulers.models import AllowanceLine, Application, Approval, Decision, Motion
from haulers.queries import parties_of
from haulers.queries.approved_trucks import listed_by
from haulers.queries.committee import approval_of
from haulers.queries.decisions import waiting_decisions
from haulers.states import ApplicationState, MotionKind, Outcome
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.letters import Letter
from office.people import Party
from office.plants import Plant
from ordinances.calendar import approval_period, season_named
from ordinances.reader import Law
from ordinances.refusal import Refusal

NOTHING = Refusal("nothing_to_issue", "No letter of this motion waits to be issued.", "")


@act("issue_letters", roles=(Role.CLERK,))
def issue_letters(plant: Plant, motion_id: int, only: Collection[int] | None = None, *, by: Actor, at: datetime,
                  law: Law) -> list[Letter] | Refusal:  # fmt: skip
    """Issue the letters of a motion that wait, or ``only`` some by the id of what they are about: all or none.

    They are about its decisions, changes of approvals, or an approval given back. Not issued: while the text on review
    rights is empty, for what must carry it; while an item of a plan is empty.
    """
    lock(Plant, plant.id)
    motion = db.session.scalars(select(Motion).filter_by(id=motion_id, plant_id=plant.id)).one_or_none()
    if motion is None:
        return NOTHING
    because(motion.words, law.cite("decision.body", at.astimezone(law.zone).date()))
    if motion.kind == MotionKind.AMEND.value:
        return issue_changes(plant, motion, only, by, at, law)
    if motion.kind == MotionKind.REINSTATE.value:
        return issue_returns(plant, motion, only, by, at, law)
    return _issue_decisions(plant, motion, only, by, at, law)


def _issue_decisions(plant: Plant, motion: Motion, only: Collection[int] | None, by: Actor, at: datetime,
                     law: Law) -> list[Letter] | Refusal:  # fmt: skip
    waiting = waiting_decisions(plant.id, motion.id)
    for ident in sorted(one.id for _, one in waiting):
        lock(Application, ident)  # its hauler may be withdrawing it at this moment
    chosen = [(decision, one) for decision, one in waiting
              if (only is None or decision.id in only) and one.state != ApplicationState.WITHDRAWN.value]  # fmt: skip
    if not chosen:
        return NOTHING
    refusal = check_issue([decision for decision, _ in chosen], law, at)
    if refusal is not None:
        return refusal
    parties = parties_of([one.business_id for _, one in chosen])
    letters: list[Letter] = []
    for decision, one in chosen:
        letter = _issue(plant, parties[one.business_id], motion, decision, one, by, at, law)
        if isinstance(letter, Refusal):
            return letter
        letters.append(letter)
    return letters


def check_issue(decisions: Sequence[Decision], law: Law, at: datetime) -> Refusal | None:
    """A rejection or part approval carries the review rights; without their text no such letter is made."""
    if all(decision.outcome == Outcome.APPROVED.value for decision in decisions):
        return None
    return review_block_missing(law, at.astimezone(law.zone).date())


def _issue(plant: Plant, party: Party, motion: Motion, decision: Decision, application: Application, by: Actor,
           at: datetime, law: Law) -> Letter | Refusal:  # fmt: skip
    take_in(application, decision)
    approval = None
    if decision.outcome != Outcome.REJECTED.value:
        made = _approved(plant, application, decision, at, law)
        if isinstance(made, Refusal):
            return made
        approval = made
        charged = charge_trucks(plant, approval, by=by, at=at, law=law)
        if isinstance(charged, Refusal):
            return charged
    first = application.state == ApplicationState.FILED.value
    application.state = ApplicationState(decision.outcome).value
    application.decided_at = application.decided_at or decision.decided_at
    db.session.flush()
    if first:
        end_carried(plant, application.business_id, at.astimezone(law.zone).date() - timedelta(days=1), approval, at,
                    law)  # fmt: skip
    letter = write_decision(plant, party, application, decision, approval, motion, by, at, law)
    decision.letter_id = letter.id
    return letter


def _approved(plant: Plant, application: Application, decision: Decision, at: datetime,
              law: Law) -> Approval | Refusal:  # fmt: skip
    """The approval of a decision, with its plan as it stands; none once its season has ended (§ 329-7 B(2))."""
    season, approval = season_named(law, application.season), approval_of(application.id)
    refusal = season_over(season, law, at)
    if refusal is not None:
        return refusal
    starts, ends = begins(season, at, law), approval_period(law, season)[1]
    if approval is not None:
        refusal = below_taken(approval, decision.gallons_winter, decision.gallons_rest, law, at)
        stands = as_stands(approval, decision)
    else:
        stands = at_letter(application, decision, starts, ends)
    plan = disposal_plan(plant, application, decision, season, law, stands)
    refusal = refusal or check_plan(plan, application.business_name)
    return refusal or _approve(plant, application, decision, plan, stands, law)


def _approve(plant: Plant, application: Application, decision: Decision, plan: Sequence[Item], stands: Stands,
             law: Law) -> Approval:  # fmt: skip
    """The approval as the decision has it: made, or corrected where one is out already.

    Its trucks are those on the list when the committee voted.
    """
    approval = approval_of(application.id)
    said = [asdict(item) for item in plan]
    if approval is None:
        approval = Approval(
            plant_id=plant.id, application_id=application.id, decision_id=decision.id,
            business_id=application.business_id, season=application.season, starts=stands.starts, ends=stands.ends,
            number=next_number(plant, application.season),
            gallons_winter=decision.gallons_winter, gallons_rest=decision.gallons_rest, plan=said,
            law_version=law.version, trucks=listed_by(application.business_id, decision.decided_at),
        )  # fmt: skip
        db.session.add(approval)
    else:
        lock(Approval, approval.id)
        approval.decision_id, approval.plan, approval.law_version = decision.id, said, law.version
        approval.gallons_winter, approval.gallons_rest = decision.gallons_winter, decision.gallons_rest
    db.session.flush()
    _put_limits(approval, decision)
    return approval


def _put_limits(approval: Approval, decision: Decision) -> None:
    """The approval's limits as the decision has them; those a correction leaves out are taken away."""
    query = select(AllowanceLine).filter_by(approval_id=approval.id)
    rows = {(row.waste, row.period): row for row in db.session.scalars(query)}
    for limit in decision.allowances:
        row = rows.pop((limit["waste"], limit["period"]), None)
        if row is None:
            row = AllowanceLine(plant_id=approval.plant_id, approval_id=approval.id, waste=limit["waste"],
                                period=limit["period"])  # fmt: skip
            db.session.add(row)
        row.gallons, row.hard = limit["gallons"], limit["hard"]
    for row in rows.values():
        db.session.delete(row)
    db.session.flush()
