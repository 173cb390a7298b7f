"""Who holds each sample: its bottle, who took it, to whom it was handed, when the laboratory had it (§ 329-7 E(1))."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from intake.models import CustodyStep, Load
from intake.queries.loads import bottle_used
from intake.queries.results import lacking
from intake.states import CUSTODY_WORDS, CustodyKind, LoadState
from office.db import db


@dataclass(frozen=True)
class Link:
    """One link of a chain: what happened, when, from whom to whom, where, how it is kept."""

    kind: str
    at: datetime
    from_name: str
    to_name: str
    place: str
    preserved: str
    entered: str

    @property
    def words(self) -> str:
        """ "Handed over to K. Berg, from Operator Lee"."""
        if self.kind == CustodyKind.TAKEN.value:
            return f"Taken by {self.to_name}"
        return f"{CUSTODY_WORDS[CustodyKind(self.kind)]}{' to' if self.kind == 'handed' else ':'} {self.to_name}"


@dataclass(frozen=True)
class Sample:
    """A load's sample and its chain, the taking of it first."""

    load: Load
    links: Sequence[Link]

    @property
    def received(self) -> bool:
        """Whether the laboratory has it."""
        return any(one.kind == CustodyKind.RECEIVED.value for one in self.links)

    @property
    def holder(self) -> str:
        """Who has it now."""
        return self.links[-1].to_name


def samples(loads: Sequence[Load]) -> list[Sample]:
    """The samples of loads with their chains, in one query. A load logged begins its chain with who logged it."""
    steps: dict[int, list[CustodyStep]] = {}
    query = select(CustodyStep).where(CustodyStep.load_id.in_([one.id for one in loads]))
    for step in db.session.scalars(query.order_by(CustodyStep.at, CustodyStep.id)):
        steps.setdefault(step.load_id, []).append(step)
    return [Sample(load, _chain(load, steps.get(load.id, []))) for load in loads]


def _chain(load: Load, steps: Sequence[CustodyStep]) -> list[Link]:
    taken = [one for one in steps if one.kind == CustodyKind.TAKEN.value]
    begun = [] if taken else [
        Link(CustodyKind.TAKEN.value, load.logged_at, "", load.logged_by, "", "", "As the load was logged")
    ]  # fmt: skip
    # Who took it is said anew by the newest such step: those before stay in the history.
    kept = [*taken[-1:], *(one for one in steps if one.kind != CustodyKind.TAKEN.value)]
    return [*begun, *(
        Link(one.kind, one.at, one.from_name, one.to_name, one.place, one.preserved, one.entered_by) for one in kept
    )]  # fmt: skip


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
    there = select(CustodyStep.load_id).where(CustodyStep.kind == CustodyKind.RECEIVED.value)
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
