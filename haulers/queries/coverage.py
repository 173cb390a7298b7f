"""Which waste an approval covers: the types its application named and what was granted since (§ 329-7 A-B)."""

from collections.abc import Collection
from functools import cache
from typing import Any

from sqlalchemy import bindparam, select
from sqlalchemy.orm import aliased

from haulers.models import Amendment, ApplicationSource, Approval
from haulers.states import AmendmentState
from office.db import db
from office.facts import fact
from ordinances.refusal import Refusal
from ordinances.rows import Law
from ordinances.screening import WASTE_TYPES


def covered_of(approval_ids: Collection[int]) -> dict[int, tuple[str, ...]]:
    """The types of waste of each approval, in the order of ``WASTE_TYPES``. Two queries.

    They are those of the application's sources, which do not change once it is sent, and of sources granted since by
    an issued letter, to this approval or to the revoked one it came in the place of.
    """
    ids = {"ids": list(set(approval_ids))}
    named: dict[int, set[str]] = {}
    for approval_id, waste in db.session.execute(_sources(), ids):
        named.setdefault(approval_id, set()).add(waste)
    for approval_id, new in db.session.execute(_granted(), ids):
        named.setdefault(approval_id, set()).add(new["waste"])
    return {ident: in_order(wastes) for ident, wastes in named.items()}


@cache
def _sources() -> Any:
    return (
        select(Approval.id, ApplicationSource.waste)
        .join(ApplicationSource, ApplicationSource.application_id == Approval.application_id)
        .where(Approval.id.in_(bindparam("ids", expanding=True))).distinct()
    )  # fmt: skip


@cache
def _granted() -> Any:
    asked_of = aliased(Approval)  # the approvals of one application are a revoked one and those in its place
    return (
        select(Approval.id, Amendment.new)
        .join(asked_of, asked_of.application_id == Approval.application_id)
        .join(Amendment, Amendment.approval_id == asked_of.id)
        .where(Approval.id.in_(bindparam("ids", expanding=True)), asked_of.id <= Approval.id,
               Amendment.kind == "source", Amendment.state == AmendmentState.GRANTED.value,
               Amendment.letter_id.is_not(None))
    )  # fmt: skip


def in_order(wastes: Collection[str]) -> tuple[str, ...]:
    """Types of waste, each once, in the order they are always listed in."""
    return tuple(waste for waste in WASTE_TYPES if waste in wastes)


def waste_words(wastes: Collection[str]) -> str:
    """ "septic tank", "septic tank and holding tank", "septic tank, holding tank and portable toilet"."""
    said = [WASTE_TYPES[waste].lower() for waste in in_order(wastes)]
    return " and ".join(filter(None, [", ".join(said[:-1]), *said[-1:]]))


def covered(approval: Approval) -> tuple[str, ...]:
    """The types of waste one approval covers, kept between requests."""
    found: tuple[str, ...] = _covered(approval.plant_id, approval.id)
    return found


@fact
def _covered(_plant_id: int, approval_id: int) -> tuple[str, ...]:
    return covered_of([approval_id]).get(approval_id, ())


def waste_covered(approval: Approval, waste: str, law: Law) -> Refusal | None:
    """Why a load of this waste may not come under an approval, or None. For the gate and for booking."""
    wastes = covered(approval)
    if waste in wastes:
        return None
    cite = law.cite("approval.covers", approval.starts) if law.has("approval.covers", approval.starts) else ""
    why = f"Approval {approval.number} covers {waste_words(wastes)} waste only."
    return Refusal("waste_not_covered", why, cite, details={"waste": waste, "covered": wastes})
