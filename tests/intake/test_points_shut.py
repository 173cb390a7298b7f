"""Every station set closed without a restriction: the page, the feeds and the gate say the same (§ 329-7 C(1))."""

import re
from datetime import timedelta

import pytest

from intake.queries.public import plant_status
from tests import world
from tests.intake.gatehouse import good
from tests.intake.plant import TUESDAY, WEDNESDAY, hauler
from tests.intake.test_points import manhole, permit, set_to, station
from tests.intake.test_points_pages import second
from tests.intake.test_public_agrees import Said, gate

SHUT = "Closed today: no receiving point takes septage"
SEVEN = world.at("2026-10-06T07:30")


@pytest.mark.parametrize("terms", [{"is_open": False}, {"wastes": ("grease_interceptor",)}])
def test_all_four_and_the_gate_say_closed_until_the_point_is_open_again(app, clock_at, terms):
    who = hauler()
    clock_at("2026-10-06T07:29")
    assert Said(app).json["accepting"] is True
    good(set_to(station(), TUESDAY, at=SEVEN, **terms))
    good(set_to(station(), WEDNESDAY, at=SEVEN))
    instant = world.at("2026-10-06T07:30")
    clock_at("2026-10-06T07:30")
    said = Said(app)
    assert (said.headline, said.json["accepting"], gate(who, instant)) == (SHUT, False, (False, "no_point"))
    assert (said.json["state"], said.json["since"], said.json["until"], said.json["next_open"]) == (
        "closed", "2026-10-06T07:30-05:00", "2026-10-07T07:00-05:00", "2026-10-07T07:00-05:00")  # fmt: skip
    assert (said.json["gallons_left"], said.json["largest_load"]) == (0, 0)
    assert said.json["lines"] == ["Next open: Wednesday, October 7, at 7:00 a.m. 1,998 gallons are free that day. "
                                  "The largest single load that fits is 1,998."]  # fmt: skip
    assert said.line == f"Bayfield Wastewater Treatment Works: {SHUT}. {said.json['lines'][0]}\n"
    clock_at("2026-10-06T10:00")
    assert Said(app).headline == "Opens Wednesday, October 7, at 7:00 a.m."
    instant = world.at("2026-10-07T07:00")
    clock_at("2026-10-07T07:00")
    assert (Said(app).headline, gate(who, instant)) == ("Open until 10:00 a.m.", (True, "may_unload"))


def test_opened_again_it_is_open_since_then(app, clock_at):
    good(set_to(station(), TUESDAY, at=SEVEN, is_open=False))
    good(set_to(station(), TUESDAY, at=SEVEN + timedelta(hours=1)))
    clock_at("2026-10-06T08:30")
    said = Said(app)
    assert (said.headline, said.json["accepting"], said.json["since"]) == (
        "Open until 10:00 a.m.", True, "2026-10-06T08:30-05:00")  # fmt: skip


def test_closed_for_good_no_open_day_is_promised_before_or_after_the_hours(app, clock_at):
    who = hauler()
    good(set_to(station(), TUESDAY, is_open=False))
    for moment, headline in (("06:00", SHUT), ("09:00", SHUT), ("12:00", "Closed")):
        instant = world.at(f"2026-10-06T{moment}")
        clock_at(f"2026-10-06T{moment}")
        said = Said(app)
        assert (said.headline, said.json["accepting"], gate(who, instant)[0]) == (headline, False, False)
        assert (said.json["lines"], said.json["next_open"]) == (["No open day is planned. Call the plant."], None)
    assert Said(app).json["since"] == "2026-10-06T10:00-05:00"


def test_one_of_two_stations_closed_changes_nothing_and_a_manhole_alone_opens_nothing(app, clock_at):
    other = second()
    manhole()
    good(set_to(station(), TUESDAY, at=SEVEN, is_open=False))
    clock_at("2026-10-06T07:30")
    said = Said(app)
    assert (said.headline, said.json["since"]) == ("Open until 10:00 a.m.", "2026-10-06T07:00-05:00")
    good(set_to(other, TUESDAY, at=SEVEN, is_open=False))
    assert plant_status(world.plant(), world.law(), SEVEN).headline == SHUT


def board(app, who="operator"):
    """The state of the plant as the station's board says it, and the buttons below."""
    client = app.test_client()
    world.sign_in(client, who)
    page = client.get("/bayfield/station").text
    state = re.search(r'<div id="state".*?</div>', page, re.S)[0]
    links = re.findall(r'class="btn btn-(\w+)" href="[^"]*">(Log a load|Refuse a load)<', page)
    return " ".join(re.sub(r"<[^>]+>", " ", state).split()), links


def test_the_board_says_that_no_point_takes_septage_when_the_next_opens_and_what_to_do(app, clock_at):
    good(set_to(station(), TUESDAY, is_open=False))
    good(set_to(station(), WEDNESDAY))
    shut = (f"{SHUT} · next open Wednesday, October 7, 2026, 7:00 a.m. Turn trucks away, and record each as a refused "
            "load. ")  # fmt: skip
    for moment in ("06:00", "07:30", "09:59:59"):
        clock_at(f"2026-10-06T{moment}")
        assert board(app) == (f"{shut}Only the plant manager opens a receiving point: call them.",
                              [("secondary", "Log a load"), ("secondary", "Refuse a load")])  # fmt: skip
        assert board(app, "manager")[0] == f"{shut}Open a receiving point"
    clock_at("2026-10-06T10:00")
    assert board(app)[0] == "Closed for today since 10:00 a.m."
    clock_at("2026-10-07T07:00")
    said, links = board(app)
    assert (said.startswith("Open until 10:00 a.m."), links[0]) == (True, ("primary", "Log a load"))


def test_the_board_names_the_manhole_that_still_takes_whom_it_is_permitted(app, clock_at):
    who, place = hauler(), manhole()
    permit(place, who)
    good(set_to(station(), TUESDAY, is_open=False))
    clock_at("2026-10-06T07:30")
    assert board(app)[0] == (
        f"{SHUT} · no open day is planned Turn trucks away, and record each as a refused load. Only who is permitted "
        "there in writing unloads at Manhole at Third Street. Only the plant manager opens a receiving point: call "
        "them."
    )
