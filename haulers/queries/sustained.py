"""Reviews that went for the hauler and wait for the committee: to give back, to correct, to vote on anew."""

from dataclasses import dataclass
from datetime import date

from sqlalchemy import exists, select
from sqlalchemy.orm import aliased

from haulers.models import Amendment, Application, Approval, Decision, Reinstatement, Review
from haulers.queries.approvals import revocation_of
from haulers.queries.enforcement import revoked_now
from haulers.states import REVIEW_OUTCOMES, SUSTAINED, AmendmentState
from office.db import db
from office.formats import date_only
from office.law import law_in_force
from office.plants import plant_of
from ordinances.calendar import approval_period, season_named
from ordinances.reader import NoLaw


@dataclass(frozen=True)
class Sustained:
    """One review that waits: ``about`` is what it was of; what is to be given back or else to be corrected."""

    review: Review
    business_id: int
    about: str
    approval_id: int | None = None
    decision_id: int | None = None
    amendment_id: int | None = None

    @property
    def said(self) -> str:
        """ "the decision is reversed, December 1, 2026"."""
        assert self.review.closed_on is not None
        return f"{REVIEW_OUTCOMES[self.review.outcome]}, {date_only(self.review.closed_on)}"


def waits_for_motion(plant_id: int, day: date) -> list[Sustained]:
    """The reviews of a plant that reversed or changed what the committee or Director did, and no motion followed yet.

    Of approvals and seasons that still run on a day; the last one closed first. At most five queries.
    """
    found = [*_revocations(plant_id, day), *_decisions(plant_id, day), *_amendments(plant_id, day)]
    return sorted(found, key=lambda one: (one.review.closed_on, one.review.id), reverse=True)


def to_ask_again(plant_id: int, business_id: int, day: date) -> list[Sustained]:
    """Changes of a business not granted and won on review, of approvals that hold: it asks for them anew itself."""
    return [one for one in _amendments(plant_id, day) if one.business_id == business_id
            and revocation_of(db.session.get_one(Amendment, one.amendment_id).approval_id) is None]  # fmt: skip


def _revocations(plant_id: int, day: date) -> list[Sustained]:
    revoked = {one.id: approval for approval, one in revoked_now(plant_id, day)}
    if not revoked:
        return []
    query = select(Review).where(Review.revocation_id.in_(revoked), Review.outcome.in_(SUSTAINED))
    ids = [one.id for one in revoked.values()]
    voted = set(db.session.scalars(select(Reinstatement.approval_id).where(Reinstatement.approval_id.in_(ids))))
    return [
        Sustained(one, approval.business_id, f"Revocation of approval {approval.number}", approval_id=approval.id)
        for one in db.session.scalars(query)
        if (approval := revoked[one.revocation_id]).id not in voted
    ]


def _amendments(plant_id: int, day: date) -> list[Sustained]:
    """Changes not granted, until one like it is asked for anew: then it is before the committee."""
    newer = aliased(Amendment)
    again = exists().where(newer.approval_id == Amendment.approval_id, newer.kind == Amendment.kind,
                           newer.id > Amendment.id, newer.state != AmendmentState.WITHDRAWN.value)  # fmt: skip
    query = (
        select(Review, Approval).join(Amendment, Amendment.id == Review.amendment_id)
        .join(Approval, Approval.id == Amendment.approval_id)
        .where(Review.plant_id == plant_id, Review.outcome.in_(SUSTAINED), Approval.ends >= day, ~again)
    )  # fmt: skip
    return [Sustained(one, approval.business_id, f"Change of approval {approval.number}", amendment_id=one.amendment_id)
            for one, approval in db.session.execute(query)]  # fmt: skip


def _decisions(plant_id: int, day: date) -> list[Sustained]:
    newer = aliased(Decision)
    query = (
        select(Review, Application).join(Decision, Decision.id == Review.decision_id)
        .join(Application, Application.id == Decision.application_id)
        .where(Review.plant_id == plant_id, Review.outcome.in_(SUSTAINED),
               ~exists().where(newer.corrects_id == Decision.id))
    )  # fmt: skip
    return [
        Sustained(one, application.business_id, f"Decision on application {application.number}",
                  decision_id=one.decision_id)
        for one, application in db.session.execute(query)
        if _runs(plant_id, application.season, day)
    ]  # fmt: skip


def _runs(plant_id: int, season: str, day: date) -> bool:
    """Whether approvals of a season still run on a day; of one the law in force does not know, nobody can say."""
    try:
        law = law_in_force(plant_of(plant_id), day)
        return approval_period(law, season_named(law, season))[1] >= day
    except NoLaw:
        return True
