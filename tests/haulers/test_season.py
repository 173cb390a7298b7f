"""The whole of this room's season leaves a journal, counters and ledger that verify."""

from typing import Any

from haulers.actions import DecisionLine
from haulers.states import Outcome
from office.db import db
from office.verify import verify
from tests.haulers.builders import approve, decide, filed, hauler
from tests.haulers.test_revocation import revoke


def test_filed_decided_and_revoked_verifies(app: Any) -> None:
    from sqlalchemy import select

    from haulers.models import Approval

    first, second = filed(hauler()), filed(hauler("Second Septic", "second@hauler.example"))
    decide([approve(first), DecisionLine(second.id, Outcome.REJECTED, 0, 0, "no_approval", "No license.")])
    db.session.commit()
    revoke(db.session.scalars(select(Approval)).one())
    db.session.commit()
    assert verify() == []
