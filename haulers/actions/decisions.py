"""The committee's decision, recorded as it was taken at a meeting (§ 329-7 B(2)-(3)). Letters are issued later."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import select

from haulers.actions.changed_since import changed_since, changed_words, check_changed
from haulers.actions.decision_rules import (
    DecisionLine,
    check_applications,
    check_capacity,
    check_line,
    check_open,
    exception_codes,
)
from haulers.actions.departures import Suggested, check_departures, departure_words, suggestions
from haulers.actions.motion_words import ACCEPTED, line_words
from haulers.actions.motions import RECORDERS, put_motion
from haulers.models import Application, Decision, Motion
from haulers.queries import Totals, sources_of, totals
from haulers.queries.held import put_to_vote
from haulers.queries.motion_lines import RollCall
from haulers.states import MotionKind
from office.access import Actor
from office.acts import act
from office.db import db, lock
from office.plants import Plant
from ordinances.calendar import Season, season_named
from ordinances.reader import Law
from ordinances.refusal import Refusal


@act("decide_applications", roles=RECORDERS)
def decide_applications(plant: Plant, roll: RollCall, lines: Sequence[DecisionLine], over_capacity: bool = False,
                        as_changed: bool = False, *, by: Actor, at: datetime,
                        law: Law) -> Motion | Refusal:  # fmt: skip
    """Record a motion and its roll call; when it carried, what it decided. Haulers hear of it by issued letters only.

    ``over_capacity``: the committee accepts more than the plant can take. ``as_changed``: it decided on answers as they
    are now although some were changed since the meeting began (else ``changed_since``). A motion that fails, ties or
    lacks a quorum is recorded and decides nothing. All of it or nothing of it.
    """
    lock(Plant, plant.id)
    found = locked(plant, [line.application_id for line in lines])
    if isinstance(found, Refusal):
        return found
    changed = changed_since(plant, found, roll, law)
    refusal = check_open(found, roll, law, at) or (None if as_changed else check_changed(changed, roll, law))
    if refusal is not None:
        return refusal
    season = season_named(law, found[0].season)
    suggested = suggestions(plant, season, law, at)
    refusal = check_lines(found, lines, law) or check_departures(found, lines, suggested, season, law)
    if refusal is not None:
        return refusal
    why = [departure_words(line, suggested.get(one.id)) for line, one in zip(lines, found, strict=True)]
    about = [f"{said} {more}".strip() for said, more in zip(about_lines(found, lines, law), why, strict=True)]
    about += changed_words(changed, law)
    motion = put_motion(plant, roll, MotionKind.DECIDE, [one.business_id for one in found], about, by=by, at=at,
                        law=law)  # fmt: skip
    if isinstance(motion, Refusal) or not motion.passed:
        return motion
    return write_decisions(plant, motion, found, lines, over_capacity, {}, at, law, why, suggested) or motion


def locked(plant: Plant, application_ids: Sequence[int]) -> list[Application] | Refusal:
    """The applications a motion is about, in its order, locked and read anew."""
    query = select(Application).where(Application.id.in_(set(application_ids)), Application.plant_id == plant.id)
    query = query.order_by(Application.id).with_for_update().execution_options(populate_existing=True)
    known = {row.id: row for row in db.session.scalars(query)}
    applications = [known.get(ident) for ident in application_ids]
    refusal = check_applications(applications)
    return refusal or [one for one in applications if one is not None]


def check_lines(found: Sequence[Application], lines: Sequence[DecisionLine], law: Law) -> Refusal | None:
    """What is put to the vote fits what was asked for, whether the motion then carries or not."""
    season, sources = season_named(law, found[0].season), sources_of([one.id for one in found])
    checked = (check_line(line, one, totals(_asked(line, one, sources)), season, law)
               for line, one in zip(lines, found, strict=True))  # fmt: skip
    return next((refusal for refusal in checked if refusal is not None), None)


def asked_for(line: DecisionLine, one: Application) -> Totals:
    """What an application asks for, as it is put to the vote."""
    return totals(_asked(line, one, sources_of([one.id])))


def _asked(line: DecisionLine, one: Application, sources: Mapping[int, Any]) -> Any:
    return put_to_vote(one, line.change_id) if line.change_id is not None else sources.get(one.id, [])


def about_lines(found: Sequence[Application], lines: Sequence[DecisionLine], law: Law) -> list[str]:
    codes = exception_codes(law, season_named(law, found[0].season))
    return [line_words(line, one, codes) for line, one in zip(lines, found, strict=True)]


def conditions_of(line: DecisionLine, season: Season, law: Law) -> list[dict[str, str]]:
    """The conditions of an approval: the ordinance's own first, always; then those the committee added."""
    row = law.row("approval.condition", season.start)
    added = [words.strip() for words in line.conditions if words.strip() and words.strip() != row.value]
    return [{"text": str(row.value), "cite": row.cite}] + [{"text": words, "cite": ""} for words in added]


def write_decisions(plant: Plant, motion: Motion, found: Sequence[Application], lines: Sequence[DecisionLine],
                    accepted: bool, before: dict[int, Decision], at: datetime, law: Law, why: Sequence[str],
                    suggested: Suggested, wrong: str = "") -> Refusal | None:  # fmt: skip
    """Write the decisions; ``before`` are those they correct, by application, and ``wrong`` what was wrong with them;
    ``why`` each left what was suggested.
    """
    season = season_named(law, found[0].season)
    over = check_capacity(plant, season, _added(lines, list(before.values())), accepted, law, at)
    if isinstance(over, Refusal):
        return over
    motion.about = [*motion.about, ACCEPTED] if over else motion.about
    for line, one, departure in zip(lines, found, why, strict=True):
        old = before.get(one.id)
        db.session.add(Decision(
            plant_id=plant.id, application_id=one.id, motion_id=motion.id, corrects_id=old.id if old else None,
            outcome=line.outcome.value, gallons_winter=line.gallons_winter, gallons_rest=line.gallons_rest,
            reason_code=line.reason_code, reason=line.reason.strip(), conditions=conditions_of(line, season, law),
            allowances=[asdict(limit) for limit in line.allowances], over_capacity=over, decided_at=at,
            law_version=law.version, departure=departure, change_id=line.change_id if old is not None else None,
            wrong=wrong, suggested=list(suggested[one.id]) if one.id in suggested else None,
        ))  # fmt: skip
    db.session.flush()
    return None


def _added(lines: Sequence[DecisionLine], before: Sequence[Decision]) -> tuple[int, int]:
    """Winter and rest gallons that lines add to those of the decisions they replace."""
    return (sum(one.gallons_winter for one in lines) - sum(one.gallons_winter for one in before),
            sum(one.gallons_rest for one in lines) - sum(one.gallons_rest for one in before))  # fmt: skip
