"""Which flow a limit is reckoned from, and at which flows nothing is unloaded (§ 329-7 F(3) of Bayfield).

A reading is (day, gallons): one recorded day of the plant's meter that counts. Readings may come in any order.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from ordinances.refusal import Refusal
from ordinances.rows import Law, Row, once
from ordinances.values import MONTH_WORDS, day_words

Reading = tuple[date, int]
_HIGH = ("rate.high_flow_gpd", "rate.own_high_flow_gpd")
_LOW = ("rate.low_flow_gpd", "rate.own_low_flow_gpd")


@dataclass(frozen=True)
class Flow:
    """The flow, whole gallons a day, that a limit is reckoned from; `steps` says how it came about, where not stated.

    `asked` marks a flow given with the question: then no reading stands against it.
    """

    gpd: int
    steps: tuple[str, ...] = ()
    asked: bool = False


def flow_on(law: Law, day: date, asked: int | None, readings: Iterable[Reading] | None) -> Flow | Refusal:
    """The flow of a day: the one asked about, else by the law's basis, never above one the Director put in force.

    Under "rolling_mean" it is the mean of the days recorded last before the day, rounded down. Too few of them: the
    stated flow, or a Refusal "no_flow", as the law says. No readings looked at (None): the stated flow, for planning.
    Raises NoLaw where no flow is stated, ValueError below zero.
    """
    stated: int = law.value("rate.flow_gpd", day)
    if asked is not None:
        if asked < 0:
            raise ValueError("a flow cannot be below zero")
        return Flow(asked, asked=True)
    own = law.value("rate.flow_in_force_gpd", day) if law.has("rate.flow_in_force_gpd", day) else None
    if readings is None or not law.has("rate.basis", day) or law.value("rate.basis", day) == "stated":
        return Flow(stated if own is None else own)
    mean = _mean(law, day, stated, readings)
    if isinstance(mean, Refusal) or own is None or own >= mean.gpd:
        return mean
    return Flow(own, (*mean.steps, f"the flow in force by the Director is lower = {own:,} gallons a day"))


def stop_on(law: Law, day: date, flow: Flow, readings: Iterable[Reading] | None) -> Refusal | None:
    """Why a flow stops the whole day: "high_flow" or "low_flow", with the § and the flow.

    The flow looked at is the one asked about; else the reading of the day or of the day before it, for what was
    measured longer ago says nothing of this day; without either, the flow the limit is reckoned from.
    """
    seen = None if flow.asked else _near(day, readings or ())
    gpd = flow.gpd if seen is None else seen[1]
    measured = "" if seen is None else f" on {day_words(seen[0])}"
    for keys, code, word in ((_HIGH, "high_flow", "above"), (_LOW, "low_flow", "below")):
        for row in _rows(law, keys, day):
            if gpd > row.value if code == "high_flow" else gpd < row.value:
                why = (
                    f"Nothing is unloaded on {day_words(day)}: the plant's flow{measured} is {gpd:,} gallons a day, "
                    f"{word} {row.value:,}."
                )
                return Refusal(code, why, row.cite, row.reading, details={"day": day, "flow_gpd": gpd})
    return None


@once
def reads_meter(law: Law, day: date) -> bool:
    """Whether anything about a day's limit rests on recorded flows."""
    averaged = law.has("rate.basis", day) and law.value("rate.basis", day) != "stated"
    return averaged or any(law.has(key, day) for key in (*_HIGH, *_LOW))


def _mean(law: Law, day: date, stated: int, readings: Iterable[Reading]) -> Flow | Refusal:
    row = law.row("rate.basis_days", day)
    last = sorted(one for one in readings if one[0] < day)[-row.value :]
    if len(last) == row.value:
        gpd = sum(gallons for _, gallons in last) // row.value
        days = f"{_short(last[0][0])} to {_short(last[-1][0])}" if row.value > 1 else _short(last[0][0])
        return Flow(gpd, (f"mean of the {_days(row.value)} recorded last ({days}) = {gpd:,} gallons a day",))
    short = law.row("rate.basis_short", day)
    few = f"only {len(last)} of the {_days(row.value)} the mean is taken of"
    if short.value == "stated":
        return Flow(stated, (f"{few} are recorded, so the stated flow counts = {stated:,} gallons a day",))
    why = f"Nothing is unloaded on {day_words(day)}: {few} are recorded."
    return Refusal("no_flow", why, short.cite, short.reading, "Record the plant's daily flow.", {"day": day})


def _near(day: date, readings: Iterable[Reading]) -> Reading | None:
    """The reading of the day itself, else of the day before."""
    return max((one for one in readings if day - timedelta(days=1) <= one[0] <= day), default=None)


def _rows(law: Law, keys: tuple[str, ...], day: date) -> list[Row]:
    return [law.row(key, day) for key in keys if law.has(key, day)]


def _short(day: date) -> str:
    return f"{MONTH_WORDS[day.month - 1]} {day.day}"


def _days(count: int) -> str:
    return "1 day" if count == 1 else f"{count} days"
