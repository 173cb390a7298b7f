"""A member's own note: kept, changed, emptied, and shown to nobody else on a page, in the packet or the history."""

from typing import Any

import pytest
from sqlalchemy import func, select

from haulers.actions.notes import keep_note
from haulers.actions.packet import make_packet
from haulers.models import MemberNote
from office.db import db
from office.letters import Letter
from ordinances.calendar import season_named
from ordinances.refusal import Refusal
from tests import world
from tests.haulers.builders import draft, filed, hauler
from tests.haulers.test_pages_hauler import once, signed_in, text

SECRET = "Ask about the cabins; the smell last May"
NOW = world.at("2026-09-10T09:00")
PAGE = "/bayfield/committee/2026-27/0001"


def keep(application: Any, words: str, who: str = "member1") -> Any:
    return keep_note(world.plant(), application.id, words, by=world.staff(who), at=NOW)


def test_a_note_is_kept_changed_and_emptied_in_one_row(app: Any) -> None:
    application = filed(hauler())
    for words in (SECRET, f" {SECRET}! ", ""):
        assert isinstance(keep(application, words), MemberNote)
    assert db.session.execute(select(MemberNote.words, MemberNote.person_id)).all() == [
        ("", world.staff("member1").person_id)
    ]
    keep(application, SECRET, "member2")
    assert db.session.scalar(select(func.count(MemberNote.id))) == 2


@pytest.mark.parametrize("who", ["clerk", "director", "operator", "admin"])
def test_only_a_member_keeps_a_note(app: Any, who: str) -> None:
    said = keep(filed(hauler()), SECRET, who)
    assert isinstance(said, Refusal)
    assert (said.code, said.why) == ("not_your_role", "Only a committee member may do this.")


def test_a_draft_and_a_long_note_are_refused(app: Any) -> None:
    assert keep(draft(hauler()), SECRET).code == "not_filed"
    other = filed(hauler("Other", "other@hauler.example"))
    assert keep(other, "a" * 4_000).words == "a" * 4_000
    assert keep(other, "a" * 4_001).why == "The note must be 4,000 characters or less."


def test_the_note_is_on_its_members_pages_alone(app: Any, clock_at: Any) -> None:
    clock_at("2026-09-10T09:00")
    filed(hauler())
    client = signed_in(app, "member1")
    done = client.post(PAGE, data={"words": SECRET} | once())
    assert done.location == PAGE
    for address in (PAGE, "/bayfield/committee"):
        assert SECRET in text(client.get(address)), address
        for other in ("member2", "clerk", "director"):
            assert SECRET not in text(signed_in(app, other).get(address)), (address, other)
    history = text(signed_in(app, "admin").get("/bayfield/history"))
    assert "keep note" in history.replace("_", " ").lower()
    assert "smell last May" not in history


def test_the_packet_holds_no_note(app: Any) -> None:
    keep(filed(hauler()), SECRET)
    season = season_named(world.law(), "2026-27")
    made = make_packet(world.plant(), season, by=world.staff("member1"), at=NOW, law=world.law())
    assert isinstance(made, Letter)
    assert "smell" not in str(made.data)


def test_a_clerk_who_posts_a_note_is_told_whose_it_is(app: Any, clock_at: Any) -> None:
    clock_at("2026-09-10T09:00")
    filed(hauler())
    answer = signed_in(app, "clerk").post(PAGE, data={"words": SECRET} | once())
    assert answer.status_code == 422
    assert "Only a committee member may do this." in text(answer)
