"""Who holds each sample: its bottle, who took it, to whom it was handed, when the laboratory had it (§ 329-7 E(1))."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import select

from intake.models import CustodyStep, Load
from intake.queries.loads import bottle_used
from intake.queries.results import lacking
from intake.states import CUSTODY_WORDS, CustodyKind, LoadState
from office.db import db

LOGGED = "As the load was logged"


@dataclass(frozen=True)
class Ended:
    """That a step stands no more: who said so, when, why, and whether another is in its place."""

    at: datetime
    by: str
    why: str
    replaced: bool

    @property
    def word(self) -> str:
        """ "Corrected" where another step is in its place."""
        return "Corrected" if self.replaced else "Taken back"


@dataclass(frozen=True)
class Link:
    """One link of a chain: what happened, when, from whom to whom, where, how it is kept.

    ``step_id`` 0: the taking as the load was logged. ``ended``: it was a mistake, and why.
    """

    step_id: int
    kind: str
    at: datetime
    from_name: str
    to_name: str
    place: str
    preserved: str
    entered: str
    ended: Ended | None = None

    @property
    def words(self) -> str:
        """ "Handed over to K. Berg, from Operator Lee"."""
        return step_words(self.kind, self.to_name)


def step_words(kind: str, to_name: str) -> str:
    """What happened in a step: "Handed over to K. Berg"."""
    if kind == CustodyKind.TAKEN.value:
        return f"Taken by {to_name}"
    return f"{CUSTODY_WORDS[CustodyKind(kind)]}{' to' if kind == CustodyKind.HANDED.value else ':'} {to_name}"


@dataclass(frozen=True)
class Sample:
    """A load's sample and its chain, the taking of it first; ``gone`` is what was written of it by mistake."""

    load: Load
    links: Sequence[Link]
    gone: Sequence[Link] = ()

    @property
    def received(self) -> bool:
        """Whether the laboratory has it."""
        return any(one.kind == CustodyKind.RECEIVED.value for one in self.links)

    @property
    def holder(self) -> str:
        """Who has it now."""
        return self.links[-1].to_name

    @property
    def told(self) -> list[Link]:
        """Every step ever written, each mistake before the step that stands there now."""
        return sorted([*self.gone, *self.links],
                      key=lambda one: (one.kind != CustodyKind.TAKEN.value, one.at, one.ended is None))  # fmt: skip


def samples(loads: Sequence[Load]) -> list[Sample]:
    """The samples of loads with their chains, in one query. A load logged begins its chain with who logged it."""
    steps: dict[int, list[CustodyStep]] = {}
    query = select(CustodyStep).where(CustodyStep.load_id.in_([one.id for one in loads]))
    for step in db.session.scalars(query.order_by(CustodyStep.at, CustodyStep.id)):
        steps.setdefault(step.load_id, []).append(step)
    return [_sample(load, steps.get(load.id, [])) for load in loads]


def _sample(load: Load, steps: Sequence[CustodyStep]) -> Sample:
    taken = sorted((one for one in steps if one.kind == CustodyKind.TAKEN.value), key=lambda one: one.id)
    logged = Link(0, CustodyKind.TAKEN.value, load.logged_at, "", load.logged_by, "", "", LOGGED)
    # Who took it is said anew by the newest such step.
    first = [_link(taken[-1], "")] if taken else [logged]
    for step in steps:
        if step.kind != CustodyKind.TAKEN.value and step.ended_at is None:
            first.append(_link(step, first[-1].to_name))
    gone = [_link(one, one.from_name, _ended(one, steps)) for one in steps if one.ended_at is not None]
    if taken:
        # Of the taking as the load was logged, and of a taking said anew without a reason, the next one tells.
        untold = [logged, *(_link(one, "") for one in taken[:-1] if one.ended_at is None)]
        gone += [replace(one, ended=Ended(by.entered_at, by.entered_by, by.why, True))
                 for one, by in zip(untold, taken, strict=False)]  # fmt: skip
    return Sample(load, first, gone)


def _link(one: CustodyStep, from_name: str, ended: Ended | None = None) -> Link:
    return Link(one.id, one.kind, one.at, from_name, one.to_name, one.place, one.preserved, one.entered_by, ended)


def _ended(one: CustodyStep, steps: Sequence[CustodyStep]) -> Ended:
    assert one.ended_at is not None
    # Only a step in another's place says why.
    replaced = any((new.entered_at, new.why) == (one.ended_at, one.ended_why) for new in steps)
    return Ended(one.ended_at, one.ended_by, one.ended_why, replaced)


def sample_of(load: Load) -> Sample:
    """One load's sample."""
    return samples([load])[0]


def with_bottle(plant_id: int, bottle: str) -> Load | None:
    """The load whose sample is in a bottle, void ones left out."""
    found = bottle_used(plant_id, bottle.strip()) if bottle.strip() else None
    return found if found is not None and found.tested else None


def not_received(plant_id: int, limit: int = 300) -> list[Sample]:
    """Samples nobody says the laboratory received, the oldest first, without those whose results are all in: it has
    them, and the page of each still takes when it did."""
    there = select(CustodyStep.load_id).where(CustodyStep.kind == CustodyKind.RECEIVED.value,
                                              CustodyStep.ended_at.is_(None))  # fmt: skip
    query = select(Load).where(Load.plant_id == plant_id, Load.tested.is_(True), Load.bottle != "",
                               Load.state == LoadState.ACCEPTED.value, Load.id.not_in(there),
                               lacking(plant_id))  # fmt: skip
    newest = db.session.scalars(query.order_by(Load.id.desc()).limit(limit)).all()
    return samples(list(reversed(newest)))


def near(plant_id: int, limit: int = 5) -> list[str]:
    """The newest bottles in use, to be named where one is not known."""
    query = select(Load.bottle).where(Load.plant_id == plant_id, Load.bottle != "", Load.state != LoadState.VOID.value)
    return list(db.session.scalars(query.order_by(Load.id.desc()).limit(limit)))


def bottles_of(several: Collection[Sample]) -> list[str]:
    """The bottles of samples, in their order."""
    return [one.load.bottle for one in several]
