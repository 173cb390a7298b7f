"""Motions that decide nothing yet: tabled, sent back for changes, late requests taken; approvals carried over."""

import io
from dataclasses import replace
from datetime import date
from typing import Any

from pypdf import PdfReader
from sqlalchemy import func, select

from haulers.actions.carry_over import (
    UNNAMED,
    carry_over_approvals,
    carry_over_opens,
    carry_over_reading,
    latest_carry_over,
)
from haulers.actions.late import ask_late
from haulers.actions.referrals import ask_for_changes, table_applications, take_late_requests
from haulers.models import Application, ApplicationChange, CarryOver, Motion, Referral
from haulers.queries import recorded, standing
from haulers.queries.awaiting import awaiting
from haulers.queries.decisions import late_requests
from haulers.queries.late_votes import late_vote_words
from haulers.states import Ballot, StandingState
from office.db import db
from office.letters import Letter, render
from office.notices import Notice
from ordinances.calendar import season_named
from tests import world
from tests.haulers.builders import OBRIEN, acting, approve, approved, draft, filed, hauler, issue, record, roll
from tests.haulers.test_pages_hauler import signed_in, text

AYE, NO, RECUSED = Ballot.AYE, Ballot.NO, Ballot.RECUSED


def put(act: Any, *given: Any, call: Any = None, at: str = "2026-09-16T09:00", by: str = "clerk") -> Any:
    when = world.at(at)
    return act(world.plant(), call or roll(), *given, by=world.staff(by), at=when, law=world.law(when.date()))


def late(business: Any, at: str = "2026-09-05T09:00") -> Application:
    draft(business)
    when = world.at(at)
    made = ask_late(world.plant(), business.id, "The owner was in hospital.", by=acting(business), at=when,
                    law=world.law(when.date()))  # fmt: skip
    assert isinstance(made, Application), made
    return made


def test_a_tabled_application_stays_open_with_why_it_was_put_off(app: Any) -> None:
    application = filed(hauler())
    motion = put(table_applications, [application.id], "Wait for the lab.")
    row = db.session.scalars(select(Referral)).one()
    assert (motion.passed, row.kind, row.words, application.state) == (True, "table", "Wait for the lab.", "filed")
    found = recorded(world.plant().id, motion.id)
    assert found is not None
    assert [(one.kind, two.id) for one, two in found.referrals] == [("table", application.id)]
    assert record([approve(application)]).passed is True
    assert put(table_applications, [application.id]).code == "not_open"


def test_a_motion_to_table_that_ties_refers_nothing(app: Any) -> None:
    application = filed(hauler())
    motion = put(table_applications, [application.id], call=roll(AYE, NO, RECUSED))
    assert (motion.lost, db.session.scalars(select(Referral)).all()) == ("Tie: 1 aye, 1 no.", [])


def test_asking_for_changes_opens_the_application_with_a_letter(app: Any) -> None:
    application = filed(hauler())
    assert put(ask_for_changes, [application.id], " ", None).code == "no_words"
    motion = put(ask_for_changes, [application.id], "Say where the holding tanks are.", date(2026, 9, 25))
    change = db.session.scalars(select(ApplicationChange)).one()
    assert (change.motion_id, change.side, change.due_on) == (motion.id, "committee", date(2026, 9, 25))
    letter = db.session.get_one(Letter, change.letter_id)
    assert (letter.kind, letter.title) == ("more_information", "More information for application 2026-27/0001")
    pages = PdfReader(io.BytesIO(render(letter.template, letter.data))).pages
    said = " ".join(pages[0].extract_text().split())
    assert len(pages) == 1
    for words in (OBRIEN, "On September 15, 2026 the Public Works Committee", "Say where the holding tanks are.",
                  "by September 25, 2026", "(§ 329-7 B(2))"):  # fmt: skip
        assert words in said
    notice = db.session.scalars(select(Notice).filter_by(kind="change")).one()
    assert notice.subject == "We need more information for application 2026-27/0001 by September 25"
    assert notice.letter_id == letter.id


def test_a_second_request_while_one_waits_records_nothing(app: Any) -> None:
    application = filed(hauler())
    put(ask_for_changes, [application.id], "First.", None)
    assert put(ask_for_changes, [application.id], "Second.", None).code == "change_waiting"
    assert len(db.session.scalars(select(Motion)).all()) == 1


def test_a_late_request_is_taken_by_a_motion_and_then_decided(app: Any) -> None:
    application = late(hauler())
    assert (application.number, application.state) == ("2026-27/L-001", "asked_late")
    assert record([approve(application)]).code == "not_open"
    lost = put(take_late_requests, [application.id], call=roll(AYE, NO, RECUSED))
    assert (lost.passed, application.state) == (False, "asked_late")
    assert [one.id for one in late_requests(world.plant().id, "2026-27")] == [application.id]
    motion = put(take_late_requests, [application.id])
    assert (application.state, application.taken_by_id) == ("filed", motion.id)
    assert late_requests(world.plant().id, "2026-27") == []
    assert put(take_late_requests, [application.id]).code == "not_late_request"
    decided = record([approve(application)])
    assert [one.kind for one in issue(decided)] == ["approval"]


def told(kind: str = "application") -> list[tuple[str, str, str]]:
    """To whom, with what subject and words, the messages after the receipt went."""
    query = select(Notice).where(Notice.kind == kind, Notice.party_id.is_not(None), Notice.letter_id.is_(None))
    return [(one.to_email, one.subject, one.body) for one in db.session.scalars(query.order_by(Notice.id))]


STAYS = ("Your request stays on record as you sent it, and nothing is decided about it. It is not before the Public "
         "Works Committee for a decision unless a later vote takes it.\n\nQuestions: Bayfield Wastewater Treatment "
         "Works, 715-555-0100")  # fmt: skip


def test_a_hauler_is_told_when_the_motion_to_take_a_late_request_does_not_carry(app: Any) -> None:
    application = late(hauler())
    assert (told(), late_vote_words(application)) == ([], "")
    put(take_late_requests, [application.id], call=roll(AYE, NO, RECUSED))
    assert told() == [(
        "o'brien@hauler.example", "Your late request 2026-27/L-001 is not taken",
        "On September 15, 2026 the Public Works Committee voted on taking your application 2026-27/L-001 late "
        f"(§ 329-7 B(1), § 329-7 B(2)). The motion did not carry.\n\n{STAYS}",
    )]  # fmt: skip
    assert application.state == "asked_late"
    assert late_vote_words(application) == (
        "On September 15, 2026 the committee voted on taking it late, and the motion did not carry. It is not before "
        "the committee unless a later vote takes it."
    )  # fmt: skip
    at = world.at("2026-09-17T09:00")
    waits = awaiting(world.plant().id, application.business_id, world.law(at.date()), at)
    assert (waits.title, waits.lines[0]) == (
        "Your late request 2026-27/L-001 is not taken yet", late_vote_words(application),
    )  # fmt: skip
    assert put(take_late_requests, [application.id]).passed is True
    assert len(told()) == 1


def test_a_hauler_is_told_when_the_vote_on_a_late_request_is_put_off(app: Any) -> None:
    application, other = late(hauler()), filed(hauler("Second Septic", "second@hauler.example"))
    motion = put(table_applications, [application.id, other.id], "The lab's figures are to come")
    assert (motion.passed, application.state) == (True, "asked_late")
    assert told() == [(
        "o'brien@hauler.example", "The vote on your late request 2026-27/L-001 is put off",
        "On September 15, 2026 the Public Works Committee put off its vote on taking your application 2026-27/L-001 "
        f"late (§ 329-7 B(1), § 329-7 B(2)). The lab's figures are to come.\n\n{STAYS}",
    )]  # fmt: skip
    assert late_vote_words(application) == (
        "On September 15, 2026 the committee put off its vote on taking it late. Nothing is decided before that vote."
    )  # fmt: skip


def test_a_lost_motion_to_table_a_late_request_tells_nobody(app: Any) -> None:
    application = late(hauler())
    put(table_applications, [application.id], call=roll(AYE, NO, RECUSED))
    assert told() == []
    assert put(ask_for_changes, [application.id], "More.", None).code == "not_open"


def test_a_late_request_is_not_taken_by_a_meeting_before_it_came(app: Any) -> None:
    application = late(hauler())
    early = roll(held_on=date(2026, 9, 4))
    assert put(take_late_requests, [application.id], call=early).code == "meeting_before_filing"


def carry(until: date, at: str = "2027-10-06T09:00", **more: Any) -> Any:
    when = world.at(at)
    call = more.pop("call", None) or roll(held_on=when.date(), words="Carry over.")
    return carry_over_approvals(world.plant(), call, "2027-28", until, by=world.staff("clerk"), at=when,
                                law=world.law(when.date()))  # fmt: skip


def waiting() -> Any:
    """A hauler approved for 2026-27 whose application for 2027-28 waits."""
    business = hauler()
    approval = approved(business)
    filed(business, at="2027-08-12T10:30")
    return approval


def test_carrying_over_is_voted_from_the_middle_of_september_and_the_gate_stays_open(app: Any) -> None:
    approval = waiting()
    early = carry(date(2027, 11, 29), "2027-09-14T23:59:59")
    assert (early.code, early.why, early.cite) == (
        "not_overdue", "Approvals are carried over only when decisions are late: they are due by October 1, 2027. It "
        "may be voted from September 15, 2027.", "§ 329-7 B(2)")  # fmt: skip
    soon = carry(date(2027, 9, 30), "2027-09-15T00:00:00")
    assert (soon.code, soon.why) == (
        "too_long", "The last day must be from October 1, 2027 to November 29, 2027, 60 days at most.")  # fmt: skip
    assert carry(date(2027, 11, 29), "2027-09-15T00:00:00").passed is True
    law = world.law(date(2027, 10, 1))
    for when in ("2027-09-30T23:59", "2027-10-01T00:00", "2027-10-01T07:00"):
        assert standing(world.plant().id, approval.business_id, world.at(when), law).state is StandingState.APPROVED


def test_a_law_adopted_before_it_named_a_day_lets_it_be_voted_from_the_middle_of_the_evaluation(
    app: Any, clock_at: Any, monkeypatch: Any
) -> None:
    from ordinances.reader import Law

    has = Law.has
    monkeypatch.setattr(Law, "has", lambda law, key, day: key != "decision.carry_over_from" and has(law, key, day))
    approval = waiting()
    early = carry(date(2027, 11, 29), "2027-09-15T23:59:59")
    why = ("Approvals are carried over only when decisions are late: they are due by October 1, 2027. It may be voted "
           "from September 16, 2027.")  # fmt: skip
    assert (early.code, early.why, early.cite, early.reading) == ("not_overdue", why, "§ 329-7 B(2)", UNNAMED)
    clock_at("2027-09-16T08:00")
    page = text(signed_in(app, "clerk").get("/bayfield/committee/2027-28/motion/carry-over"))
    assert f"It may be voted from September 16, 2027. {UNNAMED}" in page
    assert carry(date(2027, 11, 29), "2027-09-16T00:00:00").passed is True
    law = world.law(date(2027, 10, 1))
    found = standing(world.plant().id, approval.business_id, world.at("2027-10-01T07:00"), law)
    assert found.state is StandingState.APPROVED


def test_where_approvals_are_not_carried_over_no_day_is_named_for_it(app: Any, monkeypatch: Any) -> None:
    from ordinances.reader import Law

    has = Law.has
    monkeypatch.setattr(Law, "has", lambda law, key, day: key != "decision.carry_over_days" and has(law, key, day))
    waiting()
    season = season_named(world.law(), "2027-28")
    assert (carry_over_opens(world.law(), season), carry_over_reading(world.law(), season)) == (None, "")
    said = carry(date(2027, 11, 29), "2027-10-06T09:00")
    assert (said.code, said.why) == ("no_carry_over", "The law here says nothing of carrying approvals over.")


def test_approvals_are_carried_over_to_their_last_second(app: Any) -> None:
    approval = waiting()
    assert carry(date(2027, 11, 29), "2027-10-02T00:00:00").passed is True
    row = db.session.scalars(select(CarryOver)).one()
    assert (row.season, row.until) == ("2027-28", date(2027, 11, 29))
    notice = db.session.scalars(select(Notice).filter_by(kind="carry_over")).one()
    assert notice.subject == "Your approval A-2026-27-001 is carried over, to November 29, 2027 at the latest"
    law = world.law(date(2027, 10, 6))
    for day, state in (("2027-11-29T23:59", StandingState.APPROVED), ("2027-11-30T00:00", StandingState.NOT_APPROVED)):
        assert standing(world.plant().id, approval.business_id, world.at(day), law).state is state


def test_a_carry_over_ends_within_sixty_days_and_is_done_once(app: Any) -> None:
    waiting()
    assert latest_carry_over(world.law(), season_named(world.law(), "2027-28")) == date(2027, 11, 29)
    said = carry(date(2027, 11, 30))
    assert (said.code, said.why) == (
        "too_long", "The last day must be from the day of the meeting to November 29, 2027, 60 days at most.",
    )  # fmt: skip
    assert carry(date(2027, 10, 5)).code == "too_long"
    assert carry(date(2027, 10, 6)).passed is True
    assert carry(date(2027, 11, 1)).code == "carried_before"


def test_without_an_approval_of_the_season_before_nothing_is_carried_over(app: Any) -> None:
    filed(hauler(), at="2027-08-12T10:30")
    assert carry(date(2027, 11, 1)).code == "nothing_to_carry"


def test_approvals_are_carried_over_while_letters_wait_and_not_once_all_are_out(app: Any) -> None:
    waiting()
    application = db.session.scalars(select(Application).filter_by(season="2027-28")).one()
    decided = record([approve(application)], roll(held_on=date(2027, 9, 15)), at="2027-09-16T09:00")
    savepoint = db.session.begin_nested()
    assert carry(date(2027, 11, 1)).passed is True
    savepoint.rollback()
    issue(decided, at="2027-10-02T09:00")
    assert carry(date(2027, 11, 1)).code == "none_open"


def test_a_member_who_drives_for_a_carried_hauler_is_recused(app: Any) -> None:
    from office.access import system
    from tests.haulers.test_decisions import _give_interest

    approval = waiting()
    from haulers.queries import party_of_business

    member = world.staff("member3")
    _give_interest(member.person_id or 0, party_of_business(approval.business_id).id, by=system(),
                   at=world.at("2026-07-01T09:00"))  # fmt: skip
    assert carry(date(2027, 11, 1)).code == "own_business"
    call = replace(roll(AYE, AYE, RECUSED), held_on=date(2027, 10, 6))
    assert carry(date(2027, 11, 1), call=call).passed is True


def test_nothing_is_put_off_sent_back_or_taken_late_once_the_season_has_ended(app: Any) -> None:
    one = filed(hauler())
    asked = late(hauler("Late Septic", "late@hauler.example"))
    call, over, last = roll(held_on=date(2027, 9, 29)), "2027-10-01T00:00", "2027-09-30T23:59"
    before = db.session.scalar(select(func.count(Notice.id)))
    for said in (put(table_applications, [one.id], "Wait.", call=call, at=over),
                 put(ask_for_changes, [one.id], "Say where.", None, call=call, at=over),
                 put(take_late_requests, [asked.id], call=call, at=over)):  # fmt: skip
        assert (said.code, said.why) == (
            "season_over",
            "Season 2026-27 ended September 30, 2027, so nothing about its applications is decided any more.",
        )  # fmt: skip
    assert db.session.scalar(select(func.count(Notice.id))) == before
    assert (db.session.scalars(select(Motion)).all(), asked.state) == ([], "asked_late")
    assert put(take_late_requests, [asked.id], call=call, at=last).passed is True
