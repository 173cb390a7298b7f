"""What undid a revocation: a review that reversed or changed it, an approval given back in its place (§ 329-7 G)."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date

from sqlalchemy import select

from haulers.models import Approval, Review, Revocation
from haulers.queries.words import ended
from haulers.states import SUSTAINED
from office.db import db
from office.formats import date_only

NOTHING = "Revoked before"


@dataclass(frozen=True)
class Undone:
    """The outcome of its review ("reversed", "changed", "" for neither), when, in which words; what was given back."""

    outcome: str = ""
    on: date | None = None
    words: str = ""
    back: Approval | None = None

    @property
    def short(self) -> str:
        """ "reversed on review December 1, 2026"; "" without such a review."""
        return f"{self.outcome} on review {date_only(self.on)}" if self.on is not None else ""

    @property
    def tag(self) -> str:
        """``short`` as a tag begins."""
        return _capital(self.short)

    @property
    def back_words(self) -> str:
        """ "given back as approval A-2026-27-002 from December 4, 2026"; "" where none was."""
        return f"given back as approval {self.back.number} from {date_only(self.back.starts)}" if self.back else ""

    @property
    def check(self) -> str:
        """What the table's check says of the revocation."""
        said = f"{self.outcome} on review" if self.outcome else "given back" if self.back else ""
        return f"{NOTHING}, {said}" if said else NOTHING

    def sentences(self) -> list[str]:
        """For the list of what was enforced: a sentence each."""
        said = [f"{_capital(self.short)}: {ended(self.words)}"] if self.short else []
        return said + ([f"{_capital(self.back_words)}."] if self.back else [])


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def undone_of(revocations: Collection[Revocation]) -> dict[int, Undone]:
    """What undid each of these revocations, by its id. Two queries."""
    if not revocations:
        return {}
    ids = {one.id for one in revocations}
    query = select(Review).where(Review.revocation_id.in_(ids), Review.outcome.in_(SUSTAINED)).order_by(Review.id)
    heard = {one.revocation_id: one for one in db.session.scalars(query)}
    newer = select(Approval).where(Approval.replaces_id.in_({one.approval_id for one in revocations}))
    back = {one.replaces_id: one for one in db.session.scalars(newer)}
    found = {}
    for one in revocations:
        review, approval = heard.get(one.id), back.get(one.approval_id)
        if review is not None:
            found[one.id] = Undone(review.outcome, review.closed_on, review.outcome_words, approval)
        elif approval is not None:
            found[one.id] = Undone(back=approval)
    return found


def check_words(revocations: Collection[Revocation], undone: dict[int, Undone]) -> list[str]:
    """One check for all of them: the bare one where any stands."""
    said = list(dict.fromkeys(undone[one.id].check if one.id in undone else NOTHING for one in revocations))
    return [NOTHING] if NOTHING in said else said
