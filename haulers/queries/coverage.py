"""Which waste an approval covers: the types its application named and what was granted since (§ 329-7 A-B)."""

from collections.abc import Collection

from sqlalchemy import select

from haulers.models import Amendment, ApplicationSource, Approval
from haulers.states import AmendmentState
from office.db import db
from ordinances.refusal import Refusal
from ordinances.rows import Law
from ordinances.screening import WASTE_TYPES


def covered_of(approval_ids: Collection[int]) -> dict[int, tuple[str, ...]]:
    """The types of waste of each approval, in the order of ``WASTE_TYPES``. Two queries.

    They are those of the application's sources, which do not change once it is sent, and of sources granted since by
    an issued letter.
    """
    rows = db.session.execute(
        select(Approval.id, ApplicationSource.waste)
        .join(ApplicationSource, ApplicationSource.application_id == Approval.application_id)
        .where(Approval.id.in_(set(approval_ids))).distinct()
    )  # fmt: skip
    named: dict[int, set[str]] = {}
    for approval_id, waste in rows:
        named.setdefault(approval_id, set()).add(waste)
    granted = select(Amendment).where(Amendment.approval_id.in_(set(approval_ids)), Amendment.kind == "source",
                                      Amendment.state == AmendmentState.GRANTED.value,
                                      Amendment.letter_id.is_not(None))  # fmt: skip
    for one in db.session.scalars(granted):
        named.setdefault(one.approval_id, set()).add(one.new["waste"])
    return {ident: in_order(wastes) for ident, wastes in named.items()}


def in_order(wastes: Collection[str]) -> tuple[str, ...]:
    """Types of waste, each once, in the order they are always listed in."""
    return tuple(waste for waste in WASTE_TYPES if waste in wastes)


def waste_words(wastes: Collection[str]) -> str:
    """ "septic tank", "septic tank and holding tank", "septic tank, holding tank and portable toilet"."""
    said = [WASTE_TYPES[waste].lower() for waste in in_order(wastes)]
    return " and ".join(filter(None, [", ".join(said[:-1]), *said[-1:]]))


def covered(approval: Approval) -> tuple[str, ...]:
    """The types of waste one approval covers."""
    return covered_of([approval.id]).get(approval.id, ())


def waste_covered(approval: Approval, waste: str, law: Law) -> Refusal | None:
    """Why a load of this waste may not come under an approval, or None. For the gate and for booking."""
    wastes = covered(approval)
    if waste in wastes:
        return None
    cite = law.cite("approval.covers", approval.starts) if law.has("approval.covers", approval.starts) else ""
    why = f"Approval {approval.number} covers {waste_words(wastes)} waste only."
    return Refusal("waste_not_covered", why, cite, details={"waste": waste, "covered": wastes})
