"""The plant of the sample season and its August: set-up, registrations, applications, fees, two meetings."""

import csv
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeVar

from haulers import actions as hauling
from haulers import queries as haulers
from haulers.queries import SourceLine, TruckLine
from haulers.queries.drivers import DriverLine
from haulers.states import Ballot, Outcome
from intake import actions
from intake.sample.cast import DRIVER, HAULERS, HOLIDAYS, PASSWORD, REVIEW, STAFF, Hauler
from office import clock
from office.access import Actor, Role, actor, people_with, system
from office.db import db
from office.law import adopt_law, law_in_force
from office.plants import Plant, set_closure, set_plant_row, set_up_plant
from office.signin import person_with_email
from office.team import add_person
from ordinances.refusal import Refusal
from ordinances.rows import Law

T = TypeVar("T")
FLOW = Path(__file__).parent / "washburn_flow.csv"
MOVED = timedelta(weeks=313)
RESOLUTION = "Sample resolution 2026-03"
START = datetime.fromisoformat("2026-06-01T09:00-05:00")


class StoryError(RuntimeError):
    """An act of the sample season was refused: the story and the rules have drifted apart."""


def must(answer: T | Refusal) -> T:
    """The answer of an act, committed; a refusal ends the story with its words."""
    if isinstance(answer, Refusal):
        raise StoryError(f"{answer.code}: {answer.why} {answer.cite}")
    db.session.commit()
    return answer


class Story:
    """The plant, its people and its law at the instant the story has reached."""

    def __init__(self) -> None:
        self.plant: Plant
        self.business: dict[str, int] = {}

    def at(self, day: date, hour: int, minute: int = 0) -> datetime:
        at = datetime(day.year, day.month, day.day, hour, minute, tzinfo=self.plant.tz)
        clock.hold(at)
        return at

    def law(self, at: datetime) -> Law:
        return law_in_force(self.plant, at.astimezone(self.plant.tz).date())

    def who(self, email: str, at: datetime) -> Actor:
        person = person_with_email(email)
        assert person is not None, email
        return actor(person.id, person.name, self.plant.id, at)


def set_up(story: Story) -> None:
    """A plant under Bayfield's ordinance with its staff, calendar, Council amounts and flow history."""
    by = system("Sample season")
    start = START
    clock.hold(start)
    story.plant = must(set_up_plant(
        slug="bayfield", name="Bayfield Wastewater Treatment Works", city="City of Bayfield (sample)",
        zone="America/Chicago", phone="715-555-0100", help_hours="weekdays 7 a.m. to 3 p.m.",
        address="125 South First Street\nBayfield, WI 54814", by=by, at=start,
    ))  # fmt: skip
    must(adopt_law(story.plant, "bayfield", date(1992, 1, 1), "Ordinance of 1992 as amended to 2007", by=by, at=start))
    for name, email, roles in STAFF:
        must(add_person(story.plant, name, email, list(roles), password=PASSWORD, by=by, at=start))
    for day, name in HOLIDAYS:
        must(set_closure(story.plant, day, name, "holiday", by=by, at=start))
    for key, value in (("fees.filing", "75.00"), ("fees.wage", "30.00"), ("review.block", REVIEW),
                       ("hours.work_opens", "06:30"), ("hours.work_closes", "15:30")):  # fmt: skip
        must(set_plant_row(story.plant, key, value, date(2026, 1, 1), RESOLUTION, by=by, at=start))
    must(actions.open_point(story.plant, "Receiving station", by=by, at=start))


def flow_rows(until: date) -> Iterator[tuple[date, int]]:
    """Washburn's readings moved into the season, in gallons a day."""
    with FLOW.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            day = date.fromisoformat(row["date"]) + MOVED
            if day <= until:
                yield day, int(Decimal(row["flow_mgd"]) * 1_000_000)


def apply_all(story: Story) -> None:
    """Everybody registers in July and files in August, one on the last day; the clerk records all fees but one."""
    for number, hauler in enumerate(HAULERS):
        _register(story, hauler, number)
        day = date(2026, 9, 1) if number == 5 else date(2026, 8, 3) + timedelta(days=3 * number)
        at = story.at(day, 16 if number == 5 else 10, number)
        by = story.who(hauler.email, at)
        business = story.business[hauler.email]
        sources = [
            SourceLine(waste, f"Homes near {hauler.town}", area, "About twice a week", hauler.usual, winter, rest,
                       months="All year")
            for waste, area, winter, rest in hauler.asks
        ]  # fmt: skip
        must(hauling.save_draft(story.plant, business, sources, complete=True, by=by, at=at, law=story.law(at)))
        for task, given in _answers(hauler).items():
            must(hauling.save_answers(story.plant, business, task, given, by=by, at=at, law=story.law(at)))
        filed: Any = must(hauling.file_application(story.plant, business, by=by, at=at, law=story.law(at)))
        if number != 7:
            paid = story.at(day + timedelta(days=1), 9, 30)
            must(hauling.record_filing_fee(story.plant, filed.id, "check", f"{4100 + number}", paid.date(),
                                           by=story.who("clerk@sample.example", paid), at=paid,
                                           law=story.law(paid)))  # fmt: skip


def _answers(hauler: Hauler) -> dict[str, dict[str, str]]:
    """What a hauler answers beyond its sources, by task; one tells of waste that is not everyday septage."""
    fee = {"fee": "city_hall" if hauler.town == "Bayfield" else "mail"}
    return {"season": {"season": "both"}, "tests": {"unusual": "yes" if hauler.unusual else "no",
                                                    "words": hauler.unusual}, "fee": fee}  # fmt: skip


def _register(story: Story, hauler: Hauler, number: int) -> None:
    at = story.at(date(2026, 7, 6) + timedelta(days=number), 19, 15)
    trucks = [TruckLine(plate, capacity, f"Truck {n}", f"WI-{number}{n}") for n, (plate, capacity)
              in enumerate(hauler.trucks, start=1)]  # fmt: skip
    public = Actor(None, hauler.contact, frozenset({Role.PUBLIC}))
    business: Any = must(hauling.register_business(
        name=hauler.name, address=f"{100 + number} Example Road\n{hauler.town}, WI", phone=f"715-555-01{10 + number}",
        email=hauler.email, contact=hauler.contact, password=PASSWORD, licence_state="WI",
        licence_number=f"SAMPLE-{1000 + number}", licence_ends=date(2027, 6, 30), trucks=trucks, by=public, at=at,
    ))  # fmt: skip
    story.business[hauler.email] = business.id
    by = story.who(hauler.email, at)
    must(hauling.list_driver(business, DriverLine(hauler.contact, "Master operator", f"SAMPLE-M{number}",
                                                  date(2028, 5, 31), in_charge=True), by=by, at=at))  # fmt: skip
    must(hauling.add_insurance(business, insurer="Sample Mutual", policy=f"SAMPLE-P{number}",
                               ends_on=date(2027, 12, 31), by=by, at=at))  # fmt: skip
    if number == 0:
        must(hauling.add_driver(business, *DRIVER, PASSWORD, by=by, at=at))


def decide_all(story: Story) -> None:
    """Two meetings: five approved at the first; at the second, with one member recused, a first motion ties and the
    next approves two in part and one not. Letters go out two days after each.
    """
    first = [(h, Outcome.APPROVED, *asked(h), "", "") for h in HAULERS if h.meeting == 1]
    nonesuch, sandpiper, anyone = (h for h in HAULERS if h.meeting == 2)
    why = "Sources in the sewer service area come first, and the winter is nearly full."
    code = "capacity_or_limits"
    second = [
        (nonesuch, Outcome.IN_PART, 8800, asked(nonesuch)[1], code, why),
        (sandpiper, Outcome.IN_PART, 6600, asked(sandpiper)[1], code, why),
        (anyone, Outcome.REJECTED, 0, 0, "no_approval", "The application names no source that can be found."),
    ]
    _meet(story, date(2026, 9, 15), "To approve the five applications from inside the planning area as asked.", first)
    related = "Carl Member is related to the owner of Sandpiper Sample Septic and does not vote."
    split, agreed = (Ballot.AYE, Ballot.NO, Ballot.RECUSED), (Ballot.AYE, Ballot.AYE, Ballot.RECUSED)
    day = date(2026, 9, 22)
    _meet(story, day, "To give nothing to sources outside the planning area.", [
        (h, Outcome.REJECTED, 0, 0, code, "Nothing is left for outside.") for h in (nonesuch, sandpiper, anyone)
    ], split, related)  # fmt: skip
    _meet(story, day, "To share what is left as listed.", second, agreed, related)


def asked(hauler: Hauler) -> tuple[int, int]:
    """What a hauler asks for, in gallons of the winter and of the rest of the season."""
    return sum(ask[2] for ask in hauler.asks), sum(ask[3] for ask in hauler.asks)


def _meet(story: Story, day: date, words: str, decided: list[Any],
          ballots: tuple[Ballot, ...] = (Ballot.AYE, Ballot.AYE, Ballot.AYE), conflicts: str = "") -> None:  # fmt: skip
    at, posted = story.at(day, 18, 45), story.at(day - timedelta(days=4), 16, 30)
    lines = []
    for hauler, outcome, winter, rest, code, reason in decided:
        filed = haulers.application_for(story.plant.id, story.business[hauler.email], "2026-27")
        assert filed is not None
        lines.append(hauling.DecisionLine(filed.id, outcome, winter, rest, code or None, reason,
                                          departure="" if reason else "The committee's own order"))  # fmt: skip
    members = people_with(Role.MEMBER, story.plant.id, at)
    votes = dict(zip(members, ballots, strict=True))
    roll = hauling.RollCall(day, words, members[0], members[1], votes, conflicts, posted)
    clerk = story.who("clerk@sample.example", at)
    motion: Any = must(hauling.decide_applications(story.plant, roll, lines, by=clerk, at=at, law=story.law(at)))
    if motion.passed:
        out = story.at(day + timedelta(days=2), 9, 0)
        must(hauling.issue_letters(story.plant, motion.id, by=story.who("clerk@sample.example", out), at=out,
                                   law=story.law(out)))  # fmt: skip
