"""Workers for the race tests: four processes of their own, each with its own application on one database.

Every request goes through the application's pages as a browser's would; all of them start at the same moment.
"""

import multiprocessing
import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

PROCESSES = 4
PATIENCE = 60


@dataclass(frozen=True)
class Ask:
    """One posted form: who, where, with what."""

    email: str
    path: str
    data: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Answer:
    """What came back: the ask, the status, where it led, the page."""

    ask: Ask
    status: int
    location: str
    page: str


class Racers:
    """Four processes that stay for several races.

    A job is a function of a module and what it is given after ``start`` (all processes wait there for each other) and
    ``answers`` (where it puts what it has found).
    """

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.answers: Any = context.Queue()
        self.jobs: list[Any] = [context.Queue() for _ in range(PROCESSES)]
        # Kept here: a semaphore that is forgotten is gone before the new process has taken hold of it.
        self.start = context.Barrier(PROCESSES)
        self.workers = [
            context.Process(target=_work, args=(job, self.start, self.answers), daemon=True) for job in self.jobs
        ]
        for worker in self.workers:
            worker.start()

    def race(self, url: str, at: str, asks: list[Ask]) -> list[Answer]:
        """Post every ask at once; all answers, in no order."""
        for n, job in enumerate(self.jobs):
            job.put((_post_all, url, at, asks[n::PROCESSES]))
        return [self.answers.get(timeout=PATIENCE) for _ in asks]

    def stop(self) -> None:
        """Let the processes go home."""
        for job in self.jobs:
            job.put(None)
        for worker in self.workers:
            worker.join(PATIENCE)
        for queue in (self.answers, *self.jobs):
            queue.close()
            queue.join_thread()


def _work(jobs: Any, start: Any, answers: Any) -> None:
    while (job := jobs.get()) is not None:
        work, *given = job
        work(start, answers, *given)


@contextmanager
def signed_in(url: str, at: str, emails: list[str]) -> Iterator[list[Any]]:
    """One browser for each of these people at an application of this process, the clock held."""
    from office import clock
    from office.db import db
    from office.worker import post_worker_init
    from tests import world
    from tests.conftest import make_app

    app = make_app(url, PROPAGATE_EXCEPTIONS=False, SQLALCHEMY_ENGINE_OPTIONS={"pool_size": 20})
    clock._Clock.held = world.at(at)
    clients = [app.test_client() for _ in emails]
    for client, email in zip(clients, emails, strict=True):
        world.sign_in(client, email)
    # As each process of the web server does.
    post_worker_init(None)
    yield clients
    with app.app_context():
        db.engine.dispose()


def together(start: Any, work: list[Callable[[], None]], patience: float = PATIENCE) -> None:
    """Begin every piece of work at the same moment as the other processes do theirs, and wait for all."""
    threads = [threading.Thread(target=one) for one in work]
    start.wait(PATIENCE)
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(patience)


def _post_all(start: Any, answers: Any, url: str, at: str, asks: list[Ask]) -> None:
    with signed_in(url, at, [one.email for one in asks]) as clients:
        together(start, [partial(_post, client, ask, answers) for client, ask in zip(clients, asks, strict=True)])


def _post(client: Any, ask: Ask, answers: Any) -> None:
    try:
        answer = client.post(ask.path, data={"once": uuid.uuid4().hex} | ask.data)
        answers.put(Answer(ask, answer.status_code, answer.headers.get("Location", ""), answer.get_data(as_text=True)))
    except Exception as error:  # what a browser would see as a broken answer
        answers.put(Answer(ask, 500, "", repr(error)))
