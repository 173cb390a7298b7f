"""Which figure of a load counts: its first result, or that of a new test the plant let prevail (§ 329-6 J).

Whatever reckons with results asks here: pounds, slugs, blends, means, sums, charges and files.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from sqlalchemy import and_, select

from intake.models import Result, Retest
from office.db import db
from ordinances.lab_words import is_estimate
from ordinances.strength import PARAMETERS

NEW_WORDS = "the new test counts"


@dataclass(frozen=True)
class Figure:
    """The figure of one test that counts, with the unit of its result. ``first``: the result it stands in place of.

    ``estimate``: it lies between the limits of detection and of quantitation its laboratory states.
    """

    qualifier: str
    value: Decimal
    unit: str
    first: Result | None = None
    estimate: bool = False


Figures = dict[str, Figure]


def both(load_ids: Iterable[int]) -> tuple[dict[int, dict[str, Result]], dict[int, Figures]]:
    """First results, and the figures that count, by load and parameter. One query; of new tests the newest counts."""
    found, counted = dict[int, dict[str, Result]](), dict[int, Figures]()
    query = (
        select(Result, Retest)
        .outerjoin(Retest, and_(Retest.load_id == Result.load_id, Retest.prevails.is_(True)))
        .where(Result.load_id.in_(list(load_ids)))
        .order_by(Result.id, Retest.done_at, Retest.id)
    )
    for result, again in db.session.execute(query):
        found.setdefault(result.load_id, {})[result.parameter] = result
        new = again.found.get(result.parameter) if again is not None else None
        mine = counted.setdefault(result.load_id, {})
        if new is not None:
            again_found = new_result(result.parameter, new)
            mine[result.parameter] = Figure(again_found.qualifier, again_found.value, result.unit, result,
                                            estimated(again_found))  # fmt: skip
        elif result.parameter not in mine:
            mine[result.parameter] = Figure(result.qualifier, result.value, result.unit, estimate=estimated(result))
    return found, counted


DAYS, LIMITS, WORDS = ("sampled_on", "received_on", "analysed_on"), ("lod", "loq"), (
    "method", "analyst", "lab_number", "asked")  # fmt: skip


def new_result(parameter: str, found: Mapping[str, str]) -> Result:
    """What a new test found, as a result that is shown and reckoned like any other; it is in no table."""
    return Result(
        parameter=parameter, typed=found["typed"], qualifier=found["qualifier"], value=Decimal(found["value"]),
        unit=PARAMETERS[parameter].unit, source="",
        **{name: found.get(name, "") for name in WORDS},
        **{name: date.fromisoformat(found[name]) if name in found else None for name in DAYS},
        **{name: Decimal(found[name]) if name in found else None for name in LIMITS},
    )  # fmt: skip


def estimated(result: Result) -> bool:
    """Whether a result lies between the limits of detection and of quantitation its laboratory states."""
    return is_estimate(result.qualifier, result.value, result.lod, result.loq)


def figures_of(load_ids: Iterable[int]) -> dict[int, Figures]:
    """The figures that count by load and parameter. One query."""
    return both(load_ids)[1]
