"""Where each load is billed by itself, one that goes on another morning gets one invoice, once it is over."""

from datetime import date
from pathlib import Path
from typing import Any

from billing.queries import unbilled
from intake.actions.station import continue_load
from office.jobs import tick
from tests import world
from tests.billing.test_runs import by_themselves, only_invoices, totals
from tests.intake.gatehouse import booked, good, kept, log
from tests.intake.plant import book, hauler, session

__all__ = ["only_invoices"]


def test_a_load_of_two_mornings_gets_one_invoice_the_day_after_the_second(
    app: Any, tmp_path: Path, clock_at: Any
) -> None:
    by_themselves(tmp_path, "per_load")
    who = hauler()
    mornings = (session("2026-10-06T07:00", 1_998), session("2026-10-07T07:00", 1_002))
    load = good(log(who, 1_998, booking=booked(book(who, mornings))))
    clock_at("2026-10-07T06:30")
    tick(world.at("2026-10-07T06:30"))
    assert totals() == []
    assert unbilled(world.plant().id, before=date(2026, 10, 7)) == []
    at = world.at("2026-10-07T07:00")
    given = {"by": world.staff("operator"), "at": at, "law": world.law(at.date())}
    good(kept(continue_load(load, 1_002, **given)))
    # Run already, but today: what it comes to may still change.
    tick(world.at("2026-10-07T12:00"))
    assert totals() == []
    clock_at("2026-10-08T06:30")
    tick(world.at("2026-10-08T06:30"))
    assert totals() == [("2026-00001", 4795 + 2405 + 1216)]


def test_a_load_whose_second_morning_never_came_is_billed_once_that_is_over(
    app: Any, tmp_path: Path, clock_at: Any
) -> None:
    by_themselves(tmp_path, "per_load")
    who = hauler()
    mornings = (session("2026-10-06T07:00", 1_998), session("2026-10-07T07:00", 1_002))
    good(log(who, 1_998, booking=booked(book(who, mornings))))
    tick(world.at("2026-10-07T12:00"))
    assert totals() == []
    tick(world.at("2026-10-08T06:30"))
    assert totals() == [("2026-00001", 4795 + 1216)]
