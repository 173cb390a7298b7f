"""A city whose law has a review of its own with a fee, for tests of appeals (the numbers of Lawrence, § 216-12)."""

import json
from datetime import date
from typing import Any

from haulers.actions.reviews import close_review, enter_review, finish_review_step
from haulers.actions.revocation import revoke_approval
from haulers.models import Approval, Review
from office.db import db
from office.law import law_now
from office.plants import set_plant_row
from tests import world
from tests.house import law_copies

READING = "May be refunded if the appeal is sustained."


def own_procedure(*, refundable: bool | None = True, fee: str = "50.00", suspends: bool = False) -> None:
    """Adopt Bayfield's law with Lawrence's steps; ``refundable`` None names no fee, ``fee`` "" sets none."""
    document = law_copies.canonical()
    rows = [row for row in document["rows"] if row["key"] != "revocation.review"]
    for row in rows:
        if row["key"] == "suspension.enabled":
            row["value"] = suspends
    values: dict[str, Any] = {"revocation.review": "own_procedure", "review.reconsider_days": 10,
                              "review.decided_days": 15, "review.appeal_days": 10}  # fmt: skip
    if refundable is not None:
        values["review.fee_refundable"] = refundable
    document["rows"] = rows + [
        {"key": key, "value": value, "from": "1992-10-19", "cite": "§ 216-12 B", "reading": READING,
         "source": "profile"} for key, value in values.items()
    ]  # fmt: skip
    law_copies.adopt(json.dumps(document))
    if fee:
        set_fee(fee)


def set_fee(fee: str) -> None:
    """The board sets the fee of an appeal, from January on."""
    made = set_plant_row(world.plant(), "fees.appeal", fee, date(2026, 1, 1), "Resolution 2026-3",
                         by=world.staff("clerk"), at=world.START)  # fmt: skip
    assert made.value == fee, made
    db.session.commit()


def given(at: str, by: str = "clerk") -> dict[str, Any]:
    """Who acts, when, under the law now in force."""
    when = world.at(at)
    return {"by": world.staff(by), "at": when, "law": law_now(world.plant(), when)}


def asked(approval: Approval) -> Review:
    """A revocation of October 20, to be reconsidered."""
    made: Any = revoke_approval(world.plant(), approval.id, "§ 329-7 F(4)", "Unloaded at night.",
                                **given("2026-10-20T09:00", "director"))  # fmt: skip
    review: Any = enter_review(world.plant(), "The gate was open.", date(2026, 10, 28), "Ingrid O'Brien",
                               revocation_id=made.id, **given("2026-10-28T09:00"))  # fmt: skip
    assert isinstance(review, Review), review
    db.session.commit()
    return review


def appealed(approval: Approval) -> Review:
    """One that was reconsidered and appealed in November."""
    review = asked(approval)
    for day, note in ((date(2026, 11, 6), "Stands"), (date(2026, 11, 12), "Appealed to the secretary")):
        assert finish_review_step(world.plant(), review.id, day, note, **given("2026-11-12T09:00")).done_on == day
    db.session.commit()
    return review


def close(review: Review, outcome: str = "reversed", at: str = "2026-12-02T09:00") -> None:
    """The board's outcome."""
    made = close_review(world.plant(), review.id, outcome, "The lock was broken.", date(2026, 12, 1), **given(at))
    assert isinstance(made, Review), made
    db.session.commit()
