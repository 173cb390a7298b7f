"""A decision recorded late, for a meeting that could not know of answers changed since: asked about first."""

from dataclasses import replace
from datetime import time
from typing import Any

import pytest
from sqlalchemy import select

from haulers.actions import answer_change, open_change
from haulers.actions.minutes import minutes
from haulers.models import Application, ApplicationChange, Decision, Motion
from haulers.queries import recorded
from haulers.queries.answers import Answers
from haulers.states import Ballot
from office.db import db
from ordinances.refusal import Refusal
from tests import world
from tests.haulers.builders import MEETING, approve, filed, hauler, record, roll
from tests.haulers.test_changes import LESS, do, owner, wish
from tests.haulers.test_pages_city import decision, full
from tests.haulers.test_pages_hauler import once, signed_in, text

LATER = "2026-09-18T09:00"
SAID = ("Changed after the meeting began, and decided as it is now: 2026-27/0001, O'Brien & Søn Septic, L.L.C., "
        "Wednesday, September 16, 2026, 10:00 a.m.: Source 1: Gallons in winter: 12,000, now 9,000; When you bring it: "
        "(blank), now In both; Unusual waste: (blank), now No; About the unusual waste: (blank), now There is "
        "none.")  # fmt: skip


def changed(at: str) -> Application:
    """A filed application whose hauler changed its winter gallons at an instant, on a member's request."""
    one = filed(hauler())
    made: Any = do(open_change, one, "committee", "Fewer", None, wish=wish(), at="2026-09-04T10:00")
    done = do(answer_change, made.id, [LESS], Answers("both", "no"), by=owner(one), at=at)
    assert isinstance(done, ApplicationChange), done
    return one


def test_a_decision_of_a_meeting_before_the_change_is_asked_about(app: Any) -> None:
    one = changed("2026-09-16T10:00")
    said = record([approve(one)], at=LATER)
    assert isinstance(said, Refusal)
    assert (said.code, said.why, said.cite) == (
        "changed_since", "Answers were changed after the meeting of September 15, 2026 began: application 2026-27/0001 "
        "of O'Brien & Søn Septic, L.L.C., Wednesday, September 16, 2026, 10:00 a.m.", "§ 329-7 B(2)",
    )  # fmt: skip
    assert said.next_step == (
        "Check the meeting date, or tick that the committee decided on the answers as they are now."
    )
    assert db.session.scalars(select(Motion)).all() == []


def test_ticked_it_is_recorded_and_the_minutes_say_what_changed(app: Any) -> None:
    one = changed("2026-09-16T10:00")
    made = record([approve(one)], at=LATER, as_changed=True)
    assert made.about[1] == SAID
    found = recorded(world.plant().id, made.id)
    assert found is not None
    assert minutes(found, world.law(MEETING))[-1] == SAID
    assert db.session.scalars(select(Decision.gallons_winter)).one() == 9000


@pytest.mark.parametrize(
    ("began", "at", "asked"),
    [
        (None, "2026-09-14T23:59:59", False),
        (None, "2026-09-15T00:00:00", True),
        (time(18), "2026-09-15T17:59:59", False),
        (time(18), "2026-09-15T18:00:00", True),
    ],
)
def test_a_change_before_the_meeting_began_is_what_it_voted_on(app: Any, began: Any, at: str, asked: bool) -> None:
    one = changed(at)
    made = record([approve(one)], replace(roll(), began=began), LATER)
    assert (getattr(made, "code", "") == "changed_since") is asked
    if not asked:
        assert len(made.about) == 1


def test_the_hour_recorded_with_an_earlier_motion_counts(app: Any) -> None:
    one, other = changed("2026-09-15T17:00"), filed(hauler("Second Septic", "second@hauler.example"))
    assert record([approve(other)], replace(roll(), began=time(18)), LATER).passed is True
    assert record([approve(one)], at=LATER).passed is True


def test_a_motion_that_fails_is_asked_about_too(app: Any) -> None:
    one = changed("2026-09-16T10:00")
    lost = roll(Ballot.NO, Ballot.NO, Ballot.AYE)
    assert record([approve(one)], lost, LATER).code == "changed_since"
    assert record([approve(one)], lost, LATER, as_changed=True).passed is False


def test_the_page_shows_what_changed_and_offers_the_tick(app: Any, clock_at: Any) -> None:
    clock_at(LATER)
    one = changed("2026-09-16T10:00")
    db.session.commit()
    client, address = signed_in(app, "clerk"), "/bayfield/committee/2026-27/decide"
    row = full(one) | {"gallons_winter": "9,000"}
    tick = "The committee decided on the answers as they are now"
    assert tick not in text(client.get(address))
    page = client.post(address, data=decision(row, step="review"))
    said = text(page)
    assert page.status_code == 422
    assert ("Answers were changed after the meeting of September 15, 2026 began" in said, tick in said) == (True, True)
    shown = ("<th scope=\"row\">O&#39;Brien &amp; Søn Septic, L.L.C.: Source 1: Gallons in winter</th><td>12,000</td>"
             "<td>9,000</td>")  # fmt: skip
    assert shown in page.get_data(as_text=True)
    read = text(client.post(address, data=decision(row, step="review", as_changed="1")))
    assert ("Read back the decision" in read, "<td>12,000</td><td>9,000</td>" in read) == (True, True)
    answer = client.post(address, data=decision(row, step="record", as_changed="1") | once())
    assert answer.status_code == 303
    assert db.session.scalars(select(Decision.gallons_winter)).one() == 9000
