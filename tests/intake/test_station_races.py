"""Tablets that send at the same moment: one load for one id, and never more than the limit."""

import threading
import uuid
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from intake.models import Load, Run
from intake.queries.checks import check_capacity
from office.db import db
from office.numbers import Counter
from tests import world
from tests.intake.gatehouse import balance
from tests.intake.plant import Hauler, hauler

NOW = "2026-10-06T07:00"


def form(who: Hauler, client_id: str, gallons: int) -> tuple[str, dict[str, str]]:
    path = f"/bayfield/station/load?business={who.business_id}&truck={who.truck_id}"
    return path, {
        "once": uuid.uuid4().hex, "client_id": client_id, "gallons": str(gallons), "driver": "Ann",
        "waste": "septic_tank", "normal": "yes", "tested": "yes", "bottle": f"B-{client_id[-2:]}", "basis": "meter",
    }  # fmt: skip


@pytest.fixture
def send(app: Flask, clock_at: Any) -> Any:
    """Send forms at once, each from a tablet of its own; the answers in their order."""

    def at_once(forms: list[tuple[str, dict[str, str]]]) -> list[Any]:
        clock_at(NOW)
        clients = [app.test_client() for _ in forms]
        for client in clients:
            world.sign_in(client, "operator")
        db.session.remove()
        start, answers = threading.Barrier(len(forms)), dict[int, Any]()

        def work(n: int) -> None:
            path, data = forms[n]
            start.wait(30)
            answers[n] = clients[n].post(path, data=data)

        threads = [threading.Thread(target=work, args=(n,)) for n in range(len(forms))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        return [answers[n] for n in range(len(forms))]

    return at_once


def test_one_load_sent_twelve_times_at_once_is_one_load(send):
    who = hauler()
    answers = send([form(who, "tablet-3-load-01", 300) for _ in range(12)])
    assert {(a.status_code, a.location) for a in answers} == {(303, "/bayfield/station/load/2026-00001")}
    assert db.session.scalars(select(Load.ticket)).all() == ["2026-00001"]
    assert db.session.scalars(select(Counter.last).filter_by(series="ticket")).all() == [1]
    assert balance(who) == 720 + 1216


def test_eight_trucks_at_once_never_pass_the_limit_and_tickets_have_no_gap(send):
    fleet = [hauler(f"Hauler {n}", number=n) for n in range(1, 9)]
    answers = send([form(who, f"tablet-load-{n}", 500) for n, who in enumerate(fleet, 10)])
    assert sorted(a.status_code for a in answers) == [303, *[422] * 7]
    assert all("500 gallons do not fit under the limit now" in a.text for a in answers if a.status_code == 422)
    runs = db.session.execute(select(Run.starts, Run.ends, Run.gph)).all()
    assert max(sum(r.gph for r in runs if r.starts <= at < r.ends) for at in {r.starts for r in runs}) <= 666
    assert db.session.scalars(select(Load.ticket)).all() == ["2026-00001"]
    assert check_capacity() == []
