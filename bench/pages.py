"""What people look at most, as ratios to a bare Flask page asked for in the same way in the same run."""

from __future__ import annotations

import tempfile
from datetime import date, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from flask import Flask
from sqlalchemy import event

from app import create_app
from bench.timing import Timed, timed
from haulers.queries import trucks_of
from intake.actions.booking import book_discharge
from intake.sample.cast import HAULERS
from intake.sample.setting import Story, apply_all, decide_all, must, set_up
from office import clock
from office.db import db
from office.serve import migrate
from ordinances.offers import Session

DAYS = [date(2026, 10, 5) + timedelta(days=n) for n in (0, 1, 2, 3, 4, 7, 8, 9, 10, 11)]
A_DAY = 6
PAGES = (
    ("the two-week table", "/bayfield/week"),
    ("the public page", "/bayfield/"),
    ("status.json", "/bayfield/status.json"),
    ("status.atom", "/bayfield/status.atom"),
)
RUNS = 40


def bare() -> Flask:
    """The smallest page there is."""
    app = Flask("bare")
    app.add_url_rule("/", "page", lambda: "ok")
    return app


def booked(folder: Path) -> tuple[Flask, list[dict[str, int]]]:
    """The sample plant on a new database, two weeks of it booked, the clock held before the first booking; and how many
    statements each page took of the database when a sixth of that was booked, and when all was."""
    app, asked = create_app({"DATABASE_URL": f"sqlite:///{folder / 'bench.db'}"}), []
    with app.app_context():
        migrate()
        story = Story()
        set_up(story)
        apply_all(story)
        decide_all(story)
        for loads in (range(1), range(1, A_DAY)):
            clock.reset()
            _book(story, loads)
            clock.hold(story.at(DAYS[0], 6))
            db.session.remove()
            asked.append({address: statements(app, address) for _, address in PAGES})
    return app, asked


def statements(app: Flask, address: str) -> int:
    """How many statements a page takes of the database, once what seldom changes is known."""
    client, heard = app.test_client(), []

    def note(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        heard.append(statement)

    client.get(address)
    event.listen(db.engine, "before_cursor_execute", note)
    try:
        assert client.get(address).status_code == 200
    finally:
        event.remove(db.engine, "before_cursor_execute", note)
    return len(heard)


def _book(story: Story, loads: range) -> None:
    """Some of six loads of 300 gallons a day, each at the lowest rate that brings it out in 28 minutes."""
    hauler = HAULERS[0]
    business = story.business[hauler.email]
    truck = trucks_of(business)[0].id
    for day in DAYS:
        for n in loads:
            at = story.at(date(2026, 10, 2), 12)
            start = datetime(day.year, day.month, day.day, 7, tzinfo=story.plant.tz) + timedelta(minutes=30 * n)
            one = Session(start, start + timedelta(minutes=28), 643, 300)
            must(book_discharge(story.plant, business, truck, "septic_tank", 300, [one],
                                by=story.who(hauler.email, at), at=at, law=story.law(at)))  # fmt: skip


def measure(runs: int = RUNS) -> list[Timed]:
    """Each page beside the bare one, the best of so many requests."""
    nothing = bare().test_client()
    with tempfile.TemporaryDirectory() as folder:
        app, (few, all_) = booked(Path(folder))
        client = app.test_client()
        found = []
        for name, address in PAGES:
            size = f"{A_DAY * len(DAYS)} bookings in two weeks"
            words = f"{name}, {size}, {all_[address]} statements ({few[address]} with {len(DAYS)})"
            found.append(timed(words, partial(client.get, address), partial(nothing.get, "/"), runs,
                               bare="a bare page"))  # fmt: skip
        with app.app_context():
            db.engine.dispose()
        clock.reset()
    return found
