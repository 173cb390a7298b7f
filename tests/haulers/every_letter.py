"""Every letter of this room made by its acts with the longest things people plausibly write, for the tests of paper."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Any

from sqlalchemy import select

from haulers import ports
from haulers.actions import DecisionLine, Limit, correct_decision, register_business
from haulers.actions.amendments import ask_amendment, decide_amendments
from haulers.actions.appeal_fees import record_appeal_fee, refund_appeal_fee
from haulers.actions.packet import make_packet, make_worksheet
from haulers.actions.referrals import ask_for_changes
from haulers.actions.reinstatement import reinstate_approval
from haulers.actions.reviews import close_review, enter_review
from haulers.actions.suspension import suspend_approval
from haulers.actions.violations import issue_violation
from haulers.models import Application, Business, Motion, Review, Suspension, Violation
from haulers.ports import BookingLine, LoadLine
from haulers.queries import SourceLine, TruckLine
from haulers.queries.motion_lines import AmendLine
from haulers.states import Outcome, Period
from office import jobs
from office.access import NOBODY
from office.db import db
from office.letters import Letter
from ordinances.calendar import season_named
from tests import world
from tests.haulers.appeals import appealed, close, given, own_procedure
from tests.haulers.builders import OUTSIDE, SOURCE, acting, approved, decide, filed, hauler, issue, issued, roll
from tests.haulers.test_late import late, take
from tests.haulers.test_revocation import RULE, revoke
from tests.house.law_copies import adopt, canonical, with_values

NAME = "O'Brien & Søn Septic, L.L.C., doing business as Nguyễn Thị Hà Pumping"
WHY = (
    "The plant's hydraulic limit in winter is taken up by the applications from inside the sewer service area, which "
    "come first; holding tank waste from the cabins north of Cornucopia can be taken from April 16 on, when the days "
    "are longer and the flow is steadier, and the committee asks the hauler to store what can be stored until then."
)
CONDITIONS = (
    "Call the plant by noon of the day before when a load comes from a tank that was not emptied for five years.",
    "Bring the laboratory's sheet with every first load from a source that was not in the application.",
    "Holding tank waste from Siskiwit Lake Road is unloaded on Tuesdays and Thursdays only.",
)


ADDRESS = (
    "c/o Nguyễn Thị Hà, Operator in Charge\nRural Route 5, Box 1230, Building C\n12 Rittenhouse Avenue\nSuite 400\n"
    "Bayfield, WI 54814-1230"
)


def company() -> Business:
    """A hauler with a long name and an address of five lines."""
    made = register_business(
        name=NAME, address=ADDRESS, phone="(715) 555-0111 ext. 12", email="o'brien@hauler.example",
        contact="Ingrid O'Brien", password=world.PASSWORD, licence_state="WI", licence_number="4022",
        licence_ends=date(2027, 6, 30), trucks=(TruckLine("WI 1234", 1500, "Big Red"),), by=NOBODY,
        at=world.at("2026-07-02T09:00"),
    )  # fmt: skip
    assert isinstance(made, Business), made
    db.session.flush()
    return made


def sources(count: int) -> list[SourceLine]:
    """So many sources, each with a place and a frequency of some length."""
    place = "Homes and cabins along County Road J and Siskiwit Lake Road, north of Cornucopia, no. "
    often = "4 loads a month from May to October, else once"
    return [replace(SOURCE if n % 2 else OUTSIDE, place=f"{place}{n + 1}", frequency=often) for n in range(count)]


def in_part(application: Application) -> DecisionLine:
    """An approval in part with a long reason, three conditions and three limits."""
    limits = (Limit("", Period.DAY, 3000), Limit("holding_tank", Period.WEEK, 4000),
              Limit("", Period.WINTER, 9000, hard=False))  # fmt: skip
    return DecisionLine(application.id, Outcome.IN_PART, 10000, 25000, "capacity_or_limits", WHY, CONDITIONS, limits)


def receipt() -> None:
    filed(company(), *sources(8))


def late_receipt() -> Application:
    return late(company(), "2026-09-10T09:00", *sources(6), why=WHY)


def taken_receipt() -> None:
    taken = take(late_receipt().id)
    assert isinstance(taken, list), taken


def approval() -> None:
    decide([in_part(filed(company(), SOURCE, OUTSIDE))])


def corrected_approval() -> None:
    application = filed(company(), SOURCE, OUTSIDE)
    decide([DecisionLine(application.id, Outcome.APPROVED, 15000, 25000)])
    when = world.at("2026-09-22T09:00")
    motion = correct_decision(world.plant(), roll(held_on=date(2026, 9, 21)), in_part(application),
                              wrong="The winter figure was misread", misrecorded=True, by=world.staff("clerk"),
                              at=when, law=world.law(when.date()))  # fmt: skip
    assert isinstance(motion, Motion), motion
    assert isinstance(issue(motion, at="2026-09-22T10:00"), list)


def rejection() -> None:
    application = filed(company(), SOURCE, OUTSIDE)
    decide([DecisionLine(application.id, Outcome.REJECTED, 0, 0, "capacity_or_limits", f"{WHY} {WHY}")])


def more_information() -> None:
    application = filed(company(), SOURCE, OUTSIDE)
    when = world.at("2026-09-16T09:00")
    words = "\n".join(f"{n}. {WHY}" for n in range(1, 4))
    made = ask_for_changes(world.plant(), roll(), [application.id], words, date(2026, 9, 25), by=world.staff("clerk"),
                           at=when, law=world.law(when.date()))  # fmt: skip
    assert isinstance(made, Motion), made


def overdue() -> None:
    for n in range(45):
        filed(hauler(f"{NAME} {n}", f"o'brien{n}@hauler.example"))
    db.session.commit()
    jobs.work(world.at("2026-10-02T08:00"))


def revocation() -> None:
    _bookings()
    revoke(approved(company()), f"{WHY} {WHY}", rule=RULE)


def _bookings() -> None:
    bookings = [BookingLine(f"B-1022-{n:02d}", world.at("2026-10-22T07:45"), 1000) for n in range(1, 31)]
    ports._Provided.record.bookings = bookings  # type: ignore[union-attr]


def reinstatement() -> None:
    _bookings()
    old = approved(company(), SOURCE, OUTSIDE)
    revoke(old, WHY)
    made: Any = reinstate_approval(world.plant(), old.id, roll(held_on=date(2026, 11, 3)), WHY, date(2026, 11, 9),
                                   **_by("clerk", "2026-11-04T09:00"))  # fmt: skip
    assert isinstance(issued(made, "2026-11-04T09:00"), Motion), made


def review() -> None:
    old = approved(company(), SOURCE, OUTSIDE)
    held: Any = revoke(old, WHY)
    made: Any = enter_review(world.plant(), f"{WHY}\n{WHY}", date(2026, 11, 2), f"{NAME}, by its operator in charge",
                             revocation_id=held.id, **_by("clerk", "2026-11-03T09:00"))  # fmt: skip
    assert isinstance(made, Review), made


def outcome() -> None:
    review()
    found = db.session.scalars(select(Review)).one()
    made: Any = close_review(world.plant(), found.id, "upheld", f"{WHY}\n{WHY}", date(2026, 11, 20),
                             **_by("clerk", "2026-11-23T09:00"))  # fmt: skip
    assert isinstance(made, Review), made


def appeal_refund() -> None:
    own_procedure(fee="1250.00")
    review = appealed(approved(company(), SOURCE, OUTSIDE))
    paid: Any = record_appeal_fee(world.plant(), review.id, "check", "1042", date(2026, 11, 12),
                                  **given("2026-11-12T10:00"))  # fmt: skip
    close(review)
    made: Any = refund_appeal_fee(world.plant(), review.id, "check", "a very long number of a check 0123456789",
                                  **given("2026-12-03T09:00"))  # fmt: skip
    assert made.reverses_id == paid.entry_id, made


def amendment() -> None:
    owner = company()
    approval = approved(owner, SOURCE, OUTSIDE)
    when = world.at("2026-11-02T09:00")
    asked: Any = ask_amendment(world.plant(), approval.id, "gallons", WHY, {}, 4000, 6000, by=acting(owner), at=when,
                               law=world.law(when.date()))  # fmt: skip
    line = AmendLine(asked.id, granted=True, winter=1000, rest=2000, reason=WHY)
    made: Any = decide_amendments(world.plant(), roll(held_on=date(2026, 11, 10)), [line],
                                  **_by("clerk", "2026-11-11T09:00"))  # fmt: skip
    assert isinstance(issued(made, "2026-11-11T09:00"), Motion), made


def suspension() -> None:
    approval = approved(company(), SOURCE, OUTSIDE)
    rows = canonical()["rows"]
    adopt(with_values({at: True for at, row in enumerate(rows) if row["key"] == "suspension.enabled"})[0])
    _bookings()
    made: Any = suspend_approval(world.plant(), approval.id, RULE, f"{WHY} {WHY}", date(2026, 11, 30),
                                 **_by("director", "2026-10-20T09:00"))  # fmt: skip
    assert isinstance(made, Suspension), made


def violation() -> None:
    owner = company()
    approved(owner, SOURCE, OUTSIDE)
    loads = [LoadLine(f"T1-{n:04d}", date(2026, 10, n), "holding_tank", 1500) for n in range(5, 17)]
    ports._Provided.record.loads = loads  # type: ignore[union-attr]
    days = [date(2026, 10, day) for day in range(5, 17)]
    made: Any = issue_violation(world.plant(), owner.id, RULE, f"{WHY}\n{WHY}", days, [one.ticket for one in loads],
                                date(2026, 11, 13), **_by("director", "2026-10-20T09:00"))  # fmt: skip
    assert isinstance(made, Violation), made


def _by(who: str, at: str) -> dict[str, Any]:
    when = world.at(at)
    return {"by": world.staff(who), "at": when, "law": world.law(when.date())}


def packet() -> None:
    _papers(make_packet)


def worksheet() -> None:
    _papers(make_worksheet)


def _papers(make: Callable[..., Any]) -> None:
    filed(company(), *sources(4))
    when = world.at("2026-09-10T09:00")
    law = world.law(when.date())
    made = make(world.plant(), season_named(law, "2026-27"), by=world.staff("clerk"), at=when, law=law)
    assert isinstance(made, Letter), made


# What each makes, and the letters' kind. Those of one page are letters; the committee's papers run on.
LETTERS: dict[str, tuple[str, Callable[[], object]]] = {
    "receipt": ("application_receipt", receipt), "late receipt": ("late_receipt", late_receipt),
    "receipt of one taken late": ("application_receipt", taken_receipt), "approval in part": ("approval", approval),
    "corrected approval": ("approval", corrected_approval), "rejection": ("rejection", rejection),
    "more information": ("more_information", more_information), "overdue notice": ("overdue", overdue),
    "revocation": ("revocation", revocation), "violation": ("violation", violation),
    "suspension": ("suspension", suspension), "review": ("review", review),
    "refund of an appeal's fee": ("appeal_refund", appeal_refund), "amendment": ("amendment", amendment),
    "reinstatement": ("reinstatement", reinstatement), "outcome of a review": ("review_outcome", outcome),
}  # fmt: skip
PAPERS: dict[str, tuple[str, Callable[[], None]]] = {
    "packet": ("packet", packet), "worksheet": ("worksheet", worksheet),
}  # fmt: skip


def newest(kind: str) -> Letter:
    """The last letter of a kind."""
    return db.session.scalars(select(Letter).filter_by(kind=kind).order_by(Letter.id.desc()).limit(1)).one()
