"""How often a hauler's loads are tested, whether the one at the gate is sampled, what was drawn (§ 329-7 F)."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Any

from sqlalchemy import bindparam, func, select

from intake.models import Load, SamplingDraw, SamplingRule, SamplingSecret
from intake.states import LoadState
from office import facts
from office.db import db
from office.facts import fact
from office.letters import Letter
from office.plants import Plant, all_plants
from ordinances.reader import Law
from ordinances.rows import Row
from ordinances.testing_draw import EVERY, Draw, drawn, rule_words, wrong_draws

REGIME, SPOT_BY, MORE_BY = "testing.regime", "testing.spot_by", "testing.more_by"
SPOT = "spot"


@dataclass(frozen=True)
class Asked:
    """Whether the load at the gate is to be sampled, why, under which §, and its number under a drawn rule.

    ``free``: nothing says so, and the operator decides.
    """

    due: bool
    why: str
    cite: str
    reading: str | None = None
    rule_id: int | None = None
    number: int | None = None
    free: bool = False

    @property
    def answer(self) -> str:
        """What stands behind "Sample this load:"."""
        return "as you decide" if self.free else "yes" if self.due else "no"


@fact
def _rules(plant_id: int | None, business_id: int) -> list[SamplingRule]:
    """Every rule a hauler was ever given at a plant, in the order in which they begin."""
    return facts.rows(SamplingRule, _given(), plant_id=plant_id, business_id=business_id)


@cache
def _given() -> Any:
    query = select(SamplingRule).where(
        SamplingRule.plant_id == bindparam("plant_id"), SamplingRule.business_id == bindparam("business_id")
    )
    return query.order_by(SamplingRule.since, SamplingRule.id)


def rules_of(plant_id: int, business_id: int) -> list[SamplingRule]:
    """A hauler's rules, the one that begins last at the end."""
    found: list[SamplingRule] = _rules(plant_id, business_id)
    return found


def rule_on(plant_id: int, business_id: int, day: date) -> SamplingRule | None:
    """The rule that holds on a day; None where only the town's law says what is tested."""
    return next((one for one in reversed(rules_of(plant_id, business_id)) if one.since <= day), None)


def rule_after(plant_id: int, business_id: int, day: date) -> SamplingRule | None:
    """The rule that takes the place of one that begins on a day: the next one the hauler was told of already."""
    later = [one for one in rules_of(plant_id, business_id) if one.since > day]
    return min(later, key=lambda one: (one.since, -one.id), default=None)


def ended(rule: SamplingRule, today: date) -> bool:
    """Whether another rule holds instead by now; only then is its secret shown."""
    now = rule_on(rule.plant_id, rule.business_id, today)
    return rule.since <= today and now is not None and now.id != rule.id


def asked_of(plant: Plant, business_id: int, law: Law, day: date) -> Asked:
    """Whether the next load of a hauler is to be sampled: by its letter, else by the law of the town."""
    rule = rule_on(plant.id, business_id, day)
    if rule is None:
        return by_law(law, day)
    stated = how_often(law, day)
    cite = stated.cite if stated is not None else ""
    if rule.kind == EVERY:
        return Asked(True, f"Every load of this hauler is tested ({letter_number(rule)}).", cite, rule_id=rule.id)
    number, secret = _next_number(rule.id), _secret(rule.id)
    # Without its secret nothing can be drawn: every load is sampled until the Director writes anew.
    due = drawn(secret, number, rule.kind, rule.figure, blocks=rule.blocks) if secret else True
    why = (f"{'Drawn' if due else 'Not drawn'} as load {number} under {letter_number(rule)}: "
           f"{rule_words(rule.kind, rule.figure).lower()}.")  # fmt: skip
    return Asked(due, why, cite, rule_id=rule.id, number=number)


def how_often(law: Law, day: date) -> Row | None:
    """The row under which the Director states how often a hauler's loads are tested: who may allow spot tests, or that
    the town tests on the spot anyway. None where the law has neither.
    """
    if law.has(SPOT_BY, day):
        return law.row(SPOT_BY, day)
    return law.row(REGIME, day) if law.has(REGIME, day) and law.value(REGIME, day) == SPOT else None


def by_law(law: Law, day: date) -> Asked:
    """What the town's law says where no letter stands."""
    if not law.has(REGIME, day):
        return Asked(True, "The law of this plant does not say which loads are tested.", "", free=True)
    row = law.row(REGIME, day)
    if row.value == "every_load":
        return Asked(True, "Every load is tested.", row.cite, row.reading)
    why = "Some loads are tested, chosen on the spot; the Director's letter does not say yet how often."
    return Asked(True, why, row.cite, row.reading, free=True)


def _next_number(rule_id: int) -> int:
    query = select(func.max(SamplingDraw.number)).where(SamplingDraw.rule_id == rule_id)
    return int(db.session.scalars(query).one() or 0) + 1


def _secret(rule_id: int) -> str:
    return db.session.scalars(select(SamplingSecret.secret).filter_by(rule_id=rule_id)).one_or_none() or ""


def letter_number(rule: SamplingRule) -> str:
    """ "letter 2026-00003" of a rule."""
    number = db.session.scalars(select(Letter.number).where(Letter.id == rule.letter_id)).one_or_none()
    return f"letter {number}" if number else "the Director's letter"


@dataclass(frozen=True)
class DrawnLoad:
    """One draw beside its load."""

    draw: SamplingDraw
    load: Load


def draws_of(rule_id: int, limit: int = 500) -> list[DrawnLoad]:
    """What was drawn under a rule, in the order of its numbers."""
    query = select(SamplingDraw, Load).join(Load, Load.id == SamplingDraw.load_id).where(
        SamplingDraw.rule_id == rule_id, SamplingDraw.number.is_not(None))  # fmt: skip
    rows = db.session.execute(query.order_by(SamplingDraw.number).limit(limit))
    return [DrawnLoad(draw, load) for draw, load in rows]


@dataclass(frozen=True)
class Proof:
    """An ended rule's secret and whether each draw follows from it: ``wrong`` names those that do not."""

    secret: str
    wrong: list[str]


def proof_of(rule: SamplingRule, today: date) -> Proof | None:
    """The secret of a rule that is over with the draws drawn again; None while it holds or where nothing is drawn."""
    if rule.kind == EVERY or not ended(rule, today):
        return None
    return Proof(_secret(rule.id), _wrong(rule))


def _wrong(rule: SamplingRule) -> list[str]:
    rows = db.session.execute(select(SamplingDraw.number, SamplingDraw.due).where(
        SamplingDraw.rule_id == rule.id, SamplingDraw.number.is_not(None)))  # fmt: skip
    draws = [Draw(number or 0, due) for number, due in rows]
    return wrong_draws(_secret(rule.id), rule.commitment, draws, rule.kind, rule.figure, blocks=rule.blocks)


def check_draws(plants: Iterable[Plant] | None = None) -> list[str]:
    """For ``verify``: every draw of every rule, drawn again from its secret, and each letter with its fingerprint."""
    findings = []
    for plant in plants if plants is not None else all_plants():
        query = select(SamplingRule).where(SamplingRule.plant_id == plant.id, SamplingRule.kind != EVERY)
        for rule in db.session.scalars(query.order_by(SamplingRule.id)):
            told = db.session.get(Letter, rule.letter_id or 0)
            if told is None or told.data.get("fingerprint") != rule.commitment:
                findings.append(f"sampling_rule {rule.id}: its letter does not hold its fingerprint.")
            findings += [f"sampling_rule {rule.id}: {said}" for said in _wrong(rule)]
    return findings


def draw_of(load_id: int) -> SamplingDraw | None:
    """What the rule said of one load, where it departs from the town's law or was drawn."""
    return db.session.scalars(select(SamplingDraw).filter_by(load_id=load_id)).one_or_none()


def not_sampled(plant_id: int, limit: int = 200) -> list[DrawnLoad]:
    """Loads that were due to be sampled and were not, the newest first, with the reason."""
    return _departing(plant_id, SamplingDraw.due.is_(True), SamplingDraw.sampled.is_(False), limit=limit)


def ordered(plant_id: int, limit: int = 200) -> list[DrawnLoad]:
    """Loads tested though no rule asked for it, the newest first, with who ordered it."""
    return _departing(plant_id, SamplingDraw.due.is_(False), SamplingDraw.sampled.is_(True), limit=limit)


def _departing(plant_id: int, *only: Any, limit: int) -> list[DrawnLoad]:
    query = select(SamplingDraw, Load).join(Load, Load.id == SamplingDraw.load_id).where(
        SamplingDraw.plant_id == plant_id, Load.state == LoadState.ACCEPTED.value, *only)  # fmt: skip
    return [DrawnLoad(*row) for row in db.session.execute(query.order_by(Load.id.desc()).limit(limit))]


def now_of(plant_id: int, business_ids: Collection[int], day: date) -> dict[int, SamplingRule]:
    """The rule in force of each of several haulers, or the first one to come where none is yet. One query."""
    query = select(SamplingRule).where(SamplingRule.plant_id == plant_id, SamplingRule.business_id.in_(business_ids))
    found: dict[int, SamplingRule] = {}
    for one in db.session.scalars(query.order_by(SamplingRule.since, SamplingRule.id)):
        if one.since <= day or one.business_id not in found:
            found[one.business_id] = one
    return found


def without_letter(plant_id: int, names: Mapping[int, str]) -> dict[int, str]:
    """Of haulers by id and name those to whom no letter was ever written about it. One query."""
    told = set(db.session.scalars(select(SamplingRule.business_id).where(SamplingRule.plant_id == plant_id)))
    return {one: name for one, name in names.items() if one not in told}


def counts(plant_id: int, business_id: int, rule_id: int) -> tuple[int, int]:
    """How many loads came under a rule, and how many of them were drawn."""
    query = select(SamplingDraw.due).where(
        SamplingDraw.plant_id == plant_id, SamplingDraw.rule_id == rule_id, SamplingDraw.number.is_not(None)
    )
    found = list(db.session.scalars(query))
    return len(found), sum(found)
