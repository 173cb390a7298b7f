"""The plan of an approval as it stands: with the changes granted since, from the day it holds (NR 113.07(2)(b))."""

from dataclasses import asdict
from datetime import date, datetime

from haulers.actions.plans import Stands, check_plan, disposal_plan
from haulers.models import Amendment, Application, Approval, Decision, Meeting, Motion
from haulers.queries import covered, sources_of
from haulers.queries.coverage import in_order
from haulers.queries.since import granted_words, since_of
from haulers.states import AmendmentState
from office.db import db
from office.formats import date_only
from office.plants import Plant
from ordinances.calendar import Season, approval_period, season_named
from ordinances.reader import Law


def begins(season: Season, at: datetime, law: Law) -> date:
    """The first day of an approval: the season's, or that of its letter where it is issued later.

    Nothing holds until its letter is issued (NR 113.07(2)(b): a written decision), so no approval reaches back.
    """
    return max(approval_period(law, season)[0], at.astimezone(law.zone).date())


def at_letter(application: Application, decision: Decision, starts: date, ends: date) -> Stands:
    """An approval as its first letter makes it."""
    wastes = in_order({source.waste for source in sources_of([application.id]).get(application.id, [])})
    return Stands(decision.gallons_winter, decision.gallons_rest, wastes, starts, ends)


def granted_since(approval: Approval) -> list[Amendment]:
    """The changes of this approval that were granted by an issued letter and change gallons or waste, oldest first."""
    found = since_of([approval.application_id]).get(approval.application_id)
    rows = found.granted if found is not None and found.approval.id == approval.id else ()
    return [one for one in rows if one.approval_id == approval.id
            and (one.kind == "source" or one.granted_winter + one.granted_rest)]  # fmt: skip


def changes_words(changes: list[Amendment]) -> str:
    """ "with the change granted September 20, 2026: 5,000 gallons more in winter and 3,000 in the rest of the year" """
    return "; ".join(f"with the change granted {granted_on(one)}: {granted_words(one)}" for one in changes)


def granted_on(asked: Amendment) -> str:
    """The day of the vote that granted a change."""
    assert asked.state == AmendmentState.GRANTED.value and asked.motion_id is not None
    return date_only(db.session.get_one(Meeting, db.session.get_one(Motion, asked.motion_id).meeting_id).held_on)


def as_stands(approval: Approval, decision: Decision) -> Stands:
    """An approval as it stands now under a decision, with the changes granted on top."""
    changes = granted_since(approval)
    more = sum(one.granted_winter for one in changes), sum(one.granted_rest for one in changes)
    given = (decision.gallons_winter, decision.gallons_rest) if approval.replaces_id is None else (
        approval.gallons_winter, approval.gallons_rest)  # fmt: skip
    return Stands(given[0] + more[0], given[1] + more[1], covered(approval), approval.starts, approval.ends,
                  changes_words(changes))  # fmt: skip


def state_anew(plant: Plant, approval: Approval, law: Law) -> None:
    """Write what an approval's plan says of gallons, waste, places and days anew, as it stands now; the rest stays.

    A law in force that states no such item any more leaves the plan as it is.
    """
    application = db.session.get_one(Application, approval.application_id)
    decision = db.session.get_one(Decision, approval.decision_id)
    season = season_named(law, approval.season)
    plan = disposal_plan(plant, application, decision, season, law, as_stands(approval, decision))
    if check_plan(plan, application.business_name) is None and len(plan) == len(approval.plan):
        approval.plan = [asdict(plan[0]), *approval.plan[1:-1], asdict(plan[-1])]
        db.session.flush()
