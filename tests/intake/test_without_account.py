"""Messages about bookings to a company nobody signs in for: by phone or post, and no account is named."""

import pytest
from sqlalchemy import select

from office.db import db
from office.letters import Letter
from office.notices import Notice
from tests.haulers.test_kept_words import nobody_signs_in
from tests.intake import specials
from tests.intake.plant import book, hauler, session
from tests.intake.test_waiting import cancel, wait


def body(kind: str) -> str:
    query = select(Notice.body).where(Notice.kind == kind, Notice.party_id.is_not(None)).order_by(Notice.id)
    return db.session.scalars(query).one()


@pytest.mark.parametrize(("account", "where"), [(True, "in your account under Letters"), (False, "enclosed")])
def test_the_letter_of_a_special_time_is_where_its_hauler_finds_it(app, account, where):
    who = hauler()
    specials.working_hours()
    row = specials.ask(who)
    if not account:
        nobody_signs_in(who.business_id)
    specials.arrange(row)
    number = db.session.scalars(select(Letter.number).filter_by(kind="special_time")).one()
    assert f"\nLetter {number} is {where}." in body("special_arranged")


@pytest.mark.parametrize(("account", "how"), [
    (True, "Sign in and answer under Waiting list, or call."), (False, "Call to answer."),
])  # fmt: skip
def test_room_that_is_free_again_is_answered_online_or_by_phone(app, account, how):
    full = hauler("Full Pumping", number=9)
    booking = book(full, session("2026-10-06T07:00", 1_998))
    who = hauler()
    wait(who)
    if not account:
        nobody_signs_in(who.business_id)
        db.session.commit()
    cancel(full, booking)
    assert f"\n{how} With no answer it goes to the next in line.\n" in body("waiting_offer")
