"""The limits of one hauler as a committee writes them, one a line: "3,000 a day", "1,500 holding tank a week"."""

import re
from typing import Any

from haulers.queries.motion_lines import Limit
from haulers.states import Period
from office.forms import AreaField
from ordinances.screening import WASTE_TYPES

PERIODS = {
    "a day": Period.DAY, "per day": Period.DAY, "a week": Period.WEEK, "per week": Period.WEEK,
    "in winter": Period.WINTER, "in the rest of the year": Period.REST, "a season": Period.SEASON,
    "per season": Period.SEASON, "in the season": Period.SEASON,
}  # fmt: skip
WASTES = {label.lower(): key for key, label in WASTE_TYPES.items()}
LINE = re.compile(
    r"(?P<gallons>[0-9][0-9,]*)( gallons| gal\.?)?( of)?"
    rf"( (?P<waste>{'|'.join(map(re.escape, WASTES))}))?( waste)?"
    rf" (?P<period>{'|'.join(PERIODS)})(?P<soft>,? \(?(only noted|noted only)\)?)?\.?"
)
MOST = 9_999_999


def parse_limits(text: str) -> list[Limit]:
    """The limits of a box, one a line; raises ValueError with the sentence to show for a line that cannot be read."""
    found = []
    for line in filter(None, (" ".join(line.lower().split()) for line in text.splitlines())):
        read = LINE.fullmatch(line)
        count = int(read["gallons"].replace(",", "")) if read else 0
        if read is None or count > MOST:
            raise ValueError(f"Write '{line[:60]}' like '3,000 a day' or '1,500 holding tank a week, only noted'")
        found.append(Limit(WASTES.get(read["waste"] or "", ""), PERIODS[read["period"]], count, not read["soft"]))
    return found


class LimitsField(AreaField):
    """A box of limits; ``data`` the text, read with ``parse_limits``."""

    def __init__(self, label: str = "Limits for this hauler", **kwargs: Any) -> None:
        hint = ("One a line, such as '3,000 a day' or '1,500 holding tank a week, only noted'. More than a limit is "
                "refused when booking and at the gate, unless it is only noted.")  # fmt: skip
        super().__init__(label, hint, empty=None, rows=2, **kwargs)

    def read(self, typed: str) -> str:
        parse_limits(typed)
        return typed
