"""May this truck discharge now: one answer and one reason, in a fixed order, to the second."""

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from haulers import ports
from haulers.actions import add_truck, revoke_approval
from haulers.models import Licence, Truck
from haulers.queries import TruckLine, business
from intake.actions.booking import cancel_booking
from intake.actions.restriction import lift_restriction, restrict_plant
from intake.queries.gate import GateAnswer, may_discharge
from intake.queries.track_record import Records
from office.access import Role, system
from office.acts import act
from office.db import db
from office.plants import set_closure
from tests import world
from tests.intake.gatehouse import booked, good, kept, log, refuse
from tests.intake.plant import MORNING, Hauler, book, grant_trucks, hauler, planned, session

pytestmark = pytest.mark.usefixtures("app")

LICENCE = "§ 329-7 C(1)"
BOOK_ELSE = "Log the truck as not booked: it may unload if it fits."


def ask(who: Hauler, at: str = "2026-10-06T07:00", **given: Any) -> GateAnswer:
    values: dict[str, Any] = {
        "business_id": who.business_id, "truck_id": who.truck_id, "waste": "septic_tank", "booking": None,
    } | given  # fmt: skip
    instant = world.at(at)
    return may_discharge(world.plant(), world.law(instant.date()), instant, **values)


@act("test_change", roles=(Role.SYSTEM,))
def _change(row: Any, field: str, value: Any, *, by: Any, at: Any) -> bool:
    setattr(row, field, value)
    return True


def change(model: Any, field: str, value: Any, **where: Any) -> None:
    row = db.session.query(model).filter_by(**where).first()
    _change(row, field, value, by=system(), at=MORNING)
    db.session.commit()


def revoke(who: Hauler, at: str = "2026-10-02T09:00") -> None:
    ports.provide(Records())
    rule = world.law().value("revocation.grounds", date(2026, 10, 6))[0]
    good(kept(revoke_approval(world.plant(), who.approval_id, rule, "Unloaded at night", by=world.staff("director"),
                              at=world.at(at), law=world.law())))  # fmt: skip


def end_licence(who: Hauler, on: date = date(2026, 10, 5)) -> None:
    change(Licence, "ends_on", on, business_id=who.business_id)


def restrict(_who: Hauler | None = None, at: str = "2026-10-06T06:30") -> Any:
    made = restrict_plant(world.plant(), "operational_problem", by=world.staff("director"), at=world.at(at),
                          law=world.law())  # fmt: skip
    return good(kept(made))


def close(_who: Hauler) -> None:
    manager = world.staff("manager")
    good(kept(set_closure(world.plant(), date(2026, 10, 6), "Screen repair", "closed", by=manager, at=MORNING)))


def nothing(_who: Hauler) -> None:
    """The world as it is."""


Matrix = tuple[str, Callable[[Hauler], Any], dict[str, Any], tuple[bool, str, str, str]]
MATRIX: list[Matrix] = [
    ("good", nothing, {}, (True, "may_unload", "May unload without a booking, if the gallons still fit.", "")),
    ("nobody we know", nothing, {"business_id": None},
     (False, "unknown_business", "Do not accept: this hauler has no approval here.", "§ 329-7 B(2)")),
    ("before its approval", nothing, {"at": "2026-09-30T07:00"},
     (False, "not_begun", "Do not accept: approval A-2026-27-001 begins October 1, 2026.", "§ 329-7 B(2)")),
    ("after its approval", nothing, {"at": "2027-10-01T07:00"},
     (False, "not_approved", "Do not accept: Test Pumping has no approval for season 2027-28.", "§ 329-7 B(2)")),
    ("revoked", revoke, {},
     (False, "revoked", "Do not accept: approval A-2026-27-001 was revoked on October 2, 2026.", "§ 329-7 G")),
    ("licence over", end_licence, {},
     (False, "licence", "Do not accept: state license ended October 5, 2026.", LICENCE)),
    ("licence on its last day", lambda who: end_licence(who, date(2026, 10, 6)), {},
     (True, "may_unload", "May unload without a booking, if the gallons still fit.", "")),
    ("no truck", nothing, {"truck_id": None},
     (False, "truck", "Do not accept: this truck is not on the hauler's list.", LICENCE)),
    ("retired truck", lambda who: change(Truck, "retired_at", MORNING, id=who.truck_id), {},
     (False, "truck", "Do not accept: this truck is not on the hauler's list.", LICENCE)),
    ("grease", nothing, {"waste": "grease_interceptor"},
     (False, "not_septage",
      "Do not accept: Grease interceptor waste is not septage, and no approval covers it.", "§ 329-7 A")),
    ("restricted", restrict, {},
     (False, "restricted", "Do not accept: the plant is restricted since 6:30 a.m. because of an operational problem "
      "related to septage.", "§ 329-7 B(3)")),
    ("restricted since yesterday", lambda who: restrict(who, "2026-10-05T15:00"), {},
     (False, "restricted", "Do not accept: the plant is restricted since Mon, Oct 5, 3:00 p.m. because of an "
      "operational problem related to septage.", "§ 329-7 B(3)")),
    ("a second before seven", nothing, {"at": "2026-10-06T06:59:59"},
     (False, "outside_hours", "Do not accept now: unloading is 7:00 to 10:00 a.m. It is 6:59 a.m.", "§ 329-7 F(4)")),
    ("the last second", nothing, {"at": "2026-10-06T09:59:59"},
     (True, "may_unload", "May unload without a booking, if the gallons still fit.", "")),
    ("ten o'clock", nothing, {"at": "2026-10-06T10:00"},
     (False, "outside_hours", "Do not accept now: unloading is 7:00 to 10:00 a.m. It is 10:00 a.m.", "§ 329-7 F(4)")),
    ("Saturday", nothing, {"at": "2026-10-10T08:00"},
     (False, "closed", "Do not accept: the plant is closed on Saturday, October 10, 2026: unloading is Monday to "
      "Friday only.",
      "§ 329-7 F(4)")),
    ("Thanksgiving", nothing, {"at": "2026-11-26T08:00"},
     (False, "closed", "Do not accept: the plant is closed on Thursday, November 26, 2026: Thanksgiving Day.",
      "§ 329-7 F(4)")),
    ("closed for the day", close, {},
     (False, "closed", "Do not accept: the plant is closed on Tuesday, October 6, 2026: Screen repair.",
      "§ 329-7 C(1)")),
]  # fmt: skip


@pytest.mark.parametrize(("case", "arrange", "asked", "answer"), MATRIX, ids=[row[0] for row in MATRIX])
def test_the_gate_gives_one_answer_with_one_reason(case, arrange, asked, answer):
    who = hauler()
    arrange(who)
    given = ask(who, **asked)
    assert (given.ok, given.code, given.sentence, given.cite) == answer


ORDER = [
    ("unknown_business", {"business_id": None}), ("revoked", revoke), ("licence", end_licence),
    ("truck", {"truck_id": None}), ("not_septage", {"waste": "other"}), ("restricted", restrict), ("closed", close),
]  # fmt: skip


@pytest.mark.parametrize("first", range(len(ORDER)), ids=[name for name, _ in ORDER])
def test_the_first_reason_in_the_order_is_the_answer(first):
    who = hauler()
    asked: dict[str, Any] = {}
    for _, wrong in ORDER[first:]:
        if isinstance(wrong, dict):
            asked |= wrong
        else:
            wrong(who)
    assert ask(who, **asked).code == ORDER[first][0]


def test_a_good_answer_names_the_booking_it_counts_for():
    who = hauler()
    booking = booked(book(who, session("2026-10-06T07:00", 1_000)))
    answer = ask(who)
    assert (answer.booking, answer.sentence) == (booking, f"May unload under booking {booking.number}: 1,000 gallons.")


def test_a_booking_for_another_day_is_not_for_today():
    who = hauler()
    booking = booked(book(who, session("2026-10-07T07:00", 1_000)))
    answer = ask(who, booking=booking)
    assert (answer.code, answer.sentence, answer.next_step) == (
        "booking_other_day", f"Booking {booking.number} is for Wed, Oct 7.", BOOK_ELSE)  # fmt: skip
    assert ask(who).booking is None


def test_a_booking_of_another_hauler_is_not_taken():
    who, other = hauler(), hauler("Other Pumping", number=2)
    booking = booked(book(other, session("2026-10-06T07:00", 1_000)))
    answer = ask(who, booking=booking)
    assert (answer.code, answer.sentence) == ("booking_other_hauler", f"Booking {booking.number} is another hauler's.")


def test_a_cancelled_booking_is_not_taken():
    who = hauler()
    booking = booked(book(who, session("2026-10-06T07:00", 1_000)))
    good(kept(cancel_booking(world.plant(), booking.id, "", by=who.by, at=MORNING, law=world.law())))
    answer = ask(who, booking=booking)
    assert (answer.code, answer.sentence) == ("booking_ended", f"Booking {booking.number} was cancelled.")


def test_a_booking_is_used_once():
    who = hauler()
    booking = booked(book(who, session("2026-10-06T07:00", 300)))
    good(log(who, 300, booking=booking))
    answer = ask(who, "2026-10-06T08:00", booking=booking)
    assert (answer.code, answer.sentence) == (
        "booking_used", f"Booking {booking.number} was used: load ticket 2026-00001.")  # fmt: skip
    assert ask(who, "2026-10-06T08:00").booking is None


def test_a_booking_whose_truck_was_refused_is_used():
    who = hauler()
    booking = booked(book(who, session("2026-10-06T07:00", 300)))
    good(refuse(who, booking=booking))
    assert ask(who, booking=booking).code == "booking_used"


def test_a_booking_held_by_a_lower_limit_waits():
    who, other = hauler(), hauler("Other Pumping", number=2)
    planned(other, session("2026-10-06T07:00", 600, gph=300))
    booking = planned(who, session("2026-10-06T07:00", 600, gph=300))
    made = restrict_plant(world.plant(), "operational_problem", scope="rate", gph=300, by=world.staff("director"),
                          at=world.at("2026-10-06T06:30"), law=world.law())  # fmt: skip
    good(kept(made))
    answer = ask(who, booking=booking)
    assert (answer.code, answer.sentence) == (
        "booking_held", f"Booking {booking.number} is on hold until the restriction is lifted.")  # fmt: skip


def test_the_gate_opens_again_when_the_restriction_is_lifted():
    who = hauler()
    made = restrict()
    assert ask(who).code == "restricted"
    good(kept(lift_restriction(world.plant(), made.id, "Pump mended", by=world.staff("director"),
                               at=world.at("2026-10-06T07:00"), law=world.law())))  # fmt: skip
    assert ask(who).ok is True


def test_a_revocation_holds_from_its_own_second():
    who = hauler()
    revoke(who, "2026-10-06T08:00")
    assert (ask(who, "2026-10-06T07:59:59").ok, ask(who, "2026-10-06T08:00").code) == (True, "revoked")


def test_another_of_the_haulers_trucks_may_come_for_the_booking():
    who = hauler()
    booking = booked(book(who, session("2026-10-06T07:00", 300)))
    truck = good(kept(add_truck(business(who.business_id), TruckLine("T-9", 2_000), by=who.by, at=MORNING)))
    grant_trucks(who)
    answer = ask(who, booking=booking, truck_id=truck.id)
    assert (answer.ok, answer.booking) == (True, booking)


def test_a_truck_added_after_the_approval_waits_for_the_committee():
    who = hauler()
    truck = good(kept(add_truck(business(who.business_id), TruckLine("T-9", 2_000), by=who.by, at=MORNING)))
    answer = ask(who, truck_id=truck.id)
    assert (answer.ok, answer.code, answer.sentence, answer.cite, answer.next_step) == (
        False, "truck_not_approved",
        "Do not accept: truck T-9 is not one of the trucks of approval A-2026-27-001.", "§ 329-7 A",
        "Ask the committee for another truck, on the page Your approval.")  # fmt: skip
    grant_trucks(who)
    assert ask(who, truck_id=truck.id).ok is True
