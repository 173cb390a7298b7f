"""What somebody took back of a load stays taken back, whatever is corrected later, until the clerk charges it."""

from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from sqlalchemy import select

from billing import actions as billing
from billing.queries import account_of, entries_of, reversal_of
from haulers.queries import party_of_business
from intake.actions.charge_anew import charge_load_anew
from intake.actions.correcting import correct_load
from intake.actions.finding import record_council_answer, record_finding
from intake.actions.stop import stop_load
from intake.models import Load
from intake.queries.figures import figures
from office.db import db
from office.letters import Letter
from office.notices import Notice
from ordinances.refusal import Refusal
from tests import world
from tests.intake.gatehouse import balance, good, kept, log
from tests.intake.plant import hauler
from tests.intake.specials import arranged, working_hours
from tests.intake.test_station_pages import get, post, signed_in, text

NINE, LATER = world.at("2026-10-06T09:30"), world.at("2026-10-08T11:00")


@pytest.fixture(autouse=True)
def _app(app: Any, clock_at: Any) -> None:
    clock_at("2026-10-08T11:00")


def lines(load: Load) -> list[tuple[str, int, date, date]]:
    """The charges of a load that stand: code, cents, the day each is dated and the day it is for."""
    return [(one.code, one.amount_cents, one.on_day, one.day) for one in entries_of("load", load.id)
            if reversal_of(one.id) is None]  # fmt: skip


def take_back(load: Load, code: str, reason: str = "Not tested after all") -> None:
    (entry,) = [one for one in entries_of("load", load.id) if one.code == code and reversal_of(one.id) is None]
    good(kept(billing.take_back_line(entry, reason, by=world.staff("clerk"), at=NINE, law=world.law())))


def correct(load: Load, at: Any = LATER, **new: Any) -> None:
    given = replace(figures(load), **new)
    good(kept(correct_load(load, given, "Typed wrong", by=world.staff("operator"), at=at, law=world.law(at.date()))))


def clerk_told() -> list[str]:
    return [one.body for one in db.session.scalars(select(Notice).filter_by(kind="charge_stays_back"))]


def test_a_charge_the_clerk_took_back_stays_so_when_the_spelling_of_the_driver_is_corrected():
    who = hauler()
    load = good(log(who))
    assert balance(who) == 4816
    take_back(load, "test")
    correct(load, driver="Ann Nunez")
    assert (balance(who), lines(load)) == (3600, [("volume", 3600, date(2026, 10, 6), date(2026, 10, 6))])
    assert db.session.get_one(Letter, load.letter_id).data["total"] == "$36.00"
    assert clerk_told() == []


def test_of_what_was_taken_back_the_clerk_reads_what_it_would_come_to_and_may_charge_it_anew():
    who = hauler()
    load = good(log(who))
    take_back(load, "volume", "Wrong gallons")
    correct(load, gallons=1_000)
    assert balance(who) == 1216
    assert clerk_told() == [
        f"Load {load.ticket} of {load.business_name}: Corrected: 1,000 gallons, not 1,500. Typed wrong\n"
        "Septage unloaded: $36.00 was taken back, it would be $24.00 now.\n"
        "It stays taken back. Where it is owed after all, choose “Charge what was taken back” on the load's page."
    ]
    known = {"by": world.staff("clerk"), "at": LATER, "law": world.law(LATER.date())}
    good(kept(charge_load_anew(load, "The gallons are right now", **known)))
    # Dated when it was charged anew: a statement of the days before has the charge once, and what took it back.
    assert lines(load) == [("test", 1216, date(2026, 10, 6), date(2026, 10, 6)),
                           ("volume", 2400, date(2026, 10, 8), date(2026, 10, 6))]  # fmt: skip
    assert balance(who) == 3616
    again = kept(charge_load_anew(load, "Once more", **known))
    assert isinstance(again, Refusal)
    assert (again.code, again.why) == (
        "not_taken_back", f"Nothing that was taken back of load {load.ticket} is left to charge."
    )  # fmt: skip
    correct(load, driver="Ann Nunez")
    assert balance(who) == 3616


def test_a_void_invoice_not_made_again_leaves_its_load_uncharged():
    who = hauler()
    load = good(log(who))
    account = account_of(world.plant().id, party_of_business(who.business_id).id)
    known = {"by": world.staff("clerk"), "at": NINE, "law": world.law()}
    invoice = good(kept(billing.make_invoice(world.plant(), account, **known)))
    kept(billing.void_invoice(world.plant(), invoice, "Billed in error", again=False, **known))
    correct(load, driver="Ann Nunez")
    assert (balance(who), lines(load)) == (0, [])


def test_what_went_because_the_truck_was_stopped_comes_back_when_the_load_comes_to_it_again():
    """Only what somebody chose to take back stays: the volume of a corrected load is replaced as it changes."""
    who = hauler()
    load = good(log(who))
    correct(load, at=NINE, gallons=1_200)
    correct(load, gallons=1_500)
    assert (balance(who), [one[:2] for one in lines(load)]) == (4816, [("test", 1216), ("volume", 3600)])


def test_the_page_says_who_took_it_back_and_charges_it(app: Any):
    who = hauler()
    load = good(log(who))
    take_back(load, "test")
    client = signed_in(app, "clerk")
    assert "Charge what was taken back" in text(get(client, f"/station/load/{load.ticket}"))
    address = f"/plant/loads/{load.ticket}/charge-anew"
    said = text(get(client, address))
    assert "taken back by Clerk of the City on Tuesday, October 6, 2026: Not tested after all" in said
    assert "Enter why it is charged after all" in text(post(client, address, {"reason": ""}).text)
    post(client, address, {"reason": "It was tested"})
    db.session.expire_all()
    assert balance(who) == 4816
    assert "Charge what was taken back" not in text(get(client, f"/station/load/{load.ticket}"))


def test_an_adopted_finding_leaves_what_a_truck_stopped_at_once_owes_for_its_special_time():
    working_hours()
    who = hauler()
    row = arranged(who)
    found = {"by": world.staff("manager"), "at": world.at("2026-10-05T16:00"), "law": world.law()}
    made = kept(record_finding(world.plant(), who.business_id, "holding_tank", "Solvents",
                               ["require payment of the added cost"], date(2026, 10, 5), cents=500, cost_per="load",
                               **found))  # fmt: skip
    load = good(log(who, at="2026-10-06T14:00"))
    stop = {"by": world.staff("operator"), "at": world.at("2026-10-06T14:20"), "law": world.law()}
    good(kept(stop_load(load, 0, "Pump broken", **stop)))
    charged = [("special_test", 500), ("special_wage", 3000), ("test", 1216)]
    assert (sorted(one[:2] for one in lines(load)), balance(who)) == (charged, 4716)
    assert "$47.16 for 20 minutes" in " ".join(db.session.get_one(Letter, load.letter_id).data["remarks"])
    good(kept(record_council_answer(world.plant(), made.id, True, date(2026, 10, 5), "Resolution 9", at=LATER,
                                    by=world.staff("clerk"), law=world.law(LATER.date()))))  # fmt: skip
    assert (sorted(one[:2] for one in lines(load)), balance(who)) == (charged, 4716)
    db.session.refresh(row)
    assert (row.supervised_from, row.supervised_to) == (world.at("2026-10-06T14:00"), world.at("2026-10-06T14:20"))
