"""The Superintendent finds that a hauler's waste may do harm, and what is to follow (§ 329-6 D, E of Bayfield)."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

from sqlalchemy import select

from billing.actions.charges import locked_account
from haulers import queries as haulers
from intake.actions import charging
from intake.models import Load, WasteFinding
from intake.queries import findings
from intake.states import COSTS_PER, LoadState
from office import formats, letters
from office.access import TITLES, Actor, Role
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.law import law_in_force
from office.notices import tell_party, tell_roles
from office.plants import Plant
from ordinances.reader import Law
from ordinances.refusal import Refusal
from ordinances.remedies import CONTROL, PAY, PRETREAT, outcome, outcomes_wrong
from ordinances.screening import REMEDIES, WASTE_TYPES, remedies

# Who acts as the Superintendent here, and who brings what the Common Council said.
FINDERS = (Role.MANAGER, Role.DIRECTOR)
COUNCIL = (Role.CLERK, Role.DIRECTOR)


@act("record_finding", roles=FINDERS)
def record_finding(
    plant: Plant, business_id: int, waste: str, facts: str, outcomes: Sequence[str], since: date, *,
    until: date | None = None, pretreatment: str = "", gph: int | None = None, cents: int | None = None,
    cost_per: str = "", by: Actor, at: datetime, law: Law,
) -> WasteFinding | Refusal:  # fmt: skip
    """Find what a waste may do and what follows; the gate keeps to it from ``since`` on, the hauler gets the letter.

    ``outcomes`` in the law's words; ``cents`` are charged only once the Common Council has adopted it. Refusals:
    no_hauler, own_business, waste, no_facts, since, until, and those of ``outcomes_wrong``.
    """
    lock(Plant, plant.id, shared=True)
    today = at.astimezone(plant.tz).date()
    kinds = {outcome(words) for words in outcomes}
    refused = _wrong(plant, business_id, waste, facts, outcomes, since, until, by, today, law) or outcomes_wrong(
        tuple(outcomes), pretreatment=pretreatment, gph=gph, cents=cents, cite=law.cite(REMEDIES, today))  # fmt: skip
    if refused is not None:
        return refused
    cost_per = cost_per if cents else ""
    if cents is not None and cost_per not in COSTS_PER:
        return Refusal("cost_per", "Select what the added cost is for.", law.cite(REMEDIES, today))
    row = WasteFinding(
        plant_id=plant.id, business_id=business_id, waste=waste, facts=facts.strip(), outcomes=list(outcomes),
        pretreatment=pretreatment.strip() if PRETREAT in kinds else "", gph=gph if CONTROL in kinds else None,
        cents=cents, cost_per=cost_per, since=since, until=until, made_at=at, made_by=by.name, council_on=None,
        law_version=law.version,
    )  # fmt: skip
    db.session.add(row)
    db.session.flush()
    because(facts.strip(), law.cite(REMEDIES, today))
    _write(plant, row, by=by, at=at, law=law)
    return row


def _wrong(plant: Plant, business_id: int, waste: str, facts: str, outcomes: Sequence[str], since: date,
           until: date | None, by: Actor, today: date, law: Law) -> Refusal | None:  # fmt: skip
    named = remedies(law, today)
    if not named:
        return Refusal("not_here", "The law of this plant names nothing that follows where a waste is judged.", "")
    cite = law.cite(REMEDIES, today)
    if business_id not in {one.id for one, _ in haulers.businesses_at(plant.id)}:
        return Refusal("no_hauler", "There is no such hauler at this plant.", "")
    missing = haulers.own_business(business_id, by, cite) or (
        Refusal("waste", "Select the type of waste.", cite) if waste not in WASTE_TYPES
        else Refusal("no_facts", "Enter what was found.", cite) if not facts.strip()
        else Refusal("outcomes", "Select what is to follow.", cite) if not set(outcomes) <= set(named) else None
    )  # fmt: skip
    return missing or _days_wrong(since, until, today, cite)


def _days_wrong(since: date, until: date | None, today: date, cite: str) -> Refusal | None:
    if since < today:
        return Refusal("since", "The first day must be today or later.", cite)
    if until is not None and until < since:
        return Refusal("until", "The last day must be the first day or later.", cite)
    return None


def told(row: WasteFinding) -> list[str]:
    """What follows, a line each, as letter and pages say it."""
    said = []
    for words in row.outcomes:
        more = {
            PRETREAT: row.pretreatment, CONTROL: f"at most {formats.rate(row.gph)}" if row.gph else "",
            PAY: f"{formats.money(row.cents)} for each {row.cost_per}" if row.cents else "",
        }.get(outcome(words), "")  # fmt: skip
        said.append(f"{words.capitalize()}{f': {more}' if more else ''}")
    return said


def _write(plant: Plant, row: WasteFinding, *, by: Actor, at: datetime, law: Law) -> None:
    party, today = haulers.party_of_business(row.business_id), at.astimezone(plant.tz).date()
    capacity = by.capacity(FINDERS)
    span = f"from {formats.date_only(row.since)}" + (f" to {formats.date_only(row.until)}" if row.until else "")
    what = f"{WASTE_TYPES[row.waste]} waste"
    data: dict[str, Any] = {
        "what": what, "span": span, "facts": row.facts.splitlines(), "outcomes": told(row),
        "cite": law.cite(REMEDIES, today), "pays": bool(row.cents),
        "signature": [by.name, TITLES[capacity] if capacity else ""],
    }  # fmt: skip
    letter = letters.write(plant, party, "waste_finding", "What was found of your waste", data, at,
                           law_version=law.version)  # fmt: skip
    row.letter_id = letter.id
    lines = [f"{what}, {span}:", *told(row), "", row.facts]
    tell_party(party, "waste_finding", f"What was found of your {what.lower()} ({letter.number})",
               "\n".join([*lines, "", letters.where_kept(letter, party.id, at), f"{plant.name}, {plant.phone}"]), at,
               plant_id=plant.id, letter_id=letter.id)  # fmt: skip
    tell_roles((Role.OPERATOR, Role.MANAGER, Role.DIRECTOR, Role.CLERK), "waste_finding",
               f"Finding on {party.name}: {what.lower()}", "\n".join([party.name, *lines]), at,
               plant_id=plant.id)  # fmt: skip


@act("record_council_answer", roles=COUNCIL)
def record_council_answer(plant: Plant, finding_id: int, adopted: bool, on: date, words: str, *, by: Actor,
                          at: datetime, law: Law) -> WasteFinding | Refusal:  # fmt: skip
    """Record what the Common Council said of a recommendation: adopted, or declined, which ends it.

    What was unloaded since the day of its resolution is charged the added cost now. The hauler is told. Refusals:
    no_finding, answered, ended, no_words, on.
    """
    lock(Plant, plant.id, shared=True)
    row = _found(plant, finding_id)
    if isinstance(row, Refusal):
        return row
    cite = law.cite(REMEDIES, at.astimezone(plant.tz).date())
    if row.council:
        return Refusal("answered", f"The Common Council has {row.council} it already.", cite)
    if on > at.astimezone(plant.tz).date() or on < row.made_at.astimezone(plant.tz).date():
        return Refusal("on", "The day must be between the finding and today.", cite)
    if not words.strip():
        return Refusal("no_words", "Enter the resolution, with its number.", cite)
    row.council, row.council_on, row.council_words = (
        findings.ADOPTED if adopted else findings.DECLINED,
        on,
        words.strip(),
    )
    db.session.flush()
    charged = _charge_since(plant, row, on, by=by, at=at) if adopted and row.cents else []
    if isinstance(charged, Refusal):
        return charged
    because(words.strip(), cite)
    said = "adopted" if adopted else "declined"
    after = "It holds as written." if adopted else "It does not hold any more."
    if charged:
        after += f" The added cost is charged of what was unloaded since: load {', '.join(charged)}."
    tell_party(haulers.party_of_business(row.business_id), "waste_finding",
               f"The Common Council {said} what was found of your waste", f"{words.strip()}\n\n{after}\n{plant.name}, "
               f"{plant.phone}", at, plant_id=plant.id)  # fmt: skip
    return row


def _charge_since(plant: Plant, row: WasteFinding, on: date, *, by: Actor, at: datetime) -> list[str] | Refusal:
    """Charge the loads since a resolution anew, which is on record only now; the tickets of those that cost more."""
    found = db.session.scalars(
        select(Load).where(Load.plant_id == plant.id, Load.business_id == row.business_id, Load.day >= on,
                           Load.state == LoadState.ACCEPTED.value).order_by(Load.id)
    ).all()  # fmt: skip
    more = list[str]()
    for load in [lock(Load, one.id) for one in found]:
        before = len(charging.tickets.charges_of(load))
        locked_account(plant, haulers.party_of_business(row.business_id).id, by=by, at=at)
        law = law_in_force(plant, load.day)
        refused = charging.charge_again(plant, load, "The Common Council adopted an added cost", by=by, at=at, law=law)
        if refused is not None:
            return refused
        if len(charging.tickets.charges_of(load)) > before:
            more.append(load.ticket or "")
    return more


@act("end_finding", roles=FINDERS)
def end_finding(plant: Plant, finding_id: int, reason: str, *, by: Actor, at: datetime, law: Law
                ) -> WasteFinding | Refusal:  # fmt: skip
    """End a finding from now on, with the reason; the hauler and the operators are told.

    Refusals: no_finding, ended, no_reason.
    """
    row = _found(plant, finding_id)
    if isinstance(row, Refusal):
        return row
    cite = law.cite(REMEDIES, at.astimezone(plant.tz).date())
    if not reason.strip():
        return Refusal("no_reason", "Enter why it ends.", cite)
    row.ended_at, row.ended_by, row.end_reason = at, by.name, reason.strip()
    because(reason.strip(), cite)
    party = haulers.party_of_business(row.business_id)
    what = f"{WASTE_TYPES[row.waste].lower()} waste"
    tell_party(party, "waste_finding", f"The finding on your {what} has ended", f"{reason.strip()}\n\n{plant.name}, "
               f"{plant.phone}", at, plant_id=plant.id)  # fmt: skip
    tell_roles((Role.OPERATOR,), "waste_finding", f"Finding on {party.name} has ended: {what}", reason.strip(), at,
               plant_id=plant.id)  # fmt: skip
    return row


def _found(plant: Plant, finding_id: int) -> WasteFinding | Refusal:
    row = findings.finding(plant.id, finding_id)
    if row is None:
        return Refusal("no_finding", "There is no such finding at this plant.", "")
    locked: WasteFinding = lock(WasteFinding, row.id)
    if locked.ended_at is not None:
        return Refusal("ended", f"{locked.ended_by} has ended it already.", "")
    return locked
