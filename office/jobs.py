"""Jobs: what is owed now, each done once. Jobs only send and post what is due; they never open or close anything.

``tick(at)`` may be run by several hosts at once, late, or again: a claim row taken in the work's own transaction
makes each effect happen exactly once, and a bounded look-back catches up after days without jobs.
"""

import logging
from collections.abc import Callable, Iterable
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from office import letters
from office.db import db
from office.mailer import deliver
from office.once import Claim

log = logging.getLogger("septage.jobs")
Owed = Iterable[tuple[str, Callable[[], object]]]
JOBS: dict[str, Callable[[datetime], Owed]] = {}


def job(name: str) -> Callable[[Callable[[datetime], Owed]], Callable[[datetime], Owed]]:
    """Register a job: given now, it lists (period, work) owed up to now; work acts and never commits."""

    def wrap(owed: Callable[[datetime], Owed]) -> Callable[[datetime], Owed]:
        JOBS[name] = owed
        return owed

    return wrap


def tick(at: datetime) -> dict[str, int]:
    """Do everything owed at this instant and send what waits; how many of each were done."""
    return work(at) | {"mail": deliver(at)}


def work(at: datetime) -> dict[str, int]:
    """Do everything owed at this instant but the mail. One failing piece stops no other."""
    done: dict[str, int] = {}
    for name, owed in JOBS.items():
        pieces = list(owed(at))
        db.session.rollback()
        done[name] = sum(_once(name, period, work, at) for period, work in pieces)
    done["letters"] = _letters(at)
    return done


def _once(name: str, period: str, work: Callable[[], object], at: datetime) -> bool:
    try:
        if db.session.scalars(select(Claim.id).filter_by(job=name, period=period)).first() is not None:
            db.session.rollback()
            return False
        db.session.add(Claim(job=name, period=period, at=at))
        db.session.flush()
        work()
        db.session.commit()
    except IntegrityError:
        db.session.rollback()
        return False
    except Exception:
        db.session.rollback()
        log.exception("The job %s failed for %s; it will be tried again", name, period)
        return False
    return True


def _letters(at: datetime) -> int:
    made = 0
    waiting = letters.waiting()
    db.session.rollback()
    for letter_id in waiting:
        try:
            letters.make_pdf(letter_id, at)
            made += 1
        except Exception:
            db.session.rollback()
            log.exception("Letter %s could not be drawn; it will be tried again", letter_id)
    return made
