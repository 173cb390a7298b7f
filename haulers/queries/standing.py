"""Whether a business may unload at a plant at an instant, in one answer with one reason (§ 329-7 A-B, G)."""

from dataclasses import dataclass
from datetime import date, datetime

from haulers.models import Approval, Licence
from haulers.queries.approvals import (
    begins_words,
    held_on,
    last_approvals,
    last_of,
    revoked,
    suspended_words,
    taken_away,
)
from haulers.queries.businesses import licence_holds, licence_of, party_of_business
from haulers.states import StandingState
from office.formats import date_only
from ordinances.calendar import season_of
from ordinances.reader import Law


@dataclass(frozen=True)
class Standing:
    """One answer with one reason. ``why`` is a whole sentence for the gate; empty when approved.

    ``later`` is the next approval that begins on a day to come; ``revoked_from`` the first day without the one that
    holds now, where that is revoked ahead.
    """

    state: StandingState
    approval: Approval | None
    why: str
    cite: str
    licence: Licence | None
    licence_ok: bool
    later: Approval | None = None
    revoked_from: date | None = None

    @property
    def approved(self) -> bool:
        return self.state is StandingState.APPROVED


def standing(plant_id: int, business_id: int, at: datetime, law: Law) -> Standing:
    """Whether a business may unload at a plant at an instant (§ 329-7 A-B, G), with its licence that day."""
    day = at.astimezone(law.zone).date()
    licence = licence_of(business_id)
    needs = law.has("approval.licence", day) and law.value("approval.licence", day)
    known = last_approvals(plant_id, business_id)
    state, approval, why, cite = _state(known, business_id, at, day, law)
    ahead = revoked(approval) if approval is not None else None
    return Standing(
        state, approval, why, cite, licence, licence_holds(licence, day) or not needs, _later(known, at, day),
        ahead.from_day if ahead is not None and ahead.at > at else None,
    )  # fmt: skip


def _later(known: list[Approval], at: datetime, day: date) -> Approval | None:
    """The next approval that begins after a day and is not revoked before it does."""
    for one in reversed(known):
        if one.starts > day and not taken_away(revoked(one), at, one.starts):
            return one
    return None


def _state(known: list[Approval], business_id: int, at: datetime, day: date, law: Law
           ) -> tuple[StandingState, Approval | None, str, str]:  # fmt: skip
    # Approvals that are not over, newest first, with the revocation of each by now.
    rows = [(one, gone if (gone := revoked(one)) is not None and gone.at <= at else None)
            for one in known if last_of(one) >= day]  # fmt: skip
    given = _cite(law, "approval.from", day)
    for found, revocation in rows:
        if revocation is None and found.starts <= day:
            held = held_on(found, at, day)
            if held is None:
                return StandingState.APPROVED, found, "", given
            return StandingState.SUSPENDED, found, suspended_words(found, held), _cite(law, "suspension.enabled", day)
    for found, revocation in rows:
        if revocation is not None and found.starts <= day:
            when = date_only(revocation.at, law.zone)
            why = f"Approval {found.number} was revoked on {when}."
            return StandingState.REVOKED, found, why, _cite(law, "revocation.immediate", day)
    for found, revocation in reversed(rows):
        if revocation is None:
            return StandingState.NOT_BEGUN, found, begins_words(found), given
    name = party_of_business(business_id).name
    why = f"{name} has no approval for season {season_of(law, day).name}."
    return StandingState.NOT_APPROVED, None, why, given


def _cite(law: Law, key: str, day: date) -> str:
    return law.cite(key, day) if law.has(key, day) else law.cite("programme.kind", day)
