"""After the close answers change only on the committee's request, and what was asked for in time counts."""

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from haulers import queries
from haulers.actions import answer_change, ask_change, open_asked_change, open_change, record_filing_fee
from haulers.actions.on_paper import change_on_paper
from haulers.actions.packet import make_packet
from haulers.actions.referrals import ask_for_changes
from haulers.models import Application, ApplicationChange
from haulers.queries.answers import Answers
from haulers.queries.opened import Wish, part_of
from haulers.queries.sitting import members_since
from office.db import db
from ordinances.calendar import season_named
from tests import world
from tests.haulers.builders import OUTSIDE, SOURCE, filed, hauler, roll
from tests.haulers.test_changes import AT, asked, do, owner, wish
from tests.haulers.test_pages_hauler import signed_in, text
from tests.haulers.test_paper import enter
from tests.haulers.test_sitting import _appoint, _resign, change

pytestmark = pytest.mark.usefixtures("app")
MORE, LESS = replace(SOURCE, gallons_winter=15000), replace(SOURCE, gallons_winter=9000)
LAST_SECOND, NEXT_DAY = "2026-09-01T23:59:59", "2026-09-02T00:00:00"


@pytest.fixture
def application(app: Any) -> Application:
    return filed(hauler())


def answer(made: ApplicationChange, *lines: Any, at: str = AT) -> Any:
    one = db.session.get_one(Application, made.application_id)
    return do(answer_change, made.id, lines, Answers(), by=owner(one), at=at)


def row(at: str = "2026-09-10T09:00") -> Any:
    law = world.law(date(2026, 9, 10))
    return queries.review_table(world.plant(), season_named(law, "2026-27"), law, world.at(at)).rows[0]


@pytest.mark.parametrize("by", ["clerk", "director"])
def test_nobody_opens_an_application_after_the_close_on_their_own(application: Application, by: str) -> None:
    assert do(open_change, application, "committee", "More", None, by=by, at=LAST_SECOND).due_on == date(2026, 9, 1)
    said = do(open_change, filed(hauler("Second", "s@hauler.example")), "committee", "More", None, by=by, at=NEXT_DAY)
    assert (said.code, said.why, said.next_step) == (
        "no_basis", "The window for season 2026-27 closed September 1, 2026. After it an application changes only on "
        "the committee's request.", "Enter who of the committee asked for it, and on which day, or record the "
        "committee's motion.",
    )  # fmt: skip
    assert said.cite == "§ 329-7 B(1)"


def test_whom_of_the_committee_it_rests_on_is_kept(application: Application) -> None:
    made = asked(application)
    assert do(open_asked_change, made.id, None).code == "no_basis"
    done = do(open_asked_change, made.id, None, (), wish(date(2026, 9, 3)))
    assert done.basis == "Member1 of the City of the committee asked for it on September 3, 2026"
    assert (done.due_on, done.opened_by) == (None, "Clerk of the City")


@pytest.mark.parametrize("on", [date(2026, 8, 11), date(2026, 9, 5)])
def test_the_committee_cannot_have_asked_before_it_was_sent_nor_tomorrow(application: Application, on: date) -> None:
    assert do(open_change, application, "committee", "More", None, wish=wish(on)).code == "wish_day"


def test_who_asked_is_one_who_sat_on_that_day_not_one_of_today(application: Application) -> None:
    newbie = change(_appoint, "2026-09-03T00:00")
    change(_resign, "member1", "2026-09-04T00:00")
    gone = world.staff("member1").person_id
    since = world.at("2026-08-12T10:30")
    assert [one.id for one in members_since(world.plant(), since, world.at(AT))] == [
        gone, *(world.staff(name).person_id for name in ("member2", "member3")), newbie,
    ]  # fmt: skip
    assert gone not in [one.id for one in members_since(world.plant(), world.at("2026-09-04T00:00"), world.at(AT))]
    for member, day in ((newbie, date(2026, 9, 2)), (gone, date(2026, 9, 4))):
        said = do(open_change, application, "committee", "More", None, wish=Wish(member, day))
        assert (said.code, said.why) == (
            "no_such_member", f"Select who of the committee asked for it: a member on September {day.day}, 2026.",
        )  # fmt: skip
    made = do(open_change, application, "committee", "More", None, wish=wish(date(2026, 9, 3)))
    assert made.basis == "Member1 of the City of the committee asked for it on September 3, 2026"


def test_the_clerks_form_offers_those_who_sat_since_it_was_sent(app: Any, clock_at: Any,
                                                                application: Application) -> None:  # fmt: skip
    clock_at(AT)
    change(_resign, "member1", "2026-09-01T00:00")
    change(_resign, "member2", "2026-08-12T10:30")
    db.session.commit()
    page = text(signed_in(app, "clerk").get(f"/bayfield/clerk/filings/{application.id}/change"))
    assert ("Member1 of the City" in page, "Member2 of the City" in page) == (True, False)


def test_a_change_opened_in_the_window_ends_with_it_unless_the_committee_asked(application: Application) -> None:
    at = "2026-08-25T10:00"
    said = do(open_change, application, "committee", "More", date(2026, 9, 15), at=at)
    assert (said.code, said.why) == (
        "past_close", "The window closes September 1, 2026. After it an answer changes only on the committee's "
        "request.",
    )  # fmt: skip
    made = do(open_change, application, "hauler", "Less", None, at=at)
    said = answer(made, LESS, at=NEXT_DAY)
    assert (said.code, said.why) == (
        "ended", "The window for season 2026-27 closed September 1, 2026, and the change of application 2026-27/0001 "
        "ended with it.",
    )  # fmt: skip
    second = do(open_change, application, "committee", "Less", None, wish=wish())
    assert (made.refused_at, made.refusal) == (world.at(AT), "It ended with the window on September 1, 2026.")
    assert isinstance(answer(second, LESS), ApplicationChange)


def test_it_may_be_made_to_the_last_second_of_the_window(application: Application) -> None:
    made = do(open_change, application, "hauler", "Less", None, at="2026-08-25T10:00")
    assert isinstance(answer(made, LESS, at=LAST_SECOND), ApplicationChange)


def test_a_paper_received_after_the_close_needs_the_committee_and_one_in_time_does_not(app: Any) -> None:
    made = enter()

    def change(came: date, line: Any, asked_by: Any = None) -> Any:
        return do(change_on_paper, made.id, came, "Less", [line], Answers(), asked_by, at="2026-09-04T10:00")

    assert change(date(2026, 9, 2), LESS).code == "no_basis"
    assert change(date(2026, 9, 1), LESS).basis == ""
    done = change(date(2026, 9, 2), SOURCE, wish())
    assert done.basis == "Member1 of the City of the committee asked for it on September 4, 2026"


def test_only_what_was_asked_for_is_open(application: Application) -> None:
    made = do(open_change, application, "committee", "A map", None, None, ("files", "sources"), by="member1")
    assert made.opens == ["sources", "files"]
    said = answer(made, MORE)
    assert (said.code, said.why) == (
        "not_opened", "Only this is open: the sources (type, place, tank, how often), files. Put back what is not: "
        "Source 1: Gallons in winter: 12,000.",
    )  # fmt: skip
    assert isinstance(answer(made, replace(SOURCE, place="County Road J, numbers 1 to 40")), ApplicationChange)


def test_the_page_of_a_change_shows_only_what_is_open(application: Application, app: Any, clock_at: Any) -> None:
    made = do(open_change, application, "committee", "A map", None, None, ("files",), by="member1")
    db.session.commit()
    clock_at("2026-09-05T10:00")
    page = text(signed_in(app).get(f"/bayfield/hauler/apply/changes/{made.id}"))
    assert "<p>Open for a change: files.</p>" in page
    assert ('name="sheet"' in page, 'name="sources-0-waste"' in page, 'name="unusual"' in page) == (True, False, False)


@pytest.mark.parametrize(("name", "part"), [
    ("Source 2: Gallons a load", "gallons"), ("Source 12: Where it comes from", "sources"), ("Lab sheet", "files"),
    ("When you bring it", "season"), ("About the unusual waste", "unusual"), ("How the filing fee is paid", ""),
])  # fmt: skip
def test_every_answer_belongs_to_one_part(name: str, part: str) -> None:
    assert part_of(name) == part


def test_gallons_raised_after_the_close_are_marked_and_the_suggestion_goes_by_those_in_time(
    application: Application,
) -> None:
    made = do(open_change, application, "committee", "How much?", None, by="member1")
    answer(made, MORE, OUTSIDE)
    found = row()
    assert (found.totals.asked_winter, found.suggested_winter) == (18000, 12000)
    assert (found.totals.asked_rest, found.suggested_rest) == (25000, 8000)
    assert found.checks[-2:] == ["Changed after it was sent", "More gallons after the close"]
    assert found.changed.lines[0] == "Source 1: Gallons in winter: 12,000 → 15,000"
    assert found.changed.lines[-2:] == [
        "Asked for in winter after the close: 18,000 gallons. In time, and counted: 12,000.",
        "Asked for in the rest of the year after the close: 25,000 gallons. In time, and counted: 8,000.",
    ]
    law = world.law(date(2026, 9, 10))
    packet = make_packet(world.plant(), season_named(law, "2026-27"), by=world.staff("clerk"),
                         at=world.at("2026-09-10T09:00"), law=law)  # fmt: skip
    assert packet.data["haulers"][0]["changed"] == found.changed.lines


def test_gallons_the_committees_motion_asked_for_count_as_given(application: Application) -> None:
    when = world.at("2026-09-16T09:00")
    ask_for_changes(world.plant(), roll(), [application.id], "How much?", None, ["gallons"], by=world.staff("clerk"),
                    at=when, law=world.law(when.date()))  # fmt: skip
    made = db.session.query(ApplicationChange).one()
    assert made.basis == "The committee's motion of September 15, 2026"
    answer(made, MORE, at="2026-09-17T09:00")
    found = row("2026-09-18T09:00")
    assert (found.suggested_winter, found.changed.raised) == (15000, ())


def test_less_after_the_close_counts_as_it_is_now(application: Application) -> None:
    answer(do(open_change, application, "committee", "How much?", None, by="member1"), LESS)
    assert (row().suggested_winter, row().changed.raised) == (9000, ())


def test_more_gallons_inside_the_window_count(application: Application) -> None:
    made = do(open_change, application, "hauler", "More", None, at="2026-08-25T10:00")
    answer(made, MORE, at=LAST_SECOND)
    assert (row().suggested_winter, row().changed.raised) == (15000, ())


def test_a_haulers_own_wish_leaves_the_application_complete(application: Application) -> None:
    do(record_filing_fee, application.id, "check", "1042", date(2026, 8, 20), at="2026-08-20T10:00")
    before = row().said
    do(ask_change, application.id, "Another place", by=owner(application))
    assert (before[0], row().said[0], row().said[-1]) == ("Complete", "Complete", "Change asked for")
