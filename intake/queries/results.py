"""Laboratory results as pages say them, and the loads whose results are waited for (§ 329-7 F(1))."""

from dataclasses import dataclass
from datetime import date, timedelta

from sqlalchemy import select

from intake.models import Load, Result
from intake.queries import loads
from intake.states import LoadState
from office import formats

PARAMETERS = ("BOD5", "TSS")
NAMES = {"BOD5": "BOD", "TSS": "Suspended solids"}
# BOD is read five days after set-up, so a week without a result is worth a look.
MISSING_AFTER = timedelta(days=8)


@dataclass(frozen=True)
class Waiting:
    """A sample of the grid: the load, its results so far, whether it is late."""

    load: Load
    results: dict[str, Result]
    missing: bool


def as_typed(result: Result) -> str:
    """The result as exports and boxes show it: ``4,200``, ``<2``, ``>9,000``."""
    return f"{result.qualifier}{formats.number(result.value)}"


def in_words(result: Result) -> str:
    """The result in words: ``4,200 mg/L``, ``Not detected (below 2 mg/L)``."""
    amount = f"{formats.number(result.value)} {result.unit}"
    if result.qualifier == "<":
        return f"Not detected (below {amount})"
    if result.qualifier == ">":
        return f"Above what the test can measure ({amount})"
    return amount


def waiting(plant_id: int, today: date, *, everything: bool = False, limit: int = 200) -> list[Waiting]:
    """Tested loads that still lack a result, oldest first; with ``everything`` the newest ones, finished or not."""
    query = select(Load).where(
        Load.plant_id == plant_id, Load.tested.is_(True), Load.state == LoadState.ACCEPTED.value
    )  # fmt: skip
    if everything:
        query = query.order_by(Load.id.desc())
    else:
        for_load = select(Result.load_id).where(Result.parameter == PARAMETERS[0])
        other = select(Result.load_id).where(Result.parameter == PARAMETERS[1])
        query = query.where(Load.id.not_in(for_load) | Load.id.not_in(other)).order_by(Load.id)
    late = today - MISSING_AFTER
    return [
        Waiting(line.load, line.results, line.load.day <= late and len(line.results) < len(PARAMETERS))
        for line in loads.lines(query.limit(limit))
    ]
