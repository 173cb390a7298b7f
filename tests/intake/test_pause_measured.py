"""A truck that flowed faster than planned and pauses keeps no more room than others leave it (§ 329-7 F(3))."""

import pytest

from intake.actions.running import change_rate, pause_load, resume_load, stop_all
from office.verify import verify
from tests import world
from tests.intake.gatehouse import good, log
from tests.intake.plant import TUESDAY, book, hauler, picture, planned, session
from tests.intake.test_running import clock, do, pieces

pytestmark = pytest.mark.usefixtures("app")


def running(gallons=600):
    """A load that runs from 7:00 on."""
    return good(log(hauler(), gallons, "2026-10-06T07:00"))


def measured(load, gph, at="07:10:00"):
    return good(do(change_rate, load, gph, at=at))


def test_above_the_hard_limit_the_room_it_keeps_is_the_limit():
    load = running()
    measured(load, 671)
    good(do(pause_load, load, 200, at="07:20:00"))
    assert pieces(load) == ["07:00-07:10 109 at 655", "07:10-07:20 91 at 546", "rest 07:20-07:54 400 at 666"]
    assert picture(TUESDAY, clock("07:20:00")).room == 1_398
    good(do(resume_load, load, at="07:30:00"))
    assert pieces(load)[-1] == "07:30-08:07 400 at 666"
    assert verify() == []


def test_beside_others_it_keeps_what_they_leave():
    other = hauler("Other Pumping", number=2)
    planned(other, session("2026-10-06T07:00", 366, minutes=60))
    load = running(200)
    assert pieces(load) == ["07:00-07:40 200 at 300"]
    measured(load, 500)
    good(do(pause_load, load, 100, at="07:15:00"))
    assert pieces(load)[-1] == "rest 07:15-07:28 100 at 300"
    assert verify() == []


def test_where_others_have_all_of_it_its_room_is_over_as_it_pauses():
    load = running(200)
    other = hauler("Other Pumping", number=2)
    book(other, session("2026-10-06T07:20", 666), at=world.at("2026-10-06T07:01"))
    # It runs on at a rate nobody planned, into the time of the other.
    measured(load, 60, at="07:05:00")
    assert pieces(load)[-1].startswith("rest")
    good(do(pause_load, load, 30, at="07:15:00"))
    assert verify() == []


def test_everything_stopped_at_once_after_a_measured_rate_keeps_within_the_limit():
    load = running()
    measured(load, 900)
    good(do(lambda **given: stop_all(world.plant(), "Manhole overflows", **given), at="07:15:00"))
    assert pieces(load)[-1].endswith(" at 666")
    assert verify() == []
