"""What a place offers at all: a window each year, only an agreement, or nothing."""

from __future__ import annotations

from datetime import date

from ordinances.refusal import Refusal
from ordinances.rows import Law
from ordinances.schema import BY_AGREEMENT, PROHIBITED


def not_served(law: Law, day: date) -> Refusal | None:
    """Why there is no standing programme at this place, or None where there is one."""
    row = law.row("programme.kind", day)
    place = law.profile.place
    if row.value == PROHIBITED:
        where = law.value("programme.redirect", day) if law.has("programme.redirect", day) else None
        step = f"{where} has receiving facilities for it." if where else None
        return Refusal(
            "not_accepted", f"{place} does not accept hauled septage.", row.cite, row.reading, step,
            {"redirect": where} if where else {},
        )  # fmt: skip
    if row.value == BY_AGREEMENT:
        who = law.value("programme.agreement_with", day) if law.has("programme.agreement_with", day) else place
        return Refusal(
            "by_agreement", f"{place} takes hauled septage only under a written agreement.", row.cite, row.reading,
            f"Ask {who} for an agreement.", {"agreement_with": who},
        )  # fmt: skip
    return None
