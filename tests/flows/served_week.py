"""The race of ``test_full_week`` over HTTP: only ``make soak`` runs it, to measure; the test command holds the rest."""

from collections.abc import Callable
from functools import partial
from typing import Any

from tests import world
from tests.flows.racing import together
from tests.flows.serving import Browser, served, worked
from tests.flows.test_full_week import (
    LONG,
    NOW,
    REQUESTS,
    Person,
    Visit,
    Visited,
    a_second,
    nearly_full,
    nothing_wrong,
    plain_visit,
    report,
    visits_of,
)


def _visit_served(start: Any, answers: Any, port: int, server: int, visits: list[Visit]) -> None:
    """Everybody plays at once. What the server worked meanwhile is the same for all processes."""
    people = [Person(Browser(port), visit) for visit in visits]
    for one in people:
        one.client.get("/sign-in")
        world.sign_in(one.client, one.visit.email)
        one.ask()
    _measured(start, answers, server, [one.seen for one in people], [one.play for one in people])
    for one in people:
        one.client.close()


def _plain_served(start: Any, answers: Any, port: int, server: int, visits: list[Visit]) -> None:
    """As many browsers ask as often for the bare page."""
    seen, browsers = [Visited() for _ in visits], [Browser(port) for _ in visits]
    for browser in browsers:
        browser.get("/")
    plays = [partial(plain_visit, *one, visit.requests) for *one, visit in zip(browsers, seen, visits, strict=True)]
    _measured(start, answers, server, seen, plays)
    for browser in browsers:
        browser.close()


def _measured(start: Any, answers: Any, server: int, seen: list[Visited], plays: list[Callable[[], None]]) -> None:
    start.wait(LONG)
    before = worked(server)
    together(start, plays, LONG)
    start.wait(LONG)
    answers.put((seen, worked(server) - before))


def test_a_nearly_full_week_served_over_http_beside_a_bare_page_served_in_the_same_way(app, engine, racers):
    """The ratio the race is held to: "a bare Flask page" gives 4,800 answers a second when a web server serves it to
    browsers, so both are served. Asked for inside one process both are quicker, the bare page the most."""
    shares = visits_of(nearly_full())
    done = []
    for name, play in (("application", _visit_served), ("bare", _plain_served)):
        with served(name, str(app.config["DATABASE_URL"]), NOW) as (port, server):
            for job, visits in zip(racers.jobs, shares, strict=True):
                job.put((play, port, server, visits))
            found = [racers.answers.get(timeout=LONG) for _ in racers.jobs]
        done.append(([one for each in found for one in each[0]], max(each[1] for each in found)))
    (seen, mine), (plain, beside) = done
    report(f"{engine}, served over HTTP", a_second(seen), a_second(plain), beside / mine)
    assert sum(one.kinds["200"] for one in plain) == REQUESTS
    nothing_wrong(seen)
