"""Last season's approvals carried over by one motion while the committee is late (a reading of § 329-7 B(2))."""

from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import select

from haulers.actions.motions import RECORDERS, body_words, put_motion
from haulers.models import Approval, CarryOver, Motion
from haulers.ports import pass_on, take_over
from haulers.queries import filed, lock_approval, parties_of
from haulers.queries.approvals import approval_in_force
from haulers.queries.motion_lines import RollCall
from haulers.queries.words import ended
from haulers.states import ApplicationState, MotionKind
from office.access import Actor
from office.acts import act
from office.db import db, lock
from office.formats import date_only, plural
from office.notices import tell_party
from office.plants import Plant
from ordinances.calendar import Deadline, Season, approval_period, decision_deadline, season_named
from ordinances.reader import Law
from ordinances.refusal import Refusal


def latest_carry_over(law: Law, season: Season) -> date | None:
    """The last day approvals of the season before may be carried over to; None where the law says nothing of it."""
    key, start = "decision.carry_over_days", season.start
    if not law.has(key, start):
        return None
    ended = approval_period(law, season)[0] - timedelta(days=1)
    return ended + timedelta(days=int(law.value(key, start)))


UNNAMED = ("The law in force here names no day for this vote; it is read as the middle of the days in which "
           "applications are evaluated, so that the gate is not shut on the day after the approvals end.")  # fmt: skip


def carry_over_opens(law: Law, season: Season) -> date | None:
    """The day from which it may be voted that decisions will be late; None where nothing is carried over.

    A law adopted before ``decision.carry_over_from`` was a row of it has the middle of the days of evaluation (§ 329-7
    B(2)), as ``carry_over_reading`` says. A town that waits until decisions are late names the day after they are due.
    """
    key, deadline = "decision.carry_over_from", decision_deadline(law, season)
    if latest_carry_over(law, season) is None or not isinstance(deadline, Deadline):
        return None
    if law.has(key, season.start):
        return _before(season, law.value(key, season.start))
    if not law.has("decision.opens", season.start):
        return None
    opens = _before(season, law.value("decision.opens", season.start))
    return opens + (deadline.day - opens) // 2


def carry_over_reading(law: Law, season: Season) -> str:
    """How the day from which it may be voted is read where the law in force names none; "" where it does."""
    named = law.has("decision.carry_over_from", season.start)
    return "" if named or carry_over_opens(law, season) is None else UNNAMED


def _before(season: Season, named: Any) -> date:
    """The day of the year ``named`` (month and day) that falls before a season begins."""
    found = date(season.start.year, named.month, named.day)
    return found if found < season.start else date(season.start.year - 1, named.month, named.day)


@act("carry_over_approvals", roles=RECORDERS)
def carry_over_approvals(plant: Plant, roll: RollCall, season_name: str, until: date, *, by: Actor, at: datetime,
                         law: Law) -> Motion | Refusal:  # fmt: skip
    """Record the one motion that carries last season's approvals over to ``until``, that day included: those of haulers
    whose application for the new season waits, each until its letter is issued.

    Only while applications of the season wait past their day, or from the day on from which the law lets the committee
    foresee it; once a season, within the days the law gives. It takes effect when the approvals end.
    """
    lock(Plant, plant.id)
    season = season_named(law, season_name)
    refusal = _check(plant, season, roll, until, law, at)
    if refusal is not None:
        return refusal
    carried = approvals_to_carry(plant.id, season, law, at)
    if not carried:
        why = "No hauler approved for the season before has an application that waits to be decided."
        return Refusal("nothing_to_carry", why, "")
    ids = [one.business_id for one in carried]
    parties, body = parties_of(ids), body_words(law, roll.held_on)
    to = ended(f"carry over until the letter on the new application is issued, to {date_only(until)} at the latest")
    about = [f"{one.number}, {parties[one.business_id].name}: {to}" for one in carried]
    motion = put_motion(plant, roll, MotionKind.CARRY_OVER, ids, about, by=by, at=at, law=law)
    if isinstance(motion, Refusal) or not motion.passed:
        return motion
    db.session.add(CarryOver(plant_id=plant.id, motion_id=motion.id, season=season.name, until=until, each=True))
    for one in carried:
        lock_approval(one.id).carried_until = until
    db.session.flush()
    for one in carried:
        tell_party(parties[one.business_id], "carry_over",
                   f"Your approval {one.number} is carried over, to {date_only(until)} at the latest",
                   f"The {body} voted on {date_only(roll.held_on)} to carry approvals over while it decides on season "
                   f"{season.name}. You may unload as before until the letter on your application is issued, and to "
                   f"{date_only(until)} at the latest.\n{plant.name}, {plant.phone}", at,
                   plant_id=plant.id)  # fmt: skip
    return motion


def _check(plant: Plant, season: Season, roll: RollCall, until: date, law: Law, at: datetime) -> Refusal | None:
    last, deadline = latest_carry_over(law, season), decision_deadline(law, season)
    if last is None or not isinstance(deadline, Deadline):
        return Refusal("no_carry_over", "The law here says nothing of carrying approvals over.", "")
    row = law.row("decision.carry_over_days", season.start)
    opens = carry_over_opens(law, season)
    if roll.held_on < deadline.after.astimezone(law.zone).date() and (opens is None or roll.held_on < opens):
        why = f"Approvals are carried over only when decisions are late: they are due by {date_only(deadline.day)}."
        if opens is not None:
            why += f" It may be voted from {date_only(opens)}."
        return Refusal("not_overdue", why, row.cite, carry_over_reading(law, season) or row.reading)
    if not undecided(plant.id, season):
        return Refusal("none_open", f"Every application of season {season.name} is decided.", row.cite, row.reading)
    if db.session.scalars(select(CarryOver).filter_by(plant_id=plant.id, season=season.name)).one_or_none():
        why = f"Approvals were carried over into season {season.name} before. It is done once."
        return Refusal("carried_before", why, row.cite, row.reading)
    first = max(roll.held_on, approval_period(law, season)[0])
    if not first <= until <= last:
        since = "the day of the meeting" if first == roll.held_on else date_only(first)
        why = (f"The last day must be from {since} to {date_only(last)}, {plural(row.value, 'day')} at "
               "most.")  # fmt: skip
        return Refusal("too_long", why, row.cite, row.reading)
    return None


def undecided(plant_id: int, season: Season) -> bool:
    """Whether an application sent for a season waits for a decision or for its letter."""
    return any(one.state == ApplicationState.FILED.value for one in filed(plant_id, season.name))


def approvals_to_carry(plant_id: int, season: Season, law: Law, at: datetime) -> list[Approval]:
    """The approvals that held to the last day before a season, whose haulers' new applications wait for a letter."""
    last = approval_period(law, season)[0] - timedelta(days=1)
    waiting = {one.business_id for one in filed(plant_id, season.name) if one.state == ApplicationState.FILED.value}
    query = select(Approval).where(Approval.plant_id == plant_id, Approval.id.in_(approval_in_force(at, last)))
    return [one for one in db.session.scalars(query.order_by(Approval.id)) if one.business_id in waiting]


def end_carried(plant: Plant, business_id: int, last: date, new: Approval | None, at: datetime, law: Law) -> None:
    """End what is carried over of a business on a day: the letter on its new application is issued, or it withdrew.

    What was booked under it stands under the new approval; where there is none its room is offered to others.
    """
    carried = list(db.session.scalars(select(Approval).where(
        Approval.plant_id == plant.id, Approval.business_id == business_id, Approval.carried_until > last
    ).order_by(Approval.id)))  # fmt: skip
    for one in carried:
        lock_approval(one.id).carried_until = max(one.ends, last)
        db.session.flush()
        if new is not None:
            take_over(plant, one.id, new, at)
    if carried and new is None:
        pass_on(plant, business_id, at, law)
