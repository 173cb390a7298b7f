"""The outbox: a real mail server, one refused address stops nobody, nothing is called sent that was not accepted."""

import socket

from sqlalchemy import select

from office import journal, mailer
from office.access import system
from office.db import db
from office.letters import make_pdf, write
from office.mailer import deliver
from office.notices import Notice, tell_party
from office.people import Party
from tests import world
from tests.smtp import MailServer

NAMES = ("O'Brien & Søn Septic, L.L.C.", "Refused Hauling", "Nguyễn Thị Hà Pumping")


def five_notices(at, letter=False):
    plant = world.plant()
    with journal.frame("test", system(), None, at):
        for name, email in zip(NAMES, ("o'brien@example.org", "gone@example.org", "ha@example.org"), strict=True):
            party = Party(name=name, address="1 Road", email=email, phone="715-555-0101")
            db.session.add(party)
            db.session.flush()
            sheet = _letter(plant, party, at) if letter else None
            tell_party(party, "restriction", f"RESTRICTED: {name}", f"Dear {name},\nstop.", at, plant_id=plant.id,
                       letter_id=sheet.id if sheet else None)  # fmt: skip
        silent = Party(name="No Mail Hauling", phone="715-555-0199")
        db.session.add(silent)
        db.session.flush()
        tell_party(silent, "restriction", "RESTRICTED", "stop", at, plant_id=plant.id)
    db.session.commit()


def _letter(plant, party, at):
    return write(plant, party, "notice", "A notice", {"paragraphs": ["Words for " + party.name]}, at,
                 law_version=None)  # fmt: skip


def states():
    db.session.expire_all()
    return {n.to_name: n.state for n in db.session.scalars(select(Notice))}


def use(app, port):
    app.config.update(MAIL_SERVER="127.0.0.1", MAIL_PORT=str(port), MAIL_FROM="septage@city.example")


def test_one_refused_address_stops_nobody_and_names_read_the_same(app):
    at = world.at("2026-10-06T08:12")
    five_notices(at)
    with MailServer(refuse={"gone@example.org"}) as server:
        use(app, server.port)
        assert deliver(at) == 2
        assert deliver(at) == 0
    assert states() == {NAMES[0]: "sent", NAMES[1]: "failed", NAMES[2]: "sent", "No Mail Hauling": "no_address"}
    first = server.accepted[0]
    assert first["subject"] == f"RESTRICTED: {NAMES[0]}"
    assert first["to"].addresses[0].display_name == NAMES[0]
    assert first.get_content().splitlines()[0] == f"Dear {NAMES[0]},"
    refused = db.session.scalars(select(Notice).filter_by(state="failed")).one()
    assert refused.trouble == "550 no such user here"


def test_server_down_is_tried_again_later_and_each_is_told_once(app):
    at = world.at("2026-10-06T08:12")
    five_notices(at)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        use(app, probe.getsockname()[1])
    for minute in range(12, 59):
        assert deliver(world.at(f"2026-10-06T08:{minute}")) == 0
    assert set(states().values()) == {"waiting", "no_address"}
    with MailServer() as server:
        use(app, server.port)
        assert deliver(world.at("2026-10-06T14:22")) == 3
        assert deliver(world.at("2026-10-06T15:22")) == 0
    assert sorted(m["to"].addresses[0].display_name for m in server.accepted) == sorted(NAMES)


def test_server_that_accepts_and_never_answers_costs_one_wait_and_no_try(app, monkeypatch):
    monkeypatch.setattr(mailer, "PATIENCE", 0.3)
    at = world.at("2026-10-06T08:12")
    five_notices(at)
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        deaf.listen(5)
        use(app, deaf.getsockname()[1])
        assert deliver(at) == 0
    assert {(n.state, n.tries) for n in db.session.scalars(select(Notice))} == {("waiting", 0), ("no_address", 0)}


def test_restriction_goes_before_older_tickets(app):
    at = world.at("2026-10-06T08:12")
    with journal.frame("test", system(), None, at):
        party = Party(name="A", address="", email="a@example.org")
        db.session.add(party)
        db.session.flush()
        for kind in ("ticket", "ticket", "restricted"):
            tell_party(party, kind, kind, "words", at, plant_id=None)
    db.session.commit()
    with MailServer() as server:
        use(app, server.port)
        assert deliver(at, limit=1) == 1
    assert [message["subject"] for message in server.accepted] == ["restricted"]


def test_without_a_mail_server_notices_stay_readable_and_unsent(app, clock_at):
    clock_at("2026-10-06T08:15")
    at = world.at("2026-10-06T08:12")
    five_notices(at)
    app.config["MAIL_SERVER"] = ""
    assert deliver(at) == 0
    client = app.test_client()
    world.sign_in(client, "clerk")
    page = client.get("/bayfield/messages").get_data(as_text=True)
    assert "they are kept here and not mailed" in page
    assert page.count("Not mailed: no mail server is set") == 3
    assert "Call 715-555-0199" in page


def test_letter_goes_with_its_notice_only_once_it_is_drawn(app):
    at = world.at("2026-10-06T08:12")
    five_notices(at, letter=True)
    with MailServer() as server:
        use(app, server.port)
        assert deliver(at) == 0
        for letter_id in (1, 2, 3):
            make_pdf(letter_id, at)
        assert deliver(at) == 3
    attached = next(server.accepted[0].iter_attachments())
    assert attached.get_content_type() == "application/pdf"
    assert attached.get_content()[:5] == b"%PDF-"


def test_line_break_in_a_subject_cannot_add_a_header(app):
    at = world.at("2026-10-06T08:12")
    with journal.frame("test", system(), None, at):
        party = Party(name="X\nBcc: all@example.org", address="", email="x@example.org")
        db.session.add(party)
        db.session.flush()
        tell_party(party, "k", "Hello\nBcc: all@example.org", "text", at, plant_id=None)
    db.session.commit()
    with MailServer() as server:
        use(app, server.port)
        deliver(at)
    assert [m["bcc"] for m in server.accepted] in ([], [None])
