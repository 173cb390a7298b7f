"""Labels of sample bottles printed ahead: which numbers there are, which is next, what one label says."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import bindparam, select

from intake.models import LabelReprint, LabelRun, Load
from intake.states import LoadState
from office import facts, formats
from office.db import db
from office.facts import fact
from office.plants import Plant

# A letter sheet as sold for this: three columns of ten labels.
A_SHEET = 30
_RECENT = 300


@fact
def _runs(plant_id: int | None) -> list[LabelRun]:
    return facts.rows(LabelRun, _printed(), plant_id=plant_id)


@cache
def _printed() -> Any:
    return select(LabelRun).where(LabelRun.plant_id == bindparam("plant_id")).order_by(LabelRun.first)


def runs(plant_id: int) -> list[LabelRun]:
    """What was printed ahead, in the order of the numbers, which leave none out."""
    found: list[LabelRun] = _runs(plant_id)
    return found


def last_printed(plant_id: int) -> int:
    """The highest number on a label; 0 where none was printed."""
    return max((one.last for one in runs(plant_id)), default=0)


def as_bottle(number: int) -> str:
    """A label's number as it is printed and typed: ``0412``."""
    return f"{number:04d}"


def number_of(bottle: str) -> int | None:
    """The label's number a bottle is named by; None for one marked by hand."""
    return int(bottle) if bottle.isascii() and bottle.isdigit() and as_bottle(int(bottle)) == bottle else None


def _highest_used(plant_id: int) -> int:
    query = select(Load.bottle).where(Load.plant_id == plant_id, Load.state != LoadState.VOID.value, Load.bottle != "")
    recent = db.session.scalars(query.order_by(Load.id.desc()).limit(_RECENT))
    last = last_printed(plant_id)
    return max((n for one in recent if (n := number_of(one)) is not None and n <= last), default=0)


def next_label(plant_id: int) -> str | None:
    """The first label after the last one used; None where no label is printed, or all are used up."""
    if not runs(plant_id):
        return None
    following = _highest_used(plant_id) + 1
    return as_bottle(following) if following <= last_printed(plant_id) else None


def left(plant_id: int) -> int:
    """How many labels are printed and not used yet."""
    return last_printed(plant_id) - _highest_used(plant_id) if runs(plant_id) else 0


def odd_bottle(plant_id: int, bottle: str) -> str:
    """What is odd about a bottle's number: it stands on no label though there are some left; "" for nothing."""
    following = next_label(plant_id)
    number = number_of(bottle)
    if following is None or (number is not None and 1 <= number <= last_printed(plant_id)):
        return ""
    return f"Bottle {bottle} has no printed label. The next one is {following}."


@dataclass(frozen=True)
class Label:
    """What one label says; day and load are blank until the bottle is used."""

    bottle: str
    day: str
    load: str
    again: bool


def labels(plant: Plant, first: int, last: int, *, again: bool) -> list[Label]:
    """The labels of a range; ``again`` marks them as printed once more, with the load each was used for."""
    wanted = [as_bottle(number) for number in range(first, last + 1)]
    used: dict[str, Load] = {}
    if again:
        query = select(Load).where(Load.plant_id == plant.id, Load.bottle.in_(wanted),
                                   Load.state != LoadState.VOID.value)  # fmt: skip
        used = {one.bottle: one for one in db.session.scalars(query.order_by(Load.id))}
    return [_label(one, used.get(one), again) for one in wanted]


def _label(bottle: str, load: Load | None, again: bool) -> Label:
    return Label(bottle, formats.date_only(load.day) if load else "", load.ticket if load else "", again)


def reprints(plant_id: int, limit: int = 100) -> Sequence[LabelReprint]:
    """What was printed once more, the newest first."""
    query = select(LabelReprint).filter_by(plant_id=plant_id).order_by(LabelReprint.id.desc())
    return db.session.scalars(query.limit(limit)).all()
