"""Builders for tests: the Bayfield plant and its people, made by the real acts."""

from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from intake.actions import open_point
from office.access import Actor, Grant, Role, system
from office.acts import act
from office.db import db
from office.law import adopt_law, law_in_force
from office.plants import Plant, plant_named, set_closure, set_plant_row, set_up_plant
from office.signin import new_person
from ordinances.reader import Law

ZONE = ZoneInfo("America/Chicago")
START = datetime(2026, 6, 1, 9, 0, tzinfo=ZONE)
PASSWORD = "correct horse battery"
STAFF = {
    "operator": Role.OPERATOR, "manager": Role.MANAGER, "director": Role.DIRECTOR, "clerk": Role.CLERK,
    "admin": Role.ADMINISTRATOR, "member1": Role.MEMBER, "member2": Role.MEMBER, "member3": Role.MEMBER,
}  # fmt: skip
HOLIDAYS = {
    date(2026, 11, 26): "Thanksgiving Day", date(2026, 12, 25): "Christmas Day", date(2027, 1, 1): "New Year's Day",
    date(2027, 1, 18): "Martin Luther King Jr. Day",
}  # fmt: skip


def at(text: str) -> datetime:
    """A plant-local instant."""
    return datetime.fromisoformat(text).replace(tzinfo=ZONE)


@act("test_staff", roles=(Role.SYSTEM,))
def _staff(plant: Plant, *, by: Actor, at: datetime) -> bool:
    for name, role in STAFF.items():
        person = new_person(f"{name}@city.example", f"{name.title()} of the City", PASSWORD)
        db.session.add(Grant(person_id=person.id, plant_id=plant.id, role=role.value, since=at))
    return True


def bayfield() -> Plant:
    """The Bayfield plant with its ordinance, four holidays, filing fee, wage, review block and staff. Not committed."""
    who = system("Set-up")
    plant: Any = set_up_plant(
        slug="bayfield", name="Bayfield Wastewater Treatment Works", city="City of Bayfield", zone="America/Chicago",
        phone="715-555-0100", help_hours="weekdays 7 a.m. to 3 p.m.",
        address="125 South First Street\nBayfield, WI 54814",
        by=who, at=START,
    )  # fmt: skip
    db.session.flush()
    adopt_law(plant, "bayfield", date(1992, 1, 1), "Ord. of 1992 as amended to 2007", by=who, at=START)
    for day, name in HOLIDAYS.items():
        set_closure(plant, day, name, "holiday", by=who, at=START)
    for key, value in (
        ("fees.filing", "75.00"),
        ("fees.wage", "30.00"),
        ("review.block", "You may ask for a review of this decision within 30 days. Write to the City Clerk, "
                         "125 South First Street, Bayfield, WI 54814 (Wis. Stat. ch. 68)."),
    ):  # fmt: skip
        set_plant_row(plant, key, value, date(2026, 1, 1), "Resolution 2026-03 of the Common Council", by=who, at=START)
    _staff(plant, by=who, at=START)
    open_point(plant, "Receiving station", by=who, at=START)
    return plant


def plant() -> Plant:
    """The Bayfield plant of this test's database."""
    found = plant_named("bayfield")
    assert found is not None
    return found


def law(day: date = date(2026, 10, 6)) -> Law:
    """The law in force at Bayfield on a day."""
    return law_in_force(plant(), day)


def staff(name: str) -> Actor:
    """One of the city's people as an actor: operator, manager, director, clerk, admin, member1, member2, member3."""
    from office.access import actor
    from office.signin import person_with_email

    person = person_with_email(f"{name}@city.example")
    assert person is not None
    return actor(person.id, person.name, plant().id, at("2027-09-30T12:00"))


def sign_in(client: Any, email: str, password: str = PASSWORD) -> None:
    """Sign a test client in; ``email`` may be a staff name."""
    email = email if "@" in email else f"{email}@city.example"
    answer = client.post("/sign-in", data={"email": email, "password": password})
    assert answer.status_code == 302, answer.get_data(as_text=True)[:2000]
