"""The bar after a revocation, at its edges."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from haulers.models import Review, Revocation
from haulers.queries.bars import reapply_barred
from office.db import db
from tests import world
from tests.haulers.test_law_followed import BAR, adopt, revoked


@pytest.mark.parametrize(
    ("at", "barred"),
    [("2026-10-20T08:59:59", False), ("2026-10-20T09:00", True), ("2027-10-19T23:59:59", True),
     ("2027-10-20T00:00:00", False)],
)  # fmt: skip
def test_the_bar_holds_from_the_revocation_through_the_day_before_its_anniversary(app: Any, tmp_path: Path, at: str,
                                                                                  barred: bool) -> None:  # fmt: skip
    adopt(tmp_path, BAR)
    business = revoked()
    found = reapply_barred(world.plant(), business.id, world.law(), world.at(at))
    assert (found is not None) is barred
    if found is not None:
        assert found.details == {"revoked": date(2026, 10, 20), "again": date(2027, 10, 20)}


@pytest.mark.parametrize(("outcome", "barred"), [("reversed", False), ("changed", True), ("upheld", True)])
def test_a_revocation_that_its_review_reversed_bars_nobody(app: Any, tmp_path: Path, outcome: str,
                                                           barred: bool) -> None:  # fmt: skip
    adopt(tmp_path, BAR)
    business = revoked()
    one = db.session.query(Revocation).one()
    db.session.add(Review(plant_id=one.plant_id, revocation_id=one.id, asked_on=date(2026, 10, 28), asked_by="Ingrid",
                          words="Look again.", entered_at=world.at("2026-10-28T09:00"), outcome=outcome,
                          closed_on=date(2026, 11, 20), outcome_words="The lock was broken."))  # fmt: skip
    db.session.flush()
    found = reapply_barred(world.plant(), business.id, world.law(), world.at("2026-12-01T09:00"))
    assert (found is not None) is barred
