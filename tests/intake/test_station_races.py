"""Tablets that send at the same moment, from four processes: one load for one id, and never more than the limit."""

from sqlalchemy import select

from intake.models import Load, Run
from intake.queries.checks import check_capacity
from office.db import db
from office.numbers import Counter
from tests.flows.racing import Ask, race
from tests.intake.gatehouse import balance
from tests.intake.plant import Hauler, hauler

NOW = "2026-10-06T07:00"


def post(who: Hauler, client_id: str, gallons: int) -> Ask:
    path = f"/bayfield/station/load?business={who.business_id}&truck={who.truck_id}"
    return Ask("operator", path, {
        "client_id": client_id, "gallons": str(gallons), "driver": "Ann", "waste": "septic_tank", "normal": "yes",
        "tested": "yes", "bottle": f"B-{client_id[-2:]}", "basis": "meter",
    })  # fmt: skip


def test_one_load_sent_sixteen_times_at_once_is_one_load(app):
    who = hauler()
    answers = race(str(app.config["DATABASE_URL"]), NOW, [post(who, "tablet-3-load-01", 300) for _ in range(16)])
    assert {(a.status, a.location) for a in answers} == {(303, "/bayfield/station/load/2026-00001")}
    assert db.session.scalars(select(Load.ticket)).all() == ["2026-00001"]
    assert db.session.scalars(select(Counter.last).filter_by(series="ticket")).all() == [1]
    assert balance(who) == 720 + 1216


def test_eight_trucks_at_once_never_pass_the_limit_and_tickets_have_no_gap(app):
    fleet = [hauler(f"Hauler {n}", number=n) for n in range(1, 9)]
    answers = race(
        str(app.config["DATABASE_URL"]), NOW, [post(who, f"tablet-{n}", 500) for n, who in enumerate(fleet, 10)]
    )
    taken = [a for a in answers if a.status == 303]
    rest = [a for a in answers if a.status == 422]
    assert (len(taken), len(taken) + len(rest)) == (1, 8)
    assert all("500 gallons do not fit under the limit now" in a.page for a in rest)
    runs = db.session.execute(select(Run.starts, Run.ends, Run.gph)).all()
    assert max(sum(r.gph for r in runs if r.starts <= at < r.ends) for at in {r.starts for r in runs}) <= 666
    assert db.session.scalars(select(Load.ticket)).all() == ["2026-00001"]
    assert check_capacity() == []
