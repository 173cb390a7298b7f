"""No meeting votes on what was voted, sent or revoked after it; what a decision is read back with (§ 329-7 B(2))."""

from dataclasses import replace
from datetime import date, time
from typing import Any

import pytest

from haulers.actions import Limit
from haulers.actions.amendments import ask_amendment, decide_amendments
from haulers.actions.meeting_order import not_before
from haulers.actions.referrals import table_applications, take_late_requests
from haulers.actions.reinstatement import reinstate_approval
from haulers.models import Motion
from haulers.ports import PlaceLine
from haulers.queries.motion_lines import AmendLine
from haulers.states import Period
from office.db import db
from ordinances.refusal import Refusal
from tests import world
from tests.haulers.builders import approve, approved, decide, filed, hauler, record, roll
from tests.haulers.conftest import Before
from tests.haulers.test_amendments import owner
from tests.haulers.test_decision_pages import SHOWN
from tests.haulers.test_pages_city import decision, full
from tests.haulers.test_pages_hauler import once, signed_in, text
from tests.haulers.test_referrals import late, put
from tests.haulers.test_revocation import revoke

SIXTEENTH = date(2026, 9, 16)


def test_the_day_itself_is_no_day_before() -> None:
    call = replace_day(SIXTEENTH)
    assert not_before(call, SIXTEENTH, "It was voted") is None
    said = not_before(call, date(2026, 9, 17), "It was voted")
    assert said is not None
    assert said.why == "It was voted on September 17, 2026, after this meeting. Check the meeting date."


def replace_day(day: date) -> Any:
    from haulers.actions import RollCall

    return RollCall(day, "Approve.", 1, 2, {})


def test_what_a_later_meeting_tabled_or_took_is_not_decided_by_an_earlier_one(app: Any) -> None:
    tabled = filed(hauler())
    put(table_applications, [tabled.id], "Wait.", call=roll(held_on=SIXTEENTH))
    said = record([approve(tabled)], at="2026-09-17T09:00")
    assert (said.code, said.why) == (
        "meeting_before", "Application 2026-27/0001 was tabled on September 16, 2026, after this meeting. Check the "
        "meeting date.",
    )  # fmt: skip
    assert record([approve(tabled)], roll(held_on=SIXTEENTH), "2026-09-17T09:00").passed is True
    taken = late(hauler("Second Septic", "second@hauler.example"))
    put(take_late_requests, [taken.id], call=roll(held_on=SIXTEENTH))
    assert " was taken late on September 16, 2026" in record([approve(taken)], at="2026-09-17T09:00").why
    assert " was taken late on " in put(table_applications, [taken.id], at="2026-09-17T09:00").why


def test_an_approval_is_given_back_by_no_meeting_before_it_was_revoked(app: Any) -> None:
    found = approved(hauler())
    revoke(found, at="2026-10-20T09:00")

    def back(held_on: date) -> Any:
        when = world.at("2026-10-21T09:00")
        return reinstate_approval(world.plant(), found.id, roll(held_on=held_on), "Mended.", date(2026, 10, 23),
                                  by=world.staff("clerk"), at=when, law=world.law(when.date()))  # fmt: skip

    said = back(date(2026, 10, 19))
    assert isinstance(said, Refusal)
    assert said.why == "The approval was revoked on October 20, 2026, after this meeting. Check the meeting date."
    assert isinstance(back(date(2026, 10, 20)), Motion)


def test_what_was_sent_after_the_meeting_began_is_not_decided_there(app: Any) -> None:
    """By the instant of the hour typed, or of the one recorded that evening; by the day where none is known."""
    evening, first = roll(held_on=date(2026, 8, 12)), filed(hauler())
    second = filed(hauler("Second Septic", "second@hauler.example"), at="2026-08-12T18:00")
    said = record([approve(second)], replace(evening, began=time(18)))
    assert (said.code, said.why, said.cite) == (
        "meeting_before_filing", "Application 2026-27/0002 was sent at 6:00 p.m. on August 12, 2026, not before the "
        "meeting began at 6:00 p.m. Check the day and the hour of the meeting.", "§ 329-7 B(2)",
    )  # fmt: skip
    assert put(table_applications, [second.id], call=replace(evening, began=time(18))).code == "meeting_before_filing"
    assert record([approve(first)], replace(evening, began=time(18))).passed is True
    assert record([approve(second)], evening).code == "meeting_before_filing"
    other = roll(held_on=date(2026, 8, 13))
    third = filed(hauler("Third Septic", "third@hauler.example"), at="2026-08-13T18:00")
    assert record([approve(third)], replace(other, began=time(17, 59))).code == "meeting_before_filing"
    assert record([approve(third)], replace(other, began=time(18, 1))).passed is True


def test_with_no_hour_recorded_an_application_of_the_day_may_have_been_decided(app: Any) -> None:
    one = filed(hauler(), at="2026-08-12T18:00")
    assert record([approve(one)], roll(held_on=date(2026, 8, 12))).passed is True


def test_a_late_request_is_not_taken_by_a_meeting_that_had_begun(app: Any) -> None:
    one, evening = late(hauler(), at="2026-09-15T18:30"), roll()
    said = put(take_late_requests, [one.id], call=replace(evening, began=time(18)))
    assert said.why == (f"Application {one.number} was sent at 6:30 p.m. on September 15, 2026, not before the meeting "
                        "began at 6:00 p.m. Check the day and the hour of the meeting.")  # fmt: skip
    assert put(take_late_requests, [one.id], call=replace(evening, began=time(18, 31))).passed is True


def test_a_change_asked_for_after_the_meeting_began_is_not_granted_there(app: Any) -> None:
    found = approved(hauler())
    asked: Any = ask_amendment(world.plant(), found.id, "gallons", "More homes.", {}, 4000, 0, by=owner(found),
                               at=world.at("2026-10-20T18:30"), law=world.law(date(2026, 10, 20)))  # fmt: skip

    def grant(began: time) -> Any:
        call = replace(roll(held_on=date(2026, 10, 20)), began=began)
        return put(decide_amendments, [AmendLine(asked.id, True, 4000)], call=call, at="2026-10-21T09:00")

    said = grant(time(18))
    assert (said.code, said.why) == (
        "meeting_before", "The request was sent at 6:30 p.m. on October 20, 2026, not before the meeting began at "
        "6:00 p.m. Check the day and the hour of the meeting.",
    )  # fmt: skip
    assert grant(time(18, 31)).passed is True


def test_an_approval_is_not_given_back_by_a_meeting_begun_before_it_was_revoked(app: Any) -> None:
    found = approved(hauler())
    revoke(found, at="2026-10-20T18:30")

    def back(began: time) -> Any:
        call = replace(roll(held_on=date(2026, 10, 20)), began=began)
        when = world.at("2026-10-21T09:00")
        return reinstate_approval(world.plant(), found.id, call, "Mended.", date(2026, 10, 23),
                                  by=world.staff("clerk"), at=when, law=world.law(when.date()))  # fmt: skip

    assert back(time(18, 30)).why == (
        "The approval was revoked at 6:30 p.m. on October 20, 2026, not before the meeting began at 6:30 p.m. Check "
        "the day and the hour of the meeting."
    )  # fmt: skip
    assert isinstance(back(time(18, 31)), Motion)


def test_the_read_back_warns_that_the_fee_is_unpaid_and_that_approvals_begin_with_their_letters(
    app: Any, clock_at: Any
) -> None:
    clock_at("2026-10-20T09:00")
    application = filed(hauler())
    db.session.commit()
    client, address = signed_in(app, "clerk"), "/bayfield/committee/2026-27/decide"
    sent = decision(full(application), step="review")
    page = text(client.post(address, data=sent))
    assert f"The filing fee was not received for {SHOWN} The letter approves all the same." in page
    assert "Season 2026-27 began October 1, 2026. An approval holds from the day its letter is issued" in page
    clock_at("2026-10-01T09:00")
    assert "began October 1" not in text(client.post(address, data=sent | once()))
    rejected = {"outcome": "rejected", "reason": "Full.", "reason_code": "incompatible"}
    page = text(client.post(address, data=decision(full(application) | rejected, step="review")))
    assert ("Read back the decision" in page, "The filing fee was not received" in page) == (True, False)


@pytest.mark.parametrize("limits", [(), (Limit("", Period.DAY, 3000),)])
def test_the_plan_names_the_points_with_their_hours_and_only_manholes_approved_in_writing(
    app: Any, before: Before, limits: tuple[Limit, ...]
) -> None:
    before.points = [
        PlaceLine("Receiving station", "station"),
        PlaceLine("North dump", "station", time(9, 0), None, ("holding_tank",)),
        PlaceLine("Third Street", "manhole", since=date(2026, 10, 5), until=date(2026, 10, 30)),
    ]
    application = filed(hauler())
    decide([replace(approve(application), allowances=limits)])
    from haulers.queries.committee import approval_of

    found = approval_of(application.id)
    assert found is not None
    assert found.plan[0]["text"].split("waste only. ", 1)[1].startswith(
        f"At {world.plant().name}: Receiving station; North dump, 9:00 a.m. to 10:00 a.m., holding tank waste only; "
        "manhole Third Street, by written approval from October 5, 2026, to October 30, 2026. Monday to Friday, "
        "7:00 a.m. to 10:00 a.m., where no other hours stand. Booked beforehand, at a steady rate; all haulers "
        "together not above "
    )  # fmt: skip
    assert "The fees are reasonable and based on the actual costs" in found.plan[3]["text"]


def test_the_plan_ends_the_hours_with_one_full_stop_where_no_place_is_named(app: Any) -> None:
    application = filed(hauler())
    decide([approve(application)])
    from haulers.queries.committee import approval_of

    found = approval_of(application.id)
    assert found is not None
    assert found.plan[0]["text"].split("waste only. ", 1)[1].startswith(
        f"At {world.plant().name}, Monday to Friday, 7:00 a.m. to 10:00 a.m. Booked beforehand, at a steady rate; "
    )  # fmt: skip
