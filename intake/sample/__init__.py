"""The sample season: 8 haulers, two meetings, about 150 loads, one restriction, one revocation, made by the acts."""

from collections.abc import Callable
from datetime import date

from intake.sample.setting import Story, apply_all, decide_all, set_up
from intake.sample.story import run
from office import clock

NOW = "2027-02-09T07:52"


def load(told: Callable[[int, date], None]) -> int:
    """Make the season in an empty database; the number of loads. ``told`` hears loads so far and the day reached."""
    story = Story()
    try:
        set_up(story)
        apply_all(story)
        decide_all(story)
        return run(story, told)
    finally:
        clock.reset()
