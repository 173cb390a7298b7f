"""A nearly full week under 32 people at once, from four processes: they ask for times, book one, cancel now and then.

No instant above the limit, no answer lost, none that is an error. A few requests in the test command; ``make soak``
sends 3,000, here and once more over HTTP (``served_week``), and prints the answers a second beside those of a bare page
asked for by as many in the same way.
"""

import os
import random
import re
import time
import uuid
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from sqlalchemy import select

from intake.models import Booking
from intake.queries.checks import check_capacity
from office.db import db
from office.verify import verify
from tests import world
from tests.flows.instants import Rows
from tests.flows.racing import PROCESSES, signed_in, together
from tests.intake.plant import Hauler, book, hauler, session

NOW = "2026-10-02T12:00"
DAYS = [date(2026, 10, 5) + timedelta(n) for n in range(5)]
CLIENTS, HAULERS = 32, 16
SOAK = int(os.environ.get("SEPTAGE_EXAMPLES") or 0)
REQUESTS = min(SOAK, 3_000) or 96
LONG = 1_200
# What a page may say when nothing was booked: the fresh times, or in words that there are none.
NOT_NOW = ("That time was just taken", "That time is not offered", "That time has changed",
           "The truck is taken at that time", "That is more than the limit allows")  # fmt: skip
FRESH = ("times that fit now", "No other time fits this load in the next open days")


@dataclass(frozen=True)
class Visit:
    """One client of a process: who, with which truck, how many requests, from which seed."""

    email: str
    truck_id: int
    requests: int
    seed: int


@dataclass
class Visited:
    """What one client met: how often each kind of answer, the bookings made and cancelled, what was none of them."""

    kinds: Counter[str] = field(default_factory=Counter)
    booked: list[str] = field(default_factory=list)
    cancelled: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    began: float = 0.0
    ended: float = 0.0


class Person:
    """A hauler at a browser."""

    def __init__(self, client: Any, visit: Visit) -> None:
        self.client, self.visit, self.lot, self.seen = client, visit, random.Random(visit.seed), Visited()
        self.args: dict[str, Any] = {}
        self.offered: list[str] = []

    def play(self) -> None:
        """Every request of the visit, one after the other."""
        self.seen.began = time.monotonic()
        for _ in range(self.visit.requests):
            open_ = [one for one in self.seen.booked if one not in self.seen.cancelled]
            step = self.cancel if open_ and self.lot.random() < 0.2 else self.book if self.offered else self.ask
            try:
                kind, page = step()
            except Exception as error:
                kind, page = "", repr(error)
            self.seen.kinds[kind] += 1
            if not kind:
                self.seen.wrong.append(page)
        self.seen.ended = time.monotonic()

    def ask(self) -> tuple[str, str]:
        """Ask for the times of a load on a day of the week."""
        gallons = self.lot.choice([20, 40, 60, 120])
        self.args = {"truck": self.visit.truck_id, "gallons": gallons, "waste": "septic_tank"}
        day = {"day": self.lot.choice(DAYS).isoformat()}
        answer = self.client.get(f"/bayfield/hauler/book/times?{urlencode(self.args | day)}")
        page = answer.get_data(as_text=True)
        self.offered = _times(page)
        good = answer.status_code == 200 and (self.offered or f"No time fits {gallons} gallons" in page)
        return "times" if good else "", f"{answer.status_code} {page}"

    def book(self) -> tuple[str, str]:
        """Book the first time offered, or any of them."""
        key = self.offered[0] if self.lot.random() < 0.5 else self.lot.choice(self.offered)
        address = f"/bayfield/hauler/book/check?{urlencode(self.args | {'s': key})}"
        answer = self.client.post(address, data={"once": uuid.uuid4().hex})
        page = answer.get_data(as_text=True)
        if again := re.search(r'name="again" value="([^"]+)"', page):
            # Just this was booked a short time ago, by the colleague or before it was cancelled: they mean it.
            answer = self.client.post(address, data={"once": uuid.uuid4().hex, "again": again[1]})
            page = answer.get_data(as_text=True)
        to = answer.headers.get("Location", "")
        self.offered = _times(page) if self.lot.random() < 0.7 else []
        if answer.status_code == 303 and "/hauler/booked/" in to:
            number = to.rpartition("/")[2]
            # The other client of this company may have booked just this: both are led to the one booking.
            self.seen.booked += [number] * (number not in self.seen.booked)
            return "booked", page
        good = answer.status_code == 409 and any(one in page for one in NOT_NOW) and any(one in page for one in FRESH)
        return "fresh times" if good else "", f"{answer.status_code} {to} {page}"

    def cancel(self) -> tuple[str, str]:
        """Give one of the own bookings back."""
        number = self.lot.choice([one for one in self.seen.booked if one not in self.seen.cancelled])
        answer = self.client.post(f"/bayfield/hauler/bookings/{number}/cancel", data={"once": uuid.uuid4().hex})
        page = answer.get_data(as_text=True)
        self.seen.cancelled.append(number)
        # A colleague who was led to the same booking may have cancelled it first.
        ended = ("is cancelled already", f"Booking {number} has already ended.")
        good = answer.status_code == 303 or (answer.status_code == 409 and any(one in page for one in ended))
        return "cancelled" if good else "", f"{answer.status_code} {page}"


def _times(page: str) -> list[str]:
    return re.findall(r'name="time" value="([^"]+)"', page)


def _visit(start: Any, answers: Any, url: str, visits: list[Visit]) -> None:
    """In each process: everybody plays at once; then as many people ask as often for a bare page."""
    from bench.pages import bare

    with signed_in(url, NOW, [one.email for one in visits]) as clients:
        people = [Person(client, visit) for client, visit in zip(clients, visits, strict=True)]
        # The first request of a process makes its statements and templates: not what is measured.
        people[0].ask()
        mine = _worked(partial(together, start, [one.play for one in people], LONG))
    plain, nothing = [Visited() for _ in visits], bare()
    plays = [partial(plain_visit, nothing.test_client(), seen, visit.requests)
             for seen, visit in zip(plain, visits, strict=True)]  # fmt: skip
    beside = _worked(partial(together, start, plays))
    answers.put(([one.seen for one in people], plain, mine, beside))


def _worked(work: Callable[[], None]) -> float:
    """The seconds of its processor that this process works, waiting not counted."""
    began = time.process_time()
    work()
    return time.process_time() - began


def plain_visit(client: Any, seen: Visited, requests: int) -> None:
    seen.began = time.monotonic()
    for _ in range(requests):
        seen.kinds[str(client.get("/").status_code)] += 1
    seen.ended = time.monotonic()


def a_second(seen: list[Visited]) -> float:
    """Answers a second of all of them together."""
    return sum(one.kinds.total() for one in seen) / (max(one.ended for one in seen) - min(one.began for one in seen))


def report(how: str, mine: float, plain: float, worked: float) -> None:
    """What soak prints. ``worked``: the same ratio by the processor's time, so that others who use the machine, and
    waiting for the one who writes, do not count."""
    path = os.environ.get("SEPTAGE_REPORT")
    if path:
        words = (
            f"{how}: {mine:.0f} answers a second of {CLIENTS} people from {PROCESSES} processes, a bare page "
            f"{plain:.0f}: ratio {mine / plain:.4f}, by processor time {worked:.4f} (wanted: {300 / 4_800})\n"
        )
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(words)


def nearly_full() -> list[Hauler]:
    """Haulers, and the week booked but for the last half hour of each day and what small loads can still find."""
    people = [hauler(f"Hauler {n}", number=n) for n in range(HAULERS)]
    for n, day in enumerate(DAYS):
        for half in range(5):
            start = f"{day}T{7 + half // 2:02d}:{half % 2 * 30:02d}"
            made = book(people[(5 * n + half) % HAULERS], session(start, 300, minutes=28), at=world.at(NOW))
            assert isinstance(made, Booking)
    db.session.remove()
    return people


def visits_of(people: list[Hauler]) -> list[list[Visit]]:
    """Who plays in which process."""
    each = [REQUESTS // CLIENTS + (n < REQUESTS % CLIENTS) for n in range(CLIENTS)]
    visits = [Visit(people[n % HAULERS].email, people[n % HAULERS].truck_id, each[n], n) for n in range(CLIENTS)]
    return [visits[n::PROCESSES] for n in range(PROCESSES)]


def test_a_nearly_full_week_is_never_overbooked_and_nobody_is_shown_an_error(app, engine, racers):
    for job, visits in zip(racers.jobs, visits_of(nearly_full()), strict=True):
        job.put((_visit, str(app.config["DATABASE_URL"]), visits))
    found = [racers.answers.get(timeout=LONG) for _ in racers.jobs]
    seen, plain = [one for each in found for one in each[0]], [one for each in found for one in each[1]]
    held = sum(each[3] for each in found) / sum(each[2] for each in found)
    report(f"{engine}, without a web server", a_second(seen), a_second(plain), held)
    assert sum(one.kinds["200"] for one in plain) == REQUESTS
    nothing_wrong(seen)


def nothing_wrong(seen: list[Visited]) -> None:
    """Every request had a true answer, and what people were told is what stands: each booking they were led to is
    there, each they gave back is cancelled; no instant is above the limit."""
    kinds = sum((one.kinds for one in seen), Counter[str]())
    assert [page[:2_000] for one in seen for page in one.wrong] == []
    assert kinds.total() == REQUESTS
    assert min(kinds["times"], kinds["booked"]) > 0
    assert REQUESTS < 1_000 or min(kinds["fresh times"], kinds["cancelled"]) > 0
    told = {number for one in seen for number in one.booked}
    back = {number for one in seen for number in one.cancelled}
    rows = {row.number: row.state for row in db.session.scalars(select(Booking).where(Booking.gallons < 300))}
    assert rows == {number: "cancelled" if number in back else "booked" for number in told}
    days = [DAYS[0] + timedelta(n) for n in range(28)]
    assert (Rows(world.at(NOW)).wrong(days), check_capacity(), verify()) == ([], [], [])
