"""The schedules of towns under tests, and loads to price by them."""

from datetime import date
from decimal import Decimal
from functools import cache
from pathlib import Path

from ordinances.hauled import Load, Part
from ordinances.pricing import Quote, price_load
from ordinances.refusal import Refusal
from ordinances.schedule import Schedule
from ordinances.schedule_lines import ScheduleLine
from ordinances.schedule_reader import read_schedule, schedule_from_text

HERE = Path(__file__).parent / "schedules"
DAY = date(2026, 10, 6)
HEAD = '[schedule]\nid = "a"\nname = "A town"\nsource = "Its code"\n'


@cache
def town(name: str) -> Schedule:
    return read_schedule(HERE / f"{name}.toml")


def towns() -> list[str]:
    return sorted(path.stem for path in HERE.glob("*.toml"))


def septic(gallons: int | None = None, origin: str | None = None) -> Part:
    return Part("septic_tank", origin, gallons)


def item(code: str, kind: str, fields: str = "", since: str = "2020-01-01") -> str:
    """An item of a schedule in TOML; `fields` are the lines that its kind needs."""
    name = code.replace("_", " ").capitalize()
    return f'\n[[item]]\ncode = "{code}"\nwhat = "{name}"\nkind = "{kind}"\nfrom = {since}\ncite = "§ 1-1"\n{fields}\n'


def made(*rows: str, head: str = "") -> Schedule:
    """A schedule of some rows of TOML; `head` are further lines of its first table."""
    return schedule_from_text(HEAD + head + "\n" + "".join(rows))


def quote(schedule: Schedule, load: Load, day: date = DAY) -> Quote:
    found = price_load(schedule, day, load)
    assert not isinstance(found, Refusal), found
    return found


def cost(name: str, load: Load, day: date = DAY) -> Decimal:
    return quote(town(name), load, day).total


def refused(schedule: Schedule, load: Load, day: date = DAY) -> Refusal:
    found = price_load(schedule, day, load)
    assert isinstance(found, Refusal), found
    return found


def shown(lines: tuple[ScheduleLine, ...]) -> list[tuple[str, str]]:
    return [(one.code, str(one.amount)) for one in lines]
