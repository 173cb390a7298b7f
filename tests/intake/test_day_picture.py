"""One number of gallons, from now on: headline, caption, table and bars agree at every second, also restricted."""

import re
from datetime import timedelta
from fractions import Fraction

import pytest

from intake.actions.restriction import restrict_plant
from intake.queries.public import plant_status
from tests import world
from tests.intake.gatehouse import good, kept
from tests.intake.plant import TUESDAY, book, hauler, picture, planned, session


@pytest.fixture
def page(app, clock_at):
    """The public page at an instant, as text."""

    def get(moment: str) -> str:
        clock_at(moment)
        return str(app.test_client().get("/bayfield/").get_data(as_text=True))

    return get


def numbers(text: str) -> tuple[str, str, int]:
    """What the headline, the caption and the table say is left."""
    table = sum(Fraction(one) for one in re.findall(r'data-free="([0-9.]+)"', text))
    return (
        re.findall(r"<b>([\d,]+)</b> <span>gallons? left", text)[0],
        re.findall(r"<figcaption>([\d,]+) gallons? still free", text)[0], int(table + Fraction(1, 1000)),
    )  # fmt: skip


@pytest.mark.parametrize(("moment", "left"), [
    ("2026-10-06T07:59:00", "679"), ("2026-10-06T07:59:01", "674"), ("2026-10-06T07:59:59", "674"),
    ("2026-10-06T08:00:00", "674"), ("2026-10-06T08:00:01", "668"), ("2026-10-06T09:59:30", "0"),
])  # fmt: skip
def test_headline_caption_and_table_are_one_number_at_every_second(page, moment, left):
    planned(hauler(), session("2026-10-06T07:30", 822, gph=329))
    assert numbers(page(moment)) == (left, left, int(left))


def test_what_is_free_never_rises_as_the_time_passes(app):
    book(hauler(), session("2026-10-06T07:30", 600))
    before = None
    for second in range(0, 3600, 20):
        at = world.at("2026-10-06T07:30") + timedelta(seconds=second)
        here = picture(TUESDAY, at)
        assert int(sum(q.free for q in here.quarters)) == here.room
        free = [q.free for q in here.quarters]
        assert before is None or all(now <= then for now, then in zip(free, before, strict=True)), at
        before = free


def test_the_bar_of_the_running_quarter_hour_keeps_its_height(page):
    planned(hauler(), session("2026-10-06T07:30", 333, gph=333))
    heights = [
        re.findall(r'height="([\d.]+)" class="taken', page(f"2026-10-06T07:{minute}").split("pic-narrow")[0])
        for minute in ("31", "37:30", "44:50")
    ]
    assert heights == [heights[0]] * 3
    assert heights[0] == ["70.0"] * 4


def test_the_next_start_is_that_of_the_largest_load_that_fits(page):
    who = hauler()
    planned(who, session("2026-10-06T07:00", 665, minutes=60))
    book(who, session("2026-10-06T08:00", 300))
    text = page("2026-10-06T07:53")
    now = plant_status(world.plant(), world.law(), world.at("2026-10-06T07:53"))
    assert (now.largest, now.next_free) == (1_021, world.at("2026-10-06T08:28"))
    assert "<b>8:28 a.m.</b> <span>first start for the largest load that fits</span>" in text
    assert "the largest single load that fits is 1,021" in text


def restrict(at: str, **more) -> None:
    good(kept(restrict_plant(world.plant(), "permit_threat", by=world.staff("director"), at=world.at(at),
                             law=world.law(), **more)))  # fmt: skip


@pytest.mark.parametrize("moment", ["2026-10-06T08:12:20", "2026-10-06T08:12:40", "2026-10-06T08:14:59"])
def test_a_restricted_day_has_no_gallon_free_and_no_limit(page, moment):
    restrict("2026-10-06T08:12:20")
    text = page(moment)
    assert numbers(text) == ("0", "0", 0)
    assert "Restricted: no septage is being accepted" in text
    assert re.findall(r"Limit: [^<]*", text) == []
    assert "<b>0</b> <span>gallons an hour, the most we take" in text


def test_a_lower_limit_is_the_one_the_picture_names_and_draws(page):
    restrict("2026-10-06T06:00", scope="rate", gph=333)
    text = page("2026-10-06T06:30")
    assert numbers(text) == ("999", "999", 999)
    assert "Reduced limit: 83.2 gallons each quarter hour (333 an hour)" in text
    assert "(666 an hour)" not in text
    wide = text.split("pic-narrow")[0]
    assert re.findall(r'y1="([\d.]+)" y2="[\d.]+" class="limit"', wide) == ["112.0"]
    assert len(re.findall(r'height="70.0" class="shut"', wide)) == 12
    assert 'class="taken' not in wide
