"""Haulers and their season for tests, made by the acts themselves."""

from collections.abc import Collection, Sequence
from datetime import date
from typing import Any

from sqlalchemy import select

from haulers import queries
from haulers.actions import (
    DecisionLine,
    RollCall,
    decide_applications,
    file_application,
    issue_letters,
    register_business,
    save_answers,
    save_draft,
)
from haulers.actions.drafts import say_no_drivers
from haulers.models import Application, Approval, Business, Motion
from haulers.queries import SourceLine, TruckLine
from haulers.states import Ballot, Outcome
from office.access import NOBODY, Actor, actor
from office.db import db
from office.signin import person_with_email
from tests import world

OBRIEN = "O'Brien & Søn Septic, L.L.C."
SOURCE = SourceLine("septic_tank", "Homes along County Road J", "sewer_service", "4 loads a month", 1500, 12000, 8000)
OUTSIDE = SourceLine("holding_tank", "Cabins north of Cornucopia", "outside", "Weekly in summer", 1000, 3000, 17000)
FILED_AT = "2026-08-12T10:30"
MEETING = date(2026, 9, 15)
RECORDED_AT = "2026-09-16T09:00"
NAMES = ("member1", "member2", "member3")


def hauler(name: str = OBRIEN, email: str = "o'brien@hauler.example", at: str = "2026-07-02T09:00",
           trucks: Sequence[TruckLine] = (TruckLine("WI 1234", 1500, "Big Red"),)) -> Business:  # fmt: skip
    """A registered hauler with one truck."""
    made = register_business(
        name=name, address="12 Rittenhouse Avenue\nBayfield, WI 54814", phone="(715) 555-0111 ext. 12", email=email,
        contact="Ingrid O'Brien", password=world.PASSWORD, licence_state="WI", licence_number=f"4{len(email):03d}",
        licence_ends=date(2027, 6, 30), trucks=trucks, by=NOBODY, at=world.at(at),
    )  # fmt: skip
    assert isinstance(made, Business), made
    db.session.flush()
    return made


def acting(business: Business) -> Actor:
    """The person of a business as an actor."""
    person = person_with_email(queries.party_of_business(business.id).email)
    assert person is not None
    return actor(person.id, person.name, world.plant().id, world.at("2027-09-30T12:00"))


def draft(business: Business, *sources: SourceLine, at: str = "2026-07-20T10:00") -> Application:
    """The hauler's saved draft."""
    when = world.at(at)
    made = save_draft(world.plant(), business.id, sources or (SOURCE,), complete=True, by=acting(business), at=when,
                      law=world.law(when.date()))  # fmt: skip
    assert isinstance(made, Application), made
    return made


def answered(business: Business, *sources: SourceLine, at: str = "2026-07-20T10:00") -> Application:
    """The hauler's saved draft with every question of the application answered: it may be checked and sent."""
    made, when = draft(business, *sources, at=at), world.at(at)
    for task, given in (("season", {"season": "both"}), ("tests", {"unusual": "no"}), ("fee", {"fee": "mail"})):
        saved = save_answers(world.plant(), business.id, task, given, by=acting(business), at=when,
                             law=world.law(when.date()))  # fmt: skip
        assert isinstance(saved, Application), saved
    say_no_drivers(world.plant(), business.id, by=acting(business), at=when, law=world.law(when.date()))
    return made


def send(business: Business, at: str = FILED_AT) -> Any:
    """Send the draft: the act's own answer."""
    when = world.at(at)
    return file_application(world.plant(), business.id, by=acting(business), at=when, law=world.law(when.date()))


def filed(business: Business, *sources: SourceLine, at: str = FILED_AT) -> Application:
    """A filed application."""
    draft(business, *sources, at=at)
    made = send(business, at)
    assert isinstance(made, Application), made
    return made


def votes(*ballots: Ballot) -> dict[int, Ballot]:
    """The roll call of the three members, all aye unless said."""
    ids = [world.staff(name).person_id or 0 for name in NAMES]
    return dict(zip(ids, ballots or (Ballot.AYE,) * 3, strict=True))


def roll(*ballots: Ballot, held_on: date = MEETING, words: str = "Approve as shown.") -> RollCall:
    """A motion moved by the first member and seconded by the second."""
    cast = votes(*ballots)
    first, second, _ = cast
    stated = "Member3 is related to a hauler." if Ballot.RECUSED in ballots else ""
    return RollCall(held_on, words, first, second, cast, stated)


def approve(application: Application) -> DecisionLine:
    """The line that approves all that was asked, with why where less is suggested."""
    asked = queries.totals(queries.sources_of([application.id])[application.id])
    return DecisionLine(application.id, Outcome.APPROVED, asked.asked_winter, asked.asked_rest,
                        departure="The plant can store it")  # fmt: skip


def record(lines: Sequence[DecisionLine], call: RollCall | None = None, at: str = RECORDED_AT, *, by: str = "clerk",
           over: bool = False, as_changed: bool = False) -> Any:  # fmt: skip
    """Record a decision, its letters not issued: the act's own answer."""
    when = world.at(at)
    return decide_applications(world.plant(), call or roll(), lines, over, as_changed, by=world.staff(by), at=when,
                               law=world.law(when.date()))  # fmt: skip


def issue(motion: Motion, only: Collection[int] | None = None, at: str = RECORDED_AT) -> Any:
    """Issue the letters of a motion: the act's own answer."""
    when = world.at(at)
    return issue_letters(world.plant(), motion.id, only, by=world.staff("clerk"), at=when, law=world.law(when.date()))


def issued(made: Any, at: str) -> Any:
    """Issue at once the letters of a motion that carried, whatever it was about; the answer itself."""
    if isinstance(made, Motion) and made.passed:
        letters = issue(made, at=at)
        assert isinstance(letters, list), letters
    return made


def decide(lines: Sequence[DecisionLine], call: RollCall | None = None, at: str = RECORDED_AT, *, by: str = "clerk",
           over: bool = False) -> Any:  # fmt: skip
    """Record a decision and issue its letters at once: the first act's own answer."""
    return issued(record(lines, call, at, by=by, over=over), at)


def approved(business: Business, *sources: SourceLine) -> Approval:
    """A hauler with an approval for season 2026-27."""
    application = filed(business, *sources)
    motion = decide([approve(application)])
    assert isinstance(motion, Motion), motion
    return db.session.scalars(select(Approval).filter_by(application_id=application.id)).one()
