"""What a review that went for the hauler leaves to do: a vote of the committee, or the Director's lifting (§ 329-7 G).

Until then the revocation or the decision stands as it was written: the hauler's letter says so, and the city is told.
"""

from datetime import datetime

from haulers.models import Approval, Review, Revocation, Suspension
from haulers.queries.approvals import replacement_of
from haulers.queries.enforcement import ReviewOf, suspension_holds
from haulers.queries.reviewed import kind_of
from haulers.queries.unissued import waiting_return_of
from haulers.queries.words import ended
from haulers.states import REVIEW_OUTCOMES, SUSTAINED
from office.access import Role
from office.db import db
from office.formats import date_only
from office.notices import tell_roles
from office.plants import Plant
from ordinances.reader import Law

NOT_GRANTED = ("Ask for the change again under Your approval, or in a letter to us. Your approval stays as your last "
               "letter states it until you have, the committee votes on it and the letter of that is "
               "issued.")  # fmt: skip
NOTICED = "The notice of violation stays in the record, with this outcome."
CORRECTED = ("The committee's decision stays as your last letter states it until the committee corrects it by a vote "
             "and the letter of that is issued.")  # fmt: skip

# What the city reads of it, by what was reviewed.
TODO = {
    "decision": "The decision stays until the committee corrects it: record that motion under Changes asked for.",
    "revocation": "The approval stays revoked until the committee votes to give it back: record that motion under "
                  "Changes asked for.",
    "amendment": "The approval stays as it was until the change is asked for anew, by the hauler or on their paper, "
                 "and the committee votes on it under Changes asked for.",
    "suspension": "The approval stays suspended until the Director lifts it: that is done under Approvals.",
    "violation": "The notice stays in the record, with this outcome.",
}  # fmt: skip


def follows(review: Review, outcome: str, law: Law, at: datetime) -> str:
    """What the letter says of the time until the city acts on it; "" where nothing is left to do."""
    if outcome not in SUSTAINED:
        return ""
    said = {"decision": CORRECTED, "amendment": NOT_GRANTED, "violation": NOTICED}.get(kind_of(review))
    if said is not None:
        return said
    return _suspended(review, law, at) if review.suspension_id is not None else _revoked(review, law, at)


def _suspended(review: Review, law: Law, at: datetime) -> str:
    """What holds of a suspension until the Director lifts it; "" for one that has ended."""
    row = db.session.get_one(Suspension, review.suspension_id)
    if not suspension_holds(row, at, at.astimezone(law.zone).date()):
        return ""
    number = db.session.get_one(Approval, row.approval_id).number
    return f"Approval {number} stays suspended until the Director lifts it. Do not bring septage before we write that."


def _revoked(review: Review, law: Law, at: datetime) -> str:
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
    """Tell the city what the outcome leaves to it, inside the act that closes the review: who votes, or lifts."""
    review = found.review
    if review.outcome not in SUSTAINED:
        return
    kind = kind_of(review)
    body = f"{ended(f'{found.about}, {name}')}\n\n{review.outcome_words}\n\n{TODO[kind]}"
    roles = (Role.CLERK, Role.DIRECTOR) if kind in ("suspension", "violation") else (Role.CLERK, Role.MEMBER)
    tell_roles(roles, "review_sustained",
               f"Review closed, {REVIEW_OUTCOMES[review.outcome]}: {name}", body, at, plant_id=plant.id)  # fmt: skip
