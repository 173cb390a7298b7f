"""The sample season: 8 haulers, two meetings, about 150 loads, one restriction, one revocation, made by the acts."""

from collections.abc import Callable
from datetime import date

from sqlalchemy import select

from intake.sample.setting import START, Story, apply_all, decide_all, set_up
from intake.sample.story import run
from office import clock
from office.db import db
from office.once import Claim

NOW = "2027-02-09T07:52"
_MARK, BEGUN, DONE = "sample season", "begun", "done"


def load(told: Callable[[int, date], None]) -> int:
    """Make the season in an empty database; the number of loads. ``told`` hears loads so far and the day reached."""
    story = Story()
    try:
        _mark(BEGUN)
        set_up(story)
        apply_all(story)
        decide_all(story)
        loads = run(story, told)
        _mark(DONE)
        return loads
    finally:
        clock.reset()


def _mark(reached: str) -> None:
    db.session.add(Claim(job=_MARK, period=reached, at=START))
    db.session.commit()


def reached() -> str:
    """How far the season of this database was made: "" (not at all), BEGUN (then it was interrupted) or DONE."""
    marks = set(db.session.scalars(select(Claim.period).filter_by(job=_MARK)))
    db.session.rollback()
    return DONE if DONE in marks else BEGUN if BEGUN in marks else ""
