"""At the same instant: five presses of Send, withdrawing against deciding. On either engine."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from sqlalchemy import func, select

from haulers.models import Application, Approval
from office.db import db
from office.letters import Letter
from tests.haulers.builders import answered, filed, hauler
from tests.haulers.test_pages_city import decision, full
from tests.haulers.test_pages_hauler import once, signed_in


def together(*works: Callable[[], Any]) -> list[Any]:
    """Do all of it at once, each in a thread of its own."""
    with ThreadPoolExecutor(len(works)) as pool:
        return [done.result() for done in [pool.submit(work) for work in works]]


def test_five_presses_at_once_make_one_application_and_one_receipt(app: Any, clock_at: Any) -> None:
    clock_at("2026-08-20T09:00")
    answered(hauler())
    clients = [signed_in(app) for _ in range(5)]
    keys = [once() for _ in clients]
    db.session.rollback()
    answers = together(*[
        lambda client=client, key=key: client.post("/bayfield/hauler/apply/check", data=key)
        for client, key in zip(clients, keys, strict=True)
    ])  # fmt: skip
    assert {answer.status_code for answer in answers} == {303}
    assert len({answer.location for answer in answers}) == 1
    assert list(db.session.scalars(select(Application.number))) == ["2026-27/0001"]
    assert db.session.scalar(select(func.count(Letter.id)).filter_by(kind="application_receipt")) == 1


def test_withdrawing_and_deciding_at_once_leave_one_of_the_two(app: Any, clock_at: Any) -> None:
    clock_at("2026-09-16T09:00")
    application = filed(hauler())
    owner, clerk = signed_in(app), signed_in(app, "clerk")
    take, key, ident = decision(full(application), step="record"), once(), application.id
    db.session.rollback()
    first, second = together(
        lambda: owner.post(f"/bayfield/hauler/apply/withdraw/{ident}", data=key),
        lambda: clerk.post("/bayfield/committee/2026-27/decide", data=take),
    )
    db.session.rollback()
    state = db.session.scalars(select(Application.state)).one()
    approvals = db.session.scalar(select(func.count(Approval.id)))
    assert (state, approvals) in (("withdrawn", 0), ("approved", 1))
    assert sorted((first.status_code, second.status_code))[0] == 303
    assert max(first.status_code, second.status_code) < 500
