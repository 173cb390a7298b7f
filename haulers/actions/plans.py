"""The disposal plan of an approval: the state's six items, written from the law in force (NR 113.07(2)(b))."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from haulers.models import Application, Decision
from haulers.queries import sources_of, waste_words
from haulers.states import Period
from office.formats import date_only, rate, volume
from office.plants import Plant
from ordinances.calendar import Season, approval_period, winter
from ordinances.fees import charged_for
from ordinances.rate_cap import cap_on
from ordinances.reader import Law, NoLaw
from ordinances.refusal import Refusal
from ordinances.schedule_fields import COUNTING
from ordinances.schedule_lines import dollars
from ordinances.schedule_words import charge_rows

ITEMS = ("Quantities, locations, times and methods", "Report of source and amount", "Payment for analysis", "Fees",
         "All other terms", "Formal approval")  # fmt: skip


@dataclass(frozen=True)
class Item:
    """One item of a plan: what it is about, what it says, under which section."""

    item: str
    text: str
    cite: str


def disposal_plan(plant: Plant, application: Application, decision: Decision, season: Season, law: Law) -> list[Item]:
    """The six items in the state's order. One the law in force does not state is left empty: see ``check_plan``."""
    day = season.start
    said = [
        _stated(lambda: _discharge(plant, application, decision, season, law), law, day),
        _stated(lambda: _report(law, day), law, day), _stated(lambda: _analysis(law, day), law, day),
        _stated(lambda: _fees(law, day), law, day),
        ("The conditions of this approval, listed above it.", _cite(law, "approval.condition", day)),
        (f"{plant.name} approves {application.business_name} to unload septage from {_period(law, season)}.",
         _cite(law, "decision.body", day)),
    ]  # fmt: skip
    return [Item(title, text, cite) for title, (text, cite) in zip(_titles(law, day), said, strict=True)]


PERIOD_WORDS = {
    Period.DAY: "a day", Period.WEEK: "a week", Period.WINTER: "in winter", Period.REST: "in the rest of the year",
    Period.SEASON: "in the season",
}  # fmt: skip


def limit_words(limits: Sequence[dict[str, Any]]) -> str:
    """The limits of a decision in words, each with what happens when it is passed; "" for none."""
    said = []
    for one in limits:
        waste = f" of {waste_words([one['waste']])} waste" if one["waste"] else ""
        firm = "" if one["hard"] else " (more is noted, not refused)"
        said.append(f"{volume(one['gallons'])}{waste} {PERIOD_WORDS[Period(one['period'])]}{firm}")
    return f"Not more than {'; '.join(said)}." if said else ""


def check_plan(plan: Sequence[Item], who: str) -> Refusal | None:
    """No plan goes out while one of its items is empty (NR 113.07(2)(b)): which one it is."""
    empty = next((item for item in plan if not item.text.strip()), None)
    if empty is None:
        return None
    why = f"{who}: the disposal plan says nothing yet under '{empty.item}', so this letter is not issued."
    return Refusal("plan_empty", why, empty.cite, next_step="The law in force has to state it: see the rules.")


def _titles(law: Law, day: date) -> tuple[str, ...]:
    if not law.has("state.plan_items", day):
        return ITEMS
    stated = law.value("state.plan_items", day)
    return tuple(words[:1].upper() + words[1:] for words in stated) if len(stated) == len(ITEMS) else ITEMS


def _stated(write: Callable[[], tuple[str, str]], law: Law, day: date) -> tuple[str, str]:
    try:
        return write()
    except NoLaw:
        return "", _cite(law, "state.plan_items", day)


def _cite(law: Law, key: str, day: date) -> str:
    return law.cite(key, day) if law.has(key, day) else law.cite("programme.kind", day)


def _period(law: Law, season: Season) -> str:
    first, last = approval_period(law, season)
    return f"{date_only(first)}, to {date_only(last)}"


def _discharge(plant: Plant, application: Application, decision: Decision, season: Season, law: Law) -> tuple[str, str]:
    day = season.start
    if law.has("winter.from", day):
        first, last = winter(law, season)
        amounts = (f"{volume(decision.gallons_winter)} from {date_only(first)}, to {date_only(last)}, and "
                   f"{volume(decision.gallons_rest)} in the rest of the season")  # fmt: skip
    else:
        amounts = f"{volume(decision.gallons_winter + decision.gallons_rest)} in the season"
    wastes = waste_words([source.waste for source in sources_of([application.id]).get(application.id, [])])
    hours = law.row("hours.days", day)
    text = (
        f"{amounts}, {wastes} waste only. At the receiving station of {plant.name}, {hours.words}, "
        f"{law.row('hours.opens', day).words} to {law.row('hours.closes', day).words}, booked beforehand, at a steady "
        f"rate; all haulers together not above {rate(cap_on(law, day).plan_gph)}."
    )
    text = f"{text} {limit_words(decision.allowances)}".strip()
    return text[:1].upper() + text[1:], f"{hours.cite}; {law.cite('rate.plan_gph', day)}"


def _report(law: Law, day: date) -> tuple[str, str]:
    due = law.row("record.due_working_days", day)
    days = "the next working day" if due.value == 1 else f"{due.value} working days"
    return f"The source and the gallons of each load, in writing, within {days} of unloading.", due.cite


def _analysis(law: Law, day: date) -> tuple[str, str]:
    test = charged_for(law, day, "tests")
    text, cite = "Analysis is not charged by itself.", law.cite("programme.kind", day)
    if test is not None:
        tests = " and ".join(law.value("fees.test_parameters", day))
        text, cite = f"Each tested load: {dollars(test.price or Decimal(0))} a test charge for {tests}.", test.cite
    if law.has("state.other_analysis", day):
        other = str(law.value("state.other_analysis", day))
        text += f" {other[:1].upper()}{other[1:]}."
    return text, cite


def _fees(law: Law, day: date) -> tuple[str, str]:
    rows = [row for row in charge_rows(law, day) if row.kind in (*COUNTING, "per_load")]
    if not rows:
        raise NoLaw(f"{law.profile.name} has no charge for unloading on {day}")
    text = " ".join(f"{row.words} unloaded{f' ({row.whom})' if row.whom else ''}." for row in rows)
    if law.has("state.fee_basis", day):
        text += f" The fees are {law.value('state.fee_basis', day)}."
    return text, "; ".join(dict.fromkeys(row.cite for row in rows))
