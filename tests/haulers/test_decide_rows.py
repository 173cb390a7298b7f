"""The rows of a motion on its page: what is wrong in each at once, rejections, the read-back (§ 329-7 B)."""

import re
from dataclasses import replace
from datetime import date
from itertools import pairwise
from typing import Any

import pytest
from sqlalchemy import select

from haulers.actions import DecisionLine, exception_codes
from haulers.models import Amendment, Decision, Motion
from haulers.states import Outcome
from office.db import db
from ordinances.calendar import season_named
from tests import world
from tests.haulers import test_amendments as asking
from tests.haulers.builders import MEETING, SOURCE, approve, approved, filed, hauler, record, roll
from tests.haulers.test_decision_pages import DECIDE, motion
from tests.haulers.test_pages_city import SHOWN, count, decision, full
from tests.haulers.test_pages_hauler import once, signed_in, text

CHANGES = "/bayfield/committee/changes/decide"
SECOND, THIRD = "Second Septic", "Third Septic"


def others() -> list[Any]:
    return [filed(hauler(SECOND, "second@hauler.example")), filed(hauler(THIRD, "third@hauler.example"))]


def test_every_row_in_error_is_named_at_once_by_its_hauler(app: Any, clock_at: Any) -> None:
    clock_at("2026-09-16T09:00")
    first, (second, third) = filed(hauler()), others()
    rows = [full(first) | {"gallons_rest": "7,000"}, full(second) | {"gallons_winter": "x"},
            full(third) | {"outcome": "rejected"}]  # fmt: skip
    page = signed_in(app, "clerk").post(DECIDE, data=decision(*rows, step="review"))
    assert page.status_code == 422
    for line in (
        f'<a href="#rows-0-outcome-0">{SHOWN}: to approve in full, the approved gallons must be all that is asked for.'
        "</a>",
        f'<a href="#rows-1-gallons_winter">{SECOND}: Approved gallons in winter must be a number, like 1,500</a>',
        f'<a href="#rows-2-reason">{THIRD}: enter why the application was rejected.</a>',
    ):
        assert text(page).count(line) == 1, line
    fixed = decision(rows[0], full(second), rows[2], step="review")
    page = text(signed_in(app, "clerk").post(DECIDE, data=fixed))
    assert (page.count('<li><a href="#rows-'), page.count('<li><a href="#rows-1')) == (2, 0)


def test_a_rejection_takes_no_gallons_whatever_is_suggested(app: Any, clock_at: Any) -> None:
    clock_at("2026-09-16T09:00")
    first, second = filed(hauler()), filed(hauler(SECOND, "second@hauler.example"))
    why = {"outcome": "rejected", "reason": "Not ours.", "reason_code": "incompatible"}
    rows = [full(first) | why, full(second) | why | {"gallons_winter": "", "gallons_rest": "none"}]
    client = signed_in(app, "clerk")
    assert "Approved 0 of 40,000 gallons." in text(client.post(DECIDE, data=decision(*rows, step="review")))
    client.post(DECIDE, data=decision(*rows, step="record"))
    found = db.session.scalars(select(Decision).order_by(Decision.id))
    assert [(one.outcome, one.gallons_winter, one.gallons_rest) for one in found] == [("rejected", 0, 0)] * 2


def test_the_read_back_holds_each_haulers_conditions_and_the_states_reason(app: Any, clock_at: Any) -> None:
    clock_at("2026-09-16T09:00")
    first, second = filed(hauler()), filed(hauler(SECOND, "second@hauler.example"))
    row = full(first) | {"outcome": "in_part", "gallons_winter": "5,000", "reason": "Full.",
                         "reason_code": "capacity_or_limits", "conditions": "Call before the first load."}  # fmt: skip
    data = decision(row, full(second), step="review", conditions="No loads on Mondays.")
    page = text(signed_in(app, "clerk").post(DECIDE, data=data))
    law = world.law(MEETING)
    code = exception_codes(law, season_named(law, "2026-27"))["capacity_or_limits"]
    assert f"<p>The state&#39;s reason: {code}.</p>".replace("&#39;", "'") in page
    assert "<p>Conditions for this hauler:</p><ul><li>Call before the first load.</li></ul>" in page
    assert (page.count("Conditions for this hauler"), page.count("<h2>Conditions in every approval</h2>")) == (1, 1)
    assert ("<li>No loads on Mondays.</li>" in page, "<details" in page) == (True, False)


def test_picked_applications_that_are_decided_are_called_so(app: Any, clock_at: Any) -> None:
    clock_at("2026-09-16T09:00")
    first, second = filed(hauler()), filed(hauler(SECOND, "second@hauler.example"))
    record([approve(first)])
    db.session.commit()
    client = signed_in(app, "clerk")
    page = text(client.get(f"{DECIDE}?application={first.id}"))
    assert (f"Decided before: {SHOWN} " in page, "Every application" in page) == (
        True, False)  # fmt: skip
    record([approve(second)])
    db.session.commit()
    done = text(client.get(DECIDE))
    assert "Every application of season 2026-27 is decided. To change what was recorded, open its motion" in done
    for path in ("committee?season=2026-27", "committee/changes", "clerk/letters"):
        assert f'href="/bayfield/{path}"' in done


@pytest.mark.parametrize(
    ("now", "meeting", "off"),
    [("2026-09-02T09:00", (9, 1), False), ("2026-09-01T09:00", (8, 31), True), ("2026-10-01T09:00", (10, 1), False),
     ("2026-10-02T09:00", (10, 2), True)],
)  # fmt: skip
def test_a_meeting_outside_the_month_of_evaluation_is_said_and_recorded_all_the_same(
    app: Any, clock_at: Any, now: str, meeting: tuple[int, int], off: bool
) -> None:
    clock_at(now)
    application = filed(hauler())
    month, day = meeting
    data = decision(full(application), step="review") | {"held_on-month": str(month), "held_on-day": str(day)}
    client = signed_in(app, "clerk")
    page = text(client.post(DECIDE, data=data))
    assert ("Read back the decision" in page, "Outside the month of evaluation" in page) == (True, off)
    said = "Applications are evaluated from September 1, 2026 to October 1, 2026"
    assert (said in page) is off
    client.post(DECIDE, data=data | {"step": "record"} | once())
    assert count(Motion) == 1


def test_the_page_before_the_month_of_evaluation_says_so_at_once(app: Any, clock_at: Any) -> None:
    client = signed_in(app, "clerk")
    clock_at("2026-08-31T23:59:59")
    filed(hauler())
    page = text(client.get(DECIDE))
    assert "This meeting is on August 31, 2026." in page
    levels = [int(level) for level in re.findall(r"<h([1-4])", page)]
    assert [(one, after) for one, after in pairwise(levels) if after > one + 1] == []
    clock_at("2026-09-01T00:00")
    assert "Outside the month of evaluation" not in text(client.get(DECIDE))


def test_what_is_approved_beyond_the_plant_is_said_in_words_and_a_rejection_still_recorded(
    app: Any, clock_at: Any
) -> None:
    clock_at("2026-09-16T09:00")
    record([approve(filed(hauler(THIRD, "third@hauler.example"), replace(SOURCE, gallons_winter=257000)))], over=True)
    application = filed(hauler())
    db.session.commit()
    client = signed_in(app, "clerk")
    page = text(client.get(DECIDE))
    assert ", 47,210 gallons more are approved than the plant can take." in page
    assert ("−" in page, "the rest of the year the plant can take " in page) == (False, True)
    row = full(application) | {"outcome": "rejected", "reason": "Full.", "reason_code": "capacity_or_limits"}
    assert "Read back the decision" in text(client.post(DECIDE, data=decision(row, step="review")))


def test_the_page_of_changes_names_every_row_and_asks_whether_an_excess_is_accepted(app: Any, clock_at: Any) -> None:
    for name, email in ((SECOND, "second@hauler.example"), (THIRD, "third@hauler.example")):
        asking.ask(approved(hauler(name, email)), winter=400000)
    db.session.commit()
    clock_at(asking.DECIDED_AT)
    ids = list(db.session.scalars(select(Amendment.id).order_by(Amendment.id)))
    client = signed_in(app, "clerk")
    assert "The committee accepts this" not in text(client.get(CHANGES))

    def typed(*rows: dict[str, str]) -> dict[str, str]:
        met = {"held_on-month": "12", "held_on-day": "15", "held_on-year": "2026", "step": "review"}
        lines = {f"rows-{n}-{name}": value for n, row in enumerate(rows) for name, value in row.items()}
        return motion() | met | lines | {f"rows-{n}-amendment_id": str(ident) for n, ident in enumerate(ids)} | once()

    refused = {"answer": "refuse", "winter": "", "rest": "x"}
    part = {"answer": "grant", "winter": "399,999", "rest": "0"}
    page = text(client.post(CHANGES, data=typed(refused, part)))
    assert f'<a href="#rows-0-reason">{SECOND}: enter why the change is refused</a>' in page
    assert f'<a href="#rows-1-reason">{THIRD}: enter why not all of it is granted</a>' in page
    whole = typed(refused | {"reason": "Full."}, part | {"reason": "Nearly full."})
    page = text(client.post(CHANGES, data=whole))
    assert ("more than the plant can take" in page, "The committee accepts this" in page) == (True, True)
    page = text(client.post(CHANGES, data=whole | {"over_capacity": "1"} | once()))
    assert ("Read back the motion on changes" in page, "More than the plant can take" in page) == (True, True)
    assert "its hauler hears nothing, until the clerk issues the letters." in page


def test_the_page_to_give_an_approval_back_asks_whether_an_excess_is_accepted(app: Any, clock_at: Any) -> None:
    old = approved(hauler())
    asking.revoke(old)
    other = filed(hauler(SECOND, "second@hauler.example"), replace(SOURCE, gallons_winter=209790))
    line = DecisionLine(other.id, Outcome.APPROVED, 209790, 8000)
    record([line], roll(held_on=date(2026, 12, 8)), "2026-12-09T09:00")
    db.session.commit()
    clock_at(asking.DECIDED_AT)
    client, address = signed_in(app, "clerk"), f"/bayfield/committee/approvals/{old.id}/reinstate"
    data = motion(step="review", reason="Mended.") | {
        "held_on-month": "12", "held_on-day": "15", "starts-month": "12", "starts-day": "20", "starts-year": "2026",
    }  # fmt: skip
    page = text(client.post(address, data=data))
    assert "more than the plant can take (12,000 in winter)" in page
    assert "The committee accepts this" in page
    done = client.post(address, data=data | {"step": "record", "over_capacity": "1"} | once())
    page = text(client.get(done.location))
    assert "give the approval back from December 20, 2026, 12,000 gallons in winter" in page
    assert "The committee accepts that more is approved than the plant can take." in page


def test_the_page_of_a_lost_motion_says_what_was_put_to_the_vote(app: Any, clock_at: Any) -> None:
    clock_at("2026-09-16T09:00")
    application = filed(hauler())
    client = signed_in(app, "clerk")
    done = client.post(DECIDE, data=decision(full(application), ballot="no", step="record"))
    page = text(client.get(done.location))
    assert f"Put to the vote: 2026-27/0001, {SHOWN}: approve, 12,000 gallons in winter and 8,000 in the rest" in page


def test_another_number_than_suggested_needs_its_reason_and_the_read_back_and_the_minutes_name_it(
    app: Any, clock_at: Any
) -> None:
    clock_at("2026-09-16T09:00")
    much = filed(hauler(), replace(SOURCE, gallons_winter=250000))
    client = signed_in(app, "clerk")
    row = full(much) | {"gallons_winter": "250,000", "outcome": "approved"}
    page = text(client.post(DECIDE, data=decision(row, step="review")))
    said = (f"{SHOWN}: 209,790 gallons in winter and 8,000 in the rest of the year are suggested. Enter why another "
            "number is put to the vote.")  # fmt: skip
    assert f'<a href="#rows-0-departure">{said}</a>' in page
    typed = decision(row | {"departure": "The lagoon takes the rest"}, step="review") | {"over_capacity": "1"}
    departs = ("Suggested: 209,790 gallons in winter and 8,000 in the rest of the year. Why another number: The lagoon "
               "takes the rest.")  # fmt: skip
    assert f"Not as suggested</span> {departs}</p>" in text(client.post(DECIDE, data=typed))
    done = client.post(DECIDE, data=typed | {"step": "record"} | once())
    assert db.session.scalars(select(Decision.departure)).one() == departs
    page = text(client.get(done.location))
    assert f"approved, 250,000 gallons in winter and 8,000 in the rest of the year. {departs}</p>" in page


def test_what_is_suggested_needs_no_reason_and_a_cut_has_the_one_its_hauler_reads(app: Any) -> None:
    first, second = filed(hauler()), filed(hauler(SECOND, "second@hauler.example"))
    bare = replace(approve(first), departure="")
    cut = DecisionLine(second.id, Outcome.IN_PART, 12000, 7999, reason="It is full.")
    assert record([bare, cut]).passed is True
    assert [one.departure for one in db.session.scalars(select(Decision).order_by(Decision.id))] == [
        "", "Suggested: 12,000 gallons in winter and 8,000 in the rest of the year.",
    ]  # fmt: skip


def test_the_hour_stands_beside_the_day_and_each_box_says_what_it_is(app: Any, clock_at: Any) -> None:
    clock_at("2026-09-16T09:00")
    filed(hauler())
    db.session.commit()
    page = text(signed_in(app, "clerk").get(DECIDE))
    order = [page.index(words) for words in ("Meeting date", "Time the meeting began", "Words of the motion",
                                             "Conflicts of interest and agenda")]  # fmt: skip
    assert order == sorted(order)
    labels = ("Reason in the letter", "Reason in the minutes for another number than suggested",
              "Conditions in the approval")  # fmt: skip
    assert [page.count(f">{words} <") for words in labels] == [1, 1, 1]


def test_a_motion_that_carried_is_said_in_the_good_panel_also_while_its_letters_wait(app: Any, clock_at: Any) -> None:
    clock_at("2026-09-16T09:00")
    made = record([approve(filed(hauler()))])
    db.session.commit()
    page = text(signed_in(app, "clerk").get(f"/bayfield/committee/motions/{made.id}"))
    assert "1 letter waits to be issued" in page
    assert page.count('<section class="panel panel-open">') == 1
    assert "panel-late" not in page
