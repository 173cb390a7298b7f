"""Hands waiting notices to the mail server. One refused address stops nobody; nothing is sent twice on purpose."""

import logging
import smtplib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.errors import HeaderParseError
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP

from flask import current_app
from sqlalchemy import case, select

from office import journal
from office.access import system
from office.db import db
from office.files import File
from office.letters import Letter
from office.notices import Notice

log = logging.getLogger("septage.mail")
LEASE = timedelta(minutes=5)
# A server that cannot be reached costs no notice a try; one message the server puts off is given up after these.
TRIES = 12
LONGEST_WAIT = timedelta(hours=1)
PATIENCE = 10
# What must not wait behind the day's tickets.
URGENT = ("restricted", "restriction_update", "lifted", "revocation", "time_lost", "booking_held")


@dataclass(frozen=True)
class Attached:
    """A file that goes with a message, made when it leaves: its bytes, its type with parameters, its name."""

    content: bytes
    maintype: str
    subtype: str
    name: str
    parameters: Mapping[str, str]


# What higher rooms put with their messages; handed in by the application at start.
ATTACH: list[Callable[[Notice, datetime], Attached | None]] = []


def deliver(at: datetime, limit: int = 200) -> int:
    """Send what is due, the urgent first; the number the server accepted.

    Without a mail server notices stay readable in the app. While it cannot be reached they simply wait.
    """
    if not current_app.config["MAIL_SERVER"]:
        return 0
    due = _due(at, limit)
    if not due:
        return 0
    sent = 0
    try:
        with _server() as server:
            for notice_id in due:
                if _lease(notice_id, at):
                    sent += _send(server, notice_id, at)
    except (smtplib.SMTPException, OSError) as error:
        db.session.rollback()
        log.warning("The mail server cannot be reached or broke off (%s); messages wait", error)
    return sent


def _server() -> smtplib.SMTP:
    config = current_app.config
    server = smtplib.SMTP(config["MAIL_SERVER"], int(config["MAIL_PORT"]), timeout=PATIENCE)
    if config["MAIL_TLS"] == "yes":
        server.starttls()
    if config["MAIL_USER"]:
        server.login(config["MAIL_USER"], config["MAIL_PASSWORD"])
    return server


def _due(at: datetime, limit: int) -> list[int]:
    query = select(Notice.id).where(Notice.state == "waiting", Notice.next_try <= at)
    first = case((Notice.kind.in_(URGENT), 0), else_=1)
    ids = list(db.session.scalars(query.order_by(first, Notice.id).limit(limit)))
    db.session.rollback()
    return ids


def _lease(notice_id: int, at: datetime) -> bool:
    # Taken in a short transaction of its own: no lock is held while the mail server answers.
    with journal.frame("send_notice", system("Mail"), None, at):
        query = select(Notice).where(Notice.id == notice_id).with_for_update()
        notice = db.session.scalars(query.execution_options(populate_existing=True)).one()
        free = notice.state == "waiting" and notice.next_try is not None and notice.next_try <= at
        # The PDF of an enclosed letter is made first; a notice never leaves without it.
        letter = db.session.get(Letter, notice.letter_id) if notice.letter_id else None
        if not free or (letter is not None and letter.file_id is None):
            db.session.rollback()
            return False
        notice.next_try = at + LEASE
    db.session.commit()
    return True


def _send(server: smtplib.SMTP, notice_id: int, at: datetime) -> bool:
    notice = db.session.get_one(Notice, notice_id)
    email, tries = notice.to_email, notice.tries
    trouble, final = None, False
    try:
        message = _message(notice, at)
        db.session.rollback()
        server.send_message(message, to_addrs=[email])
    except smtplib.SMTPRecipientsRefused as error:
        code, text = next(iter(error.recipients.values()))
        trouble, final = f"{code} {text.decode(errors='replace')}", 500 <= code < 600
    except smtplib.SMTPServerDisconnected:
        # Nothing is known about this message but that it was not accepted: it waits for the next connection.
        raise
    except (smtplib.SMTPException, ValueError, HeaderParseError) as error:
        trouble, final = str(error) or type(error).__name__, isinstance(error, (ValueError, HeaderParseError))
    db.session.rollback()
    _record(notice_id, at, tries + 1, trouble, final or tries + 1 >= TRIES)
    return trouble is None


def _record(notice_id: int, at: datetime, tries: int, trouble: str | None, final: bool) -> None:
    with journal.frame("send_notice", system("Mail"), None, at):
        notice = db.session.get_one(Notice, notice_id)
        notice.tries, notice.trouble = tries, trouble
        if trouble is None:
            notice.state, notice.sent_at, notice.next_try = "sent", at, None
        elif final:
            notice.state, notice.next_try = "failed", None
        else:
            notice.next_try = at + min(timedelta(minutes=2**tries), LONGEST_WAIT)
    db.session.commit()
    if trouble:
        log.warning("Notice %s was not accepted: %s", notice_id, trouble)


def _with_it(notice: Notice, at: datetime) -> list[Attached]:
    """What goes with a message. One that cannot be made holds up neither this message nor those behind it."""
    found = []
    for make in ATTACH:
        try:
            found.append(make(notice, at))
        except Exception:
            log.exception("Nothing could be attached to notice %s", notice.id)
    return [one for one in found if one is not None]


def _message(notice: Notice, at: datetime) -> EmailMessage:
    # Long lines are allowed (998): folding right after "Subject:" would give some readers a leading blank.
    message = EmailMessage(policy=SMTP.clone(max_line_length=500))
    message["Subject"] = notice.subject
    message["From"] = Address("Septage receiving", addr_spec=current_app.config["MAIL_FROM"])
    message["To"] = Address(" ".join(notice.to_name.split()), addr_spec=notice.to_email)
    message["Message-ID"] = f"<notice-{notice.id}@{current_app.config['MAIL_FROM'].partition('@')[2]}>"
    message.set_content(notice.body)
    letter = db.session.get(Letter, notice.letter_id) if notice.letter_id else None
    file = db.session.get(File, letter.file_id) if letter and letter.file_id else None
    if file is not None:
        message.add_attachment(file.content, maintype="application", subtype="pdf", filename=file.name)
    for one in _with_it(notice, at):
        message.add_attachment(one.content, maintype=one.maintype, subtype=one.subtype, filename=one.name,
                               params=dict(one.parameters))  # fmt: skip
    return message
