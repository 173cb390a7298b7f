"""What a review that went for the hauler leaves to do: only a vote of the committee gives back or corrects (§ 329-7 G).

Until then the revocation or the decision stands as it was written: the hauler's letter says so, and the city is told.
"""

from datetime import datetime

from haulers.models import Approval, Review, Revocation
from haulers.queries.approvals import replacement_of
from haulers.queries.enforcement import ReviewOf
from haulers.queries.unissued import waiting_return_of
from haulers.queries.words import ended
from haulers.states import REVIEW_OUTCOMES, SUSTAINED
from office.access import Role
from office.db import db
from office.formats import date_only
from office.notices import tell_roles
from office.plants import Plant
from ordinances.reader import Law

CORRECTED = ("The committee's decision stays as your last letter states it until the committee corrects it by a vote "
             "and the letter of that is issued.")  # fmt: skip


def follows(review: Review, outcome: str, law: Law, at: datetime) -> str:
    """What the letter says of the time until the committee votes; "" where nothing is left to do."""
    if outcome not in SUSTAINED:
        return ""
    if review.decision_id is not None:
        return CORRECTED
    revocation = db.session.get(Revocation, review.revocation_id) if review.revocation_id is not None else None
    found = db.session.get_one(Approval, revocation.approval_id) if revocation is not None else None
    if revocation is None or found is None or found.ends < at.astimezone(law.zone).date() or _given_back(found.id):
        return ""
    later = revocation.at > at
    stays = f"is still revoked from {date_only(revocation.at, law.zone)} on" if later else "stays revoked"
    return (f"Approval {found.number} {stays} until the committee votes to give it back and the letter of that vote is "
            f"issued. Do not bring septage{' from then on' if later else ''} until that letter says from which "
            "day.")  # fmt: skip


def _given_back(approval_id: int) -> bool:
    return replacement_of(approval_id) is not None or waiting_return_of(approval_id) is not None


def tell_city(plant: Plant, found: ReviewOf, name: str, at: datetime) -> None:
    """Tell clerk and committee what the outcome leaves to them, inside the act that closes the review."""
    review = found.review
    if review.outcome not in SUSTAINED:
        return
    todo = "The decision stays until the committee corrects it"
    if review.revocation_id is not None:
        todo = "The approval stays revoked until the committee votes to give it back"
    body = (f"{ended(f'{found.about}, {name}')}\n\n{review.outcome_words}\n\n{todo}: record that motion under Changes "
            "asked for.")  # fmt: skip
    tell_roles((Role.CLERK, Role.MEMBER), "review_sustained",
               f"Review closed, {REVIEW_OUTCOMES[review.outcome]}: {name}", body, at, plant_id=plant.id)  # fmt: skip
