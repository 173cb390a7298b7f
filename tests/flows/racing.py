"""Workers for the race tests: four processes of their own, each with its own application on one database.

Every request goes through the application's pages as a browser's would; all of them start at the same moment.
"""

import multiprocessing
import threading
import uuid
from dataclasses import dataclass, field
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
    """Four processes that stay for several races."""

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
            job.put((url, at, asks[n::PROCESSES]))
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
    from office import clock
    from office.db import db
    from tests import world
    from tests.conftest import make_app

    while (job := jobs.get()) is not None:
        url, at, asks = job
        app = make_app(url, PROPAGATE_EXCEPTIONS=False, SQLALCHEMY_ENGINE_OPTIONS={"pool_size": 20})
        clock._Clock.held = world.at(at)
        clients = [(app.test_client(), ask) for ask in asks]
        for client, ask in clients:
            world.sign_in(client, ask.email)
        start.wait(PATIENCE)
        threads = [threading.Thread(target=_post, args=(client, ask, answers)) for client, ask in clients]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE)
        with app.app_context():
            db.engine.dispose()


def _post(client: Any, ask: Ask, answers: Any) -> None:
    try:
        answer = client.post(ask.path, data={"once": uuid.uuid4().hex} | ask.data)
        answers.put(Answer(ask, answer.status_code, answer.headers.get("Location", ""), answer.get_data(as_text=True)))
    except Exception as error:  # what a browser would see as a broken answer
        answers.put(Answer(ask, 500, "", repr(error)))
