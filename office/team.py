"""The people of a plant: who holds which role, added and ended by the administrator."""

from dataclasses import dataclass
from datetime import date, datetime

from flask import current_app
from sqlalchemy import select

from office.access import TITLES, Actor, Grant, Role
from office.acts import act
from office.db import db
from office.journal import because
from office.law import adopt_law
from office.notices import tell_person
from office.people import Person
from office.plants import Plant, set_up_plant
from office.signin import new_person, person_with_email
from ordinances.refusal import Refusal


@dataclass(frozen=True)
class Member:
    """One role of one person at a plant."""

    grant_id: int
    name: str
    email: str
    title: str
    since: datetime


def team(plant_id: int, at: datetime) -> list[Member]:
    """Everybody who holds a role at the plant now, by name."""
    query = (
        select(Grant, Person)
        .join(Person, Person.id == Grant.person_id)
        .where(Grant.plant_id == plant_id, Grant.since <= at, (Grant.until.is_(None)) | (Grant.until > at))
        .order_by(Person.name, Grant.id)
    )
    rows = db.session.execute(query)
    return [Member(g.id, p.name, p.email, TITLES[Role(g.role)], g.since) for g, p in rows]


@act("add_person", roles=(Role.ADMINISTRATOR, Role.SYSTEM))
def add_person(plant: Plant, name: str, email: str, roles: list[Role], *, by: Actor, at: datetime,
               password: str | None = None) -> Person:  # fmt: skip
    """Give a person roles at the plant; somebody new is told how to set a password."""
    person = person_with_email(email)
    if person is None:
        person = new_person(email, name, password)
    held = {grant.role for grant in db.session.scalars(select(Grant).filter_by(person_id=person.id, plant_id=plant.id))
            if grant.until is None}  # fmt: skip
    for role in roles:
        if role.value not in held:
            db.session.add(Grant(person_id=person.id, plant_id=plant.id, role=role.value, since=at))
    if password is None:
        titles = ", ".join(TITLES[role].lower() for role in roles)
        words = WELCOME.format(name=person.name, plant=plant.name, titles=titles, email=person.email,
                               url=current_app.config["SEPTAGE_URL"])  # fmt: skip
        tell_person(person, "welcome", f"You can sign in for {plant.name}", words, at, plant_id=plant.id)
    because(f"Roles given: {', '.join(role.value for role in roles)}")
    return person


WELCOME = """Dear {name},

you now have a role at {plant}: {titles}.

To sign in, open {url}/sign-in, choose "I do not know my password" and enter {email}. A link to set a
password comes to this address. (Where no mail server is set yet, the administrator finds the link under Messages.)
"""


@act("end_role", roles=(Role.ADMINISTRATOR,))
def end_role(plant: Plant, grant_id: int, *, by: Actor, at: datetime) -> Grant | Refusal:
    """End one role; the record of what was done in it stays. The last administrator cannot be ended."""
    grant = db.session.get(Grant, grant_id)
    if grant is None or grant.plant_id != plant.id or grant.until is not None:
        return Refusal("no_such_role", "This role has already ended.", "")
    others = select(Grant.id).where(Grant.plant_id == plant.id, Grant.role == Role.ADMINISTRATOR.value,
                                    Grant.until.is_(None), Grant.id != grant.id)  # fmt: skip
    if grant.role == Role.ADMINISTRATOR.value and not db.session.scalars(others).all():
        return Refusal("last_administrator", "This is the last administrator. Give somebody else the role first.", "")
    grant.until = at
    return grant


@act("open_desk", roles=(Role.PUBLIC, Role.SYSTEM))
def open_desk(*, slug: str, name: str, city: str, zone: str, phone: str, help_hours: str, address: str, law: str,
              since: date, resolution: str, person: str, email: str, password: str, by: Actor,
              at: datetime) -> Plant | Refusal:  # fmt: skip
    """First visit on an empty machine: the plant, its law and its administrator, in one act. Once only."""
    if db.session.scalars(select(Plant.id)).first() is not None:
        return Refusal("already_open", "This machine is set up already. Sign in, or ask the administrator.", "")
    plant = set_up_plant(slug=slug, name=name, city=city, zone=zone, phone=phone, help_hours=help_hours,
                         address=address, by=by, at=at)  # fmt: skip
    if isinstance(plant, Refusal):
        return plant
    db.session.flush()
    adopted = adopt_law(plant, law, since, resolution, by=by, at=at)
    if isinstance(adopted, Refusal):
        return adopted
    add_person(plant, person, email, [Role.ADMINISTRATOR], by=by, at=at, password=password)
    return plant
