"""The calendar file with a message about a booking, read by a standard parser from the mail a real server took."""

from datetime import UTC, timedelta

import pytest
from icalendar import Calendar
from sqlalchemy import select

from haulers.actions.revocation import revoke_approval
from intake.actions.booking import cancel_booking
from intake.actions.closures import close_day
from intake.actions.moving import move_booking
from intake.actions.no_show import record_no_show, undo_no_show
from intake.actions.restriction import lift_restriction, restrict_plant
from intake.queries import feed
from office import mailer
from office.db import db
from office.letters import Letter, make_pdf
from office.mailer import deliver
from tests import world
from tests.intake.gatehouse import good, kept, log
from tests.intake.plant import MORNING, TUESDAY, book, hauler, session
from tests.intake.specials import arranged, working_hours
from tests.office.test_mailer import use
from tests.smtp import MailServer

UID = "B-1006-01-1@bayfield.septage-desk"


@pytest.fixture
def server(app):
    with MailServer() as made:
        use(app, made.port)
        yield made


def minutes(count):
    return MORNING + timedelta(minutes=count)


def parts(message):
    return [one for one in message.iter_attachments() if one.get_content_type() == "text/calendar"]


def sent(server, who, at):
    """What went to a hauler: subject, method, and of each event its name, version, state and start."""
    before = len(server.accepted)
    for ident in db.session.scalars(select(Letter.id).where(Letter.file_id.is_(None))).all():
        make_pdf(ident, at)
    deliver(at)
    found = []
    for message in server.accepted[before:]:
        if message["to"].addresses[0].addr_spec != who.email:
            assert parts(message) == []
            continue
        [part] = parts(message) or [None]
        if part is None:
            found.append((message["subject"].split(":")[0], None))
            continue
        whole = Calendar.from_ical(part.get_content() if isinstance(part.get_content(), bytes) else
                                   part.get_payload(decode=True))  # fmt: skip
        assert part["content-type"].params["method"] == str(whole["method"])
        events = [(str(one["uid"]), int(one["sequence"]), str(one["status"]), f"{one['dtstart'].dt:%m-%d %H:%M}")
                  for one in whole.walk("VEVENT")]  # fmt: skip
        found.append((message["subject"].split(":")[0], str(whole["method"]), events))
    return found


def given(by, at):
    return {"by": by, "at": at, "law": world.law()}


def test_a_booking_made_moved_and_cancelled_keeps_its_name_with_a_higher_version(server):
    who = hauler()
    booking = book(who, session("2026-10-06T07:00", 600))
    assert sent(server, who, MORNING) == [("Booked", "PUBLISH", [(UID, 0, "CONFIRMED", "10-06 07:00")])]
    kept(move_booking(world.plant(), booking.id, [session("2026-10-07T08:00", 600)], **given(who.by, minutes(5))))
    [(subject, method, [(uid, moved, status, starts)])] = sent(server, who, minutes(5))
    assert (subject, method, uid, status, starts, moved > 0) == (
        "Moved", "PUBLISH", UID, "CONFIRMED", "10-07 08:00", True)  # fmt: skip
    kept(cancel_booking(world.plant(), booking.id, "", **given(who.by, minutes(9))))
    [(subject, method, [(uid, gone, status, _)])] = sent(server, who, minutes(9))
    assert (subject, method, uid, status, gone > moved) == ("Cancelled", "CANCEL", UID, "CANCELLED", True)
    # The feed says the same of it.
    [event] = feed.events_of(world.plant(), who.business_id, minutes(9))
    assert (event.uid, event.sequence, event.status) == (UID, gone, "CANCELLED")


def test_the_file_is_one_that_mail_programs_take(server):
    who = hauler()
    book(who, session("2026-10-30T07:00", 600))
    deliver(MORNING)
    [part] = parts(server.accepted[0])
    assert (part.get_filename(), part["content-disposition"].content_disposition) == ("B-1030-01.ics", "attachment")
    assert part["content-type"].params == {"method": "PUBLISH", "charset": "utf-8"}
    whole = Calendar.from_ical(part.get_payload(decode=True))
    [event] = whole.walk("VEVENT")
    assert (str(event["organizer"]), event["organizer"].params["CN"]) == (
        "mailto:septage@city.example", "Bayfield Wastewater Treatment Works")  # fmt: skip
    assert event["dtstart"].dt.astimezone(UTC).isoformat() == "2026-10-30T12:00:00+00:00"
    assert str(event["url"]) == "http://localhost:8000/bayfield/hauler/bookings/B-1030-01"
    assert [str(one["tzid"]) for one in whole.walk("VTIMEZONE")] == ["America/Chicago"]
    assert server.accepted[0].get_body().get_content().startswith("Booked at Bayfield Wastewater Treatment Works")


def test_one_morning_given_up_is_cancelled_and_the_other_stands(server):
    who = hauler()
    booking = book(who, [session("2026-10-06T07:00", 1_998), session("2026-10-07T07:00", 2)])
    assert [one[3] for one in sent(server, who, MORNING)[0][2]] == ["10-06 07:00", "10-07 07:00"]
    kept(cancel_booking(world.plant(), booking.id, "", part=TUESDAY, **given(who.by, minutes(5))))
    [(subject, method, events)] = sent(server, who, minutes(5))
    assert (subject, method, [(one[0], one[2]) for one in events]) == ("Cancelled in part", "PUBLISH", [
        (UID, "CANCELLED"), ("B-1006-01-2@bayfield.septage-desk", "CONFIRMED")])  # fmt: skip


def test_a_restriction_puts_bookings_on_hold_and_its_end_brings_them_back(server):
    who, other = hauler(), hauler("Other Pumping", number=2)
    book(who, session("2026-10-06T07:00", 600))
    deliver(MORNING)
    row = good(kept(restrict_plant(world.plant(), "operational_problem", **given(world.staff("director"), minutes(5)))))
    [(subject, method, [(uid, held, status, _)])] = sent(server, who, minutes(5))
    assert (subject, method, uid, status) == ("RESTRICTED", "PUBLISH", UID, "TENTATIVE")
    good(kept(lift_restriction(world.plant(), row.id, "Mended", **given(world.staff("director"), minutes(9)))))
    [(_, _, [(uid, stands, status, _)])] = sent(server, who, minutes(9))
    assert (uid, status, stands > held) == (UID, "CONFIRMED", True)
    # Whoever has no booking is told without a file.
    assert all(parts(one) == [] for one in server.accepted if one["to"].addresses[0].addr_spec == other.email)


def test_a_closure_a_no_show_and_a_revocation_take_the_event_away(server):
    who = hauler()
    book(who, session("2026-10-06T07:00", 600)), book(who, session("2026-10-08T07:00", 600))
    missed = book(who, session("2026-10-07T07:00", 600))
    deliver(MORNING)
    manager, director = world.staff("manager"), world.staff("director")
    good(kept(close_day(world.plant(), TUESDAY, "Blower", **given(manager, minutes(5)))))
    [(subject, method, events)] = sent(server, who, minutes(5))
    assert (subject, method, [(one[0], one[2]) for one in events]) == ("Cannot be kept", "CANCEL", [(UID, "CANCELLED")])
    late = world.at("2026-10-07T09:00")
    good(kept(record_no_show(world.plant(), missed.id, **given(world.staff("operator"), late))))
    [(subject, _, events)] = sent(server, who, late)
    assert (subject, [(one[0][:9], one[2]) for one in events]) == ("Did not come", [("B-1007-01", "CANCELLED")])
    good(kept(undo_no_show(world.plant(), missed.id, **given(world.staff("operator"), late))))
    assert [one[2] for one in sent(server, who, late)[0][2]] == ["CONFIRMED"]
    rule = world.law().value("revocation.grounds", TUESDAY)[0]
    good(kept(revoke_approval(world.plant(), who.approval_id, rule, "Unloaded at night", **given(director, late))))
    [revoked] = [one for one in sent(server, who, late) if "revoked" in one[0]]
    assert {one[0][:9]: one[2] for one in revoked[2]}["B-1008-01"] == "CANCELLED"


def test_a_special_time_goes_with_its_letter(server):
    working_hours()
    who = hauler()
    arranged(who)
    found = sent(server, who, MORNING)
    assert [one[:2] for one in found] == [("Asked", None), ("Approved", "PUBLISH")]
    assert [one[3] for one in found[1][2]] == ["10-06 14:00"]


def test_a_ticket_has_no_calendar_and_a_late_message_carries_what_holds_now(server):
    who = hauler()
    booking = book(who, session("2026-10-06T07:00", 600))
    kept(move_booking(world.plant(), booking.id, [session("2026-10-06T08:00", 600)], **given(who.by, minutes(5))))
    booked, moved = sent(server, who, minutes(5))
    assert booked[2] == moved[2]
    assert [one[3] for one in booked[2]] == ["10-06 08:00"]
    good(log(who, 600, "2026-10-06T08:00", booking=booking))
    assert [one[1] for one in sent(server, who, world.at("2026-10-06T08:01"))] == [None]


def test_a_file_that_cannot_be_made_holds_up_no_message(server, monkeypatch, caplog):
    def broken(_notice, _at):
        raise KeyError("zone")

    monkeypatch.setattr(mailer, "ATTACH", [broken])
    who = hauler()
    book(who, session("2026-10-06T07:00", 600))
    assert sent(server, who, MORNING) == [("Booked", None)]
    assert "Nothing could be attached to notice" in caplog.text
