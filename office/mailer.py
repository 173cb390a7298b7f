"""Hands waiting notices to the mail server. One refused address stops nobody; nothing is sent twice on purpose."""

import logging
import smtplib
from datetime import datetime, timedelta
from email.errors import HeaderParseError
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP

from flask import current_app
from sqlalchemy import select

from office import journal
from office.access import system
from office.db import db
from office.files import File
from office.letters import Letter
from office.notices import Notice

log = logging.getLogger("septage.mail")
LEASE = timedelta(minutes=5)
TRIES = 8


def deliver(at: datetime, limit: int = 200) -> int:
    """Send what is due; the number the server accepted. Without a mail server notices stay readable in the app."""
    if not current_app.config["MAIL_SERVER"]:
        return 0
    sent = 0
    for notice_id in _due(at, limit):
        if _lease(notice_id, at):
            sent += _send(notice_id, at)
    return sent


def _due(at: datetime, limit: int) -> list[int]:
    query = select(Notice.id).where(Notice.state == "waiting", Notice.next_try <= at).order_by(Notice.id).limit(limit)
    ids = list(db.session.scalars(query))
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


def _send(notice_id: int, at: datetime) -> bool:
    notice = db.session.get_one(Notice, notice_id)
    email, tries = notice.to_email, notice.tries
    trouble, final = None, False
    try:
        message = _message(notice)
        db.session.rollback()
        _hand_over(message, email)
    except smtplib.SMTPRecipientsRefused as error:
        code, text = next(iter(error.recipients.values()))
        trouble, final = f"{code} {text.decode(errors='replace')}", 500 <= code < 600
    except (smtplib.SMTPException, OSError, ValueError, HeaderParseError) as error:
        trouble = str(error) or type(error).__name__
    db.session.rollback()
    with journal.frame("send_notice", system("Mail"), None, at):
        notice = db.session.get_one(Notice, notice_id)
        notice.tries = tries + 1
        notice.trouble = trouble
        if trouble is None:
            notice.state, notice.sent_at, notice.next_try = "sent", at, None
        elif final or tries + 1 >= TRIES:
            notice.state, notice.next_try = "failed", None
        else:
            notice.next_try = at + timedelta(minutes=2 ** (tries + 1))
    db.session.commit()
    if trouble:
        log.warning("Notice %s was not accepted: %s", notice_id, trouble)
    return trouble is None


def _message(notice: Notice) -> EmailMessage:
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
    return message


def _hand_over(message: EmailMessage, email: str) -> None:
    config = current_app.config
    with smtplib.SMTP(config["MAIL_SERVER"], int(config["MAIL_PORT"]), timeout=20) as server:
        if config["MAIL_TLS"] == "yes":
            server.starttls()
        if config["MAIL_USER"]:
            server.login(config["MAIL_USER"], config["MAIL_PASSWORD"])
        server.send_message(message, to_addrs=[email])
