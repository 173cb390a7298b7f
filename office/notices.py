"""Notices: what people are told. Written in the act's own transaction, sent afterwards from this outbox."""

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Integer, String, Text, select
from sqlalchemy.orm import Mapped, mapped_column

from office import journal
from office.access import Role, people_with
from office.db import Model, Utc, db, fit
from office.people import Party, Person

STATES = ("waiting", "sent", "failed", "no_address")
# What no e-mail takes to its company: it is printed and posted.
UNMAILED = ("failed", "no_address")


class Notice(Model):
    """One message to one address. ``sent`` only once a mail server has accepted it."""

    __tablename__ = "notice"
    __table_args__ = (
        CheckConstraint(f"state IN {STATES}", name="state_known"),
        CheckConstraint("(state = 'sent') = (sent_at IS NOT NULL)", name="sent_when"),
    )
    plant_id: Mapped[int | None] = mapped_column(ForeignKey("plant.id"), index=True)
    party_id: Mapped[int | None] = mapped_column(ForeignKey("party.id"), index=True)
    person_id: Mapped[int | None] = mapped_column(ForeignKey("person.id"), index=True)
    kind: Mapped[str] = mapped_column(String(40))
    to_name: Mapped[str] = mapped_column(String(200))
    to_email: Mapped[str] = mapped_column(String(255))
    phone: Mapped[str] = mapped_column(String(60))
    subject: Mapped[str] = mapped_column(String(300))
    body: Mapped[str] = mapped_column(Text)
    letter_id: Mapped[int | None] = mapped_column(ForeignKey("letter.id"))
    act_id: Mapped[str] = mapped_column(String(32), index=True)
    written_at: Mapped[datetime] = mapped_column(Utc)
    state: Mapped[str] = mapped_column(String(10), index=True)
    tries: Mapped[int] = mapped_column(Integer, default=0)
    next_try: Mapped[datetime | None] = mapped_column(Utc)
    trouble: Mapped[str | None] = mapped_column(Text)
    sent_at: Mapped[datetime | None] = mapped_column(Utc)


def tell_party(party: Party, kind: str, subject: str, body: str, at: datetime, *, plant_id: int | None,
               letter_id: int | None = None) -> Notice:  # fmt: skip
    """Write a notice to a party (a business, an account). Without an address it waits for a telephone call."""
    return _write(party.name, party.email, party.phone, kind, subject, body, at, plant_id, letter_id, party.id, None)


def tell_person(person: Person, kind: str, subject: str, body: str, at: datetime, *, plant_id: int | None,
                letter_id: int | None = None) -> Notice:  # fmt: skip
    """Write a notice to one person who signs in."""
    return _write(person.name, person.email, "", kind, subject, body, at, plant_id, letter_id, None, person.id)


def tell_role(role: Role, kind: str, subject: str, body: str, at: datetime, *, plant_id: int) -> list[Notice]:
    """Write a notice to everybody who holds a role at the plant now."""
    return tell_roles((role,), kind, subject, body, at, plant_id=plant_id)


def tell_roles(roles: Iterable[Role], kind: str, subject: str, body: str, at: datetime, *, plant_id: int,
               letter_id: int | None = None) -> list[Notice]:  # fmt: skip
    """Write a notice to everybody who holds one of the roles at the plant now, once to each."""
    ids = {ident for role in roles for ident in people_with(role, plant_id, at)}
    people = db.session.scalars(select(Person).where(Person.id.in_(ids)).order_by(Person.id))
    return [tell_person(person, kind, subject, body, at, plant_id=plant_id, letter_id=letter_id) for person in people]


def _write(name: str, email: str, phone: str, kind: str, subject: str, body: str, at: datetime, plant_id: int | None,
           letter_id: int | None, party_id: int | None, person_id: int | None) -> Notice:  # fmt: skip
    notice = Notice(
        plant_id=plant_id, party_id=party_id, person_id=person_id, kind=kind, to_name=name, to_email=email,
        phone=phone, subject=fit(" ".join(subject.split()), Notice.subject), body=body, letter_id=letter_id,
        act_id=journal.current_act_id(), written_at=at, state="waiting" if email else "no_address",
        next_try=at if email else None,
    )  # fmt: skip
    db.session.add(notice)
    return notice


def of_act(act_id: str) -> list[Notice]:
    """Everything one act told people, for the page that shows who was reached."""
    return list(db.session.scalars(select(Notice).filter_by(act_id=act_id).order_by(Notice.id)))


def reached(notice: Notice, mailing: bool) -> bool:
    """Whether the message is on its way or there; without a mail server none ever leaves."""
    return notice.state == "sent" or (notice.state == "waiting" and mailing)


def to_post(notice: Notice) -> bool:
    """Whether the message goes to its company as a letter, because no e-mail takes it there."""
    return notice.party_id is not None and notice.plant_id is not None and notice.state in UNMAILED


def how_it_went(notice: Notice, mailing: bool) -> str:
    """What became of a message, in words; ``mailing`` is whether a mail server is set."""
    if notice.state == "waiting" and not mailing:
        return "Not mailed: no mail server is set"
    return {"waiting": "Waiting to be sent", "sent": "Sent", "failed": "Not reached", "no_address": "No e-mail"}[
        notice.state
    ]
