"""A wait for results that the clerk ended does not come back with the next correction of the load."""

from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

from billing import actions
from billing.queries import RESULTS_IN, held_charges, standing_of, unbilled
from billing.states import HoldKind
from haulers.queries import party_of_business
from intake.actions.correcting import correct_load
from intake.queries.figures import figures
from tests import world
from tests.billing import books
from tests.billing.test_strength_charges import entered, owed, strong_load
from tests.intake.gatehouse import good, kept

NINE = world.at("2026-10-09T09:00")


def correct(load: Any, **new: Any) -> None:
    given = {"by": world.staff("operator"), "at": NINE, "law": world.law(date(2026, 10, 9))}
    good(kept(correct_load(load, replace(figures(load), **new), "Typed wrong", **given)))


def end_waits(reason: str = "The bottle broke") -> None:
    for one in held_charges(world.plant().id):
        kept(actions.release_charges([one.entry], HoldKind.RESULTS, reason, by=world.staff("clerk"), at=NINE))


def to_bill() -> list[tuple[str, int]]:
    return [(one.code, one.amount_cents) for part in unbilled(world.plant().id) for one in part.entries]


def test_a_wait_the_clerk_ended_stays_ended_when_the_load_is_corrected(app: Any, tmp_path: Any) -> None:
    _who, load = strong_load(tmp_path)
    assert len(held_charges(world.plant().id)) == 2
    end_waits()
    correct(load, driver="Ann Nunez")
    assert (held_charges(world.plant().id), to_bill()) == ([], [("volume", 3600), ("test", 1216)])
    # What stands in place of a charge that was let go waits no more than that did.
    correct(load, gallons=1_600)
    assert (held_charges(world.plant().id), sorted(to_bill())) == ([], [("test", 1216), ("volume", 3840)])
    entered(load, "6,480")
    assert (held_charges(world.plant().id), owed(load)) == ([], 3840 + 1216 + 1341)


def test_what_is_on_an_invoice_is_not_held_when_its_load_is_corrected(app: Any, tmp_path: Any) -> None:
    _who, load = strong_load(tmp_path)
    # Let go by rule, as if no result were awaited: on its invoice it waits for nothing.
    end_waits(RESULTS_IN)
    given = {"by": world.staff("clerk"), "at": NINE, "law": world.law(date(2026, 10, 9))}
    actions.make_invoice(world.plant(), books.account(party_of_business(load.business_id)), **given)
    correct(load, ph=Decimal("7.1"))
    assert (held_charges(world.plant().id), len(standing_of("load", [load.id]))) == ([], 2)


def test_a_load_whose_wait_nobody_ended_waits_on_when_it_is_corrected(app: Any, tmp_path: Any) -> None:
    _who, load = strong_load(tmp_path)
    correct(load, gallons=1_600)
    assert (len(held_charges(world.plant().id)), to_bill()) == (2, [])
