"""Another reading of the law, adopted at the plant, changes what the acts of this room do."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from haulers.actions import record_filing_fee, revoke_approval
from haulers.models import Application, Motion, Revocation
from haulers.queries import sources_of
from office.access import system
from office.db import db
from office.law import Adoption, adopt_law
from office.letters import Letter
from ordinances.refusal import Refusal
from tests import world
from tests.haulers.builders import approve, approved, decide, draft, filed, hauler, send
from tests.haulers.test_pages_hauler import signed_in, text
from tests.ordinances.common import changed

FEE_FIRST = ("[[application.fee_blocks_filing]]\nvalue = false", "[[application.fee_blocks_filing]]\nvalue = true")
BAR = ('[[revocation.reapply_bar]]\nvalue = "none"', '[[revocation.reapply_bar]]\nvalue = "one_year"')
REVOKED = "2026-10-20T09:00"


def adopt(folder: Path, swap: tuple[str, str]) -> None:
    made = adopt_law(world.plant(), str(changed(folder, swap)), date(1992, 1, 2), "Ord. 401", by=system(),
                     at=world.START)  # fmt: skip
    assert isinstance(made, Adoption), made
    db.session.flush()


def pay(application: Application) -> Any:
    when = world.at("2026-08-19T10:00")
    return record_filing_fee(world.plant(), application.id, "check", "1042", when.date(), by=world.staff("clerk"),
                             at=when, law=world.law(when.date()))  # fmt: skip


def test_where_the_decision_waits_for_the_fee_filing_works_and_only_the_paid_one_is_decided(app: Any, tmp_path: Path,
                                                                                           ) -> None:  # fmt: skip
    adopt(tmp_path, FEE_FIRST)
    paid, unpaid = filed(hauler()), filed(hauler("Second Septic", "second@hauler.example"))
    assert (paid.state, unpaid.state) == ("filed", "filed")
    assert not isinstance(pay(paid), Refusal)
    said = decide([approve(paid), approve(unpaid)])
    assert (said.code, said.cite) == ("fee_unpaid", "§ 329-7 B(1)")
    assert said.why == (
        "Nothing is decided before the filing fee is paid. It was not received for 2026-27/0002 of Second Septic."
    )
    assert (paid.state, unpaid.state) == ("filed", "filed")
    assert isinstance(decide([approve(paid)]), Motion)
    assert (paid.state, unpaid.state) == ("approved", "filed")


def test_the_receipt_says_that_the_decision_waits_for_the_fee(app: Any, tmp_path: Path) -> None:
    adopt(tmp_path, FEE_FIRST)
    letter = db.session.get_one(Letter, filed(hauler()).letter_id)
    assert letter.data["fee"] == ("The filing fee is $75.00. It is not refunded. Nothing is decided before it is paid.")


def test_as_bayfield_reads_it_the_fee_may_come_after_the_decision(app: Any) -> None:
    assert isinstance(decide([approve(filed(hauler()))]), Motion)


def revoked() -> Any:
    business = hauler()
    approval = approved(business)
    when = world.at(REVOKED)
    made = revoke_approval(world.plant(), approval.id, "§ 329-7 C(3): Records", "No record.",
                           by=world.staff("director"), at=when, law=world.law(when.date()))  # fmt: skip
    assert isinstance(made, Revocation), made
    return business


def test_a_revoked_hauler_is_barred_for_a_year_where_the_law_says_so(app: Any, tmp_path: Path) -> None:
    adopt(tmp_path, BAR)
    business = revoked()
    saved = draft(business, at="2027-07-20T10:00")
    said = send(business, "2027-08-12T10:30")
    assert (said.code, said.cite) == ("barred", "§ 329-7 G")
    assert said.why == (
        "Approval A-2026-27-001 was revoked on October 20, 2026. You can apply again from October 20, 2027."
    )
    assert saved.state == "draft"
    assert len(sources_of([saved.id])[saved.id]) == 1


def test_a_barred_hauler_reads_so_before_filling_in_anything(app: Any, tmp_path: Path, clock_at: Any) -> None:
    adopt(tmp_path, BAR)
    revoked()
    clock_at("2027-08-12T10:30")
    page = text(signed_in(app).get("/bayfield/hauler/apply"))
    assert "You can apply again from October 20, 2027." in page
    assert "tasks" not in page
    clock_at("2028-08-12T10:30")
    # Company and trucks; the license ends before that season.
    assert "You have completed 2 of 9 tasks." in text(signed_in(app).get("/bayfield/hauler/apply"))


@pytest.mark.parametrize(("swap", "at"), [(None, "2027-08-12T10:30"), (BAR, "2028-08-12T10:30")])
def test_without_a_bar_or_after_it_the_next_application_is_taken(app: Any, tmp_path: Path, swap: Any, at: str) -> None:
    if swap:
        adopt(tmp_path, swap)
    business = revoked()
    made = filed(business, at=at)
    assert made.state == "filed"
    assert db.session.scalars(select(Application).filter_by(state="filed")).all() == [made]
