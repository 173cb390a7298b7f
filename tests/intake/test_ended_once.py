"""Two people at once at one plan, test, finding, accident, sample, letter, tablet or paper: it is answered once."""

import threading
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from typing import Any, NamedTuple

import pytest
from flask import Flask
from sqlalchemy import select

from intake.actions.blanks import issue_blanks, spoil_blank
from intake.actions.custody import hand_over_samples
from intake.actions.finding import end_finding, record_finding
from intake.actions.incident import add_incident_words, close_incident, report_incident
from intake.actions.retest import answer_retest, ask_retest, finish_retest, take_back_retest
from intake.actions.sampling_plan import approve_sampling_plan, propose_sampling_plan, return_sampling_plan
from intake.actions.station import void_load
from intake.actions.tablets import enrol_tablet, revoke_tablet
from intake.actions.testing_rule import set_testing_rule
from intake.models import (
    BlankTicket,
    CustodyStep,
    Incident,
    Load,
    Retest,
    SamplingPlan,
    SamplingRule,
    Tablet,
    WasteFinding,
)
from office.db import db, engine_name
from office.verify import verify
from ordinances.refusal import Refusal
from tests import world
from tests.intake.gatehouse import good, kept, log
from tests.intake.plant import Hauler, hauler
from tests.intake.test_retest import with_results
from tests.intake.test_sampling_plan import PARTS

NOW, TODAY = world.at("2026-10-20T09:00"), date(2026, 10, 20)
Do = Callable[[], Any]


@pytest.fixture(autouse=True)
def _clock(app: Flask, clock_at: Any) -> None:
    clock_at("2026-10-20T09:00")


def by(role: str) -> dict[str, Any]:
    return {"by": world.staff(role), "at": NOW, "law": world.law()}


class Pair(NamedTuple):
    """What one does and what the other does at the same moment, on which rows, and how it must stand afterwards."""

    model: Any
    first: Do
    second: Do
    code: str
    stands: list[Any]
    told: Callable[[Any], Any] = lambda row: row.state


def plan() -> tuple[Hauler, int]:
    who = hauler()
    row = good(kept(propose_sampling_plan(world.plant(), who.business_id, PARTS, by=who.by, at=NOW, law=world.law())))
    return who, row.id


def propose(who: Hauler) -> Any:
    return propose_sampling_plan(world.plant(), who.business_id, PARTS, by=who.by, at=NOW, law=world.law())


def two_plans_are_proposed() -> Pair:
    who, _ = plan()
    return Pair(SamplingPlan, lambda: propose(who), lambda: propose(who), "", ["returned", "returned", "proposed"])


def plan_is_approved_while_another_is_proposed() -> Pair:
    who, number = plan()
    approve = lambda: approve_sampling_plan(world.plant(), number, TODAY, **by("director"))  # noqa: E731
    return Pair(SamplingPlan, approve, lambda: propose(who), "", ["approved", "proposed"])


def plan_is_returned_and_approved() -> Pair:
    _, number = plan()
    return Pair(SamplingPlan, lambda: return_sampling_plan(world.plant(), number, "Unclear", **by("director")),
                lambda: approve_sampling_plan(world.plant(), number, TODAY, **by("director")), "decided",
                ["returned"])  # fmt: skip


def first_plans_are_proposed() -> Pair:
    who = hauler()
    return Pair(SamplingPlan, lambda: propose(who), lambda: propose(who), "", ["returned", "proposed"])


def asked() -> tuple[Hauler, int, int]:
    who, load = with_results()
    load_id = load.id
    row = good(kept(ask_retest(load, ("BOD5",), "Too high", by=who.by, at=NOW, law=world.law())))
    return who, load_id, row.id


def load(load_id: int) -> Load:
    return db.session.get_one(Load, load_id)


def new_tests_are_asked_for_twice() -> Pair:
    who, one = with_results()
    load_id = one.id
    ask = lambda: ask_retest(load(load_id), ("BOD5",), "Too high", by=who.by, at=NOW, law=world.law())  # noqa: E731
    return Pair(Retest, ask, ask, "asked", ["asked"])


def accept(number: int) -> Any:
    return answer_retest(world.plant(), number, True, cost=Decimal(1), **by("manager"))


def new_tests_are_accepted_and_refused() -> Pair:
    _, _, number = asked()
    return Pair(Retest, lambda: accept(number),
                lambda: answer_retest(world.plant(), number, False, words="No", **by("director")), "answered",
                ["accepted"])  # fmt: skip


def new_tests_are_finished_twice() -> Pair:
    _, _, number = asked()
    good(kept(accept(number)))
    finish = lambda: finish_retest(world.plant(), number, {"BOD5": "2,000"}, True, "Dry", **by("manager"))  # noqa: E731
    return Pair(Retest, finish, finish, "answered", ["done"])


def new_tests_are_accepted_while_the_load_is_voided() -> Pair:
    _, load_id, number = asked()
    return Pair(Retest, lambda: void_load(load(load_id), "Twice", **by("manager")), lambda: accept(number), "void",
                ["ended"])  # fmt: skip


def load_is_voided_while_new_tests_are_accepted() -> Pair:
    _, load_id, number = asked()
    return Pair(Retest, lambda: accept(number), lambda: void_load(load(load_id), "Twice", **by("manager")), "",
                ["ended"])  # fmt: skip


def new_tests_are_accepted_while_they_are_taken_back() -> Pair:
    who, _, number = asked()
    back = lambda: take_back_retest(world.plant(), number, "No", by=who.by, at=NOW, law=world.law())  # noqa: E731
    return Pair(Retest, back, lambda: accept(number), "answered", ["ended"])


def finding_is_ended_twice() -> Pair:
    row = good(kept(record_finding(world.plant(), hauler().business_id, "septic_tank", "Solvents",
                                   ("reject the waste",), TODAY, **by("manager"))))  # fmt: skip
    number = row.id
    return Pair(WasteFinding, lambda: end_finding(world.plant(), number, "Clean", **by("manager")),
                lambda: end_finding(world.plant(), number, "Gone", **by("director")), "ended", ["Clean"],
                lambda row: row.end_reason)  # fmt: skip


def accident_is_closed_while_more_is_written() -> Pair:
    row = good(kept(report_incident(world.plant(), "Oil", "Main Street", NOW, **by("operator"))))
    number = row.number
    return Pair(Incident, lambda: close_incident(world.plant(), number, "Washed", **by("manager")),
                lambda: add_incident_words(world.plant(), number, "More", **by("operator")), "closed", ["Washed"],
                lambda row: row.closed_why)  # fmt: skip


def bottle() -> int:
    return int(good(log(hauler(), 100, bottle="0412")).id)


def hand(kind: str) -> Any:
    return hand_over_samples(world.plant(), ["0412"], kind, "K. Berg", NOW, **by("operator"))


def sample_is_received_twice() -> Pair:
    bottle()
    return Pair(CustodyStep, lambda: hand("received"), lambda: hand("received"), "received", ["received"],
                lambda row: row.kind)  # fmt: skip


def sample_of_a_load_just_voided_is_handed_over() -> Pair:
    load_id = bottle()
    return Pair(CustodyStep, lambda: void_load(load(load_id), "Twice", **by("manager")), lambda: hand("handed"),
                "unknown_bottle", [])  # fmt: skip


def same_testing_letter_is_written_twice() -> Pair:
    who = hauler()
    write = lambda: set_testing_rule(world.plant(), who.business_id, "one_in", 3, TODAY, "So",  # noqa: E731
                                     **by("director"))  # fmt: skip
    return Pair(SamplingRule, write, write, "same", [3], lambda row: row.figure)


def tablet_is_named_twice() -> Pair:
    enrol = lambda: enrol_tablet(world.plant(), "Gate", "key", by=world.staff("manager"), at=NOW)  # noqa: E731
    return Pair(Tablet, enrol, enrol, "name_taken", [1], lambda row: row.number)


def tablet_is_revoked_twice() -> Pair:
    number = good(kept(enrol_tablet(world.plant(), "Gate", "key", by=world.staff("manager"), at=NOW))).id
    revoke = lambda words: revoke_tablet(  # noqa: E731
        db.session.get_one(Tablet, number), words, by=world.staff("manager"), at=NOW)  # fmt: skip
    return Pair(Tablet, lambda: revoke("Lost"), lambda: revoke("Sold"), "revoked", ["Lost"], lambda row: row.reason)


def blank_ticket_is_spoiled_twice() -> Pair:
    good(kept(issue_blanks(world.plant(), 1, **by("manager"))))
    spoil = lambda words: spoil_blank(  # noqa: E731
        db.session.scalars(select(BlankTicket)).one(), words, by=world.staff("manager"), at=NOW)  # fmt: skip
    return Pair(BlankTicket, lambda: spoil("Wet"), lambda: spoil("Torn"), "spoiled", ["Wet"],
                lambda row: row.void_reason)  # fmt: skip


PAIRS = (
    two_plans_are_proposed, first_plans_are_proposed, plan_is_approved_while_another_is_proposed,
    plan_is_returned_and_approved, new_tests_are_asked_for_twice, new_tests_are_accepted_and_refused,
    new_tests_are_finished_twice, new_tests_are_accepted_while_the_load_is_voided,
    load_is_voided_while_new_tests_are_accepted,
    new_tests_are_accepted_while_they_are_taken_back, finding_is_ended_twice, accident_is_closed_while_more_is_written,
    sample_is_received_twice, sample_of_a_load_just_voided_is_handed_over, same_testing_letter_is_written_twice,
    tablet_is_named_twice, tablet_is_revoked_twice, blank_ticket_is_spoiled_twice,
)  # fmt: skip


@pytest.mark.parametrize("made", PAIRS, ids=lambda one: one.__name__)
def test_what_two_do_at_once_is_done_once(app: Flask, made: Callable[[], Pair]) -> None:
    pair = made()
    db.session.commit()
    assert at_once(app, pair) == pair.code
    db.session.expire_all()
    rows = db.session.scalars(select(pair.model).order_by(pair.model.id))
    assert ([pair.told(row) for row in rows], verify()) == (pair.stands, [])


def at_once(app: Flask, pair: Pair) -> str:
    """Do the first, and the second before the first is kept; what the second was refused for, "" where it was not."""
    seen, begin, found = threading.Event(), threading.Event(), list[str]()

    def other() -> None:
        with app.app_context():
            # As its page has read them; where one who may write has the whole file, nobody reads before.
            known = [] if engine_name() == "sqlite" else db.session.scalars(select(pair.model)).all()
            seen.set()
            begin.wait(20)
            result = kept(pair.second())
            found.append(result.code if isinstance(result, Refusal) else "")
            del known

    thread = threading.Thread(target=other)
    thread.start()
    seen.wait(20)
    good(pair.first())
    begin.set()
    thread.join(0.2)
    db.session.commit()
    thread.join(20)
    return found[0] if found else "stuck"
