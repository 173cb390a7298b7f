"""Page, JSON, text and feed say at every edge what the gate answers at the same instant; the feed is a feed."""

import re
from datetime import UTC, date, datetime, time, timedelta
from html import unescape
from typing import Any

import feedparser
import pytest

from haulers.actions.revocation import revoke_approval
from intake.actions.restriction import lift_restriction, restrict_plant, update_restriction
from intake.queries.gate import may_discharge
from office import clock
from office.db import db
from office.plants import set_closure, set_plant_row
from tests import world
from tests.intake.gatehouse import good, kept
from tests.intake.plant import MORNING, book, hauler, session

HELD = world.at("2026-10-06T08:12")


@pytest.fixture
def at():
    """Hold the clock at an instant, plant-local text or UTC with a Z."""

    def hold(text: str) -> datetime:
        moment = datetime.fromisoformat(text) if text.endswith("Z") else world.at(text)
        clock.hold(moment)
        return moment.astimezone(UTC)

    yield hold
    clock.reset()


class Said:
    """What is said to everybody at the held instant, by each of the four ways."""

    def __init__(self, app: Any) -> None:
        client = app.test_client()
        self.json = client.get("/bayfield/status.json").get_json()
        self.page = client.get("/bayfield/").get_data(as_text=True)
        self.line = client.get("/bayfield/status.txt").get_data(as_text=True)
        self.feed = feedparser.parse(client.get("/bayfield/status.atom").get_data())

    @property
    def headline(self) -> str:
        """The one headline of all four."""
        panel = unescape(re.findall(r'panel-title">.*?<span>(.*?)</span>', self.page)[0])
        entry = next(one for one in self.feed.entries if "/status/" in one.id)
        assert entry.title == f"{self.json['word']}: {panel}"
        assert self.json["headline"] == panel
        assert self.line.startswith(f"Bayfield Wastewater Treatment Works: {panel}")
        lines = "".join(f"<p>{line}</p>" for line in self.json["lines"])
        assert lines in re.sub(r">\s+<", "><", unescape(self.page))
        assert entry.summary == " ".join(self.json["lines"])
        return panel


def gate(who: Any, moment: datetime) -> tuple[bool, str]:
    answer = may_discharge(world.plant(), world.law(moment.date()), moment, business_id=who.business_id,
                           truck_id=who.truck_id, waste="septic_tank")  # fmt: skip
    return answer.ok, answer.code


EDGES = [
    ("2026-10-06T06:59:59", False, "outside_hours", "Opens today at 7:00 a.m."),
    ("2026-10-06T07:00:00", True, "may_unload", "Open until 10:00 a.m."),
    ("2026-10-06T09:59:59", True, "may_unload", "Open until 10:00 a.m."),
    ("2026-10-06T10:00:00", False, "outside_hours", "Opens Wednesday, October 7, at 7:00 a.m."),
    ("2026-10-10T08:00:00", False, "closed", "Opens Monday, October 12, at 7:00 a.m."),
    ("2026-11-26T08:00:00", False, "closed", "Closed today: holiday"),
    # The first weekday after the clocks go back, and after they go forward: 7:00 is 13:00Z, then 12:00Z.
    ("2026-11-01T12:00:00Z", False, "closed", "Opens Monday, November 2, at 7:00 a.m."),
    ("2026-11-02T12:59:59Z", False, "outside_hours", "Opens today at 7:00 a.m."),
    ("2026-11-02T13:00:00Z", True, "may_unload", "Open until 10:00 a.m."),
    ("2026-11-02T16:00:00Z", False, "outside_hours", "Opens Tuesday, November 3, at 7:00 a.m."),
    ("2027-03-14T12:30:00Z", False, "closed", "Opens Monday, March 15, at 7:00 a.m."),
    ("2027-03-15T11:59:59Z", False, "outside_hours", "Opens today at 7:00 a.m."),
    ("2027-03-15T12:00:00Z", True, "may_unload", "Open until 10:00 a.m."),
]


@pytest.mark.parametrize(("moment", "open_now", "code", "headline"), EDGES)
def test_all_four_say_what_the_gate_answers_at_each_edge_of_the_day(app, at, moment, open_now, code, headline):
    who, instant = hauler(), at(moment)
    said = Said(app)
    assert (said.headline, said.json["accepting"]) == (headline, open_now)
    assert gate(who, instant) == (open_now, code)


def restrict(**more: Any) -> Any:
    return good(kept(restrict_plant(world.plant(), "permit_threat", by=world.staff("director"), at=HELD,
                                    law=world.law(), **more)))  # fmt: skip


def test_a_restriction_counts_from_its_second_to_that_of_its_lifting(app, at):
    who = hauler()
    at("2026-10-06T08:11:59")
    assert Said(app).headline == "Open until 10:00 a.m."
    row = restrict()
    instant = at("2026-10-06T08:12:00")
    said = Said(app)
    assert (said.headline, said.json["accepting"], gate(who, instant)) == (
        "Restricted since 8:12 a.m.", False, (False, "restricted"),
    )  # fmt: skip
    assert said.json["restrictions"] == [{
        "since": "2026-10-06T08:12-05:00", "scope": "everything", "limit_gph": None,
        "words": "No septage is being accepted.", "reason": "risk of breaking our discharge permit", "said": "",
        "next_update": "2026-10-06T12:12-05:00",
    }]  # fmt: skip
    assert (said.json["gallons_left"], said.json["largest_load"], said.json["limit_gph"]) == (0, 0, 0)
    good(kept(lift_restriction(world.plant(), row.id, "Ammonia is down", by=world.staff("director"),
                               at=world.at("2026-10-06T09:00"), law=world.law())))  # fmt: skip
    instant = at("2026-10-06T09:00:00")
    said = Said(app)
    assert (said.headline, said.json["since"], gate(who, instant)) == (
        "Open until 10:00 a.m.", "2026-10-06T09:00-05:00", (True, "may_unload"),
    )  # fmt: skip


def test_a_lower_limit_leaves_the_gate_open_in_the_same_hours(app, at):
    who = hauler()
    restrict(scope="rate", gph=300)
    instant = at("2026-10-06T08:12:00")
    said = Said(app)
    assert (said.headline, said.json["accepting"], said.json["limit_gph"], gate(who, instant)[0]) == (
        "Reduced to 300 gallons an hour", True, 300, True,
    )  # fmt: skip
    assert said.json["lines"][0] == "Open until 10:00 a.m."
    assert "540 gallons left today; largest load 535; limit 300 gallons an hour." in said.line
    instant = at("2026-10-06T10:00:00")
    said = Said(app)
    assert (said.json["accepting"], said.json["lines"][0], gate(who, instant)) == (
        False, "Opens Wednesday, October 7, at 7:00 a.m.", (False, "outside_hours"),
    )  # fmt: skip
    assert said.headline == "Reduced to 300 gallons an hour"


def test_a_closed_part_of_the_day_is_closed_in_all_four(app, at):
    who = hauler()
    good(set_closure(world.plant(), date(2026, 10, 6), "pump repair", "closed", (time(8), time(9)),
                     by=world.staff("manager"), at=MORNING))  # fmt: skip
    db.session.commit()
    for moment, open_now, since in (("07:59:59", True, "07:00"), ("08:00:00", False, "08:00"),
                                    ("08:59:59", False, "08:00"), ("09:00:00", True, "09:00")):  # fmt: skip
        instant = at(f"2026-10-06T{moment}")
        said = Said(app)
        assert (said.json["accepting"], gate(who, instant)[0]) == (open_now, open_now)
        assert said.headline == ("Open until 10:00 a.m." if open_now else "Closed until 9:00 a.m.")
        assert said.json["since"] == f"2026-10-06T{since}-05:00"


def test_one_revoked_hauler_changes_nothing_that_all_are_told(app, at):
    who, other = hauler(), hauler("Other Pumping", number=2)
    good(kept(revoke_approval(world.plant(), who.approval_id, "§ 329-7 C(2)", "Unloaded at a manhole.",
                              by=world.staff("director"), at=MORNING, law=world.law())))  # fmt: skip
    instant = at("2026-10-06T07:30")
    assert (Said(app).json["accepting"], gate(who, instant)[0], gate(other, instant)[0]) == (True, False, True)


def test_the_largest_load_told_books_and_one_gallon_more_does_not(app, at):
    who = hauler()
    book(who, session("2026-10-06T08:00", 500))
    instant = at("2026-10-06T07:20")
    told = Said(app).json
    start = datetime.fromisoformat(told["next_free"])
    for more, expected in ((1, False), (0, True)):
        gallons = told["largest_load"] + more
        one = session(f"{start:%Y-%m-%dT%H:%M}", gallons)
        assert bool(getattr(book(who, one, at=instant), "number", None)) is expected


# ---------------------------------------------------------------- The feed


def names(app: Any) -> dict[str, Any]:
    found = feedparser.parse(app.test_client().get("/bayfield/status.atom").get_data())
    assert not found.bozo
    return {one.id.removeprefix("tag:localhost,2026:bayfield/"): one for one in found.entries}


def test_the_feed_is_atom_with_one_name_an_entry_and_the_newest_change_first(app, at):
    at("2026-11-20T07:30")
    answer = app.test_client().get("/bayfield/status.atom")
    assert answer.content_type == "application/atom+xml; charset=utf-8"
    feed = feedparser.parse(answer.get_data())
    assert (feed.bozo, feed.version, feed.feed.id) == (False, "atom10", "tag:localhost,2026:bayfield/status.atom")
    assert feed.feed.title == "Bayfield Wastewater Treatment Works: septage receiving"
    times = [one.updated_parsed for one in feed.entries]
    assert times == sorted(times, reverse=True)
    assert feed.feed.updated_parsed == times[0]
    assert len({one.id for one in feed.entries}) == len(feed.entries)
    assert all(one.title and one.link.startswith("http://localhost:8000/bayfield/") for one in feed.entries)
    assert {one.rel: one.href for one in feed.feed.links} == {
        "alternate": "http://localhost:8000/bayfield/", "self": "http://localhost:8000/bayfield/status.atom",
    }  # fmt: skip


def test_the_state_has_an_entry_of_its_own_from_each_change_on(app, at):
    seen = {}
    for moment in ("06:00", "06:59:59", "07:00", "07:52", "10:00", "15:00"):
        at(f"2026-10-06T{moment}")
        seen[moment] = next(name for name in names(app) if name.startswith("status/"))
    assert seen == {
        "06:00": "status/2026-10-06T05:00:00Z", "06:59:59": "status/2026-10-06T05:00:00Z",
        "07:00": "status/2026-10-06T12:00:00Z", "07:52": "status/2026-10-06T12:00:00Z",
        "10:00": "status/2026-10-06T15:00:00Z", "15:00": "status/2026-10-06T15:00:00Z",
    }  # fmt: skip
    # Over a weekend nothing changes, so nothing is news.
    for moment in ("2026-10-09T10:00", "2026-10-10T00:00", "2026-10-11T23:59:59"):
        at(moment)
        assert "status/2026-10-09T15:00:00Z" in names(app)


def test_a_restriction_keeps_its_entry_through_updates_to_its_lifting(app, at):
    hauler()
    row, by, law = restrict(note="Blower fault"), world.staff("director"), world.law()
    name = f"restriction/{row.id}"
    seen = []
    for minutes, act in ((0, None), (30, "update"), (60, "lift")):
        moment = HELD + timedelta(minutes=minutes)
        if act == "update":
            good(kept(update_restriction(world.plant(), row.id, "Part ordered", moment + timedelta(hours=2), by=by,
                                         at=moment, law=law)))  # fmt: skip
        if act == "lift":
            good(kept(lift_restriction(world.plant(), row.id, "Blower replaced", by=by, at=moment, law=law)))
        clock.hold(moment)
        entry = names(app)[name]
        seen.append((entry.title, entry.updated, entry.summary.rsplit(" a.m.", 1)[-1]))
        assert entry.link == f"http://localhost:8000/bayfield/notices/{row.id}"
    assert seen == [
        ("Restricted: Risk of permit violation related to septage", "2026-10-06T13:12:00+00:00", ": Blower fault."),
        ("Restricted: Risk of permit violation related to septage", "2026-10-06T13:42:00+00:00", ": Part ordered."),
        ("Lifted: Risk of permit violation related to septage", "2026-10-06T14:12:00+00:00",
         " What was done: Blower replaced."),
    ]  # fmt: skip


def test_closed_days_near_by_and_changes_of_the_limit_have_entries(app, at):
    at("2026-11-20T07:30")
    good(set_plant_row(world.plant(), "rate.flow_in_force_gpd", 125_000, date(2026, 11, 23), "Order 7",
                       by=world.staff("director"), at=world.at("2026-11-20T07:00")))  # fmt: skip
    db.session.commit()
    found = names(app)
    assert {name: one.title for name, one in found.items() if name.startswith(("closure/", "limit/"))} == {
        "closure/2026-11-26": "Closed Thursday, November 26, 2026: Thanksgiving Day",
        "closure/2026-12-25": "Closed Friday, December 25, 2026: Christmas Day",
        "closure/2027-01-01": "Closed Friday, January 1, 2027: New Year's Day",
        "closure/2027-01-18": "Closed Monday, January 18, 2027: Martin Luther King Jr. Day",
        next(name for name in found if name.startswith("limit/")):
            "Flow in force at this plant from Monday, November 23, 2026: 125,000 gallons a day",
    }  # fmt: skip
    assert found["closure/2026-11-26"].updated == "2026-06-01T14:00:00+00:00"
    assert found["closure/2026-11-26"].link == "http://localhost:8000/bayfield/day/2026-11-26"


def test_a_feed_that_has_not_changed_is_not_sent_again(app, at):
    at("2026-10-06T07:30")
    client = app.test_client()
    tag = client.get("/bayfield/status.atom").headers["ETag"]
    at("2026-10-06T09:59:59")
    assert client.get("/bayfield/status.atom", headers={"If-None-Match": tag}).status_code == 304
    at("2026-10-06T10:00")
    assert client.get("/bayfield/status.atom", headers={"If-None-Match": tag}).status_code == 200
