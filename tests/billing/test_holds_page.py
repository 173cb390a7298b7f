"""The clerk's page of charges that wait: why, since when, and the end of a wait for results that will not come."""

import re
from datetime import date
from typing import Any

from billing import actions
from billing.queries import held_charges, ledger, unbilled
from billing.states import HoldKind
from office.access import system
from office.db import db
from tests import world
from tests.billing import books
from tests.billing.test_routes import send, signed_in, text_of, two
from tests.intake.plant import queries

__all__ = ["two"]
OCT_6, OCT_8 = date(2026, 10, 6), date(2026, 10, 8)


def charge(who: Any, code: str, label: str = "Load 2026-00001") -> Any:
    lines = [line.entry for line in ledger(books.account(who).id)]
    return next(one for one in lines if one.code == code and one.source_label == label)


def hold(entry: Any) -> None:
    actions.hold_charges([entry], HoldKind.RESULTS, "Results are awaited: BOD5", by=system(), at=books.noon(OCT_6))


def dispute(who: Any, entry: Any) -> None:
    actions.open_dispute(world.plant(), books.account(who), [entry], "The gallons", gallons=1, waste="septic_tank",
                         asked_on=OCT_8, by=system(), at=books.noon(OCT_8), law=world.law(OCT_8))  # fmt: skip


def words(answer: Any) -> str:
    return " ".join(re.sub("<[^>]+>", " ", text_of(answer)).split())


def test_each_charge_that_waits_is_listed_with_why_since_when_and_what_ends_it(app: Any, two: Any) -> None:
    clerk = signed_in(app, "clerk")
    assert "No charge waits:" in text_of(clerk.get("/bayfield/clerk/holds"))
    hold(charge(two[0], "volume", ""))
    dispute(two[1], charge(two[1], "volume"))
    db.session.commit()
    page = words(clerk.get("/bayfield/clerk/holds"))
    assert "Results are awaited: BOD5 since October 6, 2026, by " in page
    assert "In dispute: 2026-00001 since October 8, 2026, by " in page
    assert page.index("Results are awaited") < page.index("In dispute")
    assert "Together $36.00" in page
    assert [one.dispute for one in held_charges(world.plant().id)] == ["", "2026-00001"]


def test_the_clerk_ends_a_wait_for_results_but_not_a_dispute(app: Any, two: Any) -> None:
    clerk, waiting = signed_in(app, "clerk"), charge(two[0], "volume", "")
    hold(waiting)
    dispute(two[1], charge(two[1], "volume"))
    db.session.commit()
    assert waiting not in unbilled(world.plant().id)[0].entries
    results, disputed = held_charges(world.plant().id)
    address = f"/clerk/holds/{results.hold.id}/release"
    assert "<dt>Held because</dt> <dd>Results are awaited: BOD5</dd>" in text_of(clerk.get(f"/bayfield{address}"))
    assert "Enter why it waits no longer" in text_of(send(clerk, address, reason=" "))
    assert send(clerk, address, reason="The bottle broke", once="b" * 32).location == "/bayfield/clerk/holds"
    assert [one.hold.id for one in held_charges(world.plant().id)] == [disputed.hold.id]
    assert waiting in unbilled(world.plant().id)[0].entries
    assert clerk.get(f"/bayfield{address}").status_code == 404
    assert clerk.get(f"/bayfield/clerk/holds/{disputed.hold.id}/release").status_code == 404


def test_more_of_them_take_no_more_queries(app: Any, two: Any) -> None:
    clerk, counts = signed_in(app, "clerk"), []
    for code in ("volume", "test"):
        hold(charge(two[0], code, ""))
        db.session.commit()
        clerk.get("/bayfield/clerk/holds")
        with queries() as seen:
            clerk.get("/bayfield/clerk/holds")
        counts.append(len([one for one in seen if one.startswith("SELECT")]))
    assert counts == [3, 3]
