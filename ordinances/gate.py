"""At the gate: which answers may be set aside for one load in writing, and by whom (§ 329-7 C(1) of Bayfield)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from ordinances.rows import Law

SET_ASIDE, BY = "gate.set_aside", "gate.set_aside_by"
# What the row says, as the roles of the acts are called.
_WHO = {"director": ("director",), "plant_manager": ("plant_manager",),
        "director_or_manager": ("plant_manager", "director")}  # fmt: skip
_WORDS = {"director": "the Public Works Director", "plant_manager": "the plant manager"}
# An approval's papers and lists may be set aside; these may not, and this is what ends them instead.
ENDS = {
    "unknown_business": "Only an approval of the committee opens the gate.",
    "not_approved": "Only an approval of the committee opens the gate.",
    "not_begun": "Only an approval of the committee opens the gate.",
    "revoked": "Only the committee and the Director give an approval back.",
    "suspended": "Only the Director lifts it.",
    "allowance": "Only the committee grants more gallons.",
    "limit": "Only the committee grants more gallons.",
    "licence": "The state gives the license, not the plant.",
    "truck": "The truck has to be on the hauler's list.",
    "not_septage": "No approval can cover it.",
    "waste_not_covered": "Only the committee lets an approval cover another type of waste.",
    "waste_rejected": "Only who found it ends it.",
    "restricted": "Only the Director lifts a restriction.",
    "outside_hours": "Only a special time lets a truck in at another hour.",
    "closed": "Only who closes the day opens it again.",
    "no_point": "Only the plant manager opens a receiving point.",
}


@dataclass(frozen=True)
class MaySetAside:
    """Who may set an answer of the gate aside for one load: roles as acts name them, in words, and the section.

    Nobody may where ``roles`` is empty; ``words`` then says so.
    """

    roles: tuple[str, ...]
    words: str
    cite: str = ""
    reading: str | None = None


def may_set_aside(law: Law, day: date, code: str) -> MaySetAside:
    """Who may set an answer of this code aside on a day; by a law without such a row nobody may."""
    if not law.has(SET_ASIDE, day) or not law.has(BY, day) or code not in law.value(SET_ASIDE, day):
        return MaySetAside((), f"Nobody at the gate may set this aside. {ENDS.get(code, '')}".strip())
    row, roles = law.row(SET_ASIDE, day), _WHO.get(law.value(BY, day), ())
    who = " or ".join(_WORDS[role] for role in roles)
    words = f"{who[:1].upper()}{who[1:]} may set this aside for one load, with a written reason."
    return MaySetAside(roles, words, row.cite, row.reading)
