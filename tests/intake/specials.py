"""Builders for tests of special times: normal working hours entered, and each act in one line."""

from datetime import date, datetime, time
from typing import Any

from sqlalchemy import select

from intake.actions.special import Ask, accept_special, arrange_special, ask_special
from intake.actions.special_terms import WAGE_KEY, set_special_terms
from intake.models import SpecialTime
from office.access import Role, system
from office.acts import act
from office.db import db
from office.plants import PlantRow
from ordinances.refusal import Refusal
from tests import world
from tests.intake.plant import MORNING, TUESDAY, Hauler

AFTERNOON = time(14, 0)


def working_hours(opens: str = "06:00", closes: str = "16:30", since: date = date(2026, 10, 1)) -> None:
    """Enter the normal working hours, as the Director does."""
    rows = set_special_terms(world.plant(), since, "Order 7 of the Director", opens=time.fromisoformat(opens),
                             closes=time.fromisoformat(closes), by=world.staff("director"), at=MORNING,
                             law=world.law(since))  # fmt: skip
    assert not isinstance(rows, Refusal), rows
    db.session.commit()


def ask_for(who: Hauler, gallons: int = 1_500, begins: time = AFTERNOON, day: date = TUESDAY, **given: Any) -> Ask:
    """What a hauler asks for."""
    values: dict[str, Any] = {"waste": "septic_tank", "reason": "A tank is full"} | given
    return Ask(who.business_id, who.truck_id, values["waste"], gallons, day, begins, values["reason"])


def ask(who: Hauler, gallons: int = 1_500, begins: time = AFTERNOON, day: date = TUESDAY, *,
        accepts: int | None = 12816, at: datetime = MORNING, by: Any = None, **given: Any) -> Any:  # fmt: skip
    """Ask and commit; by default for 1,500 gallons at 2 p.m., the charge accepted."""
    return kept(ask_special(world.plant(), ask_for(who, gallons, begins, day, **given), accepts=accepts,
                            by=by or who.by, at=at, law=world.law(day)))  # fmt: skip


def arrange(row: Any, at: datetime = MORNING, by: str = "director") -> Any:
    """Approve a request and commit."""
    assert isinstance(row, SpecialTime), row
    return kept(arrange_special(world.plant(), row.number, by=world.staff(by), at=at, law=world.law(row.day)))


def accept(who: Hauler, row: Any, cents: int, at: datetime = MORNING) -> Any:
    """Accept a quote and commit."""
    return kept(accept_special(world.plant(), row.number, cents, by=who.by, at=at, law=world.law(row.day)))


def arranged(who: Hauler, gallons: int = 1_500, begins: time = AFTERNOON, day: date = TUESDAY) -> SpecialTime:
    """A special time asked for, its charge accepted, and approved."""
    row = ask(who, gallons, begins, day, accepts=None)
    assert isinstance(row, SpecialTime), row
    assert row.quote_cents is not None
    accept(who, row, row.quote_cents)
    done = arrange(row)
    assert isinstance(done, SpecialTime), done
    return done


@act("test_wage", roles=(Role.SYSTEM,))
def _wage(dollars: str, since: date, *, by: Any, at: datetime) -> None:
    db.session.add(PlantRow(plant_id=world.plant().id, key=WAGE_KEY, value=dollars, since=since, set_at=at,
                            set_by=by.name, resolution="Resolution 9"))  # fmt: skip


def wage(dollars: str, since: date) -> None:
    """A wage from a day on, as one of which haulers were told in time."""
    _wage(dollars, since, by=system(), at=MORNING)
    db.session.commit()


@act("test_no_wage", roles=(Role.SYSTEM,))
def _no_wage(*, by: Any, at: datetime) -> None:
    for row in db.session.scalars(select(PlantRow).filter_by(key=WAGE_KEY)):
        db.session.delete(row)


def no_wage() -> None:
    """A plant that has not entered any wage yet."""
    _no_wage(by=system(), at=MORNING)
    db.session.commit()


def kept(result: Any) -> Any:
    """Commit what an act did, roll a refusal back."""
    if isinstance(result, Refusal):
        db.session.rollback()
    else:
        db.session.commit()
    return result


def said(result: Any) -> tuple[str, str, str]:
    """Code, sentence and § of a refusal."""
    assert isinstance(result, Refusal), result
    return result.code, result.why, result.cite
