"""A slip in what is recorded of a meeting: the clerk puts it right, and both texts stay to be read."""

from dataclasses import replace
from datetime import time
from typing import Any

import pytest
from flask import g
from sqlalchemy import event, select

from haulers.actions.meeting_record import correct_meeting
from haulers.actions.meetings import early_notice
from haulers.actions.minutes import minutes
from haulers.models import Meeting, MeetingCorrection, Motion
from haulers.queries import recorded
from office.db import db
from office.history import changes
from office.journal import JournalEntry
from office.notices import Notice
from ordinances.refusal import Refusal
from tests import world
from tests.haulers.builders import MEETING, filed, hauler, roll
from tests.haulers.test_decision_pages import motion
from tests.haulers.test_pages_hauler import once, signed_in, text
from tests.haulers.test_sitting import _resign, change, put

POSTED, RIGHT = "2026-09-14T09:00", "2026-09-11T09:00"
SAID = (
    "Corrected September 18, 2026 by Clerk of the City: the agenda was posted Friday, September 11, 2026, 9:00 a.m. "
    "(recorded before as Monday, September 14, 2026, 9:00 a.m.); the meeting began at 6:30 p.m. (recorded before as "
    "6:00 a.m.). Why: Read from the wrong notice."
)


def told() -> Motion:
    """A motion of a meeting with an agenda and an hour, the hour mistyped."""
    made: Motion = put(filed(hauler()), replace(roll(), agenda_posted_at=world.at(POSTED), began=time(6, 0)))
    assert made.passed is True
    return made


def correct(agenda: str | None = RIGHT, began: time | None = time(18, 30), why: str = "Read from the wrong notice",
            by: str = "clerk", when: str = "2026-09-18T09:00") -> Any:  # fmt: skip
    meeting = db.session.scalars(select(Meeting)).one()
    return correct_meeting(world.plant(), meeting.id, world.at(agenda) if agenda else None, began, why,
                           by=world.staff(by), at=world.at(when), law=world.law(MEETING))  # fmt: skip


def first_line(made: Motion) -> str:
    found = recorded(world.plant().id, made.id)
    assert found is not None
    return minutes(found, world.law(MEETING))[0]


def test_the_minutes_of_a_motion_keep_what_they_said_and_add_the_correction(app: Any) -> None:
    made = told()
    before = first_line(made)
    assert isinstance(correct(), MeetingCorrection)
    lead, conflicts = before.split(" Conflicts of interest:")
    assert first_line(made) == f"{lead} {SAID} Conflicts of interest:{conflicts}"
    assert lead == ("Public Works Committee, Tuesday, September 15, 2026, 6:00 a.m. The agenda was posted Monday, "
                    "September 14, 2026, 9:00 a.m.")  # fmt: skip
    later = put(filed(hauler("Second Septic", "second@hauler.example")), at="2026-09-19T09:00")
    assert first_line(later).startswith("Public Works Committee, Tuesday, September 15, 2026, 6:30 p.m. The agenda was "
                                        "posted Friday, September 11, 2026, 9:00 a.m. Corrected")  # fmt: skip


def test_a_second_correction_keeps_the_first_and_the_history_holds_old_and_new(app: Any) -> None:
    made = told()
    correct()
    again = correct(began=time(18, 45), why="The tape says 6:45", when="2026-09-19T09:00")
    assert (again.began_before, again.began_after) == (world.at("2026-09-15T18:30"), world.at("2026-09-15T18:45"))
    found = recorded(world.plant().id, made.id)
    assert found is not None
    assert found.corrected == (
        SAID, "Corrected September 19, 2026 by Clerk of the City: the meeting began at 6:45 p.m. (recorded before as "
        "6:30 p.m.). Why: The tape says 6:45.",
    )  # fmt: skip
    db.session.commit()
    entry = db.session.scalars(select(JournalEntry).filter_by(table_name="meeting")
                               .order_by(JournalEntry.id.desc()).limit(1)).one()  # fmt: skip
    assert (entry.reason, entry.cite) == ("The tape says 6:45", "§ 329-7 B(2)")
    g.plant = world.plant()  # the history is read on a page of the plant
    assert changes(entry) == [
        "began at: Tuesday, September 15, 2026, 6:30 p.m. → Tuesday, September 15, 2026, 6:45 p.m.",
    ]  # fmt: skip


def test_what_was_not_recorded_is_entered_by_a_correction_too(app: Any) -> None:
    made = put(filed(hauler()))
    assert isinstance(correct(began=None), MeetingCorrection)
    assert first_line(made) == (
        "Public Works Committee, Tuesday, September 15, 2026. When the agenda was posted is not recorded. Corrected "
        "September 18, 2026 by Clerk of the City: the agenda was posted Friday, September 11, 2026, 9:00 a.m. (not "
        "recorded before). Why: Read from the wrong notice. Conflicts of interest: none stated."
    )


def test_the_members_are_told_of_a_correction(app: Any) -> None:
    told()
    correct()
    found = db.session.scalars(select(Notice).filter_by(kind="meeting_corrected").order_by(Notice.to_email)).all()
    assert [one.to_email for one in found] == [f"member{n}@city.example" for n in (1, 2, 3)]
    assert found[0].subject == "The record of the meeting of September 15, 2026 is corrected"
    assert SAID in found[0].body


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"why": "  "}, "no_words"),
        ({"agenda": POSTED, "began": time(6, 0)}, "nothing_changed"),
        ({"agenda": None}, "no_agenda"),
        ({"began": None}, "no_hour"),
        ({"agenda": "2026-09-15T18:30"}, "agenda_after"),
        ({"when": "2026-09-15T18:29"}, "not_begun"),
        ({"by": "member1"}, "not_your_role"),
    ],
)
def test_a_correction_is_refused(app: Any, given: dict[str, Any], code: str) -> None:
    told()
    said = correct(**given)
    assert isinstance(said, Refusal)
    assert said.code == code
    assert db.session.scalars(select(Meeting.began_at)).one() == world.at("2026-09-15T06:00")


def test_the_meeting_began_before_its_motions_were_recorded(app: Any) -> None:
    put(filed(hauler()), at="2026-09-15T18:29")
    said = correct()
    assert (said.code, said.why) == (
        "begun_late", "A motion of this meeting was recorded at 6:29 p.m. on September 15, 2026, before that hour.",
    )  # fmt: skip
    assert isinstance(correct(began=time(18, 29)), MeetingCorrection)


def test_an_hour_at_which_others_sat_than_the_roll_call_names_is_refused(app: Any) -> None:
    told()
    change(_resign, "member3", "2026-09-15T18:00")
    said = correct()
    assert (said.code, said.why, said.cite) == (
        "other_roll", "At that hour others sat than the recorded roll call names: Member3 of the City.",
        "§ 329-7 B(2)",
    )  # fmt: skip
    assert isinstance(correct(began=time(17, 59)), MeetingCorrection)


def test_an_agenda_posted_more_than_two_weeks_before_is_asked_about() -> None:
    law = world.law(MEETING)
    assert early_notice(MEETING, world.at("2026-09-01T00:00"), law) == ""
    assert early_notice(MEETING, world.at("2026-08-31T23:59"), law) == (
        "The agenda was posted 15 days before the meeting. Check the day and the year of both."
    )
    assert early_notice(MEETING, None, law) == ""


def test_the_read_back_warns_of_an_agenda_of_another_year(app: Any, clock_at: Any) -> None:
    clock_at("2026-09-17T09:00")
    application = filed(hauler())
    db.session.commit()
    client, address = signed_in(app, "clerk"), "/bayfield/committee/2026-27/motion/table"
    typed = motion(step="review", applications=str(application.id), agenda_at="4:00 p.m.") | {
        "agenda_on-month": "9", "agenda_on-day": "14", "agenda_on-year": "2025",
    }  # fmt: skip
    page = text(client.post(address, data=typed))
    assert "The agenda was posted 366 days before the meeting. Check the day and the year of both." in page


def test_the_clerk_corrects_on_the_meetings_page_and_everybody_of_the_committee_reads_both(
    app: Any, clock_at: Any
) -> None:
    clock_at("2026-09-18T09:00")
    made = told()
    db.session.commit()
    clerk, meeting = signed_in(app, "clerk"), f"/bayfield/committee/meetings/{made.meeting_id}"
    assert f"{meeting}" in clerk.get(f"/bayfield/committee/motions/{made.id}").get_data(as_text=True)
    address = f"/bayfield/clerk/meetings/{made.meeting_id}/correct"
    shown = clerk.get(address).get_data(as_text=True)
    assert ('value="6:00 a.m."' in shown, 'value="9:00 a.m."' in shown) == (True, True)
    typed = {"began": "6:30 p.m.", "agenda_on-month": "9", "agenda_on-day": "11", "agenda_on-year": "2026",
             "agenda_at": "9:00 a.m."}  # fmt: skip
    empty = clerk.post(address, data=typed | once())
    assert (empty.status_code, "Enter what was wrong" in text(empty)) == (422, True)
    typed["reason"] = "Read from the wrong notice"
    assert clerk.post(address, data=typed | once()).status_code == 303
    for who in ("clerk", "member1", "director"):
        assert SAID in text(signed_in(app, who).get(meeting))
    assert "Correct the agenda or the hour" not in text(signed_in(app, "member1").get(meeting))
    assert SAID in text(clerk.get(f"/bayfield/committee/motions/{made.id}"))


def test_a_meeting_of_another_plant_is_not_found(app: Any, clock_at: Any) -> None:
    clock_at("2026-09-18T09:00")
    db.session.commit()
    client = signed_in(app, "clerk")
    assert client.get("/bayfield/committee/meetings/77").status_code == 404
    assert client.get("/bayfield/clerk/meetings/77/correct").status_code == 404


def test_a_meetings_page_asks_as_much_for_five_motions_as_for_one(app: Any, clock_at: Any) -> None:
    clock_at("2026-09-20T09:00")
    made = told()
    correct()
    db.session.commit()
    client, seen = signed_in(app, "member1"), list[str]()

    def asked() -> int:
        client.get(f"/bayfield/committee/meetings/{made.meeting_id}")
        seen.clear()
        event.listen(db.engine, "before_cursor_execute", note)
        assert client.get(f"/bayfield/committee/meetings/{made.meeting_id}").status_code == 200
        event.remove(db.engine, "before_cursor_execute", note)
        return len(seen)

    def note(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        seen.append(statement)

    one = asked()
    for n in range(4):
        put(filed(hauler(f"Hauler {n}", f"h{n}@hauler.example")), at="2026-09-19T09:00")
    db.session.commit()
    assert (asked(), one <= 12) == (one, True)
